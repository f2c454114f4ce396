//! Faults in numbers: put in at random moments and ranks, and what the others make of them.
//!
//! `RINGWOOD_SOAK=100` tries each of them so often.

use super::{ALL, Run, after_signal_to};
use crate::garbage::Random;
use crate::sockets;
use std::time::{Duration, Instant};

/// What came of a fault.
struct Seen {
    /// Whether every rank that should hear of it did, or none if it is harmless.
    detected: bool,
    /// Whether all name the rank it was put into, or nobody if it is harmless.
    named: bool,
    time: Duration,
}

struct Fault {
    name: &'static str,
    transports: &'static [&'static str],
    bound: Duration,
    inject: fn(&str, &mut Random) -> Seen,
}

const SECOND: Duration = Duration::from_secs(1);

const FAULTS: [Fault; 6] = [
    Fault {
        name: "killed in a call",
        transports: &ALL,
        bound: SECOND,
        inject: |transport, random| {
            let victim = (random.next() % 4) as usize;
            signalled(transport, "busy", libc::SIGKILL, victim, random, "died")
        },
    },
    Fault {
        name: "killed while others wait for its message",
        transports: &ALL,
        bound: SECOND,
        inject: |transport, random| {
            signalled(transport, "waiting", libc::SIGKILL, 2, random, "died before it ")
        },
    },
    Fault {
        name: "stopped for longer than the timeout",
        transports: &ALL,
        bound: Duration::from_secs(4),
        inject: |transport, random| {
            let victim = (random.next() % 4) as usize;
            signalled(transport, "impatient", libc::SIGSTOP, victim, random, "did not ")
        },
    },
    Fault {
        name: "slow: stopped for less",
        transports: &ALL,
        bound: Duration::from_secs(20),
        inject: slow,
    },
    Fault {
        name: "200 silent connections",
        transports: &["socket"],
        bound: Duration::from_secs(10),
        inject: |_, _| {
            let (sums, time) = sockets::among_silent_connections();
            Seen { detected: sums == [6.0; 3], named: true, time }
        },
    },
    Fault {
        name: "an answer that drips",
        transports: &["socket"],
        bound: Duration::from_secs(3),
        inject: |_, _| {
            let (error, time) = sockets::answered_in_drips();
            let text = error.to_string();
            let detected = error.kind() == ringwood_base::ErrorKind::Timeout;
            Seen { detected, named: text.contains("rank 0"), time }
        },
    },
];

/// A rank that is sent a signal, of which the others say that it `did` something.
fn signalled(
    transport: &str,
    scenario: &str,
    signal: i32,
    victim: usize,
    random: &mut Random,
    did: &str,
) -> Seen {
    let delay = Duration::from_millis(random.next() % 60);
    let (heard, time) = after_signal_to(victim, delay, transport, scenario, signal);
    let named = format!("rank {victim} of 4 {did}");
    Seen {
        detected: heard.len() == 3,
        named: heard.iter().all(|text| text.starts_with(&named)),
        time,
    }
}

/// A rank that stands still for a while, and nobody minds.
fn slow(transport: &str, random: &mut Random) -> Seen {
    let mut run = Run::start(transport, "repeated", 3);
    let victim = (random.next() % 3) as usize;
    let start = Instant::now();
    std::thread::sleep(Duration::from_millis(random.next() % 200));
    run.signal(victim, libc::SIGSTOP);
    std::thread::sleep(Duration::from_millis(300));
    run.signal(victim, libc::SIGCONT);
    let right = (0..3).all(|rank| run.hear(rank) == "10000");
    let time = start.elapsed();
    run.end(None);
    Seen { detected: right, named: right, time }
}

#[test]
fn every_fault_is_detected_rightly_named_and_within_its_bound() {
    let trials = std::env::var("RINGWOOD_SOAK").map_or(1, |trials| trials.parse().unwrap());
    let mut random = Random::new(0x5EED);
    let mut table =
        String::from("fault | transport | injected | detected | named | in time | longest\n");
    let mut all_right = true;
    for Fault { name, transports, bound, inject } in &FAULTS {
        for transport in *transports {
            let seen: Vec<_> = (0..trials).map(|_| inject(transport, &mut random)).collect();
            let count = |right: fn(&Seen, Duration) -> bool| {
                seen.iter().filter(|seen| right(seen, *bound)).count()
            };
            let counts = [
                count(|seen, _| seen.detected),
                count(|seen, _| seen.named),
                count(|seen, bound| seen.time < bound),
            ];
            let longest = seen.iter().map(|seen| seen.time).max().unwrap_or_default();
            let [detected, named, in_time] = counts;
            table += &format!(
                "{name} | {transport} | {trials} | {detected} | {named} | {in_time} | {longest:.2?}\n"
            );
            all_right &= counts == [trials; 3];
        }
    }
    println!("{table}");
    assert!(all_right, "{table}");
}
