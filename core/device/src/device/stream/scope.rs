//! The stream that takes the place of a device's default one, on one thread.

use super::Stream;
use crate::device::Device;
use std::cell::RefCell;

thread_local! {
    static SCOPES: RefCell<Vec<Stream>> = const { RefCell::new(Vec::new()) };
}

/// The stream of the innermost scope of this thread on `device`.
pub(super) fn scoped(device: &Device) -> Option<Stream> {
    let innermost = |scopes: &Vec<Stream>| scopes.iter().rfind(|s| s.device == *device).cloned();
    SCOPES.with_borrow(innermost)
}

impl Stream {
    /// Calls `f` with this stream in the place of its device's default stream, on this thread.
    ///
    /// Workers that share a device run their work in scopes of their own streams, so that they do
    /// not wait for each other.
    pub fn scope<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                SCOPES.with_borrow_mut(Vec::pop);
            }
        }
        SCOPES.with_borrow_mut(|scopes| scopes.push(self.clone()));
        let _leave = Leave;
        f()
    }
}
