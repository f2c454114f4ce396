//! How far a stream has been submitted, and how far it is known to be done.
//!
//! A [`TimelinePoint`] names a point of a stream by number. An event is recorded only when somebody has to
//! wait for a point, so a stream that nobody watches costs no events. The first wait by another
//! stream may therefore cover work submitted after the point; from then on the stream is *watched*
//! and records an event with every submission, and waits are exact.

use super::lock;
use crate::backend::{DynBackend, Handle, Status};
use ringwood_base::deadline::LONGEST;
use ringwood_base::sync::Mutex;
use ringwood_base::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// The identity of a stream, counted by the run time from 0 and never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct StreamId(pub u32);

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stream {}", self.0)
    }
}

/// A stream as its points see it; it outlives the stream.
pub(crate) struct Timeline {
    id: StreamId,
    backend: Arc<dyn DynBackend>,
    submitted: AtomicU64,
    done: AtomicU64,
    watched: AtomicBool,
    failure: OnceLock<Error>,
    /// The timelines whose results this one has waited for; their failures become its own.
    sources: Mutex<Vec<Weak<Timeline>>>,
    record: Mutex<Record>,
}

struct Record {
    /// `None` after the stream was dropped; then the last event covers everything.
    stream: Option<Handle>,
    /// Events by the number of the last submission they cover, ascending.
    events: VecDeque<(u64, Handle)>,
}

/// A point of a stream.
#[derive(Clone)]
pub(crate) struct TimelinePoint {
    pub(crate) timeline: Arc<Timeline>,
    pub(crate) at: u64,
}

impl Timeline {
    pub(crate) fn new(id: StreamId, backend: Arc<dyn DynBackend>, stream: Handle) -> Self {
        let record = Record { stream: Some(stream), events: VecDeque::new() };
        Self {
            id,
            backend,
            submitted: AtomicU64::new(0),
            done: AtomicU64::new(0),
            watched: AtomicBool::new(false),
            failure: OnceLock::new(),
            sources: Mutex::default(),
            record: Mutex::new(record),
        }
    }

    pub(crate) fn id(&self) -> StreamId {
        self.id
    }

