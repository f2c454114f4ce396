//! In-order streams: a command queue and the thread that follows its completions.

use crate::device::{Device, QUEUE};
use crate::error::Status as Code;
use crate::event::{Command, Event, Home};
use crate::sys::{self, Landing, Queue};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::{Follow, SubmitGuard, SubmitQueue, landed};
use ringwood_device::kernel::FAULT_BYTES;
use std::fmt::Display;
use std::sync::{Arc, Mutex};

/// A stream of an OpenCL device.
///
/// Dropping it does not block: submitted work still runs, and its events complete.
pub struct Stream {
    home: Arc<Home>,
    /// Where kernels record an access out of bounds. Never cleared: the first one fails the stream.
    cell: sys::Mem,
    submit: SubmitQueue<Command>,
    /// The last command: when it is final, so are all before it.
    last: Mutex<Option<Command>>,
}

/// The right to submit commands, with none of other threads in between.
pub(crate) struct Submission<'a> {
    stream: &'a Stream,
    pub(crate) guard: SubmitGuard<'a, Command>,
}

impl Stream {
    pub(crate) fn new(device: &Device, kind: &str) -> Result<Self> {
        if kind != QUEUE {
            return Err(Error::invalid(format!("opencl: no stream kind `{kind}`; known: {QUEUE}")));
        }
        let opening = |code: Code| code.during("opening a stream");
        let queue = Queue::new(device.context(), device.id()).map_err(opening)?;
        let cell = device.context().buffer(FAULT_BYTES).map_err(opening)?;
        queue.fill((&cell, 0), FAULT_BYTES, 0).map_err(opening)?;
        let home = Arc::new(Home { queue, device: device.clone() });
        let submit = SubmitQueue::start("opencl")?;
        Ok(Self { home, cell, submit, last: Mutex::default() })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.home.device
    }

    /// The number of the stream, unique in the process.
    pub(crate) fn number(&self) -> u64 {
        self.submit.number()
    }

    /// Where kernels record an access out of bounds.
    pub(crate) fn cell(&self) -> &sys::Mem {
        &self.cell
    }

    /// The right to submit.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within the bound.
    pub(crate) fn enter(&self) -> Result<Submission<'_>> {
        Ok(Submission { stream: self, guard: self.submit.enter()? })
    }

    /// The right to mark the end of a stream that takes no more work.
    pub(crate) fn enter_failed(&self) -> Submission<'_> {
        Submission { stream: self, guard: self.submit.enter_failed() }
    }

    pub(crate) fn mark(&self, submission: &Submission<'_>) -> Result<Event> {
        let event = Event::new(self.submit.number());
        let last = lock(&self.last).clone();
        let marker = match last {
            Some(last) => last,
            None => submission.enqueue("an event", Queue::marker)?,
        };
        event.mark(marker.clone());
        submission.guard.record(event.clone(), marker);
        Ok(event)
    }
}

impl Submission<'_> {
    /// Makes the queue wait for an event of another stream.
    pub(crate) fn pass(&self, event: &Event) -> Result<Command> {
        let device = self.stream.device();
        self.enqueue("a wait", |q| match event.marker() {
            Some(marker) if marker.home.device == *device => {
                // A queue waits for a command of another one that may not have been sent yet.
                marker.home.queue.flush()?;
                q.barrier(&marker.raw)
            }
            _ => {
                let relay = device.context().user_event()?;
                let barrier = q.barrier(&relay);
                event.then(Box::new(move || relay.complete()));
                barrier
            }
        })
    }

    /// Enqueues a command and tells the thread what to do when it completes.
    ///
    /// # Errors
    /// The driver refuses the command: the stream fails.
    pub(crate) fn submit(
        &self,
        what: impl Display,
        follow: Option<Follow>,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<()> {
        self.guard.submitted(self.command(what, enqueue), follow)
    }

    /// Enqueues a command that the caller follows.
    ///
    /// # Errors
    /// The driver refuses the command: the stream fails.
    fn enqueue(
        &self,
        what: impl Display,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<Command> {
        self.guard.taken(self.command(what, enqueue))
    }

    fn command(
        &self,
        what: impl Display,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<Command> {
        let home = &self.stream.home;
        let raw =
            enqueue(&home.queue).map_err(|code| code.during(&format!("submitting {what}")))?;
        let command = Command { raw, home: Arc::clone(home) };
        *lock(&self.stream.last) = Some(command.clone());
        Ok(command)
    }

    /// Has the fault cell looked at once the launches so far have run.
    pub(crate) fn check(
        &self,
        look: impl FnOnce(&[u8]) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let target = Landing::new(FAULT_BYTES);
        let (from, to) = ((&self.stream.cell, 0), target.address());
        // SAFETY: what follows keeps the landing until the command is final.
        let enqueue = |q: &Queue| unsafe { q.read(from, to, FAULT_BYTES) };
        let look = move |cell: Result<&[u8]>| cell.map_or(Ok(()), look);
        self.submit("the check of a launch", Some(landed(target, look)), enqueue)
    }
}
