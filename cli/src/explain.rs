//! `ringwood explain`: which algorithm a call would use, and why.

use super::arrange::Arrange;
use super::calibrate::check_measured;
use super::output::{Output, Table, counted};
use super::simulate::{operation, request, seconds};
use crate::collective::calibrate::{Effort, Stored, cost_model, measure};
use crate::collective::transport::Capabilities;
use crate::collective::{
    BufferMode, Bytes, Explanation, Operation, Order, Request, Setting, explain, explain_libraries,
};
use crate::registry::Registry;
use crate::{DType, Result};
use clap::Args;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood explain all-reduce --ranks 4 --bytes 1MiB\n  \
    ringwood explain all-reduce --ranks 8 --bytes 64KiB --order linear --measure")]
pub(super) struct ExplainArgs {
    /// What is called: all-reduce, reduce, broadcast, all-gather, gather, scatter, reduce-scatter,
    /// all-to-all, permute or barrier.
    #[arg(value_parser = operation)]
    operation: Operation,
    /// Ranks of the group.
    #[arg(long, default_value_t = 4)]
    ranks: usize,
    #[command(flatten)]
    arrange: Arrange,
    /// Bytes of a rank's largest buffer: all blocks together, if the operation has blocks.
    #[arg(long, default_value = "1MiB")]
    bytes: Bytes,
    /// The type of the elements.
    #[arg(long, default_value = "f32")]
    dtype: DType,
    /// Fixes the order of merges: linear or xor_tree.
    #[arg(long)]
    order: Option<Order>,
    /// Measures every candidate as well, on threads of this machine: for groups of 2 to 64 ranks.
    #[arg(long)]
    measure: bool,
}

/// How long each candidate is measured.
const EFFORT: Effort =
    Effort { batch: Duration::from_micros(200), total: Duration::from_millis(100) };

/// An explanation, and what it rests on.
#[derive(Serialize)]
struct Outcome {
    #[serde(flatten)]
    explanation: Explanation,
    dtype: DType,
    chosen: Option<Cow<'static, str>>,
    costs: Stored,
    /// The measured time of the chosen one over the best measured one.
    regret: Option<f64>,
}

pub(super) fn run(args: &ExplainArgs, output: &Output) -> Result<ExitCode> {
    if args.measure {
        check_measured(args.ranks)?;
    }
    let registry = Registry::global()?;
    let request = request(args.operation, args.ranks, args.bytes, args.dtype)?;
    let request = args.arrange.apply(request)?.mode(BufferMode::InPlace);
    let (model, costs) = cost_model();
    let setting =
        Setting { order: args.order, ..Setting::new(model.clone(), Capabilities::PEER_MEMORY) };
    let progress = output.progress(0);
    let mut explanation = explain(registry, &request, &setting)?;
    explain_libraries(registry, &request, args.order, &mut explanation);
    let regret = match args.measure {
        true => take_times(registry, &request, &mut explanation, EFFORT)?,
        false => None,
    };
    progress.finish_and_clear();
    let chosen = explanation.candidates.first().map(|c| c.name.clone());
    let (dtype, costs) = (args.dtype, costs.clone());
    let outcome = Outcome { explanation, dtype, chosen, costs, regret };
    let code = output.result(&outcome)?;
    Ok(if outcome.chosen.is_some() { code } else { ExitCode::FAILURE })
}

/// Measures every candidate; returns the time of the chosen one over the best.
pub(super) fn take_times(
    registry: &Registry,
    request: &Request,
    explanation: &mut Explanation,
    effort: Effort,
) -> Result<Option<f64>> {
    let names: Vec<_> = explanation.candidates.iter().map(|c| &*c.name).collect();
    let seconds = measure(registry, request, &names, effort)?;
    for (candidate, &seconds) in explanation.candidates.iter_mut().zip(&seconds) {
        candidate.measured = Some(seconds);
    }
    let best = seconds.iter().copied().reduce(f64::min);
    Ok(best.map(|best| seconds[0] / best))
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { operation, ranks, bytes, order, candidates, opaque, refused, price } =
            &self.explanation;
        writeln!(
            f,
            "{operation}  {}  {} of {}",
            counted(*ranks, "rank"),
            Bytes(*bytes),
            self.dtype
        )?;
        writeln!(f, "costs      {}", self.costs)?;
        match &self.chosen {
            Some(name) => writeln!(
                f,
                "chosen     {name}: the least predicted time of {} that can be used",
                candidates.len()
            )?,
            None => writeln!(f, "chosen     none: nothing can be used")?,
        }
        if let (Some(order), Some(price)) = (order, price) {
            writeln!(
                f,
                "price      order {order} takes {price:.2} times the cheapest in any order"
            )?;
        }
        if let Some(regret) = self.regret {
            writeln!(f, "regret     {regret:.2} times the best measured")?;
        }
        let mut table = Table::new(["candidate", "order", "predicted", "measured"]);
        for candidate in candidates {
            let order = candidate.order.map_or("-".to_owned(), |order| order.to_string());
            let measured = candidate.measured.map_or("-".to_owned(), seconds);
            table.row([candidate.name.to_string(), order, seconds(candidate.predicted), measured]);
        }
        write!(f, "\n{table}")?;
        if !opaque.is_empty() {
            writeln!(f, "\nmeasured at the first call on tensors: {}", opaque.join(", "))?;
        }
        if refused.is_empty() {
            return Ok(());
        }
        let mut table = Table::new(["refused", "why"]);
        for refusal in refused {
            let why = refusal.why.lines().next().unwrap_or_default();
            table.row([refusal.name.to_string(), why.to_owned()]);
        }
        write!(f, "\n{table}")
    }
}
