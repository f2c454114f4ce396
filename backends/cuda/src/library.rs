//! Routines of NVIDIA's libraries that compute kernels which name them: `library(cuda = gemm)`.

mod cublas;
mod gemm;

pub(crate) use cublas::{Handle, Products};
pub(crate) use gemm::Gemm;

use crate::sys;
use gemm::{Layouts, ROUTINES};
use ringwood_base::{DType, Error, Result, Scalar, ScalarType};
use ringwood_device::backend::Region;
use ringwood_device::kernel::{Arg, KernelSpec, ParamKind};
use ringwood_ir::print::CUDA;
use std::fmt;

/// What computes a kernel that names a routine, as it was decided when the kernel was compiled.
///
/// Printed, it says so: ``matmul: `gemm` of cuBLAS, whose additions have an order of their own``.
#[derive(Clone, Debug)]
pub struct Choice {
    kernel: String,
    layouts: &'static Layouts,
    dtype: DType,
    absent: Option<Error>,
}

/// What computes `spec` on devices of this backend, if it names a routine: the routine, or the body where
/// cuBLAS cannot be called. Needs no device.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](ringwood_base::ErrorKind::InvalidArgument): there is no such routine, or the kernel's parameters are not the
/// routine's.
pub fn library(spec: &KernelSpec<'_>) -> Result<Option<Choice>> {
    let Some(routine) = spec.library(CUDA.name) else { return Ok(None) };
    let refused = |message: String| {
        let error = Error::invalid(message);
        error.with("declared at", format!("{}:{}", spec.file, spec.line))
    };
    let Some(layouts) = ROUTINES.iter().find(|layouts| layouts.name == routine) else {
        let known: Vec<_> = ROUTINES.iter().map(|layouts| layouts.name).collect();
        let message = format!("cuda: kernel `{}` names the routine `{routine}`", spec.name);
        return Err(refused(message).help(format!("the routines are {}", known.join(", "))));
    };
    let Some(dtype) = element_type(spec) else {
        let message =
            format!("cuda: the parameters of kernel `{}` do not fit `{routine}`", spec.name);
        let help = "it takes `a: &[T], b: &[T], c: &mut [T], m: usize, k: usize, n: usize` with T f32 or f64";
        return Err(refused(message).help(help));
    };
    let absent = sys::cublas().err();
    Ok(Some(Choice { kernel: spec.name.to_owned(), layouts, dtype, absent }))
}

/// What a device says of the libraries.
pub(crate) fn report() -> String {
    let names: Vec<_> = ROUTINES.iter().map(|layouts| layouts.name).collect();
    let names = names.join(", ");
    match sys::cublas() {
        Ok(()) => format!("{names}: by cuBLAS, whose additions have an order of their own"),
        Err(error) => format!("{names}: by the bodies of kernels, as {}", error.message()),
    }
}

/// The element type of a kernel with the parameters of a product.
fn element_type(spec: &KernelSpec<'_>) -> Option<DType> {
    let [a, b, c, extents @ ..] = spec.params else { return None };
    let dtype = a.kind.dtype().filter(|dtype| matches!(dtype, DType::F32 | DType::F64))?;
    let slice = |mutable| ParamKind::Slice { dtype, mutable };
    let slices = [a, b, c].map(|param| param.kind) == [slice(false), slice(false), slice(true)];
    let usizes = extents.iter().all(|p| p.kind == ParamKind::Scalar(ScalarType::Usize));
    (slices && usizes && extents.len() == 3).then_some(dtype)
}

impl Choice {
    /// Why the body computes the kernel: cuBLAS is absent or lacks a function. `None`: the routine does.
    pub fn absent(&self) -> Option<&Error> {
        self.absent.as_ref()
    }

    /// The call that computes a launch whose arguments were checked; `None` if the body does: cuBLAS is
    /// absent, an extent is beyond its integers, or a slice has another length than its extents say.
    pub(crate) fn call(&self, args: &[Arg<'_, crate::memory::Memory>]) -> Option<Call> {
        if self.absent.is_some() {
            return None;
        }
        let [
            Arg::Slice { region: a, .. },
            Arg::Slice { region: b, .. },
            Arg::Slice { region: c, .. },
            m,
            k,
            n,
        ] = args
        else {
            return None;
        };
        let extent = |arg: &Arg<'_, _>| match arg {
            Arg::Scalar(Scalar::Usize(extent)) => Some(*extent),
            _ => None,
        };
        let extents = [extent(m)?, extent(k)?, extent(n)?];
        let lens = [a, b, c].map(|region| region.bytes / self.dtype.size());
        let gemm = Gemm::new(self.layouts, extents, lens)?;
        let at = |region: &Region<'_, crate::memory::Memory>| region.memory.at(region.offset);
        Some(Call { gemm, dtype: self.dtype, a: at(a), b: at(b), c: at(c), bytes: c.bytes })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, routine) = (&self.kernel, self.layouts.name);
        match &self.absent {
            None => {
                write!(
                    f,
                    "{kernel}: `{routine}` of cuBLAS, whose additions have an order of their own"
                )
            }
            Some(error) => write!(f, "{kernel}: the body, not `{routine}`: {}", error.message()),
        }
    }
}

/// One product: addresses on the device, and the arguments of cuBLAS.
pub(crate) struct Call {
    pub(crate) gemm: Gemm,
    pub(crate) dtype: DType,
    pub(crate) a: u64,
    pub(crate) b: u64,
    pub(crate) c: u64,
    /// The bytes of the product.
    pub(crate) bytes: usize,
}
