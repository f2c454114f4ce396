//! What expansions of the macros call. Not public API: it changes without notice.

pub use crate::Result;
pub use crate::backend::Registered;
pub use crate::collective::Collective;
pub use crate::device::{LaunchArg, launch};
pub use crate::registry::{Entry, EntryMeta, Item};
pub use crate::session::{DRef, GlobalFn, IntoArgument, Outcome, Parameter, Session};

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

pub use crate::device::Tensor;
pub use crate::kernel::{
    Arguments, DomainFn, Form, Inputs, Instance, KernelDef, Native, NativeLaunch, Operand,
    Operands, Param, ParamKind, View, ViewMut, grid_1, grid_2, grid_3, map,
};
pub use crate::{DType, Error, ErrorKind, Result, Scalar, ScalarType, Shape};
pub use ringwood_ir::math;

/// What the bodies of kernels name, for the copy of a body that only type-checks.
pub mod twin {
    /// The index of the work-item along dimension `d` of the domain; 0 is contiguous.
    pub fn gid(d: usize) -> usize {
        d
    }
}

/// What a host kernel returns.
pub trait Outcome {
    /// The result of the launch.
    fn outcome(self) -> Result<()>;
}

impl Outcome for () {
    fn outcome(self) -> Result<()> {
        Ok(())
    }
}

impl<E: Into<Error>> Outcome for Result<(), E> {
    fn outcome(self) -> Result<()> {
        self.map_err(Into::into)
    }
}

/// The error of a launch for which a requirement of the kernel does not hold.
#[cold]
pub fn requirement(kernel: &str, text: &str) -> Error {
    let message = format!("kernel `{kernel}` requires {text}, which does not hold for this launch");
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The plain function of a map kernel with several element types: `A` are its arguments.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` has no instance for the arguments {A}",
    note = "the element types are those of `T in [..]` in its declaration"
)]
pub trait Call<A> {
    /// The type of the result.
    type Result;
    /// Calls the function.
    fn call(args: A) -> Self::Result;
}
