//! Host memory that a device writes to.

use ringwood_device::backend::queue;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// Host memory that a device writes to while the host waits.
///
/// Reached through a pointer only, so that moving the owner does not disturb the device.
pub(crate) struct Landing {
    data: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the landing owns its memory, like a `Box<[u8]>`.
unsafe impl Send for Landing {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for Landing {}

impl Landing {
    pub(crate) fn new(bytes: usize) -> Self {
        let Some(layout) = Self::layout(bytes) else {
            return Self { data: NonNull::<u64>::dangling().cast(), bytes };
        };
        // SAFETY: the layout has a size of at least 1.
        let data = unsafe { alloc_zeroed(layout) };
        let data = NonNull::new(data).unwrap_or_else(|| handle_alloc_error(layout));
        Self { data, bytes }
    }

    fn layout(bytes: usize) -> Option<Layout> {
        (bytes > 0).then(|| {
            Layout::from_size_align(bytes, 8).expect("a device memory fits the address space")
        })
    }

    /// Where the device writes.
    pub(crate) fn address(&self) -> *mut u8 {
        self.data.as_ptr()
    }
}

impl queue::Landing for Landing {
    unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is initialised and owned; the caller's promise excludes writers.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.bytes) }
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.bytes) {
            // SAFETY: allocated in `new` with the same layout.
            unsafe { dealloc(self.data.as_ptr(), layout) };
        }
    }
}
