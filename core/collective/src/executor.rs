//! Asynchronous collectives: calls that are submitted, depend on each other, and are awaited.
//!
//! An [`Executor`] runs the ranks of any number of groups, each on a thread of its own. A rank
//! submits calls under keys; the call of a key starts when every rank has submitted it and the
//! instances it comes after have started, in one order on all ranks. So ranks may submit in
//! different orders without waiting for each other in a circle. Where the other ranks of a group are
//! in other processes, the rendezvous at which they [resolved](super::resolve) the group gives that
//! order.
//!
//! ```
//! use ringwood_collective::Group;
//! use ringwood_collective::executor::Executor;
//! use ringwood_base::registry::Registry;
//! use std::time::Duration;
//!
//! let executor = Executor::new();
//! let ranks = Group::builder(2).registry(Registry::default()).open()?;
//! let ranks: Vec<_> =
//!     ranks.into_iter().map(|comm| executor.adopt(7, comm)).collect::<Result<_, _>>()?;
//! // A body is any use of the communicator: `comm.all_reduce(data, ReduceOp::Sum)`, for example.
//! let first = ranks[0].submit(1, vec![1.0_f32], |comm, data| {
//!     data.push(comm.size() as f32);
//!     Ok(())
//! });
//! let other = ranks[1].submit(1, (), |_, ()| Ok(()));
//! first.wait(Duration::from_secs(5))?;
//! let finished = first.finish(Duration::ZERO).expect("the call is over");
//! assert_eq!(finished.buffer, [1.0, 2.0]);
//! other.wait(Duration::from_secs(5))?;
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod handle;
mod job;
mod member;
mod promise;
mod shared;
mod table;

pub use super::instance::{After, InstanceId};
pub use handle::Handle;
pub use job::Finished;
pub use member::{AsyncCommunicator, Submit};

use super::Communicator;
use ringwood_base::sync::thread;
use ringwood_base::{Error, Result};
use ringwood_transport::Bounds;
use shared::Shared;
use std::sync::Arc;

/// Runs submitted collectives of any number of groups; cheap to clone.
///
/// Its first failure sticks: every call that has not begun ends with it, each once, those that run
/// end within their bounds, and later ones end with it at once. What fails it is an
/// [`abort`](Executor::abort), a failed group, a body that panics, a rank that left
/// too early, and a timeout. A disagreement of the ranks about one call, which leaves their group
/// usable, ends that call only. Equivalent to TensorFlow's `CollectiveExecutor`.
#[derive(Clone, Default)]
pub struct Executor {
    shared: Arc<Shared>,
    bounds: Bounds,
}

impl Executor {
    /// An executor that waits for other ranks for a minute, and for the end of a call for another.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with other bounds, for the groups that are adopted through it.
    #[must_use]
    pub fn bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Runs a rank of the group `group`.
    ///
    /// All other ranks are adopted by this executor too; or they are in other processes, and the
    /// communicator comes from a [resolver](super::resolve::Resolver::communicator), whose leader
    /// gives the calls of all ranks one order. Then no instance can be cancelled: the others do not know.
    ///
    /// # Errors
    /// The executor has failed, the rank is here already, the group has another size or other ranks
    /// that no leader knows, or there is no thread for it. The communicator is dropped, so its rank
    /// leaves the group.
    pub fn adopt(&self, group: u64, comm: Communicator) -> Result<AsyncCommunicator> {
        let (rank, size) = (comm.rank(), comm.size());
        if comm.shared.turns.is_none() && comm.shared.seats.is_none() {
            let message =
                format!("rank {rank} of group {group} has no leader that orders its calls");
            return Err(Error::unsupported(message)
                .help("get its communicator from a resolver, as `Membership::join` does"));
        }
        let watch = self.shared.seat(group, &comm)?;
        let (bounds, shared) = (self.bounds, Arc::clone(&self.shared));
        let member = AsyncCommunicator { group, rank, size, bounds, shared };
        let no_thread = |cause| {
            let message = format!("cannot start a thread for rank {rank} of group {group}");
            self.shared.unseat(group, rank);
            self.abort(Error::unavailable(message).because(cause))
        };
        let shared = Arc::clone(&self.shared);
        let thread = thread::Builder::new().name(format!("rank {rank} of group {group}"));
        thread.spawn(move || member::run(&shared, group, comm)).map_err(no_thread)?;
        if watch {
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name("executor watch".into());
            thread.spawn(move || shared.watch()).map_err(no_thread)?;
        }
        Ok(member)
    }

    /// Fails the executor and its groups; returns the failure that sticks.
    pub fn abort(&self, error: Error) -> Error {
        self.shared.change(|table| table.abort(error))
    }

    /// Whether the executor still works.
    ///
    /// # Errors
    /// Its failure.
    pub fn check(&self) -> Result<()> {
        self.shared.change(|table| table.check())
    }

    /// Forgets the instances of a step that are over, so that their keys may be used again and their
    /// records take no memory. What was submitted to come after one of them still does; what is
    /// submitted later waits for the next use of the key.
    pub fn retire(&self, step: u64) {
        self.shared.change(|table| table.retire(step));
    }
}
