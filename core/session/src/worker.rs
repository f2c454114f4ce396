//! What a global function sees of its session.

mod collective;
mod engine;

pub use collective::CollectiveCall;

use super::Value;
use super::config::Config;
use super::progress::Observer;
use super::protocol::{Event, Failure, Scope};
use ringwood_base::{Error, Result};
use ringwood_collective::Communicator;
use ringwood_device::device::{Device, Stream};
use ringwood_transport::flight;
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// One worker of a session, as the first parameter of a global function.
///
/// Equivalent to `DiscoWorker` of TVM Disco.
pub struct Worker {
    pub(super) observer: Arc<dyn Observer>,
    communicator: Communicator,
    /// Its handle on its group of workers, if there are several, and the number of that.
    group: Option<(Communicator, usize)>,
    stream: RefCell<Result<Stream>>,
    device: Result<Device>,
    timeout: Duration,
    states: RefCell<HashMap<TypeId, Rc<dyn Any>>>,
}

impl Worker {
    /// The worker of one rank of a group, with the device for this number. Without devices in the run time, global functions that
    /// need none still run.
    ///
    /// # Errors
    /// A device that the configuration names does not exist.
    pub(super) fn new(
        observer: Arc<dyn Observer>,
        communicator: Communicator,
        config: &Config,
        number: usize,
    ) -> Result<Self> {
        let (rank, size) = (communicator.rank(), communicator.size());
        let stream = match config.stream(number) {
            Err(error) if !(config.devices.is_empty() && config.stream_kind.is_empty()) => {
                return Err(Error::new(error.kind(), format!("worker {rank} of {size}: {error}")));
            }
            stream => stream,
        };
        let device = stream.as_ref().map(|stream| stream.device().clone()).map_err(Clone::clone);
        observer.follow(rank, Scope::All, communicator.messages());
        Ok(Self {
            observer,
            communicator,
            group: None,
            stream: RefCell::new(stream),
            device,
            timeout: config.timeout,
            states: RefCell::default(),
        })
    }

    /// Enters its group of workers, one of `groups`; all workers do.
    pub(super) fn join_group(&mut self, groups: usize) -> Result<()> {
        let number = self.rank() * groups / self.size();
        let group = self.communicator.split(Some(number), 0)?;
        self.group = group.map(|group| (group, number));
        if let Some((group, _)) = &self.group {
            self.observer.follow(self.rank(), Scope::Group, group.messages());
        }
        Ok(())
    }

    /// The worker's own stream, if it has a device.
    pub(super) fn stream(&self) -> Option<Stream> {
        self.stream.borrow().as_ref().ok().cloned()
    }

    /// Replaces the worker's stream if it has failed, and gives its failure.
    pub(super) fn renew_stream(&self) -> Option<Error> {
        let mut stream = self.stream.borrow_mut();
        let old = stream.as_ref().ok()?;
        let failure = old.failure()?;
        *stream = old.device().new_stream(old.kind());
        Some(failure)
    }

    pub(super) fn begin(&self, call: u64, function: Cow<'static, str>) {
        flight::begin_call(&function, call);
        let _ = self.tell(Event::Begin { call, function });
    }

    /// Tells who watches what the worker does.
    pub(super) fn tell(&self, event: Event) -> Result<(), Failure> {
        self.observer.tell(self.rank(), event)
    }

    /// Ends the call; its outcome, or the failure that ended the session meanwhile.
    pub(super) fn end(&self, outcome: Result<Value, Failure>) -> Result<Value, Failure> {
        let missed = self.tell(Event::End { failure: outcome.as_ref().err().cloned() });
        let fatal = outcome.as_ref().err().filter(|failure| failure.closes);
        if let Some(failure) = missed.err().as_ref().or(fatal) {
            self.close(failure.clone());
        }
        match self.observer.closed() {
            // What it did then is kept.
            Some(failure) => Err(failure.clone()),
            None => {
                flight::end_call();
                outcome
            }
        }
    }

    /// Ends the session and releases the workers that wait in a collective.
    pub(super) fn close(&self, failure: Failure) -> &Failure {
        self.observer.close(failure)
    }

    /// Puts the host tensors of a value onto the worker's device.
    pub(super) fn place(&self, value: Value) -> Result<Value> {
        value.map(&|value| match value {
            Value::Host(tensor) => tensor.to_device(self.device()?).map(Value::Tensor),
            other => Ok(other),
        })
    }

    /// A computed copy of a value that later work of the worker does not change.
    pub(super) fn snapshot(&self, value: Value) -> Result<Value> {
        self.settle(value.map_tensors(&|tensor| tensor.duplicate().map(Value::Tensor))?)
    }

    /// Waits until the tensors of a value are computed.
    pub(super) fn settle(&self, value: Value) -> Result<Value> {
        value.map_tensors(&|tensor| tensor.wait(self.timeout).map(|()| Value::Tensor(tensor)))
    }

    /// Waits until the device has done all work of the worker.
    pub(super) fn synchronize(&self) -> Result<()> {
        match &*self.stream.borrow() {
            Ok(stream) => stream.synchronize(self.timeout),
            Err(_) => Ok(()),
        }
    }

    /// The worker's number, from 0.
    pub fn rank(&self) -> usize {
        self.communicator.rank()
    }

    /// The number of workers of the session.
    pub fn size(&self) -> usize {
        self.communicator.size()
    }

    /// The worker's device. Work that a global function gives to its default stream goes to a
    /// stream of the worker's own.
    ///
    /// # Errors
    /// The run time has no device that runs kernels.
    pub fn device(&self) -> Result<&Device> {
        self.device.as_ref().map_err(Clone::clone)
    }

    /// The worker's handle on the group of all workers: what its calls cost, and their options.
    ///
    /// Collectives go through [`Worker::collective`] and the methods built on it, so that the
    /// session sees who waits for whom.
    pub fn communicator(&self) -> &Communicator {
        &self.communicator
    }

    /// The number of the worker's group, from 0; see [`SessionBuilder::groups`](super::SessionBuilder::groups).
    pub fn group(&self) -> usize {
        self.group.as_ref().map_or(0, |(_, number)| *number)
    }

    /// What the worker keeps between calls: one value for each type `T`, made by `init` when it is
    /// asked for first, dropped with the worker.
    ///
    /// A training step keeps its plan and its data here.
    ///
    /// # Errors
    /// Those of `init`; the next call then runs `init` again.
    pub fn state<T: 'static>(&self, init: impl FnOnce() -> Result<T>) -> Result<Rc<RefCell<T>>> {
        let key = TypeId::of::<T>();
        let kept = self.states.borrow().get(&key).cloned();
        if let Some(Ok(state)) = kept.map(Rc::downcast::<RefCell<T>>) {
            return Ok(state);
        }
        // `init` may ask for other states, so nothing is borrowed while it runs.
        let state = Rc::new(RefCell::new(init()?));
        self.states.borrow_mut().insert(key, state.clone());
        Ok(state)
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "worker {} of {}", self.rank(), self.size())
    }
}
