//! `ringwood calibrate`: measures what steps cost on this machine.

use super::output::{Output, counted};
use super::simulate::{operation, seconds};
use super::written;
use crate::collective::calibrate::{Calibration, Grid, calibrate, path};
use crate::collective::{CostModel, Operation};
use crate::registry::Registry;
use crate::{Error, Result};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fmt, fs};

#[derive(Args)]
#[command(after_help = "Example:\n  ringwood calibrate\n\n\
    Run it while the machine has nothing else to do; it takes some minutes. The result lies in the\n\
    user's cache, in a file for this machine and version, in place of an earlier one, and is used by\n\
    every group of threads.")]
pub(super) struct CalibrateArgs {
    /// Group sizes.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2,3,4,5,6,7,8")]
    ranks: Vec<usize>,
    /// Operations; all by default.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = operation)]
    operations: Vec<Operation>,
    /// Prints the result without keeping it.
    #[arg(long)]
    dry_run: bool,
}

/// A calibration, and where it is kept.
#[derive(Serialize)]
struct Outcome {
    #[serde(flatten)]
    calibration: Calibration,
    path: Option<PathBuf>,
}

pub(super) fn run(args: &CalibrateArgs, output: &Output) -> Result<ExitCode> {
    let mut grid = Grid { ranks: args.ranks.clone(), ..Grid::default() };
    grid.ranks.iter().try_for_each(|&ranks| check_measured(ranks))?;
    grid.ranks.sort_unstable();
    grid.ranks.dedup();
    if !args.operations.is_empty() {
        grid.operations.clone_from(&args.operations);
    }
    let path = match args.dry_run {
        true => None,
        false => Some(path().ok_or_else(no_cache)?),
    };
    if let Some(path) = &path {
        check_kept(&grid, path)?;
    }
    let calibration = calibrate(Registry::global()?, &grid, |what| output.note(what))?;
    if let Some(path) = &path {
        calibration.write(path)?;
    }
    output.result(&Outcome { calibration, path })
}

/// Checks that a group of this size is measured, on threads of this machine.
///
/// # Errors
/// It is not.
pub(super) fn check_measured(ranks: usize) -> Result<()> {
    if (2..=64).contains(&ranks) {
        return Ok(());
    }
    let message = format!("a group of {} is not measured", counted(ranks, "rank"));
    Err(Error::invalid(message).help("give sizes from 2 to 64"))
}

/// Checks before the measurement that what comes of it can be kept.
///
/// # Errors
/// Costs would be assumed; the file cannot be written.
fn check_kept(grid: &Grid, path: &Path) -> Result<()> {
    if !grid.operations.contains(&Operation::AllReduce) {
        let message = "costs are fitted to all-reduces, which are not among the operations";
        return Err(Error::invalid(message).help("name all-reduce, too, or give --dry-run"));
    }
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|cause| {
        let message = format!("cannot write the calibration `{}`", path.display());
        Error::unavailable(message).because(cause)
    })?;
    written::check(path)
}

fn no_cache() -> Error {
    let message = "there is no place for the calibration: neither XDG_CACHE_HOME nor HOME is set";
    Error::unavailable(message).help("set one, or only look with --dry-run")
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calibration { machine, model, samples, error } = &self.calibration;
        let CostModel { latency, overhead, gap, per_byte, switch, .. } = model;
        writeln!(f, "{}, {} cores", machine.processor, machine.cores)?;
        writeln!(f, "  latency L          {}", seconds(*latency))?;
        writeln!(f, "  overhead o         {}", seconds(*overhead))?;
        writeln!(f, "  gap g              {}", seconds(*gap))?;
        writeln!(f, "  on the way, G      {} for each MB", seconds(per_byte * 1e6))?;
        writeln!(f, "  switch of a core   {}", seconds(*switch))?;
        for (ranks, call) in &model.call {
            writeln!(f, "  call of {ranks} ranks    {}", seconds(*call))?;
        }
        let rates = [("receive", &model.receive), ("reduce", &model.reduce), ("copy", &model.copy)];
        for (name, rate) in rates {
            let points = rate.points().iter().map(|&(bytes, rate)| {
                format!("{:.1} at {}", 1e-9 / rate, crate::collective::Bytes(bytes))
            });
            let points: Vec<_> = points.collect();
            writeln!(f, "  {name:<8} in GB/s   {}", points.join(", "))?;
        }
        writeln!(
            f,
            "{samples} calls measured; before corrections the model is off by {:.0} %",
            error * 100.0
        )?;
        match &self.path {
            Some(path) => writeln!(f, "kept in {}", path.display()),
            None => writeln!(f, "not kept"),
        }
    }
}
