//! The end of submitted work: polled, waited for, or awaited.

use super::stream::Submitting;
use super::stream_timeline::StreamTimeline;
use crate::backend::{Region, Status};
use ringwood_base::Result;
use ringwood_base::waker::TaskCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The end of submitted work; cheap to clone, and every clone gets the same answer.
///
/// It is also a `Future`: the backend calls the task back when the stream has come that far, so
/// nothing polls and no thread waits.
///
/// ```no_run
/// # async fn example() -> ringwood_base::Result<()> {
/// let device = ringwood_device::device::Device::best()?;
/// let x = device.zeros(ringwood_base::Shape::vector(8), ringwood_base::DType::F32)?;
/// device.stream()?.record().await?;
/// # Ok(()) }
/// ```
pub struct Completion {
    stream: Arc<StreamTimeline>,
    at: u64,
    task: Option<Arc<TaskCell>>,
}

impl Completion {
    pub(crate) fn new(stream: Arc<StreamTimeline>, at: u64) -> Self {
        Self { stream, at, task: None }
    }

    /// Whether the work is over, in success or failure; never blocks.
    pub fn is_done(&self) -> bool {
        !matches!(self.status(), Status::Pending)
    }

    /// The state of the work; never blocks.
    pub fn status(&self) -> Status {
        self.stream.timeline.status(self.at)
    }

    /// Blocks the host until the work is done.
    ///
    /// # Errors
    /// The stream's failure, or [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn wait(&self, timeout: Duration) -> Result<()> {
        self.stream.timeline.block(self.at, timeout)
    }

    /// Has the backend wake `task` when the stream has come to this point.
    fn call_back(&self, task: &Arc<TaskCell>) -> Result<()> {
        let hardware = &self.stream.hardware;
        let memory = hardware.backend.allocate(&hardware.handle, 0)?;
        let region = Region { memory: &memory, offset: 0, bytes: 0 };
        let (keep, task) = (memory.clone(), task.clone());
        let sink = Box::new(move |_: Result<&[u8]>| {
            task.wake();
            drop(keep);
        });
        let _submitting = Submitting::enter()?;
        // Past the run time, which may refuse later work of the stream. If the backend does, something
        // failed before this point: else this point would be done.
        hardware
            .backend
            .read(&self.stream.handle, region, sink)
            .map_err(|error| self.stream.timeline.refuse(error))
    }
}

impl Clone for Completion {
    fn clone(&self) -> Self {
        Self { stream: self.stream.clone(), at: self.at, task: None }
    }
}

impl Future for Completion {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        if let Some(task) = &self.task {
            task.set(cx.waker());
        }
        let mut asked = self.task.is_some();
        loop {
            match self.status() {
                Status::Done => return Poll::Ready(Ok(())),
                Status::Failed(error) => return Poll::Ready(Err(error)),
                Status::Pending if asked => return Poll::Pending,
                Status::Pending => {}
            }
            let task = Arc::new(TaskCell::new(cx.waker()));
            if let Err(error) = self.call_back(&task) {
                return Poll::Ready(Err(error));
            }
            self.task = Some(task);
            asked = true;
        }
    }
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.status() {
            Status::Pending => "pending",
            Status::Done => "done",
            Status::Failed(_) => "failed",
        };
        write!(f, "Completion({} of {}, {state})", self.at, self.stream.timeline.id())
    }
}
