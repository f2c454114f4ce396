//! The backend: [`Backend`] in terms of streams, memory and kernels.

use crate::device::{self, Device};
use crate::event::Event;
use crate::kernel::{Code, Commands};
use crate::memory::{Memory, check};
use crate::stream::Stream;
use ringwood_base::{Error, Result};
use ringwood_device::backend;
use ringwood_device::backend::{
    Backend, Capabilities, CommandBuffer, HostSink, Region, Status, queue,
};
use ringwood_device::kernel::{Image, KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// The OpenCL backend, registered as `opencl`.
pub struct OpenCl {
    devices: Vec<Device>,
    unopened: Vec<Error>,
}

#[backend(name = "opencl")]
impl Backend for OpenCl {
    type Device = Device;
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = Code;

    fn open() -> Result<Self> {
        let (devices, unopened) = device::all()?;
        Ok(Self { devices, unopened })
    }

    fn devices(&self) -> Result<Vec<Device>> {
        Ok(self.devices.clone())
    }

    fn unopened(&self) -> Vec<Error> {
        self.unopened.clone()
    }

    fn capabilities(&self, device: &Device) -> Capabilities {
        device.capabilities().clone()
    }

    fn stream(&self, device: &Device, kind: &str) -> Result<Stream> {
        Stream::new(device, kind)
    }

    fn allocate(&self, device: &Device, bytes: usize) -> Result<Memory> {
        Memory::new(device, bytes)
    }

    fn write(&self, stream: &Stream, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        check("the target of a write", target, stream.device())?;
        target.check_write(source.len())?;
        stream.write(source, target)
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        match check("the source of a read", source, stream.device()) {
            Ok(()) => stream.read(source, sink),
            Err(error) => {
                queue::call_sink(sink, Err(error.clone()))?;
                Err(error)
            }
        }
    }

    fn copy(
        &self,
        stream: &Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        if source.memory.device() != target.memory.device() {
            let message = "opencl: no copy between two devices";
            return Err(Error::unsupported(message).help("copy through the host"));
        }
        check("the source of a copy", source, stream.device())?;
        check("the target of a copy", target, stream.device())?;
        source.check_copy(target)?;
        stream.copy(source, target)
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        check("the target of a fill", target, stream.device())?;
        stream.fill(target, byte)
    }

    fn host_address(&self, _: &Memory) -> Result<NonNull<u8>> {
        Err(Error::unsupported("opencl: the host does not address device memory").help("read it"))
    }

    fn compile(&self, device: &Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        batch.iter().map(|spec| Code::new(device, spec)).collect()
    }

    fn images(&self, code: &Code) -> Result<Vec<Image>> {
        Ok(code.images())
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        Code::launch(stream, launch)
    }

    fn prepare(
        &self,
        stream: &Stream,
        launches: &[Launch<'_, Code, Memory>],
    ) -> Result<Box<dyn CommandBuffer<Stream>>> {
        Ok(Box::new(Commands::new(stream, launches)?))
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        stream.record()
    }

    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        stream.record_failed()
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        stream.wait(event)
    }

    fn wait_for_end(&self, stream: &Stream, event: &Event) -> Result<()> {
        stream.wait_for_end(event)
    }

    fn poll(&self, event: &Event) -> Status {
        event.status()
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        event.block(timeout)
    }
}
