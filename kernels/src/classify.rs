//! Classification: each row of `n` numbers scores one of `n` classes.
//!
//! Labels are class indices of type `i32`. A label outside of `0..n` is an out-of-bounds error of
//! the run. Exponentials are taken of differences from the row's largest score, so none overflows.

use ringwood_core::graph::GradientContext;
use ringwood_core::{Result, kernel, register_operator};

/// The softmax of each of `r` rows.
#[allow(unused_variables, reason = "`r` is the domain")]
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda], domain = r)]
pub fn softmax<T>(x: &[T], y: &mut [T], r: usize, n: usize) {
    let row = gid(0);
    let first = row * n;
    let mut largest = x[first];
    for k in 1..n {
        largest = largest.max(x[first + k]);
    }
    let mut total = 0 as T;
    for k in 0..n {
        let share = (x[first + k] - largest).exp();
        y[row * n + k] = share;
        total += share;
    }
    for k in 0..n {
        y[row * n + k] = y[row * n + k] / total;
    }
}

register_operator! {
    /// The softmax along the last dimension.
    pub Softmax = "softmax";
    shape: "r... n -> r... n",
    dtype: "F -> F",
    gradient: softmax_gradient,
}

/// `y * (g - sum(g * y))`, the sum along the rows.
fn softmax_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (y, g) = (c.result(), c.gradient()?);
    let axis = c.type_of(y)?.shape.len() - 1;
    let weighted = c.apply("mul", &[g, y])?;
    let total = c.apply_with("sum_keep", &[weighted], [("axis", axis)])?;
    let centred = c.apply("sub", &[g, total])?;
    let to_x = c.apply("mul", &[y, centred])?;
    c.add(0, to_x)
}

/// The logarithm of the sum of the exponentials of each row; of an empty row, that of 0.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn log_sum_exp<T>(x: &[T], y: &mut [T], n: usize) {
    let i = gid(0);
    let first = i * n;
    let mut largest = 0 as T;
    if n > 0 {
        largest = x[first];
    }
    for k in 1..n {
        largest = largest.max(x[first + k]);
    }
    let mut total = 0 as T;
    for k in 0..n {
        // An infinity less itself would be a NaN.
        if x[first + k] == largest {
            total += 1.0;
        } else {
            total += (x[first + k] - largest).exp();
        }
    }
    y[i] = largest + total.ln();
}

register_operator! {
    /// The logarithm of the sum of exponentials along the last dimension, which is dropped.
    pub LogSumExp = "log_sum_exp";
    shape: "r... n -> r...",
    dtype: "F -> F",
    gradient: log_sum_exp_gradient,
}

/// `softmax(x) * g`, with `g` repeated along the rows.
fn log_sum_exp_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (x, g) = (c.operand(0), c.gradient()?);
    let shape = c.type_of(x)?.shape;
    let axis = shape.len() - 1;
    let shares = c.apply("softmax", &[x])?;
    let g = c.apply_with("repeat", &[g], [("axis", axis), ("n", shape[axis])])?;
    let to_x = c.apply("mul", &[shares, g])?;
    c.add(0, to_x)
}

/// The cross-entropy of each row's softmax and its label.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn cross_entropy<T>(x: &[T], labels: &[i32], y: &mut [T], n: usize) {
    let i = gid(0);
    let first = i * n;
    let mut largest = x[first];
    for k in 1..n {
        largest = largest.max(x[first + k]);
    }
    let mut total = 0 as T;
    for k in 0..n {
        total += (x[first + k] - largest).exp();
    }
    let label = labels[i] as usize;
    let at = if label < n { first + label } else { x.len() };
    y[i] = total.ln() - (x[at] - largest);
}

register_operator! {
    /// The cross-entropy of scores (before any softmax) and labels, one for each row; its mean is
    /// the usual loss of a classifier.
    pub CrossEntropy = "cross_entropy";
    shape: "r... n, r... -> r...",
    dtype: "F, i32 -> F",
    gradient: cross_entropy_gradient,
}

fn cross_entropy_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (x, labels, g) = (c.operand(0), c.operand(1), c.gradient()?);
    let totals = c.apply("log_sum_exp", &[x])?;
    let to_x = c.apply("cross_entropy_grad", &[x, totals, labels, g])?;
    c.add(0, to_x)
}

/// `(softmax(x) - one_hot(label)) * g`; `totals` are the rows' `log_sum_exp`.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn cross_entropy_grad<T>(
    x: &[T],
    totals: &[T],
    labels: &[i32],
    g: &[T],
    y: &mut [T],
    n: usize,
) {
    let i = gid(0);
    let row = i / n;
    let share = (x[i] - totals[row]).exp();
    let hit = if i % n == labels[row] as usize { 1 as T } else { 0 as T };
    y[i] = (share - hit) * g[row];
}

register_operator! {
    /// The gradient of `cross_entropy`: scores, their `log_sum_exp`, labels, gradient of the rows.
    pub CrossEntropyGrad = "cross_entropy_grad";
    shape: "r... n, r..., r..., r... -> r... n",
    dtype: "F, F, i32, F -> F",
}

/// The position of the largest element of each row; the first of several. A NaN is never larger.
#[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn argmax<T>(x: &[T], y: &mut [i32], n: usize) {
    let i = gid(0);
    let first = i * n;
    let mut best = 0 as usize;
    let mut largest = x[first];
    for k in 1..n {
        let value = x[first + k];
        if value > largest {
            largest = value;
            best = k;
        }
    }
    y[i] = best as i32;
}

register_operator! {
    /// The position of the largest element along the last dimension, which is dropped.
    pub Argmax = "argmax";
    shape: "r... n -> r...",
    dtype: "T -> i32",
}
