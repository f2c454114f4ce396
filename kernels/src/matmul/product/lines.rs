//! A factor of a product as lines: rows of the first one, columns of the second one.

use super::Float;
use std::ops::Range;

/// The elements of a line that are packed at a time: few, so that what is written stays in the cache.
const AT_ONCE: usize = 8;

/// `count` lines of `depth` elements, dense.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a, T> {
    pub(super) elements: &'a [T],
    pub(super) count: usize,
    pub(super) depth: usize,
    /// Whether the elements of a line lie side by side; if not, those of one depth do.
    pub(super) along: bool,
}

impl<'a, T: Float> Lines<'a, T> {
    /// Packs `W` lines from `start` on, zeros for those that there are not: one depth after the other.
    /// Never part of a version: with AVX-512 it would scatter elements, which is slower.
    #[inline(never)]
    pub(super) fn pack<const W: usize>(&self, start: usize, block: Range<usize>, out: &mut [T]) {
        let out = out.as_chunks_mut::<W>().0;
        let width = W.min(self.count - start);
        if width < W {
            out.fill([T::ZERO; W]);
        }
        if !self.along {
            let rows = self.elements[block.start * self.count..].chunks_exact(self.count);
            for (out, row) in out.iter_mut().zip(rows) {
                match row[start..start + width].first_chunk::<W>() {
                    Some(row) => *out = *row,
                    None => out[..width].copy_from_slice(&row[start..start + width]),
                }
            }
            return;
        }
        for (at, out) in block.step_by(AT_ONCE).zip(out.chunks_mut(AT_ONCE)) {
            for i in 0..width {
                let line = &self.elements[(start + i) * self.depth + at..];
                match (out.first_chunk_mut::<AT_ONCE>(), line.first_chunk::<AT_ONCE>()) {
                    (Some(out), Some(line)) => (0..AT_ONCE).for_each(|l| out[l][i] = line[l]),
                    _ => out.iter_mut().zip(line).for_each(|(out, element)| out[i] = *element),
                }
            }
        }
    }

    /// `W` lines where they lie, if there are as many and those of one depth lie side by side.
    #[inline(always)]
    pub(super) fn lines<const W: usize>(
        &self,
        start: usize,
        block: Range<usize>,
    ) -> Option<impl ExactSizeIterator<Item = &'a [T; W]> + Clone> {
        let elements = &self.elements[block.start * self.count..block.end * self.count];
        let rows = elements.chunks_exact(self.count);
        let line = move |row: &'a [T]| row[start..].first_chunk().expect("the lines are there");
        (!self.along && start + W <= self.count).then(|| rows.map(line))
    }
}
