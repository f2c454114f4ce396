//! How a session is set up.

use super::Session;
use super::config::Config;
use super::core::Core;
use super::kind::{SessionKind, SessionKindDef};
use super::threads::Threads;
use ringwood_base::registry::Registry;
use ringwood_base::sync::cores;
use ringwood_base::{Error, Result};
use ringwood_device::device::Runtime;
use ringwood_transport::TransportDef;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The bound of every wait, unless [`SessionBuilder::timeout`] says otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// How long a worker that is a process may be silent, unless [`SessionBuilder::silence`] says otherwise.
pub const SILENCE: Duration = Duration::from_secs(4);

/// The shortest [`SessionBuilder::silence`]: workers answer within it on a machine that does nothing else.
const SHORTEST_SILENCE: Duration = Duration::from_millis(5);

/// The smallest stack on which a worker can start and report an error.
const SMALLEST_STACK: usize = 256 << 10;

/// Sets up a [`Session`]; see [`Session::builder`].
#[derive(Clone)]
#[must_use]
pub struct SessionBuilder {
    /// The kind of this name, or else the one that is given.
    name: Option<String>,
    given: &'static dyn SessionKind,
    pub(super) config: Config,
    /// As many as asked for.
    workers: Option<usize>,
    default_workers: Option<usize>,
}

impl SessionBuilder {
    pub(super) fn new() -> Self {
        let config = Config { groups: 1, timeout: TIMEOUT, silence: SILENCE, ..Config::default() };
        Self { name: None, given: &Threads, config, workers: None, default_workers: None }
    }

    /// What the arguments of this process and its environment say; see [`Session::from_args`].
    pub(super) fn of_this_process() -> Result<Self> {
        let mut builder = Self::new().default_workers(cores());
        if let Some(kind) = Self::kind_of_environment()? {
            builder = builder.kind(&kind);
        }
        // One that is no text is none of those looked for.
        let arguments = std::env::args_os().skip(1);
        builder.arguments(arguments.map(|argument| argument.to_string_lossy().into_owned()))
    }

    /// The kind of session that the variable `RINGWOOD_SESSION` names, if it is set.
    ///
    /// # Errors
    /// It is empty.
    pub fn kind_of_environment() -> Result<Option<String>> {
        let kind = std::env::var_os("RINGWOOD_SESSION");
        kind.map(|kind| kind_of_variable(&kind.to_string_lossy()).map(str::to_owned)).transpose()
    }

    /// The number of workers; at least 1. More than the machine has cores is legal.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    /// The number of workers where nobody names one and the kind of session knows none.
    pub fn default_workers(mut self, workers: usize) -> Self {
        self.default_workers = Some(workers);
        self
    }

    /// The number of workers, if somebody names one.
    pub fn named_workers(&self) -> Option<usize> {
        self.workers
    }

    /// The number of workers that it starts.
    ///
    /// # Errors
    /// Nothing tells it, or a launcher's variables are wrong; no such kind of session.
    pub fn count(&self) -> Result<usize> {
        let workers = match self.workers {
            Some(workers) => Some(workers),
            None => self.find_kind()?.workers()?.or(self.default_workers),
        };
        workers.filter(|workers| *workers > 0).ok_or_else(|| {
            let what = match workers {
                None => "nothing says how many workers the session has",
                Some(_) => "a session needs at least 1 worker",
            };
            Error::invalid(what)
                .help("give a number of workers, as in `builder.workers(4)` or `--workers 4`")
        })
    }

    /// The kind of session by its name in the registry, as `threads`, `processes` or `mpi`.
    pub fn kind(mut self, kind: &str) -> Self {
        self.name = Some(kind.into());
        self
    }

    /// This kind of session, registered or not. Threads by default.
    pub fn over(mut self, kind: &'static dyn SessionKind) -> Self {
        (self.name, self.given) = (None, kind);
        self
    }

    /// A run time of the session's own over `registry`.
    pub fn registry(self, registry: Registry) -> Self {
        self.runtime(&Runtime::new(registry))
    }

    /// Takes `--session KIND`, `--workers N` and `--transport NAME`, or `--session=KIND` and so on, from
    /// arguments; others are left alone.
    ///
    /// # Errors
    /// An option without a value, or a number of workers that is none.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (option, value) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            if !matches!(option, "--session" | "--workers" | "--transport") {
                continue;
            }
            let value = value
                .or_else(|| arguments.next())
                .ok_or_else(|| Error::invalid(format!("`{option}` needs a value")))?;
            match option {
                "--session" => self = self.kind(&value),
                "--transport" => self = self.transport(&value),
                _ => self = self.workers(count(&value)?),
            }
        }
        Ok(self)
    }

    /// Starts the workers.
    ///
    /// # Errors
    /// No workers, or more than 65,536 in one process; groups that would not be equal; a stack or a silence that is too small;
    /// no such kind of session, no such transport or one that the kind cannot use; a `RINGWOOD_THREADS` that is no number of
    /// threads; a worker that does not start.
    pub fn start(mut self) -> Result<Session> {
        self.config.workers = self.count()?;
        let Config { workers, groups, .. } = self.config;
        if groups == 0 || !workers.is_multiple_of(groups) {
            return Err(Error::invalid(format!(
                "{workers} workers do not make {groups} groups of one size"
            ))
            .help("give a number of groups that divides the number of workers"));
        }
        if let Some(bytes) = self.config.stack_size.filter(|bytes| *bytes < SMALLEST_STACK) {
            return Err(Error::invalid(format!(
                "a stack of {bytes} bytes is too small for a worker"
            ))
            .help(format!("give at least {SMALLEST_STACK} bytes")));
        }
        let silence = self.config.silence;
        if silence < SHORTEST_SILENCE {
            let message = format!("every worker would be lost after {silence:?} of silence");
            let help = format!("give at least {SHORTEST_SILENCE:?}; {SILENCE:?} are usual");
            return Err(Error::invalid(message).help(help));
        }
        Ok(Session { core: Core::start(self.find_kind()?, self.config)? })
    }

    /// The kind of session, if it is chosen by its name.
    pub(super) fn named_kind(&self) -> Result<Option<&'static dyn SessionKind>> {
        let Some(name) = &self.name else { return Ok(None) };
        let kind = self.config.runtime()?.registry().find::<SessionKindDef>(name)?.kind;
        self.check_transport(kind).map(|()| Some(kind))
    }

    fn find_kind(&self) -> Result<&'static dyn SessionKind> {
        match self.named_kind()? {
            Some(kind) => Ok(kind),
            None => self.check_transport(self.given).map(|()| self.given),
        }
    }

    /// Whether there is the transport that was chosen, and workers of this kind can use it.
    pub(super) fn check_transport(&self, kind: &dyn SessionKind) -> Result<()> {
        let Some(name) = &self.config.transport else { return Ok(()) };
        self.config.runtime()?.registry().find::<TransportDef>(name)?;
        if kind.takes(name) {
            return Ok(());
        }
        let message = format!("workers of this kind of session call no collectives over `{name}`");
        Err(Error::unsupported(message)
            .help("leave the transport out: they have their own; or take threads or processes"))
    }
}

