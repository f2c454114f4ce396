//! The object-safe twin of [`Backend`](super::Backend), implemented once for all of them.

use super::{Capabilities, CommandBuffer, Handle, HostSink, Progress, Region, Registered, Status};
use crate::kernel::{Arg, Code, Image, Kernel, Launch};
use ringwood_base::{Error, Result};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// A launch of a backend whose types are erased.
type ErasedLaunch<'a> = Launch<'a, Handle, Handle>;

/// [`Backend`](super::Backend) with its types erased: what the run time holds. See there for the contracts.
///
/// A handle of another backend is a typed error, and a panic of the backend becomes an error that
/// names it.
#[allow(missing_docs, reason = "the methods are those of `Backend`")]
pub trait DynBackend: Send + Sync {
    fn name(&self) -> &'static str;
    fn devices(&self) -> Result<Vec<Handle>>;
    fn unopened(&self) -> Result<Vec<Error>>;
    fn capabilities(&self, device: &Handle) -> Result<Capabilities>;
    fn stream(&self, device: &Handle, kind: &str) -> Result<Handle>;
    fn allocate(&self, device: &Handle, bytes: usize) -> Result<Handle>;
    fn write(&self, stream: &Handle, source: Arc<[u8]>, target: Region<'_, Handle>) -> Result<()>;
    fn read(&self, stream: &Handle, source: Region<'_, Handle>, sink: HostSink) -> Result<()>;
    fn copy(
        &self,
        stream: &Handle,
        source: Region<'_, Handle>,
        target: Region<'_, Handle>,
    ) -> Result<()>;
    fn fill(&self, stream: &Handle, target: Region<'_, Handle>, byte: u8) -> Result<()>;
    fn host_address(&self, memory: &Handle) -> Result<NonNull<u8>>;
    fn compile(&self, device: &Handle, batch: &[&Kernel]) -> Result<Vec<Code>>;
    fn images(&self, code: &Code) -> Result<Vec<Image>>;
    fn launch(&self, stream: &Handle, launch: &ErasedLaunch<'_>) -> Result<()>;
    fn prepare(
        &self,
        stream: &Handle,
        launches: &[ErasedLaunch<'_>],
    ) -> Result<Box<dyn CommandBuffer<Handle>>>;
    fn progress(&self, stream: &Handle) -> Result<Option<Arc<Progress>>>;
    fn event_at(&self, progress: &Arc<Progress>, at: u64) -> Result<Handle>;
    fn record(&self, stream: &Handle) -> Result<Handle>;
    fn record_failed(&self, stream: &Handle) -> Result<Handle>;
    fn wait(&self, stream: &Handle, event: &Handle) -> Result<()>;
    fn wait_for_end(&self, stream: &Handle, event: &Handle) -> Result<()>;
    fn poll(&self, event: &Handle) -> Status;
    fn block(&self, event: &Handle, timeout: Duration) -> Result<()>;
}

/// Opens backend `B` and erases it.
pub(super) fn open<B: Registered>() -> Result<Arc<dyn DynBackend>> {
    let backend = guard::<B, _>("open", B::open)?;
    Ok(Arc::new(Erased(backend)))
}

/// What backend `B` made, behind a handle of its device.
///
/// # Errors
/// [`ErrorKind::Device`]: the handle is of another backend.
pub(crate) fn device_of<B: Registered>(handle: &Handle) -> Result<&B::Device> {
    Erased::<B>::device(handle)
}

/// Hands `work` a stream and regions as backend `B` made them.
///
/// # Errors
/// [`ErrorKind::Device`]: a handle is of another backend; those of `work`, which may have panicked.
pub(crate) fn work_on<B: Registered>(
    stream: &Handle,
    regions: [Region<'_, Handle>; 2],
    work: impl FnOnce(&B::Stream, [Region<'_, B::Memory>; 2]) -> Result<()>,
) -> Result<()> {
    let [first, second] = regions.map(Erased::<B>::region);
    let (stream, regions) = (Erased::<B>::stream(stream)?, [first?, second?]);
    guard::<B, _>("submit_native", || work(stream, regions))
}

/// Turns a panic of the backend's own code into an error.
fn guard<B: Registered, T>(method: &str, call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        Err(Error::from_panic(format!("backend `{}` in `{method}`", B::NAME), payload))
    })
}

struct Erased<B>(B);

/// A value of backend `B`, as two backends may use one type.
struct Owned<B, T>(T, PhantomData<fn() -> B>);

impl<B: Registered> Erased<B> {
    fn wrap<T: std::any::Any + Send + Sync>(value: T) -> Handle {
        Handle::new(B::NAME, Owned::<B, T>(value, PhantomData))
    }

    #[inline]
    fn own<'a, T: std::any::Any>(handle: &'a Handle, what: &'static str) -> Result<&'a T> {
        handle.get::<Owned<B, T>>(B::NAME, what).map(|owned| &owned.0)
    }

    fn device(handle: &Handle) -> Result<&B::Device> {
        Self::own(handle, "device")
    }

    fn stream(handle: &Handle) -> Result<&B::Stream> {
        Self::own(handle, "stream")
    }

    fn event(handle: &Handle) -> Result<&B::Event> {
        Self::own(handle, "event")
    }

    fn region<'a>(region: Region<'a, Handle>) -> Result<Region<'a, B::Memory>> {
        let memory = Self::own(region.memory, "memory")?;
        Ok(Region { memory, offset: region.offset, bytes: region.bytes })
    }

    #[inline]
    fn typed<'a>(launch: &ErasedLaunch<'a>) -> Result<Launch<'a, B::Code, B::Memory>> {
        let code = Self::own(launch.code(), "code")?;
        launch.map(code, |memory| Self::own(memory, "memory"))
    }
}

/// A command buffer with its stream's type erased.
struct Prepared<B: Registered> {
    commands: Box<dyn CommandBuffer<B::Stream>>,
    /// What the launches name; dropped after the commands.
    _kept: Vec<Handle>,
}

impl<B: Registered> CommandBuffer<Handle> for Prepared<B> {
    fn submit(&self, stream: &Handle) -> Result<()> {
        let stream = Erased::<B>::stream(stream)?;
        guard::<B, _>("submit", || self.commands.submit(stream))
    }
}

impl<B: Registered> DynBackend for Erased<B> {
    fn name(&self) -> &'static str {
        B::NAME
    }

    fn devices(&self) -> Result<Vec<Handle>> {
        let devices = guard::<B, _>("devices", || self.0.devices())?;
        Ok(devices.into_iter().map(Self::wrap).collect())
    }

    fn unopened(&self) -> Result<Vec<Error>> {
        guard::<B, _>("unopened", || Ok(self.0.unopened()))
    }

    fn capabilities(&self, device: &Handle) -> Result<Capabilities> {
        let device = Self::device(device)?;
        guard::<B, _>("capabilities", || Ok(self.0.capabilities(device)))
    }

    fn stream(&self, device: &Handle, kind: &str) -> Result<Handle> {
        let device = Self::device(device)?;
        guard::<B, _>("stream", || self.0.stream(device, kind)).map(Self::wrap)
    }

    fn allocate(&self, device: &Handle, bytes: usize) -> Result<Handle> {
        let device = Self::device(device)?;
        guard::<B, _>("allocate", || self.0.allocate(device, bytes)).map(Self::wrap)
    }

    fn write(&self, stream: &Handle, source: Arc<[u8]>, target: Region<'_, Handle>) -> Result<()> {
        let (stream, target) = (Self::stream(stream)?, Self::region(target)?);
        guard::<B, _>("write", || self.0.write(stream, source, target))
    }

    fn read(&self, stream: &Handle, source: Region<'_, Handle>, sink: HostSink) -> Result<()> {
        match Self::stream(stream).and_then(|stream| Ok((stream, Self::region(source)?))) {
            Ok((stream, source)) => guard::<B, _>("read", || self.0.read(stream, source, sink)),
            Err(error) => guard::<B, _>("read", || {
                sink(Err(error.clone()));
                Err(error)
            }),
        }
    }

    fn copy(
        &self,
        stream: &Handle,
        source: Region<'_, Handle>,
        target: Region<'_, Handle>,
    ) -> Result<()> {
        let (source, target) = (Self::region(source)?, Self::region(target)?);
        let stream = Self::stream(stream)?;
        guard::<B, _>("copy", || self.0.copy(stream, source, target))
    }

    fn fill(&self, stream: &Handle, target: Region<'_, Handle>, byte: u8) -> Result<()> {
        let (stream, target) = (Self::stream(stream)?, Self::region(target)?);
        guard::<B, _>("fill", || self.0.fill(stream, target, byte))
    }

    fn host_address(&self, memory: &Handle) -> Result<NonNull<u8>> {
        let memory = Self::own(memory, "memory")?;
        guard::<B, _>("host_address", || self.0.host_address(memory))
    }

    fn compile(&self, device: &Handle, batch: &[&Kernel]) -> Result<Vec<Code>> {
        let device = Self::device(device)?;
        let specs: Vec<_> = batch.iter().map(|kernel| kernel.spec()).collect();
        let compiled = guard::<B, _>("compile", || self.0.compile(device, &specs))?;
        if compiled.len() != batch.len() {
            let (name, got, wanted) = (B::NAME, compiled.len(), batch.len());
            let message =
                format!("backend `{name}` compiled {got} of {wanted} kernels without an error");
            return Err(Error::backend(message));
        }
        let code = |(kernel, code)| Code::new(Kernel::clone(kernel), Self::wrap(code));
        batch.iter().copied().zip(compiled).map(code).collect()
    }

    fn images(&self, code: &Code) -> Result<Vec<Image>> {
        let code = Self::own(code.compiled(), "code")?;
        guard::<B, _>("images", || self.0.images(code))
    }

    fn launch(&self, stream: &Handle, launch: &ErasedLaunch<'_>) -> Result<()> {
        let (stream, launch) = (Self::stream(stream)?, Self::typed(launch)?);
        guard::<B, _>("launch", || self.0.launch(stream, &launch))
    }

    fn prepare(
        &self,
        stream: &Handle,
        launches: &[ErasedLaunch<'_>],
    ) -> Result<Box<dyn CommandBuffer<Handle>>> {
        let stream = Self::stream(stream)?;
        let memories = |launch: &ErasedLaunch<'_>| {
            let memories = launch.args().iter().filter_map(Arg::memory);
            memories.chain([launch.code()]).cloned().collect::<Vec<_>>()
        };
        let kept = launches.iter().flat_map(memories).collect();
        let launches: Vec<_> = launches.iter().map(Self::typed).collect::<Result<_>>()?;
        let commands = guard::<B, _>("prepare", || self.0.prepare(stream, &launches))?;
        Ok(Box::new(Prepared::<B> { commands, _kept: kept }))
    }

    fn progress(&self, stream: &Handle) -> Result<Option<Arc<Progress>>> {
        let stream = Self::stream(stream)?;
        guard::<B, _>("progress", || Ok(self.0.progress(stream)))
    }

    fn event_at(&self, progress: &Arc<Progress>, at: u64) -> Result<Handle> {
        guard::<B, _>("event_at", || self.0.event_at(progress, at)).map(Self::wrap)
    }

    fn record(&self, stream: &Handle) -> Result<Handle> {
        let stream = Self::stream(stream)?;
        guard::<B, _>("record", || self.0.record(stream)).map(Self::wrap)
    }

    fn record_failed(&self, stream: &Handle) -> Result<Handle> {
        let stream = Self::stream(stream)?;
        guard::<B, _>("record_failed", || self.0.record_failed(stream)).map(Self::wrap)
    }

    fn wait(&self, stream: &Handle, event: &Handle) -> Result<()> {
        let (stream, event) = (Self::stream(stream)?, Self::event(event)?);
        guard::<B, _>("wait", || self.0.wait(stream, event))
    }

    fn wait_for_end(&self, stream: &Handle, event: &Handle) -> Result<()> {
        let (stream, event) = (Self::stream(stream)?, Self::event(event)?);
        guard::<B, _>("wait_for_end", || self.0.wait_for_end(stream, event))
    }

    fn poll(&self, event: &Handle) -> Status {
        let polled = Self::event(event).and_then(|e| guard::<B, _>("poll", || Ok(self.0.poll(e))));
        polled.unwrap_or_else(Status::Failed)
    }

    fn block(&self, event: &Handle, timeout: Duration) -> Result<()> {
        let event = Self::event(event)?;
        guard::<B, _>("block", || self.0.block(event, timeout))
    }
}
