//! Lanes that are symmetric around the ring: one of them is followed for all.
//!
//! Where every rank does what rank 0 does, with all ranks and chunks moved on by its own number, all
//! ranks stand at the same step at any time, and what one holds is what rank 0 holds, moved on. So
//! rank 0 alone is followed: what it receives from a peer is what it sent itself, moved on. That
//! takes a time of the length of a lane instead of all lanes.
//!
//! This way only proves. Whatever it does not see to be right is left to the machine that follows
//! every rank, which also says what is wrong.

mod value;

use super::lanes::{Lanes, Source};
use super::stop::Stop;
use super::{Facts, Order, Races, Verdict};
use crate::schedule::compact::{CompactLanes, Packed, Reader};
use crate::{Action, BufferMode, ChunkRange, Moves, Operation, Params, Space};
use std::collections::{BTreeMap, HashMap, VecDeque};
use value::Value;

/// Groups of these sizes; smaller ones are followed rank by rank.
pub(super) const RANKS: std::ops::RangeInclusive<usize> = 257..=1 << 16;

/// The copies of all ranks that the engine is told of, at most.
const STAGED: usize = 1 << 26;

/// The digests of the proved lanes.
#[derive(Default)]
pub enum Digests {
    /// There are none.
    #[default]
    None,
    /// Of every lane.
    Each(Vec<u64>),
    /// Every lane is this one, moved on.
    Moved(CompactLanes, Params),
}

impl Digests {
    /// The digest of the proved lane of a rank.
    pub fn of(&self, rank: usize) -> Option<u64> {
        match self {
            Digests::None => None,
            Digests::Each(digests) => digests.get(rank).copied(),
            Digests::Moved(lane, params) => {
                let chain = |digest, step| Packed::chain(digest, moved_step(params, step, rank));
                Some(steps(lane).fold(0, chain))
            }
        }
    }
}

pub(super) fn steps(lane: &CompactLanes) -> impl Iterator<Item = Packed> + '_ {
    let mut reader: Reader = lane.begin(0);
    std::iter::from_fn(move || {
        let step = reader.peek(lane)?;
        reader.advance(lane);
        Some(step)
    })
}

/// A step with its ranks and chunks moved on by `by`.
fn moved_step(params: &Params, step: Packed, by: usize) -> Packed {
    let n = params.ranks();
    let peer = match step.step().has_peer() {
        true => (step.peer as usize + by) % n,
        false => by,
    };
    let (first, source) = (moved(params, step.first, by), moved(params, step.source, by));
    step.placed(peer as u32, first, source)
}

/// A chunk number moved on by `by` blocks, within its buffer.
fn moved(params: &Params, chunk: u32, by: usize) -> u32 {
    let (all, chunk) = (params.chunks(), chunk as usize);
    (chunk - chunk % all + (chunk % all + by * params.segments()) % all) as u32
}

/// Proves a schedule whose lanes are symmetric; `None` if it is not one, or not seen to be right.
pub(super) fn examine(
    source: &dyn Source,
    params: &Params,
    verdict: &mut Verdict,
) -> Result<Option<Facts>, Stop> {
    use Operation::{AllGather, AllReduce, ReduceScatter};
    let symmetric = matches!(params.operation(), AllGather | AllReduce | ReduceScatter);
    if !symmetric || params.chunks() != params.ranks() * params.segments() {
        return Ok(None);
    }
    let Some((lane, length)) = lane(source, params)? else { return Ok(None) };
    let mut run = Run::new(params);
    let finished = steps(&lane).enumerate().all(|(at, step)| run.step(at, step).is_some());
    let idle = run.sent.values().all(VecDeque::is_empty);
    let few = run.staged.len().saturating_mul(params.ranks()) <= STAGED;
    if !finished || !idle || !few || !run.is_right() {
        return Ok(None);
    }
    run.report(verdict, length);
    verdict.aside = steps(&lane).all(|step| step.step().keeps_aside());
    Ok(Some(run.facts(lane)))
}

