//! What each step does to the clock of its rank.

use super::super::lanes::Op;
use super::super::queues::Key;
use super::{Asked, Machine, Message, Progress, time_key};
use crate::Action;
use crate::cost::Costs;
use std::cmp::Reverse;

/// The key of what nobody waits for.
pub(super) const NOBODY: Key = u64::MAX;
/// What a rank waits for at a barrier.
const BARRIER: Key = u64::MAX - 1;

/// What a message is for: each has queues of its own.
#[derive(Clone, Copy)]
enum Kind {
    Data,
    Signal,
    Answer,
}

/// Ranks have 20 bits.
fn key(kind: Kind, from: u32, to: u32, channel: u16) -> Key {
    (kind as u64) << 60 | u64::from(from) << 40 | u64::from(to) << 20 | u64::from(channel)
}

impl Machine<'_> {
    pub(super) fn step(&mut self, rank: usize, op: &Op, limited: bool) -> Progress {
        let Costs { model, receive, reduce, copy, .. } = self.costs;
        let overhead = model.overhead;
        let bytes = op.bytes as f64;
        match op.action {
            Action::Signal => self.send(rank, op, Kind::Signal),
            Action::Wait => return self.receive(rank, op, Kind::Signal, overhead, limited),
            Action::Barrier => return self.barrier(rank),
            // Chunks that are empty are skipped on both sides.
            _ if op.bytes == 0 => {}
            Action::Send => {
                if op.staged {
                    self.lanes[rank].clock += bytes * copy;
                }
                self.send(rank, op, Kind::Data);
            }
            Action::Recv | Action::RecvReduce => {
                let rate = if op.action == Action::Recv { receive } else { reduce };
                return self.receive(rank, op, Kind::Data, overhead + bytes * rate, limited);
            }
            Action::Put => {
                let rate = if self.costs.remote { receive } else { copy };
                self.put(rank, op, overhead + bytes * rate);
            }
            Action::Get => return self.get(rank, op, overhead + bytes * receive, limited),
            Action::GetReduce => return self.get(rank, op, overhead + bytes * reduce, limited),
            Action::Copy => self.lanes[rank].clock += bytes * copy,
            Action::Reduce => self.lanes[rank].clock += bytes * reduce,
        }
        Progress::Done
    }

    fn send(&mut self, rank: usize, op: &Op, kind: Kind) {
        let lane = &mut self.lanes[rank];
        let start =
            lane.sent.map_or(lane.clock, |sent| lane.clock.max(sent + self.costs.model.gap));
        lane.sent = Some(start);
        lane.clock = start + self.costs.model.overhead;
        let (time, bytes) = (lane.clock, op.bytes);
        // Folded, a message is named by its distance around the ring.
        let folded = self.folded.is_some();
        let (from, to) = if folded { (op.peer, 0) } else { (rank as u32, op.peer) };
        let key = key(kind, from, to, op.channel);
        self.carry(Message { key, from: rank as u32, to, bytes, time });
    }

    fn carry(&mut self, message: Message) {
        self.messages += u64::from(message.bytes > 0);
        self.moved += message.bytes;
        if let Some(arrival) = self.wire.send(message) {
            self.deliver(message, arrival);
        }
    }

    fn receive(&mut self, rank: usize, op: &Op, kind: Kind, work: f64, limited: bool) -> Progress {
        let from = self.folded.map_or(op.peer, |n| ((n - op.peer as usize) % n) as u32);
        self.take(rank, key(kind, from, rank as u32, op.channel), work, limited)
    }

    /// Takes a message if it has arrived, and works on it.
    fn take(&mut self, rank: usize, key: Key, work: f64, limited: bool) -> Progress {
        let lane = &mut self.lanes[rank];
        let Some(arrival) = lane.arrived.take().or_else(|| self.queues.pop(key)) else {
            return Progress::Blocked(key);
        };
        if limited && arrival > lane.clock {
            lane.arrived = Some(arrival);
            return Progress::Later(arrival);
        }
        lane.clock = lane.clock.max(arrival) + work;
        Progress::Done
    }

    /// A write to a peer. Nobody waits for it: the signal after it, which takes the same way, says
    /// that it is there. Where memory is shared, the writer does the work.
    fn put(&mut self, rank: usize, op: &Op, work: f64) {
        let lane = &mut self.lanes[rank];
        lane.clock += work;
        let (time, bytes) = (lane.clock, op.bytes);
        let to = if self.folded.is_some() { 0 } else { op.peer };
        self.carry(Message { key: NOBODY, from: rank as u32, to, bytes, time });
    }

    /// A read of a peer. Over a network it is a request and its answer, which takes no work of the
    /// peer; where memory is shared, it is only work.
    fn get(&mut self, rank: usize, op: &Op, work: f64, limited: bool) -> Progress {
        if !self.costs.remote {
            self.lanes[rank].clock += work;
            self.messages += 1;
            self.moved += op.bytes;
            return Progress::Done;
        }
        let to = rank as u32;
        let key = key(Kind::Answer, to, to, 0);
        let lane = &mut self.lanes[rank];
        match lane.asked {
            // The port of the peer serves whoever asks first, so earlier ranks go on before.
            Asked::No => {
                lane.asked = Asked::Soon;
                return Progress::Later(lane.clock);
            }
            Asked::Soon => {
                lane.asked = Asked::Yes;
                let time = lane.clock + self.costs.model.overhead + self.costs.model.latency;
                let from = if self.folded.is_some() { 0 } else { op.peer };
                self.carry(Message { key, from, to, bytes: op.bytes, time });
            }
            Asked::Yes => {}
        }
        let progress = self.take(rank, key, work, limited);
        if matches!(progress, Progress::Done) {
            self.lanes[rank].asked = Asked::No;
        }
        progress
    }

    /// Waits until all ranks have come, and then for what it takes them to tell each other.
    fn barrier(&mut self, rank: usize) -> Progress {
        if std::mem::take(&mut self.lanes[rank].asked) == Asked::Yes {
            return Progress::Done;
        }
        self.lanes[rank].asked = Asked::Yes;
        self.met.push(rank as u32);
        if self.met.len() < self.lanes.len() {
            return Progress::Blocked(BARRIER);
        }
        let ranks = self.folded.unwrap_or(self.lanes.len());
        let last = self.lanes.iter().map(|lane| lane.clock).fold(0.0, f64::max);
        let end = last + self.wire.barrier(ranks);
        for other in self.met.drain(..).filter(|&other| other as usize != rank) {
            self.lanes[other as usize].waits = None;
            self.ready.push(Reverse((time_key(end), other)));
        }
        Progress::Later(end)
    }
}
