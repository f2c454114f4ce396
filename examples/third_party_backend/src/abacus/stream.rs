//! The device's queue, and the streams that feed it.

use ringwood::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// The device: the queue of its thread, which ends with the last handle.
#[derive(Clone)]
pub struct Device(Sender<Job>);

impl Device {
    /// Starts the device's thread.
    pub(super) fn start() -> Result<Self> {
        let (queue, jobs) = channel::<Job>();
        let started = thread::Builder::new().name("abacus:0".into()).spawn(move || {
            jobs.into_iter().for_each(|job| job());
        });
        started.map_err(|e| Error::unavailable("abacus: no thread for the device").because(e))?;
        Ok(Self(queue))
    }
}

/// An in-order lane: a share of the queue, with the first failure of its own.
pub struct Stream {
    device: Device,
    failure: Arc<OnceLock<Error>>,
}

impl Stream {
    pub(super) fn new(device: &Device) -> Self {
        Self { device: device.clone(), failure: Arc::default() }
    }

    /// Submits a job. It is called exactly once, with the state of the stream, and may fail it.
    pub(super) fn submit(
        &self,
        job: impl FnOnce(Result<()>) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        if let Some(error) = self.failure.get() {
            let told = job(Err(error.clone()));
            return told.and(Err(error.clone()));
        }
        let failure = Arc::clone(&self.failure);
        let run = move || {
            let state = failure.get().cloned().map_or(Ok(()), Err);
            let ran = catch_unwind(AssertUnwindSafe(|| job(state)));
            let ran = ran.unwrap_or_else(|p| Err(Error::from_panic("abacus: a callback", p)));
            if let Err(error) = ran {
                // A stream that has failed keeps its first failure.
                let _ = failure.set(error);
            }
        };
        let gone = |_| Error::backend("abacus: the device's thread has ended");
        self.device.0.send(Box::new(run)).map_err(gone)
    }
}
