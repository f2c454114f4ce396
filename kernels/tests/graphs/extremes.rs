//! Gradients and types at the ends of their ranges.

use crate::support::graph;
use ringwood_base::{DType, ErrorKind};
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::{Lazy, grad, jit};
use ringwood_kernels::lazy::Operations;

/// The gradient of the sum of what a function makes of some numbers.
fn slopes(numbers: &[f32], dtype: DType, f: impl Fn(&Lazy) -> Lazy) -> Vec<f32> {
    let x = Lazy::new(&[numbers.len()], numbers).cast(dtype);
    grad(&x, |x| f(x).sum_all()).cast(DType::F32).to_vec().unwrap()
}

#[track_caller]
fn close(numbers: &[f32], expected: &[f32]) {
    let near = |(x, y): (&f32, &f32)| (x - y).abs() < 2e-3;
    let alike = numbers.len() == expected.len() && numbers.iter().zip(expected).all(near);
    assert!(alike, "{numbers:?} {expected:?}");
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
fn functions_with_a_corner_inside_have_the_slope_of_the_whole() {
    for dtype in [DType::F32, DType::F64, DType::BF16] {
        let softplus = slopes(&[0.0, -0.0, 3.0, -3.0], dtype, |x| x.apply("softplus", &[], ()));
        assert_eq!(softplus[..2], [0.5; 2], "{dtype}");
        close(&softplus[2..], &[0.952_574, 0.047_426]);
    }
    let rows = Lazy::new(&[2, 2], &[0.0_f32, 0.0, 3.0, 4.0]);
    let lengths = |x: &Lazy| x.apply("reduce_l2", &[], [("axes", vec![1_i64])]);
    assert_eq!(lengths(&rows).to_vec::<f32>().unwrap(), [0.0, 5.0]);
    let slopes_of_lengths = grad(&rows, |x| lengths(x).sum_all()).to_vec::<f32>().unwrap();
    close(&slopes_of_lengths, &[0.0, 0.0, 0.6, 0.8]);
}

#[test]
fn a_nan_loses_against_a_number() {
    for numbers in [[f32::NAN, 2.0], [2.0, f32::NAN]] {
        let x = Lazy::new(&[1, 1, 1, 2], &numbers);
        let (first, second) = (x.slice(3, 0, 1), x.slice(3, 1, 2));
        let image = first.concat(&[&second], 2).expand(&[1, 1, 2, 2]);
        let chosen = [
            first.maximum(&second),
            first.minimum(&second),
            x.max(-1),
            x.min(-1),
            image.max_pool2d(2, 2),
        ];
        assert_eq!(chosen.map(|x| x.to_vec::<f32>().unwrap()), [[2.0]; 5], "{numbers:?}");
        let place = i32::from(numbers[0].is_nan());
        let places = [x.argmax(-1), x.argmin(-1)].map(|x| x.to_vec::<i32>().unwrap());
        assert_eq!(places, [[place]; 2], "{numbers:?}");
    }
}

#[test]
fn a_magnitude_has_the_slope_0_at_both_zeros() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        let numbers = [0.0, -0.0, 3.0, -2.0, f32::INFINITY, f32::NAN];
        let found = slopes(&numbers, dtype, Lazy::abs);
        assert_eq!(found[..5], [0.0, 0.0, 1.0, -1.0, 1.0], "{dtype}");
        assert!(found[5].is_nan(), "{dtype}");
    }
    let bend = |x: &Lazy| grad(x, |x| x.abs().sum_all()).sum_all();
    let numbers = Lazy::new(&[3], &[0.0_f32, 3.0, -2.0]);
    assert_eq!(
        grad(&numbers, |x| bend(x) + x.square().sum_all()).to_vec::<f32>().unwrap(),
        [0.0, 6.0, -4.0]
    );
}

#[test]
fn a_sign_is_0_at_both_zeros() {
    let numbers = [0.0_f32, -0.0, 3.0, -2.0];
    assert_eq!(Lazy::new(&[4], &numbers).sign().to_vec::<f32>().unwrap(), [0.0, 0.0, 1.0, -1.0]);
    assert!(Lazy::scalar(f32::NAN).sign().item::<f32>().unwrap().is_nan());
    assert_eq!(slopes(&numbers, DType::F32, Lazy::sign), [0.0; 4]);
    assert_eq!(Lazy::new(&[2], &[0_u8, 7]).sign().to_vec::<u8>().unwrap(), [0, 1]);
}

