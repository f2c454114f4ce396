//! Kernels: printed as CUDA C, compiled, launched.

mod commands;
mod launch;

pub(crate) use commands::Commands;

use crate::compiler::{image, key};
use crate::device::Device;
use crate::error::during;
use crate::library::{Choice, library};
use cudarc::driver::result::module;
use cudarc::driver::sys::{CUfunction, CUmodule};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::kernel::{Image, KernelSpec, OwnedSpec, Portable, check_fault_cell};
use ringwood_ir::print::{CUDA, Facts, Options, Slot, group_memory};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex};

/// The bytes that a group can share without asking for more.
const MOST_BYTES: usize = 48 << 10;
/// The most work-items of a group along the slowest dimension.
const MOST_DEPTH: u32 = 64;

/// A kernel for one device.
///
/// The variant with checks for dense arguments is built by `compile`, each other one by the first
/// launch that needs it.
pub struct Code(Arc<Kernel>);

pub(crate) struct Kernel {
    spec: OwnedSpec,
    portable: Portable,
    choice: Option<Choice>,
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
        if spec.ir.is_none() && spec.source(CUDA.name).is_none() {
            let message =
                format!("cuda: kernel `{}` has neither portable body nor source", spec.name);
            let help =
                "declare it as a map or grid kernel, or give its source: #[kernel(cuda = …)]";
            return Err(Error::unsupported(message).help(help));
        }
        let portable = Portable::in_dialect(spec, &CUDA)?;
        check_group(portable.ir())?;
        let kernel = Kernel {
            spec: OwnedSpec::from(spec),
            portable,
            choice: library(spec)?,
            device: device.clone(),
            variants: Mutex::default(),
        };
        kernel.variant(Options::default())?;
        Ok(Self(Arc::new(kernel)))
    }

    /// What the driver loads of the variants that were built: kept by the cache, or compiled again.
    pub(crate) fn images(&self) -> Result<Vec<Image>> {
        let (kernel, arch) = (&self.0, self.0.device.arch());
        let variants = lock(&kernel.variants);
        let built = variants.keys().map(|options| {
            let source = kernel.portable.print(&CUDA, &Facts::default(), options).source;
            let (key, code) = (key(&source, arch)?, image(&source, arch)?);
            Ok(Image { kernel: kernel.name().to_owned(), key, code })
        });
        built.collect()
    }

    /// What computes a kernel that names a routine of a library.
    pub fn library(&self) -> Option<&Choice> {
        self.0.choice.as_ref()
    }
}

/// Checks that the groups of a kernel are such that every device runs them.
///
/// # Errors
/// They share more memory, or are deeper, than CUDA has for one.
pub fn check_group(ir: &ringwood_ir::Kernel) -> Result<()> {
    let (bytes, [.., depth]) = (group_memory(ir), ir.group.unwrap_or([1; 3]));
    let why = if bytes > MOST_BYTES {
        format!("a group shares {bytes} bytes, and CUDA has {MOST_BYTES} for one")
    } else if depth > MOST_DEPTH {
        format!("a group of depth {depth}, and CUDA has at most {MOST_DEPTH}")
    } else {
        return Ok(());
    };
    Err(Error::unsupported(format!("cuda: kernel `{}`: {why}", ir.name)))
}

impl Kernel {
    pub(crate) fn name(&self) -> &str {
        self.spec.spec().name
    }

    /// What it was declared as.
    pub(crate) fn spec(&self) -> KernelSpec<'_> {
        self.spec.spec()
    }

    /// What looks at the fault cell after launches of this kernel.
    fn fault(self: &Arc<Self>) -> impl FnOnce(&[u8]) -> Result<()> + Send + use<> {
        let kernel = Arc::clone(self);
        move |cell| check_fault_cell(&kernel.spec(), cell)
    }

    fn variant(&self, options: Options) -> Result<Arc<Variant>> {
        let mut variants = lock(&self.variants);
        if let Some(variant) = variants.get(&options) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(self.build(&options)?);
        variants.insert(options, Arc::clone(&variant));
        Ok(variant)
    }

    fn build(&self, options: &Options) -> Result<Variant> {
        let printed = self.portable.print(&CUDA, &Facts::default(), options);
        let place = |error: Error| self.spec().refused(error, &printed);
        let image = image(&printed.source, self.device.arch()).map_err(place)?;
        let entry = printed.entry.as_str();
        let entry = CString::new(entry).expect("an identifier has no zero byte");
        self.device.enter()?;
        // SAFETY: the image is a whole cubin, or PTX that ends in a zero, as the driver wants.
        let load = || unsafe { module::load_data(image.as_ptr().cast()) };
        let module =
            self.device.reclaiming(load).map_err(|code| place(during("loading a kernel")(code)))?;
        let device = self.device.clone();
        let mut variant = Variant {
            module,
            function: std::ptr::null_mut(),
            slots: printed.slots.clone(),
            device,
        };
        // SAFETY: the module is loaded, and stays as long as the variant.
        variant.function = unsafe { module::get_function(variant.module, entry) }
            .map_err(|code| place(during("finding a kernel")(code)))?;
        Ok(variant)
    }
}

impl Drop for Variant {
    fn drop(&mut self) {
        self.device.visit(|| {
            // SAFETY: the module is owned, and every launch keeps it until it has run. A failure
            // changes nothing.
            let _ = unsafe { module::unload(self.module) };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_no_device_runs_is_refused() {
        let kernel = |group: &str, elements| {
            let text = format!("kir2 k 3 - 3 {group} 0 1 t g f32 1 {elements} 0 0 0 0 void");
            check_group(&ringwood_ir::decode(&text).unwrap()).map_err(|e| e.to_string())
        };
        assert_eq!(kernel("8 2 64", 12 << 10), Ok(()));
        assert!(kernel("8 1 128", 8).unwrap_err().contains("depth 128"));
        assert!(kernel("8 1 1", 13 << 10).unwrap_err().contains("shares 53248 bytes"));
    }
}
