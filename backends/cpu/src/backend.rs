//! The backend: [`Backend`] in terms of commands.

use crate::command::Command;
use crate::device::Device;
use crate::event::Event;
use crate::kernel::{Batch, Code, Work};
use crate::memory::{Memory, Span};
use crate::stream::Stream;
use ringwood_base::Result;
use ringwood_device::backend;
use ringwood_device::backend::{
    Backend, Capabilities, CommandBuffer, HostSink, Progress, Region, Status,
};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// The CPU backend, registered as `cpu`.
pub struct Cpu {
    device: Device,
}

#[backend(name = "cpu")]
impl Backend for Cpu {
    type Device = Device;
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = Code;

    fn open() -> Result<Self> {
        Ok(Self { device: Device::new() })
    }

    fn devices(&self) -> Result<Vec<Device>> {
        Ok(vec![self.device.clone()])
    }

    fn capabilities(&self, device: &Device) -> Capabilities {
        device.capabilities()
    }

    fn stream(&self, device: &Device, kind: &str) -> Result<Stream> {
        Stream::new(device, kind)
    }

    fn allocate(&self, device: &Device, bytes: usize) -> Result<Memory> {
        Memory::new(bytes, device.budget())
    }

    fn write(&self, stream: &Stream, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        target.check_write(source.len())?;
        let target = Span::new(target, "the target of a write")?;
        stream.submit(Command::Write { source, target })
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        match Span::new(source, "the source of a read") {
            Ok(source) => stream.submit(Command::Read { source, sink }),
            Err(error) => {
                sink(Err(error.clone()));
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
        source.check_copy(target)?;
        let source = Span::new(source, "the source of a copy")?;
        let target = Span::new(target, "the target of a copy")?;
        stream.submit(Command::Copy { source, target })
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let target = Span::new(target, "the target of a fill")?;
        stream.submit(Command::Fill { target, byte })
    }

    fn host_address(&self, memory: &Memory) -> Result<NonNull<u8>> {
        Ok(memory.address())
    }

    fn compile(&self, _: &Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        batch.iter().map(Code::new).collect()
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        stream.submit(Command::Launch(Box::new(Work::new(launch)?)))
    }

    fn prepare(
        &self,
        _: &Stream,
        launches: &[Launch<'_, Code, Memory>],
    ) -> Result<Box<dyn CommandBuffer<Stream>>> {
        let work = launches.iter().map(Work::new).collect::<Result<_>>()?;
        Ok(Box::new(Commands(Arc::new(Batch::new(work)))))
    }

    fn progress(&self, stream: &Stream) -> Option<Arc<Progress>> {
        Some(Arc::clone(stream.progress()))
    }

    fn event_at(&self, progress: &Arc<Progress>, at: u64) -> Result<Event> {
        Ok(Event::new(progress, at))
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        let progress = stream.progress();
        progress.failure().map_or(Ok(()), |error| Err(error.clone()))?;
        self.record_failed(stream)
    }

    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        let progress = stream.progress();
        Ok(Event::new(progress, progress.submitted()))
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        stream.submit(Command::Wait(event.clone()))
    }

    fn wait_for_end(&self, stream: &Stream, event: &Event) -> Result<()> {
        stream.submit(Command::WaitForEnd(event.clone()))
    }

    fn poll(&self, event: &Event) -> Status {
        event.status()
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        event.block(timeout)
    }
}

/// Launches that any stream may run.
struct Commands(Arc<Batch>);

impl CommandBuffer<Stream> for Commands {
    fn submit(&self, stream: &Stream) -> Result<()> {
        stream.submit(Command::Batch(Arc::clone(&self.0)))
    }
}
