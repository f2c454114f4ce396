//! Shapes of tensors.

use crate::{Error, Result};
use std::fmt;
use std::ops::Deref;

/// The largest rank of a tensor: that of a view in a kernel.
pub const MAX_RANK: usize = ringwood_ir::MAX_RANK as usize;

/// With more elements than this, those of the widest type have more bytes than memory can address.
const MAX_ELEMENTS: usize = isize::MAX as usize / 8;

/// The extents of a tensor, slowest dimension first; rank 0 is one element.
///
/// A shape is a plain value: it is copied, compared and hashed without an allocation. It derefs to
/// the slice of its extents.
///
/// ```
/// use ringwood_base::Shape;
///
/// let shape = Shape::new(&[2, 3])?;
/// assert_eq!(shape.elements(), 6);
/// assert_eq!(shape.strides(), [3, 1]);
/// assert_eq!(Shape::scalar().elements(), 1);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Shape {
    rank: u8,
    dims: [usize; MAX_RANK],
}

impl Shape {
    /// The shape with these extents.
    ///
    /// # Errors
    /// The rank exceeds [`MAX_RANK`], or the product of the extents that are not 0 exceeds
    /// `isize::MAX / 8`: no computation with strides and bytes overflows, also of a tensor without
    /// elements. (The domain of a launch has no strides: an empty one is empty whatever its other extents are.)
    pub fn new(dims: &[usize]) -> Result<Self> {
        if dims.len() > MAX_RANK {
            let message = format!("rank {} exceeds the largest rank, {MAX_RANK}", dims.len());
            return Err(Error::shape(message));
        }
        let product = dims.iter().try_fold(1_usize, |product, &d| product.checked_mul(d.max(1)));
        if product.is_none_or(|n| n > MAX_ELEMENTS) {
            let message =
                format!("the extents of shape {dims:?} multiply to more than memory can address");
            return Err(Error::shape(message));
        }
        let mut shape = Shape { rank: dims.len() as u8, dims: [0; MAX_RANK] };
        shape.dims[..dims.len()].copy_from_slice(dims);
        Ok(shape)
    }

    /// The shape of one element, rank 0.
    pub const fn scalar() -> Self {
        Shape { rank: 0, dims: [0; MAX_RANK] }
    }

    /// The shape of rank 1 with `n` elements.
    pub const fn vector(n: usize) -> Self {
        let mut dims = [0; MAX_RANK];
        dims[0] = n;
        Shape { rank: 1, dims }
    }

    /// The number of elements; 1 for rank 0, 0 if any extent is 0.
    #[inline]
    pub fn elements(&self) -> usize {
        self.iter().product()
    }

    /// The row-major strides, in elements.
    pub fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.len()];
        for d in (1..self.len()).rev() {
            strides[d - 1] = strides[d] * self[d];
        }
        strides
    }

    /// The shape that both broadcast to: extents are aligned at the last dimension and must be
    /// equal or 1.
    ///
    /// # Errors
    /// Two extents differ and neither is 1.
    pub fn broadcast(&self, other: &Shape) -> Result<Shape> {
        let rank = self.len().max(other.len());
        let mut dims = [0; MAX_RANK];
        for back in 1..=rank {
            let a = self.len().checked_sub(back).map_or(1, |d| self[d]);
            let b = other.len().checked_sub(back).map_or(1, |d| other[d]);
            dims[rank - back] = match (a, b) {
                (a, b) if a == b => a,
                (1, b) => b,
                (a, 1) => a,
                _ => {
                    let message = format!("shapes {self} and {other} do not broadcast: {a} ≠ {b}");
                    return Err(Error::shape(message));
                }
            };
        }
        Shape::new(&dims[..rank])
    }
}

impl Deref for Shape {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        &self.dims[..self.rank as usize]
    }
}

impl TryFrom<&[usize]> for Shape {
    type Error = Error;

    fn try_from(dims: &[usize]) -> Result<Self> {
        Shape::new(dims)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> serde::Deserialize<'de> for Shape {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dims = Vec::<usize>::deserialize(deserializer)?;
        Shape::new(&dims).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
