//! Memory that a transport reaches without a copy.

use crate::Slab;
use ringwood_base::{Error, Result};
use std::any::Any;
use std::ptr::NonNull;

/// Memory that a transport reaches without a copy; freed when dropped.
pub struct Region(Slab<u8>);

/// The alignment of every region: a line of cache, enough for every element type.
pub(super) const ALIGNMENT: usize = 64;

/// A line of cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line(
    #[expect(dead_code, reason = "reached by address only")] pub(super) [u8; 64],
);

impl Region {
    /// The `bytes` bytes at `data`, until `keep` is dropped.
    ///
    /// # Safety
    /// As long as `keep` exists, `data` is valid for reads and writes of `bytes` initialised bytes,
    /// aligned to a line of cache (64 bytes), and reached only through this value and, in a call
    /// that gets this memory as its data, by the transport.
    pub unsafe fn new(data: NonNull<u8>, bytes: usize, keep: impl Any + Send + Sync) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { Slab::at(data, bytes, keep) })
    }

    /// Memory of this process, all 0.
    ///
    /// # Errors
    /// There is not so much memory.
    pub fn ordinary(bytes: usize) -> Result<Self> {
        let lines = bytes.div_ceil(ALIGNMENT);
        let mut memory: Vec<Line> = Vec::new();
        memory.try_reserve_exact(lines).map_err(|cause| {
            Error::out_of_memory(format!("no memory for a buffer of {bytes} bytes")).because(cause)
        })?;
        memory.resize(lines, Line([0; 64]));
        let data = NonNull::new(memory.as_mut_ptr().cast()).unwrap_or(NonNull::dangling());
        // SAFETY: a vector's memory stays where it is when the vector moves, has no other user, and
        // was written in full; empty ones are never read.
        Ok(unsafe { Self::new(data, bytes, memory) })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // By the contract of `new` no call gets the memory while it is borrowed here.
        &self.0
    }

    /// The bytes, to change them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let Self(memory) = self;
        // SAFETY: by the contract of `new`; the borrow of `self` is unique.
        unsafe { std::slice::from_raw_parts_mut(memory.first.as_ptr(), memory.count) }
    }
}

#[cfg(test)]
mod tests;
