//! Kernels with native code, and their launches.

mod work;

pub(crate) use work::Work;

use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::kernel::{Form, KernelSpec, OwnedSpec, Portable};
use std::sync::Arc;

/// A kernel for `cpu:0`: native code that was compiled with the program.
#[derive(Clone)]
pub struct Code(Arc<Kernel>);

struct Kernel {
    spec: OwnedSpec,
    /// Of a kernel whose accesses may be out of bounds: proves that those of a launch are not.
    portable: Option<Portable>,
}

impl Code {
    pub(crate) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        spec.refuse_source("cpu")?;
        if spec.native.is_none() {
            let message = format!("cpu: kernel `{}` has no native code", spec.name);
            let help =
                "declare it with #[kernel(device = cpu)], which compiles it with the program";
            return Err(Error::new(ErrorKind::Unsupported, message).help(help));
        }
        let indexed = spec.ir.is_some() && matches!(spec.form, Form::Grid | Form::Group);
        let portable = indexed.then(|| Portable::new(spec)).transpose()?;
        Ok(Self(Arc::new(Kernel { spec: OwnedSpec::from(spec), portable })))
    }
}

impl Kernel {
    fn spec(&self) -> KernelSpec<'_> {
        self.spec.spec()
    }
}
