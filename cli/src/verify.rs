//! `ringwood verify`: the proof of a collective, or its first wrong step.

mod all;

use super::arrange::Arrange;
use super::output::Output;
use super::{named, plan};
use crate::collective::{Collective, Request, Verdict, cases, verify, verify_roundings};
use crate::registry::Registry;
use crate::{DType, Error, ErrorKind, Result};
use clap::{ArgGroup, Args};
use ringwood_formats::{Model, Packets, Relaxed};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::process::ExitCode;

#[derive(Args)]
#[command(group(ArgGroup::new("what").args(["name", "all"]).required(true)), after_help = "Every root of a group of up to 64 ranks is proved (of a larger one, five \
    of them), in place and out of place where the algorithm has both; a permutation is proved for the \
    identity, a rotation and a reversal, and for others when they are called.\n\n\
    Examples:\n  ringwood verify ring --ranks 8\n  ringwood verify --all --ranks 2..=64 --json\n  \
    ringwood verify hierarchical --ranks 8 --arrange nodes=2")]
pub(super) struct VerifyArgs {
    /// The collective, as `ringwood collectives` lists it; or the file of an execution plan, MSCCL
    /// XML or MSCCL++ JSON.
    name: Option<String>,
    /// Every registered collective, as a table.
    #[arg(long)]
    all: bool,
    /// Ranks of the group, as in `8` or `2..=64`: 8 unless a plan says another number.
    #[arg(long, value_name = "N", value_parser = ranks)]
    ranks: Option<RangeInclusive<usize>>,
    #[command(flatten)]
    arrange: Arrange,
    /// The elements of the vector, or of each block: algorithms cut long ones in segments.
    /// 1048576 unless said.
    #[arg(long, value_name = "COUNT")]
    elements: Option<usize>,
    /// Counts how often an element is rounded where messages are encoded with loss, and refuses
    /// more than that.
    #[arg(long, value_name = "MOST", conflicts_with = "all")]
    roundings: Option<usize>,
    /// What relaxed signals of a plan order: `execution` only, as documented, or `memory` as well.
    /// `execution` unless said.
    #[arg(long, value_parser = plan::relaxed)]
    relaxed: Option<Relaxed>,
    /// What packets of a plan order: that what was read before was read, or `memory` as well.
    /// `reads` unless said.
    #[arg(long, value_parser = plan::packets)]
    packets: Option<Packets>,
}

impl VerifyArgs {
    /// The sizes of the groups of a collective.
    fn ranks(&self) -> RangeInclusive<usize> {
        self.ranks.clone().unwrap_or(8..=8)
    }

    fn elements(&self) -> usize {
        self.elements.unwrap_or(1 << 20)
    }
}

#[derive(Serialize)]
struct Verdicts<'a> {
    verdicts: Vec<plan::Proof<&'a Verdict>>,
    /// Why there is none for a size of the range.
    refused: Vec<String>,
}

pub(super) fn run(args: &VerifyArgs, output: &Output) -> Result<ExitCode> {
    if let Some(file) = args.name.as_deref().filter(|name| plan::is_file(name)) {
        let why = format!(
            "{file} says its own sizes and ranks: the option is for the collectives of the program"
        );
        let ours = [
            ("--elements", args.elements.is_some()),
            ("--roundings", args.roundings.is_some()),
            ("--arrange", args.arrange.is_given()),
        ];
        plan::refuse(&ours, &why)?;
        let model = Model {
            relaxed: args.relaxed.unwrap_or_default(),
            packets: args.packets.unwrap_or_default(),
        };
        return plan::verify(file, args.ranks.clone(), model, output);
    }
    let of_plans = [("--relaxed", args.relaxed.is_some()), ("--packets", args.packets.is_some())];
    plan::refuse(&of_plans, "the option is for files of plans: schedules have neither")?;
    let sizes = args.ranks();
    if sizes.is_empty() || *sizes.start() == 0 {
        return Err(Error::invalid(format!("`--ranks {sizes:?}` has no group in it"))
            .help("give a number of ranks from 1, or a range such as 2..=64"));
    }
    if args.arrange.is_given() {
        sizes.clone().try_for_each(|ranks| args.arrange.check(ranks))?;
    }
    let registry = Registry::global()?;
    let Some(name) = &args.name else { return all::run(args, registry, output) };
    let collective = named::collective(name, output)?;
    let (mut verdicts, mut refused) = (Vec::new(), Vec::new());
    let progress = output.progress(sizes.clone().count());
    for ranks in progress.wrap_iter(sizes.clone()) {
        let of_size = match prove(collective, ranks, args) {
            Err(error) if error.kind() == ErrorKind::Unsupported && sizes.clone().count() > 1 => {
                progress.suspend(|| output.note(error.message()));
                refused.push(error.message().to_owned());
                continue;
            }
            of_size => of_size?,
        };
        let shown = of_size.iter().find(|verdict| !verdict.ok()).unwrap_or(&of_size[0]);
        let more = match of_size.len() {
            1 => String::new(),
            cases => format!("  ({cases} cases of root, permutation and buffer mode)"),
        };
        progress.suspend(|| output.note(format_args!("{shown}{more}")));
        verdicts.extend(of_size);
    }
    progress.finish_and_clear();
    let proved = !verdicts.is_empty() && verdicts.iter().all(Verdict::ok);
    let verdicts = verdicts.iter().map(plan::Proof::of).collect();
    output.object(&Verdicts { verdicts, refused })?;
    Ok(exit(proved))
}

/// The verdicts of every case of a group size.
fn prove(collective: &dyn Collective, ranks: usize, args: &VerifyArgs) -> Result<Vec<Verdict>> {
    let request = Request::new(collective.describe().operation, ranks, args.elements(), DType::F32);
    let request = args.arrange.apply(request)?;
    let verify = |params| {
        let (verdict, seconds) = plan::timed(|| match args.roundings {
            Some(most) => verify_roundings(collective, params, most),
            None => verify(collective, params),
        })?;
        Ok(Verdict { seconds: Some(seconds), ..verdict })
    };
    cases(collective, &request)?.iter().map(verify).collect()
}

fn exit(proved: bool) -> ExitCode {
    if proved { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
