//! Over what the workers call collectives.

use crate::functions::{builder, text};
use ringwood_base::ErrorKind;

on_each_kind! {
    #[test]
    fn workers_meet_over_the_transport_that_is_chosen() {
        let session = builder(2).transport("socket").start().unwrap();
        session.call("send_in_collective", ()).unwrap().wait().unwrap();
        session.shutdown().unwrap();
    }

    #[test]
    fn a_failure_releases_workers_that_meet_over_sockets() {
        let session = builder(2).transport("socket").start().unwrap();
        let error = text(session.call("fail_late", (1_usize,)).unwrap().wait());
        assert!(error.contains("the shapes do not fit"), "{error}");
        session.recover().unwrap();
        session.call("send_in_collective", ()).unwrap().wait().unwrap();
    }

    #[test]
    fn an_unknown_transport_is_refused_with_those_that_there_are() {
        let error = builder(2).transport("pigeon").start().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        let text = error.to_string();
        assert!(text.starts_with("no transport `pigeon`; "), "{text}");
        assert!(text.contains("peer_memory, socket"), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_transport_of_threads_is_refused_between_processes() {
    crate::functions::with_kind(
        |b| b.kind("processes"),
        || {
            let error = builder(2).transport("peer_memory").start().unwrap_err().to_string();
            assert!(error.contains("connects threads of one process only"), "{error}");
            assert!(error.contains("use `arena` or `socket` between processes"), "{error}");
        },
    );
}
