//! What a session is started with.

use ringwood_base::Result;
use ringwood_collective::{Group, GroupBuilder};
use ringwood_device::device::{Runtime, Stream};
use ringwood_transport::Transport;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a session is started with, as [`SessionBuilder`](crate::SessionBuilder) says; kept to start it again. An author of a
/// kind of sessions hands it on.
#[derive(Clone, Default)]
pub struct Config {
    pub(super) workers: usize,
    pub(super) groups: usize,
    pub(super) timeout: Duration,
    /// The threads of kernels that the controller was given, as each worker is.
    pub(super) threads: Option<usize>,
    /// Those of a worker that is a process where none were given.
    pub(super) share: usize,
    pub(super) stack_size: Option<usize>,
    pub(super) runtime: Option<Runtime>,
    pub(super) devices: Vec<String>,
    pub(super) stream_kind: String,
    pub(super) pinned: bool,
    pub(super) transport: Option<String>,
    pub(super) program: Option<PathBuf>,
    pub(super) arguments: Option<Vec<OsString>>,
    pub(super) silence: Duration,
    pub(super) output: Option<Output>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration of {} workers", self.workers)
    }
}

/// Takes a worker's rank, whether it is on its standard error, and a line.
pub(super) type Output = Arc<dyn Fn(usize, bool, &str) + Send + Sync>;

impl Config {
    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Where workers find functions and devices.
    ///
    /// # Errors
    /// The linked crates register two items under one name.
    pub fn runtime(&self) -> Result<Runtime> {
        match &self.runtime {
            Some(runtime) => Ok(runtime.clone()),
            None => Runtime::global().cloned(),
        }
    }

    /// The group of all workers: over the transport that was chosen, or else the `usual` one of the kind of session.
    pub(super) fn group(&self, usual: &'static dyn Transport) -> Result<GroupBuilder> {
        let group = Group::builder(self.workers).registry(self.runtime()?.registry().clone());
        let group = group.timeout(self.timeout);
        Ok(match &self.transport {
            Some(name) => group.transport(name),
            None => group.over(usual),
        })
    }

    /// A stream for a worker of this number on its machine, on its device.
    pub(super) fn stream(&self, number: usize) -> Result<Stream> {
        let runtime = self.runtime()?;
        let device = match self.devices.as_slice() {
            [] => runtime.best()?,
            names => runtime.device(&names[number % names.len()])?,
        };
        device.new_stream(&self.stream_kind)
    }
}
