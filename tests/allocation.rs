//! A repeated collective call allocates nothing, with the standard algorithms and merge kernels.

#[path = "support/counting.rs"]
mod counting;

use counting::ALLOCATIONS;
use ringwood::collective::ReduceOp::{Max, Mean, Sum};
use ringwood::collective::spmd;

#[test]
fn a_repeated_call_allocates_nothing() {
    let allocations = spmd(2, |comm| {
        let (mut data, mut short, mut whole) = (vec![1.0_f32; 5000], [1.0_f64; 3], [7_i32; 300]);
        let mut calls = || {
            comm.with("ring").all_reduce(&mut data, Sum)?;
            comm.all_reduce(&mut data, Mean)?;
            comm.all_reduce(&mut short, Mean)?;
            comm.all_reduce(&mut whole, Max)
        };
        calls()?;
        let before = ALLOCATIONS.get();
        for _ in 0..100 {
            calls()?;
        }
        Ok(ALLOCATIONS.get() - before)
    });
    assert_eq!(allocations.unwrap(), [0, 0]);
}
