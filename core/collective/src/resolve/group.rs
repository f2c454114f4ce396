//! The group stage: who belongs together, and in which order.

use super::locality::{Link, Locality, arrange};
use super::order::by_number;
use ringwood_base::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A caller that wants to be in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub(super) group: u64,
    size: usize,
    device_type: String,
    locality: Locality,
    rank: Option<usize>,
    ring_order: Option<String>,
}

impl Member {
    /// The member of group `group` that runs on `device`; the group has `size` members on devices
    /// of one type. The name of a device begins with its task, `/task:1/gpu:0`, where there are
    /// several.
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
#[derive(Clone, Debug)]
pub struct ResolvedGroup {
    key: u64,
    rank: usize,
    members: Arc<[Locality]>,
    device_type: Arc<str>,
}

impl ResolvedGroup {
    /// The view of the member on `device`, if it is one.
    pub(super) fn of(
        key: u64,
        device: &str,
        members: Arc<[Locality]>,
        device_type: Arc<str>,
    ) -> Option<Self> {
        let rank = members.iter().position(|member| member.device == device)?;
        Some(Self { key, rank, members, device_type })
    }

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

    /// The devices and their links in the order of the ranks; the same on every member.
    pub fn localities(&self) -> &[Locality] {
        &self.members
    }

    /// The names of the devices in the order of the ranks.
    pub fn members(&self) -> Vec<&str> {
        self.members.iter().map(|member| member.device.as_str()).collect()
    }

    /// The type of the devices.
    pub fn device_type(&self) -> &str {
        &self.device_type
    }

    /// Whether a rank is of the same task.
    pub fn is_local(&self, rank: usize) -> bool {
        let task = |rank: usize| self.members.get(rank).map(Locality::task);
        task(rank) == task(self.rank)
    }

    /// The number of devices of each task, in the order of the ranks. Where ranks were asked for, a
    /// task whose devices are not next to each other counts as several.
    pub fn tasks(&self) -> Vec<usize> {
        self.members.chunk_by(|a, b| a.task() == b.task()).map(<[_]>::len).collect()
    }

    /// Whether every task has as many devices.
    pub fn same_devices_per_task(&self) -> bool {
        self.tasks().windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// What is known of a group.
pub(super) struct GroupRecord {
    key: u64,
    size: usize,
    device_type: Arc<str>,
    joined: Vec<Member>,
    outcome: Option<Result<Arc<[Locality]>>>,
}

impl GroupRecord {
    pub(super) fn new(first: &Member) -> Self {
        Self {
            key: first.group,
            size: first.size,
            device_type: first.device_type.as_str().into(),
            joined: Vec::new(),
            outcome: None,
        }
    }

    /// Why a group that is complete is not that of a member; it stays as it is for the others.
    pub(super) fn refuses(&self, member: &Member) -> Option<Error> {
        self.outcome.as_ref()?.as_ref().ok()?;
        self.check(member).err()
    }

    /// Adds a member.
    pub(super) fn join(&mut self, member: &Member) {
        if self.outcome.is_some() {
            return;
        }
        if let Err(error) = self.check(member) {
            self.outcome = Some(Err(error));
        } else if !self.joined.iter().any(|known| known.device() == member.device()) {
            self.joined.push(member.clone());
            if self.joined.len() == self.size {
                self.outcome = Some(self.ordered());
            }
        }
    }

    fn check(&self, member: &Member) -> Result<()> {
        let Member { size, device_type, rank, .. } = member;
        let known = self.joined.iter().find(|known| known.device() == member.device());
        let wrong = if *size == 0 {
            "with a size of 0; a group has at least one member".to_owned()
        } else if *device_type != *self.device_type {
            format!("as a device of type {device_type}, but the group has {}", self.device_type)
        } else if *size != self.size {
            format!("with size {size}, but the group has size {}", self.size)
        } else if rank.is_some_and(|rank| rank >= *size) {
            format!("as rank {}, but ranks are below {size}", rank.unwrap_or(0))
        } else if known.is_some_and(|known| known.rank != *rank) {
            "again with another rank".to_owned()
        } else if known.is_none() && self.joined.len() == self.size {
            format!("that is full: {}", self.names())
        } else if let Some(taken) = self.joined.iter().find(|other| {
            other.device() != member.device() && rank.is_some() && other.rank == *rank
        }) {
            format!("as rank {}, which {} has taken", rank.unwrap_or(0), taken.device())
        } else if self.joined.iter().any(|other| other.rank.is_some() != rank.is_some()) {
            "where some members ask for a rank and some do not".to_owned()
        } else if let Some(first) =
            self.joined.first().filter(|first| first.ring_order != member.ring_order)
        {
            let show = |order: &Option<String>| order.as_deref().unwrap_or("none").to_owned();
            let (own, other) = (show(&member.ring_order), show(&first.ring_order));
            format!("with ring order {own}, but {} has {other}", first.device())
        } else {
            return Ok(());
        };
        let message = format!("{} joins group {} {wrong}", member.device(), self.key);
        Err(Error::new(ErrorKind::Mismatch, message))
    }

    /// The devices by the rank asked for, else as they are arranged.
    fn ordered(&self) -> Result<Arc<[Locality]>> {
        let mut members = self.joined.clone();
        members.sort_by_key(|member| member.rank);
        let asked = members.iter().any(|member| member.rank.is_some());
        let order = members.first().and_then(|first| first.ring_order.clone());
        let mut devices: Vec<_> = members.into_iter().map(|member| member.locality).collect();
        if !asked {
            arrange(&mut devices, order.as_deref())
                .map_err(|error| error.with("group", self.key))?;
        }
        Ok(devices.into())
    }

    /// What a member gets, if the group is settled; when it is `late`, it is.
    pub(super) fn answer(&mut self, member: &Member, late: bool) -> Option<Result<ResolvedGroup>> {
        if self.outcome.is_none() && late {
            let (joined, size) = (self.joined.len(), self.size);
            let message =
                format!("group {} has {joined} of {size} members: {}", self.key, self.names());
            let error = Error::new(ErrorKind::Timeout, message)
                .help("raise the timeout, or look for what keeps the others");
            self.fail(error);
        }
        match self.refuses(member) {
            Some(error) => Some(Err(error)),
            None => self.view(member.device()),
        }
    }

    /// The group as the member on `device` sees it, if it is settled.
    pub(super) fn view(&self, device: &str) -> Option<Result<ResolvedGroup>> {
        let members = match self.outcome.as_ref()? {
            Ok(members) => Arc::clone(members),
            Err(error) => return Some(Err(error.clone())),
        };
        let device_type = Arc::clone(&self.device_type);
        let group = ResolvedGroup::of(self.key, device, members, device_type);
        Some(group.ok_or_else(|| {
            let message = format!("{device} has not joined group {}", self.key);
            Error::new(ErrorKind::NotFound, message)
        }))
    }

    /// The number of members, if it is settled.
    pub(super) fn complete_size(&self) -> Option<Result<usize>> {
        Some(self.outcome.as_ref()?.as_ref().map(|members| members.len()).map_err(Clone::clone))
    }

    /// Fails a group that is not complete.
    pub(super) fn fail(&mut self, error: Error) {
        self.outcome.get_or_insert(Err(error));
    }

    pub(super) fn cancel(&mut self) {
        let message = format!("group {} was cancelled before it was complete", self.key);
        self.fail(Error::new(ErrorKind::Aborted, message));
    }

    fn names(&self) -> String {
        let mut names: Vec<_> = self.joined.iter().map(Member::device).collect();
        names.sort_by(|a, b| by_number(a, b));
        names.join(", ")
    }
}
