//! What differs between MPI libraries: the values of handles and constants.

use std::ffi::{c_int, c_void};

/// A handle: an `int` in the MPICH family, a pointer elsewhere. Both are passed in a whole register
/// on the machines that Ringwood builds for, and a library reads the part that it declares; where it
/// writes one, the rest stays 0.
pub(crate) type Handle = *mut c_void;

const _: () = assert!(cfg!(target_endian = "little"), "an `int` is the first part of a pointer");

/// The handles and numbers that calls name.
#[derive(Clone, Copy)]
pub(crate) struct Abi {
    pub(crate) world: Handle,
    pub(crate) byte: Handle,
    pub(crate) float: Handle,
    pub(crate) sum: Handle,
    pub(crate) errors_return: Handle,
    pub(crate) in_place: Handle,
    pub(crate) any_source: c_int,
    pub(crate) any_tag: c_int,
    /// The thread level at which calls come from any thread, one at a time.
    pub(crate) serialized: c_int,
    /// The same, several at a time.
    pub(crate) multiple: c_int,
    /// The attribute that is the largest tag.
    pub(crate) largest_tag: c_int,
    /// Where a status has its source, counted in `int`s; its tag follows.
    pub(crate) source: usize,
}

fn handle(value: usize) -> Handle {
    std::ptr::without_provenance_mut(value)
}

impl Abi {
    /// The standard ABI of MPI 5 (`libmpi_abi`).
    pub(crate) fn standard() -> Self {
        Self {
            world: handle(0x101),
            byte: handle(0x247),
            float: handle(0x210),
            sum: handle(0x21),
            errors_return: handle(0x143),
            in_place: handle(1),
            any_source: -1,
            any_tag: -2,
            serialized: 2048,
            multiple: 4096,
            largest_tag: 501,
            source: 0,
        }
    }

    /// The ABI that MPICH, Intel MPI and MVAPICH share.
    pub(crate) fn mpich() -> Self {
        Self {
            world: handle(0x4400_0000),
            byte: handle(0x4c00_010d),
            float: handle(0x4c00_040a),
            sum: handle(0x5800_0003),
            errors_return: handle(0x5400_0001),
            in_place: handle(usize::MAX),
            any_source: -2,
            any_tag: -1,
            serialized: 2,
            multiple: 3,
            largest_tag: 0x6440_0001,
            source: 2,
        }
    }

    /// Open MPI, whose handles are the addresses of objects that the library exports: its world,
    /// byte, float, sum and the handler that returns errors.
    pub(crate) fn open_mpi([world, byte, float, sum, errors_return]: [Handle; 5]) -> Self {
        Self {
            world,
            byte,
            float,
            sum,
            errors_return,
            any_source: -1,
            any_tag: -1,
            serialized: 2,
            multiple: 3,
            largest_tag: 0,
            ..Self::standard()
        }
    }
}
