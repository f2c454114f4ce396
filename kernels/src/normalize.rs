//! Normalisation of rows of `n` numbers, and its gradients.
//!
//! Each kernel has two forms with one body: a row by a work-item, or by a group of 64.

use crate::formula::gradient;
use crate::rows;
use ringwood_device::kernel;
use ringwood_graph::register_operator;

macro_rules! layer_norm {
    ($(
        $(#[$doc:meta])*
        $name:ident: $row:expr, |$n:ident| $turns:expr, ($($option:tt)*) $($sum:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], $($option)* = r)]
        pub fn $name<T>(x: &[T], weight: &[T], bias: &[T], y: &mut [T], r: usize, $n: usize, epsilon: f32) {
            let row = $row * $n;
            let mut total = 0 as Acc<T>;
            for k in $turns {
                total += x[row + k] as Acc<T>;
            }
            let mean = $($sum)?(total) / $n as Acc<T>;
            let mut squares = 0 as Acc<T>;
            for k in $turns {
                let d = x[row + k] as Acc<T> - mean;
                squares += d * d;
            }
            let scale = ($($sum)?(squares) / $n as Acc<T> + epsilon as Acc<T>).rsqrt();
            for k in $turns {
                let d = x[row + k] as Acc<T> - mean;
                y[row + k] = (d * scale * weight[k] as Acc<T> + bias[k] as Acc<T>) as T;
            }
        }
    )*};
}

layer_norm! {
    /// Each of `r` rows less its mean, divided by its standard deviation, times `weight`, plus `bias`:
    /// `(x - mean) / sqrt(variance + epsilon) * weight + bias`; PyTorch's `layer_norm`.
    layer_norm: gid(0), |n| 0..n, (domain);
    /// As [`layer_norm()`], each row by a group of work-items.
    layer_norm_rows: grp(0), |n| group_range(n), (group = 64, groups) group_sum;
}

register_operator! {
    /// Rows along the last dimension, normalised: tensor, weights and biases of a row.
    pub LayerNorm = layer_norm;
    shape: "r... n, n, n -> r... n",
    dtype: "F, F, F -> F",
    attributes: { epsilon: f32 },
    kernels: [layer_norm_rows, layer_norm],
    first: rows::long,
    gradient: |c| {
        let given = c.attributes().clone();
        gradient(c, |[x, weight, bias], _, g| {
            let to_x = x.apply_with("layer_norm_grad", [weight, g], given.clone());
            let plain = [1.0, 0.0].map(|number| weight.number(number).apply("expand", [weight]));
            let factors = x.apply_with("layer_norm", plain, given);
            [x.gets(to_x), weight.gets(g * factors), bias.gets(g)]
        })
    },
}

macro_rules! layer_norm_grad {
    ($(
        $(#[$doc:meta])*
        $name:ident: $row:expr, |$n:ident| $turns:expr, ($($option:tt)*) $($sum:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], $($option)* = r)]
        pub fn $name<T>(x: &[T], weight: &[T], g: &[T], y: &mut [T], r: usize, $n: usize, epsilon: f32) {
            let row = $row * $n;
            let mut total = 0 as Acc<T>;
            let mut total_g = 0 as Acc<T>;
            for k in $turns {
                total += x[row + k] as Acc<T>;
                total_g += g[row + k] as Acc<T> * weight[k] as Acc<T>;
            }
            let mean = $($sum)?(total) / $n as Acc<T>;
            let mean_g = $($sum)?(total_g) / $n as Acc<T>;
            let mut squares = 0 as Acc<T>;
            let mut products = 0 as Acc<T>;
            for k in $turns {
                let d = x[row + k] as Acc<T> - mean;
                squares += d * d;
                products += d * (g[row + k] as Acc<T> * weight[k] as Acc<T>);
            }
            let scale = ($($sum)?(squares) / $n as Acc<T> + epsilon as Acc<T>).rsqrt();
            let slope = $($sum)?(products) / $n as Acc<T> * (scale * scale);
            for k in $turns {
                let d = x[row + k] as Acc<T> - mean;
                let gw = g[row + k] as Acc<T> * weight[k] as Acc<T>;
                y[row + k] = (scale * (gw - mean_g - d * slope)) as T;
            }
        }
    )*};
}

layer_norm_grad! {
    /// The gradient of `layer_norm` with respect to its rows, for the gradient `g` of its result.
    layer_norm_grad: gid(0), |n| 0..n, (domain);
    /// As [`layer_norm_grad()`], each row by a group of work-items.
    layer_norm_grad_rows: grp(0), |n| group_range(n), (group = 64, groups) group_sum;
}

