//! A factor of a product as lines: rows of the first one, columns of the second one.

use super::Float;
use std::ops::Range;

/// The elements of a line that are packed at a time: few, so that what is written stays in the cache.
const AT_ONCE: usize = 8;

/// `count` lines of `depth` elements.
#[derive(Clone, Copy)]
pub(in super::super) struct Lines<'a, T> {
    pub(in super::super) elements: &'a [T],
    pub(in super::super) count: usize,
    pub(in super::super) depth: usize,
    /// The elements from a line to the next one.
    pub(in super::super) across: usize,
    /// The elements from one of a line to the next one.
    pub(in super::super) along: usize,
}

impl<'a, T: Float> Lines<'a, T> {
    /// `count` rows of `depth` elements, dense.
    pub(in super::super) fn rows(elements: &'a [T], count: usize, depth: usize) -> Self {
        Self { elements, count, depth, across: depth, along: 1 }
    }

    /// `count` columns of `depth` elements, stored by rows, dense.
    pub(in super::super) fn columns(elements: &'a [T], count: usize, depth: usize) -> Self {
        Self { elements, count, depth, across: 1, along: count }
    }

    /// Whether the elements reach as far as the lines do.
    pub(super) fn are_there(&self) -> bool {
        let last = |extent: usize, step: usize| (extent - 1).checked_mul(step);
        let reach = || last(self.count, self.across)?.checked_add(last(self.depth, self.along)?);
        let empty = self.count == 0 || self.depth == 0;
        empty || reach().is_some_and(|last| last < self.elements.len())
    }

    /// Packs `W` lines from `start` on, zeros for those that there are not: one depth after the other.
    /// Never part of a version: with AVX-512 it would scatter elements, which is slower.
    #[inline(never)]
    pub(super) fn pack<const W: usize>(&self, start: usize, block: Range<usize>, out: &mut [T]) {
        let out = out.as_chunks_mut::<W>().0;
        let width = W.min(self.count - start);
        if width < W {
            out.fill([T::ZERO; W]);
        }
        match (self.across, self.along) {
            (1, _) => {
                for (out, depth) in out.iter_mut().zip(block) {
                    let row = &self.elements[depth * self.along + start..][..width];
                    match row.first_chunk::<W>() {
                        Some(row) => *out = *row,
                        None => out[..width].copy_from_slice(row),
                    }
                }
            }
            (_, 1) => {
                for (at, out) in block.step_by(AT_ONCE).zip(out.chunks_mut(AT_ONCE)) {
                    for i in 0..width {
                        let line = &self.elements[(start + i) * self.across + at..];
                        match (out.first_chunk_mut::<AT_ONCE>(), line.first_chunk::<AT_ONCE>()) {
                            (Some(out), Some(line)) => {
                                (0..AT_ONCE).for_each(|l| out[l][i] = line[l]);
                            }
                            _ => out.iter_mut().zip(line).for_each(|(out, x)| out[i] = *x),
                        }
                    }
                }
            }
            _ => {
                for (out, depth) in out.iter_mut().zip(block) {
                    let line = |i| (start + i) * self.across + depth * self.along;
                    (0..width).for_each(|i| out[i] = self.elements[line(i)]);
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
        let (elements, along) = (self.elements, self.along);
        let line = move |depth| elements[depth * along + start..].first_chunk();
        let lines = block.map(move |depth| line(depth).expect("the lines are there"));
        (self.across == 1 && start + W <= self.count).then_some(lines)
    }
}
