//! The abstract machine: runs every lane until all have finished or none can go on.

mod report;

use super::Subject;
use super::domain::{Domain, contributors};
use super::finding::{Finding, Place};
use crate::Error;
use crate::collective::{Action, BufferMode, ChunkRange, Params, Space, Step};
use std::collections::{HashMap, VecDeque};

/// How many steps of all lanes are held at once; longer schedules are generated in windows.
const HELD_STEPS: usize = 1 << 20;

/// When a step has to wait, beside a receive for its message.
#[derive(Clone, Copy)]
pub(super) enum Capacity<'a> {
    /// A send, while its channel holds this many messages.
    Depth(usize),
    /// Never.
    Unbounded,
    /// A write, while a peer has not read what this rank sent from there; but for the sends of each
    /// rank that leave a copy. This is how peer memory works.
    InPlace(&'a [Vec<u32>]),
}

/// Why a run ends early.
pub(super) enum Stop {
    Finding(Box<Finding>),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// A step by rank and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) rank: usize,
    pub(super) step: usize,
}

/// A lane, of which a window is held.
#[derive(Default)]
struct Cursor {
    steps: Vec<Step>,
    first: usize,
    total: usize,
    position: usize,
    wait: Option<Wait>,
    /// Sends that a peer has not read, with their channel and ordinal there.
    unread: VecDeque<(At, ChunkRange, u32, u64)>,
    last_out: (u32, u32),
    last_in: (u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Message(u32),
    Room(u32),
    Read(u32, u64),
}

struct Channel<V> {
    from: u32,
    to: u32,
    sent: u64,
    messages: VecDeque<(At, ChunkRange)>,
    values: VecDeque<V>,
    most: usize,
}

impl<V> Channel<V> {
    fn read(&self) -> u64 {
        self.sent - self.messages.len() as u64
    }
}

pub(super) struct Machine<'a, D: Domain> {
    params: &'a Params,
    source: &'a super::Source<'a>,
    domain: D,
    lanes: Vec<Cursor>,
    channels: Vec<Channel<D::Value>>,
    by_ranks: HashMap<(u32, u32), u32>,
    output: Vec<Option<D::Value>>,
    scratch: HashMap<(u32, u32), D::Value>,
    has_input: std::ops::Range<usize>,
    window: usize,
    work: Vec<usize>,
}

impl<'a, D: Domain> Machine<'a, D> {
    pub(super) fn new(subject: &Subject<'a>, mut domain: D) -> Self {
        let params = subject.params;
        let (n, chunks) = (params.ranks(), params.chunks());
        let has_input = contributors(subject.operation, params);
        let starts_full = params.mode() == BufferMode::InPlace;
        let mut output = Vec::with_capacity(n * chunks);
        for rank in 0..n {
            let full = starts_full && has_input.contains(&rank);
            output.extend((0..chunks).map(|c| full.then(|| domain.leaf(rank, c))));
        }
        let none = (u32::MAX, 0);
        let lane = || Cursor { last_out: none, last_in: none, ..Cursor::default() };
        Self {
            params,
            source: subject.source,
            domain,
            lanes: (0..n).map(|_| lane()).collect(),
            channels: Vec::new(),
            by_ranks: HashMap::new(),
            output,
            scratch: HashMap::new(),
            has_input,
            window: (HELD_STEPS / n).max(16),
            work: (0..n).rev().collect(),
        }
    }

    /// Runs every lane to its end.
    pub(super) fn run(&mut self, capacity: Capacity<'_>) -> Result<(), Stop> {
        while let Some(rank) = self.work.pop() {
            self.advance(rank, capacity)?;
        }
        self.check_finished()
    }

    fn advance(&mut self, rank: usize, capacity: Capacity<'_>) -> Result<(), Stop> {
        while let Some(step) = self.fetch(rank)? {
            let at = At { rank, step: self.lanes[rank].position };
            self.check(at, &step)?;
            if let Some(wait) = self.must_wait(at, &step, capacity) {
                self.lanes[rank].wait = Some(wait);
                return Ok(());
            }
            self.execute(at, &step, capacity)?;
            self.lanes[rank].position += 1;
        }
        Ok(())
    }

