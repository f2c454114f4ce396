//! What needs no run: every range lies in its buffer, no operation overlaps itself, and no two lanes
//! share an end of a signal or a proxy, where one would come first in one run and the other in
//! another.

use super::{Finding, Place};
use crate::plan::{Action, End, ExecutionPlan, Layout};
use std::collections::HashMap;
use std::fmt::Write;

pub(super) fn check(plan: &ExecutionPlan, layout: &Layout) -> Result<(), Box<Finding>> {
    for (lane, l) in plan.lanes.iter().enumerate() {
        for (op, o) in l.ops.iter().enumerate() {
            let Action::Move { cells, sources, targets, .. } = &o.action else { continue };
            if let Some(why) = wrong(plan, layout, *cells, sources, targets) {
                let place = Place::new(plan, lane as u32, op as u32);
                return Err(Box::new(Finding::Cells { place, why }));
            }
        }
    }
    Ok(())
}

/// An end of something that works in order.
#[derive(PartialEq, Eq, Hash)]
enum Use {
    Gives(u32),
    Takes(u32),
    Asks(u32),
    Sends(u32),
    Receives(u32),
}

/// The ends of channels that an operation uses.
fn uses(action: &Action) -> Vec<Use> {
    let queue = |end: &End| match *end {
        End::Message { queue } => Some(queue),
        _ => None,
    };
    match action {
        Action::Signal { signal, proxy, .. } => {
            std::iter::once(Use::Gives(*signal)).chain(proxy.map(Use::Asks)).collect()
        }
        Action::Wait { signal, .. } => vec![Use::Takes(*signal)],
        Action::Move { sources, targets, proxy, .. } => {
            let sent = targets.iter().filter_map(queue).map(Use::Sends);
            let received = sources.iter().filter_map(queue).map(Use::Receives);
            sent.chain(received).chain(proxy.map(Use::Asks)).collect()
        }
        Action::Flush { proxy } => vec![Use::Asks(*proxy)],
        _ => Vec::new(),
    }
}

/// At every barrier as many lanes meet as it is for.
fn check_barriers(plan: &ExecutionPlan) -> Result<(), Box<Finding>> {
    let mut users: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
    for (lane, l) in (0_u32..).zip(&plan.lanes) {
        for (op, o) in (0_u32..).zip(&l.ops) {
            let Action::Barrier { barrier } = o.action else { continue };
            let users = users.entry(barrier).or_default();
            if users.last().is_none_or(|last| last.0 != lane) {
                users.push((lane, op));
            }
            if users.len() > plan.barriers[barrier as usize] as usize {
                let [first, second] = [users[0], (lane, op)].map(|(l, o)| Place::new(plan, l, o));
                return Err(Box::new(Finding::Shared { first, second }));
            }
        }
    }
    Ok(())
}

/// Every message and signal is given by one lane and taken by one, every proxy works for one, and no more lanes
/// come to a barrier than meet there.
pub(super) fn check_shared(plan: &ExecutionPlan) -> Result<(), Box<Finding>> {
    check_barriers(plan)?;
    let mut users: HashMap<Use, (u32, u32)> = HashMap::new();
    for (lane, l) in (0_u32..).zip(&plan.lanes) {
        for (op, o) in (0_u32..).zip(&l.ops) {
            for one in uses(&o.action) {
                let first = *users.entry(one).or_insert((lane, op));
                if first.0 != lane {
                    let first = Place::new(plan, first.0, first.1);
                    let second = Place::new(plan, lane, op);
                    return Err(Box::new(Finding::Shared { first, second }));
                }
            }
        }
    }
    Ok(())
}

fn wrong(
    plan: &ExecutionPlan,
    layout: &Layout,
    count: u32,
    sources: &[End],
    targets: &[End],
) -> Option<String> {
    let place = |end: &End| match *end {
        End::Cells { rank, space, first } => Some(layout.cells(rank, space, first, count)),
        End::Packets { rank, first } => Some(layout.packets(rank, first, count)),
        End::Message { .. } => None,
    };
    for end in sources.iter().chain(targets) {
        if place(end) == Some(None) {
            return Some(format!("names {}, which do not all exist", name(plan, end, count)));
        }
    }
    let starts = |ends: &[End]| ends.iter().filter_map(|e| place(e).flatten()).collect::<Vec<_>>();
    let (read, written) = (starts(sources), starts(targets));
    let apart = |a: usize, b: usize| a.abs_diff(b) >= count as usize;
    for (i, &w) in written.iter().enumerate() {
        if let Some(other) = written[..i].iter().find(|&&v| !apart(v, w)) {
            let (a, b) = (layout.name(*other), layout.name(w));
            return Some(format!(
                "writes {} of rank {} and {} of rank {}, which overlap",
                a.1, a.0, b.1, b.0
            ));
        }
        if let Some(other) = read.iter().find(|&&r| r != w && !apart(r, w)) {
            let (a, b) = (layout.name(*other), layout.name(w));
            return Some(format!(
                "reads {} of rank {} and writes {} of rank {}, which overlap",
                a.1, a.0, b.1, b.0
            ));
        }
    }
    None
}

/// `chunks 4..6 of the output of rank 0`.
fn name(plan: &ExecutionPlan, end: &End, count: u32) -> String {
    let mut text = String::new();
    let unit = if plan.cells == 1 { "chunk" } else { "cell" };
    let mut range = |unit: &str, first: u32| match count {
        1 => write!(text, "{unit} {first}"),
        _ => write!(text, "{unit}s {first}..{}", u64::from(first) + u64::from(count)),
    };
    // Writing to a string does not fail.
    let _ = match *end {
        End::Cells { first, .. } => range(unit, first),
        End::Packets { first, .. } => range("packet", first),
        End::Message { .. } => Ok(()),
    };
    match *end {
        End::Cells { rank, space, .. } => {
            let space = format!("{space:?}").to_lowercase();
            format!("{text} of the {space} of rank {rank}")
        }
        End::Packets { rank, .. } => format!("{text} of rank {rank}"),
        End::Message { .. } => text,
    }
}
