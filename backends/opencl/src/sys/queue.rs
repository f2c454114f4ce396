//! In-order command queues.

use super::turns::call;
use super::{Context, DeviceId, Event, Kernel, Mem, handle};
use crate::error::Status;
use opencl3::command_queue::{
    create_command_queue, enqueue_barrier_with_wait_list, enqueue_copy_buffer, enqueue_fill_buffer,
    enqueue_marker_with_wait_list, enqueue_nd_range_kernel, enqueue_read_buffer,
    enqueue_write_buffer, flush, release_command_queue,
};
use opencl3::types::{CL_FALSE, cl_command_queue, cl_event};
use std::ptr;

/// An in-order queue.
pub(crate) struct Queue(cl_command_queue);

handle!(Queue, release_command_queue);

/// No events to wait for.
const NONE: *const cl_event = ptr::null();

fn event(enqueue: impl FnOnce() -> Result<cl_event, i32>) -> Result<Event, Status> {
    call(enqueue).map(Event).map_err(Status)
}

impl Queue {
    pub(crate) fn new(context: &Context, device: DeviceId) -> Result<Self, Status> {
        // SAFETY: context and device are alive and belong together, or the call is refused.
        call(|| unsafe { create_command_queue(context.0, device.0, 0) }).map(Self).map_err(Status)
    }

    /// Copies host bytes to `target`, from byte `offset` on.
    ///
    /// # Safety
    /// `source` is valid for reads of `bytes` bytes and unchanged until the event is final.
    pub(crate) unsafe fn write(
        &self,
        source: *const u8,
        (target, offset): (&Mem, usize),
        bytes: usize,
    ) -> Result<Event, Status> {
        // SAFETY: the queue and the buffer are alive, which the driver keeps the buffer until the
        // command has run; ranges outside of it are refused. The host bytes are the caller's.
        event(|| unsafe {
            let source = source.cast();
            enqueue_write_buffer(self.0, target.0, CL_FALSE, offset, bytes, source, 0, NONE)
        })
    }

    /// Copies bytes of `source`, from byte `offset` on, to the host.
    ///
    /// # Safety
    /// `target` is valid for writes of `bytes` bytes, and nothing else reaches them until the event
    /// is final.
    pub(crate) unsafe fn read(
        &self,
        (source, offset): (&Mem, usize),
        target: *mut u8,
        bytes: usize,
    ) -> Result<Event, Status> {
        // SAFETY: as in `write`.
        event(|| unsafe {
            let target = target.cast();
            enqueue_read_buffer(self.0, source.0, CL_FALSE, offset, bytes, target, 0, NONE)
        })
    }

    /// Copies between buffers.
    pub(crate) fn copy(
        &self,
        (source, from): (&Mem, usize),
        (target, to): (&Mem, usize),
        bytes: usize,
    ) -> Result<Event, Status> {
        // SAFETY: the handles are alive; ranges outside of the buffers, or that overlap, are
        // refused.
        event(|| unsafe {
            enqueue_copy_buffer(self.0, source.0, target.0, from, to, bytes, 0, NONE)
        })
    }

    /// Sets bytes.
    pub(crate) fn fill(
        &self,
        (target, offset): (&Mem, usize),
        bytes: usize,
        byte: u8,
    ) -> Result<Event, Status> {
        // The longest pattern that fits: drivers copy patterns one by one.
        let fits = |size: &usize| offset.is_multiple_of(*size) && bytes.is_multiple_of(*size);
        let size = [128, 16, 4].into_iter().find(fits).unwrap_or(1);
        let pattern = [byte; 128];
        // SAFETY: the handles are alive, a range outside of the buffer is refused, the pattern is
        // copied in the call and its size is a power of two, as the call wants.
        event(|| unsafe {
            let pattern = pattern.as_ptr().cast();
            enqueue_fill_buffer(self.0, target.0, pattern, size, offset, bytes, 0, NONE)
        })
    }

    /// Runs a kernel with the arguments that it has now.
    ///
    /// # Safety
    /// The kernel, given its arguments, stays inside of its buffers.
    pub(crate) unsafe fn run(
        &self,
        kernel: &Kernel,
        global: &[usize; 3],
        local: &[usize; 3],
    ) -> Result<Event, Status> {
        let (raw, global, local) = (kernel.raw(), global.as_ptr(), local.as_ptr());
        // SAFETY: both sizes have 3 elements; the driver keeps what the kernel needs. The rest is
        // the caller's promise.
        event(|| unsafe {
            enqueue_nd_range_kernel(self.0, raw, 3, ptr::null(), global, local, 0, NONE)
        })
    }

    /// The completion of all commands so far.
    pub(crate) fn marker(&self) -> Result<Event, Status> {
        // SAFETY: the queue is alive; the list is empty.
        event(|| unsafe { enqueue_marker_with_wait_list(self.0, 0, NONE) })
    }

    /// Makes later commands wait for an event of the same context.
    pub(crate) fn barrier(&self, after: &Event) -> Result<Event, Status> {
        let list = [after.0];
        // SAFETY: the queue and the event are alive; the list has one element.
        event(|| unsafe { enqueue_barrier_with_wait_list(self.0, 1, list.as_ptr()) })
    }

    /// Hands all commands so far to the device.
    pub(crate) fn flush(&self) -> Result<(), Status> {
        call(|| flush(self.0)).map_err(Status)
    }
}
