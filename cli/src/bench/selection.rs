//! The regret of the selection: the time of the chosen algorithm over the best measured one.

use super::super::calibrate::check_measured;
use super::super::explain::take_times;
use super::super::output::{Output, Table, counted};
use super::super::simulate::{operation, request, seconds};
use super::measure::median;
use crate::collective::calibrate::{Effort, Stored, cost_model};
use crate::collective::transport::Capabilities;
use crate::collective::{BufferMode, Bytes, Operation, Setting, explain};
use crate::registry::Registry;
use crate::{DType, Result};
use clap::Args;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args)]
#[command(
    after_help = "Example:\n  ringwood bench selection --operation broadcast --ranks 2,4 --bytes 1KiB,1MiB"
)]
pub(in super::super) struct SelectionArgs {
    /// What is called.
    #[arg(long, default_value = "all-reduce", value_parser = operation)]
    operation: Operation,
    /// Group sizes, from 2 to 64.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2,3,4,5,6,7,8")]
    ranks: Vec<usize>,
    /// Bytes of each rank's largest buffer; of an operation with blocks, rounded up to whole ones.
    #[arg(
        long,
        value_name = "BYTES,…",
        value_delimiter = ',',
        default_value = "8,128,1KiB,16KiB,256KiB,1MiB,8MiB,64MiB"
    )]
    bytes: Vec<Bytes>,
    /// Time for each algorithm and size.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 50)]
    budget: u64,
}

/// One choice.
#[derive(Serialize)]
struct Choice {
    ranks: usize,
    bytes: u64,
    chosen: Cow<'static, str>,
    best: Cow<'static, str>,
    predicted: f64,
    measured: f64,
    best_measured: f64,
    regret: f64,
}

/// All choices.
#[derive(Serialize)]
struct Report {
    operation: Operation,
    costs: Stored,
    choices: Vec<Choice>,
    median: f64,
    percentile_90: f64,
    worst: f64,
}

pub(super) fn run(args: &SelectionArgs, output: &Output) -> Result<ExitCode> {
    args.ranks.iter().try_for_each(|&ranks| check_measured(ranks))?;
    let mut choices = Vec::new();
    for &ranks in &args.ranks {
        for &bytes in &args.bytes {
            choices.extend(choice(args, ranks, bytes)?);
        }
        output.note(format_args!("{} measured", counted(ranks, "rank")));
    }
    let mut regrets: Vec<f64> = choices.iter().map(|c| c.regret).collect();
    let median = if regrets.is_empty() { 1.0 } else { median(&mut regrets) };
    let at = |share: f64| {
        let index = (regrets.len() as f64 * share).ceil() as usize;
        regrets.get(index.saturating_sub(1)).copied().unwrap_or(1.0)
    };
    let (operation, costs) = (args.operation, cost_model().1.clone());
    let (percentile_90, worst) = (at(0.9), at(1.0));
    output.result(&Report { operation, costs, choices, median, percentile_90, worst })
}

fn choice(args: &SelectionArgs, ranks: usize, bytes: Bytes) -> Result<Option<Choice>> {
    let (registry, operation) = (Registry::global()?, args.operation);
    let unit = (if operation.blocked() { ranks } else { 1 } * DType::F32.size()) as u64;
    let bytes = Bytes(bytes.0.next_multiple_of(unit));
    let request = request(operation, ranks, bytes, DType::F32)?.mode(BufferMode::InPlace);
    let setting = Setting::new(cost_model().0.clone(), Capabilities::PEER_MEMORY);
    let mut explanation = explain(registry, &request, &setting)?;
    let effort = Effort { total: Duration::from_millis(args.budget), ..Effort::default() };
    let Some(regret) = take_times(registry, &request, &mut explanation, effort)? else {
        return Ok(None);
    };
    let taken = |c: &crate::collective::Candidate| c.measured.unwrap_or(f64::INFINITY);
    let best = explanation.candidates.iter().min_by(|a, b| taken(a).total_cmp(&taken(b)));
    let chosen = &explanation.candidates[0];
    Ok(best.map(|best| Choice {
        ranks,
        bytes: explanation.bytes,
        chosen: chosen.name.clone(),
        best: best.name.clone(),
        predicted: chosen.predicted,
        measured: taken(chosen),
        best_measured: taken(best),
        regret,
    }))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head =
            ["ranks", "bytes", "chosen", "predicted", "measured", "best", "measured", "regret"];
        let mut table = Table::new(head);
        for c in &self.choices {
            table.row([
                c.ranks.to_string(),
                Bytes(c.bytes).to_string(),
                c.chosen.to_string(),
                seconds(c.predicted),
                seconds(c.measured),
                c.best.to_string(),
                seconds(c.best_measured),
                format!("{:.2}", c.regret),
            ]);
        }
        writeln!(f, "{}, costs {}\n{table}", self.operation, self.costs)?;
        writeln!(
            f,
            "regret: median {:.2}, 90th percentile {:.2}, worst {:.2}",
            self.median, self.percentile_90, self.worst
        )
    }
}
