//! An in-order stream of a device: every submission waits for what it must not overtake.

mod logs;
mod of_device;
mod scope;
mod submission;

use scope::scoped;
pub(crate) use submission::{Submitting, Use, unify, unify_in_order};

use super::buffer::check_bounds;
use super::completion::Completion;
use super::stream_timeline::StreamTimeline;
use super::timeline::StreamId;
use super::{Buffer, Code, Device, overlap};
use crate::backend::{DynBackend, Handle, HostSink, Region, Registered, work_on};
use crate::kernel::Arg;
use ringwood_base::{Error, Result, Shape};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// An in-order stream of a device; a clone is another handle to the same stream.
///
/// Work submitted to one stream runs in submission order. Work of two streams runs in any order,
/// except that both see the submission order on every buffer that they share: the later one waits
/// on the device, and the host never blocks for it.
///
/// The first failure sticks: every later submission and wait reports that same error, and so does
/// work of other streams that needs a result of the failed one.
///
/// Equivalent to `cudaStream_t` with automatic events, an in-order `cl_command_queue`.
#[derive(Clone)]
pub struct Stream {
    timeline: Arc<StreamTimeline>,
    device: Device,
    /// Whether who is refused goes on without the stream, and tells nobody of its failure.
    quiet: bool,
}

impl Stream {
    pub(crate) fn new(timeline: Arc<StreamTimeline>, device: Device) -> Self {
        Self { timeline, device, quiet: false }
    }

    /// A handle to the same stream, of whose failure nobody was told when the handle is refused.
    pub(crate) fn quiet(&self) -> Self {
        Self { quiet: true, ..self.clone() }
    }

    /// The identity.
    pub fn id(&self) -> StreamId {
        self.timeline.timeline.id()
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The kind, as it was asked for: `threaded`, `chaos:42`.
    pub fn kind(&self) -> &str {
        self.timeline.kind()
    }

    pub(crate) fn timeline(&self) -> &Arc<StreamTimeline> {
        &self.timeline
    }

    /// Copies host bytes into `target`; asynchronous.
    ///
    /// # Errors
    /// The sizes differ; the region leaves its buffer or is on another device; the stream's
    /// failure.
    pub fn write(&self, source: Arc<[u8]>, target: Region<'_, Buffer>) -> Result<()> {
        self.write_region(source, target).map(drop)
    }

    /// As [`Stream::write`]; the number of the submission.
    pub(crate) fn write_region(
        &self,
        source: Arc<[u8]>,
        target: Region<'_, Buffer>,
    ) -> Result<u64> {
        self.check(&target)?;
        same_size(source.len(), target.bytes)?;
        let region = Buffer::resolve(target);
        self.submit_on([(&target, true)], |b, s| b.write(s, source, region))
    }

    /// Hands the bytes of `source` to `sink`, on a thread of the backend; asynchronous. The sink is
    /// called exactly once, also when the stream fails or the submission is refused.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn read(&self, source: Region<'_, Buffer>, sink: HostSink) -> Result<()> {
        self.read_region(source, sink).map(drop)
    }

    /// As [`Stream::read`]; the number of the submission.
    pub(crate) fn read_region(&self, source: Region<'_, Buffer>, sink: HostSink) -> Result<u64> {
        let mut sink = Some(sink);
        let submitted = self.check(&source).and_then(|()| {
            let region = Buffer::resolve(source);
            self.submit_on([(&source, false)], |backend, stream| match sink.take() {
                Some(sink) => backend.read(stream, region, sink),
                None => Ok(()),
            })
        });
        if let (Err(error), Some(sink)) = (&submitted, sink) {
            sink(Err(error.clone()));
        }
        submitted
    }

