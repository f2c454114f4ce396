//! The domain of a map, brought to its fewest dimensions.

use super::Layout;

/// The domain of a map with neighbouring dimensions merged where every argument steps through both
/// as through one.
///
/// Dimensions count from the contiguous one, as in [`Slot`](super::Slot).
///
/// ```
/// use ringwood_ir::print::{Collapsed, Layout};
///
/// // A matrix plus a row, into a matrix.
/// let domain = Collapsed::new(&[4, 8], &[&[8, 1], &[0, 1], &[8, 1]]);
/// assert_eq!(domain.layout(), Layout::Strided { rank: 2 });
/// assert_eq!((domain.extent(0), domain.step(1, 1)), (8, 0));
/// // A matrix plus a number.
/// let domain = Collapsed::new(&[4, 8], &[&[8, 1], &[0, 0], &[8, 1]]);
/// assert_eq!(domain.layout(), Layout::Dense { single: 0b10 });
/// assert_eq!(domain.extent(0), 32);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collapsed {
    /// Contiguous dimension first; at least one.
    extents: Vec<usize>,
    /// For each argument, its step along each dimension.
    steps: Vec<Vec<usize>>,
}

impl Collapsed {
    /// The domain, slowest dimension first, and for each argument, the result last, its steps in
    /// elements along the same dimensions.
    ///
    /// # Panics
    /// An argument has another number of steps than the domain has dimensions.
    pub fn new(domain: &[usize], strides: &[&[usize]]) -> Self {
        let mut extents: Vec<usize> = Vec::new();
        let mut steps = vec![Vec::new(); strides.len()];
        for (d, extent) in domain.iter().copied().enumerate().rev().filter(|(_, n)| *n != 1) {
            let merges = extents.last().is_some_and(|inner| {
                steps.iter().zip(strides).all(|(merged, step): (&Vec<usize>, _)| {
                    merged.last().and_then(|s| s.checked_mul(*inner)) == Some(step[d])
                })
            });
            match extents.last_mut() {
                Some(inner) if merges => *inner *= extent,
                _ => {
                    extents.push(extent);
                    steps.iter_mut().zip(strides).for_each(|(to, step)| to.push(step[d]));
                }
            }
        }
        if extents.is_empty() {
            extents.push(1);
            steps.iter_mut().for_each(|to| to.push(1));
        }
        Collapsed { extents, steps }
    }

    /// The fastest layout that fits.
    pub fn layout(&self) -> Layout {
        let rank = self.extents.len();
        let Some((result, inputs)) = self.steps.split_last() else {
            return Layout::Strided { rank };
        };
        let linear = |step: &Vec<usize>| step[0] <= 1;
        if rank > 1 || result[0] != 1 || inputs.len() > 64 || !inputs.iter().all(linear) {
            return Layout::Strided { rank };
        }
        let single =
            |single, (p, step): (usize, &Vec<usize>)| single | u64::from(step[0] == 0) << p;
        Layout::Dense { single: inputs.iter().enumerate().fold(0, single) }
    }

    /// The number of dimensions, at least 1.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.extents.iter().product()
    }

    /// The extent of a dimension. A dense layout has all elements in dimension 0.
    pub fn extent(&self, dim: usize) -> usize {
        self.extents[dim]
    }

    /// The step of an argument along a dimension.
    pub fn step(&self, param: usize, dim: usize) -> usize {
        self.steps[param][dim]
    }
}

#[cfg(test)]
mod tests;
