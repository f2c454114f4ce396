//! Subdivisions: the rings, or the subsets, that share the work of one collective.
//!
//! The rules are those of TensorFlow's `GenerateSubdivPerms` and of its tree broadcast, as a table
//! of pure functions. A *task* is a process or a machine; the devices of a task have adjacent ranks.

use ringwood_base::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// A chunk larger than this makes for one more subdivision.
const LARGEST_CHUNK: u64 = 4 << 20;

/// The subdivisions for each device of a task, if nobody says otherwise.
const PER_DEVICE: usize = 2;

/// How many subdivisions a ring collective has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// As many as keep chunks below 4 MiB, at most two for each device of a task.
    #[default]
    Automatic,
    /// The same with another limit for each device; 0 is the default one.
    AtMost(usize),
    /// One, at offset 0.
    One,
    /// These offsets, as they are; a negative one walks the devices of each task backwards.
    Offsets(Vec<i64>),
}

/// The subdivisions of a collective, as one rank sees them. Equivalent to the `subdiv_*` fields of
/// TensorFlow's `CollectiveParams`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subdivisions {
    /// For each one that is a ring, where in its task it starts.
    pub offsets: Vec<i64>,
    /// The ranks of each, in the order in which they pass data on.
    pub permutations: Vec<Vec<usize>>,
    /// The position of this rank in each; `None` where it is not a member.
    pub ranks: Vec<Option<usize>>,
    /// For each one that has a source, its position in it.
    pub sources: Vec<usize>,
}

