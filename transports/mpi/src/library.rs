//! Loading the library.

use crate::abi::{Abi, Handle};
use crate::launch::{Launcher, VARIABLE};
use libloading::os::unix::{Library as Loaded, RTLD_GLOBAL, RTLD_NOW};
use ringwood_base::{Error, Result};
use ringwood_session::__private::refused;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

/// An MPI library, loaded and not initialised; [`World::init`](crate::World::init) does that.
pub struct Library {
    name: String,
    version: String,
    pub(crate) abi: Abi,
    pub(crate) calls: Calls,
    /// Keeps the code of `calls` mapped.
    _loaded: Loaded,
}

/// Declares the functions that are called, with the signatures of the MPI standard.
macro_rules! calls {
    ($($field:ident = $symbol:literal ($($arg:ty),*);)*) => {
        #[derive(Clone, Copy)]
        pub(crate) struct Calls {
            $(pub(crate) $field: unsafe extern "C" fn($($arg),*) -> c_int,)*
        }

        impl Calls {
            fn bind(name: &str, loaded: &Loaded) -> Result<Self> {
                // SAFETY: the functions have these signatures in every MPI since version 3.
                unsafe { Ok(Self { $($field: find(name, loaded, $symbol)?,)* }) }
            }
        }
    };
}

calls! {
    init = "MPI_Init_thread" (*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int);
    initialized = "MPI_Initialized" (*mut c_int);
    finalize = "MPI_Finalize" ();
    abort = "MPI_Abort" (Handle, c_int);
    version = "MPI_Get_library_version" (*mut c_char, *mut c_int);
    error_string = "MPI_Error_string" (c_int, *mut c_char, *mut c_int);
    rank = "MPI_Comm_rank" (Handle, *mut c_int);
    size = "MPI_Comm_size" (Handle, *mut c_int);
    dup = "MPI_Comm_dup" (Handle, *mut Handle);
    attribute = "MPI_Comm_get_attr" (Handle, c_int, *mut c_void, *mut c_int);
    set_error_handler = "MPI_Comm_set_errhandler" (Handle, Handle);
    isend = "MPI_Isend" (*const c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle);
    irecv = "MPI_Irecv" (*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle);
    iprobe = "MPI_Iprobe" (c_int, c_int, Handle, *mut c_int, *mut Status);
    count = "MPI_Get_count" (*const Status, Handle, *mut c_int);
    test = "MPI_Test" (*mut Handle, *mut c_int, *mut Status);
    barrier = "MPI_Barrier" (Handle);
    group = "MPI_Comm_group" (Handle, *mut Handle);
    include = "MPI_Group_incl" (Handle, c_int, *const c_int, *mut Handle);
    create = "MPI_Comm_create_group" (Handle, Handle, c_int, *mut Handle);
    free_group = "MPI_Group_free" (*mut Handle);
    free = "MPI_Comm_free" (*mut Handle);
    all_gather = "MPI_Allgather" (*const c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle);
    broadcast = "MPI_Bcast" (*mut c_void, c_int, Handle, c_int, Handle);
    all_reduce = "MPI_Allreduce" (*const c_void, *mut c_void, c_int, Handle, Handle, Handle);
}

/// Room for the status of any library: at most 32 bytes are used.
pub(crate) type Status = [c_int; 16];

/// The longest text of a library.
const TEXT: usize = 8192;

impl Library {
    /// Loads the first library that is found, or the one called `name`: a file name or a path.
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
    /// There is none ([`ErrorKind::Unavailable`](ringwood_base::ErrorKind::Unavailable)), it lacks a function, or its handles are unknown.
    pub fn open(name: Option<&str>) -> Result<Self> {
        name.map_or_else(|| Self::first(Launcher::None.libraries()), |name| Self::first(&[name]))
    }

    /// Loads a library that this launcher starts.
    ///
    /// # Errors
    /// See [`Library::open`].
    pub fn of_launcher(launcher: Launcher) -> Result<Self> {
        Self::first(launcher.libraries()).map_err(|error| error.with("launcher", launcher))
    }

