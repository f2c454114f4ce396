//! Kernels compiled by a typed backend, below the run time.

use super::Backend;
use crate::kernel::{Code, Kernel, KernelSpec};
use ringwood_base::{Error, Result};

impl<C> Code<C> {
    /// What a backend makes of a kernel, below the run time.
    ///
    /// # Errors
    /// The backend refuses the kernel, or the text of its IR is malformed.
    pub fn compile<B: Backend<Code = C>>(
        backend: &B,
        device: &B::Device,
        spec: &KernelSpec<'_>,
    ) -> Result<Self> {
        match backend.compile(device, &[*spec])?.pop() {
            Some(compiled) => Self::new(Kernel::from(spec), compiled),
            None => Err(Error::backend("a backend compiled a kernel to nothing")),
        }
    }
}
