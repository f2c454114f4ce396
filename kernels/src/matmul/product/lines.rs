//! A factor of a product as lines: rows of the first one, columns of the second one.

use super::{BLOCK, Float};
use std::ops::Range;

/// `count` lines of `depth` elements.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a, T> {
    pub(crate) elements: &'a [T],
    pub(crate) count: usize,
    pub(crate) depth: usize,
    /// The elements from a line to the next one.
    pub(crate) across: usize,
    /// The elements from one of a line to the next one.
    pub(crate) along: usize,
    /// Where the elements are instead, if a line is a window of an image.
    windows: Option<&'a Windows>,
    /// The lines of a panel, if they are packed: the elements of a panel stand one depth after the other.
    pub(super) panels: Option<usize>,
    /// The rows that tiles of the first factor do not reach across, if it is packed: block by block, tile by tile.
    pub(super) unit: Option<usize>,
}

/// Where the elements of windows are: each at the sum of what its row, its column and its depth say.
pub(crate) struct Windows {
    /// The first window of each row of windows.
    pub(crate) rows: Vec<usize>,
    /// The windows of a row.
    pub(crate) columns: usize,
    /// From a window to the next one of its row.
    pub(crate) step: usize,
    /// The elements of a window.
    pub(crate) depths: Vec<usize>,
}

impl<'a, T: Float> Lines<'a, T> {
    /// `count` lines of `depth` elements at steps: from line to line, and along a line.
    pub(crate) fn at(
        elements: &'a [T],
        [count, depth]: [usize; 2],
        [across, along]: [usize; 2],
    ) -> Self {
        Self { elements, count, depth, across, along, windows: None, panels: None, unit: None }
    }

    /// `count` rows of `depth` elements, dense.
    pub(crate) fn rows(elements: &'a [T], count: usize, depth: usize) -> Self {
        Self::at(elements, [count, depth], [depth, 1])
    }

    /// `count` columns of `depth` elements, stored by rows, dense.
    pub(crate) fn columns(elements: &'a [T], count: usize, depth: usize) -> Self {
        Self::at(elements, [count, depth], [1, count])
    }

    /// The windows of an image, none of them without elements.
    pub(crate) fn windows(elements: &'a [T], windows: &'a Windows) -> Self {
        let (count, depth) = (windows.rows.len() * windows.columns, windows.depths.len());
        Self { windows: Some(windows), ..Self::at(elements, [count, depth], [0, 0]) }
    }

    /// `count` columns of `depth` elements, as [`Lines::pack_all`] puts them.
    pub(crate) fn packed(elements: &'a [T], count: usize, depth: usize) -> Self {
        let width = T::version(count).width;
        let panels = (width < count).then_some(width);
        Self { panels, ..Self::columns(elements, count, depth) }
    }

    /// Packs all lines in panels of as many as products of so many columns take at a time; the last panel has
    /// those that are left.
    pub(crate) fn pack_all(&self, out: &mut [T]) {
        let width = T::version(self.count).width;
        assert!(self.are_there() && self.count * self.depth == out.len(), "as many are packed");
        let threads = super::threads(1, self.count, self.depth);
        let panels = out.chunks_mut((width * self.depth).max(1)).enumerate();
        super::each(panels, threads, |(i, panel): (usize, &mut [T])| {
            let (first, count) = (i * width, width.min(self.count - i * width));
            for (depth, out) in panel.chunks_exact_mut(count).enumerate() {
                let lines = &self.elements[depth * self.along + first * self.across..];
                if self.across == 1 {
                    out.copy_from_slice(&lines[..count]);
                } else {
                    let lines = lines.iter().step_by(self.across);
                    out.iter_mut().zip(lines).for_each(|(out, x)| *out = *x);
                }
            }
        });
    }

    /// `count` rows of `depth` elements of a first factor, as [`Lines::pack_rows`] puts them.
    pub(crate) fn packed_rows(elements: &'a [T], count: usize, depth: usize) -> Self {
        Self { unit: Some(unit(count)), ..Self::rows(elements, count, depth) }
    }

