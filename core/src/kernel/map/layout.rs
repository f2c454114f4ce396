//! How a map walks its domain.

use crate::kernel::NativeSlice;
use crate::kernel::access::elements;
use crate::{Element, Error, ErrorKind, MAX_RANK, Result, Shape};
use std::ops::Range;

/// The most arguments of a map: eight inputs and the result.
const MAX_ARGS: usize = 9;

/// The domain of a map and the steps of its arguments along it.
pub struct Layout {
    domain: Shape,
    /// How many arguments are open.
    count: usize,
    /// For each argument, the step in elements along each dimension.
    steps: [[usize; MAX_RANK]; MAX_ARGS],
}

impl Layout {
    pub(super) fn new(domain: Shape) -> Self {
        Self { domain, count: 0, steps: [[0; MAX_RANK]; MAX_ARGS] }
    }

    pub(super) fn check(&self, range: &Range<usize>) -> Result<()> {
        if range.end <= self.domain.elements() {
            return Ok(());
        }
        let message = format!("range {range:?} exceeds the domain {}", self.domain);
        Err(Error::new(ErrorKind::Shape, message))
    }

    /// The first element of an argument whose strides stay inside of it.
    pub(super) fn open<T: Element>(&mut self, slice: &NativeSlice<'_>) -> Result<*mut T> {
        let (data, len) = elements::<T>(slice)?;
        let rank = self.domain.len();
        let steps = &mut self.steps[self.count][..rank];
        match slice.strides() {
            Some(strides) if strides.len() == rank => steps.copy_from_slice(strides),
            Some(strides) => {
                let message = format!("strides {strides:?} for the domain {}", self.domain);
                return Err(Error::new(ErrorKind::Shape, message));
            }
            None => {
                let mut step = 1;
                for (slot, extent) in steps.iter_mut().zip(self.domain.iter()).rev() {
                    *slot = step;
                    step *= extent;
                }
            }
        }
        let last = self.domain.iter().zip(&*steps).try_fold(0_usize, |last, (extent, step)| {
            last.checked_add(extent.saturating_sub(1).checked_mul(*step)?)
        });
        if self.domain.elements() > 0 && last.is_none_or(|last| last >= len) {
            let message = format!("{len} elements are too few for the domain {}", self.domain);
            return Err(Error::new(ErrorKind::Shape, message));
        }
        self.count += 1;
        Ok(data)
    }

    /// The domain with dimensions collapsed where every argument steps through both as through one.
    pub(super) fn collapse(&self) -> Collapsed {
        let (extents, steps) = ([1; MAX_RANK], [[1; MAX_RANK]; MAX_ARGS]);
        let mut collapsed = Collapsed { args: self.count, rank: 0, extents, steps };
        for (d, extent) in self.domain.iter().copied().enumerate().filter(|(_, n)| *n != 1) {
            let fits = collapsed.rank > 0
                && collapsed.steps.iter().zip(&self.steps[..self.count]).all(|(outer, steps)| {
                    steps[d].checked_mul(extent) == Some(outer[collapsed.rank - 1])
                });
            collapsed.rank += usize::from(!fits);
            let last = collapsed.rank - 1;
            collapsed.extents[last] *= extent;
            for (to, steps) in collapsed.steps.iter_mut().zip(&self.steps[..self.count]) {
                to[last] = steps[d];
            }
        }
        collapsed.rank = collapsed.rank.max(1);
        collapsed
    }
}

/// A domain of at least one dimension, none of which can be collapsed.
pub(super) struct Collapsed {
    args: usize,
    rank: usize,
    extents: [usize; MAX_RANK],
    /// For each argument, the step in elements along each dimension.
    steps: [[usize; MAX_RANK]; MAX_ARGS],
}

impl Collapsed {
    /// Calls `run(offsets, steps, count)` for each part of the range inside of one innermost row.
    #[inline(always)]
    pub(super) fn for_each_run(
        &self,
        range: Range<usize>,
        mut run: impl FnMut(&[usize], &[usize], usize),
    ) {
        let (inner, steps) = (self.rank - 1, &self.steps[..self.args]);
        let mut offsets = [0; MAX_ARGS];
        let mut inner_steps = [0; MAX_ARGS];
        for (slot, steps) in inner_steps.iter_mut().zip(steps) {
            *slot = steps[inner];
        }
        let width = self.extents[inner];
        let mut at = range.start;
        while at < range.end {
            let (mut row, column) = (at / width, at % width);
            let count = (width - column).min(range.end - at);
            for (offset, step) in offsets.iter_mut().zip(&inner_steps) {
                *offset = column * step;
            }
            for (d, extent) in self.extents[..inner].iter().enumerate().rev() {
                let index = row % extent;
                row /= extent;
                for (offset, steps) in offsets.iter_mut().zip(steps) {
                    *offset += index * steps[d];
                }
            }
            run(&offsets[..self.args], &inner_steps[..self.args], count);
            at += count;
        }
    }
}
