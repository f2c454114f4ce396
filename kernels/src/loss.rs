//! Losses of classifications, weighted and reduced.

use crate::arrange::narrow;
use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, fits, last, select, v};
use ringwood_graph::graph::Value;

composed! {
    /// Negated logarithms of the target's classes, which are dimension 1; weights may follow. PyTorch's `nll_loss`.
    NllLoss "nll_loss" { ignore_index: i64, reduction: str } = |c| {
        let x = c.operand(0)?;
        let (rows, _) = by_classes(c, x)?;
        Ok(vec![loss(c, rows)?])
    };
    /// As `nll_loss`, of the softmax of scores, whose logarithms are a result, too. PyTorch's `cross_entropy`.
    SoftmaxCrossEntropy "softmax_cross_entropy" { ignore_index: i64, reduction: str } = |c| {
        let x = c.operand(0)?;
        let (rows, back) = by_classes(c, x)?;
        let rows = c.apply("log_softmax", &[rows])?;
        Ok(vec![loss(c, rows)?, c.permute(rows, &back)?])
    };
}

/// The scores with the classes, dimension 1, last; and the order that brings them back.
fn by_classes(c: &mut Call<'_>, x: Value) -> Result<(Value, Vec<usize>)> {
    let ty = c.type_of(x)?;
    if ty.shape.len() < 2 {
        return Err(Error::shape(format!("{ty} has no dimension of classes")));
    }
    let (order, back) = last(ty.shape.len(), &[1]);
    Ok((c.permute(x, &order)?, back))
}

/// The logarithms of the target's classes, negated and weighted, and reduced as `reduction` says.
fn loss(c: &mut Call<'_>, rows: Value) -> Result<Value> {
    let target = c.operand(1)?;
    let (shape, places) = (c.type_of(rows)?.shape, c.type_of(target)?.shape);
    let Some((&classes, rest)) = shape.split_last().filter(|(_, rest)| *rest == &places[..]) else {
        return Err(Error::shape(format!("scores by classes {shape} and targets {places}")));
    };
    let count: usize = rest.iter().product();
    let target = c.reshape(target, &[count, 1])?;
    let ignored = c.attribute::<i64>("ignore_index")?;
    let ignored = ignored.map(|index| {
        let index = c.number(DType::I64, index as f64)?;
        c.eval(v(target).to(DType::I64).with("equal", index))
    });
    let ignored = ignored.transpose()?;
    let target = narrow(c, target, classes)?;
    let target = match ignored {
        Some(ignored) => c.eval(select(ignored, 0.0, target))?,
        None => target,
    };
    // A target that is no class is an error of the run: of the gather of weights.
    let weights = match c.maybe(2) {
        Some(weights) => c.reshape(weights, &[classes, 1])?,
        None => c.filled(rows, 1.0, &[classes, 1])?,
    };
    let index = c.reshape(target, &[count])?;
    let mut weights = c.apply("gather", &[weights, index])?;
    if let Some(ignored) = ignored {
        weights = c.eval(select(ignored, 0.0, weights))?;
    }
    let scores = c.reshape(rows, &[count, classes])?;
    fits(classes, 1)?;
    let numbers: Vec<_> = (0..classes as i32).collect();
    let numbers = c.graph.constant(&[1, classes], &numbers)?;
    let picked = c.eval(select(v(target).with("equal", numbers), scores, 0.0))?;
    let picked = c.apply_with("sum_keep", &[picked], [("axis", 1_usize)])?;
    let mut losses = c.eval(-v(picked) * weights)?;
    if let Some(ignored) = ignored {
        // An infinite logarithm times the weight 0 is a NaN.
        losses = c.eval(select(ignored, 0.0, losses))?;
    }
    match c.choice("reduction", &["mean", "sum", "none"])? {
        "none" => c.reshape(losses, &places),
        "sum" => c.apply("sum_all", &[losses]),
        _ => c.eval(v(losses).of("sum_all") / v(weights).of("sum_all")),
    }
}
