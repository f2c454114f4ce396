//! The buffers of all ranks, as values.

use super::super::domain::Domain;
use crate::{BufferMode, ChunkRange, Params, Space};
use std::ops::Range;

/// The buffers of all ranks, and for each chunk how many messages carry it.
pub(super) struct Memory<V> {
    chunks: usize,
    output: Buffer<V>,
    scratch: Vec<Buffer<V>>,
}

#[derive(Clone)]
struct Buffer<V> {
    values: Vec<Option<V>>,
    pins: Vec<u32>,
}

impl<V: Clone> Memory<V> {
    /// The buffers before the first step, when the chunks of a rank that are `defined` hold its input.
    pub(super) fn new<D: Domain<Value = V>>(
        params: &Params,
        domain: &mut D,
        defined: impl Fn(usize) -> Range<usize>,
    ) -> Self {
        let (n, chunks) = (params.ranks(), params.chunks());
        let mut values = vec![None; n * chunks];
        for rank in (0..n).filter(|_| params.mode() == BufferMode::InPlace) {
            for chunk in defined(rank) {
                values[rank * chunks + chunk] = Some(domain.leaf(rank, chunk));
            }
        }
        let output = Buffer { values, pins: vec![0; n * chunks] };
        let scratch = vec![Buffer { values: Vec::new(), pins: Vec::new() }; n];
        Self { chunks, output, scratch }
    }

    /// The value of a chunk that was written.
    #[inline]
    pub(super) fn get(&self, rank: usize, space: Space, chunk: usize) -> Option<&V> {
        match space {
            Space::Scratch => self.scratch[rank].values.get(chunk)?.as_ref(),
            _ => self.output.values[rank * self.chunks + chunk].as_ref(),
        }
    }

    /// The place of a chunk that is about to be written.
    #[inline]
    pub(super) fn cell(&mut self, rank: usize, space: Space, chunk: usize) -> &mut Option<V> {
        if space != Space::Scratch {
            return &mut self.output.values[rank * self.chunks + chunk];
        }
        let Buffer { values, pins } = &mut self.scratch[rank];
        if chunk >= values.len() {
            values.resize(chunk + 1, None);
            pins.resize(chunk + 1, 0);
        }
        &mut values[chunk]
    }

    fn pins(&mut self, rank: usize, chunks: ChunkRange) -> &mut [u32] {
        let range = chunks.range();
        if chunks.space == Space::Scratch {
            let pins = &mut self.scratch[rank].pins;
            let end = range.end.min(pins.len());
            return &mut pins[range.start.min(end)..end];
        }
        &mut self.output.pins[rank * self.chunks..][range]
    }

    /// Notes that a message carries chunks, which are therefore not to be written.
    #[inline]
    pub(super) fn pin(&mut self, rank: usize, chunks: ChunkRange) {
        if chunks.space != Space::Input {
            self.pins(rank, chunks).iter_mut().for_each(|pin| *pin += 1);
        }
    }

    #[inline]
    pub(super) fn unpin(&mut self, rank: usize, chunks: ChunkRange) {
        if chunks.space != Space::Input {
            self.pins(rank, chunks).iter_mut().for_each(|pin| *pin -= 1);
        }
    }

    #[inline]
    pub(super) fn pinned(&mut self, rank: usize, chunks: ChunkRange) -> bool {
        self.pins(rank, chunks).iter().any(|&pin| pin > 0)
    }

    pub(super) fn row(&self, rank: usize) -> &[Option<V>] {
        &self.output.values[rank * self.chunks..(rank + 1) * self.chunks]
    }

    /// The scratch chunks of a rank up to the last one written.
    pub(super) fn scratch(&self, rank: usize) -> &[Option<V>] {
        &self.scratch[rank].values
    }
}
