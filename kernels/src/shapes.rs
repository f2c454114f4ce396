//! Operators that follow from the shapes of their operands, or from values that are known before a run.

use crate::formula::gradient;
use crate::views::attribute;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::kernel;
use ringwood_graph::graph::{Graph, Value};
use ringwood_graph::register_operator;

/// The dimension that an axis names; a negative one counts from the end.
pub(crate) fn dimension(axis: i64, rank: usize) -> Result<usize> {
    let from_end = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(from_end).ok().filter(|d| *d < rank).ok_or_else(|| {
        let message = format!("axis {axis} is none of {rank} dimensions");
        Error::new(ErrorKind::Shape, message)
    })
}

/// The elements of a value in their order, with other extents.
pub(crate) fn reshape(graph: &mut Graph, value: Value, shape: &[usize]) -> Result<Value> {
    graph.apply_with("ringwood::reshape", &[value], [("shape", attribute(shape))])
}

/// A value with its dimensions in another order.
pub(crate) fn permute(graph: &mut Graph, value: Value, axes: &[usize]) -> Result<Value> {
    graph.apply_with("ringwood::permute", &[value], [("axes", attribute(axes))])
}

/// The operands, if there are as many.
pub(crate) fn exactly<const N: usize>(operands: &[Value]) -> Result<[Value; N]> {
    operands.try_into().map_err(|_| {
        let plural = if N == 1 { "" } else { "s" };
        let message = format!("takes {N} operand{plural}, not {}", operands.len());
        Error::new(ErrorKind::InvalidArgument, message)
    })
}

register_operator! {
    /// The extents of the operand, as a tensor of `i64`.
    pub ShapeOf = "shape_of";
    decompose: |graph, operands, _| {
        let [x] = exactly(operands)?;
        let shape = graph.type_of(x)?.shape;
        Ok(vec![graph.constant(&[shape.len()], &attribute(&shape))?])
    },
}

register_operator! {
    /// The first operand with the extents that the second one holds; one of them may be −1.
    pub ReshapeTo = "reshape_to";
    decompose: |graph, operands, _| {
        let [x, shape] = exactly(operands)?;
        let shape = graph.integers(shape)?;
        graph.apply_all("ringwood::reshape", &[x], [("shape", shape)])
    },
}

register_operator! {
    /// The first operand, repeated to the extents that the second one holds.
    pub ExpandTo = "expand_to";
    decompose: |graph, operands, _| {
        let [x, shape] = exactly(operands)?;
        let shape = graph.integers(shape)?;
        graph.apply_all("ringwood::broadcast_to", &[x], [("shape", shape)])
    },
}

register_operator! {
    /// The operand without dimensions `axes`, each of extent 1; negative ones count from the end.
    pub Squeeze = "squeeze";
    decompose: |graph, operands, attributes| {
        let [x] = exactly(operands)?;
        let mut shape: Vec<_> = graph.type_of(x)?.shape.iter().map(|&n| Some(n as i64)).collect();
        for axis in attributes.value::<Vec<i64>>("squeeze", "axes")? {
            let d = dimension(axis, shape.len())?;
            if shape[d] != Some(1) {
                let message = format!("dimension {d} of {} is not 1", graph.type_of(x)?);
                return Err(Error::new(ErrorKind::Shape, message));
            }
            shape[d] = None;
        }
        let shape: Vec<_> = shape.into_iter().flatten().collect();
        graph.apply_all("ringwood::reshape", &[x], [("shape", shape)])
    },
    attributes: { axes: [i64] },
}

register_operator! {
    /// The operand with dimensions of extent 1 so that they are `axes` of the result; negative ones count
    /// from its end.
    pub Unsqueeze = "unsqueeze";
    decompose: |graph, operands, attributes| {
        let [x] = exactly(operands)?;
        let axes = attributes.value::<Vec<i64>>("unsqueeze", "axes")?;
        let extents = graph.type_of(x)?.shape;
        let mut shape = vec![None; extents.len() + axes.len()];
        for axis in &axes {
            let d = dimension(*axis, shape.len())?;
            if shape[d].replace(1).is_some() {
                let message = format!("axes {axes:?} name dimension {d} twice");
                return Err(Error::new(ErrorKind::Shape, message));
            }
        }
        let mut rest = extents.iter().map(|&n| n as i64);
        let shape = shape.into_iter().filter_map(|n| n.or_else(|| rest.next()));
        let shape: Vec<_> = shape.collect();
        graph.apply_all("ringwood::reshape", &[x], [("shape", shape)])
    },
    attributes: { axes: [i64] },
}

/// `x` before `y` along a dimension, of which they have `m` and `n`; `b` is the product of the extents after
/// it.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool],
    device = [cpu, opencl, cuda]
)]
pub fn join<T>(x: &[T], y: &[T], z: &mut [T], m: usize, n: usize, b: usize) {
    let (at, outer) = (gid(0) / b % (m + n), gid(0) / (b * (m + n)));
    if at < m {
        z[gid(0)] = x[(outer * m + at) * b + gid(0) % b];
    } else {
        z[gid(0)] = y[(outer * n + at - m) * b + gid(0) % b];
    }
}

register_operator! {
    /// Two tensors, one after the other along dimension `axis`, of which they have `s` together.
    pub Join = join;
    shape: "a... m b..., a... n b... -> a... s b...",
    attributes: { axis: usize, s: usize },
    gradient: |c| {
        let (axis, s) = (c.attribute::<usize>("axis")?, c.attribute::<usize>("s")?);
        let m = c.type_of(c.operand(0))?.shape[axis];
        let part = |start, end| [("axis", axis), ("start", start), ("end", end), ("step", 1)];
        gradient(c, |[x, y], _, g| {
            let of = |part: [_; 4]| g.apply_with("slice", [], part);
            [x.gets(of(part(0, m))), y.gets(of(part(m, s)))]
        })
    },
}

register_operator! {
    /// The operands, one after the other along dimension `axis`; a negative one counts from the end.
    pub Concat = "concat";
    decompose: |graph, operands, attributes| {
        let Some(first) = operands.first() else {
            return Err(Error::new(ErrorKind::InvalidArgument, "takes operands, got none"));
        };
        let rank = graph.type_of(*first)?.shape.len();
        let axis = dimension(attributes.value("concat", "axis")?, rank)?;
        joined(graph, operands, axis).map(|value| vec![value])
    },
    attributes: { axis: i64 },
}

/// The operands joined, half by half: each element is copied as often as they can be halved.
fn joined(graph: &mut Graph, operands: &[Value], axis: usize) -> Result<Value> {
    if let [only] = operands {
        return Ok(*only);
    }
    let (left, right) = operands.split_at(operands.len() / 2);
    let pair = [joined(graph, left, axis)?, joined(graph, right, axis)?];
    let mut s = 0;
    for operand in pair {
        let ty = graph.type_of(operand)?;
        s += ty.shape.get(axis).ok_or_else(|| {
            Error::new(ErrorKind::Shape, format!("operand {ty} has no dimension {axis}"))
        })?;
    }
    graph.apply_with("ringwood::join", &pair, [("axis", axis), ("s", s)])
}
