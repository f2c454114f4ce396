//! Gradients of bounded length.

use crate::{beside, widest};
use ringwood_base::Error;
use ringwood_graph::lazy::{Lazy, Tensors, as_caller};
use ringwood_kernels::lazy::Operations;

/// The gradients, shortened together to the length `most` if they are longer (Pascanu, Mikolov and Bengio, 2013), and
/// the length that they had: the root of the sum of all squares, as `f32`, or as `f64` if some are. Integers, and a `most`
/// below 0, are errors.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::clip;
///
/// let (clipped, length) = clip(Lazy::new(&[2], &[3.0_f32, 4.0]), 1.0);
/// assert_eq!(length.item::<f32>()?, 5.0);
/// assert_eq!(clipped.to_vec::<f32>()?, [0.6, 0.8]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[track_caller]
pub fn clip<P: Tensors>(gradients: P, most: f32) -> (P, Lazy) {
    as_caller(|| {
        let leaves = gradients.leaves();
        let dtype = widest(&leaves);
        let squares = leaves.into_iter().map(|leaf| float(leaf).cast(dtype).square().sum_all());
        let square = Lazy::of_result(match most >= 0.0 {
            true => Ok(squares.reduce(|a, b| a + b).unwrap_or_else(|| Lazy::zeros(dtype, &[]))),
            false => Err(Error::invalid(format!("gradients have no length of at most {most}"))),
        });
        let length = square.sqrt();
        // What is no number shows in all gradients; a length of 0 divides nothing.
        let one = beside(Lazy::scalar(1.0_f32).cast(dtype), &length);
        let scale = length.le(most).where_(&one, &(most / &length));
        (gradients.map(&mut |leaf| &leaf * scale.cast(leaf.dtype().unwrap_or(dtype))), length)
    })
}

/// A gradient, or that it has no floats.
#[track_caller]
fn float(gradient: &Lazy) -> Lazy {
    match gradient.dtype() {
        Ok(dtype) if !dtype.is_float() => {
            let message = format!("a gradient of type {dtype} cannot be shortened");
            Lazy::of_result(
                Err(Error::dtype(message).help("leave integers out of what is clipped")),
            )
        }
        _ => gradient.clone(),
    }
}
