//! What has come from one worker, for the callers that wait for it.

use super::lock;
use crate::channel::{QUEUE, behind, ended};
use crate::protocol::{Reply, Report};
use ringwood_base::Result;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub(super) struct Mailbox {
    content: Mutex<Content>,
    arrived: Condvar,
}

#[derive(Default)]
struct Content {
    replies: HashMap<u64, Vec<Reply>>,
    sent: u64,
    done: u64,
    lost: bool,
}

impl Mailbox {
    /// Takes what callers wait for; gives back what they do not.
    pub(super) fn deliver(&self, report: Report) -> Option<Report> {
        let mut content = lock(&self.content);
        match report {
            Report::Reply(reply) => content.replies.entry(reply.request).or_default().push(reply),
            Report::Done(commands) => content.done = commands,
            other => return Some(other),
        }
        self.arrived.notify_all();
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
            let woken = self.arrived.wait_timeout(content, left);
            content = woken.unwrap_or_else(PoisonError::into_inner).0;
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
            let replies = content.replies.get_mut(&request)?;
            let reply = replies.remove(0);
            if replies.is_empty() {
                content.replies.remove(&request);
            }
            Some(reply)
        })
    }
}
