//! The main job: a network learns handwritten digits, data-parallel.
//!
//! Each worker holds a part of the images and a copy of the weights. A step, recorded once, computes the gradient of a
//! batch on every worker; a verified all-reduce takes the mean over the workers, and every copy of the weights moves by
//! the same amount.

mod network;
mod report;
mod trainer;

use super::hash::fnv;
use super::named;
use super::output::Output;
use super::plan::timed;
use super::written;
use crate::collective::{self, BufferMode, Operation, Params, Request, Verdict};
use crate::device::Tensor;
use crate::lazy::{Lazy, Tensors};
use crate::session::{DRef, HostTensor, Session, SessionBuilder};
use crate::{DType, Error, Result};
use clap::Args;
use network::Network;
use report::Report;
use ringwood_models::onnx;
use ringwood_mpi::Launch;
use ringwood_nn::{Data, digits, parse_digits};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use trainer::{accuracy, begin, finish, pass, weights};

#[derive(Args)]
pub(super) struct TrainArgs {
    /// What the workers are: `threads`, `processes`, or under `mpirun` `mpi` or `mpi_all`; also `RINGWOOD_SESSION`.
    #[arg(long, value_name = "KIND")]
    session: Option<String>,
    /// Workers, each with its own copy of the weights: 4, or all that the launcher of MPI gives.
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// Transport of the workers' collectives, as `socket`, instead of the usual one of their kind.
    #[arg(long, value_name = "NAME")]
    transport: Option<String>,
    /// Passes over the training images.
    #[arg(long, default_value_t = 40, value_name = "N")]
    epochs: usize,
    /// Seed of the weights, of the held-out fifth and of the order of images.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Collective that sums the gradients.
    #[arg(long, default_value = "ring", value_name = "NAME")]
    collective: String,
    /// Device of the workers, as `ringwood devices` calls it, instead of the best.
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Images to learn instead of the built-in ones: lines of 64 pixels and a digit.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Where to keep, after each pass, what the training goes on from: once the file is there, from that; and after a
    /// worker has died, with new workers.
    #[arg(long, value_name = "FILE.safetensors")]
    checkpoint: Option<PathBuf>,
    /// Where to write the network, as ONNX: images of 64 pixels in, scores and digits out.
    #[arg(long, value_name = "FILE.onnx")]
    save: Option<PathBuf>,
}

/// Workers where nobody gives a number.
const WORKERS: usize = 4;
/// Images that a worker looks at in one step.
const BATCH: usize = 32;
/// How far a step moves the weights along the gradient.
const RATE: f32 = 0.2;
/// Workers that fail so often in one pass fail the training.
const FAILURES: usize = 3;
/// The largest file of images: a million of them, and an end to files that have none.
const MOST_BYTES: u64 = 256 << 20;

pub(super) fn run(args: &TrainArgs, output: &Output) -> Result<ExitCode> {
    if args.epochs == 0 {
        return Err(Error::invalid("training needs at least 1 epoch")
            .help("give a number of passes, as in `--epochs 40`"));
    }
    if let Some(path) = &args.save {
        written::check_ending("--save", path, "onnx")?;
    }
    if let Some(path) = &args.checkpoint {
        written::check_ending("--checkpoint", path, "safetensors")?;
    }
    args.checkpoint.iter().chain(&args.save).try_for_each(|path| written::check(path))?;
    let kind = match &args.session {
        Some(kind) => kind.clone(),
        None => match SessionBuilder::kind_of_environment()? {
            Some(kind) => kind,
            None => {
                warn_of_a_launcher(output);
                "threads".into()
            }
        },
    };
    let session = Session::builder().kind(&kind).default_workers(WORKERS).devices(&args.device);
    let session = args.workers.into_iter().fold(session, SessionBuilder::workers);
    let session = args.transport.iter().fold(session, |session, name| session.transport(name));
    let data = load(args)?;
    let (train, test) = data.split(data.rows() / 5, args.seed)?;
    let workers = session.count()?;
    let shard = shard(train.rows(), test.rows(), workers)?;
    let verdict = prove(&args.collective, workers, output)?;
    // A rank of MPI that is a worker goes no further.
    let session = session.start()?;
    output.note(&verdict);

    let batch = BATCH.min(shard);
    let seed_and_data = (args.seed, hash_of(&data)?);
    let begin = || {
        let [pixels, labels] = scattered(&session, &train)?;
        let (collective, path) = (args.collective.clone(), args.checkpoint.as_ref());
        let path = path.map(|path| path.display().to_string());
        let passes =
            begin::call(&session, &pixels, &labels, collective, batch, seed_and_data, path)?;
        passes.gather().map(|passes| passes[0])
    };
    let start = Instant::now();
    let Learnt { epoch, passes, failures } = learn(&session, args, shard / batch, output, begin)?;
    let steps = passes.saturating_mul(shard / batch);
    let seconds = start.elapsed().as_secs_f64();

    let [pixels, labels] = scattered(&session, &test)?;
    let correct = accuracy::call(&session, &pixels, &labels)?.gather()?;
    if let Some(path) = &args.save {
        let network = network::trained(&weights::call(&session)?.gather()?.swap_remove(0))?;
        onnx::save(&network, path)?;
    }
    let ends = finish::call(&session)?.gather()?;
    session.shutdown()?;
    let correct = correct.iter().sum();
    let mut report = Report::new(verdict, &kind, &ends, correct, test.rows(), steps, seconds)?;
    (report.passes, report.failures, report.saved) = (epoch, failures, args.save.clone());
    report.warnings = output.warnings();
    output.result(&report)
}

