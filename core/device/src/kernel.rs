//! What a kernel declares, and how a launch hands it its arguments.

mod bind;
mod code;
mod kept;
mod launch;

pub use bind::{Bound, BoundLaunch};
pub use code::Code;
pub use kept::Kept;
pub(crate) use launch::Proven;
pub use launch::{Arg, Launch};
#[doc(inline)]
pub use ringwood_kernel::*;

/// A list of what belongs to each argument: up to six need no allocation. It is extended, as a list that is collected is
/// moved.
type OfArgs<T> = smallvec::SmallVec<[T; 6]>;
