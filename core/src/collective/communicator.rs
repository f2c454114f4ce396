//! A rank's handle on its group.

mod tensor;

use super::coder::{Coder, Wire};
use super::device::Part;
use super::engine::Plan;
use super::group::Shared;
use super::transport::{Bounds, Buffers, Endpoint, Failure, Intent, Ready};
use super::{Fingerprint, Operation, Order, PeerBuffer, Rank, ReduceOp, Request};
use crate::{DType, Element, Error, ErrorKind, Result};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A rank's handle on its group: one for each rank, moved to the thread that is the rank.
///
/// Every rank makes the same calls in the same order. Each call first agrees on what is called: if a
/// rank calls something else, or cannot make its call, every rank gets the same error, no data has
/// moved, and the group stays usable. A rank that does not come in time, drops its communicator,
/// panics or aborts fails the group: calls in progress and all later ones return that first failure
/// on every rank. Equivalent to `ncclComm_t`, `MPI_Comm`.
///
/// ```
/// use ringwood_core::collective::{Group, ReduceOp};
/// use ringwood_core::registry::Registry;
///
/// let comm = Group::builder(1).registry(Registry::default()).open()?.remove(0);
/// assert_eq!((comm.rank(), comm.size()), (0, 1));
/// let error = comm.all_reduce(&mut [1.0_f32], ReduceOp::Sum).unwrap_err();
/// assert_eq!(
///     error.message(),
///     "no collective for all_reduce among 1 ranks: none is registered"
/// );
/// # Ok::<(), ringwood_core::Error>(())
/// ```
pub struct Communicator {
    rank: Rank,
    shared: Arc<Shared>,
    local: RefCell<Local>,
    counters: Cell<Counters>,
}

/// What only this rank knows.
struct Local {
    endpoint: Box<dyn Endpoint>,
    calls: u64,
    prepared: Vec<Prepared>,
    /// Where the next plan goes when all slots are taken.
    oldest: usize,
    wire: Wire,
}

/// A call that was made before.
struct Prepared {
    algorithm: Option<String>,
    order: Option<Order>,
    fingerprint: Fingerprint,
    digest: u64,
    /// How the elements travel, where it is not as they are.
    coder: Option<Coder>,
    /// What is prepared on the rank's device, for a call on a tensor.
    part: Option<Arc<Part>>,
}

/// The plans that a rank keeps.
const SLOTS: usize = 256;

/// What a rank's calls added up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Counters {
    /// The calls that completed.
    pub calls: u64,
    /// The time spent in them, waiting included.
    pub seconds: f64,
    /// The bytes that this rank took from others.
    pub bytes_moved: u64,
}

/// One call with its options; see [`Communicator::call`].
#[derive(Clone, Copy)]
#[must_use]
pub struct Call<'c> {
    communicator: &'c Communicator,
    algorithm: Option<&'c str>,
    order: Option<Order>,
    bounds: Bounds,
}

impl Communicator {
    pub(super) fn new(rank: Rank, shared: Arc<Shared>, endpoint: Box<dyn Endpoint>) -> Self {
        let local =
            Local { endpoint, calls: 0, prepared: Vec::new(), oldest: 0, wire: Wire::default() };
        Self { rank, shared, local: RefCell::new(local), counters: Cell::default() }
    }

    /// The position of this rank in the group, from 0.
    pub fn rank(&self) -> usize {
        self.rank.index()
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.rank.group_size()
    }

