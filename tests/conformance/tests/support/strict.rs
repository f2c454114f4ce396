//! The CPU with memory that shows when it is used too early: what is freed is overwritten, and the
//! host sees a copy, taken when it enters and written back before the next command.
//!
//! Every access to a memory is a command of the CPU backend, which refuses two that meet. So nothing
//! here is undefined, also when the run time leaves out a wait.

use ringwood_backend_cpu as cpu;
use ringwood_base::{Error, Result};
use ringwood_conformance::delegate::{Delegate, Delegated, Tagged};
use ringwood_device::backend::{Backend, Capabilities, CommandBuffer, Region};
use ringwood_device::kernel::Launch;
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

/// What freed memory is filled with.
const FREED: u8 = 0xdd;

/// The backend, registered as `strict`.
pub(crate) type Strict = Delegated<Overwriting>;

pub(crate) struct Overwriting {
    cpu: Arc<cpu::Cpu>,
    device: cpu::Device,
    mappings: Mappings,
}

type Mappings = Arc<Mutex<Vec<Mapping>>>;

/// Overwrites memory when it is freed.
pub(crate) struct Freed {
    memory: cpu::Memory,
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
    shown: Box<[UnsafeCell<u64>]>,
    /// The bytes as they were when last compared.
    seen: Vec<u8>,
}

impl Mapping {
    fn new(memory: &Freed, seen: Vec<u8>) -> Self {
        let word = |i: usize| {
            let mut filled = [0; 8];
            let bytes = seen.chunks(8).nth(i).unwrap_or_default();
            filled[..bytes.len()].copy_from_slice(bytes);
            UnsafeCell::new(u64::from_ne_bytes(filled))
        };
        let shown = (0..seen.len().div_ceil(8).max(1)).map(word).collect();
        Self { memory: memory.memory.clone(), number: memory.number, shown, seen }
    }

    /// The bytes as the host left them.
    fn bytes(&self) -> Vec<u8> {
        // SAFETY: the host uses the words inside of `host_ref` and `host_mut` only, and the tests that
        // use this backend submit nothing then.
        let words = self.shown.iter().map(|word| unsafe { *word.get() });
        words.flat_map(u64::to_ne_bytes).take(self.seen.len()).collect()
    }
}

impl Drop for Freed {
    fn drop(&mut self) {
        // Refused if a command is in the middle of using the bytes.
        let stream = self.cpu.stream(&self.device, "sync").expect("the CPU has sync streams");
        let all = Region { memory: &self.memory, offset: 0, bytes: self.bytes };
        let _ = self.cpu.fill(&stream, all, FREED);
        lock(&self.mappings).retain(|mapping| mapping.number != self.number);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Delegate for Overwriting {
    const NAME: &'static str = "strict";
    type Inner = cpu::Cpu;
    type Tag = Freed;

    fn open() -> Result<Self> {
        let cpu = Arc::new(cpu::Cpu::open()?);
        let device = cpu.devices()?.remove(0);
        Ok(Self { cpu, device, mappings: Mappings::default() })
    }

    fn inner(&self) -> &cpu::Cpu {
        &self.cpu
    }

    fn tag(&self, device: &cpu::Device, memory: &cpu::Memory, bytes: usize) -> Freed {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let (cpu, mappings) = (self.cpu.clone(), self.mappings.clone());
        let (memory, number) = (memory.clone(), NUMBERS.fetch_add(1, Relaxed));
        Freed { memory, bytes, number, cpu, device: device.clone(), mappings }
    }

    /// Writes back what the host has changed.
    fn before(&self) -> Result<()> {
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

    fn capabilities(&self, device: &cpu::Device) -> Capabilities {
        Capabilities { command_buffers: false, ..self.cpu.capabilities(device) }
    }

    fn prepare(
        &self,
        _: &cpu::Stream,
        _: &[Launch<'_, cpu::Code, cpu::Memory>],
    ) -> Result<Box<dyn CommandBuffer<cpu::Stream>>> {
        Err(Error::unsupported("what the host writes would come too late"))
    }

    fn host_address(&self, memory: &Tagged<Self>) -> Result<NonNull<u8>> {
        let stream = self.cpu.stream(&self.device, "sync")?;
        let (send, receive) = mpsc::channel();
        let sink = Box::new(move |bytes: Result<&[u8]>| {
            let _ = send.send(bytes.map(<[u8]>::to_vec));
        });
        let all = Region { memory: &memory.inner, offset: 0, bytes: memory.bytes };
        self.cpu.read(&stream, all, sink)?;
        let lost = || Err(Error::backend("a sync stream called no sink"));
        let seen = receive.try_recv().unwrap_or_else(|_| lost())?;
        let mapping = Mapping::new(&memory.tag, seen);
        let address = NonNull::from(&*mapping.shown).cast();
        lock(&self.mappings).push(mapping);
        Ok(address)
    }
}
