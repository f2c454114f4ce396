//! The CPU with memory that shows when it is used too early: what is freed is overwritten, and the
//! host sees a copy, taken when it enters and written back before the next command.
//!
//! Every access to a memory is a command of the CPU backend, which refuses two that meet. So nothing
//! here is undefined, also when the run time leaves out a wait.

use ringwood_backend_cpu as cpu;
use ringwood_base::registry::Entry;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, HostSink, Region, Registered, Status,
};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// What freed memory is filled with.
const FREED: u8 = 0xdd;

/// The backend, registered as `strict`.
pub(crate) struct Strict {
    cpu: Arc<cpu::Cpu>,
    device: cpu::Device,
    mappings: Mappings,
}

type Mappings = Arc<Mutex<Vec<Mapping>>>;

/// Memory of the CPU that is overwritten when it is freed.
pub(crate) struct Memory {
    inner: cpu::Memory,
    bytes: usize,
    number: u64,
    cpu: Arc<cpu::Cpu>,
    device: cpu::Device,
    mappings: Mappings,
}

/// What the host was given as the bytes of a memory.
struct Mapping {
    memory: cpu::Memory,
    number: u64,
    shown: NonNull<[u64]>,
    /// The bytes as they were when last compared.
    seen: Vec<u8>,
}

// SAFETY: the mapping owns its words; see `Mapping::bytes` for who uses them when.
unsafe impl Send for Mapping {}

impl Mapping {
    fn new(memory: &Memory, seen: Vec<u8>) -> Self {
        let mut words = vec![0_u64; seen.len().div_ceil(8).max(1)].into_boxed_slice();
        for (word, bytes) in words.iter_mut().zip(seen.chunks(8)) {
            let mut filled = [0; 8];
            filled[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(filled);
        }
        let shown = NonNull::from(Box::leak(words));
        Self { memory: memory.inner.clone(), number: memory.number, shown, seen }
    }

    /// The bytes as the host left them.
    fn bytes(&self) -> Vec<u8> {
        // SAFETY: the words live until the mapping is dropped. The host uses them inside of
        // `host_ref` and `host_mut` only, and the tests that use this backend submit nothing then.
        let words = unsafe { self.shown.as_ref() };
        words.iter().flat_map(|word| word.to_ne_bytes()).take(self.seen.len()).collect()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `new` leaked exactly this box.
        drop(unsafe { Box::from_raw(self.shown.as_ptr()) });
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Refused if a command is in the middle of using the bytes.
        let stream = self.cpu.stream(&self.device, "sync").expect("the CPU has sync streams");
        let all = Region { memory: &self.inner, offset: 0, bytes: self.bytes };
        let _ = self.cpu.fill(&stream, all, FREED);
        lock(&self.mappings).retain(|mapping| mapping.number != self.number);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn inner<'a>(region: &Region<'a, Memory>) -> Region<'a, cpu::Memory> {
    Region { memory: &region.memory.inner, offset: region.offset, bytes: region.bytes }
}

impl Strict {
    /// Writes back what the host has changed.
    fn flush(&self) -> Result<()> {
        for mapping in &mut *lock(&self.mappings) {
            let bytes = mapping.bytes();
            if bytes != mapping.seen {
                let stream = self.cpu.stream(&self.device, "sync")?;
                let all = Region { memory: &mapping.memory, offset: 0, bytes: bytes.len() };
                self.cpu.write(&stream, bytes.as_slice().into(), all)?;
                mapping.seen = bytes;
            }
        }
        Ok(())
    }
}

impl Backend for Strict {
    type Device = cpu::Device;
    type Stream = cpu::Stream;
    type Memory = Memory;
    type Event = cpu::Event;
    type Code = cpu::Code;

    fn open() -> Result<Self> {
        let cpu = Arc::new(cpu::Cpu::open()?);
        let device = cpu.devices()?.remove(0);
        Ok(Self { cpu, device, mappings: Mappings::default() })
    }

    fn devices(&self) -> Result<Vec<cpu::Device>> {
        Ok(vec![self.device.clone()])
    }

    fn capabilities(&self, device: &cpu::Device) -> Capabilities {
        Capabilities { command_buffers: false, ..self.cpu.capabilities(device) }
    }

    fn stream(&self, device: &cpu::Device, kind: &str) -> Result<cpu::Stream> {
        self.cpu.stream(device, kind)
    }

    fn allocate(&self, device: &cpu::Device, bytes: usize) -> Result<Memory> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let (number, inner) = (NUMBERS.fetch_add(1, Relaxed), self.cpu.allocate(device, bytes)?);
        let (cpu, mappings) = (self.cpu.clone(), self.mappings.clone());
        Ok(Memory { inner, bytes, number, cpu, device: device.clone(), mappings })
    }

    fn write(
        &self,
        stream: &cpu::Stream,
        source: Arc<[u8]>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        self.flush()?;
        self.cpu.write(stream, source, inner(&target))
    }

    fn read(&self, stream: &cpu::Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        match self.flush() {
            Ok(()) => self.cpu.read(stream, inner(&source), sink),
            Err(error) => {
                sink(Err(error.clone()));
                Err(error)
            }
        }
    }

    fn copy(
        &self,
        stream: &cpu::Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        self.flush()?;
        self.cpu.copy(stream, inner(&source), inner(&target))
    }

    fn fill(&self, stream: &cpu::Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        self.flush()?;
        self.cpu.fill(stream, inner(&target), byte)
    }

    fn host_address(&self, memory: &Memory) -> Result<NonNull<u8>> {
        self.flush()?;
        let stream = self.cpu.stream(&self.device, "sync")?;
        let (send, receive) = mpsc::channel();
        let sink = Box::new(move |bytes: Result<&[u8]>| {
            let _ = send.send(bytes.map(<[u8]>::to_vec));
        });
        let all = Region { memory: &memory.inner, offset: 0, bytes: memory.bytes };
        self.cpu.read(&stream, all, sink)?;
        let lost = || Err(Error::new(ErrorKind::Backend, "a sync stream called no sink"));
        let seen = receive.try_recv().unwrap_or_else(|_| lost())?;
        let mapping = Mapping::new(memory, seen);
        let address = mapping.shown.cast();
        lock(&self.mappings).push(mapping);
        Ok(address)
    }

    fn compile(&self, device: &cpu::Device, batch: &[KernelSpec<'_>]) -> Result<Vec<cpu::Code>> {
        self.cpu.compile(device, batch)
    }

    fn launch(
        &self,
        stream: &cpu::Stream,
        code: &cpu::Code,
        launch: &Launch<'_, Memory>,
    ) -> Result<()> {
        self.flush()?;
        let args = launch.args.iter().map(|arg| arg.map(|region| Ok(inner(&region))));
        let args: Vec<_> = args.collect::<Result<_>>()?;
        self.cpu.launch(stream, code, &Launch { domain: launch.domain, args: &args })
    }

    fn record(&self, stream: &cpu::Stream) -> Result<cpu::Event> {
        self.cpu.record(stream)
    }

    fn wait(&self, stream: &cpu::Stream, event: &cpu::Event) -> Result<()> {
        self.cpu.wait(stream, event)
    }

    fn poll(&self, event: &cpu::Event) -> Status {
        self.cpu.poll(event)
    }

    fn block(&self, event: &cpu::Event, timeout: Duration) -> Result<()> {
        self.cpu.block(event, timeout)
    }
}

impl Registered for Strict {
    const NAME: &'static str = "strict";
    const ENTRY: Entry = Entry::new(
        ringwood_base::__private::meta!(Self::NAME),
        const { &BackendDef::new::<Self>() },
    );
}
