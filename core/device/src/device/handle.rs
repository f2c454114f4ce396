//! One device.

use super::code::CodeCache;
use super::hardware::Hardware;
use super::hazard::Wait;
use super::memory::Pool;
use super::stream::{self, StreamTimeline};
use super::{Buffer, Code, Runtime, Stream, Tensor, lock};
use crate::backend::{Capabilities, DynBackend};
use crate::kernel::{Image, Kernel};
use ringwood_base::registry::Registry;
use ringwood_base::sync::Mutex;
use ringwood_base::{DType, Element, Error, ErrorKind, Result, Shape};
use std::fmt;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

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
    stream: Mutex<Option<Arc<StreamTimeline>>>,
    codes: CodeCache,
}

impl Device {
    pub(crate) fn new(hardware: Arc<Hardware>) -> Self {
        let (stream, codes) = (Mutex::default(), CodeCache::default());
        Self(Arc::new(Inner { hardware, stream, codes }))
    }

    pub(crate) fn hardware(&self) -> &Arc<Hardware> {
        &self.0.hardware
    }

    /// The device that [`Runtime::best`] of the global run time chooses.
    ///
    /// # Errors
    /// No device runs kernels; the error says why for each backend.
    pub fn best() -> Result<Device> {
        Runtime::global()?.best()
    }

