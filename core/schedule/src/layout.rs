//! Where the chunks of a rank lie in its buffers.

use super::chunk::{CACHE_LINE, Partition};
use super::{BufferMode, ChunkRange, Operation, Params, Request, Space};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Where the chunks of every rank lie in its buffers, for one request.
///
/// Every buffer begins with the first chunk that the rank [holds](Params::held) of it: out of place
/// the input of an all-gather is one block, not a hole in `n` of them.
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_schedule::{BufferMode, Descriptor, Layout, Operation, Params, Request, Space};
///
/// let request = Request::new(Operation::AllGather, 4, 100, DType::F32).mode(BufferMode::OutOfPlace);
/// let params = Params::of_request(&Descriptor::all_gather("any").both_modes(), &request)?;
/// let layout = Layout::new(&params, &request)?;
/// assert_eq!(layout.length(2, Space::Input), 100);
/// assert_eq!(layout.elements(2, params.input(2_usize)), 0..100);
/// assert_eq!(layout.elements(2, params.chunk(2_usize)), 200..300);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    params: Params,
    /// The bytes of an element as it travels and of what it is merged in.
    forms: [usize; 2],
    cut: Cut,
}

#[derive(Clone, Debug)]
enum Cut {
    /// One vector.
    Vector(Partition),
    /// Blocks, each cut like the others.
    Equal(Partition),
    /// The borders of blocks in elements: one more than there are blocks.
    Borders(Vec<usize>),
    /// Row by row, the elements that each rank sends to each.
    Matrix(Vec<usize>),
}

impl Layout {
    /// The layout of `request` with the chunks of `params`.
    ///
    /// # Errors
    /// A buffer would exceed memory, the counts are not as many as the operation needs, or an
    /// all-to-all in place has two ranks that send each other different counts.
    pub fn new(params: &Params, request: &Request) -> Result<Self> {
        let operation = params.operation();
        request.bytes()?;
        let (elements, unit, n) = (request.units(), request.unit(), params.ranks());
        let cut = match operation {
            Operation::Barrier => Cut::Vector(Partition::new(0, unit, params.chunks())),
            _ if !operation.blocked() => {
                Cut::Vector(Partition::new(elements, unit, params.chunks()))
            }
            _ => match request.what.counts.as_deref() {
                None => Cut::Equal(Partition::new(elements, unit, params.segments())),
                Some(counts) if operation == Operation::AllToAll => {
                    check_symmetry(params, counts)?;
                    Cut::Matrix(counts.to_vec())
                }
                Some(counts) => {
                    let ends = counts.iter().scan(0, |end, count| {
                        *end += count;
                        Some(*end)
                    });
                    Cut::Borders(std::iter::once(0).chain(ends).take(n + 1).collect())
                }
            },
        };
        Ok(Self { params: params.clone(), forms: request.forms(), cut })
    }

    /// The parameters of the schedule whose chunks they are.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The bytes of an element, as it travels.
    pub fn unit(&self) -> usize {
        self.forms[0]
    }

    /// Whether elements are merged in another form than the one in which they travel.
    pub fn converts(&self) -> bool {
        self.forms[0] != self.forms[1]
    }

    /// The bytes of an element in a buffer: scratch chunks hold what is merged.
    pub(crate) fn form(&self, space: Space) -> usize {
        self.forms[usize::from(space == Space::Scratch)]
    }

    /// The elements of `chunks` in their buffer of `rank`, which holds them.
    pub fn elements(&self, rank: usize, chunks: ChunkRange) -> Range<usize> {
        let (range, all) = (chunks.range(), self.params.chunks());
        if chunks.space == Space::Scratch {
            let copy = range.start / all;
            let start = copy * self.scratch_buffer();
            let border = |i: usize| start + self.border(rank, Space::Scratch, i - copy * all);
            return border(range.start)..border(range.end);
        }
        let first = self.border(rank, chunks.space, self.params.held(rank, chunks.space).start);
        let border = |i: usize| self.border(rank, chunks.space, i) - first;
        border(range.start)..border(range.end)
    }

    /// The bytes of `chunks` in their buffer of `rank`.
    pub fn bytes(&self, rank: usize, chunks: ChunkRange) -> Range<usize> {
        let (elements, size) = (self.elements(rank, chunks), self.form(chunks.space));
        elements.start * size..elements.end * size
    }

    /// The elements of the input or output buffer of `rank`.
    pub fn length(&self, rank: usize, space: Space) -> usize {
        let held = self.params.held(rank, space);
        self.border(rank, space, held.end) - self.border(rank, space, held.start)
    }

