//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::Result;
pub use crate::backend::Registered;
pub use crate::collective::Collective;
pub use crate::device::{LaunchArg, launch};
pub use crate::registry::{Entry, EntryMeta, Item};
pub use crate::session::{DRef, GlobalFn, IntoArgument, Outcome, Parameter, Session};

pub mod kernel;

use crate::session::Argument;

/// Calls the global function of `entry` on the workers of a session.
pub fn call<T, const N: usize>(
    session: &Session,
    entry: Entry,
    arguments: [Argument; N],
) -> Result<DRef<T>> {
    Ok(session.call(entry.meta.name, arguments)?.typed())
}

#[cfg(feature = "inventory")]
pub use inventory;

/// Submits an entry for discovery at link time; nothing without the feature `inventory`.
#[cfg(feature = "inventory")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {
        $crate::__private::inventory::submit! { $entry }
    };
}

#[cfg(not(feature = "inventory"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {};
}

pub use crate::__submit as submit;

/// The name of an item and the place of the macro that declares it.
#[doc(hidden)]
#[macro_export]
macro_rules! __meta {
    ($name:expr) => {
        $crate::__private::EntryMeta {
            name: $name,
            module_path: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
        }
    };
}

pub use crate::__meta as meta;
