//! Kernels: printed as OpenCL C, built, launched.

mod commands;
mod launch;

pub(crate) use commands::Commands;

use crate::device::Device;
use crate::sys;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::kernel::{
    CacheKey, CompileCache, Image, KernelSpec, OwnedSpec, Portable, check_fault_cell,
};
use ringwood_ir::print::{Facts, OPENCL, Options, Slot, group_memory};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex};

/// The work-items of a group, along the contiguous dimension. One size for all launches, as some
/// drivers compile a kernel again for each.
const GROUP: usize = 64;

/// A kernel for one device.
///
/// The variant with checks for dense arguments is built by `compile`, each other one by the first
/// launch that needs it.
pub struct Code(Arc<Kernel>);

pub(crate) struct Kernel {
    spec: OwnedSpec,
    portable: Portable,
    device: Device,
    facts: Facts,
    variants: Mutex<HashMap<Options, Arc<Variant>>>,
}

/// One variant of a kernel, built.
struct Variant {
    program: sys::Program,
    name: CString,
    /// Locked from setting its arguments until it is enqueued with them.
    entry: Mutex<sys::Kernel>,
    slots: Vec<Slot>,
    group: usize,
}

impl Code {
    pub(crate) fn new(device: &Device, spec: &KernelSpec<'_>) -> Result<Self> {
        let unsupported =
            |why: &str| Error::unsupported(format!("opencl: kernel `{}`: {why}", spec.name));
        if spec.ir.is_none() && spec.source(OPENCL.name).is_none() {
            let help =
                "declare it as a map or grid kernel, or give its source: #[kernel(opencl = …)]";
            return Err(unsupported("it has neither portable body nor source").help(help));
        }
        let facts = *device.facts().map_err(unsupported)?;
        let portable = Portable::in_dialect(spec, &OPENCL)?;
        if let Some(missing) = facts.lacks(portable.ir()) {
            return Err(unsupported(&format!("the device has no {missing}")));
        }
        let (needed, most) = (group_memory(portable.ir()), device.group_memory()?);
        if needed > most {
            let why = format!("a group shares {needed} bytes, and the device has {most} for one");
            return Err(unsupported(&why));
        }
        let kernel = Kernel {
            spec: OwnedSpec::from(spec),
            portable,
            device: device.clone(),
            facts,
            variants: Mutex::default(),
        };
        kernel.variant(Options::default())?;
        Ok(Self(Arc::new(kernel)))
    }

    /// The programs of the variants that were built.
    pub(crate) fn images(&self) -> Vec<Image> {
        let kernel = &self.0;
        let variants = lock(&kernel.variants);
        let image = |(options, variant): (&Options, &Arc<Variant>)| {
            let printed = kernel.portable.print(&OPENCL, &kernel.facts, options);
            let (name, key) = (kernel.name().to_owned(), kernel.key(&printed.source));
            Some(Image { kernel: name, key, code: variant.program.code()? })
        };
        variants.iter().filter_map(image).collect()
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
        let printed = self.portable.print(&OPENCL, &self.facts, options);
        let options = CString::new(self.flags()).expect("options have no zero byte");
        let name = CString::new(printed.entry.as_str()).expect("an identifier has no zero byte");
        let (context, id) = (self.device.context(), self.device.id());
        let failed =
            |code: crate::error::Status| code.during(&format!("building kernel `{}`", self.name()));
        let key = self.key(&printed.source);
        let program = match self.cached(&key, &options) {
            Some(program) => program,
            None => {
                let program = sys::Program::new(context, &printed.source).map_err(failed)?;
                program.build(id, &options).map_err(|code| {
                    let error = failed(code).with("log", program.log(id).trim_end());
                    self.spec().refused(error, &printed)
                })?;
                // A cache that takes no more is no failure of the kernel.
                let _ = program.code().map(|code| CompileCache::global().put(&key, &code));
                program
            }
        };
        let entry = program.kernel(&name).map_err(failed)?;
        let largest = entry.largest_group(id).map_err(failed)?;
        self.check_group(largest)?;
        let group = largest.clamp(1, GROUP);
        Ok(Variant { program, name, entry: Mutex::new(entry), slots: printed.slots, group })
    }

    /// The options of the compiler.
    fn flags(&self) -> String {
        (OPENCL.flags)(&self.facts).join(" ")
    }

    /// All that the code of a source depends on.
    fn key(&self, source: &str) -> CacheKey {
        CacheKey::new("opencl")
            .with("device", self.device.identity())
            .with("options", self.flags())
            .with("source", source)
    }

    /// The program of an earlier run; `None` also if the driver does not take it any more.
    fn cached(&self, key: &CacheKey, options: &CStr) -> Option<sys::Program> {
        let code = CompileCache::global().get(key)?;
        let id = self.device.id();
        let program = sys::Program::of_code(self.device.context(), id, &code).ok()?;
        program.build(id, options).ok().map(|()| program)
    }

    /// Whether the device runs groups of the size that the kernel declares.
    fn check_group(&self, largest: usize) -> Result<()> {
        let ir = self.portable.ir();
        match ir.group {
            Some(size) if ir.group_size() > largest => Err(Error::unsupported(format!(
                "opencl: kernel `{}` has groups of {size:?}, and the device runs at most {largest} \
                     work-items of it in one",
                self.name()
            ))),
            _ => Ok(()),
        }
    }
}
