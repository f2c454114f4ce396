//! How far a stream has been submitted, and how far it is known to be done.
//!
//! A [`TimelinePoint`] names a point of a stream by number, and its end is that of the work up to
//! there: what is submitted later changes nothing about it. Streams of a backend that counts its
//! commands ([`Backend::progress`](crate::backend::Backend::progress)) tell that by themselves; for
//! others an event is [recorded](Events) with every submission.

mod events;

use super::lock;
use crate::backend::{DynBackend, Handle, Progress, Status};
use events::Events;
use ringwood_base::deadline::LONGEST;
use ringwood_base::sync::Mutex;
use ringwood_base::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use ringwood_base::{Error, ErrorKind, Result};
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

/// What an error says of the stream that failed.
const OVER: &str = "which takes no more work: `Device::stream` and `new_stream` give one that does";

/// A stream as its points see it; it outlives the stream.
pub(crate) struct Timeline {
    id: StreamId,
    backend: Arc<dyn DynBackend>,
    progress: Arc<Progress>,
    /// The events of a stream that does not count.
    events: Option<Events>,
    failure: OnceLock<Error>,
    /// The number of the first submission of which the backend took a part and refused the rest, which
    /// failed the stream; `u64::MAX` while there is none.
    cut: AtomicU64,
    /// Whether somebody was told of the failure.
    reported: AtomicBool,
    /// The timelines whose results this one has waited for; their failures become its own.
    sources: Mutex<Vec<Weak<Timeline>>>,
}

/// A point of a stream.
#[derive(Clone)]
pub(crate) struct TimelinePoint {
    pub(crate) timeline: Arc<Timeline>,
    pub(crate) at: u64,
}

impl Timeline {
    /// The timeline of `stream`.
    ///
    /// # Errors
    /// The backend's.
    pub(crate) fn new(id: StreamId, backend: Arc<dyn DynBackend>, stream: Handle) -> Result<Self> {
        let counted = backend.progress(&stream)?;
        let events = counted.is_none().then(|| Events::of(stream));
        Ok(Self {
            id,
            backend,
            progress: counted.unwrap_or_default(),
            events,
            failure: OnceLock::new(),
            cut: AtomicU64::new(u64::MAX),
            reported: AtomicBool::new(false),
            sources: Mutex::default(),
        })
    }

    pub(crate) fn id(&self) -> StreamId {
        self.id
    }

    /// The number of the last submission.
    pub(crate) fn submitted(&self) -> u64 {
        self.progress.submitted()
    }

    /// The number of the last submission that is known to be done.
    pub(crate) fn done(&self) -> u64 {
        self.progress.done().min(self.cut.load(Ordering::Acquire).saturating_sub(1))
    }

    /// Notes one submission, after the backend took it; its number.
    pub(crate) fn advance(&self) -> u64 {
        match &self.events {
            None => self.progress.submitted(),
            Some(events) => {
                let (at, refused) = events.record(&*self.backend, &self.progress);
                if let Some(error) = refused {
                    self.fail(error);
                }
                at
            }
        }
    }

