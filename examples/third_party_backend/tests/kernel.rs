//! The kernel does what it says.

use ringwood::Result;
use ringwood::device::Device;
use third_party_backend::smooth;

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
