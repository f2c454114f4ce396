//! The process of one worker.

use super::printer::Printed;
use super::{FILES, place};
use crate::config::Config;
use crate::remote::{KILLED, STOPPED};
use crate::system::refused;
use ringwood_base::{Error, Result};
use ringwood_transport::own_program;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

/// The process of a worker.
pub(super) struct Process {
    child: Child,
    end: End,
}

/// Whether a process has ended, and how.
enum End {
    Open,
    Of(ExitStatus),
    /// The system does not say how where this process, or one that has started it, ignores `SIGCHLD`.
    Unknown,
}

/// `EMFILE`: this process may open no more files.
const NO_FILES: i32 = 24;

impl Process {
    /// Starts the process of a worker, whose standard input is `stream`, in a group of its own: Ctrl-C
    /// reaches the controller alone. What it prints comes along.
    pub(super) fn start(
        config: &Config,
        rank: usize,
        stream: UnixStream,
    ) -> Result<(Self, impl Iterator<Item = Printed<File>>)> {
        let program = config.program.clone().unwrap_or_else(own_program);
        let start = || {
            let mut command = Command::new(&program);
            match &config.arguments {
                Some(arguments) => command.args(arguments),
                None => command.args(env::args_os().skip(1)),
            };
            let name = place::name(rank, config.workers);
            command.env(place::VARIABLE, place::value(&name, &stream));
            command.arg0(name).process_group(0);
            command.stdin(OwnedFd::from(stream)).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn()
        };
        let failed = |cause| not_started((rank, config.workers), &program, cause);
        let mut child = start().map_err(failed)?;
        let printed = move |error, from| Printed::new(rank, error, File::from(from));
        let output = child.stdout.take().map(|from| printed(false, OwnedFd::from(from)));
        let errors = child.stderr.take().map(|from| printed(true, OwnedFd::from(from)));
        Ok((Self { child, end: End::Open }, output.into_iter().chain(errors)))
    }

    pub(super) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        if let End::Open = self.end {
            self.end = match self.child.try_wait() {
                Ok(Some(status)) => End::Of(status),
                Ok(None) => End::Open,
                Err(_) => End::Unknown,
            };
        }
        !matches!(self.end, End::Open)
    }

    /// How it has ended, in words, if it does within a time.
    pub(super) fn end(&mut self, within: Duration) -> Option<String> {
        let until = Instant::now() + within;
        while !self.has_ended() && Instant::now() < until {
            thread::sleep(Duration::from_micros(200));
        }
        match self.end {
            End::Open => None,
            End::Of(status) => Some(describe(status)),
            End::Unknown => Some("has ended (how is not known: `SIGCHLD` is ignored here)".into()),
        }
    }

    /// Whether it has ended as one does that is told to.
    pub(super) fn has_ended_well(&mut self) -> bool {
        self.has_ended()
            && match self.end {
                End::Of(status) => status.success(),
                _ => true,
            }
    }

    /// Whether it has ended in another way.
    pub(super) fn has_failed(&mut self) -> bool {
        self.has_ended() && !self.has_ended_well()
    }

    pub(super) fn kill(&mut self) {
        if !self.has_ended() {
            // One that has ended meanwhile cannot be killed.
            let _ = self.child.kill();
        }
    }

    /// What the system says of it: [`STOPPED`], another state, how it has ended, or nothing.
    pub(super) fn state(&self) -> String {
        if let End::Of(status) = self.end {
            return format!(" ({})", describe(status));
        }
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.number())).unwrap_or_default();
        let letter = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        match letter {
            Some('T' | 't') => STOPPED.into(),
            Some(letter) => format!(" (state {letter})"),
            None => String::new(),
        }
    }
}

/// The error of a worker that does not start: its rank, the number of workers, and its program.
fn not_started((rank, workers): (usize, usize), program: &Path, cause: io::Error) -> Error {
    let message = format!("cannot start worker {rank} of {workers}");
    let program = program.display();
    match cause.raw_os_error() {
        Some(NO_FILES) => refused(message)(cause).help(FILES),
        // It stands behind the reason, which tells more.
        _ => {
            let text = format!(
                "{cause}; its program is `{program}`, which has to be there and executable"
            );
            refused(message)(io::Error::new(cause.kind(), text))
        }
    }
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        // `signal: 9 (SIGKILL)`
        None => {
            let signal = status.to_string().replacen(':', "", 1);
            format!("{KILLED}{}", signal.trim_end_matches(" (core dumped)"))
        }
    }
}

#[cfg(test)]
mod tests;
