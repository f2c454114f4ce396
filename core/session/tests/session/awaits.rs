//! Results that tasks await.

use crate::functions::{RESULT, builder, session, text};
use ringwood_session::{Computed, DRef};
use std::future::IntoFuture;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

struct Bell(Sender<()>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        let _ = self.0.send(());
    }
}

fn bell() -> (Waker, Receiver<()>) {
    let (ring, rung) = channel();
    (Arc::new(Bell(ring)).into(), rung)
}

fn poll(future: &mut Computed, waker: &Waker) -> Poll<ringwood_base::Result<()>> {
    pin!(future).poll(&mut Context::from_waker(waker))
}

/// Polls once, and again each time it is woken.
fn run(mut future: Computed) -> ringwood_base::Result<()> {
    let (waker, rung) = bell();
    loop {
        if let Poll::Ready(outcome) = poll(&mut future, &waker) {
            return outcome;
        }
        rung.recv_timeout(Duration::from_secs(20)).expect("the task is woken");
    }
}

/// The result of a call that takes seconds on one worker, awaited, with its bell.
fn begun(slow: &DRef) -> (Computed, Waker, Receiver<()>) {
    let ((waker, rung), mut future) = (bell(), slow.into_future());
    assert!(poll(&mut future, &waker).is_pending());
    assert!(!slow.is_ready());
    (future, waker, rung)
}

#[test]
fn a_wait_that_a_worker_is_refused_does_not_make_the_result_ready() {
    let session = session(2);
    let slow = session.call("sleep_on", (1_usize, 5_000_u64)).unwrap();
    *RESULT.lock().unwrap() = Some(slow.clone());
    let error = text(session.call("wait_for_own", ()).unwrap().get(0));
    assert!(error.contains("a global function called back into the session"), "{error}");
    assert!(!slow.is_ready());
    *RESULT.lock().unwrap() = None;
}

on_each_kind! {
    #[test]
    fn what_was_waited_for_is_ready_at_once() {
        let session = session(3);
        let ranks = session.call("rank", ()).unwrap();
        ranks.wait().unwrap();
        assert!(ranks.is_ready());
        run(ranks.into_future()).unwrap();
    }

    #[test]
    fn a_result_becomes_ready_without_anybody_who_waits() {
        let session = session(3);
        let ranks = session.call("rank", ()).unwrap();
        let start = Instant::now();
        while !ranks.is_ready() {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(ranks.typed::<usize>().gather().unwrap(), [0, 1, 2]);
    }

    #[test]
    fn the_last_worker_wakes_every_task_that_awaits_its_result() {
        let session = session(3);
        let slow = session.call("sleep_on", (1_usize, 2_000_u64)).unwrap();
        let (mut first, waker, rung) = begun(&slow);
        let second = (&slow).into_future();
        drop((&slow).into_future());
        assert!(rung.try_recv().is_err());
        run(second).unwrap();
        rung.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(poll(&mut first, &waker), Poll::Ready(Ok(()))));
        assert!(slow.is_ready());
    }

    #[test]
    fn a_failed_call_is_the_error_that_a_wait_gives() {
        let session = session(3);
        let failed = session.call("fail_on", (1_usize,)).unwrap();
        let error = text(run((&failed).into_future()));
        assert!(failed.is_ready());
        assert_eq!(error, text(failed.wait()));
        assert!(error.contains("the shapes do not fit"), "{error}");
        run(session.call("rank", ()).unwrap().into_future()).unwrap();
    }

    #[test]
    fn a_session_that_closes_wakes_those_who_await() {
        let session = session(3);
        let awaited = session.call("sleep_on", (0_usize, 2_000_u64)).unwrap();
        let (mut future, waker, rung) = begun(&awaited);
        let panicked = session.call("panic_on", (1_usize,)).unwrap();
        let error = text(run(panicked.into_future()));
        assert!(error.contains("global function `panic_on` panicked"), "{error}");
        rung.recv_timeout(Duration::from_secs(20)).unwrap();
        let Poll::Ready(outcome) = poll(&mut future, &waker) else { panic!("it is over") };
        // Behind it stands what the others did when it was asked.
        let cause = |text: String| text.split(';').next().map(str::to_owned);
        assert_eq!(cause(text(outcome)), cause(error.clone()));
        assert!(awaited.is_ready());
        let late = text(run(awaited.into_future()));
        assert_eq!(cause(late), cause(error));
    }

    #[test]
    fn a_session_that_is_shut_down_or_started_again_wakes_those_who_await() {
        let session = session(2);
        let slow = session.call("sleep_on", (0_usize, 2_000_u64)).unwrap();
        let (_, waker, rung) = begun(&slow);
        let mut future = (&slow).into_future();
        assert!(poll(&mut future, &waker).is_pending());
        session.recover().unwrap();
        rung.recv_timeout(Duration::from_secs(20)).unwrap();
        let Poll::Ready(outcome) = poll(&mut future, &waker) else { panic!("it is over") };
        assert!(text(outcome).contains("was ended, to be started again"));
        let slow = session.call("sleep_on", (0_usize, 2_000_u64)).unwrap();
        let (mut future, waker, rung) = begun(&slow);
        session.shutdown().unwrap();
        rung.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(poll(&mut future, &waker), Poll::Ready(Ok(()))));
    }

    #[test]
    fn workers_that_wait_for_each_other_are_told_to_who_awaits_or_polls() {
        let session = builder(4).timeout(Duration::from_secs(60)).start().unwrap();
        for polls in [false, true] {
            let start = Instant::now();
            let crossed = session.call("cross", ("recv",)).unwrap();
            while polls && !crossed.is_ready() {
                assert!(start.elapsed() < Duration::from_secs(5));
                std::thread::sleep(Duration::from_millis(1));
            }
            let error = text(run(crossed.into_future()));
            let circle = "workers wait for each other: worker 0 of 4 waits in recv #1 from worker 1";
            assert!(error.starts_with(circle), "{error}");
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
            session.recover().unwrap();
        }
    }

    #[test]
    fn the_timeout_wakes_those_who_await_and_says_who_is_silent() {
        let session = builder(2).timeout(Duration::from_millis(500)).start().unwrap();
        let slow = session.call("sleep_on", (1_usize, 5_000_u64)).unwrap();
        let (mut future, waker, rung) = begun(&slow);
        rung.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(!slow.is_ready());
        let Poll::Ready(outcome) = poll(&mut future, &waker) else { panic!("it is over") };
        let error = text(outcome);
        assert!(error.starts_with("1 of 2 workers did not answer within 500ms: worker 1 runs"), "{error}");
        // That is told once.
        let error = text(session.shutdown());
        assert!(error.contains(" of 2 workers did not end within 500ms"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_dies_wakes_those_who_await() {
    crate::functions::with_kind(
        |b| b.kind("processes"),
        || {
            let session = session(2);
            let died = session.call("die", (1_usize, "exit".to_owned())).unwrap();
            let error = text(run(died.into_future()));
            assert!(error.contains("ended with exit code 3"), "{error}");
        },
    );
}
