//! In-order streams: a CUDA stream and the thread that follows its completions.

use crate::device::{Device, STREAM};
use crate::error::{Failure, during};
use crate::event::{Command, Event};
use crate::library::Products;
use crate::memory::Memory;
use crate::pinned::Pinned;
use cudarc::driver::result;
use cudarc::driver::sys::{CUdeviceptr, CUevent_wait_flags, CUstream};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::{Follow, Lost, SubmitGuard, SubmitQueue, keep, landed};
use ringwood_device::kernel::FAULT_BYTES;
use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

/// A stream of a CUDA device.
///
/// Dropping it does not block: submitted work still runs, and its events complete.
pub struct Stream {
    device: Device,
    queue: Queue,
    /// Where kernels record an access out of bounds. Never cleared: the first one fails the stream.
    cell: Option<Memory>,
    /// What computes products.
    products: Products,
    submit: SubmitQueue<Command>,
    /// The mark after the last command, if that was marked.
    last: Mutex<Option<Command>>,
}

/// A CUDA stream that destroys itself, once its work has run.
struct Queue(CUstream, Device);

// SAFETY: the driver's objects may be used from every thread.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

/// The right to submit commands, with none of other threads in between.
pub(crate) struct Submission<'a> {
    stream: &'a Stream,
    pub(crate) guard: SubmitGuard<'a, Command>,
}

impl Stream {
    pub(crate) fn new(device: &Device, kind: &str) -> Result<Self> {
        if kind != STREAM {
            return Err(Error::invalid(format!("cuda: no stream kind `{kind}`; known: {STREAM}")));
        }
        device.enter()?;
        let opening = || during("opening a stream");
        let raw =
            device.reclaiming(|| result::stream::create(result::stream::StreamKind::NonBlocking));
        let queue = Queue(raw.map_err(opening())?, device.clone());
        let cell = Memory::new(device, FAULT_BYTES)?;
        // SAFETY: the cell has this size, and its stream lives.
        unsafe { result::memset_d8_async(cell.at(0), 0, FAULT_BYTES, queue.0) }
            .map_err(opening())?;
        let submit = SubmitQueue::start("cuda")?;
        let products = Products::new(device);
        let device = device.clone();
        Ok(Self { device, queue, cell: Some(cell), products, submit, last: Mutex::default() })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The number of the stream, unique in the process.
    pub(crate) fn number(&self) -> u64 {
        self.submit.number()
    }

    /// Where kernels record an access out of bounds.
    pub(crate) fn cell(&self) -> CUdeviceptr {
        self.cell.as_ref().map_or(0, |cell| cell.at(0))
    }

    /// What computes products.
    pub(crate) fn products(&self) -> &Products {
        &self.products
    }

    /// The right to submit; the device is entered.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within the bound.
    pub(crate) fn enter(&self) -> Result<Submission<'_>> {
        let guard = self.submit.enter()?;
        self.device.enter()?;
        Ok(Submission { stream: self, guard })
    }

    /// The right to mark the end of a stream that takes no more work; the device is entered.
    ///
    /// # Errors
    /// The driver refuses to enter the device.
    pub(crate) fn enter_failed(&self) -> Result<Submission<'_>> {
        self.device.enter()?;
        Ok(Submission { stream: self, guard: self.submit.enter_failed() })
    }

    /// Has a library put work on the stream, which it gets as a `CUstream`; the device is entered. Memory that the work
    /// uses is that of a [submission](ringwood_device::device::Stream::submit_native).
    ///
    /// # Errors
    /// The stream's failure, or that of `work`: the stream fails, as nobody knows what is on it.
    pub fn enqueue(&self, work: impl FnOnce(*mut c_void) -> Result<()>) -> Result<()> {
        let submission = self.enter()?;
        *lock(&self.last) = None;
        submission.guard.taken(work(self.queue.0.cast()))
    }

    pub(crate) fn end(&self, submission: &Submission<'_>) -> Result<Event> {
        let event = Event::new(self.submit.number());
        let last = lock(&self.last).clone();
        let marker = last.map_or_else(|| submission.mark(), Ok)?;
        event.mark(marker.clone());
        submission.guard.record(event.clone(), marker);
        Ok(event)
    }
}

