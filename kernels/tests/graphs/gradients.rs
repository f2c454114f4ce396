//! Gradients of the operators, against finite differences.

use crate::operators::axis_1;
use crate::support::{cpu, graph, labels, random, tensor};
use ringwood_base::DType::F64;
use ringwood_base::Result;
use ringwood_device::device::Tensor;
use ringwood_graph::graph::{Attribute, Attributes, Graph, Value};
use ringwood_graph::operator::Operator;
use std::collections::BTreeSet;

/// A graph whose gradient is checked: operands of an operator, all of dtype `f64`.
pub(crate) struct Case {
    pub(crate) operator: &'static str,
    pub(crate) dims: &'static [&'static [usize]],
    pub(crate) attributes: fn() -> Attributes,
    /// Moves the operands into the domain of the operator.
    pub(crate) shift: f64,
    pub(crate) labels: bool,
}

const fn case(operator: &'static str, dims: &'static [&'static [usize]]) -> Case {
    Case { operator, dims, attributes: Attributes::default, shift: 0.0, labels: false }
}

pub(crate) const CASES: &[Case] = &[
    case("add", &[&[2, 3], &[3]]),
    case("sub", &[&[2, 1], &[2, 3]]),
    case("mul", &[&[2, 3], &[]]),
    Case { shift: 3.0, ..case("div", &[&[2, 3], &[2, 1]]) },
    case("min", &[&[2, 3], &[3]]),
    case("max", &[&[2, 3], &[2, 3]]),
    case("neg", &[&[4]]),
    case("relu", &[&[8]]),
    case("exp", &[&[4]]),
    Case { shift: 3.0, ..case("ln", &[&[4]]) },
    case("tanh", &[&[4]]),
    Case { shift: 3.0, ..case("sqrt", &[&[4]]) },
    case("if_less", &[&[4], &[4], &[4], &[1]]),
    case("expand", &[&[3, 1], &[2, 3, 4]]),
    case("transpose", &[&[2, 3]]),
    Case { attributes: six, ..case("reshape", &[&[2, 3]]) },
    Case { attributes: turned, ..case("permute", &[&[2, 3, 2]]) },
    Case { attributes: twice, ..case("broadcast_to", &[&[1, 3]]) },
    Case { attributes: every_other, ..case("slice", &[&[2, 5, 2]]) },
    Case { attributes: spread_to_5, ..case("slice_grad", &[&[2, 2, 2]]) },
    Case { attributes: four_along_1, ..case("join", &[&[2, 3, 2], &[2, 1, 2]]) },
    Case { attributes: axis_1, ..case("sum", &[&[2, 3, 2]]) },
    Case { attributes: axis_1, ..case("sum_keep", &[&[2, 3, 2]]) },
    case("sum_all", &[&[2, 3]]),
    case("mean_all", &[&[2, 3]]),
    case("matmul", &[&[2, 3], &[3, 4]]),
    case("matmul_batch", &[&[2, 2, 2, 3], &[2, 2, 3, 4]]),
    case("matmul_tn", &[&[3, 2], &[3, 4]]),
    case("matmul_nt", &[&[2, 3], &[4, 3]]),
    Case { attributes: axis_1, ..case("largest", &[&[2, 3, 2]]) },
    Case { attributes: axis_1, ..case("smallest", &[&[2, 130]]) },
    case("softmax", &[&[3, 4]]),
    case("softmax", &[&[2, 130]]),
    case("log_softmax", &[&[3, 4]]),
    case("log_softmax", &[&[2, 130]]),
    case("log_sum_exp", &[&[3, 4]]),
    case("log_sum_exp", &[&[2, 130]]),
    Case { labels: true, ..case("cross_entropy", &[&[3, 4]]) },
    Case { labels: true, ..case("cross_entropy", &[&[2, 130]]) },
    case("sin", &[&[4]]),
    case("cos", &[&[4]]),
    case("abs", &[&[8]]),
    case("clamp", &[&[2, 8], &[8], &[]]),
    case("sigmoid", &[&[4]]),
    case("silu", &[&[4]]),
    case("gelu", &[&[4]]),
    case("gelu_tanh", &[&[4]]),
    Case { attributes: axis_1, ..case("mean", &[&[2, 3, 2]]) },
    Case { attributes: axis_1, ..case("mean", &[&[2, 130]]) },
    Case { attributes: totals_back, ..case("cumsum", &[&[2, 3, 2]]) },
    Case { attributes: axis_1, ..case("take_along", &[&[2, 3, 2]]) },
    case("copy", &[&[2, 3]]),
    case("exp2", &[&[4]]),
    case("exp_m1", &[&[4]]),
    Case { shift: 3.0, ..case("log2", &[&[4]]) },
    Case { shift: 3.0, ..case("log10", &[&[4]]) },
    case("ln_1p", &[&[4]]),
    case("tan", &[&[4]]),
    case("sinh", &[&[4]]),
    case("cosh", &[&[4]]),
    case("asin", &[&[4]]),
    case("acos", &[&[4]]),
    case("atan", &[&[4]]),
    case("asinh", &[&[4]]),
    Case { shift: 3.0, ..case("acosh", &[&[4]]) },
    case("atanh", &[&[4]]),
    Case { shift: 3.0, ..case("cbrt", &[&[4]]) },
    case("erf", &[&[4]]),
    case("erfc", &[&[4]]),
    Case { shift: 3.0, ..case("rsqrt", &[&[4]]) },
    Case { shift: 3.0, ..case("recip", &[&[4]]) },
    Case { shift: 3.0, ..case("powf", &[&[2, 3], &[3]]) },
    case("atan2", &[&[4], &[4]]),
    Case { shift: 2.5, ..case("rem", &[&[4], &[4]]) },
    case("select", &[&[2, 3], &[3]]),
    Case { attributes: small, ..case("layer_norm", &[&[3, 4], &[4], &[4]]) },
    Case { attributes: small, ..case("layer_norm", &[&[2, 130], &[130], &[130]]) },
    Case { attributes: small, ..case("rms_norm", &[&[3, 4], &[4]]) },
    Case { attributes: small, ..case("rms_norm", &[&[2, 130], &[130]]) },
    Case { attributes: pool, ..case("max_pool", &[&[2, 2, 5, 4]]) },
    Case { attributes: overlapping, ..case("max_pool", &[&[1, 2, 5, 4]]) },
    Case { attributes: pool, ..case("mean_pool", &[&[2, 2, 5, 4]]) },
    Case { attributes: overlapping, ..case("mean_pool", &[&[1, 2, 5, 4]]) },
    Case { labels: true, ..case("gather", &[&[4, 4]]) },
    Case { labels: true, attributes: five_rows, ..case("scatter_add", &[&[4, 3]]) },
    Case { attributes: axis_1, ..case("product", &[&[2, 3, 2]]) },
    Case { attributes: added, ..case("put_along", &[&[2, 3, 2], &[2, 4, 2]]) },
    Case { attributes: convolved, ..case("convolve", &[&[2, 4, 5, 4], &[6, 2, 3, 2]]) },
    Case { attributes: line, ..case("convolve", &[&[3, 2, 7], &[2, 2, 3]]) },
    Case { attributes: transposed, ..case("convolve_transposed", &[&[2, 4, 3, 2], &[4, 3, 2, 3]]) },
    Case { attributes: windows, ..case("window_max", &[&[2, 2, 2, 4, 5]]) },
    Case { attributes: windows, ..case("window_sum", &[&[2, 2, 2, 4, 5]]) },
    Case { attributes: one_window, ..case("window_sum", &[&[2, 2, 2, 3, 4]]) },
    case("batched_matmul", &[&[2, 1, 2, 3], &[3, 3, 2]]),
    Case { attributes: last, ..case("concat", &[&[2, 3], &[2, 1], &[2, 2]]) },
    Case { attributes: attended, ..case("einsum", &[&[2, 3, 4], &[2, 5, 4]]) },
    case("attention", &[&[2, 3, 4], &[2, 5, 4], &[2, 5, 3]]),
    case("batch_norm", &[&[3, 2, 2, 2], &[2, 1, 1], &[2, 1, 1]]),
];

/// Functions of several operators, by the names of their cases.
fn composed(g: &mut Graph, name: &str, x: &[Value]) -> Option<Result<Value>> {
    match name {
        "attention" => Some(attention(g, x)),
        "batch_norm" => Some(batch_norm(g, x)),
        _ => None,
    }
}

/// `softmax(q kᵀ / 2) v`
fn attention(g: &mut Graph, x: &[Value]) -> Result<Value> {
    let keys = g.apply_with("permute", &[x[1]], [("axes", vec![0_i64, 2, 1])])?;
    let scores = g.apply("batched_matmul", &[x[0], keys])?;
    let half = g.constant(&[], &[0.5_f64])?;
    let scores = g.apply("mul", &[scores, half])?;
    let shares = g.apply("softmax", &[scores])?;
    g.apply("batched_matmul", &[shares, x[2]])
}

/// Channels less their mean, divided by their deviation, times a weight, plus a bias.
fn batch_norm(g: &mut Graph, x: &[Value]) -> Result<Value> {
    let mean = |g: &mut Graph, x| -> Result<Value> {
        let sum = [0, 2, 3]
            .into_iter()
            .try_fold(x, |x, axis: usize| g.apply_with("sum_keep", &[x], [("axis", axis)]))?;
        let count = g.constant(&[], &[12.0_f64])?;
        g.apply("div", &[sum, count])
    };
    let average = mean(g, x[0])?;
    let centred = g.apply("sub", &[x[0], average])?;
    let square = g.apply("mul", &[centred, centred])?;
    let (variance, epsilon) = (mean(g, square)?, g.constant(&[], &[0.01_f64])?);
    let variance = g.apply("add", &[variance, epsilon])?;
    let scale = g.apply("rsqrt", &[variance])?;
    let scaled = g.apply("mul", &[centred, scale])?;
    let weighted = g.apply("mul", &[scaled, x[1]])?;
    g.apply("add", &[weighted, x[2]])
}

fn lists<const N: usize>(lists: [(&str, &[i64]); N]) -> Vec<(String, Attribute)> {
    lists.map(|(name, list)| (name.to_owned(), list.to_vec().into())).into()
}

/// Two groups; along the last dimension, windows reach over the image on one side.
fn convolved() -> Attributes {
    let pads: &[i64] = &[1, 0, 0, 1];
    lists([("strides", &[2, 1]), ("pads", pads), ("dilations", &[1, 2])]).into_iter().collect()
}

fn line() -> Attributes {
    lists([("strides", &[1]), ("pads", &[1, 1]), ("dilations", &[1])]).into_iter().collect()
}

/// Two groups.
fn transposed() -> Attributes {
    let mut all = lists([
        ("strides", &[2, 3]),
        ("pads", &[1, 0, 0, 1]),
        ("dilations", &[1, 2]),
        ("output_padding", &[1, 0]),
    ]);
    all.push(("group".into(), 2_usize.into()));
    all.into_iter().collect()
}

/// Windows that overlap, have gaps and reach beyond the image.
fn windows() -> Attributes {
    let axes = [
        ("p", "i", "stride_p", "padding_d", "dilation_i", [1, 2, 1, 0, 1]),
        ("q", "j", "stride_q", "padding_h", "dilation_j", [3, 2, 2, 1, 2]),
        ("r", "k", "stride_r", "padding_w", "dilation_k", [5, 3, 1, 1, 1]),
    ];
    let numbers =
        axes.into_iter().flat_map(|(a, b, c, d, e, n)| [a, b, c, d, e].into_iter().zip(n));
    numbers.map(|(name, n): (_, usize)| (name, n.into())).collect()
}

/// A window that reaches over the whole image.
fn one_window() -> Attributes {
    let ones = ["p", "q", "r", "stride_p", "stride_q", "stride_r"].map(|name| (name, 1));
    let zeros = ["padding_d", "padding_h", "padding_w"].map(|name| (name, 0));
    let dilations = ["dilation_i", "dilation_j", "dilation_k"].map(|name| (name, 1));
    let sizes = [("i", 2), ("j", 3), ("k", 5)];
    let all = ones.into_iter().chain(zeros).chain(dilations).chain(sizes);
    all.map(|(name, n): (_, usize)| (name.to_owned(), Attribute::from(n))).collect()
}

fn added() -> Attributes {
    [("axis", 1_usize), ("how", 1)].into()
}

fn last() -> Attributes {
    [("axis", -1_i64)].into()
}

fn attended() -> Attributes {
    [("equation", "bqd,bkd->bqk")].into()
}

fn small() -> Attributes {
    [("epsilon", 0.01_f32)].into()
}

/// Windows of 2 by 2, of which the lowest lie half outside of 5 rows.
fn pool() -> Attributes {
    [("p", 3_usize), ("q", 2), ("window", 2), ("stride", 2)].into()
}

fn overlapping() -> Attributes {
    [("p", 3_usize), ("q", 2), ("window", 3), ("stride", 1)].into()
}

fn five_rows() -> Attributes {
    [("v", 5_usize)].into()
}

/// `sum(tanh(f(x) * w))` with random weights `w`: a loss to which every element of `f` counts.
fn loss(g: &mut Graph, case: &Case) -> Result<(Value, Vec<Value>)> {
    let mut values = Vec::new();
    for (i, dims) in case.dims.iter().enumerate() {
        values.push(g.input(&format!("x{i}"), F64, dims)?);
    }
    let mut operands = values.clone();
    if case.operator == "select" {
        operands.insert(0, g.constant(&[2, 1], &[true, false])?);
    }
    if ["take_along", "put_along"].contains(&case.operator) {
        operands.insert(1, g.constant(&[1, 4, 2], &[2_i64, 0, -1, 1, 2, 2, 0, 0])?);
    }
    if case.labels {
        let rows = case.dims[0][0];
        operands.push(g.constant(&[rows], &labels(5, rows, case.dims[0][1]))?);
    }
    let y = composed(g, case.operator, &operands)
        .unwrap_or_else(|| g.apply_with(case.operator, &operands, (case.attributes)()))?;
    let shape = g.type_of(y)?.shape;
    let weights = g.constant(&shape, &random(99, shape.elements()))?;
    let y = g.apply("mul", &[y, weights])?;
    let y = g.apply("tanh", &[y])?;
    Ok((g.apply("sum_all", &[y])?, values))
}

#[test]
fn every_gradient_agrees_with_finite_differences() {
    let device = cpu();
    for case in CASES {
        let mut g = graph();
        let (loss, values) = loss(&mut g, case).unwrap();
        g.output("loss", loss).unwrap();
        // Operands that only choose, or only give a shape, have no gradient.
        let wanted: Vec<usize> = match case.operator {
            "if_less" => vec![2, 3],
            "expand" => vec![0],
            _ => (0..values.len()).collect(),
        };
        let wrt: Vec<Value> = wanted.iter().map(|&i| values[i]).collect();
        for (i, gradient) in wanted.iter().zip(g.gradient(loss, &wrt).unwrap()) {
            g.output(&format!("d{i}"), gradient).unwrap();
        }
        let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
        let names: Vec<_> = (0..values.len()).map(|i| format!("x{i}")).collect();
        let mut data: Vec<Vec<f64>> = case
            .dims
            .iter()
            .zip(1..)
            .map(|(dims, seed)| {
                random(seed, dims.iter().product()).iter().map(|x| x + case.shift).collect()
            })
            .collect();
        let mut run = |data: &[Vec<f64>]| -> Vec<Tensor> {
            let tensors: Vec<_> =
                case.dims.iter().zip(data).map(|(dims, x)| tensor(&device, dims, x)).collect();
            let inputs: Vec<_> = names.iter().map(String::as_str).zip(&tensors).collect();
            plan.run(&inputs).unwrap()
        };
        let outputs = run(&data);
        for (at, &operand) in wanted.iter().enumerate() {
            let gradient = outputs[at + 1].to_vec::<f64>().unwrap();
            for (k, gradient) in gradient.into_iter().enumerate() {
                let (x, step) = (data[operand][k], 1e-6);
                let mut moved = |to: f64| {
                    data[operand][k] = to;
                    run(&data)[0].item::<f64>().unwrap()
                };
                let slope = (moved(x + step) - moved(x - step)) / (2.0 * step);
                data[operand][k] = x;
                assert!(
                    (slope - gradient).abs() < 1e-7,
                    "{}: element {k} of operand {operand}: gradient {gradient}, slope {slope}",
                    case.operator
                );
            }
        }
    }
}

/// The operators of the cases whose gradients have no gradient.
fn once() -> BTreeSet<&'static str> {
    let fails = |case: &&Case| {
        let mut g = graph();
        let (loss, values) = loss(&mut g, case).unwrap();
        let first: Vec<_> = values.iter().filter_map(|&x| g.gradient(loss, &[x]).ok()).collect();
        first.into_iter().any(|gradient| {
            let sum = g.apply("sum_all", &gradient).unwrap();
            let errors = values.iter().filter_map(|&x| g.gradient(sum, &[x]).err());
            errors.into_iter().any(|error| error.to_string().contains("has no gradient"))
        })
    };
    CASES.iter().filter(fails).map(|case| case.operator).collect()
}

