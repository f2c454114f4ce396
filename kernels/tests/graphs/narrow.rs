//! Operators of 16-bit floats: what their steps are computed in.

use crate::support::graph;
use ringwood_base::DType::{BF16, F16, F32, I64};
use ringwood_base::{DType, ErrorKind};
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// The only number of a tensor that keeps a type.
fn only(y: &Lazy, dtype: DType) -> f32 {
    assert_eq!(y.dtype().unwrap(), dtype);
    y.cast(F32).item().unwrap()
}

#[test]
fn powers_have_all_of_their_exponent() {
    let power = |dtype: DType, exponent: Lazy| {
        let bases = Lazy::full(&[1], -1.0_f32).cast(dtype);
        only(&bases.apply("power", &[&exponent], ()), dtype)
    };
    for dtype in [BF16, F16, F32] {
        for exponent in [257, 70_001, (1 << 24) + 1] {
            assert_eq!(power(dtype, Lazy::new(&[1], &[exponent])), -1.0, "{dtype} {exponent}");
            assert_eq!(power(dtype, Lazy::new(&[1], &[exponent + 1])), 1.0, "{dtype} {exponent}");
        }
        assert_eq!(power(dtype, Lazy::new(&[1], &[257_i16])), -1.0, "{dtype}");
        assert_eq!(power(dtype, Lazy::new(&[1], &[257.0_f32])), -1.0, "{dtype}");
        assert_eq!(power(dtype, Lazy::new(&[1], &[16_777_217.0_f64])), -1.0, "{dtype}");
    }
}

#[test]
fn powers_by_small_integers_that_are_known_need_no_f64() {
    for (exponent, is_wide) in [(3_i64, false), (1 << 24, false), ((1 << 24) + 1, true)] {
        let mut g = graph();
        let x = g.input("x", F32, &[4]).unwrap();
        let exponent = g.constant(&[], &[exponent]).unwrap();
        g.apply("power", &[x, exponent]).unwrap();
        assert_eq!(g.to_string().contains("to_f64(%0)"), is_wide, "{g}");
    }
    let mut g = graph();
    let (x, exponent) = (g.input("x", F32, &[4]).unwrap(), g.input("e", I64, &[4]).unwrap());
    g.apply("power", &[x, exponent]).unwrap();
    assert!(g.to_string().contains("to_f64(%0)"), "{g}");
}

#[test]
fn products_are_scaled_before_they_are_rounded() {
    for (dtype, large, alpha) in
        [(F16, 2048.0_f32, 1.0_f32), (BF16, 256.0, 1.0), (F16, 32_768.0, 0.25)]
    {
        for turned in [false, true] {
            let of = |shape: [usize; 2], x: &[f32]| Lazy::new(&shape, x).cast(dtype);
            let (a, c) = (of([1, 2], &[large, 4.0 - 3.0 * alpha]), of([1, 1], &[-large]));
            let b = of(if turned { [1, 2] } else { [2, 1] }, &[1.0 / alpha, 1.0]);
            let given: [(_, Attribute); 2] = [("alpha", alpha.into()), ("transB", turned.into())];
            let y = a.apply("gemm", &[&b, &c], &given[..]);
            assert_eq!(only(&y, dtype), alpha * (4.0 - 3.0 * alpha), "{dtype} {large}");
        }
    }
    let (narrow, wide) = (Lazy::zeros(F16, &[1, 1]), Lazy::zeros(F32, &[1, 1]));
    for [a, b, c] in [[&narrow, &wide, &wide], [&narrow, &narrow, &wide], [&wide, &wide, &narrow]] {
        let mixed = a.apply("gemm", &[b, c], ());
        assert_eq!(mixed.error().unwrap().kind(), ErrorKind::DType);
    }
}

/// An operator, a type, a number, and what the operator makes of it.
type Tail = (&'static str, DType, f32, f32);

#[test]
fn activations_keep_their_tail() {
    let tails: [Tail; 6] = [
        ("gelu", BF16, -3.0, -0.004_049_69),
        ("gelu", F16, -4.0, -1.266_85e-4),
        ("gelu_tanh", F16, -4.0, -7.024_59e-5),
        ("silu", F16, -12.0, -7.373_01e-5),
        ("sigmoid", F16, -12.0, 6.144_17e-6),
        ("sigmoid", BF16, -60.0, 8.756_51e-27),
    ];
    let slopes: [Tail; 5] = [
        ("gelu_grad", BF16, -3.0, -0.011_945_6),
        ("gelu_grad", F16, -4.0, -5.036_5e-4),
        ("gelu_tanh_grad", F16, -4.0, -3.351_23e-4),
        ("silu_grad", F16, -12.0, -6.758_55e-5),
        ("silu_grad", F16, -3.0, -0.088_104_1),
    ];
    let one = |x: f32, dtype: DType| Lazy::full(&[1], x).cast(dtype);
    let near = |y: Lazy, (operator, dtype, x, exact): Tail| {
        let y = only(&y, dtype);
        assert!((y - exact).abs() <= 0.01 * exact.abs(), "{operator} of {dtype} {x}: {y}");
    };
    for tail @ (operator, dtype, x, _) in tails {
        near(one(x, dtype).apply(operator, &[], ()), tail);
    }
    for tail @ (operator, dtype, x, _) in slopes {
        near(one(x, dtype).apply(operator, &[&one(1.0, dtype)], ()), tail);
    }
}
