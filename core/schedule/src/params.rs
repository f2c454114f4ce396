//! The parameters of a schedule: what a request resolves to.

mod places;
mod values;

pub use values::Contribution;

use super::{
    Arrangement, BufferMode, ChunkRange, Collective, Descriptor, Operation, Rank, Request, Space,
};
use ringwood_base::{Error, Result, counted, is_permutation};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The parameters of a schedule: the same on every rank, and independent of the data and its length.
///
/// Equivalent to the static part of TensorFlow's `CollectiveParams`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Params {
    operation: Operation,
    ranks: u32,
    chunks: u32,
    segments: u32,
    root: u32,
    mode: BufferMode,
    /// Where the input of each rank goes; empty if nothing moves.
    #[serde(default)]
    permutation: Vec<u32>,
    #[serde(default)]
    arrangement: Arrangement,
}

impl Params {
    /// The parameters of an algorithm in a group of `ranks`: unsegmented, with root 0 and the
    /// permutation that moves nothing.
    ///
    /// # Errors
    /// There are 2^32 ranks or more, or the descriptor does not allow this group size, or cuts the buffer
    /// in no chunks, or a blocked operation in other chunks than blocks.
    pub fn new(descriptor: &Descriptor, ranks: usize) -> Result<Self> {
        let name = &descriptor.name;
        if ranks > Rank::MOST {
            let most = Rank::MOST;
            let message =
                format!("collective `{name}` for {ranks} ranks: a group has at most {most}");
            return Err(Error::unsupported(message));
        }
        if !descriptor.constraint.allows(ranks) {
            let constraint = descriptor.constraint;
            let message = format!("collective `{name}` works for {constraint}, not for {ranks}");
            return Err(Error::unsupported(message));
        }
        let (operation, chunks) = (descriptor.operation, descriptor.chunks.count(ranks));
        if chunks == 0 || operation.blocked() && chunks != ranks {
            let message = format!("collective `{name}` cannot cut {operation} in {chunks} chunks");
            return Err(Error::invalid(message)
                .help("a vector has at least one chunk, a blocked operation one for each rank"));
        }
        Ok(Self {
            operation,
            ranks: ranks as u32,
            chunks: chunks as u32,
            segments: 1,
            root: 0,
            mode: descriptor.mode,
            permutation: Vec::new(),
            arrangement: Arrangement::default(),
        })
    }

    /// The parameters of an algorithm for a request, unsegmented.
    ///
    /// # Errors
    /// See [`Params::new`], [`Params::rooted`] and [`Params::permuted`]; or the operation is another
    /// one, or the arrangement of another group size. A buffer mode that the algorithm does not have
    /// is no error: whoever runs it works on a copy.
    pub fn of_request(descriptor: &Descriptor, request: &Request) -> Result<Self> {
        descriptor.check_computes(request.what.operation)?;
        let mut params = Self::new(descriptor, request.ranks)?.rooted(request.what.root)?;
        if let Some(mode) = request.mode.filter(|_| descriptor.both_modes) {
            params.mode = mode;
        }
        request.arrangement.check(request.ranks)?;
        params.arrangement = request.arrangement.clone();
        match request.what.permutation.as_deref() {
            Some(permutation) => params.permuted(permutation),
            None => Ok(params),
        }
    }

