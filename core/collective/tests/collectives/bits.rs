//! Bits: a small call, whose inputs travel with the arrivals, and a large one, which moves data as the
//! schedule says, merge in the same order.

use crate::schedules::ALL;
use crate::support;
use ringwood_base::Result;
use ringwood_collective::Communicator;
use ringwood_schedule::{Chunks, Collective, Operation, ReduceOp};

/// Values whose sum depends on the order.
fn value(rank: usize, block: usize, i: usize) -> f32 {
    let x = (rank * 7919 + block * 104_729 + i * 31 + 1) as f32;
    (x * 0.618).sin() * 10_f32.powi((rank as i32 * 5) % 11 - 5)
}

/// The first elements of what `rank` gets, for blocks of `count` elements.
fn first_elements(
    comm: &Communicator,
    (name, operation): (&str, Operation),
    count: usize,
) -> Result<Vec<u32>> {
    let (rank, n) = (comm.rank(), comm.size());
    let blocks = if operation.blocked() { n } else { 1 };
    let block = |b: usize| (0..count).map(move |i| value(rank, b, i));
    let mut data: Vec<f32> = (0..blocks).flat_map(block).collect();
    let call = comm.with(name);
    let from = match operation {
        Operation::AllReduce => call.all_reduce(&mut data, ReduceOp::Sum).map(|()| 0),
        Operation::Reduce => call.reduce(&mut data, ReduceOp::Sum, 0).map(|()| 0),
        _ => call.reduce_scatter(&mut data, ReduceOp::Sum).map(|()| rank * count),
    }?;
    let specified = operation != Operation::Reduce || rank == 0;
    let first = &data[from..from + if specified { 5 } else { 0 }];
    Ok(first.iter().map(|x| x.to_bits()).collect())
}

#[test]
fn small_and_large_calls_have_the_same_bits() {
    // Of a vector cut in chunks, an element's chunk depends on the length.
    let same_chunk = |c: &dyn Collective| {
        let d = c.describe();
        d.operation.reduces() && (d.operation.blocked() || d.chunks == Chunks::Whole)
    };
    for n in [2, 3, 4, 5] {
        let group = || {
            let all = ALL.iter().map(|c| (&*c.descriptor.name, c as &'static dyn Collective));
            support::group(n).registry(support::registry_with(all))
        };
        let named: Vec<(&str, Operation)> = ALL
            .iter()
            .filter(|c| same_chunk(*c) && c.segments == 1 && c.descriptor.constraint.allows(n))
            .map(|c| (&*c.descriptor.name, c.descriptor.operation))
            .chain([("one_shot", Operation::AllReduce)])
            .collect();
        assert!(named.len() >= 6);
        for case in named {
            let bits = |count| group().spmd(|comm| first_elements(comm, case, count)).unwrap();
            assert_eq!(bits(5), bits(5_000), "{} of {n} ranks", case.0);
        }
    }
}
