//! The first failure of a group, which sticks.

use ringwood_base::sync::atomic::{AtomicBool, Ordering};
use ringwood_base::sync::thread;
use ringwood_base::{Error, ErrorKind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The first failure of a group: it sticks and reaches every rank with the same text.
#[derive(Default)]
pub struct Failure {
    raised: AtomicBool,
    error: OnceLock<Error>,
    /// The rank that raised it, if one of this process did by name.
    rank: OnceLock<usize>,
    relay: OnceLock<Box<dyn Relay>>,
    /// What the group is a part of.
    part: Option<Part>,
}

/// A group that others are parts of, as one of them sees it.
struct Part {
    /// The failure of the whole group, which is that of its parts, too.
    whole: Arc<Failure>,
    /// The ranks of the part in the whole group, as text.
    ranks: String,
}

/// A rank that fails leaves its parts of the group before it says why to the whole group: a part that
/// it has left waits so long for the reason.
const REASON: Duration = Duration::from_millis(100);

/// What carries the failure of a group whose ranks are in several processes.
pub trait Relay: Send + Sync {
    /// Offers a failure of this process to the others, once, with the rank that raises it if one does by name;
    /// returns the first one of the group.
    fn offer(&self, error: Error, rank: Option<usize>) -> Error;

    /// The failure that another process has offered.
    fn heard(&self) -> Option<Error>;

    /// The rank that raised the failure, if that is known; unknown by default.
    fn raised_by(&self) -> Option<usize> {
        None
    }
}

impl Failure {
    /// The failure of a part of the group that fails with `whole`: of these ranks there, as text.
    pub fn of_part(whole: Arc<Failure>, ranks: String) -> Self {
        Self { part: Some(Part { whole, ranks }), ..Self::default() }
    }

    /// The failure of the group of which this one is a part.
    fn of_whole(&self) -> Option<Error> {
        self.part.as_ref()?.whole.get()
    }

    /// An error of a call, for who knows the ranks of the group that this one was split from: one that numbers
    /// the ranks of a part says which these are there.
    pub fn report(&self, error: Error) -> Error {
        let Some(Part { whole, ranks }) = &self.part else { return error };
        match whole.get() {
            Some(first) if first.to_string() == error.to_string() => whole.report(error),
            _ => error.with("split from", ranks),
        }
    }

    /// Why a rank has left this part: it may have failed.
    fn reason(&self, error: Error) -> Error {
        if self.part.is_none() || error.kind() != ErrorKind::Aborted {
            return error;
        }
        let end = Instant::now() + REASON;
        loop {
            match self.of_whole() {
                Some(reason) => return reason,
                None if Instant::now() >= end => return error,
                None => thread::sleep(Duration::from_micros(500)),
            }
        }
    }

    /// Records a failure, unless an earlier one sticks; returns the one that does.
    pub fn raise(&self, error: Error) -> Error {
        self.record(error, None)
    }

    /// [`Failure::raise`] by a rank.
    pub fn raise_by(&self, rank: usize, error: Error) -> Error {
        self.record(error, Some(rank))
    }

    /// The rank that raised the failure that sticks, if that is known.
    pub fn rank(&self) -> Option<usize> {
        self.rank.get().copied().or_else(|| self.relay.get()?.raised_by())
    }

    fn record(&self, error: Error, rank: Option<usize>) -> Error {
        let error = if self.is_raised() { error } else { self.reason(error) };
        let elect = || match (self.relay.get(), rank) {
            (Some(relay), _) => relay.offer(error, rank),
            (None, Some(rank)) => {
                let _ = self.rank.set(rank);
                error
            }
            (None, None) => error,
        };
        let first = self.error.get_or_init(elect).clone();
        // Sequentially consistent: a rank that enters a call is seen by the one that raises, or sees
        // the failure.
        self.raised.store(true, Ordering::SeqCst);
        first
    }

    /// Whether a failure sticks in this process.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// The failure that sticks.
    pub fn get(&self) -> Option<Error> {
        if self.is_raised() {
            return self.error.get().cloned();
        }
        let heard = || self.relay.get()?.heard();
        Some(self.raise(self.of_whole().or_else(heard)?))
    }

    /// Joins this process's failure with that of the others; the first relay stays.
    pub fn relay(&self, relay: impl Relay + 'static) {
        let _ = self.relay.set(Box::new(relay));
    }
}