register_operator! {
    /// The gradient of `layer_norm` with respect to its rows: rows, weights, gradient of the result.
    pub LayerNormGrad = layer_norm_grad;
    shape: "r... n, n, r... n -> r... n",
    dtype: "F, F, F -> F",
    attributes: { epsilon: f32 },
    kernels: [layer_norm_grad_rows, layer_norm_grad],
    first: rows::long,
}

macro_rules! rms_norm {
    ($(
        $(#[$doc:meta])*
        $name:ident: $row:expr, |$n:ident| $turns:expr, ($($option:tt)*) $($sum:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], $($option)* = r)]
        pub fn $name<T>(x: &[T], weight: &[T], y: &mut [T], r: usize, $n: usize, epsilon: f32) {
            let row = $row * $n;
            let mut squares = 0 as Acc<T>;
            for k in $turns {
                squares += x[row + k] as Acc<T> * x[row + k] as Acc<T>;
            }
            let scale = ($($sum)?(squares) / $n as Acc<T> + epsilon as Acc<T>).rsqrt();
            for k in $turns {
                y[row + k] = (x[row + k] as Acc<T> * scale * weight[k] as Acc<T>) as T;
            }
        }
    )*};
}

rms_norm! {
    /// Each of `r` rows divided by the root of its mean square, times `weight`:
    /// `x / sqrt(mean(x²) + epsilon) * weight`; PyTorch's `rms_norm`.
    rms_norm: gid(0), |n| 0..n, (domain);
    /// As [`rms_norm()`], each row by a group of work-items.
    rms_norm_rows: grp(0), |n| group_range(n), (group = 64, groups) group_sum;
}

register_operator! {
    /// Rows along the last dimension, divided by their size: tensor, weights of a row.
    pub RmsNorm = rms_norm;
    shape: "r... n, n -> r... n",
    dtype: "F, F -> F",
    attributes: { epsilon: f32 },
    kernels: [rms_norm_rows, rms_norm],
    first: rows::long,
    gradient: |c| {
        let given = c.attributes().clone();
        gradient(c, |[x, weight], _, g| {
            let to_x = x.apply_with("rms_norm_grad", [weight, g], given.clone());
            let plain = weight.number(1.0).apply("expand", [weight]);
            [x.gets(to_x), weight.gets(g * x.apply_with("rms_norm", [plain], given))]
        })
    },
}

macro_rules! rms_norm_grad {
    ($(
        $(#[$doc:meta])*
        $name:ident: $row:expr, |$n:ident| $turns:expr, ($($option:tt)*) $($sum:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[allow(unused_variables, reason = "`r` is the number of rows")]
        #[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda], $($option)* = r)]
        pub fn $name<T>(x: &[T], weight: &[T], g: &[T], y: &mut [T], r: usize, $n: usize, epsilon: f32) {
            let row = $row * $n;
            let mut squares = 0 as Acc<T>;
            let mut products = 0 as Acc<T>;
            for k in $turns {
                let value = x[row + k] as Acc<T>;
                squares += value * value;
                products += value * (g[row + k] as Acc<T> * weight[k] as Acc<T>);
            }
            let scale = ($($sum)?(squares) / $n as Acc<T> + epsilon as Acc<T>).rsqrt();
            let slope = $($sum)?(products) / $n as Acc<T> * (scale * scale);
            for k in $turns {
                let gw = g[row + k] as Acc<T> * weight[k] as Acc<T>;
                y[row + k] = (scale * (gw - x[row + k] as Acc<T> * slope)) as T;
            }
        }
    )*};
}

rms_norm_grad! {
    /// The gradient of `rms_norm` with respect to its rows, for the gradient `g` of its result.
    rms_norm_grad: gid(0), |n| 0..n, (domain);
    /// As [`rms_norm_grad()`], each row by a group of work-items.
    rms_norm_grad_rows: grp(0), |n| group_range(n), (group = 64, groups) group_sum;
}

register_operator! {
    /// The gradient of `rms_norm` with respect to its rows: rows, weights, gradient of the result.
    pub RmsNormGrad = rms_norm_grad;
    shape: "r... n, n, r... n -> r... n",
    dtype: "F, F, F -> F",
    attributes: { epsilon: f32 },
    kernels: [rms_norm_grad_rows, rms_norm_grad],
    first: rows::long,
}
