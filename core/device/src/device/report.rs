//! What a device and its streams are doing, as data and as text.

use super::memory::MemoryReport;
use super::{Device, Route, Stream};
use std::fmt;
use std::path::PathBuf;

/// What a device is doing; printed, one line for each stream and route.
#[derive(Clone, Debug, serde::Serialize)]
pub struct DeviceReport {
    /// The name, as in `cpu:0`.
    pub name: String,
    /// What the device is called.
    pub description: String,
    /// Which libraries of vendors compute kernels that name a routine of them, or why none does.
    pub libraries: Vec<String>,
    /// Its memory.
    pub memory: MemoryReport,
    /// The kernels that were compiled for it.
    pub kernels: usize,
    /// Its streams, by identity.
    pub streams: Vec<StreamReport>,
    /// The routes over which copies into its memory went.
    pub routes: Vec<RouteReport>,
}

/// What a stream is doing.
#[derive(Clone, Debug, serde::Serialize)]
pub struct StreamReport {
    /// The identity.
    pub id: super::StreamId,
    /// The kind, as it was asked for.
    pub kind: String,
    /// How many submissions the stream took.
    pub submitted: u64,
    /// How many of them are known to be done.
    pub done: u64,
    /// Whether all of them are over, in success or failure.
    pub idle: bool,
    /// The stream's failure, if there was one.
    pub failure: Option<String>,
    /// The file to which routines log.
    pub log: Option<PathBuf>,
}

/// Copies over one route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct RouteReport {
    /// The route.
    pub route: Route,
    /// How many copies were submitted.
    pub copies: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

impl Device {
    /// What the device is doing right now.
    ///
    /// ```no_run
    /// println!("{}", ringwood_device::device::Device::best()?.report());
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    pub fn report(&self) -> DeviceReport {
        let hardware = self.hardware();
        hardware.memory.drain();
        let mut streams: Vec<_> = self
            .streams()
            .alive()
            .into_iter()
            .map(|timeline| Stream::new(timeline, self.clone()).report())
            .collect();
        streams.sort_by_key(|stream| stream.id);
        let route = |route| {
            let (copies, bytes) = hardware.routes.of(route);
            RouteReport { route, copies, bytes }
        };
        DeviceReport {
            name: self.name().to_owned(),
            description: self.capabilities().description.clone(),
            libraries: self.capabilities().libraries.clone(),
            memory: hardware.memory.report(),
            kernels: self.compiled_kernels(),
            streams,
            routes: Route::ALL.map(route).into_iter().filter(|route| route.copies > 0).collect(),
        }
    }
}

impl Stream {
    /// What the stream is doing right now.
    pub fn report(&self) -> StreamReport {
        let idle = self.is_idle();
        let timeline = &self.timeline().timeline;
        StreamReport {
            id: self.id(),
            kind: self.kind().to_owned(),
            submitted: timeline.submitted(),
            done: timeline.done(),
            idle,
            failure: timeline.failure().map(ToString::to_string),
            log: self.log_path(),
        }
    }
}

impl fmt::Display for DeviceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  {}", self.name, self.description, self.memory)?;
        write!(f, "\n  {} kernels compiled", self.kernels)?;
        for library in &self.libraries {
            write!(f, "\n  {library}")?;
        }
        for stream in &self.streams {
            write!(f, "\n  {stream}")?;
        }
        for RouteReport { route, copies, bytes } in &self.routes {
            write!(f, "\n  copies into it, {}: {copies} of {bytes} bytes in all", route.name())?;
        }
        Ok(())
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes in use", self.in_use)?;
        if let Some(limit) = self.limit {
            write!(f, " of {limit}")?;
        }
        let Self { peak, waiting, cached, cache_limit, allocations, reused, .. } = self;
        write!(f, " (at most {peak}), {waiting} pieces wait for their last use\n  ")?;
        write!(f, "{cached} of {cache_limit} bytes kept, {reused} of {allocations} allocations ")?;
        f.write_str("from what was kept")
    }
}

impl fmt::Display for StreamReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, kind, submitted, done, .. } = self;
        write!(f, "{id} ({kind}): {done} of {submitted} submissions known to be done, ")?;
        match &self.failure {
            Some(failure) => write!(f, "failed: {failure}")?,
            None => f.write_str(if self.idle { "idle" } else { "busy" })?,
        }
        match &self.log {
            Some(path) => write!(f, ", logs to {}", path.display()),
            None => Ok(()),
        }
    }
}
