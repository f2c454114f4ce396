//! The thread of a stream: does what is to be done on the host when commands complete.

use super::{Event, Lost, Marker};
use crate::backend::{HostSink, Progress, linger};
use crossbeam_channel::{Receiver, Sender, TryRecvError};
use ringwood_base::{Error, Result};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// A command under way.
pub(super) struct Item<M> {
    /// Its completion; `None` if it never came to the queue.
    pub(super) done: Option<M>,
    /// The event of another stream that it waits for.
    pub(super) after: Option<Event<M>>,
    pub(super) follow: Option<Follow>,
}

impl<M> Item<M> {
    /// Whether only its failure counts.
    fn is_watched(&self) -> bool {
        self.done.is_some() && self.after.is_none() && self.follow.is_none()
    }
}

/// Starts the thread that follows the commands that it is sent and notes the first failure. It ends when the
/// way to it is gone and all commands are final. `name` is the backend's, `stream` the number.
pub(super) fn start<M: Marker>(
    name: &str,
    stream: u64,
    failure: &Arc<OnceLock<Error>>,
) -> Result<Sender<Item<M>>> {
    let (items, receive) = crossbeam_channel::unbounded();
    let sticky = Arc::clone(failure);
    std::thread::Builder::new()
        .name(format!("{name} stream {stream}"))
        .spawn(move || run(&receive, &sticky))
        .map_err(|cause| {
            Error::backend(format!("{name}: cannot start a stream's thread")).because(cause)
        })?;
    Ok(items)
}

fn run<M: Marker>(items: &Receiver<Item<M>>, failure: &OnceLock<Error>) {
    // What it calls does not wait until less memory is under way, which may be for itself.
    let here = Progress::default();
    here.run_here();
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
