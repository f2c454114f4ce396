//! Lanes that are symmetric around the ring: one of them is followed for all.
//!
//! Where every rank does what rank 0 does, with all ranks and chunks moved on by its own number, all
//! ranks stand at the same step at any time, and what one holds is what rank 0 holds, moved on. So
//! rank 0 alone is followed: what it receives from a peer is what it sent itself, moved on. That
//! takes a time of the length of a lane instead of all lanes.
//!
//! This way only proves. Whatever it does not see to be right is left to the machine that follows
//! every rank, which also says what is wrong.

use super::lanes::{Lanes, Source};
use super::solo::{Solo, Value, moved, steps};
use super::stop::Stop;
use super::{Order, Proof, Races};
use crate::schedule::compact::{CompactLanes, Packed};
use crate::{Action, ChunkRange, Operation, Params, Space};
use std::collections::{HashMap, VecDeque};

/// Groups of these sizes; smaller ones are followed rank by rank.
pub(super) const RANKS: std::ops::RangeInclusive<usize> = 257..=1 << 16;

/// Up to this many steps of all ranks, every lane is compared with the first; of more, a sample is.
const COMPARED: usize = 1 << 23;

/// The copies of all ranks that the engine is told of, at most.
const STAGED: usize = 1 << 26;

/// The digests of the proved lanes.
#[derive(serde::Deserialize)]
#[serde(from = "Vec<u64>")]
pub enum Digests {
    /// Of every lane.
    Each(Vec<u64>),
    /// Every lane is this one, moved on.
    Moved(CompactLanes, Params),
}

/// As those of every lane.
impl serde::Serialize for Digests {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Digests::Each(digests) => digests.serialize(serializer),
            Digests::Moved(_, params) => {
                serializer.collect_seq((0..params.ranks()).map(|rank| self.of(rank)))
            }
        }
    }
}

impl From<Vec<u64>> for Digests {
    fn from(digests: Vec<u64>) -> Self {
        Digests::Each(digests)
    }
}

impl Digests {
    /// The digest of the proved lane of a rank.
    pub fn of(&self, rank: usize) -> Option<u64> {
        match self {
            Digests::Each(digests) => digests.get(rank).copied(),
            Digests::Moved(lane, params) => {
                let chain = |digest, step| Packed::chain(digest, moved_step(params, step, rank));
                Some(steps(lane).fold(0, chain))
            }
        }
    }
}

/// A step with its ranks and chunks moved on by `by`.
fn moved_step(params: &Params, step: Packed, by: usize) -> Packed {
    let n = params.ranks();
    let peer = if step.step().has_peer() { (step.peer as usize + by) % n } else { by };
    let (first, source) = (moved(params, step.first, by), moved(params, step.source, by));
    Packed { peer: peer as u32, first, source, ..step }
}

/// Proves a schedule whose lanes are symmetric; `false` if it is not one, or not seen to be right.
pub(super) fn examine(source: Source<'_>, proof: &mut Proof) -> Result<bool, Stop> {
    use Operation::{AllGather, AllReduce, ReduceScatter};
    let params = source.params;
    let symmetric = matches!(params.operation(), AllGather | AllReduce | ReduceScatter);
    if !symmetric || params.chunks() != params.ranks() * params.segments() {
        return Ok(false);
    }
    let Some((lane, compared)) = lane(source)? else { return Ok(false) };
    let mut run = Run::new(params);
    let finished = steps(&lane).zip(0..).all(|(step, at)| run.step(at, step).is_some());
    let idle = run.sent.values().all(VecDeque::is_empty);
    let few = run.staged.len().saturating_mul(params.ranks()) <= STAGED;
    if !finished || !idle || !few || run.solo.results().is_none() {
        return Ok(false);
    }
    run.report(lane, proof);
    proof.verdict.compared = compared;
    Ok(true)
}

/// The lane of rank 0 and how many lanes were looked at, if those are the same moved on.
fn lane(source: Source<'_>) -> Result<Option<(CompactLanes, usize)>, Stop> {
    let params = source.params;
    let (n, segments) = (params.ranks(), params.segments());
    let Some((lane, _)) = Lanes::one(source, 0)? else { return Ok(None) };
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
    let every = steps(&lane).count().saturating_mul(n) <= COMPARED;
    let looked_at: Vec<usize> = (0..n).filter(|&rank| every || source.samples(rank)).collect();
    for &rank in &looked_at {
        let mut other = CompactLanes::NONE;
        other.add(&source.compact(rank)?.compact);
        if !steps(&other).eq(steps(&lane).map(|step| moved_step(params, step, rank))) {
            return Ok(None);
        }
    }
    Ok(Some((lane, looked_at.len())))
}

/// What rank 0 sent on a channel and the receiver has not taken.
struct Sent {
    step: u32,
    chunks: ChunkRange,
    /// The values, if they were copied aside.
    copied: Option<Vec<Value>>,
}

/// A receiver and the number of a channel.
type Channel = (u32, u16);

/// Rank 0 on its way, as all others are.
struct Run<'a> {
    solo: Solo<'a>,
    sent: HashMap<Channel, VecDeque<Sent>>,
    /// For each chunk that may be written, the messages that carried it.
    carried: HashMap<(Space, usize), Vec<(Channel, u32)>>,
    staged: Vec<u32>,
    messages: u64,
    depth: usize,
}

