//! How applications of operators are written.

use super::call::{Call, Named, float, integer, integers, text, to};
use super::training;
use super::window::{convolution, pool, window_argmax, window_max, window_sum};
use crate::onnx::table::NAMES;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Formula, v};

/// Operators whose applications are written as these, with the attributes left out, beside those of [`NAMES`].
const ALSO: &[(&str, &str)] = &[
    ("Abs", "abs"),
    ("Gather", "gather"),
    ("Gelu", "gelu"),
    ("Identity", "copy"),
    ("LogSoftmax", "log_softmax"),
    ("MatMul", "batched_matmul"),
    ("MatMul", "matmul"),
    ("MatMul", "matmul_batch"),
    ("MatMul", "matmul_integers"),
    ("Pow", "powf"),
    ("Softmax", "softmax"),
    ("Transpose", "transpose"),
];

/// Writes an application of an operator.
pub(super) type Write = fn(&mut Call<'_>) -> Result<()>;

/// Operators that are written otherwise.
const OTHERS: &[(&str, Write)] = &[
    ("argmax", |c| argument(c, "ArgMax")),
    ("argmin", |c| argument(c, "ArgMin")),
    ("broadcast_to", |c| {
        let shape = c.integers("shape")?;
        c.known("Expand", &[&shape], Vec::new())
    }),
    ("clamp", |c| {
        let [x, low, high] = c.formulas();
        let most = select(high.clone().with("Less", x.clone()), high, x.clone());
        c.give(select(x.with("Less", low.clone()), low, most))
    }),
    ("convolution", convolution),
    ("cumsum", |c| {
        let of = |name| c.index(name);
        let attributes =
            vec![integer("exclusive", of("exclusive")?), integer("reverse", of("reverse")?)];
        let axis = of("axis")?;
        let ([x], axis) = (c.operands(), c.integers_of(&[axis], &[])?);
        c.end_with("CumSum", &[&x, &axis], attributes)
    }),
    ("expand", |c| {
        let [x, like] = c.operands();
        let shape = c.part("Shape", &[&like], Vec::new());
        c.end("Expand", &[&x, &shape])
    }),
    ("flat_index", flat_index),
    ("gelu_tanh", |c| c.node("Gelu", vec![text("approximate", "tanh")])),
    ("if_less", |c| {
        let [a, b, x, y] = c.formulas();
        c.give(select(a.with("Less", b), x, y))
    }),
    ("interpolate", interpolate),
    ("join", |c| {
        let axis = c.index("axis")?;
        c.node("Concat", vec![integer("axis", axis)])
    }),
    ("largest", |c| reduction(c, "ReduceMax", false)),
    ("layer_norm", |c| {
        let epsilon = c.float("epsilon")?;
        c.node("LayerNormalization", vec![float("epsilon", epsilon)])
    }),
    ("log_sum_exp", |c| c.known("ReduceLogSumExp", &[&[-1]], vec![integer("keepdims", 0)])),
    ("matmul_nt", |c| c.node("Gemm", vec![integer("transB", 1)])),
    ("matmul_tn", |c| c.node("Gemm", vec![integer("transA", 1)])),
    ("max", |c| {
        let [a, b] = c.formulas();
        extreme(c, "Max", a.with("Less", b))
    }),
    ("max_pool", |c| pool(c, "MaxPool")),
    ("mean", |c| reduction(c, "ReduceMean", false)),
    ("mean_all", |c| c.node("ReduceMean", vec![integer("keepdims", 0)])),
    ("mean_pool", |c| pool(c, "AveragePool")),
    ("min", |c| {
        let [a, b] = c.formulas();
        extreme(c, "Min", b.with("Less", a))
    }),
    ("not_equal", |c| {
        let [a, b] = c.formulas();
        c.give(a.with("equal", b).of("not"))
    }),
    ("permute", |c| {
        let axes = c.integers("axes")?;
        c.node("Transpose", vec![integers("perm", axes)])
    }),
    ("product", |c| reduction(c, "ReduceProd", false)),
    ("rem", |c| c.node("Mod", vec![integer("fmod", 1)])),
    ("reshape", |c| {
        let shape = c.integers("shape")?;
        let empty = i64::from(shape.contains(&0));
        c.known("Reshape", &[&shape], vec![integer("allowzero", empty)])
    }),
    ("rsqrt", |c| {
        let [x] = c.formulas();
        c.give(x.of("sqrt").of("recip"))
    }),
    ("signum", |c| {
        let [x] = c.formulas();
        if !c.dtype.is_float() {
            return c.node("Sign", Vec::new());
        }
        // The sign of a zero is that of one over it.
        let zero = x.clone().with("equal", x.clone() - x.clone());
        c.give(select(zero, x.clone().of("recip"), x).of("Sign"))
    }),
    ("slice", |c| {
        let of = |name| c.index(name);
        let (start, end, axis, step) = (of("start")?, of("end")?, of("axis")?, of("step")?);
        c.known("Slice", &[&[start], &[end], &[axis], &[step]], Vec::new())
    }),
    ("smallest", |c| reduction(c, "ReduceMin", false)),
    ("sum", |c| reduction(c, "ReduceSum", false)),
    ("sum_all", |c| c.node("ReduceSum", vec![integer("keepdims", 0)])),
    ("sum_keep", |c| reduction(c, "ReduceSum", true)),
    ("top", |c| {
        let attributes =
            vec![integer("axis", c.index("axis")?), integer("largest", c.index("largest")?)];
        let ([x], m) = (c.operands(), c.index("m")?);
        let m = c.list(&[m])?;
        let places = c.second("TopK", &[&x, &m], attributes);
        c.end("Identity", &[&places])
    }),
    ("window_argmax", window_argmax),
    ("window_max", window_max),
    ("window_sum", window_sum),
];

/// Whether applications of an operator are written.
pub(super) fn is_written(operator: &str) -> bool {
    same(operator).is_some() || cast(operator).is_some() || other(operator).is_some()
}

/// What ONNX calls an operator that it has as well.
pub(super) fn same(operator: &str) -> Option<&'static str> {
    let mut all = NAMES.iter().chain(ALSO);
    all.find(|(_, known)| *known == operator).map(|(op_type, _)| *op_type)
}

