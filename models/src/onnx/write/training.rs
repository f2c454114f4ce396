//! Losses, gradients and steps, as nodes of ONNX.

use super::call::{Call, Named, dims, integer, text, to};
use super::table::Write;
use super::window::{max_pool_grad, mean_pool_grad, padded};
use crate::file::malformed;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::v;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

pub(super) const TABLE: &[(&str, Write)] = &[
    ("cross_entropy", |c| {
        let ([x, labels], last) = (c.operands(), c.list(&[-1])?);
        let along = || vec![integer("axis", -1)];
        let rows = c.part("LogSoftmax", &[&x], along());
        let label = c.part("Unsqueeze", &[&labels, &last], Vec::new());
        let picked = c.part("GatherElements", &[&rows, &label], along());
        let picked = c.part("Squeeze", &[&picked, &last], Vec::new());
        c.end("Neg", &[&picked])
    }),
    ("cross_entropy_grad", |c| {
        let ([x, totals, labels, g], last) = (c.operands(), c.list(&[-1])?);
        let totals = c.part("Unsqueeze", &[&totals, &last], Vec::new());
        let g = c.part("Unsqueeze", &[&g, &last], Vec::new());
        let hits = one_hot(c, &labels, &last)?;
        c.give(((v(x) - v(totals)).of("Exp") - v(hits)) * v(g))
    }),
    ("gelu_grad", |c| {
        let ([x, g], root) = (c.formulas(), v(c.number(FRAC_1_SQRT_2)?));
        let height = v(c.number(FRAC_1_SQRT_2 * FRAC_2_SQRT_PI / 2.0)?);
        let share = 0.5 * (1.0 + (x.clone() * root).of("Erf"));
        let bell = (x.clone() * x.clone() * -0.5).of("Exp") * height;
        c.give(g * (share + x * bell))
    }),
    ("gelu_tanh_grad", |c| {
        let ([x, g], square) = (c.formulas(), v(c.number(0.044_715)?));
        let root = v(c.number(FRAC_1_SQRT_2 * FRAC_2_SQRT_PI)?);
        let square = v(c.eval(square * x.clone() * x.clone())?);
        let tanh = (root.clone() * x.clone() * (1.0 + square.clone())).of("Tanh");
        let tanh = v(c.eval(tanh)?);
        let slope = (1.0 - tanh.clone() * tanh.clone()) * root * (1.0 + square * 3.0);
        c.give(g * 0.5 * (1.0 + tanh + x * slope))
    }),
    ("index_order", |c| {
        let ([index], count) = (c.operands(), c.shape(0)?.elements());
        let count = c.list(&[count as i64])?;
        // Of equals, those with the lower index come first.
        let order = c.second("TopK", &[&index, &count], vec![integer("largest", 0)]);
        c.end_with("Cast", &[&order], to(DType::I32))
    }),
    ("index_starts", |c| {
        let rows: Vec<_> = (0..c.index("n")?).collect();
        let ([index, _], rows) = (c.operands(), c.integers_of(&rows, &[rows.len(), 1])?);
        let rows = c.like(&rows);
        let below = c.part("Less", &[&index, &rows], Vec::new());
        let (below, last) = (c.like(&below), c.list(&[1])?);
        c.end_with("ReduceSum", &[&below, &last], vec![integer("keepdims", 0)])
    }),
    ("layer_norm_grad", |c| norm_grad(c, true)),
    ("max_pool_grad", max_pool_grad),
    ("mean_pool_grad", mean_pool_grad),
    ("put_along", |c| {
        let how = ["none", "add", "mul", "min", "max"];
        let Some(how) = how.get(c.index("how")? as usize) else {
            return Err(malformed("`how` is from 0 to 4"));
        };
        let ([x, places, u], axis) = (c.operands(), c.index("axis")?);
        let places = repeated(c, &places)?;
        let attributes = vec![integer("axis", axis), text("reduction", how)];
        c.end_with("ScatterElements", &[&x, &places, &u], attributes)
    }),
    ("rms_norm", |c| {
        let ([x, weight], epsilon) = (c.formulas(), c.float("epsilon")?);
        let scale = over_size(c, x.clone(), epsilon)?;
        c.give(x * scale * weight)
    }),
    ("rms_norm_grad", |c| norm_grad(c, false)),
    ("sgd", |c| {
        let [p, g, rate] = c.formulas();
        c.give(p - rate * g)
    }),
    ("silu", |c| {
        let [x] = c.formulas();
        c.give(x.clone() / (1.0 + (-x).of("Exp")))
    }),
    ("silu_grad", |c| {
        let [x, g] = c.formulas();
        let s = v(c.eval(x.clone().of("Sigmoid"))?);
        c.give(g * (s.clone() + x * s.clone() * (1.0 - s)))
    }),
    ("slice_grad", slice_grad),
    ("sum_picked", |c| {
        let ([x, index, ..], shape) = (c.operands::<4>(), c.result_shape()?);
        let (zero, shape) = (c.number(0.0)?, c.list(&dims(&shape))?);
        let zeros = c.part("Expand", &[&zero, &shape], Vec::new());
        let (index, last) = (c.part("Cast", &[&index], to(DType::I64)), c.list(&[-1])?);
        let index = c.part("Unsqueeze", &[&index, &last], Vec::new());
        c.end_with("ScatterND", &[&zeros, &index, &x], vec![text("reduction", "add")])
    }),
    ("take_along", |c| {
        let ([x, places], axis) = (c.operands(), c.index("axis")?);
        let places = repeated(c, &places)?;
        c.end_with("GatherElements", &[&x, &places], vec![integer("axis", axis)])
    }),
];

