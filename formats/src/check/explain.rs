//! Why a cell is wrong: the run once more, with exact counts.

use super::machine::Machine;
use super::values::Counts;
use super::{Finding, Place, Relaxed};
use crate::plan::{ExecutionPlan, Layout};
use ringwood_schedule::Space;
use std::collections::BTreeMap;

/// Exact counts are kept for plans of at most this many cells times ranks.
const COUNTED: u64 = 1 << 22;

/// The finding for output cell `cell` of `rank`, which the random forms found wrong.
pub(super) fn wrong_value(
    plan: &ExecutionPlan,
    layout: &Layout,
    relaxed: Relaxed,
    rank: u32,
    cell: u32,
) -> Box<Finding> {
    let Some(at) = layout.cells(rank, Space::Output, cell, 1) else {
        unreachable!("the cell was compared")
    };
    let exact = layout.total() as u64 * plan.ranks.len() as u64 <= COUNTED;
    let mut machine = Machine::new(plan, layout, relaxed, Counts);
    // The same run with other values ends the same way.
    let ran = exact && machine.run().is_ok();
    let held = ran.then(|| machine.value(at)).flatten();
    let written_by = machine.cells[at].writer.map(|w| Place::new(plan, w.lane, w.op));
    let contents = match (held, ran) {
        (Some(held), _) => contents(plan, rank, cell, &held),
        (None, true) => "holds no value".into(),
        (None, false) => "holds the wrong contributions".into(),
    };
    Box::new(Finding::WrongValue { rank, cell, contents, written_by })
}

/// `holds input 3 of rank 0 twice and lacks input 3 of rank 2`.
fn contents(
    plan: &ExecutionPlan,
    rank: u32,
    cell: u32,
    held: &BTreeMap<(u32, u32), u32>,
) -> String {
    let ranks = plan.ranks.len() as u32;
    let due = plan.goal.contributions(rank, cell, ranks, &plan.ranks[rank as usize]);
    let due = due.expect("a goal that was compared");
    let belongs = |&(r, c): &(u32, u32)| due.ranks.contains(&r) && c == due.cell;
    let leaf = |&(r, c): &(u32, u32)| format!("input {c} of rank {r}");
    let extra = held.iter().filter(|&(l, count)| !belongs(l) || *count > 1).map(|(l, count)| {
        let times = match count {
            1 => String::new(),
            2 => " twice".into(),
            n => format!(" {n} times"),
        };
        let foreign = if belongs(l) { "" } else { "foreign " };
        format!("{foreign}{}{times}", leaf(l))
    });
    let missing = due.ranks.clone().map(|r| (r, due.cell)).filter(|l| !held.contains_key(l));
    let missing = missing.map(|l| leaf(&l));
    let (extra, missing) = (list(extra.collect()), list(missing.collect()));
    match (extra.is_empty(), missing.is_empty()) {
        (true, _) => format!("lacks {missing}"),
        (_, true) => format!("holds {extra}"),
        _ => format!("holds {extra} and lacks {missing}"),
    }
}

/// Names at most six.
fn list(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(6);
    items.truncate(6);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", items.join(", "))
}
