//! What the leader knows of a group: its members, and what they come to together.

use super::gathering::Gatherings;
use super::group::{Member, ResolvedGroup, Shown};
use super::instance::{InstanceRequest, ResolvedInstance, settle};
use super::locality::{Locality, arrange, by_number};
use super::message::Worker;
use crate::InstanceId;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

/// What the leader knows of a group.
pub(super) struct GroupRecord {
    key: u64,
    size: usize,
    device_type: Arc<str>,
    /// The members, each with the worker that came with it first.
    joined: Vec<(Worker, Member)>,
    outcome: Option<Result<Arc<[Locality]>>>,
    /// The group has lost a worker.
    lost: Option<Error>,
    instances: Gatherings<InstanceRequest, ResolvedInstance>,
    turns: Gatherings<(), u64>,
    next_turn: u64,
    /// The ranks that ask for no more turns.
    gone: BTreeSet<usize>,
}

impl GroupRecord {
    pub(super) fn new(first: &Member) -> Self {
        Self {
            key: first.group,
            size: first.size,
            device_type: first.device_type.as_str().into(),
            joined: Vec::new(),
            outcome: None,
            lost: None,
            instances: Gatherings::default(),
            turns: Gatherings::default(),
            next_turn: 0,
            gone: BTreeSet::new(),
        }
    }

    /// A group that is given up before anybody has joined it.
    pub(super) fn cancelled(key: u64) -> Self {
        let mut group = Self::new(&Member::new(key, 0, "", ""));
        group.cancel();
        group
    }

    /// The group as a member sees it that joins it, if it is complete; when the member is `late`, it has
    /// to be. A question that is `new` adds the member.
    pub(super) fn join(
        &mut self,
        from: Worker,
        member: &Member,
        (new, late): (bool, bool),
    ) -> Result<Option<ResolvedGroup>> {
        if new && self.outcome.is_none() {
            self.add(from, member);
        }
        // Whoever restarted a member of a complete group is told, and nobody else.
        if self.known(member).is_some_and(|(first, _)| *first != from) {
            let message =
                format!("{} joins group {} from two workers", member.device(), Shown(self.key));
            return Err(Error::mismatch(message)
                .help("a worker that was started again needs a group with another key"));
        }
        if self.outcome.is_none() && late {
            let (joined, size, names) = (self.joined.len(), self.size, self.names(|_| true));
            let message =
                format!("group {} has {joined} of {size} members: {names}", Shown(self.key));
            let error = Error::timeout(message);
            self.fail(error.help("raise the timeout, or look for what keeps the others"));
        }
        match &self.outcome {
            None => Ok(None),
            Some(Err(error)) => Err(error.clone()),
            Some(Ok(_)) => {
                self.check(member)?;
                self.check_workers()?;
                self.view(member.device()).map(Some)
            }
        }
    }

    fn add(&mut self, from: Worker, member: &Member) {
        if let Err(error) = self.check(member) {
            self.fail(error);
        } else if self.known(member).is_none() {
            self.joined.push((from, member.clone()));
            if self.joined.len() == self.size {
                self.outcome = Some(self.ordered());
            }
        }
    }

    fn known(&self, member: &Member) -> Option<&(Worker, Member)> {
        self.joined.iter().find(|(_, known)| known.device() == member.device())
    }

