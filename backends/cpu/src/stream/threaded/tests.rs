use super::*;
use crate::event::Event;
use ringwood_base::ErrorKind;
use ringwood_device::backend::Status;

/// An event of another stream that the test ends.
fn gate() -> (Arc<Progress>, Event) {
    let progress = Arc::<Progress>::default();
    let event = Event::new(&progress, progress.submit());
    (progress, event)
}

fn fill() -> Command {
    Command::Wait(Event::new(&Arc::default(), 0))
}

fn last(lane: &ThreadedLane) -> Event {
    Event::new(lane.progress(), lane.progress().submitted())
}

#[test]
fn a_full_channel_blocks_the_submitter_up_to_the_limit() {
    let limit = Duration::from_millis(20);
    let lane = ThreadedLane::with_bounds(0, None, 1, limit).unwrap();
    let (gate, closed) = gate();
    lane.submit(Command::Wait(closed)).unwrap();
    let error = (0..3).find_map(|_| lane.submit(fill()).err());
    assert_eq!(error.unwrap().kind(), ErrorKind::Timeout);
    gate.pass(1);
    while lane.submit(fill()).is_err() {}
    assert!(last(&lane).block(Duration::from_secs(10)).is_ok());
}

#[test]
fn work_submitted_before_the_drop_still_runs() {
    let lane = ThreadedLane::start(0, None).unwrap();
    let (gate, closed) = gate();
    lane.submit(Command::Wait(closed)).unwrap();
    let last = last(&lane);
    drop(lane);
    assert!(matches!(last.status(), Status::Pending));
    gate.pass(1);
    assert!(last.block(Duration::from_secs(10)).is_ok());
}
