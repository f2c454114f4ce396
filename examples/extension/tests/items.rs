//! The kernel and the collective do what they say.

use ringwood::Result;
use ringwood::collective::{Collective, Params, ReduceOp, spmd, verify};
use ringwood::device::Device;
use ringwood_extension::{Star, smooth};

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
