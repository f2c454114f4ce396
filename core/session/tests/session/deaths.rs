//! Workers that are processes: how they start, and what is left. What kills them is put in by `ringwood faults`.

use crate::functions::{builder, text};
use ringwood_session::{HostTensor, Session, SessionBuilder};
use ringwood_transport::flight::Flight;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Command;
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
                && text.contains("; no device, threads: ")
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
fn who_holds_the_output_keeps_no_session_waiting() {
    let held = std::io::stdout().lock();
    let session = of(2).start().unwrap();
    session.call("say", ("hello",)).unwrap().wait().unwrap();
    let start = Instant::now();
    session.shutdown().unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    drop(held);
}

#[test]
fn what_takes_the_output_may_panic() {
    let session = of(2).output(|_, _, line| assert!(!line.contains("hello"), "it said {line}"));
    let session = session.start().unwrap();
    let all = processes(&session);
    let said = session.call("say", ("hello",)).unwrap();
    let start = Instant::now();
    let error = loop {
        match said.wait().and_then(|()| session.sync()) {
            Ok(()) => assert!(start.elapsed() < Duration::from_secs(9), "nothing failed"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("what takes the workers' output panicked: it said "), "{error}");
    session.recover().unwrap();
    assert_gone(&all, Duration::ZERO);
    assert_eq!(processes(&session).len(), 2);
}

#[test]
fn the_end_waits_for_no_one_that_a_worker_has_started() {
    let session = of(2).start().unwrap();
    let printers = session.call("print_for_ever", ()).unwrap().typed::<u32>().gather().unwrap();
    let start = Instant::now();
    session.shutdown().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Nobody reads what they print.
    assert_gone(&printers, Duration::from_secs(5));
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

/// The medians of batches that take turns, for one round: where a machine runs who it wakes, and how fast, changes from
/// one moment to the next.
fn medians<const N: usize>(mut rounds: [&mut dyn FnMut(); N]) -> [Duration; N] {
    const BATCH: u32 = 20;
    let mut times = [const { Vec::new() }; N];
    for _ in 0..500 {
        for (round, times) in rounds.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (0..BATCH).for_each(|_| round());
            times.push(start.elapsed() / BATCH);
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
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
    for kind in ["threads", "processes"] {
        let session = builder(2).kind(kind).start().unwrap();
        let mut round = || {
            drop(session.call("rank", ()).unwrap());
            session.sync().unwrap();
        };
        let mut least: Box<dyn FnMut()> = match kind {
            "threads" => Box::new(futex_round()),
            _ => Box::new(socket_round()),
        };
        let [least, round] = medians([&mut least, &mut round]);
        let ratio = round.as_secs_f64() / least.as_secs_f64();
        println!(
            "2 {kind} answer after {least:?}, a call and sync after {round:?}: {ratio:.2} times"
        );
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
