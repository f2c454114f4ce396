//! What is refused before a plan is checked: what no file gives, and what is too large.

use super::{ExecutionPlan, Goal, PlanAction, PlanOp, are_packets};
use crate::{Action, Step};
use ringwood_base::{Error, Result};

impl ExecutionPlan {
    /// A plan of more ranks than this is refused.
    pub const MOST_RANKS: usize = 4096;
    /// A plan whose ranks have more cells together than this is refused.
    const MOST_CELLS: u64 = 1 << 21;
    /// A plan of more operations, each counted with the cells it touches, is refused.
    const MOST_WORK: u64 = 1 << 24;
    /// A plan of more operations, each counted once for every lane, is refused: clocks are that large.
    const MOST_CLOCKS: u64 = 1 << 27;
    /// A plan whose lanes hear of more, each counted once for every lane, is refused: every packet tells
    /// what its lane knew, and a port channel what each lane at it knew.
    const MOST_HEARD: u64 = 1 << 30;

    /// Refuses a plan that no reader makes, and one that is too large to be checked in memory.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_buffers()?;
        self.check_names()?;
        self.check_size()
    }

    fn check_buffers(&self) -> Result<()> {
        let refuse = |why: &str| Err(Error::invalid(format!("plan `{}` {why}", self.name)));
        let Some(first) = self.ranks.first().filter(|_| self.cells > 0) else {
            return refuse("has no ranks, or chunks of no cells");
        };
        let Goal::Operation(operation) = self.goal else { return Ok(()) };
        if Goal::name_of(operation).is_none() {
            return refuse("is for an operation that no format has");
        }
        let due = self.goal.sizes(self.ranks.len() as u32, first.input.max(first.output))?;
        let fits = |b: &super::Buffers| (b.input, b.output) == (due.input, due.output);
        if self.ranks.iter().all(|b| fits(b) && b.output > 0) {
            return Ok(());
        }
        refuse("has buffers of other sizes than its operation needs")
    }

    fn check_names(&self) -> Result<()> {
        let within = |index: u32, count: usize| (index as usize) < count;
        let port = |port: Option<u32>| port.is_none_or(|p| p < self.ports);
        let right = |op: &PlanOp| match op.action {
            PlanAction::Move { step, port: by } => {
                within(step.peer, self.ranks.len()) && !step.synchronises() && port(by)
            }
            PlanAction::Release { semaphore, port: by, .. } => {
                within(semaphore, self.semaphores.len()) && port(by)
            }
            PlanAction::Acquire { semaphore, .. } => within(semaphore, self.semaphores.len()),
            PlanAction::Flush { port: by } => port(Some(by)),
            PlanAction::Barrier { barrier } => within(barrier, self.barriers.len()),
            PlanAction::After { lane, op, .. } => self
                .lanes
                .get(lane as usize)
                .is_some_and(|lane| op.is_none_or(|op| within(op, lane.ops.len()))),
            PlanAction::Nop => true,
        };
        let receives_packets = |op: &PlanOp| {
            let message = |step: &Step| matches!(step.action, Action::Recv | Action::RecvReduce);
            op.action.moves_packets() && op.action.moved().is_some_and(message)
        };
        let wrong = |rank: u32, op: &PlanOp| {
            if !within(rank, self.ranks.len()) || !right(op) {
                return Some("names what is not there");
            }
            receives_packets(op)
                .then_some("receives packets by a message: puts and copies fill them")
        };
        for lane in &self.lanes {
            if let Some((op, why)) =
                lane.ops.iter().find_map(|op| Some((op, wrong(lane.rank, op)?)))
            {
                let message = format!("rank {} lane {} {} {why}", lane.rank, lane.id, op.origin);
                return Err(Error::invalid(message).with("plan", &self.name));
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<()> {
        let largest = |size: fn(&super::Buffers) -> u32| self.ranks.iter().map(size).max();
        let all = [largest(|b| b.input), largest(|b| b.output), largest(|b| b.scratch)];
        let row: u64 = all.into_iter().flatten().map(u64::from).sum();
        let work =
            |op: &PlanOp| 2 * op.action.moved().map_or(1, |step| u64::from(step.chunks.count));
        let ops: u64 = self.lanes.iter().map(|l| l.ops.len() as u64).sum();
        let work: u64 = self.lanes.iter().flat_map(|l| &l.ops).map(work).sum();
        let sharers = self.users(self.ports as usize, PlanAction::port);
        let agents =
            self.lanes.len() as u64 + 2 * sharers.iter().copied().map(u64::from).sum::<u64>();
        let heard = self.heard(&sharers);
        let too_large = [
            (self.ranks.len() as u64, Self::MOST_RANKS as u64, "ranks"),
            (row * self.ranks.len() as u64, Self::MOST_CELLS, "cells of memory"),
            (work, Self::MOST_WORK, "accesses to cells"),
            (ops.saturating_mul(agents), Self::MOST_CLOCKS, "operations times lanes"),
            (
                heard.saturating_mul(agents),
                Self::MOST_HEARD,
                "packets and uses of ports times lanes",
            ),
        ];
        for (has, most, what) in too_large {
            if has > most {
                return Err(Error::unsupported(format!("plan `{}` has {has} {what}", self.name))
                    .help(format!("a plan is checked in memory, with at most {most}")));
            }
        }
        Ok(())
    }

    /// How often a lane hears what another one knew, from packets and from port channels.
    fn heard(&self, sharers: &[u32]) -> u64 {
        let heard = |action: &PlanAction| match (action.port(), action.moved()) {
            (Some(port), _) => u64::from(sharers[port as usize]),
            (None, Some(step)) if are_packets(step.source) => u64::from(step.source.count),
            _ => 0,
        };
        self.operations().map(heard).sum()
    }

    /// How many lanes do something with each of `count` things; `which` one an operation does it with.
    pub(crate) fn users(
        &self,
        count: usize,
        which: impl Fn(&PlanAction) -> Option<u32>,
    ) -> Vec<u32> {
        let (mut users, mut last) = (vec![0; count], vec![None; count]);
        for (lane, ops) in self.lanes.iter().map(|lane| &lane.ops).enumerate() {
            for thing in ops.iter().filter_map(|op| which(&op.action)) {
                let first = last[thing as usize].replace(lane) != Some(lane);
                users[thing as usize] += u32::from(first);
            }
        }
        users
    }
}
