//! `ringwood draw`: a schedule as a picture.

use super::output::Output;
use super::plan::{self, Resolved, ScheduleArgs};
use super::written;
use crate::Result;
use clap::Args;
use ringwood_formats as formats;
use std::path::Path;
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood draw ring --ranks 4 -o ring.svg\n  \
    ringwood draw plan.xml --bytes 64KiB -o plan.svg")]
pub(super) struct DrawArgs {
    #[command(flatten)]
    schedule: ScheduleArgs,
    /// The SVG file to write.
    #[arg(short, long, value_name = "FILE.svg")]
    output: String,
}

pub(super) fn run(args: &DrawArgs, output: &Output) -> Result<ExitCode> {
    written::check_ending("--output", Path::new(&args.output), "svg")?;
    args.schedule.ranks.map_or(Ok(()), formats::draw::check_ranks)?;
    let Resolved { schedule, params, .. } = Resolved::of(&args.schedule, output)?;
    let svg = formats::draw::svg(&schedule, &params, args.schedule.bytes())?;
    plan::write(&[(args.output.clone(), svg.as_bytes())], output)
}
