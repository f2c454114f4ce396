//! What a worker does: its part of the images, its copy of the weights, and one pass of training.
//!
//! Registered names are shared by the whole program, so those of this command start with `digits_`.

use super::network::Network;
use crate::collective::ReduceOp;
use crate::device::Tensor;
use crate::lazy::{Jit, Lazy, Tensors, jit, value_and_grad, with_default_device};
use crate::nn::{Column, Data};
use crate::session::{FromValue, HostTensor, IntoValue, Value, Worker};
use crate::{Error, ErrorKind, Result, global_fn};
use std::time::Instant;

/// A recorded function.
type Recorded<A, R> = Jit<A, R, fn(A) -> R>;

/// What a worker keeps between passes.
struct Trainer {
    network: Network,
    collective: String,
    images: Data<2>,
    batch: usize,
    seed: u64,
    differentiate: Recorded<(Network, Lazy, Lazy), (Lazy, Network)>,
    descend: Recorded<(Network, Network, Lazy), Network>,
    step_seconds: f64,
}

/// Where a worker stands at the end.
pub(super) struct End {
    pub(super) device: String,
    pub(super) weights_hash: String,
    pub(super) step_seconds: f64,
    pub(super) all_reduce_seconds: f64,
    pub(super) bytes_moved: u64,
}

/// Prepares a worker: it keeps its images, and a copy of the weights that follow from the seed.
#[global_fn(name = "digits_begin")]
pub(super) fn begin(
    worker: &Worker,
    pixels: Tensor,
    labels: Tensor,
    collective: String,
    batch: usize,
    seed: u64,
) -> Result<()> {
    let pixels = Column::new(&pixels.shape(), &pixels.to_vec::<f32>()?)?;
    let labels = Column::new(&labels.shape(), &labels.to_vec::<i32>()?)?;
    let images = Data::new([pixels, labels])?;
    let network = with_default_device(worker.device()?, || Network::init(seed));
    let seed = seed ^ (worker.rank() as u64 + 1);
    worker.state(|| {
        Ok(Trainer {
            network,
            collective,
            images,
            batch,
            seed,
            differentiate: jit(differentiate),
            descend: jit(descend),
            step_seconds: 0.0,
        })
    })?;
    Ok(())
}

/// The loss of a batch, and its gradient.
fn differentiate((network, images, labels): (Network, Lazy, Lazy)) -> (Lazy, Network) {
    value_and_grad(&network, |network| network.loss(&images, &labels))
}

/// The weights, moved against the gradient.
fn descend((network, gradient, rate): (Network, Network, Lazy)) -> Network {
    network.zip(&gradient, |weight, gradient| weight - gradient * &rate)
}

/// Moves the weights along the mean gradient of all workers' batches, in `steps` steps; the mean loss of this one's.
#[global_fn(name = "digits_pass")]
pub(super) fn pass(worker: &Worker, rate: f32, steps: usize, pass: u64) -> Result<f32> {
    let trainer = worker.state(not_begun)?;
    let trainer = &mut *trainer.borrow_mut();
    let start = Instant::now();
    let seed = trainer.seed.wrapping_add(pass << 32);
    let losses = with_default_device(worker.device()?, || {
        let images = trainer.images.clone();
        let batches = images.batches(trainer.batch, seed).take(steps);
        batches.map(|batch| trainer.step(worker, rate, batch?)).collect::<Result<Vec<_>>>()
    })?;
    trainer.step_seconds += start.elapsed().as_secs_f64();
    Ok(losses.iter().sum::<f32>() / losses.len() as f32)
}

/// How many of these images the network tells right.
#[global_fn(name = "digits_accuracy")]
pub(super) fn accuracy(worker: &Worker, pixels: Tensor, labels: Tensor) -> Result<usize> {
    let trainer = worker.state(not_begun)?;
    let seen = trainer.borrow().network.classify(pixels)?;
    Ok(seen.iter().zip(&labels.to_vec::<i32>()?).filter(|(seen, label)| seen == label).count())
}

/// The weights of this worker.
#[global_fn(name = "digits_weights")]
pub(super) fn weights(worker: &Worker) -> Result<Vec<HostTensor>> {
    worker.state(not_begun)?.borrow().network.weights()
}

/// Where this worker stands.
#[global_fn(name = "digits_finish")]
pub(super) fn finish(worker: &Worker) -> Result<End> {
    let trainer = worker.state(not_begun)?;
    let trainer = trainer.borrow();
    let counters = worker.communicator().counters();
    Ok(End {
        device: worker.device()?.name().to_owned(),
        weights_hash: trainer.network.hash()?,
        step_seconds: trainer.step_seconds,
        all_reduce_seconds: counters.seconds,
        bytes_moved: counters.bytes_moved,
    })
}

fn not_begun() -> Result<Trainer> {
    Err(Error::new(ErrorKind::NotFound, "this worker was not prepared").help("call `begin` first"))
}

impl Trainer {
    /// Moves the weights along the mean gradient of all workers' batches; the loss of this one's.
    fn step(&mut self, worker: &Worker, rate: f32, [images, labels]: [Lazy; 2]) -> Result<f32> {
        let (loss, gradient) = self.differentiate.call((self.network.clone(), images, labels))?;
        let gradient = gradient.map(&mut |leaf| {
            let mean = leaf.tensor().and_then(|mut gradient| {
                worker.with(&self.collective).all_reduce_tensor(&mut gradient, ReduceOp::Mean)?;
                Ok(Lazy::of(gradient))
            });
            Lazy::of_result(mean)
        });
        self.network = self.descend.call((self.network.clone(), gradient, Lazy::scalar(rate)))?;
        loss.item()
    }
}

impl IntoValue for End {
    fn into_value(self) -> Value {
        let Self { device, weights_hash, step_seconds, all_reduce_seconds, bytes_moved } = self;
        (device, weights_hash, step_seconds, all_reduce_seconds, bytes_moved).into_value()
    }
}

impl FromValue for End {
    fn expected() -> String {
        "the end of a worker".into()
    }

    fn from_value(value: Value) -> Result<Self> {
        let (device, weights_hash, step_seconds, all_reduce_seconds, bytes_moved) =
            FromValue::from_value(value)?;
        Ok(Self { device, weights_hash, step_seconds, all_reduce_seconds, bytes_moved })
    }
}
