//! Weighted sums of slices along a dimension: images of other extents.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

macro_rules! interpolations {
    ($(
        $(#[$doc:meta])*
        $name:ident over ($($domain:tt)*): $outer:expr, $at:expr, $inner:expr;
    )*) => {$(
        $(#[$doc])*
        #[kernel(T in [f32, f64], device = [cpu, opencl, cuda], domain = ($($domain)*))]
        pub fn $name<T>(x: &[T], index: &[i32], weights: &[T], y: &mut [T], n: usize, t: usize, k: usize, b: usize) {
            let mut total = 0.0;
            for tap in 0..k {
                let from = index[$at * k + tap] as usize;
                let at = if from < n { ($outer * n + from) * b + $inner } else { x.len() };
                total = weights[$at * k + tap].mul_add(x[at], total);
            }
            y[($outer * t + $at) * b + $inner] = total;
        }
    )*};
}

interpolations! {
    /// Slice `i` of the result is the sum of the slices of `x` whose indices are in row `i` of `index`, each
    /// times its weight, in their order, by fused additions.
    interpolate over (y.len() / (t * b), t, b): gid(2), gid(1), gid(0);
    /// As `interpolate`, of numbers side by side: `b` is 1.
    interpolate_rows over (y.len() / t, t): gid(1), gid(0), 0;
}

register_operator! {
    /// Along dimension `axis`, sums of `k` slices of the operand, whose indices and weights are given: `t` of
    /// them.
    pub Interpolate = interpolate;
    shape: "a... n b..., t k, t k -> a... t b...",
    dtype: "F, i32, F -> F",
    attributes: { axis: usize },
    kernels: [interpolate_rows, interpolate],
    first: |a| usize::from(a.extent("b") != 1),
}
