//! Whether the libraries can be called: the bindings panic on an absent library or function, so both
//! are looked for first. Lists of functions have blanks and ends of lines between the names.

use crate::error::INSTALL;
use cudarc::{cublas, driver, nvrtc};
use ringwood_base::{Error, Result};
use std::sync::OnceLock;

/// The functions of the driver that this crate calls.
const DRIVER: &str = "
    cuCtxGetCurrent cuCtxSetCurrent cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount
    cuDeviceGetDefaultMemPool cuDeviceGetName cuDevicePrimaryCtxRelease_v2
    cuDevicePrimaryCtxRetain cuDeviceTotalMem_v2 cuEventCreate cuEventDestroy_v2 cuEventRecord
    cuEventSynchronize cuGetErrorName cuGetErrorString cuInit cuLaunchKernel cuMemAllocAsync
    cuMemFreeAsync cuMemFreeHost cuMemHostAlloc cuMemPoolSetAttribute cuMemPoolTrimTo
    cuMemcpyDtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyHtoDAsync_v2 cuMemcpyPeerAsync
    cuMemsetD8Async cuModuleGetFunction cuModuleLoadData cuModuleUnload cuStreamCreate
    cuStreamDestroy_v2 cuStreamSynchronize cuStreamWaitEvent
";

/// The functions of the driver that command buffers call.
const GRAPHS: &str = "
    cuGraphDestroy cuGraphExecDestroy cuGraphInstantiateWithFlags cuGraphLaunch
    cuStreamBeginCapture_v2 cuStreamEndCapture
";

/// The functions of NVRTC that this crate calls.
const NVRTC: &str = "
    nvrtcCompileProgram nvrtcCreateProgram nvrtcDestroyProgram nvrtcGetCUBIN nvrtcGetCUBINSize
    nvrtcGetNumSupportedArchs nvrtcGetPTX nvrtcGetPTXSize nvrtcGetProgramLog
    nvrtcGetProgramLogSize nvrtcGetSupportedArchs nvrtcVersion
";

/// The functions of cuBLAS that this crate calls.
const CUBLAS: &str = "
    cublasCreate_v2 cublasDestroy_v2 cublasDgemm_v2 cublasSetMathMode cublasSetStream_v2
    cublasSetWorkspace_v2 cublasSgemm_v2
";

/// Whether the library of a module of `cudarc` is there and has the functions that are called.
macro_rules! library {
    ($(#[$doc:meta])* $module:ident: $functions:ident, $what:literal, $absent:literal, $help:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// [`ErrorKind::Unavailable`]: it is not there, or lacks a function.
        pub(crate) fn $module() -> Result<()> {
            static FOUND: OnceLock<Result<()>> = OnceLock::new();
            let look = || {
                // SAFETY: loading the library runs its initialisers, which have no conditions.
                if !unsafe { $module::sys::is_culib_present() } {
                    return Err(Error::unavailable($absent).help($help));
                }
                // SAFETY: as above; the library is there.
                let library = unsafe { $module::sys::culib() };
                // SAFETY: the addresses are looked at only.
                let has = |name: &str| unsafe { library.get::<*const ()>(name.as_bytes()) }.is_ok();
                complete($what, $functions, has)
            };
            FOUND.get_or_init(look).clone()
        }
    };
}

library! {
    /// Whether the driver can be called; asked once.
    driver: DRIVER, "the CUDA driver", "there is no CUDA driver on this machine", INSTALL
}

library! {
    /// Whether NVRTC can be called; asked once.
    nvrtc: NVRTC, "NVRTC",
    "there is no NVRTC library, the compiler of CUDA C, on this machine",
    "install the CUDA toolkit, or the Python package nvidia-cuda-nvrtc-cu12"
}

library! {
    /// Whether cuBLAS can be called; asked once.
    cublas: CUBLAS, "cuBLAS",
    "there is no cuBLAS library on this machine",
    "install the CUDA toolkit, or the Python package nvidia-cublas-cu12"
}

/// Whether the driver, which can be called, captures graphs; asked once.
///
/// # Errors
/// [`ErrorKind::Unsupported`]: it lacks a function.
pub(crate) fn graphs() -> Result<()> {
    static FOUND: OnceLock<Result<()>> = OnceLock::new();
    let look = || match GRAPHS.split_ascii_whitespace().find(|name| !driver_has(name)) {
        None => Ok(()),
        Some(missing) => {
            let message = format!("the CUDA driver has no `{missing}`, so it prepares no launches");
            Err(Error::unsupported(message).help("install CUDA 11.4 or later"))
        }
    };
    FOUND.get_or_init(look).clone()
}

/// Whether the driver, which is there, has a function.
fn driver_has(name: &str) -> bool {
    // SAFETY: the driver was found before, and loading it has no conditions.
    let library = unsafe { driver::sys::culib() };
    // SAFETY: the address is looked at only.
    unsafe { library.get::<*const ()>(name.as_bytes()) }.is_ok()
}

fn complete(library: &str, functions: &str, has: impl Fn(&str) -> bool) -> Result<()> {
    let missing = functions.split_ascii_whitespace().find(|name| !has(name));
    let Some(missing) = missing else { return Ok(()) };
    let message = format!("{library} has no `{missing}`: it is too old");
    Err(Error::unavailable(message).help("install CUDA 11.2 or later"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringwood_base::ErrorKind;

    #[test]
    fn a_library_that_lacks_a_function_is_unavailable_by_its_name() {
        let error = complete("the CUDA driver", DRIVER, |name| name != "cuMemAllocAsync");
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert_eq!(error.message(), "the CUDA driver has no `cuMemAllocAsync`: it is too old");
    }
}
