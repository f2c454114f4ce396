//! A device as memory and streams see it: the backend's handle, its accounts.

use super::hazard::Omitted;
use super::memory::Memory;
use super::strictness::Probed;
use super::transfer::RouteCounts;
use crate::backend::{Capabilities, DynBackend, Handle};
use ringwood_base::registry::Registry;
use ringwood_base::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::Arc;
use std::time::Duration;

/// How long the memory of a dropped device is kept for work that still uses it.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// What all devices of a run time share: the registry and the counters of identities.
pub(crate) struct Shared {
    pub(crate) registry: Registry,
    pub(crate) streams: AtomicU32,
    pub(crate) pools: AtomicU32,
    pub(crate) buffers: AtomicU64,
    pub(crate) nodes: AtomicU64,
}

/// See the module.
pub(crate) struct Hardware {
    pub(crate) shared: Arc<Shared>,
    pub(crate) backend: Arc<dyn DynBackend>,
    pub(crate) handle: Handle,
    pub(crate) ordinal: usize,
    pub(crate) name: String,
    pub(crate) capabilities: Capabilities,
    pub(crate) memory: Memory,
    pub(crate) omitted: Omitted,
    /// How copies into its memory went.
    pub(crate) routes: RouteCounts,
    /// How it computes with floating-point numbers, once that was tried.
    pub(super) strictness: Probed,
}

impl Drop for Hardware {
    fn drop(&mut self) {
        while self.memory.free_oldest(LAST_WAIT) {}
        self.memory.abandon();
    }
}
