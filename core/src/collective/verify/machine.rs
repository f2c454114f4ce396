//! The abstract machine: runs every lane until all have finished or none can go on.

mod report;

use super::Subject;
use super::domain::Domain;
use super::finding::{Finding, Place};
use crate::Error;
use crate::collective::transport::Capabilities;
use crate::collective::{Action, BufferMode, ChunkRange, Moves, Operation, Params, Space, Step};
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
    last_out: (u64, u32),
    last_in: (u64, u32),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Message(u32),
    Room(u32),
    Read(u32, u64),
    Barrier,
}

struct Channel<V> {
    signals: bool,
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
    by_ranks: HashMap<(u32, u64), u32>,
    output: Vec<Option<D::Value>>,
    scratch: HashMap<(u32, u32), D::Value>,
    /// The ranks at the barrier.
    arrived: usize,
    /// The barriers that all ranks have passed.
    barriers: u64,
    needs: Capabilities,
    moves: Moves,
    window: usize,
    work: Vec<usize>,
}

impl<'a, D: Domain> Machine<'a, D> {
    pub(super) fn new(subject: &Subject<'a>, mut domain: D) -> Self {
        let params = subject.params;
        let (n, chunks) = (params.ranks(), params.chunks());
        let starts_full = params.mode() == BufferMode::InPlace;
        let mut output = Vec::with_capacity(n * chunks);
        for rank in 0..n {
            let defined = if starts_full { params.defined(rank) } else { 0..0 };
            output.extend((0..chunks).map(|c| defined.contains(&c).then(|| domain.leaf(rank, c))));
        }
        let none = (u64::MAX, 0);
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
            arrived: 0,
            barriers: 0,
            needs: Capabilities::NONE,
            moves: Moves::SameChunk,
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
            self.lanes[rank].position += 1;
            if step.action == Action::Barrier && !self.pass_barrier(rank) {
                return Ok(());
            }
            self.execute(at, &step, capacity)?;
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

    /// Whether the last rank of the group has come; if so the others go on.
    fn pass_barrier(&mut self, rank: usize) -> bool {
        self.arrived += 1;
        if self.arrived < self.params.ranks() {
            self.lanes[rank].wait = Some(Wait::Barrier);
            return false;
        }
        self.arrived = 0;
        self.barriers += 1;
        (0..self.lanes.len()).for_each(|r| self.wake(r, Wait::Barrier));
        true
    }

    fn check(&self, at: At, step: &Step) -> Result<(), Stop> {
        let n = self.params.ranks();
        let why = if step.has_peer() && step.peer as usize >= n {
            Some(format!("rank {} is not in a group of {n}", step.peer))
        } else if step.has_peer() && step.peer as usize == at.rank {
            Some(format!("rank {} exchanges a message with itself", at.rank))
        } else if step.synchronises() {
            None
        } else {
            let peer = step.peer as usize;
            let target = if step.action == Action::Put { peer } else { at.rank };
            let get = matches!(step.action, Action::Get | Action::GetReduce);
            let source = if get { peer } else { at.rank };
            let writes = step.action != Action::Send;
            let outside = self.outside(target, step.chunks);
            let outside = outside.or_else(|| self.outside(source, step.source));
            outside.or_else(|| {
                let read_only = writes && step.chunks.space == Space::Input;
                read_only.then(|| "the input is read only".to_owned())
            })
        };
        if let Some(why) = why {
            return Err(Finding::OutOfRange { place: Place::new(at, *step), why }.into());
        }
        if step.source.count != step.chunks.count {
            let place = Place::new(at, *step);
            return Err(Finding::Chunks { place, source: step.source }.into());
        }
        Ok(())
    }

    /// Why `rank` does not have `chunks`.
    fn outside(&self, rank: usize, chunks: ChunkRange) -> Option<String> {
        let (range, all) = (chunks.range(), self.params.chunks());
        let held = self.params.held(rank, chunks.space);
        if chunks.space == Space::Scratch {
            let crosses = range.start / all != (range.end.max(1) - 1) / all;
            return (chunks.count == 0 || crosses)
                .then(|| format!("{chunks} is not within one buffer of {all} chunks"));
        }
        if chunks.count == 0 || range.end > all {
            return Some(format!("{chunks} is not among the {all} chunks of the schedule"));
        }
        let inside = held.start <= range.start && range.end <= held.end;
        let operation = self.params.operation();
        (!inside).then(|| format!("rank {rank} has no {chunks} in {operation} out of place"))
    }

    fn must_wait(&mut self, at: At, step: &Step, capacity: Capacity<'_>) -> Option<Wait> {
        if step.receives() || step.action == Action::Wait {
            let channel = self.channel(step.peer as usize, at.rank, step);
            if self.channels[channel as usize].messages.is_empty() {
                return Some(Wait::Message(channel));
            }
        }
        match capacity {
            Capacity::Depth(depth) if step.action == Action::Send => {
                let channel = self.channel(at.rank, step.peer as usize, step);
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
        let (own, peer) = (at.rank, step.peer as usize);
        match step.action {
            Action::Barrier => Ok(()),
            Action::Send | Action::Signal => self.send(at, step, capacity),
            Action::Recv | Action::RecvReduce | Action::Wait => self.receive(at, step),
            Action::Copy | Action::Reduce => self.transfer(at, step, own, own),
            Action::Get | Action::GetReduce => {
                self.needs.peer_load = true;
                self.transfer(at, step, peer, own)
            }
            Action::Put => {
                self.needs.put = true;
                self.transfer(at, step, own, peer)
            }
        }
    }

    /// Moves chunks of rank `from` to chunks of rank `to`.
    fn transfer(&mut self, at: At, step: &Step, from: usize, to: usize) -> Result<(), Stop> {
        self.moved((from, step.source), (to, step.chunks));
        for (source, chunk) in step.source.range().zip(step.chunks.range()) {
            let value = self.read(at, step, (from, step.source.space), source)?;
            self.write(at, step, (to, chunk), value)?;
        }
        Ok(())
    }

    /// Notes which chunks a move connects.
    fn moved(&mut self, from: (usize, ChunkRange), to: (usize, ChunkRange)) {
        let (chunks, segments) = (self.params.chunks(), self.params.segments());
        let (source, target) = (from.1.first as usize, to.1.first as usize);
        let across = self.params.operation() == Operation::AllToAll
            && (from.1.space, to.1.space) != (Space::Scratch, Space::Scratch);
        let home = |rank: usize, c: ChunkRange| {
            let (first, own) = (c.first as usize, rank * segments);
            match c.space {
                Space::Input => Some((rank, first)),
                Space::Output if c.count as usize <= segments => {
                    Some((first / segments, own + first % segments))
                }
                _ => None,
            }
        };
        let same = if across {
            home(from.0, from.1).is_some_and(|h| Some(h) == home(to.0, to.1))
        } else {
            source % chunks == target % chunks
        };
        self.moves = self.moves.max(match (same, source % segments == target % segments) {
            (true, _) => Moves::SameChunk,
            (false, true) => Moves::SameSegment,
            (false, false) => Moves::Any,
        });
    }

    fn send(&mut self, at: At, step: &Step, capacity: Capacity<'_>) -> Result<(), Stop> {
        let id = self.channel(at.rank, step.peer as usize, step);
        for chunk in step.chunks.range() {
            let value = self.read(at, step, (at.rank, step.chunks.space), chunk)?;
            self.channels[id as usize].values.push_back(value);
        }
        let channel = &mut self.channels[id as usize];
        if let Capacity::InPlace(staged) = capacity
            && step.action == Action::Send
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
        let id = self.channel(step.peer as usize, at.rank, step);
        let message = self.channels[id as usize].messages.pop_front();
        let (_, sent) = message.expect("a receive runs when its channel holds a message");
        if sent.count != step.chunks.count {
            return Err(Finding::Chunks { place: Place::new(at, *step), source: sent }.into());
        }
        if step.receives() {
            self.moved((step.peer as usize, sent), (at.rank, step.chunks));
        }
        for chunk in step.chunks.range() {
            let value = self.channels[id as usize].values.pop_front();
            let value = value.expect("a message holds a value for each chunk");
            self.write(at, step, (at.rank, chunk), value)?;
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

    fn read(
        &mut self,
        at: At,
        step: &Step,
        (rank, space): (usize, Space),
        chunk: usize,
    ) -> Result<D::Value, Stop> {
        let own = rank * self.params.chunks() + chunk;
        let value = match space {
            Space::Input if self.params.mode() == BufferMode::OutOfPlace => {
                let defined = self.params.defined(rank).contains(&chunk);
                defined.then(|| self.domain.leaf(rank, chunk))
            }
            Space::Input | Space::Output => self.output[own].clone(),
            Space::Scratch => self.scratch.get(&(rank as u32, chunk as u32)).cloned(),
        };
        let place = || Place::new(at, *step);
        value.ok_or_else(|| Finding::Uninitialised { place: place(), chunk }.into())
    }

    fn write(
        &mut self,
        at: At,
        step: &Step,
        (rank, chunk): (usize, usize),
        value: D::Value,
    ) -> Result<(), Stop> {
        let value = if step.merges() {
            let own = self.read(at, step, (rank, step.chunks.space), chunk)?;
            self.domain.merge(&own, &value)
        } else {
            value
        };
        self.domain.wrote(at, step, chunk, &value);
        if step.chunks.space == Space::Scratch {
            self.scratch.insert((rank as u32, chunk as u32), value);
        } else {
            self.output[rank * self.params.chunks() + chunk] = Some(value);
        }
        Ok(())
    }

    /// The channel of a step between two ranks; most lanes keep talking on the same ones.
    fn channel(&mut self, from: usize, to: usize, step: &Step) -> u32 {
        let signals = step.synchronises();
        let key =
            |peer: usize| u64::from(signals) << 48 | u64::from(step.channel) << 32 | peer as u64;
        if self.lanes[from].last_out.0 == key(to) {
            return self.lanes[from].last_out.1;
        }
        if self.lanes[to].last_in.0 == key(from) {
            return self.lanes[to].last_in.1;
        }
        let next = self.channels.len() as u32;
        let id = *self.by_ranks.entry((from as u32, key(to))).or_insert(next);
        if id == next {
            self.channels.push(Channel {
                signals,
                from: from as u32,
                to: to as u32,
                sent: 0,
                messages: VecDeque::new(),
                values: VecDeque::new(),
                most: 0,
            });
        }
        self.lanes[from].last_out = (key(to), id);
        self.lanes[to].last_in = (key(from), id);
        id
    }
}
