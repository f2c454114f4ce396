//! The lanes of a group, generated and checked step by step.

use super::check_size;
use super::finding::{Finding, Place};
use super::hash::mix;
use super::stop::Stop;
use crate::schedule::compact::{CompactLanes, CompactSteps, Packed};
use crate::schedule::{Generated, generate, run};
use crate::{
    Action, ChunkRange, Collective, Descriptor, Lane, Operation, Params, Rank, Schedule, Space,
    Step,
};
use ringwood_base::{Error, Result, counted};
use std::borrow::Cow;
use std::ops::Range;

/// A step by lane and position. Of a collective, each rank has one lane, which has its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) lane: usize,
    pub(super) step: usize,
}

/// What knows the steps of lanes and the chunks of ranks by name.
pub(super) trait Located {
    /// Where a step is, by its position alone.
    fn place(&self, at: At) -> Result<Place, Stop>;

    /// `chunk 3 of rank 1`.
    fn name_of(&self, rank: usize, space: Space, chunk: usize) -> String {
        format!("{} of rank {rank}", ChunkRange { space, first: chunk as u32, count: 1 })
    }
}

/// A collective with its parameters.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) collective: &'a dyn Collective,
    pub(super) params: &'a Params,
    /// Whether every lane is looked at where a few are enough, if whoever runs one compares it with the one
    /// proved.
    pub(super) all: bool,
}

impl<'a> Source<'a> {
    pub(super) fn new(collective: &'a dyn Collective, params: &'a Params) -> Self {
        Self { collective, params, all: false }
    }

    pub(super) fn name(&self) -> Cow<'static, str> {
        self.collective.describe().name
    }

    pub(super) fn compact(&self, rank: usize) -> Result<Generated> {
        let rank = self.params.rank(rank);
        run(self.collective, self.params, rank, Lane::compact(rank))
    }

    fn window(&self, rank: usize, window: Range<usize>) -> Result<Generated> {
        generate(self.collective, self.params, self.params.rank(rank), window)
    }

    /// Whether the lane of a rank is looked at where a few are enough: some at random, so that no
    /// regularity of a group hides the others, and both ends.
    pub(super) fn samples(&self, rank: usize) -> bool {
        let n = self.params.ranks();
        self.all || rank < 8 || rank + 1 == n || (mix(rank as u64) as usize) % n < SAMPLES
    }

    /// Whether a lane that is looked at has this digest again.
    pub(super) fn is_pure(&self, rank: usize, digest: u64) -> Result<bool> {
        Ok(!self.samples(rank) || self.compact(rank)?.digest == digest)
    }
}

impl Located for Source<'_> {
    fn place(&self, At { lane: rank, step: index }: At) -> Result<Place, Stop> {
        let step = self.window(rank, index..index + 1)?.steps.first().copied();
        let place = step.map(|step| Place::Step { rank, index, step });
        place.ok_or_else(|| Finding::Impure { rank }.into())
    }
}

/// A schedule that is held in memory, as an algorithm for an operation.
pub(super) struct Written<'a>(pub(super) &'a Schedule, pub(super) Operation);

impl Collective for Written<'_> {
    fn describe(&self) -> Descriptor {
        let name = Cow::Owned(self.0.collective.clone());
        Descriptor { name, ..Descriptor::new("", self.1) }
    }

    fn schedule(&self, _: &Params, rank: Rank, lane: &mut Lane) {
        self.0.lanes[rank.index()].iter().for_each(|step| lane.push(*step));
    }
}

/// The lanes of a group.
pub(super) struct Lanes<'a> {
    pub(super) params: &'a Params,
    pub(super) source: Source<'a>,
    pub(super) compact: CompactLanes,
    pub(super) digests: Vec<u64>,
    pub(super) steps: usize,
    /// Whether the order of accesses depends on signals, so that it is followed.
    pub(super) ordered: bool,
    /// Whether ranks write memory of their peers.
    pub(super) puts: bool,
    /// Whether merges are kept apart from what travels.
    pub(super) aside: bool,
}

/// The most agents of collectives whose steps are ordered by clocks: a clock for each, with a time
/// for each.
const CLOCKS: usize = 1 << 12;

/// The steps of all lanes that have no rule and are therefore held one by one: 1 GiB of them.
const HELD_STEPS: usize = 1 << 25;

/// About how many lanes of a large group are generated twice, since a schedule must be the same each
/// time; and of a very large one compared with the first, moved on.
const SAMPLES: usize = 64;

impl<'a> Lanes<'a> {
    /// Generates the lanes and checks every step by itself.
    pub(super) fn new(source: Source<'a>) -> Result<Self, Stop> {
        let n = source.params.ranks();
        let mut lanes = Self::none(source);
        lanes.ordered = source.params.operation() == Operation::Barrier;
        let mut scratch = vec![0; n];
        for rank in 0..n {
            let generated = source.compact(rank)?;
            if !source.is_pure(rank, generated.digest)? {
                return Err(Finding::Impure { rank }.into());
            }
            lanes.steps += generated.total;
            lanes.check(rank, &generated)?;
            lanes.compact.add(&generated.compact);
            if lanes.compact.held() > HELD_STEPS {
                return Err(too_large(&source.name(), n).into());
            }
            note_scratch(&mut scratch, rank, &generated.compact);
            lanes.digests.push(generated.digest);
        }
        check_size(&source.name(), source.params, scratch.iter().sum())?;
        if lanes.ordered && n > CLOCKS {
            return Err(too_large(&source.name(), n).into());
        }
        Ok(lanes)
    }

