//! Why a lane of a plan does not go on.

use super::super::{At, Machine, NEVER, Wait};
use crate::plan::{PlanAction, PlanLane};
use crate::verify::domain::Domain;
use crate::{Action, Space};

impl<D: Domain> Machine<'_, D> {
    /// A lane that would still do what `waiter` waits for.
    pub(in crate::verify::machine) fn provider_in_plan(
        &self,
        waiter: usize,
        wait: Wait,
    ) -> Option<usize> {
        let lanes = &self.laned().plan.lanes;
        let still = |lane: usize| (self.lanes[lane].position as usize)..lanes[lane].ops.len();
        let mut others = (0..lanes.len()).filter(|&lane| lane != waiter);
        match wait {
            Wait::Done(lane, op) => (op != NEVER).then_some(lane as usize),
            Wait::Barrier(barrier) => others.find(|&lane| {
                let comes =
                    |step: usize| lanes[lane].ops[step].action == PlanAction::Barrier { barrier };
                self.lanes[lane].wait != Some(wait) && still(lane).any(comes)
            }),
            _ => others.find(|&lane| still(lane).any(|step| self.gives(At { lane, step }, wait))),
        }
    }

    fn gives(&self, at: At, wait: Wait) -> bool {
        let laned = self.laned();
        match (wait, laned.plan.lanes[at.lane].ops[at.step].action) {
            (Wait::Message(id), PlanAction::Move { step, .. }) => {
                let (channel, rank) = (self.channels.get(id), laned.rank(at.lane) as u32);
                let ends = (channel.from, channel.to, channel.number);
                step.action == Action::Send && ends == (rank, step.peer, step.channel)
            }
            (Wait::Packet(rank, chunk), PlanAction::Move { step, .. }) => {
                let [_, owner] = step.owners(laned.rank(at.lane) as u32);
                let written = laned.step(at).chunks();
                let fills = step.action != Action::Send && self.packets(written);
                fills && owner == rank && written.range().contains(&(chunk as usize))
            }
            (Wait::Semaphore(of), PlanAction::Release { semaphore, .. }) => semaphore == of,
            _ => false,
        }
    }

    /// What a lane waits for, in words.
    pub(in crate::verify::machine) fn describe(&self, waiter: usize, wait: Wait) -> String {
        let plan = self.laned().plan;
        match wait {
            Wait::Message(id) => {
                let channel = self.channels.get(id);
                format!("a message from rank {} on channel {}", channel.from, channel.number)
            }
            Wait::Packet(rank, chunk) => {
                let name = self.located.name_of(rank as usize, Space::Scratch, chunk as usize);
                format!("{name} to be filled")
            }
            Wait::Semaphore(semaphore) => match plan.semaphores[semaphore as usize].signal {
                Some((from, _)) => format!("a signal from rank {from}"),
                None => "a semaphore to be released".into(),
            },
            Wait::Barrier(barrier) => {
                let arrived = self.lanes.iter().filter(|lane| lane.wait == Some(wait)).count();
                let lanes = plan.barriers[barrier as usize];
                format!("a barrier of {lanes} lanes, {arrived} of which have come")
            }
            Wait::Done(lane, op) => {
                let PlanLane { id, ops, .. } = &plan.lanes[lane as usize];
                let waiting = &plan.lanes[waiter].ops[self.lanes[waiter].position as usize];
                match (ops.get(op as usize), waiting.action) {
                    (None, PlanAction::After { step, .. }) => {
                        format!("lane {id} to publish step {step} or a later one")
                    }
                    (op, _) => {
                        format!("lane {id} to do {}", op.map_or(waiting.origin, |op| op.origin))
                    }
                }
            }
            Wait::Room(_) | Wait::Readers => unreachable!("messages of a plan are copies"),
        }
    }
}
