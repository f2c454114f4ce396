//! The backend: [`Backend`] in terms of streams, memory and kernels.

use crate::device::{self, Device};
use crate::event::Event;
use crate::kernel::{Code, Commands};
use crate::memory::{Memory, check};
use crate::stream::Stream;
use crate::sys::{Landing, Queue};
use ringwood_base::{Error, Result};
use ringwood_device::backend;
use ringwood_device::backend::queue::{call_sink, keep, landed};
use ringwood_device::backend::{Backend, Capabilities, CommandBuffer, HostSink, Region, Status};
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
        let submission = stream.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let (from, to) = (source.as_ptr(), (target.memory.raw(), target.offset));
        // SAFETY: what follows keeps the source, which no one changes while it is shared, until the
        // command is final, and for ever if nobody knows that.
        let enqueue = |q: &Queue| unsafe { q.write(from, to, target.bytes) };
        submission.submit("a write", Some(keep(source)), enqueue)
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let entered = check("the source of a read", source, stream.device());
        let submission = match entered.and_then(|()| stream.enter()) {
            Ok(submission) => submission,
            Err(error) => {
                call_sink(sink, Err(error.clone()))?;
                return Err(error);
            }
        };
        let target = Landing::new(source.bytes);
        let (from, to) = ((source.memory.raw(), source.offset), target.address());
        let follow = landed(target, move |bytes| call_sink(sink, bytes));
        submission.submit("a read", Some(follow), |q| match source.bytes {
            0 => q.marker(),
            // SAFETY: what follows keeps the landing, and the sink sees it when the command is final.
            bytes => unsafe { q.read(from, to, bytes) },
        })
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
        let submission = stream.enter()?;
        if source.bytes == 0 {
            return Ok(());
        }
        let (from, to) =
            ((source.memory.raw(), source.offset), (target.memory.raw(), target.offset));
        submission.submit("a copy", None, |q| q.copy(from, to, source.bytes))
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        check("the target of a fill", target, stream.device())?;
        let submission = stream.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let to = (target.memory.raw(), target.offset);
        submission.submit("a fill", None, |q| q.fill(to, target.bytes, byte))
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
        stream.mark(&stream.enter()?)
    }

    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        stream.mark(&stream.enter_failed())
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        let submission = stream.enter()?;
        if submission.guard.must_wait(event) {
            let passed = submission.pass(event)?;
            submission.guard.after(event.clone(), Some(passed));
        }
        Ok(())
    }

    fn wait_for_end(&self, stream: &Stream, event: &Event) -> Result<()> {
        let submission = stream.enter()?;
        if submission.guard.must_wait_for_end(event) {
            submission.guard.watch(submission.pass(event)?);
        }
        Ok(())
    }

    fn poll(&self, event: &Event) -> Status {
        event.status()
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        event.block(timeout)
    }
}
