//! One device.

use super::Code;
use super::code::CodeCache;
use super::hardware::Hardware;
use super::hazard::Wait;
use super::stream_timeline::Streams;
use crate::backend::{Capabilities, DynBackend, Registered, device_of};
use crate::kernel::{Image, Kernel};
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use std::fmt;
use std::sync::Arc;

/// How many streams to open on a device; see [`Device::suggested_streams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamStrategy {
    /// Parallel work on several devices only.
    OnePerDevice,
    /// Copies beside computation.
    ParallelCopies,
    /// As much in parallel as the device can.
    MostParallel,
}

/// One device; a clone is another handle to the same device.
///
/// ```no_run
/// use ringwood_base::{DType, Shape};
/// use ringwood_device::device::Device;
///
/// let device = Device::named("cpu:0")?;
/// let x = device.tensor(&[1.0_f32, 2.0])?;
/// let y = device.zeros(Shape::new(&[4, 4])?, DType::F32)?;
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    hardware: Arc<Hardware>,
    streams: Streams,
    codes: CodeCache,
}

impl Device {
    pub(crate) fn new(hardware: Arc<Hardware>) -> Self {
        let (streams, codes) = (Streams::default(), CodeCache::default());
        Self(Arc::new(Inner { hardware, streams, codes }))
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(crate) fn hardware(&self) -> &Arc<Hardware> {
        &self.0.hardware
    }

    /// The name: the backend's and the ordinal, as in `cpu:0`.
    pub fn name(&self) -> &str {
        &self.0.hardware.name
    }

    /// The name, told from that of `other`: devices of two run times have the same names.
    pub(crate) fn told_from(&self, other: &Device) -> String {
        let name = self.name();
        if self != other && name == other.name() {
            return format!("{name} of another run time");
        }
        name.to_owned()
    }

    /// The name of the backend.
    pub fn backend_name(&self) -> &'static str {
        self.0.hardware.backend.name()
    }

    /// The backend, erased.
    pub fn backend(&self) -> &Arc<dyn DynBackend> {
        &self.0.hardware.backend
    }

    /// The device as backend `B` made it, for a library of that backend.
    ///
    /// # Errors
    /// It is of another backend ([`ErrorKind::Device`](ringwood_base::ErrorKind::Device)).
    pub fn native<B: Registered>(&self) -> Result<&B::Device> {
        device_of::<B>(&self.0.hardware.handle)
    }

    /// The number of the device among those of its backend.
    pub fn ordinal(&self) -> usize {
        self.0.hardware.ordinal
    }

    /// What the device can do.
    pub fn capabilities(&self) -> &Capabilities {
        &self.0.hardware.capabilities
    }

    /// The registry of the run time that the device belongs to.
    pub fn registry(&self) -> &Registry {
        &self.0.hardware.shared.registry
    }

    /// How many streams the device suggests for a strategy; 0 if it has none.
    pub fn suggested_streams(&self, strategy: StreamStrategy) -> usize {
        let most = self.capabilities().suggested_streams;
        match strategy {
            StreamStrategy::OnePerDevice => most.min(1),
            StreamStrategy::ParallelCopies => most.min(2),
            StreamStrategy::MostParallel => most,
        }
    }

    /// Compiles kernels in one batch, each once for the device; one code for each, in order.
    ///
    /// # Errors
    /// The device's compiler refuses a kernel: the error names it and carries the log. Or it would
    /// change the bits of floating-point numbers, see [`Device::strictness`].
    pub fn codes(&self, kernels: &[Kernel]) -> Result<Vec<Code>> {
        self.check_strict(kernels)?;
        let hardware = &self.0.hardware;
        self.0.codes.compile(hardware, kernels)
    }

    /// Compiles one kernel, once for the device.
    ///
    /// # Errors
    /// As [`Device::codes`].
    pub fn code(&self, kernel: &Kernel) -> Result<Code> {
        self.check_strict(std::slice::from_ref(kernel))?;
        self.0.codes.get(&self.0.hardware, kernel)
    }

    /// What the device's compiler made of kernels, for a [`CompileCache`](crate::kernel::CompileCache) of
    /// another process: every variant that launches needed so far, and what [`Device::strictness`] tried.
    /// None where nothing is compiled at run time.
    ///
    /// # Errors
    /// As [`Device::codes`]; the driver does not give it.
    pub fn images(&self, kernels: &[Kernel]) -> Result<Vec<Image>> {
        let codes = self.codes(kernels)?;
        let mut images = self.hardware().strictness.images();
        for code in &codes {
            images.extend(self.backend().images(code)?);
        }
        Ok(images)
    }

    /// The bytes of memory in use, with those that wait for their last use to be over, and without
    /// freed memory that is kept for later buffers.
    pub fn memory_in_use(&self) -> usize {
        self.0.hardware.memory.drain();
        self.0.hardware.memory.in_use()
    }

    /// The bytes of memory that may be in use; the device's own limit unless it was set.
    pub fn memory_limit(&self) -> Option<usize> {
        self.0.hardware.memory.limit()
    }

    /// Limits the bytes of memory in use; `None` removes the limit. What is in use stays.
    pub fn set_memory_limit(&self, bytes: Option<usize>) {
        self.0.hardware.memory.set_limit(bytes);
    }

    /// Limits the bytes of freed memory that are kept for later buffers: 64 MiB unless it was set,
    /// and never more than the memory limit leaves. 0 gives all of it back and keeps none.
    pub fn set_memory_cache(&self, bytes: usize) {
        self.0.hardware.memory.set_cache_limit(bytes);
    }

    /// How many kernels were compiled.
    pub(crate) fn compiled_kernels(&self) -> usize {
        self.0.codes.len()
    }

    /// Leaves out one kind of wait, so that a test can show that it is needed.
    ///
    /// # Safety
    /// Without a wait, memory is read, written or freed while other work writes it. The backend
    /// must bear that: by memory of atomics, or by locks of its own.
    #[doc(hidden)]
    pub unsafe fn omit_wait(&self, wait: Wait, omit: bool) {
        self.0.hardware.omitted.set(wait, omit);
    }
}

/// Two handles are equal if they mean the same device of the same run time.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = &self.0.hardware.memory;
        write!(f, "Device({}, {}", self.name(), self.capabilities().description)?;
        write!(f, ", {} bytes in use", memory.in_use())?;
        match memory.limit() {
            Some(limit) => write!(f, " of {limit})"),
            None => f.write_str(")"),
        }
    }
}
