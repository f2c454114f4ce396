//! `ringwood bench`: collectives of this library beside those of the MPI libraries of the machine, and sessions beside
//! their goals.

mod group;
mod measure;
mod peer;
mod report;
#[cfg(target_os = "linux")]
mod round;
mod selection;
#[cfg(target_os = "linux")]
mod sessions;

use super::launcher::LAUNCHERS;
use super::output::{Output, counted};
use crate::collective::{Bytes, calibrate};
use crate::{Error, Result};
use clap::{Args, Subcommand};
use group::MemberArgs;
use measure::Sample;
use peer::PeerArgs;
use report::{Engine, Report};
use std::process::ExitCode;
use std::time::Duration;

/// What is measured.
#[derive(Subcommand)]
pub(super) enum BenchCommand {
    /// Compare the all-reduce (f32 sum, in place) with Open MPI, MPICH and the memory's bandwidth.
    #[command(
        after_help = "Example:\n  ringwood bench all-reduce --ranks 2,4 --bytes 8,64KiB,1MiB"
    )]
    AllReduce(AllReduceArgs),
    /// Compare the algorithm that is chosen with the best one, measured.
    Selection(selection::SelectionArgs),
    /// Measure calls, all-reduces, faults and starts of sessions, each beside its goal.
    ///
    /// Threads are compared with a round trip over futexes, processes with one over Unix sockets, all-reduces of
    /// processes with those of threads, and those over an MPI that is installed, from 1 MiB on, with its own.
    #[cfg(target_os = "linux")]
    #[command(after_help = "Example:\n  ringwood bench sessions --kills 1000 --ranks 2")]
    Sessions(sessions::SessionsArgs),
    /// What an MPI launcher starts.
    #[command(hide = true)]
    Peer(PeerArgs),
    /// What a group of processes is.
    #[command(hide = true)]
    Member(MemberArgs),
}

#[derive(Args)]
pub(super) struct AllReduceArgs {
    /// Group sizes.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2,4")]
    ranks: Vec<usize>,
    /// Bytes of each rank's buffer, such as 8, 64KiB or 16MiB.
    #[arg(
        long,
        value_name = "BYTES,…",
        value_delimiter = ',',
        value_parser = elements,
        default_value = "8,1KiB,64KiB,1MiB,16MiB,64MiB"
    )]
    bytes: Vec<usize>,
    /// Rounds: in each, every engine is measured once; the best round of an engine counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measures this algorithm instead of the one that is chosen.
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Time for each engine, size and round.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 100)]
    budget: u64,
}

impl AllReduceArgs {
    fn budget(&self) -> Duration {
        Duration::from_millis(self.budget)
    }
}

pub(super) fn run(command: &BenchCommand, output: &Output) -> Result<ExitCode> {
    match command {
        BenchCommand::AllReduce(args) => all_reduce(args, output),
        BenchCommand::Selection(args) => selection::run(args, output),
        #[cfg(target_os = "linux")]
        BenchCommand::Sessions(args) => sessions::run(args, output),
        BenchCommand::Peer(args) => peer::run(args),
        BenchCommand::Member(args) => group::run(args),
    }
}

fn all_reduce(args: &AllReduceArgs, output: &Output) -> Result<ExitCode> {
    let budget = args.budget();
    let mut report = Report::default();
    for &ranks in &args.ranks {
        for round in 1..=args.rounds {
            let group = counted(ranks, "rank");
            output.note(format_args!("{group}, round {round} of {}", args.rounds));
            report.add(ranks, Engine::Threads, group::threads(ranks, args)?);
            let floor = |&bytes: &usize| {
                let microseconds = calibrate::floor(ranks, bytes, budget)? * 1e6;
                Ok(Sample { bytes, microseconds })
            };
            let floors = args.bytes.iter().map(floor).collect::<Result<_>>()?;
            report.add(ranks, Engine::Floor, floors);
            match group::processes(ranks, args) {
                Ok(samples) => report.add(ranks, Engine::Processes, samples),
                Err(error) => report.absent("processes", error),
            }
            for launcher in &LAUNCHERS {
                match launcher.run(ranks, &args.bytes, budget) {
                    Ok(samples) => report.add(ranks, Engine::Peer(launcher.name), samples),
                    Err(error) => report.absent(launcher.name, error),
                }
            }
        }
    }
    output.result(&report.compared())
}

/// `64KiB` as bytes of whole elements.
fn elements(text: &str) -> Result<usize, String> {
    let Bytes(bytes) = text.parse().map_err(|error: Error| error.to_string())?;
    match usize::try_from(bytes) {
        Ok(bytes) if bytes > 0 && bytes % 4 == 0 => Ok(bytes),
        _ => Err("the elements are of 4 bytes: give a multiple of 4 that is not 0".into()),
    }
}

/// The failure of an engine that sums wrongly.
fn wrong(engine: &str, bytes: usize) -> Error {
    Error::backend(format!("{engine}: the sum of {bytes} bytes is wrong"))
}
