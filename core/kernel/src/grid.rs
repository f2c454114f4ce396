//! Runs the work-items of a grid kernel.

use super::NativeLaunch;
use ringwood_base::{Error, Result};
use std::ops::Range;

/// Calls `item(gid0)` for each work-item of a range of a domain of rank 1.
#[inline(always)]
pub fn grid_1(launch: &NativeLaunch<'_>, range: Range<usize>, item: impl Fn(usize)) -> Result<()> {
    extents::<1>(launch, &range)?;
    for column in range {
        item(column);
    }
    Ok(())
}

/// Calls `item(gid0, gid1)` for each work-item of a range of a domain of rank 2.
#[inline(always)]
pub fn grid_2(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
    item: impl Fn(usize, usize),
) -> Result<()> {
    let [_, width] = extents::<2>(launch, &range)?;
    rows(
        range,
        width,
        #[inline(always)]
        |row, columns| {
            for column in columns {
                item(column, row);
            }
        },
    );
    Ok(())
}

/// Calls `item(gid0, gid1, gid2)` for each work-item of a range of a domain of rank 3.
#[inline(always)]
pub fn grid_3(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
    item: impl Fn(usize, usize, usize),
) -> Result<()> {
    let [_, height, width] = extents::<3>(launch, &range)?;
    rows(
        range,
        width,
        #[inline(always)]
        |row, columns| {
            let (plane, row) = (row / height, row % height);
            for column in columns {
                item(column, row, plane);
            }
        },
    );
    Ok(())
}

/// The parts of a range of row-major indices that lie in one row each.
#[inline(always)]
fn rows(range: Range<usize>, width: usize, part: impl Fn(usize, Range<usize>)) {
    let mut at = range.start;
    while at < range.end {
        let (row, column) = (at / width, at % width);
        let end = width.min(column + (range.end - at));
        part(row, column..end);
        at += end - column;
    }
}

/// The extents of the domain, slowest first, which has rank `R` and contains the range.
///
/// # Errors
/// It has another rank, or ends before the range does.
pub fn extents<const R: usize>(
    launch: &NativeLaunch<'_>,
    range: &Range<usize>,
) -> Result<[usize; R]> {
    let domain = launch.domain();
    match <[usize; R]>::try_from(&*domain) {
        Ok(extents) if range.end <= domain.elements() => Ok(extents),
        _ => Err(Error::shape(format!(
            "range {range:?} of {domain} is no part of a domain of rank {R}"
        ))),
    }
}
