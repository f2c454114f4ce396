//! Subdivisions: the rings, or the subsets, that share the work of one collective.
//!
//! The rules are those of TensorFlow's `GenerateSubdivPerms` and of its tree broadcast, as a table
//! of pure functions. A *task* is a process or a machine; the devices of a task have adjacent ranks.

use ringwood_base::{Error, Result};
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
            return Err(Error::invalid("a ring collective has at least one subdivision"));
        }
        let permutations: Vec<_> = offsets.iter().map(|&o| permutation(tasks, o)).collect();
        let rings = Self { offsets, permutations, ..Self::default() };
        Ok(rings.seen_by(rank))
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
        let trees = Self { permutations, sources, ..Self::default() };
        Ok(trees.seen_by(rank))
    }

    /// The same with the positions of another rank.
    pub(super) fn seen_by(self, rank: usize) -> Self {
        let position = |ranks: &Vec<usize>| ranks.iter().position(|r| *r == rank);
        Self { ranks: self.permutations.iter().map(position).collect(), ..self }
    }
}

fn check(tasks: &[usize], rank: usize) -> Result<()> {
    let size: usize = tasks.iter().sum();
    if tasks.contains(&0) || rank >= size {
        let message = format!("rank {rank} is not one of the devices of tasks with {tasks:?}");
        return Err(Error::invalid(message));
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

#[cfg(test)]
mod tests;
