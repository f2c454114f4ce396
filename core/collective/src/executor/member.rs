//! A rank's asynchronous handle on its group, and the thread behind it.

use super::handle::Handle;
use super::job::{Job, Submission};
use super::promise::Promise;
use super::shared::Shared;
use super::table::Submitted;
use super::{After, InstanceId};
use crate::Communicator;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_transport::Bounds;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A rank's asynchronous handle on its group: calls are submitted, and run on a thread of their own.
///
/// Dropping it means that the rank submits nothing more: what it has submitted still runs, then the
/// rank leaves the group. An instance that the other ranks submit without it fails, as does the
/// executor. When the last rank has left, the number of the group is free again; whoever takes it makes the executor
/// forget what ended, as [`retire`](super::Executor::retire) forgets it of a step. Until then it is kept.
pub struct AsyncCommunicator {
    pub(super) group: u64,
    pub(super) rank: usize,
    pub(super) size: usize,
    pub(super) bounds: Bounds,
    pub(super) shared: Arc<Shared>,
}

impl AsyncCommunicator {
    /// The key of the group.
    pub fn group(&self) -> u64 {
        self.group
    }

    /// The position of this rank in the group, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A submission of the instance `key`, with options.
    pub fn instance(&self, key: u64) -> Submit<'_> {
        let instance = InstanceId { group: self.group, step: 0, key };
        Submit { to: self, instance, after: Vec::new(), bounds: self.bounds }
    }

    /// Submits a call; see [`Submit::submit`].
    pub fn submit<B, F>(&self, key: u64, buffer: B, body: F) -> Handle<B>
    where
        B: Send + 'static,
        F: FnOnce(&Communicator, &mut B) -> Result<()> + Send + 'static,
    {
        self.instance(key).submit(buffer, body)
    }
}

impl Drop for AsyncCommunicator {
    fn drop(&mut self) {
        self.shared.change(|table| table.leave(self.group, self.rank));
    }
}

/// A submission with its options; see [`AsyncCommunicator::instance`].
#[must_use]
pub struct Submit<'a> {
    to: &'a AsyncCommunicator,
    instance: InstanceId,
    after: Vec<After>,
    bounds: Bounds,
}

impl Submit<'_> {
    /// The step that the instance belongs to; 0 by default.
    pub fn step(mut self, step: u64) -> Self {
        self.instance.step = step;
        self
    }

    /// Starts only after another instance has, which may be one that is submitted later.
    pub fn after(mut self, first: After) -> Self {
        self.after.push(first);
        self
    }

    /// How long to wait for the other ranks and the instances that come first, and how long the call
    /// may take from then on; the executor's bounds by default. The shortest of all ranks counts. Where a leader gives the order,
    /// its answer, which names who is missing, may take two seconds longer.
    pub fn bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Submits `body` with the buffer that it works on, which the call owns until its end.
    ///
    /// `body` runs when every rank has submitted this instance and what comes first has: then it
    /// makes the same calls as on the other ranks. It is any body over the communicator, so every
    /// collective can be submitted, and several as one instance.
    ///
    /// The handle ends with the error of the body's call, on every rank with the same one. An error that is no
    /// collective's, as that of a message, which two ranks have alone, or a panic, fails the executor; so does one that
    /// fails the group. It
    /// ends without having run when the executor has failed, when the instance is cancelled, when it
    /// comes after one that failed (with the error of that one), when instances wait for each other,
    /// or when the key was used before.
    pub fn submit<B, F>(self, buffer: B, body: F) -> Handle<B>
    where
        B: Send + 'static,
        F: FnOnce(&Communicator, &mut B) -> Result<()> + Send + 'static,
    {
        let AsyncCommunicator { rank, shared, .. } = self.to;
        let end = Arc::new(Promise::default());
        let submission = Submission::new(buffer, body, Arc::clone(&end));
        let submitted = Submitted {
            after: self.after,
            arrival: deadline(self.bounds.arrival),
            execution: self.bounds.execution,
        };
        shared.submit(self.instance, *rank, submitted, Box::new(submission));
        let (rank, shared) = (*rank, Arc::clone(shared));
        Handle { instance: self.instance, rank, end, awaited: None, shared }
    }
}

/// Runs what a rank submits, until it has left.
pub(super) fn run(shared: &Arc<Shared>, group: u64, communicator: Communicator) {
    let rank = communicator.rank();
    while let Some((instance, mut job)) = shared.next(group, rank) {
        let result = run_one(instance, &mut *job, &communicator);
        let result = shared.end(instance, rank, result, communicator.check());
        job.finish(result);
    }
    drop(communicator);
    shared.unseat(group, rank);
}

fn run_one(instance: InstanceId, job: &mut dyn Job, communicator: &Communicator) -> Result<()> {
    let before = communicator.joined();
    let outcome = catch_unwind(AssertUnwindSafe(|| job.run(communicator)));
    outcome.map_or_else(
        |payload| {
            let what = format!("{instance} on rank {}", communicator.rank());
            Err(communicator.abort(Error::from_panic(what, payload)))
        },
        |result| match result {
            // It is this rank's alone: the others wait in a call that this one will not make.
            Err(error) if communicator.joined() == before || !communicator.has_failed() => {
                Err(communicator.abort(error))
            }
            result => result,
        },
    )
}
