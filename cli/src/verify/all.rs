//! `ringwood verify --all`: a row for each registered collective.

use super::super::output::{Output, Table};
use super::{VerifyArgs, exit, prove};
use crate::Result;
use crate::collective::{Collective, CollectiveDef, Order, Races, Verdict};
use crate::registry::Registry;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

/// What the proofs of all collectives came to.
#[derive(Default, Serialize)]
struct Report {
    collectives: Vec<Row>,
    proofs: usize,
    failed: usize,
    /// Why a collective has no row.
    refused: Vec<String>,
    seconds: f64,
}

/// What the proofs of one collective came to.
#[derive(Default, Serialize)]
struct Row {
    collective: String,
    operation: String,
    /// The group sizes proved; others are not for this algorithm.
    sizes: usize,
    proofs: usize,
    /// The classes of groups of more than two ranks, where they can differ.
    orders: Vec<Order>,
    in_order: bool,
    races: Vec<Races>,
    depth: usize,
    scratch: usize,
    seconds: f64,
    /// The verdicts that are not proofs.
    failed: Vec<Verdict>,
}

pub(super) fn run(args: &VerifyArgs, registry: &Registry, output: &Output) -> Result<ExitCode> {
    let mut report = Report::default();
    let progress = output.progress(registry.of::<CollectiveDef>().count());
    for (entry, def) in progress.wrap_iter(registry.of::<CollectiveDef>()) {
        let row = match def.called(entry).and_then(|collective| Row::of(collective, args)) {
            Ok(row) => row,
            Err(error) => {
                progress.suspend(|| output.note(&error));
                report.refused.push(error.to_string());
                continue;
            }
        };
        progress.suspend(|| row.failed.iter().for_each(|verdict| output.note(verdict)));
        report.proofs += row.proofs;
        report.failed += row.failed.len();
        report.seconds += row.seconds;
        report.collectives.push(row);
    }
    progress.finish_and_clear();
    output.result(&report)?;
    Ok(exit(report.failed == 0 && report.refused.is_empty() && report.proofs > 0))
}

impl Row {
    fn of(collective: &dyn Collective, args: &VerifyArgs) -> Result<Self> {
        let descriptor = collective.describe();
        let mut row = Self {
            collective: descriptor.name.to_string(),
            operation: descriptor.operation.to_string(),
            in_order: descriptor.operation.reduces(),
            ..Self::default()
        };
        for ranks in args.ranks().filter(|&n| descriptor.constraint.allows(n)) {
            row.sizes += 1;
            for verdict in prove(collective, ranks, args)? {
                row.add(verdict);
            }
        }
        row.in_order &= row.proofs > 0;
        Ok(row)
    }

    fn add(&mut self, verdict: Verdict) {
        self.proofs += 1;
        self.seconds += verdict.seconds.unwrap_or_default();
        if !verdict.ok() {
            return self.failed.push(verdict);
        }
        if let Some(order) = verdict.order.filter(|o| verdict.ranks > 2 && !self.orders.contains(o))
        {
            self.orders.push(order);
        }
        if !self.races.contains(&verdict.races) {
            self.races.push(verdict.races);
        }
        self.in_order &= verdict.in_order;
        self.depth = self.depth.max(verdict.depth);
        self.scratch = self.scratch.max(verdict.scratch + verdict.staged);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["collective", "operation", "sizes", "proofs", "proved", "order", "operands"];
        let [a, b, c, d, e, g, h] = heads;
        let mut table = Table::new([a, b, c, d, e, g, h, "races", "depth", "scratch", "seconds"]);
        for row in &self.collectives {
            table.row([
                row.collective.clone(),
                row.operation.clone(),
                row.sizes.to_string(),
                row.proofs.to_string(),
                (row.proofs - row.failed.len()).to_string(),
                list(&row.orders),
                if row.in_order { "in order" } else { "-" }.to_owned(),
                list(&row.races),
                row.depth.to_string(),
                row.scratch.to_string(),
                format!("{:.2}", row.seconds),
            ]);
        }
        table.fmt(f)?;
        let (count, proofs, seconds) = (self.collectives.len(), self.proofs, self.seconds);
        write!(f, "{count} collectives, {proofs} proofs, ")?;
        match self.failed + self.refused.len() {
            0 => writeln!(f, "all hold; {seconds:.1} s"),
            failed => writeln!(f, "{failed} FAILED; {seconds:.1} s"),
        }
    }
}

/// `linear, ring`; `-` for none.
fn list(items: &[impl fmt::Display]) -> String {
    match items {
        [] => "-".to_owned(),
        _ => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
