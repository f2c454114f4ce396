//! Status codes of CUDA as errors.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use ringwood_core::{Error, ErrorKind};

pub(crate) const INSTALL: &str =
    "install the NVIDIA driver; in a container, start it with access to the GPU";

/// The error of a call that failed while doing `what`.
pub(crate) fn during(what: impl std::fmt::Display) -> impl FnOnce(DriverError) -> Error {
    move |DriverError(code)| {
        let kind = match code {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => ErrorKind::OutOfMemory,
            CUresult::CUDA_ERROR_NO_DEVICE
            | CUresult::CUDA_ERROR_STUB_LIBRARY
            | CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
            | CUresult::CUDA_ERROR_SYSTEM_NOT_READY => ErrorKind::Unavailable,
            _ => ErrorKind::Backend,
        };
        let error = Error::new(kind, format!("cuda: {what}: {code:?}"));
        if kind == ErrorKind::Unavailable { error.help(INSTALL) } else { error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_kinds_and_names() {
        let error = during("allocating 5 bytes")(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        assert_eq!(error.message(), "cuda: allocating 5 bytes: CUDA_ERROR_OUT_OF_MEMORY");
        let error = during("counting devices")(DriverError(CUresult::CUDA_ERROR_NO_DEVICE));
        assert_eq!(error.kind(), ErrorKind::Unavailable);
    }
}
