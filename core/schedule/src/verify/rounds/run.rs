//! A rank on its way, alone, with what rank 0 says as what all others say.

use super::Proof;
use super::table::{Carried, Message};
use crate::schedule::compact::Packed;
use crate::{Action, BufferMode, ChunkRange, Moves, Space};
use std::collections::BTreeMap;

/// The contributions of `count` ranks from `first` on to a chunk, folded in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    chunk: u32,
    first: u32,
    count: u32,
    /// Whether no operands were swapped.
    in_order: bool,
}

/// A rank on its way, alone.
pub(super) struct Run<'p, 'a> {
    proof: &'p mut Proof<'a>,
    rank: usize,
    output: Vec<Option<Value>>,
    pub(super) scratch: BTreeMap<u32, Value>,
    /// For each chunk of the output and of scratch: one past the last round in which what was sent from
    /// there is received.
    read: Vec<u32>,
    read_scratch: BTreeMap<u32, u32>,
    /// The messages so far, to and from each distance and channel.
    sent: Vec<u32>,
    received: Vec<u32>,
    pub(super) completing: Vec<(u32, u32)>,
    pub(super) moves: Moves,
    pub(super) in_order: bool,
}

impl<'p, 'a> Run<'p, 'a> {
    pub(super) fn new(proof: &'p mut Proof<'a>, rank: usize) -> Self {
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

    pub(super) fn step(&mut self, at: u32, round: u32, step: Packed) -> Option<()> {
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

    pub(super) fn is_right(&mut self) -> bool {
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
