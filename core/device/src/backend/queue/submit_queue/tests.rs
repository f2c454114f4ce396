use super::*;

/// A command that is over.
#[derive(Clone)]
struct Over;

impl Marker for Over {
    fn wait(&self) -> Result<(), Lost> {
        Ok(())
    }
}

const WAIT: Duration = Duration::from_secs(30);

fn broken() -> Error {
    Error::backend("broken")
}

#[test]
fn a_refused_command_fails_the_stream_and_tells_what_would_follow() {
    let queue = SubmitQueue::start("test").unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    let guard = queue.enter().unwrap();
    let follow: Follow = Box::new(move |end| {
        told.send(end).unwrap();
        Ok(())
    });
    guard.submitted(Ok(Over), None).unwrap();
    let error = guard.submitted(Err(broken()), Some(follow)).unwrap_err();
    assert_eq!(error.message(), "broken");
    assert!(matches!(heard.recv_timeout(WAIT).unwrap(), Err(Lost::Failed(_))));
    drop(guard);
    assert_eq!(queue.enter().err().unwrap().message(), "broken");
}

#[test]
fn a_refusal_is_the_failure_while_earlier_commands_run() {
    let queue = SubmitQueue::start("test").unwrap();
    let (open, opened) = std::sync::mpsc::channel::<()>();
    let hold: Follow = Box::new(move |_| {
        let _ = opened.recv_timeout(WAIT);
        Ok(())
    });
    let guard = queue.enter().unwrap();
    guard.submitted(Ok(Over), Some(hold)).unwrap();
    let good = Event::new(queue.number());
    guard.record(good.clone(), Over);
    guard.submitted(Err(broken()), None).unwrap_err();
    drop(guard);
    assert_eq!(queue.enter().err().unwrap().message(), "broken");
    drop(open);
    good.block(WAIT).unwrap();
}

#[test]
fn only_a_pending_event_of_another_stream_is_waited_for() {
    let (a, b) =
        (SubmitQueue::<Over>::start("a").unwrap(), SubmitQueue::<Over>::start("b").unwrap());
    let event = Event::new(a.number());
    assert!(!a.enter().unwrap().must_wait(&event));
    assert!(b.enter().unwrap().must_wait(&event));
    assert!(b.enter().unwrap().must_wait_for_end(&event));
    event.finish(Ok(()));
    assert!(!b.enter().unwrap().must_wait(&event));
    let failed = Event::new(a.number());
    failed.finish(Err(Lost::Failed(broken())));
    let guard = b.enter().unwrap();
    assert!(!guard.must_wait_for_end(&failed) && b.failure().is_none());
    assert!(!guard.must_wait(&failed));
    let late = Event::new(b.number());
    guard.record(late.clone(), Over);
    assert_eq!(late.block(WAIT).unwrap_err().message(), "broken");
}
