//! Elements of host memory at a step along each dimension.

use crate::access::Steps;
use ringwood_base::{Result, StridedShape};
use std::ops::{Index, IndexMut};

/// Elements of host memory at a step along each of `R` dimensions, to read: what a host kernel gets
/// for a parameter of this type. In a grid or group kernel the type stands for elements of the device.
///
/// ```
/// use ringwood_kernel::View;
/// use ringwood_base::{Shape, StridedShape};
///
/// let turned = StridedShape::dense(Shape::new(&[2, 3])?).permute(&[1, 0])?;
/// let view = View::<_, 2>::new(&[1, 2, 3, 4, 5, 6], turned)?;
/// assert_eq!((view.extent(0), view[[2, 1]], view[[0, 1]]), (3, 6, 4));
/// assert_eq!((view.step(0), view.step(1), view.elements().len()), (1, 3, 6));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T, const R: usize> {
    elements: &'a [T],
    steps: Steps<R>,
}

/// As [`View`], to read and write.
#[derive(Debug)]
pub struct ViewMut<'a, T, const R: usize> {
    elements: &'a mut [T],
    steps: Steps<R>,
}

impl<'a, T, const R: usize> View<'a, T, R> {
    /// The elements that `shape` reaches, from the first one of `elements`.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape): another rank, or too few elements.
    pub fn new(elements: &'a [T], shape: StridedShape) -> Result<Self> {
        Ok(Self { steps: Steps::new(elements.len(), &shape)?, elements })
    }

    /// The extent along a dimension, of which 0 is the slowest.
    ///
    /// # Panics
    /// There is no such dimension.
    pub fn extent(&self, dim: usize) -> usize {
        self.steps.extents[dim]
    }

    /// The elements between an index along a dimension and the next one.
    ///
    /// # Panics
    /// There is no such dimension.
    pub fn step(&self, dim: usize) -> usize {
        self.steps.strides[dim]
    }

    /// The memory of the view, from its first element on.
    pub fn elements(&self) -> &'a [T] {
        self.elements
    }
}

impl<'a, T, const R: usize> ViewMut<'a, T, R> {
    /// The elements that `shape` reaches, from the first one of `elements`.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape): another rank, or too few elements.
    pub fn new(elements: &'a mut [T], shape: StridedShape) -> Result<Self> {
        Ok(Self { steps: Steps::new(elements.len(), &shape)?, elements })
    }

    /// The extent along a dimension, of which 0 is the slowest.
    ///
    /// # Panics
    /// There is no such dimension.
    pub fn extent(&self, dim: usize) -> usize {
        self.steps.extents[dim]
    }
}

/// # Panics
/// An index outside of its extent.
impl<T, const R: usize> Index<[usize; R]> for View<'_, T, R> {
    type Output = T;

    #[track_caller]
    fn index(&self, index: [usize; R]) -> &T {
        &self.elements[self.steps.inside(index)]
    }
}

/// # Panics
/// An index outside of its extent.
impl<T, const R: usize> Index<[usize; R]> for ViewMut<'_, T, R> {
    type Output = T;

    #[track_caller]
    fn index(&self, index: [usize; R]) -> &T {
        &self.elements[self.steps.inside(index)]
    }
}

/// # Panics
/// An index outside of its extent.
impl<T, const R: usize> IndexMut<[usize; R]> for ViewMut<'_, T, R> {
    #[track_caller]
    fn index_mut(&mut self, index: [usize; R]) -> &mut T {
        &mut self.elements[self.steps.inside(index)]
    }
}

#[cfg(test)]
mod tests;
