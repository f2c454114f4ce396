//! One call with its options.

use super::prepared::{How, Key};
use super::{Communicator, Local};
use crate::coder::Coder;
use ringwood_base::{DType, Error, Result, Shared};
use ringwood_schedule::{Collective, CollectiveDef, Invocation, Operation, Order};
use ringwood_transport::{Bounds, Buffers, CallSpec, Failure, Intent, Plan, flight::Kind};
use std::time::{Duration, Instant};

/// A call on buffers of up to so many bytes is short: reading the clock would take a part of it.
const SHORT: usize = 8 << 10;
/// Of short calls, one in so many is timed, for all of them.
const SAMPLE: u64 = 16;

/// One call with its options; see [`Communicator::call`].
#[derive(Clone, Copy)]
#[must_use]
pub struct Call<'c> {
    pub(super) communicator: &'c Communicator,
    pub(super) algorithm: Option<&'c str>,
    pub(super) order: Option<Order>,
    pub(super) bounds: Bounds,
    pub(super) roundings: Option<usize>,
    pub(super) purpose: Option<&'static str>,
}

impl<'c> Call<'c> {
    pub(super) fn new(communicator: &'c Communicator) -> Self {
        let bounds = communicator.shared.bounds;
        Self { communicator, algorithm: None, order: None, bounds, roundings: None, purpose: None }
    }

    /// Insists on the algorithm of this name.
    pub fn with(self, algorithm: &'c str) -> Self {
        Self { algorithm: Some(algorithm), ..self }
    }

    /// Fixes the order in which contributions are merged: the result has the same bits whatever
    /// algorithm, size or transport is used. See [`Order::fixed`].
    pub fn order(self, order: Order) -> Self {
        Self { order: Some(order), ..self }
    }

    /// How long to wait for the other ranks to arrive, and how long the call may take from then on;
    /// the group's bounds by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { bounds: Bounds { arrival: timeout, execution: timeout }, ..self }
    }

    /// Refuses to round an element more than `most` times, in calls that are lossy.
    pub fn roundings(self, most: usize) -> Self {
        Self { roundings: Some(most), ..self }
    }

    /// The same as a part of what is called by this name: it agrees with no other call.
    pub(crate) fn part_of(self, purpose: &'static str) -> Self {
        Self { purpose: Some(purpose), ..self }
    }

    /// Runs any operation, on elements whose type is known at run time. The buffers are whole
    /// elements of the invocation's type, aligned for them; how many is said at the typed methods of
    /// [`Communicator`].
    ///
    /// # Errors
    /// The ranks disagree ([`Mismatch`](ringwood_base::ErrorKind::Mismatch)); or on some rank the buffers do not have the
    /// lengths that the operation needs or are not aligned elements, an argument does not fit the
    /// group, the algorithm is unknown, not for this group size, not for these counts or not proved
    /// ([`NotVerified`](ringwood_base::ErrorKind::NotVerified)), or no kernel merges the type: every rank gets the same error,
    /// no data has moved and the group stays usable. Or a rank does not come or finish in time
    /// ([`Timeout`](ringwood_base::ErrorKind::Timeout)), leaves, panics or aborts, or a kernel fails: the group has failed,
    /// and the contents of the output are unspecified.
    pub fn run(self, what: &Invocation<'_>, mut buffers: Buffers<'_>) -> Result<()> {
        let bytes = buffers.input().len().max(buffers.output().len());
        self.run_counted(what.operation, bytes, |local| {
            let slot = check_elements(&mut buffers, what.dtype)
                .and_then(|()| self.slot(local, what, &buffers));
            // A measurement that failed was the call in which the ranks agreed.
            match local.opaque.failed.take() {
                Some(error) => Err(error),
                None => local.run(slot, buffers, self.bounds, &self.communicator.shared.failure),
            }
        })
    }

    /// Joins a call, tells the flight recorder of it, and counts it.
    #[inline]
    pub(super) fn run_counted(
        self,
        operation: Operation,
        bytes: usize,
        run: impl FnOnce(&mut Local) -> Result<u64>,
    ) -> Result<()> {
        let communicator = self.communicator;
        let mut local = communicator.local.borrow_mut();
        local.calls += 1;
        let times = if bytes > SHORT {
            1
        } else if local.calls.is_multiple_of(SAMPLE) {
            SAMPLE
        } else {
            0
        };
        let start = (times > 0).then(Instant::now);
        let recorded = communicator.recorded(Kind::Collective, operation.name(), bytes);
        let moved = communicator.finish(recorded, run(&mut local))?;
        let seconds = start.map_or(0.0, |start| start.elapsed().as_secs_f64());
        communicator.count(seconds * times as f64, moved);
        Ok(())
    }

    /// Comes to a call that this rank cannot make: every rank gets the error.
    pub(super) fn refuse(self, error: Error) -> Result<()> {
        let mut local = self.communicator.local.borrow_mut();
        local.calls += 1;
        let failure = &self.communicator.shared.failure;
        let refused = local.run(Err(error), Buffers::InPlace(&mut []), self.bounds, failure);
        refused.map(drop).map_err(|error| self.communicator.report(error))
    }

    /// Where the plan of a call is, prepared at its first use.
    #[inline]
    pub(super) fn slot(
        self,
        local: &mut Local,
        what: &Invocation<'_>,
        buffers: &Buffers<'_>,
    ) -> Result<usize> {
        let (mode, lengths) = buffers.shape();
        let Self { algorithm, order, purpose, .. } = self;
        let key = Key { what, algorithm, order, purpose, mode, lengths, device: None };
        match local.prepared.find(&key) {
            Some(slot) => Ok(slot),
            None => self.prepare(local, &key),
        }
    }

    #[cold]
    fn prepare(self, local: &mut Local, key: &Key<'_>) -> Result<usize> {
        if let Some(slot) = self.prepare_opaque(local, key)? {
            return Ok(slot);
        }
        let (collective, spec) = self.choose(key)?;
        let Communicator { rank, shared, .. } = self.communicator;
        let plan = Plan::new(collective, &shared.registry, *rank, &spec.request)?;
        let find = |codec| Coder::find(&shared.registry, codec);
        let how = How { coder: spec.request.codec().map(find).transpose()?, ..How::default() };
        local.prepared.keep(key, spec, how, &plan, &mut *local.endpoint)
    }

    /// The algorithm for a call that was not made before, and the call in full.
    pub(super) fn choose(self, key: &Key<'_>) -> Result<(Shared<dyn Collective>, CallSpec)> {
        let Communicator { rank, shared, .. } = self.communicator;
        let request = key.request(*rank)?.arrangement(shared.arrangement.clone());
        let (registry, Self { algorithm, order, .. }) = (&shared.registry, self);
        let collective = shared.selector.select(registry, algorithm, order, &request)?;
        // The ranks agree by it: algorithms of one name in two packages are not the same.
        let algorithm = match algorithm {
            Some(name) => registry.shortest_name::<CollectiveDef>(name)?.into(),
            None => collective.describe().name,
        };
        let (on_devices, purpose) = (key.device.is_some(), key.purpose);
        Ok((collective, CallSpec { request, order, algorithm, on_devices, purpose }))
    }
}

