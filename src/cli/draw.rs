//! `ringwood draw`: a schedule as a picture.

use super::output::Output;
use super::plan::{self, Resolved, ScheduleArgs};
use crate::{Error, Result, formats};
use clap::Args;
use std::path::Path;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct DrawArgs {
    #[command(flatten)]
    schedule: ScheduleArgs,
    /// The SVG file to write.
    #[arg(short, long, value_name = "FILE.svg")]
    output: String,
}

pub(super) fn run(args: &DrawArgs, output: &Output) -> Result<ExitCode> {
    let extension = Path::new(&args.output).extension();
    if extension.is_some_and(|extension| !extension.eq_ignore_ascii_case("svg")) {
        return Err(Error::unsupported(format!("`{}`: drawings are SVG files", args.output))
            .help("give a name that ends in .svg; browsers and Inkscape convert it"));
    }
    args.schedule.ranks.map_or(Ok(()), formats::draw::check_ranks)?;
    let Resolved { schedule, params, .. } = Resolved::of(&args.schedule, output)?;
    let svg = formats::draw::svg(&schedule, &params, args.schedule.bytes())?;
    plan::write(&[(args.output.clone(), svg.as_bytes())], output)
}
