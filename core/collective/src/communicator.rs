//! A rank's handle on its group.

mod agree;
mod call;
mod int8;
mod library;
mod messages;
mod methods;
mod opaque;
mod operations;
mod prepared;
mod shared;
mod tensor;

pub use call::Call;
use ringwood_transport::{
    Endpoint, Failure,
    flight::{self, Kind, Open},
};
pub(super) use shared::{Parts, Shared};

use super::coder::Wire;
use super::{PeerBuffer, explain_libraries};
use library::Libraries;
use opaque::Opaque;
use prepared::Prepared;
use ringwood_base::{Bounded, Element, Error, Result};
use ringwood_schedule::{Explanation, Rank, Request, explain};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// How many things that ranks agreed on they remember at least.
const AGREEMENTS: usize = 256;

/// A rank's handle on its group: one for each rank, moved to the thread that is the rank.
///
/// Every rank makes the same calls in the same order. Each call first agrees on what is called: if a
/// rank calls something else, or cannot make its call, every rank gets the same error, no data has
/// moved, and the group stays usable. A rank that does not come in time, drops its communicator,
/// panics or aborts fails the group: calls in progress and all later ones return that first failure
/// on every rank. Equivalent to `ncclComm_t`, `MPI_Comm`.
///
/// A name alone replaces the data in place; `_into` puts the result into an output of its own.
///
/// | operation | in place | separate output | blocks of different lengths |
/// |---|---|---|---|
/// | all-reduce | `all_reduce` | `all_reduce_into` | |
/// | reduce | `reduce` | `reduce_into` | |
/// | broadcast | `broadcast` | | |
/// | all-gather | `all_gather` | `all_gather_into` | `all_gather_v_into` |
/// | gather | `gather` | `gather_into` | `gather_v_into` |
/// | scatter | `scatter` | `scatter_into` | `scatter_v_into` |
/// | reduce-scatter | `reduce_scatter` | `reduce_scatter_into` | `reduce_scatter_v_into` |
/// | all-to-all | `all_to_all` | `all_to_all_into` | `all_to_all_v_into` |
/// | permute | `permute` | `permute_into` | |
/// | barrier, messages | `barrier`, `send`, `recv` | | |
///
/// The same methods of [`Call`] take options, and [`Call::run`] takes any of them by bytes.
/// [`Communicator::split`] makes groups of some of the ranks.
///
/// ```no_run
/// use ringwood_schedule::ReduceOp;
/// use ringwood_collective::spmd;
///
/// spmd(4, |comm| {
///     let mut gradient = vec![comm.rank() as f32; 1000];
///     comm.all_reduce(&mut gradient, ReduceOp::Mean)?;
///     let mut all = vec![0; 4];
///     comm.with("ring_all_gather").all_gather_into(&[comm.rank() as u64], &mut all)
/// })?;
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// ```
/// use ringwood_collective::Group;
/// use ringwood_schedule::ReduceOp;
/// use ringwood_base::registry::Registry;
///
/// let comm = Group::builder(1).registry(Registry::default()).open()?.remove(0);
/// assert_eq!((comm.rank(), comm.size()), (0, 1));
/// let error = comm.all_reduce(&mut [1.0_f32], ReduceOp::Sum).unwrap_err();
/// assert_eq!(
///     error.message(),
///     "no collective for all_reduce among 1 rank: none is registered"
/// );
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Communicator {
    rank: Rank,
    pub(super) shared: Arc<Shared>,
    pub(super) local: RefCell<Local>,
    libraries: RefCell<Libraries>,
    counters: Cell<Counters>,
    /// The messages that this rank has begun.
    messages: Arc<AtomicU64>,
    /// The numbers of what the ranks have agreed on. They look them up in one order, and so forget the same ones.
    agreed: RefCell<Bounded<u64, ()>>,
    /// What they are called by the flight recorder: their numbers in the group that was split first.
    pub(super) part: Option<Arc<[usize]>>,
    /// Whether the last call ended with an error.
    failed: Cell<bool>,
}

/// What only this rank knows.
pub(super) struct Local {
    pub(super) endpoint: Box<dyn Endpoint>,
    calls: u64,
    prepared: Prepared,
    wire: Wire,
    opaque: Opaque,
}

/// What a rank's calls added up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Counters {
    /// The calls that completed.
    pub calls: u64,
    /// The time spent in them, waiting included. Of calls on up to 8 KiB, one in 16 is timed and
    /// counts for 16.
    pub seconds: f64,
    /// The bytes that this rank took from others.
    pub bytes_moved: u64,
}

