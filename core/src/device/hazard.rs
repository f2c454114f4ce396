//! The hazard record of a buffer: its last write, and the reads since.

use super::hardware::Wait;
use super::lane::{Lane, Tick, keep_latest};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// From so many readers on, those that are over are forgotten before another one is added.
const MANY: usize = 8;

#[derive(Default)]
pub(crate) struct Hazard {
    write: Option<Tick>,
    reads: Vec<Tick>,
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
    pub(crate) results: Vec<Tick>,
    /// Work that must be over, whatever its outcome.
    pub(crate) ends: Vec<Tick>,
}

impl Hazard {
    /// Adds what work on `lane` waits for before it reads, or writes, the buffer.
    pub(crate) fn waits(&self, lane: &Arc<Lane>, writing: bool, omitted: u8, waits: &mut Waits) {
        let foreign = |tick: &&Tick| !Arc::ptr_eq(&tick.lane, lane) && !tick.is_done();
        let kind = if writing { Wait::WriteAfterWrite } else { Wait::ReadAfterWrite };
        if omitted & kind as u8 == 0 {
            for tick in self.write.iter().filter(foreign) {
                keep_latest(&mut waits.results, tick);
            }
        }
        if writing && omitted & Wait::WriteAfterRead as u8 == 0 {
            for tick in self.reads.iter().filter(foreign) {
                keep_latest(&mut waits.ends, tick);
            }
        }
    }

    /// Records that the work up to `at` of `lane` reads, or writes, the buffer.
    pub(crate) fn note(&mut self, lane: &Arc<Lane>, at: u64, writing: bool) {
        let same = |tick: &&mut Tick| Arc::ptr_eq(&tick.lane, lane);
        let known = if writing {
            self.reads.clear();
            self.write.as_mut().filter(same)
        } else {
            self.reads.iter_mut().find(same)
        };
        match known {
            Some(tick) => tick.at = at,
            None if writing => self.write = Some(Tick { lane: lane.clone(), at }),
            None => {
                if self.reads.len() >= MANY {
                    self.reads.retain(|tick| !tick.settled());
                }
                self.reads.push(Tick { lane: lane.clone(), at });
            }
        }
    }

    /// Every use that may not be over.
    pub(crate) fn uses(&self) -> impl Iterator<Item = &Tick> {
        self.write.iter().chain(&self.reads)
    }

    /// Refuses device work on bytes that the host is using.
    pub(crate) fn check_host(&self, writing: bool) -> Result<()> {
        match (&self.host, writing) {
            (Host::Away, _) | (Host::Reads(_), false) => Ok(()),
            (Host::Reads(_), true) => Err(busy("read")),
            (Host::Writes, _) => Err(busy("written")),
        }
    }

    /// Lets the host in, to be let out with [`Hazard::leave`].
    pub(crate) fn enter(&mut self, writing: bool) -> Result<Waits> {
        self.host = match (&self.host, writing) {
            (Host::Away, true) => Host::Writes,
            (Host::Away, false) => Host::Reads(1),
            (Host::Reads(n), false) => Host::Reads(n + 1),
            (Host::Reads(_), true) => return Err(busy("read")),
            (Host::Writes, _) => return Err(busy("written")),
        };
        let results = self.write.iter().cloned().collect();
        let ends = self.reads.iter().filter(|_| writing).cloned().collect();
        Ok(Waits { results, ends })
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
    Error::new(ErrorKind::InvalidArgument, format!("the buffer is being {used} by the host"))
        .help("submit the work after `host_mut` or `host_ref` has returned")
}
