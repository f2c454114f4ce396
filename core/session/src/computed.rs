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
    asked: Option<(Question, Arc<TaskCell>, Instant)>,
}

impl Future for Computed {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let Self { handle, asked } = &mut *self;
        let core = &handle.core;
        let (question, _, deadline) = match asked {
            Some(asked) => {
                asked.1.set(context.waker());
                asked
            }
            None => {
                let question = core.question(handle)?;
                let (task, deadline) = (Arc::new(TaskCell::new(context.waker())), core.deadline());
                question.wakes(&task, deadline)?;
                asked.insert((question, task, deadline))
            }
        };
        match core.answer(question, *deadline) {
            Some(answer) => Poll::Ready(answer.map(drop)),
            None => Poll::Pending,
        }
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
