//! Operators that reduce dimensions, or are computed along one.

use super::Build;
use super::elementwise::one;
use crate::onnx::call::Call;
use ringwood_base::Result;
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("ArgMax", |c| arg(c, "argmax")),
    ("ArgMin", |c| arg(c, "argmin")),
    ("LogSoftmax", |c| along(c, "log_softmax")),
    ("ReduceL1", |c| reduced(c, |c, x| c.apply("abs", &[x]), "sum", |_, y| Ok(y))),
    ("ReduceL2", |c| reduced(c, square, "sum", |c, y| c.apply("sqrt", &[y]))),
    ("ReduceLogSum", |c| reduced(c, |_, x| Ok(x), "sum", |c, y| c.apply("ln", &[y]))),
    ("ReduceMax", |c| reduced(c, |_, x| Ok(x), "largest", |_, y| Ok(y))),
    ("ReduceMean", |c| reduced(c, |_, x| Ok(x), "mean", |_, y| Ok(y))),
    ("ReduceMin", |c| reduced(c, |_, x| Ok(x), "smallest", |_, y| Ok(y))),
    ("ReduceProd", |c| reduced(c, |_, x| Ok(x), "product", |_, y| Ok(y))),
    ("ReduceSum", |c| reduced(c, |_, x| Ok(x), "sum", |_, y| Ok(y))),
    ("ReduceSumSquare", |c| reduced(c, square, "sum", |_, y| Ok(y))),
    ("Softmax", |c| along(c, "softmax")),
];

fn square(c: &mut Call<'_>, x: Value) -> Result<Value> {
    c.apply("mul", &[x, x])
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
    let y = c.apply_with(operator, &[x], [("axis", kept.len())])?;
    let y = after(c, y)?;
    one(c.reshape(y, &result))
}

/// The place of the largest or smallest element along an axis.
fn arg(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let mut shape = c.type_of(x)?.shape.to_vec();
    if c.flag("select_last_index", false)? {
        let message = "the last of several places is asked for, and the first is computed";
        return Err(ringwood_base::Error::new(ringwood_base::ErrorKind::Unsupported, message));
    }
    let place = c.apply_with(operator, &[x], [("axis", d)])?;
    let place = c.cast(place, ringwood_base::DType::I64)?;
    shape[d] = 1;
    match c.flag("keepdims", true)? {
        true => one(c.reshape(place, &shape)),
        false => Ok(vec![place]),
    }
}

/// An operator of rows along one axis; before operator set 13, along all from it on.
fn along(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let axis = c.or("axis", if c.opset < 13 { 1_i64 } else { -1 })?;
    let d = c.dimension(x, axis)?;
    if c.opset < 13 {
        let (before, after) = shape.split_at(d);
        let rows = c.reshape(x, &[before.iter().product(), after.iter().product()])?;
        let y = c.apply(operator, &[rows])?;
        return one(c.reshape(y, &shape));
    }
    let order: Vec<_> = (0..shape.len()).filter(|&i| i != d).chain([d]).collect();
    let turned = c.permute(x, &order)?;
    let y = c.apply(operator, &[turned])?;
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &d)| back[d] = place);
    one(c.permute(y, &back))
}
