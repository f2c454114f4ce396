//! `ringwood draw`: a schedule as a picture.

use super::output::Output;
use super::plan;
use crate::collective::Bytes;
use crate::{Result, formats};
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct DrawArgs {
    /// The collective, as `ringwood collectives` lists it; or the file of an execution plan.
    name: String,
    /// Ranks of the group; 8 unless a plan says another number.
    #[arg(long)]
    ranks: Option<usize>,
    /// Bytes of a rank's buffer, for the matrix of links.
    #[arg(long, default_value = "1MiB", value_parser = clap::value_parser!(Bytes))]
    bytes: Bytes,
    /// The SVG file to write.
    #[arg(short, long, value_name = "FILE.svg")]
    output: String,
}

pub(super) fn run(args: &DrawArgs, output: &Output) -> Result<ExitCode> {
    args.ranks.map_or(Ok(()), formats::draw::check_ranks)?;
    let (schedule, params) = plan::schedule(&args.name, args.ranks, output)?;
    let svg = formats::draw::svg(&schedule, &params, args.bytes)?;
    plan::write(&[(args.output.clone(), svg.as_bytes())], output)
}
