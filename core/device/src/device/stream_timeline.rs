//! A stream as work sees it: without its device.

use super::hardware::Hardware;
use super::lock;
use super::log::Log;
use super::timeline::{StreamId, Timeline};
use crate::backend::{Handle, Region};
use ringwood_base::Result;
use ringwood_base::sync::Mutex;
use ringwood_base::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock, Weak};

/// The streams of a device.
#[derive(Default)]
pub(crate) struct Streams {
    /// The default one, once it is opened.
    pub(crate) default: Mutex<Option<Arc<StreamTimeline>>>,
    opened: Mutex<Vec<Weak<StreamTimeline>>>,
}

impl Streams {
    /// A new stream of `hardware`, with the memory that there is; see
    /// [`Device::new_stream`](super::Device::new_stream) for `kind`.
    pub(crate) fn open(&self, hardware: &Arc<Hardware>, kind: &str) -> Result<Arc<StreamTimeline>> {
        let stream = StreamTimeline::open(hardware, kind)?;
        let mut opened = lock(&self.opened);
        opened.retain(|stream| stream.strong_count() > 0);
        opened.push(Arc::downgrade(&stream));
        Ok(stream)
    }

    /// Those that were not dropped.
    pub(crate) fn alive(&self) -> Vec<Arc<StreamTimeline>> {
        lock(&self.opened).iter().filter_map(Weak::upgrade).collect()
    }
}

/// A stream without its device, which may own it.
pub(crate) struct StreamTimeline {
    pub(crate) timeline: Arc<Timeline>,
    pub(crate) handle: Handle,
    pub(crate) hardware: Arc<Hardware>,
    kind: String,
    /// Where routines log.
    pub(crate) log: OnceLock<Arc<Log>>,
}

impl StreamTimeline {
    fn open(hardware: &Arc<Hardware>, kind: &str) -> Result<Arc<Self>> {
        let known = &hardware.capabilities.stream_kinds;
        let kind = match (kind, known.first()) {
            ("", Some(default)) => default.as_str(),
            _ => kind,
        };
        let handle = hardware.backend.stream(&hardware.handle, kind);
        let handle = handle.map_err(|e| e.with("device", &hardware.name))?;
        let id = StreamId(hardware.shared.streams.fetch_add(1, Ordering::Relaxed));
        let timeline = Timeline::new(id, hardware.backend.clone(), handle.clone())?;
        let timeline = Arc::new(timeline);
        let kind = kind.to_owned();
        let log = OnceLock::new();
        Ok(Arc::new(Self { timeline, handle, hardware: hardware.clone(), kind, log }))
    }

    /// The kind, as it was asked for.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The number of the last submission.
    ///
    /// # Errors
    /// The stream's failure, as far as it is known.
    pub(crate) fn reached(&self) -> Result<u64> {
        match self.timeline.report() {
            None => Ok(self.timeline.submitted()),
            Some(error) => Err(error.clone()),
        }
    }

    /// Has the backend call `then` after the work that was submitted, past the run time, which may refuse later
    /// work of the stream.
    ///
    /// # Errors
    /// The backend's, which may have called `then` all the same.
    pub(crate) fn call_back(&self, then: impl FnOnce() + Send + 'static) -> Result<()> {
        let memory = self.hardware.backend.allocate(&self.hardware.handle, 0)?;
        let keep = memory.clone();
        let sink = Box::new(move |_: Result<&[u8]>| {
            then();
            drop(keep);
        });
        let region = Region { memory: &memory, offset: 0, bytes: 0 };
        self.hardware.backend.read(&self.handle, region, sink)
    }

    /// Closes the log after the work that may write to it.
    fn close_log(&self) {
        let Some(log) = self.log.get() else { return };
        let after = log.clone();
        if self.call_back(move || after.close()).is_err() {
            log.close();
        }
    }
}

impl Drop for StreamTimeline {
    fn drop(&mut self) {
        self.close_log();
        self.timeline.close();
    }
}