#[test]
fn the_guide_names_the_operators_without_second_derivatives() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/training.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, told) = guide.split_once("not those of ").expect("the list");
    let (told, _) = told.split_once('.').expect("its end");
    let told: BTreeSet<_> = told.split('`').skip(1).step_by(2).collect();
    assert_eq!(told, once());
}

/// The casts that have a gradient.
const FLOATS: [&str; 4] = ["to_f16", "to_bf16", "to_f32", "to_f64"];

#[test]
fn gradients_are_cast_back() {
    let device = cpu();
    for operator in FLOATS {
        let mut g = graph();
        let x = g.input("x", F64, &[3]).unwrap();
        let narrow = g.apply(operator, &[x]).unwrap();
        let square = g.apply("mul", &[narrow, narrow]).unwrap();
        let loss = g.apply("sum_all", &[square]).unwrap();
        let gradient = g.gradient(loss, &[x]).unwrap()[0];
        g.output("d", gradient).unwrap();
        let x = tensor(&device, &[3], &[1.0_f64, -0.5, 0.25]);
        let got = g.plan(std::slice::from_ref(&device)).unwrap().run(&[("x", &x)]).unwrap();
        assert_eq!(got[0].to_vec::<f64>().unwrap(), [2.0, -1.0, 0.5], "{operator}");
    }
}