    /// What a collective resolves a request to: parameters for this request, in chunks and segments of its choice.
    ///
    /// ```
    /// # use ringwood_schedule::{Collective, Descriptor, Lane, Rank};
    /// use ringwood_base::DType;
    /// use ringwood_schedule::{Operation, Params, Request};
    ///
    /// # struct Chain;
    /// # impl Collective for Chain {
    /// #     fn describe(&self) -> Descriptor { Descriptor::broadcast("chain") }
    /// #     fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
    /// # }
    /// let request = Request::new(Operation::Broadcast, 4, 1000, DType::F32).root(2);
    /// assert_eq!(Params::resolved(&Chain, &request)?.root().index(), 2);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Params::of_request`]; or the author's code panics, or answers another request.
    pub fn resolved(collective: &dyn Collective, request: &Request) -> Result<Self> {
        let descriptor = collective.describe();
        let name = &descriptor.name;
        let given = catch_unwind(AssertUnwindSafe(|| collective.resolve(request)));
        let given = given.map_err(|payload| {
            Error::from_panic(format!("collective `{name}`, `Collective::resolve`,"), payload)
        })??;
        let asked = Self::of_request(&descriptor, request)?;
        let kept = [
            ("operation", given.operation == asked.operation),
            ("group size", given.ranks == asked.ranks),
            ("root", given.root == asked.root),
            ("permutation", given.permutation == asked.permutation),
            ("arrangement", given.arrangement == asked.arrangement),
            ("buffer mode", given.mode == asked.mode),
        ];
        let Some((what, _)) = kept.into_iter().find(|(_, kept)| !kept) else { return Ok(given) };
        let message =
            format!("`resolve` of collective `{name}` does not keep the {what} asked for");
        Err(Error::invalid(message).help(
            "begin with `Params::of_request(&self.describe(), request)?`, and choose segments",
        ))
    }

    /// The same, read from outside.
    ///
    /// # Errors
    /// There are no ranks, chunks or segments, or more chunks than blocks of a blocked operation, or
    /// the root, the permutation or the arrangement is of another group.
    pub fn checked(self) -> Result<Self> {
        let uneven = self.operation.blocked() && self.chunks != self.ranks;
        if self.ranks == 0 || self.chunks == 0 || uneven {
            let (operation, ranks, chunks) =
                (self.operation, counted(self.ranks(), "rank"), self.chunks);
            let message = format!("{operation} of {ranks} cannot have {chunks} chunks");
            return Err(Error::invalid(message));
        }
        self.arrangement.check(self.ranks())?;
        let (root, segments) = (self.root as usize, self.segments as usize);
        let permutation: Vec<_> = self.permutation.iter().map(|&rank| rank as usize).collect();
        let params = self.rooted(root)?.segmented(segments)?;
        if permutation.is_empty() { Ok(params) } else { params.permuted(&permutation) }
    }

    /// The same for ranks that lie anywhere, as a schedule needs no more that does not ask where.
    ///
    /// ```
    /// use ringwood_base::DType;
    /// use ringwood_schedule::{Arrangement, Descriptor, Operation, Params, Request};
    ///
    /// let two_machines = Arrangement::of_tasks(&[1, 1])?;
    /// let request = Request::new(Operation::AllReduce, 2, 8, DType::F32).arrangement(two_machines);
    /// let descriptor = Descriptor::all_reduce("pair");
    /// let params = Params::of_request(&descriptor, &request)?;
    /// assert_eq!(params.unarranged(), Params::new(&descriptor, 2)?);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    #[must_use]
    pub fn unarranged(self) -> Self {
        Self { arrangement: Arrangement::default(), ..self }
    }

    /// The same with every chunk cut into `segments`.
    ///
    /// # Errors
    /// `segments` is 0, or the number of chunks exceeds `u32::MAX`.
    pub fn segmented(self, segments: usize) -> Result<Self> {
        let fits = u32::try_from(segments).ok().filter(|&s| s > 0);
        let Some(segments) = fits.filter(|&s| self.chunks.checked_mul(s).is_some()) else {
            let message = format!("{} chunks cannot have {segments} segments each", self.chunks);
            return Err(Error::invalid(message));
        };
        Ok(Self { segments, ..self })
    }

    /// The same with another root.
    ///
    /// # Errors
    /// `root` is not a rank of the group.
    pub fn rooted(self, root: usize) -> Result<Self> {
        if root >= self.ranks() {
            let message =
                format!("root {root} is not in a group of {}", counted(self.ranks(), "rank"));
            return Err(Error::invalid(message));
        }
        Ok(Self { root: root as u32, ..self })
    }

