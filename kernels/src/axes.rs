//! Reductions along several axes, which an operand or an attribute says, and functions along one.

use crate::composed::{composed, widened};
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, fits, select, v};
use ringwood_graph::graph::{TensorType, Value};

composed! {
    /// Where the largest element along an axis is. NumPy's `argmax`.
    ArgLargest "arg_largest" { axis: i64, keepdims: bool, select_last_index: bool } = |c| arg(c, "argmax");
    /// Where the smallest element along an axis is. NumPy's `argmin`.
    ArgSmallest "arg_smallest" { axis: i64, keepdims: bool, select_last_index: bool } = |c| arg(c, "argmin");
    /// 1 at the first largest element along an axis, 0 elsewhere.
    HardmaxAlong "hardmax_along" { axis: i64 } = |c| along(c, hardmax);
    /// The logarithm of the softmax along an axis.
    LogSoftmaxAlong "log_softmax_along" { axis: i64 } = |c| along(c, |c, rows| c.apply("log_softmax", &[rows]));
    /// The softmax along an axis.
    SoftmaxAlong "softmax_along" { axis: i64 } = |c| along(c, |c, rows| c.apply("softmax", &[rows]));
}

macro_rules! reductions {
    ($($(#[$doc:meta])* $type:ident $name:literal = $before:expr, $operator:literal, $after:expr;)*) => {
        composed! {$(
            $(#[$doc])*
            $type $name { axes: [i64], keepdims: bool, noop_with_empty_axes: bool } =
                |c| reduced(c, $before, $operator, $after);
        )*}
    };
}

reductions! {
    /// The sum of sizes along axes.
    ReduceL1 "reduce_l1" = magnitude, "sum", same;
    /// The root of the sum of squares along axes.
    ReduceL2 "reduce_l2" = square, "sum", length;
    /// The logarithm of the sum along axes.
    ReduceLogSum "reduce_log_sum" = widened, "sum", |c, y| float(c, y, "ln");
    /// The logarithm of the sum of exponentials along axes.
    ReduceLogSumExp "reduce_log_sum_exp" = same, "log_sum_exp", same;
    /// The largest element along axes.
    ReduceMax "reduce_max" = same, "largest", same;
    /// The mean along axes.
    ReduceMean "reduce_mean" = same, "mean", same;
    /// The smallest element along axes.
    ReduceMin "reduce_min" = same, "smallest", same;
    /// The product along axes.
    ReduceProd "reduce_prod" = same, "product", same;
    /// The sum along axes.
    ReduceSum "reduce_sum" = same, "sum", same;
    /// The sum of squares along axes.
    ReduceSumSquare "reduce_sum_square" = square, "sum", same;
}

fn same(_: &mut Call<'_>, x: Value) -> Result<Value> {
    Ok(x)
}

fn square(c: &mut Call<'_>, x: Value) -> Result<Value> {
    let x = widened(c, x)?;
    c.apply("mul", &[x, x])
}

pub(crate) fn magnitude(c: &mut Call<'_>, x: Value) -> Result<Value> {
    match c.type_of(x)?.dtype {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Ok(x),
        _ => c.apply("abs", &[x]),
    }
}

/// A function of floats, of a value that may be of integers.
fn float(c: &mut Call<'_>, x: Value, operator: &'static str) -> Result<Value> {
    let dtype = c.type_of(x)?.dtype;
    let wide = if dtype.is_float() { dtype } else { DType::F64 };
    c.eval(v(x).to(wide).of(operator).to(dtype))
}

/// The root of a sum of squares; its slope at 0 is 0.
fn length(c: &mut Call<'_>, sum: Value) -> Result<Value> {
    let dtype = c.type_of(sum)?.dtype;
    let sum = c.cast(sum, if dtype.is_float() { dtype } else { DType::F64 })?;
    let is_zero = c.eval(v(sum).with("equal", 0.0))?;
    let root = select(is_zero, 1.0, sum).of("sqrt");
    c.eval(select(is_zero, 0.0, root).to(dtype))
}

/// 1 for each element that is a number, 0 for a NaN, which the extremes of Ringwood pass over.
fn numbers(c: &mut Call<'_>, x: Value) -> Result<Value> {
    c.eval(v(x).with("equal", x).to(DType::U8))
}

/// The elements along the last dimension reduced to one.
fn row(c: &mut Call<'_>, operator: &'static str, x: Value) -> Result<Value> {
    let ty = c.type_of(x)?;
    let Some((n, kept)) = ty.shape.split_last() else { return Ok(x) };
    let axis = [("axis", kept.len())];
    match (operator, *n) {
        (_, _) if ty.dtype == DType::Bool => {
            let bytes = c.cast(x, DType::U8)?;
            let y = row(c, operator, bytes)?;
            c.cast(y, DType::Bool)
        }
        ("largest" | "smallest", 0) => {
            let sign = if operator == "largest" { -1.0 } else { 1.0 };
            let least = c.number(ty.dtype, sign * f64::INFINITY)?;
            c.broadcast(least, kept)
        }
        ("largest" | "smallest", _) if ty.dtype.is_float() => {
            let (y, whole) = (c.apply_with(operator, &[x], axis)?, numbers(c, x)?);
            let whole = c.apply_with("smallest", &[whole], axis)?;
            c.eval(select(v(whole).to(DType::Bool), y, f32::NAN))
        }
        ("log_sum_exp", _) => float(c, x, operator),
        ("mean", n) if !ty.dtype.is_float() => {
            let (sum, n) = (c.apply_with("sum", &[x], axis)?, c.number(ty.dtype, n as f64)?);
            c.apply("div", &[sum, n])
        }
        _ => c.apply_with(operator, &[x], axis),
    }
}

/// The elements of a row that is all there are, in the order of the operators that have no axis.
fn whole(c: &mut Call<'_>, operator: &'static str, x: Value) -> Result<Value> {
    let dtype = c.type_of(x)?.dtype;
    match operator {
        "sum" if dtype.is_float() || dtype.size() >= 4 => c.apply("sum_all", &[x]),
        "mean" if dtype.is_float() => c.apply("mean_all", &[x]),
        _ => row(c, operator, x),
    }
}

/// What is done to elements before a reduction, or to its results after it.
type Step = fn(&mut Call<'_>, Value) -> Result<Value>;

/// The elements along `axes` reduced to one, by an operator of one dimension: the others come first, those
/// in a row after them.
fn reduced(
    c: &mut Call<'_>,
    before: Step,
    operator: &'static str,
    after: Step,
) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let TensorType { dtype, shape } = c.type_of(x)?;
    let axes = c.list(1, "axes")?.unwrap_or_default();
    if axes.is_empty() && c.flag("noop_with_empty_axes", false)? {
        let y = before(c, x)?;
        let y = after(c, y)?;
        return Ok(vec![c.cast(y, dtype)?]);
    }
    let all = axes.is_empty();
    let mut gone = vec![all; shape.len()];
    for axis in axes {
        gone[c.dimension(x, axis)?] = true;
    }
    let (kept, axes): (Vec<_>, Vec<_>) = (0..shape.len()).partition(|&d| !gone[d]);
    let order: Vec<_> = kept.iter().chain(&axes).copied().collect();
    let x = before(c, x)?;
    let x = c.permute(x, &order)?;
    let mut rows: Vec<_> = kept.iter().map(|&d| shape[d]).collect();
    let result = match c.flag("keepdims", true)? {
        true => (0..shape.len()).map(|d| if gone[d] { 1 } else { shape[d] }).collect(),
        false => rows.clone(),
    };
    rows.push(axes.iter().map(|&d| shape[d]).product());
    let x = c.reshape(x, &rows)?;
    let y = if all { whole(c, operator, x)? } else { row(c, operator, x)? };
    let y = after(c, y)?;
    let y = c.cast(y, dtype)?;
    Ok(vec![c.reshape(y, &result)?])
}

/// The place of the largest or smallest element along an axis.
fn arg(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let mut shape = c.type_of(x)?.shape.to_vec();
    let extent = shape[d] as i64;
    let last = c.flag("select_last_index", false)?;
    fits(if last { shape[d] } else { 0 }, 1)?;
    let x = if last { c.picked(x, d, &(0..extent).rev().collect::<Vec<_>>())? } else { x };
    let place = extreme(c, operator, x, d)?;
    let mut place = c.cast(place, DType::I64)?;
    if last {
        let end = c.number(DType::I64, extent as f64 - 1.0)?;
        place = c.apply("sub", &[end, place])?;
    }
    shape[d] = 1;
    let kept = c.flag("keepdims", true)?;
    Ok(vec![if kept { c.reshape(place, &shape)? } else { place }])
}

/// The place of the first NaN along a dimension, else of the first extreme element.
fn extreme(c: &mut Call<'_>, operator: &str, x: Value, d: usize) -> Result<Value> {
    let axis = [("axis", d)];
    let place = c.apply_with(operator, &[x], axis)?;
    if !c.type_of(x)?.dtype.is_float() {
        return Ok(place);
    }
    let numbers = numbers(c, x)?;
    let whole = c.apply_with("smallest", &[numbers], axis)?;
    let first = c.apply_with("argmin", &[numbers], axis)?;
    c.eval(select(v(whole).to(DType::Bool), place, first))
}

/// An operator of rows along one axis.
fn along(c: &mut Call<'_>, operator: Step) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", -1_i64)?)?;
    Ok(vec![c.turned(x, &[d], operator)?])
}

/// 1 at the first largest element of each row, 0 elsewhere.
fn hardmax(c: &mut Call<'_>, rows: Value) -> Result<Value> {
    let ty = c.type_of(rows)?;
    let d = ty.shape.len() - 1;
    let at = extreme(c, "argmax", rows, d)?;
    let (at, numbers) = (c.unsqueeze(at, -1)?, c.counted(&[ty.shape[d]])?);
    c.eval(v(at).to(DType::I64).with("equal", numbers).to(ty.dtype))
}
