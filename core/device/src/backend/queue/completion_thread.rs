//! The thread of a stream: does what is to be done on the host when commands complete.

use super::{Event, Lost, Marker, quarantine};
use crate::backend::{HostSink, linger};
use crossbeam_channel::{Receiver, Sender, TryRecvError};
use ringwood_base::{Error, Result};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The bound of every wait of one stream for another. It ends earlier if its peer does: a stream
/// completes or fails all of its events.
pub const LIMIT: Duration = Duration::from_secs(600);

/// How many commands are looked at together at most.
const BATCH: usize = 64;

/// What follows a command, which has ended so: it was lost also where something before it failed. Gives the
/// stream's failure if the command is the first to fail.
pub type Follow = Box<dyn FnOnce(Result<(), Lost>) -> Result<()> + Send>;

/// The thread that follows the completions of one queue, and the way to it.
///
/// Dropping it does not block: commands under way still run, and what follows them is still done.
pub struct CompletionThread<M> {
    number: u64,
    items: Sender<Item<M>>,
    failure: Arc<OnceLock<Error>>,
    /// What [`CompletionThread::fail`] was told first.
    refused: OnceLock<Error>,
}

/// A command under way.
struct Item<M> {
    /// Its completion; `None` if it never came to the queue.
    done: Option<M>,
    /// The event of another stream that it waits for.
    after: Option<Event<M>>,
    follow: Option<Follow>,
}

impl<M> Item<M> {
    /// Whether only its failure counts.
    fn is_watched(&self) -> bool {
        self.done.is_some() && self.after.is_none() && self.follow.is_none()
    }
}

impl<M: Marker> CompletionThread<M> {
    /// Starts the thread; it ends when it is dropped and all commands are final. `name` is
    /// the backend's.
    ///
    /// # Errors
    /// The system has no thread left; or so many commands of other streams were lost that no more of their
    /// memory may be held.
    pub fn start(name: &str) -> Result<Self> {
        quarantine::check()?;
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (items, receive) = crossbeam_channel::unbounded();
        let failure = Arc::new(OnceLock::new());
        let sticky = Arc::clone(&failure);
        std::thread::Builder::new()
            .name(format!("{name} stream {number}"))
            .spawn(move || run(&receive, &sticky))
            .map_err(|cause| {
                Error::backend(format!("{name}: cannot start a stream's thread")).because(cause)
            })?;
        Ok(Self { number, items, failure, refused: OnceLock::new() })
    }

    /// The number of the stream, unique in the process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The stream's first failure; it sticks. A command that never came to the queue counts at once,
    /// also while those before it run.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.get().or(self.refused.get())
    }

    /// How many commands are under way.
    pub fn pending(&self) -> usize {
        self.items.len()
    }

    /// Follows a command to its end.
    pub fn follow(&self, done: M, follow: Follow) {
        self.send(Item { done: Some(done), after: None, follow: Some(follow) });
    }

    /// Waits for a command, so that its failure is noticed.
    pub fn watch(&self, done: M) {
        self.send(Item { done: Some(done), after: None, follow: None });
    }

    /// Makes the stream fail if the event does, once the queue has waited for it.
    pub fn after(&self, event: Event<M>, done: Option<M>) {
        self.send(Item { done, after: Some(event), follow: None });
    }

    /// Makes `event` final once the queue has passed `marker`.
    pub fn record(&self, event: Event<M>, marker: M) {
        let finish = move |end| {
            event.finish(end);
            Ok(())
        };
        self.follow(marker, Box::new(finish));
    }

    /// Fails the stream, after all commands so far; then does what follows a command that never came
    /// to the queue.
    pub fn fail(&self, error: Error, follow: Option<Follow>) {
        let _ = self.refused.set(error.clone());
        let fails = Box::new(move |end: Result<(), Lost>| end.map_or(Ok(()), |()| Err(error)));
        self.send(Item { done: None, after: None, follow: Some(fails) });
        if follow.is_some() {
            self.send(Item { done: None, after: None, follow });
        }
    }

    fn send(&self, item: Item<M>) {
        if let Err(refused) = self.items.send(item) {
            let error = Error::backend("the thread of a stream has ended");
            let follow = refused.into_inner().follow;
            let _ = follow.map(|follow| follow(Err(Lost::Unknown(error))));
        }
    }
}

fn run<M: Marker>(items: &Receiver<Item<M>>, failure: &OnceLock<Error>) {
    let mut taken = VecDeque::with_capacity(BATCH);
    while let Some(item) = next(items, &mut taken) {
        taken.push_front(item);
        taken.extend(items.try_iter().take(BATCH - taken.len()));
        // Commands run in order: when the last of several that nothing follows is final, so are the
        // others, and the driver is asked to wait once.
        let watched = taken.iter().take_while(|item| item.is_watched()).count();
        if watched > 1
            && let Some(done) = &taken[watched - 1].done
        {
            let _ = done.wait();
        }
        for item in taken.drain(..watched.max(1)) {
            if let Err(error) = settle(item, failure.get()) {
                let _ = failure.set(error);
            }
        }
    }
}

/// The next item, also of those that were taken before it was their turn; `None` in the end.
fn next<M>(items: &Receiver<Item<M>>, taken: &mut VecDeque<Item<M>>) -> Option<Item<M>> {
    let soon = || match items.try_recv() {
        Err(TryRecvError::Empty) => None,
        ended => Some(ended.ok()),
    };
    match taken.pop_front() {
        Some(item) => Some(item),
        None => linger(LIMIT, soon).unwrap_or_else(|| items.recv().ok()),
    }
}

/// Waits for a command and does what follows it.
///
/// # Errors
/// The stream's failure; the first one counts.
fn settle<M: Marker>(item: Item<M>, failed: Option<&Error>) -> Result<()> {
    let Item { done, after, follow } = item;
    // Before the command itself: its failure would hide the cause.
    let cause = match after {
        Some(event) if failed.is_none() => event.block(LIMIT),
        _ => Ok(()),
    };
    let (error, unknown) = match done.map_or(Ok(()), |done| done.wait()) {
        Ok(()) => (cause.err(), false),
        Err(Lost::Failed(error)) => (Some(cause.err().unwrap_or(error)), false),
        Err(Lost::Unknown(error)) => (Some(cause.err().unwrap_or(error)), true),
    };
    let first = failed.or(error.as_ref());
    let follow = follow.unwrap_or_else(|| Box::new(|_| Ok(())));
    match first {
        None => guarded(follow, Ok(())),
        Some(error) => {
            let lost = if unknown { Lost::Unknown } else { Lost::Failed };
            guarded(follow, Err(lost(error.clone()))).and(Err(error.clone()))
        }
    }
}

fn guarded(follow: Follow, end: Result<(), Lost>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| follow(end)))
        .unwrap_or_else(|payload| Err(Error::from_panic("what follows a command", payload)))
}

/// Calls the sink of a read; its panic is an error.
///
/// # Errors
/// The sink panics.
pub fn call_sink(sink: HostSink, bytes: Result<&[u8]>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| sink(bytes)))
        .map_err(|payload| Error::from_panic("the sink of a read", payload))
}

#[cfg(test)]
mod tests;
