//! Devices: how they are found and what they can do.

use crate::error::{Failure, during};
use crate::pool::Pool;
use crate::sys;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute, CUmemPool_attribute, CUstream};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::backend::{Capabilities, opened};
use std::sync::{Arc, OnceLock};

/// The one kind of streams.
pub(crate) const STREAM: &str = "stream";

/// One CUDA device.
#[derive(Clone)]
pub struct Device(Arc<State>);

struct State {
    raw: CUdevice,
    context: CUcontext,
    /// Where memory is allocated and freed, in order.
    allocator: CUstream,
    pinned: Pool,
    arch: u32,
    processors: usize,
    capabilities: Capabilities,
}

// SAFETY: the driver's objects may be used from every thread; a call first makes the context current
// for its thread.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

/// The devices of the driver, asked once for the life of the process, and why others cannot be opened.
pub(crate) fn all() -> Result<(Vec<Device>, Vec<Error>)> {
    static FOUND: OnceLock<Result<(Vec<Device>, Vec<Error>)>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> Result<(Vec<Device>, Vec<Error>)> {
    sys::driver()?;
    result::init().map_err(during("starting the driver"))?;
    let count = result::device::get_count().map_err(during("counting devices"))?;
    if count == 0 {
        return Err(Error::unavailable("the CUDA driver finds no device"));
    }
    let (mut devices, mut unopened) = (Vec::new(), Vec::new());
    for ordinal in 0..count {
        match Device::open(ordinal, count > 1) {
            Ok(device) => devices.push(device),
            Err(error) => unopened.push(error.with("device of the driver", ordinal)),
        }
    }
    opened(devices, unopened)
}

impl Device {
    fn open(ordinal: i32, peers: bool) -> Result<Self> {
        let raw = result::device::get(ordinal).map_err(during("naming a device"))?;
        let name = result::device::get_name(raw).map_err(during("naming a device"))?;
        let opening = |error: DriverError| during(format_args!("opening device `{name}`"))(error);
        let before = result::ctx::get_current().ok().flatten();
        // SAFETY: `raw` is a device of the driver. What is retained is released if nothing comes of it.
        unsafe {
            let context = result::primary_ctx::retain(raw).map_err(opening)?;
            let opened = result::ctx::set_current(context)
                .and_then(|()| result::device::total_mem(raw))
                .and_then(|memory| Self::of(raw, context, memory, &name, peers));
            if opened.is_err() {
                let _ = result::primary_ctx::release(raw);
                leave(before.filter(|before| *before != context));
            }
            opened.map_err(opening)
        }
    }

    /// The device of a context that is the thread's, which it then owns.
    fn of(
        raw: CUdevice,
        context: CUcontext,
        memory: usize,
        name: &str,
        peers: bool,
    ) -> Result<Self, DriverError> {
        let attribute = |what| attribute(raw, what);
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let processors = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        keep_freed_memory(raw)?;
        let allocator = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        let capabilities = Capabilities {
            description: format!("{name} (CUDA, compute capability {major}.{minor})"),
            stream_kinds: vec![STREAM.into()],
            suggested_streams: 4,
            memory_bytes: Some(memory),
            dtypes: DType::ALL.to_vec(),
            kernels: sys::nvrtc().is_ok(),
            accelerator: true,
            command_buffers: sys::nvrtc().is_ok() && sys::graphs().is_ok(),
            peer_copy: peers,
            pinned_host: true,
            ..Default::default()
        };
        Ok(Self(Arc::new(State {
            raw,
            context,
            allocator,
            pinned: Pool::default(),
            arch: major * 10 + minor,
            processors: processors as usize,
            capabilities,
        })))
    }

    /// Makes the device the one that this thread's calls are about, those of libraries too.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained as long as the device lives.
        unsafe { result::ctx::set_current(self.0.context) }.map_err(during("entering a device"))
    }

    /// What `call` gives, which takes memory of the driver: if that has no more, it first gets back what the
    /// pools keep. The device is entered.
    ///
    /// # Errors
    /// Those of `call`.
    pub(crate) fn reclaiming<T, E: Copy + Into<Failure>>(
        &self,
        call: impl Fn() -> Result<T, E>,
    ) -> Result<T, E> {
        match call() {
            Err(error) if error.into().kind() == ErrorKind::OutOfMemory && self.trim().is_ok() => {
                call()
            }
            given => given,
        }
    }

    /// Gives the driver back what nobody uses.
    fn trim(&self) -> Result<(), DriverError> {
        self.0.pinned.clear();
        // SAFETY: the stream and the pool are the device's own. What was freed on the stream is the pool's
        // to give back once the stream is done.
        unsafe {
            result::stream::synchronize(self.0.allocator)?;
            result::mem_pool::trim_to(result::device::get_default_mem_pool(self.0.raw)?, 0)
        }
    }

    /// Runs `call` with the device entered, if the driver lets it be, and then makes the context of before the
    /// thread's again: what is dropped may be on a thread that is about to use another device.
    pub(crate) fn visit(&self, call: impl FnOnce()) {
        let before = result::ctx::get_current().ok().flatten();
        if self.enter().is_ok() {
            call();
            leave(before);
        }
    }

    pub(crate) fn context(&self) -> CUcontext {
        self.0.context
    }

    pub(crate) fn allocator(&self) -> CUstream {
        self.0.allocator
    }

    pub(crate) fn pinned(&self) -> &Pool {
        &self.0.pinned
    }

    pub(crate) fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    /// The compute capability: 90 for 9.0.
    pub(crate) fn arch(&self) -> u32 {
        self.0.arch
    }

    /// How many groups keep the device busy.
    pub(crate) fn groups(&self) -> usize {
        self.0.processors.max(1) * 32
    }
}

/// Makes a context the thread's again, or none.
fn leave(before: Option<CUcontext>) {
    // SAFETY: the context was the thread's own just now, and its owner keeps it. A failure leaves the
    // device's.
    let _ = unsafe { result::ctx::set_current(before.unwrap_or(std::ptr::null_mut())) };
}

fn attribute(device: CUdevice, what: CUdevice_attribute) -> Result<u32, DriverError> {
    // SAFETY: the device is one of the driver.
    let value = unsafe { result::device::get_attribute(device, what) }?;
    Ok(u32::try_from(value).unwrap_or(0))
}

/// The pool keeps what is freed: the next allocation of the size costs no call of the system.
fn keep_freed_memory(device: CUdevice) -> Result<(), DriverError> {
    let mut all = u64::MAX;
    let threshold = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the pool is the device's own; the value of this attribute is a `u64`.
    unsafe {
        let pool = result::device::get_default_mem_pool(device)?;
        result::mem_pool::set_attribute(pool, threshold, (&raw mut all).cast())
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let before = result::ctx::get_current().ok().flatten();
        self.pinned.clear();
        // SAFETY: nothing uses the device any more: streams, memories and codes hold it. A failure
        // to release changes nothing.
        unsafe {
            let _ = result::ctx::set_current(self.context);
            let _ = result::stream::destroy(self.allocator);
            let _ = result::primary_ctx::release(self.raw);
        }
        // The device's own may be gone.
        leave(before.filter(|before| *before != self.context));
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
