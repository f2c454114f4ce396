//! What needs no run: every range lies in its buffer, no operation overlaps itself, and no two lanes
//! share an end of a signal or a channel, where one would come first in one run and the other in
//! another.

use super::{Finding, Stop, place};
use crate::plan::{ExecutionPlan, Frame, PACKETS, PlanAction, PlanLane};
use crate::verify::lanes::At;
use crate::{Action, BufferMode, ChunkRange, Space, Step};
use std::collections::HashMap;

pub(super) fn check(plan: &ExecutionPlan, frame: &Frame) -> Result<(), Stop> {
    for (at, lane, action) in actions(plan) {
        if let Some(why) = action.moved().and_then(|step| wrong(plan, frame, lane, step)) {
            return Err(Finding::OutOfRange { place: place(plan, at), why }.into());
        }
    }
    check_barriers(plan)?;
    check_shared(plan)
}

fn actions(plan: &ExecutionPlan) -> impl Iterator<Item = (At, &PlanLane, &PlanAction)> {
    plan.lanes.iter().enumerate().flat_map(|(lane, l)| {
        l.ops.iter().enumerate().map(move |(step, o)| (At { lane, step }, l, &o.action))
    })
}

/// An end of something that works in order.
#[derive(PartialEq, Eq, Hash)]
enum Use {
    Gives(u32),
    Takes(u32),
    Sends(u32, u32, u16),
    Receives(u32, u32, u16),
}

/// The end of a channel that an operation needs for its lane alone. Port channels take requests
/// whole, in some order, and so they do signals.
fn used(plan: &ExecutionPlan, lane: &PlanLane, action: &PlanAction) -> Option<Use> {
    let signal = |semaphore: u32| plan.semaphores[semaphore as usize].signal.is_some();
    match *action {
        PlanAction::Release { semaphore, port: None, .. } if signal(semaphore) => {
            Some(Use::Gives(semaphore))
        }
        PlanAction::Acquire { semaphore, .. } if signal(semaphore) => Some(Use::Takes(semaphore)),
        PlanAction::Move { step, .. } if step.action == Action::Send => {
            Some(Use::Sends(lane.rank, step.peer, step.channel))
        }
        PlanAction::Move { step, .. } if step.receives() => {
            Some(Use::Receives(step.peer, lane.rank, step.channel))
        }
        _ => None,
    }
}

/// At every barrier as many lanes meet as it is for.
fn check_barriers(plan: &ExecutionPlan) -> Result<(), Stop> {
    let mut users: HashMap<u32, Vec<At>> = HashMap::new();
    for (at, _, action) in actions(plan) {
        let PlanAction::Barrier { barrier } = *action else { continue };
        let users = users.entry(barrier).or_default();
        if users.last().is_none_or(|last| last.lane != at.lane) {
            users.push(at);
        }
        if users.len() > plan.barriers[barrier as usize] as usize {
            return Err(shared(plan, users[0], at).into());
        }
    }
    Ok(())
}

/// Every message and signal is given by one lane and taken by one.
fn check_shared(plan: &ExecutionPlan) -> Result<(), Stop> {
    let mut users: HashMap<Use, At> = HashMap::new();
    for (at, lane, action) in actions(plan) {
        let Some(one) = used(plan, lane, action) else { continue };
        let first = *users.entry(one).or_insert(at);
        if first.lane != at.lane {
            return Err(shared(plan, first, at).into());
        }
    }
    Ok(())
}

fn shared(plan: &ExecutionPlan, first: At, second: At) -> Finding {
    let [first, second] = [first, second].map(|at| place(plan, at));
    Finding::Shared { first, second }
}

/// What is wrong with a step by itself.
fn wrong(plan: &ExecutionPlan, frame: &Frame, lane: &PlanLane, step: &Step) -> Option<String> {
    let ([reads, writes], name) = (step.owners(lane.rank), |rank, cells| name(plan, rank, cells));
    let (source, target) = ((reads, step.source), (writes, step.chunks));
    for (rank, cells) in [source, target] {
        if !frame.has(rank, cells) {
            return Some(format!("names {}, which do not all exist", name(rank, cells)));
        }
    }
    if source.1.count != target.1.count {
        let (read, written) = (name(source.0, source.1), name(target.0, target.1));
        return Some(format!("reads {read} and writes {written}, which differ in size"));
    }
    let operation = frame.params.operation();
    if frame.stated && step.merges() && !operation.reduces() {
        return Some(format!("merges, and {operation} does not reduce"));
    }
    let sends = step.action == Action::Send;
    let apart = frame.stated && frame.params.mode() == BufferMode::OutOfPlace;
    if apart && !sends && target.1.space == Space::Input {
        return Some(format!("writes {}: inputs are read only", name(target.0, target.1)));
    }
    let [read, written] = [source, target].map(|(rank, cells)| frame.chunks(rank, cells));
    let overlap = source.0 == target.0 && read != written && read.overlaps(written);
    (overlap && !step.receives() && !sends).then(|| {
        let (read, written) = (name(source.0, source.1), name(target.0, target.1));
        format!("reads {read} and writes {written}, which overlap")
    })
}

/// `chunks 4..6 of the output of rank 0`.
fn name(plan: &ExecutionPlan, rank: u32, cells: ChunkRange) -> String {
    let packets = cells.space == Space::Scratch && cells.first >= PACKETS;
    let (unit, first) = match (packets, plan.cells) {
        (true, _) => ("packet", cells.first % PACKETS),
        (false, 1) => ("chunk", cells.first),
        (false, _) => ("cell", cells.first),
    };
    let space = match cells.space {
        _ if packets => String::new(),
        space => format!("the {} of ", format!("{space:?}").to_lowercase()),
    };
    match u64::from(first) + u64::from(cells.count) {
        _ if cells.count == 1 => format!("{unit} {first} of {space}rank {rank}"),
        end => format!("{unit}s {first}..{end} of {space}rank {rank}"),
    }
}
