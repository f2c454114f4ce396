//! Collectives of a vendor's library over the memory of devices: an open set.

use crate::Tensors;
use ringwood_base::registry::{Kind, Registry};
use ringwood_base::{Error, Result};
use ringwood_device::device::{Device, Stream};
use ringwood_schedule::{Explanation, Order, Rank, Refusal, Request};
use std::time::{Duration, Instant};

/// A library of collectives over the memory of one backend's devices.
///
/// It is opaque: nothing of it is predicted or proved, and it merges in no order that is known. A call on tensors
/// that fixes no order and has blocks of one length takes it where every rank can and a measurement finds it faster; any
/// call without an order, where it names it: `comm.with("my_library")`. The ranks agree on every call as ever before the
/// library is called.
pub trait CollectiveLibrary: Send + Sync {
    /// Whether this process can use it at all. The ranks of a group agree on that once.
    ///
    /// # Errors
    /// Why not: the library is absent.
    fn available(&self) -> Result<()> {
        Ok(())
    }

    /// Whether it runs a request, which the call may have `asked` for by name. What changes more of a result
    /// than the order of its merges is for those calls alone. A mean is asked for as its sum.
    ///
    /// # Errors
    /// Why not: it is not available, or has no such operation, operator or type.
    fn check(&self, request: &Request, asked: bool) -> Result<()>;

    /// What the ranks of a new group meet by. Rank 0 asks for it, and the group hands it to all.
    ///
    /// # Errors
    /// The library refuses.
    fn invite(&self) -> Result<Vec<u8>>;

    /// Meets the other ranks within a time, each on a device of its own.
    ///
    /// # Errors
    /// The library refuses the device or the group, or a rank does not come in time. The rank has left then.
    fn join(
        &self,
        rank: Rank,
        invitation: &[u8],
        device: &Device,
        within: Duration,
    ) -> Result<Box<dyn LibraryMember>>;
}

/// A rank in a group of a [`CollectiveLibrary`]; dropping it leaves the group. Equivalent to `ncclComm_t`.
pub trait LibraryMember: Send {
    /// Puts a request that the library [takes](CollectiveLibrary::check) on a stream of the rank's device, until a
    /// deadline at the latest.
    ///
    /// # Errors
    /// The library refuses, or is not that far in time.
    fn submit(
        &mut self,
        stream: &Stream,
        request: &Request,
        tensors: &Tensors<'_>,
        deadline: Instant,
    ) -> Result<()>;

    /// What the library knows of work that was submitted; asked every few milliseconds while it runs.
    ///
    /// # Errors
    /// It failed.
    fn poll(&self) -> Result<()>;

    /// Ends the work under way, which frees the stream; the member is of no more use. Takes a bounded time.
    fn abort(&mut self);
}

/// A library's entry in the registry.
pub struct CollectiveLibraryDef {
    /// The library.
    pub library: &'static dyn CollectiveLibrary,
    /// The backend on whose devices it runs.
    pub backend: &'static str,
}

impl Kind for CollectiveLibraryDef {
    const NAME: &'static str = "collective_library";
}

impl CollectiveLibraryDef {
    /// Whether it runs a request on a device.
    ///
    /// # Errors
    /// [`CollectiveLibrary::check`]; the device is of another backend.
    pub(crate) fn check(&self, request: &Request, device: &Device, asked: bool) -> Result<()> {
        if device.backend_name() != self.backend {
            let message = format!("it runs on devices of {}, not on {device}", self.backend);
            return Err(Error::device(message));
        }
        self.library.check(request, asked)
    }
}

/// Adds to an explanation what libraries would do: those that can take the request on tensors, where a measurement
/// finds them faster, and why others are refused.
pub fn explain_libraries(
    registry: &Registry,
    request: &Request,
    order: Option<Order>,
    explanation: &mut Explanation,
) {
    for (entry, def) in registry.of::<CollectiveLibraryDef>() {
        let name = entry.meta().name.to_owned();
        let refused = match order {
            Some(order) => Some(no_order(&name, order)),
            None if request.what.counts.is_some() => {
                let why = "blocks of different lengths are for calls that name it";
                Some(Error::unsupported(why))
            }
            None => def.library.check(request, false).err(),
        };
        match refused {
            Some(error) => explanation
                .refused
                .push(Refusal { name: name.into(), why: error.message().to_owned() }),
            None => explanation.opaque.push(name.into()),
        }
    }
}

/// The refusal of a call that fixes an order, and of the collective called `name`, which has none.
pub(crate) fn no_order(name: &str, order: Order) -> Error {
    Error::unsupported(format!("collective `{name}` merges in no order that is known, not {order}"))
}

/// Registers a library of collectives under a name, with the backend of its devices.
///
/// ```
/// use ringwood_base::{Error, ErrorKind, Result};
/// use ringwood_collective::{CollectiveLibrary, LibraryMember, register_collective_library};
/// use ringwood_device::device::Device;
/// use ringwood_schedule::{Rank, Request};
/// use std::time::Duration;
///
/// struct Absent;
///
/// impl CollectiveLibrary for Absent {
///     fn check(&self, _: &Request, _: bool) -> Result<()> {
///         Err(Error::unavailable("the library is not on this machine"))
///     }
///
///     fn invite(&self) -> Result<Vec<u8>> {
///         Ok(Vec::new())
///     }
///
///     fn join(&self, _: Rank, _: &[u8], _: &Device, _: Duration) -> Result<Box<dyn LibraryMember>> {
///         Err(Error::unavailable("the library is not on this machine"))
///     }
/// }
///
/// register_collective_library!(my_library, Absent, backend = "mychip");
/// assert_eq!(my_library::ENTRY.meta().name, "my_library");
/// ```
#[macro_export]
macro_rules! register_collective_library {
    ($name:ident, $library:expr, backend = $backend:expr) => {
        $crate::__private::entry! {
            /// The library of collectives of this name; `ENTRY` registers it by hand.
            $name: $crate::__private::CollectiveLibraryDef =
                $crate::__private::CollectiveLibraryDef { library: &$library, backend: $backend }
        }
    };
}