impl Subdivisions {
    /// The rings of a reduction or a gather: all ranks, in one order for each offset.
    ///
    /// `tasks` has the number of devices of each task, in the order of the ranks; `bytes` is the
    /// size of the tensor.
    ///
    /// ```
    /// use ringwood_collective::resolve::{Cut, Subdivisions};
    ///
    /// let rings = Subdivisions::rings(&[4, 4], 1, 0, &Cut::Offsets(vec![0, -2]))?;
    /// assert_eq!(rings.permutations[0], [0, 1, 2, 3, 4, 5, 6, 7]);
    /// assert_eq!(rings.permutations[1], [1, 0, 3, 2, 5, 4, 7, 6]);
    /// assert_eq!(rings.ranks, [Some(1), Some(0)]);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are no devices, or no offsets, or `rank` is not one of them.
    pub fn rings(tasks: &[usize], rank: usize, bytes: u64, cut: &Cut) -> Result<Self> {
        check(tasks, rank)?;
        let offsets = match cut {
            Cut::Offsets(offsets) => offsets.clone(),
            Cut::One => vec![0],
            Cut::Automatic | Cut::AtMost(0) => offsets(tasks, bytes, PER_DEVICE),
            Cut::AtMost(most) => offsets(tasks, bytes, *most),
        };
        if offsets.is_empty() {
            let message = "a ring collective has at least one subdivision";
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let permutations: Vec<_> = offsets.iter().map(|&o| permutation(tasks, o)).collect();
        let ranks = positions(&permutations, rank);
        Ok(Self { offsets, permutations, ranks, sources: Vec::new() })
    }

    /// The trees of a broadcast: with one task, one over all devices; else one over a device of each
    /// task, the source for its own and the first for the others, and then one in each task.
    ///
    /// # Errors
    /// There are no devices, or `rank` or `source` is not one of them.
    pub fn trees(tasks: &[usize], rank: usize, source: usize) -> Result<Self> {
        check(tasks, rank)?;
        check(tasks, source)?;
        let mut permutations = Vec::new();
        let mut sources = Vec::new();
        let within = task_ranges(tasks);
        if tasks.len() > 1 {
            let source_task = within.iter().position(|task| task.contains(&source));
            sources.push(source_task.unwrap_or(0));
            let head = |task: &std::ops::Range<usize>| {
                if task.contains(&source) { source } else { task.start }
            };
            permutations.push(within.iter().map(head).collect());
        }
        for task in within {
            sources.push(if task.contains(&source) { source - task.start } else { 0 });
            permutations.push(task.collect());
        }
        let ranks = positions(&permutations, rank);
        Ok(Self { offsets: Vec::new(), permutations, ranks, sources })
    }
}

fn check(tasks: &[usize], rank: usize) -> Result<()> {
    let size: usize = tasks.iter().sum();
    if tasks.contains(&0) || rank >= size {
        let message = format!("rank {rank} is not one of the devices of tasks with {tasks:?}");
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(())
}

/// One more subdivision while chunks are too large, up to `per_device` for each device of an average
/// task; their starts alternate forwards and backwards around it.
fn offsets(tasks: &[usize], bytes: u64, per_device: usize) -> Vec<i64> {
    let size: usize = tasks.iter().sum();
    let average = size / tasks.len();
    let most = per_device.saturating_mul(average);
    let mut count = 1;
    while count < most && bytes / (size as u64).saturating_mul(count as u64) > LARGEST_CHUNK {
        count += 1;
    }
    let stride = (average / count).max(1);
    (0..count as i64).map(|i| i * stride as i64 * if i % 2 == 1 { -1 } else { 1 }).collect()
}

/// The ranks in the order of a ring that starts at device `|offset|` of each task.
fn permutation(tasks: &[usize], offset: i64) -> Vec<usize> {
    let ring = |task: std::ops::Range<usize>| {
        let n = task.len();
        let start = (offset.unsigned_abs() % n as u64) as usize;
        (0..n).map(move |device| {
            let index = (device + start) % n;
            task.start + if offset < 0 { n - 1 - index } else { index }
        })
    };
    task_ranges(tasks).into_iter().flat_map(ring).collect()
}

/// The ranks of each task.
fn task_ranges(tasks: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let mut range = |&devices: &usize| {
        start += devices;
        start - devices..start
    };
    tasks.iter().map(&mut range).collect()
}

fn positions(permutations: &[Vec<usize>], rank: usize) -> Vec<Option<usize>> {
    permutations.iter().map(|ranks| ranks.iter().position(|r| *r == rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn rings_of_three_tasks_with_eight_devices() {
        let rings = Subdivisions::rings(&[8, 8, 8], 3, 0, &Cut::Offsets(vec![3, -3])).unwrap();
        let of = |first: [usize; 8]| {
            (0..3).flat_map(|task| first.map(|r| r + 8 * task)).collect::<Vec<_>>()
        };
        assert_eq!(rings.permutations[0], of([3, 4, 5, 6, 7, 0, 1, 2]));
        assert_eq!(rings.permutations[1], of([4, 3, 2, 1, 0, 7, 6, 5]));
        assert_eq!(rings.ranks, [Some(0), Some(1)]);
    }

    #[test]
    fn four_tasks_with_one_device_cut_a_hundred_mebibytes_in_two() {
        let rings = Subdivisions::rings(&[1; 4], 0, 100 * MIB, &Cut::Automatic).unwrap();
        assert_eq!(rings.offsets, [0, -1]);
        assert_eq!(rings.permutations, [[0, 1, 2, 3], [0, 1, 2, 3]]);
        assert_eq!(rings.ranks, [Some(0), Some(0)]);
    }

    #[test]
    fn chunks_of_exactly_four_mebibytes_are_not_cut_further() {
        let count =
            |bytes, cut: &Cut| Subdivisions::rings(&[8], 0, bytes, cut).unwrap().offsets.len();
        assert_eq!(count(8 * 4 * MIB, &Cut::Automatic), 1);
        // The quotient is rounded down, so a chunk of 4 MiB and a bit is not cut either.
        assert_eq!(count(8 * 4 * MIB + 7, &Cut::Automatic), 1);
        assert_eq!(count(8 * 4 * MIB + 8, &Cut::Automatic), 2);
        assert_eq!(count(8 * 4 * MIB * 5 / 2, &Cut::Automatic), 3);
        assert_eq!(count(u64::MAX, &Cut::Automatic), 16);
        assert_eq!(count(u64::MAX, &Cut::AtMost(0)), 16);
        assert_eq!(count(u64::MAX, &Cut::AtMost(1)), 8);
        assert_eq!(count(u64::MAX, &Cut::One), 1);
        let rings = Subdivisions::rings(&[8], 0, 8 * 4 * MIB * 4, &Cut::Automatic).unwrap();
        assert_eq!(rings.offsets, [0, -2, 4, -6]);
    }

    #[test]
    fn every_ring_has_every_rank_once_also_in_uneven_tasks() {
        for tasks in [vec![1], vec![2, 3], vec![5, 1, 4]] {
            let size = tasks.iter().sum::<usize>();
            for rank in 0..size {
                let cut = Cut::Offsets((-9..=9).chain([i64::MIN, i64::MAX]).collect());
                let rings = Subdivisions::rings(&tasks, rank, 0, &cut).unwrap();
                for (ring, at) in rings.permutations.iter().zip(&rings.ranks) {
                    assert_eq!(ring[at.unwrap()], rank);
                    let mut sorted = ring.clone();
                    sorted.sort_unstable();
                    assert!(sorted.into_iter().eq(0..size));
                }
            }
        }
    }

    #[test]
    fn trees_of_four_tasks_with_source_nine() {
        let trees = Subdivisions::trees(&[8; 4], 9, 9).unwrap();
        assert_eq!(trees.permutations[0], [0, 9, 16, 24]);
        assert_eq!(trees.permutations[2], [8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(trees.ranks, [Some(1), None, Some(1), None, None]);
        assert_eq!(trees.sources, [1, 0, 1, 0, 0]);
        let other = Subdivisions::trees(&[8; 4], 16, 9).unwrap();
        assert_eq!(other.ranks, [Some(2), None, None, Some(0), None]);
        let one = Subdivisions::trees(&[3], 2, 1).unwrap();
        assert_eq!((one.permutations, one.sources), (vec![vec![0, 1, 2]], vec![1]));
        let uneven = Subdivisions::trees(&[1, 3], 2, 3).unwrap();
        assert_eq!(uneven.permutations, [vec![0, 3], vec![0], vec![1, 2, 3]]);
        assert_eq!(uneven.sources, [1, 0, 2]);
    }

    #[test]
    fn ranks_and_sources_that_do_not_exist_are_refused() {
        assert!(Subdivisions::rings(&[], 0, 0, &Cut::One).is_err());
        assert!(Subdivisions::rings(&[2, 0], 0, 0, &Cut::One).is_err());
        assert!(Subdivisions::rings(&[2], 2, 0, &Cut::One).is_err());
        assert!(Subdivisions::rings(&[2], 0, 0, &Cut::Offsets(Vec::new())).is_err());
        assert!(Subdivisions::trees(&[2, 2], 0, 4).is_err());
    }
}
