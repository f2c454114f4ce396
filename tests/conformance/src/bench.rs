//! What a case works with: a device, a kind of stream, and shorthands for the erased backend.

use crate::case::{Check, Stop};
use ringwood_base::{Error, ErrorKind, Result, Shape};
use ringwood_device::backend::{DynBackend, Handle, Region};
use ringwood_device::device::{Device, Runtime};
use ringwood_device::kernel::{Arg, Code, Kernel, KernelSpec};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The bound of a single wait inside of a case.
pub(crate) const WAIT: Duration = Duration::from_secs(30);

/// One device with one kind of stream.
#[derive(Clone)]
pub(crate) struct Bench {
    runtime: Runtime,
    device: Device,
    kind: String,
    seeds: u64,
}

/// The erased backend with one of its devices.
#[derive(Clone)]
pub(crate) struct Raw {
    pub(crate) backend: Arc<dyn DynBackend>,
    pub(crate) device: Handle,
    kind: String,
    /// The bound of a single wait.
    pub(crate) wait: Duration,
}

impl Bench {
    pub(crate) fn new(runtime: Runtime, device: Device, kind: String, seeds: u64) -> Self {
        Self { runtime, device, kind, seeds }
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The kinds to try where chance decides: one for each seed if streams take one.
    pub(crate) fn seeded_kinds(&self) -> Vec<String> {
        match self.kind.as_str() {
            "chaos" => (0..self.seeds.max(1)).map(|seed| format!("chaos:{seed}")).collect(),
            kind => vec![kind.into(); 3],
        }
    }

    /// The same device and kind of stream in a run time of its own, where nothing is under way.
    pub(crate) fn alone(&self) -> Result<Self> {
        let runtime = Runtime::new(self.runtime.registry().clone());
        let device = runtime.device(self.device.name())?;
        Ok(Self { runtime, device, ..self.clone() })
    }

    /// Below the run time: the erased backend.
    pub(crate) fn raw(&self) -> Result<Raw> {
        let backend = Arc::clone(self.device.backend());
        let device = backend.devices()?.swap_remove(self.device.ordinal());
        Ok(Raw { backend, device, kind: self.kind.clone(), wait: WAIT })
    }
}

/// The first `bytes` bytes of a memory.
pub(crate) fn all(memory: &Handle, bytes: usize) -> Region<'_, Handle> {
    part(memory, 0, bytes)
}

/// Some bytes of a memory.
pub(crate) fn part(memory: &Handle, offset: usize, bytes: usize) -> Region<'_, Handle> {
    Region { memory, offset, bytes }
}

/// Bytes that differ from their neighbours and, with `salt`, between calls.
pub(crate) fn pattern(bytes: usize, salt: u8) -> Arc<[u8]> {
    (0..bytes).map(|i| (i * 31 + i / 251) as u8 ^ salt).collect()
}

/// How bytes that came back differ from those that should have.
pub(crate) fn difference(got: &[u8], wants: &[u8]) -> Option<String> {
    if got.len() != wants.len() {
        return Some(format!("{} bytes, not {}", got.len(), wants.len()));
    }
    let wrong = got.iter().zip(wants).enumerate().find(|(_, (got, want))| got != want);
    wrong.map(|(at, (got, want))| format!("{got} at byte {at}, not {want}"))
}

impl Raw {
    pub(crate) fn stream(&self) -> Result<Handle> {
        self.backend.stream(&self.device, &self.kind)
    }

    pub(crate) fn memory(&self, bytes: usize) -> Result<Handle> {
        self.backend.allocate(&self.device, bytes)
    }

    pub(crate) fn write(
        &self,
        stream: &Handle,
        target: Region<'_, Handle>,
        bytes: &[u8],
    ) -> Result<()> {
        self.backend.write(stream, bytes.into(), target)
    }

    /// Reads and waits for the bytes.
    pub(crate) fn read(&self, stream: &Handle, source: Region<'_, Handle>) -> Result<Vec<u8>> {
        let (send, receive) = mpsc::channel();
        let sink = move |bytes: Result<&[u8]>| drop(send.send(bytes.map(<[u8]>::to_vec)));
        self.backend.read(stream, source, Box::new(sink))?;
        receive
            .recv_timeout(self.wait)
            .unwrap_or_else(|_| Err(Error::timeout("the sink of a read was not called")))
    }

    /// Waits for all work of the stream.
    pub(crate) fn finish(&self, stream: &Handle) -> Result<()> {
        self.backend.block(&self.backend.record(stream)?, self.wait)
    }

    /// The first failure of a stream that has work under way.
    pub(crate) fn failure(&self, stream: &Handle) -> Check<Error> {
        match self.finish(stream) {
            Err(error) => Ok(error),
            Ok(()) => Err(Stop::Failed("the stream did not fail".into())),
        }
    }

    /// Compiles one kernel that has native code, and perhaps no IR.
    pub(crate) fn compile_native(&self, spec: KernelSpec<'_>) -> Check<Code> {
        match self.compile(&spec) {
            Ok(code) => Ok(code),
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                Err(Stop::Skipped("the device takes no native code".into()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Compiles one kernel.
    pub(crate) fn compile(&self, spec: &KernelSpec<'_>) -> Result<Code> {
        Ok(self.backend.compile(&self.device, &[&Kernel::from(spec)])?.remove(0))
    }

    pub(crate) fn launch(
        &self,
        stream: &Handle,
        code: &Code,
        domain: &[usize],
        args: &[Arg<'_, Handle>],
    ) -> Result<()> {
        let launch = code.launch(Shape::new(domain)?, args.iter().copied())?;
        self.backend.launch(stream, &launch)
    }
}