    /// Copies the bytes of `source` to the host, after the work that writes them, and waits for that.
    ///
    /// # Errors
    /// As [`Stream::write`]; [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn fetch(&self, source: Region<'_, Buffer>, timeout: Duration) -> Result<Vec<u8>> {
        self.fetch_as(source, timeout, <[u8]>::to_vec)
    }

    /// As [`Stream::copy`], and from any other device through the host, which then waits.
    ///
    /// # Errors
    /// As [`Stream::copy`] and [`Stream::fetch`].
    pub fn copy_from_any(
        &self,
        source: Region<'_, Buffer>,
        target: Region<'_, Buffer>,
        timeout: Duration,
    ) -> Result<()> {
        let reader = || source.memory.device().stream();
        self.transfer(source, target, reader, timeout).map(drop)
    }

    /// Copies between two buffers of this device, or, where the backend has peer copies, from
    /// another device of the backend; asynchronous.
    ///
    /// # Errors
    /// As [`Stream::write`]; the regions overlap.
    pub fn copy(&self, source: Region<'_, Buffer>, target: Region<'_, Buffer>) -> Result<()> {
        self.copy_region(source, target).map(drop)
    }

    /// As [`Stream::copy`]; the number of the submission.
    pub(crate) fn copy_region(
        &self,
        source: Region<'_, Buffer>,
        target: Region<'_, Buffer>,
    ) -> Result<u64> {
        self.check(&target)?;
        check_bounds(&source)?;
        same_size(source.bytes, target.bytes)?;
        if overlap(&source, &target) {
            let message = "a copy's source and target overlap";
            return Err(Error::invalid(message).with("buffer", source.memory.id()));
        }
        let (from, to) = (Buffer::resolve(source), Buffer::resolve(target));
        self.submit_on([(&source, false), (&target, true)], |b, s| b.copy(s, from, to))
    }

    /// Sets every byte of `target` to `byte`; asynchronous.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn fill(&self, target: Region<'_, Buffer>, byte: u8) -> Result<()> {
        self.check(&target)?;
        let region = Buffer::resolve(target);
        self.submit_on([(&target, true)], |b, s| b.fill(s, region, byte)).map(drop)
    }

    /// Runs compiled code; asynchronous. [`launch`](super::launch) checks more and is shorter.
    ///
    /// # Errors
    /// Arguments that do not fit the parameters, or share memory that is written; otherwise as
    /// [`Stream::write`].
    pub fn launch(&self, code: &Code, domain: Shape, args: &[Arg<'_, Buffer>]) -> Result<()> {
        code.check_count(args.len())?;
        let mut uses = Vec::with_capacity(args.len());
        let mut resolved = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(code.params()) {
            if let Some(region) = arg.region() {
                self.check(&region)?;
                uses.push(Use::new(region.memory, param.kind.is_written()));
            }
            resolved.push(arg.map(|region| Ok(Buffer::resolve(region)))?);
        }
        let launch = code.launch(domain, resolved)?;
        unify(&mut uses);
        self.timeline.submit(&uses, |b, s| b.launch(s, &launch)).map(drop)
    }

    /// Submits what a library of backend `B` does on its own handles: it reads `source` and writes `target`,
    /// which may be the same. The call waits until `work` has put that on the stream.
    ///
    /// ```no_run
    /// use ringwood_device::backend::Registered;
    /// use ringwood_device::device::Tensor;
    ///
    /// # fn example<B: Registered>(tensor: &Tensor) -> ringwood_base::Result<()> {
    /// let stream = tensor.device().stream()?;
    /// let region = tensor.region();
    /// stream.submit_native::<B>(region, region, |stream, [source, target]| Ok(()))
    /// # }
    /// ```
    ///
    /// # Errors
    /// The device is of another backend ([`ErrorKind::Device`](ringwood_base::ErrorKind::Device)); otherwise as [`Stream::write`], and those of
    /// `work`.
    pub fn submit_native<B: Registered>(
        &self,
        source: Region<'_, Buffer>,
        target: Region<'_, Buffer>,
        work: impl FnOnce(&B::Stream, [Region<'_, B::Memory>; 2]) -> Result<()>,
    ) -> Result<()> {
        self.check(&source)?;
        self.check(&target)?;
        let regions = [source, target].map(Buffer::resolve);
        let work = |_: &dyn DynBackend, stream: &Handle| work_on::<B>(stream, regions, work);
        self.submit_on([(&source, false), (&target, true)], work).map(drop)
    }

    /// The end of everything submitted so far.
    pub fn record(&self) -> Completion {
        Completion::new(self.timeline.clone(), self.timeline.timeline.submitted())
    }

    /// Blocks the host until everything submitted so far is over.
    ///
    /// # Errors
    /// The stream's failure, or [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn synchronize(&self, timeout: Duration) -> Result<()> {
        let ended = self.record().wait(timeout);
        self.timeline.hardware.memory.drain();
        ended?;
        // Work that was refused fails the stream, and not what was submitted before.
        self.timeline.reached().map(drop)
    }

    /// Whether everything submitted so far is over, in success or failure.
    pub fn is_idle(&self) -> bool {
        self.timeline.timeline.settled(self.timeline.timeline.submitted())
    }

    /// The stream's failure, as far as it is known: work under way may still fail.
    pub fn failure(&self) -> Option<Error> {
        self.timeline.timeline.failure().cloned()
    }

    /// Submits `work` on regions, each with whether it is written.
    ///
    /// # Errors
    /// A region does not lie in its buffer, `work` fails, or what it would wait for has failed.
    pub fn submit_on<const N: usize>(
        &self,
        regions: [(&Region<'_, Buffer>, bool); N],
        work: impl FnOnce(&dyn DynBackend, &Handle) -> Result<()>,
    ) -> Result<u64> {
        regions.iter().try_for_each(|(region, _)| check_bounds(region))?;
        let mut uses = regions.map(|(r, writing)| Use::new(r.memory, writing));
        uses.sort_by_key(|u| u.buffer.serial());
        let mut last = 0;
        for i in 1..N {
            let (merged, others) = uses.split_at_mut(i);
            if merged[last].buffer.shares(&others[0].buffer) {
                merged[last].absorb(&others[0]);
                merged[last].reading |= others[0].reading;
            } else {
                last += 1;
                uses.swap(last, i);
            }
        }
        let (uses, work) = (&uses[..N.min(last + 1)], std::iter::once(work));
        match self.quiet {
            true => self.timeline.try_submit(uses, work),
            false => self.timeline.submit_parts(uses, work),
        }
    }

    fn check(&self, region: &Region<'_, Buffer>) -> Result<()> {
        check_bounds(region)?;
        let owner = region.memory.device();
        if *owner == self.device {
            return Ok(());
        }
        let (owner, own) = (owner.told_from(&self.device), self.device.name());
        let message = format!("a buffer of {owner} was given to a stream of {own}");
        Err(Error::device(message).help("move it with `to_device` first"))
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timeline = &self.timeline.timeline;
        let (device, kind, submitted) = (self.device.name(), self.kind(), timeline.submitted());
        write!(f, "Stream({} of {device}, {kind}, {submitted} submissions", self.id().0)?;
        match timeline.failure() {
            Some(error) => write!(f, ", failed: {error})"),
            None => f.write_str(if self.is_idle() { ", idle)" } else { ", busy)" }),
        }
    }
}

fn same_size(source: usize, target: usize) -> Result<()> {
    if source == target {
        return Ok(());
    }
    Err(Error::shape(format!("{source} bytes do not fit a target of {target} bytes")))
}
