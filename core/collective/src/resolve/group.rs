//! The group stage: who belongs together, and in which order.

use super::locality::{Link, Locality};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The key of the group of all processes of a rendezvous.
pub(crate) const ALL_PROCESSES: u64 = u64::MAX;

/// The key of a group, as messages show it.
pub(crate) struct Shown(pub(crate) u64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ALL_PROCESSES => f.write_str("of all processes"),
            key => key.fmt(f),
        }
    }
}

/// A caller that wants to be in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub(super) group: u64,
    pub(super) size: usize,
    pub(super) device_type: String,
    pub(super) locality: Locality,
    pub(super) rank: Option<usize>,
    pub(super) ring_order: Option<String>,
}

impl Member {
    /// The member of group `group` that runs on `device`; the group has `size` members on devices
    /// of one type. The name of a device begins with its task, `/task:1/gpu:0`, where there are
    /// several.
    ///
    /// At the rendezvous of [`Processes`](crate::Processes) the key [`u64::MAX`] is taken: it is that of the group of all
    /// processes.
    pub fn new(group: u64, size: usize, device_type: &str, device: &str) -> Self {
        let (device_type, locality) = (device_type.to_owned(), Locality::new(device));
        Self { group, size, device_type, locality, rank: None, ring_order: None }
    }

    /// Asks for a rank instead of taking the position of the device among all.
    #[must_use]
    pub fn rank(self, rank: usize) -> Self {
        Self { rank: Some(rank), ..self }
    }

    /// A fast link of the device to device number `to` of its task: ranks are ordered so that
    /// neighbours have strong links.
    #[must_use]
    pub fn link(mut self, to: u64, strength: u32) -> Self {
        self.locality.links.push(Link { to, strength });
        self
    }

    /// The order of the devices of each task by their numbers, `"0,2,1"`; every member gives the
    /// same. Equivalent to TensorFlow's `gpu_ring_order`.
    #[must_use]
    pub fn ring_order(self, order: &str) -> Self {
        Self { ring_order: Some(order.to_owned()), ..self }
    }

    pub(super) fn device(&self) -> &str {
        &self.locality.device
    }
}

/// A complete group, as one of its members sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResolvedGroup {
    pub(super) key: u64,
    pub(super) rank: usize,
    pub(super) members: Arc<[Locality]>,
}

impl ResolvedGroup {
    /// The key of the group.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The member's position.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of members.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// The names of the devices in the order of the ranks; the same on every member.
    pub fn members(&self) -> Vec<&str> {
        self.members.iter().map(|member| member.device.as_str()).collect()
    }

    /// The number of devices of each task, in the order of the ranks. Where ranks were asked for, a
    /// task whose devices are not next to each other counts as several.
    pub fn tasks(&self) -> Vec<usize> {
        self.members.chunk_by(|a, b| a.task() == b.task()).map(<[_]>::len).collect()
    }
}
