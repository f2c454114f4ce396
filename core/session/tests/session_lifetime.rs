//! What is left after sessions have ended: nothing. A process of its own, since it counts threads.
#![cfg(target_os = "linux")]

use ringwood_base::Result;
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_session::{GlobalFn, IntoValue, Session};
use std::time::Duration;

static RANK_OR_PANIC: GlobalFn = GlobalFn {
    name: "rank_or_panic",
    parameters: &[],
    run: |worker, _| match worker.rank() {
        1 => panic!("a worker that fails"),
        rank => Ok(rank.into_value()),
    },
};

fn registry() -> Registry {
    let (module_path, file, line) = (module_path!(), file!(), line!());
    let meta = EntryMeta { package: "tests", name: "rank_or_panic", module_path, file, line };
    let entry = Entry::new(meta, &RANK_OR_PANIC);
    Registry::builder().register(entry).build().unwrap()
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn start(workers: usize) -> Result<Session> {
    Session::builder().workers(workers).registry(registry()).start()
}

#[test]
fn no_thread_outlives_its_session() {
    let before = threads();
    for round in 0..500 {
        // With one worker the call succeeds, with more worker 1 panics.
        let session = start(1 + round % 3).unwrap();
        let result = session.call("rank_or_panic", ()).unwrap();
        match round % 4 {
            0 => drop(result.wait()),
            1 => drop(session.recover()),
            2 => drop(session.shutdown()),
            _ => {}
        }
        drop(session);
        drop(result);
        let failed = Session::builder().workers(2).registry(registry()).devices(["npu:0"]).start();
        assert!(failed.unwrap_err().to_string().contains("no device `npu:0`"));
    }
    for _ in 0..100 {
        if threads() <= before {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} threads before, {} afterwards", before, threads());
}
