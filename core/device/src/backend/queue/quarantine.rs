//! Memory that a device may still use, though its owner has given it up.
//!
//! A driver that cannot say whether a command still runs leaves no moment at which its memory may be
//! freed. Such memory is held here until it is known to be unused; while too much of it is held, no
//! stream is started, so that it is bounded.

use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::any::Any;
use std::sync::Mutex;

/// The most pieces that are held when a stream is started.
const MOST: usize = 1024;

struct Piece {
    /// Whether nothing uses it any more.
    unused: Box<dyn Fn() -> bool + Send>,
    _memory: Box<dyn Any + Send>,
}

/// The pieces of one process, or of one test.
#[derive(Default)]
struct Quarantine(Mutex<Vec<Piece>>);

static PIECES: Quarantine = Quarantine(Mutex::new(Vec::new()));

/// Holds `memory` until `unused` says that nothing uses it; what became unused is freed.
pub(crate) fn quarantine(memory: impl Send + 'static, unused: impl Fn() -> bool + Send + 'static) {
    PIECES.hold(memory, unused);
}

/// Frees what became unused.
///
/// # Errors
/// [`MOST`] pieces are left.
pub(super) fn check() -> Result<()> {
    PIECES.check()
}

impl Quarantine {
    fn hold(&self, memory: impl Send + 'static, unused: impl Fn() -> bool + Send + 'static) {
        let piece = Piece { unused: Box::new(unused), _memory: Box::new(memory) };
        lock(&self.0).push(piece);
        self.free();
    }

    /// Frees what became unused; how many pieces are left.
    fn free(&self) -> usize {
        let mut pieces = lock(&self.0);
        let unused: Vec<Piece> = pieces.extract_if(.., |piece| (piece.unused)()).collect();
        let left = pieces.len();
        drop(pieces);
        drop(unused);
        left
    }

    fn check(&self) -> Result<()> {
        let left = self.free();
        if left < MOST {
            return Ok(());
        }
        let message = format!("{left} commands were lost, and devices may still use their memory");
        Err(Error::backend(message).help("restart the program"))
    }
}

#[cfg(test)]
mod tests;
