//! Shapes with steps: where the elements of a view are.

use crate::{Error, MAX_RANK, Result, Shape};
use std::fmt;
use std::ops::Range;

/// A shape with the step in elements along each dimension: where the elements of a view are, counted
/// from its first one, whose indices are 0.
///
/// Two of them are equal if they have equal extents and steps.
///
/// ```
/// use ringwood_base::{Shape, StridedShape};
///
/// let dense = StridedShape::dense(Shape::new(&[4, 6])?);
/// let (first, odd) = dense.slice(1, 1..6, 2)?;
/// assert_eq!((first, &*odd.shape(), odd.strides()), (1, &[4, 3][..], &[6, 2][..]));
/// let turned = odd.permute(&[1, 0])?;
/// assert_eq!((turned.strides(), turned.reach()), (&[2, 6][..], 3 * 6 + 2 * 2 + 1));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StridedShape {
    shape: Shape,
    strides: [usize; MAX_RANK],
}

impl StridedShape {
    /// The shape with these steps; a step of 0 repeats elements.
    ///
    /// # Errors
    /// [`Shape`](crate::ErrorKind::Shape): not one step for each dimension, or the last element is further than
    /// memory can address.
    pub fn new(shape: Shape, strides: &[usize]) -> Result<Self> {
        if strides.len() != shape.len() {
            let message =
                format!("{} steps for the {} dimensions of {shape}", strides.len(), shape.len());
            return Err(Error::shape(message));
        }
        let last = shape.iter().zip(strides).try_fold(0_usize, |last, (extent, step)| {
            last.checked_add(extent.saturating_sub(1).checked_mul(*step)?)
        });
        if last.is_none_or(|last| last >= isize::MAX as usize / 8) {
            let message = format!("steps {strides:?} of {shape} reach further than memory");
            return Err(Error::shape(message));
        }
        Ok(Self::known(shape, |d| strides[d]))
    }

    /// The shape with the steps of elements in row-major order without gaps.
    pub fn dense(shape: Shape) -> Self {
        let step = |d: usize| shape[d + 1..].iter().map(|n| (*n).max(1)).product();
        Self::known(shape, step)
    }

