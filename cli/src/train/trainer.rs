//! What a worker does: its part of the images, its copy of the weights, and one pass of training.
//!
//! Registered names are shared by the whole program, so those of this command start with `digits_`.

use super::network::Network;
use crate::collective::ReduceOp;
use crate::device::Tensor;
use crate::lazy::{Jit, Lazy, Ranks, Static, Tensors, jit, value_and_grad, with_default_device};
use crate::session::{FromValue, HostTensor, IntoValue, Value, Worker};
use crate::{Error, Result, Tensors, global_fn};
use ringwood_nn::{self as nn, Column, Data};
use std::path::Path;
use std::time::Instant;

/// What a step is given: the weights, images, labels, the rate, and who merges gradients.
type Given = (Network, Lazy, Lazy, Lazy, Static<Ranks>);

/// A recorded step.
type Step = Jit<Given, (Lazy, Network), fn(Given) -> (Lazy, Network)>;

/// What a worker keeps between passes.
struct Trainer {
    network: Network,
    ranks: Static<Ranks>,
    images: Data<2>,
    batch: usize,
    seed: u64,
    step: Step,
    step_seconds: f64,
    /// Where worker 0 leaves what a training goes on from, after each pass.
    checkpoint: Option<String>,
    run: Lazy,
}

/// What a training goes on from.
#[derive(Clone, Tensors)]
struct State {
    network: Network,
    /// Those that the weights have behind them.
    passes: Lazy,
    /// What these passes depend on, by [`RUN`].
    run: Lazy,
}

/// What no checkpoint goes on without: with another seed or other data, images that are held out may have been learnt;
/// with another number of workers a pass has other batches.
const RUN: [&str; 3] = ["seed", "hash of the data", "number of workers"];

/// Where a worker stands at the end.
pub(super) struct End {
    pub(super) device: String,
    pub(super) weights_hash: String,
    pub(super) step_seconds: f64,
    pub(super) all_reduce_seconds: f64,
    pub(super) bytes_moved: u64,
}

/// Prepares a worker: it keeps its images, and a copy of the weights of the checkpoint, if there is one yet, or else of
/// those that follow from the seed. The passes that the weights have behind them.
///
/// # Errors
/// The checkpoint is of a training with another seed, other data (by their hash) or another number of workers.
#[global_fn(name = "digits_begin")]
pub(super) fn begin(
    worker: &Worker,
    pixels: Tensor,
    labels: Tensor,
    collective: String,
    batch: usize,
    seed_and_data: (u64, u64),
    checkpoint: Option<String>,
) -> Result<usize> {
    let (seed, data) = seed_and_data;
    let pixels = Column::new(&pixels.shape(), &pixels.to_vec::<f32>()?)?;
    let labels = Column::new(&labels.shape(), &labels.to_vec::<i32>()?)?;
    let images = Data::new([pixels, labels])?;
    let State { network, passes, run } = with_default_device(worker.device()?, || {
        State::of(seed, [seed, data, worker.size() as u64], checkpoint.as_deref())
    })?;
    let seed = seed ^ (worker.rank() as u64 + 1);
    worker.state(|| {
        Ok(Trainer {
            network,
            ranks: Static(Ranks::all().with(&collective)),
            images,
            batch,
            seed,
            step: jit(step),
            step_seconds: 0.0,
            checkpoint,
            run,
        })
    })?;
    Ok(passes.item::<i32>()?.unsigned_abs() as usize)
}

/// The loss of a batch, and the weights, moved against the mean gradient of all workers' batches.
fn step((network, images, labels, rate, ranks): Given) -> (Lazy, Network) {
    let (loss, gradient) = value_and_grad(&network, |network| network.loss(&images, &labels));
    let mean = nn::all_reduce(gradient, &ranks.0, ReduceOp::Mean);
    (loss, network.zip(&mean, |weight, gradient| weight - gradient * &rate))
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
        batches.map(|batch| trainer.step(rate, batch?)).collect::<Result<Vec<_>>>()
    })?;
    trainer.step_seconds += start.elapsed().as_secs_f64();
    if let Some(path) = trainer.checkpoint.as_ref().filter(|_| worker.rank() == 0) {
        let (network, run) = (trainer.network.clone(), trainer.run.clone());
        nn::save(path, &State { network, passes: Lazy::scalar(pass as i32 + 1), run })?;
    }
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
    Err(Error::not_found("this worker was not prepared").help("call `begin` first"))
}

impl State {
    /// That of the checkpoint, if it is there, or else the one that follows from the seed.
    fn of(seed: u64, run: [u64; 3], checkpoint: Option<&str>) -> Result<Self> {
        let start = Self {
            network: Network::init(seed),
            passes: Lazy::scalar(0_i32),
            run: Lazy::new(&[run.len()], &run),
        };
        let Some(path) = checkpoint.filter(|path| Path::new(path).exists()) else {
            return Ok(start);
        };
        let state = nn::load(path, &start)?;
        let written = state.run.to_vec::<u64>()?;
        let differ =
            RUN.iter().zip(&written).zip(&run).filter(|((_, written), run)| written != run);
        let differ: Vec<_> =
            differ.map(|((what, written), run)| format!("{what} {written}, not {run}")).collect();
        if differ.is_empty() {
            return Ok(state);
        }
        let message = format!("{path} is of another training: {}", differ.join("; "));
        Err(Error::invalid(message).help(
            "give `--seed`, `--data` and `--workers` as when it was begun, or another file to begin anew",
        ))
    }
}

impl Trainer {
    /// A step on a batch; its loss before.
    fn step(&mut self, rate: f32, [images, labels]: [Lazy; 2]) -> Result<f32> {
        let given = (self.network.clone(), images, labels, Lazy::scalar(rate), self.ranks.clone());
        let loss;
        (loss, self.network) = self.step.call(given)?;
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
