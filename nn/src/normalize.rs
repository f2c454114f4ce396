//! Layers that give features a mean of 0 and a variance of 1.

use crate::{extents, of_type, refused, wide};
use ringwood_base::{DType, Error};
use ringwood_graph::Tensors;
use ringwood_graph::lazy::{Lazy, Tensors, as_caller};
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

/// What norms of channels take.
const CHANNELS: &str = "[n, channels, …]";

/// What is added to variances, so that none is 0.
const EPSILON: f32 = 1e-5;

/// Over the images of a batch, channel by channel (Ioffe and Szegedy, 2015). What follows from a batch, and is used where
/// there is none, are [`Moments`], which stand beside the weights, as they have no gradient. 16-bit images are normalised
/// in `f32`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::{Lazy, Tensors, value_and_grad};
/// use ringwood_kernels::lazy::Operations;
/// use ringwood_nn::{BatchNorm, Moments};
///
/// let (layer, moments) = (BatchNorm::init(1), Moments::init(1));
/// let x = Lazy::new(&[2, 1, 2], &[1.0_f32, 3.0, 5.0, 7.0]);
/// // The moments of the batch come back beside the loss, in `jit` and outside of it.
/// let ((loss, of_batch), gradient) = value_and_grad(&layer, |layer| {
///     let (y, of_batch) = layer.train(&x);
///     (y.square().mean_all(), of_batch)
/// });
/// let moments = moments.towards(&of_batch, 0.1);
/// assert_eq!(moments.mean.to_vec::<f32>()?, [0.4]);
/// assert!((loss.item::<f32>()? - 1.0).abs() < 1e-5);
/// let layer = layer.zip(&gradient, |weight, gradient| weight - gradient * 0.1);
/// assert_eq!(layer.apply(&x, &moments).shape()?, x.shape()?);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Tensors)]
pub struct BatchNorm {
    /// `[channels]`.
    pub scale: Lazy,
    /// `[channels]`.
    pub shift: Lazy,
}

/// Means and variances of channels: estimates for all data, from batches.
#[derive(Clone, Tensors)]
pub struct Moments {
    /// `[channels]`.
    pub mean: Lazy,
    /// `[channels]`.
    pub variance: Lazy,
}

impl Moments {
    /// Means of 0 and variances of 1.
    #[track_caller]
    pub fn init(channels: usize) -> Self {
        let (mean, variance) =
            (Lazy::zeros(DType::F32, &[channels]), Lazy::full(&[channels], 1.0_f32));
        Self { mean, variance }
    }

    /// These, moved by a part of the way to those of a batch, of the type that they had.
    #[must_use]
    #[track_caller]
    pub fn towards(self, batch: &Self, part: f32) -> Self {
        as_caller(|| {
            self.zip(batch, |own, batch| {
                let from = wide(&own);
                of_type(&(&from + (wide(&batch) - &from) * part), &own)
            })
        })
    }
}

impl BatchNorm {
    /// A scale of ones and a shift of zeros.
    #[track_caller]
    pub fn init(channels: usize) -> Self {
        let LayerNorm { scale, shift } = LayerNorm::init(channels);
        Self { scale, shift }
    }

    /// `[n, channels, …]` to the same shape, by the mean and the variance of this batch, and the moments of all data as this
    /// batch tells them, as `f32` for 16-bit images: with `m > 1` numbers for each channel, `m / (m − 1)` of its variance
    /// (Algorithm 2 of the paper).
    #[track_caller]
    pub fn train(&self, x: &Lazy) -> (Lazy, Moments) {
        let mut moments = as_caller(|| {
            let of = |x: &Lazy| planes(x).mean(2).mean(0);
            let x = wide(x);
            let mean = of(&x);
            Moments { variance: of(&(&x - beside(&mean, &x)).square()), mean }
        });
        let y = self.apply(x, &moments);
        let shape = extents(x);
        let count: i64 = shape.iter().take(1).chain(shape.iter().skip(2)).product();
        if count > 1 {
            moments.variance = moments.variance * (count as f64 / (count - 1) as f64);
        }
        (y, moments)
    }

    /// `[n, channels, …]` to the same shape, by these moments.
    #[track_caller]
    pub fn apply(&self, x: &Lazy, moments: &Moments) -> Lazy {
        let spread = beside(&(wide(&moments.variance) + EPSILON).rsqrt(), x);
        let scale = spread * beside(&wide(&self.scale), x);
        let centred = wide(x) - beside(&wide(&moments.mean), x);
        of_type(&(centred * scale + beside(&wide(&self.shift), x)), x)
    }
}

/// Over the channels of a group of an image (Wu and He, 2018); with as many groups as channels, over each (instance norm).
/// 16-bit images are normalised in `f32`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::GroupNorm;
///
/// let x = Lazy::new(&[1, 4], &[1.0_f32, 3.0, 10.0, 30.0]);
/// let y = GroupNorm::init(2, 4).apply(&x).to_vec::<f32>()?;
/// assert!(y.iter().zip([-1.0, 1.0, -1.0, 1.0]).all(|(y, want): (&f32, f32)| (y - want).abs() < 1e-4));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Tensors)]
pub struct GroupNorm {
    /// `[channels]`.
    pub scale: Lazy,
    /// `[channels]`.
    pub shift: Lazy,
    /// Of how many groups the channels are.
    #[tensors(configuration)]
    pub groups: usize,
}

impl GroupNorm {
    /// A scale of ones and a shift of zeros.
    #[track_caller]
    pub fn init(groups: usize, channels: usize) -> Self {
        let LayerNorm { scale, shift } = LayerNorm::init(channels);
        Self { scale, shift, groups }
    }

    /// `[n, channels, …]` to the same shape.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        let shape = extents(x);
        let (&[n, channels, ..], groups) = (&shape[..], self.groups as i64) else {
            return refused(x, CHANNELS);
        };
        if channels.checked_rem(groups) != Some(0) {
            let message = format!("{channels} channels are not divided into {groups} groups");
            return Lazy::of_result(Err(Error::shape(message)));
        }
        let each = shape[1..].iter().product::<i64>() / groups;
        let rows = wide(x).reshape(&[n, groups, each]);
        let centred = &rows - rows.mean(-1).unsqueeze(-1);
        let scale = (centred.square().mean(-1) + EPSILON).rsqrt().unsqueeze(-1);
        let normal = (centred * scale).reshape(&shape);
        let scaled = normal * beside(&wide(&self.scale), x);
        of_type(&(scaled + beside(&wide(&self.shift), x)), x)
    }
}

/// `[n, channels, …]` as `[n, channels, numbers]`.
#[track_caller]
fn planes(x: &Lazy) -> Lazy {
    match &extents(x)[..] {
        [n, channels, numbers @ ..] => x.reshape(&[*n, *channels, numbers.iter().product()]),
        _ => refused(x, CHANNELS),
    }
}

/// A number for each channel of `x`, in a shape that spreads over the rest.
#[track_caller]
fn beside(numbers: &Lazy, x: &Lazy) -> Lazy {
    if numbers.error().is_some() {
        return numbers.clone();
    }
    let (own, shape) = (extents(numbers), extents(x));
    let [_, channels, rest @ ..] = &shape[..] else {
        return refused(x, CHANNELS);
    };
    if own != [*channels] {
        let message = format!("a norm of {own:?} channels takes no {channels}");
        return Lazy::of_result(Err(Error::shape(message)));
    }
    numbers.reshape(&[&own, &vec![1; rest.len()][..]].concat())
}
