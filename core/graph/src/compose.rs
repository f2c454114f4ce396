//! What operators that are made of others are written with: an application, and formulas over its values.

mod call;
mod formula;

pub use call::Call;
pub use formula::{Formula, clamp, if_less, select, v};

use ringwood_base::{Error, Result};

/// The dimension that an axis names; a negative one counts from the end.
///
/// # Errors
/// There is none.
pub fn dimension(axis: i64, rank: usize) -> Result<usize> {
    let from_end = if axis < 0 { axis + rank as i64 } else { axis };
    let known = usize::try_from(from_end).ok().filter(|d| *d < rank);
    known.ok_or_else(|| Error::shape(format!("axis {axis} is none of {rank} dimensions")))
}

/// The extents that these integers are.
///
/// # Errors
/// One is negative.
pub fn extents(shape: &[i64]) -> Result<Vec<usize>> {
    let extent = |(d, &n): (usize, &i64)| {
        let message = format!("dimension {d} of shape {shape:?} is not from 0 to {}", i64::MAX);
        usize::try_from(n).map_err(|_| Error::shape(message))
    };
    shape.iter().enumerate().map(extent).collect()
}

/// The extents of a tensor of some rank that has 1 in all dimensions but `d`.
pub fn line(rank: usize, d: usize, extent: usize) -> Vec<usize> {
    (0..rank).map(|other| if other == d { extent } else { 1 }).collect()
}

/// The dimensions with these ones last, and the order that brings them back.
pub fn last(rank: usize, axes: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let kept = (0..rank).filter(|d| !axes.contains(d));
    let order: Vec<_> = kept.chain(axes.iter().copied()).collect();
    let back = inverse(&order);
    (order, back)
}

/// The order of dimensions that undoes another.
pub fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &d)| back[d] = place);
    back
}

/// The most numbers that are computed before a run.
pub const MOST: usize = 1 << 25;

/// Checks that a matrix which is computed before a run is not too large.
///
/// # Errors
/// It is.
pub fn fits(rows: usize, columns: usize) -> Result<()> {
    if rows.saturating_mul(columns) <= MOST {
        return Ok(());
    }
    Err(Error::unsupported(format!("a matrix [{rows}, {columns}] is needed, which is too large")))
}

/// Checks that a sequence is not too long to add nodes for each of its steps.
///
/// # Errors
/// It is.
pub fn unrolled(length: usize) -> Result<()> {
    const STEPS: usize = 10_000;
    if length <= STEPS {
        return Ok(());
    }
    Err(Error::unsupported(format!(
        "a sequence of {length} steps, of which nodes are added for {STEPS} at most"
    ))
    .help("give the sequence in parts"))
}
