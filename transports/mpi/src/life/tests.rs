use super::*;
use std::process::Command;

#[test]
fn the_end_of_one_is_seen_beside_others_that_live() {
    let mut children = ["60", "0"].map(|time| Command::new("sleep").arg(time).spawn().unwrap());
    let life = |id| Life::of(Process { id, ..Process::this() });
    let lives = children.each_ref().map(|child| life(child.id()));
    children[1].wait().unwrap();
    let start = Instant::now();
    assert!(Life::one_ends(&lives) && start.elapsed() < ENDING);
    assert!(lives[1].is_over() && !lives[0].is_over());
    assert!(lives[0].is_seen() && !Life::default().is_seen());
    children[0].kill().unwrap();
    children[0].wait().unwrap();
}
