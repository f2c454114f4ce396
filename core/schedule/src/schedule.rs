//! Schedules: the steps of each rank.

pub(crate) mod compact;
mod lane;
mod step;

pub use lane::Generated;
pub use lane::Lane;
pub use step::{Action, Site, Step};

use super::{Collective, Params, Rank};
use ringwood_base::{Error, Result, counted};
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Generates the steps of `rank` within `window`.
///
/// # Errors
/// The author's code panics; the error names the collective.
pub fn generate(
    collective: &dyn Collective,
    params: &Params,
    rank: Rank,
    window: Range<usize>,
) -> Result<Generated> {
    run(collective, params, rank, Lane::window(rank, window))
}

/// Generates the steps of `rank` into `lane`.
pub(crate) fn run(
    collective: &dyn Collective,
    params: &Params,
    rank: Rank,
    lane: Lane,
) -> Result<Generated> {
    let mut lane = lane.of_mode(params.mode());
    catch_unwind(AssertUnwindSafe(|| collective.schedule(params, rank, &mut lane))).map_err(
        |payload| {
            let name = collective.describe().name;
            Error::from_panic(format!("collective `{name}`, schedule of rank {rank},"), payload)
        },
    )?;
    Ok(lane.generated())
}

/// The steps of every rank of a group, held in memory: to print, to compare, to write to a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Schedule {
    /// The algorithm's name.
    pub collective: String,
    /// The steps of each rank.
    pub lanes: Vec<Vec<Step>>,
}

impl Schedule {
    /// The schedule of a collective with these parameters.
    ///
    /// ```
    /// use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Schedule};
    ///
    /// struct Chain;
    /// impl Collective for Chain {
    ///     fn describe(&self) -> Descriptor {
    ///         Descriptor::broadcast("chain")
    ///     }
    ///     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
    ///         if rank.index() > 0 {
    ///             s.recv(rank.prev(), p.all());
    ///         }
    ///         if rank.index() + 1 < p.ranks() {
    ///             s.send(rank.next(), p.all());
    ///         }
    ///     }
    /// }
    ///
    /// let params = Params::new(&Chain.describe(), 2)?;
    /// let schedule = Schedule::of(&Chain, &params)?;
    /// assert_eq!(schedule.lanes[1][0].to_string(), "recv(from 0, chunk 0)");
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The author's code panics; the error names the collective.
    pub fn of(collective: &dyn Collective, params: &Params) -> Result<Self> {
        let lane = |r| generate(collective, params, params.rank(r), 0..usize::MAX).map(|g| g.steps);
        let lanes = (0..params.ranks()).map(lane).collect::<Result<_>>()?;
        Ok(Self { collective: collective.describe().name.into_owned(), lanes })
    }

    pub(crate) fn check_lanes(&self, params: &Params) -> Result<()> {
        if self.lanes.len() == params.ranks() {
            return Ok(());
        }
        let (lanes, ranks) = (self.lanes.len(), params.ranks());
        let message = format!("a schedule of {lanes} lanes does not fit a group of {ranks} ranks");
        Err(Error::invalid(message))
    }
}

/// One line for each step: `rank 0 step 0  send(to 1, chunk 0)  src/ring.rs:41`.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  {}", self.collective, counted(self.lanes.len(), "rank"))?;
        for (rank, lane) in self.lanes.iter().enumerate() {
            for (i, step) in lane.iter().enumerate() {
                writeln!(f, "  rank {rank} step {i}  {step}  {}", step.site)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