impl Local {
    /// Agrees on the call that is prepared in `slot`, and runs it.
    pub(super) fn run(
        &mut self,
        slot: Result<usize>,
        mut buffers: Buffers<'_>,
        bounds: Bounds,
        failure: &Failure,
    ) -> Result<u64> {
        let Self { endpoint, calls: call, prepared, wire, .. } = self;
        let coder = slot.as_ref().ok().and_then(|&slot| prepared.how(slot).coder);
        let Some(coder) = coder else {
            let what = slot.as_ref().map(|&slot| prepared.ready(slot));
            return endpoint.call(&Intent { call: *call, what, bounds }, buffers);
        };
        let encoded = coder.encode(&mut buffers, wire, &mut **endpoint);
        let (slot, encoded) = match encoded {
            Ok(encoded) => (slot, encoded),
            Err(error) => (Err(error), Buffers::InPlace(&mut [])),
        };
        let what = slot.as_ref().map(|&slot| prepared.ready(slot));
        let moved = endpoint.call(&Intent { call: *call, what, bounds }, encoded)?;
        let decoded = coder.decode(wire, &mut buffers);
        decoded.map(|()| moved).map_err(|error| failure.raise(error))
    }
}

/// Checks that the buffers are aligned whole elements. Of an empty one neither is asked.
fn check_elements(buffers: &mut Buffers<'_>, dtype: DType) -> Result<()> {
    let both = [
        (buffers.input().as_ptr().addr(), buffers.input().len()),
        (buffers.output().as_ptr().addr(), buffers.output().len()),
    ];
    let size = dtype.size();
    for (address, bytes) in both {
        let what = if !bytes.is_multiple_of(size) {
            "whole elements"
        } else if bytes > 0 && !address.is_multiple_of(size) {
            "aligned for elements"
        } else {
            continue;
        };
        let message = format!("{bytes} bytes at {address:#x} are not {what} of {dtype}");
        return Err(Error::invalid(message));
    }
    Ok(())
}
