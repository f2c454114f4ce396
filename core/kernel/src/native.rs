//! The calling convention of native kernels: how code for host memory receives its arguments.

use super::chain::Chain;
use super::claims::Claims;
use super::map::{Inputs, MapBody, MapCode};
use super::version::{Body, is_fast, unchecked};
use ringwood_base::{Result, Scalar, Shape, StridedShape};
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::{NonNull, fn_addr_eq};
use std::sync::{Arc, OnceLock};

/// A function that runs the work-items of `range`, a part of the linear, row-major index of the
/// domain: groups of a group kernel; a host kernel runs once and gets `0..1`.
///
/// Calls for disjoint ranges may run at the same time.
pub type NativeFn = fn(&NativeLaunch<'_>, Range<usize>) -> Result<()>;

type Unchecked = unsafe fn(&NativeLaunch<'_>, Range<usize>) -> Result<()>;

/// Native code of a kernel: one function, or several that differ in what they check and in the
/// instructions that they use, never in their results. What a declaration names lives as long as the
/// program; maps that are computed together, as long as their kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Native<'a>(Code<'a>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Code<'a> {
    Compiled(Compiled),
    /// Maps that are computed together.
    Chain(&'a Arc<Chain>),
}

/// Code that was compiled with the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compiled {
    function: Function,
    text: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
enum Function {
    /// Safe to call for every launch.
    Any(NativeFn),
    /// A function of elements.
    Map(&'static MapCode),
    /// The second does not check indices: for launches that [`NativeLaunch::assume_in_bounds`] speaks
    /// of, on processors that are [fast](is_fast).
    Indexed(NativeFn, Unchecked),
}

/// A [`Native`] of its own.
#[derive(Clone, Debug)]
pub(super) enum OwnedNative {
    Compiled(Compiled),
    Chain(Arc<Chain>),
}

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

impl<'a> Native<'a> {
    const fn compiled(function: Function, text: Option<&'static str>) -> Self {
        Self(Code::Compiled(Compiled { function, text }))
    }

    /// A function that is safe to call for every launch.
    pub const fn new(function: NativeFn) -> Self {
        Self::compiled(Function::Any(function), None)
    }

    /// The versions of a body whose accesses may be out of bounds.
    #[doc(hidden)]
    pub const fn of<B: Body>() -> Self {
        let function = match B::FAST {
            true => Function::Indexed(B::run::<true>, unchecked::<B>),
            false => Function::Any(B::run::<true>),
        };
        Self::compiled(function, B::TEXT)
    }

    /// The loops of a map.
    #[doc(hidden)]
    pub const fn map<B: MapBody>() -> Self {
        Self::compiled(Function::Map(const { &MapCode::of::<B>() }), B::TEXT)
    }

    /// The loops of a map of `f32`, for inputs `I` and results `O`: a 16-bit float that stands for an
    /// `f32` is widened, or rounded.
    #[doc(hidden)]
    pub const fn stored<B: MapBody, I: Inputs<O>, O>() -> Self {
        Self::compiled(Function::Map(const { &MapCode::stored::<B>(I::DTYPES) }), B::TEXT)
    }

    /// The loops of a map.
    pub(super) const fn loops(self) -> Option<&'static MapCode> {
        match self.0 {
            Code::Compiled(Compiled { function: Function::Map(code), .. }) => Some(code),
            _ => None,
        }
    }

    /// The Rust of the body that the versions are compiled from, as tokens without a layout, where
    /// `#[kernel]` keeps it: with the feature `native-text`, which the facade's `cli` includes.
    pub const fn text(&self) -> Option<&'static str> {
        match self.0 {
            Code::Compiled(compiled) => compiled.text,
            Code::Chain(_) => None,
        }
    }

    /// Runs a range of a launch with the function that fits it.
    ///
    /// # Errors
    /// Those of the kernel. Accesses out of bounds are in the launch's [`Fault`].
    pub fn run(&self, launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
        let compiled = match self.0 {
            Code::Compiled(compiled) => compiled,
            Code::Chain(chain) => return chain.run(launch, range),
        };
        match compiled.function {
            // SAFETY: `assume_in_bounds` was promised that no access is out of bounds; the processor
            // is fast.
            Function::Indexed(_, unchecked) if launch.in_bounds && is_fast() => unsafe {
                unchecked(launch, range)
            },
            Function::Any(run) | Function::Indexed(run, _) => run(launch, range),
            Function::Map(code) => code.run(launch, range),
        }
    }

    pub(super) fn to_owned(self) -> OwnedNative {
        match self.0 {
            Code::Compiled(compiled) => OwnedNative::Compiled(compiled),
            Code::Chain(chain) => OwnedNative::Chain(Arc::clone(chain)),
        }
    }
}

impl OwnedNative {
    pub(super) const fn native(&self) -> Native<'_> {
        match self {
            OwnedNative::Compiled(compiled) => Native(Code::Compiled(*compiled)),
            OwnedNative::Chain(chain) => Native(Code::Chain(chain)),
        }
    }
}

/// Whether both are the same functions.
impl PartialEq for Compiled {
    fn eq(&self, other: &Self) -> bool {
        match (self.function, other.function) {
            (Function::Any(a), Function::Any(b)) => fn_addr_eq(a, b),
            (Function::Map(a), Function::Map(b)) => a == b,
            (Function::Indexed(a, x), Function::Indexed(b, y)) => {
                fn_addr_eq(a, b) && fn_addr_eq(x, y)
            }
            _ => false,
        }
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
