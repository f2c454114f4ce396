//! Tensors seen in another way: no data moves, where the kernel that reads them takes steps.

use crate::formula::gradient;
use ringwood_base::{Error, Result, Shape};
use ringwood_device::kernel;
use ringwood_graph::graph::{Attributes, View};
use ringwood_graph::register_operator;

/// Extents or axes of an attribute, none of which is negative.
fn counts(operator: &str, attributes: &Attributes, name: &str) -> Result<Vec<usize>> {
    let given: Vec<i64> = attributes.value(operator, name)?;
    let count = |n: &i64| {
        let message = format!("`{name}` holds {n}, which is negative");
        usize::try_from(*n).map_err(|_| Error::shape(message))
    };
    given.iter().map(count).collect()
}

/// Extents as numbers of graphs.
pub(crate) fn integers(counts: &[usize]) -> Vec<i64> {
    counts.iter().map(|&n| n as i64).collect()
}

/// The extents asked for, with the one that is −1 so large that there are `elements`.
fn completed(shape: &[i64], elements: usize) -> Result<Shape> {
    let misfit = || Error::shape(format!("{elements} elements do not make the shape {shape:?}"));
    let known = shape.iter().filter(|n| **n != -1);
    let known = known.map(|&n| usize::try_from(n).ok()).collect::<Option<Vec<_>>>();
    let known = known.ok_or_else(misfit)?;
    let product = Shape::new(&known)?.elements();
    let missing = match shape.len() - known.len() {
        0 => None,
        1 if product > 0 => Some(elements / product),
        _ => return Err(misfit()),
    };
    let extents = shape.iter().map(|&n| missing.filter(|_| n == -1).unwrap_or(n as usize));
    let shape = Shape::new(&extents.collect::<Vec<_>>())?;
    if shape.elements() == elements { Ok(shape) } else { Err(misfit()) }
}

register_operator! {
    /// The elements in their order, with other extents. One of them may be −1: what is left.
    pub Reshape = "reshape";
    view: |operand, attributes| {
        let shape: Vec<i64> = attributes.value("reshape", "shape")?;
        let shape = completed(&shape, operand.shape().elements())?;
        Ok(operand.reshape(shape).map(|layout| View { first: 0, layout }))
    },
    attributes: { shape: [i64] },
    gradient: |c| {
        let shape = c.type_of(c.operand(0))?.shape;
        gradient(c, |[x], _, g| [x.gets(g.apply_with("reshape", [], [("shape", &shape[..])]))])
    },
}

register_operator! {
    /// The dimensions in another order: that of the result's dimension `d` is `axes[d]`.
    pub Permute = "permute";
    view: |operand, attributes| {
        let layout = operand.permute(&counts("permute", attributes, "axes")?)?;
        Ok(Some(View { first: 0, layout }))
    },
    attributes: { axes: [i64] },
    gradient: |c| {
        let axes = c.value::<Vec<i64>>("axes")?;
        let mut back = vec![0; axes.len()];
        axes.iter().enumerate().for_each(|(d, axis)| back[*axis as usize] = d as i64);
        gradient(c, |[x], _, g| [x.gets(g.apply_with("permute", [], [("axes", back)]))])
    },
}

register_operator! {
    /// The elements repeated to other extents, as operands of element-wise operators are.
    pub BroadcastTo = "broadcast_to";
    view: |operand, attributes| {
        let shape = Shape::new(&counts("broadcast_to", attributes, "shape")?)?;
        Ok(Some(View { first: 0, layout: operand.broadcast(shape)? }))
    },
    attributes: { shape: [i64] },
    gradient: |c| gradient(c, |[x], _, g| [x.gets(g)]),
}

register_operator! {
    /// Every `step`-th index from `start` to before `end` along dimension `axis`.
    pub Slice = "slice";
    view: |operand, attributes| {
        let given = |name| attributes.value::<usize>("slice", name);
        let range = given("start")?..given("end")?;
        let (first, layout) = operand.slice(given("axis")?, range, given("step")?)?;
        Ok(Some(View { first, layout }))
    },
    attributes: { axis: usize, start: usize, end: usize, step: usize },
    gradient: |c| {
        let given = |name| c.value::<usize>(name);
        let (axis, start, step) = (given("axis")?, given("start")?, given("step")?);
        let n = c.type_of(c.operand(0))?.shape[axis];
        let part = [("axis", axis), ("n", n), ("start", start), ("step", step)];
        gradient(c, |[x], _, g| [x.gets(g.apply_with("slice_grad", [], part))])
    },
}

/// The elements of `g` at every `step`-th index from `start` along a dimension of `n`, zeros between
/// them. `b` is the product of the extents after that dimension.
#[kernel(T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn slice_grad<T>(
    g: &[T],
    y: &mut [T],
    m: usize,
    n: usize,
    b: usize,
    start: usize,
    step: usize,
) {
    let at = gid(0) / b % n;
    let k = if at < start { m } else { (at - start) / step };
    let mut value = 0 as T;
    if k < m && start + k * step == at {
        value = g[(gid(0) / (b * n) * m + k) * b + gid(0) % b];
    }
    y[gid(0)] = value;
}

register_operator! {
    /// The gradient of `slice`.
    pub SliceGrad = slice_grad;
    shape: "a... m b... -> a... n b...",
    dtype: "F -> F",
    attributes: { axis: usize, n: usize, start: usize, step: usize },
    gradient: |c| {
        let given = |name| c.value::<usize>(name);
        let (axis, start, step) = (given("axis")?, given("start")?, given("step")?);
        let m = c.type_of(c.operand(0))?.shape[axis];
        let end = m.checked_sub(1).map_or(start, |last| start + last * step + 1);
        let part = [("axis", axis), ("start", start), ("end", end), ("step", step)];
        gradient(c, |[x], _, g| [x.gets(g.apply_with("slice", [], part))])
    },
}
