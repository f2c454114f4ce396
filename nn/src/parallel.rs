//! Layers and gradients of which each rank has a part.

use crate::Linear;
use ringwood_base::{Error, Result};
use ringwood_graph::Tensors;
use ringwood_graph::compose::dimension;
use ringwood_graph::lazy::{Lazy, Ranks, ReduceOp, Static, Tensors, as_caller};
use ringwood_kernels::lazy::Operations;

/// The merge of every leaf over the ranks: of gradients, the mean, where each rank has a part of the batch.
///
/// The last leaf comes first, as its gradient is there first: it is merged while those of the leaves before are computed.
///
/// ```
/// # use {ringwood_backend_cpu as _, ringwood_kernels as _};
/// use ringwood_graph::engine::{Alone, with_engine};
/// use ringwood_graph::lazy::{Lazy, Ranks, ReduceOp};
/// use ringwood_nn::all_reduce;
/// use std::rc::Rc;
///
/// let gradient = (Lazy::full(&[2], 1.0_f32), Lazy::full(&[3], 2.0_f32));
/// // The workers of a session are an engine, too.
/// let mean = with_engine(Rc::new(Alone), || all_reduce(gradient, &Ranks::all(), ReduceOp::Mean));
/// assert_eq!(mean.1.to_vec::<f32>()?, [2.0; 3]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[track_caller]
#[must_use]
pub fn all_reduce<T: Tensors>(tensors: T, ranks: &Ranks, op: ReduceOp) -> T {
    let mut merged = Vec::new();
    for leaf in tensors.leaves().into_iter().rev() {
        merged.push(ranks.all_reduce(leaf, op));
    }
    tensors.map(&mut |leaf| merged.pop().unwrap_or(leaf))
}

/// The sum of parts, leaf by leaf: in pairs, then of pairs of pairs.
///
/// Ranks that merge theirs by [`Order::XorTree`](ringwood_graph::lazy::Order::XorTree) go on with the same tree: 8 parts have
/// the same sum, bit by bit, on 1, 2, 4 and 8 ranks. There are a power of two of them on each.
///
/// # Panics
/// There are no parts.
#[track_caller]
#[must_use]
pub fn sum_of<T: Tensors>(mut parts: Vec<T>) -> T {
    while parts.len() > 1 {
        let mut pairs = std::mem::take(&mut parts).into_iter();
        while let Some(first) = pairs.next() {
            parts.push(match pairs.next() {
                Some(second) => as_caller(|| first.zip(&second, |a, b| a + b)),
                None => first,
            });
        }
    }
    parts.pop().expect("`sum_of` takes at least one part")
}

/// This rank's part of a tensor that is cut along a dimension, in the order of the ranks.
///
/// What is wrong is kept by the result: this thread is no rank, or the ranks cannot share the extent.
#[track_caller]
#[must_use]
pub fn shard(x: &Lazy, ranks: &Ranks, axis: i64) -> Lazy {
    match part(x, ranks, axis) {
        Ok((start, end)) => x.slice(axis, start, end),
        Err(error) => Lazy::of_result(Err(error)),
    }
}

fn part(x: &Lazy, ranks: &Ranks, axis: i64) -> Result<(usize, usize)> {
    let ((rank, size), shape) = (ranks.place()?, x.shape()?);
    let extent = shape[dimension(axis, shape.len())?];
    if extent % size != 0 {
        let message = format!("{size} ranks cannot share dimension {axis} of {shape}");
        return Err(Error::shape(message));
    }
    let part = extent / size;
    Ok((rank * part, (rank + 1) * part))
}

/// A [`Linear`] layer of which each rank computes some of the outputs; a [`RowParallel`] layer goes on with those.
#[derive(Clone, Tensors)]
pub struct ColumnParallel {
    /// `[inputs, outputs / ranks]` and `[outputs / ranks]`.
    pub shard: Linear,
}

impl ColumnParallel {
    /// This rank's part of a layer that all ranks have.
    #[track_caller]
    pub fn of(layer: &Linear, ranks: &Ranks) -> Self {
        let weight = shard(&layer.weight, ranks, 1);
        Self { shard: Linear { weight, bias: shard(&layer.bias, ranks, 0) } }
    }

    /// `[…, inputs]`, which all ranks have, to this rank's `[…, outputs / ranks]`.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        self.shard.apply(x)
    }
}

/// A [`Linear`] layer of which each rank has some of the inputs; the ranks add up what they compute of them.
///
/// A gradient is that of the sum of the losses of all ranks. Where all compute the same loss, take it over their number: then
/// gradients of shards are right as they are, and those of what all ranks have, as `bias`, when they are summed.
#[derive(Clone, Tensors)]
pub struct RowParallel {
    /// `[inputs / ranks, outputs]`.
    pub weight: Lazy,
    /// `[outputs]`, on every rank.
    pub bias: Lazy,
    /// Those that share the layer.
    pub ranks: Static<Ranks>,
}

impl RowParallel {
    /// This rank's part of a layer that all ranks have.
    #[track_caller]
    pub fn of(layer: &Linear, ranks: &Ranks) -> Self {
        let (weight, ranks) = (shard(&layer.weight, ranks, 0), Static(ranks.clone()));
        Self { weight, bias: layer.bias.clone(), ranks }
    }

    /// This rank's `[…, inputs / ranks]` to `[…, outputs]`, which all ranks have.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        self.ranks.0.all_reduce(&x.matmul(&self.weight), ReduceOp::Sum) + &self.bias
    }
}
