//! What has come from one worker, for the callers that wait for it.

use crate::awaited::Awaited;
use crate::channel::{behind, take_reply};
use crate::protocol::{Reply, Report};
use ringwood_base::Result;
use std::collections::VecDeque;
use std::time::Instant;

#[derive(Default)]
pub(super) struct Mailbox(Awaited<Content>);

#[derive(Default)]
struct Content {
    replies: VecDeque<Reply>,
    sent: u64,
    done: u64,
}

impl Mailbox {
    /// Takes what callers wait for; gives back what they do not.
    pub(super) fn deliver(&self, report: Report) -> Option<Report> {
        match report {
            Report::Reply(reply) => self.0.change(|content| content.replies.push_back(reply)),
            Report::Done(commands) => {
                self.0.change(|content| content.done = content.done.max(commands));
            }
            other => return Some(other),
        }
        None
    }

    pub(super) fn lose(&self) {
        self.0.end();
    }

    /// Waits until the worker is fewer than `limit` commands behind, and counts one more.
    pub(super) fn take_room(&self, limit: usize, deadline: Instant) -> Result<()> {
        let room = |content: &mut Content| {
            let room = content.sent - content.done.min(content.sent) < limit as u64;
            room.then(|| content.sent += 1)
        };
        self.0.wait(deadline, room)?.ok_or_else(|| behind(limit))
    }

    /// Gives back what was taken for a command that was not sent.
    pub(super) fn give_room(&self) {
        self.0.change(|content| content.sent -= 1);
    }

    pub(super) fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        self.0.wait(deadline, |content| take_reply(&mut content.replies, request))
    }
}
