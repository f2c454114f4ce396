//! When things happen, if every message takes one step and everything else none.

use crate::plan::{Action, End, ExecutionPlan};
use ringwood_schedule::Space;
use std::collections::{HashMap, VecDeque};

/// The messages and local operations of a plan over logical time.
///
/// A message takes one step. A lane sends one message in a step, and takes in one of those that it
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
    pub(crate) cells: Cells,
    /// Whether the receiver merges it.
    pub(crate) merges: bool,
}

/// Copies and merges within a rank.
pub(crate) struct Mark {
    pub(crate) rank: u32,
    pub(crate) at: u32,
}

/// Cells of a rank's buffer.
#[derive(Clone, Copy)]
pub(crate) struct Cells {
    pub(crate) rank: u32,
    pub(crate) space: Space,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// The time line of operations in an order in which they can happen.
pub(crate) fn timeline(plan: &ExecutionPlan, order: &[(u32, u32)]) -> Timeline {
    let mut clock = Clock {
        plan,
        lanes: vec![LaneTime::default(); plan.lanes.len()],
        queues: plan.queues.iter().map(|_| VecDeque::new()).collect(),
        signals: plan.signals.iter().map(|_| VecDeque::new()).collect(),
        semaphores: vec![0; plan.semaphores.len()],
        barriers: vec![Vec::new(); plan.barriers.len()],
        packets: HashMap::new(),
        done: HashMap::new(),
        line: Timeline { arrows: Vec::new(), marks: Vec::new(), steps: 0 },
    };
    for &(lane, op) in order {
        clock.act(lane as usize, &plan.lanes[lane as usize].ops[op as usize].action);
        clock.done.insert((lane, op), clock.lanes[lane as usize].ready);
    }
    let mut line = clock.line;
    line.steps = line.arrows.iter().map(|a| a.start + 1).max().unwrap_or(0);
    line
}

#[derive(Clone, Default)]
struct LaneTime {
    /// When its last operation was done.
    ready: u32,
    /// When it can send the next message, and fetch one.
    out: u32,
    fetch: u32,
    /// When all that it put elsewhere is there.
    posted: u32,
}

struct Clock<'a> {
    plan: &'a ExecutionPlan,
    lanes: Vec<LaneTime>,
    /// The arrows in each queue, by arrival.
    queues: Vec<VecDeque<usize>>,
    signals: Vec<VecDeque<u32>>,
    semaphores: Vec<u32>,
    /// The lanes that have come to each barrier since all went on.
    barriers: Vec<Vec<usize>>,
    packets: HashMap<(u32, u32), u32>,
    done: HashMap<(u32, u32), u32>,
    line: Timeline,
}

impl Clock<'_> {
    fn act(&mut self, lane: usize, action: &Action) {
        let ready = self.lanes[lane].ready;
        let time = match *action {
            Action::Move { cells, ref sources, ref targets, .. } => {
                return self.carry(lane, cells, sources, targets);
            }
            Action::Signal { signal, .. } => {
                let time = ready.max(self.lanes[lane].posted);
                self.signals[signal as usize].push_back(time);
                ready
            }
            Action::Wait { signal, .. } => {
                self.signals[signal as usize].pop_front().unwrap_or(0).max(ready)
            }
            Action::Flush { .. } => ready.max(self.lanes[lane].posted),
            Action::Barrier { barrier } => return self.meet(lane, barrier as usize),
            Action::Acquire { semaphore } => ready.max(self.semaphores[semaphore as usize]),
            Action::Release { semaphore } => {
                let last = &mut self.semaphores[semaphore as usize];
                *last = (*last).max(ready);
                ready
            }
            Action::After { lane: other, op, .. } => {
                op.and_then(|op| self.done.get(&(other, op)).copied()).unwrap_or(0).max(ready)
            }
            Action::Nop => ready,
        };
        self.lanes[lane].ready = time;
    }

    /// Comes to a barrier; the last lane sets the time of all.
    fn meet(&mut self, lane: usize, barrier: usize) {
        self.barriers[barrier].push(lane);
        if self.barriers[barrier].len() == self.plan.barriers[barrier] as usize {
            let met = std::mem::take(&mut self.barriers[barrier]);
            let last = met.iter().map(|&l| self.lanes[l].ready).max().unwrap_or(0);
            met.iter().for_each(|&l| self.lanes[l].ready = last);
        }
    }

    fn carry(&mut self, lane: usize, count: u32, sources: &[End], targets: &[End]) {
        let home = self.plan.lanes[lane].rank;
        let merges = sources.len() > 1;
        let mut time = self.lanes[lane].ready;
        let mut travels = false;
        for source in sources {
            match *source {
                End::Message { queue } => {
                    let Some(arrow) = self.queues[queue as usize].pop_front() else { continue };
                    self.line.arrows[arrow].merges = merges;
                    time = time.max(self.line.arrows[arrow].start + 1);
                    travels = true;
                }
                End::Packets { rank, first } => {
                    let filled = (first..first + count).map(|p| self.packets.get(&(rank, p)));
                    time = time.max(filled.flatten().copied().max().unwrap_or(0));
                }
                End::Cells { rank, space, first } if rank != home => {
                    let start = self.lanes[lane].ready.max(self.lanes[lane].fetch);
                    self.lanes[lane].fetch = start + 1;
                    let cells = Cells { rank, space, first, count };
                    self.line.arrows.push(Arrow { from: rank, to: home, start, cells, merges });
                    time = time.max(start + 1);
                    travels = true;
                }
                End::Cells { .. } => {}
            }
        }
        let carried = sources.iter().chain(targets).find_map(|end| own(end, home, count));
        let cells = carried.unwrap_or(Cells { rank: home, space: Space::Scratch, first: 0, count });
        for target in targets {
            travels |= self.send(lane, time, target, cells);
        }
        if !travels {
            self.line.marks.push(Mark { rank: home, at: time });
        }
        self.lanes[lane].ready = time;
    }

    /// Sends to a target, if it is elsewhere.
    fn send(&mut self, lane: usize, time: u32, target: &End, cells: Cells) -> bool {
        let home = self.plan.lanes[lane].rank;
        let to = match *target {
            End::Message { queue } => self.plan.queues[queue as usize].1,
            End::Cells { rank, .. } | End::Packets { rank, .. } => rank,
        };
        let mut arrival = time;
        if to != home {
            let start = time.max(self.lanes[lane].out);
            arrival = start + 1;
            self.lanes[lane].out = arrival;
            self.lanes[lane].posted = self.lanes[lane].posted.max(arrival);
            self.line.arrows.push(Arrow { from: home, to, start, cells, merges: false });
        }
        match *target {
            End::Message { queue } => {
                self.queues[queue as usize].push_back(self.line.arrows.len() - 1);
            }
            End::Packets { rank, first } => {
                let filled = (first..first + cells.count).map(|p| ((rank, p), arrival));
                self.packets.extend(filled);
            }
            End::Cells { .. } => {}
        }
        to != home
    }
}

/// The cells of an end in memory of `home`.
fn own(end: &End, home: u32, count: u32) -> Option<Cells> {
    match *end {
        End::Cells { rank, space, first } if rank == home => {
            Some(Cells { rank, space, first, count })
        }
        End::Packets { rank, first } if rank == home => {
            Some(Cells { rank, space: Space::Scratch, first, count })
        }
        _ => None,
    }
}
