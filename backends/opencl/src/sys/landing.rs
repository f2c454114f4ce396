//! Host memory that a device writes to.

use ringwood_device::backend::queue;
use std::ptr::NonNull;

/// Host memory that a device writes to while the host waits.
///
/// Reached through a pointer only, so that moving the owner does not disturb the device.
pub(crate) struct Landing {
    /// As many words as have room for the bytes, so that they are aligned for every element.
    words: NonNull<[u64]>,
    bytes: usize,
}

// SAFETY: the landing owns its memory, like a `Box<[u64]>`.
unsafe impl Send for Landing {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for Landing {}

impl Landing {
    pub(crate) fn new(bytes: usize) -> Self {
        let words = vec![0_u64; bytes.div_ceil(8)].into_boxed_slice();
        // `drop` takes it back.
        let words = NonNull::new(Box::into_raw(words)).expect("a box has an address");
        Self { words, bytes }
    }

    /// Where the device writes.
    pub(crate) fn address(&self) -> *mut u8 {
        self.words.cast().as_ptr()
    }
}

impl queue::Landing for Landing {
    unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is initialised and owned; the caller's promise excludes writers.
        unsafe { std::slice::from_raw_parts(self.address(), self.bytes) }
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        // SAFETY: the pointer is that of the box in `new`, and this is its only owner.
        drop(unsafe { Box::from_raw(self.words.as_ptr()) });
    }
}
