//! From several lanes, signals and one-sided steps to one lane for each rank and messages alone.
//!
//! What has no race means one thing, whatever the speed of its lanes. So the steps of a rank are put
//! in one order in which they can happen; every access to another rank's memory becomes a message
//! at its place in that order. Signals, semaphores, barriers and dependencies have then done their
//! work.

use super::{ExecutionPlan, Frame};
use crate::{Action, BufferMode, ChunkRange, Params, Schedule, Space, Step};
use ringwood_base::Result;
use std::collections::HashSet;

impl ExecutionPlan {
    /// The schedule of a plan that was proved in one buffer mode, for the order of its operations
    /// in that proof; and the parameters that it is for. Its chunks are the plan's cells.
    ///
    /// # Errors
    /// The plan's buffers do not fit its operation, which a proved plan's do.
    pub fn lower(&self, mode: BufferMode, order: &[(u32, u32)]) -> Result<(Schedule, Params)> {
        let frame = Frame::new(self, mode)?;
        let moved = order.iter().filter_map(|&(lane, op)| {
            let lane = &self.lanes[lane as usize];
            let step = lane.ops[op as usize].action.moved()?;
            Some((lane.rank, frame.step(lane.rank, *step)))
        });
        let steps = within_buffers(&moved.collect::<Vec<_>>(), frame.params.chunks() as u32);
        let lanes = messages(self.ranks.len(), steps.into_iter());
        Ok((Schedule { collective: self.name.clone(), lanes }, frame.params))
    }
}

impl Schedule {
    /// The messages that a schedule with one-sided steps amounts to, for an order in which its steps
    /// can happen.
    #[must_use]
    pub fn in_messages(&self, order: &[(u32, u32)]) -> Schedule {
        let step = |&(rank, i): &(u32, u32)| (rank, self.lanes[rank as usize][i as usize]);
        let lanes = messages(self.lanes.len(), order.iter().map(step));
        Schedule { collective: self.collective.clone(), lanes }
    }
}

/// The same steps, of which those that name scratch chunks of two buffers are cut into single chunks. The
/// ends of a message are cut alike, so all messages of its channel are.
fn within_buffers(steps: &[(u32, Step)], buffer: u32) -> Vec<(u32, Step)> {
    let across = |chunks: ChunkRange| {
        chunks.space == Space::Scratch && chunks.first % buffer + chunks.count > buffer
    };
    let cut = |step: &Step| across(step.chunks) || across(step.source);
    let channel = |rank: u32, step: &Step| match step.action {
        Action::Send => Some((rank, step.peer, step.channel)),
        _ if step.receives() => Some((step.peer, rank, step.channel)),
        _ => None,
    };
    let crossing = steps.iter().filter(|(_, step)| cut(step));
    let channels: HashSet<_> = crossing.filter_map(|(rank, step)| channel(*rank, step)).collect();
    let parts = |&(rank, step): &(u32, Step)| {
        let all = step.chunks.count;
        let cut = cut(&step) || channel(rank, &step).is_some_and(|c| channels.contains(&c));
        let count = if cut { 1 } else { all };
        (0..all).step_by(count.max(1) as usize).map(move |at| {
            let part = |of: ChunkRange| ChunkRange { first: of.first + at, count, ..of };
            (rank, Step { chunks: part(step.chunks), source: part(step.source), ..step })
        })
    };
    steps.iter().flat_map(parts).collect()
}

fn messages(ranks: usize, steps: impl Iterator<Item = (u32, Step)> + Clone) -> Vec<Vec<Step>> {
    let sent = |(_, step): (u32, Step)| (step.action == Action::Send).then_some(step.channel);
    // Messages of their own channel, lest they come between others.
    let apart = steps.clone().filter_map(sent).max().map_or(0, |most| most.saturating_add(1));
    let mut lanes = vec![Vec::new(); ranks];
    for (rank, step) in steps {
        let Step { peer, chunks, source, .. } = step;
        let send =
            |to| Step { action: Action::Send, peer: to, chunks: source, channel: apart, ..step };
        let receive =
            |action, from| Step { action, peer: from, source: chunks, channel: apart, ..step };
        let (send, receive) = match step.action {
            Action::Put => ((rank, send(peer)), (peer, receive(Action::Recv, rank))),
            Action::Get => ((peer, send(rank)), (rank, receive(Action::Recv, peer))),
            Action::GetReduce => ((peer, send(rank)), (rank, receive(Action::RecvReduce, peer))),
            _ if step.synchronises() => continue,
            _ => {
                lanes[rank as usize].push(step);
                continue;
            }
        };
        for (rank, step) in [send, receive] {
            lanes[rank as usize].push(step);
        }
    }
    lanes
}
