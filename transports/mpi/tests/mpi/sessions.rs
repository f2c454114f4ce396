//! Sessions whose workers are ranks.

use crate::functions::{builder, session, with_kind};
use crate::launched::say;
use crate::{calls, ends, failures, registers};
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_collective::resolve::Member;
use ringwood_mpi::{Launch, MpiSession, World};
use ringwood_transport::flight::Flight;
use ringwood_transport::{PeerMemory, TransportDef};
use std::os::unix::process::CommandExt;
use std::panic::catch_unwind;
use std::process::Command;
use std::time::{Duration, Instant};

/// What needs other ranks: 64 workers, or two sessions at once.
const OTHERS: [&str; 2] =
    ["one_worker_and_many_more_workers_than_cores_work", "a_handle_of_another_session_is_refused"];

/// The scenario in which every rank has its own number of threads.
pub(crate) const THREADS: &str = "session of ranks with their own threads";

/// Begins this program again with the number of threads of this rank.
pub(crate) fn give_threads() {
    if std::env::var_os("RINGWOOD_THREADS").is_none() {
        let rank = Launch::of_this_process().unwrap().rank.unwrap();
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(std::env::args().skip(1)).env("RINGWOOD_THREADS", (rank + 2).to_string());
        panic!("{}", again.exec());
    }
}

pub(crate) fn run(world: &World, scenario: &str) {
    if scenario == "session after a group that was resolved" {
        let member = Member::new(7, world.size(), "cpu", &format!("cpu:{}", world.rank()));
        let group = world.resolver().unwrap().join(&member).unwrap();
        assert_eq!(group.rank(), world.rank());
    }
    if world.rank() > 0 {
        panic!("this process is no worker: {:?}", builder(1).over(&MpiSession::Apart).start());
    }
    with_kind(
        |builder| builder.over(&MpiSession::Apart),
        || match scenario {
            "sessions" => every_case(),
            THREADS => threads(),
            "session of too many" => say(builder(world.size()).start().unwrap_err()),
            "session with a worker that stops" => stops(),
            "session that is terminated" => terminated(),
            "session of all" => all(world.size()),
            "session of all that does not start" => does_not_start(world.size()),
            "session after a group that was resolved" => {
                let session = session(world.size() - 1);
                say(session.call("rank", ()).unwrap().typed::<usize>().get(1).unwrap());
            }
            "session of all whose first worker stays" => stays(world.size()),
            how => die(how.rsplit(' ').next().unwrap()),
        },
    );
}

/// Every test of sessions, one after the other in one job.
fn every_case() {
    let suites = [calls::CASES, ends::CASES, failures::CASES, registers::CASES].concat();
    let fails = |(name, case): &(&str, fn())| !OTHERS.contains(name) && catch_unwind(case).is_err();
    let failed: Vec<_> = suites.iter().filter(|case| fails(case)).map(|(name, _)| name).collect();
    assert!(OTHERS.iter().all(|other| suites.iter().any(|(name, _)| name == other)));
    another_while_one_runs_again();
    say(format_args!("failed: {failed:?}"));
}

fn another_while_one_runs_again() {
    let session = session(2);
    session.recover().unwrap();
    let error = builder(2).start().unwrap_err();
    assert!(error.message().contains("in another session"), "{error}");
}

fn die(how: &str) {
    let session = session(4);
    let error = session.call("die", (2_usize, how)).unwrap().wait().unwrap_err();
    let again = session.recover().unwrap_err();
    let then = session.sync().unwrap_err();
    for error in [&error, &again, &then] {
        assert!(error.to_string().contains("start the program again"), "{error}");
        assert!(!error.to_string().contains("tries once more"), "{error}");
    }
    say(error.message());
}

/// What each worker records of its threads.
fn threads() {
    let session = session(2);
    let flight = &Flight::of_process(std::process::id()).unwrap()[0];
    for rank in flight.snapshot().ranks {
        say(rank.place.split(", ").find(|part| part.starts_with("threads")).unwrap());
    }
    drop(session);
}

/// Rank 0 is a worker, too.
fn all(ranks: usize) {
    for _ in 0..2 {
        let session = builder(ranks).over(&MpiSession::All).start().unwrap();
        let workers = session.call("rank", ()).unwrap().typed::<usize>().gather().unwrap();
        let process = session.call("process", ()).unwrap().typed::<u32>().get(0).unwrap();
        let moved = session.call("send_to", (0_usize, 2_usize, true)).unwrap().typed::<f64>();
        let here = process == std::process::id();
        say(format_args!("{workers:?}, here: {here}, moved {}", moved.get(2).unwrap()));
    }
}

/// The workers have no place to meet, and so are not told what they are; the next session starts, and a rank that comes
/// late to the end of MPI is waited for.
fn does_not_start(ranks: usize) {
    let def = &TransportDef { transport: &PeerMemory };
    let meta = EntryMeta {
        package: "tests",
        name: "mpi",
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    };
    let nowhere = Registry::builder().register(Entry::new(meta, def)).build().unwrap();
    let builder = builder(ranks).over(&MpiSession::All);
    say(builder.clone().transport("mpi").registry(nowhere).start().unwrap_err().message());
    let session = builder.start().unwrap();
    let ranks = session.call("rank", ()).unwrap().typed::<usize>().gather().unwrap();
    say(format_args!("{ranks:?}"));
    let process = session.call("process", ()).unwrap().typed::<u32>().get(1).unwrap();
    drop(session);
    Command::new("kill").args(["-STOP", &process.to_string()]).status().unwrap();
    let wake = format!("(sleep 2.5; kill -CONT {process}) &");
    Command::new("sh").args(["-c", &wake]).status().unwrap();
}

/// Worker 0, a thread of this process, runs on when the session is to begin again.
fn stays(ranks: usize) {
    let builder = builder(ranks).over(&MpiSession::All).timeout(Duration::from_secs(1));
    let session = builder.start().unwrap();
    session.call("sleep_on", (0_usize, 6_000_u64)).unwrap();
    let start = Instant::now();
    say(session.recover().unwrap_err().message());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    while let Err(error) = session.recover() {
        assert!(start.elapsed() < Duration::from_secs(20), "{error}");
    }
    say(session.call("rank", ()).unwrap().typed::<usize>().get(0).unwrap());
}

/// The launcher gets SIGTERM, as from a batch system, while all workers are in a call.
fn terminated() {
    let session = session(4);
    let mut processes = session.call("process", ()).unwrap().typed::<u32>().gather().unwrap();
    processes.push(std::process::id());
    say(processes.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
    let mut launcher = std::process::id();
    let name = |process| std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap();
    while !name(launcher).starts_with("mpi") || launcher == std::process::id() {
        let status = std::fs::read_to_string(format!("/proc/{launcher}/status")).unwrap();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap();
        launcher = parent.trim().parse().unwrap();
    }
    Command::new("kill").args(["-TERM", &launcher.to_string()]).status().unwrap();
    session.call("sleep", (60_000_u64,)).unwrap().wait().unwrap();
}

fn stops() {
    let session = builder(4).silence(Duration::from_secs(2)).start().unwrap();
    let processes = session.call("process", ()).unwrap().typed::<u32>().gather().unwrap();
    Command::new("kill").args(["-STOP", &processes[1].to_string()]).status().unwrap();
    // A process may run on for a while after it was told to stop.
    let error = (0..1000).find_map(|_| session.call("rank", ()).unwrap().wait().err());
    say(error.unwrap().message());
}
