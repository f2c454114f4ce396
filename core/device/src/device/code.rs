//! Compiled kernels.

use super::lock;
use crate::backend::{DynBackend, Handle, Region};
use crate::kernel::{self, Arg, Form, Instance, KernelDef, Param, ParamKind};
use ringwood_base::registry::Registry;
use ringwood_base::sync::Mutex;
use ringwood_base::{DType, Error, ErrorKind, Result};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// One instance of a declared kernel, chosen for a backend and element types.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The declaration.
    pub def: &'static KernelDef,
    /// One of its instances.
    pub instance: &'static Instance,
}

impl Kernel {
    /// The kernel `name` for devices of `backend` whose slices and views have these element types.
    ///
    /// # Errors
    /// No such kernel, not for this backend, or no such instance; the error lists what there is.
    pub fn find(
        registry: &Registry,
        name: &str,
        backend: &str,
        dtypes: &[DType],
    ) -> Result<Kernel> {
        Self::of(kernel::find(registry, name, backend)?, dtypes)
    }

    /// The instance of `def` whose slices and views have these element types.
    ///
    /// # Errors
    /// No such instance; the error lists the instances.
    pub fn of(def: &'static KernelDef, dtypes: &[DType]) -> Result<Kernel> {
        if let Some(instance) = def.instance(dtypes) {
            return Ok(Kernel { def, instance });
        }
        let known: Vec<_> =
            def.instances.iter().map(|i| names(&i.dtypes().collect::<Vec<_>>())).collect();
        let message = format!(
            "kernel `{}` has no instance for {}; it has {}",
            def.name,
            names(dtypes),
            known.join(", ")
        );
        Err(Error::new(ErrorKind::DType, message).help("convert the arguments"))
    }

    /// The parameters of a launch, in order.
    pub fn params(&self) -> &'static [Param] {
        self.instance.params
    }
}

fn names(dtypes: &[DType]) -> String {
    let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
    format!("({})", names.join(", "))
}

/// A kernel compiled for one device; cheap to clone.
#[derive(Clone)]
pub struct Code(Arc<Inner>);

struct Inner {
    kernel: Kernel,
    handle: Handle,
}

impl Code {
    /// The name of the kernel.
    pub fn name(&self) -> &'static str {
        self.0.kernel.def.name
    }

    /// How the body relates to the domain.
    pub fn form(&self) -> Form {
        self.0.kernel.def.form
    }

    /// The parameters of a launch, in order.
    pub fn params(&self) -> &'static [Param] {
        self.0.kernel.instance.params
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.0.handle
    }

    /// Refuses arguments whose number or kinds do not fit the parameters.
    pub(crate) fn check<M>(&self, args: &[Arg<'_, M>]) -> Result<()> {
        let (name, params) = (self.name(), self.params());
        if args.len() != params.len() {
            let message = format!("`{name}` takes {} arguments, got {}", params.len(), args.len());
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        for (arg, param) in args.iter().zip(params) {
            let p = param.name;
            let why = match (arg, param.kind) {
                (Arg::Scalar(value), ParamKind::Scalar(t)) if value.scalar_type() == t => continue,
                (Arg::Scalar(value), ParamKind::Scalar(t)) => {
                    format!("`{p}` is {}, got {}", t.name(), value.scalar_type().name())
                }
                (Arg::Slice { region, .. }, ParamKind::Slice { dtype, .. })
                | (Arg::View { region, .. }, ParamKind::View { dtype, .. })
                    if !is_whole(region, dtype) =>
                {
                    format!("`{p}` is not a whole number of {dtype} elements")
                }
                (Arg::Slice { .. }, ParamKind::Slice { .. }) => continue,
                (Arg::View { region, shape }, ParamKind::View { dtype, rank, mutable }) => {
                    match shape.misfit(rank, mutable, region.bytes / dtype.size()) {
                        None => continue,
                        Some(why) => format!("`{p}` {why}"),
                    }
                }
                (Arg::Scalar(_), kind) => format!("`{p}` is {kind}, got a scalar"),
                (Arg::Slice { .. }, kind) => format!("`{p}` is {kind}, got a slice"),
                (Arg::View { .. }, kind) => format!("`{p}` is {kind}, got a view"),
            };
            return Err(Error::new(ErrorKind::InvalidArgument, format!("`{name}`: {why}")));
        }
        Ok(())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.name())
    }
}

fn is_whole<M>(region: &Region<'_, M>, dtype: DType) -> bool {
    region.bytes.is_multiple_of(dtype.size()) && region.offset.is_multiple_of(dtype.size())
}

/// Whether a kernel may write the argument of this parameter.
pub(crate) fn is_written(param: &Param) -> bool {
    param.kind.is_written()
}

/// The codes of one device, by the addresses of declaration and instance.
#[derive(Default)]
pub(crate) struct CodeCache(Mutex<HashMap<(usize, usize), Code>>);

fn key(kernel: &Kernel) -> (usize, usize) {
    (std::ptr::from_ref(kernel.def).addr(), std::ptr::from_ref(kernel.instance).addr())
}

impl CodeCache {
    /// How many codes there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }

    /// The code of one kernel, compiled if it is not there yet.
    pub(crate) fn get(
        &self,
        backend: &dyn DynBackend,
        device: &Handle,
        kernel: &Kernel,
    ) -> Result<Code> {
        if let Some(code) = lock(&self.0).get(&key(kernel)) {
            return Ok(code.clone());
        }
        Ok(self.compile(backend, device, std::slice::from_ref(kernel))?.remove(0))
    }

    /// Compiles what is not there yet, in one batch; one code for each kernel, in order.
    pub(crate) fn compile(
        &self,
        backend: &dyn DynBackend,
        device: &Handle,
        kernels: &[Kernel],
    ) -> Result<Vec<Code>> {
        let mut cache = lock(&self.0);
        let mut missing: Vec<_> = kernels.iter().filter(|k| !cache.contains_key(&key(k))).collect();
        missing.sort_by_key(|k| key(k));
        missing.dedup_by_key(|k| key(k));
        if !missing.is_empty() {
            let specs: Vec<_> = missing.iter().map(|k| k.def.spec(k.instance)).collect();
            let codes = backend.compile(device, &specs)?;
            if codes.len() != missing.len() {
                let message = format!(
                    "backend `{}` compiled {} of {} kernels without an error",
                    backend.name(),
                    codes.len(),
                    missing.len()
                );
                return Err(Error::new(ErrorKind::Backend, message));
            }
            for (kernel, handle) in missing.into_iter().zip(codes) {
                cache.insert(key(kernel), Code(Arc::new(Inner { kernel: *kernel, handle })));
            }
        }
        Ok(kernels.iter().map(|k| cache[&key(k)].clone()).collect())
    }
}
