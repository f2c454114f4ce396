//! The steps with candle. Its fused softmax and layer norm have no gradients, so that training takes those of operations.

use crate::Step;
use crate::given::{
    ADAM_RATE, BATCH, CLASSES, DECAY, FEATURES, HEADS, HIDDEN, LENGTH, PIXELS, SEQUENCES, SGD_RATE,
    images, labels, mask, sequences, weights,
};
use candle_core::{D, DType, Device::Cpu, Module, Result, Tensor, Var};
use candle_nn::ops::{layer_norm_slow, softmax};
use candle_nn::{AdamW, Conv2d, Linear, Optimizer, ParamsAdamW, SGD, loss};

/// Variables of a network, in the order in which they were made.
#[derive(Default)]
struct Weights(Vec<Var>);

impl Weights {
    fn of(&mut self, start: Tensor) -> Result<Tensor> {
        let var = Var::from_tensor(&start)?;
        self.0.push(var.clone());
        Ok(var.as_tensor().clone())
    }

    fn full(&mut self, count: usize, value: f32) -> Result<Tensor> {
        self.of(Tensor::full(value, count, &Cpu)?)
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
        let weight = Tensor::from_vec(weights(name, inputs, outputs), (inputs, outputs), &Cpu)?;
        let weight = self.of(weight.t()?.contiguous()?)?;
        Ok(Linear::new(weight, Some(self.full(outputs, 0.0)?)))
    }

    fn convolution(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Conv2d> {
        let weight = weights(name, inputs * 9, outputs);
        let weight = self.of(Tensor::from_vec(weight, (outputs, inputs, 3, 3), &Cpu)?)?;
        let config = candle_nn::Conv2dConfig { padding: 1, ..Default::default() };
        Ok(Conv2d::new(weight, Some(self.full(outputs, 0.0)?), config))
    }

    fn adam(self) -> Result<AdamW> {
        let decay = ParamsAdamW { lr: ADAM_RATE, weight_decay: DECAY, ..Default::default() };
        AdamW::new(self.0, decay)
    }
}

/// A step of this optimiser down this loss.
fn step(
    mut optimizer: impl Optimizer + 'static,
    loss: impl Fn() -> Result<Tensor> + 'static,
) -> Step {
    Box::new(move || {
        let loss = loss().unwrap();
        optimizer.backward_step(&loss).unwrap();
        loss.to_scalar().unwrap()
    })
}

fn batch() -> Result<(Tensor, Tensor)> {
    let labels: Vec<u32> = labels().map(|label| label as u32).collect();
    Ok((Tensor::from_vec(images(), (BATCH, PIXELS), &Cpu)?, Tensor::new(labels, &Cpu)?))
}

pub(crate) fn digits() -> Result<Step> {
    let mut weights = Weights::default();
    let hidden = weights.linear("hidden", PIXELS, HIDDEN)?;
    let output = weights.linear("output", HIDDEN, CLASSES)?;
    let (images, labels) = batch()?;
    Ok(step(SGD::new(weights.0, SGD_RATE)?, move || {
        loss::cross_entropy(&output.forward(&hidden.forward(&images)?.relu()?)?, &labels)
    }))
}

pub(crate) fn convnet() -> Result<Step> {
    let mut weights = Weights::default();
    let first = weights.convolution("first", 1, 8)?;
    let second = weights.convolution("second", 8, 16)?;
    let output = weights.linear("output", PIXELS, CLASSES)?;
    let (images, labels) = batch()?;
    Ok(step(weights.adam()?, move || {
        let x = images.reshape((BATCH, 1, 8, 8))?;
        let x = first.forward(&x)?.relu()?.max_pool2d(2)?;
        let x = second.forward(&x)?.relu()?.max_pool2d(2)?;
        loss::cross_entropy(&output.forward(&x.reshape((BATCH, 64))?)?, &labels)
    }))
}

/// Masked attention; the weights make queries, keys and values of `x` in one product.
fn attention(x: &Tensor, inputs: &Linear, output: &Linear, mask: &Tensor) -> Result<Tensor> {
    let all = inputs.forward(x)?.reshape((SEQUENCES, LENGTH, 3, HEADS, FEATURES / HEADS))?;
    let part = |i| all.narrow(2, i, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
    let scores = part(0)?.matmul(&part(1)?.t()?)? / ((FEATURES / HEADS) as f64).sqrt();
    let values = softmax(&scores?.broadcast_add(mask)?, D::Minus1)?.matmul(&part(2)?)?;
    output.forward(&values.transpose(1, 2)?.reshape((SEQUENCES, LENGTH, FEATURES))?)
}

pub(crate) fn block() -> Result<Step> {
    let mut weights = Weights::default();
    let inputs = weights.linear("inputs", FEATURES, 3 * FEATURES)?;
    let output = weights.linear("outputs", FEATURES, FEATURES)?;
    let wide = weights.linear("wide", FEATURES, 4 * FEATURES)?;
    let narrow = weights.linear("narrow", 4 * FEATURES, FEATURES)?;
    let scales = [weights.full(FEATURES, 1.0)?, weights.full(FEATURES, 1.0)?];
    let shifts = [weights.full(FEATURES, 0.0)?, weights.full(FEATURES, 0.0)?];
    let tensor = |name| Tensor::from_vec(sequences(name), (SEQUENCES, LENGTH, FEATURES), &Cpu);
    let (x, wanted) = (tensor("given")?, tensor("wanted")?);
    let mask = Tensor::from_vec(mask(), (LENGTH, LENGTH), &Cpu)?.to_dtype(DType::F32)?;
    Ok(step(weights.adam()?, move || {
        let norm = |x: &Tensor, i: usize| layer_norm_slow(x, &scales[i], &shifts[i], 1e-5);
        let x = (&x + attention(&norm(&x, 0)?, &inputs, &output, &mask)?)?;
        let y = (&x + narrow.forward(&wide.forward(&norm(&x, 1)?)?.gelu_erf()?)?)?;
        loss::mse(&y, &wanted)
    }))
}