/// Setters of the configuration: a method, its argument, the field and what that becomes.
macro_rules! options {
    ($($(#[$doc:meta])* $name:ident($value:ident: $type:ty): $field:ident = $to:expr;)*) => {
        impl SessionBuilder {$(
            $(#[$doc])*
            pub fn $name(mut self, $value: $type) -> Self {
                self.config.$field = $to;
                self
            }
        )*}
    };
}

options! {
    /// Makes groups of equal numbers of workers, the first ones in group 0 and so on, which call
    /// collectives of their own: [`Worker::in_group`](super::Worker::in_group). One group by default.
    groups(groups: usize): groups = groups;
    /// The bound of every wait: for a result, for room in a worker's queue, for the other workers
    /// in a collective, for the end of the session. [`TIMEOUT`] by default. The start of workers may take 30 seconds where
    /// that is longer.
    timeout(timeout: Duration): timeout = timeout;
    /// The stack of each worker in bytes, as far as workers are threads; at least 256 KiB.
    stack_size(bytes: usize): stack_size = Some(bytes);
    /// The program that workers which are processes run, instead of this one; it is built from the same version of
    /// Ringwood, has the functions that the session calls, and starts a session of processes or calls
    /// [`serve`](super::serve). Where both have a function of a name with other parameters, the start fails. A script in
    /// between keeps the name that it was started under, which the variable `RINGWOOD_WORKER` has as well: in bash,
    /// `exec -a "$RINGWOOD_WORKER" program`.
    program(path: impl Into<PathBuf>): program = Some(path.into());
    /// The arguments of workers that are processes; those of this process by default, so that they come to the
    /// same session.
    program_arguments(arguments: impl IntoIterator<Item = impl Into<OsString>>): arguments = Some(arguments.into_iter().map(Into::into).collect());
    /// How long a worker that is a process may be silent before it counts as lost: it answers at once,
    /// whatever it runs, unless it is stopped. [`SILENCE`] by default; more for workers under a debugger; at least 5 ms.
    silence(silence: Duration): silence = silence;
    /// Takes the lines that workers which are processes print, each with the worker's rank and whether it is
    /// on its standard error. By default they go to the outputs of this process behind `[worker 2]`. It is called on
    /// a thread of its own; where it does not return, the session goes on without it, and ends in time, but a worker
    /// that prints 64 KiB more waits in that, as it does where nobody reads the outputs of this process.
    output(take: impl Fn(usize, bool, &str) + Send + Sync + 'static): output = Some(Arc::new(take));
    /// The devices of the workers by name, dealt out in turn on each machine: with `["cuda:0", "cuda:1"]` worker 2
    /// gets `cuda:0`. The best device of the run time by default.
    devices(names: impl IntoIterator<Item = impl Into<String>>): devices = names.into_iter().map(Into::into).collect();
    /// Binds each worker, with its streams, to an equal share of the processors that it may use, or to one in turn
    /// where these are fewer than the workers. Kernels run on the threads of a process: those of worker processes
    /// on the worker's share, those that worker threads have in common on all. Not bound by default. Linux alone.
    pinned(pinned: bool): pinned = pinned;
    /// The registered transport of this name for the collectives of the workers, as `socket`; by default `peer_memory`
    /// between threads, `arena` between processes. Ranks of MPI have `mpi` alone.
    transport(name: &str): transport = Some(name.into());
    /// The kind of the workers' streams, one of
    /// [`Capabilities::stream_kinds`](ringwood_device::backend::Capabilities::stream_kinds): `sync`,
    /// `chaos:42`. The device's default by default.
    stream_kind(kind: &str): stream_kind = kind.into();
    /// Where workers find functions and devices; [`Runtime::global`] by default.
    runtime(runtime: &Runtime): runtime = Some(runtime.clone());
}

/// What the variable `RINGWOOD_SESSION` names.
fn kind_of_variable(kind: &str) -> Result<&str> {
    if kind.is_empty() {
        return Err(Error::invalid("the variable `RINGWOOD_SESSION` is empty")
            .help("let it name a kind of session, as `processes`, or unset it"));
    }
    Ok(kind)
}

fn count(text: &str) -> Result<usize> {
    text.parse().map_err(|cause: std::num::ParseIntError| {
        Error::invalid(format!("`--workers {text}` is not a number of workers")).because(cause)
    })
}

#[cfg(test)]
mod tests;
