//! The proof of an execution plan: all lanes, with everything that orders them.
//!
//! Lanes take messages, signals and packets in a fixed order and never look at data, so they are a
//! Kahn network as the lanes of a collective are, and the same machine decides.

mod alone;
mod report;

pub use report::Report;

use super::domain::Forms;
use super::explain;
use super::finding::{Finding, Place};
use super::lanes::Located;
use super::machine::{At, Machine, Stop};
use crate::plan::{ExecutionPlan, Frame, PlanAction, PlanLane};
use crate::schedule::compact::{CompactLanes, Packed};
use crate::{BufferMode, Space};
use ringwood_base::Result;
use std::collections::HashMap;

/// What a relaxed signal orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relaxed {
    /// When its waiter goes on, but not what the waiter sees in memory: what MSCCL++ documents.
    #[default]
    Execution,
    /// Memory as well, as signals that are not relaxed do.
    Memory,
}

/// What a packet orders, which comes without a fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Packets {
    /// That what its lane had read before was read: nobody sends a value that was not read. What
    /// its lane had written may not be there yet.
    #[default]
    Reads,
    /// Memory as well, as signals do.
    Memory,
}

/// What is taken for granted of memory that no fence orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Model {
    /// Of relaxed signals.
    pub relaxed: Relaxed,
    /// Of packets.
    pub packets: Packets,
}

impl Model {
    /// The models that take more for granted of what `plan` uses, the least first.
    fn assuming_more(self, plan: &ExecutionPlan) -> impl Iterator<Item = Model> {
        let relaxed = Model { relaxed: Relaxed::Memory, ..self };
        let packets = Model { packets: Packets::Memory, ..self };
        let both = Model { packets: Packets::Memory, ..relaxed };
        let uses_relaxed = plan.operations().any(PlanAction::is_relaxed);
        let uses_packets = plan.operations().any(PlanAction::moves_packets);
        let all = [
            (relaxed, uses_relaxed),
            (packets, uses_packets),
            (both, uses_relaxed && uses_packets),
        ];
        all.into_iter().filter(move |(model, uses)| *uses && *model != self).map(|(model, _)| model)
    }
}

impl From<Relaxed> for Model {
    fn from(relaxed: Relaxed) -> Self {
        Self { relaxed, ..Self::default() }
    }
}

/// The lanes of a plan in one buffer mode, and what they name.
pub(super) struct Laned<'a> {
    pub(super) plan: &'a ExecutionPlan,
    pub(super) frame: Frame,
    pub(super) model: Model,
    /// A number for each port channel and each lane that uses it.
    pub(super) ports: HashMap<(u32, u32), u32>,
    /// How many lanes use each port channel, and how many release each semaphore.
    sharers: Vec<u32>,
    givers: Vec<u32>,
    /// What each operation moves, in chunks.
    steps: Vec<Vec<Option<Packed>>>,
}

impl<'a> Laned<'a> {
    fn new(plan: &'a ExecutionPlan, frame: Frame, model: Model) -> Self {
        let mut laned = Self {
            plan,
            model,
            ports: HashMap::new(),
            sharers: vec![0; plan.ports as usize],
            givers: vec![0; plan.semaphores.len()],
            steps: Vec::new(),
            frame,
        };
        let mut gave = vec![None; plan.semaphores.len()];
        for (lane, l) in (0..).zip(&plan.lanes) {
            for op in &l.ops {
                if let Some(port) = op.action.port() {
                    let next = laned.ports.len() as u32;
                    laned.ports.entry((port, lane)).or_insert_with(|| {
                        laned.sharers[port as usize] += 1;
                        next
                    });
                }
                if let PlanAction::Release { semaphore, .. } = op.action {
                    let last = gave[semaphore as usize].replace(lane);
                    laned.givers[semaphore as usize] += u32::from(last != Some(lane));
                }
            }
        }
        laned
    }

    /// Translates what operations move, once that is known to exist.
    fn place_steps(&mut self) {
        let frame = &self.frame;
        let lane = |lane: &PlanLane| {
            let packed = |step| Packed::new(&frame.step(lane.rank, step));
            lane.ops.iter().map(|op| op.action.moved().map(|step| packed(*step))).collect()
        };
        self.steps = self.plan.lanes.iter().map(lane).collect();
    }

