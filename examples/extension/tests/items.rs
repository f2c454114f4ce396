//! The kernel and the collective do what they say.

use ringwood::{Result, kernel};
use ringwood::collective::{Collective, Params, ReduceOp, spmd, verify};
use ringwood::device::Device;
use ringwood_extension::{Star, smooth};

/// The merge of sums, for the device of this crate.
#[kernel(map, T in [f32, f64, i32, i64, u32, u64], device = abacus)]
fn add<T>(a: T, b: T) -> T {
    a + b
}

#[test]
fn the_device_and_the_processor_are_ranks_of_one_group() -> Result<()> {
    let sums = spmd(3, |group| {
        let device = Device::named(["cpu:0", "abacus:0", "cpu:0"][group.rank()])?;
        let mut data = device.tensor(&[group.rank() as f32 + 0.25; 500])?;
        group.with("star").all_reduce_tensor(&mut data, ReduceOp::Sum)?;
        let mut all = device.tensor(&[0.0_f32; 1500])?;
        group.all_gather_tensor(&data, &mut all)?;
        let error = group.all_reduce_tensor(&mut data, ReduceOp::Max).unwrap_err();
        assert!(error.message().contains("no kernel `max` for device `abacus`"), "{error}");
        all.to_vec::<f32>()
    })?;
    assert!(sums.iter().flatten().all(|sum| *sum == 3.75));
    Ok(())
}

#[test]
fn the_kernel_gives_the_same_bits_on_both_devices() -> Result<()> {
    let input: Vec<f32> = (0..1000).map(|i| (i as f32).sin()).collect();
    let smoothed = |name: &str| {
        let device = Device::named(name)?;
        let (x, mut y) = (device.tensor(&input)?, device.tensor(&[0.0_f32; 1000])?);
        smooth(&x, &mut y)?;
        y.to_vec::<f32>()
    };
    let (here, there) = (smoothed("cpu:0")?, smoothed("abacus:0")?);
    assert_eq!(here[500], (input[499] + input[500] + input[501]) / 3.0);
    assert!(here.iter().zip(&there).all(|(a, b)| a.to_bits() == b.to_bits()));
    Ok(())
}

#[test]
fn the_collective_is_proved_for_every_group_of_up_to_64_ranks() -> Result<()> {
    for ranks in 1..=64 {
        verify(&Star, &Params::new(&Star.describe(), ranks)?)?.into_result()?;
    }
    Ok(())
}

#[test]
fn the_collective_sums_over_four_ranks() -> Result<()> {
    let sums = spmd(4, |group| {
        let mut data = [group.rank() as f32 + 1.0; 5];
        group.with("star").all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data)
    })?;
    assert_eq!(sums, [[10.0; 5]; 4]);
    Ok(())
}
