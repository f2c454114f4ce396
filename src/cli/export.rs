//! `ringwood export`: a schedule in a format of other programs.

use super::output::Output;
use super::plan;
use crate::collective::{Bytes, Params, Schedule};
use crate::formats::{chakra, msccl};
use crate::{Error, ErrorKind, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::process::ExitCode;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  ringwood export ring --ranks 8 --format msccl-xml -o ring.xml\n  \
    ringwood export ring --ranks 8 --format chakra --bytes 16MiB -o ring   (ring.0.et to ring.7.et)"
)]
pub(super) struct ExportArgs {
    /// The collective, as `ringwood collectives` lists it; or the file of an execution plan.
    name: String,
    /// Ranks of the group; 8 unless a plan says another number.
    #[arg(long)]
    ranks: Option<usize>,
    /// The format.
    #[arg(long, value_enum)]
    format: Format,
    /// Bytes of a rank's buffer; traces have sizes, the other formats have chunks.
    #[arg(long, default_value = "1MiB", value_parser = clap::value_parser!(Bytes))]
    bytes: Bytes,
    /// The file to write; of a trace, what its files begin with.
    #[arg(short, long, value_name = "FILE")]
    output: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Thread blocks with dependencies, for MSCCL and RCCL.
    MscclXml,
    /// Execution traces, one for each rank, for ASTRA-sim.
    Chakra,
    /// The steps of each rank.
    Json,
}

#[derive(Serialize)]
struct Json<'a> {
    params: &'a Params,
    schedule: &'a Schedule,
}

pub(super) fn run(args: &ExportArgs, output: &Output) -> Result<ExitCode> {
    let (schedule, params) = plan::schedule(&args.name, args.ranks, output)?;
    let file = args.output.clone();
    match args.format {
        Format::MscclXml => {
            let text = msccl::write(&schedule, &params)?;
            plan::write(&[(file, text.as_bytes())], output)
        }
        Format::Json => {
            let json = Json { params: &params, schedule: &schedule };
            let text = serde_json::to_vec_pretty(&json).map_err(|e| {
                Error::new(ErrorKind::Protocol, "the schedule has no JSON form").because(e)
            })?;
            plan::write(&[(file, &text)], output)
        }
        Format::Chakra => {
            let traces = chakra::write(&schedule, &params, args.bytes)?;
            let named = traces.iter().enumerate();
            let named: Vec<_> = named
                .map(|(rank, trace)| (format!("{file}.{rank}.et"), trace.as_slice()))
                .collect();
            plan::write(&named, output)
        }
    }
}
