//! What has come from one worker, for the callers that wait for it.

use super::lock;
use crate::channel::{QUEUE, behind, ended};
use crate::protocol::{Reply, Report};
use ringwood_base::Result;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub(super) struct Mailbox {
    content: Mutex<Content>,
    arrived: Condvar,
}

#[derive(Default)]
struct Content {
    /// As they came; those for callers that have not asked yet are few.
    replies: VecDeque<Reply>,
    sent: u64,
    done: u64,
    lost: bool,
    /// The callers that wait.
    callers: usize,
}

impl Mailbox {
    /// Takes what callers wait for; gives back what they do not.
    pub(super) fn deliver(&self, report: Report) -> Option<Report> {
        let mut content = lock(&self.content);
        match report {
            Report::Reply(reply) => content.replies.push_back(reply),
            Report::Done(commands) => content.done = content.done.max(commands),
            other => return Some(other),
        }
        if content.callers > 0 {
            self.arrived.notify_all();
        }
        None
    }

    pub(super) fn lose(&self) {
        lock(&self.content).lost = true;
        self.arrived.notify_all();
    }

    /// Waits until `ready` gives a value; `None` at the deadline.
    ///
    /// # Errors
    /// The worker is gone.
    fn wait<T>(
        &self,
        deadline: Instant,
        ready: impl Fn(&mut Content) -> Option<T>,
    ) -> Result<Option<T>> {
        let mut content = lock(&self.content);
        loop {
            if let Some(value) = ready(&mut content) {
                return Ok(Some(value));
            }
            if content.lost {
                return Err(ended());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            content.callers += 1;
            let woken = self.arrived.wait_timeout(content, left);
            content = woken.unwrap_or_else(PoisonError::into_inner).0;
            content.callers -= 1;
        }
    }

    /// Waits until the worker may take one command more, and counts that.
    ///
    /// # Errors
    /// The worker is gone, or has not caught up in time.
    pub(super) fn take_room(&self, deadline: Instant) -> Result<()> {
        let room = |content: &mut Content| {
            let room = content.sent - content.done.min(content.sent) < QUEUE as u64;
            room.then(|| content.sent += 1)
        };
        self.wait(deadline, room)?.ok_or_else(behind)
    }

    /// Gives back what was taken for a command that was not sent.
    pub(super) fn give_room(&self) {
        lock(&self.content).sent -= 1;
    }

    pub(super) fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        self.wait(deadline, |content| {
            let place = content.replies.iter().position(|reply| reply.request == request)?;
            content.replies.remove(place)
        })
    }
}
