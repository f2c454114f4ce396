//! The end of a call on all workers, awaited.

use super::DRef;
use super::core::{Handle, Question};
use ringwood_base::Result;
use ringwood_base::waker::TaskCell;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

/// That a register is computed on every worker, as a future of what [`DRef::wait`] gives; it keeps the register.
///
/// Whoever takes the last worker's answer wakes the task, and so do the end of the session and that of its timeout,
/// counted from the first poll, which is an error as for [`DRef::wait`]. The first poll asks the workers, for which it may
/// wait as a call does: for room in their queues.
pub struct Computed {
    handle: Arc<Handle>,
    asked: Option<Asked>,
}

struct Asked {
    question: Question,
    task: Arc<TaskCell>,
    deadline: Instant,
}

impl Computed {
    fn asked(&mut self, context: &Context<'_>) -> Result<&Asked> {
        if let Some(asked) = &self.asked {
            asked.task.set(context.waker());
        } else {
            let core = &self.handle.core;
            let question = core.question(&self.handle)?;
            let (task, deadline) = (Arc::new(TaskCell::new(context.waker())), core.deadline());
            question.wakes(&task, deadline)?;
            self.asked = Some(Asked { question, task, deadline });
        }
        Ok(self.asked.as_ref().expect("it was asked above"))
    }
}

impl Future for Computed {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let handle = Arc::clone(&self.handle);
        let Asked { question, deadline, .. } = self.asked(context)?;
        handle.core.answer(&handle, question, *deadline).map_or(Poll::Pending, Poll::Ready)
    }
}

/// `(&result).await?` is [`DRef::wait`] that leaves its thread to other tasks.
impl<T> IntoFuture for &DRef<T> {
    type Output = Result<()>;
    type IntoFuture = Computed;

    fn into_future(self) -> Computed {
        Computed { handle: Arc::clone(&self.handle), asked: None }
    }
}

/// `call(&session)?.await?`, for whoever needs no more than the end of the call.
impl<T> IntoFuture for DRef<T> {
    type Output = Result<()>;
    type IntoFuture = Computed;

    fn into_future(self) -> Computed {
        (&self).into_future()
    }
}
