//! How a map walks its domain.

use crate::kernel::access::elements;
use crate::kernel::{NativeArg, NativeLaunch, NativeSlice};
use crate::{Element, Error, ErrorKind, MAX_RANK, Result, Shape};
use std::ops::Range;

/// The most arguments of a map: eight inputs and the result.
const MAX_ARGS: usize = 9;

/// The domain of a map and the steps of its arguments along it.
pub struct Layout {
    domain: Shape,
    /// How many arguments are open.
    count: usize,
    /// For each argument, the step in elements along each dimension; `None` if all are dense.
    steps: Option<[[usize; MAX_RANK]; MAX_ARGS]>,
}

impl Layout {
    pub(super) fn new(launch: &NativeLaunch<'_>) -> Self {
        let strided = |arg: &NativeArg<'_>| match arg {
            NativeArg::Slice(slice) => slice.strides().is_some(),
            NativeArg::Scalar(_) | NativeArg::View(..) => false,
        };
        let strided = launch.args().iter().any(strided);
        let steps = strided.then_some([[0; MAX_RANK]; MAX_ARGS]);
        Self { domain: launch.domain(), count: 0, steps }
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
        let Some(steps) = &mut self.steps else {
            let needed = self.domain.elements();
            self.count += 1;
            return if needed <= len { Ok(data) } else { Err(self.too_few(len)) };
        };
        let rank = self.domain.len();
        let steps = &mut steps[self.count][..rank];
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
            return Err(self.too_few(len));
        }
        self.count += 1;
        Ok(data)
    }

    #[cold]
    fn too_few(&self, len: usize) -> Error {
        let message = format!("{len} elements are too few for the domain {}", self.domain);
        Error::new(ErrorKind::Shape, message)
    }

    /// The parts of a range of the domain, each inside of one innermost row.
    #[inline(always)]
    pub(super) fn runs(&self, range: Range<usize>) -> Runs {
        let mut runs = Runs {
            offsets: [range.start; MAX_ARGS],
            steps: [1; MAX_ARGS],
            at: range.start,
            end: range.end,
            domain: None,
        };
        if let Some(steps) = &self.steps {
            let domain = self.collapse(steps);
            for (slot, steps) in runs.steps.iter_mut().zip(&domain.steps) {
                *slot = steps[domain.rank - 1];
            }
            runs.domain = Some(domain);
        }
        runs
    }

    /// The domain with dimensions collapsed where every argument steps through both as through one.
    fn collapse(&self, all: &[[usize; MAX_RANK]; MAX_ARGS]) -> Collapsed {
        let (extents, steps) = ([1; MAX_RANK], [[1; MAX_RANK]; MAX_ARGS]);
        let mut collapsed = Collapsed { args: self.count, rank: 0, extents, steps };
        for (d, extent) in self.domain.iter().copied().enumerate().filter(|(_, n)| *n != 1) {
            let fits = collapsed.rank > 0
                && collapsed.steps.iter().zip(&all[..self.count]).all(|(outer, steps)| {
                    steps[d].checked_mul(extent) == Some(outer[collapsed.rank - 1])
                });
            collapsed.rank += usize::from(!fits);
            let last = collapsed.rank - 1;
            collapsed.extents[last] *= extent;
            for (to, steps) in collapsed.steps.iter_mut().zip(&all[..self.count]) {
                to[last] = steps[d];
            }
        }
        collapsed.rank = collapsed.rank.max(1);
        collapsed
    }
}

/// A domain of at least one dimension, none of which can be collapsed.
struct Collapsed {
    args: usize,
    rank: usize,
    extents: [usize; MAX_RANK],
    /// For each argument, the step in elements along each dimension.
    steps: [[usize; MAX_RANK]; MAX_ARGS],
}

/// The parts of a range, one after the other.
pub(super) struct Runs {
    /// For each argument, its first element of the part.
    pub(super) offsets: [usize; MAX_ARGS],
    /// For each argument, the step in elements from one to the next.
    pub(super) steps: [usize; MAX_ARGS],
    at: usize,
    end: usize,
    /// `None` if all arguments are dense: the range is one part.
    domain: Option<Collapsed>,
}

impl Runs {
    /// The number of elements of the next part, for which the offsets then stand.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        if self.at >= self.end {
            return None;
        }
        let count = match &self.domain {
            None => self.end - self.at,
            Some(domain) => domain.seek(self.at, self.end, &mut self.offsets),
        };
        self.at += count;
        Some(count)
    }
}

impl Collapsed {
    /// Sets the offsets of the element with linear index `at`, and counts the elements from there on,
    /// up to `end`, inside of one innermost row.
    #[inline(always)]
    fn seek(&self, at: usize, end: usize, offsets: &mut [usize; MAX_ARGS]) -> usize {
        let (inner, steps) = (self.rank - 1, &self.steps[..self.args]);
        let width = self.extents[inner];
        let (mut row, column) = (at / width, at % width);
        for (offset, steps) in offsets.iter_mut().zip(steps) {
            *offset = column * steps[inner];
        }
        for (d, extent) in self.extents[..inner].iter().enumerate().rev() {
            let index = row % extent;
            row /= extent;
            for (offset, steps) in offsets.iter_mut().zip(steps) {
                *offset += index * steps[d];
            }
        }
        (width - column).min(end - at)
    }
}