    /// The first failure, as far as it is known.
    #[inline]
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.failure.get().or_else(|| {
            self.fail(self.progress.failure()?.clone());
            self.failure.get()
        })
    }

    /// The first failure, for somebody who learns of it now.
    pub(crate) fn report(&self) -> Option<&Error> {
        let failure = self.failure()?;
        self.reported.store(true, Ordering::Relaxed);
        Some(failure)
    }

    /// Whether the stream failed, and somebody was told.
    pub(crate) fn is_reported(&self) -> bool {
        self.reported.load(Ordering::Relaxed)
    }

    /// Notes that somebody is told `error`, which may be the failure of the stream.
    pub(crate) fn told(&self, error: &Error) {
        if self.failed_with(error) {
            self.reported.store(true, Ordering::Relaxed);
        }
    }

    /// Makes `error` the failure of the stream unless there is one already; returns the first.
    ///
    /// What was submitted before ends as it would have.
    pub(crate) fn fail(&self, error: Error) -> Error {
        let inherited = self.inherited(&error);
        self.failure.get_or_init(|| inherited.unwrap_or_else(|| self.placed(error))).clone()
    }

    /// Fails the stream with submission `at`, of which the backend took a part and refused the rest.
    pub(crate) fn cut(&self, at: u64, error: Error) {
        let error = self.diagnose(error);
        self.fail(error);
        self.cut.fetch_min(at, Ordering::AcqRel);
    }

    /// Why the submissions up to `at` have no whole result, if a part of one was refused.
    fn cut_by(&self, at: u64) -> Option<&Error> {
        if at < self.cut.load(Ordering::Acquire) {
            return None;
        }
        self.failure.get()
    }

    /// `error` with the stream that it happened on.
    fn placed(&self, error: Error) -> Error {
        match error.get("stream") {
            // It came from another stream, whose result this one needed.
            Some(_) => error,
            None => error.with("stream", format_args!("{}, {OVER}", self.id.0)),
        }
    }

    /// As [`Timeline::fail`], for somebody who learns of it now.
    pub(crate) fn refuse(&self, error: Error) -> Error {
        self.reported.store(true, Ordering::Relaxed);
        self.fail(error)
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
    ///
    /// Timelines may have waited for each other: the path back to the origin meets none twice.
    fn inherited(&self, error: &Error) -> Option<Error> {
        let mut path: Vec<Arc<Timeline>> = Vec::new();
        loop {
            let last = path.last().map_or(self, |timeline| timeline);
            let sources: Vec<_> = lock(&last.sources).iter().filter_map(Weak::upgrade).collect();
            let new = |source: &&Arc<Timeline>| {
                !std::ptr::eq(&***source, self) && !path.iter().any(|met| Arc::ptr_eq(met, source))
            };
            let Some(source) = sources.iter().filter(new).find(|s| s.failed_with(error)) else {
                let origin = path.last()?;
                return Some(origin.failure.get_or_init(|| origin.placed(error.clone())).clone());
            };
            if let Some(failure) = source.failure.get() {
                return Some(failure.clone());
            }
            path.push(source.clone());
        }
    }

    /// Whether the failure is known, and says what `error` says.
    fn failed_with(&self, error: &Error) -> bool {
        let failure = self.failure.get().or_else(|| self.progress.failure());
        failure.is_some_and(|f| (f.kind(), f.message()) == (error.kind(), error.message()))
    }

    /// What a refused submission means: the stream's failure if it has failed, else `error` alone.
    pub(crate) fn diagnose(&self, error: Error) -> Error {
        self.observe();
        self.failure().cloned().unwrap_or(error)
    }

    /// Looks how far a stream has come that does not count.
    fn observe(&self) {
        if let Some(events) = &self.events {
            events.observe(&*self.backend, &self.progress);
        }
    }

    /// Whether the submissions up to `at` are known to have succeeded.
    pub(crate) fn is_done(&self, at: u64) -> bool {
        matches!(self.progress.status(at), Status::Done) && self.cut_by(at).is_none()
    }

    /// The state of the submissions up to `at`.
    pub(crate) fn status(&self, at: u64) -> Status {
        if self.progress.over() < at {
            self.observe();
        }
        match self.progress.status(at) {
            Status::Failed(error) => Status::Failed(self.fail(error)),
            Status::Pending => match self.events.as_ref().and_then(|events| events.unknown(at)) {
                Some(error) => Status::Unknown(self.fail(error)),
                None => Status::Pending,
            },
            Status::Done => match self.cut_by(at) {
                Some(error) => Status::Failed(error.clone()),
                None => Status::Done,
            },
            known => known,
        }
    }

    /// Whether nothing up to `at` will touch memory any more, in success or failure.
    pub(crate) fn settled(&self, at: u64) -> bool {
        matches!(self.status(at), Status::Done | Status::Failed(_))
    }

    /// Blocks the host until the submissions up to `at` are done.
    pub(crate) fn block(&self, at: u64, timeout: Duration) -> Result<()> {
        if self.progress.is_run_here() && self.progress.over() < at {
            let message = "a kernel or a sink waits for the stream that runs it";
            let help = "let it use a stream of its own, with `Stream::scope`, or wait afterwards";
            return Err(Error::invalid(message).with("stream", self.id.0).help(help));
        }
        match self.end(at, timeout) {
            Err(error) if error.kind() == ErrorKind::Timeout && self.progress.over() < at => {
                let help = "wait longer, or look for a kernel that does not end";
                Err(error.with("stream", self.id.0).help(help))
            }
            Ok(()) => self.cut_by(at).map_or(Ok(()), |error| Err(self.refuse(error.clone()))),
            Err(error) => Err(self.refuse(error)),
        }
    }

    /// As [`Timeline::block`], but nobody is told how they ended.
    fn end(&self, at: u64, timeout: Duration) -> Result<()> {
        let timeout = timeout.min(LONGEST);
        match &self.events {
            None => self.progress.block(at, timeout),
            Some(events) => events.block(&*self.backend, &self.progress, at, timeout),
        }
    }

    /// An event for another stream, of the submissions up to `at`; `None` if they are done.
    ///
    /// # Errors
    /// They are known to have failed.
    pub(crate) fn event(&self, at: u64) -> Result<Option<Handle>> {
        match self.progress.status(at) {
            Status::Done => Ok(None),
            Status::Failed(error) | Status::Unknown(error) => Err(self.fail(error)),
            Status::Pending => match &self.events {
                None => self.backend.event_at(&self.progress, at).map(Some),
                Some(events) => match events.event(at).map_err(|error| self.fail(error))? {
                    // It was over in between, well or not.
                    None => match self.progress.status(at) {
                        Status::Failed(error) | Status::Unknown(error) => Err(self.fail(error)),
                        _ => Ok(None),
                    },
                    event => Ok(event),
                },
            },
        }
    }

    /// As [`Timeline::event`], for one who needs the results.
    ///
    /// # Errors
    /// They are known to have failed, or to come in part alone.
    pub(crate) fn result(&self, at: u64) -> Result<Option<Handle>> {
        match self.cut_by(at) {
            Some(error) => Err(error.clone()),
            None => self.event(at),
        }
    }

    /// Lets go of the backend's stream.
    pub(crate) fn close(&self) {
        if let Some(events) = &self.events {
            events.close();
        }
    }
}

impl TimelinePoint {
    pub(crate) fn is_done(&self) -> bool {
        self.timeline.is_done(self.at)
    }

    pub(crate) fn settled(&self) -> bool {
        self.timeline.settled(self.at)
    }

    /// Whether nobody will ever know that the work is over.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.timeline.status(self.at), Status::Unknown(_))
    }

    pub(crate) fn block(&self, timeout: Duration) -> Result<()> {
        self.timeline.block(self.at, timeout)
    }

    /// Blocks the host until the work is over, unless this thread runs it, and tells nobody how it ended.
    pub(crate) fn outlast(&self, timeout: Duration) {
        if !self.timeline.progress.is_run_here() {
            let _ = self.timeline.end(self.at, timeout);
        }
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
