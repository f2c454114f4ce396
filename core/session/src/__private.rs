//! What expansions of the macros call, and what kinds of sessions in other crates share with those here. Not public API: it
//! changes without notice.

pub use crate::system::*;
pub use crate::threads::enter;
pub use crate::{DRef, GlobalFn, IntoArgument, Outcome, Parameter, Session, SessionKindDef};
pub use ringwood_base::__private::*;
pub use ringwood_base::Result;

use crate::Argument;

/// Calls the global function of `entry` on the workers of a session.
pub fn call<T, const N: usize>(
    session: &Session,
    entry: Entry,
    arguments: [Argument; N],
) -> Result<DRef<T>> {
    Ok(session.call(&entry.meta().full_name(), arguments)?.typed())
}
