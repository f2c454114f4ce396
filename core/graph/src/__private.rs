//! What expansions of the macros call. Not public API: it changes without notice.

pub use ringwood_base::__private::*;
pub use ringwood_device::kernel::KernelName;
