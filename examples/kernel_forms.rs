//! Every form of a kernel, on every device there is, with bitwise the same numbers:
//! `cargo run --release --example kernel_forms`.

use ringwood::device::{Runtime, Tensor};
use ringwood::prelude::*;

const ROWS: usize = 96;
const COLUMNS: usize = 160;

/// Map: scalars to a scalar, over tensors that broadcast.
#[kernel(map, device = [cpu, opencl, cuda])]
fn tone(x: f32, gain: f32) -> f32 {
    (gain * x).tanh()
}

/// Reduce: two elements to one, along the last dimension.
#[kernel(reduce(identity = f32::NEG_INFINITY), device = [cpu, opencl, cuda])]
fn brighter(a: f32, b: f32) -> f32 {
    a.max(b)
}

/// Grid: one work-item for each element; views need no copy to be transposed or broadcast.
#[kernel(device = [cpu, opencl, cuda])]
fn blend(t: f32, a: View<f32, 2>, b: View<f32, 2>, y: ViewMut<f32, 2>) {
    let row = gid(1);
    let column = gid(0);
    y[[row, column]] = a[[row, column]] + t * (b[[row, column]] - a[[row, column]]);
}

/// Row: a group of work-items for each row.
#[kernel(row = 64, device = [cpu, opencl, cuda])]
fn normalised(x: Row<f32>, y: RowMut<f32>) {
    let mut sum = 0.0;
    for k in group_range(x.len()) {
        sum += x[k] * x[k];
    }
    let scale = group_sum(sum).rsqrt();
    for k in group_range(y.len()) {
        y[k] = x[k] * scale;
    }
}

/// Group: work-items that share memory, and wait for each other at a barrier.
#[kernel(
    device = [cpu, opencl, cuda],
    group = (16, 16),
    groups = (rows.div_ceil(16), columns.div_ceil(16)),
    requires(x.len() == rows * columns, y.len() == rows * columns)
)]
fn turned(x: &[f32], y: &mut [f32], rows: usize, columns: usize) {
    shared!(tile: [[f32; 17]; 16]);
    let row = grp(1) * 16 + lid(1);
    let column = grp(0) * 16 + lid(0);
    if row < rows && column < columns {
        tile[lid(1)][lid(0)] = x[row * columns + column];
    }
    barrier();
    let to_row = grp(0) * 16 + lid(1);
    let to_column = grp(1) * 16 + lid(0);
    if to_row < columns && to_column < rows {
        y[to_row * rows + to_column] = tile[lid(0)][lid(1)];
    }
}

/// Source: OpenCL devices run the text by hand, CUDA devices the body; see [`host`] for the CPU.
#[kernel(
    device = cuda,
    requires(x.len() == y.len()),
    opencl = "__kernel void reversed(__global const float* x, ulong x_len,
                                     __global float* y, ulong y_len, ulong items) {
        ulong i = get_global_id(0);
        if (i < items) y[i] = x[x_len - 1 - i];
    }"
)]
fn reversed(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[x.len() - 1 - i];
}

mod host {
    use ringwood::prelude::*;

    /// Host: any Rust over slices, here what `reversed` is on the CPU.
    #[kernel(host, device = cpu, implements = super::reversed)]
    pub(super) fn reversed(x: &[f32], y: &mut [f32]) {
        y.copy_from_slice(x);
        y.reverse();
    }
}

/// The result of each form on a device, from the same elements.
fn run(device: &Device) -> ringwood::Result<[(&'static str, Tensor); 6]> {
    let shape = Shape::new(&[ROWS, COLUMNS])?;
    let pixels: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i * 37 % 255) as f32 / 255.0).collect();
    let x = device.tensor_with(&pixels, shape)?;
    let empty = || device.zeros(shape, DType::F32);
    let toned = tone::launch(&x, &device.tensor(&[1.5_f32])?)?;
    let brightest = brighter::launch(&x)?;
    let mut blended = empty()?;
    let first_row = x.view().select(0, 0)?.broadcast(shape)?;
    blend(0.25, &x, first_row, &mut blended)?;
    let mut rows = empty()?;
    normalised(&x, &mut rows)?;
    let mut columns = device.zeros(Shape::new(&[COLUMNS, ROWS])?, DType::F32)?;
    turned(&x, &mut columns, ROWS, COLUMNS)?;
    let mut back = empty()?;
    reversed(&x, &mut back)?;
    Ok([
        ("map", toned),
        ("reduce", brightest),
        ("grid", blended),
        ("row", rows),
        ("group", columns),
        ("source", back),
    ])
}

fn main() -> ringwood::Result<()> {
    let mut expected: Vec<Vec<u32>> = Vec::new();
    for state in Runtime::global()?.backends() {
        let devices = match state.devices {
            _ if !["cpu", "opencl", "cuda"].contains(&state.name) => continue,
            Ok(devices) => devices,
            Err(error) => {
                println!("{:9}  absent: {}", state.name, error.message());
                continue;
            }
        };
        for device in devices {
            let mut found = Vec::new();
            for (form, result) in run(&device)? {
                let bits: Vec<u32> = result.to_vec::<f32>()?.iter().map(|v| v.to_bits()).collect();
                let sum = bits.iter().fold(0_u64, |sum, v| sum.rotate_left(5) ^ u64::from(*v));
                println!("{:9}  {form:6}  {sum:016x}", device.name());
                found.push(bits);
            }
            if expected.is_empty() {
                expected = found;
            } else if expected != found {
                let message = format!("{} differs from the first device", device.name());
                return Err(ringwood::Error::new(ringwood::ErrorKind::Backend, message));
            }
        }
    }
    Ok(())
}
