//! The hazard record of a buffer: its last write, and the reads since.
//!
//! | use | waits for the last write | waits for the reads since |
//! |---|---|---|
//! | the device reads | [`Wait::ReadAfterWrite`] | |
//! | the device writes | [`Wait::WriteAfterWrite`] | [`Wait::WriteAfterRead`] |
//! | the host reads | [`Wait::HostReadAfterWrite`] | |
//! | the host writes | [`Wait::HostWriteAfterWrite`] | [`Wait::HostWriteAfterRead`] |
//! | memory is freed | [`Wait::FreeAfterUse`] | [`Wait::FreeAfterUse`] |

use super::timeline::{Timeline, TimelinePoint, keep_latest};
use crate::backend::Status;
use ringwood_base::sync::atomic::{AtomicU8, Ordering};
use ringwood_base::{Error, Result};
use std::sync::Arc;

/// From so many readers on, those that are over are forgotten before another one is added.
const MANY: usize = 8;

/// One kind of wait of the hazard logic; see [`Device::omit_wait`](super::Device::omit_wait).
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table of the module says it")]
pub enum Wait {
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
    HostReadAfterWrite,
    HostWriteAfterRead,
    HostWriteAfterWrite,
    FreeAfterUse,
}

impl Wait {
    /// All kinds.
    pub const ALL: [Wait; 7] = [
        Wait::ReadAfterWrite,
        Wait::WriteAfterRead,
        Wait::WriteAfterWrite,
        Wait::HostReadAfterWrite,
        Wait::HostWriteAfterRead,
        Wait::HostWriteAfterWrite,
        Wait::FreeAfterUse,
    ];
}

/// The kinds of waits that a test leaves out.
#[derive(Default)]
pub(crate) struct Omitted(AtomicU8);

impl Omitted {
    pub(crate) fn set(&self, wait: Wait, omit: bool) {
        if omit {
            self.0.fetch_or(1 << wait as u8, Ordering::Relaxed);
        } else {
            self.0.fetch_and(!(1 << wait as u8), Ordering::Relaxed);
        }
    }

    pub(crate) fn contains(&self, wait: Wait) -> bool {
        self.0.load(Ordering::Relaxed) & 1 << wait as u8 != 0
    }
}

#[derive(Default)]
pub(crate) struct Hazard {
    write: Option<TimelinePoint>,
    reads: Vec<TimelinePoint>,
    host: Host,
}

/// Who on the host uses the bytes right now.
#[derive(Default)]
enum Host {
    #[default]
    Away,
    Reads(u32),
    Writes,
}

/// What a submission waits for.
#[derive(Default)]
pub(crate) struct Waits {
    /// Work that must have succeeded: its results are used or partly kept.
    pub(crate) results: Vec<TimelinePoint>,
    /// Work that must be over, whatever its outcome.
    pub(crate) ends: Vec<TimelinePoint>,
}

impl Hazard {
    /// Adds what work on `timeline` waits for before it reads, or writes, the buffer.
    pub(crate) fn waits(
        &self,
        timeline: &Arc<Timeline>,
        writing: bool,
        omitted: &Omitted,
        waits: &mut Waits,
    ) {
        let foreign =
            |point: &&TimelinePoint| !Arc::ptr_eq(&point.timeline, timeline) && !point.is_done();
        let kind = if writing { Wait::WriteAfterWrite } else { Wait::ReadAfterWrite };
        for point in self.write.iter().filter(foreign).filter(|_| !omitted.contains(kind)) {
            keep_latest(&mut waits.results, point);
        }
        if writing && !omitted.contains(Wait::WriteAfterRead) {
            for point in self.reads.iter().filter(foreign) {
                keep_latest(&mut waits.ends, point);
            }
        }
    }

    /// Records that the work up to `at` of `timeline` reads, or writes, the buffer.
    pub(crate) fn note(&mut self, timeline: &Arc<Timeline>, at: u64, writing: bool) {
        let same = |point: &&mut TimelinePoint| Arc::ptr_eq(&point.timeline, timeline);
        let known = if writing {
            // The end of a write does not tell that of a read whose end nobody knows.
            self.reads.retain(TimelinePoint::is_unknown);
            self.write.as_mut().filter(same)
        } else {
            self.reads.iter_mut().find(same)
        };
        match known {
            Some(point) => point.at = at,
            None if writing => self.write = Some(TimelinePoint { timeline: timeline.clone(), at }),
            None => {
                if self.reads.len() >= MANY {
                    self.reads.retain(|point| !point.settled());
                }
                self.reads.push(TimelinePoint { timeline: timeline.clone(), at });
            }
        }
    }

    /// The failure of the last write.
    pub(crate) fn failure(&self) -> Option<Error> {
        match self.write.as_ref().map(|point| point.timeline.status(point.at)) {
            Some(Status::Failed(error) | Status::Unknown(error)) => Some(error),
            _ => None,
        }
    }

    /// The last write.
    pub(crate) fn last_write(&self) -> Option<&TimelinePoint> {
        self.write.as_ref()
    }

    /// Every use that may not be over.
    pub(crate) fn uses(&self) -> impl Iterator<Item = &TimelinePoint> {
        self.write.iter().chain(&self.reads)
    }

    /// Refuses device work on bytes that the host is using.
    #[inline]
    pub(crate) fn check_host(&self, writing: bool) -> Result<()> {
        match (&self.host, writing) {
            (Host::Away, _) | (Host::Reads(_), false) => Ok(()),
            (Host::Reads(_), true) => Err(busy("read")),
            (Host::Writes, _) => Err(busy("written")),
        }
    }

    /// Lets the host in, to be let out with [`Hazard::leave`]; what it waits for before it reads, or
    /// writes, the buffer.
    pub(crate) fn enter(&mut self, writing: bool, omitted: &Omitted) -> Result<Waits> {
        self.host = match (&self.host, writing) {
            (Host::Away, true) => Host::Writes,
            (Host::Away, false) => Host::Reads(1),
            (Host::Reads(n), false) => Host::Reads(n + 1),
            (Host::Reads(_), true) => return Err(busy("read")),
            (Host::Writes, _) => return Err(busy("written")),
        };
        let mut waits = Waits::default();
        let kind = if writing { Wait::HostWriteAfterWrite } else { Wait::HostReadAfterWrite };
        if !omitted.contains(kind) {
            waits.results.extend(self.write.clone());
        }
        if writing && !omitted.contains(Wait::HostWriteAfterRead) {
            waits.ends.extend_from_slice(&self.reads);
        }
        Ok(waits)
    }

    /// Ends one use by the host.
    pub(crate) fn leave(&mut self) {
        self.host = match self.host {
            Host::Reads(n) if n > 1 => Host::Reads(n - 1),
            _ => Host::Away,
        };
    }
}

fn busy(used: &str) -> Error {
    Error::invalid(format!("the buffer is being {used} by the host"))
        .help("submit the work after `host_mut` or `host_ref` has returned")
}
