//! `ringwood faults`: faults of every kind, put into sessions of every kind, and what comes of them.
//!
//! Each case is a process of its own, so that one that hangs or dies is seen as that, and that what it leaves
//! is counted when it has ended.

pub(super) mod acts;
mod case;
mod inject;
mod keeper;
mod kind;
mod mpi;
mod report;
mod run;
pub(super) mod system;
mod table;

use super::output::Output;
use crate::{Error, Result};
use case::Case;
use clap::Args;
use kind::KINDS;
use report::Report;
use ringwood_mpi::Launch;
use std::path::PathBuf;
use std::process::ExitCode;
use table::ROWS;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood faults --sessions threads,processes\n  \
    ringwood faults --sessions processes --rows A1,A6 --repeat 20\n  \
    ringwood faults --sessions mpi --rows A2,B1")]
pub(super) struct FaultsArgs {
    /// The kinds of sessions; each case over MPI is a job of every launcher that is installed.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', default_values = ["threads", "processes"],
        value_parser = ["threads", "processes", "mpi"])]
    sessions: Vec<String>,
    /// Only faults of these numbers, or whose names hold one of these words.
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    rows: Vec<String>,
    /// How often each fault is put in.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    repeat: u64,
    /// 10,000 sessions that come and go instead of some.
    #[arg(long)]
    long: bool,
    /// Cases at one time, instead of three for each core, or of one with ranks of MPI.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// The process of one case.
    #[arg(long, hide = true, value_name = "ROW|PHASE|KIND|TRIAL")]
    case: Option<String>,
    /// A process between a controller and its worker.
    #[arg(long, hide = true)]
    relay: Option<String>,
    /// A process with a session, which somebody ends.
    #[arg(long, hide = true)]
    controller: Option<String>,
    /// A process that clears up behind the command of this number.
    #[arg(long, hide = true, requires = "folder")]
    keeper: Option<u32>,
    #[arg(long, hide = true)]
    folder: Option<PathBuf>,
}

pub(super) fn run(args: &FaultsArgs, output: &Output) -> Result<ExitCode> {
    if let Some(what) = &args.relay {
        return inject::relay(what).map(|()| ExitCode::SUCCESS);
    }
    if let Some(what) = &args.controller {
        return inject::be_controller(what).map(|()| ExitCode::SUCCESS);
    }
    if let (Some(command), Some(folder)) = (args.keeper, &args.folder) {
        keeper::keep(command, folder);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(what) = &args.case {
        return run::serve(&case(what, args.long)?);
    }
    // One of several ranks is enough: it starts jobs of its own.
    if Launch::of_this_process()?.rank.is_some_and(|rank| rank > 0) {
        return Ok(ExitCode::SUCCESS);
    }
    let is = |row: &table::Row, word: &String| {
        row.id == word || !word.is_empty() && row.name.contains(&**word)
    };
    if let Some(word) = args.rows.iter().find(|word| !ROWS.iter().any(|row| is(row, word))) {
        let message = format!("no fault is called `{word}`");
        return Err(Error::not_found(message).help("without `--rows` all are put in"));
    }
    let chosen =
        |row: &&table::Row| args.rows.is_empty() || args.rows.iter().any(|word| is(row, word));
    let rows: Vec<_> = ROWS.iter().filter(chosen).collect();
    let kinds = kind::chosen(&args.sessions)?;
    let report = Report::new(&rows, &kinds, &run::all(&rows, &kinds, args, output)?);
    output.result(&report)?;
    Ok(if report.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The case of `ROW|PHASE|KIND|TRIAL`, by their numbers.
fn case(what: &str, long: bool) -> Result<Case> {
    let numbers: Vec<_> = what.split('|').filter_map(|word| word.parse::<usize>().ok()).collect();
    let case = match *numbers.as_slice() {
        [number, phase, kind, trial] => ROWS.get(number).and_then(|row| {
            let (phase, kind) = (*row.phases.get(phase)?, KINDS.get(kind)?);
            Some(Case::new((number, row), phase, kind, trial as u64, long))
        }),
        _ => None,
    };
    case.ok_or_else(|| Error::invalid(format!("no case `{what}`")))
}
