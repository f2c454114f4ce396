//! `ringwood verify`: the proof of a collective, or its first wrong step.

use super::output::Output;
use super::plan;
use crate::collective::{self, Params, Verdict};
use crate::formats::Relaxed;
use crate::registry::Registry;
use crate::{Error, ErrorKind, Result};
use clap::Args;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// The collective, as `ringwood collectives` lists it; or the file of an execution plan, MSCCL
    /// XML or MSCCL++ JSON.
    name: String,
    /// Ranks of the group, as in `8` or `2..=64`.
    #[arg(long, default_value = "8", value_name = "N", value_parser = ranks, allow_negative_numbers = true)]
    ranks: RangeInclusive<usize>,
    /// What relaxed signals of a plan order: `execution` only, as documented, or `memory` as well.
    #[arg(long, default_value = "execution", value_parser = plan::relaxed)]
    relaxed: Relaxed,
}

#[derive(Serialize)]
struct Verdicts {
    verdicts: Vec<Verdict>,
}

pub(super) fn run(args: &VerifyArgs, output: &Output) -> Result<ExitCode> {
    if plan::is_file(&args.name) {
        return plan::verify(&args.name, args.relaxed, output);
    }
    let collective = Registry::global()?.collective(&args.name)?;
    if args.ranks.is_empty() || *args.ranks.start() == 0 {
        let message = format!("`--ranks {:?}` has no group in it", args.ranks);
        return Err(Error::new(ErrorKind::InvalidArgument, message)
            .help("give a number of ranks from 1, or a range such as 2..=64"));
    }
    let mut verdicts = Vec::new();
    for ranks in args.ranks.clone() {
        let params = Params::new(&collective.describe(), ranks)?;
        let verdict = collective::verify(collective, &params)?;
        output.note(&verdict);
        verdicts.push(verdict);
    }
    let proved = verdicts.iter().all(Verdict::ok);
    output.object(&Verdicts { verdicts })?;
    Ok(if proved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn ranks(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |t: &str| {
        let help = "give one, as in `8`, or a range, as in `2..=64`";
        t.parse::<usize>().map_err(|_| format!("`{t}` is not a number of ranks; {help}"))
    };
    match text.split_once("..=") {
        Some((first, last)) => Ok(number(first)?..=number(last)?),
        None => number(text).map(|n| n..=n),
    }
}
