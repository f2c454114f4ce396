//! Functions of one element, choices between two, and updates.

use crate::formula::maps;

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "... -> ..." "F -> F"]
    /// `x` if it is not negative, else 0: the rectifier. Its gradient at 0 is 0.
    relu Relu(x: T) -> T { if x < 0.0 { 0.0 } else { x } } gradient: |[x], _, g| {
        let zero = g.number(0.0);
        [x.gets(zero.apply("if_less", [x, g, zero]))]
    };
    /// The exponential of a number.
    exp Exp(x: T) -> T { x.exp() } gradient: |[x], y, g| [x.gets(g * y)];
    /// The natural logarithm of a number.
    ln Ln(x: T) -> T { x.ln() } gradient: |[x], _, g| [x.gets(g / x)];
    /// The hyperbolic tangent of a number.
    tanh Tanh(x: T) -> T { x.tanh() } gradient: |[x], y, g| [x.gets(g - g * (y * y))];
    /// The square root of a number.
    sqrt Sqrt(x: T) -> T { x.sqrt() } gradient: |[x], y, g| [x.gets(g / (y + y))];
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])
        "..., ..., ..., ... -> ..."
    ]
    /// `x` if `a < b`, else `y`.
    if_less IfLess(a: T, b: T, x: T, y: T) -> T { if a < b { x } else { y } } gradient: |[a, b, x, y], _, g| {
        let zero = g.number(0.0);
        [x.gets(a.apply("if_less", [b, g, zero])), y.gets(a.apply("if_less", [b, zero, g]))]
    };
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "..., ..., ... -> ..." "F, F, F -> F"]
    /// A parameter after a step of gradient descent: `p - rate * g`, for its gradient `g`.
    sgd Sgd(p: T, g: T, rate: T) -> T { p - rate * g };
}