#[test]
fn the_gradient_through_slopes_of_0_alone_is_zeros() {
    let device = cpu();
    for operator in ["floor", "ceil", "trunc", "round", "round_ties_even", "signum"] {
        let mut g = graph();
        let x = g.input("x", F64, &[3]).unwrap();
        let unused = g.input("unused", F64, &[3]).unwrap();
        let steps = g.apply(operator, &[x]).unwrap();
        let loss = g.apply("sum_all", &[steps]).unwrap();
        let error = g.gradient(loss, &[x, unused]).unwrap_err();
        assert!(error.to_string().contains("does not depend on %1"), "{error}");
        let gradient = g.gradient(loss, &[x]).unwrap()[0];
        g.output("d", gradient).unwrap();
        let x = tensor(&device, &[3], &[1.5_f64, f64::INFINITY, 0.0]);
        let unused = x.clone();
        let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
        let got = plan.run(&[("x", &x), ("unused", &unused)]).unwrap();
        assert_eq!(got[0].to_vec::<f64>().unwrap(), [0.0; 3], "{operator}");
    }
}

#[test]
fn a_loss_of_another_result_of_a_node_does_not_depend_on_one() {
    let mut g = graph();
    let x = g.input("x", F64, &[2, 2]).unwrap();
    let results = g.apply_all("determinant", &[x], ()).unwrap();
    let loss = g.apply("sum_all", &[results[1]]).unwrap();
    let error = g.gradient(loss, &results[..1]).unwrap_err();
    assert!(error.to_string().contains("does not depend on"), "{error}");
}

