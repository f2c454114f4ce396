//! How ranks reach each other's data: an open set.
//!
//! A [`Transport`] connects the ranks of a group and runs proved schedules over what connects them.
//! Register one with [`register_transport!`](crate::register_transport); ask for it by name with
//! [`GroupBuilder::transport`](super::GroupBuilder::transport).

#[cfg(target_os = "linux")]
mod arena;
mod arrivals;
mod board;
mod bootstrap;
#[cfg(unix)]
mod channel;
mod failure;
mod memory;
mod message;
mod offer;
mod peer;
mod record;
mod region;
mod slab;
#[cfg(unix)]
mod socket;
mod wait;
mod words;

#[cfg(target_os = "linux")]
pub use arena::Arena;
#[cfg(target_os = "linux")]
pub(crate) use arena::{Map, SHARED};
pub use bootstrap::Bootstrap;
#[cfg(unix)]
pub use channel::Channel;
pub use failure::{Failure, Relay};
pub use memory::PeerMemory;
pub use region::Region;
pub(crate) use slab::Slab;
#[cfg(unix)]
pub use socket::{Socket, over_channels};

pub use super::engine::{Merge, Plan};
use super::{CallSpec, Statement};
use ringwood_base::registry::Kind;
use ringwood_base::{DType, Error, ErrorKind, Result};
pub use ringwood_schedule::Capabilities;
pub use ringwood_schedule::lower::{Address, Memory, Op, Program};
use ringwood_schedule::lower::{Apply, Local, Spot};
use ringwood_schedule::{BufferMode, Rank, Request};
use std::sync::Arc;
use std::time::Duration;

/// A way for the ranks of a group to reach each other's data.
pub trait Transport: Send + Sync {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

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
    Error::new(ErrorKind::Unsupported, message).help("use `arena` or `socket` between processes")
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

    /// The collective of the transport's own that can run a request, by its name: opaque, since nothing of it can be
    /// proved; the same on every rank. None by default.
    fn opaque(&self, request: &Request) -> Option<&'static str> {
        let _ = request;
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
    Error::new(ErrorKind::Unsupported, "this transport has no messages between two ranks")
        .help("call `permute` or `broadcast` on all ranks")
}

/// The memory that a rank brings to a call.
pub enum Buffers<'a> {
    /// The output replaces the input.
    InPlace(&'a mut [u8]),
    /// The output has memory of its own.
    Apart {
        /// What the rank contributes.
        input: &'a [u8],
        /// What it gets.
        output: &'a mut [u8],
    },
}

impl Buffers<'_> {
    /// What the rank contributes.
    pub fn input(&self) -> &[u8] {
        match self {
            Buffers::InPlace(data) => data,
            Buffers::Apart { input, .. } => input,
        }
    }

    /// What the rank gets.
    pub fn output(&mut self) -> &mut [u8] {
        match self {
            Buffers::InPlace(data) => data,
            Buffers::Apart { output, .. } => output,
        }
    }

    /// How they relate, and the bytes of input and output; in place twice the same.
    #[inline]
    pub(super) fn shape(&self) -> (BufferMode, [usize; 2]) {
        match self {
            Buffers::InPlace(data) => (BufferMode::InPlace, [data.len(); 2]),
            Buffers::Apart { input, output } => {
                (BufferMode::OutOfPlace, [input.len(), output.len()])
            }
        }
    }

    /// Whether they are what a plan was made for: its [`Plan::mode`] and [`Plan::lengths`].
    ///
    /// # Errors
    /// They are not.
    #[inline]
    pub fn check(&self, mode: BufferMode, lengths: [usize; 2]) -> Result<()> {
        let (found, given) = self.shape();
        if found == mode && given == lengths {
            return Ok(());
        }
        let message = format!("buffers of {given:?} bytes for a plan of {lengths:?}");
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }
}

/// What a rank is about to call.
pub struct Intent<'a> {
    /// The number of the call in its group, from 1.
    pub call: u64,
    /// What is called, with the prepared plan; or why this rank cannot.
    pub what: Result<Ready<'a>, &'a Error>,
    /// How long the call may take.
    pub bounds: Bounds,
}

impl Intent<'_> {
    /// What this rank says of its call when not all call the same.
    pub fn statement(&self) -> Statement {
        self.what.map(|ready| ready.spec.fields()).map_err(Clone::clone)
    }
}

/// A call that is ready to run.
#[derive(Clone, Copy)]
pub struct Ready<'a> {
    /// What all ranks must call.
    pub spec: &'a CallSpec,
    /// Its [fingerprint](CallSpec::fingerprint).
    pub fingerprint: u64,
    /// Where [`Endpoint::prepare`] put the plan.
    pub slot: usize,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// For all ranks to arrive.
    pub arrival: Duration,
    /// From then on.
    pub execution: Duration,
}

impl Default for Bounds {
    /// One minute each.
    fn default() -> Self {
        Self { arrival: Duration::from_secs(60), execution: Duration::from_secs(60) }
    }
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
/// use ringwood_collective::transport::PeerMemory;
/// use ringwood_collective::register_transport;
///
/// register_transport!(my_memory, PeerMemory);
/// assert_eq!(my_memory::ENTRY.meta().name, "my_memory");
/// ```
#[macro_export]
macro_rules! register_transport {
    ($name:ident, $transport:expr) => {
        /// The transport of this name; `ENTRY` registers it by hand.
        #[allow(non_camel_case_types)]
        pub enum $name {}

        impl $name {
            /// The registry entry.
            pub const ENTRY: $crate::__private::Entry = {
                static DEF: $crate::__private::TransportDef =
                    $crate::__private::TransportDef { transport: &$transport };
                $crate::__private::Entry::new($crate::__private::meta!(stringify!($name)), &DEF)
            };
        }

        const _: () = {
            $crate::__private::submit! { $name::ENTRY }
        };
    };
}

register_transport!(peer_memory, PeerMemory);

/// The entries of the transports of this crate.
pub mod entries {
    #[cfg(target_os = "linux")]
    pub use super::arena::arena;
    pub use super::peer_memory;
    #[cfg(unix)]
    pub use super::socket::socket;
}
