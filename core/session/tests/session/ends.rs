//! Bounds of waiting, and the end of a session.

use crate::functions::{COUNTED, builder, session, text};
use ringwood_base::ErrorKind;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[test]
fn no_call_begins_after_its_session_was_dropped() {
    let session = builder(1).timeout(Duration::from_millis(150)).start().unwrap();
    for _ in 0..20 {
        session.call("tally", (100_u64,)).unwrap();
    }
    drop(session);
    let begun = COUNTED.load(Ordering::Relaxed);
    assert!((1..5).contains(&begun), "{begun}");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(COUNTED.load(Ordering::Relaxed), begun);
}

on_each_kind! {
    #[test]
    fn a_worker_that_takes_no_more_commands_is_named() {
        let session = builder(2).timeout(Duration::from_secs(1)).start().unwrap();
        session.call("sleep_on", (1_usize, 10_000_u64)).unwrap();
        let error = (0..5000).find_map(|_| session.call("rank", ()).err()).unwrap();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        let text = "worker 1 of 2 is 4096 commands behind; it runs `sleep_on`, call 1";
        assert!(error.message().starts_with(text), "{error}");
        // The caller was told.
        let error = session.shutdown().unwrap_err().to_string();
        assert!(error.contains(" of 2 workers did not end within 1s"), "{error}");
        session.shutdown().unwrap();
    }

    #[test]
    fn shutting_down_twice_and_calling_afterwards_does_no_harm() {
        let session = session(2);
        let dref = session.call("rank", ()).unwrap();
        session.shutdown().unwrap();
        session.shutdown().unwrap();
        let error = session.call("rank", ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Aborted);
        assert!(error.to_string().contains("has been shut down"), "{error}");
        assert!(session.sync().is_err());
        assert!(dref.get(0).is_err());
    }

    #[test]
    fn shutdown_finishes_what_was_submitted() {
        let session = session(2);
        let start = Instant::now();
        session.call("sleep", (50_u64,)).unwrap();
        session.shutdown().unwrap();
        assert!(start.elapsed() >= Duration::from_millis(50));
    }

    #[test]
    fn a_worker_without_room_for_commands_keeps_no_other_one_from_its_end() {
        let session = builder(3).timeout(Duration::from_secs(2)).start().unwrap();
        session.call("sleep_on", (1_usize, 10_000_u64)).unwrap();
        (0..5000).find_map(|_| session.call("rank", ()).err()).unwrap();
        session.sync().unwrap_err();
        let error = text(session.shutdown());
        assert!(error.starts_with("1 of 3 workers did not end within 2s"), "{error}");
    }

    #[test]
    fn a_failure_after_the_shutdown_is_told_and_releases_who_waits() {
        let session = session(3);
        let start = Instant::now();
        drop(session.call("fail_late", (2_usize,)).unwrap());
        let text = text(session.shutdown());
        assert!(text.starts_with("worker 2 of 3: global function `fail_late` failed: "), "{text}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_worker_that_does_not_answer_in_time_is_named_with_what_it_does() {
        let session = builder(3).timeout(Duration::from_millis(500)).start().unwrap();
        let result = session.call("sleep_on", (1_usize, 6_000_u64)).unwrap();
        assert!(result.get(0).is_ok());
        let start = Instant::now();
        let error = result.wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert!(
            error.message().starts_with(
                "1 of 3 workers did not answer within 500ms: worker 1 runs `sleep_on`, call 1"
            ),
            "{error}"
        );
        assert!(session.call("rank", ()).unwrap_err().message().starts_with(error.message()));
        let error = session.shutdown().unwrap_err();
        // On a busy machine the others may take as long.
        assert!(error.message().contains(" of 3 workers did not end within 500ms"), "{error}");
        assert!(error.message().contains("worker 1 runs `sleep_on`, call 1"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_session_may_wait_for_as_long_as_a_duration_can_say() {
        let session = builder(2).timeout(Duration::MAX).start().unwrap();
        session.sync().unwrap();
        session.shutdown().unwrap();
    }

    #[test]
    fn a_timeout_tells_who_waits_for_whom_since_when_and_what_that_one_does() {
        let session = builder(3).timeout(Duration::from_millis(400)).start().unwrap();
        let error = session.call("send_late", (900_u64,)).unwrap().wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        let text = error.message();
        assert!(text.contains("; rank 0 waits for rank 1 at send #1 since "), "{text}");
        assert!(text.contains(" ms; rank 1 is in call `send_late` #1 since "), "{text}");
        let all = format!("{error:?}");
        assert!(all.contains("; send #1, 24 bytes, since "), "{all}");
        assert_eq!(all.matches("rank 0 waits for rank 1").count(), 1, "{all}");
    }
}
