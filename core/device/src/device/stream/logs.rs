//! The log file of a stream.

use super::Stream;
use crate::device::log::{Log, failed};
use ringwood_base::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Stream {
    /// Has routines on this stream log to a file in `directory`, which is made if it is missing:
    /// `cpu-0-stream-3.log` for stream 3 of `cpu:0`. Lines are appended. Returns the path.
    ///
    /// A routine logs through [`StepArg::Log`](crate::device::StepArg::Log) and
    /// [`Context::to_log`](crate::device::Context::to_log).
    ///
    /// # Errors
    /// The stream has a log file already; the file cannot be opened.
    pub fn log_to(&self, directory: impl AsRef<Path>) -> Result<PathBuf> {
        let directory = directory.as_ref();
        if let Some(path) = self.log_path() {
            let message = format!("{} logs to `{}` already", self.id(), path.display());
            return Err(Error::invalid(message));
        }
        std::fs::create_dir_all(directory).map_err(|cause| failed("open", directory, cause))?;
        let device = self.device().name().replace(':', "-");
        let path = directory.join(format!("{device}-stream-{}.log", self.id().0));
        let log = Arc::new(Log::open(path.clone())?);
        self.timeline().log.set(log).map_err(|_| {
            Error::invalid(format!("{} was given a log file by another thread", self.id()))
        })?;
        Ok(path)
    }

    /// The file to which routines on this stream log.
    pub fn log_path(&self) -> Option<PathBuf> {
        self.timeline().log.get().map(|log| log.path().to_owned())
    }

    /// The log of the stream, for `routine`.
    pub(crate) fn log(&self, routine: &str) -> Result<&Arc<Log>> {
        let log = self.timeline().log.get().ok_or_else(|| {
            let (id, device) = (self.id(), self.device());
            let message = format!("routine `{routine}` logs, and {id} of {device} has no log file");
            Error::not_found(message)
                .help("give the stream one with `Stream::log_to` before the routine is linked")
        })?;
        log.check().map(|()| log)
    }
}
