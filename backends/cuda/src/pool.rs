//! Pinned host memory that a device keeps for later use.

use cudarc::driver::result;
use ringwood_base::sync::lock;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::Mutex;

/// The most bytes that a device keeps for later use.
pub(crate) const KEPT: usize = 256 << 20;

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
pub(crate) struct Block(pub(crate) NonNull<u8>);

// SAFETY: memory, which every thread may use.
unsafe impl Send for Block {}

impl Block {
    fn free(self) {
        // SAFETY: the block is the driver's, and owned. A failure changes nothing.
        let _ = unsafe { result::free_host(self.0.as_ptr().cast()) };
    }
}

impl Pool {
    /// Gives everything back to the driver.
    pub(crate) fn clear(&self) {
        let blocks = std::mem::take(&mut *lock(&self.0)).blocks;
        blocks.into_values().flatten().for_each(Block::free);
    }

    pub(crate) fn take(&self, size: usize) -> Option<Block> {
        let mut free = lock(&self.0);
        let block = free.blocks.get_mut(&size)?.pop()?;
        free.bytes -= size;
        Some(block)
    }

    pub(crate) fn put(&self, block: Block, size: usize) {
        let mut free = lock(&self.0);
        if free.bytes + size > KEPT {
            drop(free);
            return block.free();
        }
        free.bytes += size;
        free.blocks.entry(size).or_default().push(block);
    }
}
