//! What a kernel declares, and how a launch hands it its arguments.
//!
//! `#[kernel]` turns a function into a [`KernelDef`] of constants: parameters, the typed kernel IR
//! as text, and native code for the CPU. A backend takes from a [`KernelSpec`] what it can use.

mod access;
mod bind;
mod cache;
mod domain;
mod emit;
mod fuse;
mod grid;
mod group;
mod map;
mod native;
mod owned;
mod portable;
mod run;
mod source;
mod version;

pub use bind::{Bound, BoundLaunch};
pub use cache::{CacheKey, CompileCache};
pub use domain::{DomainFn, Operand};
pub use emit::{emit, emit_targets};
pub(crate) use fuse::{FusedPart, fuse, fuses};
pub use native::{Fault, Native, NativeArg, NativeFn, NativeLaunch, NativeSlice};
pub use owned::OwnedSpec;
pub use portable::Portable;
pub use run::{FAULT_BYTES, check_fault_cell, out_of_bounds, run_native};
pub use source::{Source, Sources};

#[doc(hidden)]
pub use access::{Arguments, Contended, View, ViewMut};
#[doc(hidden)]
pub use domain::Operands;
#[doc(hidden)]
pub use grid::{extents, grid_1, grid_2, grid_3};
#[doc(hidden)]
pub use group::{Array, Elements, LargeArray, of_lane, position, tree};
#[doc(hidden)]
pub use map::{Inputs, map};
#[doc(hidden)]
pub use version::Body;

use crate::backend::Region;
use crate::{DType, Scalar, ScalarType, Shape};

/// A kernel as one `#[kernel]` item declares it.
#[derive(Debug)]
pub struct KernelDef {
    /// The name, shared by all items that implement the kernel for other devices.
    pub name: &'static str,
    /// How the body relates to the launch domain.
    pub form: Form,
    /// The backends that this item implements the kernel for.
    pub devices: &'static [&'static str],
    /// One instance for each combination of element types; at least one.
    pub instances: &'static [Instance],
    /// `file!()` of the item.
    pub file: &'static str,
    /// `line!()` of the item.
    pub line: u32,
}

/// How a kernel's body relates to its launch domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Form {
    /// A scalar function, applied to every element; arguments broadcast.
    Map,
    /// One work-item per point of the domain.
    Grid,
    /// One group of work-items per point of the domain, which meet at barriers. Native code runs a
    /// range of groups.
    Group,
    /// Ordinary Rust that runs once for each launch: a library call.
    Host,
}

/// A kernel for one combination of element types.
#[derive(Debug)]
pub struct Instance {
    /// The parameters of a launch, in order. A map's result is its last parameter.
    pub params: &'static [Param],
    /// The typed kernel IR (`kir2 …`), unless the body is not portable.
    pub ir: Option<&'static str>,
    /// Native code for host memory.
    pub native: Option<Native>,
    /// Texts that devices run instead of the portable body.
    pub sources: Option<&'static Sources>,
    /// Line and column in the declaring file of each numbered site of the IR.
    pub sites: &'static [(u32, u32)],
    /// The number of dimensions of the domain of a grid or group kernel; 0 for other forms.
    pub rank: usize,
    /// The domain as the declaration computes it from the arguments: `domain = …`, or `groups = …`
    /// of a group kernel, which always has it.
    pub domain: Option<DomainFn>,
}

/// A function of scalars that kernels of any crate call: `#[device_fn]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceFn {
    /// The full path.
    pub name: &'static str,
    /// Its typed IR, a map (`kir2 …`), with that of the functions that it calls.
    pub ir: &'static str,
}

/// One parameter of a kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name in the source.
    pub name: &'static str,
    /// What an argument must be.
    pub kind: ParamKind,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A value.
    Scalar(ScalarType),
    /// Elements that the kernel reads, and writes if `mutable`.
    Slice {
        /// The element type.
        dtype: DType,
        /// Whether the kernel may write it.
        mutable: bool,
    },
}

impl ParamKind {
    /// Whether both are scalars, or slices that are written alike, whatever their types.
    fn is_like(self, other: ParamKind) -> bool {
        match (self, other) {
            (ParamKind::Scalar(_), ParamKind::Scalar(_)) => true,
            (ParamKind::Slice { mutable: a, .. }, ParamKind::Slice { mutable: b, .. }) => a == b,
            _ => false,
        }
    }
}

impl Instance {
    /// An instance without code and domain, to fill in with `..`.
    ///
    /// ```
    /// use ringwood_core::kernel::{Instance, Native};
    ///
    /// let nothing = Native::new(|_, _| Ok(()));
    /// static EMPTY: Instance = Instance::new(&[]);
    /// let instance = Instance { native: Some(nothing), ..Instance::new(&[]) };
    /// assert!(EMPTY.ir.is_none() && instance.native.is_some());
    /// ```
    pub const fn new(params: &'static [Param]) -> Self {
        Self { params, ir: None, native: None, sources: None, sites: &[], rank: 0, domain: None }
    }

