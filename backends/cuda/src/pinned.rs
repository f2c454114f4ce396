//! Pinned host memory: what a device reads and writes while the host goes on.

use crate::device::Device;
use crate::error::during;
use cudarc::driver::result;
use ringwood_base::Result;
use ringwood_device::backend::queue::Landing;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes that a device keeps for later use.
const KEPT: usize = 256 << 20;

/// Pinned memory that nobody uses: to pin costs more than to copy.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Free>);

#[derive(Default)]
struct Free {
    /// By size, a power of two.
    blocks: HashMap<usize, Vec<Block>>,
    bytes: usize,
}

/// Pinned memory of the driver.
struct Block(NonNull<u8>);

// SAFETY: memory, which every thread may use.
unsafe impl Send for Block {}

impl Block {
    fn free(self) {
        // SAFETY: the block is the driver's, and owned. A failure changes nothing.
        let _ = unsafe { result::free_host(self.0.as_ptr().cast()) };
    }
}

impl Pool {
    fn free(&self) -> MutexGuard<'_, Free> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives everything back to the driver.
    pub(crate) fn clear(&self) {
        let blocks = std::mem::take(&mut *self.free()).blocks;
        blocks.into_values().flatten().for_each(Block::free);
    }

    fn take(&self, size: usize) -> Option<Block> {
        let mut free = self.free();
        let block = free.blocks.get_mut(&size)?.pop()?;
        free.bytes -= size;
        Some(block)
    }

    fn put(&self, block: Block, size: usize) {
        let mut free = self.free();
        if free.bytes + size > KEPT {
            drop(free);
            return block.free();
        }
        free.bytes += size;
        free.blocks.entry(size).or_default().push(block);
    }
}

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

/// The size of the block for so many bytes.
fn size(bytes: usize) -> usize {
    bytes.next_power_of_two().max(256)
}

fn allocate(device: &Device, size: usize) -> Result<NonNull<u8>> {
    device.enter()?;
    let pinning = || during(format_args!("pinning {size} bytes of host memory").to_string());
    // SAFETY: a context is current.
    let address = unsafe { result::malloc_host(size, 0) }.map_err(pinning())?;
    NonNull::new(address.cast()).ok_or_else(|| {
        pinning()(result::DriverError(cudarc::driver::sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY))
    })
}
