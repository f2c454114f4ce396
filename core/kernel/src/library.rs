//! Routines of vendors' libraries that may compute a kernel.

use super::KernelSpec;

/// The routine of a vendor's library that the devices of one backend may run instead of the body.
///
/// It is told the arguments of a launch, and computes the whole of it. The order of its additions is its
/// own, so it rounds otherwise than the body, which runs wherever the library is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Library {
    /// The backend.
    pub backend: &'static str,
    /// The routine, by the name that the backend has for it: `gemm`.
    pub routine: &'static str,
}

impl KernelSpec<'_> {
    /// The routine that the devices of `backend` may run instead of the body, if one is named.
    ///
    /// ```
    /// use ringwood_kernel::{Form, KernelSpec, Library};
    ///
    /// let libraries = &[Library { backend: "cuda", routine: "gemm" }];
    /// let spec = KernelSpec { libraries, ..KernelSpec::new("matmul", Form::Group, &[]) };
    /// assert_eq!((spec.library("cuda"), spec.library("opencl")), (Some("gemm"), None));
    /// ```
    pub fn library(&self, backend: &str) -> Option<&'static str> {
        self.libraries.iter().find(|library| library.backend == backend).map(|l| l.routine)
    }
}
