//! What a session sees of workers that are other processes.

use super::Controller;
use crate::channel::{QUEUE, Sent, Workers, behind};
use crate::progress::Progress;
use crate::protocol::{Command, Failure, Order};
use crate::wire::Packet;
use ringwood_base::{Error, Result};
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The workers of a session that are other processes; dropping it ends them.
pub(super) struct Remote(pub(super) Arc<Controller>);

/// The commands that a worker may be behind before it gets one that brings a file: this process keeps that open until it
/// is sent.
const FILES: usize = 64;

impl Remote {
    fn hand_over(&self, to: usize, packet: Packet, late: bool, deadline: Instant) -> Result<()> {
        let Controller { backlogs, links, .. } = &*self.0;
        let limit = if packet.parts.is_empty() { QUEUE } else { FILES };
        let room = |(sent, done): &mut (u64, u64)| {
            (sent.saturating_sub(*done) < limit as u64).then(|| *sent += 1)
        };
        backlogs[to].wait(deadline, room)?.ok_or_else(|| behind(limit))?;
        let sent = if late { links.defer(to, packet) } else { links.send(to, packet) };
        sent.map_err(|error| {
            backlogs[to].change(|(sent, _)| *sent -= 1);
            no_message(error)
        })
    }
}

fn no_message(error: Error) -> Error {
    Error::new(error.kind(), format!("gets no message: {error}"))
}

impl Workers for Remote {
    fn progress(&self) -> &Progress {
        &self.0.progress
    }

    /// Written once: what travels beside the message is memory that all of them share.
    fn send(&self, mut workers: Range<usize>, command: Command, deadline: Instant) -> Sent {
        if matches!(command, Command::Shutdown) {
            self.0.hub().ending = true;
        }
        let late = matches!(command, Command::Free { .. });
        let packet = Packet::of(&Order::Command(command));
        let packet = packet.map_err(|error| (workers.start, no_message(error)))?;
        workers.try_for_each(|worker| {
            let sent = self.hand_over(worker, packet.clone(), late, deadline);
            sent.map_err(|error| (worker, error))
        })
    }

    fn hear(&self, worker: usize) -> bool {
        self.0.links.hear(worker, &self.0)
    }

    fn close(&self, failure: Failure) {
        self.0.close(failure);
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        self.0.hub().ending = true;
        self.0.links.end(deadline)
    }

    fn fate(&self) -> &'static str {
        self.0.links.fate()
    }

    fn come_again(&self) -> bool {
        self.0.links.come_again()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.join(Instant::now());
    }
}
