//! Lanes that exchange inputs and results in rounds: each is followed by itself.
//!
//! Where ranks merge in the order of their numbers, their lanes are not the same moved on, but what they
//! say to each other may be: the `k`-th message of rank `p` to rank `p + d` carries what that of rank 0 to
//! rank `d` does, with ranks and chunks moved on by `p`. Then every lane can be followed alone, with what
//! rank 0 sends as what all others send. That takes a time of the length of the lanes, and memory of one.
//!
//! A lane has rounds: some sends, then other steps; the next send begins the next round. These must hold
//! of every lane:
//!
//! 1. It sends and receives what rank 0 does, moved on: as many messages on each channel, each with the
//!    same chunks, in the same rounds.
//! 2. What it sends is an own contribution or a merge of all ranks, as rank 0 sends it: followed with
//!    the messages of rank 0, moved on, as what it receives.
//! 3. A message is received in the round in which it is sent, or later.
//! 4. A chunk that was sent is written in a later round than that in which it is received.
//! 5. What it holds at its end is what the operation promises.
//!
//! By 3 and 4 no step waits for one of another lane in the same half of a round or a later one: sends of
//! round `b` come at time `2b`, all else of it at `2b + 1`, and a receive waits for a send of time at most
//! `2b`, a write for receives of time below `2b`. So the first step that is not done, in the order of
//! these times and then of its lane, waits for nothing: all lanes finish. By induction over the same
//! order, each message carries what 2 says, if all before it do; so 5 holds of what runs. A channel never
//! holds more messages than are sent on it up to a round, less those received in rounds before it.
//!
//! This way only proves. What it does not see to be right is left to the machine that follows every rank.

use super::lanes::{Lanes, Source};
use super::machine::Stop;
use super::symmetry::{Digests, steps};
use super::{Facts, Finding, Order, Races, Verdict};
use crate::schedule::compact::Packed;
use crate::{Action, BufferMode, ChunkRange, Moves, Operation, Params, Space};
use std::collections::BTreeMap;

/// The steps of all lanes together, at most: some seconds.
const STEPS: usize = 1 << 28;
/// The channels between two ranks, at most.
const CHANNELS: usize = 16;

/// The contributions of `count` ranks from `first` on to a chunk, folded in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    chunk: u32,
    first: u32,
    count: u32,
    /// Whether no operands were swapped.
    in_order: bool,
}

/// A message, as rank 0 and, moved on, all others send and receive it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Message {
    /// The round in which it is sent.
    sent: u32,
    chunks: ChunkRange,
}

/// What a message carries: merges of all ranks, or else contributions of the sender; and whether no
/// operands were swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Carried {
    merged: bool,
    in_order: bool,
}

/// The messages of rank 0 to each distance, on each channel.
#[derive(Default)]
struct Table {
    channels: usize,
    sent: Vec<Vec<Message>>,
    carried: Vec<Vec<Carried>>,
    /// The rounds in which those of each distance are received.
    received: Vec<Vec<u32>>,
}

/// Proves a schedule whose lanes exchange inputs and results in rounds; `None` if it is not one, or not
/// seen to be right.
pub(super) fn examine(
    source: &dyn Source,
    params: &Params,
    verdict: &mut Verdict,
) -> Result<Option<Facts>, Stop> {
    let Some(mut proof) = Proof::new(params) else { return Ok(None) };
    let mut digests = Vec::with_capacity(params.ranks());
    for rank in 0..params.ranks() {
        let Some((lane, generated)) = Lanes::one(params, source, rank)? else { return Ok(None) };
        let all: Vec<Packed> = steps(&lane).collect();
        if source.samples(rank, params.ranks())
            && source.compact(params.rank(rank))?.digest != generated
        {
            return Err(Finding::Impure { rank }.into());
        }
        if all.len().saturating_mul(params.ranks()) > STEPS || proof.lane(rank, &all).is_none() {
            return Ok(None);
        }
        digests.push(generated);
    }
    let facts = proof.finish(verdict);
    Ok(Some(Facts { digests: Digests::Each(digests), ..facts }))
}

/// What is found of the lanes so far.
struct Proof<'a> {
    params: &'a Params,
    /// The chunks by which a rank is moved on.
    unit: usize,
    table: Table,
    completing: Vec<Vec<(u32, u32)>>,
    found: Found,
}

#[derive(Default)]
struct Found {
    steps: usize,
    moves: Moves,
    scratch: usize,
    scratch_extent: usize,
    in_order: bool,
    aside: bool,
}

