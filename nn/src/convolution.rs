//! Products with windows of images.

use crate::Key;
use crate::linear::he;
use ringwood_base::DType;
use ringwood_graph::Tensors;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// Filters over images, as PyTorch's `Conv2d`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::{Convolution, Key};
///
/// let layer = Convolution::init(&Key::new(1), 1, 6, 3);
/// let x = Lazy::full(&[2, 1, 8, 8], 0.5_f32);
/// assert_eq!(&layer.apply(&x).shape()?[..], [2, 6, 6, 6]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Tensors)]
pub struct Convolution {
    /// `[outputs, inputs, size, size]`.
    pub weight: Lazy,
    /// `[outputs]`.
    pub bias: Lazy,
    /// How far windows are apart.
    #[tensors(configuration)]
    pub stride: usize,
    /// The zeros around an image.
    #[tensors(configuration)]
    pub padding: usize,
}

impl Convolution {
    /// Filters of `size` by `size`, uniform as He et al. (2015) scale them, with a stride of 1 and no padding; a bias of
    /// zeros.
    #[track_caller]
    pub fn init(key: &Key, inputs: usize, outputs: usize, size: usize) -> Self {
        Self {
            weight: he(key, &[outputs, inputs, size, size], inputs * size * size),
            bias: Lazy::zeros(DType::F32, &[outputs]),
            stride: 1,
            padding: 0,
        }
    }

    /// `[images, inputs, height, width]` to `[images, outputs, …]`.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        let bias = self.bias.unsqueeze(-1).unsqueeze(-1);
        x.conv2d(&self.weight, self.stride, self.padding) + bias
    }
}
