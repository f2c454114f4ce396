//! The group stage: who belongs together, and in which order.

use super::order::by_number;
use crate::collective::Communicator;
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// A caller that wants to be in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub(super) group: u64,
    size: usize,
    device_type: String,
    device: String,
    rank: Option<usize>,
}

impl Member {
    /// The member of group `group` that runs on `device`; the group has `size` members on devices
    /// of one type.
    pub fn new(group: u64, size: usize, device_type: &str, device: &str) -> Self {
        let (device_type, device) = (device_type.to_owned(), device.to_owned());
        Self { group, size, device_type, device, rank: None }
    }

    /// Asks for a rank instead of taking the position of the device among all.
    #[must_use]
    pub fn rank(self, rank: usize) -> Self {
        Self { rank: Some(rank), ..self }
    }
}

/// A complete group, as one of its members sees it.
#[derive(Clone, Debug)]
pub struct ResolvedGroup {
    key: u64,
    rank: usize,
    members: Arc<[String]>,
    device_type: Arc<str>,
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

    /// The devices in the order of the ranks; the same on every member.
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// The type of the devices.
    pub fn device_type(&self) -> &str {
        &self.device_type
    }
}

/// What is known of a group.
pub(super) struct GroupRecord {
    key: u64,
    size: usize,
    device_type: Arc<str>,
    joined: Vec<(String, Option<usize>)>,
    outcome: Option<Result<Arc<[String]>>>,
    communicators: Option<Vec<Option<Communicator>>>,
}

impl GroupRecord {
    pub(super) fn new(first: &Member) -> Self {
        Self {
            key: first.group,
            size: first.size,
            device_type: first.device_type.as_str().into(),
            joined: Vec::new(),
            outcome: None,
            communicators: None,
        }
    }

    /// Adds a member; whether that settles the group.
    pub(super) fn join(&mut self, member: &Member) -> bool {
        if self.outcome.as_ref().is_some_and(Result::is_err) {
            return false;
        }
        if let Err(error) = self.check(member) {
            self.outcome = Some(Err(error));
            return true;
        }
        if self.joined.iter().any(|(device, _)| *device == member.device) {
            return false;
        }
        self.joined.push((member.device.clone(), member.rank));
        if self.joined.len() == self.size {
            self.outcome = Some(Ok(self.ordered()));
        }
        self.joined.len() == self.size
    }

    fn check(&self, member: &Member) -> Result<()> {
        let Member { size, device_type, device, rank, .. } = member;
        let known = self.joined.iter().find(|(d, _)| d == device);
        let wrong = if *size == 0 {
            "with a size of 0; a group has at least one member".to_owned()
        } else if *device_type != *self.device_type {
            format!("as a device of type {device_type}, but the group has {}", self.device_type)
        } else if *size != self.size {
            format!("with size {size}, but the group has size {}", self.size)
        } else if rank.is_some_and(|rank| rank >= *size) {
            format!("as rank {}, but ranks are below {size}", rank.unwrap_or(0))
        } else if known.is_some_and(|(_, before)| before != rank) {
            "again with another rank".to_owned()
        } else if known.is_none() && self.joined.len() == self.size {
            format!("that is full: {}", self.names())
        } else if let Some((taken, _)) =
            self.joined.iter().find(|(d, r)| d != device && r.is_some() && r == rank)
        {
            format!("as rank {}, which {taken} has taken", rank.unwrap_or(0))
        } else if self.joined.iter().any(|(_, r)| r.is_some() != rank.is_some()) {
            "where some members ask for a rank and some do not".to_owned()
        } else {
            return Ok(());
        };
        let message = format!("{device} joins group {} {wrong}", self.key);
        Err(Error::new(ErrorKind::Mismatch, message))
    }

    /// The devices by the rank asked for, else by number.
    fn ordered(&self) -> Arc<[String]> {
        let mut members = self.joined.clone();
        members.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| by_number(&a.0, &b.0)));
        members.into_iter().map(|(device, _)| device).collect()
    }

    /// What a member gets, if the group is settled; when it is `late`, it is.
    pub(super) fn answer(&mut self, member: &Member, late: bool) -> Option<Result<ResolvedGroup>> {
        if self.outcome.is_none() && late {
            let (joined, size) = (self.joined.len(), self.size);
            let message =
                format!("group {} has {joined} of {size} members: {}", self.key, self.names());
            let error = Error::new(ErrorKind::Timeout, message)
                .help("raise the timeout, or look for what keeps the others");
            self.outcome = Some(Err(error));
        }
        let members = match self.outcome.as_ref()? {
            Ok(members) => Arc::clone(members),
            Err(error) => return Some(Err(error.clone())),
        };
        let rank = members.iter().position(|device| *device == member.device);
        let rank = rank.expect("a member that is answered has joined");
        let device_type = Arc::clone(&self.device_type);
        Some(Ok(ResolvedGroup { key: self.key, rank, members, device_type }))
    }

    pub(super) fn cancel(&mut self) {
        if self.outcome.is_none() {
            let message = format!("group {} was cancelled before it was complete", self.key);
            self.outcome = Some(Err(Error::new(ErrorKind::Aborted, message)));
        }
    }

    pub(super) fn take_communicator(
        &mut self,
        rank: usize,
        open: impl FnOnce() -> Result<Vec<Communicator>>,
    ) -> Result<Communicator> {
        if self.communicators.is_none() {
            self.communicators = Some(open()?.into_iter().map(Some).collect());
        }
        let slot = self.communicators.as_mut().and_then(|all| all.get_mut(rank));
        slot.and_then(Option::take).ok_or_else(|| {
            let message = format!("rank {rank} of group {} has its communicator already", self.key);
            Error::new(ErrorKind::Duplicate, message)
        })
    }

    #[cfg(test)]
    pub(super) fn has(&self, members: usize) -> bool {
        self.joined.len() == members
    }

    fn names(&self) -> String {
        let mut names: Vec<_> = self.joined.iter().map(|(device, _)| device.as_str()).collect();
        names.sort_by(|a, b| by_number(a, b));
        names.join(", ")
    }
}
