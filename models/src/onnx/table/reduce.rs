//! Operators that reduce dimensions, or are computed along one.

use super::Build;
use super::elementwise::one;
use super::opset;
use super::positions::picked;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, fits, last};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("ArgMax", |c| arg(c, "argmax")),
    ("ArgMin", |c| arg(c, "argmin")),
    ("LogSoftmax", |c| along(c, |c, rows| c.apply("log_softmax", &[rows]))),
    ("ReduceL1", |c| reduced(c, magnitude, "sum", |_, y| Ok(y))),
    ("ReduceL2", |c| reduced(c, square, "sum", |c, y| float(c, y, "sqrt"))),
    ("ReduceLogSum", |c| reduced(c, |_, x| Ok(x), "sum", |c, y| float(c, y, "ln"))),
    ("ReduceLogSumExp", |c| reduced(c, |_, x| Ok(x), "log_sum_exp", |_, y| Ok(y))),
    ("ReduceMax", |c| reduced(c, |_, x| Ok(x), "largest", |_, y| Ok(y))),
    ("ReduceMean", |c| reduced(c, |_, x| Ok(x), "mean", |_, y| Ok(y))),
    ("ReduceMin", |c| reduced(c, |_, x| Ok(x), "smallest", |_, y| Ok(y))),
    ("ReduceProd", |c| reduced(c, |_, x| Ok(x), "product", |_, y| Ok(y))),
    ("ReduceSum", |c| reduced(c, |_, x| Ok(x), "sum", |_, y| Ok(y))),
    ("ReduceSumSquare", |c| reduced(c, square, "sum", |_, y| Ok(y))),
    ("Softmax", |c| along(c, |c, rows| c.apply("softmax", &[rows]))),
];

fn square(c: &mut Call<'_>, x: Value) -> Result<Value> {
    c.apply("mul", &[x, x])
}

pub(super) fn magnitude(c: &mut Call<'_>, x: Value) -> Result<Value> {
    match c.type_of(x)?.dtype {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Ok(x),
        _ => c.apply("abs", &[x]),
    }
}

/// A function of floats, of a value that may be of integers.
fn float(c: &mut Call<'_>, x: Value, operator: &str) -> Result<Value> {
    let dtype = c.type_of(x)?.dtype;
    let x = c.cast(x, if dtype.is_float() { dtype } else { DType::F64 })?;
    let y = c.apply(operator, &[x])?;
    c.cast(y, dtype)
}

/// The elements along the last dimension reduced to one.
fn row(c: &mut Call<'_>, operator: &str, x: Value) -> Result<Value> {
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
        ("log_sum_exp", _) => float(c, x, operator),
        ("mean", n) if !ty.dtype.is_float() => {
            let (sum, n) = (c.apply_with("sum", &[x], axis)?, c.number(ty.dtype, n as f64)?);
            c.apply("div", &[sum, n])
        }
        _ => c.apply_with(operator, &[x], axis),
    }
}

/// What is done to elements before a reduction, or to its results after it.
type Step = fn(&mut Call<'_>, Value) -> Result<Value>;

/// The elements along `axes` reduced to one, by an operator of one dimension: the others come first, those
/// in a row after them.
fn reduced(c: &mut Call<'_>, before: Step, operator: &str, after: Step) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let axes = c.axes(1)?.unwrap_or_default();
    if axes.is_empty() && c.flag("noop_with_empty_axes", false)? {
        let y = before(c, x)?;
        return one(after(c, y));
    }
    let mut gone = vec![axes.is_empty(); shape.len()];
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
    let y = row(c, operator, x)?;
    let y = after(c, y)?;
    one(c.reshape(y, &result))
}

/// The place of the largest or smallest element along an axis.
fn arg(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let mut shape = c.type_of(x)?.shape.to_vec();
    let extent = shape[d] as i64;
    let last = c.flag("select_last_index", false)?;
    fits(if last { shape[d] } else { 0 }, 1)?;
    let x = if last { picked(c, x, d, &(0..extent).rev().collect::<Vec<_>>())? } else { x };
    let place = c.apply_with(operator, &[x], [("axis", d)])?;
    let mut place = c.cast(place, DType::I64)?;
    if last {
        let end = c.number(DType::I64, extent as f64 - 1.0)?;
        place = c.apply("sub", &[end, place])?;
    }
    shape[d] = 1;
    match c.flag("keepdims", true)? {
        true => one(c.reshape(place, &shape)),
        false => Ok(vec![place]),
    }
}

/// An operator of rows along one axis; before operator set 13, along all from it on.
pub(super) fn along(c: &mut Call<'_>, operator: Step) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let axis = c.or("axis", if opset(c)? < 13 { 1_i64 } else { -1 })?;
    let d = c.dimension(x, axis)?;
    if opset(c)? < 13 {
        let (before, after) = shape.split_at(d);
        let rows = c.reshape(x, &[before.iter().product(), after.iter().product()])?;
        let y = operator(c, rows)?;
        return one(c.reshape(y, &shape));
    }
    let (order, back) = last(shape.len(), &[d]);
    let turned = c.permute(x, &order)?;
    let y = operator(c, turned)?;
    one(c.permute(y, &back))
}
