//! Workers that are processes: how they start, and what is left. What kills them is put in by `ringwood faults`.

use crate::functions::{builder, text};
use ringwood_session::{HostTensor, Session, SessionBuilder};
use ringwood_transport::flight::Flight;
use std::process::Command;
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
            let text = format!("{:#}", ours.unwrap());
            if text.starts_with("rank 0 waits for rank 1 at send #1 since ")
                && text.contains("; rank 1 is in call `send_late` #2 since ")
                && text.contains("; no device, threads: ")
                // Of the second round.
                && text.contains(&format!("(process {}, stopped;", all[0])) == (how == "-KILL")
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
