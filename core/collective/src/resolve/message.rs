//! What workers ask the leader of a resolution, and what it answers: plain data.

use super::group::{Member, ResolvedGroup};
use super::instance::{InstanceRequest, ResolvedInstance};
use super::locality::Locality;
use crate::InstanceId;
use ringwood_base::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// From a worker: a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ask {
    /// The number of the question on this worker, from 1.
    pub id: u64,
    /// How long to wait for other workers.
    pub wait: Duration,
    /// What is asked.
    pub question: Question,
}

/// What a worker asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
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
    /// Where the ranks of a group connect over a transport.
    Bootstrap {
        /// The key of the group.
        group: u64,
        /// The name of the transport.
        transport: String,
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
    pub answer: Result<Answer, Fault>,
}

/// What the leader answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
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
    /// The address of a group's bootstrap.
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
pub(super) struct Fault {
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
