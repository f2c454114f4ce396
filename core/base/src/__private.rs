//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::registry::{Entry, EntryMeta, package, underscored};

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

/// The package whose source the macro stands in, as in a path.
#[doc(hidden)]
#[macro_export]
macro_rules! __package {
    () => {{
        const NAME: &str = match ::core::option_env!("CARGO_PKG_NAME") {
            ::core::option::Option::Some(name) => name,
            ::core::option::Option::None => "",
        };
        const PATH: &[u8] = &$crate::__private::underscored::<{ NAME.len() }>(NAME);
        $crate::__private::package(PATH)
    }};
}

pub use crate::__package as package_here;

/// The name of an item, its package, and the place of the macro that declares it.
#[doc(hidden)]
#[macro_export]
macro_rules! __meta {
    ($name:expr) => {
        $crate::__private::EntryMeta {
            package: $crate::__package!(),
            name: $name,
            module_path: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
        }
    };
}

pub use crate::__meta as meta;

/// An empty enum that carries the entry of an item, and its submission.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    ($(#[$doc:meta])* $name:ident: $kind:ty = $definition:expr) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        pub enum $name {}

        impl $name {
            /// The registry entry.
            pub const ENTRY: $crate::__private::Entry = {
                static DEF: $kind = $definition;
                $crate::__private::Entry::new($crate::__meta!(stringify!($name)), &DEF)
            };
        }

        const _: () = {
            $crate::__submit! { $name::ENTRY }
        };
    };
}

pub use crate::__entry as entry;
