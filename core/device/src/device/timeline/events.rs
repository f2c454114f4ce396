//! The events of a stream of a backend that does not count its commands.

use crate::backend::{DynBackend, Handle, Progress, Status};
use crate::device::lock;
use ringwood_base::sync::Mutex;
use ringwood_base::{Error, Result};
use std::collections::VecDeque;
use std::time::Duration;

/// See the module.
pub(super) struct Events(Mutex<Recorded>);

struct Recorded {
    /// `None` after the stream was dropped.
    stream: Option<Handle>,
    /// Events that were not seen to be final, by the number of their submission, ascending; or why
    /// nobody knows when that is over.
    pending: VecDeque<(u64, Result<Handle>)>,
}

impl Events {
    pub(super) fn of(stream: Handle) -> Self {
        Self(Mutex::new(Recorded { stream: Some(stream), pending: VecDeque::new() }))
    }

    /// Records the end of a submission; its number, and why the stream takes no more work if it does
    /// not.
    pub(super) fn record(
        &self,
        backend: &dyn DynBackend,
        progress: &Progress,
    ) -> (u64, Option<Error>) {
        let mut recorded = lock(&self.0);
        let at = progress.submit();
        let (event, refused) = match &recorded.stream {
            Some(stream) => match backend.record(stream) {
                Ok(event) => (Ok(event), None),
                // The device may still run what the stream took before it failed.
                Err(error) => {
                    (backend.record_failed(stream).map_err(|_| error.clone()), Some(error))
                }
            },
            None => {
                let error = Error::aborted("the stream was dropped");
                (Err(error.clone()), Some(error))
            }
        };
        recorded.pending.push_back((at, event));
        recorded.observe(backend, progress);
        (at, refused)
    }

    /// Tells `progress` of the events that are final.
    pub(super) fn observe(&self, backend: &dyn DynBackend, progress: &Progress) {
        lock(&self.0).observe(backend, progress);
    }

    /// The event of submission `at`, unless that is over.
    ///
    /// # Errors
    /// The submission failed before it had one.
    pub(super) fn event(&self, at: u64) -> Result<Option<Handle>> {
        let recorded = lock(&self.0);
        let found = recorded.pending.iter().find(|(of, _)| *of >= at);
        found.map(|(_, event)| event.clone()).transpose()
    }

    /// Why nobody knows whether submission `at` is over, if that is so.
    pub(super) fn unknown(&self, at: u64) -> Option<Error> {
        let recorded = lock(&self.0);
        let mut until = recorded.pending.iter().take_while(|(of, _)| *of <= at);
        until.find_map(|(_, event)| event.as_ref().err().cloned())
    }

    /// The event to wait for until submission `at` is over: that of one before it if it has none.
    fn last_until(&self, at: u64) -> Option<Handle> {
        let recorded = lock(&self.0);
        let mut until = recorded.pending.iter().filter(|(of, _)| *of <= at).rev();
        until.find_map(|(_, event)| event.clone().ok())
    }

    /// Blocks until submission `at` is over.
    pub(super) fn block(
        &self,
        backend: &dyn DynBackend,
        progress: &Progress,
        at: u64,
        timeout: Duration,
    ) -> Result<()> {
        let mut blocked = Ok(());
        if let Some(event) = self.last_until(at) {
            blocked = backend.block(&event, timeout);
        }
        self.observe(backend, progress);
        match progress.status(at) {
            Status::Pending => blocked.and(match self.unknown(at) {
                Some(error) => Err(error),
                None => progress.block(at, Duration::ZERO),
            }),
            Status::Failed(error) | Status::Unknown(error) => Err(error),
            Status::Done => Ok(()),
        }
    }

    /// Lets go of the stream; its events stay.
    pub(super) fn close(&self) {
        lock(&self.0).stream = None;
    }
}

impl Recorded {
    fn observe(&mut self, backend: &dyn DynBackend, progress: &Progress) {
        while let Some((at, Ok(event))) = self.pending.front() {
            match backend.poll(event) {
                Status::Pending => return,
                Status::Unknown(error) => {
                    progress.fail(*at, error.clone());
                    self.pending[0].1 = Err(error);
                    return;
                }
                Status::Failed(error) => progress.fail(*at, error),
                Status::Done => {}
            }
            progress.pass(*at);
            self.pending.pop_front();
        }
    }
}
