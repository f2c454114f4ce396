//! What all three are given: images, activations and the weights to start from.

/// Images of a batch, pixels of one, classes.
pub(crate) const BATCH: usize = 32;
pub(crate) const PIXELS: usize = 64;
pub(crate) const HIDDEN: usize = 64;
pub(crate) const CLASSES: usize = 10;
/// Sequences of a batch of the transformer block, their length, features and heads.
pub(crate) const SEQUENCES: usize = 16;
pub(crate) const LENGTH: usize = 64;
pub(crate) const FEATURES: usize = 128;
pub(crate) const HEADS: usize = 4;

pub(crate) const SGD_RATE: f64 = 0.05;
pub(crate) const ADAM_RATE: f64 = 1e-3;
pub(crate) const DECAY: f64 = 0.01;

/// `count` numbers within `bound`, the same for a name.
pub(crate) fn uniform(name: &str, count: usize, bound: f32) -> Vec<f32> {
    let mut state = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next() * bound).collect()
}

/// The weights `[inputs, outputs]` of a layer, within the bound that He et al. (2015) give.
pub(crate) fn weights(name: &str, inputs: usize, outputs: usize) -> Vec<f32> {
    uniform(name, inputs * outputs, (6.0 / inputs as f32).sqrt())
}

/// A batch of images.
pub(crate) fn images() -> Vec<f32> {
    uniform("images", BATCH * PIXELS, 1.0)
}

/// The class of each image.
pub(crate) fn labels() -> impl Iterator<Item = usize> {
    (0..BATCH).map(|image| image * 7 % CLASSES)
}

/// What goes into the transformer block, and what shall come out.
pub(crate) fn sequences(name: &str) -> Vec<f32> {
    uniform(name, SEQUENCES * LENGTH * FEATURES, 1.0)
}

/// `[length, length]`: minus infinity where a position would look ahead, else 0.
pub(crate) fn mask() -> Vec<f32> {
    let ahead = |i: usize| i % LENGTH > i / LENGTH;
    (0..LENGTH * LENGTH).map(|i| if ahead(i) { f32::NEG_INFINITY } else { 0.0 }).collect()
}
