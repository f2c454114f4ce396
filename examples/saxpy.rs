//! A kernel, from nothing to a result: `cargo run --release --example saxpy`, with the name of a
//! device as argument if you like, as in `opencl:0`.

use ringwood::prelude::*;

#[kernel(device = [cpu, opencl, cuda])]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

fn main() -> ringwood::Result<()> {
    let device = match std::env::args().nth(1) {
        Some(name) => Device::named(&name)?,
        None => Device::best()?,
    };
    let x = device.tensor(&[1.0_f32; 1024])?;
    let mut y = device.tensor(&[2.0_f32; 1024])?;
    saxpy(3.0, &x, &mut y)?;
    println!("{:?}", &y.to_vec::<f32>()?[..4]); // [5.0, 5.0, 5.0, 5.0]
    Ok(())
}
