//! Status codes of CUDA as errors.

use cudarc::cublas::result::CublasError;
use cudarc::cublas::sys::cublasStatus_t;
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use ringwood_base::{Error, ErrorKind};
use std::fmt;

pub(crate) const INSTALL: &str =
    "install the NVIDIA driver; in a container, start it with access to the GPU";

/// The status of a call that failed.
#[derive(Clone, Copy)]
pub(crate) enum Failure {
    Driver(CUresult),
    Library(cublasStatus_t),
}

impl Failure {
    pub(crate) fn kind(self) -> ErrorKind {
        match self {
            Failure::Driver(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
            | Failure::Library(cublasStatus_t::CUBLAS_STATUS_ALLOC_FAILED) => {
                ErrorKind::OutOfMemory
            }
            Failure::Driver(
                CUresult::CUDA_ERROR_NO_DEVICE
                | CUresult::CUDA_ERROR_STUB_LIBRARY
                | CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
                | CUresult::CUDA_ERROR_SYSTEM_NOT_READY,
            ) => ErrorKind::Unavailable,
            _ => ErrorKind::Backend,
        }
    }
}

impl From<DriverError> for Failure {
    fn from(DriverError(code): DriverError) -> Self {
        Failure::Driver(code)
    }
}

impl From<CublasError> for Failure {
    fn from(CublasError(status): CublasError) -> Self {
        Failure::Library(status)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Driver(code) => write!(f, "{code:?}"),
            Failure::Library(status) => write!(f, "{status:?}"),
        }
    }
}

/// The error of a call that failed while doing `what`.
pub(crate) fn during<E: Into<Failure>>(what: impl fmt::Display) -> impl FnOnce(E) -> Error {
    move |failure| {
        let failure = failure.into();
        let error = Error::new(failure.kind(), format!("cuda: {what}: {failure}"));
        if failure.kind() == ErrorKind::Unavailable { error.help(INSTALL) } else { error }
    }
}

#[cfg(test)]
mod tests;
