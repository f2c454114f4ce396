//! What a kernel declares, its code for the processor, and its fusion with others.
//!
//! `#[kernel]` turns a function into a [`KernelDef`] of constants: parameters, the typed kernel IR
//! as text, and native code for the CPU. A backend takes from a [`KernelSpec`] what it can use.

mod access;
mod cache;
mod chain;
mod claims;
mod declared;
mod domain;
mod evaluate;
mod fuse;
mod grid;
mod group;
mod handle;
mod launch;
mod library;
mod map;
mod native;
mod owned;
mod portable;
mod races;
mod run;
mod source;
mod spec;
mod version;
mod view;

pub use cache::{CacheKey, CodeCounts, CompileCache, Image};
#[doc(hidden)]
pub use declared::{Declared, Named};
pub use declared::{KernelName, declarations};
pub use domain::Operand;
pub use evaluate::evaluate;
#[doc(hidden)]
pub use fuse::{ARGUMENT_BYTES, Consumer, FusedPart, fuse, fuse_producers, fuses};
pub use handle::Kernel;
pub use launch::{Fault, NativeArg, NativeLaunch, NativeSlice};
pub use library::Library;
pub use native::{Native, NativeFn};
pub use owned::OwnedSpec;
pub use portable::Portable;
pub use races::check_races;
pub use run::{FAULT_BYTES, check_fault_cell, out_of_bounds, run_native};
pub use source::{Source, Sources};
pub use view::{View, ViewMut};

#[doc(hidden)]
pub use access::{Arguments, Claimed, Contended, Readable, Steps, Writable, unit_steps};
#[doc(hidden)]
pub use domain::{Operands, counted, declared};
#[doc(hidden)]
pub use grid::{extents, grid_1, grid_2, grid_3};
#[doc(hidden)]
pub use group::{Array, Elements, LargeArray, of_lane, position, rows, tree};
#[doc(hidden)]
pub use map::{Inputs, MapBody};
#[doc(hidden)]
pub use version::Body;

use native::Declaration;
use ringwood_base::registry::EntryMeta;
use ringwood_base::{DType, Result, ScalarType, Shape};
use std::fmt;

/// A kernel as one `#[kernel]` item declares it.
#[derive(Debug)]
pub struct KernelDef {
    /// Where the item stands, with the package, the module and the name of the kernel, which all items that
    /// implement it for other devices share.
    pub meta: EntryMeta<'static>,
    /// How the body relates to the launch domain.
    pub form: Form,
    /// The backends that this item implements the kernel for.
    pub devices: &'static [&'static str],
    /// One instance for each combination of element types; at least one.
    pub instances: &'static [Instance],
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

/// Computes the domain from the arguments: the `domain = …` of a declaration.
pub type DomainFn = fn(&[Operand]) -> Result<Shape>;

/// A kernel for one combination of element types.
#[derive(Debug)]
pub struct Instance {
    /// The parameters of a launch, in order. A map's result is its last parameter.
    pub params: &'static [Param],
    /// The typed kernel IR (`kir2 …`), unless the body is not portable.
    pub ir: Option<&'static str>,
    /// Native code for host memory.
    pub native: Option<Native<'static>>,
    /// Texts that devices run instead of the portable body.
    pub sources: Option<&'static Sources>,
    /// Routines of vendors' libraries that may compute the kernel.
    pub libraries: &'static [Library],
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
    /// Elements at a step along each dimension that the kernel reads, and writes if `mutable`.
    View {
        /// The element type.
        dtype: DType,
        /// The number of dimensions, at most [`MAX_RANK`](ringwood_base::MAX_RANK).
        rank: u8,
        /// Whether the kernel may write it.
        mutable: bool,
    },
}

impl ParamKind {
    /// The element type of a slice or view.
    pub const fn dtype(self) -> Option<DType> {
        match self {
            ParamKind::Slice { dtype, .. } | ParamKind::View { dtype, .. } => Some(dtype),
            ParamKind::Scalar(_) => None,
        }
    }

