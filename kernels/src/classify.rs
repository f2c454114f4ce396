//! Classification: each row of `n` numbers scores one of `n` classes.
//!
//! Labels are class indices of type `i32`. A label outside of `0..n` is an out-of-bounds error of
//! the run. Exponentials are taken of differences from the row's largest score, so none overflows.
//!
//! Each kernel has two forms with one body: a row by a work-item, or by a group of 64.

use crate::formula::{Term, gradient};
use crate::rows;
use ringwood_base::Result;
use ringwood_device::kernel;
use ringwood_graph::graph::GradientContext;
use ringwood_graph::register_operator;

/// Kernels of rows of scores: of each the form by work-items and that by groups of 64. The largest score of row `$i`, which
/// starts at `$row`, is known when `step` adds what element `$k` has to `$total`, whose end is `total`; then each element is written,
/// or `one` for the row.
macro_rules! scores {
    ($(
        $(#[$doc:meta])*
        $name:ident $rows:ident($($labels:ident: $indices:ty)?) of $count:expr, $($r:ident)?;
        |$x:ident, $y:ident, $n:ident, $i:ident, $row:ident, $k:ident, $largest:ident, $total:ident|
        step: { $($step:tt)* }
        $(total: { $end:expr })?
        $(each: { $each:expr })?
        $(one: { $($one:tt)* })?;
    )*) => {$(
        $(#[$doc])*
        #[doc = "A work-item takes a row."]
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], domain = $count)]
        pub fn $name<T>($x: &[T], $($labels: $indices,)? $y: &mut [T], $($r: usize,)? $n: usize) {
            let $i = gid(0);
            let $row = $i * $n;
            let mut $largest = T::NEG_INFINITY as Acc<T>;
            for $k in 0..$n {
                $largest = $largest.max($x[$row + $k] as Acc<T>);
            }
            let mut $total = 0 as Acc<T>;
            for $k in 0..$n {
                $($step)*
            }
            $(let $total = $end;)?
            $(for $k in 0..$n {
                $y[$row + $k] = $each as T;
            })?
            $($($one)*)?
        }

        $(#[$doc])*
        #[doc = "A group of work-items takes a row."]
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], group = 64, groups = $count)]
        pub fn $rows<T>($x: &[T], $($labels: $indices,)? $y: &mut [T], $($r: usize,)? $n: usize) {
            let $i = grp(0);
            let $row = $i * $n;
            let mut $largest = T::NEG_INFINITY as Acc<T>;
            for $k in group_range($n) {
                $largest = $largest.max($x[$row + $k] as Acc<T>);
            }
            let $largest = group_max($largest);
            let mut $total = 0 as Acc<T>;
            for $k in group_range($n) {
                $($step)*
            }
            let $total = group_sum($total);
            $(let $total = $end;)?
            $(for $k in group_range($n) {
                $y[$row + $k] = $each as T;
            })?
            $(if lid(0) == 0 {
                $($one)*
            })?
        }
    )*};
}

scores! {
    /// The softmax of each of `r` rows.
    softmax softmax_rows() of r, r;
    |x, y, n, i, row, k, largest, total|
    step: {
        let share = (x[row + k] as Acc<T> - largest).exp();
        y[row + k] = share as T;
        total += share;
    }
    each: { (y[row + k] as Acc<T> / total) };

    /// The logarithm of the softmax of each of `r` rows.
    log_softmax log_softmax_rows() of r, r;
    |x, y, n, i, row, k, largest, total|
    step: { total += (x[row + k] as Acc<T> - largest).exp(); }
    total: { total.ln() }
    each: { (x[row + k] as Acc<T> - largest - total) };

    /// The logarithm of the sum of the exponentials of each row; of an empty row, that of 0.
    log_sum_exp log_sum_exp_rows() of y.len(),;
    |x, y, n, i, row, k, largest, total|
    step: {
        let value = x[row + k] as Acc<T>;
        // An infinity less itself would be a NaN.
        total += if value == largest { 1.0 } else { (value - largest).exp() };
    }
    one: { y[i] = (largest + total.ln()) as T; };

    /// The cross-entropy of each row's softmax and its label.
    cross_entropy cross_entropy_rows(labels: &[i32]) of y.len(),;
    |x, y, n, i, row, k, largest, total|
    step: { total += (x[row + k] as Acc<T> - largest).exp(); }
    one: {
        let label = labels[i] as usize;
        let at = if label < n { row + label } else { x.len() };
        y[i] = (total.ln() - (x[at] as Acc<T> - largest)) as T;
    };
}

