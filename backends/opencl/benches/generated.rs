//! Generated OpenCL C beside OpenCL C written by hand, of the same algorithms, in one run.
//!
//! `POCL_WORK_GROUP_METHOD=loops cargo bench -p ringwood-backend-opencl --bench generated`

#[path = "../../../benches/spine/measure.rs"]
#[allow(dead_code, reason = "other benches use the rest")]
mod measure;

use measure::line;
use ringwood_backend_opencl as _;
use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_device::kernel;
use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(60);
/// How long two kernels are compared, and the fewest launches of each.
const SPAN: Duration = Duration::from_secs(1);
const ROUNDS: usize = 9;

#[kernel(device = opencl)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

#[kernel(opencl = include_str!("by_hand/saxpy.cl"))]
fn saxpy_by_hand(a: f32, x: &[f32], y: &mut [f32]);

#[kernel(device = opencl, group = 64, groups = y.len())]
fn sums(x: &[f32], y: &mut [f32], n: usize) {
    let row = grp(0) * n;
    let mut total = 0.0;
    for k in group_range(n) {
        total += x[row + k];
    }
    let total = group_sum(total);
    if lid(0) == 0 {
        y[grp(0)] = total;
    }
}

#[kernel(group = 64, groups = y.len(), opencl = include_str!("by_hand/sums.cl"))]
fn sums_by_hand(x: &[f32], y: &mut [f32], n: usize);

macro_rules! softmax {
    ($($name:ident $($option:ident = $value:ident)?;)*) => {$(
        #[kernel(device = opencl, group = 64, groups = y.len() / n $(, $option = $value)?)]
        fn $name(x: &[f32], y: &mut [f32], n: usize) {
            let row = grp(0) * n;
            let mut largest = f32::NEG_INFINITY;
            for k in group_range(n) {
                largest = largest.max(x[row + k]);
            }
            let largest = group_max(largest);
            let mut total = 0.0;
            for k in group_range(n) {
                let share = (x[row + k] - largest).exp();
                y[row + k] = share;
                total += share;
            }
            let total = group_sum(total);
            for k in group_range(n) {
                y[row + k] = y[row + k] / total;
            }
        }
    )*};
}

softmax! { softmax; softmax_relaxed fp = relaxed; }

#[kernel(group = 64, groups = y.len() / n, opencl = include_str!("by_hand/softmax.cl"))]
fn softmax_by_hand(x: &[f32], y: &mut [f32], n: usize);

#[kernel(device = opencl, group = (16, 16), groups = (m.div_ceil(16), n.div_ceil(16)))]
fn matmul(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    shared!(left: [[f32; 16]; 16]);
    shared!(right: [[f32; 16]; 16]);
    let row = grp(1) * 16 + lid(1);
    let column = grp(0) * 16 + lid(0);
    let mut total = 0.0;
    for t in 0..k.div_ceil(16) {
        let x = t * 16 + lid(0);
        let y = t * 16 + lid(1);
        left[lid(1)][lid(0)] = if row < m && x < k { a[row * k + x] } else { 0.0 };
        right[lid(1)][lid(0)] = if y < k && column < n { b[y * n + column] } else { 0.0 };
        barrier();
        for i in 0..16 {
            total += left[lid(1)][i] * right[i][lid(0)];
        }
        barrier();
    }
    if row < m && column < n {
        c[row * n + column] = total;
    }
}

#[kernel(
    group = (16, 16),
    groups = (m.div_ceil(16), n.div_ceil(16)),
    opencl = include_str!("by_hand/matmul.cl")
)]
fn matmul_by_hand(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize);

/// The shortest times of two launches on one device, which take turns, and how they compare: other
/// load on the machine only ever adds to a time.
fn compare(
    device: &Device,
    what: &str,
    mut ours: impl FnMut() -> Result<()>,
    mut theirs: impl FnMut() -> Result<()>,
) {
    let run = |launch: &mut dyn FnMut() -> Result<()>| {
        let start = Instant::now();
        launch().expect("a launch");
        device.synchronize(BOUND).expect("its end");
        start.elapsed()
    };
    let (start, mut rounds) = (Instant::now(), 0);
    let (mut best, mut best_by_hand) = (Duration::MAX, Duration::MAX);
    while rounds < ROUNDS || start.elapsed() < SPAN {
        best = best.min(run(&mut ours));
        best_by_hand = best_by_hand.min(run(&mut theirs));
        rounds += 1;
    }
    line(what, best, "by hand", best_by_hand);
}

fn numbers(device: &Device, count: usize) -> Result<Tensor> {
    let numbers: Vec<_> = (0..count).map(|i| (i * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
    device.tensor(&numbers)
}

fn main() -> Result<()> {
    let device = Device::named("opencl:0")?;
    let zeros = |count| device.zeros(Shape::vector(count), DType::F32);
    // In the processor's cache, and beyond it.
    for count in [1 << 18, 1 << 22] {
        let (x, mut y, mut z) = (numbers(&device, count)?, zeros(count)?, zeros(count)?);
        compare(
            &device,
            &format!("saxpy, {count}"),
            || saxpy(0.5, &x, &mut y),
            || saxpy_by_hand(0.5, &x, &mut z),
        );
        assert_eq!(y.to_vec::<f32>()?, z.to_vec::<f32>()?);
    }
    let count = 1 << 22;
    let (x, mut y, mut z) = (numbers(&device, count)?, zeros(count)?, zeros(count)?);
    for n in [256, 4096] {
        let what = |name: &str| format!("{name}, {} x {n}", count / n);
        let (mut s, mut t) = (zeros(count / n)?, zeros(count / n)?);
        compare(
            &device,
            &what("sums of rows"),
            || sums(&x, &mut s, n),
            || sums_by_hand(&x, &mut t, n),
        );
        assert_eq!(s.to_vec::<f32>()?, t.to_vec::<f32>()?);
        compare(
            &device,
            &what("softmax"),
            || softmax(&x, &mut y, n),
            || softmax_by_hand(&x, &mut z, n),
        );
        compare(
            &device,
            &what("softmax, relaxed"),
            || softmax_relaxed(&x, &mut y, n),
            || softmax_by_hand(&x, &mut z, n),
        );
    }
    let n = 512;
    let (a, b) = (numbers(&device, n * n)?, numbers(&device, n * n)?);
    let (mut c, mut d) = (zeros(n * n)?, zeros(n * n)?);
    compare(
        &device,
        &format!("matmul by tiles, {n}"),
        || matmul(&a, &b, &mut c, n, n, n),
        || matmul_by_hand(&a, &b, &mut d, n, n, n),
    );
    Ok(())
}
