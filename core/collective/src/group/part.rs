//! Groups of some of the ranks of a group.

use super::text::{hear, tell};
use super::{Choice, Group, GroupBuilder, Shared};
use crate::Communicator;
use crate::transport::Endpoint;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The place at `at` in the part of `ranks` ranks that `key` names.
    ///
    /// # Errors
    /// It cannot be opened: every rank of the part gets the same error.
    fn take(
        &self,
        key: (u64, usize),
        (at, ranks): (usize, usize),
        open: impl FnOnce() -> Result<Vec<Communicator>>,
    ) -> Result<Communicator> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts.entry(key).or_insert_with(|| {
            let places = open().map(|places| places.into_iter().map(Some).collect());
            Part { places, left: ranks }
        });
        part.left -= 1;
        let place = match &mut part.places {
            Ok(places) => places[at].take().ok_or_else(|| {
                Error::new(ErrorKind::Protocol, "a place in a part of a group was taken twice")
            }),
            Err(error) => Err(error.clone()),
        };
        if part.left == 0 {
            parts.remove(&key);
        }
        place
    }
}

impl Shared {
    /// The place of `rank` in a group of `ranks`, a part of this group, made in call `call`.
    ///
    /// # Errors
    /// The part cannot be opened, or a rank of it does not come in time.
    pub(crate) fn part(
        &self,
        endpoint: &mut dyn Endpoint,
        (call, rank): (u64, usize),
        ranks: &[usize],
    ) -> Result<Communicator> {
        let at = ranks.iter().position(|&other| other == rank).unwrap_or(0);
        let key = (call, ranks[0]);
        if self.seats.is_some() || ranks.len() == 1 {
            let place = (at, ranks.len());
            return self.parts.take(key, place, || self.part_of(ranks).open());
        }
        let end = deadline(self.bounds.arrival);
        if at > 0 {
            let text = hear(endpoint, ranks[0], end)?;
            let address: Result<String> = serde_json::from_slice(&text).map_err(|cause| {
                let message = format!("rank {} names no place for a part of the group", ranks[0]);
                Error::new(ErrorKind::Protocol, message).because(cause)
            })?;
            return self.part_of(ranks).join(at, &address?);
        }
        // The others are told also if there is no place: they wait for it.
        let place = endpoint.bootstrap(self.transport, ranks.len());
        let address = place.as_ref().map(|place| place.address().to_owned());
        // An address or an error is text, which JSON can always hold.
        let text = serde_json::to_vec(&address.map_err(Clone::clone)).unwrap_or_default();
        ranks[1..].iter().try_for_each(|&other| tell(endpoint, other, &text, end))?;
        // The place is kept until all have joined.
        let place = place?;
        self.part_of(ranks).join(at, place.address())
    }

    fn part_of(&self, ranks: &[usize]) -> GroupBuilder {
        let setting = self.selector.setting();
        GroupBuilder {
            registry: Some(Arc::clone(&self.registry)),
            transport: Choice::Given(self.transport),
            bounds: self.bounds,
            model: Some((*setting.model).clone()),
            order: setting.order,
            arrangement: self.arrangement.of_part(ranks),
            whole: Some(Arc::clone(&self.failure)),
            ..Group::builder(ranks.len())
        }
    }
}