impl Submission<'_> {
    /// Makes the queue wait for an event of another stream.
    pub(crate) fn pass(&self, event: &Event) -> Result<()> {
        let Some(marker) = event.marker() else { return Ok(()) };
        *lock(&self.stream.last) = None;
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event and the stream live.
        let waits = unsafe { result::stream::wait_event(self.stream.queue.0, marker.raw(), flags) };
        self.guard.taken(waits.map_err(during("waiting for an event")))
    }

    /// Submits a command, and says what follows it. A command that nothing follows shows its failure
    /// at the next one that something does.
    ///
    /// # Errors
    /// The driver refuses the command: the stream fails.
    pub(crate) fn submit<E: Into<Failure>>(
        &self,
        what: &str,
        follow: Option<Follow>,
        submit: impl FnOnce(CUstream) -> Result<(), E>,
    ) -> Result<()> {
        *lock(&self.stream.last) = None;
        let submitted = submit(self.stream.queue.0);
        let submitted = submitted.map_err(during(format_args!("submitting {what}").to_string()));
        let Some(follow) = follow else {
            return self.guard.taken(submitted);
        };
        if let Err(error) = submitted {
            self.guard.fail(error.clone(), Some(follow));
            return Err(error);
        }
        self.follow(follow)
    }

    /// Does what follows all that is on the stream.
    ///
    /// # Errors
    /// The driver cannot mark the end of it: the stream fails.
    fn follow(&self, follow: Follow) -> Result<()> {
        match self.mark() {
            Ok(marker) => {
                self.guard.follow(marker, follow);
                Ok(())
            }
            // It runs, and nothing tells when it has run.
            Err(error) => follow(Err(Lost::Unknown(error.clone()))).and(Err(error)),
        }
    }

    fn mark(&self) -> Result<Command> {
        // SAFETY: the stream is one of the device, which is entered.
        let marker = unsafe { Command::mark(&self.stream.device, self.stream.queue.0) };
        let marker = self.guard.taken(marker)?;
        *lock(&self.stream.last) = Some(marker.clone());
        Ok(marker)
    }

    /// Where a [check](Submission::check) of launches puts the fault cell: asked for before they are
    /// submitted, as a launch that cannot be checked must not run.
    pub(crate) fn landing(&self) -> Result<Pinned> {
        Pinned::new(&self.stream.device, FAULT_BYTES)
    }

    /// Has the fault cell looked at once the launches so far have run, which need `kept` until then.
    ///
    /// # Errors
    /// The driver refuses the check: the stream fails.
    pub(crate) fn check(
        &self,
        target: Pinned,
        kept: Arc<dyn Any + Send + Sync>,
        look: impl FnOnce(&[u8]) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let (from, to) = (self.stream.cell(), target.address());
        let follow = {
            let kept = Arc::clone(&kept);
            landed(target, move |cell: Result<&[u8]>| {
                drop(kept);
                cell.map_or(Ok(()), look)
            })
        };
        let checked = self.submit("the check of a launch", Some(follow), |q| {
            // SAFETY: as for a read.
            unsafe {
                result::memcpy_dtoh_async(std::slice::from_raw_parts_mut(to, FAULT_BYTES), from, q)
            }
        });
        if checked.is_err() {
            // The launches run all the same; the stream has failed already.
            let _ = self.follow(keep(kept));
        }
        checked
    }
}

impl Drop for Stream {
    /// The cell and what computes products stay until the launches under way have run.
    fn drop(&mut self) {
        let release = keep((self.cell.take(), self.products.take()));
        let mut marker = Err(Error::backend("cuda: the device of a stream cannot be entered"));
        // SAFETY: the stream is one of the device, which is entered.
        self.device.visit(|| marker = unsafe { Command::mark(&self.device, self.queue.0) });
        match marker {
            Ok(marker) => self.submit.enter_failed().follow(marker, release),
            Err(error) => drop(release(Err(Lost::Unknown(error)))),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.1.visit(|| {
            // SAFETY: the stream is owned; the driver lets its work run to the end.
            let _ = unsafe { result::stream::destroy(self.0) };
        });
    }
}
