//! Kernels with native code, and their launches.

mod batch;
mod pieces;
mod work;

pub(crate) use batch::Batch;
pub(crate) use work::Work;

use ringwood_base::{Error, Result};
use ringwood_device::kernel::KernelSpec;

/// A kernel for `cpu:0`: its native code was compiled with the program.
#[derive(Clone, Copy, Debug)]
pub struct Code(());

impl Code {
    pub(crate) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        spec.refuse_source("cpu")?;
        if spec.native.is_none() {
            let message = format!("cpu: kernel `{}` has no native code", spec.name);
            let help =
                "declare it with #[kernel(device = cpu)], which compiles it with the program";
            return Err(Error::unsupported(message).help(help));
        }
        Ok(Self(()))
    }
}
