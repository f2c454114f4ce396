//! In-order streams: a command queue and the thread that follows its completions.

use crate::device::{Device, QUEUE};
use crate::error::Status as Code;
use crate::event::{Command, Event, Home};
use crate::memory::Memory;
use crate::sys::{self, Landing, Queue};
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::{Follow, SubmitGuard, SubmitQueue, call_sink, keep, landed};
use ringwood_device::backend::{HostSink, Region};
use ringwood_device::kernel::FAULT_BYTES;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    guard: SubmitGuard<'a, Command>,
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

    pub(crate) fn write(&self, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        let submission = self.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let (from, to) = (source.as_ptr(), (target.memory.raw(), target.offset));
        // SAFETY: what follows keeps the source, which no one changes while it is shared, until the
        // command is final, and for ever if nobody knows that.
        let enqueue = |q: &Queue| unsafe { q.write(from, to, target.bytes) };
        submission.submit("a write", Some(keep(source)), enqueue)
    }

    pub(crate) fn read(&self, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let submission = match self.enter() {
            Ok(submission) => submission,
            Err(error) => {
                call_sink(sink, Err(error.clone()))?;
                return Err(error);
            }
        };
        let target = Landing::new(source.bytes);
        let (from, to) = ((source.memory.raw(), source.offset), target.address());
        let follow = landed(target, move |bytes| call_sink(sink, bytes));
        submission.submit("a read", Some(follow), |q| match source.bytes {
            0 => q.marker(),
            // SAFETY: what follows keeps the landing, and the sink sees it when the command is final.
            bytes => unsafe { q.read(from, to, bytes) },
        })
    }

    pub(crate) fn copy(
        &self,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        let submission = self.enter()?;
        if source.bytes == 0 {
            return Ok(());
        }
        let (from, to) =
            ((source.memory.raw(), source.offset), (target.memory.raw(), target.offset));
        submission.submit("a copy", None, |q| q.copy(from, to, source.bytes))
    }

    pub(crate) fn fill(&self, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let submission = self.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let to = (target.memory.raw(), target.offset);
        submission.submit("a fill", None, |q| q.fill(to, target.bytes, byte))
    }

    pub(crate) fn record(&self) -> Result<Event> {
        self.mark(&self.enter()?)
    }

    pub(crate) fn record_failed(&self) -> Result<Event> {
        self.mark(&Submission { stream: self, guard: self.submit.enter_failed() })
    }

    fn mark(&self, submission: &Submission<'_>) -> Result<Event> {
        let event = Event::new(self.submit.number());
        let last = self.last().clone();
        let marker = match last {
            Some(last) => last,
            None => submission.enqueue("an event", Queue::marker)?,
        };
        event.mark(marker.clone());
        submission.guard.record(event.clone(), marker);
        Ok(event)
    }

    fn last(&self) -> MutexGuard<'_, Option<Command>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wait(&self, event: &Event) -> Result<()> {
        let submission = self.enter()?;
        if submission.guard.must_wait(event) {
            let passed = submission.pass(event)?;
            submission.guard.after(event.clone(), Some(passed));
        }
        Ok(())
    }

    pub(crate) fn wait_for_end(&self, event: &Event) -> Result<()> {
        let submission = self.enter()?;
        if submission.guard.must_wait_for_end(event) {
            submission.guard.watch(submission.pass(event)?);
        }
        Ok(())
    }
}

impl Submission<'_> {
    /// Makes the queue wait for an event of another stream.
    fn pass(&self, event: &Event) -> Result<Command> {
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
        *self.stream.last() = Some(command.clone());
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
