//! The lanes of a plan, and what is taken for granted of memory.

use super::finding::Place;
use super::lanes::{At, Located};
use super::stop::Stop;
use crate::Space;
use crate::plan::{ExecutionPlan, Frame, PlanAction, PlanLane};
use crate::schedule::compact::Packed;
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
    pub(super) fn assuming_more(self, plan: &ExecutionPlan) -> impl Iterator<Item = Model> {
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
    pub(super) fn new(plan: &'a ExecutionPlan, frame: Frame, model: Model) -> Self {
        let mut ports = HashMap::new();
        for (lane, of) in (0..).zip(&plan.lanes) {
            for port in of.ops.iter().filter_map(|op| op.action.port()) {
                let next = ports.len() as u32;
                ports.entry((port, lane)).or_insert(next);
            }
        }
        let released = |action: &PlanAction| match *action {
            PlanAction::Release { semaphore, .. } => Some(semaphore),
            _ => None,
        };
        let sharers = plan.users(plan.ports as usize, PlanAction::port);
        let givers = plan.users(plan.semaphores.len(), released);
        Self { plan, frame, model, ports, sharers, givers, steps: Vec::new() }
    }

    /// Translates what operations move, once that is known to exist.
    pub(super) fn place_steps(&mut self) {
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
    fn place(&self, at: At) -> Result<Place, Stop> {
        Ok(place(self.plan, at))
    }

    fn name_of(&self, rank: usize, space: Space, chunk: usize) -> String {
        format!("{} of rank {rank}", self.frame.name(rank, space, chunk))
    }
}

pub(super) fn place(plan: &ExecutionPlan, at: At) -> Place {
    let lane = &plan.lanes[at.lane];
    Place::Op { rank: lane.rank, lane: lane.id, origin: lane.ops[at.step].origin }
}
