//! Where the ranks of a group are: in which tasks, and on which rings.

use ringwood_base::{Error, Result, counted, is_permutation};
use std::fmt;

/// Where the ranks of a group are. By default they share one task and one ring, in their order.
///
/// ```
/// use ringwood_schedule::{Arrangement, Descriptor, Operation, Params, Request};
/// use ringwood_base::DType;
///
/// let nodes = Arrangement::of_tasks(&[3, 2])?.rings(&[vec![0, 1, 2, 3, 4], vec![2, 1, 0, 4, 3]])?;
/// let request = Request::new(Operation::AllReduce, 5, 100, DType::F32).arrangement(nodes);
/// let params = Params::of_request(&Descriptor::all_reduce("any"), &request)?;
/// assert_eq!((params.tasks(), params.task(1), params.task_of(params.rank(2))), (2, 3..5, 0));
/// assert_eq!((params.rings(), params.place(1, params.rank(0)).index()), (2, 2));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Arrangement {
    /// For each task, the rank after its last one.
    pub(crate) ends: Vec<u32>,
    /// The ranks in the order of each ring.
    pub(crate) rings: Vec<Vec<u32>>,
}

/// What was read from outside and may be no arrangement.
#[derive(serde::Deserialize)]
struct Unchecked {
    ends: Vec<u32>,
    rings: Vec<Vec<usize>>,
}

impl TryFrom<Unchecked> for Arrangement {
    type Error = Error;

    fn try_from(Unchecked { ends, rings }: Unchecked) -> Result<Self> {
        let starts = std::iter::once(&0).chain(&ends);
        let ranks = |(end, start): (&u32, &u32)| end.saturating_sub(*start) as usize;
        let tasks: Vec<usize> = ends.iter().zip(starts).map(ranks).collect();
        Self::of_tasks(&tasks)?.rings(&rings)
    }
}

impl Arrangement {
    /// Tasks of these numbers of ranks: the first ranks are in the first task, and so on. A task is
    /// a machine or a process, inside of which ranks are near each other.
    ///
    /// # Errors
    /// A task has no ranks, or all together have more than `u32::MAX`.
    pub fn of_tasks(ranks: &[usize]) -> Result<Self> {
        if let Some(task) = ranks.iter().position(|&count| count == 0) {
            let message = format!("task {task} of tasks of {ranks:?} ranks has none");
            return Err(
                invalid(message).help("every task has at least one rank: leave this one out")
            );
        }
        let mut end = 0_usize;
        let mut next = |&count: &usize| {
            end = end.saturating_add(count);
            u32::try_from(end)
                .map_err(|_| invalid(format!("tasks of {ranks:?} ranks are too many ranks")))
        };
        let ends = ranks.iter().map(&mut next).collect::<Result<_>>()?;
        Ok(Self { ends, rings: Vec::new() })
    }

    /// The same with rings around which algorithms share their work, each all ranks in some order.
    /// Equivalent to the subdivisions of TensorFlow's rings.
    ///
    /// # Errors
    /// The rings are not permutations of the same ranks.
    pub fn rings(self, rings: &[Vec<usize>]) -> Result<Self> {
        for ring in rings {
            if !is_permutation(ring, rings[0].len()) {
                let ranks = counted(rings[0].len(), "rank");
                return Err(invalid(format!("{ring:?} is not a ring of {ranks}")));
            }
        }
        let narrow = |ring: &Vec<usize>| ring.iter().map(|&rank| rank as u32).collect();
        Ok(Self { rings: rings.iter().map(narrow).collect(), ..self })
    }

    /// That of a group of some of these ranks, in this order: their tasks, if the ranks of each follow
    /// one another; no rings.
    pub fn of_part(&self, ranks: &[usize]) -> Self {
        let tasks: Vec<usize> = ranks.iter().map(|&rank| self.task_of(rank)).collect();
        if self.ends.is_empty() || !tasks.is_sorted() {
            return Self::default();
        }
        let counts: Vec<usize> = tasks.chunk_by(usize::eq).map(<[_]>::len).collect();
        Self::of_tasks(&counts).unwrap_or_default()
    }

    pub(crate) fn task_of(&self, rank: usize) -> usize {
        self.ends.partition_point(|&end| end as usize <= rank)
    }

    /// Whether a group of `ranks` is arranged like this.
    ///
    /// # Errors
    /// It has more or fewer ranks.
    pub fn check(&self, ranks: usize) -> Result<()> {
        let placed = self.ends.last().map_or(ranks, |&end| end as usize);
        let ring = self.rings.first().map_or(ranks, Vec::len);
        match [placed, ring].into_iter().find(|&count| count != ranks) {
            None => Ok(()),
            Some(count) => {
                Err(invalid(format!("an arrangement of {count} ranks for a group of {ranks}")))
            }
        }
    }
}

/// `none`, `tasks [3, 2]`, `tasks [3, 2], rings [[0, 1, 2, 3, 4]]`.
impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = std::iter::once(&0).chain(&self.ends);
        let tasks: Vec<u32> =
            self.ends.iter().zip(starts).map(|(end, start)| end - start).collect();
        match (tasks.is_empty(), self.rings.is_empty()) {
            (true, true) => f.write_str("none"),
            (false, true) => write!(f, "tasks {tasks:?}"),
            (true, false) => write!(f, "rings {:?}", self.rings),
            (false, false) => write!(f, "tasks {tasks:?}, rings {:?}", self.rings),
        }
    }
}

fn invalid(message: String) -> Error {
    Error::invalid(message)
}

#[cfg(test)]
mod tests;