impl<'a> Proof<'a> {
    fn new(params: &'a Params) -> Option<Self> {
        use Operation::{AllGather, AllReduce, AllToAll, ReduceScatter};
        let (n, all, segments) = (params.ranks(), params.chunks(), params.segments());
        let unit = match all {
            _ if all == n * segments => segments,
            _ if all == segments => 0,
            _ => return None,
        };
        let known = [AllGather, AllReduce, AllToAll, ReduceScatter].contains(&params.operation());
        let found = Found { in_order: true, aside: true, ..Found::default() };
        let (table, completing) = (Table::default(), Vec::with_capacity(n));
        known.then_some(Self { params, unit, table, completing, found })
    }

    fn moved(&self, chunk: u32, by: usize) -> u32 {
        let (all, chunk) = (self.params.chunks(), chunk as usize);
        (chunk - chunk % all + (chunk % all + by * self.unit) % all) as u32
    }

    /// Follows a lane; `None` if it is not seen to be right.
    fn lane(&mut self, rank: usize, all: &[Packed]) -> Option<()> {
        if rank == 0 {
            self.table = Table::new(self.params.ranks(), all)?;
        }
        let mut run = Run::new(self, rank);
        let mut rounds = Rounds::default();
        for (at, &step) in all.iter().enumerate() {
            run.step(at as u32, rounds.of(step), step)?;
        }
        let right = run.is_right();
        let Run { completing, scratch, moves, in_order, .. } = run;
        let found = &mut self.found;
        found.steps += all.len();
        found.moves = found.moves.max(moves);
        found.scratch = found.scratch.max(scratch.len());
        let extent = scratch.last_key_value().map_or(0, |(&chunk, _)| chunk as usize + 1);
        found.scratch_extent = found.scratch_extent.max(extent);
        found.in_order &= in_order;
        found.aside &= all.iter().all(|step| step.step().keeps_aside());
        self.completing.push(completing);
        right.then_some(())
    }

    fn finish(self, verdict: &mut Verdict) -> Facts {
        let Self { params, table, found, completing, .. } = self;
        let messages: usize = table.sent.iter().map(Vec::len).sum();
        let reduces = params.operation().reduces();
        verdict.steps = found.steps;
        verdict.messages = (messages * params.ranks()) as u64;
        verdict.moves = found.moves;
        verdict.scratch = found.scratch;
        verdict.scratch_extent = found.scratch_extent;
        verdict.depth = table.depth();
        verdict.order = reduces.then_some(Order::Linear);
        verdict.in_order = reduces && found.in_order;
        verdict.aside = found.aside;
        verdict.races = Races::NoneByMessages;
        verdict.by_symmetry = true;
        let staged = vec![Vec::new(); params.ranks()];
        Facts { completing, staged, digests: Digests::None }
    }
}

impl Table {
    /// The messages of the lane of rank 0; `None` if it does more than send and receive, or receives what
    /// is sent in a later round.
    fn new(n: usize, all: &[Packed]) -> Option<Self> {
        let plain = |step: &Packed| !step.step().one_sided() && !step.step().synchronises();
        let channels = all.iter().map(|step| usize::from(step.channel()) + 1).max().unwrap_or(1);
        if !all.iter().all(plain) || channels > CHANNELS {
            return None;
        }
        let places = n * channels;
        let mut table = Self {
            channels,
            sent: vec![Vec::new(); places],
            carried: vec![Vec::new(); places],
            received: vec![Vec::new(); places],
        };
        let mut rounds = Rounds::default();
        for &step in all {
            let round = rounds.of(step);
            match step.action() {
                Action::Send => {
                    let place = table.place(step.peer as usize, step);
                    let message = Message { sent: round, chunks: step.chunks() };
                    table.sent[place].push(message);
                }
                Action::Recv | Action::RecvReduce => {
                    let place = table.place(n - step.peer as usize, step);
                    table.received[place].push(round);
                }
                _ => {}
            }
        }
        let even = |(sent, received): (&Vec<Message>, &Vec<u32>)| {
            let in_time = sent.iter().zip(received).all(|(message, &at)| message.sent <= at);
            sent.len() == received.len() && in_time
        };
        table.sent.iter().zip(&table.received).all(even).then_some(table)
    }

    /// Where the messages of a step are whose receiver is `distance` ranks behind its sender.
    fn place(&self, distance: usize, step: Packed) -> usize {
        distance * self.channels + usize::from(step.channel())
    }

    /// The most messages that a channel holds: for each, those sent up to it and not received in a round
    /// before it.
    fn depth(&self) -> usize {
        let of_channel = |(sent, received): (&Vec<Message>, &Vec<u32>)| {
            let held = |(at, message): (usize, &Message)| {
                at + 1 - received[..at].iter().filter(|&&round| round < message.sent).count()
            };
            sent.iter().enumerate().map(held).max().unwrap_or(1)
        };
        self.sent.iter().zip(&self.received).map(of_channel).max().unwrap_or(1)
    }
}

