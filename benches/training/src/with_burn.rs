//! The steps with burn, on Flex, its fastest device of the processor.

use crate::Step;
use crate::given::{
    ADAM_RATE, BATCH, CLASSES, DECAY, FEATURES, HEADS, HIDDEN, LENGTH, PIXELS, SEQUENCES, SGD_RATE,
    images, labels, mask, sequences, weights,
};
use burn::module::Param;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::loss::CrossEntropyLossConfig;
use burn::nn::{LayerNorm, LayerNormConfig, Linear, LinearConfig, PaddingConfig2d};
use burn::optim::{AdamWConfig, GradientsParams, ModuleOptimizer, SgdConfig};
use burn::prelude::*;
use burn::tensor::activation::{gelu, relu, softmax};
use burn::tensor::module::max_pool2d;
use burn::tensor::ops::MaxPoolOptions;

fn tensor<const N: usize>(elements: Vec<f32>, shape: [usize; N], device: &Device) -> Tensor<N> {
    Tensor::from_data(TensorData::new(elements, shape), device)
}

fn linear(name: &str, inputs: usize, outputs: usize, device: &Device) -> Linear {
    let weight = tensor(weights(name, inputs, outputs), [inputs, outputs], device);
    let bias = Some(Param::from_tensor(Tensor::zeros([outputs], device)));
    Linear {
        weight: Param::from_tensor(weight),
        bias,
        ..LinearConfig::new(inputs, outputs).init(device)
    }
}

fn batch(device: &Device) -> (Tensor<2>, Tensor<1, Int>) {
    let labels: Vec<i64> = labels().map(|label| label as i64).collect();
    let labels = Tensor::from_data(TensorData::new(labels, [BATCH]), device);
    (tensor(images(), [BATCH, PIXELS], device), labels)
}

/// A step of this optimiser down this loss.
fn step<M: Module + 'static>(
    network: M,
    rate: f64,
    mut optimizer: ModuleOptimizer,
    loss: impl Fn(&M) -> Tensor<1> + 'static,
) -> Step {
    let mut network = Some(network);
    Box::new(move || {
        let before = network.take().unwrap();
        let loss = loss(&before);
        let gradients = GradientsParams::from_grads(loss.backward(), &before);
        network = Some(optimizer.step(rate, before, gradients));
        loss.into_scalar()
    })
}

fn adam() -> ModuleOptimizer {
    AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(DECAY as f32).init()
}

#[derive(Module, Debug)]
struct Digits {
    hidden: Linear,
    output: Linear,
}

pub(crate) fn digits() -> Step {
    let device = &Device::flex().autodiff();
    let network = Digits {
        hidden: linear("hidden", PIXELS, HIDDEN, device),
        output: linear("output", HIDDEN, CLASSES, device),
    };
    let ((images, labels), loss) = (batch(device), CrossEntropyLossConfig::new().init(device));
    step(network, SGD_RATE, SgdConfig::new().init(), move |network| {
        let hidden = relu(network.hidden.forward(images.clone()));
        loss.forward(network.output.forward(hidden), labels.clone())
    })
}

#[derive(Module, Debug)]
struct Convnet {
    first: Conv2d,
    second: Conv2d,
    output: Linear,
}

fn convolution(name: &str, inputs: usize, outputs: usize, device: &Device) -> Conv2d {
    let config = Conv2dConfig::new([inputs, outputs], [3, 3])
        .with_padding(PaddingConfig2d::Explicit(1, 1, 1, 1));
    let weight = tensor(weights(name, inputs * 9, outputs), [outputs, inputs, 3, 3], device);
    let bias = Some(Param::from_tensor(Tensor::zeros([outputs], device)));
    Conv2d { weight: Param::from_tensor(weight), bias, ..config.init(device) }
}

pub(crate) fn convnet() -> Step {
    let device = &Device::flex().autodiff();
    let network = Convnet {
        first: convolution("first", 1, 8, device),
        second: convolution("second", 8, 16, device),
        output: linear("output", PIXELS, CLASSES, device),
    };
    let ((images, labels), loss) = (batch(device), CrossEntropyLossConfig::new().init(device));
    let pool = |x| max_pool2d(x, MaxPoolOptions::new([2, 2]).with_stride([2, 2]));
    step(network, ADAM_RATE, adam(), move |network| {
        let x = pool(relu(network.first.forward(images.clone().reshape([BATCH, 1, 8, 8]))));
        let x = pool(relu(network.second.forward(x)));
        loss.forward(network.output.forward(x.reshape([BATCH, 64])), labels.clone())
    })
}

#[derive(Module, Debug)]
struct Block {
    norm1: LayerNorm,
    inputs: Linear,
    output: Linear,
    norm2: LayerNorm,
    wide: Linear,
    narrow: Linear,
}

impl Block {
    /// Masked attention; the weights make queries, keys and values of `x` in one product.
    fn attention(&self, x: Tensor<3>, mask: Tensor<4>) -> Tensor<3> {
        let all = self.inputs.forward(x);
        let all = all.reshape([SEQUENCES, LENGTH, 3, HEADS, FEATURES / HEADS]);
        let part = |i| all.clone().narrow(2, i, 1).squeeze_dim::<4>(2).swap_dims(1, 2);
        let scores = part(0).matmul(part(1).transpose()) / ((FEATURES / HEADS) as f64).sqrt();
        let values = softmax(scores + mask, 3).matmul(part(2));
        self.output.forward(values.swap_dims(1, 2).reshape([SEQUENCES, LENGTH, FEATURES]))
    }

    fn forward(&self, x: Tensor<3>, mask: Tensor<4>) -> Tensor<3> {
        let x = x.clone() + self.attention(self.norm1.forward(x), mask);
        let wide = gelu(self.wide.forward(self.norm2.forward(x.clone())));
        x + self.narrow.forward(wide)
    }
}

pub(crate) fn block() -> Step {
    let device = &Device::flex().autodiff();
    let network = Block {
        norm1: LayerNormConfig::new(FEATURES).init(device),
        inputs: linear("inputs", FEATURES, 3 * FEATURES, device),
        output: linear("outputs", FEATURES, FEATURES, device),
        norm2: LayerNormConfig::new(FEATURES).init(device),
        wide: linear("wide", FEATURES, 4 * FEATURES, device),
        narrow: linear("narrow", 4 * FEATURES, FEATURES, device),
    };
    let of = |name| tensor(sequences(name), [SEQUENCES, LENGTH, FEATURES], device);
    let (x, wanted) = (of("given"), of("wanted"));
    let mask = tensor(mask(), [1, 1, LENGTH, LENGTH], device);
    step(network, ADAM_RATE, adam(), move |block| {
        (block.forward(x.clone(), mask.clone()) - wanted.clone()).square().mean()
    })
}
