//! The calling convention of native kernels: how code for host memory receives its arguments.

use super::claims::Claims;
use ringwood_base::{Scalar, Shape, StridedShape};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;

/// A launch on host memory.
pub struct NativeLaunch<'a> {
    domain: Shape,
    args: &'a [NativeArg<'a>],
    fault: &'a Fault,
    in_bounds: bool,
}

/// One argument of a native launch.
#[derive(Clone, Copy)]
pub enum NativeArg<'a> {
    /// Elements in host memory.
    Slice(NativeSlice<'a>),
    /// Elements in host memory at a step along each dimension: the memory from the first to the last
    /// of them, their extents and steps.
    View(NativeSlice<'a>, &'a StridedShape),
    /// A value.
    Scalar(Scalar),
}

/// Elements in host memory.
#[derive(Clone, Copy)]
pub struct NativeSlice<'a> {
    data: NonNull<u8>,
    bytes: usize,
    strides: Option<&'a [usize]>,
    memory: PhantomData<&'a [u8]>,
}

impl<'a> NativeSlice<'a> {
    /// The `bytes` bytes at `data`; `strides` are, for maps, the step in elements along each dimension of the domain
    /// (0: broadcast), and `None` if the elements are dense, row-major.
    ///
    /// # Safety
    /// For `'a`, `data` is valid for reads of `bytes` initialised bytes (and for writes, if the
    /// kernel's parameter is mutable) and aligned for the parameter's element type. Memory of a
    /// mutable parameter is reached by no one else, and by no other argument of the launch, but
    /// that the result of a map may be one of its inputs, element by element.
    pub unsafe fn new(data: NonNull<u8>, bytes: usize, strides: Option<&'a [usize]>) -> Self {
        Self { data, bytes, strides, memory: PhantomData }
    }

    /// The first byte.
    pub fn data(&self) -> NonNull<u8> {
        self.data
    }

    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The step in elements along each dimension of the domain; `None` means dense.
    pub fn strides(&self) -> Option<&'a [usize]> {
        self.strides
    }
}

impl<'a> NativeLaunch<'a> {
    /// A launch over `domain`; out-of-bounds accesses are recorded in `fault`.
    pub fn new(domain: Shape, args: &'a [NativeArg<'a>], fault: &'a Fault) -> Self {
        Self { domain, args, fault, in_bounds: false }
    }

    /// The launch, promised to access no buffer outside of its bounds: code without checks runs, if
    /// the kernel has any.
    ///
    /// # Safety
    /// For this domain and these arguments, no access of the kernel's IR, to a slice, a view or an
    /// array, in any work-item, has an index outside of its buffer. The native code that runs was
    /// compiled from that IR.
    pub unsafe fn assume_in_bounds(self) -> Self {
        Self { in_bounds: true, ..self }
    }

    /// The domain, slowest dimension first.
    pub fn domain(&self) -> Shape {
        self.domain
    }

    /// The arguments, one for each parameter.
    pub fn args(&self) -> &'a [NativeArg<'a>] {
        self.args
    }

    /// Whether [`NativeLaunch::assume_in_bounds`] was promised.
    pub(super) fn in_bounds(&self) -> bool {
        self.in_bounds
    }

    /// Where out-of-bounds accesses are recorded.
    pub fn fault(&self) -> &'a Fault {
        self.fault
    }
}

/// What a launch must not do: its first access out of bounds, and work-items of a `unique` kernel that
/// meet.
///
/// A read outside of a slice gives 0 and a write is skipped; the first one is recorded here and
/// becomes the launch's error.
#[derive(Debug, Default)]
pub struct Fault {
    outside: OnceLock<(u32, usize, usize)>,
    claims: Claims,
}

impl Fault {
    /// Records an access at `site` of the IR with `index` into `len` elements; later ones are
    /// dropped.
    #[cold]
    pub fn record(&self, site: u32, index: usize, len: usize) {
        let _ = self.outside.set((site, index, len));
    }

    /// The first access recorded: site, index, length.
    pub fn get(&self) -> Option<(u32, usize, usize)> {
        self.outside.get().copied()
    }

    pub(super) fn claims(&self) -> &Claims {
        &self.claims
    }
}
