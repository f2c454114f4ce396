//! Where the elements of views are.

use super::misplaced;
use crate::group::OUTSIDE;
use crate::{Fault, NativeArg, NativeLaunch, NativeSlice};
use ringwood_base::{Element, Result, StridedShape};

/// Whether neighbours along the last dimension of every view are neighbours in memory.
pub fn unit_steps(launch: &NativeLaunch<'_>) -> bool {
    launch.args().iter().all(|arg| match arg {
        NativeArg::View(_, shape) => {
            shape.extents().last().is_none_or(|n| *n <= 1) || shape.strides().last() == Some(&1)
        }
        NativeArg::Slice(_) | NativeArg::Scalar(_) => true,
    })
}

/// The extents and steps of a view of rank `R`, slowest dimension first.
#[derive(Clone, Copy)]
pub struct Steps<const R: usize> {
    extents: [usize; R],
    strides: [usize; R],
}

impl<const R: usize> Steps<R> {
    pub(super) fn new<T: Element>(slice: &NativeSlice<'_>, shape: &StridedShape) -> Result<Self> {
        let arrays = shape.extents().try_into().ok().zip(shape.strides().try_into().ok());
        match arrays {
            Some((extents, strides)) if shape.reach() <= slice.bytes() / size_of::<T>() => {
                Ok(Self { extents, strides })
            }
            _ => Err(misplaced("a view of another rank, or with more memory,")),
        }
    }

    /// The steps, of which the last one is 1 if `UNIT`: what [`unit_steps`] says of them.
    #[inline(always)]
    pub fn assume<const UNIT: bool>(mut self) -> Self {
        if UNIT && let Some(last) = self.strides.last_mut() {
            *last = 1;
        }
        self
    }

    /// The extent along each dimension.
    #[inline(always)]
    pub fn extents(&self) -> [usize; R] {
        self.extents
    }

    /// The number of the element with these indices; if `CHECKED` and there is none, a recorded fault
    /// and a number that no element has.
    #[inline(always)]
    pub fn position<const CHECKED: bool>(
        &self,
        fault: &Fault,
        index: [usize; R],
        site: u32,
    ) -> usize {
        if CHECKED {
            for (index, extent) in index.into_iter().zip(self.extents) {
                if index >= extent {
                    fault.record(site, index, extent);
                    return OUTSIDE;
                }
            }
        }
        index
            .into_iter()
            .zip(self.strides)
            .fold(0, |at: usize, (index, step)| at.wrapping_add(index.wrapping_mul(step)))
    }
}
