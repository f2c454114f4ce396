//! How the faults are put in.

mod lives;
mod wire;

pub(super) use lives::*;
pub(super) use wire::*;

use super::acts;
use super::case::{Case, SILENCE, Seen, WORKERS, first_failure, wrong_unless};
use super::system::{self, signal};
use super::table::Phase;
use crate::Result;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(super) fn signalled(case: &Case, name: &str) -> Result<Seen> {
    case.struck(case.builder(), |process| signal(process, name))
}

pub(super) fn acted(case: &Case, act: &str) -> Result<Seen> {
    case.acted(case.builder(), act)
}

/// The victim calls in a group of its own.
pub(super) fn other_members(case: &Case) -> Result<Seen> {
    case.acted(case.builder().groups(WORKERS), "members")
}

/// The same twice in one session, which then still works.
pub(super) fn acted_twice(case: &Case, act: &str) -> Result<Seen> {
    let session = case.session()?;
    let start = Instant::now();
    let mut seen = Seen::default();
    for _ in 0..2 {
        let result = case.act(&session, act)?;
        seen.said.extend((0..WORKERS).filter_map(|w| result.get(w).err()).map(|e| e.to_string()));
    }
    let all = 2 * WORKERS;
    wrong_unless(seen.said.len() == all, || format!("{} of {all} errors", seen.said.len()))?;
    case.is_right(&session)?;
    Ok(Seen { took: start.elapsed(), ..seen })
}

/// A rank that stands still before the session starts.
pub(super) fn stands_still(case: &Case) -> Result<Seen> {
    let process = case.await_victim();
    case.strikes(process);
    signal(process, "STOP");
    Ok(refused(case.builder()))
}

/// More than once, as handlers that find nothing wrong (of Rust, for the end of the stack) give way to those
/// before them.
pub(super) fn crashed(case: &Case, name: &str) -> Result<Seen> {
    case.struck(case.builder(), |process| {
        system::until(ms(2_000), || {
            signal(process, name);
            !system::is_there(process)
        });
    })
}

/// A worker that stands still for less time than it may be silent.
pub(super) fn stopped_for_a_while(case: &Case) -> Result<Seen> {
    case.unharmed(|session| {
        let process = case.await_victim();
        let result = case.act(session, "sleep:200")?;
        if case.phase == Phase::Idle {
            result.wait()?;
        }
        std::thread::sleep(ms(50));
        signal(process, "STOP");
        std::thread::sleep(SILENCE / 4);
        signal(process, "CONT");
        result.wait()
    })
}

/// A worker that goes on after the others have given it up: it changes nothing of theirs.
pub(super) fn stopped_for_too_long(case: &Case) -> Result<Seen> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let keep = move |_, _, line: &str| {
        kept.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    };
    let count = |what: &str| {
        let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().filter(|line| *line == what).count()
    };
    let session = case.builder().output(keep).start()?;
    let process = case.await_victim();
    let result = acts::late::call(&session, case.victim)?;
    std::thread::sleep(ms(100));
    case.strikes(process);
    let start = Instant::now();
    signal(process, "STOP");
    let seen = Seen::of(result.wait(), start);
    let others = WORKERS - 1;
    let filled = system::until(ms(5_000), || count("filled") == others);
    signal(process, "CONT");
    let whole = system::until(ms(5_000), || count("0 elements changed") == others);
    wrong_unless(filled && whole, || format!("the memory of others: {lines:?}"))?;
    Ok(Seen { process: Some(process), ..seen })
}

/// A worker that does not answer within the timeout.
pub(super) fn too_long(case: &Case) -> Result<Seen> {
    let session = case.builder().timeout(ms(1_000)).start()?;
    let start = Instant::now();
    Ok(Seen::of(case.act(&session, "spin:2500")?.wait(), start))
}

fn refused(builder: crate::session::SessionBuilder) -> Seen {
    let start = Instant::now();
    Seen::of(builder.start(), start)
}

pub(super) fn program(case: &Case, path: &str) -> Result<Seen> {
    Ok(refused(case.builder().program(path)))
}

pub(super) fn script(case: &Case, script: &str) -> Result<Seen> {
    Ok(refused(case.builder().program("/bin/sh").program_arguments(["-c", script])))
}

pub(super) fn no_device(case: &Case) -> Result<Seen> {
    Ok(refused(case.builder().devices(["cpu:0", "null:0"])))
}

pub(super) fn crossed(case: &Case) -> Result<Seen> {
    let session = case.builder().timeout(ms(10_000)).start()?;
    let start = Instant::now();
    Ok(Seen::of(acts::cross::call(&session)?.wait(), start))
}

pub(super) fn twice_killed(case: &Case) -> Result<Seen> {
    case.struck(case.builder(), |process| {
        let other = case.process_of((case.victim + 1) % WORKERS).unwrap_or(process);
        signal(other, &format!("KILL {process}"));
    })
}

pub(super) fn killed_in_recovery(case: &Case) -> Result<Seen> {
    let session = case.session()?;
    let first = case.await_victim();
    signal(first, "KILL");
    let _ = first_failure(&session, ms(5_000));
    let (start, outcome) = std::thread::scope(|scope| {
        let strikes = scope.spawn(|| {
            system::until(ms(10_000), || ![0, first].contains(&case.await_victim()));
            let start = Instant::now();
            signal(case.await_victim(), "KILL");
            start
        });
        let outcome = session.recover().and_then(|()| first_failure(&session, ms(5_000)));
        (strikes.join(), outcome)
    });
    let start = start.unwrap_or_else(|_| Instant::now());
    let mut seen = Seen::of(outcome, start);
    seen.process = seen.said.first().and_then(|said| super::case::process_in(said));
    session.recover()?;
    case.is_right(&session)?;
    Ok(seen)
}
