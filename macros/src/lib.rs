//! The declarations of Ringwood: backend, kernel, collective, global function and struct of tensors.
//!
//! Each macro has two entry points. The plain one expands to paths that start with `::ringwood` and
//! is re-exported by the facade; the one with the suffix of a floor, such as `_device`, expands to
//! `::ringwood_device` and is re-exported by that crate under the plain name. Both accept `crate = path`.
//!
//! A macro parses its tokens into a raw form with spans, validates that into a model, and expands
//! from the model alone. All mistakes of an item are reported together, and the item itself is
//! always kept.
#![forbid(unsafe_code)]

mod args;
mod backend;
mod collective;
mod diagnostics;
mod global_fn;
mod item;
mod kernel;
mod krate;
mod tensors;
#[cfg(test)]
mod tests;
mod text;

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
/// | `kernels_of = cpu`, `kernels_of = [opencl, cpu]` | the backends whose kernels its devices run as well, all of them and the preferred first: those of `cpu` as native code, those of `opencl` and `cuda` in that language, or in a dialect of its own |
/// | `dialect = MY_C` | a static `Dialect`: what its devices compile kernels from, if not the language of those backends |
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro_attribute]
pub fn backend(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(backend::expand, args, item, Krate::facade())
}

/// `#[backend]` with paths that start with `::ringwood_device`.
#[proc_macro_attribute]
pub fn backend_device(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(backend::expand, args, item, Krate::floor("device"))
}

/// Registers a collective algorithm: `register_collective!(ring, RingReducer)`.
///
/// The first argument is the name, an identifier or a string of letters a-z, digits and `_`. The
/// second is a constant expression of a type that implements `Collective`, without interior
/// mutability: a collective is a pure function. The entry for registration by hand is `ring::ENTRY`.
///
/// | argument after these | meaning |
/// |---|---|
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro]
pub fn register_collective(input: TokenStream) -> TokenStream {
    diagnostics::function(collective::expand, input, Krate::facade())
}

