//! What is left after sessions have ended: nothing. A process of its own, since it counts threads and
//! open files.
#![cfg(target_os = "linux")]

use ringwood_base::Result;
use ringwood_base::registry::{Entry, EntryMeta, Registry, RegistryBuilder};
use ringwood_session::{GlobalFn, IntoValue, Session, SessionBuilder, entries};
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
    let kinds = [entries::threads::ENTRY, entries::processes::ENTRY];
    kinds
        .into_iter()
        .fold(Registry::builder().register(entry), RegistryBuilder::register)
        .build()
        .unwrap()
}

/// The threads and the open files of this process, and the processes that it has started.
fn held() -> [usize; 3] {
    let count = |folder: &str| std::fs::read_dir(folder).unwrap().count();
    let children = std::fs::read_to_string("/proc/self/task/self/children").unwrap_or_default();
    let children = children.split_whitespace().count();
    [count("/proc/self/task"), count("/proc/self/fd"), children]
}

fn builder(kind: &str, workers: usize) -> SessionBuilder {
    Session::builder()
        .kind(kind)
        .workers(workers)
        .registry(registry())
        .program_arguments(["worker", "--exact", "--ignored"])
        .output(|_, _, _| ())
}

#[test]
#[ignore = "the other test starts it in processes of its own"]
fn worker() {
    panic!("this process is no worker: {:?}", builder("processes", 1).start());
}

fn cycles(kind: &str, rounds: usize) -> Result<()> {
    // What is made once for all is there after the first.
    drop(builder(kind, 1).start()?);
    let before = held();
    for round in 0..rounds {
        // With one worker the call succeeds, with more worker 1 panics.
        let session = builder(kind, 1 + round % 3).start()?;
        let result = session.call("rank_or_panic", ())?;
        match round % 4 {
            0 => drop(result.wait()),
            1 => drop(session.recover()),
            2 => drop(session.shutdown()),
            _ => {}
        }
        drop(session);
        drop(result);
        if round % 4 == 0 {
            let failed = builder(kind, 2).devices(["npu:0"]).start();
            assert!(failed.unwrap_err().to_string().contains("no device `npu:0`"));
        }
    }
    for _ in 0..100 {
        if held().iter().zip(before).all(|(now, before)| *now <= before) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{kind}: threads, files and processes {before:?} before, {:?} afterwards", held());
}

#[test]
fn nothing_outlives_its_session() {
    cycles("threads", 500).unwrap();
    cycles("processes", 120).unwrap();
}
