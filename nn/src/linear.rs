//! Products with weights.

use crate::{Key, extents};
use ringwood_base::DType;
use ringwood_graph::Tensors;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// `x weight + bias` over the last dimension of `x`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::{Key, Linear};
///
/// let layer = Linear::init(&Key::new(1), 4, 3);
/// let x = Lazy::full(&[2, 5, 4], 0.5_f32);
/// assert_eq!(&layer.apply(&x).shape()?[..], [2, 5, 3]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Tensors)]
pub struct Linear {
    /// `[inputs, outputs]`.
    pub weight: Lazy,
    /// `[outputs]`.
    pub bias: Lazy,
}

impl Linear {
    /// Weights uniform as He et al. (2015) scale them for a rectifier behind; a bias of zeros.
    #[track_caller]
    pub fn init(key: &Key, inputs: usize, outputs: usize) -> Self {
        Self {
            weight: he(key, &[inputs, outputs], inputs),
            bias: Lazy::zeros(DType::F32, &[outputs]),
        }
    }

    /// `[…, inputs]` to `[…, outputs]`.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        let (shape, outputs) = (extents(x), extents(&self.bias));
        match shape.split_last() {
            Some((&inputs, outer)) if outer.len() != 1 => {
                let y =
                    x.reshape(&[outer.iter().product(), inputs]).matmul(&self.weight) + &self.bias;
                y.reshape(&[outer, &outputs].concat())
            }
            _ => x.matmul(&self.weight) + &self.bias,
        }
    }
}

/// Weights that are uniform within `sqrt(6 / inputs)`; without inputs there are none.
#[track_caller]
pub(crate) fn he(key: &Key, dims: &[usize], inputs: usize) -> Lazy {
    let bound = (6.0 / inputs.max(1) as f32).sqrt();
    key.uniform(dims, -bound, bound)
}
