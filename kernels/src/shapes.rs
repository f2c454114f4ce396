//! Operators that follow from the shapes of their operands, or from values that are known before a run.

use crate::formula::gradient;
use crate::views::attribute;
use ringwood_base::Result;
use ringwood_device::kernel;
use ringwood_graph::compose::{Call, dimension, invalid, misshapen};
use ringwood_graph::graph::Value;
use ringwood_graph::register_operator;

register_operator! {
    /// The extents of the operand, as a tensor of `i64`.
    pub ShapeOf = "shape_of";
    decompose: |c| {
        let [x] = c.exactly()?;
        let shape = c.type_of(x)?.shape;
        Ok(vec![c.graph.constant(&[shape.len()], &attribute(&shape))?])
    },
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

register_operator! {
    /// The first operand, repeated to the extents that the second one holds.
    pub ExpandTo = "expand_to";
    decompose: |c| {
        let [x, shape] = c.exactly()?;
        let shape = c.graph.integers(shape)?;
        c.apply_all("broadcast_to", &[x], [("shape", shape)])
    },
}

register_operator! {
    /// The operand without dimensions `axes`, each of extent 1; negative ones count from the end.
    pub Squeeze = "squeeze";
    decompose: |c| {
        let [x] = c.exactly()?;
        let mut shape: Vec<_> = c.type_of(x)?.shape.iter().map(|&n| Some(n as i64)).collect();
        for axis in c.value::<Vec<i64>>("axes")? {
            let d = dimension(axis, shape.len())?;
            if shape[d] != Some(1) {
                return Err(misshapen(format!("dimension {d} of {} is not 1", c.type_of(x)?)));
            }
            shape[d] = None;
        }
        let shape: Vec<_> = shape.into_iter().flatten().collect();
        c.apply_all("reshape", &[x], [("shape", shape)])
    },
    attributes: { axes: [i64] },
}

register_operator! {
    /// The operand with dimensions of extent 1 so that they are `axes` of the result; negative ones count
    /// from its end.
    pub Unsqueeze = "unsqueeze";
    decompose: |c| {
        let [x] = c.exactly()?;
        let axes: Vec<i64> = c.value("axes")?;
        let extents = c.type_of(x)?.shape;
        let mut shape = vec![None; extents.len() + axes.len()];
        for axis in &axes {
            let d = dimension(*axis, shape.len())?;
            if shape[d].replace(1).is_some() {
                return Err(misshapen(format!("axes {axes:?} name dimension {d} twice")));
            }
        }
        let mut rest = extents.iter().map(|&n| n as i64);
        let shape = shape.into_iter().filter_map(|n| n.or_else(|| rest.next()));
        let shape: Vec<_> = shape.collect();
        c.apply_all("reshape", &[x], [("shape", shape)])
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
    decompose: |c| {
        let operands = c.operands();
        let first = operands.first().ok_or_else(|| invalid("takes operands, got none"))?;
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
        let none = || misshapen(format!("operand {ty} has no dimension {axis}"));
        s += ty.shape.get(axis).ok_or_else(none)?;
    }
    c.apply_with("join", &pair, [("axis", axis), ("s", s)])
}
