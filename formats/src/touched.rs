//! Who touched chunks last.

use ringwood_schedule::{BufferMode, ChunkRange, Params, Space};
use std::collections::HashMap;

/// Who touched the chunks of a rank last, so that what touches them next comes after that.
pub(crate) struct Touched<N> {
    in_place: bool,
    /// For each chunk: who wrote it, and who read it since.
    chunks: HashMap<(Space, usize), (Option<N>, Vec<N>)>,
}

impl<N: Copy + Ord> Touched<N> {
    pub(crate) fn new(params: &Params) -> Self {
        Self { in_place: params.mode() == BufferMode::InPlace, chunks: HashMap::new() }
    }

    /// The chunks of several ranges; in place, those of the input are the output's.
    fn all(&self, ranges: &[ChunkRange]) -> Vec<(Space, usize)> {
        let of = |range: &ChunkRange| {
            let same = self.in_place && range.space == Space::Input;
            let space = if same { Space::Output } else { range.space };
            range.range().map(move |chunk| (space, chunk))
        };
        ranges.iter().flat_map(of).collect()
    }

    /// Those that an access comes after, in their order, each once.
    pub(crate) fn before(&self, reads: &[ChunkRange], writes: &[ChunkRange]) -> Vec<N> {
        let mut before = Vec::new();
        for (ranges, write) in [(reads, false), (writes, true)] {
            for (writer, readers) in self.all(ranges).iter().filter_map(|c| self.chunks.get(c)) {
                before.extend(writer);
                before.extend(readers.iter().filter(|_| write));
            }
        }
        before.sort_unstable();
        before.dedup();
        before
    }

    pub(crate) fn note(&mut self, by: N, reads: &[ChunkRange], writes: &[ChunkRange]) {
        for chunk in self.all(reads) {
            self.chunks.entry(chunk).or_default().1.push(by);
        }
        for chunk in self.all(writes) {
            self.chunks.insert(chunk, (Some(by), Vec::new()));
        }
    }
}
