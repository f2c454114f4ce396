//! The declarations of Ringwood: backend, kernel, collective and global function.
//!
//! Each macro has two entry points. The plain one expands to paths that start with `::ringwood` and
//! is re-exported by the facade; the one with the suffix `_core` expands to `::ringwood_core` and is
//! re-exported by that crate under the plain name. Both accept `crate = path`.
//!
//! A macro parses its tokens into a raw form with spans, validates that into a model, and expands
//! from the model alone. All mistakes of an item are reported together, and the item itself is
//! always kept.
#![forbid(unsafe_code)]

#[allow(dead_code)]
mod args;
mod backend;
mod collective;
#[allow(dead_code)]
mod diagnostics;
mod global_fn;
mod item;
mod krate;
#[cfg(test)]
mod testing;

use krate::Krate;
use proc_macro::TokenStream;

/// Registers a backend under a name: `#[backend(name = "mychip")]` on `impl Backend for MyChip`.
///
/// The impl stays as it is. Beside it, `MyChip` implements `Registered`, which gives it `NAME` and
/// the `ENTRY` for registration by hand, and the entry is submitted to the registry.
///
/// | argument | meaning |
/// |---|---|
/// | `name = "…"` | the name, as in `mychip:0`: letters a-z, digits and `_`; required |
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro_attribute]
pub fn backend(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(backend::expand, args, item, Krate::facade())
}

/// `#[backend]` with paths that start with `::ringwood_core`.
#[proc_macro_attribute]
pub fn backend_core(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(backend::expand, args, item, Krate::core())
}

/// Registers a collective algorithm: `register_collective!(ring, RingReducer)`.
///
/// The first argument is the name, an identifier or a string of letters a-z, digits and `_`. The
/// second is a constant expression of a type that implements `Collective`, without interior
/// mutability: a collective is a pure function. The entry for registration by hand is the constant
/// of that name in upper case: `RING`.
///
/// | argument after these | meaning |
/// |---|---|
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro]
pub fn register_collective(input: TokenStream) -> TokenStream {
    diagnostics::function(collective::expand, input, Krate::facade())
}

/// `register_collective!` with paths that start with `::ringwood_core`.
#[proc_macro]
pub fn register_collective_core(input: TokenStream) -> TokenStream {
    diagnostics::function(collective::expand, input, Krate::core())
}

/// Registers a function that the workers of a session run by name.
///
/// The function stays as it is. Beside it there is an empty enum of the same name, so that one `use`
/// imports both, with `ENTRY` for registration by hand and `call(&session, …)`, which runs the
/// function on every worker. An argument of `call` is a value or a `DRef` that holds one.
///
/// The first parameter may be the worker, `&Worker`. All others and the result are owned types that
/// travel to workers: `FromValue` and `IntoValue`. The result may be a `Result`.
///
/// | argument | meaning |
/// |---|---|
/// | `name = "…"` | the name, if not the function's own |
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro_attribute]
pub fn global_fn(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(global_fn::expand, args, item, Krate::facade())
}

/// `#[global_fn]` with paths that start with `::ringwood_core`.
#[proc_macro_attribute]
pub fn global_fn_core(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(global_fn::expand, args, item, Krate::core())
}
