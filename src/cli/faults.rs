//! `ringwood faults`: faults of every kind, put into sessions of every kind, and what comes of them.
//!
//! Each case is a process of its own, so that one that hangs or dies is seen as that, and that what it leaves
//! is counted when it has ended.

mod acts;
mod case;
mod inject;
mod report;
mod run;
mod system;
mod table;

use super::output::Output;
use crate::{Error, ErrorKind, Result};
use case::Case;
use clap::Args;
use report::Report;
use std::process::ExitCode;
use table::ROWS;

/// The kinds of sessions that faults are put into.
const KINDS: [&str; 2] = ["threads", "processes"];

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood faults --sessions threads,processes\n  \
    ringwood faults --sessions processes --rows A1,A6 --repeat 20")]
pub(super) struct FaultsArgs {
    /// The kinds of sessions.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', default_values = KINDS, value_parser = KINDS)]
    sessions: Vec<String>,
    /// Only faults of these numbers, or whose names hold one of these words.
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    rows: Vec<String>,
    /// How often each fault is put in.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// 10,000 sessions that come and go instead of some.
    #[arg(long)]
    long: bool,
    /// Cases at one time, instead of three for each core.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The process of one case.
    #[arg(long, hide = true, value_name = "ROW|PHASE|KIND|TRIAL")]
    case: Option<String>,
    /// A process between a controller and its worker.
    #[arg(long, hide = true)]
    relay: Option<String>,
    /// A process with a session, which somebody ends.
    #[arg(long, hide = true)]
    controller: Option<String>,
}

pub(super) fn run(args: &FaultsArgs, output: &Output) -> Result<ExitCode> {
    if let Some(what) = &args.relay {
        return inject::relay(what).map(|()| ExitCode::SUCCESS);
    }
    if let Some(what) = &args.controller {
        return inject::be_controller(what).map(|()| ExitCode::SUCCESS);
    }
    if let Some(what) = &args.case {
        return run::serve(&case(what, args.long)?);
    }
    let chosen = |row: &&table::Row| {
        let is = |word: &String| row.id == word || row.name.contains(&**word);
        args.rows.is_empty() || args.rows.iter().any(is)
    };
    let rows: Vec<_> = ROWS.iter().filter(chosen).collect();
    if rows.is_empty() {
        let message = format!("no fault is called {}", args.rows.join(" or "));
        return Err(
            Error::new(ErrorKind::NotFound, message).help("without `--rows` all are put in")
        );
    }
    let report = Report::new(&rows, &run::all(&rows, args, output)?, args);
    output.result(&report)?;
    Ok(if report.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The case of `ROW|PHASE|KIND|TRIAL`, by their numbers.
fn case(what: &str, long: bool) -> Result<Case> {
    let numbers: Vec<_> = what.split('|').filter_map(|word| word.parse::<usize>().ok()).collect();
    let case = match *numbers.as_slice() {
        [row, phase, kind, trial] => ROWS.get(row).and_then(|row| {
            let (phase, kind) = (*row.phases.get(phase)?, *KINDS.get(kind)?);
            Some(Case::new(row, phase, kind, trial as u64, long))
        }),
        _ => None,
    };
    case.ok_or_else(|| Error::new(ErrorKind::InvalidArgument, format!("no case `{what}`")))
}
