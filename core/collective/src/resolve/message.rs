//! What workers ask the leader of a resolution, and what it answers: plain data.

use super::group::{Member, ResolvedGroup};
use super::instance::{InstanceRequest, ResolvedInstance};
use super::locality::Locality;
use crate::executor::InstanceId;
use ringwood_base::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// From a worker: a question, which may be sent again until it is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The number of the question on this worker, from 1.
    pub id: u64,
    /// Every question below this one has been answered, as far as the worker is concerned.
    pub settled: u64,
    /// How long to wait for other workers.
    pub wait: Duration,
    /// What is asked.
    pub question: Question,
}

/// What a worker asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Who the members of a group are.
    Join(Member),
    /// The parameters of an instance of a group.
    Instance {
        /// The key of the group.
        group: u64,
        /// The member that asks.
        device: String,
        /// What it knows.
        request: InstanceRequest,
    },
    /// Where the ranks of a group meet, to connect.
    Meet {
        /// The key of the group.
        group: u64,
        /// The address, from the rank that made the place; the others ask for it.
        address: Option<String>,
    },
    /// A rank is ready for an instance: in which turn all ranks start it.
    Turn {
        /// The instance.
        instance: InstanceId,
        /// The rank.
        rank: usize,
    },
    /// Gives up on a group that is not complete.
    Cancel {
        /// Its key.
        group: u64,
    },
    /// Gives up on everything.
    Abort(Fault),
    /// The step of a graph that is due.
    Step {
        /// The key of the graph.
        graph: u64,
    },
    /// A step of a graph is over; what is due now.
    Retire {
        /// The key of the graph.
        graph: u64,
        /// The step.
        step: u64,
    },
}

/// From the leader.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the question.
    pub id: u64,
    /// The answer, or the failure: the same for every worker that it concerns.
    pub answer: Result<Answer, Fault>,
}

/// What the leader answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A complete group.
    Group {
        /// Its key.
        key: u64,
        /// The type of the devices.
        device_type: String,
        /// The devices in the order of the ranks.
        members: Vec<Locality>,
    },
    /// A complete instance.
    Instance(Box<ResolvedInstance>),
    /// The address where a group meets.
    Address(String),
    /// The turn of an instance in its group, from 0.
    Turn(u64),
    /// The step that is due.
    Step(u64),
    /// What was asked for is done.
    Done,
}

/// A failure as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// Its text.
    pub text: String,
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind(), text: error.to_string() }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::new(fault.kind, fault.text)
    }
}

impl From<&ResolvedGroup> for Answer {
    fn from(group: &ResolvedGroup) -> Self {
        let (key, device_type) = (group.key(), group.device_type().to_owned());
        Self::Group { key, device_type, members: group.localities().to_vec() }
    }
}

impl Answer {
    /// The group, as the member on `device` sees it.
    pub(super) fn group(self, device: &str) -> Option<ResolvedGroup> {
        let Self::Group { key, device_type, members } = self else { return None };
        ResolvedGroup::of(key, device, members.into(), Arc::from(device_type))
    }
}