    /// The same where the input of rank `r` goes to rank `permutation[r]`.
    ///
    /// # Errors
    /// `permutation` does not name every rank of the group once.
    pub fn permuted(self, permutation: &[usize]) -> Result<Self> {
        if !is_permutation(permutation, self.ranks()) {
            let message = format!(
                "{permutation:?} is not a permutation of {}",
                counted(self.ranks(), "rank")
            );
            return Err(Error::invalid(message));
        }
        let permutation = permutation.iter().map(|&r| r as u32).collect();
        Ok(Self { permutation, ..self })
    }

    /// The same in another buffer mode, for an algorithm that works in both.
    #[must_use]
    pub fn in_mode(self, mode: BufferMode) -> Self {
        Self { mode, ..self }
    }

    /// What the schedule must compute.
    pub const fn operation(&self) -> Operation {
        self.operation
    }

    /// The size of the group; at least 1.
    pub const fn ranks(&self) -> usize {
        self.ranks as usize
    }

    /// The number of chunks that steps may name, all segments counted.
    pub const fn chunks(&self) -> usize {
        self.chunks as usize * self.segments as usize
    }

    /// The number of segments of each chunk.
    pub const fn segments(&self) -> usize {
        self.segments as usize
    }

    /// The rank that a rooted operation starts from or ends at.
    pub fn root(&self) -> Rank {
        self.rank(self.root as usize)
    }

    /// The rank that gets the input of `rank` in a permutation.
    pub fn permuted_to(&self, rank: usize) -> usize {
        self.permutation.get(rank).map_or(rank, |&to| to as usize)
    }

    /// The rank whose input `rank` gets in a permutation.
    pub fn permuted_from(&self, rank: usize) -> usize {
        let from = self.permutation.iter().position(|&to| to as usize == rank);
        from.unwrap_or(rank)
    }

    /// How input and output relate.
    pub const fn mode(&self) -> BufferMode {
        self.mode
    }

    /// Rank `index`, modulo the group size.
    pub fn rank(&self, index: usize) -> Rank {
        Rank::new(index % self.ranks(), self.ranks())
    }

    /// Chunk `index` of the output, with all its segments.
    pub fn chunk(&self, index: impl Into<usize>) -> ChunkRange {
        let first = index.into().saturating_mul(self.segments());
        range(Space::Output, first, self.segments())
    }

    /// One segment of chunk `index` of the output.
    pub fn segment(&self, index: impl Into<usize>, segment: usize) -> ChunkRange {
        let first = index.into().saturating_mul(self.segments()).saturating_add(segment);
        range(Space::Output, first, 1)
    }

    /// Chunk `index` of the input; in place, the output's.
    pub fn input(&self, index: impl Into<usize>) -> ChunkRange {
        self.of_input(self.chunk(index))
    }

    /// The same chunks of the input; in place, of the output.
    pub fn of_input(&self, chunks: ChunkRange) -> ChunkRange {
        match self.mode {
            BufferMode::InPlace => chunks,
            BufferMode::OutOfPlace => chunks.of(Space::Input),
        }
    }

    /// Chunk `index` of the scratch buffer, as large as chunk `index` of the output; beyond the
    /// number of chunks another buffer begins.
    pub fn scratch(&self, index: impl Into<usize>) -> ChunkRange {
        self.chunk(index).of(Space::Scratch)
    }

    /// Consecutive chunks of the output, with all their segments.
    pub fn span(&self, first: impl Into<usize>, count: usize) -> ChunkRange {
        let first = first.into().saturating_mul(self.segments());
        range(Space::Output, first, count.saturating_mul(self.segments()))
    }

    /// The whole output.
    pub fn all(&self) -> ChunkRange {
        range(Space::Output, 0, self.chunks())
    }
}

/// Numbers that do not fit are kept out of range, where the verifier reports them at their step.
fn range(space: Space, first: usize, count: usize) -> ChunkRange {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    ChunkRange { space, first: narrow(first), count: narrow(count) }
}

#[cfg(test)]
mod tests;
