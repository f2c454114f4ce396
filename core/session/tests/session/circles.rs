//! Workers that wait for each other, and one that all others wait for.

use crate::functions::{builder, with_kind};
use ringwood_base::ErrorKind;
use std::process::Command;
use std::time::{Duration, Instant};

on_each_kind! {
    #[test]
    fn workers_that_wait_for_each_other_are_told_their_circle_at_once() {
        let circles = [
            ("recv", "waits in recv #1 from worker 1 of", "waits in recv #1 from worker 0 of"),
            ("send", "waits in send #1 to worker 1 of", "waits in send #1 to worker 0 of"),
            ("message", "waits in all_reduce #1 of", "waits in recv #1 from worker 0 of"),
            ("group", "waits in all_reduce #1 of", "waits in all_reduce #1 of"),
        ];
        let session = builder(4).groups(2).timeout(Duration::from_secs(60)).start().unwrap();
        let mut times = Vec::new();
        for (how, first, second) in circles {
            let start = Instant::now();
            let error = session.call("cross", (how,)).unwrap().wait().unwrap_err();
            times.push(start.elapsed());
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            let text = format!(
                "workers wait for each other: worker 0 of 4 {first} `cross`, call 1, for worker 1, \
                 which {second} `cross`, call 1, for worker 0"
            );
            assert!(error.message().starts_with(&text), "{how}: {error}");
            session.recover().unwrap();
        }
        // A busy machine may hold one of them up.
        let within = |bound| times.iter().filter(|&&time| time < Duration::from_secs(bound)).count();
        assert!(within(1) > 0 && within(5) == times.len(), "{times:?}");
    }

    #[test]
    fn who_shuts_down_a_session_is_told_of_a_circle() {
        let session = builder(4).timeout(Duration::from_secs(60)).start().unwrap();
        drop(session.call("cross", ("recv",)).unwrap());
        let (start, error) = (Instant::now(), session.shutdown().unwrap_err());
        assert!(error.message().starts_with("workers wait for each other: worker 0 of 4"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn messages_and_collectives_that_pass_each_other_are_no_circle() {
        let session = builder(4).groups(2).timeout(Duration::from_secs(60)).start().unwrap();
        session.call("pass", (4_usize, 250_u64)).unwrap().wait().unwrap();
        session.call("pass", (100_usize, 0_u64)).unwrap().wait().unwrap();
        for _ in 0..40 {
            session.call("pass", (3_usize, 0_u64)).unwrap();
        }
        session.sync().unwrap();
    }
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_session_with_a_slow_worker() {
    let run = || {
        let session = builder(3).start().unwrap();
        let ranks = session.call("come_late", (1_usize, 8_000_u64)).unwrap().typed::<usize>();
        assert_eq!(ranks.gather().unwrap(), [0, 1, 2]);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| with_kind(|b| b.kind("threads"), run));
        #[cfg(target_os = "linux")]
        scope.spawn(|| with_kind(|b| b.kind("processes"), run));
    });
}

#[test]
fn a_worker_that_others_wait_for_is_warned_of_once_and_fails_nothing() {
    let arguments = ["circles::a_session_with_a_slow_worker", "--exact", "--ignored"];
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    // Who of the others is seen to wait first is not said.
    let warning = "warning: worker 1 is slow: it runs `come_late`, call 1; worker ";
    let wait = " waits for it in all_reduce #1 since 5.";
    let kinds = if cfg!(target_os = "linux") { 2 } else { 1 };
    let counts = [warning, wait, "warning"].map(|part| text.matches(part).count());
    assert_eq!(counts, [kinds; 3], "{text}");
}
