//! What workers ask the leader of a resolution, and what it answers: plain data.

use super::group::{Member, ResolvedGroup};
use super::instance::{InstanceRequest, ResolvedInstance};
use crate::InstanceId;
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A worker's connection, as its owner numbers it; a worker that is started again is another one.
pub(super) type Worker = u64;

/// From a worker: a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ask {
    /// The number of the question on this worker, from 1.
    pub id: u64,
    /// How long to wait for other workers.
    pub wait: Duration,
    pub question: Question,
}

/// What a worker asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    /// Who the members of a group are.
    Join(Member),
    /// The parameters of an instance of a group, as the member on `device` knows it.
    Instance { group: u64, device: String, request: InstanceRequest },
    /// Where the ranks of a group connect over a transport.
    Bootstrap { group: u64, transport: String },
    /// A rank has connected: when all have, nobody needs the address any more.
    Connected { group: u64 },
    /// A rank is ready for an instance: in which turn all ranks start it.
    Turn { instance: InstanceId, rank: usize },
    /// A rank is ready for nothing more.
    Leave { group: u64, rank: usize },
    /// Gives up on a group that is not complete.
    Cancel { group: u64 },
    /// Gives up on everything.
    Abort(Error),
    /// The step of a graph that is due.
    Step { graph: u64 },
    /// A step of a graph is over; what is due now.
    Retire { graph: u64, step: u64 },
}

impl Question {
    /// Whether its answer may have to wait for other workers.
    pub(super) fn waits(&self) -> bool {
        matches!(
            self,
            Self::Join(_) | Self::Instance { .. } | Self::Bootstrap { .. } | Self::Turn { .. }
        )
    }
}

/// From the leader.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    /// The number of the question.
    pub id: u64,
    /// The answer, or the failure: the same for every worker that it concerns.
    pub answer: Result<Answer>,
}

/// What the leader answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    /// A complete group, as the member sees it.
    Group(ResolvedGroup),
    /// A complete instance.
    Instance(Box<ResolvedInstance>),
    /// The address of a group's bootstrap.
    Address(String),
    /// The turn of an instance in its group, from 0.
    Turn(u64),
    /// The step that is due.
    Step(u64),
    /// What was asked for is done.
    Done,
}
