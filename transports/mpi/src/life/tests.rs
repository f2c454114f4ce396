use super::*;
use std::process::Command;

#[test]
fn the_end_of_one_is_seen_beside_others_that_live() {
    let mut children = ["60", "0"].map(|time| Command::new("sleep").arg(time).spawn().unwrap());
    let life = |id| Life::of(Process { id, ..Process::this() });
    let lives = children.each_ref().map(|child| life(child.id()));
    children[1].wait().unwrap();
    // A thread that waits for a processor may take longer, but not each time.
    let at_once = (0..5).any(|_| {
        let start = Instant::now();
        Life::one_ends(&lives) && start.elapsed() < ENDING
    });
    let over = lives.each_ref().map(Life::is_over);
    children[0].kill().unwrap();
    children[0].wait().unwrap();
    assert!(at_once);
    assert_eq!(over, [false, true]);
    assert!(lives[0].is_seen() && !Life::default().is_seen());
}
