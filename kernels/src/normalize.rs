//! Normalisation of rows of `n` numbers.

use ringwood_core::{kernel, register_operator};

/// Each of `r` rows less its mean, divided by its standard deviation, times `weight`, plus `bias`:
/// `(x - mean) / sqrt(variance + epsilon) * weight + bias`; PyTorch's `layer_norm`.
#[allow(unused_variables, reason = "`r` is the domain")]
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda], domain = r)]
pub fn layer_norm<T>(
    x: &[T],
    weight: &[T],
    bias: &[T],
    y: &mut [T],
    r: usize,
    n: usize,
    epsilon: f32,
) {
    let row = gid(0);
    let first = row * n;
    let mut total = 0 as T;
    for k in 0..n {
        total += x[first + k];
    }
    let mean = total / n as T;
    let mut squares = 0 as T;
    for k in 0..n {
        let d = x[first + k] - mean;
        squares += d * d;
    }
    let scale = (squares / n as T + epsilon as T).rsqrt();
    for k in 0..n {
        y[row * n + k] = (x[first + k] - mean) * scale * weight[k] + bias[k];
    }
}

register_operator! {
    /// Rows along the last dimension, normalised: tensor, weights and biases of a row.
    pub LayerNorm = "layer_norm";
    shape: "r... n, n, n -> r... n",
    dtype: "F, F, F -> F",
    attributes: { epsilon: f32 },
}

/// Each of `r` rows divided by the root of its mean square, times `weight`:
/// `x / sqrt(mean(x²) + epsilon) * weight`; PyTorch's `rms_norm`.
#[allow(unused_variables, reason = "`r` is the domain")]
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda], domain = r)]
pub fn rms_norm<T>(x: &[T], weight: &[T], y: &mut [T], r: usize, n: usize, epsilon: f32) {
    let row = gid(0);
    let first = row * n;
    let mut squares = 0 as T;
    for k in 0..n {
        squares += x[first + k] * x[first + k];
    }
    let scale = (squares / n as T + epsilon as T).rsqrt();
    for k in 0..n {
        y[row * n + k] = x[first + k] * scale * weight[k];
    }
}

register_operator! {
    /// Rows along the last dimension, divided by their size: tensor, weights of a row.
    pub RmsNorm = "rms_norm";
    shape: "r... n, n -> r... n",
    dtype: "F, F -> F",
    attributes: { epsilon: f32 },
}
