//! Activation functions of neural networks, element by element.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// The logistic function `1 / (1 + exp(-x))`; PyTorch's `sigmoid`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn sigmoid<T>(x: T) -> T {
    1.0 / (1.0 + (-x).exp())
}

register_operator! {
    /// The logistic function.
    pub Sigmoid = sigmoid;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (y, g) = (c.result(), c.gradient()?);
        let square = c.apply("mul", &[y, y])?;
        let slope = c.apply("sub", &[y, square])?;
        let to_x = c.apply("mul", &[g, slope])?;
        c.add(0, to_x)
    },
}

/// `x * sigmoid(x)`; PyTorch's `silu`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn silu<T>(x: T) -> T {
    x / (1.0 + (-x).exp())
}

register_operator! {
    /// The sigmoid linear unit.
    pub Silu = silu;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("silu_grad", &[x, g])?;
        c.add(0, to_x)
    },
}

/// The gradient of `silu` at `x` times `g`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn silu_grad<T>(x: T, g: T) -> T {
    let s = 1.0 / (1.0 + (-x).exp());
    g * (s + x * s * (1.0 - s))
}

register_operator! {
    /// The gradient of `silu`: operand, gradient of the result.
    pub SiluGrad = silu_grad;
    shape: "..., ... -> ...",
    dtype: "F, F -> F",
}

/// `x Φ(x)`, where Φ is the distribution function of the standard normal distribution:
/// `0.5 x (1 + erf(x / √2))`; PyTorch's `gelu`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn gelu<T>(x: T) -> T {
    0.5 * x * (1.0 + (x * 0.70710678118654752440).erf())
}

register_operator! {
    /// The Gaussian error linear unit.
    pub Gelu = gelu;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("gelu_grad", &[x, g])?;
        c.add(0, to_x)
    },
}

/// The gradient of `gelu` at `x` times `g`: `g (Φ(x) + x φ(x))`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn gelu_grad<T>(x: T, g: T) -> T {
    let share = 0.5 * (1.0 + (x * 0.70710678118654752440).erf());
    g * (share + x * 0.39894228040143267794 * (-0.5 * x * x).exp())
}

register_operator! {
    /// The gradient of `gelu`: operand, gradient of the result.
    pub GeluGrad = gelu_grad;
    shape: "..., ... -> ...",
    dtype: "F, F -> F",
}

/// `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`; PyTorch's `gelu(approximate="tanh")`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn gelu_tanh<T>(x: T) -> T {
    0.5 * x * (1.0 + (0.79788456080286535588 * (x + 0.044715 * x * x * x)).tanh())
}

register_operator! {
    /// The Gaussian error linear unit, by its common approximation.
    pub GeluTanh = gelu_tanh;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("gelu_tanh_grad", &[x, g])?;
        c.add(0, to_x)
    },
}

/// The gradient of `gelu_tanh` at `x` times `g`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn gelu_tanh_grad<T>(x: T, g: T) -> T {
    let t = (0.79788456080286535588 * (x + 0.044715 * x * x * x)).tanh();
    let slope = 0.79788456080286535588 * (1.0 + 0.134145 * x * x);
    g * 0.5 * (1.0 + t + x * (1.0 - t * t) * slope)
}

register_operator! {
    /// The gradient of `gelu_tanh`: operand, gradient of the result.
    pub GeluTanhGrad = gelu_tanh_grad;
    shape: "..., ... -> ...",
    dtype: "F, F -> F",
}
