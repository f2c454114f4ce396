//! `ringwood export`: a schedule in a format of other programs.

use super::output::Output;
use super::plan::{self, Resolved, ScheduleArgs};
use crate::collective::Bytes;
use crate::{Error, Result};
use clap::{Args, ValueEnum};
use ringwood_formats::{chakra, msccl};
use std::process::ExitCode;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  ringwood export ring --ranks 8 --format msccl-xml -o ring.xml\n  \
    ringwood export ring --ranks 8 --format chakra --bytes 16MiB -o ring   (ring.0.et to ring.7.et)"
)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    schedule: ScheduleArgs,
    /// The format.
    #[arg(long, value_enum)]
    format: Format,
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

pub(super) fn run(args: &ExportArgs, output: &Output) -> Result<ExitCode> {
    if !matches!(args.format, Format::Chakra) {
        args.schedule.refuse_bytes()?;
    }
    let resolved = Resolved::of(&args.schedule, output)?;
    let Resolved { schedule, params, head } = &resolved;
    let file = args.output.clone();
    match args.format {
        Format::MscclXml => {
            let written = msccl::write(schedule, params, head)?;
            for warning in &written.warnings {
                output.warn(format_args!("{file} has {warning}"));
            }
            plan::write(&[(file, written.text.as_bytes())], output)
        }
        Format::Json => {
            let text = serde_json::to_vec_pretty(&resolved)
                .map_err(|e| Error::protocol("the schedule has no JSON form").because(e))?;
            plan::write(&[(file, &text)], output)
        }
        Format::Chakra => {
            let bytes = args.schedule.bytes();
            if !head.bytes.contains(&bytes.0) {
                let (least, most) = (Bytes(*head.bytes.start()), Bytes(*head.bytes.end()));
                let message = format!("this plan is for {least} to {most}, not for {bytes}");
                return Err(Error::unsupported(message).help("say it with `--bytes`"));
            }
            let traces = chakra::write(schedule, params, bytes)?;
            let named = traces.iter().enumerate();
            let named: Vec<_> = named
                .map(|(rank, trace)| (format!("{file}.{rank}.et"), trace.as_slice()))
                .collect();
            plan::write(&named, output)
        }
    }
}