    /// The element types of the slice parameters, in order.
    fn dtypes(&self) -> impl Iterator<Item = DType> {
        self.params.iter().filter_map(|p| match p.kind {
            ParamKind::Slice { dtype, .. } => Some(dtype),
            ParamKind::Scalar(_) => None,
        })
    }
}

impl KernelDef {
    /// Whether two items declare the same kernel: all instances take slices and scalars in one
    /// order, and those for the same element types, arguments of the same kinds. Either item may have
    /// instances that the other lacks.
    pub fn same_signature(&self, other: &KernelDef) -> bool {
        let alike = |a: &Instance, b: &Instance| {
            a.params.len() == b.params.len()
                && a.params.iter().zip(b.params).all(|(a, b)| a.kind.is_like(b.kind))
        };
        let kinds = |i: &Instance| i.params.iter().map(|p| p.kind).collect::<Vec<_>>();
        self.instances.iter().all(|a| {
            let mut twins = other.instances.iter().filter(|b| b.dtypes().eq(a.dtypes())).peekable();
            other.instances.iter().all(|b| alike(a, b))
                && (twins.peek().is_none() || twins.any(|b| kinds(a) == kinds(b)))
        })
    }

    /// The instance whose slice parameters have these element types, in order.
    pub fn instance(&self, dtypes: &[DType]) -> Option<&'static Instance> {
        self.instances.iter().find(|i| i.dtypes().eq(dtypes.iter().copied()))
    }

    /// What a backend compiles for `instance`, one of [`KernelDef::instances`].
    pub fn spec(&self, instance: &'static Instance) -> KernelSpec<'static> {
        KernelSpec {
            name: self.name,
            form: self.form,
            params: instance.params,
            ir: instance.ir,
            native: instance.native,
            sources: instance.sources,
            sites: instance.sites,
            file: self.file,
            line: self.line,
        }
    }
}

/// What a backend gets to compile: one instance of a declared kernel, or one that a pass generated.
#[derive(Clone, Copy, Debug)]
pub struct KernelSpec<'a> {
    /// The kernel's name.
    pub name: &'a str,
    /// How the body relates to the domain.
    pub form: Form,
    /// The parameters of a launch, in order.
    pub params: &'a [Param],
    /// The typed kernel IR, unless the body is not portable.
    pub ir: Option<&'a str>,
    /// Native code for host memory, if there is any.
    pub native: Option<Native>,
    /// Texts that devices run instead of the portable body.
    pub sources: Option<&'static Sources>,
    /// Line and column of each numbered site of the IR.
    pub sites: &'a [(u32, u32)],
    /// The declaring file; empty for a kernel that no item declares.
    pub file: &'a str,
    /// The line of the declaration.
    pub line: u32,
}

impl<'a> KernelSpec<'a> {
    /// A kernel without code and without a place, to fill in with `..`.
    ///
    /// ```
    /// use ringwood_core::kernel::{Form, KernelSpec};
    ///
    /// let spec = KernelSpec { file: "src/lib.rs", line: 7, ..KernelSpec::new("double", Form::Map, &[]) };
    /// assert!(spec.ir.is_none() && spec.native.is_none());
    /// ```
    pub const fn new(name: &'a str, form: Form, params: &'a [Param]) -> Self {
        Self {
            name,
            form,
            params,
            ir: None,
            native: None,
            sources: None,
            sites: &[],
            file: "",
            line: 0,
        }
    }
}

/// One launch of a compiled kernel.
pub struct Launch<'a, M> {
    /// The domain, slowest dimension first; `gid(0)` runs over the last one. A host kernel ignores
    /// it.
    pub domain: Shape,
    /// One argument for each parameter.
    pub args: &'a [Arg<'a, M>],
}

/// One argument of a launch.
pub enum Arg<'a, M> {
    /// Elements in device memory.
    Slice {
        /// Where they are.
        region: Region<'a, M>,
        /// For maps: the step in elements along each dimension of the domain (0: broadcast).
        /// `None` means dense, row-major.
        strides: Option<&'a [usize]>,
    },
    /// A value, captured at submission.
    Scalar(Scalar),
}

impl<'a, M> Arg<'a, M> {
    /// The memory that the argument lies in.
    pub fn memory(&self) -> Option<&'a M> {
        match self {
            Arg::Slice { region, .. } => Some(region.memory),
            Arg::Scalar(_) => None,
        }
    }
}