#[test]
fn ignored_rows_count_nothing_though_their_logarithms_are_infinite() {
    let scores = Lazy::new(&[2, 2], &[f32::NEG_INFINITY, 0.0, 1.0, 2.0]);
    let target = Lazy::new(&[2], &[-100_i64, 1]);
    let loss = |name: &str, scores: &Lazy| {
        let given = [("ignore_index", Attribute::from(-100_i64)), ("reduction", "none".into())];
        Lazy::apply_all(name, &[scores, &target], given).unwrap().remove(0)
    };
    let (shares, rest) = ([0.0, 0.0, 0.268_941, -0.268_941], [0.0, 0.313_262]);
    for (name, losses, gradient) in
        [("nll_loss", [0.0, -2.0], [0.0, 0.0, 0.0, -1.0]), ("softmax_cross_entropy", rest, shares)]
    {
        close(&loss(name, &scores).to_vec::<f32>().unwrap(), &losses);
        let found = grad(&scores, |scores| loss(name, scores).sum_all());
        close(&found.to_vec::<f32>().unwrap(), &gradient);
    }
}

#[test]
fn gradients_of_16_bits_are_as_exact_as_their_type() {
    let many = Lazy::zeros(DType::F16, &[2, 65_536]);
    let all = |gradient: Lazy, expected: f32| {
        let gradient = gradient.cast(DType::F32).to_vec::<f32>().unwrap();
        assert!(gradient.iter().all(|slope| *slope == expected), "{}", gradient[0]);
    };
    all(grad(&many, Lazy::mean_all), 1.0 / 131_072.0);
    all(grad(&many, |x| x.mean(1).sum_all()), 1.0 / 65_536.0);
    for extreme in ["largest", "smallest"] {
        let shared = grad(&many, |x| x.apply(extreme, &[], [("axis", 1_usize)]).sum_all());
        all(shared, 1.0 / 65_536.0);
    }
    for dtype in [DType::F16, DType::BF16] {
        let scores = Lazy::new(&[1, 2], &[16.0_f32, 13.25]).cast(dtype);
        let label = Lazy::new(&[1], &[0]);
        let found = grad(&scores, |scores| scores.cross_entropy(&label).sum_all());
        let found = found.cast(DType::F32).to_vec::<f32>().unwrap();
        assert!((found[0] + 0.060_087).abs() < 2e-4 && found[0] == -found[1], "{found:?}");
    }
}

