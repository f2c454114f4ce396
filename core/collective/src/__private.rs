//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::CollectiveLibraryDef;
pub use ringwood_base::__private::*;
