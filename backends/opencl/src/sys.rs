//! OpenCL objects that release themselves, and the calls that take them.
//!
//! Releasing never fails loudly: a device that is gone must not take the program with it.

mod landing;
mod program;
mod queue;
pub(crate) mod turns;

pub(crate) use landing::Landing;
pub(crate) use program::{Kernel, Program};
pub(crate) use queue::Queue;

use crate::error::Status;
use opencl3::context::context::{create_context, release_context};
use opencl3::device::cl_device_id;
use opencl3::event::{
    CL_EVENT_COMMAND_EXECUTION_STATUS, create_user_event, get_event_data, release_event,
    retain_event, set_user_event_status, wait_for_events,
};
use opencl3::memory::{
    CL_BUFFER_CREATE_TYPE_REGION, CL_MEM_READ_WRITE, create_buffer, create_sub_buffer,
    release_mem_object,
};
use opencl3::types::{cl_buffer_region, cl_context, cl_event, cl_mem};
use std::ptr;
use turns::call;

/// The identity of a device; drivers keep it for ever.
#[derive(Clone, Copy)]
pub(crate) struct DeviceId(pub(crate) cl_device_id);

/// A context of one device.
pub(crate) struct Context(cl_context);

/// A buffer.
pub(crate) struct Mem(cl_mem);

/// The completion of a command, or a user event.
pub(crate) struct Event(cl_event);

/// The number in what a query returns, zero-extended.
pub(crate) fn number(data: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
    u64::from_le_bytes(bytes)
}

/// Gives a handle its traits and its release.
macro_rules! handle {
    ($name:ident, $release:path) => {
        // SAFETY: OpenCL objects may be used from every thread, all calls but `clSetKernelArg` at
        // the same time (OpenCL 1.2, A.2); that one takes a kernel by exclusive reference here.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle owns one reference to the object, which ends here.
                let _ = crate::sys::turns::call(|| unsafe { $release(self.0) });
            }
        }
    };
}
pub(crate) use handle;

handle!(Context, release_context);
handle!(Mem, release_mem_object);
handle!(Event, release_event);

// SAFETY: an identity, never dereferenced by this program.
unsafe impl Send for DeviceId {}
// SAFETY: as above.
unsafe impl Sync for DeviceId {}

impl Context {
    pub(crate) fn new(device: DeviceId) -> Result<Self, Status> {
        let context = call(|| create_context(&[device.0], ptr::null(), None, ptr::null_mut()));
        context.map(Self).map_err(Status)
    }

    /// A buffer of `bytes` bytes, at least 1.
    pub(crate) fn buffer(&self, bytes: usize) -> Result<Mem, Status> {
        // SAFETY: the context is alive; no host memory is involved.
        let memory =
            call(|| unsafe { create_buffer(self.0, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) });
        memory.map(Mem).map_err(Status)
    }

    /// An event that [`Event::complete`] completes.
    pub(crate) fn user_event(&self) -> Result<Event, Status> {
        call(|| create_user_event(self.0)).map(Event).map_err(Status)
    }
}

impl Clone for Event {
    fn clone(&self) -> Self {
        // SAFETY: the event is alive, and the clone releases the reference that this adds.
        let retained = call(|| unsafe { retain_event(self.0) });
        retained.expect("an event that is alive is retained");
        Self(self.0)
    }
}

impl Mem {
    /// A part of a buffer, which keeps the buffer; not of 0 bytes.
    pub(crate) fn part(&self, offset: usize, bytes: usize) -> Result<Self, Status> {
        let region = cl_buffer_region { origin: offset, size: bytes };
        let (kind, region) = (CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast());
        // SAFETY: the buffer is alive; a region of this kind is what the pointer points to.
        call(|| unsafe { create_sub_buffer(self.0, CL_MEM_READ_WRITE, kind, region) })
            .map(Mem)
            .map_err(Status)
    }
}

impl Event {
    /// Blocks until the command is final: success, or the code with which it ended.
    ///
    /// # Errors
    /// The inner error is the command's; the outer one says that its end is unknown.
    pub(crate) fn wait(&self) -> Result<Result<(), Status>, Status> {
        let waited = call(|| wait_for_events(&[self.0])).map_err(Status);
        match (waited, self.ended()) {
            (Ok(()), _) => Ok(Ok(())),
            (Err(_), Some(ended)) => Ok(ended),
            (Err(status), None) => Err(status),
        }
    }

    /// How the command ended: success, or the code with which it failed; `None` if it has not, or
    /// nobody knows.
    pub(crate) fn ended(&self) -> Option<Result<(), Status>> {
        match self.status() {
            Ok(0) => Some(Ok(())),
            Ok(code) if code < 0 => Some(Err(Status(code))),
            _ => None,
        }
    }

    /// 0 for complete, negative for failed, positive before.
    fn status(&self) -> Result<i32, Status> {
        let what = CL_EVENT_COMMAND_EXECUTION_STATUS;
        let data = call(|| get_event_data(self.0, what)).map_err(Status)?;
        Ok(number(&data) as i32)
    }

    /// Completes a user event.
    pub(crate) fn complete(&self) {
        // A second completion is refused, which changes nothing.
        let _ = call(|| set_user_event_status(self.0, 0));
    }
}
