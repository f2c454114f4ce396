//! Device functions, compile-time parameters, reductions, element types.

use super::{Krate, device_fn, ir, run};
use crate::tests::pretty;
use quote::quote;

#[test]
fn a_call_takes_the_type_of_its_use_and_embeds_the_function() {
    let output = run(
        quote!(map, device = cpu),
        quote!(
            fn f(x: f32) -> f32 {
                let n: u32 = crate::a::count(x);
                half(x) + half(2.0) * (n as f32)
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    for part in [
        "type __function_0_0 = crate::a::count;",
        "const NATIVE: fn(f32) -> u32 = __function_0_0::native;",
        "const NATIVE: fn(f32) -> f32 = __function_0_1::native;",
        "__function_0_1::DEF.name",
        "__function_0_1::DEF.ir,",
        "__call_0_0(",
    ] {
        assert!(source.contains(part), "{part}: {source}");
    }
}

#[test]
fn a_device_function_is_refused_with_the_reason() {
    for (expected, item) in [
        (
            "cannot call itself",
            quote!(
                fn f(x: f32) -> f32 {
                    f(x)
                }
            ),
        ),
        (
            "takes and returns scalars",
            quote!(
                fn f(x: &[f32]) -> f32 {
                    1.0
                }
            ),
        ),
        (
            "is not known here",
            quote!(
                fn f(x: f32) -> f32 {
                    let y = g(x);
                    x
                }
            ),
        ),
        (
            "did you mean `group_sum`?",
            quote!(
                fn f(x: f32) -> f32 {
                    group_summ(x)
                }
            ),
        ),
        (
            "got 1 arguments before, now 2",
            quote!(
                fn f(x: f32) -> f32 {
                    g(x) + g(x, x)
                }
            ),
        ),
        (
            "a device function is not generic",
            quote!(
                fn f<T>(x: f32) -> f32 {
                    x
                }
            ),
        ),
        (
            "a device function has no `gid`",
            quote!(
                fn f(x: f32) -> f32 {
                    gid(0) as f32
                }
            ),
        ),
        (
            "a device function returns what it computes",
            quote!(
                fn f(x: f32) {}
            ),
        ),
    ] {
        let output = device_fn(quote!(), item, Krate::facade());
        let messages = output.errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn each_value_of_a_compile_time_parameter_is_a_kernel() {
    let output = run(
        quote!(device = cpu, const TILE: usize in [8, 16], group = (TILE, TILE), groups = (n.div_ceil(TILE), 1)),
        quote!(
            pub fn tile<const TILE: usize>(y: &mut [f32], n: usize) {
                shared!(t: [[f32; TILE]; TILE]);
                t[lid(1)][lid(0)] = 1.0;
                barrier();
                y[(grp(1) * TILE + lid(1)) * TILE + lid(0)] = t[lid(0)][lid(1)];
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    for part in [
        "meta!(\"tile_8\")",
        "meta!(\"tile_16\")",
        "pub fn launch<const TILE: usize>(",
        "tile: TILE is 8 or 16",
        "pub const ENTRIES: [",
        "const TILE: usize = 16;",
    ] {
        assert!(source.replace('`', "").contains(part), "{part}: {source}");
    }
}

#[test]
fn a_compile_time_parameter_is_declared_and_listed() {
    for (expected, args, item) in [
        (
            "is out of range",
            quote!(const N: u32 in [5_000_000_000]),
            quote!(
                fn f<const N: u32>(y: &mut [f32]) {}
            ),
        ),
        (
            "is listed twice",
            quote!(const N: usize in [1, 1]),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {}
            ),
        ),
        (
            "is an integer",
            quote!(const N: f32 in [1]),
            quote!(
                fn f<const N: f32>(y: &mut [f32]) {}
            ),
        ),
        (
            "is not a compile-time parameter",
            quote!(const N: usize in [1]),
            quote!(
                fn f(y: &mut [f32]) {}
            ),
        ),
        (
            "are not listed",
            quote!(domain = 1),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {}
            ),
        ),
        (
            "in the instance for N = 0",
            quote!(const N: usize in [4, 0]),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {
                    let a = [0.0; N];
                    y[gid(0)] = a[0];
                }
            ),
        ),
    ] {
        let messages = run(quote!(device = cpu, #args), item).errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn a_reduction_becomes_a_group_kernel_over_rows() {
    let text = ir(
        quote!(reduce(identity = T::NEG_INFINITY), device = cpu, T in [f64, f32]),
        quote!(
            fn largest<T>(a: T, b: T) -> T {
                a.max(b)
            }
        ),
    );
    for part in [
        "largest(x: &[f64], result: &mut [f64], n: usize, inner: usize)",
        "in group_range(n)",
        "let part_1: f64 = -inf_f64",
        "combine_f64",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let integer = quote!(
        fn add(a: f32, b: f32) -> f32 {
            a + b
        }
    );
    let text = ir(quote!(reduce(identity = 0), device = cpu), integer);
    assert!(text.contains("let part_1: f32 = 0.0_f32"), "{text}");
}

#[test]
fn a_function_that_cannot_reduce_is_refused() {
    for (expected, args, item) in [
        (
            "names the value that changes nothing",
            quote!(reduce),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
        (
            "combines two scalars of one type",
            quote!(reduce(identity = 0.0)),
            quote!(
                fn f(a: f32) -> f32 {
                    a
                }
            ),
        ),
        (
            "combines two scalars of one type",
            quote!(reduce(identity = 0.0)),
            quote!(
                fn f(a: f32, b: u32) -> f32 {
                    a
                }
            ),
        ),
        (
            "the identity is a number",
            quote!(reduce(identity = a)),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
        (
            "a reduction has one identity",
            quote!(reduce(identity = 0.0), reduce(identity = 1.0)),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
        (
            "a kernel is either `reduce` or `map`",
            quote!(reduce(identity = 0.0), map),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
    ] {
        let messages = run(quote!(device = cpu, #args), item).errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn literals_of_16_bit_floats_are_rounded_once() {
    let text = ir(
        quote!(device = cpu, T in [bf16, f16, f32]),
        quote!(
            fn f<T>(x: &[T], y: &mut [T]) {
                y[gid(0)] = (x[gid(0)] * 0.1).max(T::NEG_INFINITY);
            }
        ),
    );
    assert!(text.contains("bf16"), "{text}");
    let output = run(
        quote!(device = cpu, T in [f32, f16]),
        quote!(
            fn f<T>(a: T, y: &mut [T]) {
                y[gid(0)] = a;
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    assert!(output.tokens.to_string().contains("ScalarType :: F16"));
}

#[test]
fn an_accumulator_is_as_wide_as_sums_need() {
    let output = run(
        quote!(device = cpu, T in [f32, f16, u8, i64]),
        quote!(
            fn f<T>(x: &[T], y: &mut [T]) {
                let s = x[gid(0)] as Acc<T>;
                y[gid(0)] = s as T;
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    assert!(source.contains("Acc<T>"), "the twin has the user's tokens: {source}");
    for wrong in [quote!(Acc<f33>), quote!(Acc<f32, f64>), quote!(Acc), quote!(my::Acc<f32>)] {
        let output = run(
            quote!(device = cpu),
            quote!(
                fn f(y: &mut [f32]) {
                    y[gid(0)] = 1 as #wrong;
                }
            ),
        );
        let messages = output.errors.messages();
        assert!(messages[0].contains("is not a type of kernels"), "{messages:?}");
    }
}