/// Counts the rounds of a lane.
#[derive(Default)]
struct Rounds {
    round: u32,
    other: bool,
}

impl Rounds {
    /// The round of the next step.
    fn of(&mut self, step: Packed) -> u32 {
        let sends = step.action() == Action::Send;
        self.round += u32::from(sends && self.other);
        self.other = !sends;
        self.round
    }
}

/// A rank on its way, alone.
struct Run<'p, 'a> {
    proof: &'p mut Proof<'a>,
    rank: usize,
    output: Vec<Option<Value>>,
    scratch: BTreeMap<u32, Value>,
    /// For each chunk of the output and of scratch: one past the last round in which what was sent from
    /// there is received.
    read: Vec<u32>,
    read_scratch: BTreeMap<u32, u32>,
    /// The messages so far, to and from each distance and channel.
    sent: Vec<u32>,
    received: Vec<u32>,
    completing: Vec<(u32, u32)>,
    moves: Moves,
    in_order: bool,
}

impl<'p, 'a> Run<'p, 'a> {
    fn new(proof: &'p mut Proof<'a>, rank: usize) -> Self {
        let (params, places) = (proof.params, proof.params.ranks() * proof.table.channels);
        let mut output = vec![None; params.chunks()];
        if params.mode() == BufferMode::InPlace {
            for chunk in params.defined(rank) {
                output[chunk] = Some(leaf(rank, chunk as u32));
            }
        }
        Self {
            rank,
            output,
            scratch: BTreeMap::new(),
            read: vec![0; params.chunks()],
            read_scratch: BTreeMap::new(),
            sent: vec![0; places],
            received: vec![0; places],
            completing: Vec::new(),
            moves: Moves::SameChunk,
            in_order: true,
            proof,
        }
    }

    fn step(&mut self, at: u32, round: u32, step: Packed) -> Option<()> {
        match step.action() {
            Action::Send => self.send(round, step),
            Action::Recv | Action::RecvReduce => {
                let (chunks, values) = self.arriving(round, step)?;
                self.write(at, round, step, (step.peer as usize, chunks), values)
            }
            Action::Copy | Action::Reduce => {
                let values = step.sources().range().map(|c| self.value(step.sources(), c));
                let values = values.collect::<Option<Vec<_>>>()?;
                self.write(at, round, step, (self.rank, step.sources()), values)
            }
            _ => None,
        }
    }

    /// Whether chunks are of the input, which is not written.
    fn is_input(&self, chunks: ChunkRange) -> bool {
        chunks.space == Space::Input && self.proof.params.mode() == BufferMode::OutOfPlace
    }

    fn value(&self, chunks: ChunkRange, chunk: usize) -> Option<Value> {
        match chunks.space {
            _ if self.is_input(chunks) => Some(leaf(self.rank, chunk as u32)),
            Space::Scratch => self.scratch.get(&(chunk as u32)).copied(),
            _ => self.output[chunk],
        }
    }

    /// Sends what rank 0 sends, moved on.
    fn send(&mut self, round: u32, step: Packed) -> Option<()> {
        let (n, rank) = (self.proof.params.ranks(), self.rank);
        let (place, k) = self.next(true, step)?;
        let first = self.proof.moved(step.first, n - rank);
        let message = Message { sent: round, chunks: ChunkRange { first, ..step.chunks() } };
        if self.proof.table.sent[place].get(k) != Some(&message) {
            return None;
        }
        let values = step.chunks().range().map(|chunk| self.value(step.chunks(), chunk));
        let values = values.collect::<Option<Vec<_>>>()?;
        let merged = values.first()?.count > 1;
        for (value, at) in values.iter().zip(0..) {
            let whole = value.count as usize == n && value.first == 0;
            let own = value.count == 1 && value.first as usize == rank;
            // The chunk that the message names, but for its buffer.
            let named = value.chunk as usize == (step.first + at) as usize % self.all();
            if !(named && if merged { whole } else { own }) {
                return None;
            }
        }
        let carried = Carried { merged, in_order: values.iter().all(|value| value.in_order) };
        if rank == 0 {
            self.proof.table.carried[place].push(carried);
        } else if self.proof.table.carried[place].get(k) != Some(&carried) {
            return None;
        }
        if !self.is_input(step.chunks()) {
            let after = self.proof.table.received[place][k] + 1;
            for chunk in step.chunks().range() {
                let read = match step.space() {
                    Space::Scratch => self.read_scratch.entry(chunk as u32).or_default(),
                    _ => &mut self.read[chunk],
                };
                *read = after.max(*read);
            }
        }
        Some(())
    }

