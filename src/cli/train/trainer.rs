//! What a worker does: its part of the images, its copy of the weights, and one step of training.
//!
//! Registered names are shared by the whole program, so those of this command start with `digits_`.

use super::super::random::Random;
use super::digits::PIXELS;
use super::model::{Model, digits_descend};
use crate::collective::ReduceOp;
use crate::device::Tensor;
use crate::session::{FromValue, HostTensor, IntoValue, Value, Worker};
use crate::{Error, ErrorKind, Result, global_fn};
use std::time::Instant;

/// What a worker keeps between steps.
struct Trainer {
    model: Model,
    collective: String,
    pixels: Vec<f32>,
    labels: Vec<i32>,
    batch: usize,
    /// The order in which this epoch visits the images, and how far it is.
    order: Vec<usize>,
    next: usize,
    random: Random,
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

/// Prepares a worker: plans the model for its batch, keeps its images and its copy of the weights.
#[global_fn(name = "digits_begin")]
pub(super) fn begin(
    worker: &Worker,
    pixels: Tensor,
    labels: Tensor,
    weights: Vec<HostTensor>,
    collective: String,
    batch: usize,
    seed: u64,
) -> Result<()> {
    let images = pixels.shape()[0];
    worker.state(|| {
        Ok(Trainer {
            model: Model::new(worker.device()?, batch, &weights)?,
            collective,
            pixels: pixels.to_vec()?,
            labels: labels.to_vec()?,
            batch,
            order: (0..images).collect(),
            next: images,
            random: Random::new(seed ^ (worker.rank() as u64 + 1)),
            step_seconds: 0.0,
        })
    })?;
    Ok(())
}

/// Moves the weights along the mean gradient of all workers' next batches; the loss of this one's.
#[global_fn(name = "digits_step")]
pub(super) fn step(worker: &Worker, rate: f32) -> Result<f32> {
    let trainer = worker.state(not_begun)?;
    let trainer = &mut *trainer.borrow_mut();
    let start = Instant::now();
    let (pixels, labels) = trainer.next_batch();
    let loss = trainer.model.run(&pixels, &labels)?;
    for (gradient, weight) in trainer.model.gradients() {
        worker.with(&trainer.collective).all_reduce_tensor(gradient, ReduceOp::Mean)?;
        digits_descend(rate, gradient, weight)?;
    }
    trainer.step_seconds += start.elapsed().as_secs_f64();
    Ok(loss)
}

/// How many of these images the model tells right.
#[global_fn(name = "digits_accuracy")]
pub(super) fn accuracy(worker: &Worker, pixels: Tensor, labels: Tensor) -> Result<usize> {
    let trainer = worker.state(not_begun)?;
    let seen = trainer.borrow().model.classify(&pixels)?;
    Ok(seen.iter().zip(&labels.to_vec::<i32>()?).filter(|(seen, label)| seen == label).count())
}

/// The weights of this worker.
#[global_fn(name = "digits_weights")]
pub(super) fn weights(worker: &Worker) -> Result<Vec<HostTensor>> {
    worker.state(not_begun)?.borrow().model.weights()
}

/// Where this worker stands.
#[global_fn(name = "digits_finish")]
pub(super) fn finish(worker: &Worker) -> Result<End> {
    let trainer = worker.state(not_begun)?;
    let trainer = trainer.borrow();
    let counters = worker.communicator().counters();
    Ok(End {
        device: worker.device()?.name().to_owned(),
        weights_hash: trainer.model.weights_hash()?,
        step_seconds: trainer.step_seconds,
        all_reduce_seconds: counters.seconds,
        bytes_moved: counters.bytes_moved,
    })
}

fn not_begun() -> Result<Trainer> {
    Err(Error::new(ErrorKind::NotFound, "this worker was not prepared").help("call `begin` first"))
}

impl Trainer {
    /// The pixels and labels of the next batch; a new order when the images do not suffice for it.
    fn next_batch(&mut self) -> (Vec<f32>, Vec<i32>) {
        if self.next + self.batch > self.order.len() {
            self.random.shuffle(&mut self.order);
            self.next = 0;
        }
        let images = &self.order[self.next..self.next + self.batch];
        self.next += self.batch;
        let pixels = images.iter().flat_map(|&i| &self.pixels[i * PIXELS..(i + 1) * PIXELS]);
        (pixels.copied().collect(), images.iter().map(|&i| self.labels[i]).collect())
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