/// Says that the ranks which a launcher has started know nothing of each other, as nobody asked for their session.
fn warn_of_a_launcher(output: &Output) {
    // Variables that make no sense matter to those alone who ask for MPI.
    let Ok(Launch { rank, size, .. }) = Launch::of_this_process() else { return };
    if let (Some(0), Some(size @ 2..)) = (rank, size) {
        output.warn(format_args!(
            "each of the {size} ranks that the launcher has started trains by itself; `--session mpi` is one training of all"
        ));
    }
}

fn load(args: &TrainArgs) -> Result<Data<2>> {
    let Some(path) = &args.data else {
        return digits();
    };
    let origin = path.display().to_string();
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
        .map_err(|e| Error::not_found(format!("cannot read `{origin}`")).because(e))?;
    if text.len() as u64 > MOST_BYTES {
        let message = format!("`{origin}` has more than {MOST_BYTES} bytes");
        return Err(Error::invalid(message).help("give a smaller file"));
    }
    parse_digits(&text, &origin)
}

/// The hash of all images and labels.
fn hash_of(data: &Data<2>) -> Result<u64> {
    let [pixels, labels] = data.all()?;
    Ok(fnv(pixels.to_bytes()?.iter().chain(&labels.to_bytes()?)))
}

/// The images that every worker has at least.
fn shard(train: usize, test: usize, workers: usize) -> Result<usize> {
    if train < workers || test < workers {
        let message =
            format!("{train} training and {test} test images are too few for {workers} workers");
        return Err(Error::invalid(message)
            .help("every worker needs at least one of each; a fifth is held out for the test"));
    }
    Ok(train / workers)
}

/// Proves the collective for the gradient of each weight; the verdict of the first, the largest.
fn prove(name: &str, ranks: usize, output: &Output) -> Result<Verdict> {
    let collective = named::collective(name, output)?;
    let operation = collective.describe().operation;
    if operation != Operation::AllReduce {
        let message = format!("collective `{name}` computes {operation}, not all_reduce");
        return Err(Error::invalid(message)
            .help("`ringwood collectives all-reduce` lists those that sum up gradients"));
    }
    let prove = |elements| {
        let request = Request::new(operation, ranks, elements, DType::F32);
        let params = Params::resolved(collective, &request.mode(BufferMode::InPlace))?;
        let (verdict, seconds) = timed(|| collective::verify(collective, &params))?;
        Verdict { seconds: Some(seconds), ..verdict }.into_result()
    };
    let weights = Network::init(0);
    let prove = |weight: &Lazy| prove(weight.shape()?.elements());
    let verdicts = weights.leaves().into_iter().map(prove).collect::<Result<Vec<_>>>()?;
    Ok(verdicts.into_iter().next().expect("the network has weights"))
}

/// A part of the images and of their labels for each worker.
fn scattered(session: &Session, data: &Data<2>) -> Result<[DRef<Tensor>; 2]> {
    let [pixels, labels] = data.all()?;
    let scatter = |column: Lazy| session.scatter(&HostTensor::of(&column.tensor()?)?);
    Ok([scatter(pixels)?, scatter(labels)?])
}

/// What a training came to.
struct Learnt {
    /// The passes that the weights have behind them, those before the checkpoint among them.
    epoch: usize,
    /// Those that were run.
    passes: usize,
    failures: Vec<String>,
}

/// Passes over the images, behind a progress bar. With a checkpoint, workers that fail are replaced by new ones, which
/// `begin` from it.
fn learn(
    session: &Session,
    args: &TrainArgs,
    steps: usize,
    output: &Output,
    begin: impl Fn() -> Result<usize>,
) -> Result<Learnt> {
    let bar = output.progress(args.epochs);
    let (mut epoch, mut passes, mut failures, mut tries) = (begin()?, 0, Vec::new(), 0);
    if let (true, Some(path)) = (epoch > args.epochs, &args.checkpoint) {
        let (path, asked) = (path.display(), args.epochs);
        output.warn(format_args!(
            "{path} has {epoch} passes behind it, more than the {asked} of `--epochs`: nothing is learnt"
        ));
    }
    while epoch < args.epochs {
        bar.set_position(epoch as u64);
        let passed = pass::call(session, RATE, steps, epoch as u64);
        match passed.and_then(|losses| losses.gather()) {
            Ok(losses) => {
                let mean = losses.iter().sum::<f32>() / losses.len() as f32;
                bar.set_message(format!("loss {mean:.4}"));
                (epoch, passes, tries) = (epoch + 1, passes + 1, 0);
            }
            Err(error) if args.checkpoint.is_some() && tries < FAILURES => {
                tries += 1;
                output.warn(format_args!("{}; new workers are to go on", error.message()));
                failures.push(error.message().to_owned());
                session.recover()?;
                epoch = begin()?;
            }
            Err(error) => return Err(error),
        }
    }
    bar.finish_and_clear();
    Ok(Learnt { epoch, passes, failures })
}
