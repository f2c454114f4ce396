//! Where the buffers of a link lie: a pure plan with deterministic places.

use ringwood_base::{Error, Result};

/// The place of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The pool, counted from 0 in the plan.
    pub pool: usize,
    /// The first byte in the pool.
    pub offset: usize,
}

/// A plan: the place of each item, and the size of each pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolPlan {
    /// The place of each item, in order.
    pub segments: Vec<Segment>,
    /// The bytes of each pool, without padding at the end.
    pub pools: Vec<usize>,
}

/// Places items of these sizes, in order, in as few pools of at most `cap` bytes as first-come
/// packing gives.
///
/// Each item starts at the next multiple of `alignment`. An item that does not fit closes the pool
/// and opens the next one. The same items always get the same places.
///
/// Source: OCANNL's `plan_pool_segments`.
///
/// ```
/// use ringwood_device::device::plan_pools;
///
/// let plan = plan_pools(&[4, 100, 8], 64, 128)?;
/// assert_eq!(plan.pools, [4, 100, 8]);
/// let plan = plan_pools(&[4, 60, 8], 64, usize::MAX)?;
/// assert_eq!((plan.pools.len(), plan.segments[2].offset), (1, 128));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory): an item is larger than `cap`.
pub fn plan_pools(sizes: &[usize], alignment: usize, cap: usize) -> Result<PoolPlan> {
    let mut plan = PoolPlan::default();
    for (item, &size) in sizes.iter().enumerate() {
        if size > cap {
            let message =
                format!("item {item} of {size} bytes exceeds the largest pool, {cap} bytes");
            return Err(Error::out_of_memory(message));
        }
        let room = plan.pools.last().and_then(|end| {
            let offset = end.checked_next_multiple_of(alignment.max(1))?;
            offset.checked_add(size).filter(|&end| end <= cap).map(|end| (offset, end))
        });
        let offset = match (room, plan.pools.last_mut()) {
            (Some((offset, end)), Some(last)) => {
                *last = end;
                offset
            }
            _ => {
                plan.pools.push(size);
                0
            }
        };
        plan.segments.push(Segment { pool: plan.pools.len() - 1, offset });
    }
    Ok(plan)
}

#[cfg(test)]
mod tests;