    /// Steps that were checked.
    fn known(shape: Shape, step: impl Fn(usize) -> usize) -> Self {
        let mut strides = [0; MAX_RANK];
        strides[..shape.len()].iter_mut().enumerate().for_each(|(d, s)| *s = step(d));
        Self { shape, strides }
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The extents, slowest dimension first.
    pub fn extents(&self) -> &[usize] {
        &self.shape
    }

    /// The step along each dimension, in elements.
    pub fn strides(&self) -> &[usize] {
        &self.strides[..self.shape.len()]
    }

    /// The number of elements from the first to the last one, with those between that are not part of
    /// the view; 0 if it has no elements.
    pub fn reach(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        self.shape.iter().zip(&self.strides).map(|(n, step)| (n - 1) * step).sum::<usize>() + 1
    }

    /// Whether the elements are all there is from the first to the last one, in row-major order.
    pub fn is_dense(&self) -> bool {
        let dense = Self::dense(self.shape);
        let mut steps = self.shape.iter().zip(&self.strides).zip(&dense.strides);
        self.shape.contains(&0) || steps.all(|((n, step), dense)| *n == 1 || step == dense)
    }

    /// Whether no two indices have one element, as can be told from the steps: each of them exceeds
    /// what the smaller ones reach together.
    pub fn is_injective(&self) -> bool {
        let mut steps: Vec<_> =
            self.shape.iter().zip(&self.strides).filter(|(n, _)| **n > 1).collect();
        steps.sort_unstable_by_key(|(_, step)| **step);
        let mut last = 0;
        let apart = steps.into_iter().all(|(n, step)| {
            let apart = *step > last;
            last += (n - 1) * step;
            apart
        });
        apart || self.shape.contains(&0)
    }

    /// Why a parameter of this rank, which the kernel writes if `mutable`, takes no view of this shape in
    /// memory of so many elements; `None` if it does.
    ///
    /// ```
    /// use ringwood_base::{Shape, StridedShape};
    ///
    /// let every_other = StridedShape::new(Shape::new(&[4])?, &[2])?;
    /// assert_eq!(every_other.misfit(1, true, 7), None);
    /// assert!(every_other.misfit(1, true, 6).unwrap().contains("6 elements"));
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    pub fn misfit(&self, rank: u8, mutable: bool, elements: usize) -> Option<String> {
        if self.shape.len() != usize::from(rank) {
            return Some(format!("is a view of rank {rank}, got shape {}", self.shape));
        }
        if self.reach() > elements {
            return Some(format!("has {elements} elements for a view of shape {self:?}"));
        }
        (mutable && !self.is_injective())
            .then(|| format!("is written, and its steps repeat elements: shape {self:?}"))
    }

    /// The dimensions in another order: dimension `d` becomes what `order[d]` was.
    ///
    /// # Errors
    /// [`Shape`](crate::ErrorKind::Shape): `order` does not name each dimension once.
    pub fn permute(&self, order: &[usize]) -> Result<Self> {
        if !is_permutation(order, self.shape.len()) {
            let message = format!("{order:?} is no order of the dimensions of {}", self.shape);
            return Err(Error::shape(message).help("name each dimension once"));
        }
        let extents: Vec<_> = order.iter().map(|d| self.shape[*d]).collect();
        Ok(Self::known(Shape::new(&extents)?, |d| self.strides[order[d]]))
    }

    /// Every `step`-th index of `range` along dimension `dim`: the position of the first element, and
    /// the shape from there.
    ///
    /// # Errors
    /// [`OutOfBounds`](crate::ErrorKind::OutOfBounds): no such dimension, a range outside of its extent, a step of 0.
    pub fn slice(&self, dim: usize, range: Range<usize>, step: usize) -> Result<(usize, Self)> {
        let extent = self.extent(dim)?;
        if step == 0 {
            let message = format!("a view of {range:?} along dimension {dim} has no steps of 0");
            return Err(Error::out_of_bounds(message).help("a step is at least 1"));
        }
        if range.start > range.end || range.end > extent {
            let message = format!(
                "{range:?} is no part of dimension {dim} of {}, which has {extent} indices",
                self.shape
            );
            return Err(Error::out_of_bounds(message));
        }
        let mut extents = self.shape.to_vec();
        extents[dim] = range.len().div_ceil(step);
        // The step from the only element of a dimension to the next one is never taken.
        let stride = self.strides[dim].saturating_mul(if extents[dim] > 1 { step } else { 1 });
        let sliced =
            Self::known(Shape::new(&extents)?, |d| if d == dim { stride } else { self.strides[d] });
        let first = if sliced.shape.contains(&0) { 0 } else { range.start * self.strides[dim] };
        Ok((first, sliced))
    }

    fn extent(&self, dim: usize) -> Result<usize> {
        let extent = self.shape.get(dim).copied();
        extent.ok_or_else(|| {
            let (shape, rank) = (self.shape, self.shape.len());
            let message = format!("there is no dimension {dim} in {shape}, which has {rank}");
            Error::out_of_bounds(message)
        })
    }

    /// One index along dimension `dim`, which is then gone: the position of the first element, and
    /// the shape from there.
    ///
    /// # Errors
    /// [`OutOfBounds`](crate::ErrorKind::OutOfBounds): no such dimension, or an index outside of its extent.
    pub fn select(&self, dim: usize, index: usize) -> Result<(usize, Self)> {
        let extent = self.extent(dim)?;
        if index >= extent {
            let shape = self.shape;
            return Err(Error::out_of_bounds(format!(
                "there is no index {index} along dimension {dim} of {shape}, which has {extent}"
            )));
        }
        let (first, sliced) = self.slice(dim, index..index + 1, 1)?;
        let extents: Vec<_> =
            (0..self.shape.len()).filter(|d| *d != dim).map(|d| self.shape[d]).collect();
        let step = |d| sliced.strides[if d < dim { d } else { d + 1 }];
        Ok((first, Self::known(Shape::new(&extents)?, step)))
    }

    /// The same elements in the same order, with other extents; `None` if no steps lead to them, or there
    /// are more or fewer.
    ///
    /// ```
    /// use ringwood_base::{Shape, StridedShape};
    ///
    /// let columns = StridedShape::dense(Shape::new(&[2, 6])?).permute(&[1, 0])?;
    /// let split = columns.reshape(Shape::new(&[3, 2, 2])?).expect("6 columns are 3 pairs");
    /// assert_eq!(split.strides(), [2, 1, 6]);
    /// assert!(columns.reshape(Shape::vector(12)).is_none());
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    pub fn reshape(&self, shape: Shape) -> Option<Self> {
        if self.shape.elements() != shape.elements() {
            return None;
        }
        if shape.contains(&0) {
            return Some(Self::dense(shape));
        }
        let mut strides = [0; MAX_RANK];
        // Dimensions that one step leads through, the innermost first: extent and step.
        let mut runs = self.runs().into_iter();
        let (mut left, mut step) = (1, 1);
        for d in (0..shape.len()).rev() {
            if left == 1 && shape[d] > 1 {
                (left, step) = runs.next()?;
            }
            if left % shape[d] != 0 {
                return None;
            }
            strides[d] = step;
            (left, step) = (left / shape[d], step.saturating_mul(shape[d]));
        }
        Some(Self { shape, strides })
    }

    /// The dimensions, the innermost first, those of extent 1 left out and those joined that follow each
    /// other without a gap: extent and step.
    fn runs(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (&extent, &step) in self.shape.iter().zip(&self.strides).rev().filter(|(n, _)| **n > 1)
        {
            match runs.last_mut() {
                Some((inner, below)) if inner.checked_mul(*below) == Some(step) => *inner *= extent,
                _ => runs.push((extent, step)),
            }
        }
        runs
    }

    /// The elements repeated to `shape`: extents are aligned at the last dimension, and those of 1
    /// become any.
    ///
    /// # Errors
    /// [`Shape`](crate::ErrorKind::Shape): an extent is neither 1 nor that of `shape`.
    pub fn broadcast(&self, shape: Shape) -> Result<Self> {
        if self.shape.broadcast(&shape).ok() != Some(shape) {
            let message = format!("shape {} does not broadcast to {shape}", self.shape);
            return Err(Error::shape(message));
        }
        let missing = shape.len() - self.shape.len();
        Ok(Self::known(shape, |d| match d.checked_sub(missing) {
            Some(own) if self.shape[own] == shape[d] => self.strides[own],
            _ => 0,
        }))
    }
}

impl fmt::Debug for StridedShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {:?}", self.shape, self.strides())
    }
}

/// Extents and steps.
impl serde::Serialize for StridedShape {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        (self.extents(), self.strides()).serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for StridedShape {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        let (shape, strides) = <(Shape, Vec<usize>)>::deserialize(deserializer)?;
        Self::new(shape, &strides).map_err(serde::de::Error::custom)
    }
}

/// Whether `order` names each of the numbers below `count` once.
pub fn is_permutation(order: &[usize], count: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..count)
}

#[cfg(test)]
mod tests;
