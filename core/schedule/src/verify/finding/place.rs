//! Where something is wrong with a schedule.

use crate::Step;
use crate::plan::Origin;
use std::fmt;

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Place {
    /// A step of a collective.
    Step {
        /// The rank.
        rank: usize,
        /// The position of the step in its lane, from 0.
        index: usize,
        /// The step.
        step: Step,
    },
    /// An operation of a plan.
    Op {
        /// The rank.
        rank: u32,
        /// The number of the lane within the rank, as the file gives it.
        lane: u32,
        /// Where it stands in the file.
        #[serde(flatten)]
        origin: Origin,
    },
}

impl Place {
    /// The step of a collective.
    pub const fn step(&self) -> Option<&Step> {
        match self {
            Place::Step { step, .. } => Some(step),
            Place::Op { .. } => None,
        }
    }

    /// `rank 2 at step 3 recv_reduce(from 1, chunk 1)`.
    pub(super) fn in_words(&self) -> String {
        match self {
            Place::Step { rank, index, step } => format!("rank {rank} at step {index} {step}"),
            Place::Op { .. } => self.to_string(),
        }
    }
}

/// `rank 2 step 3  recv_reduce(from 1, chunk 1)   src/lib.rs:41`, ``rank 0 lane 1 `rrc` (step 3,
/// line 12)``.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Step { rank, index, step } => {
                write!(f, "rank {rank} step {index}  {step}   {}", step.site)
            }
            Place::Op { rank, lane, origin } => write!(f, "rank {rank} lane {lane} {origin}"),
        }
    }
}
