//! Kernels: printed as CUDA C, compiled, launched.

mod launch;

use crate::compiler::compile_once;
use crate::device::Device;
use crate::error::during;
use cudarc::driver::result::module;
use cudarc::driver::sys::{CUfunction, CUmodule};
use ringwood_core::kernel::{KernelSpec, OwnedSpec, Portable};
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::{CUDA, Facts, Options, Slot, print};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel for one device.
///
/// The variant with checks for dense arguments is built by `compile`, each other one by the first
/// launch that needs it.
pub struct Code(Arc<Kernel>);

pub(crate) struct Kernel {
    spec: OwnedSpec,
    portable: Portable,
    device: Device,
    variants: Mutex<HashMap<Options, Arc<Variant>>>,
}

/// One variant of a kernel, built.
struct Variant {
    module: CUmodule,
    function: CUfunction,
    slots: Vec<Slot>,
    device: Device,
}

// SAFETY: the driver's objects may be used from every thread; launches copy their arguments.
unsafe impl Send for Variant {}
// SAFETY: as above.
unsafe impl Sync for Variant {}

impl Code {
    pub(crate) fn new(device: &Device, spec: &KernelSpec<'_>) -> Result<Self> {
        if spec.ir.is_none() {
            let message = format!("cuda: kernel `{}`: it has no portable form", spec.name);
            let help = "declare it as a map or grid kernel, with cuda in #[kernel(device = …)]";
            return Err(Error::new(ErrorKind::Unsupported, message).help(help));
        }
        let portable = Portable::new(spec)?;
        let kernel = Kernel {
            spec: OwnedSpec::from(spec),
            portable,
            device: device.clone(),
            variants: Mutex::default(),
        };
        kernel.variant(Options::default())?;
        Ok(Self(Arc::new(kernel)))
    }
}

impl Kernel {
    pub(crate) fn name(&self) -> &str {
        self.spec.spec().name
    }

    /// What it was declared as.
    pub(crate) fn spec(&self) -> KernelSpec<'_> {
        self.spec.spec()
    }

    fn variant(&self, options: Options) -> Result<Arc<Variant>> {
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = variants.get(&options) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(self.build(&options)?);
        variants.insert(options, Arc::clone(&variant));
        Ok(variant)
    }

    fn build(&self, options: &Options) -> Result<Variant> {
        let facts = Facts::default();
        let printed = print(self.portable.ir(), &CUDA, &facts, options);
        let place = |error: Error| {
            let spec = self.spec.spec();
            let error = error.with("kernel", self.name());
            error.with("declared at", format!("{}:{}", spec.file, spec.line))
        };
        let image = compile_once(&printed.source, self.device.arch()).map_err(place)?;
        let entry = CString::new(printed.entry).expect("an identifier has no zero byte");
        self.device.enter()?;
        // SAFETY: the image ends in a zero, as the driver wants of PTX.
        let module = unsafe { module::load_data(image.as_ptr().cast()) }
            .map_err(|code| place(during("loading a kernel")(code)))?;
        let device = self.device.clone();
        let mut variant =
            Variant { module, function: std::ptr::null_mut(), slots: printed.slots, device };
        // SAFETY: the module is loaded, and stays as long as the variant.
        variant.function = unsafe { module::get_function(variant.module, entry) }
            .map_err(|code| place(during("finding a kernel")(code)))?;
        Ok(variant)
    }
}

impl Drop for Variant {
    fn drop(&mut self) {
        if self.device.enter().is_ok() {
            // SAFETY: the module is owned, and every launch keeps it until it has run. A failure
            // changes nothing.
            let _ = unsafe { module::unload(self.module) };
        }
    }
}
