//! Loading the library.

use crate::abi::{Abi, Handle};
use crate::launch::{Launcher, VARIABLE};
use libloading::os::unix::{Library as Loaded, RTLD_GLOBAL, RTLD_NOW};
use ringwood_base::{Error, Result};
use ringwood_session::__private::refused;
use std::ffi::{CStr, c_char, c_int, c_void};

/// An MPI library, loaded and not initialised; [`World::init`](crate::World::init) does that.
pub struct Library {
    name: String,
    version: String,
    pub(crate) abi: Abi,
    calls: Calls,
    /// Keeps the code of `calls` mapped.
    _loaded: Loaded,
}

/// Declares the functions that are called, with the signatures of the MPI standard. Each is a method that turns what
/// the function reports into an error.
macro_rules! calls {
    ($($call:ident = $symbol:literal ($($arg:ident: $type:ty),*);)*) => {
        #[derive(Clone, Copy)]
        struct Calls {
            $($call: unsafe extern "C" fn($($type),*) -> c_int,)*
        }

        impl Calls {
            fn bind(name: &str, loaded: &Loaded) -> Result<Self> {
                // SAFETY: the functions have these signatures in every MPI since version 3.
                unsafe { Ok(Self { $($call: find(name, loaded, $symbol)?,)* }) }
            }
        }

        #[allow(dead_code, clippy::too_many_arguments, reason = "all are as MPI declares them")]
        impl Library {
            $(pub(crate) unsafe fn $call(&self, $($arg: $type),*) -> Result<()> {
                // SAFETY: the caller's.
                self.done($symbol, unsafe { (self.calls.$call)($($arg),*) })
            })*
        }
    };
}

calls! {
    init = "MPI_Init_thread" (count: *mut c_int, arguments: *mut *mut *mut c_char, level: c_int, given: *mut c_int);
    initialized = "MPI_Initialized" (flag: *mut c_int);
    finalize = "MPI_Finalize" ();
    abort = "MPI_Abort" (comm: Handle, code: c_int);
    library_version = "MPI_Get_library_version" (text: *mut c_char, length: *mut c_int);
    error_string = "MPI_Error_string" (code: c_int, text: *mut c_char, length: *mut c_int);
    rank = "MPI_Comm_rank" (comm: Handle, rank: *mut c_int);
    size = "MPI_Comm_size" (comm: Handle, size: *mut c_int);
    dup = "MPI_Comm_dup" (comm: Handle, new: *mut Handle);
    attribute = "MPI_Comm_get_attr" (comm: Handle, key: c_int, value: *mut c_void, flag: *mut c_int);
    set_error_handler = "MPI_Comm_set_errhandler" (comm: Handle, handler: Handle);
    isend = "MPI_Isend" (data: *const c_void, count: c_int, of: Handle, to: c_int, tag: c_int, comm: Handle, request: *mut Handle);
    irecv = "MPI_Irecv" (data: *mut c_void, count: c_int, of: Handle, from: c_int, tag: c_int, comm: Handle, request: *mut Handle);
    iprobe = "MPI_Iprobe" (from: c_int, tag: c_int, comm: Handle, flag: *mut c_int, status: *mut Status);
    count = "MPI_Get_count" (status: *const Status, of: Handle, count: *mut c_int);
    test = "MPI_Test" (request: *mut Handle, flag: *mut c_int, status: *mut Status);
    barrier = "MPI_Barrier" (comm: Handle);
    group = "MPI_Comm_group" (comm: Handle, group: *mut Handle);
    include = "MPI_Group_incl" (group: Handle, count: c_int, ranks: *const c_int, new: *mut Handle);
    create = "MPI_Comm_create_group" (comm: Handle, group: Handle, tag: c_int, new: *mut Handle);
    free_group = "MPI_Group_free" (group: *mut Handle);
    free = "MPI_Comm_free" (comm: *mut Handle);
    all_gather = "MPI_Allgather" (from: *const c_void, count: c_int, of: Handle, to: *mut c_void, each: c_int, as_of: Handle, comm: Handle);
    broadcast = "MPI_Bcast" (data: *mut c_void, count: c_int, of: Handle, root: c_int, comm: Handle);
    all_reduce = "MPI_Allreduce" (from: *const c_void, to: *mut c_void, count: c_int, of: Handle, op: Handle, comm: Handle);
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
        let version = text(|text, length| unsafe { (calls.library_version)(text, length) });
        let abi = find_abi(name, &loaded, &version)?;
        Ok(Self { name: name.to_owned(), version, abi, calls, _loaded: loaded })
    }

    /// # Errors
    /// A call returned this code, which is none of success.
    fn done(&self, call: &'static str, code: c_int) -> Result<()> {
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
    let object = |symbol: &str| unsafe { find::<Handle>(name, loaded, symbol) };
    if major == 1 {
        return Ok(Abi::standard());
    }
    if object("ompi_mpi_comm_world").is_ok() {
        return Abi::open_mpi(object);
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

#[cfg(test)]
mod tests;