    fn first(names: &[&str]) -> Result<Self> {
        let mut refusals = Vec::new();
        for name in names {
            // SAFETY: loading an MPI library runs its initialisers, which have no conditions. Its
            // plug-ins look for its symbols, hence `RTLD_GLOBAL`.
            match unsafe { Loaded::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
                Ok(loaded) => return Self::bind(name, loaded),
                Err(error) => refusals.push(error.to_string()),
            }
        }
        Err(Error::unavailable(format!("no MPI library can be loaded: {}", refusals.join("; "))).help(format!(
            "install one, for instance the package libopenmpi3 or libmpich12, or name it in {VARIABLE}"
        )))
    }

    /// The file name that it was loaded by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says that it is: the first line of `MPI_Get_library_version`.
    pub fn version(&self) -> &str {
        &self.version
    }

    fn bind(name: &str, loaded: Loaded) -> Result<Self> {
        let calls = Calls::bind(name, &loaded)?;
        // SAFETY: allowed before initialisation; the text has room for the longest one.
        let version = text(|text, length| unsafe { (calls.version)(text, length) });
        let abi = find_abi(name, &loaded, &version)?;
        Ok(Self { name: name.to_owned(), version, abi, calls, _loaded: loaded })
    }

    /// # Errors
    /// A call returned this code, which is none of success.
    pub(crate) fn done(&self, call: &'static str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: allowed at any time; the text has room for the longest one.
        let text = text(|text, length| unsafe { (self.calls.error_string)(code, text, length) });
        let message = format!("{call} failed: {text}");
        Err(Error::backend(message).with("code", code).with("library", &self.name))
    }
}

/// The first line of what a library writes, in single spaces.
fn text(write: impl FnOnce(*mut c_char, *mut c_int) -> c_int) -> String {
    let (mut bytes, mut length) = (vec![0_u8; TEXT], 0);
    write(bytes.as_mut_ptr().cast(), &raw mut length);
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default().to_string_lossy();
    text.lines().next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The handles of a library: known by what it exports and says, not by its file name.
fn find_abi(name: &str, loaded: &Loaded, version: &str) -> Result<Abi> {
    let (mut major, mut minor): (c_int, c_int) = (-1, -1);
    type GetVersion = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    // SAFETY: the function of MPI 5 has this signature, and may be called before initialisation.
    unsafe {
        if let Ok(call) = find::<GetVersion>(name, loaded, "MPI_Abi_get_version") {
            call(&raw mut major, &raw mut minor);
        }
    }
    // SAFETY: the objects are only pointed at.
    let object = |symbol| unsafe { find::<Handle>(name, loaded, symbol) };
    if major == 1 {
        return Ok(Abi::standard());
    }
    if let Ok(world) = object("ompi_mpi_comm_world") {
        return Ok(Abi::open_mpi([
            world,
            object("ompi_mpi_byte")?,
            object("ompi_mpi_float")?,
            object("ompi_mpi_op_sum")?,
            object("ompi_mpi_errors_return")?,
        ]));
    }
    if major < 0 && ["MPICH", "Intel", "MVAPICH"].iter().any(|family| version.contains(family)) {
        return Ok(Abi::mpich());
    }
    let message =
        format!("`{name}` is `{version}` (MPI ABI {major}.{minor}), whose handles are unknown");
    Err(Error::unsupported(message)
        .help(format!("name Open MPI, MPICH, Intel MPI or libmpi_abi.so.1 in {VARIABLE}")))
}

/// The address of a symbol, as the pointer type `T`.
///
/// # Safety
/// The symbol is what `T` points to.
unsafe fn find<T: Copy>(library: &str, loaded: &Loaded, symbol: &str) -> Result<T> {
    // SAFETY: the caller's.
    unsafe { loaded.get::<T>(symbol.as_bytes()) }
        .map(|found| *found)
        .map_err(refused(format!("`{library}` has no `{symbol}`: it is no MPI library")))
}

/// No handle.
pub(crate) fn no_handle() -> Handle {
    null_mut()
}

#[cfg(test)]
mod tests;
