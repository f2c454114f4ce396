//! A backend that hands every call to another one, but for what a test changes.
//!
//! A test of what stands above backends needs one that fails, counts or delays something: it implements
//! [`Delegate`], overrides what it is about, and registers [`Delegated`].

use ringwood_base::registry::Entry;
use ringwood_base::{Error, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, CommandBuffer, HostSink, Region, Registered, Status,
};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// A device of the inner backend.
pub type Device<D> = <<D as Delegate>::Inner as Backend>::Device;
/// A stream of the inner backend.
pub type Stream<D> = <<D as Delegate>::Inner as Backend>::Stream;
/// Memory of the inner backend.
pub type Memory<D> = <<D as Delegate>::Inner as Backend>::Memory;
/// An event of the inner backend.
pub type Event<D> = <<D as Delegate>::Inner as Backend>::Event;
/// A compiled kernel of the inner backend.
pub type Code<D> = <<D as Delegate>::Inner as Backend>::Code;

/// What a [`Delegated`] backend does. Each method that has a body does what the inner backend does: see
/// the method of [`Backend`] of the same name.
#[allow(missing_docs, reason = "the methods are those of `Backend`")]
pub trait Delegate: Sized + Send + Sync + 'static {
    /// The name of the backend in the registry.
    const NAME: &'static str;
    /// The backend that gets the calls.
    type Inner: Backend;
    /// What each memory carries, dropped just before the memory: `()` if nothing.
    type Tag: Send + Sync + 'static;

    fn open() -> Result<Self>;

    /// The backend that gets the calls.
    fn inner(&self) -> &Self::Inner;

    /// The tag of a new memory of `bytes` bytes.
    fn tag(&self, device: &Device<Self>, memory: &Memory<Self>, bytes: usize) -> Self::Tag;

    /// Called before each command that uses memory, which it can refuse.
    fn before(&self) -> Result<()> {
        Ok(())
    }

    fn devices(&self) -> Result<Vec<Device<Self>>> {
        self.inner().devices()
    }

    fn unopened(&self) -> Vec<Error> {
        self.inner().unopened()
    }

    fn capabilities(&self, device: &Device<Self>) -> Capabilities {
        self.inner().capabilities(device)
    }

    fn stream(&self, device: &Device<Self>, kind: &str) -> Result<Stream<Self>> {
        self.inner().stream(device, kind)
    }

    fn allocate(&self, device: &Device<Self>, bytes: usize) -> Result<Memory<Self>> {
        self.inner().allocate(device, bytes)
    }

    fn write(
        &self,
        stream: &Stream<Self>,
        source: Arc<[u8]>,
        target: Region<'_, Memory<Self>>,
    ) -> Result<()> {
        self.inner().write(stream, source, target)
    }

    fn read(
        &self,
        stream: &Stream<Self>,
        source: Region<'_, Memory<Self>>,
        sink: HostSink,
    ) -> Result<()> {
        self.inner().read(stream, source, sink)
    }

    fn copy(
        &self,
        stream: &Stream<Self>,
        source: Region<'_, Memory<Self>>,
        target: Region<'_, Memory<Self>>,
    ) -> Result<()> {
        self.inner().copy(stream, source, target)
    }

    fn fill(
        &self,
        stream: &Stream<Self>,
        target: Region<'_, Memory<Self>>,
        byte: u8,
    ) -> Result<()> {
        self.inner().fill(stream, target, byte)
    }

    fn host_address(&self, memory: &Tagged<Self>) -> Result<NonNull<u8>> {
        self.inner().host_address(&memory.inner)
    }

    fn compile(&self, device: &Device<Self>, batch: &[KernelSpec<'_>]) -> Result<Vec<Code<Self>>> {
        self.inner().compile(device, batch)
    }

    fn launch(
        &self,
        stream: &Stream<Self>,
        launch: &Launch<'_, Code<Self>, Memory<Self>>,
    ) -> Result<()> {
        self.inner().launch(stream, launch)
    }

    fn prepare(
        &self,
        stream: &Stream<Self>,
        launches: &[Launch<'_, Code<Self>, Memory<Self>>],
    ) -> Result<Box<dyn CommandBuffer<Stream<Self>>>> {
        self.inner().prepare(stream, launches)
    }

    fn record(&self, stream: &Stream<Self>) -> Result<Event<Self>> {
        self.inner().record(stream)
    }

    fn record_failed(&self, stream: &Stream<Self>) -> Result<Event<Self>> {
        self.inner().record_failed(stream)
    }

    fn wait(&self, stream: &Stream<Self>, event: &Event<Self>) -> Result<()> {
        self.inner().wait(stream, event)
    }

    fn wait_for_end(&self, stream: &Stream<Self>, event: &Event<Self>) -> Result<()> {
        self.inner().wait_for_end(stream, event)
    }

    fn poll(&self, event: &Event<Self>) -> Status {
        self.inner().poll(event)
    }

    fn block(&self, event: &Event<Self>, timeout: Duration) -> Result<()> {
        self.inner().block(event, timeout)
    }
}

/// The backend of a [`Delegate`].
pub struct Delegated<D>(D);

/// Memory with what its [`Delegate`] attached.
pub struct Tagged<D: Delegate> {
    /// What the delegate attached.
    pub tag: D::Tag,
    /// Memory of the inner backend.
    pub inner: Memory<D>,
    /// Its bytes.
    pub bytes: usize,
}

fn bare<'a, D: Delegate>(region: &Region<'a, Tagged<D>>) -> Region<'a, Memory<D>> {
    Region { memory: &region.memory.inner, offset: region.offset, bytes: region.bytes }
}

