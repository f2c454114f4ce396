//! How a map walks its domain.

use crate::access::elements;
use crate::{NativeArg, NativeLaunch, NativeSlice};
use ringwood_base::{DType, Error, MAX_RANK, Result, Shape};
use std::mem::MaybeUninit;
use std::ops::Range;

/// The most arguments of a map: eight inputs and the result.
pub(crate) const MAX_ARGS: usize = 9;

/// For each argument, its step in elements along each dimension.
pub(super) type Steps = [[usize; MAX_RANK]; MAX_ARGS];

/// The domain of a map and the steps of its arguments along it.
pub(super) struct Layout<'a> {
    domain: Shape,
    points: usize,
    /// How many arguments are open.
    count: usize,
    /// `None` if all arguments are dense.
    steps: Option<&'a mut Steps>,
}

impl<'a> Layout<'a> {
    /// The layout of a launch; `steps` is a place for what it needs unless all arguments are dense.
    #[inline]
    pub(super) fn new(launch: &NativeLaunch<'_>, steps: &'a mut MaybeUninit<Steps>) -> Self {
        let strided = |arg: &NativeArg<'_>| match arg {
            NativeArg::Slice(slice) => slice.strides().is_some(),
            NativeArg::Scalar(_) | NativeArg::View(..) => false,
        };
        let strided = launch.args().iter().any(strided);
        let steps = strided.then(|| &mut *steps.write([[0; MAX_RANK]; MAX_ARGS]));
        let domain = launch.domain();
        Self { domain, points: domain.elements(), count: 0, steps }
    }

    #[inline]
    pub(super) fn check(&self, range: &Range<usize>) -> Result<()> {
        if range.end <= self.points {
            return Ok(());
        }
        Err(Error::shape(format!("range {range:?} exceeds the domain {}", self.domain)))
    }

    /// The first element of an argument whose strides stay inside of it.
    #[inline]
    pub(super) fn open(&mut self, slice: &NativeSlice<'_>, dtype: DType) -> Result<*mut u8> {
        let (data, len) = (slice.data().as_ptr(), elements(slice, dtype)?);
        let fits = match self.steps {
            None => self.points <= len,
            Some(_) => self.enter(slice)?.is_some_and(|last| last < len) || self.points == 0,
        };
        self.count += 1;
        if fits { Ok(data) } else { Err(self.too_few(len)) }
    }

    /// Takes the steps of the next argument; its last element, unless no memory has it.
    fn enter(&mut self, slice: &NativeSlice<'_>) -> Result<Option<usize>> {
        let (domain, rank) = (self.domain, self.domain.len());
        let Some(steps) = &mut self.steps else { return Ok(None) };
        let steps = &mut steps[self.count][..rank];
        match slice.strides() {
            Some(strides) if strides.len() == rank => steps.copy_from_slice(strides),
            Some(strides) => {
                return Err(Error::shape(format!("strides {strides:?} for the domain {domain}")));
            }
            None => {
                let mut step = 1;
                for (slot, extent) in steps.iter_mut().zip(domain.iter()).rev() {
                    *slot = step;
                    step *= extent;
                }
            }
        }
        Ok(domain.iter().zip(&*steps).try_fold(0_usize, |last, (extent, step)| {
            last.checked_add(extent.saturating_sub(1).checked_mul(*step)?)
        }))
    }

    #[cold]
    fn too_few(&self, len: usize) -> Error {
        Error::shape(format!("{len} elements are too few for the domain {}", self.domain))
    }

    /// The domain with dimensions collapsed where every argument steps through both as through one;
    /// `None` if all arguments are dense.
    #[inline]
    pub(super) fn collapse(&self) -> Option<Collapsed> {
        self.steps.as_ref().map(|steps| self.collapsed(steps))
    }

    fn collapsed(&self, all: &Steps) -> Collapsed {
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
pub(super) struct Collapsed {
    args: usize,
    rank: usize,
    extents: [usize; MAX_RANK],
    steps: Steps,
}

/// The parts of a range, one after the other, each inside of one innermost row.
pub(super) struct Runs<'a> {
    /// For each argument, its first element of the part.
    pub(super) offsets: [usize; MAX_ARGS],
    /// For each argument, the step in elements from one to the next.
    pub(super) steps: [usize; MAX_ARGS],
    at: usize,
    end: usize,
    /// `None` if all arguments are dense: the range is one part.
    domain: Option<&'a Collapsed>,
}

impl<'a> Runs<'a> {
    #[inline(always)]
    pub(super) fn new(domain: Option<&'a Collapsed>, range: Range<usize>) -> Self {
        let (offsets, mut steps) = ([range.start; MAX_ARGS], [1; MAX_ARGS]);
        if let Some(domain) = domain {
            for (slot, steps) in steps.iter_mut().zip(&domain.steps) {
                *slot = steps[domain.rank - 1];
            }
        }
        Runs { offsets, steps, at: range.start, end: range.end, domain }
    }

    /// The number of elements of the next part, for which the offsets then stand.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        if self.at >= self.end {
            return None;
        }
        let count = match self.domain {
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