    /// The next step of a lane; `None` at its end.
    fn fetch(&mut self, rank: usize) -> Result<Option<Step>, Stop> {
        let lane = &mut self.lanes[rank];
        let held = lane.position - lane.first;
        if let Some(step) = lane.steps.get(held) {
            return Ok(Some(*step));
        }
        if lane.position > 0 && lane.position >= lane.total {
            return Ok(None);
        }
        let window = lane.position..lane.position + self.window;
        let reuse = std::mem::take(&mut lane.steps);
        let generated = (self.source)(self.params.rank(rank), window, reuse)?;
        (lane.steps, lane.total, lane.first) = (generated.steps, generated.total, lane.position);
        Ok(lane.steps.first().copied())
    }

    fn check(&self, at: At, step: &Step) -> Result<(), Stop> {
        let (n, chunks) = (self.params.ranks(), self.params.chunks());
        let out = |c: ChunkRange| c.count == 0 || c.range().end > chunks;
        let exchanges = !matches!(step.action, Action::Copy | Action::Reduce);
        let why = if out(step.chunks) || out(step.source) {
            let bad = if out(step.chunks) { step.chunks } else { step.source };
            format!("{bad} is not among the {chunks} chunks of the schedule")
        } else if exchanges && step.peer as usize >= n {
            format!("rank {} is not in a group of {n}", step.peer)
        } else if exchanges && step.peer as usize == at.rank {
            format!("rank {} exchanges a message with itself", at.rank)
        } else if step.writes() && step.chunks.space == Space::Input {
            "the input is read only".to_owned()
        } else if step.source.range() != step.chunks.range() {
            return Err(
                Finding::Chunks { place: Place::new(at, *step), source: step.source }.into()
            );
        } else {
            return Ok(());
        };
        Err(Finding::OutOfRange { place: Place::new(at, *step), why }.into())
    }

    fn must_wait(&mut self, at: At, step: &Step, capacity: Capacity<'_>) -> Option<Wait> {
        if step.receives() {
            let channel = self.channel(step.peer as usize, at.rank);
            if self.channels[channel as usize].messages.is_empty() {
                return Some(Wait::Message(channel));
            }
        }
        match capacity {
            Capacity::Depth(depth) if step.action == Action::Send => {
                let channel = self.channel(at.rank, step.peer as usize);
                let full = self.channels[channel as usize].messages.len() >= depth;
                full.then_some(Wait::Room(channel))
            }
            Capacity::InPlace(_) if step.writes() => self.unread_overlap(at.rank, step.chunks),
            _ => None,
        }
    }

    /// The oldest send from `chunks` that its receiver has not read.
    fn unread_overlap(&mut self, rank: usize, chunks: ChunkRange) -> Option<Wait> {
        let channels = &self.channels;
        let unread = &mut self.lanes[rank].unread;
        while unread.front().is_some_and(|u| channels[u.2 as usize].read() > u.3) {
            unread.pop_front();
        }
        let waits = |u: &&(At, ChunkRange, u32, u64)| {
            u.1.overlaps(chunks) && channels[u.2 as usize].read() <= u.3
        };
        unread.iter().find(waits).map(|u| Wait::Read(u.2, u.3))
    }

    fn execute(&mut self, at: At, step: &Step, capacity: Capacity<'_>) -> Result<(), Stop> {
        match step.action {
            Action::Send => self.send(at, step, capacity),
            Action::Recv | Action::RecvReduce => self.receive(at, step),
            Action::Copy | Action::Reduce => {
                for chunk in step.chunks.range() {
                    let value = self.read(at, step, step.source.space, chunk)?;
                    self.write(at, step, chunk, value)?;
                }
                Ok(())
            }
        }
    }

