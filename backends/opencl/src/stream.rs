//! In-order lanes: a command queue and the thread that follows its completions.

use crate::device::{Device, QUEUE};
use crate::error::Status as Code;
use crate::event::{Command, Event};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::sys::{self, Landing, Queue};
use ringwood_core::backend::queue::{End, Follow, Follower, LIMIT, call_sink};
use ringwood_core::backend::{HostSink, Region, Status};
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::{FAULT_WORDS, fault};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many commands may be under way before a submission waits.
const DEPTH: usize = 4096;

/// The bytes of a fault cell.
const CELL: usize = 4 * FAULT_WORDS;

/// A stream of an OpenCL device.
///
/// Dropping it does not block: submitted work still runs, and its events complete.
pub struct Stream {
    device: Device,
    queue: Arc<Queue>,
    /// Where kernels record an access out of bounds. Never cleared: the first one fails the stream.
    cell: sys::Mem,
    /// Held from the enqueueing of a command until the thread knows of it: both see one order.
    follower: Mutex<Follower<Command>>,
    number: u64,
}

/// The right to submit commands, with none of other threads in between.
pub(crate) struct Lane<'a> {
    stream: &'a Stream,
    follower: MutexGuard<'a, Follower<Command>>,
}

impl Stream {
    pub(crate) fn new(device: &Device, kind: &str) -> Result<Self> {
        if kind != QUEUE {
            let message = format!("opencl: no stream kind `{kind}`; known: {QUEUE}");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let opening = |code: Code| code.during("opening a stream");
        let queue = Arc::new(Queue::new(device.context(), device.id()).map_err(opening)?);
        let cell = device.context().buffer(CELL).map_err(opening)?;
        queue.fill((&cell, 0), CELL, 0).map_err(opening)?;
        let follower = Follower::start("opencl")?;
        let (number, follower) = (follower.number(), Mutex::new(follower));
        Ok(Self { device: device.clone(), queue, cell, follower, number })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The right to submit.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within the bound.
    pub(crate) fn enter(&self) -> Result<Lane<'_>> {
        let follower = self.follower.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Some(error) = follower.failure() {
                return Err(error.clone());
            }
            if follower.pending() < DEPTH {
                return Ok(Lane { stream: self, follower });
            }
            if Instant::now() > deadline {
                return Err(full());
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    pub(crate) fn write(&self, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        let lane = self.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let (from, to) = (source.as_ptr(), (target.memory.raw(), target.offset));
        // SAFETY: what follows keeps the source, which no one changes while it is shared, until the
        // command is final, and for ever if nobody knows that.
        let enqueue = |q: &Queue| unsafe { q.write(from, to, target.bytes) };
        lane.submit(
            "a write",
            Some(Box::new(move |end| {
                if let End::Unknown(_) = end {
                    std::mem::forget(source);
                }
                Ok(())
            })),
            enqueue,
        )
    }

    pub(crate) fn read(&self, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let lane = match self.enter() {
            Ok(lane) => lane,
            Err(error) => {
                call_sink(sink, Err(error.clone()))?;
                return Err(error);
            }
        };
        let target = Landing::new(source.bytes);
        let (from, to) = ((source.memory.raw(), source.offset), target.address());
        let follow = target.then(move |bytes| call_sink(sink, bytes));
        lane.submit("a read", Some(follow), |q| match source.bytes {
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
        let lane = self.enter()?;
        if source.bytes == 0 {
            return Ok(());
        }
        let (from, to) =
            ((source.memory.raw(), source.offset), (target.memory.raw(), target.offset));
        lane.submit("a copy", None, |q| q.copy(from, to, source.bytes))
    }

    pub(crate) fn fill(&self, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let lane = self.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let to = (target.memory.raw(), target.offset);
        lane.submit("a fill", None, |q| q.fill(to, target.bytes, byte))
    }

    pub(crate) fn record(&self) -> Result<Event> {
        let (lane, event) = (self.enter()?, Event::new(self.number));
        let marker = lane.enqueue("an event", |q| {
            let marker = q.marker()?;
            // Other queues may wait for it.
            q.flush().map(|()| marker)
        })?;
        event.mark(marker.clone());
        lane.follower.record(event.clone(), marker);
        Ok(event)
    }

    pub(crate) fn wait(&self, event: &Event) -> Result<()> {
        let lane = self.enter()?;
        if event.stream() == self.number {
            return Ok(());
        }
        match event.status() {
            Status::Done => return Ok(()),
            Status::Failed(error) => {
                lane.follower.fail(error, None);
                return Ok(());
            }
            Status::Pending => {}
        }
        let passed = lane.enqueue("a wait", |q| match event.marker() {
            Some(marker) if marker.device == self.device => q.barrier(&marker.raw),
            _ => {
                let relay = self.device.context().user_event()?;
                let barrier = q.barrier(&relay);
                event.then(Box::new(move || relay.complete()));
                barrier
            }
        })?;
        lane.follower.after(event.clone(), Some(passed));
        Ok(())
    }
}

impl Lane<'_> {
    /// Enqueues a command and tells the thread what to do when it completes.
    ///
    /// # Errors
    /// The driver refuses the command: the stream fails.
    pub(crate) fn submit(
        &self,
        what: &str,
        follow: Option<Follow>,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<()> {
        match (self.command(what, enqueue), follow) {
            (Ok(done), Some(follow)) => self.follower.follow(done, follow),
            (Ok(done), None) => self.follower.watch(done),
            (Err(error), follow) => {
                self.follower.fail(error.clone(), follow);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Enqueues a command that the caller follows.
    ///
    /// # Errors
    /// The driver refuses the command: the stream fails.
    fn enqueue(
        &self,
        what: &str,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<Command> {
        let command = self.command(what, enqueue);
        command.inspect_err(|error| self.follower.fail(error.clone(), None))
    }

    fn command(
        &self,
        what: &str,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<Command> {
        let Stream { queue, device, .. } = self.stream;
        let raw = enqueue(queue).map_err(|code| code.during(&format!("submitting {what}")))?;
        Ok(Command { raw, queue: Arc::clone(queue), device: device.clone() })
    }

    /// Looks at the fault cell once the launches so far have run.
    pub(crate) fn check(&self, kernel: Arc<Kernel>) -> Result<()> {
        let target = Landing::new(CELL);
        let (from, to) = ((&self.stream.cell, 0), target.address());
        // SAFETY: what follows keeps the landing until the command is final.
        let enqueue = |q: &Queue| unsafe { q.read(from, to, CELL) };
        let look = move |bytes: Result<&[u8]>| bytes.map_or(Ok(()), |cell| check(cell, &kernel));
        self.submit("the check of a launch", Some(target.then(look)), enqueue)
    }

    /// Where kernels record an access out of bounds.
    pub(crate) fn cell(&self) -> &sys::Mem {
        &self.stream.cell
    }
}

fn check(cell: &[u8], kernel: &Kernel) -> Result<()> {
    let mut words = [0; FAULT_WORDS];
    for (word, bytes) in words.iter_mut().zip(cell.as_chunks::<4>().0) {
        *word = u32::from_ne_bytes(*bytes);
    }
    fault(&words).map_or(Ok(()), |access| Err(kernel.out_of_bounds(&access)))
}

fn full() -> Error {
    let message = format!("opencl: a stream took no work for {LIMIT:?}, with too much under way");
    Error::new(ErrorKind::Timeout, message).help("look for a kernel or a sink that does not end")
}
