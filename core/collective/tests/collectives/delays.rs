//! Random delays before every operation of every rank: results do not depend on who is how fast.

use crate::group;
use ringwood_base::Result;
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp;
use ringwood_transport::before_steps;
use std::cell::Cell;
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
