//! Layers that give features a mean of 0 and a variance of 1. None depends on the other rows of a batch.

use ringwood_base::DType;
use ringwood_graph::Tensors;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// Over the last dimension (Ba, Kiros and Hinton, 2016).
#[derive(Clone, Tensors)]
pub struct LayerNorm {
    /// `[features]`.
    pub scale: Lazy,
    /// `[features]`.
    pub shift: Lazy,
}

impl LayerNorm {
    /// A scale of ones and a shift of zeros.
    #[track_caller]
    pub fn init(features: usize) -> Self {
        Self {
            scale: Lazy::full(&[features], 1.0_f32),
            shift: Lazy::zeros(DType::F32, &[features]),
        }
    }

    /// `[…, features]` to the same shape.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        x.layer_norm(&self.scale, &self.shift, 1e-5)
    }
}