    /// A call with options, all at their defaults.
    pub fn call(&self) -> Call<'_> {
        Call { communicator: self, algorithm: None, order: None, bounds: self.shared.bounds }
    }

    /// A call that insists on one algorithm.
    pub fn with<'c>(&'c self, algorithm: &'c str) -> Call<'c> {
        self.call().with(algorithm)
    }

    /// Replaces the elements of every rank by their merge. Equivalent to `ncclAllReduce` in place.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce<T: Element>(&self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.call().all_reduce(data, op)
    }

    /// [`Communicator::all_reduce`] for elements whose type is known at run time.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce_bytes(&self, data: &mut [u8], dtype: DType, op: ReduceOp) -> Result<()> {
        self.call().all_reduce_bytes(data, dtype, op)
    }

    /// `count` elements, all 0, in memory that peers reach in place: a call on them copies nothing in
    /// or out, also where ranks are processes. Equivalent to `ncclMemAlloc`, `MPI_Alloc_mem`.
    ///
    /// # Errors
    /// There is not so much of it ([`ErrorKind::OutOfMemory`]).
    pub fn alloc<T: Element>(&self, count: usize) -> Result<PeerBuffer<T>> {
        let bytes = count.saturating_mul(T::DTYPE.size());
        let region = self.local.borrow_mut().endpoint.allocate(bytes)?;
        Ok(PeerBuffer::new(region))
    }

    /// Fails the group: calls in progress and later ones return `error` on every rank, unless an
    /// earlier failure sticks already. Returns the failure that does.
    pub fn abort(&self, error: Error) -> Error {
        self.shared.failure.raise(error)
    }

    /// What fails the group from another thread.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(Arc::clone(&self.shared.failure))
    }

    /// Counts a call that began at `start` and has completed.
    fn count(&self, start: Instant, moved: u64) {
        let Counters { calls, seconds, bytes_moved } = self.counters.get();
        self.counters.set(Counters {
            calls: calls + 1,
            seconds: seconds + start.elapsed().as_secs_f64(),
            bytes_moved: bytes_moved + moved,
        });
    }

    pub(super) fn shared_failure(&self) -> &Arc<Failure> {
        &self.shared.failure
    }

    /// Whether the group still works.
    ///
    /// # Errors
    /// The failure of the group.
    pub fn check(&self) -> Result<()> {
        self.shared.failure.get().map_or(Ok(()), Err)
    }

    /// The calls that this rank has joined, whatever became of them.
    pub(crate) fn joined(&self) -> u64 {
        self.local.borrow().calls
    }

    /// What the calls so far added up to.
    pub fn counters(&self) -> Counters {
        self.counters.get()
    }
}

/// Fails a group from outside of its ranks; see [`Communicator::abort_handle`].
#[derive(Clone)]
pub struct AbortHandle(Arc<Failure>);

impl AbortHandle {
    /// [`Communicator::abort`].
    pub fn abort(&self, error: Error) -> Error {
        self.0.raise(error)
    }
}

impl<'c> Call<'c> {
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

