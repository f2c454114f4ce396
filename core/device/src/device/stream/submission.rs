//! How work gets onto a stream: after what it must not overtake, and noted in what it uses.

use crate::backend::{DynBackend, Handle};
use crate::device::hazard::Waits;
use crate::device::record::Record;
use crate::device::stream_timeline::StreamTimeline;
use crate::device::timeline::Timeline;
use crate::device::{Buffer, lock};
use ringwood_base::sync::thread_local;
use ringwood_base::{Error, Result};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// The records of so many buffers need no allocation.
const FEW: usize = 8;

thread_local! {
    static SUBMITTING: Cell<bool> = const { Cell::new(false) };
}

/// A submission, or a visit of the host, that this thread is in the middle of.
///
/// A stream that runs its work in the call runs user code there: kernels and sinks. What such code
/// does to tensors could wait for itself, so it is refused.
pub(crate) struct Submitting;

impl Submitting {
    pub(crate) fn enter() -> Result<Self> {
        if SUBMITTING.with(|submitting| submitting.replace(true)) {
            let message = "a kernel or a sink used a tensor while work was being submitted";
            return Err(Error::invalid(message)
                .help("hand the bytes to another thread, or use the tensor afterwards"));
        }
        Ok(Self)
    }

    /// Whether this thread is in the middle of one.
    pub(crate) fn is_under_way() -> bool {
        SUBMITTING.with(Cell::get)
    }
}

impl Drop for Submitting {
    fn drop(&mut self) {
        SUBMITTING.with(|submitting| submitting.set(false));
    }
}

/// A buffer that a submission uses.
#[derive(Clone)]
pub(crate) struct Use {
    pub(crate) buffer: Buffer,
    pub(crate) writing: bool,
    /// Whether what it held before is read.
    pub(crate) reading: bool,
    /// The routine that takes the buffer by donation.
    pub(crate) taker: Option<Arc<str>>,
    /// A handle of the same memory as that routine leaves it.
    pub(crate) successor: Option<Buffer>,
    /// How often the memory must have been written, for one who looked at it then.
    pub(crate) writes: Option<u64>,
}

impl Use {
    pub(crate) fn new(buffer: &Buffer, writing: bool) -> Self {
        let buffer = buffer.clone();
        Self { buffer, writing, reading: !writing, taker: None, successor: None, writes: None }
    }

    /// Adds what a later use of the same memory does.
    pub(crate) fn absorb(&mut self, other: &Use) {
        self.writing |= other.writing;
        self.taker = self.taker.take().or_else(|| other.taker.clone());
        self.writes = self.writes.or(other.writes);
        let [mut old, mut new] = [&self.buffer, &other.buffer].map(Clone::clone);
        if old.generation() > new.generation() {
            std::mem::swap(&mut old, &mut new);
        }
        if old.generation() != new.generation() {
            self.successor = Some(new);
        }
        self.buffer = old;
    }

    /// Refuses what a routine has taken, or has not left yet, and what the host is using.
    fn check(&self, record: &Record) -> Result<()> {
        self.buffer.check(record)?;
        if self.reading {
            record.check_written()?;
        }
        if let Some(successor) = &self.successor
            && !(self.taker.is_some() && successor.generation() == self.buffer.generation() + 1)
        {
            successor.check(record)?;
        }
        if self.writes.is_some_and(|writes| writes != record.writes()) {
            return Err(Error::mismatch(format!(
                "buffer {} was written after it was streamed to the merge slot",
                self.buffer.id()
            ))
            .help("submit the routine that merges before the next write, or merge by copy"));
        }
        self.buffer.check_host(record, self.writing)
    }

    /// Notes that the work up to `at` of `timeline` does this. Work that was refused before it had `begun`
    /// writes and takes nothing; its end is waited for all the same.
    fn note(&self, record: &mut Record, timeline: &Arc<Timeline>, at: u64, begun: bool) {
        record.hazard.note(timeline, at, self.writing);
        if self.writing {
            record.written(begun);
        }
        if let Some(routine) = self.taker.as_ref().filter(|_| begun) {
            record.take(routine);
        }
    }
}

