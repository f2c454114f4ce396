//! The parameters of a schedule: what a request resolves to.

use super::{BufferMode, ChunkRange, Chunks, Descriptor, Rank, Space};
use crate::{DType, Error, ErrorKind, Result};

/// What a group asks of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Request {
    /// The size of the group.
    pub ranks: usize,
    /// The number of elements of each rank's buffer.
    pub elements: usize,
    /// The type of the elements.
    pub dtype: DType,
    /// The rank that a rooted operation starts from or ends at.
    pub root: usize,
}

impl Request {
    /// A request of `ranks` ranks for `elements` elements of `dtype`; the root is rank 0.
    pub const fn new(ranks: usize, elements: usize, dtype: DType) -> Self {
        Self { ranks, elements, dtype, root: 0 }
    }
}

/// The parameters of a schedule: the same on every rank, and independent of the data.
///
/// Equivalent to the static part of TensorFlow's `CollectiveParams`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Params {
    ranks: u32,
    chunks: u32,
    segments: u32,
    root: u32,
    mode: BufferMode,
}

impl Params {
    /// The parameters of an algorithm in a group of `ranks`, unsegmented, with root 0.
    ///
    /// # Errors
    /// The descriptor does not allow this group size.
    pub fn new(descriptor: &Descriptor, ranks: usize) -> Result<Self> {
        if !descriptor.constraint.allows(ranks) || u32::try_from(ranks).is_err() {
            let message = format!(
                "collective `{}` works for {}, not for {ranks}",
                descriptor.name, descriptor.constraint
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let chunks = match descriptor.chunks {
            Chunks::PerRank => ranks as u32,
            Chunks::Whole => 1,
        };
        Ok(Self { ranks: ranks as u32, chunks, segments: 1, root: 0, mode: descriptor.mode })
    }

    /// The same with every chunk cut into `segments`.
    ///
    /// # Errors
    /// `segments` is 0, or the number of chunks exceeds `u32::MAX`.
    pub fn segmented(self, segments: usize) -> Result<Self> {
        let fits = u32::try_from(segments).ok().filter(|&s| s > 0);
        let Some(segments) = fits.filter(|&s| self.chunks.checked_mul(s).is_some()) else {
            let message = format!("{} chunks cannot have {segments} segments each", self.chunks);
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        };
        Ok(Self { segments, ..self })
    }

    /// The same with another root.
    ///
    /// # Errors
    /// `root` is not a rank of the group.
    pub fn rooted(self, root: usize) -> Result<Self> {
        if root >= self.ranks() {
            let message = format!("root {root} is not in a group of {} ranks", self.ranks);
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Ok(Self { root: root as u32, ..self })
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
        match self.mode {
            BufferMode::InPlace => self.chunk(index),
            BufferMode::OutOfPlace => self.chunk(index).of(Space::Input),
        }
    }

    /// Chunk `index` of the scratch buffer, as large as chunk `index` of the output.
    pub fn scratch(&self, index: impl Into<usize>) -> ChunkRange {
        self.chunk(index).of(Space::Scratch)
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
mod tests {
    use super::*;

    #[test]
    fn group_sizes_outside_of_the_constraint_are_refused_by_name() {
        let descriptor = Descriptor::all_reduce("halving").power_of_two_ranks();
        assert!(Params::new(&descriptor, 8).is_ok());
        let error = Params::new(&descriptor, 6).unwrap_err();
        assert_eq!(
            error.message(),
            "collective `halving` works for a power of two of ranks, not for 6"
        );
        assert!(Params::new(&Descriptor::all_reduce("ring"), 0).is_err());
    }

    #[test]
    fn segments_subdivide_every_chunk() {
        let descriptor = Descriptor::all_reduce("ring").chunks(Chunks::PerRank);
        let p = Params::new(&descriptor, 3).unwrap().segmented(4).unwrap();
        assert_eq!(p.chunks(), 12);
        assert_eq!(p.chunk(p.rank(2)).range(), 8..12);
        assert_eq!(p.segment(1_usize, 3).range(), 7..8);
        assert!(p.clone().segmented(0).is_err());
        assert!(p.segmented(usize::MAX).is_err());
    }
}
