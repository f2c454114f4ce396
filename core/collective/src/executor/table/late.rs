//! Instances whose time is over, and who is missing.

use super::{Open, Stage, Table};
use crate::InstanceId;
use ringwood_base::Error;
use ringwood_transport::list_ranks;
use std::time::Instant;

impl Table {
    /// When an instance will be late next.
    pub(in crate::executor) fn next_deadline(&self) -> Option<Instant> {
        let open = self.open.values().filter(|_| self.failure.is_none());
        open.filter_map(|open| open.deadline).min()
    }

    /// The error of an instance that is late.
    pub(in crate::executor) fn late(&self, now: Instant) -> Option<Error> {
        if self.failure.is_some() {
            return None;
        }
        let (id, open) =
            self.open.iter().find(|(_, open)| open.deadline.is_some_and(|at| at <= now))?;
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
