//! Values that ranks share, wherever they lie.

use std::any::Any;
use std::ops::Deref;
use std::ptr::NonNull;

/// Consecutive values that ranks share, in memory of this process or in one that several map.
pub(crate) struct Slab<T> {
    pub(crate) first: NonNull<T>,
    pub(crate) count: usize,
    _keep: Box<dyn Any + Send + Sync>,
}

impl<T: Send + Sync + 'static> Slab<T> {
    /// Values in memory of this process.
    pub(crate) fn owned(mut values: Vec<T>) -> Self {
        let first = NonNull::new(values.as_mut_ptr()).unwrap_or(NonNull::dangling());
        Self { first, count: values.len(), _keep: Box::new(values) }
    }
}

impl<T> Slab<T> {
    /// The `count` values at `first`.
    ///
    /// # Safety
    /// As long as `keep` exists, the memory is mapped for reading and writing and aligned, and holds
    /// such values: whatever other processes write there is valid, as it is for atomics.
    pub(crate) unsafe fn at(
        first: NonNull<u8>,
        count: usize,
        keep: impl Any + Send + Sync,
    ) -> Self {
        Self { first: first.cast(), count, _keep: Box::new(keep) }
    }
}

impl<T> Deref for Slab<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `owned` keeps the vector, whose memory stays where it is; else the contract of
        // `at`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

// SAFETY: the values may be sent and shared, and so may what keeps them.
unsafe impl<T: Send + Sync> Send for Slab<T> {}
// SAFETY: as above; it gives shared references only.
unsafe impl<T: Sync> Sync for Slab<T> {}
