//! Keys of random numbers.

use ringwood_base::{DType, Error};
use ringwood_graph::Tensors;
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// Where random numbers come from: a key is used once, and split for more. The same key gives the same numbers on every
/// device, as in JAX; there is no hidden state.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_nn::Key;
///
/// let [weights, noise] = Key::new(7).split();
/// let (a, b) = (weights.uniform(&[3], -1.0, 1.0), noise.normal(&[3]));
/// assert_eq!(a.to_vec::<f32>()?, Key::new(7).split::<2>()[0].uniform(&[3], -1.0, 1.0).to_vec::<f32>()?);
/// assert_ne!(a.to_vec::<f32>()?, b.to_vec::<f32>()?);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Tensors)]
pub struct Key {
    words: Lazy,
}

impl Key {
    /// The key of a seed.
    #[track_caller]
    pub fn new(seed: u64) -> Self {
        Self { words: Lazy::new(&[2], &[seed as u32, (seed >> 32) as u32]) }
    }

    /// `N` keys of this one, which is not used again.
    #[track_caller]
    pub fn split<const N: usize>(&self) -> [Key; N] {
        let keys = self.words.apply("ringwood::key_split", &[], [("n", N)]);
        std::array::from_fn(|i| Key { words: keys.slice(0, i, i + 1).squeeze(0) })
    }

    /// The key that this one and a number make: one for each step of a training, say.
    #[track_caller]
    pub fn fold(&self, number: &Lazy) -> Key {
        Key { words: self.words.apply("ringwood::key_fold", &[number], ()) }
    }

    /// Numbers of type `f32` from `low` to before `high`, equally likely; bounds that are not finite, or in the other
    /// order, are an error.
    #[track_caller]
    pub fn uniform(&self, dims: &[usize], low: f32, high: f32) -> Lazy {
        if low > high || !(high - low).is_finite() {
            let message = format!("there are no random numbers from {low} to {high}");
            let help = "give finite bounds, the lower one first, of a finite difference";
            return Lazy::of_result(Err(Error::invalid(message).help(help)));
        }
        // Rounding may give `high`.
        let numbers = self.draw("ringwood::random_uniform", dims) * (high - low) + low;
        numbers.minimum(if high > low { high.next_down() } else { low })
    }

    /// Numbers of type `f32` of the standard normal distribution.
    #[track_caller]
    pub fn normal(&self, dims: &[usize]) -> Lazy {
        self.draw("ringwood::random_normal", dims)
    }

    /// The integers from 0 to before `n` in a random order, of type `i32`: random words, which the processor sorts; other devices
    /// compare each with all, `n²` times.
    #[track_caller]
    pub fn permutation(&self, n: usize) -> Lazy {
        self.words.apply("ringwood::permutation", &[], [("n", n)])
    }

    /// `x` with each element zero with probability `rate`, and the others divided by `1 - rate` (Srivastava et al.,
    /// 2014).
    #[track_caller]
    pub fn dropout(&self, x: &Lazy, rate: f32) -> Lazy {
        x.apply("ringwood::dropout", &[&self.words], [("rate", rate)])
    }

    #[track_caller]
    fn draw(&self, operator: &str, dims: &[usize]) -> Lazy {
        let attributes = [("shape", Attribute::from(dims)), ("dtype", DType::F32.into())];
        self.words.apply(operator, &[], attributes)
    }
}
