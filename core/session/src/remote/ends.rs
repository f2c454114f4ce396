//! What a session sees of workers that are other processes.

use super::Controller;
use crate::answers::Answer;
use crate::channel::{QUEUE, Workers, behind};
use crate::progress::Progress;
use crate::protocol::{Command, Failure, Order};
use crate::serve::await_ready;
use crate::wire::Packet;
use ringwood_base::{Error, Result};
use std::sync::Arc;
use std::time::Instant;

/// How far a worker is behind: the commands that it was sent, and those that it has run.
#[derive(Default)]
pub(super) struct Room {
    sent: u64,
    pub(super) done: u64,
}

/// The workers of a session that are other processes; dropping it ends them.
pub(super) struct Remote(pub(super) Arc<Controller>);

/// The commands that a worker may be behind before it gets one that brings a file: this process keeps that open until it
/// is sent.
const FILES: usize = 64;

impl Remote {
    fn hand_over(&self, to: usize, packet: Packet, late: bool, deadline: Instant) -> Result<()> {
        let Controller { rooms, links, .. } = &*self.0;
        let limit = if packet.parts.is_empty() { QUEUE } else { FILES };
        let take = |room: &mut Room| {
            let behind = room.sent.saturating_sub(room.done);
            (behind < limit as u64).then(|| room.sent += 1)
        };
        rooms[to].wait(deadline, take)?.ok_or_else(|| behind(limit))?;
        let sent = if late { links.defer(to, packet) } else { links.send(to, packet) };
        sent.map_err(|error| {
            rooms[to].change(|room| room.sent -= 1);
            no_message(error)
        })
    }

    /// Waits until the workers are ready.
    pub(super) fn await_ready(&self, deadline: Instant) -> Result<()> {
        let Self(controller) = self;
        await_ready(self, controller.rooms.len(), deadline).map_err(|e| controller.reason(e))
    }
}

/// The message of a command, and whether that may be late.
fn message(command: Command) -> Result<(Packet, bool)> {
    let late = matches!(command, Command::Free { .. });
    let packet = Packet::of(&Order::Command(command)).map_err(no_message)?;
    Ok((packet, late))
}

fn no_message(error: Error) -> Error {
    Error::new(error.kind(), format!("gets no message: {error}"))
}

impl Workers for Remote {
    fn progress(&self) -> &Progress {
        &self.0.progress
    }

    fn send(&self, worker: usize, command: Command, deadline: Instant) -> Result<()> {
        if matches!(command, Command::Shutdown) {
            self.0.hub().end();
        }
        let (packet, late) = message(command)?;
        self.hand_over(worker, packet, late, deadline)
    }

    /// Written once: what travels beside the message is memory that all of them share.
    fn send_all(&self, command: Command, deadline: Instant) -> Result<(), (usize, Error)> {
        let (packet, late) = message(command).map_err(|error| (0, error))?;
        (0..self.0.rooms.len()).try_for_each(|worker| {
            let sent = self.hand_over(worker, packet.clone(), late, deadline);
            sent.map_err(|error| (worker, error))
        })
    }

    fn wait(&self, answer: &Answer, until: Instant) {
        let worker = answer.silent().first().copied().unwrap_or(answer.first);
        if !self.0.links.hear(worker, &self.0) {
            answer.wait(until);
        }
    }

    fn close(&self, failure: Failure) {
        self.0.close(failure);
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        self.0.hub().end();
        self.0.links.end(deadline)
    }

    fn fate(&self) -> &'static str {
        self.0.links.fate()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.join(Instant::now());
    }
}
