//! CUDA graphs: work captured once, to be launched many times.

use crate::device::Device;
use crate::error::{Failure, during};
use cudarc::driver::result::{DriverError, graph, stream};
use cudarc::driver::sys::{CUgraphExec, CUgraphInstantiate_flags, CUstream, CUstreamCaptureMode};
use ringwood_base::Result;

/// What the driver refuses, in errors.
const CAPTURING: &str = "capturing launches";

/// Captured work, ready to be launched. Launches of one graph run one after the other.
pub(crate) struct Graph {
    exec: CUgraphExec,
    device: Device,
}

// SAFETY: launching and destroying take the graph by reference and by value, and the driver's calls
// may come from every thread.
unsafe impl Send for Graph {}
// SAFETY: as above; a launch does not change the graph.
unsafe impl Sync for Graph {}

/// A stream that work is captured on; it runs nothing.
struct Scratch(CUstream);

impl Graph {
    /// Captures what `submit` submits to the stream that it gets. The device is entered.
    ///
    /// # Errors
    /// The driver refuses a part of the work, or the whole.
    pub(crate) fn capture(
        device: &Device,
        submit: impl FnOnce(CUstream) -> Result<(), Failure>,
    ) -> Result<Self> {
        let scratch = device.reclaiming(|| stream::create(stream::StreamKind::NonBlocking));
        let scratch = Scratch(scratch.map_err(during(CAPTURING))?);
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream lives, and nobody else knows it.
        unsafe { stream::begin_capture(scratch.0, mode) }.map_err(during(CAPTURING))?;
        let submitted = submit(scratch.0);
        // SAFETY: as above; the capture ends also if a part of the work was refused.
        let captured = unsafe { stream::end_capture(scratch.0) };
        submitted.map_err(during(CAPTURING))?;
        let captured = captured.map_err(during(CAPTURING))?;
        // SAFETY: the graph is owned here, and its executable copy does not need it.
        let exec = unsafe {
            let instantiate = || graph::instantiate(captured, CUgraphInstantiate_flags(0));
            let exec = device.reclaiming(instantiate);
            let _ = graph::destroy(captured);
            exec
        };
        Ok(Self { exec: exec.map_err(during(CAPTURING))?, device: device.clone() })
    }

    /// Launches the captured work.
    ///
    /// # Safety
    /// The stream is one of the device. Until the work has run, the code and memory that it was
    /// captured with live.
    pub(crate) unsafe fn launch(&self, stream: CUstream) -> Result<(), DriverError> {
        // SAFETY: the graph lives; the rest is the caller's promise.
        unsafe { graph::launch(self.exec, stream) }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        self.device.visit(|| {
            // SAFETY: the graph is owned; the driver lets a launch under way run to the end.
            let _ = unsafe { graph::exec_destroy(self.exec) };
        });
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: the stream is owned and idle. A failure changes nothing.
        let _ = unsafe { stream::destroy(self.0) };
    }
}
