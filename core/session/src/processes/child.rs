//! The process of one worker.

use super::printer::Printer;
use super::{FILES, place};
use crate::config::Config;
use crate::remote::STOPPED;
use crate::system::refused;
use ringwood_base::{Error, Result};
use ringwood_transport::own_program;
use ringwood_transport::process::poll;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The process of a worker, with what it prints.
pub(super) struct Process {
    rank: usize,
    child: Child,
    end: End,
    output: Printed<ChildStdout>,
    errors: Printed<ChildStderr>,
}

/// Whether a process has ended, and how.
enum End {
    Open,
    Of(ExitStatus),
    /// The system does not say how where this process, or one that has started it, ignores `SIGCHLD`.
    Unknown,
}

/// What a process prints, cut into lines.
struct Printed<R> {
    from: Option<R>,
    line: Vec<u8>,
}

/// A line of more bytes is cut.
const LINE: usize = 16 << 10;
/// `EMFILE`: this process may open no more files.
const NO_FILES: i32 = 24;
/// What the system holds of what a process has printed, in bytes.
const PIPE: usize = 64 << 10;

impl Process {
    /// Starts the process of a worker, whose standard input is `stream`, in a group of its own: Ctrl-C
    /// reaches the controller alone.
    pub(super) fn start(config: &Config, rank: usize, stream: UnixStream) -> Result<Self> {
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
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let output = Printed { from: output, line: Vec::new() };
        let errors = Printed { from: errors, line: Vec::new() };
        Ok(Self { rank, child, end: End::Open, output, errors })
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

    /// What can be read when it prints.
    pub(super) fn outputs(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let output = self.output.from.as_ref().map(AsFd::as_fd);
        output.into_iter().chain(self.errors.from.as_ref().map(AsFd::as_fd))
    }

    /// Passes on what it prints; `ready` says for each of [`Process::outputs`] whether there is something.
    pub(super) fn pass_on(
        &mut self,
        ready: impl IntoIterator<Item = bool>,
        printer: Option<&Printer>,
    ) {
        let Self { rank, output, errors, .. } = self;
        let take = |error: bool, line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            printer.into_iter().for_each(|printer| printer.print(*rank, error, &line));
        };
        let mut ready = ready.into_iter();
        if output.from.is_some() && ready.next() == Some(true) {
            output.read(|line| take(false, line));
        }
        if errors.from.is_some() && ready.next() == Some(true) {
            errors.read(|line| take(true, line));
        }
    }

    /// Passes on what a process that has ended printed last. One that it started may print for ever: that is
    /// read no further than the pipe held.
    pub(super) fn pass_on_last(&mut self, printer: Option<&Printer>) {
        for _ in 0..=PIPE / LINE {
            let files: Vec<_> = self.outputs().map(|file| (file, false)).collect();
            match poll(&files, Duration::ZERO) {
                Ok(ready) if ready.contains(&true) => self.pass_on(ready, printer),
                _ => break,
            }
        }
    }
}

impl<R: Read> Printed<R> {
    /// Reads once, and takes the lines that are whole; at the end of the stream the rest.
    fn read(&mut self, mut take: impl FnMut(&[u8])) {
        let mut bytes = [0; LINE];
        let got = match self.from.as_mut().map_or(Ok(0), |from| from.read(&mut bytes)) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => return,
            got => got.unwrap_or(0),
        };
        if got == 0 {
            self.from = None;
        }
        self.line.extend(&bytes[..got]);
        while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            take(&line[..end]);
        }
        if got == 0 && !self.line.is_empty() {
            take(&std::mem::take(&mut self.line));
        } else if self.line.len() > LINE {
            let rest = self.line.split_off(whole(&self.line));
            take(&std::mem::replace(&mut self.line, rest));
        }
    }
}

/// The bytes before a character at the end that may not have come whole.
fn whole(line: &[u8]) -> usize {
    let broken = line.utf8_chunks().last().map_or(0, |last| last.invalid().len());
    line.len() - broken
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
            format!("was killed by {}", signal.trim_end_matches(" (core dumped)"))
        }
    }
}

#[cfg(test)]
mod tests;
