//! How elements travel between two devices.

use ringwood_base::named;
use std::sync::atomic::{AtomicU64, Ordering};

named! {
    /// How elements travel from one device to another.
    ///
    /// The run time takes the first one, of these in their order, that both devices can;
    /// [`Device::report`](crate::device::Device::report) counts what was taken.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Route {
        /// Within one device, by its own copy.
        Local "local",
        /// Straight between two devices of one backend, by its own copy; both have
        /// [`Capabilities::peer_copy`](crate::backend::Capabilities::peer_copy).
        Peer "peer",
        /// Through the host, in pinned memory at one end at least: that device has
        /// [`Capabilities::pinned_host`](crate::backend::Capabilities::pinned_host). The host waits for
        /// the source.
        Pinned "pinned",
        /// Through ordinary memory of the host, which waits for the source.
        Host "host",
    }
    /// The name, in lower case.
    fn name;
}

impl Route {
    /// Whether a backend copies by itself, and the host does not wait.
    pub fn is_direct(self) -> bool {
        matches!(self, Self::Local | Self::Peer)
    }
}

/// How often each route into a device was taken, and how many bytes went over it.
#[derive(Default)]
pub(crate) struct RouteCounts([(AtomicU64, AtomicU64); Route::ALL.len()]);

impl RouteCounts {
    pub(super) fn count(&self, route: Route, bytes: usize) {
        let (copies, total) = &self.0[route as usize];
        copies.fetch_add(1, Ordering::Relaxed);
        total.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The copies and bytes of a route.
    pub(crate) fn of(&self, route: Route) -> (u64, u64) {
        let (copies, total) = &self.0[route as usize];
        (copies.load(Ordering::Relaxed), total.load(Ordering::Relaxed))
    }
}
