//! Values of the operators.

use crate::support::{cpu, graph, tensor};
use ringwood_base::DType::{Bool, F32, I32, I64};
use ringwood_base::{Element, ErrorKind, Result};
use ringwood_device::backend::find_exact;
use ringwood_device::kernel::KernelName;
use ringwood_graph::graph::{Attribute, Attributes};
use ringwood_graph::lazy::Lazy;
use ringwood_graph::operator::Operator;
use ringwood_kernels::lazy::Operations;

/// Runs one operator on `cpu:0`.
fn run<T: Element, U: Element>(
    operator: &str,
    operands: &[(&[usize], &[T])],
    attributes: impl Into<Attributes>,
) -> Result<Vec<U>> {
    let device = cpu();
    let mut g = graph();
    let names: Vec<_> = (0..operands.len()).map(|i| format!("x{i}")).collect();
    let mut values = Vec::new();
    let mut tensors = Vec::new();
    for (name, (dims, elements)) in names.iter().zip(operands) {
        values.push(g.input(name, T::DTYPE, dims)?);
        tensors.push(tensor(&device, dims, elements));
    }
    let y = g.apply_with(operator, &values, attributes)?;
    g.output("y", y)?;
    let inputs: Vec<_> = names.iter().map(String::as_str).zip(&tensors).collect();
    g.plan(&[device])?.run(&inputs)?[0].to_vec::<U>()
}

fn none() -> Attributes {
    Attributes::default()
}

#[test]
fn arithmetic_broadcasts_over_every_merge_dtype() {
    fn check<T: Element + From<u8>>() {
        let n = |v: &[u8]| v.iter().map(|&x| T::from(x)).collect::<Vec<T>>();
        let (a, b) = (n(&[6, 8, 10, 12]), n(&[2, 4]));
        for (operator, expected) in [
            ("add", [8, 12, 12, 16]),
            ("sub", [4, 4, 8, 8]),
            ("mul", [12, 32, 20, 48]),
            ("div", [3, 2, 5, 3]),
            ("min", [2, 4, 2, 4]),
            ("max", [6, 8, 10, 12]),
        ] {
            let y = run::<T, T>(operator, &[(&[2, 2], &a), (&[2], &b)], none()).unwrap();
            assert_eq!(y, n(&expected), "{operator} of {}", T::DTYPE);
        }
    }
    check::<f32>();
    check::<f64>();
    check::<u32>();
    check::<u64>();
    let a = [6_i32, -8];
    assert_eq!(run::<i32, i32>("max", &[(&[2], &a), (&[], &[0])], none()).unwrap(), [6, 0]);
    assert_eq!(run::<i32, i32>("neg", &[(&[2], &a)], none()).unwrap(), [-6, 8]);
    let a = [6_i64, -8];
    assert_eq!(run::<i64, i64>("add", &[(&[2], &a), (&[], &[1])], none()).unwrap(), [7, -7]);
}

#[test]
fn functions_of_one_element_have_their_values() {
    let x = [-2.0_f64, 0.0, 0.5, 4.0];
    for (operator, function) in [
        ("relu", (|x| x.max(0.0)) as fn(f64) -> f64),
        ("exp", f64::exp),
        ("tanh", f64::tanh),
        ("neg", |x| -x),
    ] {
        let y = run::<f64, f64>(operator, &[(&[4], &x)], none()).unwrap();
        for (y, x) in y.iter().zip(x) {
            assert!((y - function(x)).abs() < 1e-14, "{operator}({x}) = {y}");
        }
    }
    assert_eq!(run::<f32, f32>("sqrt", &[(&[2], &[4.0, 2.25])], none()).unwrap(), [2.0, 1.5]);
    assert_eq!(run::<f32, f32>("ln", &[(&[1], &[1.0])], none()).unwrap(), [0.0]);
    assert!(run::<f32, f32>("relu", &[(&[1], &[f32::NAN])], none()).unwrap()[0].is_nan());
}

