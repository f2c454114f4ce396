//! The language of collectives: what an algorithm's author writes, its proof, its cost, and what a rank
//! runs of it.
//!
//! A [`Collective`] is a pure function from a group's [`Params`] and a [`Rank`] to the steps of that
//! rank. From that alone it is verified, printed and run:
//!
//! ```
//! use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank};
//!
//! pub struct RingReducer;
//!
//! impl Collective for RingReducer {
//!     fn describe(&self) -> Descriptor {
//!         Descriptor::all_reduce("ring").any_ranks().chunks(Chunks::PerRank)
//!     }
//!
//!     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
//!         let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
//!         for step in 0..n - 1 {
//!             s.send(next, p.chunk(rank - step));
//!             s.recv_reduce(prev, p.chunk(rank - step - 1));
//!         }
//!         for step in 0..n - 1 {
//!             s.send(next, p.chunk(rank - step + 1));
//!             s.recv(prev, p.chunk(rank - step));
//!         }
//!     }
//! }
//! ```

#![forbid(unsafe_code)]

extern crate self as ringwood_schedule;

mod arrangement;
mod capabilities;
mod chunk;
mod codec;
mod cost;
mod descriptor;
mod fit;
mod invocation;
mod layout;
#[doc(hidden)]
pub mod lower;
mod mode;
mod operation;
mod params;
pub mod plan;
mod rank;
mod reduce;
mod request;
mod schedule;
mod select;
mod simulate;
mod topology;
mod verify;

pub use arrangement::Arrangement;
pub use capabilities::Capabilities;
pub use chunk::{CACHE_LINE, ChunkRange, Chunks, Space};
pub use codec::Codec;
pub use cost::{Bytes, Corrections, CostModel, Rate};
pub use descriptor::{Descriptor, RankConstraint};
pub use fit::{Sample, fit};
pub use invocation::Invocation;
pub use layout::{Layout, Moves};
pub use mode::BufferMode;
pub use operation::Operation;
pub use params::{Contribution, Params};
pub use rank::Rank;
pub use reduce::ReduceOp;
pub use request::Request;
pub use schedule::{Action, Generated, Lane, Schedule, Site, Step, generate};
pub use select::{
    Answers, Candidate, Explanation, Refusal, Selector, Setting, choose, explain, predict,
};
pub use simulate::{LevelUse, LinkUse, Method, Simulated, Simulation};
pub use topology::{
    Dragonfly, FatTree, Islands, Level, Link, Network, Routing, SharedMemory, Topology, Torus,
};
pub use verify::{
    Blocked, Finding, Model, Node, Order, Packets, Place, Proof, Races, Relaxed, Report, Trees,
    Uneven, Verdict, cases, count_roundings, order_of_steps, prove, verify, verify_plan,
    verify_roundings, verify_schedule,
};

pub use ringwood_macros::register_collective_schedule as register_collective;

use ringwood_base::registry::{Entry, Kind};
use ringwood_base::{Error, Result, Shared};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A collective algorithm: a pure description of who sends what to whom.
///
/// `schedule` is called any number of times, on any thread, for any rank, and must push the same
/// steps each time: it has no access to data, and it may not consult clocks, randomness or globals.
/// The verifier checks that and proves the schedule before its first use.
///
/// A rank has at most 2^24 steps: more are an error, as of an endless loop. What `schedule` computes between
/// its steps has no bound in time. A proof of a small group calls it twice for each rank.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Collective`",
    label = "not a collective",
    note = "`register_collective!(name, value)` takes a value whose type has an `impl Collective`"
)]
pub trait Collective: Send + Sync {
    /// What the algorithm computes and what it asks for.
    fn describe(&self) -> Descriptor;

    /// Pushes the steps of `rank` in their order.
    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane);

    /// Completes a request to parameters; override it to choose segments by size. All else stays as asked: who calls
    /// this does so through [`Params::resolved`], which refuses an answer to another request.
    ///
    /// Equivalent to TensorFlow's `InitializeCollectiveParams`.
    ///
    /// # Errors
    /// The group size is not one that the descriptor allows.
    fn resolve(&self, request: &Request) -> Result<Params> {
        Params::of_request(&self.describe(), request)
    }
}

/// A collective's entry in the registry.
pub struct CollectiveDef {
    /// The algorithm.
    pub collective: Shared<dyn Collective>,
}

impl CollectiveDef {
    /// The algorithm, which describes itself by the name of its entry.
    ///
    /// # Errors
    /// It describes itself by another one, or panics.
    pub fn called(&self, entry: &Entry) -> Result<&dyn Collective> {
        self.describe(entry)?.check_name(entry.meta().name)?;
        Ok(&*self.collective)
    }

    /// What the algorithm says of itself.
    ///
    /// # Errors
    /// Its code panics; the error names the collective.
    pub fn describe(&self, entry: &Entry) -> Result<Descriptor> {
        catch_unwind(AssertUnwindSafe(|| self.collective.describe())).map_err(|payload| {
            let name = entry.meta().name;
            Error::from_panic(format!("collective `{name}`, `Collective::describe`,"), payload)
        })
    }
}

impl Kind for CollectiveDef {
    const NAME: &'static str = "collective";
}

#[doc(hidden)]
pub mod __private;
