//! Loading the library.

use cudarc::nccl::sys::{cudaStream_t, ncclComm_t, ncclConfig_t, ncclResult_t, ncclUniqueId};
use libc::RTLD_NODELETE;
use libloading::os::unix::{Library as Loaded, RTLD_LOCAL, RTLD_NOW};
use ringwood_base::{Error, Result};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

/// An NCCL library, loaded.
pub struct Library {
    name: String,
    version: c_int,
    pub(crate) calls: Calls,
    /// Keeps the code of `calls` mapped, as does the system for the threads of the library.
    _loaded: Option<Loaded>,
}

/// Declares the functions that are called. Statuses are numbers, as later libraries may have more of them than the
/// bindings know; so are the values of enumerations.
macro_rules! calls {
    ($($field:ident = $symbol:literal ($($arg:ty),*) -> $output:ty;)*) => {
        #[derive(Clone, Copy)]
        pub(crate) struct Calls {
            $(pub(crate) $field: unsafe extern "C" fn($($arg),*) -> $output,)*
        }

        impl Calls {
            fn bind(name: &str, loaded: &Loaded) -> Result<Self> {
                // SAFETY: the functions have these signatures in every NCCL since version 2.18.
                unsafe { Ok(Self { $($field: find(name, loaded, $symbol)?,)* }) }
            }
        }
    };
}

calls! {
    version = "ncclGetVersion" (*mut c_int) -> c_int;
    error_string = "ncclGetErrorString" (c_int) -> *const c_char;
    last_error = "ncclGetLastError" (ncclComm_t) -> *const c_char;
    unique_id = "ncclGetUniqueId" (*mut ncclUniqueId) -> c_int;
    init = "ncclCommInitRankConfig" (*mut ncclComm_t, c_int, ncclUniqueId, c_int, *mut ncclConfig_t) -> c_int;
    async_error = "ncclCommGetAsyncError" (ncclComm_t, *mut c_int) -> c_int;
    finalize = "ncclCommFinalize" (ncclComm_t) -> c_int;
    destroy = "ncclCommDestroy" (ncclComm_t) -> c_int;
    abort = "ncclCommAbort" (ncclComm_t) -> c_int;
    all_reduce = "ncclAllReduce" (*const c_void, *mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t) -> c_int;
    reduce = "ncclReduce" (*const c_void, *mut c_void, usize, c_int, c_int, c_int, ncclComm_t, cudaStream_t) -> c_int;
    broadcast = "ncclBroadcast" (*const c_void, *mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t) -> c_int;
    all_gather = "ncclAllGather" (*const c_void, *mut c_void, usize, c_int, ncclComm_t, cudaStream_t) -> c_int;
    reduce_scatter = "ncclReduceScatter" (*const c_void, *mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t) -> c_int;
}

/// Names the library to load.
const VARIABLE: &str = "RINGWOOD_NCCL";
/// The names that packages give it.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];
/// The first version whose communicators do not block as this crate needs it.
const OLDEST: c_int = 21_800;

impl Library {
    /// Loads the library called `name`, a file name or a path; without a name that of `RINGWOOD_NCCL`, else the
    /// first one that is found.
    ///
    /// ```
    /// // Without NCCL on the machine this is an error, not a failed build.
    /// match ringwood_nccl::Library::open(None) {
    ///     Ok(library) => println!("{} {}", library.name(), library.version()),
    ///     Err(error) => assert_eq!(error.kind(), ringwood_base::ErrorKind::Unavailable),
    /// }
    /// ```
    ///
    /// # Errors
    /// There is none, it lacks a function, or it is older than 2.18 ([`ErrorKind::Unavailable`](ringwood_base::ErrorKind::Unavailable)).
    pub fn open(name: Option<&str>) -> Result<Self> {
        let named = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        let named = name.or(named.as_deref());
        let mut refusals = Vec::new();
        for name in named.as_ref().map_or(&NAMES[..], std::slice::from_ref) {
            // SAFETY: loading NCCL runs its initialisers, which have no conditions. The thread that it starts for
            // each id runs its code for longer than anyone knows, hence `RTLD_NODELETE`.
            match unsafe { Loaded::open(Some(name), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) } {
                Ok(loaded) => {
                    let calls = Calls::bind(name, &loaded)?;
                    return Self::of(name, calls, Some(loaded));
                }
                Err(error) => refusals.push(error.to_string()),
            }
        }
        Err(Error::unavailable(format!("no NCCL library can be loaded: {}", refusals.join("; "))).help(format!(
            "install the package libnccl2 or the Python package nvidia-nccl-cu12, or name the file in {VARIABLE}"
        )))
    }

    fn of(name: &str, calls: Calls, loaded: Option<Loaded>) -> Result<Self> {
        let mut library = Self { name: name.to_owned(), version: 0, calls, _loaded: loaded };
        // SAFETY: allowed at any time; the number is written.
        let code = unsafe { (calls.version)(&raw mut library.version) };
        library.done("ncclGetVersion", code, null_mut())?;
        if library.version >= OLDEST {
            return Ok(library);
        }
        let message = format!("`{name}` is NCCL {}, which is too old", library.version());
        Err(Error::unavailable(message).help("install NCCL 2.18 or later"))
    }

    /// The one of this process, loaded at the first use.
    pub(crate) fn of_process() -> Result<Arc<Self>> {
        static LOADED: OnceLock<Result<Arc<Library>>> = OnceLock::new();
        LOADED.get_or_init(|| Self::open(None).map(Arc::new)).clone()
    }

    /// The file name that it was loaded by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version, as in `2.32.3`.
    pub fn version(&self) -> String {
        let code = self.version;
        format!("{}.{}.{}", code / 10_000, code / 100 % 100, code % 100)
    }

    /// What the ranks of a new communicator meet by.
    pub(crate) fn unique_id(&self) -> Result<ncclUniqueId> {
        let mut id = ncclUniqueId { internal: [0; 128] };
        // SAFETY: the id has this size in every version.
        let code = unsafe { (self.calls.unique_id)(&raw mut id) };
        self.done("ncclGetUniqueId", code, null_mut()).map(|()| id)
    }

    /// # Errors
    /// A call, of this communicator if it has one, returned a status that is none of success.
    pub(crate) fn done(&self, call: &'static str, code: c_int, comm: ncclComm_t) -> Result<()> {
        if code == ncclResult_t::ncclSuccess as c_int {
            return Ok(());
        }
        // SAFETY: the texts are the library's own, and live until its next error.
        let texts = unsafe {
            [(self.calls.error_string)(code), (self.calls.last_error)(comm)]
                .map(|text| (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy()))
        };
        let mut message = format!("{call} failed");
        for text in texts.iter().flatten().map(|text| text.trim()).filter(|text| !text.is_empty()) {
            message += &format!(": {text}");
        }
        let error = Error::backend(message).with("code", code);
        Err(error.with("library", format_args!("{} {}", self.name, self.version())))
    }
}

/// The address of a symbol, as the pointer type `T`.
///
/// # Safety
/// The symbol is what `T` points to.
unsafe fn find<T: Copy>(library: &str, loaded: &Loaded, symbol: &str) -> Result<T> {
    // SAFETY: the caller's.
    unsafe { loaded.get::<T>(symbol.as_bytes()) }.map(|found| *found).map_err(|cause| {
        let message = format!("`{library}` has no `{symbol}`: it is no NCCL library, or too old");
        Error::unavailable(message).because(cause).help("install NCCL 2.18 or later")
    })
}

#[cfg(test)]
pub(crate) mod tests;
