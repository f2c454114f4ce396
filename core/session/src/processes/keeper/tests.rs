use super::*;
use crate::processes::line::Line;
use crate::remote::{Links, Report};
use ringwood_base::ErrorKind;
use std::sync::Mutex;

/// A keeper of two workers that run a script, and their lines.
fn keeper(script: &str) -> (Keeper, Arc<Lines>) {
    let config = Config {
        workers: 2,
        groups: 1,
        silence: Duration::from_secs(60),
        program: Some("sh".into()),
        arguments: Some(vec!["-c".into(), script.into()]),
        ..Config::default()
    };
    let (here, there): (Vec<_>, Vec<_>) = (0..2).map(|_| UnixStream::pair().unwrap()).unzip();
    let (wake, woken) = UnixStream::pair().unwrap();
    let lines = here.into_iter().map(Line::new).collect();
    let (end, thread) = (Mutex::default(), Mutex::default());
    let lines = Arc::new(Lines { lines, wake, end, keeper: thread });
    let controller = Controller::new(&config, Arc::clone(&lines) as Arc<dyn Links>);
    let mut keeper = Keeper::new(controller, Arc::clone(&lines), woken);
    keeper.start(&config, there).unwrap();
    (keeper, lines)
}

#[test]
fn a_death_is_told_before_what_follows_from_it_while_callers_that_do_not_run_hold_the_streams() {
    let (mut keeper, lines) = keeper("exit 3");
    let loans: Vec<_> = lines.lines.iter().map(|line| lock(&line.ear)).collect();
    for child in &mut keeper.children {
        child.process.end(Duration::from_secs(20)).unwrap();
    }
    let missed = Error::new(ErrorKind::Aborted, "rank 0 of 2 died in call #5");
    keeper.controller.hear(1, [Report::Close((&missed).into())]);
    let start = Instant::now();
    while keeper.controller.failed().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "nothing is told");
        keeper.turn(LOOK);
    }
    let told = keeper.controller.failed().unwrap().to_string();
    assert!(told.contains("ended with exit code 3"), "{told}");
    drop(loans);
    keeper.end(Instant::now());
}
