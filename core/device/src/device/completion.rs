//! The end of submitted work: polled, waited for, or awaited.

use super::stream::Submitting;
use super::stream_timeline::StreamTimeline;
use crate::backend::Status;
use ringwood_base::deadline::LONGEST;
use ringwood_base::sync::thread;
use ringwood_base::waker::TaskCell;
use ringwood_base::{Error, Result};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The end of submitted work; cheap to clone, and every clone gets the same answer.
///
/// It is also a `Future`: the backend calls the task back when the stream has come that far, so
/// nothing polls and no thread waits; one does if the stream takes no more work.
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

    /// Whether the work is over, in success or failure, as far as anybody will know; never blocks.
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

    /// Has `task` woken when the stream has come to this point.
    fn call_back(&self, task: &Arc<TaskCell>) -> Result<()> {
        // What keeps the backend from it need not concern the work up to here.
        self.call_back_from_device(task).or_else(|_| self.call_back_from_thread(task))
    }

    fn call_back_from_device(&self, task: &Arc<TaskCell>) -> Result<()> {
        let task = task.clone();
        let _submitting = Submitting::enter()?;
        self.stream.call_back(move || task.wake())
    }

    fn call_back_from_thread(&self, task: &Arc<TaskCell>) -> Result<()> {
        let (end, task) = (self.clone(), task.clone());
        let waits = move || {
            let _ = end.wait(LONGEST);
            task.wake();
        };
        let started = thread::Builder::new().name("ringwood completion".into()).spawn(waits);
        let failed = |cause| Error::backend("cannot start the thread of a wait").because(cause);
        started.map(drop).map_err(failed)
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
                Status::Failed(error) | Status::Unknown(error) => return Poll::Ready(Err(error)),
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
            Status::Failed(_) | Status::Unknown(_) => "failed",
        };
        write!(f, "Completion({} of {}, {state})", self.at, self.stream.timeline.id())
    }
}
