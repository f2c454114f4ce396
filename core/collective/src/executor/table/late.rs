//! Instances whose time is over, and who is missing.

use super::{Open, Stage, Table};
use crate::InstanceId;
use ringwood_base::Error;
use ringwood_transport::list_ranks;
use std::time::Instant;

impl Table {
    /// When an instance will be late next.
    pub(in crate::executor) fn next_deadline(&self) -> Option<Instant> {
        let next = self.deadlines.first().filter(|_| self.failure.is_none());
        next.map(|(at, _)| *at)
    }

    /// When an open instance will be late.
    pub(super) fn set_deadline(&mut self, id: InstanceId, at: Option<Instant>) {
        let open = self.open.get_mut(&id).expect("what has a deadline is open");
        if let Some(before) = std::mem::replace(&mut open.deadline, at) {
            self.deadlines.remove(&(before, id));
        }
        self.deadlines.extend(at.map(|at| (at, id)));
    }

    /// The error of the instance that has been late for longest.
    pub(in crate::executor) fn late(&self, now: Instant) -> Option<Error> {
        self.next_deadline().filter(|at| *at <= now)?;
        let (_, id) = self.deadlines.first()?;
        let open = &self.open[id];
        Some(if open.launched { running(*id, open) } else { self.waiting(*id, open) })
    }

    /// Who has not come, or what those who came wait for.
    fn waiting(&self, id: InstanceId, open: &Open) -> Error {
        let seats = &self.groups[&id.group];
        let absent: Vec<_> = seats.expected().filter(|r| !open.ranks.contains_key(r)).collect();
        let message = if absent.is_empty() {
            format!("{id} did not start in time: all ranks came, and it waits for others")
        } else {
            format!("{} did not come to {id} in time", list_ranks(&absent))
        };
        let mut error = Error::timeout(message);
        for (rank, stage) in &open.ranks {
            let Stage::Submitted(after) = stage else { continue };
            for first in after.iter().filter(|after| self.reached(**after).is_none()) {
                error = error.with("waits", format!("rank {rank} for {}", first.instance()));
            }
        }
        error.help("raise the timeout, or look for what keeps them")
    }
}

fn running(id: InstanceId, open: &Open) -> Error {
    let unfinished = open.ranks.iter().filter(|(_, stage)| **stage != Stage::Ended);
    let ranks: Vec<usize> = unfinished.map(|(rank, _)| *rank).collect();
    let message = format!("{id} did not end in time on {}", list_ranks(&ranks));
    Error::timeout(message).help("raise the timeout, or look for what keeps them")
}
