//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::backend::{BackendDef, Registered};
pub use crate::device::{LaunchArg, launch};
pub use ringwood_base::__private::*;
pub use ringwood_base::Result;
pub use ringwood_ir::print::Dialect;

pub mod kernel;
