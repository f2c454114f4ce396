//! Passes on what workers print. Who reads this process's output, or takes the lines, may stop doing so, and no
//! thread that keeps workers waits for that.

use crate::config::Output;
use crate::panic::guard;
use crate::system::{refused, spawn};
use ringwood_base::{Error, Result};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// A thread that hands lines to the caller's sink, or writes them to this process's standard output and error.
pub(super) struct Printer {
    lines: Sender<Line>,
    /// The bytes that are not written yet.
    waiting: Arc<AtomicUsize>,
    /// Ends with the thread.
    over: Receiver<()>,
}

/// A line that a worker has printed.
struct Line {
    rank: usize,
    /// Whether it stands on the worker's standard error.
    error: bool,
    text: String,
}

/// Takes lines, on the thread.
type Take = Box<dyn FnMut(&Line) + Send>;

const FAILED: &str = "what the workers print cannot be passed on";
/// What workers print is taken while fewer bytes wait.
const MOST: usize = 1 << 20;

impl Printer {
    /// A sink that panics gets no more lines, and `failed` is told.
    ///
    /// # Errors
    /// The system has no thread, or no files, for it.
    pub(super) fn start(
        sink: Option<Output>,
        failed: impl Fn(&Error) + Send + 'static,
    ) -> Result<Self> {
        let mut take = match sink {
            Some(sink) => to_sink(sink, failed),
            None => to_outputs()?,
        };
        let (lines, taken) = mpsc::channel::<Line>();
        let (tell, over) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        let body = move || {
            let _tell: Sender<()> = tell;
            for line in taken {
                take(&line);
                left.fetch_sub(line.bytes(), Ordering::Relaxed);
            }
        };
        spawn("output", FAILED, body)?;
        Ok(Self { lines, waiting, over })
    }

    /// Whether so much waits that no more should be taken.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= MOST
    }

    pub(super) fn print(&self, rank: usize, error: bool, line: &str) {
        let line = Line { rank, error, text: line.into() };
        self.waiting.fetch_add(line.bytes(), Ordering::Relaxed);
        let _ = self.lines.send(line);
    }

    /// Waits until all is passed on, or a time.
    pub(super) fn finish(self, deadline: Instant) {
        drop(self.lines);
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = self.over.recv_timeout(left.max(Duration::from_millis(50)));
    }
}

impl Line {
    /// What it takes while it waits, about.
    fn bytes(&self) -> usize {
        self.text.len() + size_of::<Self>()
    }
}

fn to_sink(sink: Output, failed: impl Fn(&Error) + Send + 'static) -> Take {
    let mut sink = Some(sink);
    Box::new(move |Line { rank, error, text }| {
        let Some(taker) = &sink else { return };
        let taken = guard("what takes the workers' output", || taker(*rank, *error, text));
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
    Ok(Box::new(move |Line { rank, error, text }| {
        let line = format!("[worker {rank}] {text}\n");
        // One write, so that lines stay whole; who reads them may be gone.
        let _ = if *error { &errors } else { &output }.write_all(line.as_bytes());
    }))
}