    /// The device called `name` in the global run time, as [`Runtime::device`].
    ///
    /// # Errors
    /// No such device, or its backend is unavailable.
    pub fn named(name: &str) -> Result<Device> {
        Runtime::global()?.device(name)
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

    /// The stream of the innermost [`Stream::scope`] on this device, else the default stream,
    /// which is opened on first use.
    ///
    /// A default stream that failed is replaced by a new one of its kind once somebody was told of the
    /// failure: by a call that was refused, or by a wait.
    ///
    /// # Errors
    /// The backend cannot open a stream.
    pub fn stream(&self) -> Result<Stream> {
        if let Some(stream) = stream::scoped(self) {
            return Ok(stream);
        }
        let mut stream = lock(&self.0.stream);
        let kind = match &*stream {
            Some(used) if !used.timeline.is_reported() => {
                return Ok(Stream::new(used.clone(), self.clone()));
            }
            Some(failed) => failed.kind(),
            None => "",
        };
        let fresh = StreamTimeline::open(&self.0.hardware, kind)?;
        Ok(Stream::new(stream.insert(fresh).clone(), self.clone()))
    }

    /// A stream of its own, of one of [`Capabilities::stream_kinds`] with an optional argument
    /// after a colon: `threaded`, `chaos:42`. The empty kind is the default one.
    ///
    /// # Errors
    /// The backend knows no such kind, or cannot open a stream.
    pub fn new_stream(&self, kind: &str) -> Result<Stream> {
        Ok(Stream::new(StreamTimeline::open(&self.0.hardware, kind)?, self.clone()))
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

    /// Makes a stream the default one, to run a program on another kind.
    ///
    /// # Errors
    /// The stream belongs to another device.
    pub fn set_stream(&self, stream: &Stream) -> Result<()> {
        if stream.device() != self {
            let (owner, name) = (stream.device().told_from(self), self.name());
            let message = format!("a stream of {owner} cannot be the default stream of {name}");
            return Err(Error::new(ErrorKind::Device, message));
        }
        *lock(&self.0.stream) = Some(stream.timeline().clone());
        Ok(())
    }

    /// A tensor of rank 1 with these elements.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], or the device's failure.
    pub fn tensor<T: Element>(&self, elements: &[T]) -> Result<Tensor> {
        self.tensor_with(elements, Shape::vector(elements.len()))
    }

    /// A tensor of `shape` with these elements, in row-major order.
    ///
    /// # Errors
    /// The number of elements differs from the shape's; otherwise as [`Device::tensor`].
    pub fn tensor_with<T: Element>(&self, elements: &[T], shape: Shape) -> Result<Tensor> {
        if elements.len() != shape.elements() {
            let (n, want) = (elements.len(), shape.elements());
            let message = format!("{n} elements do not fill shape {shape} of {want}");
            return Err(Error::new(ErrorKind::Shape, message));
        }
        self.tensor_of_bytes(bytemuck::cast_slice(elements), shape, T::DTYPE)
    }

    /// A tensor of `shape` and `dtype` from its bytes, in row-major order.
    ///
    /// # Errors
    /// The number of bytes does not fit; otherwise as [`Device::tensor`].
    pub fn tensor_of_bytes(&self, bytes: &[u8], shape: Shape, dtype: DType) -> Result<Tensor> {
        let mut tensor = self.empty(shape, dtype)?;
        tensor.write_bytes(bytes)?;
        Ok(tensor)
    }

    /// A tensor of zeros.
    ///
    /// # Errors
    /// As [`Device::tensor`].
    pub fn zeros(&self, shape: Shape, dtype: DType) -> Result<Tensor> {
        let tensor = self.empty(shape, dtype)?;
        if tensor.bytes() > 0 {
            self.stream()?.fill(tensor.region(), 0)?;
        }
        Ok(tensor)
    }

    /// A tensor whose elements are unspecified until they are written.
    ///
    /// # Errors
    /// As [`Device::tensor`].
    pub fn empty(&self, shape: Shape, dtype: DType) -> Result<Tensor> {
        let buffer = self.buffer(Tensor::size(shape, dtype)?)?;
        Tensor::new(buffer, 0, shape, dtype)
    }

    /// Uninitialised memory; 0 bytes are legal.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`] names the bytes asked for, the limit and the bytes in use.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer> {
        let pool = self.pool(bytes)?;
        Ok(Buffer::new(self, &pool, 0, bytes))
    }

    /// `old` if it is large enough and nobody else holds it, else a new buffer instead of it.
    ///
    /// # Errors
    /// As [`Device::buffer`].
    pub fn buffer_from(&self, old: Buffer, bytes: usize) -> Result<Buffer> {
        if old.device() == self && old.bytes() >= bytes && old.is_ours() {
            return Ok(old);
        }
        drop(old);
        self.buffer(bytes)
    }

    pub(crate) fn pool(&self, bytes: usize) -> Result<Arc<Pool>> {
        self.0.hardware.allocate(bytes).map(Arc::new)
    }

    /// Compiles kernels in one batch, each once for the device; one code for each, in order.
    ///
    /// # Errors
    /// The device's compiler refuses a kernel: the error names it and carries the log. Or it would
    /// change the bits of floating-point numbers, see [`Device::strictness`].
    pub fn codes(&self, kernels: &[Kernel]) -> Result<Vec<Code>> {
        self.check_strict(kernels)?;
        let hardware = &self.0.hardware;
        self.0.codes.compile(&*hardware.backend, &hardware.handle, kernels)
    }

    /// Compiles one kernel, once for the device.
    ///
    /// # Errors
    /// As [`Device::codes`].
    pub fn code(&self, kernel: &Kernel) -> Result<Code> {
        self.check_strict(std::slice::from_ref(kernel))?;
        self.0.codes.get(&*self.0.hardware.backend, &self.0.hardware.handle, kernel)
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

    /// Blocks the host until every stream of the device is done, whoever opened it. Work of streams
    /// that were dropped is not waited for.
    ///
    /// Equivalent to `cudaDeviceSynchronize`.
    ///
    /// # Errors
    /// The failure of the first stream that failed, by identity, after all have ended; of which nobody
    /// was told before, by this or another call. [`ErrorKind::Timeout`].
    pub fn synchronize(&self, timeout: Duration) -> Result<()> {
        let start = Instant::now();
        let streams: Vec<_> =
            lock(&self.0.hardware.streams).iter().filter_map(Weak::upgrade).collect();
        let ends = streams.into_iter().map(|stream| {
            let left = timeout.saturating_sub(start.elapsed());
            let known = stream.timeline.is_reported();
            let end = Stream::new(stream, self.clone()).synchronize(left);
            end.or_else(|error| if known { Ok(()) } else { Err(error) })
        });
        ends.fold(Ok(()), Result::and)
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