/// Writes an application of such an operator. What the operator set does not compute in a type is computed in a wider one.
///
/// # Errors
/// An attribute cannot be written.
pub(super) fn write(call: &mut Call<'_>, operator: &str) -> Result<()> {
    let dtype = call.dtype;
    let Some(wider) = wider(operator, dtype) else { return plain(call, operator) };
    for (i, id) in call.node.operands.iter().enumerate() {
        if call.writer.dtype(*id) == dtype {
            let operand = call.operands[i].clone();
            call.operands[i] = call.part("Cast", &[&operand], to(wider));
        }
    }
    if call.writer.dtype(call.value) != dtype {
        return plain(call, operator);
    }
    let value = call.fresh();
    let result = std::mem::replace(&mut call.result, value.clone());
    plain(call, operator)?;
    call.result = result;
    call.end_with("Cast", &[&value], to(dtype))
}

fn plain(call: &mut Call<'_>, operator: &str) -> Result<()> {
    if let Some(op_type) = same(operator) {
        return call.node(op_type, Vec::new());
    }
    if let Some(dtype) = cast(operator) {
        return call.node("Cast", to(dtype));
    }
    other(operator).expect("the caller has asked whether the operator is written")(call)
}

/// A type that the operator set has for an operator, which it has not for this one; or the one that several nodes take
/// to give the bits of a kernel, which rounds to 16 bits once.
fn wider(operator: &str, dtype: DType) -> Option<DType> {
    match (operator, dtype) {
        ("greater" | "greater_equal" | "less" | "less_equal", DType::Bool)
        | ("largest" | "smallest", DType::I16 | DType::U16) => Some(DType::I32),
        (
            "acos" | "acosh" | "asin" | "asinh" | "atan" | "atanh" | "convolution" | "cos" | "cosh"
            | "max_pool" | "max_pool_grad" | "mean_pool" | "mean_pool_grad" | "round_ties_even"
            | "sin" | "sinh" | "tan" | "top" | "window_argmax" | "window_max" | "window_sum",
            DType::BF16,
        )
        | ("gelu_grad" | "rsqrt" | "silu" | "silu_grad", DType::BF16 | DType::F16) => {
            Some(DType::F32)
        }
        _ => None,
    }
}

