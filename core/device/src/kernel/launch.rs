//! A launch that was checked.

use super::{Kernel, ParamKind};
use crate::region::Region;
use ringwood_base::{Result, Scalar, Shape, StridedShape};

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
    /// Elements in device memory at a step along each dimension.
    View {
        /// The memory from the first to the last of them.
        region: Region<'a, M>,
        /// Their extents and steps.
        shape: &'a StridedShape,
    },
    /// A value, captured at submission.
    Scalar(Scalar),
}

impl<M> Clone for Arg<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Arg<'_, M> {}

impl<'a, M> Arg<'a, M> {
    /// The memory that the argument lies in.
    pub fn memory(&self) -> Option<&'a M> {
        self.region().map(|region| region.memory)
    }

    /// Where a slice or view lies, from its first to its last element.
    pub fn region(&self) -> Option<Region<'a, M>> {
        match self {
            Arg::Slice { region, .. } | Arg::View { region, .. } => Some(*region),
            Arg::Scalar(_) => None,
        }
    }

    /// The argument with its memory replaced.
    ///
    /// # Errors
    /// Those of `replace`.
    pub(crate) fn map<N>(
        &self,
        replace: impl FnOnce(Region<'a, M>) -> Result<Region<'a, N>>,
    ) -> Result<Arg<'a, N>> {
        Ok(match *self {
            Arg::Slice { region, strides } => Arg::Slice { region: replace(region)?, strides },
            Arg::View { region, shape } => Arg::View { region: replace(region)?, shape },
            Arg::Scalar(value) => Arg::Scalar(value),
        })
    }
}

/// What was proved of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Proven {
    /// That no access is out of bounds.
    pub(crate) in_bounds: bool,
    /// That indices of 32 bits are enough.
    pub(crate) narrow: bool,
}

/// One launch of a compiled kernel, checked: backends trust it.
///
/// Its arguments are those that the kernel takes, in number, kind and type; slices and views are whole
/// elements, and as long as a map or their own steps reach; what the kernel writes shares no byte with
/// another argument, but that the result of a map may be an input, element by element; what the
/// kernel requires holds. Whether each region is inside of its memory is left to the backend.
///
/// Only [`Code::launch`](super::Code::launch) makes one.
pub struct Launch<'a, C, M> {
    pub(super) code: &'a C,
    pub(super) kernel: &'a Kernel,
    pub(super) domain: Shape,
    pub(super) args: Vec<Arg<'a, M>>,
    pub(super) proven: Proven,
}

impl<'a, C, M> Launch<'a, C, M> {
    /// What [`Backend::compile`](crate::backend::Backend::compile) made of the kernel.
    pub fn code(&self) -> &'a C {
        self.code
    }

    /// The kernel.
    pub fn kernel(&self) -> &'a Kernel {
        self.kernel
    }

    /// The domain, slowest dimension first; `gid(0)` runs over the last one. A host kernel ignores it.
    pub fn domain(&self) -> Shape {
        self.domain
    }

    /// One argument for each parameter.
    pub fn args(&self) -> &[Arg<'a, M>] {
        &self.args
    }

    /// The arguments with what their parameters take.
    pub fn params(&self) -> impl Iterator<Item = (ParamKind, &Arg<'a, M>)> {
        self.kernel.params().iter().map(|param| param.kind).zip(self.args())
    }

    /// Whether it is proved that no access of the kernel's IR is out of bounds.
    pub fn in_bounds(&self) -> bool {
        self.proven.in_bounds
    }

    /// Whether it is proved that indices of 32 bits give the same results.
    pub fn narrow(&self) -> bool {
        self.proven.narrow
    }

    /// The launch of the same kernel as the backend below one that wraps it sees it: each memory is
    /// replaced by the one that it stands for.
    ///
    /// # Errors
    /// Those of `memory`.
    #[inline]
    pub fn map<D, N>(
        &self,
        code: &'a D,
        memory: impl Fn(&'a M) -> Result<&'a N>,
    ) -> Result<Launch<'a, D, N>> {
        let mut args = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            args.push(arg.map(|Region { memory: whole, offset, bytes }| {
                Ok(Region { memory: memory(whole)?, offset, bytes })
            })?);
        }
        let Self { kernel, domain, proven, .. } = *self;
        Ok(Launch { code, kernel, domain, args, proven })
    }
}