impl StreamTimeline {
    /// Submits `work`, after whatever the `uses` have to wait for; the number of the submission.
    ///
    /// `uses` are sorted by [`Buffer::serial`] and name each buffer once. The records of all of
    /// them stay locked from the look at their waits until the work is noted in them, so that
    /// submissions from several threads cannot slip between.
    pub(crate) fn submit(
        &self,
        uses: &[Use],
        work: impl FnOnce(&dyn DynBackend, &Handle) -> Result<()>,
    ) -> Result<u64> {
        self.submit_parts(uses, std::iter::once(work))
    }

    /// As [`StreamTimeline::submit`], for work that the backend gets in parts. If it takes some of them
    /// and refuses the next one, the stream has failed, as if the work had failed while it runs.
    pub(crate) fn submit_parts(
        &self,
        uses: &[Use],
        parts: impl IntoIterator<Item = impl FnOnce(&dyn DynBackend, &Handle) -> Result<()>>,
    ) -> Result<u64> {
        self.try_submit(uses, parts).inspect_err(|error| self.timeline.told(error))
    }

    /// As [`StreamTimeline::submit_parts`], for one who tells nobody why it is refused.
    pub(crate) fn try_submit(
        &self,
        uses: &[Use],
        parts: impl IntoIterator<Item = impl FnOnce(&dyn DynBackend, &Handle) -> Result<()>>,
    ) -> Result<u64> {
        if let Some(failure) = self.timeline.failure() {
            return Err(failure.clone());
        }
        let _submitting = Submitting::enter()?;
        let (at, result) = {
            let omitted = &self.hardware.omitted;
            let mut waits = Waits::default();
            let mut locked = SmallVec::<[_; FEW]>::with_capacity(uses.len());
            for used in uses {
                let record = lock(used.buffer.record());
                used.check(&record)?;
                record.hazard.waits(&self.timeline, used.writing, omitted, &mut waits);
                locked.push(record);
            }
            self.wait_for(&waits)?;
            let (backend, mut taken) = (&*self.hardware.backend, 0);
            let before = self.timeline.submitted();
            let result: Result<()> = parts.into_iter().try_for_each(|part| {
                part(backend, &self.handle)?;
                taken += 1;
                Ok(())
            });
            let at = self.timeline.advance();
            // What a backend counts nothing for has submitted nothing.
            let begun = taken > 0 && at > before;
            if let (Err(error), true) = (&result, begun) {
                self.timeline.cut(at, error.clone());
            }
            for (record, used) in locked.iter_mut().zip(uses) {
                used.note(record, &self.timeline, at, result.is_ok() || begun);
            }
            (at, result)
        };
        self.hardware.memory.drain();
        result.map(|()| at).map_err(|error| self.timeline.diagnose(error))
    }

    fn wait_for(&self, waits: &Waits) -> Result<()> {
        let backend = &self.hardware.backend;
        for point in &waits.results {
            match point.timeline.result(point.at) {
                Ok(None) => {}
                Ok(Some(event)) => {
                    self.timeline.depends_on(&point.timeline);
                    let waits = backend.wait(&self.handle, &event);
                    waits.map_err(|error| self.timeline.diagnose(error))?;
                }
                Err(error) => {
                    point.timeline.report();
                    return Err(self.timeline.fail(error));
                }
            }
        }
        for point in &waits.ends {
            if !point.settled()
                && let Ok(Some(event)) = point.timeline.event(point.at)
            {
                let waits = backend.wait_for_end(&self.handle, &event);
                waits.map_err(|error| self.timeline.diagnose(error))?;
            }
        }
        Ok(())
    }
}

/// Sorts the uses of one piece of work as [`StreamTimeline::submit`] wants them; a buffer that is read
/// and written is both.
pub(crate) fn unify(uses: &mut Vec<Use>) {
    uses.sort_by_key(|u| (u.buffer.serial(), !u.reading));
    join(uses);
}

/// Sorts the uses of work in order, as [`unify`]; what a buffer held before is read if its first use
/// reads.
pub(crate) fn unify_in_order(uses: &mut Vec<Use>) {
    uses.sort_by_key(|u| u.buffer.serial());
    join(uses);
}

fn join(uses: &mut Vec<Use>) {
    uses.dedup_by(|later, kept| {
        let same = later.buffer.shares(&kept.buffer);
        if same {
            kept.absorb(later);
        }
        same
    });
}
