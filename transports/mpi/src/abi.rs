//! What differs between MPI libraries: the values of handles and constants.

use ringwood_base::Result;
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut as handle;

/// A handle: an `int` in the MPICH family, a pointer elsewhere. Both are passed in a whole register
/// on the machines that Ringwood builds for, and a library reads the part that it declares; where it
/// writes one, the rest stays 0.
pub(crate) type Handle = *mut c_void;

const _: () = assert!(cfg!(target_endian = "little"), "an `int` is the first part of a pointer");

macro_rules! abi {
    (
        handles { $($handle:ident = $mpi5:literal, $mpich:literal, $symbol:literal;)* }
        values { $($(#[$doc:meta])* $value:ident: $type:ty = $of_mpi5:expr, $of_mpich:expr, $of_open_mpi:expr;)* }
    ) => {
        /// The handles and numbers that calls name.
        #[derive(Clone, Copy)]
        pub(crate) struct Abi {
            $(pub(crate) $handle: Handle,)*
            $($(#[$doc])* pub(crate) $value: $type,)*
        }

        impl Abi {
            /// The standard ABI of MPI 5 (`libmpi_abi`).
            pub(crate) fn standard() -> Self {
                Self { $($handle: handle($mpi5),)* $($value: $of_mpi5,)* }
            }

            /// The ABI that MPICH, Intel MPI and MVAPICH share.
            pub(crate) fn mpich() -> Self {
                Self { $($handle: handle($mpich),)* $($value: $of_mpich,)* }
            }

            /// Open MPI, whose handles are the addresses of objects that the library exports.
            pub(crate) fn open_mpi(object: impl Fn(&str) -> Result<Handle>) -> Result<Self> {
                Ok(Self { $($handle: object($symbol)?,)* $($value: $of_open_mpi,)* })
            }
        }
    };
}

// Of MPI 5, of the MPICH family, and of Open MPI.
abi! {
    handles {
        world = 0x101, 0x4400_0000, "ompi_mpi_comm_world";
        byte = 0x247, 0x4c00_010d, "ompi_mpi_byte";
        float = 0x210, 0x4c00_040a, "ompi_mpi_float";
        sum = 0x21, 0x5800_0003, "ompi_mpi_op_sum";
        errors_return = 0x143, 0x5400_0001, "ompi_mpi_errors_return";
    }
    values {
        in_place: Handle = handle(1), handle(usize::MAX), handle(1);
        any_source: c_int = -1, -2, -1;
        any_tag: c_int = -2, -1, -1;
        /// The thread level at which calls come from any thread, one at a time.
        serialized: c_int = 2048, 2, 2;
        /// The same, several at a time.
        multiple: c_int = 4096, 3, 3;
        /// The attribute that is the largest tag.
        largest_tag: c_int = 501, 0x6440_0001, 0;
        /// Where a status has its source, counted in `int`s; its tag follows.
        source: usize = 0, 2, 0;
    }
}
