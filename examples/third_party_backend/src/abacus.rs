//! A simulated accelerator: memory that the host does not see, and one thread that runs the work of
//! all streams in the order of submission.

mod code;
mod event;
mod memory;
mod stream;

use code::{Code, Work};
use event::Event;
use memory::{Memory, Span};
use ringwood::backend::{Backend, Capabilities, HostSink, Region, Status};
use ringwood::kernel::{KernelSpec, Launch};
use ringwood::{DType, Error, Result, backend};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;
use stream::{Device, Stream};

/// The backend, registered as `abacus`; its device is `abacus:0`. It runs the kernels of `cpu`, all of
/// the standard ones among them, and those that name it.
pub struct Abacus(Device);

#[backend(name = "abacus", kernels_of = cpu)]
impl Backend for Abacus {
    type Device = Device;
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = Code;

    fn open() -> Result<Self> {
        Ok(Self(Device::start()?))
    }

    fn devices(&self) -> Result<Vec<Device>> {
        Ok(vec![self.0.clone()])
    }

    fn capabilities(&self, _: &Device) -> Capabilities {
        Capabilities {
            description: "a simulated accelerator: one thread with memory of its own".into(),
            stream_kinds: vec!["queue".into()],
            suggested_streams: 1,
            dtypes: DType::ALL.to_vec(),
            kernels: true,
            accelerator: true,
            ..Default::default()
        }
    }

    fn stream(&self, device: &Device, kind: &str) -> Result<Stream> {
        if kind != "queue" {
            return Err(invalid(format!("no stream kind `{kind}`; there is `queue`")));
        }
        Ok(Stream::new(device))
    }

    fn allocate(&self, _: &Device, bytes: usize) -> Result<Memory> {
        Memory::new(bytes)
    }

    fn write(&self, stream: &Stream, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        let target = Span::of_size(target, source.len())?;
        stream.submit(move |state| state.map(|()| target.write(&source)))
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        match Span::new(source) {
            Ok(source) => stream.submit(move |state| {
                match state {
                    Ok(()) => sink(Ok(&source.read())),
                    Err(error) => sink(Err(error)),
                }
                Ok(())
            }),
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
        let (source, target) = (Span::new(source)?, Span::of_size(target, source.bytes)?);
        if source.overlaps(&target) {
            return Err(invalid("source and target of a copy overlap"));
        }
        stream.submit(move |state| state.map(|()| target.write(&source.read())))
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let target = Span::new(target)?;
        stream.submit(move |state| state.map(|()| target.fill(byte)))
    }

    fn host_address(&self, _: &Memory) -> Result<NonNull<u8>> {
        Err(Error::unsupported("abacus: the host does not see the device's memory"))
    }

    fn compile(&self, _: &Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        batch.iter().map(Code::new).collect()
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        let work = Work::new(launch)?;
        stream.submit(move |state| state.and_then(|()| work.run()))
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        let event = Event::default();
        let recorded = event.clone();
        stream.submit(move |state| {
            recorded.finish(state);
            Ok(())
        })?;
        Ok(event)
    }

    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        // Nothing of a stream runs after its failure: the event is final at once.
        let event = Event::default();
        let recorded = event.clone();
        let _ = stream.submit(move |state| {
            recorded.finish(state);
            Ok(())
        });
        Ok(event)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        // The queue is in order: an event that exists is final before what is submitted now runs.
        let event = event.clone();
        stream.submit(move |state| state.and_then(|()| event.block(Duration::ZERO)))
    }

    fn poll(&self, event: &Event) -> Status {
        event.status()
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        event.block(timeout)
    }
}

fn invalid(message: impl std::fmt::Display) -> Error {
    Error::invalid(format!("abacus: {message}"))
}
