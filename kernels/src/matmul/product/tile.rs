//! Tiles of a product in registers, in versions for the instructions of the processor.
//!
//! A version differs from the others in the size of its tiles only: each element is the same chain of
//! fused additions, so all have the same bits.

#![allow(unsafe_code, reason = "calls of what the processor has instructions for")]

use super::lines::{Lines, Windows};
use super::{BLOCK, Float, Job, Part};
use std::ops::Range;

/// Computes a part, with memory for a block of its rows and for one of a panel.
type Compute<T> = fn(&Job<'_, T>, Part<'_, T>, [&mut [T]; 2]);

/// Packs a block of rows, whose tiles do not reach across so many.
type PackRows<T> = fn(&Lines<'_, T>, Range<usize>, usize, Range<usize>, &mut [T]);

/// Computes all windows of one channel with one filter.
type Slide<T> = fn(&[T], &[T], &Windows, &mut [T]);

/// A version: what computes a part and what slides a filter, how many columns its panels have, and how it packs
/// columns and rows.
pub struct Version<T> {
    pub(super) width: usize,
    pub(super) pack: fn(&Lines<'_, T>, usize, Range<usize>, &mut [T]),
    pub(super) pack_rows: PackRows<T>,
    pub(super) compute: Compute<T>,
    pub(crate) slide: Slide<T>,
}

/// A version of tiles of so many rows and columns, for a processor that was found to have the features.
#[cfg(target_arch = "x86_64")]
macro_rules! version {
    ($features:literal for $ty:ident: $height:literal by $width:literal, $wide:literal or $narrow:literal) => {{
        #[target_feature(enable = $features)]
        fn tiles(job: &Job<'_, $ty>, part: Part<'_, $ty>, memory: [&mut [$ty]; 2]) {
            compute::<$ty, $height, $width>(job, part, memory);
        }

        #[target_feature(enable = $features)]
        fn windows(filter: &[$ty], x: &[$ty], windows: &Windows, y: &mut [$ty]) {
            slide::<$ty, $wide, $narrow>(filter, x, windows, y);
        }

        Version {
            width: $width,
            pack: |b, at, block, out| b.pack::<$width>(at, block, out),
            pack_rows: pack_rows::<$ty, $height>,
            // SAFETY: the processor has the features.
            compute: |job, part, memory| unsafe { tiles(job, part, memory) },
            // SAFETY: as above.
            slide: |filter, x, at, y| unsafe { windows(filter, x, at, y) },
        }
    }};
}

/// The version for a product of so many columns. All of a processor have tiles of as many rows.
macro_rules! versions {
    ($of:ident for $ty:ident: $wide:literal or $narrow:literal) => {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
        pub(super) fn $of(columns: usize) -> Version<$ty> {
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx512f") {
                    // Wide panels would be zeros for the most part.
                    return match columns > $narrow {
                        true => version!("avx512f" for $ty: 12 by $wide, $wide or $narrow),
                        false => version!("avx512f" for $ty: 12 by $narrow, $wide or $narrow),
                    };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    return version!("avx2,fma" for $ty: 6 by $narrow, $wide or $narrow);
                }
            }
            Version {
                width: $narrow,
                pack: |b, at, block, out| b.pack::<$narrow>(at, block, out),
                pack_rows: pack_rows::<$ty, 6>,
                compute: compute::<$ty, 6, $narrow>,
                slide: slide::<$ty, $wide, $narrow>,
            }
        }
    };
}

versions!(of_f32 for f32: 32 or 16);
versions!(of_f64 for f64: 16 or 8);

