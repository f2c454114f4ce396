//! The device is a rank of a group like any other.

use ringwood::collective::{ReduceOp, spmd};
use ringwood::device::Device;
use ringwood::{Result, kernel};
use third_party_backend as _;

/// The merge of sums, written for the device; it goes before that of the processor, which merges all else.
#[kernel(
    map, T in [f32, f64, i32, i64, u32, u64], device = abacus,
    implements = ringwood::kernels::arithmetic::add,
)]
fn add<T>(a: T, b: T) -> T {
    a + b
}

#[test]
fn the_device_and_the_processor_are_ranks_of_one_group() -> Result<()> {
    let sums = spmd(3, |group| {
        let device = Device::named(["cpu:0", "abacus:0", "cpu:0"][group.rank()])?;
        let mut data = device.tensor(&[group.rank() as f32 + 0.25; 500])?;
        group.with("ring").all_reduce_tensor(&mut data, ReduceOp::Sum)?;
        let mut all = device.tensor(&[0.0_f32; 1500])?;
        group.all_gather_tensor_into(&data, &mut all)?;
        group.all_reduce_tensor(&mut data, ReduceOp::Max)?;
        assert_eq!(data.to_vec::<f32>()?, [3.75; 500]);
        all.to_vec::<f32>()
    })?;
    assert!(sums.iter().flatten().all(|sum| *sum == 3.75));
    Ok(())
}
