use super::*;
use crate::backend::Status;
use crate::backend::queue::SubmitQueue;
use ringwood_base::ErrorKind;
use std::sync::mpsc;

/// A command whose end the test decides.
#[derive(Clone)]
struct Manual {
    decided: Receiver<Outcome>,
    outcome: Arc<OnceLock<Outcome>>,
}

type Outcome = Result<(), Lost>;

impl Marker for Manual {
    fn wait(&self) -> Result<(), Lost> {
        self.outcome.get_or_init(|| self.decided.recv().expect("the test decides")).clone()
    }
}

fn command() -> (Sender<Outcome>, Manual) {
    let (decide, decided) = crossbeam_channel::bounded(1);
    (decide, Manual { decided, outcome: Arc::default() })
}

fn done() -> Manual {
    let (decide, marker) = command();
    decide.send(Ok(())).unwrap();
    marker
}

const WAIT: Duration = Duration::from_secs(30);

fn broken() -> Error {
    Error::backend("broken")
}

#[test]
fn an_event_is_final_when_all_before_it_is_followed() {
    let queue = SubmitQueue::start("test").unwrap();
    let stream = queue.enter_failed();
    let (decide, marker) = command();
    let (told, heard) = mpsc::channel();
    stream.follow(
        marker,
        Box::new(move |end| {
            told.send(end).unwrap();
            Ok(())
        }),
    );
    let event = Event::new(queue.number());
    stream.record(event.clone(), done());
    assert_eq!(event.block(Duration::from_millis(20)).unwrap_err().kind(), ErrorKind::Timeout);
    decide.send(Ok(())).unwrap();
    event.block(WAIT).unwrap();
    heard.try_recv().unwrap().unwrap();
}

#[test]
fn the_first_failure_sticks_and_crosses_streams() {
    let [a, b] = ["a", "b"].map(|name| SubmitQueue::start(name).unwrap());
    let (first, second) = (a.enter_failed(), b.enter_failed());
    let (decide, marker) = command();
    first.watch(marker);
    let event = Event::new(a.number());
    first.record(event.clone(), done());
    second.after(event.clone(), Some(done()));
    let late = Event::new(b.number());
    second.record(late.clone(), done());
    decide.send(Err(Lost::Failed(broken()))).unwrap();
    for waiting in [&event, &late] {
        assert_eq!(waiting.block(WAIT).unwrap_err().message(), "broken");
    }
    first.fail(Error::backend("later"), None);
    let again = Event::new(a.number());
    first.record(again.clone(), done());
    assert_eq!(again.block(WAIT).unwrap_err().message(), "broken");
}

#[test]
fn what_may_still_run_is_told_apart_from_what_failed() {
    let queue = SubmitQueue::start("test").unwrap();
    let stream = queue.enter_failed();
    let (decide, marker) = command();
    let (told, heard) = mpsc::channel();
    stream.follow(
        marker,
        Box::new(move |end| {
            told.send(end).unwrap();
            Ok(())
        }),
    );
    let (_undecided, after) = command();
    let event = Event::new(queue.number());
    after.outcome.set(Err(Lost::Unknown(broken()))).unwrap();
    stream.record(event.clone(), after);
    decide.send(Err(Lost::Unknown(broken()))).unwrap();
    assert_eq!(event.block(WAIT).unwrap_err().message(), "broken");
    assert!(matches!(event.status(), Status::Unknown(_)), "its memory may be in use");
    assert!(matches!(heard.recv_timeout(WAIT).unwrap(), Err(Lost::Unknown(_))));
}

#[test]
fn the_first_of_several_commands_to_fail_counts_though_the_last_is_waited_for() {
    let queue = SubmitQueue::start("test").unwrap();
    let stream = queue.enter_failed();
    let (open, gate) = command();
    stream.watch(gate);
    for text in ["first", "second"] {
        let (decide, marker) = command();
        decide.send(Err(Lost::Failed(Error::backend(text)))).unwrap();
        stream.watch(marker);
    }
    for _ in 0..2 * BATCH {
        stream.watch(done());
    }
    let event = Event::new(queue.number());
    stream.record(event.clone(), done());
    assert!(queue.failure().is_none());
    open.send(Ok(())).unwrap();
    assert_eq!(event.block(WAIT).unwrap_err().message(), "first");
}

#[test]
fn a_panic_in_what_follows_fails_the_stream() {
    let queue = SubmitQueue::start("test").unwrap();
    let stream = queue.enter_failed();
    stream.follow(done(), Box::new(|_| panic!("no")));
    let event = Event::new(queue.number());
    stream.record(event.clone(), done());
    assert_eq!(event.block(WAIT).unwrap_err().kind(), ErrorKind::Panic);
}

#[test]
fn a_dropped_stream_still_follows_what_is_under_way() {
    let queue = SubmitQueue::start("test").unwrap();
    let stream = queue.enter_failed();
    let (decide, marker) = command();
    let event = Event::new(queue.number());
    stream.record(event.clone(), marker);
    drop(stream);
    drop(queue);
    decide.send(Ok(())).unwrap();
    event.block(WAIT).unwrap();
}
