//! Failures at chosen steps: every step of every rank, in turn, and what all ranks get.

use crate::group;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::executor::{Executor, Finished, Handle};
use ringwood_collective::{AbortHandle, Communicator, GroupBuilder};
use ringwood_schedule::ReduceOp;
use ringwood_transport::{Bounds, before_steps};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What happens to a rank when it comes to a step.
#[derive(Clone)]
enum Fault {
    /// Somebody aborts the group; the rank itself goes on.
    Abort(AbortHandle),
    /// The step fails.
    Fail,
    /// The step panics.
    Panic,
    /// The rank stands still for longer than the others wait.
    Stall,
}

thread_local! {
    /// The steps before the fault of this thread, if it has one.
    static PLANNED: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
}

const BOUND: Duration = Duration::from_millis(15);

/// Called before every step of a rank.
fn strike() -> Result<()> {
    match PLANNED.take() {
        None => Ok(()),
        Some((0, Fault::Abort(handle))) => {
            handle.abort(enough());
            Ok(())
        }
        Some((0, Fault::Fail)) => Err(enough()),
        Some((0, Fault::Panic)) => panic!("at a step"),
        Some((0, Fault::Stall)) => {
            thread::sleep(BOUND * 3);
            Ok(())
        }
        Some((steps, fault)) => {
            PLANNED.set(Some((steps - 1, fault)));
            Ok(())
        }
    }
}

fn enough() -> Error {
    Error::new(ErrorKind::Aborted, "enough")
}

/// Whether the fault of this thread has struck, and no fault after this.
fn has_struck() -> bool {
    PLANNED.take().is_none()
}

/// A fault before step `step` of rank `rank` in an all-reduce of `count` elements.
#[derive(Clone, Copy)]
struct Case {
    ranks: usize,
    algorithm: &'static str,
    count: usize,
    rank: usize,
    step: usize,
    fault: fn(&Communicator) -> Fault,
}

impl Case {
    fn group(&self) -> GroupBuilder {
        let stalls = matches!((self.fault)(&group(1).open().unwrap()[0]), Fault::Stall);
        let execution = if stalls { BOUND } else { Duration::from_secs(20) };
        group(self.ranks).bounds(Bounds { arrival: Duration::from_secs(20), execution })
    }

    /// The call of one rank, with the fault if it is its.
    fn call(&self, comm: &Communicator, data: &mut [f32]) -> Result<()> {
        if comm.rank() == self.rank {
            before_steps(strike);
            PLANNED.set(Some((self.step, (self.fault)(comm))));
        }
        comm.with(self.algorithm).all_reduce(data, ReduceOp::Sum)
    }

    fn input(&self, rank: usize) -> Vec<f32> {
        vec![1.0 + rank as f32; self.count]
    }

    /// Runs the case on threads; whether the fault struck.
    fn run(&self) -> bool {
        let struck = AtomicBool::new(false);
        let outcomes = thread::scope(|scope| {
            let spawn = |comm: Communicator| {
                let struck = &struck;
                scope.spawn(move || {
                    let mut data = self.input(comm.rank());
                    let call = || self.call(&comm, &mut data);
                    let first = catch_unwind(AssertUnwindSafe(call));
                    if comm.rank() == self.rank {
                        struck.store(has_struck(), Ordering::SeqCst);
                    }
                    let panicked = first.is_err();
                    let first = first.unwrap_or_else(|_| comm.check());
                    self.check_data(&first, &data);
                    // The group is closed: the next call fails at once, everywhere, alike.
                    let next = comm.with(self.algorithm).all_reduce(&mut data, ReduceOp::Sum);
                    (first, next, panicked)
                })
            };
            let ranks = self.group().open().unwrap();
            let threads: Vec<_> = ranks.into_iter().map(spawn).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
        });
        let struck = struck.into_inner();
        let later = |(_, next, _): &(Result<()>, Result<()>, bool)| next.clone().err();
        let errors: Vec<_> = outcomes.iter().filter_map(later).map(|e| e.to_string()).collect();
        let any = outcomes.iter().any(|(first, ..)| first.is_err());
        if struck && any {
            assert_eq!(errors.len(), self.ranks, "rank {} step {}", self.rank, self.step);
        }
        let firsts = outcomes.iter().filter_map(|(first, ..)| first.as_ref().err());
        for error in firsts {
            assert_eq!(error.to_string(), errors[0], "rank {} step {}", self.rank, self.step);
        }
        assert!(errors.iter().all(|e| *e == errors[0]));
        struck
    }

