//! What runs is what was proved: collectives whose steps change after some generations.

use crate::support::registry_with;
use ringwood_collective::Communicator;
use ringwood_schedule::{ChunkRange, Chunks, Collective, Descriptor, Lane, Params, Rank, ReduceOp};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

struct Impure;

static GENERATIONS: AtomicUsize = AtomicUsize::new(0);
static GOOD: AtomicUsize = AtomicUsize::new(0);
static THEN: AtomicUsize = AtomicUsize::new(0);

impl Collective for Impure {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("impure").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        if GENERATIONS.fetch_add(1, Relaxed) >= GOOD.load(Relaxed) {
            let far = ChunkRange { first: 1 << 30, ..p.chunk(0_usize) };
            return match THEN.load(Relaxed) {
                0 => (0..3).for_each(|_| s.recv(prev, p.chunk(0_usize))),
                1 => s.copy(p.chunk(0_usize), far),
                2 => s.send(Rank::new(77, 100), p.chunk(0_usize)),
                3 => {}
                _ => panic!("another generation"),
            };
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step));
            s.recv_reduce(prev, p.chunk(rank - step - 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step + 1));
            s.recv(prev, p.chunk(rank - step));
        }
    }
}

/// Small inputs travel with the arrivals, larger ones do not.
fn sums(comm: &Communicator) -> ringwood_base::Result<Vec<f32>> {
    let mut all = Vec::new();
    for length in [3, 1003, 5003] {
        let mut data = vec![comm.rank() as f32 + 1.0; length];
        comm.with("impure").all_reduce(&mut data, ReduceOp::Sum)?;
        all.extend(data);
    }
    Ok(all)
}

#[test]
fn steps_that_were_not_proved_never_run() {
    let registry = Arc::new(registry_with([("impure", &Impure as &'static dyn Collective)]));
    let (mut right, mut refused) = (0, 0);
    for then in 0..5 {
        for good in (0..400).step_by(5) {
            THEN.store(then, Relaxed);
            GOOD.store(good, Relaxed);
            GENERATIONS.store(0, Relaxed);
            let group = crate::group(4).registry(Arc::clone(&registry));
            match group.timeout(Duration::from_secs(10)).spmd(sums) {
                Ok(all) => {
                    assert!(all.iter().flatten().all(|sum| *sum == 10.0), "{then}, {good}");
                    right += 1;
                }
                Err(error) => {
                    assert!(error.message().contains("impure"), "{then}, {good}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(right > 0 && refused > 0, "{right} right, {refused} refused");
}