    /// The number of the last submission.
    pub(crate) fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    /// The number of the last submission that is known to be done.
    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Acquire)
    }

    /// Counts one submission, after the backend took it; its number.
    pub(crate) fn advance(&self) -> u64 {
        let at = self.submitted.fetch_add(1, Ordering::AcqRel) + 1;
        if self.watched.load(Ordering::Relaxed) {
            // A failure to record shows when somebody waits.
            let _ = self.event(at);
        }
        at
    }

    /// The first failure, if there was one.
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.failure.get()
    }

    /// Makes `error` the failure of the stream unless there is one already; returns the first.
    ///
    /// What is known to be done by then stays done.
    pub(crate) fn fail(&self, error: Error) -> Error {
        if self.failure.get().is_none() {
            self.observe(&mut lock(&self.record));
        }
        let error = self.inherited(&error).unwrap_or(error);
        let placed = |error: Error| match error.get("stream") {
            // It came from another stream, whose result this one needed.
            Some(_) => error,
            None => error.with("stream", format_args!("{}, which takes no more work", self.id.0)),
        };
        self.failure.get_or_init(|| placed(error)).clone()
    }

    /// Notes that results of `source` are waited for.
    pub(crate) fn depends_on(&self, source: &Arc<Timeline>) {
        let mut sources = lock(&self.sources);
        if sources.iter().any(|known| known.as_ptr() == Arc::as_ptr(source)) {
            return;
        }
        sources.retain(|known| known.strong_count() > 0);
        sources.push(Arc::downgrade(source));
    }

    /// The failure of the timeline that `error` came from, if that is known to have failed.
    fn inherited(&self, error: &Error) -> Option<Error> {
        let sources: Vec<_> = lock(&self.sources).iter().filter_map(Weak::upgrade).collect();
        let same = |failure: &&Error| {
            (failure.kind(), failure.message()) == (error.kind(), error.message())
        };
        sources.iter().find_map(|source| source.failure().filter(same).cloned())
    }

    /// What a refused submission means: the stream's failure if it has failed, else `error` alone.
    pub(crate) fn diagnose(&self, error: Error) -> Error {
        match self.status(self.submitted()) {
            Status::Failed(first) => first,
            Status::Pending | Status::Done => error,
        }
    }

    pub(crate) fn is_done(&self, at: u64) -> bool {
        self.done.load(Ordering::Acquire) >= at
    }

    /// The state of the submissions up to `at`.
    pub(crate) fn status(&self, at: u64) -> Status {
        if self.is_done(at) {
            return Status::Done;
        }
        if let Some(error) = self.failure() {
            return Status::Failed(error.clone());
        }
        self.poll(at)
    }

    /// Whether nothing up to `at` will touch memory any more, in success or failure.
    pub(crate) fn settled(&self, at: u64) -> bool {
        self.is_done(at) || !matches!(self.poll(at), Status::Pending)
    }

    fn poll(&self, at: u64) -> Status {
        let (covers, event) = match self.event_at(at) {
            Ok(Some(found)) => found,
            Ok(None) => return Status::Done,
            Err(error) => return Status::Failed(self.fail(error)),
        };
        match self.backend.poll(&event) {
            Status::Done => {
                self.finished(covers);
                Status::Done
            }
            Status::Failed(error) => Status::Failed(self.fail(error)),
            Status::Pending => Status::Pending,
        }
    }

    /// Blocks the host until the submissions up to `at` are done.
    pub(crate) fn block(&self, at: u64, timeout: Duration) -> Result<()> {
        if self.is_done(at) {
            return Ok(());
        }
        if let Some(error) = self.failure() {
            return Err(error.clone());
        }
        let Some((covers, event)) = self.event_at(at).map_err(|e| self.fail(e))? else {
            return Ok(());
        };
        match self.backend.block(&event, timeout.min(LONGEST)) {
            Ok(()) => {
                self.finished(covers);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Timeout => {
                let help = "wait longer, or look for a kernel that does not end";
                Err(error.with("stream", self.id.0).help(help))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// An event that covers the submissions up to `at`; `None` if they are done.
    ///
    /// For another stream, which makes this one watched.
    pub(crate) fn watch(&self, at: u64) -> Result<Option<Handle>> {
        if self.is_done(at) {
            return Ok(None);
        }
        self.watched.store(true, Ordering::Relaxed);
        self.event(at)
    }

    fn event(&self, at: u64) -> Result<Option<Handle>> {
        let found = self.event_at(at).map_err(|e| self.fail(e))?;
        Ok(found.map(|(_, event)| event))
    }

    fn event_at(&self, at: u64) -> Result<Option<(u64, Handle)>> {
        let mut record = lock(&self.record);
        if self.is_done(at) {
            return Ok(None);
        }
        if let Some(found) = record.events.iter().find(|(covers, _)| *covers >= at) {
            return Ok(Some(found.clone()));
        }
        self.record(&mut record).map(Some)
    }

    fn record(&self, record: &mut Record) -> Result<(u64, Handle)> {
        let Some(stream) = &record.stream else {
            return Err(self.failure().cloned().unwrap_or_else(|| {
                Error::new(ErrorKind::Aborted, format!("{} was dropped", self.id))
            }));
        };
        let covers = self.submitted();
        let event = self.backend.record(stream)?;
        self.observe(record);
        record.events.push_back((covers, event.clone()));
        Ok((covers, event))
    }

    /// Forgets the events that are done.
    fn observe(&self, record: &mut Record) {
        while let Some((covers, event)) = record.events.front()
            && matches!(self.backend.poll(event), Status::Done)
        {
            self.done.fetch_max(*covers, Ordering::AcqRel);
            record.events.pop_front();
        }
    }

    fn finished(&self, covers: u64) {
        self.done.fetch_max(covers, Ordering::AcqRel);
        lock(&self.record).events.retain(|(c, _)| *c > covers);
    }

    /// Lets go of the backend's stream; its last event stays.
    pub(crate) fn close(&self) {
        let mut record = lock(&self.record);
        let last = self.submitted();
        let covered = record.events.back().is_some_and(|(covers, _)| *covers >= last);
        if !covered
            && !self.is_done(last)
            && let Err(error) = self.record(&mut record)
        {
            let _ = self.failure.set(error);
        }
        record.stream = None;
    }
}

impl TimelinePoint {
    pub(crate) fn is_done(&self) -> bool {
        self.timeline.is_done(self.at)
    }

    pub(crate) fn settled(&self) -> bool {
        self.timeline.settled(self.at)
    }

    pub(crate) fn block(&self, timeout: Duration) -> Result<()> {
        self.timeline.block(self.at, timeout)
    }

    pub(crate) fn same_timeline(&self, other: &TimelinePoint) -> bool {
        Arc::ptr_eq(&self.timeline, &other.timeline)
    }
}

/// Adds `point` to `points`, which keep the latest one of each stream.
pub(crate) fn keep_latest(points: &mut Vec<TimelinePoint>, point: &TimelinePoint) {
    match points.iter_mut().find(|t| t.same_timeline(point)) {
        Some(known) => known.at = known.at.max(point.at),
        None => points.push(point.clone()),
    }
}
