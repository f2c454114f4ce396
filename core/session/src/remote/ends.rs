//! What a session sees of workers that are other processes.

use super::Controller;
use crate::channel::{ControllerEnd, Workers};
use crate::protocol::{Command, Failure, Order, Reply};
use crate::wire::Packet;
use ringwood_base::{Error, Result};
use ringwood_transport::flight::Snapshot;
use std::sync::Arc;
use std::time::Instant;

/// The workers of a session that are other processes.
pub(super) struct Remote {
    pub(super) ends: Vec<End>,
    pub(super) controller: Arc<Controller>,
}

/// The controller's end of the channel to one worker.
pub(super) struct End {
    pub(super) rank: usize,
    pub(super) controller: Arc<Controller>,
}

impl ControllerEnd for End {
    fn send(&self, command: Command, deadline: Instant) -> Result<()> {
        if matches!(command, Command::Shutdown) {
            self.controller.hub().end();
        }
        let late = matches!(command, Command::Free { .. });
        self.hand_over(Packet::of(&Order::Command(command)).map_err(no_message)?, late, deadline)
    }

    fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        let Self { rank, controller } = self;
        let mailbox = &controller.boxes[*rank];
        loop {
            let now = Instant::now();
            let reply = mailbox.receive(request, now)?;
            if reply.is_some() || now >= deadline {
                return Ok(reply);
            }
            if !controller.links.hear(*rank, controller) {
                return mailbox.receive(request, deadline);
            }
        }
    }
}

impl End {
    fn hand_over(&self, packet: Packet, late: bool, deadline: Instant) -> Result<()> {
        let Self { rank, controller } = self;
        controller.boxes[*rank].take_room(deadline)?;
        let sent = match late {
            true => controller.links.defer(*rank, packet),
            false => controller.links.send(*rank, packet),
        };
        sent.map_err(|error| {
            controller.boxes[*rank].give_room();
            no_message(error)
        })
    }
}

fn no_message(error: Error) -> Error {
    Error::new(error.kind(), format!("gets no message: {error}"))
}

impl Workers for Remote {
    fn size(&self) -> usize {
        self.ends.len()
    }

    fn end(&self, worker: usize) -> &dyn ControllerEnd {
        &self.ends[worker]
    }

    /// Written once: what travels beside the message is memory that all of them share.
    fn send_all(&self, command: Command, deadline: Instant) -> Result<(), (usize, Error)> {
        let packet =
            Packet::of(&Order::Command(command)).map_err(|error| (0, no_message(error)))?;
        self.ends.iter().enumerate().try_for_each(|(rank, end)| {
            end.hand_over(packet.clone(), false, deadline).map_err(|error| (rank, error))
        })
    }

    fn closed(&self) -> Option<Failure> {
        self.controller.progress.closed().cloned()
    }

    fn close(&self, failure: Failure) {
        self.controller.close(failure);
    }

    fn activity(&self, worker: usize) -> String {
        self.controller.progress.activity(worker)
    }

    fn snapshot(&self) -> Snapshot {
        self.controller.progress.snapshot()
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        self.controller.hub().end();
        self.controller.links.end(deadline)
    }

    fn fate(&self) -> &'static str {
        self.controller.links.fate()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.join(Instant::now());
    }
}
