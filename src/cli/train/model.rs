//! The network: two layers, a rectifier between them, cross-entropy behind them.

use super::super::random::Random;
use super::digits::{CLASSES, PIXELS};
use crate::device::{Device, Tensor};
use crate::graph::{Graph, GraphPlan, Value};
use crate::session::HostTensor;
use crate::{DType, Result, kernel};

/// Units of the hidden layer.
const HIDDEN: usize = 64;
/// Names and extents of the weights.
const WEIGHTS: [(&str, &[usize]); 4] = [
    ("hidden.weight", &[PIXELS, HIDDEN]),
    ("hidden.bias", &[HIDDEN]),
    ("output.weight", &[HIDDEN, CLASSES]),
    ("output.bias", &[CLASSES]),
];

/// The elements of each weight.
pub(super) fn weight_elements() -> impl Iterator<Item = usize> {
    WEIGHTS.iter().map(|(_, dims)| dims.iter().product())
}

/// Moves weights against their gradient.
#[kernel(device = [cpu, opencl, cuda])]
pub(super) fn digits_descend(rate: f32, gradient: &[f32], weight: &mut [f32]) {
    let i = gid(0);
    weight[i] = weight[i] - rate * gradient[i];
}

/// Weights to start from: uniform as He et al. (2015) scale them, biases zero.
pub(super) fn initial_weights(seed: u64) -> Result<Vec<HostTensor>> {
    let mut random = Random::new(!seed);
    let weight = |&(_, dims): &(_, &[usize])| match dims {
        &[inputs, outputs] => {
            let bound = (6.0 / inputs as f32).sqrt();
            HostTensor::new(dims, &random.uniform(inputs * outputs, bound).collect::<Vec<_>>())
        }
        _ => HostTensor::new(dims, &vec![0.0_f32; dims.iter().product()]),
    };
    WEIGHTS.iter().map(weight).collect()
}

/// The network, planned on a device for batches of one size, with its weights.
pub(super) struct Model {
    device: Device,
    plan: GraphPlan,
    /// The plan's own memory: what is written there is what the next run reads.
    pixels: Tensor,
    labels: Tensor,
    weights: Vec<Tensor>,
    /// Where a run leaves the gradient of each weight.
    gradients: Vec<Tensor>,
}

impl Model {
    /// Plans loss and gradients for batches of `batch` images.
    pub(super) fn new(device: &Device, batch: usize, weights: &[HostTensor]) -> Result<Self> {
        let mut graph = Graph::new();
        let labels = graph.input("labels", DType::I32, &[batch])?;
        let pixels = graph.input("pixels", DType::F32, &[batch, PIXELS])?;
        let parameters = parameters(&mut graph)?;
        let logits = forward(&mut graph, pixels, &parameters)?;
        let losses = graph.apply("cross_entropy", &[logits, labels])?;
        let loss = graph.apply("mean_all", &[losses])?;
        graph.output("loss", loss)?;
        for (gradient, (name, _)) in graph.gradient(loss, &parameters)?.into_iter().zip(WEIGHTS) {
            graph.output(name, gradient)?;
        }
        let mut plan = graph.plan(std::slice::from_ref(device))?;
        for (weight, (name, _)) in weights.iter().zip(WEIGHTS) {
            let tensor = device.tensor_of_bytes(weight.bytes(), weight.shape(), weight.dtype())?;
            plan.set_input(name, &tensor)?;
        }
        let names = WEIGHTS.map(|(name, _)| name);
        let weights = names.iter().map(|name| plan.input(name)).collect::<Result<_>>()?;
        let gradients = names.iter().map(|name| plan.output(name)).collect::<Result<_>>()?;
        let (pixels, labels) = (plan.input("pixels")?, plan.input("labels")?);
        for (name, input) in [("pixels", &pixels), ("labels", &labels)] {
            plan.set_input(name, &device.zeros(input.shape(), input.dtype())?)?;
        }
        Ok(Self { device: device.clone(), plan, pixels, labels, weights, gradients })
    }

    /// The loss of a batch; the gradients then stand where [`Model::gradients`] finds them.
    pub(super) fn run(&mut self, pixels: &[f32], labels: &[i32]) -> Result<f32> {
        self.pixels.write(pixels)?;
        self.labels.write(labels)?;
        self.plan.submit()?;
        self.plan.output("loss")?.item()
    }

    /// Each weight's gradient, and the weight.
    pub(super) fn gradients(&mut self) -> impl Iterator<Item = (&mut Tensor, &mut Tensor)> {
        self.gradients.iter_mut().zip(&mut self.weights)
    }

    /// The digit that the network sees in each image.
    pub(super) fn classify(&self, images: &Tensor) -> Result<Vec<i32>> {
        let mut graph = Graph::new();
        let pixels = graph.input("pixels", DType::F32, &images.shape())?;
        let parameters = parameters(&mut graph)?;
        let logits = forward(&mut graph, pixels, &parameters)?;
        let digits = graph.apply_with("argmax", &[logits], [("axis", 1_usize)])?;
        graph.output("digits", digits)?;
        let mut plan = graph.plan(std::slice::from_ref(&self.device))?;
        let names = WEIGHTS.iter().map(|(name, _)| *name);
        let weights = names.zip(&self.weights);
        let inputs: Vec<_> = weights.chain([("pixels", images)]).collect();
        plan.run(&inputs)?[0].to_vec()
    }

    /// The weights on the host.
    pub(super) fn weights(&self) -> Result<Vec<HostTensor>> {
        self.weights.iter().map(HostTensor::of).collect()
    }

    /// FNV-1a (64 bits) of the bits of all weights.
    pub(super) fn weights_hash(&self) -> Result<String> {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for weight in &self.weights {
            for byte in weight.to_bytes()? {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(format!("{hash:016x}"))
    }
}

/// The network with these weights, for any number of images: their scores, and the digits that it sees.
pub(super) fn trained(weights: Vec<HostTensor>) -> Result<Graph> {
    let mut graph = Graph::new();
    let pixels = graph.open_input("pixels", DType::F32, &["images".into(), PIXELS.into()])?;
    let weights = WEIGHTS.iter().zip(weights).map(|((name, dims), weight)| {
        graph.weight(name, DType::F32, dims, weight.bytes().to_vec().into())
    });
    let weights = weights.collect::<Result<Vec<_>>>()?;
    let scores = forward(&mut graph, pixels, &weights)?;
    let digits = graph.apply_with("argmax", &[scores], [("axis", 1_usize)])?;
    graph.output("scores", scores)?;
    graph.output("digits", digits)?;
    Ok(graph)
}

/// Adds the weights to a graph.
fn parameters(graph: &mut Graph) -> Result<Vec<Value>> {
    WEIGHTS.iter().map(|(name, dims)| graph.parameter(name, DType::F32, dims)).collect()
}

/// Adds the network to a graph; returns its scores.
fn forward(graph: &mut Graph, pixels: Value, weights: &[Value]) -> Result<Value> {
    let product = graph.apply("matmul", &[pixels, weights[0]])?;
    let sum = graph.apply("add", &[product, weights[1]])?;
    let hidden = graph.apply("relu", &[sum])?;
    let product = graph.apply("matmul", &[hidden, weights[2]])?;
    graph.apply("add", &[product, weights[3]])
}