/// The launch as the inner backend sees it.
fn inner<'a, D: Delegate>(
    launch: &Launch<'a, Code<D>, Tagged<D>>,
) -> Result<Launch<'a, Code<D>, Memory<D>>> {
    launch.map(launch.code(), |memory| Ok(&memory.inner))
}

impl<D: Delegate> Backend for Delegated<D> {
    type Device = Device<D>;
    type Stream = Stream<D>;
    type Memory = Tagged<D>;
    type Event = Event<D>;
    type Code = Code<D>;

    fn open() -> Result<Self> {
        D::open().map(Self)
    }

    fn devices(&self) -> Result<Vec<Device<D>>> {
        self.0.devices()
    }

    fn unopened(&self) -> Vec<Error> {
        self.0.unopened()
    }

    fn capabilities(&self, device: &Device<D>) -> Capabilities {
        self.0.capabilities(device)
    }

    fn stream(&self, device: &Device<D>, kind: &str) -> Result<Stream<D>> {
        self.0.stream(device, kind)
    }

    fn allocate(&self, device: &Device<D>, bytes: usize) -> Result<Tagged<D>> {
        let inner = self.0.allocate(device, bytes)?;
        Ok(Tagged { tag: self.0.tag(device, &inner, bytes), inner, bytes })
    }

    fn write(
        &self,
        stream: &Stream<D>,
        source: Arc<[u8]>,
        target: Region<'_, Tagged<D>>,
    ) -> Result<()> {
        self.0.before()?;
        self.0.write(stream, source, bare(&target))
    }

    fn read(
        &self,
        stream: &Stream<D>,
        source: Region<'_, Tagged<D>>,
        sink: HostSink,
    ) -> Result<()> {
        if let Err(error) = self.0.before() {
            sink(Err(error.clone()));
            return Err(error);
        }
        self.0.read(stream, bare(&source), sink)
    }

    fn copy(
        &self,
        stream: &Stream<D>,
        source: Region<'_, Tagged<D>>,
        target: Region<'_, Tagged<D>>,
    ) -> Result<()> {
        self.0.before()?;
        self.0.copy(stream, bare(&source), bare(&target))
    }

    fn fill(&self, stream: &Stream<D>, target: Region<'_, Tagged<D>>, byte: u8) -> Result<()> {
        self.0.before()?;
        self.0.fill(stream, bare(&target), byte)
    }

    fn host_address(&self, memory: &Tagged<D>) -> Result<NonNull<u8>> {
        self.0.before()?;
        self.0.host_address(memory)
    }

    fn compile(&self, device: &Device<D>, batch: &[KernelSpec<'_>]) -> Result<Vec<Code<D>>> {
        self.0.compile(device, batch)
    }

    fn launch(&self, stream: &Stream<D>, launch: &Launch<'_, Code<D>, Tagged<D>>) -> Result<()> {
        self.0.before()?;
        self.0.launch(stream, &inner(launch)?)
    }

    fn prepare(
        &self,
        stream: &Stream<D>,
        launches: &[Launch<'_, Code<D>, Tagged<D>>],
    ) -> Result<Box<dyn CommandBuffer<Stream<D>>>> {
        self.0.prepare(stream, &launches.iter().map(inner).collect::<Result<Vec<_>>>()?)
    }

    fn record(&self, stream: &Stream<D>) -> Result<Event<D>> {
        self.0.record(stream)
    }

    fn record_failed(&self, stream: &Stream<D>) -> Result<Event<D>> {
        self.0.record_failed(stream)
    }

    fn wait(&self, stream: &Stream<D>, event: &Event<D>) -> Result<()> {
        self.0.wait(stream, event)
    }

    fn wait_for_end(&self, stream: &Stream<D>, event: &Event<D>) -> Result<()> {
        self.0.wait_for_end(stream, event)
    }

    fn poll(&self, event: &Event<D>) -> Status {
        self.0.poll(event)
    }

    fn block(&self, event: &Event<D>, timeout: Duration) -> Result<()> {
        self.0.block(event, timeout)
    }
}

impl<D: Delegate> Registered for Delegated<D> {
    const NAME: &'static str = D::NAME;
    const ENTRY: Entry =
        Entry::new(ringwood_base::__private::meta!(D::NAME), const { &BackendDef::new::<Self>() });
}
