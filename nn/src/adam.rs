//! Adam.

use crate::{alike, beside, of_type, wide, widest};
use ringwood_graph::Tensors;
use ringwood_graph::lazy::{Lazy, Tensors, as_caller};
use ringwood_kernels::lazy::Operations;

/// Adam (Kingma and Ba, 2015) with decoupled weight decay (Loshchilov and Hutter, 2019), as PyTorch's `AdamW`. Steps of
/// 16-bit weights are computed in `f32`.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::Adam;
///
/// let adam = Adam::default();
/// let (weights, gradient) = (Lazy::new(&[2], &[1.0_f32, 2.0]), Lazy::new(&[2], &[0.1_f32, -4.0]));
/// let state = adam.init(&weights);
/// let (weights, _state) = adam.update(&Lazy::scalar(0.5_f32), weights, &gradient, state);
/// let moved = weights.to_vec::<f32>()?;
/// // The first step is as long as the rate, in the direction of each gradient.
/// assert!((moved[0] - 0.5).abs() < 1e-5 && (moved[1] - 2.5).abs() < 1e-5);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// A recorded function that captures one keeps its numbers. As an argument `Static(adam)` the function is recorded anew
/// when one of them changes.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    /// How much of the mean of gradients is kept.
    pub beta1: f32,
    /// How much of the mean of squared gradients is kept.
    pub beta2: f32,
    /// What is added to the root of the mean square.
    pub epsilon: f32,
    /// How much of each parameter a step of rate 1 takes away.
    pub weight_decay: f32,
}

equal_by_bits!(Adam, |adam| {
    [adam.beta1, adam.beta2, adam.epsilon, adam.weight_decay].map(f32::to_bits)
});

/// What [`Adam`] keeps between steps: `f32` for 16-bit weights, also in a checkpoint.
#[derive(Clone, Tensors)]
pub struct AdamState<P: Tensors> {
    /// The means of the gradients.
    pub mean: P,
    /// The means of the squared gradients.
    pub square: P,
    /// `beta1` and `beta2` to the power of the number of steps, `f64` if some of the parameters are.
    pub powers: [Lazy; 2],
}

impl Default for Adam {
    /// The values of the paper, without weight decay.
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0 }
    }
}

impl Adam {
    /// What to start from.
    #[track_caller]
    pub fn init<P: Tensors>(&self, parameters: &P) -> AdamState<P> {
        let zeros = || parameters.clone().map(&mut |leaf| wide(&leaf).zeros_like());
        let leaves = parameters.leaves();
        let one = || {
            let one = Lazy::scalar(1.0_f32).cast(widest(&leaves));
            leaves.first().map_or(one.clone(), |leaf| beside(one, leaf))
        };
        AdamState { mean: zeros(), square: zeros(), powers: [one(), one()] }
    }

    /// The parameters and the state after a step of size `rate`, a float of any type.
    #[track_caller]
    pub fn update<P: Tensors>(
        &self,
        rate: &Lazy,
        parameters: P,
        gradients: &P,
        state: AdamState<P>,
    ) -> (P, AdamState<P>) {
        as_caller(|| {
            let AdamState { mean, square, powers: [power1, power2] } = state;
            let (power1, power2) = (power1 * self.beta1, power2 * self.beta2);
            let mean = mean.zip(gradients, |mean, g| {
                let g = wide(&alike("gradient", g, &mean));
                mean * self.beta1 + g * (1.0 - self.beta1)
            });
            let square = square.zip(gradients, |square, g| {
                let g = wide(&alike("gradient", g, &square));
                square * self.beta2 + &g * &g * (1.0 - self.beta2)
            });
            // Means that start from zero are too small at first.
            let (whole1, whole2) = (1.0 - &power1, 1.0 - &power2);
            let step = mean.clone().zip(&square, |mean, square| {
                let as_mean = |whole| of_type(whole, &mean);
                (&mean / as_mean(&whole1)) / ((square / as_mean(&whole2)).sqrt() + self.epsilon)
            });
            let parameters = parameters.zip(&step, |parameter, step| {
                let step = alike("step", step, &parameter);
                let from = wide(&parameter);
                let step = match self.weight_decay {
                    0.0 => step,
                    decay => step + &from * decay,
                };
                let rate = of_type(rate, &step);
                of_type(&(from - alike("step", step * rate, &parameter)), &parameter)
            });
            (parameters, AdamState { mean, square, powers: [power1, power2] })
        })
    }
}