    /// Packs all lines as products read the rows of their first factor, in the order in which they read them.
    pub(crate) fn pack_rows(&self, out: &mut [T]) {
        let rows = self.count;
        assert!(self.are_there() && rows * self.depth == out.len(), "as many are packed");
        let version = T::version(1);
        for (i, out) in out.chunks_mut((rows * BLOCK).max(1)).enumerate() {
            let block = i * BLOCK..self.depth.min((i + 1) * BLOCK);
            (version.pack_rows)(self, 0..rows, unit(rows), block, out);
        }
    }

    /// A block of some rows, if they are packed.
    #[inline(always)]
    pub(super) fn rows_of_block(&self, rows: Range<usize>, block: Range<usize>) -> Option<&'a [T]> {
        let start = block.start * self.count + rows.start * block.len();
        self.unit.map(|_| &self.elements[start..][..rows.len() * block.len()])
    }

    /// The lines among which line `at` is, and its place there: those of its panel, if lines are packed.
    #[inline(always)]
    pub(super) fn panel(&self, at: usize) -> (Self, usize) {
        let Some(width) = self.panels else { return (*self, at) };
        let first = at / width * width;
        let elements = &self.elements[first * self.depth..];
        (Self::columns(elements, width.min(self.count - first), self.depth), at - first)
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
        if let Some(windows) = self.windows {
            return self.pack_windows(windows, start..start + width, block, out);
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
                let line = |i| &self.elements[(start + i) * self.across..][block.clone()];
                let fours = width - width % 4;
                for first in (0..fours).step_by(4) {
                    turn(std::array::from_fn(|i| line(first + i)), first, out);
                }
                for i in fours..width {
                    out.iter_mut().zip(line(i)).for_each(|(out, x)| out[i] = *x);
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

    fn pack_windows<const W: usize>(
        &self,
        windows: &Windows,
        lines: Range<usize>,
        block: Range<usize>,
        out: &mut [[T; W]],
    ) {
        let mut starts = [0; W];
        let width = lines.len();
        let (mut row, mut column) = (lines.start / windows.columns, lines.start % windows.columns);
        for start in &mut starts[..width] {
            *start = windows.rows[row] + column * windows.step;
            column += 1;
            if column == windows.columns {
                (row, column) = (row + 1, 0);
            }
        }
        let starts = &starts[..width];
        // Windows begin in rising order, so that the last one says how far apart they are.
        let side_by_side = width == W && starts[W - 1] - starts[0] == W - 1;
        for (&depth, out) in windows.depths[block].iter().zip(out) {
            let elements = &self.elements[depth..];
            match elements[starts[0]..].first_chunk::<W>().filter(|_| side_by_side) {
                Some(row) => *out = *row,
                None => out.iter_mut().zip(starts).for_each(|(out, &at)| *out = elements[at]),
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

/// The rows of a packed first factor that belong to one part: an even number of parts, where there are rows for two.
fn unit(rows: usize) -> usize {
    let parts = if rows < 16 { 1 } else { rows.div_ceil(32).next_multiple_of(2) };
    rows.div_ceil(parts).next_multiple_of(4).max(4)
}

/// Writes four lines as lines `first` on of a panel.
#[inline(always)]
fn turn<T: Float, const W: usize>(lines: [&[T]; 4], first: usize, out: &mut [[T; W]]) {
    let [a, b, c, d] = lines.map(|line| line.as_chunks::<4>().0.iter());
    for ((((out, a), b), c), d) in out.chunks_mut(4).zip(a).zip(b).zip(c).zip(d) {
        for (out, turned) in out.iter_mut().zip(T::turn([*a, *b, *c, *d])) {
            out[first..first + 4].copy_from_slice(&turned);
        }
    }
    for l in lines[0].len() / 4 * 4..lines[0].len() {
        (0..4).for_each(|i| out[l][first + i] = lines[i][l]);
    }
}
