//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::{Collective, CollectiveDef};
pub use ringwood_base::__private::*;
pub use ringwood_base::Shared;