/// The lane of rank 0, if the others are the same moved on; and its length.
fn lane(source: &dyn Source, params: &Params) -> Result<Option<(CompactLanes, usize)>, Stop> {
    let (n, segments) = (params.ranks(), params.segments());
    let Some((lane, _)) = Lanes::one(params, source, 0)? else { return Ok(None) };
    let within = |first: u32, count: u32| {
        let first = first as usize % params.chunks();
        first / segments == (first + count as usize - 1) / segments
    };
    let plain = |step: Packed| {
        let messages = !step.step().one_sided() && !step.step().synchronises();
        messages && within(step.first, step.count) && within(step.source, step.count)
    };
    if !steps(&lane).all(plain) {
        return Ok(None);
    }
    for rank in (0..n).filter(|rank| source.samples(*rank, n)) {
        let mut other = CompactLanes::default();
        other.add(&source.compact(params.rank(rank))?.compact);
        if !steps(&other).eq(steps(&lane).map(|step| moved_step(params, step, rank))) {
            return Ok(None);
        }
    }
    let length = steps(&lane).count();
    Ok(Some((lane, length)))
}

/// What rank 0 sent on a channel and the receiver has not taken.
struct Sent {
    step: usize,
    chunks: ChunkRange,
    /// The values, if they were copied aside.
    copied: Option<Vec<Value>>,
}

/// Rank 0 on its way, as all others are.
struct Run<'a> {
    params: &'a Params,
    output: Vec<Option<Value>>,
    scratch: BTreeMap<u32, Value>,
    /// By receiver and channel.
    sent: HashMap<(u32, u16), VecDeque<Sent>>,
    staged: Vec<u32>,
    completing: Vec<(u32, u32)>,
    messages: u64,
    depth: usize,
    moves: Moves,
}

impl<'a> Run<'a> {
    fn new(params: &'a Params) -> Self {
        let mut output = vec![None; params.chunks()];
        if params.mode() == BufferMode::InPlace {
            for chunk in params.defined(0) {
                output[chunk] = Some(Value::leaf(0, chunk as u32));
            }
        }
        Self {
            params,
            output,
            scratch: BTreeMap::new(),
            sent: HashMap::new(),
            staged: Vec::new(),
            completing: Vec::new(),
            messages: 0,
            depth: 1,
            moves: Moves::SameChunk,
        }
    }

    /// Does a step; `None` if it cannot, or is not understood.
    fn step(&mut self, at: usize, step: Packed) -> Option<()> {
        match step.action() {
            Action::Send => self.send(at, step),
            Action::Recv | Action::RecvReduce => self.receive(at, step),
            Action::Copy | Action::Reduce => {
                self.stage(step.chunks());
                let values = self.read(step.sources())?;
                self.moves = self.moves.max(Moves::between(
                    self.params,
                    (0, step.sources()),
                    (0, step.chunks()),
                ));
                self.write(at, step, values)
            }
            _ => None,
        }
    }

    fn send(&mut self, at: usize, step: Packed) -> Option<()> {
        self.read(step.chunks())?;
        let queue = self.sent.entry((step.peer, step.channel())).or_default();
        queue.push_back(Sent { step: at, chunks: step.chunks(), copied: None });
        self.depth = self.depth.max(queue.len());
        self.messages += 1;
        Some(())
    }

    /// What arrives from a peer is what this rank sent as far in the other direction, moved on.
    fn receive(&mut self, at: usize, step: Packed) -> Option<()> {
        let n = self.params.ranks();
        let (peer, back) = (step.peer as usize, (n - step.peer as usize) % n);
        let key = (back as u32, step.channel());
        // It is there before the write can wait for readers.
        self.sent.get(&key).filter(|queue| !queue.is_empty())?;
        self.stage(step.chunks());
        let sent = self.sent.get_mut(&key)?.pop_front()?;
        if sent.chunks.count != step.count {
            return None;
        }
        let mut values = match sent.copied {
            Some(values) => values,
            None => self.read(sent.chunks)?,
        };
        for value in &mut values {
            value.move_on(self.params, peer);
        }
        let first = moved(self.params, sent.chunks.first, peer);
        let from = (peer, ChunkRange { first, ..sent.chunks });
        self.moves = self.moves.max(Moves::between(self.params, from, (0, step.chunks())));
        self.write(at, step, values)
    }

