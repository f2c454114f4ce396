//! Gradient descent.

use crate::{alike, of_type, wide};
use ringwood_graph::lazy::{Lazy, Tensors, as_caller};

/// Stochastic gradient descent with momentum, as PyTorch's `SGD`: the velocity is `momentum` of the last one and
/// the gradient, and parameters move against it. Steps of 16-bit weights are computed in `f32`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::Sgd;
///
/// let sgd = Sgd { momentum: 0.9 };
/// let (weights, gradient) = (Lazy::new(&[2], &[1.0_f32, 2.0]), Lazy::new(&[2], &[1.0_f32, -1.0]));
/// let velocity = sgd.init(&weights);
/// let (weights, _velocity) = sgd.update(&Lazy::scalar(0.5_f32), weights, &gradient, velocity);
/// assert_eq!(weights.to_vec::<f32>()?, [0.5, 2.5]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// A recorded function that captures one keeps its momentum. As an argument `Static(sgd)` the function is recorded anew
/// when that changes.
#[derive(Clone, Copy, Debug)]
pub struct Sgd {
    /// How much of the last velocity is kept, from 0 to below 1.
    pub momentum: f32,
}

equal_by_bits!(Sgd, |sgd| sgd.momentum.to_bits());

impl Sgd {
    /// The velocity to start from: zeros, of type `f32` for 16-bit weights, also in a checkpoint.
    #[track_caller]
    pub fn init<P: Tensors>(&self, parameters: &P) -> P {
        parameters.clone().map(&mut |leaf| wide(&leaf).zeros_like())
    }

    /// The parameters and the velocity after a step of size `rate`, a float of any type.
    #[track_caller]
    pub fn update<P: Tensors>(
        &self,
        rate: &Lazy,
        parameters: P,
        gradients: &P,
        velocity: P,
    ) -> (P, P) {
        as_caller(|| {
            let velocity = velocity.zip(gradients, |velocity, g| {
                let g = wide(&alike("gradient", g, &velocity));
                wide(&velocity) * self.momentum + g
            });
            let stepped = |parameter: Lazy, velocity: Lazy| {
                let rate = of_type(rate, &velocity);
                let step = alike("step", velocity * rate, &parameter);
                of_type(&(wide(&parameter) - step), &parameter)
            };
            (parameters.zip(&velocity, stepped), velocity)
        })
    }
}
