//! Which worker joined which groups, and what its loss means.

use super::Worker;
use crate::resolve::Member;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Membership {
    /// The worker of each device of each group.
    joined: BTreeMap<(u64, String), Worker>,
    /// Groups that lost a worker.
    lost: BTreeMap<u64, Error>,
}

impl Membership {
    /// Notes that a worker joins; a device belongs to the worker that came with it first.
    ///
    /// # Errors
    /// The group lost a worker.
    pub(super) fn join(&mut self, worker: Worker, member: &Member) -> Result<()> {
        let key = (member.group, member.device().to_owned());
        self.joined.entry(key).or_insert(worker);
        self.lost.get(&member.group).cloned().map_or(Ok(()), Err)
    }

    /// Whether a worker speaks for the device that it names.
    ///
    /// # Errors
    /// Another one does.
    pub(super) fn check(&self, worker: Worker, member: &Member) -> Result<()> {
        let key = (member.group, member.device().to_owned());
        if self.joined.get(&key).is_none_or(|first| *first == worker) {
            return Ok(());
        }
        let (device, group) = (member.device(), member.group);
        let message = format!("{device} joins group {group} from two workers");
        Err(Error::new(ErrorKind::Mismatch, message)
            .help("a worker that was started again needs a group with another key"))
    }

    /// The error of a group that lost a worker.
    pub(super) fn lost(&self, group: u64) -> Option<&Error> {
        self.lost.get(&group)
    }

    /// Forgets a worker; the groups that it was in, with their errors.
    pub(super) fn lose(&mut self, worker: Worker) -> Vec<(u64, Error)> {
        let mut groups: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for ((group, device), owner) in &self.joined {
            if *owner == worker {
                groups.entry(*group).or_default().push(device);
            }
        }
        let error = |(group, devices): (u64, Vec<&str>)| {
            let message = format!("group {group} lost the worker of {}", devices.join(", "));
            (group, Error::new(ErrorKind::Aborted, message))
        };
        let groups: Vec<_> = groups.into_iter().map(error).collect();
        for (group, error) in &groups {
            self.lost.entry(*group).or_insert_with(|| error.clone());
        }
        groups.into_iter().map(|(group, _)| (group, self.lost[&group].clone())).collect()
    }
}
