//! Failures of workers: whom they reach, and what works afterwards.

use crate::functions::{session, text};
use ringwood_base::ErrorKind;
use std::time::{Duration, Instant};

on_each_kind! {
    #[test]
    fn an_error_on_one_worker_fails_its_result_and_leaves_the_session_usable() {
        let session = session(4);
        let result = session.call("fail_on", (2_usize,)).unwrap().typed::<i64>();
        let expected = "worker 2 of 4: global function `fail_on` failed: the shapes do not fit";
        assert_eq!(result.get(1).unwrap(), 7);
        let error = result.get(2).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Shape, expected));
        assert_eq!(text(result.gather()), expected);
        assert_eq!(text(result.wait()), expected);

        let next = session.call("add", (&result, 1_i64)).unwrap().typed::<i64>();
        assert_eq!(text(next.get(2)), expected);
        assert_eq!(next.get(0).unwrap(), 8);
        session.sync().unwrap();
    }

    #[test]
    fn a_failure_that_no_one_asked_for_is_reported_by_the_next_sync_once() {
        let session = session(3);
        drop(session.call("fail_on", (1_usize,)).unwrap());
        assert!(text(session.sync()).starts_with("worker 1 of 3: global function `fail_on` failed"));
        session.sync().unwrap();
    }

    #[test]
    fn a_panic_names_worker_function_cause_and_place_and_closes_the_session() {
        let session = session(4);
        let result = session.call("panic_on", (2_usize,)).unwrap();
        let error = result.wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panic);
        let message = error.message();
        let head = "worker 2 of 4: global function `panic_on` panicked: index out of bounds: the len is 0 but the index is 2 (";
        assert!(message.starts_with(head), "{message}");
        assert!(message.contains("core/session/tests/session/functions.rs:"), "{message}");
        let debug = format!("{error:?}");
        assert!(debug.contains("\n  rank 2 (process ") && debug.contains(": call `panic_on` #1 since "), "{debug}");
        for later in [text(session.call("rank", ())), text(session.sync()), text(result.get(0))] {
            assert_eq!(later, error.to_string());
        }
        session.shutdown().unwrap();
    }

    #[test]
    fn the_end_tells_of_a_panic_that_no_one_was_told() {
        let session = session(2);
        drop(session.call("panic_on", (1_usize,)).unwrap());
        std::thread::sleep(Duration::from_millis(100));
        let error = text(session.shutdown());
        assert!(error.starts_with("worker 1 of 2: global function `panic_on` panicked"), "{error}");
        session.shutdown().unwrap();
    }

    #[test]
    fn a_closed_session_can_be_started_again_and_its_old_handles_are_stale() {
        let session = session(3);
        let old = session.call("rank", ()).unwrap();
        session.call("panic_on", (0_usize,)).unwrap().wait().unwrap_err();
        session.recover().unwrap();
        assert!(text(old.get(0)).contains("the handle is stale"));
        assert!(text(session.call("echo", (&old,))).contains("the handle is stale"));
        let new = session.call("rank", ()).unwrap().typed::<usize>();
        assert_eq!(new.register(), 1);
        drop(old);
        assert_eq!(new.gather().unwrap(), [0, 1, 2]);
        session.sync().unwrap();
    }

    #[test]
    fn a_failure_inside_of_a_collective_closes_the_session_for_all() {
        let session = session(3);
        let result = session.call("break_meeting", (1_usize,)).unwrap();
        for worker in 0..3 {
            let error = result.get(worker).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Device);
            assert!(
                error.message().starts_with("worker 1 of 3: meeting failed: the line is dead"),
                "{error}"
            );
        }
        assert!(session.call("rank", ()).is_err());
    }

    #[test]
    fn a_busy_worker_does_not_delay_the_news_that_another_panicked() {
        let session = session(2);
        let start = Instant::now();
        let slow = session.call("sleep_on", (0_usize, 6_000_u64)).unwrap();
        session.call("panic_on", (1_usize,)).unwrap();
        let error = slow.get(0).unwrap_err();
        assert!(error.message().starts_with("worker 1 of 2: global function `panic_on` panicked"));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn messages_between_two_workers_are_no_collective() {
        let session = session(3);
        for _ in 0..30 {
            let got = session.call("send_to", (0_usize, 2_usize, true)).unwrap().typed::<f64>();
            assert_eq!(got.gather().unwrap(), [0.0, 1.0, 0.0]);
        }
        drop(session);
        let two = crate::functions::session(2);
        for _ in 0..30 {
            two.call("send_in_collective", ()).unwrap().wait().unwrap();
        }
    }

    #[test]
    fn a_message_to_a_worker_that_returned_ends_at_once_and_names_it() {
        let session = session(3);
        let start = Instant::now();
        let error = session.call("send_to", (0_usize, 2_usize, false)).unwrap().wait().unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        let text =
            "workers disagree in `send_to`: worker 2 of 3 returned, worker 0 waits in send to it";
        assert!(error.message().starts_with(text), "{error}");
    }
}