impl<'a> Run<'a> {
    fn new(params: &'a Params) -> Self {
        let (sent, carried) = (HashMap::new(), HashMap::new());
        Self {
            solo: Solo::new(params, 0),
            sent,
            carried,
            staged: Vec::new(),
            messages: 0,
            depth: 1,
        }
    }

    /// Does a step; `None` if it cannot, or is not understood.
    fn step(&mut self, at: u32, step: Packed) -> Option<()> {
        match step.action {
            Action::Send => self.send(at, step),
            Action::Recv | Action::RecvReduce => self.receive(at, step),
            Action::Copy | Action::Reduce => {
                self.stage(step.chunks());
                self.solo.transfer(at, step)
            }
            _ => None,
        }
    }

    fn send(&mut self, at: u32, step: Packed) -> Option<()> {
        self.read(step.chunks())?;
        let channel = (step.peer, step.channel);
        for chunk in step.chunks().range().filter(|_| step.space != Space::Input) {
            self.carried.entry((step.space, chunk)).or_default().push((channel, at));
        }
        let queue = self.sent.entry(channel).or_default();
        queue.push_back(Sent { step: at, chunks: step.chunks(), copied: None });
        self.depth = self.depth.max(queue.len());
        self.messages += 1;
        Some(())
    }

    /// What arrives from a peer is what this rank sent as far in the other direction, moved on.
    fn receive(&mut self, at: u32, step: Packed) -> Option<()> {
        let (params, n) = (self.solo.params, self.solo.params.ranks());
        let (peer, back) = (step.peer as usize, (n - step.peer as usize) % n);
        let key = (back as u32, step.channel);
        // It is there before the write can wait for readers.
        self.sent.get(&key).filter(|queue| !queue.is_empty())?;
        self.stage(step.chunks());
        let sent = self.sent.get_mut(&key)?.pop_front()?;
        if sent.chunks.count != step.count {
            return None;
        }
        let values = sent.copied.or_else(|| self.read(sent.chunks))?;
        let first = moved(params, sent.chunks.first, peer);
        self.solo.note_move(step, (peer, ChunkRange { first, ..sent.chunks }));
        for (value, chunk) in values.iter().zip(step.chunks().range()) {
            self.solo.write(at, step, chunk, value.moved(params, peer))?;
        }
        Some(())
    }

    /// Copies aside what was sent from chunks that are about to be written.
    fn stage(&mut self, chunks: ChunkRange) {
        for chunk in chunks.range() {
            let carried = self.carried.remove(&(chunks.space, chunk));
            for (channel, step) in carried.into_iter().flatten() {
                self.copy_aside(channel, step);
            }
        }
    }

    /// Copies aside what a message carries, unless that is done or the receiver has taken it.
    fn copy_aside(&mut self, channel: Channel, step: u32) {
        let mut queue = self.sent.remove(&channel).unwrap_or_default();
        if let Ok(at) = queue.binary_search_by_key(&step, |sent| sent.step)
            && queue[at].copied.is_none()
        {
            queue[at].copied = self.read(queue[at].chunks);
            self.staged.push(step);
        }
        self.sent.insert(channel, queue);
    }

    fn read(&self, chunks: ChunkRange) -> Option<Vec<Value>> {
        chunks.range().map(|chunk| self.solo.get(chunks.space, chunk)).collect()
    }

    /// The order class. Rank `r` holds in block `b` what rank 0 holds in block `b - r`, moved on by
    /// `r`; so all have the same bits if the blocks of rank 0 are each other's, moved on.
    fn order(&self) -> Option<Order> {
        let (params, n) = (self.solo.params, self.solo.params.ranks());
        if !params.operation().reduces() {
            return None;
        }
        let ring = Value::fold(n);
        let mut is_ring = true;
        for (chunk, value) in self.solo.results()? {
            let (block, segment) = (chunk / params.segments(), chunk % params.segments());
            if !value.is_moved(&self.solo.output[segment]?, block, n) {
                return Some(Order::Differs);
            }
            is_ring &= value.is_moved(&ring, block, n);
        }
        Some(if is_ring { Order::Ring } else { Order::Unnamed })
    }

    fn report(mut self, lane: CompactLanes, proof: &mut Proof) {
        let Solo { params, scratch, completing, moves, .. } = &self.solo;
        let (n, all, segments) = (params.ranks(), params.chunks(), params.segments());
        // Of all ranks, the one whose scratch chunk lies in the last block.
        let extent = |&chunk: &u32| {
            let chunk = chunk as usize;
            chunk - chunk % all + (n - 1) * segments + chunk % segments + 1
        };
        let verdict = &mut proof.verdict;
        verdict.steps = steps(&lane).count() * n;
        verdict.messages = self.messages * n as u64;
        verdict.moves = *moves;
        verdict.scratch = scratch.len();
        verdict.scratch_extent = scratch.keys().map(extent).max().unwrap_or(0);
        verdict.staged = self.staged.len();
        verdict.depth = self.depth;
        verdict.order = self.order();
        verdict.aside = steps(&lane).all(|step| step.step().keeps_aside());
        verdict.races = Races::NoneByMessages;
        verdict.by_symmetry = true;
        let completing = |rank: usize| {
            let at = completing.iter().map(|&(step, c)| (step, moved(params, c, rank)));
            let mut at: Vec<_> = at.collect();
            at.sort_unstable();
            at
        };
        self.staged.sort_unstable();
        proof.completing = (0..n).map(completing).collect();
        proof.staged = vec![self.staged; n];
        proof.digests = Digests::Moved(lane, (*params).clone());
    }
}

#[cfg(test)]
mod tests;
