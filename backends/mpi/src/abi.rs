//! What differs between MPI libraries: the values of handles and constants.

use std::ffi::c_void;

/// A handle: an `int` in the MPICH family, a pointer elsewhere. Both are passed in a whole register
/// on the machines that Ringwood builds for, and a library reads the part that it declares.
pub(crate) type Handle = *mut c_void;

/// The handles that calls name.
#[derive(Clone, Copy)]
pub(crate) struct Abi {
    pub(crate) world: Handle,
    pub(crate) float: Handle,
    pub(crate) sum: Handle,
    pub(crate) in_place: Handle,
}

fn handle(value: usize) -> Handle {
    std::ptr::without_provenance_mut(value)
}

impl Abi {
    /// The standard ABI of MPI 5 (`libmpi_abi`).
    pub(crate) fn standard() -> Self {
        let (world, float, sum) = (handle(0x101), handle(0x210), handle(0x21));
        Self { world, float, sum, in_place: handle(1) }
    }

    /// The ABI that MPICH, Intel MPI and MVAPICH share.
    pub(crate) fn mpich() -> Self {
        let (world, float) = (handle(0x4400_0000), handle(0x4c00_040a));
        Self { world, float, sum: handle(0x5800_0003), in_place: handle(usize::MAX) }
    }

    /// Open MPI, whose handles are the addresses of objects that the library exports.
    pub(crate) fn open_mpi(world: Handle, float: Handle, sum: Handle) -> Self {
        Self { world, float, sum, in_place: handle(1) }
    }
}
