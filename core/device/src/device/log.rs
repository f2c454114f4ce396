//! Log files: what routines say about themselves while they run, one file for each stream.

use super::lock;
use ringwood_base::sync::Mutex;
use ringwood_base::{DType, Error, Result, Scalar};
use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// How many elements of a tensor a line of a log shows.
const SHOWN: usize = 64;

/// The log file of a stream.
pub(crate) struct Log {
    path: PathBuf,
    file: Mutex<File>,
    failure: OnceLock<Error>,
    /// The numbers by which kernels know it, with the routines that have them.
    numbers: Mutex<Vec<(Arc<str>, u64)>>,
}

/// A log as a kernel knows it by number: the file, and the routine that the kernel is part of.
type Sink = (Arc<Log>, Arc<str>);

/// The logs that kernels may write to.
static SINKS: LazyLock<Mutex<HashMap<u64, Sink>>> = LazyLock::new(Mutex::default);

/// Writes a line to the log file that a routine gave to a kernel by [`StepArg::Log`]: for the
/// native code of kernels, on the host.
///
/// The line starts with the name of the routine. Lines of several threads do not mix.
///
/// # Errors
/// [`ErrorKind::NotFound`](ringwood_base::ErrorKind::NotFound): `number` came from elsewhere. The file cannot be written.
///
/// [`StepArg::Log`]: super::StepArg::Log
pub fn log(number: u64, text: impl fmt::Display) -> Result<()> {
    let sink = lock(&SINKS).get(&number).cloned();
    let Some((log, routine)) = sink else {
        return Err(Error::not_found(format!("{number} is the number of no log"))
            .help("pass on what the parameter got from `StepArg::Log`"));
    };
    log.line(&routine, text)
}

impl Log {
    pub(crate) fn open(path: PathBuf) -> Result<Self> {
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let file = opened.map_err(|cause| failed("open", &path, cause))?;
        let (failure, numbers) = (OnceLock::new(), Mutex::default());
        Ok(Self { path, file: Mutex::new(file), failure, numbers })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one line; the first failure sticks.
    pub(crate) fn line(&self, routine: &str, text: impl fmt::Display) -> Result<()> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        let text = text.to_string();
        let mut lines = String::new();
        for line in text.split('\n') {
            lines.push_str(&format!("[{routine}] {line}\n"));
        }
        let written = lock(&self.file).write_all(lines.as_bytes());
        written.map_err(|cause| {
            self.failure.get_or_init(|| failed("write", &self.path, cause)).clone()
        })
    }

    /// Why the log takes no more lines, if it does not.
    pub(crate) fn check(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// The number by which kernels of `routine` know the log.
    pub(crate) fn number(self: &Arc<Self>, routine: &str) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut numbers = lock(&self.numbers);
        if let Some((_, number)) = numbers.iter().find(|(name, _)| **name == *routine) {
            return *number;
        }
        let (number, name) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::<str>::from(routine));
        numbers.push((name.clone(), number));
        lock(&SINKS).insert(number, (self.clone(), name));
        number
    }

    /// Forgets the numbers: no kernel that knows them runs any more.
    pub(crate) fn close(&self) {
        let numbers = std::mem::take(&mut *lock(&self.numbers));
        let mut sinks = lock(&SINKS);
        for (_, number) in numbers {
            sinks.remove(&number);
        }
    }
}

pub(crate) fn failed(what: &str, path: &Path, cause: std::io::Error) -> Error {
    Error::unavailable(format!("cannot {what} the log file `{}`", path.display())).because(cause)
}

/// Elements, from their bytes, as a line of a log shows them.
pub(crate) fn show(dtype: DType, bytes: &[u8]) -> String {
    let elements = bytes.len() / dtype.size();
    let shown = bytes.chunks_exact(dtype.size()).take(SHOWN);
    let shown = shown.filter_map(|bytes| Some(Scalar::from_bytes(dtype.into(), bytes)?.literal()));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if elements > SHOWN {
        text.push_str(&format!(", … ({} more)", elements - SHOWN));
    }
    text
}
