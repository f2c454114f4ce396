//! Workers that are processes: how they start, what kills them, who is told, and what is left.

use crate::functions::{builder, text, with_kind};
use ringwood_base::ErrorKind;
use ringwood_collective::flight::Flight;
use ringwood_session::{HostTensor, Session, SessionBuilder};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn of(workers: usize) -> SessionBuilder {
    builder(workers).kind("processes")
}

fn processes(session: &Session) -> Vec<u32> {
    session.call("process", ()).unwrap().typed::<u32>().gather().unwrap()
}

fn signal(process: u32, signal: &str) {
    let done = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(done.success());
    // A process stops some time after it is told to.
    while signal == "-STOP" && !state(process).contains(") T ") {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What the system says of a process; nothing if there is none.
fn state(process: u32) -> String {
    std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default()
}

fn is_there(process: u32) -> bool {
    let state = state(process);
    !state.is_empty() && !state.contains(") Z ")
}

/// Waits until none of these processes is left.
fn assert_gone(processes: &[u32], within: Duration) {
    let start = Instant::now();
    while processes.iter().any(|&process| is_there(process)) {
        assert!(start.elapsed() < within, "{processes:?} are left after {within:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn workers_are_processes_of_their_own_and_gone_with_the_session() {
    let session = of(3).start().unwrap();
    let mut all = processes(&session);
    all.push(std::process::id());
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 4);
    session.shutdown().unwrap();
    all.retain(|&process| process != std::process::id());
    assert_gone(&all, Duration::ZERO);
}

#[test]
fn a_killed_worker_is_named_whatever_it_does() {
    let mut slowest = Duration::ZERO;
    for phase in 0..8_u64 {
        let session = of(4).start().unwrap();
        let all = processes(&session);
        let result = match phase % 4 {
            0 => session.call("rank", ()),
            1 => session.call("sleep_on", (2_usize, 10_000_u64)),
            2 => session.call("meet_unless", (9_usize, "")),
            _ => {
                (0..500).for_each(|_| drop(session.call("rank", ()).unwrap()));
                session.call("rank", ())
            }
        };
        let result = result.unwrap();
        std::thread::sleep(Duration::from_millis(7 * phase));
        signal(all[2], "-KILL");
        let start = Instant::now();
        let error = loop {
            if let Err(error) = session.sync() {
                break error;
            }
            assert!(start.elapsed() < Duration::from_secs(5));
        };
        slowest = slowest.max(start.elapsed());
        assert_eq!(error.kind(), ErrorKind::Aborted);
        let named =
            format!("worker 2 of 4 (process {}) was killed by signal 9 (SIGKILL); it", all[2]);
        assert!(error.message().starts_with(&named), "phase {phase}: {error}");
        if phase % 4 == 1 {
            assert!(error.message().contains("; it runs `sleep_on`, call 2"), "{error}");
        }
        // Results from before may be had or not; they do not say anything else.
        assert!(result.wait().is_err_and(|other| other.to_string() == error.to_string()));
        session.recover().unwrap();
        let ranks = session.call("rank", ()).unwrap().typed::<usize>();
        assert_eq!(ranks.gather().unwrap(), [0, 1, 2, 3]);
        assert_gone(&all, Duration::ZERO);
    }
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

#[test]
fn whatever_ends_a_worker_is_told() {
    for (how, says) in [
        ("exit", "ended with exit code 3; it runs `die`, call 1"),
        ("abort", "was killed by signal 6 (SIGABRT); it runs `die`, call 1"),
        ("overflow", "was killed by signal 6 (SIGABRT); it runs `die`, call 1"),
    ] {
        let session = of(2).start().unwrap();
        let error = session.call("die", (1_usize, how)).unwrap().wait().unwrap_err();
        assert!(error.message().contains(says), "{how}: {error}");
        assert!(error.message().starts_with("worker 1 of 2 (process "), "{how}: {error}");
    }
}

#[test]
fn a_stopped_worker_is_named_and_ended() {
    let session = of(3).silence(Duration::from_secs(1)).start().unwrap();
    let all = processes(&session);
    signal(all[1], "-STOP");
    let start = Instant::now();
    let error = session.call("rank", ()).unwrap().wait().unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let named = format!("worker 1 of 3 (process {}) has been silent for 1.", all[1]);
    assert!(error.message().starts_with(&named), "{error}");
    assert!(error.message().contains(" s: it is stopped; it "), "{error}");
    drop(session);
    assert_gone(&all, Duration::ZERO);
}

#[test]
fn what_a_stopped_or_dead_worker_did_can_be_read_from_outside() {
    let session = of(2).start().unwrap();
    let all = processes(&session);
    let result = session.call("send_late", (60_000_u64,)).unwrap();
    for how in ["-STOP", "-KILL"] {
        let start = Instant::now();
        loop {
            // The worker holds the memory as well, until it dies.
            let holder = if how == "-STOP" { all[0] } else { std::process::id() };
            let found = Flight::of_process(holder).unwrap();
            let mut found = found.iter().map(|flight| flight.snapshot());
            let ours =
                found.find(|s| s.ranks.len() == 2 && s.ranks[0].process == u64::from(all[0]));
            let text = ours.unwrap().to_string();
            if text.starts_with("rank 0 waits for rank 1 at send #1 since ")
                && text.contains("; rank 1 is in call `send_late` #2 since ")
            {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(9), "{text}");
        }
        signal(all[0], how);
    }
    assert!(result.wait().unwrap_err().message().contains("rank 0 waits for rank 1 at send #1"));
}

#[test]
fn a_busy_worker_is_not_silent() {
    let session = of(2).silence(Duration::from_secs(1)).start().unwrap();
    session.call("sleep_on", (1_usize, 2500_u64)).unwrap().wait().unwrap();
}

#[test]
fn workers_print_under_their_names() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let keep = move |rank, error, line: &str| {
        if line.contains("hello") {
            kept.lock().unwrap().push((rank, error, line.to_owned()));
        }
    };
    let session = of(2).output(keep).start().unwrap();
    session.call("say", ("hello",)).unwrap();
    session.shutdown().unwrap();
    let mut lines = lines.lock().unwrap().clone();
    lines.sort();
    let line = |rank, error| (rank, error, if error { "about hello" } else { "hello" }.to_owned());
    assert_eq!(lines, [line(0, false), line(0, true), line(1, false), line(1, true)]);
}

#[test]
fn large_tensors_travel_beside_the_messages() {
    let session = of(2).start().unwrap();
    let elements: Vec<f32> = (0..1 << 20).map(|i| i as f32).collect();
    let tensor = HostTensor::new(&[2, 1 << 19], &elements).unwrap();
    let before = session.call("files", ()).unwrap().typed::<usize>().gather().unwrap();
    // No device: the register fails, after the tensor has come.
    for _ in 0..20 {
        let error = text(session.broadcast(&tensor).unwrap().wait());
        assert!(error.starts_with("worker 0 of 2: no device runs kernels"), "{error}");
    }
    let after = session.call("files", ()).unwrap().typed::<usize>().gather().unwrap();
    assert_eq!(before, after);
}

#[test]
fn a_program_that_is_no_worker_is_named() {
    let start = |script: &str| {
        let builder = of(2).program("/bin/sh").program_arguments(["-c", script]);
        text(builder.start())
    };
    for (script, says) in [
        ("exit 5", "ended with exit code 5 before it was ready"),
        ("printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&0; sleep 9", "it does not begin as one"),
        ("printf 'Rw\\002\\000' >&0", "ended with exit code 0 before it was ready"),
        ("printf 'Rw\\011\\000\\001\\000\\000\\000xxxx' >&0; sleep 9", "it is of version 9 of the"),
        (
            "printf 'Rw\\002\\000\\377\\377\\377\\377xxxx' >&0; sleep 9",
            "its 4294967295 bytes exceed 67108864",
        ),
        ("printf 'Rw\\002\\000\\001\\000\\000\\000xxxx!' >&0; sleep 9", "its checksum is wrong"),
        ("exec 0</dev/null; sleep 9", "closed its stream to the controller"),
    ] {
        let error = start(script);
        assert!(error.starts_with("worker ") && error.contains(says), "{script}: {error}");
    }
    let error = text(of(2).program("/nowhere/worker").start());
    assert!(error.starts_with("cannot start worker 0 of 2: No such file"), "{error}");
}

/// What the test below kills.
#[test]
#[ignore = "another test starts it in a process of its own"]
fn controller() {
    with_kind(
        |builder| builder.kind("processes"),
        || {
            let session = builder(3).start().unwrap();
            println!("\nworkers {:?}", processes(&session));
            let _ = session.call("sleep", (60_000_u64,)).unwrap().wait();
        },
    );
}

#[test]
fn workers_end_with_their_controller_however_that_ends() {
    for how in ["-KILL", "-TERM", "-INT"] {
        let mut controller = Command::new(std::env::current_exe().unwrap())
            .args(["deaths::controller", "--exact", "--ignored", "--nocapture"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(controller.stdout.take().unwrap()).lines();
        let said =
            lines.map_while(Result::ok).find_map(|l| Some(l.strip_prefix("workers ")?.to_owned()));
        let said = said.unwrap();
        let all: Vec<u32> = said
            .trim_matches(['[', ']'])
            .split(", ")
            .map(|number| number.parse().unwrap())
            .collect();
        assert!(all.len() == 3 && all.iter().all(|&process| is_there(process)));
        // One that is stopped sees nothing.
        signal(all[1], "-STOP");
        signal(controller.id(), how);
        controller.wait().unwrap();
        assert_gone(&all, Duration::from_secs(1));
    }
}

fn median(mut round: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        round();
        start.elapsed()
    };
    let mut rounds: Vec<_> = (0..3000).map(|_| time()).collect();
    rounds.sort_unstable();
    rounds[1500]
}

/// What a call and sync of two threads cannot be faster than: both are woken, and wake the caller.
fn futex_round() -> impl FnMut() {
    let (caller, turn) = (std::thread::current(), Arc::new([const { AtomicU64::new(0) }; 2]));
    let threads: Vec<_> = (0..2)
        .map(|i| {
            let (caller, turn) = (caller.clone(), Arc::clone(&turn));
            std::thread::spawn(move || {
                loop {
                    if turn[i].load(Ordering::Acquire) % 2 == 1 {
                        turn[i].fetch_add(1, Ordering::Release);
                        caller.unpark();
                    }
                    std::thread::park();
                }
            })
        })
        .collect();
    move || {
        for turn in &*turn {
            turn.fetch_add(1, Ordering::Release);
        }
        threads.iter().for_each(|thread| thread.thread().unpark());
        while turn.iter().any(|turn| turn.load(Ordering::Acquire) % 2 == 1) {
            std::thread::park();
        }
    }
}

/// What a call and sync of two processes cannot be faster than: a byte to each and back.
fn socket_round() -> impl FnMut() {
    let mut streams = [(); 2].map(|()| {
        let (here, there) = UnixStream::pair().unwrap();
        let output = OwnedFd::from(there.try_clone().unwrap());
        let echo = Command::new("cat").stdin(OwnedFd::from(there)).stdout(output).spawn().unwrap();
        (here, echo)
    });
    move || {
        streams.iter_mut().for_each(|(stream, _)| stream.write_all(&[1]).unwrap());
        streams.iter_mut().for_each(|(stream, _)| stream.read_exact(&mut [0]).unwrap());
    }
}

/// Figures of this machine, which tests do not depend on: `cargo test --release -- --ignored --nocapture figures`.
#[test]
#[ignore = "it measures"]
fn figures() {
    println!("2 threads are woken and answer: {:?}", median(futex_round()));
    println!("2 processes answer over their sockets: {:?}", median(socket_round()));
    for kind in ["threads", "processes"] {
        let session = builder(2).kind(kind).start().unwrap();
        let round = || {
            drop(session.call("rank", ()).unwrap());
            session.sync().unwrap();
        };
        println!("{kind}: call and sync of 2 workers {:?}", median(round));
    }
    let start = Instant::now();
    let session = builder(1000).kind("threads").start().unwrap();
    println!("1000 threads are ready after {:?}", start.elapsed());
    session.call("rank", ()).unwrap().wait().unwrap();
    println!("and have run a call after {:?}", start.elapsed());
    drop(session);
    let start = Instant::now();
    let session = of(200).start().unwrap();
    println!("200 processes are ready after {:?}", start.elapsed());
    session.call("rank", ()).unwrap().wait().unwrap();
    println!("and have run a call after {:?}", start.elapsed());
    drop(session);
    println!("and are gone after {:?}", start.elapsed());
    let kill = || {
        let session = of(2).start().unwrap();
        let all = processes(&session);
        let result = session.call("sleep_on", (1_usize, 9_000_u64)).unwrap();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| (result.wait().unwrap_err(), Instant::now()));
            std::thread::sleep(Duration::from_millis(5));
            let start = Instant::now();
            signal(all[1], "-KILL");
            waits.join().unwrap().1 - start
        })
    };
    let mut times: Vec<_> = (0..200).map(|_| kill()).collect();
    times.sort_unstable();
    println!("a kill is told after {:?}, 99 of 100 after {:?}", times[100], times[197]);
}
