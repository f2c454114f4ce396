//! Loading the library.

use crate::abi::{Abi, Handle};
use libloading::os::unix::{Library as Loaded, RTLD_GLOBAL, RTLD_NOW};
use ringwood_base::{Error, ErrorKind, Result};
use std::ffi::{c_char, c_int, c_void};

/// The libraries looked for: the standard ABI, then Open MPI, then the MPICH family.
const NAMES: [&str; 5] =
    ["libmpi_abi.so.1", "libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"];

/// An MPI library, loaded and not initialised; [`World::init`](crate::World::init) does that.
pub struct Library {
    name: String,
    pub(crate) abi: Abi,
    pub(crate) calls: Calls,
    /// Keeps the code of `calls` mapped.
    _loaded: Loaded,
}

/// The functions that are called, with the signatures of the MPI standard.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    pub(crate) init: unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char) -> c_int,
    pub(crate) initialized: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(crate) finalize: unsafe extern "C" fn() -> c_int,
    pub(crate) rank: unsafe extern "C" fn(Handle, *mut c_int) -> c_int,
    pub(crate) size: unsafe extern "C" fn(Handle, *mut c_int) -> c_int,
    pub(crate) barrier: unsafe extern "C" fn(Handle) -> c_int,
    pub(crate) all_reduce: AllReduce,
}

type AllReduce =
    unsafe extern "C" fn(*const c_void, *mut c_void, c_int, Handle, Handle, Handle) -> c_int;

impl Library {
    /// Loads the first library that is found, or the one called `name`.
    ///
    /// ```
    /// // Without MPI on the machine this is an error, not a failed build.
    /// match ringwood_mpi::Library::open(None) {
    ///     Ok(library) => println!("{}", library.name()),
    ///     Err(error) => assert_eq!(error.kind(), ringwood_base::ErrorKind::Unavailable),
    /// }
    /// ```
    ///
    /// # Errors
    /// There is none ([`ErrorKind::Unavailable`]), or it lacks a function.
    pub fn open(name: Option<&str>) -> Result<Self> {
        let mut refusals = Vec::new();
        for name in name.map_or(&NAMES[..], |_| &[]).iter().copied().chain(name) {
            // SAFETY: loading an MPI library runs its initialisers, which have no conditions. Its
            // plug-ins look for its symbols, hence `RTLD_GLOBAL`.
            match unsafe { Loaded::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
                Ok(loaded) => return Self::bind(name, loaded),
                Err(error) => refusals.push(error.to_string()),
            }
        }
        let message = format!("no MPI library can be loaded: {}", refusals.join("; "));
        Err(Error::new(ErrorKind::Unavailable, message)
            .help("install one, for instance the package libopenmpi3 or libmpich12"))
    }

    /// The file name that it was loaded by.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn bind(name: &str, loaded: Loaded) -> Result<Self> {
        // SAFETY: the functions have these signatures in every MPI since version 1.
        let calls = unsafe {
            Calls {
                init: find(name, &loaded, "MPI_Init")?,
                initialized: find(name, &loaded, "MPI_Initialized")?,
                finalize: find(name, &loaded, "MPI_Finalize")?,
                rank: find(name, &loaded, "MPI_Comm_rank")?,
                size: find(name, &loaded, "MPI_Comm_size")?,
                barrier: find(name, &loaded, "MPI_Barrier")?,
                all_reduce: find(name, &loaded, "MPI_Allreduce")?,
            }
        };
        // SAFETY: the objects are only pointed at.
        let object = |symbol| unsafe { find::<Handle>(name, &loaded, symbol) };
        let abi = match object("ompi_mpi_comm_world") {
            Ok(world) => {
                Abi::open_mpi(world, object("ompi_mpi_float")?, object("ompi_mpi_op_sum")?)
            }
            Err(_) if name.contains("mpi_abi") => Abi::standard(),
            Err(_) => Abi::mpich(),
        };
        Ok(Self { name: name.to_owned(), abi, calls, _loaded: loaded })
    }
}

/// The address of a symbol, as the pointer type `T`.
///
/// # Safety
/// The symbol is what `T` points to.
unsafe fn find<T: Copy>(library: &str, loaded: &Loaded, symbol: &str) -> Result<T> {
    // SAFETY: the caller's.
    unsafe { loaded.get::<T>(symbol.as_bytes()) }.map(|found| *found).map_err(|cause| {
        let message = format!("`{library}` has no `{symbol}`: it is no MPI library");
        Error::new(ErrorKind::Unavailable, message).because(cause)
    })
}

#[cfg(test)]
mod tests;
