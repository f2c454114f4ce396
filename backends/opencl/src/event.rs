//! The completion of a command, as streams and other devices see it.

use crate::device::Device;
use crate::sys::{self, Queue};
use ringwood_device::backend::queue::{self, Lost, Marker};
use std::sync::Arc;

/// An event of an OpenCL stream.
pub type Event = queue::Event<Command>;

/// A command in a queue.
#[derive(Clone)]
pub struct Command {
    pub(crate) raw: sys::Event,
    pub(crate) home: Arc<Home>,
}

/// The queue of a stream, and its device.
pub(crate) struct Home {
    pub(crate) queue: Queue,
    pub(crate) device: Device,
}

impl Marker for Command {
    fn wait(&self) -> Result<(), Lost> {
        let unknown =
            |code: crate::error::Status| Lost::Unknown(code.during("waiting for a command"));
        let ended = match self.raw.ended() {
            Some(ended) => ended,
            None => {
                self.home.queue.flush().map_err(unknown)?;
                self.raw.wait().map_err(unknown)?
            }
        };
        ended.map_err(|code| Lost::Failed(code.during("running a command")))
    }
}
