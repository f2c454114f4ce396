//! The completion of a command, as streams and other devices see it.

use crate::device::Device;
use crate::error::during;
use cudarc::driver::result::event;
use cudarc::driver::sys::{CUevent, CUevent_flags, CUstream};
use ringwood_base::Result;
use ringwood_device::backend::queue::{self, Lost, Marker};
use std::sync::Arc;

/// An event of a CUDA stream.
pub type Event = queue::Event<Command>;

/// A point in a CUDA stream.
#[derive(Clone)]
pub struct Command(Arc<Raw>);

struct Raw {
    event: CUevent,
    device: Device,
}

// SAFETY: the driver's objects may be used from every thread.
unsafe impl Send for Raw {}
// SAFETY: as above.
unsafe impl Sync for Raw {}

impl Command {
    /// Marks what `stream` of `device` has got so far. The device is entered.
    ///
    /// # Errors
    /// The driver refuses.
    ///
    /// # Safety
    /// The stream is one of the device.
    pub(crate) unsafe fn mark(device: &Device, stream: CUstream) -> Result<Self> {
        let marking = || during("marking a command");
        let event = event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING).map_err(marking())?;
        let command = Self(Arc::new(Raw { event, device: device.clone() }));
        // SAFETY: the event is new; the stream is the caller's promise.
        unsafe { event::record(event, stream) }.map_err(marking())?;
        Ok(command)
    }

    pub(crate) fn raw(&self) -> CUevent {
        self.0.event
    }
}

impl Marker for Command {
    fn wait(&self) -> Result<(), Lost> {
        self.0.device.enter().map_err(Lost::Unknown)?;
        // SAFETY: the event lives as long as `self`.
        let waited = unsafe { event::synchronize(self.0.event) };
        // A failed context runs nothing any more: what it had under way is final.
        waited.map_err(|code| Lost::Failed(during("running a command")(code)))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.device.visit(|| {
            // SAFETY: the event is owned. A failure changes nothing.
            let _ = unsafe { event::destroy(self.event) };
        });
    }
}
