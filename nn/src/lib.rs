//! Layers, optimisers, batches and checkpoints over lazy tensors: plain structs of tensors, and functions of them.
//!
//! | item | noun |
//! |---|---|
//! | [`Linear`], [`Convolution`], [`Embedding`], [`Attention`] | layers: `init(key, …)` and `apply(x)` |
//! | [`LayerNorm`], [`GroupNorm`] | layers without random weights: `init(…)` and `apply(x)` |
//! | [`BatchNorm`], [`Moments`] | the same by batches: `train(x)`, and `apply(x, &moments)` |
//! | [`Sgd`], [`Adam`], [`Rate`], [`clip()`] | how weights move |
//! | [`ColumnParallel`], [`RowParallel`], [`shard`], [`all_reduce`] | layers and gradients over many workers |
//! | [`Data`], [`Column`] | what is learnt from, in batches |
//! | [`save`], [`load`] | checkpoints |
//! | [`set_weights`] | the program of a function as a model, to write as ONNX |
//! | [`Key`] | where random numbers come from |
#![forbid(unsafe_code)]

/// Equality of a struct by the bits of its numbers, so that it is configuration of recorded functions.
macro_rules! equal_by_bits {
    ($type:ident, |$value:ident| $bits:expr) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                let bits = |$value: &Self| $bits;
                bits(self) == bits(other)
            }
        }

        impl Eq for $type {}
    };
}

mod adam;
mod attention;
mod checkpoint;
mod clip;
mod convolution;
mod data;
mod digits;
mod embedding;
mod key;
mod linear;
mod normalize;
mod parallel;
mod program;
mod rate;
mod sgd;

pub use adam::{Adam, AdamState};
pub use attention::Attention;
pub use checkpoint::{load, save};
pub use clip::clip;
pub use convolution::Convolution;
pub use data::{Column, Data};
pub use digits::{CLASSES, PIXELS, digits, parse_digits};
pub use embedding::Embedding;
pub use key::Key;
pub use linear::Linear;
pub use normalize::{BatchNorm, GroupNorm, LayerNorm, Moments};
pub use parallel::{ColumnParallel, RowParallel, all_reduce, shard, sum_of};
pub use program::set_weights;
pub use rate::{Decay, Rate};
pub use sgd::Sgd;

use ringwood_base::{DType, Error};
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// The extents of a tensor; none of a failed one, whose failure the next operation passes on.
fn extents(x: &Lazy) -> Vec<i64> {
    let shape = x.shape().unwrap_or_default();
    shape.iter().map(|&extent| extent as i64).collect()
}

/// The failure of a tensor, or that a layer of `shape` takes none of its shape.
#[track_caller]
fn refused(x: &Lazy, shape: &str) -> Lazy {
    let refuse = |own| Err(Error::shape(format!("a layer of {shape} takes no {own}")));
    Lazy::of_result(x.shape().and_then(refuse))
}

/// A tensor on the device of another one.
fn beside(own: Lazy, other: &Lazy) -> Lazy {
    other.device().map_or_else(|_| own.clone(), |device| own.to_device(&device))
}

/// The type that numbers which all of these make are computed in: `f64` if some are, else `f32`.
fn widest(tensors: &[&Lazy]) -> DType {
    let is_wide = |tensor: &&Lazy| tensor.dtype().is_ok_and(|dtype| dtype == DType::F64);
    if tensors.iter().any(is_wide) { DType::F64 } else { DType::F32 }
}

/// The same numbers, as `f32` where they have 16 bits, in which squares of small ones are 0 and those of large ones are
/// infinite.
#[track_caller]
fn wide(x: &Lazy) -> Lazy {
    match x.dtype() {
        Ok(DType::F16 | DType::BF16) => x.cast(DType::F32),
        _ => x.clone(),
    }
}

/// A tensor as the element type of another one.
#[track_caller]
fn of_type(x: &Lazy, other: &Lazy) -> Lazy {
    match other.dtype() {
        Ok(dtype) => x.cast(dtype),
        Err(_) => x.clone(),
    }
}

/// A step or a gradient, or that it has another shape than its parameter.
#[track_caller]
fn alike(what: &str, given: Lazy, parameter: &Lazy) -> Lazy {
    match (given.shape(), parameter.shape()) {
        (Ok(own), Ok(other)) if own != other => {
            let message = format!("a parameter of shape {other} takes no {what} of shape {own}");
            Lazy::of_result(Err(Error::shape(message)))
        }
        _ => given,
    }
}
