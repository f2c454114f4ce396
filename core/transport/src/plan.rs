//! From a proved schedule to what a rank runs.

mod merge;
mod native;
mod prepared;

pub use merge::Merge;
pub use merge::group_size_as;
pub use native::NativeKernel;
pub(crate) use prepared::Prepared;

use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result, Shared};
use ringwood_schedule::lower::{Address, Links, Local, Op, Places, Program, brought};
use ringwood_schedule::{
    BufferMode, Capabilities, ChunkRange, Collective, Layout, Moves, Operation, Params, Proof,
    Rank, Request, Space, Step, Trees, generate, prove,
};
use std::borrow::Cow;
use std::sync::Arc;

/// One rank's share of a proved schedule, for one request and merge: what a transport compiles.
#[derive(Clone)]
pub struct Plan {
    rank: Rank,
    collective: Shared<dyn Collective>,
    proof: Arc<Proof>,
    places: Places,
    merge: Option<Merge>,
}

impl Plan {
    /// Proves `collective` for the request, unless that was done before, and finds its merge.
    ///
    /// # Errors
    /// The collective does not work for this group size or these counts, is wrong, or no kernel
    /// merges this type.
    pub fn new(
        collective: Shared<dyn Collective>,
        registry: &Registry,
        rank: Rank,
        request: &Request,
    ) -> Result<Self> {
        let (proof, places) = fit(&*collective, request)?;
        let find = |op| Merge::find(registry, op, request);
        let merge = request.what.reduce.map(find).transpose()?;
        Ok(Self { rank, collective, proof, places, merge })
    }

    /// The rank that runs it.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// The parameters of the schedule.
    pub fn params(&self) -> &Params {
        self.places.schedule.params()
    }

    /// Where the chunks of every rank lie in its buffers, as the schedule has them.
    pub fn layout(&self) -> &Layout {
        &self.places.schedule
    }

    /// How the caller's input and output relate. Where the schedule has another mode, its buffers
    /// are working copies: [`Plan::copies`] says how they are filled and emptied.
    pub fn mode(&self) -> BufferMode {
        self.places.call.params().mode()
    }

    /// The bytes of the input and of the output that this rank's caller has; in place, twice the
    /// same.
    pub fn lengths(&self) -> [usize; 2] {
        let (layout, rank) = (&self.places.call, self.rank.index());
        [Space::Input, Space::Output].map(|s| layout.length(rank, s) * layout.unit())
    }

    /// Where `chunks` of `rank` lie in the memory that it brings to a call.
    pub fn place(&self, rank: usize, chunks: ChunkRange) -> Address {
        self.places.place(rank, chunks)
    }

    /// The bytes of the arena of `rank`: its working copy and its scratch chunks.
    pub fn arena(&self, rank: usize) -> usize {
        self.places.arena(rank)
    }

    /// The copies that this rank makes before its first step and after its last one.
    pub fn copies(&self) -> [Option<Op>; 2] {
        let rank = self.rank.index();
        [self.places.copy_in(rank), self.places.copy_out(rank)].map(|copy| {
            copy.map(|copy| Op::Copy {
                source: copy.source,
                target: copy.target,
                bytes: self.places.bytes(rank, copy.chunks),
            })
        })
    }

    /// The merge of two values, where the operation reduces.
    pub fn merge(&self) -> Option<&Merge> {
        self.merge.as_ref()
    }

    /// The (step, chunk) pairs at which a merge of this rank completes a chunk, which
    /// [`Merge::complete`] then finishes; sorted.
    pub fn completing(&self) -> &[(u32, u32)] {
        &self.proof.completing[self.rank.index()]
    }

    /// The most bytes of input that a rank contributes.
    pub fn input_bytes(&self) -> usize {
        let ranks = 0..self.params().ranks();
        ranks.map(|rank| brought(&self.places, rank).len()).max().unwrap_or(0)
    }

    /// The bytes of the caller's input that hold values when the call begins.
    pub(super) fn brought(&self) -> std::ops::Range<usize> {
        brought(&self.places, self.rank.index())
    }

    /// The steps of any rank of the group, in order.
    ///
    /// # Errors
    /// The author's code panics, or gives other steps than those that were proved.
    pub fn steps(&self, rank: Rank) -> Result<Vec<Step>> {
        let all = 0..usize::MAX;
        let generated = generate(&*self.collective, self.params(), rank, all)?;
        if self.proof.digests.of(rank.index()) == Some(generated.digest) {
            return Ok(generated.steps);
        }
        let name = &self.proof.verdict.collective;
        let message = format!("collective `{name}`: the steps of rank {rank} are not those proved");
        Err(Error::not_verified(message))
    }

    /// What this rank computes where each rank sees the inputs of all: the same merges in the same
    /// order as the schedule's, so the same bits.
    pub(super) fn local(&self) -> Result<Local> {
        let trees =
            Trees::of(&*self.collective, self.params(), self.rank.index(), &self.proof.digests)?;
        Ok(Local::new(&trees, self.rank.index(), &self.places))
    }

    /// The program that this rank runs where peers read each other's memory. Chunks of more than
    /// `tile` bytes are done tile by tile, so that a tile is still in cache when it is used again.
    ///
    /// # Errors
    /// See [`Plan::steps`].
    pub fn lower(&self, tile: usize) -> Result<Program> {
        let lane = |rank| self.steps(rank).map(Cow::Owned);
        let verdict = &self.proof.verdict;
        let one_sided = verdict.signals > 0 || verdict.needs != Capabilities::NONE;
        let one_sided = one_sided || self.params().operation() == Operation::Barrier;
        let (places, staged) = (&self.places, &self.proof.staged);
        let links = Links { places, staged, lane: &lane, one_sided };
        links.lower(self.rank, self.completing(), tile)
    }
}

/// Proves a collective for a request, unless that was done before, and places its chunks.
///
/// # Errors
/// It does not work for this group size or these counts, or is wrong.
pub fn fit(collective: &dyn Collective, request: &Request) -> Result<(Arc<Proof>, Places)> {
    let params = Params::resolved(collective, request)?;
    let proof = prove(collective, &params)?;
    let verdict = &proof.verdict;
    let places = Places::new(&params, request, verdict.scratch_extent)?;
    if places.schedule.allows(verdict.moves) {
        return Ok((proof, places));
    }
    let needs = match verdict.moves {
        Moves::SameSegment => "blocks of equal sizes",
        _ => "chunks of equal sizes",
    };
    let (name, chunks) = (&verdict.collective, params.chunks());
    let what = if request.what.counts.is_none() {
        format!("{} elements in {chunks} chunks", request.elements)
    } else {
        "counts that differ".to_owned()
    };
    let message = format!("collective `{name}` needs {needs}, not {what}");
    Err(Error::unsupported(message).help("use another algorithm, or pad the data"))
}
