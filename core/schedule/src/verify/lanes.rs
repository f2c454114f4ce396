//! The lanes of a group, generated and checked step by step.

use super::at::At;
use super::finding::{Finding, Place};
use super::hash::mix;
use super::stop::Stop;
use crate::schedule::compact::{CompactLanes, Packed};
use crate::schedule::{Generated, compact, generate};
use crate::{Action, ChunkRange, Collective, Operation, Params, Rank, Schedule, Space, Step};
use ringwood_base::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// Whoever wrote the steps.
pub(super) trait Source: Located {
    /// The algorithm's name.
    fn name(&self) -> Cow<'_, str>;

    fn compact(&self, rank: Rank) -> Result<Generated>;

    /// All steps of a rank.
    fn steps(&self, rank: Rank) -> Result<Generated>;

    /// Whether the lane of `rank` of `n` is looked at where a few are enough.
    fn samples(&self, rank: usize, n: usize) -> bool;
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
pub(super) struct Algorithm<'a> {
    pub(super) collective: &'a dyn Collective,
    pub(super) params: &'a Params,
}

impl Source for Algorithm<'_> {
    fn name(&self) -> Cow<'_, str> {
        self.collective.describe().name
    }

    fn compact(&self, rank: Rank) -> Result<Generated> {
        compact(self.collective, self.params, rank)
    }

    fn steps(&self, rank: Rank) -> Result<Generated> {
        generate(self.collective, self.params, rank, 0..usize::MAX, Vec::new())
    }

    /// Some at random, so that no regularity of a group hides the others, and both ends. Whoever
    /// runs a lane compares it with the one proved.
    fn samples(&self, rank: usize, n: usize) -> bool {
        rank < 8 || rank + 1 == n || (mix(rank as u64) as usize) % n < SAMPLES
    }
}

impl Located for Algorithm<'_> {
    fn place(&self, At { lane: rank, step: index }: At) -> Result<Place, Stop> {
        let (window, own) = (index..index + 1, self.params.rank(rank));
        let generated = generate(self.collective, self.params, own, window, Vec::new())?;
        let step = generated.steps.first().copied();
        let place = step.map(|step| Place::Step { rank, index, step });
        place.ok_or_else(|| Finding::Impure { rank }.into())
    }
}

impl Located for Schedule {
    fn place(&self, At { lane: rank, step: index }: At) -> Result<Place, Stop> {
        Ok(Place::Step { rank, index, step: self.lanes[rank][index] })
    }
}

impl Source for Schedule {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.collective)
    }

    fn compact(&self, rank: Rank) -> Result<Generated> {
        Ok(Schedule::compact(self, rank))
    }

    fn steps(&self, rank: Rank) -> Result<Generated> {
        let steps = self.lanes[rank.index()].clone();
        Ok(Generated { steps, ..Schedule::compact(self, rank) })
    }

    fn samples(&self, _rank: usize, _n: usize) -> bool {
        true
    }
}

/// The lanes of a group.
pub(super) struct Lanes<'a> {
    pub(super) params: &'a Params,
    pub(super) source: &'a dyn Source,
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
/// time; and compared with the first, moved on.
const SAMPLES: usize = 64;

impl<'a> Lanes<'a> {
    /// Generates the lanes and checks every step by itself.
    pub(super) fn new(params: &'a Params, source: &'a dyn Source) -> Result<Self, Stop> {
        let n = params.ranks();
        let ordered = params.operation() == Operation::Barrier;
        let mut lanes = Self::none(params, source, ordered);
        for rank in 0..n {
            let generated = source.compact(params.rank(rank))?;
            if source.samples(rank, n)
                && source.compact(params.rank(rank))?.digest != generated.digest
            {
                return Err(Finding::Impure { rank }.into());
            }
            lanes.steps += generated.total;
            lanes.check(rank, &generated)?;
            lanes.compact.add(&generated.compact);
            if lanes.compact.held() > HELD_STEPS {
                return Err(too_large(&source.name(), n).into());
            }
            lanes.digests.push(generated.digest);
        }
        if lanes.ordered && n > CLOCKS {
            return Err(too_large(&source.name(), n).into());
        }
        Ok(lanes)
    }

    /// The steps of a rank as they were looked at.
    pub(super) fn steps(&self, rank: usize) -> Result<Vec<Step>, Stop> {
        let generated = self.source.steps(self.params.rank(rank))?;
        if generated.digest == self.digests[rank] {
            return Ok(generated.steps);
        }
        Err(Finding::Impure { rank }.into())
    }

    fn none(params: &'a Params, source: &'a dyn Source, ordered: bool) -> Self {
        let (compact, digests) = (CompactLanes::default(), Vec::new());
        Self { params, source, compact, digests, steps: 0, ordered, puts: false, aside: true }
    }

    /// The lane of a rank and its digest, if its steps are right by themselves and need no signals.
    pub(super) fn one(
        params: &'a Params,
        source: &'a dyn Source,
        rank: usize,
    ) -> Result<Option<(CompactLanes, u64)>, Stop> {
        let mut lanes = Self::none(params, source, false);
        let generated = source.compact(params.rank(rank))?;
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
        let held = [Space::Input, Space::Output].map(|space| self.params.held(rank, space));
        for (step, packed) in generated.compact.corners() {
            if let Some(why) = self.wrong(rank, packed, &held) {
                return Err(Finding::OutOfRange { place: place(step)?, why }.into());
            }
            self.aside &= packed.step().keeps_aside();
        }
        let of = |actions: &[Action]| generated.compact.actions().any(|a| actions.contains(&a));
        self.puts |= of(&[Action::Put]);
        self.ordered |= of(&[Action::Put, Action::Get, Action::GetReduce]);
        self.ordered |= of(&[Action::Signal, Action::Wait, Action::Barrier]);
        Ok(())
    }

    /// What is wrong with a step by itself.
    fn wrong(
        &self,
        rank: usize,
        step: Packed,
        held: &[std::ops::Range<usize>; 2],
    ) -> Option<String> {
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
        let outside = |owner: usize, chunks: ChunkRange| {
            let range = match chunks.space {
                space if owner != rank => self.params.held(owner, space),
                Space::Input => held[0].clone(),
                _ => held[1].clone(),
            };
            self.outside(owner, chunks, &range)
        };
        let get = matches!(step.action(), Action::Get | Action::GetReduce);
        let target = if step.action() == Action::Put { peer } else { rank };
        let read_only = step.action() != Action::Send && step.space() == Space::Input;
        outside(target, step.chunks())
            .or_else(|| outside(if get { peer } else { rank }, step.sources()))
            .or_else(|| read_only.then(|| "the input is read only".to_owned()))
    }

    /// Why `rank`, which holds the chunks `held` of this space, does not have `chunks`.
    fn outside(
        &self,
        rank: usize,
        chunks: ChunkRange,
        held: &std::ops::Range<usize>,
    ) -> Option<String> {
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
        let inside = held.start <= range.start && range.end <= held.end;
        let operation = self.params.operation();
        (!inside).then(|| format!("rank {rank} has no {chunks} in {operation} out of place"))
    }
}

/// Scratch chunks have numbers below this one.
const SCRATCH: usize = 1 << 24;

fn too_large(name: &str, ranks: usize) -> Error {
    let message = format!(
        "collective `{name}` is not proved for {ranks} ranks: a proof holds {HELD_STEPS} steps \
         that follow no rule, and orders the signals of {CLOCKS} ranks"
    );
    Error::new(ErrorKind::Unsupported, message).help("prove it for fewer ranks")
}
