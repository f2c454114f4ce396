//! The collectives of a worker.

use super::Worker;
use crate::protocol::{Direction, Event, Failure, Scope};
use ringwood_base::{Element, Error, Result};
use ringwood_collective::{Call, Communicator};
use ringwood_device::device::Tensor;
use ringwood_schedule::ReduceOp;
use ringwood_transport::flight::{self, Kind};

/// A collective of a worker with its options; see [`Worker::with`].
#[derive(Clone, Copy)]
#[must_use]
pub struct CollectiveCall<'w> {
    worker: &'w Worker,
    algorithm: Option<&'w str>,
    scope: Scope,
}

impl Worker {
    /// A collective that insists on one algorithm.
    ///
    /// ```no_run
    /// # use ringwood_base::Result;
    /// # use ringwood_schedule::ReduceOp;
    /// # use ringwood_device::device::Tensor;
    /// # use ringwood_session::Worker;
    /// # fn step(worker: &Worker, gradient: &mut Tensor) -> Result<()> {
    /// worker.with("ring").all_reduce_tensor(gradient, ReduceOp::Mean)
    /// # }
    /// ```
    pub fn with<'w>(&'w self, algorithm: &'w str) -> CollectiveCall<'w> {
        CollectiveCall { algorithm: Some(algorithm), ..self.call() }
    }

    /// A collective of the worker's group alone; of all workers, where there is one group. What fails
    /// in the middle of it closes the session, as in any other.
    ///
    /// ```no_run
    /// # use ringwood_base::Result;
    /// # use ringwood_schedule::ReduceOp;
    /// # use ringwood_session::Worker;
    /// # fn step(worker: &Worker, partial: &mut [f32], loss: &mut [f32]) -> Result<()> {
    /// worker.in_group().all_reduce(partial, ReduceOp::Sum)?; // tensor parallel
    /// worker.all_reduce(loss, ReduceOp::Mean) // all workers
    /// # }
    /// ```
    pub fn in_group(&self) -> CollectiveCall<'_> {
        self.call().in_group()
    }

    pub(super) fn call(&self) -> CollectiveCall<'_> {
        CollectiveCall { worker: self, algorithm: None, scope: Scope::All }
    }

    fn member(&self, scope: Scope) -> &Communicator {
        match (scope, &self.group) {
            (Scope::Group, Some((group, _))) => group,
            _ => &self.communicator,
        }
    }

    /// Replaces the elements of all workers by their merge; see [`Communicator::all_reduce`]. After an
    /// error the elements are unspecified.
    ///
    /// # Errors
    /// As [`Worker::collective`].
    pub fn all_reduce<T: Element>(&self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.call().all_reduce(data, op)
    }

    /// Replaces the tensors of all workers by their merge; see [`Communicator::all_reduce_tensor`].
    /// After an error the elements are unspecified.
    ///
    /// # Errors
    /// As [`Worker::collective`]; the failure of the work that writes the tensor.
    pub fn all_reduce_tensor(&self, tensor: &mut Tensor, op: ReduceOp) -> Result<()> {
        self.call().all_reduce_tensor(tensor, op)
    }

    /// Sends elements to another worker of this call, which receives as many of the same type; see
    /// [`Communicator::send`].
    ///
    /// # Errors
    /// As [`Communicator::send`]; the other worker has left the call, which closes the session.
    pub fn send<T: Element>(&self, data: &[T], to: usize) -> Result<()> {
        self.message(Direction::Send, to, |group| group.send(data, to))
    }

    /// Receives the elements that another worker of this call sends; see [`Communicator::recv`].
    ///
    /// # Errors
    /// As [`Worker::send`].
    pub fn recv<T: Element>(&self, data: &mut [T], from: usize) -> Result<()> {
        self.message(Direction::Recv, from, |group| group.recv(data, from))
    }

    /// [`Worker::send`] of a tensor; see [`Communicator::send_tensor`].
    ///
    /// # Errors
    /// As [`Worker::send`]; the failure of the work that writes the tensor.
    pub fn send_tensor(&self, tensor: &Tensor, to: usize) -> Result<()> {
        tensor.wait(self.timeout)?;
        self.message(Direction::Send, to, |group| group.send_tensor(tensor, to))
    }

    /// Receives the elements of a tensor that another worker of this call sends.
    ///
    /// # Errors
    /// As [`Worker::send_tensor`].
    pub fn recv_tensor(&self, tensor: &mut Tensor, from: usize) -> Result<()> {
        tensor.wait(self.timeout)?;
        self.message(Direction::Recv, from, |group| group.recv_tensor(tensor, from))
    }

    /// Sends a tensor to the worker that has the same place in the next group: one stage of a pipeline to
    /// the next.
    ///
    /// ```no_run
    /// # use ringwood_base::Result;
    /// # use ringwood_device::device::Tensor;
    /// # use ringwood_session::Worker;
    /// # fn step(worker: &Worker, x: &mut Tensor, groups: usize) -> Result<()> {
    /// if worker.group() > 0 {
    ///     worker.recv_from_prev_group(x)?;
    /// }
    /// // the layers of this stage
    /// if worker.group() + 1 < groups {
    ///     worker.send_to_next_group(x)?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The worker is of the last group; as [`Worker::send_tensor`].
    pub fn send_to_next_group(&self, tensor: &Tensor) -> Result<()> {
        let to = Some(self.rank() + self.group_size()).filter(|to| *to < self.size());
        self.send_tensor(tensor, to.ok_or_else(|| self.no_group("last", "next"))?)
    }

    /// Receives a tensor that the worker with the same place in the group before sends.
    ///
    /// # Errors
    /// The worker is of the first group; as [`Worker::send_tensor`].
    pub fn recv_from_prev_group(&self, tensor: &mut Tensor) -> Result<()> {
        let from = self.rank().checked_sub(self.group_size());
        self.recv_tensor(tensor, from.ok_or_else(|| self.no_group("first", "previous"))?)
    }

    fn group_size(&self) -> usize {
        self.member(Scope::Group).size()
    }

    fn no_group(&self, end: &str, other: &str) -> Error {
        let (group, groups) = (self.group(), self.size() / self.group_size());
        let text =
            format!("group {group} is the {end} of {groups} groups: there is no {other} one");
        Error::invalid(text).help("look at `worker.group()`, and at `SessionBuilder::groups`")
    }

    fn message(
        &self,
        direction: Direction,
        peer: usize,
        body: impl FnOnce(&Communicator) -> Result<()>,
    ) -> Result<()> {
        let begin = Event::Exchange { direction, peer };
        self.watched(Scope::All, (Kind::Message, direction.name()), begin, body)
    }

    /// Runs what other workers take part in, which the session and the flight recorder see. If the workers of `scope`
    /// have failed in it, the session closes.
    fn watched<R>(
        &self,
        scope: Scope,
        (kind, name): (Kind, &'static str),
        begin: Event,
        body: impl FnOnce(&Communicator) -> Result<R>,
    ) -> Result<R> {
        if let Err(failure) = self.tell(begin) {
            return Err(self.close(failure).clone().into());
        }
        let group = self.member(scope);
        let before = group.joined();
        let recorded = flight::begin(kind, name, 0, None);
        let result = body(group);
        let (name, end) = match kind {
            Kind::Message => ("message", Event::Exchanged),
            _ => (name, Event::Leave { joined: group.joined() - before }),
        };
        match group.check() {
            Ok(()) => recorded.end(),
            Err(error) => {
                // Whoever hears of it first, it is the failure of the one that raised it.
                let rank = self.communicator.aborted_by().unwrap_or(self.rank());
                let text = format!("worker {rank} of {}: {name} failed: {error}", self.size());
                self.close(Failure::closing(error.kind(), text));
            }
        }
        let _ = self.tell(end);
        result
    }

    /// Runs one collective, called `name` in messages, in which all workers take part. For messages
    /// between two of them there are [`Worker::send`] and [`Worker::recv`].
    ///
    /// ```no_run
    /// # use ringwood_base::Result;
    /// # use ringwood_schedule::ReduceOp;
    /// # use ringwood_session::Worker;
    /// # fn step(worker: &Worker, data: &mut [f32]) -> Result<()> {
    /// worker.collective("all_reduce", |group| group.with("ring").all_reduce(data, ReduceOp::Sum))
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of the collective; a worker that has left the call and will
    /// not join.
    pub fn collective<R>(
        &self,
        name: &'static str,
        body: impl FnOnce(&Communicator) -> Result<R>,
    ) -> Result<R> {
        self.call().collective(name, body)
    }
}

