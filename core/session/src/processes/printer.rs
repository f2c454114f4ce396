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
/// output and error. What it has not come to yet lies in the pipes, where a worker waits that prints more.
pub(super) struct Printer {
    /// The thread ends when this is closed.
    open: UnixStream,
    /// Ends with the thread.
    over: Receiver<()>,
}

/// What a worker prints on one of its outputs, cut into lines.
pub(super) struct Printed<R> {
    rank: usize,
    /// Whether it is the worker's standard error.
    error: bool,
    from: R,
    /// What has come of the next line.
    line: Vec<u8>,
}

/// Takes a worker's rank, whether it is on its standard error, and a line, on the thread.
type Take = Box<dyn FnMut(usize, bool, &str) + Send>;

const FAILED: &str = "what the workers print cannot be passed on";
/// A line of more bytes is cut.
const LINE: usize = 16 << 10;
/// What the system holds of what a process has printed, in bytes.
const PIPE: usize = 64 << 10;
/// How long outputs are left alone that the system cannot look at now.
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
        closed.set_nonblocking(true).map_err(refused(FAILED))?;
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

/// Passes on what comes until all outputs are closed. After the other end of `end` is, they are read no further than the
/// pipes held then: what a worker has started may print for ever.
fn pass_on(mut outputs: Vec<Printed<File>>, end: &UnixStream, mut take: Take) {
    let mut rounds = PIPE / LINE + 1;
    while rounds > 0 && !outputs.is_empty() {
        let files = once(end.as_fd()).chain(outputs.iter().map(|output| output.from.as_fd()));
        let files: Vec<_> = files.map(|file| (file, false)).collect();
        let Ok(ready) = poll(&files, Duration::MAX) else {
            let ended = matches!((&mut &*end).read(&mut [0]), Ok(0));
            rounds -= usize::from(ended);
            sleep(PAUSE);
            continue;
        };
        let (ended, ready) = (ready[0], &ready[1..]);
        if ended {
            rounds = if ready.contains(&true) { rounds - 1 } else { 0 };
        }
        let mut ready = ready.iter();
        outputs.retain_mut(|output| ready.next() != Some(&true) || output.read(&mut take));
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
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            self.line[..end].split(|&byte| byte == b'\n').for_each(&mut pass);
            self.line.drain(..=end);
        }
        let rest = self.line.len();
        let piece = if got == 0 {
            rest
        } else if rest > LINE {
            whole(&self.line)
        } else {
            0
        };
        if piece > 0 {
            pass(&self.line[..piece]);
            self.line.drain(..piece);
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
