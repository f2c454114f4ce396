//! In-order lanes: a command queue and the thread that follows its completions.

mod follower;

use crate::device::{Device, QUEUE};
use crate::error::Status as Code;
use crate::event::Event;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::sys::{self, Landing, Queue};
use crossbeam_channel::Sender;
pub(crate) use follower::Work;
use follower::{Failure, Item, LIMIT};
use ringwood_core::backend::{HostSink, Region, Status};
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::FAULT_WORDS;
use std::sync::atomic::{AtomicU64, Ordering};
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
    number: u64,
    device: Device,
    queue: Arc<Queue>,
    /// Where kernels record an access out of bounds. Never cleared: the first one fails the stream.
    cell: sys::Mem,
    failure: Arc<Failure>,
    /// Held from the enqueueing of a command until the thread knows of it: both see one order.
    items: Mutex<Sender<Item>>,
}

/// The right to submit commands, with none of other threads in between.
pub(crate) struct Lane<'a> {
    stream: &'a Stream,
    items: MutexGuard<'a, Sender<Item>>,
}

impl Stream {
    pub(crate) fn new(device: &Device, kind: &str) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        if kind != QUEUE {
            let message = format!("opencl: no stream kind `{kind}`; known: {QUEUE}");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let opening = |code: Code| code.during("opening a stream");
        let queue = Arc::new(Queue::new(device.context(), device.id()).map_err(opening)?);
        let cell = device.context().buffer(CELL).map_err(opening)?;
        queue.fill((&cell, 0), CELL, 0).map_err(opening)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (items, failure) = follower::start(number, Arc::clone(&queue))?;
        let items = Mutex::new(items);
        Ok(Self { number, device: device.clone(), queue, cell, failure, items })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The right to submit.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within the bound.
    pub(crate) fn enter(&self) -> Result<Lane<'_>> {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Some(error) = self.failure.get() {
                return Err(error.clone());
            }
            if items.len() < DEPTH {
                return Ok(Lane { stream: self, items });
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
        // SAFETY: the item keeps the source, which no one changes while it is shared, until the
        // event is final.
        lane.submit("a write", Work::Keep(source), |q| unsafe { q.write(from, to, target.bytes) })
    }

    pub(crate) fn read(&self, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let lane = match self.enter() {
            Ok(lane) => lane,
            Err(error) => {
                follower::call(sink, Err(error.clone()))?;
                return Err(error);
            }
        };
        let target = Landing::new(source.bytes);
        let (from, to) = ((source.memory.raw(), source.offset), target.address());
        lane.submit("a read", Work::Read { target, sink }, |q| match source.bytes {
            0 => q.marker(),
            // SAFETY: the item keeps the landing, and the sink sees it when the event is final.
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
        lane.submit("a copy", Work::Nothing, |q| q.copy(from, to, source.bytes))
    }

    pub(crate) fn fill(&self, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let lane = self.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let to = (target.memory.raw(), target.offset);
        lane.submit("a fill", Work::Nothing, |q| q.fill(to, target.bytes, byte))
    }

    pub(crate) fn record(&self) -> Result<Event> {
        let (lane, event) = (self.enter()?, Event::new(&self.device, self.number));
        lane.submit("an event", Work::Record(event.clone()), |q| {
            let marker = q.marker()?;
            event.mark(marker.clone());
            // Other queues may wait for it.
            q.flush().map(|()| marker)
        })?;
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
                lane.send(Item { done: None, work: Work::Fail(error) });
                return Ok(());
            }
            Status::Pending => {}
        }
        lane.submit("a wait", Work::Wait(event.clone()), |q| match event.marker() {
            Some(marker) if *event.device() == self.device => q.barrier(marker),
            _ => {
                let relay = self.device.context().user_event()?;
                let barrier = q.barrier(&relay);
                event.then(Box::new(move || relay.complete()));
                barrier
            }
        })
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
        work: Work,
        enqueue: impl FnOnce(&Queue) -> Result<sys::Event, Code>,
    ) -> Result<()> {
        match enqueue(&self.stream.queue) {
            Ok(done) => {
                self.send(Item { done: Some(done), work });
                Ok(())
            }
            Err(code) => {
                let error = code.during(&format!("submitting {what}"));
                self.send(Item { done: None, work: Work::Fail(error.clone()) });
                self.send(Item { done: None, work });
                Err(error)
            }
        }
    }

    /// Looks at the fault cell once the launches so far have run.
    pub(crate) fn check(&self, kernel: Arc<Kernel>) -> Result<()> {
        let target = Landing::new(CELL);
        let (from, to) = ((&self.stream.cell, 0), target.address());
        // SAFETY: the item keeps the landing until the event is final.
        let enqueue = |q: &Queue| unsafe { q.read(from, to, CELL) };
        self.submit("the check of a launch", Work::Check { target, kernel }, enqueue)
    }

    /// Where kernels record an access out of bounds.
    pub(crate) fn cell(&self) -> &sys::Mem {
        &self.stream.cell
    }

    fn send(&self, item: Item) {
        if let Err(refused) = self.items.send(item) {
            let message = "opencl: the thread of a stream has ended";
            refused.into_inner().abandon(&Error::new(ErrorKind::Backend, message));
        }
    }
}

fn full() -> Error {
    let message = format!("opencl: a stream took no work for {LIMIT:?}, with too much under way");
    Error::new(ErrorKind::Timeout, message).help("look for a kernel or a sink that does not end")
}
