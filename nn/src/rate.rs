//! How large steps are in the course of a training.

use std::f32::consts::PI;

/// The size of each step: up to a peak in a line, then down to 0, or on at the peak. Pass it to a recorded step as a tensor, so that it is
/// no constant of the program.
///
/// ```
/// use ringwood_nn::{Decay, Rate};
///
/// let rate = Rate { peak: 1.0, warmup: 10, steps: 110, decay: Decay::Cosine };
/// assert_eq!(rate.at(4), 0.5);
/// assert_eq!(rate.at(10), 1.0);
/// assert!((rate.at(60) - 0.5).abs() < 1e-6);
/// assert_eq!(rate.at(110), 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// The largest step.
    pub peak: f32,
    /// The number of steps on the way up.
    pub warmup: usize,
    /// The number of all steps; with [`Decay::None`] it changes nothing.
    pub steps: usize,
    /// How steps become smaller.
    pub decay: Decay,
}

equal_by_bits!(Rate, |rate| (rate.peak.to_bits(), rate.warmup, rate.steps, rate.decay));

/// How steps become smaller behind the largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decay {
    /// They do not: they stay at the peak, however many there are.
    None,
    /// As half a wave of the cosine (Loshchilov and Hutter, 2017), which is 0 behind the last step.
    Cosine,
    /// In a line, which is 0 behind the last step.
    Linear,
}

impl Rate {
    /// The size of step `step`, counted from 0. Steps that become smaller are 0 from step `steps` on.
    pub fn at(&self, step: usize) -> f32 {
        if step >= self.steps && self.decay != Decay::None {
            return 0.0;
        }
        if step < self.warmup {
            return self.peak * (step + 1) as f32 / self.warmup as f32;
        }
        let share = || (step - self.warmup) as f32 / (self.steps - self.warmup) as f32;
        self.peak
            * match self.decay {
                Decay::None => 1.0,
                Decay::Cosine => (1.0 + (PI * share()).cos()) / 2.0,
                Decay::Linear => 1.0 - share(),
            }
    }
}
