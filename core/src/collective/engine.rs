//! From a proved schedule to what a rank runs.

mod local;
mod lower;
mod merge;
mod native;
mod program;
mod races;

pub(super) use local::{Apply, Local, Spot};
pub(super) use lower::Links;
pub use merge::Merge;
pub(super) use merge::group_size_as;

pub(super) use native::NativeKernel;
pub use program::{Address, Memory, Op, Program};
pub(super) use races::{Race, find_race};

use super::ReduceOp;
use super::schedule::generate;
use super::verify::{Proof, Trees, prove};
use super::{Collective, Moves, Operation, Params, Partition, Rank, Request, Step};
use crate::registry::Registry;
use crate::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::sync::Arc;

/// One rank's share of a proved schedule, for one buffer size, element type and merge: what a
/// transport compiles.
pub struct Plan {
    rank: Rank,
    params: Params,
    collective: &'static dyn Collective,
    proof: Arc<Proof>,
    partition: Partition,
    merge: Merge,
}

impl Plan {
    /// Proves `collective` for the request, unless that was done before, and finds its merge.
    ///
    /// # Errors
    /// The collective does not work for this group size, is wrong, or no kernel merges this type.
    pub(super) fn new(
        collective: &'static dyn Collective,
        registry: &Registry,
        rank: Rank,
        request: &Request,
        op: ReduceOp,
    ) -> Result<Self> {
        let params = collective.resolve(request)?;
        let proof = prove(collective, &params)?;
        let merge = Merge::find(registry, op, request)?;
        check_supported(&proof, &params)?;
        let partition = Partition::of_units(request.elements, request.unit(), params.chunks());
        Ok(Self { rank, params, collective, proof, partition, merge })
    }

    /// The rank that runs it.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// The parameters of the schedule.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The bytes of a rank's input; of the largest, where ranks differ.
    pub fn input_bytes(&self) -> usize {
        self.partition.elements(0..self.partition.chunks()).len() * self.merge.unit()
    }

    /// The cut of the buffer into chunks.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The merge of two values.
    pub fn merge(&self) -> &Merge {
        &self.merge
    }

    /// The steps of any rank of the group, in order.
    ///
    /// # Errors
    /// The author's code panics, or gives other steps than those that were proved.
    pub fn steps(&self, rank: Rank) -> Result<Vec<Step>> {
        let all = 0..usize::MAX;
        let generated = generate(self.collective, &self.params, rank, all, Vec::new())?;
        if generated.digest == self.proof.digests[rank.index()] {
            return Ok(generated.steps);
        }
        let name = &self.proof.verdict.collective;
        let message = format!("collective `{name}`: the steps of rank {rank} are not those proved");
        Err(Error::new(ErrorKind::NotVerified, message))
    }

    /// What this rank computes where each rank sees the inputs of all: the same merges in the same
    /// order as the schedule's, so the same bits.
    ///
    /// # Errors
    /// See [`Plan::steps`].
    pub(super) fn local(&self) -> Result<Local> {
        let trees = Trees::of(self.collective, &self.params, self.rank.index())?;
        let size = self.merge.unit();
        Ok(Local::new(&trees, self.rank.index() as u32, &self.partition, size))
    }

    /// The program that this rank runs where peers read each other's memory. Chunks of more than
    /// `tile` bytes are done tile by tile, so that a tile is still in cache when it is used again.
    ///
    /// # Errors
    /// See [`Plan::steps`].
    pub fn lower(&self, tile: usize) -> Result<Program> {
        let lane = |rank| self.steps(rank).map(Cow::Owned);
        let links = Links::new(&self.params, &self.proof.staged, &lane);
        let facts = (&self.proof.completing[self.rank.index()], self.proof.verdict.scratch > 0);
        links.lower(self.rank, facts.0, facts.1, &self.partition, self.merge.unit(), tile)
    }
}

/// Refuses what is proved but does not run.
pub(super) fn check_supported(proof: &Proof, params: &Params) -> Result<()> {
    let verdict = &proof.verdict;
    let why = if params.operation() != Operation::AllReduce {
        params.operation().to_string()
    } else if verdict.moves != Moves::SameChunk {
        "a schedule that moves a chunk to another one".to_owned()
    } else if verdict.scratch_extent > params.chunks() {
        "a schedule with more scratch chunks than the buffer has".to_owned()
    } else {
        return Ok(());
    };
    let message = format!("collective `{}`: the engine does not run {why}", verdict.collective);
    Err(Error::new(ErrorKind::Unsupported, message))
}
