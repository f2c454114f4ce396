//! Operators that follow from the shapes of their operands, or from values that are known before a run.

use crate::composed::composed;
use crate::formula::gradient;
use crate::views::integers;
use ringwood_base::{Error, Result};
use ringwood_device::kernel;
use ringwood_graph::compose::{Call, dimension};
use ringwood_graph::graph::Value;
use ringwood_graph::register_operator;

composed! {
    /// The extents of the operand, from dimension `start` to before `end`, as a tensor of `i64`.
    ShapeOf "shape_of" { start: i64, end: i64 } = |c| {
        let [x] = c.exactly()?;
        let shape = c.type_of(x)?.shape;
        let rank = shape.len() as i64;
        let border = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
        let (start, end) = (border(c.or("start", 0_i64)?), border(c.or("end", rank)?));
        let part = integers(&shape[start.min(end)..end]);
        Ok(vec![c.graph.constant(&[part.len()], &part)?])
    };
    /// The number of elements of the operand, of type `i64`.
    SizeOf "size_of" = |c| {
        let [x] = c.exactly()?;
        let elements = c.type_of(x)?.shape.elements();
        Ok(vec![c.graph.constant(&[], &[elements as i64])?])
    };
    /// The operand without dimensions `axes`, each of extent 1, or without all of extent 1.
    Squeeze "squeeze" { axes: [i64] } = squeeze;
    /// The operand with dimensions of extent 1, which are `axes` of the result.
    Unsqueeze "unsqueeze" { axes: [i64] } = unsqueeze;
}

fn squeeze(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, axes) = (c.operand(0)?, c.list(1, "axes")?);
    let extents = c.type_of(x)?.shape;
    let mut shape: Vec<_> = extents.iter().map(|&n| Some(n)).collect();
    let ones = || (0..extents.len()).filter(|&d| extents[d] == 1).map(|d| d as i64).collect();
    for axis in axes.unwrap_or_else(ones) {
        let d = dimension(axis, shape.len())?;
        if shape[d] != Some(1) {
            return Err(Error::shape(format!("dimension {d} of {} is not 1", c.type_of(x)?)));
        }
        shape[d] = None;
    }
    let shape: Vec<_> = shape.into_iter().flatten().collect();
    Ok(vec![c.reshape(x, &shape)?])
}

fn unsqueeze(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, axes) = (c.operand(0)?, c.list(1, "axes")?);
    let axes = axes.ok_or_else(|| Error::invalid("`axes` are missing"))?;
    let extents = c.type_of(x)?.shape;
    let mut shape = vec![None; extents.len() + axes.len()];
    for axis in &axes {
        let d = dimension(*axis, shape.len())?;
        if shape[d].replace(1).is_some() {
            return Err(Error::shape(format!("axes {axes:?} name dimension {d} twice")));
        }
    }
    let mut rest = extents.iter().copied();
    let shape: Vec<_> = shape.into_iter().filter_map(|n| n.or_else(|| rest.next())).collect();
    Ok(vec![c.reshape(x, &shape)?])
}

register_operator! {
    /// The first operand with the extents that the second one holds; one of them may be −1.
    pub ReshapeTo = "reshape_to";
    decompose: |c| {
        let [x, shape] = c.exactly()?;
        let shape = c.graph.integers(shape)?;
        c.apply_all("reshape", &[x], [("shape", shape)])
    },
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
        let (axis, s) = (c.value::<usize>("axis")?, c.value::<usize>("s")?);
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
    decompose: |c| {
        let operands = c.operands();
        let first = operands.first().ok_or_else(|| Error::invalid("takes operands, got none"))?;
        let axis = c.dimension(*first, c.value("axis")?)?;
        joined(c, &operands, axis).map(|value| vec![value])
    },
    attributes: { axis: i64 },
}

/// The operands joined, half by half: each element is copied as often as they can be halved.
fn joined(c: &mut Call<'_>, operands: &[Value], axis: usize) -> Result<Value> {
    if let [only] = operands {
        return Ok(*only);
    }
    let (left, right) = operands.split_at(operands.len() / 2);
    let pair = [joined(c, left, axis)?, joined(c, right, axis)?];
    let mut s = 0;
    for operand in pair {
        let ty = c.type_of(operand)?;
        let none = || Error::shape(format!("operand {ty} has no dimension {axis}"));
        s += ty.shape.get(axis).ok_or_else(none)?;
    }
    c.apply_with("join", &pair, [("axis", axis), ("s", s)])
}
