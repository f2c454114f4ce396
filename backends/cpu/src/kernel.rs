//! Kernels with native code, and their launches.

mod work;

pub(crate) use work::Work;

use ringwood_core::kernel::{KernelSpec, OwnedSpec};
use ringwood_core::{Error, ErrorKind, Result};
use std::sync::Arc;

/// A kernel for `cpu:0`: native code that was compiled with the program.
#[derive(Clone)]
pub struct Code(Arc<Kernel>);

struct Kernel(OwnedSpec);

impl Code {
    pub(crate) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        if spec.native.is_none() {
            let message = format!("cpu: kernel `{}` has no native code", spec.name);
            let help =
                "declare it with #[kernel(device = cpu)], which compiles it with the program";
            return Err(Error::new(ErrorKind::Unsupported, message).help(help));
        }
        Ok(Self(Arc::new(Kernel(OwnedSpec::from(spec)))))
    }
}

impl Kernel {
    fn spec(&self) -> KernelSpec<'_> {
        self.0.spec()
    }
}