/// Computes a part in tiles of at most `H` rows and `N` columns. `left` holds a block of the part's rows,
/// `right` a panel of it.
#[inline(always)]
fn compute<T: Float, const H: usize, const N: usize>(
    job: &Job<'_, T>,
    mut part: Part<'_, T>,
    [left, right]: [&mut [T]; 2],
) {
    let (rows, columns) = (part.rows.len(), part.rows[0].len());
    let unit = job.a.unit.unwrap_or(rows);
    for block in job.blocks() {
        let left = match job.a.rows_of_block(part.row..part.row + rows, block.clone()) {
            Some(packed) => packed,
            None => {
                let left = &mut left[..rows * block.len()];
                pack_rows::<T, H>(&job.a, part.row..part.row + rows, rows, block.clone(), left);
                &*left
            }
        };
        for column in (0..columns).step_by(N) {
            let width = N.min(columns - column);
            let first = block.start == 0;
            let mut strip = Strip { rows: &mut part.rows, unit, column, width, first };
            let at = part.column + column;
            if let Some(panels) = job.panels {
                let start =
                    (at - job.columns.start) / N * job.depth.len() + block.start - job.depth.start;
                let panel = &panels.as_chunks::<N>().0[start..][..block.len()];
                strip.compute::<H, N>(left, panel.iter());
                continue;
            }
            let (b, at) = job.b.panel(at);
            let lie_well = rows <= H || job.b.panels.is_some();
            if let Some(lines) = b.lines::<N>(at, block.clone()).filter(|_| lie_well) {
                strip.compute::<H, N>(left, lines);
            } else {
                let right = &mut right[..N * block.len()];
                b.pack::<N>(at, block.clone(), right);
                strip.compute::<H, N>(left, right.as_chunks::<N>().0.iter());
            }
        }
    }
    if job.depth.end == job.a.depth {
        part.rows.iter_mut().for_each(|row| job.finish.apply(part.column, row));
    }
}

/// The sums of one filter over all windows of an image, rows of them in pieces of `W`, `N` or a single one.
#[inline(always)]
fn slide<T: Float, const W: usize, const N: usize>(
    filter: &[T],
    x: &[T],
    windows: &Windows,
    y: &mut [T],
) {
    let columns = windows.columns;
    for (&start, y) in windows.rows.iter().zip(y.chunks_mut(columns)) {
        let mut at = 0;
        while at < columns {
            if columns >= N && windows.step < 3 {
                // The last ones with some of those before them again, rather than one by one.
                at = at.min(columns - N);
            }
            let x = &x[start + at * windows.step..];
            let y = &mut y[at..];
            at += match (y.first_chunk_mut(), windows.step) {
                (Some(y), 1) => piece::<T, W, 1>(filter, x, windows, y),
                (Some(y), 2) => piece::<T, W, 2>(filter, x, windows, y),
                _ => match (y.first_chunk_mut(), windows.step) {
                    (Some(y), 1) => piece::<T, N, 1>(filter, x, windows, y),
                    (Some(y), 2) => piece::<T, N, 2>(filter, x, windows, y),
                    _ => piece::<T, 1, 1>(filter, x, windows, y.first_chunk_mut().expect("one")),
                },
            };
        }
    }
}

/// As many windows side by side, which begin `S` apart; how many.
#[inline(always)]
fn piece<T: Float, const W: usize, const S: usize>(
    filter: &[T],
    x: &[T],
    windows: &Windows,
    y: &mut [T; W],
) -> usize {
    let mut total = [T::ZERO; W];
    for (filter, depths) in filter.chunks(BLOCK).zip(windows.depths.chunks(BLOCK)) {
        let mut sums = [T::ZERO; W];
        for (&weight, &depth) in filter.iter().zip(depths) {
            let x = &x[depth..][..(W - 1) * S + 1];
            for i in 0..W {
                sums[i] = weight.mul_add(x[i * S], sums[i]);
            }
        }
        for i in 0..W {
            total[i] = total[i] + sums[i];
        }
    }
    *y = total;
    W
}

/// Packs a block of rows, tile by tile, one depth after the other.
#[inline(always)]
fn pack_rows<T: Float, const H: usize>(
    a: &Lines<'_, T>,
    rows: Range<usize>,
    unit: usize,
    block: Range<usize>,
    out: &mut [T],
) {
    for (at, height) in heights::<H>(rows.len(), unit) {
        let panel = &mut out[at * block.len()..][..height * block.len()];
        let at = rows.start + at;
        match height {
            8 if H > 8 => a.pack::<8>(at, block.clone(), panel),
            4 => a.pack::<4>(at, block.clone(), panel),
            2 => a.pack::<2>(at, block.clone(), panel),
            1 => a.pack::<1>(at, block.clone(), panel),
            _ => a.pack::<H>(at, block.clone(), panel),
        }
    }
}

