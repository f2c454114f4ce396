//! From a checked plan to a schedule: one lane for each rank, messages only.
//!
//! A plan that has no race means one thing, whatever the speed of its lanes. So the operations of a
//! rank's lanes are put in one order in which they can happen, that of the check's run; every access
//! to another rank's memory becomes a message at its place in that order. Signals, semaphores,
//! barriers and dependencies have then done their work.

use crate::check::{Relaxed, Report, check};
use crate::plan::{Action, End, ExecutionPlan, Goal};
use crate::schedule;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{
    BufferMode, ChunkRange, Chunks, Descriptor, Operation, Params, Schedule, Space, Step,
};
use std::borrow::Cow;

/// The schedule of a plan that a check found right, and the parameters that it is for.
///
/// Its chunks are the plan's cells. Values that a plan merges on their way, without storing them,
/// are stored in scratch chunks.
///
/// # Errors
/// The report has findings, or the plan does not say what it computes, or it has a channel above
/// 65,535.
pub fn lower(plan: &ExecutionPlan, report: &Report) -> Result<(Schedule, Params)> {
    check_right(report)?;
    let Goal::Operation(operation) = plan.goal else {
        let message = format!("plan `{}` does not say what it computes", plan.name);
        return Err(Error::new(ErrorKind::Unsupported, message)
            .help("only plans for a named collective become schedules"));
    };
    let params = params(plan, operation, report.mode)?;
    Ok((in_order(plan, &params, report)?, params))
}

/// The steps of a plan's moves, in the order of its run.
fn in_order(plan: &ExecutionPlan, params: &Params, report: &Report) -> Result<Schedule> {
    let lanes = vec![Vec::new(); plan.ranks.len()];
    let mut lowering = Lowering { plan, params, lanes, scratch: scratch(plan) };
    for &(lane, op) in &report.order {
        let lane = &plan.lanes[lane as usize];
        if let Action::Move { cells, sources, targets, .. } = &lane.ops[op as usize].action {
            lowering.carry(lane.rank, *cells, sources, targets)?;
        }
    }
    Ok(Schedule { collective: plan.name.clone(), lanes: lowering.lanes })
}

/// The schedule itself if it has messages only; else the messages that it amounts to.
pub(crate) fn messages<'s>(schedule: &'s Schedule, params: &Params) -> Result<Cow<'s, Schedule>> {
    let apart = |step: &Step| step.one_sided() || step.synchronises();
    if !schedule.lanes.iter().flatten().any(apart) {
        return Ok(Cow::Borrowed(schedule));
    }
    let plan = schedule::plan(schedule, params)?;
    let report = check(&plan, params.mode(), Relaxed::default())?;
    check_right(&report)?;
    Ok(Cow::Owned(in_order(&plan, params, &report)?))
}

/// A report without findings.
pub(crate) fn check_right(report: &Report) -> Result<()> {
    let Some(finding) = report.findings.first() else { return Ok(()) };
    let message = format!("`{}` is wrong: {finding}", report.plan);
    Err(Error::new(ErrorKind::NotVerified, message))
}

/// How the algorithm of a plan describes itself.
pub(crate) fn descriptor(
    plan: &ExecutionPlan,
    name: &'static str,
    operation: Operation,
) -> Descriptor {
    let whole = whole(plan);
    let descriptor = Descriptor::new(name, operation);
    let descriptor = match operation.blocked() {
        true => descriptor,
        false => descriptor.chunks(Chunks::Fixed(whole)),
    };
    match plan.modes.as_slice() {
        [BufferMode::OutOfPlace] => descriptor.out_of_place(),
        [_] => descriptor,
        _ => descriptor.both_modes(),
    }
}

/// The segments of each chunk of a plan's schedule.
pub(crate) fn segments(plan: &ExecutionPlan, operation: Operation) -> usize {
    match operation.blocked() {
        true => whole(plan) as usize / plan.ranks.len(),
        false => 1,
    }
}

/// The cells of the larger buffer.
fn whole(plan: &ExecutionPlan) -> u32 {
    plan.ranks.first().map_or(0, |b| b.input.max(b.output))
}

fn params(plan: &ExecutionPlan, operation: Operation, mode: BufferMode) -> Result<Params> {
    let params = Params::new(&descriptor(plan, "plan", operation), plan.ranks.len())?;
    Ok(params.segmented(segments(plan, operation))?.in_mode(mode))
}

struct Lowering<'a> {
    plan: &'a ExecutionPlan,
    params: &'a Params,
    lanes: Vec<Vec<Step>>,
    /// Of each rank, where its packets begin in scratch memory, and where they end.
    scratch: Vec<(u32, u32)>,
}

