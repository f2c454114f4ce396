//! Collectives whose steps change after some generations.

use super::*;
use crate::Trees;
use crate::{ChunkRange, CostModel, Operation, Request, Simulation};
use ringwood_base::DType;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A ring for `good` generations, then something else.
struct Impure {
    good: usize,
    then: usize,
    generations: AtomicUsize,
}

impl Collective for Impure {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("impure").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if self.generations.fetch_add(1, Relaxed) < self.good {
            return Ring.schedule(p, rank, s);
        }
        let first = p.chunk(0_usize);
        let far = |first, count| ChunkRange { first, count, ..p.chunk(0_usize) };
        match self.then {
            0 => (0..3).for_each(|_| s.recv(rank.prev(), first)),
            1 => s.copy(far(3, 1 << 20), far(3, 1 << 20)),
            2 => s.copy(first, far(1 << 30, 1)),
            3 => {
                s.barrier();
                s.put(rank.next(), first, far(1 << 24, 1));
                s.barrier();
            }
            4 => {}
            5 => s.copy(first, p.scratch(100_000_usize)),
            6 => s.send(Rank::new(77, 100), first),
            _ => panic!("another generation"),
        }
    }
}

#[test]
fn a_schedule_that_changes_at_any_generation_is_refused_and_panics_nothing() {
    let mut refused = 0;
    for then in 0..8 {
        for good in 0..80 {
            let impure = || Impure { good, then, generations: AtomicUsize::new(0) };
            let params = Params::new(&impure().describe(), 4).unwrap();
            let collective = impure();
            let verdict = catch_unwind(AssertUnwindSafe(|| verify(&collective, &params)));
            let verdict = verdict.unwrap_or_else(|_| panic!("variant {then}, {good} generations"));
            let pure = collective.generations.load(Relaxed) <= good;
            assert!(pure || !verdict.is_ok_and(|verdict| verdict.ok()), "{then}, {good}");
            refused += usize::from(!pure);
            let request = Request::new(Operation::AllReduce, 4, 1000, DType::F32);
            let run = || Simulation::new(&CostModel::cluster()).run(&impure(), &request).is_ok();
            assert!(catch_unwind(run).is_ok(), "variant {then}, {good} generations: simulation");
        }
    }
    assert!(refused >= 8 * 4, "{refused}");
}

#[test]
fn merge_trees_are_those_of_the_lanes_that_were_proved() {
    let impure = Impure { good: usize::MAX, then: 4, generations: AtomicUsize::new(0) };
    let params = Params::new(&impure.describe(), 4).unwrap();
    let proof = prove(&impure, &params).unwrap();
    assert!(Trees::of(&impure, &params, 2, &proof.digests).is_ok());
    let changed = Impure { good: 0, ..impure };
    let error = Trees::of(&changed, &params, 2, &proof.digests).err().unwrap();
    assert_eq!(
        error.message(),
        "collective `impure`: two generations of the steps of rank 0 differ"
    );
}

#[test]
fn a_collective_that_changed_while_it_was_proved_leaves_no_answer_for_others() {
    let params = Params::new(&Descriptor::all_reduce("impure").chunks(Chunks::PerRank), 3).unwrap();
    let with = |good| Impure { good, then: 4, generations: AtomicUsize::new(0) };
    for good in 4..12 {
        assert!(prove(&with(good), &params).is_err(), "{good}");
    }
    assert!(prove(&with(usize::MAX), &params).is_ok());
}