    /// The place of a step's message in the table, and its number there.
    fn next(&mut self, sends: bool, step: Packed) -> Option<(usize, usize)> {
        let (n, table) = (self.proof.params.ranks(), &self.proof.table);
        let (from, to) = (self.rank, step.peer as usize);
        let (from, to) = if sends { (from, to) } else { (to, from) };
        if usize::from(step.channel()) >= table.channels {
            return None;
        }
        let place = table.place((to + n - from) % n, step);
        let next = if sends { &mut self.sent[place] } else { &mut self.received[place] };
        *next += 1;
        Some((place, *next as usize - 1))
    }

    fn all(&self) -> usize {
        self.proof.params.chunks()
    }

    /// The chunks of the sender, and the values of what it sends.
    fn arriving(&mut self, round: u32, step: Packed) -> Option<(ChunkRange, Vec<Value>)> {
        let (place, k) = self.next(false, step)?;
        let (table, peer) = (&self.proof.table, step.peer as usize);
        if table.received[place].get(k) != Some(&round) {
            return None;
        }
        let Message { chunks, .. } = table.sent[place][k];
        // Rank 0 has sent before what it hears of others: a round sends first.
        let &Carried { merged, in_order } = table.carried[place].get(k)?;
        let first = self.proof.moved(chunks.first, peer);
        let (all, ranks) = (self.all() as u32, self.proof.params.ranks() as u32);
        let value = |chunk| match merged {
            true => Value { chunk, first: 0, count: ranks, in_order },
            false => leaf(peer, chunk),
        };
        let values = (0..chunks.count).map(|at| value((first + at) % all)).collect();
        (chunks.count == step.count).then_some((ChunkRange { first, ..chunks }, values))
    }

    fn write(
        &mut self,
        at: u32,
        round: u32,
        step: Packed,
        from: (usize, ChunkRange),
        values: Vec<Value>,
    ) -> Option<()> {
        let (all, n) = (self.all(), self.proof.params.ranks());
        let to = (self.rank, step.chunks());
        self.moves = self.moves.max(Moves::between(self.proof.params, from, to));
        let merges = !matches!(step.action(), Action::Recv | Action::Copy);
        for (chunk, mut value) in step.chunks().range().zip(values) {
            let scratch = step.space() == Space::Scratch;
            let read = match scratch {
                true => self.read_scratch.get(&(chunk as u32)).copied().unwrap_or(0),
                false => self.read[chunk],
            };
            if round < read {
                return None;
            }
            if merges {
                let own = self.value(step.chunks(), chunk)?;
                value = merge(own, value, step.left())?;
                if value.count as usize == n && value.chunk as usize == chunk % all {
                    self.completing.push((at, chunk as u32));
                }
            }
            if scratch {
                self.scratch.insert(chunk as u32, value);
            } else {
                self.output[chunk] = Some(value);
            }
        }
        Some(())
    }

    fn is_right(&mut self) -> bool {
        let params = self.proof.params;
        let mut results =
            (0..params.chunks()).filter_map(|c| Some((c, params.result(self.rank, c)?)));
        let mut in_order = true;
        let right = results.all(|(chunk, expected)| {
            self.output[chunk].is_some_and(|value| {
                in_order &= value.in_order;
                let ranks = value.first as usize..(value.first + value.count) as usize;
                value.chunk as usize == expected.chunk && ranks == expected.ranks
            })
        });
        self.in_order = in_order;
        let table = &self.proof.table;
        let sent = self.sent.iter().zip(&table.sent).all(|(&k, all)| k as usize == all.len());
        let received =
            self.received.iter().zip(&table.received).all(|(&k, all)| k as usize == all.len());
        right && sent && received
    }
}

fn leaf(rank: usize, chunk: u32) -> Value {
    Value { chunk, first: rank as u32, count: 1, in_order: true }
}

/// The merge of what a rank has with what comes, if it is the fold of one rank more; `left` says that what
/// comes is the left operand.
fn merge(own: Value, came: Value, left: bool) -> Option<Value> {
    let follows = |a: &Value, b: &Value| b.count == 1 && a.first + a.count == b.first;
    let own_first = if follows(&own, &came) {
        true
    } else if follows(&came, &own) {
        false
    } else {
        return None;
    };
    let first = own.first.min(came.first);
    let in_order = own.in_order && came.in_order && own_first != left;
    (own.chunk == came.chunk).then_some(Value {
        chunk: own.chunk,
        first,
        count: own.count + came.count,
        in_order,
    })
}

#[cfg(test)]
mod tests;
