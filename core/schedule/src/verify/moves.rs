//! Which chunks a move connects.

use crate::{ChunkRange, Moves, Operation, Params, Space};

impl Moves {
    /// What a move from chunks of a rank to chunks of a rank connects.
    pub(super) fn between(
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
        Space::Output if chunks.count as usize <= segments => {
            Some((first / segments, rank * segments + first % segments))
        }
        _ => None,
    }
}
