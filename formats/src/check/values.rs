//! What the abstract run computes with.

use crate::plan::{ExecutionPlan, Layout};
use ringwood_schedule::Space;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of an abstract run.
pub(super) trait Domain {
    type Value: Clone;

    /// What input cell `cell` of `rank` starts with.
    fn leaf(&self, rank: u32, cell: u32) -> Self::Value;

    fn merge(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
}

/// Random linear forms over two independent draws from a prime field.
///
/// A merge is a sum, so a wrong cell equals the right one with probability below 2^-100.
pub(super) struct Forms;

/// 2^61 - 1.
const P: u64 = (1 << 61) - 1;

impl Domain for Forms {
    type Value = [u64; 2];

    fn leaf(&self, rank: u32, cell: u32) -> [u64; 2] {
        let seed = u64::from(rank) << 32 | u64::from(cell);
        [mix(seed ^ 0x6A09_E667_F3BC_C908) % P, mix(seed ^ 0xBB67_AE85_84CA_A73B) % P]
    }

    fn merge(&self, a: &[u64; 2], b: &[u64; 2]) -> [u64; 2] {
        [(a[0] + b[0]) % P, (a[1] + b[1]) % P]
    }
}

/// The finaliser of SplitMix64: every input bit reaches every output bit.
fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// How often each (rank, cell) is counted: exact, and slow.
pub(super) struct Counts;

/// A value of [`Counts`].
pub(super) type Tally = Arc<BTreeMap<(u32, u32), u32>>;

impl Domain for Counts {
    type Value = Tally;

    fn leaf(&self, rank: u32, cell: u32) -> Tally {
        Arc::new(BTreeMap::from([((rank, cell), 1)]))
    }

    fn merge(&self, a: &Tally, b: &Tally) -> Tally {
        let mut sum = BTreeMap::clone(a);
        for (leaf, count) in b.iter() {
            let slot = sum.entry(*leaf).or_default();
            *slot = slot.saturating_add(*count);
        }
        Arc::new(sum)
    }
}

/// The first output cell that does not hold what the plan is for: its rank and number.
pub(super) fn first_wrong(
    plan: &ExecutionPlan,
    layout: &Layout,
    value: impl Fn(usize) -> Option<[u64; 2]>,
) -> Option<(u32, u32)> {
    let ranks = plan.ranks.len() as u32;
    // The full sum of a cell is the same on every rank; sums are not taken once for each.
    let mut sums: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
    for rank in 0..ranks {
        let buffers = &plan.ranks[rank as usize];
        for cell in 0..buffers.output {
            let due = plan.goal.contributions(rank, cell, ranks, buffers)?;
            let sum = || {
                let leaves = due.ranks.clone().map(|r| Forms.leaf(r, due.cell));
                leaves.reduce(|a, b| Forms.merge(&a, &b)).unwrap_or_default()
            };
            let due = match due.ranks.len() {
                1 => sum(),
                _ => *sums.entry(due.cell).or_insert_with(sum),
            };
            let at = layout.cells(rank, Space::Output, cell, 1)?;
            if value(at) != Some(due) {
                return Some((rank, cell));
            }
        }
    }
    None
}