    fn check(&self, member: &Member) -> Result<()> {
        let Member { size, device_type, rank, .. } = member;
        let known = self.known(member).map(|(_, known)| known);
        let others = || self.joined.iter().map(|(_, other)| other);
        let taken = |other: &&Member| {
            other.device() != member.device() && rank.is_some() && other.rank == *rank
        };
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
            format!("that is full: {}", self.names(|_| true))
        } else if let Some(taken) = others().find(taken) {
            format!("as rank {}, which {} has taken", rank.unwrap_or(0), taken.device())
        } else if others().any(|other| other.rank.is_some() != rank.is_some()) {
            "where some members ask for a rank and some do not".to_owned()
        } else if let Some(first) =
            others().next().filter(|first| first.ring_order != member.ring_order)
        {
            let show = |order: &Option<String>| order.as_deref().unwrap_or("none").to_owned();
            let (own, other) = (show(&member.ring_order), show(&first.ring_order));
            format!("with ring order {own}, but {} has {other}", first.device())
        } else {
            return Ok(());
        };
        Err(Error::mismatch(format!("{} joins group {} {wrong}", member.device(), Shown(self.key))))
    }

    /// The devices by the rank asked for, else as they are arranged.
    fn ordered(&self) -> Result<Arc<[Locality]>> {
        let mut members: Vec<&Member> = self.joined.iter().map(|(_, member)| member).collect();
        members.sort_by_key(|member| member.rank);
        let mut devices: Vec<_> = members.iter().map(|member| member.locality.clone()).collect();
        if members.iter().all(|member| member.rank.is_none()) {
            let order = members.first().and_then(|first| first.ring_order.as_deref());
            arrange(&mut devices, order).map_err(|error| error.with("group", Shown(self.key)))?;
        }
        Ok(devices.into())
    }

    /// The devices in the order of the ranks, as `who` asks for them: the group is complete, and has not failed.
    pub(super) fn members(&self, who: &dyn Display) -> Result<&Arc<[Locality]>> {
        let outcome = self.outcome.as_ref().ok_or_else(|| unknown(self.key, who))?;
        outcome.as_ref().map_err(Clone::clone)
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Refuses to go on without a worker.
    pub(super) fn check_workers(&self) -> Result<()> {
        self.lost.clone().map_or(Ok(()), Err)
    }

    /// A complete group as the member on `device` sees it.
    fn view(&self, device: &str) -> Result<ResolvedGroup> {
        let members = Arc::clone(self.members(&device)?);
        let rank = members.iter().position(|member| member.device == device).ok_or_else(|| {
            Error::not_found(format!("{device} has not joined group {}", Shown(self.key)))
        })?;
        Ok(ResolvedGroup { key: self.key, rank, members })
    }

    /// The parameters of an instance, when all members have come to it.
    pub(super) fn instance(
        &mut self,
        device: &str,
        request: &InstanceRequest,
        registry: &Registry,
        (new, late): (bool, bool),
    ) -> Result<Option<ResolvedInstance>> {
        let view = self.view(device)?;
        let id = InstanceId { group: self.key, step: 0, key: request.key };
        if new {
            let settle = |all: &[&InstanceRequest]| settle(&view, id, all, registry);
            self.instances.arrive(id, (view.rank, self.size), request.clone(), settle);
            if let Some(error) = &self.lost {
                self.instances.fail(error);
            }
        }
        let settled = self.instances.answer(id, view.rank, late)?;
        Ok(settled.map(|settled| {
            let subdivisions = settled.subdivisions.seen_by(view.rank);
            ResolvedInstance { subdivisions, ..settled }
        }))
    }

    /// The turn of an instance, when all ranks are ready for it.
    pub(super) fn turn(
        &mut self,
        id: InstanceId,
        rank: usize,
        (new, late): (bool, bool),
    ) -> Result<Option<u64>> {
        if rank >= self.size {
            return Err(unknown(self.key, &format_args!("rank {rank}")));
        }
        if new {
            let next = &mut self.next_turn;
            let settle = |_: &[&()]| {
                *next += 1;
                Ok(*next - 1)
            };
            self.turns.arrive(id, (rank, self.size), (), settle);
            self.fail_turns();
            if let Some(error) = &self.lost {
                self.turns.fail(error);
            }
        }
        self.turns.answer(id, rank, late)
    }

    /// A rank asks for no more turns.
    pub(super) fn leave(&mut self, rank: usize) {
        if rank < self.size {
            self.gone.insert(rank);
            self.fail_turns();
        }
    }

    /// Fails the turns that will not come, as a rank that they lack has left.
    fn fail_turns(&mut self) {
        let size = self.size;
        self.turns.fail_without(&self.gone, |rank, id| {
            Error::aborted(format!("rank {rank} of {size} left the group before {id}"))
        });
    }

    /// A worker is lost: whoever counts on it gets an error that says so.
    pub(super) fn lose(&mut self, worker: Worker) {
        if self.joined.iter().any(|(joined, _)| *joined == worker) {
            let devices = self.names(|joined| joined == worker);
            let error =
                Error::aborted(format!("group {} lost the worker of {devices}", Shown(self.key)));
            let first = self.lost.get_or_insert(error).clone();
            self.instances.fail(&first);
            self.turns.fail(&first);
            self.fail(first);
        }
    }

    /// Fails a group that is not complete.
    fn fail(&mut self, error: Error) {
        self.outcome.get_or_insert(Err(error));
    }

    pub(super) fn cancel(&mut self) {
        let message = format!("group {} was cancelled before it was complete", Shown(self.key));
        self.fail(Error::aborted(message));
    }

    /// The devices of some workers.
    fn names(&self, of: impl Fn(Worker) -> bool) -> String {
        let some = self.joined.iter().filter(|(worker, _)| of(*worker));
        let mut names: Vec<_> = some.map(|(_, member)| member.device()).collect();
        names.sort_by(|a, b| by_number(a, b));
        names.join(", ")
    }
}

/// The error of who asks about a group that is not complete.
pub(super) fn unknown(group: u64, who: &dyn Display) -> Error {
    Error::not_found(format!("{who} asks about group {}, which is not complete", Shown(group)))
        .help("join the group first; a leader that was started again has lost it")
}
