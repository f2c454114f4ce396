//! Attention.

use crate::{Key, Linear, beside, extents, refused};
use ringwood_base::Error;
use ringwood_graph::Tensors;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// Causal self-attention of several heads (Vaswani et al., 2017): a position looks at itself and at those before.
#[derive(Clone, Tensors)]
pub struct Attention {
    /// `features` to `3 features`: queries, keys and values.
    pub inputs: Linear,
    /// `features` to `features`.
    pub output: Linear,
    /// Into how many parts the features are divided.
    #[tensors(configuration)]
    pub heads: usize,
}

impl Attention {
    /// Layers as [`Linear::init`] makes them; `heads` divides `features`.
    #[track_caller]
    pub fn init(key: &Key, features: usize, heads: usize) -> Self {
        let [inputs, output] = key.split();
        Self {
            inputs: Linear::init(&inputs, features, 3 * features),
            output: Linear::init(&output, features, features),
            heads,
        }
    }

    /// `[batch, positions, features]` to the same shape.
    #[track_caller]
    pub fn apply(&self, x: &Lazy) -> Lazy {
        let &[batch, positions, features] = &extents(x)[..] else {
            return refused(x, "[batch, positions, features]");
        };
        let heads = self.heads as i64;
        if heads == 0 || features % heads != 0 {
            let message = format!("{features} features are not divided into {heads} heads");
            return Lazy::of_result(Err(Error::shape(message)));
        }
        let width = features / heads;
        let all = self.inputs.apply(x).reshape(&[batch, positions, 3, heads, width]);
        let part = |i| all.slice(2, i, i + 1).squeeze(2).permute(&[0, 2, 1, 3]);
        let scores = part(0).matmul(&part(1).transpose(-2, -1)) / (width as f64).sqrt();
        let values = (&scores + mask(positions, &scores)).softmax().matmul(&part(2));
        self.output.apply(&values.permute(&[0, 2, 1, 3]).reshape(&[batch, positions, features]))
    }
}

/// Minus infinity where a position would look ahead, else 0.
#[track_caller]
fn mask(positions: i64, scores: &Lazy) -> Lazy {
    let places: Vec<_> = (0..positions).collect();
    let places = beside(Lazy::new(&[places.len()], &places), scores);
    let [ahead, seen] = [f32::NEG_INFINITY, 0.0].map(|bias| beside(Lazy::scalar(bias), scores));
    let mask = places.unsqueeze(-1).lt(&places).where_(&ahead, &seen);
    scores.dtype().map_or_else(|_| mask.clone(), |dtype| mask.cast(dtype))
}
