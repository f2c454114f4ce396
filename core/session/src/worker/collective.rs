//! The collectives of a worker.

use super::Worker;
use crate::progress::Direction;
use crate::protocol::Failure;
use ringwood_base::{Element, Result};
use ringwood_collective::{Call, Communicator};
use ringwood_device::device::Tensor;
use ringwood_schedule::ReduceOp;

/// A collective of a worker with its options; see [`Worker::with`].
#[derive(Clone, Copy)]
#[must_use]
pub struct CollectiveCall<'w> {
    worker: &'w Worker,
    algorithm: Option<&'w str>,
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
        CollectiveCall { worker: self, algorithm: Some(algorithm) }
    }

    fn call(&self) -> CollectiveCall<'_> {
        CollectiveCall { worker: self, algorithm: None }
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

    fn message(
        &self,
        direction: Direction,
        peer: usize,
        body: impl FnOnce(&Communicator) -> Result<()>,
    ) -> Result<()> {
        if let Err(failure) = self.progress.exchange(self.rank, direction, peer) {
            return Err(self.close(failure).clone().into());
        }
        let result = body(&self.communicator);
        self.close_if_failed("message");
        self.progress.exchanged(self.rank);
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
        if let Err(failure) = self.progress.enter(self.rank, name) {
            return Err(self.close(failure).clone().into());
        }
        let before = self.communicator.joined();
        let result = body(&self.communicator);
        let joined = self.communicator.joined() - before;
        self.close_if_failed(name);
        self.progress.leave(self.rank, joined);
        result
    }

    /// Closes the session if the group has failed, in what is called `name`.
    fn close_if_failed(&self, name: &str) {
        if let Err(error) = self.communicator.check() {
            // Whoever hears of it first, it is the failure of the one that raised it.
            let rank = self.communicator.aborted_by().unwrap_or(self.rank);
            let text = format!("worker {rank} of {}: {name} failed: {error}", self.size);
            let call = self.progress.call(self.rank);
            self.close(Failure { kind: error.kind(), text, call, closes: true });
        }
    }
}

impl CollectiveCall<'_> {
    /// [`Worker::all_reduce`] with these options.
    ///
    /// # Errors
    /// As [`Worker::collective`].
    pub fn all_reduce<T: Element>(self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.worker.collective("all_reduce", |group| self.options(group).all_reduce(data, op))
    }

    /// [`Worker::all_reduce_tensor`] with these options.
    ///
    /// # Errors
    /// As [`Worker::all_reduce_tensor`].
    pub fn all_reduce_tensor(self, tensor: &mut Tensor, op: ReduceOp) -> Result<()> {
        let (dtype, timeout) = (tensor.dtype(), self.worker.timeout);
        self.worker.collective("all_reduce", |group| {
            let call = self.options(group);
            tensor.host_mut(timeout, |bytes| call.all_reduce_bytes(bytes, dtype, op))?
        })
    }

    fn options<'c>(&'c self, group: &'c Communicator) -> Call<'c> {
        match self.algorithm {
            Some(algorithm) => group.with(algorithm),
            None => group.call(),
        }
    }
}
