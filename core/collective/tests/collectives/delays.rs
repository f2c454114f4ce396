//! Random delays before every operation of every rank: results do not depend on who is how fast.

use crate::{group, support};
use ringwood_base::Result;
use ringwood_collective::Communicator;
use ringwood_schedule::{Capabilities, ReduceOp};
use ringwood_transport::{
    Buffers, Endpoint, Failure, Intent, PeerMemory, Plan, Transport, before_steps,
};
use std::cell::Cell;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

thread_local! {
    /// The state of this thread's delays.
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// Called before every operation of a rank.
fn pause() -> Result<()> {
    let seed = SEED.get();
    let next = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    SEED.set(next);
    match next >> 60 {
        0..=3 => thread::yield_now(),
        4 => thread::sleep(Duration::from_micros(next >> 48 & 63)),
        _ => {}
    }
    Ok(())
}

fn input(rank: usize, count: usize, seed: u64) -> Vec<u64> {
    (0..count as u64).map(|i| (i * 31 + rank as u64 * 1009) ^ seed).collect()
}

#[test]
fn random_delays_before_every_operation_change_nothing() {
    for n in [2_usize, 3, 4] {
        let body = |comm: &Communicator| {
            before_steps(pause);
            for seed in 1..=6 {
                SEED.set(seed * 7919 + comm.rank() as u64);
                for algorithm in ["ring", "doubling", "one_shot"] {
                    for count in [3, 2_000, 20_000 * n] {
                        if algorithm == "doubling" && !n.is_power_of_two() {
                            continue;
                        }
                        let mut data = input(comm.rank(), count, seed);
                        comm.with(algorithm).all_reduce(&mut data, ReduceOp::Sum)?;
                        let inputs: Vec<_> = (0..n).map(|r| input(r, count, seed)).collect();
                        let sum = |i: usize| inputs.iter().map(|v| v[i]).sum::<u64>();
                        let wrong = (0..count).find(|&i| data[i] != sum(i));
                        assert_eq!(wrong, None, "{algorithm} {n} ranks {count} seed {seed}");
                    }
                }
            }
            Ok(())
        };
        group(n).spmd(body).unwrap();
    }
}

/// [`PeerMemory`] after whose first call come some millions of others, which nobody waits for.
struct Ahead;

impl Transport for Ahead {
    fn capabilities(&self) -> Capabilities {
        PeerMemory.capabilities()
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let ends = PeerMemory.connect(ranks, failure)?;
        Ok(ends.into_iter().map(|end| Box::new(Late(end)) as Box<dyn Endpoint>).collect())
    }
}

struct Late(Box<dyn Endpoint>);

impl Endpoint for Late {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        self.0.prepare(slot, plan)
    }

    fn call(&mut self, intent: &Intent<'_>, buffers: Buffers<'_>) -> Result<u64> {
        let passed = if intent.call == 1 { 0 } else { 3 << 22 };
        self.0.call(&Intent { call: intent.call + passed, ..*intent }, buffers)
    }
}

#[test]
fn a_call_after_millions_of_small_ones_waits_for_every_step() {
    let passed = Barrier::new(3);
    let body = |comm: &Communicator| {
        let sum = || {
            let mut data = input(comm.rank(), 6_000, 0);
            comm.with("ring").all_reduce(&mut data, ReduceOp::Sum).map(|()| data)
        };
        sum()?;
        // No rank is millions of calls ahead of another one.
        passed.wait();
        if comm.rank() == 1 {
            before_steps(|| {
                thread::sleep(Duration::from_millis(5));
                Ok(())
            });
        }
        sum()
    };
    let inputs = [0, 1, 2].map(|rank| input(rank, 6_000, 0));
    let wanted: Vec<u64> = (0..6_000).map(|i| inputs.iter().map(|v| v[i]).sum()).collect();
    for sums in support::group(3).over(&Ahead).spmd(body).unwrap() {
        assert_eq!(sums.iter().zip(&wanted).position(|(sum, wanted)| sum != wanted), None);
    }
}
