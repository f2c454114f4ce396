//! Kernels with native code, and their launches.

mod work;

pub(crate) use work::Work;

use ringwood_core::kernel::{Form, KernelSpec, Native, Param};
use ringwood_core::{Error, ErrorKind, Result};
use std::sync::Arc;

/// A kernel for `cpu:0`: native code that was compiled with the program.
#[derive(Clone)]
pub struct Code(Arc<Kernel>);

struct Kernel {
    name: String,
    form: Form,
    params: Vec<Param>,
    ir: Option<String>,
    native: Native,
    sites: Vec<(u32, u32)>,
    file: String,
    line: u32,
}

impl Code {
    pub(crate) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        let Some(native) = spec.native else {
            let message = format!("cpu: kernel `{}` has no native code", spec.name);
            let help =
                "declare it with #[kernel(device = cpu)], which compiles it with the program";
            return Err(Error::new(ErrorKind::Unsupported, message).help(help));
        };
        Ok(Self(Arc::new(Kernel {
            name: spec.name.into(),
            form: spec.form,
            params: spec.params.to_vec(),
            ir: spec.ir.map(String::from),
            native,
            sites: spec.sites.to_vec(),
            file: spec.file.into(),
            line: spec.line,
        })))
    }
}

impl Kernel {
    fn spec(&self) -> KernelSpec<'_> {
        KernelSpec {
            name: &self.name,
            form: self.form,
            params: &self.params,
            ir: self.ir.as_deref(),
            native: Some(self.native),
            sites: &self.sites,
            file: &self.file,
            line: self.line,
        }
    }
}