/// How much scratch memory each rank's plain cells take, and with its packets behind them.
fn scratch(plan: &ExecutionPlan) -> Vec<(u32, u32)> {
    let mut ends = vec![(0, 0); plan.ranks.len()];
    for op in plan.lanes.iter().flat_map(|lane| &lane.ops) {
        let Action::Move { cells, sources, targets, .. } = &op.action else { continue };
        for end in sources.iter().chain(targets) {
            match *end {
                End::Cells { rank, space: Space::Scratch, first } => {
                    let (plain, _) = &mut ends[rank as usize];
                    *plain = (*plain).max(first + cells);
                }
                End::Packets { rank, first } => {
                    let (_, packets) = &mut ends[rank as usize];
                    *packets = (*packets).max(first + cells);
                }
                _ => {}
            }
        }
    }
    ends.into_iter().map(|(plain, packets)| (plain, plain + packets)).collect()
}

/// Chunks of a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
struct At {
    rank: u32,
    chunks: ChunkRange,
}

impl Lowering<'_> {
    /// Adds the steps of a move by a lane of `home`.
    fn carry(&mut self, home: u32, cells: u32, sources: &[End], targets: &[End]) -> Result<()> {
        let at = |end: &End| self.place(end, cells);
        let here = |end: &End| at(end).filter(|place| place.rank == home);
        // A single source in memory goes to each target; else a cell of this rank takes the result.
        let taken = match sources {
            [one] if at(one).is_some() => None,
            _ => Some(targets.iter().find_map(here).unwrap_or_else(|| self.spare(home, cells))),
        };
        let Some(taken) = taken else {
            let source = self.place(&sources[0], cells).expect("a source in memory");
            return self.hand_out(source, cells, targets);
        };
        let mut sources = sources.to_vec();
        if let Some(own) = sources.iter().position(|s| self.place(s, cells) == Some(taken)) {
            sources.swap(0, own);
        }
        for (i, source) in sources.iter().enumerate() {
            match (*source, self.place(source, cells)) {
                (_, Some(from)) => self.transfer(from, taken, i > 0),
                (End::Message { queue }, _) => {
                    let (from, _, channel) = self.plan.queues[queue as usize];
                    let merge = ringwood_schedule::Action::RecvReduce;
                    let action = if i > 0 { merge } else { ringwood_schedule::Action::Recv };
                    self.push(action, taken, from, channel_of(channel)?, taken.chunks);
                }
                _ => {}
            }
        }
        self.hand_out(taken, cells, targets)
    }

    /// Brings what `source` holds to all targets.
    fn hand_out(&mut self, source: At, cells: u32, targets: &[End]) -> Result<()> {
        for target in targets {
            match (*target, self.place(target, cells)) {
                (_, Some(to)) => self.transfer(source, to, false),
                (End::Message { queue }, _) => {
                    let (_, to, channel) = self.plan.queues[queue as usize];
                    let channel = channel_of(channel)?;
                    self.push(ringwood_schedule::Action::Send, source, to, channel, source.chunks);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn transfer(&mut self, from: At, to: At, merge: bool) {
        use ringwood_schedule::Action::{Copy, Recv, RecvReduce, Reduce, Send};
        if from.rank != to.rank {
            self.push(Send, from, to.rank, 0, from.chunks);
            self.push(if merge { RecvReduce } else { Recv }, to, from.rank, 0, to.chunks);
        } else if merge {
            self.push(Reduce, to, to.rank, 0, from.chunks);
        } else if from != to {
            self.push(Copy, to, to.rank, 0, from.chunks);
        }
    }

    fn push(
        &mut self,
        action: ringwood_schedule::Action,
        at: At,
        peer: u32,
        channel: u16,
        source: ChunkRange,
    ) {
        let site = ringwood_schedule::Site::default();
        let step = Step { action, left: false, channel, peer, chunks: at.chunks, source, site };
        self.lanes[at.rank as usize].push(step);
    }

    /// Where a schedule has the cells of an end; `None` for messages.
    fn place(&self, end: &End, count: u32) -> Option<At> {
        let (rank, space, first) = match *end {
            End::Cells { rank, space, first } => (rank, space, first),
            End::Packets { rank, first } => {
                (rank, Space::Scratch, self.scratch[rank as usize].0 + first)
            }
            End::Message { .. } => return None,
        };
        let first = first + schedule::offset(self.params, rank, space);
        let in_place = self.params.mode() == BufferMode::InPlace;
        let space = if in_place && space == Space::Input { Space::Output } else { space };
        Some(At { rank, chunks: ChunkRange { space, first, count } })
    }

    /// Scratch chunks behind the plan's own, for a result on its way.
    fn spare(&self, rank: u32, count: u32) -> At {
        let first = self.scratch[rank as usize].1;
        At { rank, chunks: ChunkRange { space: Space::Scratch, first, count } }
    }
}

fn channel_of(channel: u32) -> Result<u16> {
    u16::try_from(channel).map_err(|_| {
        let message = format!("a schedule has no channel {channel}");
        Error::new(ErrorKind::Unsupported, message).help("channels go up to 65535")
    })
}