#[test]
fn batches_of_16_bits_may_have_variances_beyond_their_range() {
    let normed = |x: f32, variance: f32, training: i64| {
        let x = Lazy::new(&[1, 1, 2], &[-x, x]).cast(DType::F16);
        let [one, zero, variance] = [1.0, 0.0, variance].map(|n| Lazy::new(&[1], &[n]));
        let operands = [&x, &one, &zero, &zero, &variance];
        let results =
            Lazy::apply_all("batch_norm", &operands, [("training_mode", training != 0)]).unwrap();
        assert_eq!(results[0].dtype().unwrap(), DType::F16);
        results.iter().map(|y| y.cast(DType::F32).to_vec::<f32>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(normed(400.0, 160_000.0, 0), [[-1.0, 1.0]]);
    let training = normed(300.0, 0.0, 1);
    assert_eq!(training[0], [-1.0, 1.0]);
    close(&[training[2][0] / 9000.0], &[1.0]);
}

#[test]
fn sums_inside_of_16_bit_operators_may_be_beyond_their_range() {
    let of = |operator: &str, shape: &[usize], numbers: &[f32], given: &[(&str, Attribute)]| {
        let y = Lazy::new(shape, numbers).cast(DType::F16).apply(operator, &[], given);
        assert_eq!(y.dtype().unwrap(), DType::F16, "{operator}");
        y.cast(DType::F32).to_vec::<f32>().unwrap()
    };
    let legs = [300.0, 400.0];
    assert_eq!(of("reduce_l2", &[2], &legs, &[]), [500.0]);
    let alone = [("noop_with_empty_axes", Attribute::from(true))];
    assert_eq!(of("reduce_l2", &[2], &legs, &alone), legs);
    // 16 ln 2, in steps of 2^-7.
    assert_eq!(of("reduce_log_sum", &[2], &[32_768.0; 2], &[]), [11.093_75]);
    let small = 2.0_f32.powi(-13);
    assert_eq!(of("reduce_sum_square", &[4096], &[small; 4096], &[]), [small / 2.0]);
    close(&of("lp_normalize", &[2], &legs, &[]), &[0.6, 0.8]);
    assert_eq!(of("image_norm", &[1, 1, 2], &legs, &[]), [500.0]);
    let window = |sizes: &[i64]| [("kernel_shape", Attribute::from(sizes.to_vec()))];
    assert_eq!(of("pool_norm", &[1, 1, 2], &legs, &window(&[2])), [500.0]);
    assert_eq!(of("pool_mean", &[1, 1, 8, 8], &[1100.0; 64], &window(&[8, 8])), [1100.0]);
    let root = [("alpha", Attribute::from(1.0_f32)), ("beta", Attribute::from(0.5_f32))];
    close(&of("local_response_norm", &[1, 1, 1], &[300.0], &root), &[1.0]);
    let large = Lazy::full(&[1], 60_000.0_f32).cast(DType::F16);
    let mean = large.apply("mean_of", &[&large], ()).cast(DType::F32);
    assert_eq!(mean.item::<f32>().unwrap(), 60_000.0);
}

#[test]
fn a_query_that_sees_no_key_gives_its_keys_no_gradient() {
    let (one, never) = (Lazy::full(&[1, 1, 2, 1], 1.0_f32), f32::NEG_INFINITY);
    let mask = Lazy::new(&[2, 2], &[0.0, never, never, never]);
    let attended = |keys: &Lazy| {
        let results = Lazy::apply_all("attention", &[&one, keys, keys, &mask], [("results", 4)]);
        results.unwrap()[0].sum_all()
    };
    let slopes = grad(&one, attended);
    assert_eq!(slopes.to_vec::<f32>().unwrap(), [1.0, 0.0]);
}

#[test]
fn indices_of_no_row_have_a_gradient_of_0() {
    let rows = Lazy::new(&[3, 2], &[1.0_f32; 6]);
    let index = Lazy::new(&[3], &[1, -1, 5]);
    let weights = Lazy::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]);
    let sums = |rows: &Lazy, v: usize| rows.apply("scatter_add", &[&index], [("v", v)]);
    let some = grad(&rows, |rows| (sums(rows, 2) * &weights).sum_all());
    assert_eq!(some.to_vec::<f32>().unwrap(), [3.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    let none = grad(&rows, |rows| sums(rows, 0).sum_all());
    assert_eq!(none.to_vec::<f32>().unwrap(), [0.0; 6]);
}

#[test]
fn ranges_of_integers_are_exact() {
    let range = |numbers: [i64; 3]| {
        let mut g = graph();
        let numbers = numbers.map(|n| g.constant(&[], &[n]).unwrap());
        let range = g.apply("range", &numbers)?;
        g.integers(range)
    };
    let large = 1 << 53;
    assert_eq!(range([large + 1, large + 3, 1]).unwrap(), [large + 1, large + 2]);
    assert_eq!(range([5, 0, -2]).unwrap(), [5, 3, 1]);
    assert_eq!(range([0, 4, 2]).unwrap(), [0, 2]);
    assert_eq!(range([0, 4, -1]).unwrap(), [0; 0]);
    let quarter = 1 << 62;
    let whole = [i64::MIN, -quarter, 0, quarter];
    assert_eq!(range([i64::MIN, i64::MAX, quarter]).unwrap(), whole);
    assert_eq!(range([0, 4, 0]).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn angles_without_rows_are_an_error() {
    let (x, angle) = (Lazy::zeros(DType::F32, &[1, 1, 1, 2]), Lazy::scalar(0.0_f32));
    let places = Lazy::new(&[1, 1], &[0_i64]);
    let turned = x.apply("rotary_embedding", &[&angle, &angle, &places], ());
    assert_eq!(turned.error().unwrap().kind(), ErrorKind::Shape);
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

#[test]
fn a_remainder_has_the_slope_of_its_own_quotient() {
    let (a, b) = (Lazy::scalar(0.7_f32), Lazy::scalar(0.1_f32));
    let slope = grad(&b, |b| a.apply("rem", &[b], ()));
    assert_eq!(slope.item::<f32>().unwrap(), -6.0);
    let (a, b) = (Lazy::scalar(-7.5_f32), Lazy::scalar(f32::INFINITY));
    let slope = grad(&b, |b| a.apply("rem", &[b], ()));
    assert_eq!(slope.item::<f32>().unwrap(), 0.0);
}

#[test]
fn totals_that_do_not_run_backwards_have_a_gradient_that_does() {
    let x = Lazy::new(&[3], &[1.0_f32, 2.0, 3.0]);
    let weights = Lazy::new(&[3], &[1.0_f32, 0.0, 0.0]);
    for (reverse, slopes) in [(0_usize, [1.0, 0.0, 0.0]), (1, [1.0; 3]), (2, [1.0, 0.0, 0.0])] {
        let how = [("axis", 0), ("exclusive", 0), ("reverse", reverse)];
        let total = |x: &Lazy| (x.apply("cumsum", &[], how) * &weights).sum_all();
        assert_eq!(grad(&x, total).to_vec::<f32>().unwrap(), slopes, "{reverse}");
    }
}
