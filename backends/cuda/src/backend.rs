//! The backend: [`Backend`] in terms of streams, memory and kernels.

use crate::device::{self, Device};
use crate::event::Event;
use crate::kernel::{Code, Commands};
use crate::library;
use crate::memory::{Memory, check, check_range};
use crate::pinned::Pinned;
use crate::stream::Stream;
use crate::sys;
use cudarc::driver::result;
use ringwood_base::{Error, Result};
use ringwood_device::backend;
use ringwood_device::backend::queue::{Follow, call_sink, keep, landed};
use ringwood_device::backend::{Backend, Capabilities, CommandBuffer, HostSink, Region, Status};
use ringwood_device::kernel::{Image, KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// Longer writes go from where they are: the driver copies them while the call waits.
const LONGEST_PINNED: usize = 1 << 20;

/// The CUDA backend, registered as `cuda`.
pub struct Cuda {
    devices: Vec<Device>,
    unopened: Vec<Error>,
}

#[backend(name = "cuda")]
impl Backend for Cuda {
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
        let libraries = vec![library::report()];
        Capabilities { libraries, ..device.capabilities().clone() }
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
        let (from, keep): (_, Follow) = if source.len() <= LONGEST_PINNED {
            let pinned = Pinned::copy(stream.device(), &source)?;
            (pinned.address().cast_const(), keep(pinned))
        } else {
            (source.as_ptr(), keep(source))
        };
        let to = target.memory.at(target.offset);
        submission.submit("a write", Some(keep), |q| {
            // SAFETY: what follows keeps the source, which nobody changes, until the command is
            // final; the region was checked.
            let from = unsafe { std::slice::from_raw_parts(from, target.bytes) };
            // SAFETY: as above.
            unsafe { result::memcpy_htod_async(to, from, q) }
        })
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let entered = check("the source of a read", source, stream.device())
            .and_then(|()| stream.enter())
            .and_then(|submission| Ok((submission, Pinned::new(stream.device(), source.bytes)?)));
        let (submission, target) = match entered {
            Ok(entered) => entered,
            Err(error) => {
                call_sink(sink, Err(error.clone()))?;
                return Err(error);
            }
        };
        let (from, to) = (source.memory.at(source.offset), target.address());
        let follow = landed(target, move |bytes| call_sink(sink, bytes));
        submission.submit("a read", Some(follow), |q| {
            if source.bytes == 0 {
                return Ok(());
            }
            // SAFETY: the pinned memory has this size, and what follows keeps it, unseen, until the
            // command is final; the region was checked.
            unsafe {
                result::memcpy_dtoh_async(std::slice::from_raw_parts_mut(to, source.bytes), from, q)
            }
        })
    }

    fn copy(
        &self,
        stream: &Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        check_range("the source of a copy", source)?;
        check_range("the target of a copy", target)?;
        let of_stream = |region: Region<'_, Memory>| region.memory.device() == stream.device();
        if !of_stream(source) && !of_stream(target) {
            let message = "cuda: a copy between two devices on the stream of a third";
            return Err(Error::device(message).help("use a stream of one of them"));
        }
        source.check_copy(target)?;
        let submission = stream.enter()?;
        if source.bytes == 0 {
            return Ok(());
        }
        let (from, to) = (source.memory.at(source.offset), target.memory.at(target.offset));
        let devices = [source.memory.device(), target.memory.device()];
        submission.submit("a copy", None, |q| {
            // SAFETY: both regions were checked; the run time keeps their memories until the stream
            // has passed the copy.
            unsafe {
                if devices[0] == devices[1] {
                    result::memcpy_dtod_async(to, from, source.bytes, q)
                } else {
                    let [source_context, target_context] = devices.map(Device::context);
                    result::memcpy_peer_async(
                        target_context,
                        to,
                        source_context,
                        from,
                        source.bytes,
                        q,
                    )
                }
            }
        })
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        check("the target of a fill", target, stream.device())?;
        let submission = stream.enter()?;
        if target.bytes == 0 {
            return Ok(());
        }
        let to = target.memory.at(target.offset);
        // SAFETY: the region was checked; as for a copy.
        submission.submit("a fill", None, |q| unsafe {
            result::memset_d8_async(to, byte, target.bytes, q)
        })
    }

    fn host_address(&self, _: &Memory) -> Result<NonNull<u8>> {
        Err(Error::unsupported("cuda: the host does not address device memory").help("read it"))
    }

    fn compile(&self, device: &Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        batch.iter().map(|spec| Code::new(device, spec)).collect()
    }

    fn images(&self, code: &Code) -> Result<Vec<Image>> {
        code.images()
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        Code::launch(stream, launch)
    }

    fn prepare(
        &self,
        stream: &Stream,
        launches: &[Launch<'_, Code, Memory>],
    ) -> Result<Box<dyn CommandBuffer<Stream>>> {
        sys::graphs()?;
        Ok(Box::new(Commands::new(stream, launches)?))
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        stream.end(&stream.enter()?)
    }

    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        stream.end(&stream.enter_failed()?)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        let submission = stream.enter()?;
        if submission.guard.must_wait(event) {
            submission.pass(event)?;
            submission.guard.after(event.clone(), None);
        }
        Ok(())
    }

    fn wait_for_end(&self, stream: &Stream, event: &Event) -> Result<()> {
        let submission = stream.enter()?;
        if submission.guard.must_wait_for_end(event) {
            submission.pass(event)?;
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
