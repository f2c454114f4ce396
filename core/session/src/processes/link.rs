//! A worker's end of the stream to the controller.

use super::inlet::Inlet;
use super::outbox::Outbox;
use crate::protocol::Order;
use crate::remote::{Link, Packet, serve};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::device::Runtime;
use ringwood_transport::process;
use ringwood_transport::{Arena, Transport};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};

pub(super) struct Stream {
    stream: UnixStream,
    inlet: Mutex<Inlet>,
    outbox: Mutex<Outbox>,
}

/// Serves the controller at the other end of `stream`; returns when it has shut the worker down.
pub(super) fn run(stream: UnixStream, runtime: Option<Runtime>) -> Result<()> {
    process::end_with_parent();
    let link = Stream { stream, inlet: Mutex::default(), outbox: Mutex::default() };
    let begin = link.next()?;
    serve(Arc::new(link), begin, runtime).map(drop)
}

impl Link for Stream {
    /// When the controller is gone, the process ends.
    fn next(&self) -> Result<Option<Order>> {
        let mut inlet = lock(&self.inlet);
        loop {
            if let Some(order) = inlet.next()? {
                return Ok(Some(order));
            }
            let more = inlet.read(&self.stream, true).map_err(|cause| {
                Error::aborted("the stream to the controller is broken").because(cause)
            })?;
            if !more {
                process::leave(0);
            }
        }
    }

    fn push(&self, packet: Packet) -> Result<()> {
        Outbox::push(&self.outbox, packet)
    }

    fn flush(&self) {
        // A controller that is gone ends the process where its orders are read.
        let _ = lock(&self.outbox).flush(&self.stream, true);
    }

    fn transport(&self) -> &'static dyn Transport {
        &Arena
    }
}
