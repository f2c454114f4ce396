//! What expansions of `#[kernel]` call.

pub use crate::device::Tensor;
pub use crate::kernel::{
    Arguments, DomainFn, Form, Inputs, Instance, KernelDef, Native, NativeLaunch, Operand,
    Operands, Param, ParamKind, View, ViewMut, extents, grid_1, grid_2, grid_3, map,
};
pub use crate::registry::Item;
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
