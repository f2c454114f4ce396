//! The network: two layers, a rectifier between them, cross-entropy behind them.

use crate::device::Tensor;
use crate::graph::Graph;
use crate::hash::fnv;
use crate::lazy::{Lazy, Tensors, default_device, jit};
use crate::session::HostTensor;
use crate::{DType, Result, Tensors};
use ringwood_kernels::lazy::Operations;
use ringwood_nn::{CLASSES, Key, Linear, PIXELS, set_weights};

/// Units of the hidden layer.
const HIDDEN: usize = 64;

/// The layers.
#[derive(Clone, Tensors)]
pub(super) struct Network {
    hidden: Linear,
    output: Linear,
}

impl Network {
    /// Weights to start from.
    pub(super) fn init(seed: u64) -> Self {
        let [hidden, output] = Key::new(seed).split();
        Self {
            hidden: Linear::init(&hidden, PIXELS, HIDDEN),
            output: Linear::init(&output, HIDDEN, CLASSES),
        }
    }

    /// `[images, PIXELS]` to the scores of each class.
    pub(super) fn apply(&self, images: &Lazy) -> Lazy {
        self.output.apply(&self.hidden.apply(images).relu())
    }

    /// What the scores of a batch miss of its labels.
    pub(super) fn loss(&self, images: &Lazy, labels: &Lazy) -> Lazy {
        self.apply(images).cross_entropy(labels).mean_all()
    }

    /// FNV-1a (64 bits) of the bits of all weights.
    pub(super) fn hash(&self) -> Result<String> {
        let leaves = self.leaves().into_iter().map(|leaf| leaf.to_bytes());
        let bytes = leaves.collect::<Result<Vec<_>>>()?;
        Ok(format!("{:016x}", fnv(bytes.iter().flatten())))
    }

    /// The weights on the host.
    pub(super) fn weights(&self) -> Result<Vec<HostTensor>> {
        self.leaves().into_iter().map(|leaf| HostTensor::of(&leaf.tensor()?)).collect()
    }

    /// The digits that the network sees in images.
    pub(super) fn classify(&self, images: Tensor) -> Result<Vec<i32>> {
        self.apply(&Lazy::of(images)).argmax(-1).to_vec()
    }
}

/// What a network sees in images.
#[derive(Clone, Tensors)]
struct Seen {
    scores: Lazy,
    digits: Lazy,
}

/// Images, and the layers of the network that sees them: the weights of a file have the names of these fields.
#[derive(Clone, Tensors)]
struct Given {
    pixels: Lazy,
    hidden: Linear,
    output: Linear,
}

/// The network with these weights, for any number of images: their scores, and the digits that it sees.
pub(super) fn trained(weights: &[HostTensor]) -> Result<Graph> {
    let device = default_device()?;
    let weights = weights.iter().map(|weight| weight.to_device(&device).map(Lazy::of));
    let mut weights = weights.collect::<Result<Vec<_>>>()?.into_iter();
    let network = Network::init(0).map(&mut |leaf| weights.next().unwrap_or(leaf));
    let pixels = Lazy::placeholder(DType::F32, &[1, PIXELS]);
    let Network { hidden, output } = network.clone();
    let see = jit(|Given { pixels, hidden, output }: Given| {
        let scores = Network { hidden, output }.apply(&pixels);
        Seen { digits: scores.argmax(-1), scores }
    });
    let mut program = see.graph(&Given { pixels, hidden, output })?;
    set_weights(&mut program, "", &network)?;
    program.with_open(&[("pixels", &["images".into(), PIXELS.into()])])
}