    /// A call that succeeds has the sum, whatever happens to others.
    fn check_data(&self, result: &Result<()>, data: &[f32]) {
        if result.is_ok() && self.count > 0 {
            let sum = (self.ranks * (self.ranks + 1) / 2) as f32;
            assert!(data.iter().all(|v| *v == sum), "{:?}", &data[..data.len().min(9)]);
        }
    }

    /// Runs the case through an executor; whether the fault struck.
    fn submit(self) -> bool {
        static STRUCK: AtomicBool = AtomicBool::new(false);
        STRUCK.store(false, Ordering::SeqCst);
        let executor = Executor::new();
        let ranks = self.group().open().unwrap();
        let members: Vec<_> = ranks.into_iter().map(|c| executor.adopt(1, c).unwrap()).collect();
        let body = move |comm: &Communicator, data: &mut Vec<f32>| {
            let result = self.call(comm, data);
            if comm.rank() == self.rank {
                STRUCK.store(has_struck(), Ordering::SeqCst);
            }
            result
        };
        let first: Vec<_> =
            members.iter().map(|m| m.submit(1, self.input(m.rank()), body)).collect();
        // It is pending, or running, or refused when the fault strikes.
        let second: Vec<_> =
            members.iter().map(|m| m.submit(2, vec![1.0; 2], |_, _| Ok(()))).collect();
        let end = |handle: Handle<Vec<f32>>| {
            handle.finish(Duration::from_secs(20)).expect("it ends within its bound")
        };
        let mut texts = Vec::new();
        for Finished { buffer, result } in first.into_iter().map(end) {
            assert_eq!(buffer.len(), self.count);
            self.check_data(&result, &buffer);
            texts.extend(result.err().map(|e| e.to_string()));
        }
        texts.extend(
            second.into_iter().map(end).filter_map(|f| f.result.err()).map(|e| e.to_string()),
        );
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
        if !texts.is_empty() {
            assert_eq!(executor.check().unwrap_err().to_string(), texts[0]);
        }
        STRUCK.load(Ordering::SeqCst)
    }
}

/// Every step of every rank; the number of cases.
fn walk(
    algorithm: &'static str,
    (ranks, count): (usize, usize),
    fault: fn(&Communicator) -> Fault,
    run: impl Fn(Case) -> bool,
) -> usize {
    let start = Instant::now();
    let mut cases = 0;
    for rank in 0..ranks {
        for step in 0.. {
            cases += 1;
            if !run(Case { ranks, algorithm, count, rank, step, fault }) {
                break;
            }
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "a rank came late to its end");
    cases
}

/// Large enough that ranks read each other's buffers.
const LARGE: usize = 3 << 12;

#[test]
fn an_abort_at_every_step_ends_every_rank_with_the_same_error() {
    let fault = |comm: &Communicator| Fault::Abort(comm.abort_handle());
    let cases = walk("ring", (3, LARGE), fault, |case| case.run());
    assert!(cases > 3 * 10, "{cases}");
    walk("doubling", (4, LARGE), fault, |case| case.run());
    walk("one_shot", (3, LARGE), fault, |case| case.run());
    walk("ring", (3, 5), fault, |case| case.run());
}

#[test]
fn a_failure_at_every_step_ends_every_rank_with_the_same_error() {
    walk("ring", (3, LARGE), |_| Fault::Fail, |case| case.run());
    walk("ring", (2, LARGE), |_| Fault::Fail, |case| case.run());
    walk("doubling", (4, LARGE), |_| Fault::Fail, |case| case.run());
}

#[test]
fn a_panic_at_every_step_ends_every_rank_with_the_same_error() {
    walk("ring", (3, LARGE), |_| Fault::Panic, |case| case.run());
    walk("one_shot", (3, LARGE), |_| Fault::Panic, |case| case.run());
}

#[test]
fn a_rank_that_stands_still_at_any_step_is_a_timeout_for_every_rank() {
    walk("ring", (3, LARGE), |_| Fault::Stall, |case| case.run());
}

#[test]
fn submitted_calls_end_once_with_the_same_error_at_every_step() {
    let fault = |comm: &Communicator| Fault::Abort(comm.abort_handle());
    walk("ring", (3, LARGE), fault, Case::submit);
    walk("ring", (3, LARGE), |_| Fault::Fail, Case::submit);
    walk("ring", (3, LARGE), |_| Fault::Panic, Case::submit);
    walk("ring", (2, LARGE), |_| Fault::Stall, Case::submit);
}
