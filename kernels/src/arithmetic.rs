//! Arithmetic, element by element; operands broadcast.

use crate::formula::maps;

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])
        "..., ... -> ..."
    ]
    /// The sum of two numbers; integers wrap.
    add Add(a: T, b: T) -> T { a + b } gradient: |[a, b], _, g| [a.gets(g), b.gets(g)];
    /// The difference of two numbers; integers wrap.
    sub Sub(a: T, b: T) -> T { a - b } gradient: |[a, b], _, g| {
        let negative = -g;
        [a.gets(g), b.gets(negative)]
    };
    /// The product of two numbers; integers wrap.
    mul Mul(a: T, b: T) -> T { a * b } gradient: |[a, b], _, g| [a.gets(g * b), b.gets(g * a)];
    /// The quotient of two numbers; an integer divided by 0 is 0.
    div Div(a: T, b: T) -> T { a / b } gradient: |[a, b], quotient, g| {
        let to_a = g / b;
        [a.gets(to_a), b.gets(-(to_a * quotient))]
    };
    /// The smaller of two numbers; a NaN loses, and −0 is below +0. The gradient of equals goes to the first.
    min Min(a: T, b: T) -> T { a.min(b) } gradient: |[a, b], least, g| {
        let (zero, first) = (g.number(0.0), least.apply("equal", [a]));
        [a.gets(first.apply("select", [g, zero])), b.gets(first.apply("select", [zero, g]))]
    };
    /// The larger of two numbers; a NaN loses, and +0 is above −0. The gradient of equals goes to the first.
    max Max(a: T, b: T) -> T { a.max(b) } gradient: |[a, b], most, g| {
        let (zero, first) = (g.number(0.0), most.apply("equal", [a]));
        [a.gets(first.apply("select", [g, zero])), b.gets(first.apply("select", [zero, g]))]
    };
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16, i32, i64, i8, i16], device = [cpu, opencl, cuda]) "... -> ..."]
    /// The negative of a number; integers wrap.
    neg Neg(x: T) -> T { -x } gradient: |[x], _, g| [x.gets(-g)];
}
