//! Where the elements of views are.

use crate::group::OUTSIDE;
use crate::{Fault, NativeArg, NativeLaunch};
use ringwood_base::{Error, Result, StridedShape};

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
#[derive(Clone, Copy, Debug)]
pub struct Steps<const R: usize> {
    pub(crate) extents: [usize; R],
    pub(crate) strides: [usize; R],
}

impl<const R: usize> Steps<R> {
    /// Those of a shape that reaches some of `elements`.
    pub(crate) fn new(elements: usize, shape: &StridedShape) -> Result<Self> {
        if shape.reach() > elements {
            let message = format!("{elements} elements are too few for a view of shape {shape:?}");
            return Err(Error::shape(message));
        }
        let extents = shape.extents().try_into().ok();
        let (Some(extents), Ok(strides)) = (extents, shape.strides().try_into()) else {
            return Err(Error::shape(format!("shape {} is no view of rank {R}", shape.shape())));
        };
        Ok(Self { extents, strides })
    }

    /// The number of the element with these indices, of which there is one, or a panic.
    #[track_caller]
    pub(crate) fn inside(&self, index: [usize; R]) -> usize {
        let extents = self.extents;
        let inside = index.iter().zip(&extents).all(|(index, extent)| index < extent);
        assert!(inside, "index {index:?} is outside of a view of extents {extents:?}");
        index.iter().zip(&self.strides).map(|(index, step)| index * step).sum()
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
