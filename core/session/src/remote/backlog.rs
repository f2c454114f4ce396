//! How far one worker is behind, for the callers that wait for it.

use crate::awaited::Awaited;
use crate::channel::behind;
use ringwood_base::Result;
use std::time::Instant;

/// The commands that were sent, and those that are done.
#[derive(Default)]
pub(super) struct Backlog(Awaited<(u64, u64)>);

impl Backlog {
    /// The worker has done so many commands.
    pub(super) fn done(&self, commands: u64) {
        self.0.change(|(_, done)| *done = commands.max(*done));
    }

    pub(super) fn end(&self) {
        self.0.end();
    }

    /// Waits until the worker is fewer than `limit` commands behind, and counts one more.
    pub(super) fn take_room(&self, limit: usize, deadline: Instant) -> Result<()> {
        let room = |(sent, done): &mut (u64, u64)| {
            (sent.saturating_sub(*done) < limit as u64).then(|| *sent += 1)
        };
        self.0.wait(deadline, room)?.ok_or_else(|| behind(limit))
    }

    /// Gives back what was taken for a command that was not sent.
    pub(super) fn give_room(&self) {
        self.0.change(|(sent, _)| *sent -= 1);
    }
}
