//! Passes on what workers print. Who reads this process's output, or takes the lines, may stop doing so, and no
//! thread that keeps workers waits for that.

use crate::config::Output;
use crate::panic::guard;
use crate::system::{refused, spawn};
use ringwood_base::{Error, Result};
use ringwood_transport::process::poll;
use std::fs::File;
use std::io::{self, Read, Write};
use std::iter::once;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A thread that hands what workers print to the caller's sink, line by line, or writes it to this process's standard
/// output and error.
pub(super) struct Printer {
    /// The thread ends when this is closed.
    open: UnixStream,
    /// Ends with the thread.
    over: Receiver<()>,
}

/// What a worker prints on one of its outputs, cut into lines.
pub(super) struct Printed<R> {
    rank: usize,
    /// Whether it is its standard error.
    error: bool,
    from: R,
    line: Vec<u8>,
}

/// Takes a worker's rank, whether it is on its standard error, and a line.
type Take = Box<dyn FnMut(usize, bool, &str) + Send>;

const FAILED: &str = "what the workers print cannot be passed on";
/// A line of more bytes is cut.
const LINE: usize = 16 << 10;
/// What the system holds of what a process has printed, in bytes.
const PIPE: usize = 64 << 10;
/// How long what the system cannot look at now is left alone.
const PAUSE: Duration = Duration::from_millis(2);

impl Printer {
    /// A sink that panics gets no more lines, and `failed` is told.
    ///
    /// # Errors
    /// The system has no thread, or no files, for it.
    pub(super) fn start(
        outputs: Vec<Printed<File>>,
        sink: Option<Output>,
        failed: impl Fn(&Error) + Send + 'static,
    ) -> Result<Self> {
        let take = match sink {
            Some(sink) => to_sink(sink, failed),
            None => to_outputs()?,
        };
        let (open, closed) = UnixStream::pair().map_err(refused(FAILED))?;
        let (tell, over) = mpsc::channel();
        let body = move || {
            let _tell: Sender<()> = tell;
            pass_on(outputs, &closed, take);
        };
        spawn("output", FAILED, body)?;
        Ok(Self { open, over })
    }

    /// Waits until what the workers have printed is passed on, or a time.
    pub(super) fn finish(self, deadline: Instant) {
        drop(self.open);
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = self.over.recv_timeout(left.max(Duration::from_millis(50)));
    }
}

/// Passes on what comes until all outputs are closed, or until `end` is: one that a worker has started may print for
/// ever, and is read no further than the pipe held then.
fn pass_on(mut outputs: Vec<Printed<File>>, end: &UnixStream, mut take: Take) {
    let mut rounds = PIPE / LINE + 1;
    while rounds > 0 && !outputs.is_empty() {
        let files = once(end.as_fd()).chain(outputs.iter().map(|output| output.from.as_fd()));
        let files: Vec<_> = files.map(|file| (file, false)).collect();
        let Ok(ready) = poll(&files, Duration::MAX) else {
            sleep(PAUSE);
            continue;
        };
        let mut ready = ready.into_iter();
        if ready.next() == Some(true) {
            let prints = ready.as_slice().contains(&true);
            rounds = if prints { rounds - 1 } else { 0 };
        }
        outputs.retain_mut(|output| ready.next() != Some(true) || output.read(&mut take));
    }
}

impl<R: Read> Printed<R> {
    pub(super) fn new(rank: usize, error: bool, from: R) -> Self {
        Self { rank, error, from, line: Vec::new() }
    }

    /// Reads once, and passes on the lines that are whole; at the end of the stream the rest. Whether it goes on.
    fn read(&mut self, mut take: impl FnMut(usize, bool, &str)) -> bool {
        let mut bytes = [0; LINE];
        let got = match self.from.read(&mut bytes) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => return true,
            got => got.unwrap_or(0),
        };
        let mut pass = |line: &[u8]| take(self.rank, self.error, &String::from_utf8_lossy(line));
        self.line.extend(&bytes[..got]);
        while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            pass(&line[..end]);
        }
        if got == 0 && !self.line.is_empty() {
            pass(&std::mem::take(&mut self.line));
        } else if self.line.len() > LINE {
            let rest = self.line.split_off(whole(&self.line));
            pass(&std::mem::replace(&mut self.line, rest));
        }
        got > 0
    }
}

/// The bytes before a character at the end that may not have come whole.
fn whole(line: &[u8]) -> usize {
    let broken = line.utf8_chunks().last().map_or(0, |last| last.invalid().len());
    line.len() - broken
}

fn to_sink(sink: Output, failed: impl Fn(&Error) + Send + 'static) -> Take {
    let mut sink = Some(sink);
    Box::new(move |rank, error, text| {
        let Some(taker) = &sink else { return };
        let taken = guard("what takes the workers' output", || taker(rank, error, text));
        if let Err(error) = taken {
            sink = None;
            failed(&error);
        }
    })
}

fn to_outputs() -> Result<Take> {
    let failed = refused(FAILED);
    // Past the locks of the standard library, which a caller may hold for as long as the session lasts.
    let file = |from: BorrowedFd<'_>| from.try_clone_to_owned().map(File::from);
    let output = file(io::stdout().as_fd()).map_err(&failed)?;
    let errors = file(io::stderr().as_fd()).map_err(&failed)?;
    Ok(Box::new(move |rank, error, text| {
        let line = format!("[worker {rank}] {text}\n");
        // One write, so that lines stay whole; who reads them may be gone.
        let _ = if error { &errors } else { &output }.write_all(line.as_bytes());
    }))
}

#[cfg(test)]
mod tests;