/// The operators of floats without a gradient, and why. Those that give integers or truth values need none: a
/// gradient ends there.
const WITHOUT: &[(&str, &[&str])] = &[
    (
        "a gradient itself: gradients of gradients are made of others",
        &[
            "cross_entropy_grad",
            "gelu_grad",
            "gelu_tanh_grad",
            "layer_norm_grad",
            "max_pool_grad",
            "mean_pool_grad",
            "rms_norm_grad",
            "silu_grad",
        ],
    ),
    ("an update of parameters, after their gradients", &["sgd"]),
    (
        "made by plans, of operators that have gradients",
        &[
            "convolution_pack",
            "convolution_packed",
            "matmul_add",
            "matmul_add_relu",
            "matmul_pack",
            "matmul_pack_nt",
            "matmul_packed",
        ],
    ),
    ("floats of bits", &["f32_of_bits", "f64_of_bits"]),
    (
        "for models of files: no loss depends on it in training yet",
        &["interpolate", "sample", "roi_align"],
    ),
    ("the usual formulas divide by elements that may be 0", &["cumprod", "determinant"]),
];

#[test]
fn every_operator_of_floats_has_a_checked_gradient_or_a_reason_for_none() {
    let g = graph();
    let mut checked: BTreeSet<_> = FLOATS.iter().map(ToString::to_string).collect();
    for case in CASES {
        let mut g = graph();
        loss(&mut g, case).unwrap();
        let floats = g.nodes().iter().filter(|node| node.results[0].dtype.is_float());
        checked.extend(floats.filter_map(|node| Some(node.operator()?.to_owned())));
    }
    // Of slope 0: there is nothing to compare.
    checked
        .extend(["floor", "ceil", "trunc", "round", "round_ties_even", "signum"].map(String::from));
    let registry = g.registry().unwrap();
    let mut without = BTreeSet::new();
    for (_, operator) in registry.of::<Operator>() {
        let name = operator.name.to_owned();
        assert_eq!(checked.contains(&name), operator.gradient.is_some(), "{name}");
        let results = operator.dtype.rsplit("->").next().unwrap_or_default();
        let of_integers = operator.dtype.starts_with("I,") || operator.dtype.starts_with("I ");
        let integers = ["bool", "i32", "i64", "u32", "u64", "u8", "i8", "i16", "u16"];
        let ends = of_integers || integers.contains(&results.trim());
        if operator.gradient.is_none() && operator.decompose.is_none() && !ends {
            without.insert(operator.name);
        }
    }
    let told: BTreeSet<_> = WITHOUT.iter().flat_map(|(_, names)| *names).copied().collect();
    assert_eq!(without, told);
}

fn six() -> Attributes {
    [("shape", vec![-1_i64])].into()
}

fn turned() -> Attributes {
    [("axes", vec![2_i64, 0, 1])].into()
}

fn twice() -> Attributes {
    [("shape", vec![2_i64, 3])].into()
}

fn totals_back() -> Attributes {
    [("axis", 1_usize), ("exclusive", 1), ("reverse", 1)].into()
}

fn every_other() -> Attributes {
    [("axis", 1_usize), ("start", 1), ("end", 5), ("step", 2)].into()
}

fn spread_to_5() -> Attributes {
    [("axis", 1_usize), ("n", 5), ("start", 1), ("step", 2)].into()
}

fn four_along_1() -> Attributes {
    [("axis", 1_usize), ("s", 4)].into()
}