/// 1 at the label of each row of the result, and 0 elsewhere. `last` says which dimension is the last.
fn one_hot(c: &mut Call<'_>, labels: &str, last: &str) -> Result<String> {
    let Some(&classes) = c.shape(0)?.last() else {
        return Err(malformed("a number alone has no labels"));
    };
    let classes = c.list(&(0..classes as i64).collect::<Vec<_>>())?;
    let labels = c.part("Cast", &[labels], to(DType::I64));
    let labels = c.part("Unsqueeze", &[&labels, last], Vec::new());
    let hits = c.part("Equal", &[&labels, &classes], Vec::new());
    Ok(c.like(&hits))
}

/// The mean of each row.
fn mean(c: &mut Call<'_>, rows: Named) -> Result<Named> {
    let (rows, last) = (c.eval(rows)?, c.list(&[-1])?);
    Ok(v(c.part("ReduceMean", &[&rows, &last], Vec::new())))
}

/// One over the root of the mean square of each row, and of `epsilon`.
fn over_size(c: &mut Call<'_>, rows: Named, epsilon: f32) -> Result<Named> {
    let square = mean(c, rows.clone() * rows)?;
    Ok(v(c.eval((square + epsilon).of("Sqrt").of("Reciprocal"))?))
}

/// The gradient of a normalisation with respect to its rows, from which it takes their mean if they are `centred`.
fn norm_grad(c: &mut Call<'_>, centred: bool) -> Result<()> {
    let ([x, weight, g], epsilon) = (c.formulas(), c.float("epsilon")?);
    let own = |c: &mut Call<'_>, rows: Named| -> Result<Named> {
        let mean = mean(c, rows.clone())?;
        Ok(v(c.eval(rows - mean)?))
    };
    let g = v(c.eval(g * weight)?);
    let (x, rest) = match centred {
        true => (own(c, x)?, own(c, g.clone())?),
        false => (x, g.clone()),
    };
    let scale = over_size(c, x.clone(), epsilon)?;
    let slope = mean(c, x.clone() * g)? * scale.clone() * scale.clone();
    c.give((rest - x * slope) * scale)
}

/// Places along an axis, repeated to the other extents of the first operand.
fn repeated(c: &mut Call<'_>, places: &str) -> Result<String> {
    let mut shape = c.shape(0)?.to_vec();
    let axis = c.index("axis")? as usize;
    shape[axis] = c.shape(1)?[axis];
    let shape = c.list(&dims(&shape))?;
    Ok(c.part("Expand", &[places, &shape], Vec::new()))
}

/// Zeros after each element along an axis, then around all.
fn slice_grad(c: &mut Call<'_>) -> Result<()> {
    let (shape, [g]) = (c.shape(0)?, c.operands());
    let (axis, start, step) = (c.index("axis")? as usize, c.index("start")?, c.index("step")?);
    let (m, n) = (shape[axis], c.index("n")?);
    let (before, after) = shape.split_at(axis);
    let apart = c.reshaped(&g, &[before, &[m, 1], &after[1..]].concat())?;
    let mut pads = vec![(0, 0); shape.len() + 1];
    pads[axis + 1].1 = step - 1;
    let apart = padded(c, &apart, &pads)?;
    let all = m * step as usize;
    let row = c.reshaped(&apart, &[before, &[all], &after[1..]].concat())?;
    let mut pads = vec![(0, 0); shape.len()];
    pads[axis] = (start, n - start - all as i64);
    let whole = padded(c, &row, &pads)?;
    c.end_reshaped(&whole)
}