    /// The steps of a rank as they were looked at.
    pub(super) fn steps(&self, rank: usize) -> Result<Vec<Step>, Stop> {
        let generated = self.source.window(rank, 0..usize::MAX)?;
        if generated.digest == self.digests[rank] {
            return Ok(generated.steps);
        }
        Err(Finding::Impure { rank }.into())
    }

    fn none(source: Source<'a>) -> Self {
        let (compact, digests, params) = (CompactLanes::NONE, Vec::new(), source.params);
        let (ordered, puts, aside) = (false, false, true);
        Self { params, source, compact, digests, steps: 0, ordered, puts, aside }
    }

    /// The lane of a rank and its digest, if its steps are right by themselves and need no signals.
    pub(super) fn one(
        source: Source<'a>,
        rank: usize,
    ) -> Result<Option<(CompactLanes, u64)>, Stop> {
        let mut lanes = Self::none(source);
        let generated = source.compact(rank)?;
        lanes.check(rank, &generated)?;
        lanes.compact.add(&generated.compact);
        let small = lanes.compact.held() <= HELD_STEPS && !lanes.ordered;
        Ok(small.then_some((lanes.compact, generated.digest)))
    }

    fn check(&mut self, rank: usize, generated: &Generated) -> Result<(), Stop> {
        let place = |step| self.source.place(At { lane: rank, step });
        if let Some(step) = generated.uneven {
            let place = place(step)?;
            let source = place.step().map_or(ChunkRange::NONE, |step| step.source);
            return Err(Finding::Chunks { place, source, sender: None }.into());
        }
        let corners = || generated.compact.corners();
        let wrong = |(step, packed)| Some((step, self.wrong(rank, packed)?));
        if let Some((step, why)) = corners().filter_map(wrong).min_by_key(|(step, _)| *step) {
            return Err(Finding::OutOfRange { place: place(step)?, why }.into());
        }
        self.aside &= corners().all(|(_, packed)| packed.step().keeps_aside());
        for action in generated.compact.actions() {
            use Action::{Copy, Put, Recv, RecvReduce, Reduce, Send};
            self.puts |= action == Put;
            self.ordered |= !matches!(action, Send | Recv | RecvReduce | Copy | Reduce);
        }
        Ok(())
    }

    /// What is wrong with a step by itself.
    fn wrong(&self, rank: usize, step: Packed) -> Option<String> {
        let (n, whole, peer) = (self.params.ranks(), step.step(), step.peer as usize);
        if whole.has_peer() && peer >= n {
            return Some(format!("rank {peer} is not in a group of {n}"));
        }
        if whole.has_peer() && peer == rank {
            return Some(format!("rank {rank} exchanges a message with itself"));
        }
        if whole.synchronises() {
            return None;
        }
        let operation = self.params.operation();
        if whole.merges() && !operation.reduces() {
            return Some(format!("{operation} does not reduce, and the step merges"));
        }
        let [reads, writes] = whole.owners(rank as u32).map(|rank| rank as usize);
        // What is moved within a rank may be moved in any order.
        let (from, to) = (step.sources(), step.chunks());
        if !whole.has_peer() && from != to && from.overlaps(to) {
            return Some(format!("{from} and {to} overlap"));
        }
        let read_only = step.action != Action::Send && step.space == Space::Input;
        self.outside(writes, step.chunks())
            .or_else(|| self.outside(reads, step.sources()))
            .or_else(|| read_only.then(|| "the input is read only".to_owned()))
    }

    /// Why `rank` does not have `chunks`.
    fn outside(&self, rank: usize, chunks: ChunkRange) -> Option<String> {
        let (range, all) = (chunks.range(), self.params.chunks());
        if chunks.space == Space::Scratch {
            let crosses = chunks.count == 0 || range.start / all != (range.end - 1) / all;
            let far = range.end > SCRATCH.max(all);
            return (crosses || far)
                .then(|| format!("{chunks} is not within one of the buffers of {all} chunks"));
        }
        if chunks.count == 0 || range.end > all {
            return Some(format!("{chunks} is not among the {all} chunks of the schedule"));
        }
        let held = self.params.held(rank, chunks.space);
        let inside = held.start <= range.start && range.end <= held.end;
        let operation = self.params.operation();
        (!inside).then(|| format!("rank {rank} has no {chunks} in {operation} out of place"))
    }
}

/// Notes for each rank one past the last scratch chunk that the lane of `rank` writes there.
fn note_scratch(ends: &mut [usize], rank: usize, lane: &CompactSteps) {
    for (_, step) in lane.corners().filter(|(_, step)| step.space == Space::Scratch) {
        let [_, owner] = step.step().owners(rank as u32);
        let end = &mut ends[owner as usize];
        *end = step.chunks().range().end.max(*end);
    }
}

/// Scratch chunks have numbers below this one.
const SCRATCH: usize = 1 << 24;

fn too_large(name: &str, ranks: usize) -> Error {
    let ranks = counted(ranks, "rank");
    let message = format!(
        "collective `{name}` is not proved for {ranks}: a proof holds {HELD_STEPS} steps \
         that follow no rule, and orders the signals of {CLOCKS} ranks"
    );
    Error::unsupported(message).help("prove it for fewer ranks")
}
