//! The processes that a launcher started together.

use crate::Library;
use ringwood_base::{Error, ErrorKind, Result};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::null_mut;

/// The processes that `mpirun` started together, seen from one of them. Dropping it finalises MPI,
/// which waits for the others and cannot be undone in this process.
///
/// A failure inside of MPI ends all processes: that is how MPI handles errors unless told otherwise.
pub struct World {
    library: Library,
    rank: usize,
    size: usize,
    /// MPI was initialised for calls from this thread.
    _thread: PhantomData<*mut ()>,
}

impl World {
    /// Initialises MPI in this process. Equivalent to `MPI_Init`.
    ///
    /// # Errors
    /// MPI is or was in use in this process, or cannot start.
    pub fn init(library: Library) -> Result<Self> {
        let (calls, abi) = (library.calls, library.abi);
        let mut initialized: c_int = 0;
        // SAFETY: allowed at any time; the pointer is valid.
        done("MPI_Initialized", unsafe { (calls.initialized)(&raw mut initialized) })?;
        if initialized != 0 {
            let message = "MPI was initialised in this process already";
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("it can be used once in the life of a process"));
        }
        let (mut rank, mut size): (c_int, c_int) = (0, 0);
        // SAFETY: MPI is not initialised (above) and takes null for the arguments of the program.
        done("MPI_Init", unsafe { (calls.init)(null_mut(), null_mut()) })?;
        // SAFETY: MPI is initialised, the handle is its world, the pointers are valid.
        done("MPI_Comm_rank", unsafe { (calls.rank)(abi.world, &raw mut rank) })?;
        // SAFETY: as above.
        done("MPI_Comm_size", unsafe { (calls.size)(abi.world, &raw mut size) })?;
        let number = |n: c_int| usize::try_from(n).unwrap_or(0);
        Ok(Self { library, rank: number(rank), size: number(size), _thread: PhantomData })
    }

    /// The position of this process, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of processes; 1 if no launcher of this library started them.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Waits for all processes. Equivalent to `MPI_Barrier`.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub fn barrier(&self) -> Result<()> {
        let Library { calls, abi, .. } = &self.library;
        // SAFETY: MPI is initialised as long as `self` lives, and this is its thread.
        done("MPI_Barrier", unsafe { (calls.barrier)(abi.world) })
    }

    /// Replaces the elements of every process by their sum. Equivalent to `MPI_Allreduce` with
    /// `MPI_IN_PLACE`, `MPI_FLOAT` and `MPI_SUM`.
    ///
    /// # Errors
    /// MPI reports a failure, or `data` has 2^31 elements or more.
    pub fn sum(&self, data: &mut [f32]) -> Result<()> {
        let Library { calls, abi, .. } = &self.library;
        let count = c_int::try_from(data.len()).map_err(|_| {
            let message = format!("{} elements are too many for one call of MPI", data.len());
            Error::new(ErrorKind::Unsupported, message)
        })?;
        let target = data.as_mut_ptr().cast();
        // SAFETY: MPI is initialised as long as `self` lives, and this is its thread; `data` is
        // `count` floats that nobody else uses during the call.
        done("MPI_Allreduce", unsafe {
            (calls.all_reduce)(abi.in_place, target, count, abi.float, abi.sum, abi.world)
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: MPI is initialised, this is its thread, and nothing of it is used afterwards. A
        // failure here ends the process by itself.
        unsafe { (self.library.calls.finalize)() };
    }
}

fn done(call: &'static str, code: c_int) -> Result<()> {
    match code {
        0 => Ok(()),
        _ => Err(Error::new(ErrorKind::Backend, format!("{call} failed with code {code}"))),
    }
}
