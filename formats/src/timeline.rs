//! When things happen, if every message takes one step and everything else none.

use ringwood_schedule::{Action, ChunkRange, Schedule, Step};
use std::collections::{HashMap, VecDeque};

/// The messages and local operations of a schedule over logical time.
///
/// A message takes one step. A rank sends one message in a step, and takes in one of those that it
/// fetches itself.
pub(crate) struct Timeline {
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) marks: Vec<Mark>,
    /// The step after the last one.
    pub(crate) steps: u32,
}

/// A message, or an access to another rank's memory.
pub(crate) struct Arrow {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) start: u32,
    pub(crate) chunks: ChunkRange,
    /// Whether the receiver merges it.
    pub(crate) merges: bool,
}

/// Copies and merges within a rank.
pub(crate) struct Mark {
    pub(crate) rank: u32,
    pub(crate) at: u32,
}

/// The time line of steps in an order in which they can happen.
pub(crate) fn timeline(schedule: &Schedule, order: &[(u32, u32)]) -> Timeline {
    let mut clock = Clock {
        ranks: vec![RankTime::default(); schedule.lanes.len()],
        messages: HashMap::new(),
        signals: HashMap::new(),
        met: Vec::new(),
        line: Timeline { arrows: Vec::new(), marks: Vec::new(), steps: 0 },
    };
    for &(rank, step) in order {
        clock.act(rank, &schedule.lanes[rank as usize][step as usize]);
    }
    let mut line = clock.line;
    line.steps = line.arrows.iter().map(|a| a.start + 1).max().unwrap_or(0);
    line
}

#[derive(Clone, Default)]
struct RankTime {
    /// When its last step was done.
    ready: u32,
    /// When it can send the next message, and fetch one.
    out: u32,
    fetch: u32,
    /// When all that it put elsewhere is there.
    posted: u32,
}

/// A sender, a receiver and a channel.
type Way = (u32, u32, u16);

struct Clock {
    ranks: Vec<RankTime>,
    /// The arrows on each way, by arrival.
    messages: HashMap<Way, VecDeque<usize>>,
    signals: HashMap<Way, VecDeque<u32>>,
    /// The ranks that have come to a barrier since all went on.
    met: Vec<u32>,
    line: Timeline,
}

impl Clock {
    fn of(&mut self, rank: u32) -> &mut RankTime {
        &mut self.ranks[rank as usize]
    }

    fn act(&mut self, rank: u32, step: &Step) {
        let (peer, channel, ready) = (step.peer, step.channel, self.of(rank).ready);
        let (there, back) = ((rank, peer, channel), (peer, rank, channel));
        self.of(rank).ready = match step.action {
            Action::Send => {
                let arrow = self.send(rank, peer, step.chunks);
                self.messages.entry(there).or_default().push_back(arrow);
                ready
            }
            Action::Put => {
                self.send(rank, peer, step.source);
                ready
            }
            Action::Recv | Action::RecvReduce => {
                let arrow = self.messages.get_mut(&back).and_then(VecDeque::pop_front);
                let Some(arrow) = arrow.map(|arrow| &mut self.line.arrows[arrow]) else { return };
                arrow.merges = step.merges();
                ready.max(arrow.start + 1)
            }
            Action::Get | Action::GetReduce => {
                let start = ready.max(self.of(rank).fetch);
                self.of(rank).fetch = start + 1;
                let (chunks, merges) = (step.chunks, step.merges());
                self.line.arrows.push(Arrow { from: peer, to: rank, start, chunks, merges });
                start + 1
            }
            Action::Signal => {
                let time = ready.max(self.of(rank).posted);
                self.signals.entry(there).or_default().push_back(time);
                ready
            }
            Action::Wait => {
                let time = self.signals.get_mut(&back).and_then(VecDeque::pop_front);
                time.unwrap_or(0).max(ready)
            }
            Action::Barrier => return self.meet(rank),
            _ => {
                self.line.marks.push(Mark { rank, at: ready });
                ready
            }
        };
    }

    /// Comes to a barrier; the last rank sets the time of all.
    fn meet(&mut self, rank: u32) {
        self.met.push(rank);
        if self.met.len() == self.ranks.len() {
            let met = std::mem::take(&mut self.met);
            let last = met.iter().map(|&rank| self.of(rank).ready).max().unwrap_or(0);
            met.iter().for_each(|&rank| self.of(rank).ready = last);
        }
    }

    /// Adds an arrow to another rank; its number.
    fn send(&mut self, rank: u32, to: u32, chunks: ChunkRange) -> usize {
        let time = self.of(rank);
        let start = time.ready.max(time.out);
        time.out = start + 1;
        time.posted = time.posted.max(start + 1);
        self.line.arrows.push(Arrow { from: rank, to, start, chunks, merges: false });
        self.line.arrows.len() - 1
    }
}