#[test]
fn sums_reduce_any_dimension() {
    let x: Vec<f32> = (0..24).map(|i| i as f32).collect();
    let sum = |operator, axis: usize| {
        run::<f32, f32>(operator, &[(&[2, 3, 4], &x)], [("axis", axis)]).unwrap()
    };
    assert_eq!(sum("sum", 0), (0..12).map(|i| (2 * i + 12) as f32).collect::<Vec<_>>());
    assert_eq!(sum("sum", 1), [12.0, 15.0, 18.0, 21.0, 48.0, 51.0, 54.0, 57.0]);
    assert_eq!(sum("sum", 2), [6.0, 22.0, 38.0, 54.0, 70.0, 86.0]);
    assert_eq!(sum("sum_keep", 2), sum("sum", 2));
    let all = |operator| run::<f32, f32>(operator, &[(&[2, 3, 4], &x)], none()).unwrap();
    assert_eq!(all("sum_all"), [276.0]);
    assert_eq!(all("mean_all"), [11.5]);
}

#[test]
fn matrices_multiply_and_transpose() {
    let (a, b) = ([1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0_f32, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let product = [4.0, 5.0, 10.0, 11.0];
    let two = |operator, da: &[usize], a: &[f32], db: &[usize], b: &[f32]| {
        run::<f32, f32>(operator, &[(da, a), (db, b)], none()).unwrap()
    };
    assert_eq!(two("matmul", &[2, 3], &a, &[3, 2], &b), product);
    let at = run::<f32, f32>("transpose", &[(&[2, 3], &a)], none()).unwrap();
    assert_eq!(at, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let bt = run::<f32, f32>("transpose", &[(&[3, 2], &b)], none()).unwrap();
    assert_eq!(two("matmul_tn", &[3, 2], &at, &[3, 2], &b), product);
    assert_eq!(two("matmul_nt", &[2, 3], &a, &[2, 3], &bt), product);
    assert_eq!(two("expand", &[1, 2], &[1.0, 2.0], &[2, 2], &[0.0; 4]), [1.0, 2.0, 1.0, 2.0]);
}

#[test]
fn classification_is_stable_and_its_labels_are_checked() {
    let x = [1000.0_f32, 1000.0, -1000.0, 0.0, 1.0, 0.0];
    let y = run::<f32, f32>("softmax", &[(&[2, 3], &x)], none()).unwrap();
    assert_eq!(y[..3], [0.5, 0.5, 0.0]);
    assert!((y[3..].iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert_eq!(run::<f32, i32>("argmax", &[(&[2, 3], &x)], axis_1()).unwrap(), [0, 1]);
    let loss = |label: i32| -> Result<Vec<f32>> {
        let device = cpu();
        let mut g = graph();
        let (scores, labels) = (g.input("x", F32, &[2, 3])?, g.input("labels", I32, &[2])?);
        let loss = g.apply("cross_entropy", &[scores, labels])?;
        g.output("loss", loss)?;
        let (x, labels) = (tensor(&device, &[2, 3], &x), tensor(&device, &[2], &[1, label]));
        g.plan(&[device])?.run(&[("x", &x), ("labels", &labels)])?[0].to_vec()
    };
    let good = loss(1).unwrap();
    assert!((good[0] - 2.0_f32.ln()).abs() < 1e-6 && good[1] > 0.0, "{good:?}");
    for label in [3, -1] {
        let error = loss(label).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfBounds, "{error}");
        assert!(error.to_string().contains("cross_entropy"), "{error}");
    }
}

#[test]
fn the_log_of_a_sum_takes_infinities_and_empty_rows() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let x = [-inf, -inf, inf, 1.0, 0.0, -inf, nan, 1.0];
    let y = run::<f32, f32>("log_sum_exp", &[(&[4, 2], &x)], none()).unwrap();
    assert_eq!(y[..3], [-inf, inf, 0.0]);
    assert!(y[3].is_nan());
    let empty = run::<f32, f32>("log_sum_exp", &[(&[2, 0], &[])], none()).unwrap();
    assert_eq!(empty, [-inf; 2]);
}

#[test]
fn choices_comparisons_and_updates_have_their_values() {
    let a = [1.0_f32, 2.0, 3.0];
    let b = [2.0_f32, 2.0, 2.0];
    let pairs: [(&[usize], &[f32]); 4] = [(&[3], &a), (&[3], &b), (&[], &[10.0]), (&[3], &b)];
    assert_eq!(run::<f32, f32>("if_less", &pairs, none()).unwrap(), [10.0, 2.0, 2.0]);
    assert_eq!(run::<f32, bool>("equal", &pairs[..2], none()).unwrap(), [false, true, false]);
    let step = [(&[3][..], &a[..]), (&[3], &b), (&[], &[0.5])];
    assert_eq!(run::<f32, f32>("sgd", &step, none()).unwrap(), [0.0, 1.0, 2.0]);
}

#[test]
fn a_gradient_passes_a_mask_and_ends_at_truth_values() {
    let mut g = graph();
    let x = g.input("x", F32, &[3]).unwrap();
    let limit = g.constant(&[], &[2.5_f32]).unwrap();
    let below = g.apply("less", &[x, limit]).unwrap();
    let mask = g.apply("to_f32", &[below]).unwrap();
    let kept = g.apply("mul", &[x, mask]).unwrap();
    let loss = g.apply("sum_all", &[kept]).unwrap();
    let gradient = g.gradient(loss, &[x]).unwrap()[0];
    g.output("d", gradient).unwrap();
    let device = cpu();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let x = tensor(&device, &[3], &[1.0_f32, 2.0, 3.0]);
    let results = plan.run(&[("x", &x)]).unwrap();
    assert_eq!(results[0].to_vec::<f32>().unwrap(), [1.0, 1.0, 0.0]);
}

#[test]
fn operators_take_tensors_without_elements() {
    let empty: (&[usize], &[f32]) = (&[0, 3], &[]);
    assert!(run::<f32, f32>("add", &[empty, (&[3], &[0.0; 3])], none()).unwrap().is_empty());
    let product = run::<f32, f32>("matmul", &[empty, (&[3, 2], &[0.0; 6])], none());
    assert!(product.unwrap().is_empty());
    let inner = run::<f32, f32>("matmul", &[(&[2, 0], &[]), empty], none());
    assert_eq!(inner.unwrap(), [0.0; 6]);
    assert_eq!(run::<f32, f32>("sum", &[empty], [("axis", 0_usize)]).unwrap(), [0.0; 3]);
    assert_eq!(run::<f32, f32>("sum_all", &[empty], none()).unwrap(), [0.0]);
    assert!(run::<f32, f32>("mean_all", &[empty], none()).unwrap()[0].is_nan());
    assert!(run::<f32, f32>("softmax", &[empty], none()).unwrap().is_empty());
    assert!(run::<f32, i32>("argmax", &[empty], axis_1()).unwrap().is_empty());
    let image: (&[usize], &[f32]) = (&[0, 1, 3, 3], &[]);
    let moved = [image, (&[1, 1, 2, 2], &[0.0; 4]), (&[0, 8, 2, 2], &[])];
    assert!(run::<f32, f32>("deform_convolve", &moved, none()).unwrap().is_empty());
}

#[test]
fn every_operator_has_a_kernel_on_the_cpu_for_each_dtype_of_its_kind() {
    let g = graph();
    for entry in ringwood_kernels::ENTRIES {
        if let Some(operator) = entry.declared::<Operator>() {
            for &KernelName { package, name } in operator.kernels {
                let kernel = find_exact(g.registry().unwrap(), package, name, "cpu").unwrap();
                assert!(kernel.instances.iter().all(|i| i.native.is_some()), "{name}");
            }
        }
    }
}

pub(crate) fn axis_1() -> Attributes {
    [("axis", 1_usize)].into()
}

#[test]
fn remainders_of_large_numbers_have_the_sign_of_the_divisor() {
    let (a, b): ([i8; 6], [i8; 6]) =
        ([100, -100, 100, -100, -128, 0], [127, 127, -127, -127, 127, 5]);
    let pairs: [(&[usize], &[i8]); 2] = [(&[6], &a), (&[6], &b)];
    assert_eq!(run::<i8, i8>("modulo", &pairs, none()).unwrap(), [100, 27, -27, -100, 126, 0]);
    let pairs: [(&[usize], &[i32]); 2] = [(&[], &[2_000_000_000]), (&[], &[i32::MAX])];
    assert_eq!(run::<i32, i32>("modulo", &pairs, none()).unwrap(), [2_000_000_000]);
}

#[test]
fn operands_of_several_types_have_their_values() {
    let mut g = graph();
    let whole = [g.constant(&[], &[3_i64]).unwrap(), g.constant(&[], &[20.0_f32]).unwrap()];
    let power = g.apply("power", &whole).unwrap();
    g.output("power", power).unwrap();
    let (one, zero) = (g.constant(&[], &[1.0_f32]).unwrap(), g.constant(&[], &[0_u8]).unwrap());
    let numbers = g.constant(&[2, 2], &[2_u8, 4, 6, 8]).unwrap();
    let scales = g.constant(&[2], &[0.5_f32, 1.0]).unwrap();
    let zeros = g.constant(&[2], &[0_u8, 0]).unwrap();
    let unit = g.constant(&[2, 2], &[1_u8, 0, 0, 1]).unwrap();
    let operands = [numbers, scales, zeros, unit, one, zero, one, zero];
    let product = g.apply("quantized_matmul", &operands).unwrap();
    g.output("product", product).unwrap();
    let outputs = g.plan(&[cpu()]).unwrap().run(&[]).unwrap();
    assert_eq!(outputs[0].to_vec::<i64>().unwrap(), [3_486_784_401]);
    assert_eq!(outputs[1].to_vec::<u8>().unwrap(), [1, 2, 6, 8]);
}

#[test]
fn inverses_of_hyperbolic_functions_hold_at_the_ends_of_their_range() {
    let near = |name: &str, x: &[f32], inverse: fn(f64) -> f64| {
        let y = run::<f32, f32>(name, &[(&[x.len()], x)], none()).unwrap();
        for (x, y) in x.iter().zip(y) {
            let exact = inverse(f64::from(*x));
            assert!((f64::from(y) - exact).abs() <= exact.abs() * 1e-6, "{name} of {x}: {y}");
        }
    };
    near("asinh", &[1e30, -1e30, 1e-30, -0.5, 0.0], f64::asinh);
    near("acosh", &[1e30, 1.000_001, 1.0], f64::acosh);
    near("atanh", &[1e-30, 0.999_999, -0.5], f64::atanh);
}

#[test]
fn an_index_that_needs_more_than_32_bits_is_outside() {
    let rows: Vec<_> = (0..4).map(|i| i as f32).collect();
    let take = |known: bool, index: i64| {
        let (device, mut g) = (cpu(), graph());
        let x = g.constant(&[4], &rows)?;
        let at = if known { g.constant(&[1], &[index])? } else { g.input("at", I64, &[1])? };
        let y = g.apply("take", &[x, at])?;
        g.output("y", y)?;
        let at = tensor(&device, &[1], &[index]);
        let given = if known { vec![] } else { vec![("at", &at)] };
        g.plan(&[device])?.run(&given)?[0].to_vec::<f32>()
    };
    for known in [false, true] {
        assert_eq!(take(known, -1).unwrap(), [3.0]);
        for outside in [1 << 32, (1 << 32) + 1, -(1 << 32), -5, 4, i64::MIN] {
            let kind = take(known, outside).unwrap_err().kind();
            assert_eq!(kind, ErrorKind::OutOfBounds, "{outside}");
        }
    }
}

#[test]
fn rows_whose_positions_need_more_than_32_bits_are_not_added() {
    let mut g = graph();
    let x = g.input("x", F32, &[1 << 31, 1]).unwrap();
    let index = g.input("index", I32, &[1 << 31]).unwrap();
    let error = g.apply_with("scatter_add", &[x, index], [("v", 2_usize)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn each_matrix_of_integers_may_have_zero_points_of_its_own() {
    let mut g = graph();
    let a = g.constant(&[2, 2, 1], &[10_u8, 20, 30, 40]).unwrap();
    let zeros = g.constant(&[2, 2, 1], &[1_u8, 2, 3, 4]).unwrap();
    let b = g.constant(&[1, 1], &[2_u8]).unwrap();
    let zero = g.constant(&[], &[0_u8]).unwrap();
    let y = g.apply("shifted_matmul", &[a, b, zeros, zero]).unwrap();
    g.output("y", y).unwrap();
    let outputs = g.plan(&[cpu()]).unwrap().run(&[]).unwrap();
    assert_eq!(outputs[0].to_vec::<i32>().unwrap(), [18, 36, 54, 72]);
}

#[test]
fn a_slice_backwards_starts_inside() {
    let slice = |extent: usize, start: i64, end: i64, step: i64| {
        let mut g = graph();
        let elements: Vec<_> = (0..extent).map(|i| i as f32).collect();
        let x = g.constant(&[extent], &elements).unwrap();
        let part = [start, end, 0, step].map(|number| g.constant(&[1], &[number]).unwrap());
        let y = g.apply("strided_slice", &[&[x][..], &part].concat()).unwrap();
        g.output("y", y).unwrap();
        g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0].to_vec::<f32>().unwrap()
    };
    assert_eq!(slice(4, -1, -9, -2), [3.0, 1.0]);
    assert_eq!(slice(4, 9, 1, -1), [3.0, 2.0]);
    // As ONNX has it; Python's slices would be empty.
    assert_eq!(slice(4, -9, -9, -1), [0.0]);
    assert_eq!(slice(4, 1, 1, -1), [0.0; 0]);
    assert_eq!(slice(0, -1, -9, -1), [0.0; 0]);
}

#[test]
fn words_and_sizes_that_are_none_are_refused() {
    let pad = |mode: &str, count: i64| {
        let mut g = graph();
        let (x, pads) = (g.constant(&[2], &[1.0_f32; 2])?, g.constant(&[2], &[count, 0])?);
        g.apply_with("pad", &[x, pads], [("mode", mode)])
    };
    pad("wrap", 3).unwrap();
    let error = pad("mirror", 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let words = "`mode` is `mirror`, and none of constant, edge, reflect, wrap";
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(pad("edge", 1 << 40).unwrap_err().kind(), ErrorKind::Unsupported);
    let mut g = graph();
    let large = g.input("large", F32, &[1 << 20, 1 << 20]).unwrap();
    assert_eq!(g.apply("eye_like", &[large]).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_nan_among_numbers_stays_one() {
    let nan = f32::NAN;
    let (a, b) = ([nan, -1.0, 2.0, 3.0], [1.0, nan, 4.0, -4.0]);
    let values: [(&[usize], &[f32]); 2] = [(&[4], &a), (&[4], &b)];
    let bits = |y: Vec<f32>| -> Vec<u32> {
        y.iter().map(|y| if y.is_nan() { nan } else { *y }.to_bits()).collect()
    };
    let same = |operator: &str, operands: usize, expected: [f32; 4], attributes: Attributes| {
        let y = run::<f32, f32>(operator, &values[..operands], attributes).unwrap();
        let [y, expected]: [Vec<u32>; 2] = [y, expected.to_vec()].map(bits);
        assert_eq!(y, expected, "{operator}");
    };
    same("max_of", 2, [nan, nan, 4.0, 3.0], none());
    same("min_of", 2, [nan, nan, 2.0, -4.0], none());
    same("sign", 1, [nan, -1.0, 1.0, 1.0], none());
    same("clip", 1, [nan, 0.0, 2.0, 2.5], [("min", 0.0_f32), ("max", 2.5)].into());
    // A long row is reduced by the other kernel.
    let mut long = [1.0_f32; 200];
    long[150] = nan;
    for (x, place) in [(&b[..], 1), (&long, 150)] {
        let x: [(&[usize], &[f32]); 1] = [(&[x.len()], x)];
        for reduced in ["reduce_max", "reduce_min"] {
            let y = run::<f32, f32>(reduced, &x, none()).unwrap();
            assert!(y[0].is_nan(), "{reduced}: {y:?}");
        }
        for arg in ["arg_largest", "arg_smallest"] {
            assert_eq!(run::<f32, i64>(arg, &x, none()).unwrap(), [place], "{arg}");
        }
        let y = run::<f32, f32>("hardmax_along", &x, none()).unwrap();
        assert_eq!(y.iter().position(|y| *y == 1.0), Some(place as usize));
    }
}

#[test]
fn what_counts_for_nothing_in_a_product_may_be_infinite() {
    let x: [(&[usize], &[f32]); 3] =
        [(&[1, 1], &[2.0]), (&[1, 1], &[3.0]), (&[1], &[f32::INFINITY])];
    let y = run::<f32, f32>("gemm", &x, [("beta", 0.0_f32)]).unwrap();
    assert_eq!(y, [6.0]);
}

#[test]
fn normalised_rows_are_of_the_type_of_their_scales() {
    let mut g = graph();
    let x = g.constant(&[1, 2], &[half::f16::ONE; 2]).unwrap();
    let scale = g.constant(&[2], &[1.0001_f32; 2]).unwrap();
    let attributes = [("epsilon", 0.0_f32)];
    let y = g.apply_with("rms_norm_from", &[x, scale], attributes).unwrap();
    g.output("y", y).unwrap();
    let y = &g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0];
    assert_eq!(y.to_vec::<f32>().unwrap(), [1.0001; 2]);
}

#[test]
fn integers_shrink_by_numbers_that_need_not_be_whole() {
    let x: [(&[usize], &[i32]); 1] = [(&[4], &[-3, 2, 1, i32::MAX])];
    let shrunk =
        |bias: f32| run::<i32, i32>("shrink", &x, [("lambd", 1.5_f32), ("bias", bias)]).unwrap();
    assert_eq!(shrunk(0.5), [-2, 1, 0, i32::MAX - 1]);
    assert_eq!(shrunk(1.0), [-2, 1, 0, i32::MAX - 1]);
    let given = [("lambd", 1.5_f32), ("bias", 1.0)];
    assert_eq!(run::<u8, u8>("shrink", &[(&[2], &[5, 1])], given).unwrap(), [4, 0]);
}

/// Attention of queries and keys that are all alike: each query has the mean of the values that it sees.
fn attended(
    rows: usize,
    mask: Option<&[f32]>,
    length: Option<i64>,
    attributes: &[(&str, i64)],
) -> Vec<f32> {
    let mut g = graph();
    let q = g.constant(&[1, 1, rows, 1], &vec![1.0_f32; rows]).unwrap();
    let k = g.constant(&[1, 1, 4, 1], &[1.0_f32; 4]).unwrap();
    let values = g.constant(&[1, 1, 4, 1], &[1.0_f32, 2.0, 4.0, 8.0]).unwrap();
    let (mut operands, mut absent) = (vec![q, k, values], vec![]);
    match mask {
        Some(mask) => operands.push(g.constant(&[rows, 4], mask).unwrap()),
        None => absent.push(3),
    }
    absent.extend([4, 5]);
    if let Some(length) = length {
        operands.push(g.constant(&[1], &[length]).unwrap());
    }
    let mut all = vec![("absent", Attribute::from(absent))];
    all.extend(attributes.iter().map(|(name, value)| match *name {
        "is_causal" => (*name, Attribute::from(*value == 1)),
        _ => (*name, Attribute::from(*value)),
    }));
    let y = g.apply_all("attention", &operands, Attributes::from_iter(all)).unwrap()[0];
    g.output("y", y).unwrap();
    g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0].to_vec().unwrap()
}

#[test]
fn queries_see_the_keys_of_their_window_and_length() {
    let never = f32::NEG_INFINITY;
    let mask = [0.0, 0.0, never, never, never, never, never, never];
    assert_eq!(attended(2, Some(&mask), None, &[]), [1.5, 0.0]);
    let third = 7.0_f32 / 3.0;
    let causal = attended(4, None, None, &[("is_causal", 1)]);
    assert_eq!([causal[0], causal[1], causal[3]], [1.0, 1.5, 3.75]);
    assert!((causal[2] - third).abs() < 1e-6);
    let left = [("left_window_size", 1), ("is_causal", 1)];
    assert_eq!(attended(4, None, None, &left), [1.0, 1.5, 3.0, 6.0]);
    let both = [("left_window_size", 0), ("right_window_size", 1)];
    assert_eq!(attended(4, None, None, &both), [1.5, 3.0, 6.0, 8.0]);
    let unbounded = [("left_window_size", i64::MAX), ("right_window_size", i64::MAX)];
    assert_eq!(attended(4, None, None, &unbounded), [3.75; 4]);
    // The last query is that of the last key that counts.
    let last = attended(2, None, Some(3), &[("is_causal", 1)]);
    assert!(last[0] == 1.5 && (last[1] - third).abs() < 1e-6, "{last:?}");
    assert_eq!(attended(2, None, Some(1), &[("is_causal", 1)]), [0.0, 1.0]);
    // The fifth query is past the last key.
    assert_eq!(attended(5, None, None, &[("left_window_size", 0)])[3..], [8.0, 0.0]);
}

#[test]
fn a_query_without_keys_has_the_sum_of_nothing() {
    let [q, k, mask] = [[1, 1, 1, 4], [1, 1, 0, 4], [1, 1, 1, 0]].map(|s| Lazy::zeros(F32, &s));
    let length = Lazy::new(&[1], &[0_i64]);
    let of = |operands: &[&Lazy], absent: &[i64]| {
        let absent = [("absent", absent.to_vec())];
        Lazy::apply_all("attention", operands, absent).unwrap()[0].to_vec::<f32>().unwrap()
    };
    assert_eq!(of(&[&q, &k, &k], &[]), [0.0; 4]);
    assert_eq!(of(&[&q, &k, &k, &mask], &[]), [0.0; 4]);
    assert_eq!(of(&[&q, &k, &k, &mask.cast(Bool)], &[]), [0.0; 4]);
    assert_eq!(of(&[&q, &k, &k, &length], &[3, 4, 5]), [0.0; 4]);
}

#[test]
fn a_nan_among_scores_stays_one_beside_a_mask() {
    let q = Lazy::new(&[1, 1, 3, 1], &[f32::NAN, 1.0, f32::NAN]);
    let k = Lazy::new(&[1, 1, 2, 1], &[1.0_f32; 2]);
    let values = Lazy::new(&[1, 1, 2, 1], &[2.0_f32, 4.0]);
    let seen = Lazy::new(&[3, 2], &[true, false, true, true, false, false]);
    let y = Lazy::apply_all("attention", &[&q, &k, &values, &seen], ()).unwrap();
    let y = y[0].to_vec::<f32>().unwrap();
    assert!(y[0].is_nan() && y[1..] == [3.0, 0.0], "{y:?}");
}

#[test]
fn a_step_of_f64_takes_a_rate_of_f32() {
    let (rate, step) = (Lazy::scalar(0.5_f32), Lazy::scalar(0_i64));
    let [x, g, zero] = [1.0, 1.0, 0.0].map(|x| Lazy::full(&[1], x));
    for (operator, operands, expected) in [
        ("adagrad", vec![&x, &g, &zero], 0.5),
        ("adam", vec![&x, &g, &zero, &zero], 1.0 - 0.5 * 0.1 / 0.001_f64.sqrt()),
        ("momentum", vec![&x, &g, &zero], 0.5),
    ] {
        let count = [("results", operands.len() - 1)];
        let operands = [&[&rate, &step], &operands[..]].concat();
        let y = Lazy::apply_all(operator, &operands, count).unwrap()[0].item::<f64>().unwrap();
        assert!((y - expected).abs() < 1e-4, "{operator}: {y}");
    }
}

#[test]
fn a_window_of_one_number_is_its_middle() {
    for operator in ["hann_window", "hamming_window", "blackman_window"] {
        let window = |size: i64| {
            let y = Lazy::scalar(size).apply(operator, &[], [("periodic", false)]);
            y.to_vec::<f32>().unwrap()
        };
        assert_eq!(window(1), [1.0], "{operator}");
        assert!((window(3)[1] - 1.0).abs() < 1e-6, "{operator}");
    }
}
