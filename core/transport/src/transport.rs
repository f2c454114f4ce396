//! How ranks reach each other's data: an open set.

use crate::{Bootstrap, Buffers, Failure, Intent, Plan, Region};
use ringwood_base::registry::Kind;
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{Answers, Arrangement, Capabilities, CostModel, Rank, Request};
use std::sync::Arc;
use std::time::Duration;

/// A way for the ranks of a group to reach each other's data.
pub trait Transport: Send + Sync {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// What its messages cost on machines of so many cores, until that is measured: assumed from its capabilities by
    /// default.
    fn costs(&self, cores: usize) -> CostModel {
        CostModel::of_transport(self.capabilities(), cores)
    }

    /// Connects a group of `ranks`: one endpoint for each, to be moved to their threads.
    ///
    /// # Errors
    /// The transport is not available, or not for so many ranks.
    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>>;

    /// Makes a place where `ranks` ranks in processes of this machine will find each other.
    ///
    /// # Errors
    /// The transport connects threads only (the default), or cannot make the place.
    fn bootstrap(&self, ranks: usize) -> Result<Bootstrap> {
        let _ = ranks;
        Err(threads_only())
    }

    /// Joins the group whose bootstrap has this address as `rank`, from a process of its own, within a time.
    ///
    /// # Errors
    /// The transport connects threads only (the default); there is no such place, it is for another
    /// group, the rank is taken, or others did not come in time.
    fn join(
        &self,
        rank: Rank,
        address: &str,
        within: Duration,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let _ = (rank, address, within, failure);
        Err(threads_only())
    }
}

fn threads_only() -> Error {
    let message = "this transport connects threads of one process only";
    Error::unsupported(message).help("use `arena` or `socket` between processes")
}

/// A rank's end of a transport. Dropping it means that the rank leaves the group.
pub trait Endpoint: Send {
    /// Prepares a plan for repeated runs as number `slot`, in place of an earlier one; the first
    /// use of a slot follows that of the slot before it.
    ///
    /// # Errors
    /// The transport cannot run this plan.
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()>;

    /// Agrees with every rank on what is called and, if all call the same, runs it on `buffers`,
    /// which are aligned for the plan's elements. Returns the bytes taken from peers.
    ///
    /// # Errors
    /// A rank calls something else or refuses its call: every rank gets the same error, no data
    /// moved, and the group stays usable. Or a rank does not come within the bounds, leaves or
    /// fails: the error sticks to the group, and the contents of the output are unspecified.
    fn call(&mut self, intent: &Intent<'_>, buffers: Buffers<'_>) -> Result<u64>;

    /// Sends elements to rank `to`; returns when it has them.
    ///
    /// # Errors
    /// The receiver asks for other elements: both get the same error, no data moved and the group
    /// stays usable. It does not come within the time, leaves or fails: the error sticks to the
    /// group. The transport has no messages apart from calls (the default).
    fn send(&mut self, to: usize, data: &[u8], dtype: DType, within: Duration) -> Result<()> {
        let _ = (to, data, dtype, within);
        Err(calls_only())
    }

    /// Receives elements from rank `from`.
    ///
    /// # Errors
    /// See [`Endpoint::send`].
    fn recv(&mut self, from: usize, data: &mut [u8], dtype: DType, within: Duration) -> Result<()> {
        let _ = (from, data, dtype, within);
        Err(calls_only())
    }

    /// Makes a place where `ranks` ranks of this group, in processes of their own, will find each other
    /// over its `transport`: [`Transport::bootstrap`] by default. A transport between machines makes
    /// one that they reach from there.
    ///
    /// # Errors
    /// See [`Transport::bootstrap`].
    fn bootstrap(&self, transport: &dyn Transport, ranks: usize) -> Result<Bootstrap> {
        transport.bootstrap(ranks)
    }

    /// Which ranks share a machine, if the transport knows: for groups that are given no arrangement. None by default.
    fn arrangement(&self) -> Arrangement {
        Arrangement::default()
    }

    /// What the processes of the group share of what they choose and prove, if the transport has memory for that; they
    /// wait for each other within a time. None by default: each finds it by itself.
    fn answers(&self, within: Duration) -> Option<Answers> {
        let _ = within;
        None
    }

    /// The collective of the transport's own that can run a request, by its name: opaque, since nothing of it can be
    /// proved; the same on every rank. None by default.
    fn opaque(&self, request: &Request) -> Option<&'static str> {
        let _ = request;
        None
    }

    /// Why its own collective of this name cannot run a request; `None` where it has none of this name (the default), or it
    /// can.
    fn refuses(&self, name: &str, request: &Request) -> Option<Error> {
        let _ = (name, request);
        None
    }

    /// Makes a slot, which has a plan for no elements, one of the collective that [`Endpoint::opaque`] names: a call
    /// there agrees as ever, and runs that.
    ///
    /// # Errors
    /// There is none (the default).
    fn prepare_opaque(&mut self, slot: usize, request: &Request) -> Result<()> {
        let _ = (slot, request);
        Err(calls_only())
    }

    /// Memory of `bytes` bytes, all 0, from which calls need no copy; ordinary memory by default.
    ///
    /// # Errors
    /// There is not so much of it.
    fn allocate(&mut self, bytes: usize) -> Result<Region> {
        Region::ordinary(bytes)
    }
}

fn calls_only() -> Error {
    Error::unsupported("this transport has no messages between two ranks")
        .help("call `permute` or `broadcast` on all ranks")
}

/// A transport's entry in the registry.
pub struct TransportDef {
    /// The transport.
    pub transport: &'static dyn Transport,
}

impl Kind for TransportDef {
    const NAME: &'static str = "transport";
}

/// Registers a transport under a name.
///
/// ```
/// use ringwood_transport::PeerMemory;
/// use ringwood_transport::register_transport;
///
/// register_transport!(my_memory, PeerMemory);
/// assert_eq!(my_memory::ENTRY.meta().name, "my_memory");
/// ```
#[macro_export]
macro_rules! register_transport {
    ($name:ident, $transport:expr) => {
        $crate::__private::entry! {
            /// The transport of this name; `ENTRY` registers it by hand.
            $name: $crate::__private::TransportDef =
                $crate::__private::TransportDef { transport: &$transport }
        }
    };
}
