//! Compiled kernels.

use super::lock;
use crate::backend::{DynBackend, Handle, Region};
use crate::kernel::{Arg, Form, Kernel, Param, ParamKind};
use ringwood_base::sync::Mutex;
use ringwood_base::{Bounded, DType, Error, ErrorKind, Result};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A kernel compiled for one device; cheap to clone.
#[derive(Clone)]
pub struct Code(Arc<Inner>);

struct Inner {
    kernel: Kernel,
    handle: Handle,
}

impl Code {
    /// The name of the kernel.
    pub fn name(&self) -> &str {
        self.0.kernel.name()
    }

    /// How the body relates to the domain.
    pub fn form(&self) -> Form {
        self.0.kernel.form()
    }

    /// The parameters of a launch, in order.
    pub fn params(&self) -> &[Param] {
        self.0.kernel.params()
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

/// The codes of the last so many kernels are kept, and up to twice as many.
const KEPT: usize = 512;

/// The codes of one device that were asked for lately.
pub(crate) struct CodeCache(Mutex<Bounded<Kernel, Code>>);

impl Default for CodeCache {
    fn default() -> Self {
        Self(Mutex::new(Bounded::new(KEPT)))
    }
}

impl CodeCache {
    /// How many codes there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }

    /// The code of one kernel, compiled if it is not there.
    pub(crate) fn get(
        &self,
        backend: &dyn DynBackend,
        device: &Handle,
        kernel: &Kernel,
    ) -> Result<Code> {
        if let Some(code) = lock(&self.0).get(kernel) {
            return Ok(code);
        }
        Ok(self.compile(backend, device, std::slice::from_ref(kernel))?.remove(0))
    }

    /// Compiles what is not there, in one batch; one code for each kernel, in order.
    pub(crate) fn compile(
        &self,
        backend: &dyn DynBackend,
        device: &Handle,
        kernels: &[Kernel],
    ) -> Result<Vec<Code>> {
        let mut cache = lock(&self.0);
        let mut codes = HashMap::new();
        let mut missing = Vec::new();
        for kernel in kernels {
            if !codes.contains_key(kernel) {
                let code = cache.get(kernel);
                missing.extend(code.is_none().then_some(kernel));
                codes.insert(kernel, code);
            }
        }
        if !missing.is_empty() {
            let specs: Vec<_> = missing.iter().map(|kernel| kernel.spec()).collect();
            let handles = backend.compile(device, &specs)?;
            if handles.len() != missing.len() {
                let message = format!(
                    "backend `{}` compiled {} of {} kernels without an error",
                    backend.name(),
                    handles.len(),
                    missing.len()
                );
                return Err(Error::new(ErrorKind::Backend, message));
            }
            for (kernel, handle) in missing.into_iter().zip(handles) {
                let code = Code(Arc::new(Inner { kernel: kernel.clone(), handle }));
                cache.insert(kernel.clone(), code.clone());
                codes.insert(kernel, Some(code));
            }
        }
        Ok(kernels
            .iter()
            .map(|kernel| codes[kernel].clone().expect("what was missing is compiled"))
            .collect())
    }
}
