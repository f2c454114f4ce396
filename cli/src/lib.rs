//! The `ringwood` command: [`main`] and [`run`], which are `ringwood::cli` where the facade has its feature `cli`.

#![forbid(unsafe_code)]

// The expansions of macros name the facade.
extern crate self as ringwood;

mod arrange;
mod bench;
mod calibrate;
mod collectives;
mod conformance;
mod devices;
mod doctor;
mod draw;
mod explain;
mod export;
#[cfg(target_os = "linux")]
mod faults;
mod hash;
mod inspect;
mod kernels;
mod launcher;
mod named;
mod output;
mod plan;
mod random;
mod run;
mod simulate;
mod train;
mod verify;
mod written;

use clap::error::{ContextKind, ContextValue, ErrorKind as UsageKind};
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use output::Output;
use ringwood_core::*;
use ringwood_macros::{Tensors, global_fn};
use std::ffi::OsString;
use std::process::ExitCode;

/// Heterogeneous and distributed compute in Rust.
///
/// Without a command: trains a small network on handwritten digits, data-parallel on four workers
/// whose gradients are summed by a verified ring all-reduce.
#[derive(Parser)]
#[command(name = "ringwood", version)]
#[command(after_help = "Examples:\n  ringwood\n  ringwood --workers 2 --json\n  \
    ringwood devices\n  ringwood verify ring --ranks 8")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: train::TrainArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args)]
struct OutputArgs {
    /// Print one JSON object on the last line instead of text, errors too.
    #[arg(long, global = true)]
    json: bool,
    /// Threads of kernels on the processor of each process, instead of an equal part of the cores; also
    /// `RINGWOOD_THREADS`.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Command {
    /// Train a network on handwritten digits, data-parallel (the default).
    Train(train::TrainArgs),
    /// List the devices, and why a backend has none.
    Devices(devices::DevicesArgs),
    /// List the kernels, or show one of them.
    Kernels(kernels::KernelsArgs),
    /// List the collective algorithms.
    Collectives(collectives::CollectivesArgs),
    /// Prove a collective algorithm for a number of ranks.
    Verify(verify::VerifyArgs),
    /// Run a model, on data or on numbers made up from a seed.
    Run(run::RunArgs),
    /// Say what a file of a model or of tensors holds.
    Inspect(inspect::InspectArgs),
    /// Write the schedule of a collective algorithm for other programs.
    Export(export::ExportArgs),
    /// Draw the schedule of a collective algorithm.
    Draw(draw::DrawArgs),
    /// Measure collectives beside those of MPI or of other algorithms, and sessions beside their goals.
    #[command(subcommand)]
    Bench(bench::BenchCommand),
    /// Say which collective algorithm a call would use, and why.
    Explain(explain::ExplainArgs),
    /// Measure what collectives cost on this machine, for the choice of algorithms.
    Calibrate(calibrate::CalibrateArgs),
    /// Simulate a collective algorithm on a network of up to a million ranks.
    Simulate(simulate::SimulateArgs),
    /// Put faults into sessions, and see whether each is detected, rightly named and leaves nothing.
    #[cfg(target_os = "linux")]
    Faults(faults::FaultsArgs),
    /// Run the conformance suite over every backend.
    Conformance(conformance::ConformanceArgs),
    /// Check this program and this machine: registered items, backends, a first run; or look at a running session.
    Doctor(doctor::DoctorArgs),
}

/// Runs the `ringwood` command with the arguments of the process; in a worker of a session of processes it
/// serves that.
///
/// The exit code is 0; 1 if it failed, also where a name, a file or a value is refused; 2 if the command line cannot be
/// read (an unknown option, a missing or malformed value); 3 if what was asked for may be right, but is not supported.
pub fn main() -> ExitCode {
    session::serve();
    run(std::env::args_os())
}

/// Runs the `ringwood` command with these arguments; the first is the program's name.
pub fn run<I, A>(args: I) -> ExitCode
where
    I: IntoIterator<Item = A>,
    A: Into<OsString>,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let json = args.iter().any(|arg| arg == "--json");
    let cli = match parse(args) {
        Ok(cli) => cli,
        Err(usage) => return Output::new(json).usage(&without_hidden(usage)),
    };
    let output = Output::new(cli.output.json);
    let threads = match cli.output.threads {
        Some(threads) => set_threads(threads.into()),
        None => threads().map(drop),
    };
    match threads.and_then(|()| dispatch(cli, &output)) {
        Ok(code) => code,
        Err(error) => {
            output.error(&error);
            match error.kind() {
                ErrorKind::Unsupported => ExitCode::from(3),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// The arguments, of which those of the main job stand before no other command.
fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = with_negative_numbers(Cli::command());
    let matches = command.try_get_matches_from_mut(args)?;
    if let Some(name) = matches.subcommand_name() {
        let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let of_training = train::TrainArgs::augment_args(clap::Command::new("train"));
        if let Some(option) = of_training.get_arguments().find(|a| given(a.get_id().as_str())) {
            let option = option.get_long().unwrap_or_default();
            let text = format!(
                "`--{option}` stands before `{name}`, but is an option of `train`: write `ringwood train --{option} …`"
            );
            return Err(command.error(UsageKind::ArgumentConflict, text));
        }
    }
    Cli::from_arg_matches(&matches)
}

/// A command whose options take `-1` as a value, and refuse it as one, not as an unknown option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes = |arg: clap::Arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(takes).mut_subcommands(with_negative_numbers)
}

/// A mistake in the arguments, which offers no command that this program gives to itself alone.
fn without_hidden(mut usage: clap::Error) -> clap::Error {
    let Some(ContextValue::Strings(names)) = usage.get(ContextKind::ValidSubcommand) else {
        return usage;
    };
    let command = Cli::command();
    let inner = command.get_subcommands().flat_map(clap::Command::get_subcommands);
    let hidden: Vec<_> = inner.filter(|c| c.is_hide_set()).map(clap::Command::get_name).collect();
    let shown = names.iter().filter(|name| !hidden.contains(&name.as_str())).cloned().collect();
    usage.insert(ContextKind::ValidSubcommand, ContextValue::Strings(shown));
    usage
}

fn dispatch(cli: Cli, output: &Output) -> Result<ExitCode> {
    match cli.command.unwrap_or(Command::Train(cli.train)) {
        Command::Train(args) => train::run(&args, output),
        Command::Devices(args) => devices::run(&args, output),
        Command::Kernels(args) => kernels::run(&args, output),
        Command::Collectives(args) => collectives::run(&args, output),
        Command::Verify(args) => verify::run(&args, output),
        Command::Run(args) => run::run(&args, output),
        Command::Inspect(args) => inspect::run(&args, output),
        Command::Export(args) => export::run(&args, output),
        Command::Draw(args) => draw::run(&args, output),
        Command::Bench(command) => bench::run(&command, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Calibrate(args) => calibrate::run(&args, output),
        Command::Simulate(args) => simulate::run(&args, output),
        #[cfg(target_os = "linux")]
        Command::Faults(args) => faults::run(&args, output),
        Command::Conformance(args) => conformance::run(&args, output),
        Command::Doctor(args) => doctor::run(&args, output),
    }
}