    /// Whether the kernel may write the argument.
    pub const fn is_written(self) -> bool {
        matches!(
            self,
            ParamKind::Slice { mutable: true, .. } | ParamKind::View { mutable: true, .. }
        )
    }

    /// Whether both are scalars, slices or views of one rank, and written alike, whatever their
    /// types.
    fn is_like(self, other: ParamKind) -> bool {
        let rank = |kind| match kind {
            ParamKind::Scalar(_) => None,
            ParamKind::Slice { .. } => Some(None),
            ParamKind::View { rank, .. } => Some(Some(rank)),
        };
        rank(self) == rank(other) && self.is_written() == other.is_written()
    }
}

/// As in a declaration: `f32`, `&mut [f32]`, `View<f32, 2>`.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Scalar(ty) => f.write_str(ty.name()),
            ParamKind::Slice { dtype, mutable: false } => write!(f, "&[{dtype}]"),
            ParamKind::Slice { dtype, mutable: true } => write!(f, "&mut [{dtype}]"),
            ParamKind::View { dtype, rank, mutable: false } => write!(f, "View<{dtype}, {rank}>"),
            ParamKind::View { dtype, rank, mutable: true } => write!(f, "ViewMut<{dtype}, {rank}>"),
        }
    }
}

impl Instance {
    /// An instance without code and domain, to fill in with `..`.
    ///
    /// ```
    /// use ringwood_kernel::{Instance, Native};
    ///
    /// let nothing = Native::new(|_, _| Ok(()));
    /// static EMPTY: Instance = Instance::new(&[]);
    /// let instance = Instance { native: Some(nothing), ..Instance::new(&[]) };
    /// assert!(EMPTY.ir.is_none() && instance.native.is_some());
    /// ```
    pub const fn new(params: &'static [Param]) -> Self {
        Self {
            params,
            ir: None,
            native: None,
            sources: None,
            libraries: &[],
            sites: &[],
            rank: 0,
            domain: None,
        }
    }

    /// An instance of an expansion, whose native code was written from this form, these parameters and
    /// this IR, and runs as that of no other kernel.
    #[doc(hidden)]
    pub const fn written(
        form: Form,
        params: &'static [Param],
        ir: Option<&'static str>,
        native: Option<Native<'static>>,
    ) -> Self {
        let native = match native {
            Some(native) => Some(native.written(Declaration { form, params, ir })),
            None => None,
        };
        Self { ir, native, ..Self::new(params) }
    }

    /// The element types of the slices and views, in order.
    pub(crate) fn dtypes(&self) -> impl Iterator<Item = DType> {
        self.params.iter().filter_map(|p| p.kind.dtype())
    }
}

impl KernelDef {
    /// Whether two items declare the same kernel: all instances take slices, views and scalars in one
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

    /// The instance whose slices and views have these element types, in order.
    pub fn instance(&self, dtypes: &[DType]) -> Option<&'static Instance> {
        self.instances.iter().find(|i| i.dtypes().eq(dtypes.iter().copied()))
    }

    /// What a backend compiles for `instance`, one of [`KernelDef::instances`].
    pub fn spec(&self, instance: &'static Instance) -> KernelSpec<'static> {
        KernelSpec {
            name: self.meta.name,
            form: self.form,
            params: instance.params,
            ir: instance.ir,
            native: instance.native,
            sources: instance.sources,
            libraries: instance.libraries,
            sites: instance.sites,
            file: self.meta.file,
            line: self.meta.line,
        }
    }
}

/// What a backend gets to compile: one instance of a declared kernel, or one that a pass generated.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub native: Option<Native<'a>>,
    /// Texts that devices run instead of the portable body.
    pub sources: Option<&'static Sources>,
    /// Routines of vendors' libraries that may compute the kernel.
    pub libraries: &'static [Library],
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
    /// use ringwood_kernel::{Form, KernelSpec};
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
            libraries: &[],
            sites: &[],
            file: "",
            line: 0,
        }
    }
}
