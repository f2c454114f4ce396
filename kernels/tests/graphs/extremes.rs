//! Gradients and types at the ends of their ranges.

use ringwood_base::{DType, ErrorKind};
use ringwood_graph::lazy::{Lazy, grad, jit};
use ringwood_kernels::lazy::Operations;

/// The gradient of the sum of what a function makes of some numbers.
fn slopes(numbers: &[f32], dtype: DType, f: impl Fn(&Lazy) -> Lazy) -> Vec<f32> {
    let x = Lazy::new(&[numbers.len()], numbers).cast(dtype);
    grad(&x, |x| f(x).sum_all()).cast(DType::F32).to_vec().unwrap()
}

#[test]
fn what_a_choice_leaves_out_may_be_infinite() {
    for (curve, dtype, scale) in [("elu", DType::F32, 1.0), ("celu", DType::BF16, 1.0)] {
        assert_eq!(slopes(&[1.0, 89.0], dtype, |x| x.apply(curve, &[], ())), [scale; 2], "{curve}");
    }
    let selu = slopes(&[1.0, 12.0], DType::F16, |x| x.apply("selu", &[], ()));
    assert!(selu.iter().all(|slope| (slope - 1.0507).abs() < 1e-3), "{selu:?}");
    let gelu = slopes(&[-1000.0, 1000.0], DType::F16, |x| x.apply("gelu_tanh", &[], ()));
    assert_eq!(gelu, [0.0, 1.0]);
}

#[test]
fn powers_and_lengths_have_slopes_at_0() {
    let power = |e: f32| slopes(&[0.0, 2.0], DType::F32, |x| x.pow(Lazy::scalar(e)));
    assert_eq!((power(0.0), power(2.0)), (vec![0.0; 2], vec![0.0, 4.0]));
    let by_exponent = |e: f32| {
        let bases = Lazy::new(&[2], &[0.0_f32, 2.0]);
        grad(&Lazy::scalar(e), |e| bases.pow(e).sum_all()).item::<f32>().unwrap()
    };
    assert!((by_exponent(2.0) - 4.0 * 2.0_f32.ln()).abs() < 1e-5);
    assert!((by_exponent(0.0) - 2.0_f32.ln()).abs() < 1e-6);
    for p in [1_i64, 2] {
        let rows = Lazy::new(&[2, 2], &[0.0_f32, 0.0, 3.0, 4.0]);
        let slopes = grad(&rows, |x| x.apply("lp_normalize", &[], [("p", p)]).square().sum_all());
        let slopes = slopes.to_vec::<f32>().unwrap();
        assert!(slopes.iter().all(|slope| slope.is_finite()), "{slopes:?}");
    }
}

#[test]
fn matrices_of_any_number_have_products() {
    let product = |dtype| {
        let x = Lazy::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]).cast(dtype);
        x.matmul(&x).cast(DType::F32).to_vec::<f32>().unwrap()
    };
    for dtype in [DType::F64, DType::F16, DType::BF16, DType::I32] {
        assert_eq!(product(dtype), [7.0, 10.0, 15.0, 22.0], "{dtype}");
    }
}

#[test]
fn numbers_beyond_a_range_are_no_others() {
    let classes = Lazy::new(&[3], &[1, (1_i64 << 32) + 1, -(1 << 32)]);
    let places = classes.one_hot(2, DType::F32).to_vec::<f32>().unwrap();
    assert_eq!(places, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let beyond = Lazy::new(&[1], &[0_i64]) + 2.0_f64.powi(63);
    assert_eq!(beyond.error().unwrap().kind(), ErrorKind::DType);
    let least = Lazy::new(&[1], &[0_i64]) + -(2.0_f64.powi(63));
    assert_eq!(least.to_vec::<i64>().unwrap(), [i64::MIN]);
    let images = Lazy::zeros(DType::F32, &[1, 1, 4, 4]);
    assert_eq!(images.max_pool2d(0, 1).error().unwrap().kind(), ErrorKind::Shape);
}

#[test]
fn a_function_runs_again_after_an_index_out_of_bounds() {
    let rows = jit(|(table, at): (Lazy, Lazy)| table.embedding(&at));
    let table = Lazy::new(&[2, 1], &[5.0_f32, 7.0]);
    let run = |at: &[i32]| {
        let found = rows.call((table.clone(), Lazy::new(&[2], at)));
        found.and_then(|found| found.to_vec::<f32>())
    };
    for _ in 0..2 {
        assert_eq!(run(&[1, 0]).unwrap(), [7.0, 5.0]);
        assert_eq!(run(&[0, 7]).unwrap_err().kind(), ErrorKind::OutOfBounds);
    }
}

#[test]
fn constants_of_formulas_are_as_exact_as_their_elements() {
    let x = Lazy::new(&[1], &[-1.0_f64]);
    let close = |y: Lazy, expected: f64| {
        let y = y.item::<f64>().unwrap();
        assert!((y - expected).abs() < 1e-15, "{y} {expected}");
    };
    close(x.apply("hard_swish", &[], ()), -(0.5 - 1.0 / 6.0));
    close(x.apply("celu", &[], [("alpha", 3.0_f32)]), 3.0 * (-1.0_f64 / 3.0).exp_m1());
    let ones = Lazy::full(&[1, 1, 2], 1.0_f64);
    close(ones.apply("image_norm", &[], [("p", 3_i64)]), 2.0_f64.powf(1.0 / 3.0));
}