    /// The elements of scratch memory for the chunks up to `chunks`.
    pub fn scratch(&self, chunks: usize) -> usize {
        chunks.div_ceil(self.params.chunks()) * self.scratch_buffer()
    }

    /// Whether a schedule whose moves are `moves` moves between chunks of equal sizes only.
    pub fn allows(&self, moves: Moves) -> bool {
        match (&self.cut, moves) {
            (_, Moves::SameChunk) | (Cut::Equal(_), Moves::SameSegment) => true,
            (Cut::Vector(cut) | Cut::Equal(cut), _) => cut.even(),
            (Cut::Borders(_) | Cut::Matrix(_), _) => false,
        }
    }

    /// A whole buffer of scratch chunks, up to the next line of cache.
    fn scratch_buffer(&self) -> usize {
        let line = (CACHE_LINE / self.unit()).max(1);
        self.border(0, Space::Scratch, self.params.chunks()).next_multiple_of(line)
    }

    /// Where chunk `index` begins if the buffer has all chunks.
    fn border(&self, rank: usize, space: Space, index: usize) -> usize {
        let segments = self.params.segments();
        let (block, segment) = (index / segments, index % segments);
        let start = |start: usize, length: usize| {
            start + Partition::new(length, self.unit(), segments).elements(0..segment).end
        };
        match &self.cut {
            Cut::Vector(cut) => cut.elements(0..index).end,
            Cut::Equal(cut) => {
                let length = cut.elements(0..segments).end;
                block * length + cut.elements(0..segment).end
            }
            Cut::Borders(borders) => {
                let end = borders.get(block + 1).unwrap_or(&borders[block]);
                start(borders[block], end - borders[block])
            }
            Cut::Matrix(counts) => {
                let n = self.params.ranks();
                let count = |peer: usize| match space {
                    Space::Input => counts[rank * n + peer],
                    Space::Output => counts[peer * n + rank],
                    Space::Scratch => 0,
                };
                start((0..block).map(count).sum(), if block < n { count(block) } else { 0 })
            }
        }
    }
}

/// Which chunks the moves of a schedule connect: what it asks of their sizes.
///
/// In an all-to-all, block `d` of the input of rank `s` and block `s` of the output of rank `d`
/// count as one chunk: that is where it goes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Chunks keep their number: any sizes.
    #[default]
    SameChunk,
    /// Chunks keep their segment: blocks of equal sizes.
    SameSegment,
    /// Chunks change their number: chunks of equal sizes.
    Any,
}

impl Moves {
    /// What a move from chunks of a rank to chunks of a rank connects.
    pub(crate) fn between(
        params: &Params,
        from: (usize, ChunkRange),
        to: (usize, ChunkRange),
    ) -> Self {
        let (chunks, segments) = (params.chunks(), params.segments());
        let (source, target) = (from.1.first as usize, to.1.first as usize);
        let same = if params.operation() == Operation::AllToAll {
            home(params, from).is_some_and(|source| home(params, to) == Some(source))
        } else {
            source % chunks == target % chunks
        };
        match (same, source % segments == target % segments) {
            (true, _) => Moves::SameChunk,
            (false, true) => Moves::SameSegment,
            (false, false) => Moves::Any,
        }
    }
}

/// In an all-to-all: where the chunks come from, as rank and chunk of its input, if they are in a place
/// of the operation.
fn home(params: &Params, (rank, chunks): (usize, ChunkRange)) -> Option<(usize, usize)> {
    let (first, segments) = (chunks.first as usize, params.segments());
    match chunks.space {
        Space::Input => Some((rank, first)),
        Space::Output if first % segments + chunks.count as usize <= segments => {
            Some((first / segments, rank * segments + first % segments))
        }
        _ => None,
    }
}

/// In place, block `s` is both what goes to rank `s` and what comes from it.
fn check_symmetry(params: &Params, counts: &[usize]) -> Result<()> {
    let n = params.ranks();
    let differ = |&(s, d): &(usize, usize)| counts[s * n + d] != counts[d * n + s];
    let pairs = (0..n).flat_map(|s| (0..s).map(move |d| (d, s)));
    match pairs.filter(|_| params.mode() == BufferMode::InPlace).find(differ) {
        None => Ok(()),
        Some((s, d)) => Err(Error::invalid(format!(
            "all_to_all in place: rank {s} sends rank {d} {} elements and gets {}",
            counts[s * n + d],
            counts[d * n + s]
        ))
        .help("use a separate output")),
    }
}

#[cfg(test)]
mod tests;
