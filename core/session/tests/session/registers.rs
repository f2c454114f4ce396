//! Registers and their handles.

use crate::functions::{SELF, session, text};
use ringwood_session::{DRef, Value};
use std::time::{Duration, Instant};

#[test]
fn a_worker_may_drop_the_last_handle_of_its_own_session() {
    let mut place = SELF.lock().unwrap();
    let session = place.insert(session(2));
    let result = session.call("take_own_session", ()).unwrap();
    drop(place);
    let start = Instant::now();
    while SELF.lock().unwrap().is_some() && start.elapsed() < Duration::from_secs(5) {
        std::thread::yield_now();
    }
    while result.wait().is_ok() {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

on_each_kind! {
    #[test]
    fn a_register_of_another_type_is_an_error_of_the_call_that_takes_it() {
        let session = session(2);
        let words = session.call("echo", ("abc",)).unwrap();
        let sum = session.call("add", (&words, 1_i64)).unwrap();
        let error = text(sum.get(1));
        assert_eq!(
            error,
            "worker 1 of 2: global function `add` failed: argument 1, `a`, of `add`: expected i64, got str \"abc\""
        );
        assert_eq!(text(words.typed::<i64>().get(0)), "expected i64, got str \"abc\"");
    }

    #[test]
    fn the_register_freed_last_is_used_first() {
        let session = session(3);
        let [a, b, c] = [(); 3].map(|()| session.call("rank", ()).unwrap());
        assert_eq!([a.register(), b.register(), c.register()], [1, 2, 3]);
        drop(a);
        drop(c);
        assert_eq!(session.registers(), 1);
        let again = [(); 3].map(|()| session.call("rank", ()).unwrap());
        assert_eq!(again.each_ref().map(DRef::register), [3, 1, 4]);
        assert_eq!(again[0].typed::<usize>().gather().unwrap(), [0, 1, 2]);
    }

    #[test]
    fn a_register_is_freed_with_the_last_clone_of_its_handle() {
        let session = session(2);
        let first = session.call("rank", ()).unwrap();
        let second = first.clone();
        let typed = first.typed::<usize>();
        drop(first);
        drop(second);
        assert_eq!(session.registers(), 1);
        assert_eq!(typed.get(1).unwrap(), 1);
        drop(typed);
        assert_eq!(session.registers(), 0);
    }

    #[test]
    fn a_handle_may_be_dropped_after_its_session_and_on_another_thread() {
        let session = session(2);
        let dref = session.call("rank", ()).unwrap();
        let other = session.call("rank", ()).unwrap();
        std::thread::spawn(move || drop(other)).join().unwrap();
        drop(session);
        assert!(text(dref.get(0)).contains("has been shut down"));
        drop(dref);
    }

    #[test]
    fn a_handle_of_another_session_is_refused() {
        let (one, two) = (session(2), session(2));
        let dref = one.call("rank", ()).unwrap();
        let error = text(two.call("echo", (&dref,)));
        assert!(error.contains("the handle belongs to session"), "{error}");
        assert!(two.debug_set(&dref, 0, Value::None).is_err());
    }

    #[test]
    fn a_register_of_one_worker_can_be_set_for_debugging() {
        let session = session(3);
        let ranks = session.call("rank", ()).unwrap().typed::<usize>();
        session.debug_set(&ranks, 1, 17).unwrap();
        assert_eq!(ranks.gather().unwrap(), [0, 17, 2]);
    }

    #[test]
    fn handles_dropped_while_a_worker_is_behind_are_freed_later() {
        let session = session(2);
        session.call("sleep_on", (1_usize, 200_u64)).unwrap();
        let handles: Vec<_> = (0..4090).map(|_| session.call("rank", ()).unwrap()).collect();
        handles.into_iter().for_each(drop);
        session.sync().unwrap();
        drop(session.call("rank", ()).unwrap());
        assert_eq!(session.registers(), 0);
    }
}