impl CollectiveCall<'_> {
    /// The same among the workers of the worker's group; see [`Worker::in_group`].
    pub fn in_group(self) -> Self {
        let scope = if self.worker.group.is_some() { Scope::Group } else { Scope::All };
        Self { scope, ..self }
    }

    /// The handle on the workers that take part: the worker's rank among them, their number.
    pub fn communicator(&self) -> &Communicator {
        self.worker.member(self.scope)
    }

    /// [`Worker::collective`] among the workers that take part. Options are given in `body`.
    ///
    /// # Errors
    /// As [`Worker::collective`].
    pub fn collective<R>(
        self,
        name: &'static str,
        body: impl FnOnce(&Communicator) -> Result<R>,
    ) -> Result<R> {
        let Self { worker, scope, .. } = self;
        let begin = Event::Enter { scope, name: name.into() };
        worker.watched(scope, (Kind::Collective, name), begin, body)
    }

    /// [`Worker::all_reduce`] with these options.
    ///
    /// # Errors
    /// As [`Worker::collective`].
    pub fn all_reduce<T: Element>(self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.collective("all_reduce", |group| self.options(group).all_reduce(data, op))
    }

    /// [`Worker::all_reduce_tensor`] with these options.
    ///
    /// # Errors
    /// As [`Worker::all_reduce_tensor`].
    pub fn all_reduce_tensor(self, tensor: &mut Tensor, op: ReduceOp) -> Result<()> {
        // What fails before is this worker's failure, not that of the collective.
        tensor.wait(self.worker.timeout)?;
        self.collective("all_reduce", |group| self.options(group).all_reduce_tensor(tensor, op))
    }

    fn options<'c>(&'c self, group: &'c Communicator) -> Call<'c> {
        match self.algorithm {
            Some(algorithm) => group.with(algorithm),
            None => group.call(),
        }
    }
}
