//! Determinants of square matrices.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// The determinant of each matrix of `n` rows, by a work-item, which brings a copy of it to triangular form:
/// the pivot of a column is its largest element, the first of several.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda], domain = y.len())]
pub fn determinant<T>(x: &[T], y: &mut [T], work: &mut [T], n: usize) {
    let first = gid(0) * n * n;
    for i in 0..n {
        for j in 0..n {
            work[(gid(0) * n + i) * n + j] = x[first + i * n + j];
        }
    }
    let mut total = 1 as T;
    for k in 0..n {
        let mut pivot = k;
        let mut largest = work[(gid(0) * n + k) * n + k].abs();
        for i in 0..n {
            let size = work[(gid(0) * n + i) * n + k].abs();
            if i > k && size > largest {
                largest = size;
                pivot = i;
            }
        }
        for i in 0..n {
            if i == pivot && i != k {
                total = -total;
                for j in 0..n {
                    let held = work[(gid(0) * n + i) * n + j];
                    work[(gid(0) * n + i) * n + j] = work[(gid(0) * n + k) * n + j];
                    work[(gid(0) * n + k) * n + j] = held;
                }
            }
        }
        let divisor = work[(gid(0) * n + k) * n + k];
        total *= divisor;
        for i in 0..n {
            if i > k && divisor != 0.0 {
                let factor = work[(gid(0) * n + i) * n + k] / divisor;
                for j in 0..n {
                    let lost = factor * work[(gid(0) * n + k) * n + j];
                    work[(gid(0) * n + i) * n + j] = work[(gid(0) * n + i) * n + j] - lost;
                }
            }
        }
    }
    y[gid(0)] = total;
}

register_operator! {
    /// The determinants of square matrices, and the triangular matrices that they are the products of, but
    /// for the sign.
    pub Determinant = determinant;
    shape: "r... n n -> r..., r... n n",
    dtype: "F -> F, F",
}