/// `register_collective!` with paths that start with `::ringwood_schedule`.
#[proc_macro]
pub fn register_collective_schedule(input: TokenStream) -> TokenStream {
    diagnostics::function(collective::expand, input, Krate::floor("schedule"))
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

/// `#[global_fn]` with paths that start with `::ringwood_session`.
#[proc_macro_attribute]
pub fn global_fn_session(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(global_fn::expand, args, item, Krate::floor("session"))
}

/// Makes a struct of tensors an argument and a result of recorded functions: it implements `lazy::Tensors`, and its
/// tensors have the names of the fields that lead to them, as `hidden.weight`.
///
/// Fields are `Lazy` tensors or other `Tensors`: structs, tuples, arrays, `Vec`, `Option`. The struct is `Clone`.
///
/// | attribute | of | meaning |
/// |---|---|---|
/// | `#[tensors(configuration)]` | a field | it is no tensor, but `Clone + Eq`: a function is recorded for each value of it |
/// | `#[tensors(crate = path)]` | the struct | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro_derive(Tensors, attributes(tensors))]
pub fn tensors(input: TokenStream) -> TokenStream {
    diagnostics::function(tensors::expand, input, Krate::facade())
}

/// `#[derive(Tensors)]` with paths that start with `::ringwood_graph`.
#[proc_macro_derive(TensorsGraph, attributes(tensors))]
pub fn tensors_graph(input: TokenStream) -> TokenStream {
    diagnostics::function(tensors::expand, input, Krate::floor("graph"))
}

/// Declares a kernel: a function in a subset of Rust that runs on the devices named.
///
/// | form | the function |
/// |---|---|
/// | `#[kernel(device = …)]` | a grid kernel: one call for each work-item, `gid(0)` is its index |
/// | `#[kernel(group = 256, groups = …, device = …)]` | a group kernel: `grp(0)` is the index of the group, `lid(0)` that of the work-item in it |
/// | `#[kernel(row = 256, device = …)]` | a group kernel with a group for each row of its `Row<T>` and `RowMut<T>` |
/// | `#[kernel(map, device = …)]` | scalars to a scalar, applied to whole arrays, which broadcast |
/// | `#[kernel(reduce(identity = 0.0), device = …)]` | two scalars to one, associative: combines the rows of a tensor in a pinned order |
/// | `#[kernel(host, device = …)]` | any Rust over slices, called once for each launch |
///
/// | argument | meaning |
/// |---|---|
/// | `device = cpu`, `device = [cpu, opencl]` | the backends that run it; required without a source |
/// | `opencl = include_str!("k.cl")`, `chip = "…"` | what the devices of that backend run instead of the body of a grid or group kernel; with a source for each device, `;` may stand for the body |
/// | `library(cuda = gemm)` | the routine of a vendor's library that the devices of that backend may run instead of the body |
/// | `implements = path` | the kernel that this item implements for more devices, with the same signature |
/// | `T in [f32, f64]` | the element types that the type parameter `T` stands for |
/// | `domain = rows`, `domain = (rows, columns)` | the work-items of a grid kernel, slowest dimension first; without it, the shape of the first slice that it writes, if each work-item has an element of its own there |
/// | `const TILE: usize in [16, 32]` | the values of a compile-time parameter, each a kernel: `name_16`, `name_32`; `name::<16>(…)` launches one |
/// | `group = 256`, `group = (16, 16)` | the work-items of a group, slowest dimension first; a power of two up to 1024 |
/// | `row = 256` | the work-items of the group that has a row; a power of two up to 1024 |
/// | `groups = rows`, `groups = (rows, columns)` | the number of groups of a group kernel, computed from the arguments |
/// | `requires(x.len() == y.len(), …)` | what must hold at a launch, over parameters and lengths; checked once |
/// | `racy` | several work-items may store to one element; one of the values stays |
/// | `unique` | no two work-items use an element that one of them stores: asserted where no proof follows without a requirement, checked by debug builds on the CPU |
/// | `nondeterministic` | the result may depend on the order of the work-items: atomic sums of floats, old values |
/// | `fp = relaxed` | math functions may be those of the device |
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
///
/// The work-items of a group meet at `barrier()`, share the turns of `for k in group_range(n)`, share
/// arrays declared with `shared!(tile: [[f32; 16]; 16])`, and combine values with `group_sum`,
/// `group_min` and `group_max`.
///
/// The name of a grid or group kernel is its launch function: scalars by value, `&Tensor` for `&[T]` and
/// `&mut Tensor` for `&mut [T]`; a tensor or a view of one for `View<T, R>`, `ViewMut<T, R>`, `Row<T>` and
/// `RowMut<T>`. Map, reduce and host kernels stay plain functions. In every form,
/// `name::launch` launches, on the device of its tensors; for a map kernel it takes the inputs and
/// returns the result. `name::ENTRY` is the entry for registration by hand.
///
/// Integers wrap, division by zero gives 0, shifts are masked, `min` and `max` drop a NaN. A read
/// outside of a slice gives 0, a write is skipped, and the first of them becomes the error of the
/// launch. A store needs an index that no other work-item has, which is proved when the kernel is
/// compiled: `gid(0)`, `gid(0) * k + c` for `c` in `0..k`, `gid(1) * w + gid(0)`; in a group kernel
/// `grp(0) * 256 + lid(0)`, `grp(0) * n + k` for `k` in `group_range(n)`, or `grp(0)` in
/// `if lid(0) == 0`. Otherwise there are `atomic_add`, `atomic_min`, `atomic_max`, `atomic_and`,
/// `atomic_or`, `atomic_xor`, `atomic_exchange` and `atomic_compare_exchange` of `&mut y[i]`.
#[proc_macro_attribute]
pub fn kernel(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(kernel::expand, args, item, Krate::facade())
}

/// Declares a device function: scalars to a scalar, called by kernels of any crate.
///
/// The function stays a plain function. Beside it there is an empty enum of the same name, so that
/// one `use` imports both; it carries what the kernels that call the function embed. The body is in
/// the subset of kernels, without slices and indices of work-items; it may call other device
/// functions, but not itself. In a kernel, `path::f(x)` has the type that its use needs, and the
/// compiler confirms it.
///
/// | argument | meaning |
/// |---|---|
/// | `crate = path` | where the expansion finds Ringwood, if not at `::ringwood` |
#[proc_macro_attribute]
pub fn device_fn(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(kernel::device_fn, args, item, Krate::facade())
}

/// `#[device_fn]` with paths that start with `::ringwood_device`.
#[proc_macro_attribute]
pub fn device_fn_device(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(kernel::device_fn, args, item, Krate::floor("device"))
}

/// `#[kernel]` with paths that start with `::ringwood_device`.
#[proc_macro_attribute]
pub fn kernel_device(args: TokenStream, item: TokenStream) -> TokenStream {
    diagnostics::attribute(kernel::expand, args, item, Krate::floor("device"))
}