/// The type that an operator casts to.
fn cast(operator: &str) -> Option<DType> {
    operator.strip_prefix("to_")?.parse().ok()
}

/// How an operator is written that is several nodes, or has attributes.
fn other(operator: &str) -> Option<Write> {
    let mut all = OTHERS.iter().chain(training::TABLE);
    all.find(|(known, _)| *known == operator).map(|(_, write)| *write)
}

fn select(condition: Named, yes: Named, no: Named) -> Named {
    Formula::Apply("select", vec![condition, yes, no])
}

/// The second operand where it is beyond the first: a NaN wins in ONNX, and loses here.
fn extreme(c: &mut Call<'_>, op_type: &str, beyond: Named) -> Result<()> {
    if !c.dtype.is_float() {
        return c.node(op_type, Vec::new());
    }
    let [a, b] = c.formulas();
    let number = a.clone().with("equal", a.clone());
    c.give(select(beyond, b.clone(), select(number, a, b)))
}

/// A reduction along the attribute `axis`.
fn reduction(c: &mut Call<'_>, op_type: &str, keep: bool) -> Result<()> {
    let axis = c.index("axis")?;
    c.known(op_type, &[&[axis]], vec![integer("keepdims", keep.into())])
}

/// A place along the attribute `axis`, of type `i64` in ONNX.
fn argument(c: &mut Call<'_>, op_type: &str) -> Result<()> {
    let attributes = vec![integer("axis", c.index("axis")?), integer("keepdims", 0)];
    let [operand] = c.operands();
    let place = c.part(op_type, &[&operand], attributes);
    c.end_with("Cast", &[&place], to(DType::I32))
}

/// Positions by one dimension after the other; the largest integer where an index lies outside of its dimension.
fn flat_index(c: &mut Call<'_>) -> Result<()> {
    let ([at, dims], [_, extents], count) = (c.formulas(), c.operands(), c.shape(1)?.elements());
    let at = c.eval(select(at.clone().with("less", 0.0), at.clone() + dims.clone(), at))?;
    let inside =
        v(at.clone()).with("less", dims).with("and", v(at.clone()).with("greater_equal", 0.0));
    let inside = c.eval(inside)?;
    let column = |c: &mut Call<'_>, of: &str, d: usize| -> Result<Named> {
        let d = c.integers_of(&[d as i64], &[])?;
        Ok(v(c.part("Gather", &[of, &d], vec![integer("axis", -1)])))
    };
    let (mut flat, mut whole) = (column(c, &at, 0)?, column(c, &inside, 0)?);
    for d in 1..count {
        flat = flat * column(c, &extents, d)? + column(c, &at, d)?;
        whole = whole.with("and", column(c, &inside, d)?);
    }
    let outside = c.integers_of(&[i64::MAX], &[])?;
    c.give(select(whole, flat, v(outside)))
}

/// Slices times their weights, as products of matrices, whose terms are added in the same order.
fn interpolate(c: &mut Call<'_>) -> Result<()> {
    let ([x, index, weights], axis) = (c.operands(), c.index("axis")?);
    let (x_shape, weights_shape) = (c.shape(0)?, c.shape(2)?);
    let (t, k) = (weights_shape[0], weights_shape[1]);
    let (before, after) = x_shape.split_at(axis as usize);
    let slices = c.part("Gather", &[&x, &index], vec![integer("axis", axis)]);
    let slices =
        c.reshaped(&slices, &[before.iter().product(), t, k, after[1..].iter().product()])?;
    let weights = c.reshaped(&weights, &[t, 1, k])?;
    let sums = c.part("MatMul", &[&weights, &slices], Vec::new());
    c.end_reshaped(&sums)
}
