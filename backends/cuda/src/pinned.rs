//! Pinned host memory: what a device reads and writes while the host goes on.

use crate::device::Device;
use crate::error::during;
use crate::pool::Block;
use cudarc::driver::result;
use ringwood_base::Result;
use ringwood_device::backend::queue::Landing;
use std::ptr::NonNull;

/// Pinned memory in use; its owner gives it back by dropping it.
pub(crate) struct Pinned {
    block: Option<Block>,
    bytes: usize,
    device: Device,
}

impl Pinned {
    /// Memory of `bytes` bytes, of any content.
    ///
    /// # Errors
    /// The system gives no more.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self> {
        let size = size(bytes);
        let block = match device.pinned().take(size) {
            Some(block) => block,
            None => Block(allocate(device, size)?),
        };
        Ok(Self { block: Some(block), bytes, device: device.clone() })
    }

    /// A copy of host bytes.
    ///
    /// # Errors
    /// See [`Pinned::new`].
    pub(crate) fn copy(device: &Device, source: &[u8]) -> Result<Self> {
        let pinned = Self::new(device, source.len())?;
        // SAFETY: the memory is owned, of this size, and apart from the source.
        unsafe { pinned.address().copy_from_nonoverlapping(source.as_ptr(), source.len()) };
        Ok(pinned)
    }

    /// Where it is.
    pub(crate) fn address(&self) -> *mut u8 {
        self.block.as_ref().map_or(std::ptr::null_mut(), |block| block.0.as_ptr())
    }
}

impl Landing for Pinned {
    unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is owned; the caller promises that all of it is written, by nobody any
        // more.
        unsafe { std::slice::from_raw_parts(self.address(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.device.pinned().put(block, size(self.bytes));
        }
    }
}

/// The size of the block for so many bytes: as many, where it is not kept.
fn size(bytes: usize) -> usize {
    if bytes > super::pool::KEPT { bytes } else { bytes.next_power_of_two().max(256) }
}

fn allocate(device: &Device, size: usize) -> Result<NonNull<u8>> {
    device.enter()?;
    let pinning = || during(format_args!("pinning {size} bytes of host memory").to_string());
    // SAFETY: a context is current.
    let allocate = || unsafe { result::malloc_host(size, 0) };
    let address = device.reclaiming(allocate).map_err(pinning())?;
    NonNull::new(address.cast()).ok_or_else(|| {
        pinning()(result::DriverError(cudarc::driver::sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY))
    })
}
