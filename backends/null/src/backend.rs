//! The backend. Each comment says what the method of a real device does.

use crate::{Code, Device, Event, Memory, Stream};
use ringwood_base::{Error, Result};
use ringwood_device::backend;
use ringwood_device::backend::{Backend, Capabilities, HostSink, Region, Status};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// The null backend, registered as `null`.
#[derive(Debug)]
pub struct Null;

#[backend(name = "null")]
impl Backend for Null {
    type Device = Device;
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = Code;

    fn open() -> Result<Self> {
        // Load the driver's library. Where it is absent, return `Unavailable` with the reason.
        Ok(Self)
    }

    fn devices(&self) -> Result<Vec<Device>> {
        // Ask the driver. Keep the order stable: users write `mychip:1`.
        Ok(vec![Device])
    }

    fn capabilities(&self, _: &Device) -> Capabilities {
        // Claim what the methods below can do, the default claims nothing; conformance checks that
        // both agree.
        Capabilities {
            description: "no device: the skeleton of a backend".into(),
            memory_bytes: Some(0),
            ..Default::default()
        }
    }

    fn stream(&self, _: &Device, _kind: &str) -> Result<Stream> {
        // Create an in-order queue. `kind` is one of `stream_kinds`; refuse every other one.
        unsupported("stream")
    }

    fn allocate(&self, _: &Device, _bytes: usize) -> Result<Memory> {
        // Allocate, and map the driver's failure to `OutOfMemory`. 0 bytes are legal.
        unsupported("allocate")
    }

    fn write(&self, _: &Stream, _source: Arc<[u8]>, _target: Region<'_, Memory>) -> Result<()> {
        // Check the region, enqueue a copy from the host, keep `source` alive until it is done.
        unsupported("write")
    }

    fn read(&self, _: &Stream, _source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        // Check the region, enqueue a copy to the host, then call the sink once, whatever happens.
        let refused = unsupported("read");
        sink(refused.clone().map(|()| &[][..]));
        refused
    }

    fn copy(
        &self,
        _: &Stream,
        _source: Region<'_, Memory>,
        _target: Region<'_, Memory>,
    ) -> Result<()> {
        // Check both regions, refuse an overlap, enqueue a copy. Between two devices: `peer_copy`.
        unsupported("copy")
    }

    fn fill(&self, _: &Stream, _target: Region<'_, Memory>, _byte: u8) -> Result<()> {
        // Check the region, enqueue a fill.
        unsupported("fill")
    }

    fn host_address(&self, _: &Memory) -> Result<NonNull<u8>> {
        // The address, if the host can load and store there: `host_memory`.
        unsupported("host_address")
    }

    fn compile(&self, _: &Device, _batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        // Print each kernel's IR in the device's language, build it, put the log into the error.
        unsupported("compile")
    }

    // Optional: `prepare`, for launches that are submitted often: `command_buffers`.

    fn launch(&self, _: &Stream, _launch: &Launch<'_, Code, Memory>) -> Result<()> {
        // Set the arguments and enqueue the kernel. Scalars are captured now, not when it runs.
        unsupported("launch")
    }

    fn record(&self, _: &Stream) -> Result<Event> {
        // Enqueue a marker behind everything submitted so far.
        unsupported("record")
    }

    fn wait(&self, _: &Stream, _: &Event) -> Result<()> {
        // Let later work of the stream wait on the device; do not block the host.
        unsupported("wait")
    }

    fn poll(&self, event: &Event) -> Status {
        // Ask the driver. Once `Done` or `Failed`, give that same answer for ever.
        match *event {}
    }

    fn block(&self, _: &Event, _timeout: Duration) -> Result<()> {
        // Wait up to `timeout`, then return `Timeout`; a failed stream's first error, each time.
        unsupported("block")
    }
}

fn unsupported<T>(method: &str) -> Result<T> {
    let message = format!("null: `{method}` is not supported");
    Err(Error::unsupported(message)
        .help("it is the skeleton of a backend: use a device that has kernels, as `cpu:0`"))
}
