//! The process of one worker.

use super::printer::Printed;
use super::{FILES, place};
use crate::config::Config;
use crate::remote::{Ending, STOPPED};
use crate::system::refused;
use ringwood_base::{Error, Result};
use ringwood_transport::{is_out_of_files, own_program, state_of};
use std::fs::File;
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
    /// How it has ended, if it has.
    end: Option<Ending>,
}

/// What is said where this process, or one that has started it, ignores `SIGCHLD`.
const UNKNOWN: &str = "has ended (how is not known: `SIGCHLD` is ignored here)";

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
        Ok((Self { child, end: None }, output.into_iter().chain(errors)))
    }

    pub(super) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        if self.end.is_none() {
            self.end = match self.child.try_wait() {
                Ok(status) => status.map(describe),
                Err(_) => Some(Ending::Well(UNKNOWN.into())),
            };
        }
        self.end.is_some()
    }

    /// How it has ended, if it does within a time.
    pub(super) fn end(&mut self, within: Duration) -> Option<Ending> {
        let until = Instant::now() + within;
        while !self.has_ended() && Instant::now() < until {
            thread::sleep(Duration::from_micros(200));
        }
        self.end.clone()
    }

    /// How it has ended, if it has failed.
    pub(super) fn failed(&mut self) -> Option<Ending> {
        self.end(Duration::ZERO).filter(|end| !matches!(end, Ending::Well(_)))
    }

    pub(super) fn kill(&mut self) {
        if !self.has_ended() {
            // One that has ended meanwhile cannot be killed.
            let _ = self.child.kill();
        }
    }

    /// What the system says of it: [`STOPPED`], another state, how it has ended, or nothing.
    pub(super) fn state(&self) -> String {
        match (&self.end, state_of(self.number().into())) {
            (Some(end), _) => format!(" ({end})"),
            (None, Some('T' | 't')) => STOPPED.into(),
            (None, Some(letter)) => format!(" (state {letter})"),
            (None, None) => String::new(),
        }
    }
}

/// The error of a worker that does not start: its rank, the number of workers, and its program.
fn not_started((rank, workers): (usize, usize), program: &Path, cause: io::Error) -> Error {
    let message = format!("cannot start worker {rank} of {workers}");
    let program = program.display();
    if is_out_of_files(&cause) {
        return refused(message)(cause).help(FILES);
    }
    // It stands behind the reason, which tells more.
    let text = format!("{cause}; its program is `{program}`, which has to be there and executable");
    refused(message)(io::Error::new(cause.kind(), text))
}

fn describe(status: ExitStatus) -> Ending {
    match status.code() {
        Some(code) => {
            let how = format!("ended with exit code {code}");
            if code == 0 { Ending::Well(how) } else { Ending::Failed(how) }
        }
        // `signal: 9 (SIGKILL)`
        None => {
            let signal = status.to_string().replacen(':', "", 1);
            Ending::Killed(signal.trim_end_matches(" (core dumped)").to_owned())
        }
    }
}

#[cfg(test)]
mod tests;