/// Where tiles begin, and their heights: no tile has rows of two units.
fn heights<const H: usize>(rows: usize, unit: usize) -> impl Iterator<Item = (usize, usize)> {
    let (mut at, mut end) = (0, unit.min(rows));
    std::iter::from_fn(move || {
        if at == end {
            end = rows.min(end + unit);
        }
        let height = match end - at {
            0 => return None,
            rest if rest >= H => H,
            8.. => 8,
            4.. => 4,
            2.. => 2,
            _ => 1,
        };
        at += height;
        Some((at - height, height))
    })
}

/// Columns of a part that a panel of the second factor computes.
struct Strip<'a, 'c, T> {
    rows: &'a mut [&'c mut [T]],
    unit: usize,
    column: usize,
    width: usize,
    /// Whether the block of terms is the first one.
    first: bool,
}

impl<T: Float> Strip<'_, '_, T> {
    #[inline(always)]
    fn compute<'b, const H: usize, const N: usize>(
        &mut self,
        left: &[T],
        right: impl ExactSizeIterator<Item = &'b [T; N]> + Clone,
    ) where
        T: 'b,
    {
        let depth = right.len();
        for (at, height) in heights::<H>(self.rows.len(), self.unit) {
            let left = &left[at * depth..][..height * depth];
            match height {
                8 if H > 8 => self.tile::<8, N>(at, left, right.clone()),
                4 => self.tile::<4, N>(at, left, right.clone()),
                2 => self.tile::<2, N>(at, left, right.clone()),
                1 => self.tile::<1, N>(at, left, right.clone()),
                _ => self.tile::<H, N>(at, left, right.clone()),
            }
        }
    }

    #[inline(always)]
    fn tile<'b, const R: usize, const N: usize>(
        &mut self,
        at: usize,
        left: &[T],
        right: impl Iterator<Item = &'b [T; N]>,
    ) where
        T: 'b,
    {
        let sums = sums::<T, R, N>(left.as_chunks::<R>().0, right);
        for (row, sums) in self.rows[at..at + R].iter_mut().zip(&sums) {
            let row = &mut row[self.column..][..self.width];
            // An array: so that most tiles are written whole.
            if let Some(row) = row.first_chunk_mut::<N>() {
                let before = if self.first { [T::ZERO; N] } else { *row };
                *row = std::array::from_fn(|i| before[i] + sums[i]);
            } else {
                add(row, sums, self.first);
            }
        }
    }
}

/// Adds the sum of a block to what those before it gave.
#[inline(always)]
fn add<T: Float>(row: &mut [T], sums: &[T], first: bool) {
    for (element, &sum) in row.iter_mut().zip(sums) {
        *element = if first { T::ZERO } else { *element } + sum;
    }
}

/// The sums of a block. Rows are written out: a loop over them may be vectorised instead of that over
/// columns, which is a hundred times slower.
#[inline(always)]
fn sums<'b, T: Float, const R: usize, const N: usize>(
    left: &[[T; R]],
    right: impl Iterator<Item = &'b [T; N]>,
) -> [[T; N]; R] {
    let mut sums = [[T::ZERO; N]; R];
    for (left, right) in left.iter().zip(right) {
        macro_rules! rows {
            ($($i:literal)*) => {$(
                if $i < R {
                    for (sum, &right) in sums[$i].iter_mut().zip(right) {
                        *sum = left[$i].mul_add(right, *sum);
                    }
                }
            )*};
        }
        rows!(0 1 2 3 4 5 6 7 8 9 10 11);
    }
    sums
}

/// The transpose: a compiler makes no shuffles of a loop.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn turn_f32(rows: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
    use std::arch::x86_64::*;
    let [a, b, c, d] = rows.map(bytemuck::cast::<_, __m128>);
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        let (low, below) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
        let (high, above) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
        let first = [_mm_movelh_ps(low, below), _mm_movehl_ps(below, low)];
        let last = [_mm_movelh_ps(high, above), _mm_movehl_ps(above, high)];
        [first[0], first[1], last[0], last[1]].map(bytemuck::cast)
    }
}
