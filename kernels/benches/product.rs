//! Products of matrices beside those of the `gemm` crate, in turns: on one thread, and on all.
//!
//! `cargo bench -p ringwood-kernels --bench product`

use ringwood_device::pool::{Pool, threads};
use ringwood_kernels::matmul::matmul;
use std::hint::black_box;
use std::time::Instant;

const EXTENTS: [[usize; 3]; 9] = [
    [1024, 1024, 1024],
    [128, 784, 512],
    [128, 512, 10],
    [8, 784, 512],
    [1, 784, 512],
    [256, 256, 256],
    [64, 64, 64],
    [32, 32, 32],
    [16, 16, 16],
];
const ROUNDS: usize = 25;

fn main() {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in if all > 1 { vec![1, all] } else { vec![1] } {
        let pool = Pool::new("product", threads).expect("threads start");
        pool.install(|| EXTENTS.iter().for_each(|extents| line(*extents)));
    }
}

fn line(extents @ [m, k, n]: [usize; 3]) {
    let (a, b) = (vec![1.25_f32; m * k], vec![0.5_f32; k * n]);
    let (mut ours, mut theirs) = (vec![0.0; m * n], vec![0.0; m * n]);
    let repeats = (50_000_000 / (m * k * n)).clamp(1, 2000);
    let mut times = [[0.0; ROUNDS]; 2];
    let [of_ours, of_theirs] = &mut times;
    for (our, their) in of_ours.iter_mut().zip(of_theirs) {
        *our = seconds(repeats, || matmul(black_box(&a), &b, &mut ours, m, k, n));
        *their = seconds(repeats, || peer(extents, black_box(&a), &b, &mut theirs));
    }
    assert_eq!(ours, theirs, "sums without rounding");
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let [best, median] = [0, ROUNDS / 2].map(|at| times[1][at] / times[0][at]);
    let speed = 2.0 * (m * k * n) as f64 / times[0][0] / 1e9;
    let threads = threads();
    println!(
        "{m}x{k}x{n} on {threads}: {speed:.1} GFLOP/s, of `gemm`'s speed {best:.2} at best, {median:.2} in the middle"
    );
}

fn seconds(repeats: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| work());
    start.elapsed().as_secs_f64() / repeats as f64
}

fn peer([m, k, n]: [usize; 3], a: &[f32], b: &[f32], c: &mut [f32]) {
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n);
    let threads = match threads() {
        1 => gemm::Parallelism::None,
        n => gemm::Parallelism::Rayon(n),
    };
    let ([k_step, n_step], c) = ([k as isize, n as isize], c.as_mut_ptr());
    let (a, b) = (a.as_ptr(), b.as_ptr());
    // SAFETY: the slices hold what extents and strides reach, as was asserted; `c` overlaps neither.
    unsafe {
        gemm::gemm(
            m, n, k, c, 1, n_step, false, a, 1, k_step, b, 1, n_step, 0.0, 1.0, false, false,
            false, threads,
        );
    }
}