    pub(super) fn rank(&self, lane: usize) -> usize {
        self.plan.lanes[lane].rank as usize
    }

    /// What an operation moves.
    pub(super) fn step(&self, at: At) -> Packed {
        self.steps[at.lane][at.step].expect("an operation that moves chunks")
    }

    /// Whether several lanes use a port channel.
    pub(super) fn is_shared(&self, port: u32) -> bool {
        self.sharers[port as usize] > 1
    }

    /// Whether the run puts an operation off until nothing else can go on: an acquire that may take
    /// one release or another.
    pub(super) fn comes_last(&self, action: &PlanAction) -> bool {
        let PlanAction::Acquire { semaphore, .. } = *action else { return false };
        let semaphore = semaphore as usize;
        self.plan.semaphores[semaphore].signal.is_none() || self.givers[semaphore] > 1
    }
}

impl Located for Laned<'_> {
    fn place(&self, lane: usize, index: usize) -> Result<Place, Stop> {
        Ok(place(self.plan, lane, index))
    }

    fn name_of(&self, rank: usize, space: Space, chunk: usize) -> String {
        format!("{} of rank {rank}", self.frame.name(rank, space, chunk))
    }
}

fn place(plan: &ExecutionPlan, lane: usize, index: usize) -> Place {
    let lane = &plan.lanes[lane];
    let origin = lane.ops[index].origin;
    Place::Op {
        rank: lane.rank,
        lane: lane.id,
        operation: origin.name,
        step: origin.step,
        line: origin.line,
    }
}

/// Proves a plan in one buffer mode: values, races, deadlock, matching of messages and signals, and
/// that every output is complete before its rank ends.
///
/// # Errors
/// The plan is too large, or was not read from a file and has buffers that do not fit its goal, or
/// names ranks or semaphores that it does not have. A plan that is wrong is not an error but a
/// [`Report`] with findings.
pub fn verify_plan(
    plan: &ExecutionPlan,
    mode: BufferMode,
    model: impl Into<Model>,
) -> Result<Report> {
    plan.check()?;
    let model = model.into();
    let mut report = prove(plan, mode, model)?;
    if !report.ok() {
        for more in model.assuming_more(plan) {
            if prove(plan, mode, more)?.ok() {
                report.right_if = Some(more);
                break;
            }
        }
    }
    Ok(report)
}

fn prove(plan: &ExecutionPlan, mode: BufferMode, model: Model) -> Result<Report> {
    let mut laned = Laned::new(plan, Frame::new(plan, mode)?, model);
    let mut report = Report::new(plan, mode, laned.frame.stated);
    match examine(&mut laned) {
        Ok(order) => report.order = order,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Finding(finding)) => report.findings.push(*finding),
    }
    Ok(report)
}

fn examine(laned: &mut Laned<'_>) -> Result<Vec<(u32, u32)>, Stop> {
    alone::check(laned.plan, &laned.frame)?;
    laned.place_steps();
    let (laned, none) = (&*laned, CompactLanes::default());
    let mut machine = Machine::of_plan(laned, &none, Forms::new(&laned.frame.params));
    let end = machine.run();
    let clocks = machine.clocks().expect("a plan has clocks");
    if let Some(conflict) = clocks.conflict {
        return Err(Finding::conflict(laned, conflict)?.into());
    }
    if let Some(early) = machine.take_early() {
        return Err(early.into());
    }
    end?;
    if laned.frame.stated
        && let Some((rank, chunk)) = machine.first_wrong()
    {
        return Err(explain::wrong_in_plan(laned, rank, chunk)?.into());
    }
    if let Some((owner, chunk, at)) = machine.unfinished() {
        let place = place(laned.plan, at.lane, at.step);
        let name = Some(laned.name_of(owner, Space::Output, chunk));
        return Err(Finding::Incomplete { owner, name, place }.into());
    }
    Ok(machine.take_order())
}
