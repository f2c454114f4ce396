//! What the ranks of a group share.

use super::Communicator;
use crate::Turns;
use crate::device::Seats;
use ringwood_base::registry::Registry;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Arrangement, Selector};
use ringwood_transport::{Bounds, Failure, Transport};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// What the ranks of a group share.
pub(crate) struct Shared {
    pub(crate) registry: Arc<Registry>,
    pub(crate) transport: &'static dyn Transport,
    pub(crate) failure: Arc<Failure>,
    pub(crate) bounds: Bounds,
    pub(crate) arrangement: Arrangement,
    pub(crate) selector: Selector,
    /// For calls on device tensors, if all ranks are in this process.
    pub(crate) seats: Option<OnceLock<Seats>>,
    /// What gives submitted calls their order, if the ranks are processes that met at a rendezvous.
    pub(crate) turns: Option<Arc<dyn Turns>>,
    /// The parts of the group that its threads are about to take.
    pub(crate) parts: Parts,
}

/// Parts of a group whose ranks are threads: the first one to come opens its part, and each takes its
/// place in it. A part is known by the call that splits the group and by its first rank.
#[derive(Default)]
pub(crate) struct Parts(Mutex<HashMap<(u64, usize), Part>>);

/// The places of a part that are not taken yet.
struct Part {
    places: Result<Vec<Option<Communicator>>>,
    left: usize,
}

impl Parts {
    /// The place at `at` in the part of `ranks` ranks that `key` names. Where it cannot be opened, all of them get the
    /// same error.
    pub(crate) fn take(
        &self,
        key: (u64, usize),
        (at, ranks): (usize, usize),
        open: impl FnOnce() -> Result<Vec<Communicator>>,
    ) -> Result<Communicator> {
        let mut parts = lock(&self.0);
        let part = parts.entry(key).or_insert_with(|| {
            let places = open().map(|places| places.into_iter().map(Some).collect());
            Part { places, left: ranks }
        });
        part.left -= 1;
        let place = match &mut part.places {
            Ok(places) => places[at]
                .take()
                .ok_or_else(|| Error::protocol("a place in a part of a group was taken twice")),
            Err(error) => Err(error.clone()),
        };
        if part.left == 0 {
            parts.remove(&key);
        }
        place
    }
}