    /// Replaces the elements of every rank by their merge.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce<T: Element>(self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.all_reduce_bytes(bytemuck::cast_slice_mut(data), T::DTYPE, op)
    }

    /// [`Call::all_reduce`] for elements whose type is known at run time. `data` is whole elements
    /// of `dtype`, aligned for them.
    ///
    /// # Errors
    /// The ranks disagree ([`ErrorKind::Mismatch`]); or on some rank the algorithm is unknown, not
    /// for this group size or not proved ([`ErrorKind::NotVerified`]), no kernel merges `dtype`, or
    /// `data` is not aligned elements: every rank gets the same error, `data` is untouched and the
    /// group stays usable. Or a rank does not come or finish in time ([`ErrorKind::Timeout`]),
    /// leaves, panics or aborts, or a kernel fails: the group has failed, and the contents of `data`
    /// are unspecified.
    pub fn all_reduce_bytes(self, data: &mut [u8], dtype: DType, op: ReduceOp) -> Result<()> {
        let start = Instant::now();
        let communicator = self.communicator;
        let mut local = communicator.local.borrow_mut();
        let local = &mut *local;
        local.calls += 1;
        let slot = check_elements(data, dtype)
            .and_then(|()| self.slot(local, data.len() / dtype.size(), dtype, op));
        let moved = local.run(slot, data, self.bounds, &communicator.shared.failure)?;
        communicator.count(start, moved);
        Ok(())
    }

    /// Where the plan of a call is, prepared at its first use.
    fn slot(self, local: &mut Local, count: usize, dtype: DType, op: ReduceOp) -> Result<usize> {
        let operation = Operation::AllReduce;
        let known = |p: &Prepared| {
            let f = &p.fingerprint;
            (f.count, f.dtype, f.reduce, f.operation) == (count, dtype, op, operation)
                && (p.algorithm.as_deref(), p.order) == (self.algorithm, self.order)
                && p.part.is_none()
        };
        if let Some(slot) = local.prepared.iter().position(known) {
            return Ok(slot);
        }
        let Communicator { rank, shared, .. } = self.communicator;
        let request = Request::new(rank.group_size(), count, dtype).reduced_by(op);
        let selector = &shared.selector;
        let collective =
            selector.select(&shared.registry, self.algorithm, self.order, operation, &request)?;
        let coder = request.codec.map(|codec| Coder::find(&shared.registry, codec)).transpose()?;
        let plan = Plan::new(collective, &shared.registry, *rank, &request, op)?;
        let algorithm = collective.describe().name;
        let root = request.root;
        let fingerprint =
            Fingerprint { operation, reduce: op, dtype, count, root, algorithm, on_devices: false };
        let digest = fingerprint.digest();
        let algorithm = self.algorithm.map(str::to_owned);
        let prepared =
            Prepared { algorithm, order: self.order, fingerprint, digest, coder, part: None };
        local.keep(prepared, &plan)
    }
}

impl Local {
    /// Agrees on the call that is prepared in `slot`, and runs it on `data`.
    fn run(
        &mut self,
        slot: Result<usize>,
        data: &mut [u8],
        bounds: Bounds,
        failure: &Failure,
    ) -> Result<u64> {
        let Self { endpoint, calls, prepared, wire, .. } = self;
        let coder = slot.as_ref().ok().and_then(|&slot| prepared[slot].coder);
        let encoded = coder.map(|coder| coder.encode(data, wire, &mut **endpoint)).transpose();
        let (slot, encoded) = match encoded {
            Ok(encoded) => (slot, encoded),
            Err(error) => (Err(error), None),
        };
        let what = slot.as_ref().map(|&slot| {
            let Prepared { fingerprint, digest, .. } = &prepared[slot];
            Ready { fingerprint, digest: *digest, slot }
        });
        let intent = Intent { call: *calls, what, bounds };
        let Some(encoded) = encoded else {
            return endpoint.call(&intent, Buffers::InPlace(data));
        };
        let moved = endpoint.call(&intent, Buffers::InPlace(encoded))?;
        let decoded = coder.map_or(Ok(()), |coder| coder.decode(wire, data));
        decoded.map(|()| moved).map_err(|error| failure.raise(error))
    }

    fn keep(&mut self, prepared: Prepared, plan: &Plan) -> Result<usize> {
        if self.prepared.len() < SLOTS {
            let slot = self.prepared.len();
            self.endpoint.prepare(slot, plan)?;
            self.prepared.push(prepared);
            return Ok(slot);
        }
        let slot = self.oldest;
        self.endpoint.prepare(slot, plan)?;
        self.prepared[slot] = prepared;
        self.oldest = (slot + 1) % SLOTS;
        Ok(slot)
    }
}

fn check_elements(data: &[u8], dtype: DType) -> Result<()> {
    let size = dtype.size();
    let what = if !data.len().is_multiple_of(size) {
        "whole elements"
    } else if !data.as_ptr().addr().is_multiple_of(size) {
        "aligned for elements"
    } else {
        return Ok(());
    };
    let message = format!("{} bytes at {:p} are not {what} of {dtype}", data.len(), data);
    Err(Error::new(ErrorKind::InvalidArgument, message))
}
