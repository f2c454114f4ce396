use super::*;
use ringwood_base::ErrorKind;
use std::sync::Arc;

fn broken(text: &'static str) -> Error {
    Error::backend(text)
}

#[test]
fn every_waiter_gets_the_first_failure_and_only_of_what_it_covers() {
    let progress = Arc::<Progress>::default();
    let numbers = [(); 3].map(|()| progress.submit());
    assert_eq!((numbers, progress.submitted()), ([1, 2, 3], 3));
    let waiters: Vec<_> = [1, 2, 3, 3]
        .map(|at| {
            let progress = Arc::clone(&progress);
            (at, std::thread::spawn(move || progress.block(at, Duration::from_secs(10))))
        })
        .into();
    assert!(matches!(progress.status(1), Status::Pending));
    progress.pass(1);
    progress.fail(2, broken("first"));
    progress.fail(3, broken("second"));
    assert!(matches!(progress.status(2), Status::Pending), "its memory may be in use");
    progress.pass(2);
    progress.pass(3);
    for (at, waiter) in waiters {
        let outcome = waiter.join().unwrap();
        let text = outcome.as_ref().err().map(Error::message);
        assert_eq!(text, (at > 1).then_some("first"), "{at}");
    }
    assert!(matches!(progress.status(0), Status::Done));
}

#[test]
fn waiting_for_pending_work_ends_at_the_timeout() {
    let progress = Progress::default();
    progress.submit();
    for timeout in [Duration::ZERO, Duration::from_millis(5)] {
        assert_eq!(progress.block(1, timeout).unwrap_err().kind(), ErrorKind::Timeout);
    }
    progress.pass(1);
    for timeout in [Duration::ZERO, Duration::MAX] {
        progress.block(1, timeout).unwrap();
    }
}

#[test]
fn a_command_that_nobody_runs_is_not_waited_for() {
    let progress = Progress::default();
    progress.submit();
    progress.submit();
    progress.retract();
    progress.pass(1);
    progress.block(progress.submitted(), Duration::ZERO).unwrap();
}