    /// Copies aside what was sent from chunks that are about to be written.
    fn stage(&mut self, chunks: ChunkRange) {
        let overlaps = |sent: &&mut Sent| sent.copied.is_none() && sent.chunks.overlaps(chunks);
        let mut queues = std::mem::take(&mut self.sent);
        for sent in queues.values_mut().flatten().filter(overlaps) {
            sent.copied = self.read(sent.chunks);
            self.staged.push(sent.step as u32);
        }
        self.sent = queues;
    }

    fn read(&self, chunks: ChunkRange) -> Option<Vec<Value>> {
        let input = chunks.space == Space::Input && self.params.mode() == BufferMode::OutOfPlace;
        let value = |chunk: usize| match chunks.space {
            _ if input => Some(Value::leaf(0, chunk as u32)),
            Space::Scratch => self.scratch.get(&(chunk as u32)).copied(),
            _ => self.output[chunk],
        };
        chunks.range().map(value).collect()
    }

    fn write(&mut self, at: usize, step: Packed, values: Vec<Value>) -> Option<()> {
        let all = self.params.chunks();
        let merges = step.action() != Action::Recv && step.action() != Action::Copy;
        for (chunk, mut value) in step.chunks().range().zip(values) {
            let scratch = step.space() == Space::Scratch;
            let own = match scratch {
                true => self.scratch.get(&(chunk as u32)).copied(),
                false => self.output[chunk],
            };
            if merges {
                value = value.merge(&own?, self.params.ranks())?;
                let home = value.chunk as usize == chunk % all;
                if value.is_complete(self.params.ranks()) && home {
                    self.completing.push((at as u32, chunk as u32));
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

    /// Whether rank 0 holds what the operation promises, and so does everyone.
    fn is_right(&self) -> bool {
        (0..self.params.chunks()).all(|chunk| match self.params.result(0, chunk) {
            None => true,
            Some(expected) => self.output[chunk].is_some_and(|value| {
                value.chunk as usize == expected.chunk && value.holds(&expected.ranks)
            }),
        })
    }

    /// The order class. Rank `r` holds in block `b` what rank 0 holds in block `b - r`, moved on by
    /// `r`; so all have the same bits if the blocks of rank 0 are each other's, moved on.
    fn order(&self) -> Option<Order> {
        let (params, n) = (self.params, self.params.ranks());
        if !params.operation().reduces() {
            return None;
        }
        let of_rank = (0..params.chunks()).filter(|&chunk| params.result(0, chunk).is_some());
        let ring = Value::fold(n);
        let mut is_ring = true;
        for chunk in of_rank {
            let (block, segment) = (chunk / params.segments(), chunk % params.segments());
            let (value, first) = (self.output[chunk]?, self.output[segment]?);
            if !value.is_moved(&first, block, n) {
                return Some(Order::Differs);
            }
            is_ring &= value.is_moved(&ring, block, n);
        }
        Some(if is_ring { Order::Ring } else { Order::Unnamed })
    }

    fn report(&self, verdict: &mut Verdict, length: usize) {
        let (n, all, segments) =
            (self.params.ranks(), self.params.chunks(), self.params.segments());
        // Of all ranks, the one whose scratch chunk lies in the last block.
        let extent = |&chunk: &u32| {
            let chunk = chunk as usize;
            chunk - chunk % all + (n - 1) * segments + chunk % segments + 1
        };
        verdict.steps = length * n;
        verdict.messages = self.messages * n as u64;
        verdict.moves = self.moves;
        verdict.scratch = self.scratch.len();
        verdict.scratch_extent = self.scratch.keys().map(extent).max().unwrap_or(0);
        verdict.staged = self.staged.len();
        verdict.depth = self.depth;
        verdict.order = self.order();
        verdict.races = Races::NoneByMessages;
        verdict.by_symmetry = true;
    }

    fn facts(mut self, lane: CompactLanes) -> Facts {
        self.staged.sort_unstable();
        let params = self.params;
        let completing = |rank: usize| {
            let at = self.completing.iter().map(|&(step, c)| (step, moved(params, c, rank)));
            let mut at: Vec<_> = at.collect();
            at.sort_unstable();
            at
        };
        Facts {
            completing: (0..params.ranks()).map(completing).collect(),
            staged: vec![self.staged; params.ranks()],
            digests: Digests::Moved(lane, params.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
