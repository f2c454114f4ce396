//! Activation functions of neural networks, element by element.
//!
//! 16-bit elements are computed in `f32` and rounded once: near −∞ a result is a difference that 16 bits do not hold.

use crate::formula::maps;

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "... -> ..." "F -> F"]
    /// The logistic function `1 / (1 + exp(-x))`; PyTorch's `sigmoid`.
    sigmoid Sigmoid(x: T) -> T {
        let x = x as Acc<T>;
        (1.0 / (1.0 + (-x).exp())) as T
    } gradient: |[x], y, g| [x.gets(g * (y * -(y - 1.0)))];
    /// The sigmoid linear unit, `x * sigmoid(x)`; PyTorch's `silu`.
    silu Silu(x: T) -> T {
        let x = x as Acc<T>;
        (x / (1.0 + (-x).exp())) as T
    } gradient: |[x], _, g| [x.gets(x.apply("silu_grad", [g]))];
    /// The Gaussian error linear unit, `x Φ(x)`, where Φ is the distribution function of the standard normal distribution:
    /// `0.5 x (1 + erf(x / √2))`; PyTorch's `gelu`.
    gelu Gelu(x: T) -> T {
        let x = x as Acc<T>;
        (0.5 * x * (1.0 + (x * 0.70710678118654752440).erf())) as T
    } gradient: |[x], _, g| [x.gets(x.apply("gelu_grad", [g]))];
    /// The Gaussian error linear unit, by its common approximation: `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`; PyTorch's
    /// `gelu(approximate="tanh")`.
    gelu_tanh GeluTanh(x: T) -> T {
        let x = x as Acc<T>;
        (0.5 * x * (1.0 + (0.79788456080286535588 * (x + 0.044715 * x * x * x)).tanh())) as T
    } gradient: |[x], _, g| [x.gets(x.apply("gelu_tanh_grad", [g]))];
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "..., ... -> ..." "F, F -> F"]
    /// The gradient of `silu` at `x` times `g`, that of the result.
    silu_grad SiluGrad(x: T, g: T) -> T {
        let x = x as Acc<T>;
        let s = 1.0 / (1.0 + (-x).exp());
        (g as Acc<T> * (s + x * s * (1.0 - s))) as T
    };
    /// The gradient of `gelu` at `x` times `g`, that of the result: `g (Φ(x) + x φ(x))`.
    gelu_grad GeluGrad(x: T, g: T) -> T {
        let x = x as Acc<T>;
        let share = 0.5 * (1.0 + (x * 0.70710678118654752440).erf());
        (g as Acc<T> * (share + x * 0.39894228040143267794 * (-0.5 * x * x).exp())) as T
    };
    /// The gradient of `gelu_tanh` at `x` times `g`, that of the result.
    gelu_tanh_grad GeluTanhGrad(x: T, g: T) -> T {
        let x = x as Acc<T>;
        let t = (0.79788456080286535588 * (x + 0.044715 * x * x * x)).tanh();
        // Beyond it `t` is 1 or −1 in every type.
        let near = x.clamp(-16.0, 16.0);
        let slope = 0.79788456080286535588 * (1.0 + 0.134145 * near * near);
        (g as Acc<T> * 0.5 * (1.0 + t + near * (1.0 - t * t) * slope)) as T
    };
}
