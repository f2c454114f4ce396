//! Passes on what workers print. Who reads this process's output may stop doing so, and no thread that keeps
//! workers waits for that.

use crate::system::{refused, spawn};
use ringwood_base::Result;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// A thread that writes lines to this process's standard output and error.
pub(super) struct Printer {
    lines: Sender<(bool, String)>,
    /// The bytes that are not written yet.
    waiting: Arc<AtomicUsize>,
    /// Ends with the thread.
    over: Receiver<()>,
}

const FAILED: &str = "what the workers print cannot be passed on";
/// What workers print is taken while fewer bytes wait.
const MOST: usize = 1 << 20;

impl Printer {
    /// # Errors
    /// The system has no thread, or no files, for it.
    pub(super) fn start() -> Result<Self> {
        let failed = refused(FAILED);
        // Past the locks of the standard library, which a caller may hold for as long as the session lasts.
        let file = |from: BorrowedFd<'_>| from.try_clone_to_owned().map(File::from);
        let output = file(io::stdout().as_fd()).map_err(&failed)?;
        let errors = file(io::stderr().as_fd()).map_err(&failed)?;
        let (lines, taken) = mpsc::channel::<(bool, String)>();
        let (tell, over) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        let body = move || {
            let _tell: Sender<()> = tell;
            for (error, line) in taken {
                // One write, so that lines stay whole; who reads them may be gone.
                let _ = if error { &errors } else { &output }.write_all(line.as_bytes());
                left.fetch_sub(line.len(), Ordering::Relaxed);
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
        let line = format!("[worker {rank}] {line}\n");
        self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let _ = self.lines.send((error, line));
    }

    /// Waits until all is written, or a time.
    pub(super) fn finish(self, deadline: Instant) {
        drop(self.lines);
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = self.over.recv_timeout(left.max(Duration::from_millis(50)));
    }
}