register_operator! {
    /// The softmax along the last dimension.
    pub Softmax = softmax;
    shape: "r... n -> r... n",
    dtype: "F -> F",
    kernels: [softmax_rows, softmax],
    first: rows::long,
    gradient: |c| gradient(c, |[x], y, g| [x.gets(y * (g - row_sum(g * y)))]),
}

/// The sum along the last dimension, which stays with an extent of 1.
fn row_sum(value: Term<'_>) -> Term<'_> {
    value.step(&|c, value| {
        let axis = c.type_of(value)?.shape.len() - 1;
        c.apply_with("sum_keep", &[value], [("axis", axis)])
    })
}

register_operator! {
    /// The logarithm of the softmax along the last dimension.
    pub LogSoftmax = log_softmax;
    shape: "r... n -> r... n",
    dtype: "F -> F",
    kernels: [log_softmax_rows, log_softmax],
    first: rows::long,
    gradient: |c| gradient(c, |[x], _, g| [x.gets(g - x.apply("softmax", []) * row_sum(g))]),
}

register_operator! {
    /// The logarithm of the sum of exponentials along the last dimension, which is dropped.
    pub LogSumExp = log_sum_exp;
    shape: "r... n -> r...",
    dtype: "F -> F",
    kernels: [log_sum_exp_rows, log_sum_exp],
    first: rows::long,
    gradient: log_sum_exp_gradient,
}

/// `softmax(x) * g`, with `g` the same along a row.
fn log_sum_exp_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let column = |c: &mut GradientContext<'_>, g| {
        let rows = c.type_of(g)?.shape;
        c.reshape(g, &[&rows[..], &[1]].concat())
    };
    gradient(c, |[x], _, g| [x.gets(x.apply("softmax", []) * g.step(&column))])
}

register_operator! {
    /// The cross-entropy of scores (before any softmax) and labels, one for each row; its mean is
    /// the usual loss of a classifier.
    pub CrossEntropy = cross_entropy;
    shape: "r... n, r... -> r...",
    dtype: "F, i32 -> F",
    kernels: [cross_entropy_rows, cross_entropy],
    first: rows::long,
    gradient: |c| gradient(c, |[x, labels], _, g| {
        // A sum of 16 bits is too coarse to take exponentials of differences from it.
        let (scores, g) = (x.wide(), g.wide());
        let totals = scores.apply("log_sum_exp", []);
        [x.gets(scores.apply("cross_entropy_grad", [totals, labels, g]).cast_as(x))]
    }),
}

/// `(softmax(x) - one_hot(label)) * g`; `totals` are the rows' `log_sum_exp`.
#[kernel(
    T in [f32, f64, f16, bf16],
    device = [cpu, opencl, cuda],
    domain = (totals.len(), n)
)]
pub fn cross_entropy_grad<T>(
    x: &[T],
    totals: &[T],
    labels: &[i32],
    g: &[T],
    y: &mut [T],
    n: usize,
) {
    let row = gid(1);
    let i = row * n + gid(0);
    let share = (x[i] as Acc<T> - totals[row] as Acc<T>).exp();
    let hit = if gid(0) == labels[row] as usize { 1 as Acc<T> } else { 0 as Acc<T> };
    y[i] = ((share - hit) * g[row] as Acc<T>) as T;
}

register_operator! {
    /// The gradient of `cross_entropy`: scores, their `log_sum_exp`, labels, gradient of the rows.
    pub CrossEntropyGrad = cross_entropy_grad;
    shape: "r... n, r..., r..., r... -> r... n",
    dtype: "F, F, i32, F -> F",
}