    fn send(&mut self, at: At, step: &Step, capacity: Capacity<'_>) -> Result<(), Stop> {
        let id = self.channel(at.rank, step.peer as usize);
        for chunk in step.chunks.range() {
            let value = self.read(at, step, step.chunks.space, chunk)?;
            self.channels[id as usize].values.push_back(value);
        }
        let channel = &mut self.channels[id as usize];
        if let Capacity::InPlace(staged) = capacity
            && staged[at.rank].binary_search(&(at.step as u32)).is_err()
        {
            self.lanes[at.rank].unread.push_back((at, step.chunks, id, channel.sent));
        }
        channel.messages.push_back((at, step.chunks));
        channel.sent += 1;
        channel.most = channel.most.max(channel.messages.len());
        self.wake(step.peer as usize, Wait::Message(id));
        Ok(())
    }

    fn receive(&mut self, at: At, step: &Step) -> Result<(), Stop> {
        let id = self.channel(step.peer as usize, at.rank);
        let message = self.channels[id as usize].messages.pop_front();
        let (_, sent) = message.expect("a receive runs when its channel holds a message");
        if sent.range() != step.chunks.range() {
            return Err(Finding::Chunks { place: Place::new(at, *step), source: sent }.into());
        }
        for chunk in step.chunks.range() {
            let value = self.channels[id as usize].values.pop_front();
            self.write(at, step, chunk, value.expect("a message holds a value for each chunk"))?;
        }
        let read = self.channels[id as usize].read();
        let sender = step.peer as usize;
        match self.lanes[sender].wait {
            Some(Wait::Read(channel, ordinal)) if channel == id && read > ordinal => {
                self.wake(sender, Wait::Read(channel, ordinal));
            }
            _ => self.wake(sender, Wait::Room(id)),
        }
        Ok(())
    }

    fn wake(&mut self, rank: usize, wait: Wait) {
        if self.lanes[rank].wait == Some(wait) {
            self.lanes[rank].wait = None;
            self.work.push(rank);
        }
    }

    fn read(&mut self, at: At, step: &Step, space: Space, chunk: usize) -> Result<D::Value, Stop> {
        let value = match space {
            Space::Output => self.output[at.rank * self.params.chunks() + chunk].clone(),
            Space::Scratch => self.scratch.get(&(at.rank as u32, chunk as u32)).cloned(),
            Space::Input => {
                self.has_input.contains(&at.rank).then(|| self.domain.leaf(at.rank, chunk))
            }
        };
        let place = || Place::new(at, *step);
        value.ok_or_else(|| Finding::Uninitialised { place: place(), chunk }.into())
    }

    fn write(&mut self, at: At, step: &Step, chunk: usize, value: D::Value) -> Result<(), Stop> {
        let value = if step.merges() {
            let own = self.read(at, step, step.chunks.space, chunk)?;
            self.domain.merge(&own, &value)
        } else {
            value
        };
        self.domain.wrote(at, step, chunk, &value);
        if step.chunks.space == Space::Scratch {
            self.scratch.insert((at.rank as u32, chunk as u32), value);
        } else {
            self.output[at.rank * self.params.chunks() + chunk] = Some(value);
        }
        Ok(())
    }

    /// The channel between two ranks; most lanes keep talking to the same ones.
    fn channel(&mut self, from: usize, to: usize) -> u32 {
        let (sender, receiver) = (from as u32, to as u32);
        if self.lanes[from].last_out.0 == receiver {
            return self.lanes[from].last_out.1;
        }
        if self.lanes[to].last_in.0 == sender {
            return self.lanes[to].last_in.1;
        }
        let next = self.channels.len() as u32;
        let id = *self.by_ranks.entry((sender, receiver)).or_insert(next);
        if id == next {
            self.channels.push(Channel {
                from: sender,
                to: receiver,
                sent: 0,
                messages: VecDeque::new(),
                values: VecDeque::new(),
                most: 0,
            });
        }
        self.lanes[from].last_out = (receiver, id);
        self.lanes[to].last_in = (sender, id);
        id
    }
}