impl Communicator {
    pub(super) fn new(rank: Rank, shared: Arc<Shared>, endpoint: Box<dyn Endpoint>) -> Self {
        let (prepared, wire) = (Prepared::default(), Wire::default());
        let local = Local { endpoint, calls: 0, prepared, wire, opaque: Opaque::default() };
        let (local, counters) = (RefCell::new(local), Cell::default());
        let agreed = RefCell::new(Bounded::new(AGREEMENTS));
        let (libraries, messages, part, failed) = Default::default();
        Self { rank, shared, local, libraries, counters, messages, agreed, part, failed }
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
        Call::new(self)
    }

    /// A call that insists on one algorithm.
    pub fn with<'c>(&'c self, algorithm: &'c str) -> Call<'c> {
        self.call().with(algorithm)
    }

    /// `count` numbers, all 0, in memory that peers reach in place: a call on them copies nothing in
    /// or out, also where ranks are processes. Equivalent to `ncclMemAlloc`, `MPI_Alloc_mem`.
    ///
    /// # Errors
    /// There is not so much of it ([`OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory)).
    pub fn alloc<T: Element + bytemuck::Pod>(&self, count: usize) -> Result<PeerBuffer<T>> {
        let bytes = count.saturating_mul(T::DTYPE.size());
        let region = self.local.borrow_mut().endpoint.allocate(bytes)?;
        Ok(PeerBuffer::new(region))
    }

    /// Fails the group: calls in progress and later ones return `error` on every rank, unless an
    /// earlier failure sticks already. Returns the failure that does.
    pub fn abort(&self, error: Error) -> Error {
        self.shared.failure.raise_by(self.rank.index(), error)
    }

    /// The rank that aborted the group, if one did.
    pub fn aborted_by(&self) -> Option<usize> {
        self.shared.failure.rank()
    }

    /// What fails the group from another thread.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(Arc::clone(&self.shared.failure))
    }

    /// An error of a call, as it is told.
    fn report(&self, error: Error) -> Error {
        self.failed.set(true);
        self.shared.failure.report(error)
    }

    /// Tells the flight recorder of this thread, if it has one, what begins.
    #[inline]
    fn recorded(&self, kind: Kind, name: &'static str, bytes: usize) -> Open {
        flight::begin(kind, name, bytes, self.part.as_ref())
    }

    /// The outcome of what was recorded: it stays open if the group has failed.
    #[inline]
    fn finish<T>(&self, recorded: Open, outcome: Result<T>) -> Result<T> {
        if outcome.is_ok() || !self.shared.failure.is_raised() {
            recorded.end();
        }
        self.failed.set(false);
        outcome.map_err(|error| self.report(error))
    }

    /// Counts a call that has completed.
    fn count(&self, took: f64, moved: u64) {
        let Counters { calls, seconds, bytes_moved } = self.counters.get();
        self.counters.set(Counters {
            calls: calls + 1,
            seconds: seconds + took,
            bytes_moved: bytes_moved + moved,
        });
    }

    /// Whether the group still works, as far as this rank knows: between processes over sockets, as far as its last call saw.
    ///
    /// # Errors
    /// The failure of the group.
    pub fn check(&self) -> Result<()> {
        self.shared.failure.get().map_or(Ok(()), |error| Err(self.report(error)))
    }

    /// Compares the algorithms for a call as this group does, the one that it would choose first. Of what is measured
    /// and not predicted, it names the [libraries](crate::CollectiveLibrary) for tensors, not the transport's own.
    ///
    /// # Errors
    /// See [`explain()`].
    pub fn explain(&self, request: &Request) -> Result<Explanation> {
        let Shared { registry, selector, arrangement, .. } = &*self.shared;
        let (request, setting) =
            (request.clone().arrangement(arrangement.clone()), selector.setting());
        let mut explanation = explain(registry, &request, setting)?;
        explain_libraries(registry, &request, setting.order, &mut explanation);
        Ok(explanation)
    }

    /// The calls that this rank has joined, whatever became of them.
    pub fn joined(&self) -> u64 {
        self.local.borrow().calls
    }

    /// Whether the last call of this rank ended with an error, which other ranks have, too.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// The number of messages that this rank has begun, to look at from another thread.
    #[doc(hidden)]
    pub fn messages(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.messages)
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
