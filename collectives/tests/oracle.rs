//! Every algorithm of every operation against a naive oracle, over threads.
//!
//! The product of algorithms, group sizes, types, operators, counts, roots and buffer modes is
//! sampled: `RINGWOOD_ORACLE_SEED=n` takes another sample, `RINGWOOD_ORACLE=full` all of it.

#[path = "oracle/case.rs"]
mod case;
#[path = "oracle/data.rs"]
mod data;
#[path = "oracle/sample.rs"]
mod sample;

use case::Case;
use data::{Data, Random};
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_collective::{Communicator, Group, spmd};
use ringwood_collectives as _;
use ringwood_kernels as _;
use ringwood_schedule::{Arrangement, BufferMode, Invocation, Operation, ReduceOp};
use ringwood_transport::Buffers;
use sample::{cases, large_cases, seed};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Makes the call of a case on one rank, and compares.
fn run(comm: &Communicator, case: &Case, data: &Elements) -> Result<()> {
    let part = case.part(comm.rank(), &data.of(case));
    let (operation, permutes) = (case.operation, case.operation == Operation::Permute);
    let what = Invocation {
        reduce: operation.reduces().then_some(case.op),
        root: if operation.rooted() { case.root } else { 0 },
        permutation: permutes.then(|| (&case.permutation).into()),
        counts: case.counts.as_ref().map(Into::into),
        ..Invocation::new(operation, case.dtype)
    };
    let mut input = Aligned::of(&part.input);
    let mut output = Aligned::of(&vec![0x5A; part.output]);
    let call = comm.with(&case.algorithm);
    let called = match case.mode {
        BufferMode::InPlace => call.run(&what, Buffers::InPlace(input.bytes())),
        BufferMode::OutOfPlace => {
            call.run(&what, Buffers::Apart { input: input.bytes(), output: output.bytes() })
        }
    };
    if let Err(error) = called {
        let refused = error.kind() == ErrorKind::Unsupported && !case.allowed;
        assert!(refused, "{case:?} of seed {}: {error}", seed());
        return Ok(());
    }
    assert!(case.allowed, "{case:?} moves blocks of different sizes");
    let got = match case.mode {
        BufferMode::InPlace => input.bytes(),
        BufferMode::OutOfPlace => {
            assert!(input.bytes() == part.input, "{case:?} of seed {} wrote its input", seed());
            output.bytes()
        }
    };
    let got = &got[part.at..part.at + part.want.len()];
    let wrong = got.iter().zip(&part.want).position(|(a, b)| a != b);
    let rank = comm.rank();
    assert_eq!(wrong, None, "first wrong byte at rank {rank}: {case:?} of seed {}", seed());
    Ok(())
}

/// The elements of the cases of a group, made once for each type and operator.
#[derive(Default)]
struct Elements(Mutex<HashMap<(DType, ReduceOp), Arc<Data>>>);

impl Elements {
    fn of(&self, case: &Case) -> Arc<Data> {
        let mut made = self.0.lock().unwrap();
        let new = || Arc::new(Data::new(case.n, case.dtype, case.op, seed()));
        Arc::clone(made.entry((case.dtype, case.op)).or_insert_with(new))
    }
}

/// Bytes at an address that is aligned for every type.
struct Aligned {
    words: Vec<u64>,
    length: usize,
}

impl Aligned {
    fn of(bytes: &[u8]) -> Self {
        let mut aligned = Self { words: vec![0; bytes.len().div_ceil(8)], length: bytes.len() };
        aligned.bytes().copy_from_slice(bytes);
        aligned
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.length]
    }
}

/// Makes all calls of all algorithms in groups of `n`; some ranks come late.
fn compare(n: usize, cases: &[Case]) {
    let data = Elements::default();
    let ran = spmd(n, |comm| {
        let mut random = Random::new(seed() ^ comm.rank() as u64);
        for case in cases {
            if random.below(50) == 0 {
                std::thread::sleep(Duration::from_micros(random.below(300) as u64));
            }
            run(comm, case, &data)?;
        }
        Ok(())
    });
    ran.unwrap();
}

#[test]
fn groups_of_1_to_4() {
    (1..=4).for_each(|n| compare(n, &cases(n)));
}

#[test]
fn groups_of_5_to_7() {
    (5..=7).for_each(|n| compare(n, &cases(n)));
}

#[test]
fn groups_of_8_9_and_16() {
    [8, 9, 16].into_iter().for_each(|n| compare(n, &cases(n)));
}

#[test]
fn a_mebibyte_and_the_borders_of_segments() {
    [2, 3, 5].into_iter().for_each(|n| compare(n, &large_cases(n)));
}

#[test]
fn groups_at_the_same_time_do_not_disturb_each_other() {
    std::thread::scope(|scope| {
        for n in [2, 3, 4, 5] {
            scope.spawn(move || compare(n, &cases(n)[..200]));
        }
    });
}

#[test]
fn ten_thousand_calls_stay_right() {
    let base = |operation| Case {
        operation,
        algorithm: "".into(),
        n: 3,
        dtype: DType::I32,
        op: ReduceOp::Sum,
        count: 5,
        counts: None,
        root: 1,
        permutation: vec![1, 2, 0],
        mode: BufferMode::InPlace,
        allowed: true,
    };
    let operations = [
        (Operation::AllReduce, "two_shot"),
        (Operation::AllReduce, "double_tree"),
        (Operation::AllToAll, "bruck_all_to_all"),
        (Operation::Reduce, "chain_reduce"),
    ];
    for (operation, name) in operations {
        let case = Case { algorithm: name.into(), ..base(operation) };
        let data = Elements::default();
        let repeated = spmd(3, |comm| (0..10_000).try_for_each(|_| run(comm, &case, &data)));
        repeated.unwrap();
    }
}

#[test]
fn arranged_groups_use_their_tasks_and_rings() {
    let rings = [(0..7).rev().collect(), (0..7).map(|r| (r + 2) % 7).collect()];
    let arrangement = Arrangement::of_tasks(&[3, 1, 3]).unwrap().rings(&rings).unwrap();
    let (cases, data) = (cases(7), Elements::default());
    let arranged = ["hierarchical", "hierarchical_tree_broadcast", "ring"];
    let group = Group::builder(7).arrangement(arrangement);
    let ran = group.spmd(|comm| {
        let heed = cases.iter().filter(|case| arranged.contains(&&*case.algorithm));
        heed.map(|case| run(comm, case, &data)).collect::<Result<Vec<_>>>()
    });
    assert!(ran.unwrap()[0].len() > 50);
}
