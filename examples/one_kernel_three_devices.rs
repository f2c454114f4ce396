//! One kernel on every device there is, with bitwise the same numbers:
//! `cargo run --release --example one_kernel_three_devices`.

use ringwood::device::Runtime;
use ringwood::prelude::*;

const DEVICES: [&str; 3] = ["cpu", "opencl", "cuda"];

/// A damped wave: transcendental functions, division, rounding and a branch.
#[kernel(device = [cpu, opencl, cuda])]
fn wave(phase: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    let t = x[i] * 0.01;
    let damped = (t * 3.0 + phase).sin() * (-0.2 * t).exp() / (1.0 + t * t);
    y[i] = if damped < 0.0 { damped.tanh() } else { damped.sqrt() };
}

fn main() -> ringwood::Result<()> {
    let x: Vec<f32> = (0..100_000).map(|i| i as f32 * 0.37 - 9_000.0).collect();
    let mut first: Option<(String, Vec<u32>)> = None;
    for state in Runtime::global()?.backends() {
        if !DEVICES.contains(&state.name) {
            continue;
        }
        let devices = match state.devices {
            Ok(devices) => devices,
            Err(error) => {
                println!("{:9}  absent: {}", state.name, error.message());
                continue;
            }
        };
        for device in devices {
            let x = device.tensor(&x)?;
            let mut y = device.tensor(&vec![0.0_f32; x.shape().elements()])?;
            wave(0.5, &x, &mut y)?;
            let bits: Vec<u32> = y.to_vec::<f32>()?.iter().map(|v| v.to_bits()).collect();
            let sum = bits.iter().fold(0_u64, |sum, bits| sum.rotate_left(5) ^ u64::from(*bits));
            println!("{:9}  {sum:016x}  {}", device.name(), device.capabilities().description);
            let (name, expected) =
                first.get_or_insert_with(|| (device.name().into(), bits.clone()));
            if let Some(at) = bits.iter().zip(&*expected).position(|(a, b)| a != b) {
                let message = format!("element {at} differs between {name} and {}", device.name());
                return Err(ringwood::Error::new(ringwood::ErrorKind::Backend, message));
            }
        }
    }
    Ok(())
}
