//! The steps with Ringwood.

use crate::Step;
use crate::given::{
    ADAM_RATE, BATCH, CLASSES, DECAY, FEATURES, HEADS, HIDDEN, LENGTH, PIXELS, SEQUENCES, SGD_RATE,
    images, labels, sequences, weights,
};
use ringwood::nn::{Adam, AdamState, Attention, Convolution, LayerNorm, Linear};
use ringwood::prelude::*;

fn linear(name: &str, inputs: usize, outputs: usize) -> Linear {
    Linear {
        weight: Lazy::new(&[inputs, outputs], &weights(name, inputs, outputs)),
        bias: Lazy::zeros(DType::F32, &[outputs]),
    }
}

fn batch() -> (Lazy, Lazy) {
    let labels: Vec<i32> = labels().map(|label| label as i32).collect();
    (Lazy::new(&[BATCH, PIXELS], &images()), Lazy::new(&[BATCH], &labels))
}

#[derive(Clone, Tensors)]
struct Digits {
    hidden: Linear,
    output: Linear,
}

pub(crate) fn digits() -> Step {
    let step = jit(|(network, images, labels, rate): (Digits, Lazy, Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&network, |network| {
            let hidden = network.hidden.apply(&images).relu();
            network.output.apply(&hidden).cross_entropy(&labels).mean_all()
        });
        (network.zip(&gradient, |weight, gradient| weight - gradient * &rate), loss)
    });
    let (images, labels) = batch();
    let mut network = Some(Digits {
        hidden: linear("hidden", PIXELS, HIDDEN),
        output: linear("output", HIDDEN, CLASSES),
    });
    Box::new(move || {
        let rate = Lazy::scalar(SGD_RATE as f32);
        let arguments = (network.take().unwrap(), images.clone(), labels.clone(), rate);
        let (moved, loss) = step.call(arguments).unwrap();
        network = Some(moved);
        loss.item().unwrap()
    })
}

/// A step of Adam with decoupled decay.
fn trained<P: Tensors + 'static>(
    network: P,
    x: Lazy,
    y: Lazy,
    loss: fn(&P, &Lazy, &Lazy) -> Lazy,
) -> Step {
    let adam = Adam { weight_decay: DECAY as f32, ..Adam::default() };
    let step = jit(move |(network, state, x, y, rate): (P, AdamState<P>, Lazy, Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&network, |network| loss(network, &x, &y));
        (adam.update(&rate, network, &gradient, state), loss)
    });
    let mut training = Some((network.clone(), adam.init(&network)));
    drop(network);
    Box::new(move || {
        let (network, state) = training.take().unwrap();
        let rate = Lazy::scalar(ADAM_RATE as f32);
        let (moved, loss) = step.call((network, state, x.clone(), y.clone(), rate)).unwrap();
        training = Some(moved);
        loss.item().unwrap()
    })
}

#[derive(Clone, Tensors)]
struct Convnet {
    first: Convolution,
    second: Convolution,
    output: Linear,
}

fn convolution(name: &str, inputs: usize, outputs: usize) -> Convolution {
    Convolution {
        weight: Lazy::new(&[outputs, inputs, 3, 3], &weights(name, inputs * 9, outputs)),
        bias: Lazy::zeros(DType::F32, &[outputs]),
        stride: 1,
        padding: 1,
    }
}

pub(crate) fn convnet() -> Step {
    let network = Convnet {
        first: convolution("first", 1, 8),
        second: convolution("second", 8, 16),
        output: linear("output", PIXELS, CLASSES),
    };
    let (images, labels) = batch();
    trained(network, images, labels, |network, images, labels| {
        let x = images.reshape(&[-1, 1, 8, 8]);
        let x = network.first.apply(&x).relu().max_pool2d(2, 2);
        let x = network.second.apply(&x).relu().max_pool2d(2, 2);
        network.output.apply(&x.reshape(&[-1, 64])).cross_entropy(labels).mean_all()
    })
}

#[derive(Clone, Tensors)]
struct Block {
    norm1: LayerNorm,
    attention: Attention,
    norm2: LayerNorm,
    wide: Linear,
    narrow: Linear,
}

pub(crate) fn block() -> Step {
    let attention = Attention {
        inputs: linear("inputs", FEATURES, 3 * FEATURES),
        output: linear("outputs", FEATURES, FEATURES),
        heads: HEADS,
    };
    let network = Block {
        norm1: LayerNorm::init(FEATURES),
        attention,
        norm2: LayerNorm::init(FEATURES),
        wide: linear("wide", FEATURES, 4 * FEATURES),
        narrow: linear("narrow", 4 * FEATURES, FEATURES),
    };
    let tensor = |name| Lazy::new(&[SEQUENCES, LENGTH, FEATURES], &sequences(name));
    trained(network, tensor("given"), tensor("wanted"), |block, x, wanted| {
        let x = x + block.attention.apply(&block.norm1.apply(x));
        let wide = block.wide.apply(&block.norm2.apply(&x)).gelu();
        (&x + block.narrow.apply(&wide) - wanted).square().mean_all()
    })
}
