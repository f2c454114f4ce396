//! The code of native kernels, and which version of it a launch runs.

use super::chain::Chain;
use super::launch::NativeLaunch;
use super::map::{Inputs, MapBody, MapCode};
use super::version::{Body, is_fast, unchecked};
use super::{Form, KernelSpec, Param};
use ringwood_base::Result;
use std::ops::Range;
use std::ptr::fn_addr_eq;
use std::sync::Arc;

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
    written: Option<Declaration>,
}

/// What the macro wrote native code from, and what that therefore relies on: a form, parameters, and
/// the IR of which launches are proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    pub(super) form: Form,
    pub(super) params: &'static [Param],
    pub(super) ir: Option<&'static str>,
}

impl Declaration {
    fn is_of(&self, spec: &KernelSpec<'_>) -> bool {
        let kinds = self.params.iter().map(|param| param.kind);
        (self.form, self.ir) == (spec.form, spec.ir)
            && kinds.eq(spec.params.iter().map(|param| param.kind))
    }
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

impl<'a> Native<'a> {
    const fn compiled(function: Function, text: Option<&'static str>) -> Self {
        Self(Code::Compiled(Compiled { function, text, written: None }))
    }

    /// The code, written from this declaration, unless it is known to be written from one.
    pub(super) const fn written(self, from: Declaration) -> Self {
        match self.0 {
            Code::Compiled(compiled @ Compiled { written: None, .. }) => {
                Self(Code::Compiled(Compiled { written: Some(from), ..compiled }))
            }
            Code::Compiled(_) | Code::Chain(_) => self,
        }
    }

    /// Whether it may run as the code of this kernel: what the macro wrote does so for the declaration
    /// that it was written from alone.
    pub(super) fn is_of(&self, spec: &KernelSpec<'_>) -> bool {
        match self.0 {
            Code::Chain(chain) => chain.is_of(spec),
            Code::Compiled(Compiled { written: Some(from), .. }) => from.is_of(spec),
            Code::Compiled(Compiled { function, .. }) => matches!(function, Function::Any(_)),
        }
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

    /// Whether it computes each element of a domain by itself: then a launch may be run range by range, in any order.
    pub const fn is_map(&self) -> bool {
        self.loops().is_some()
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
    /// # Safety
    /// The launch is one of a kernel that this is the code of, as [`KernelSpec::check_native`] finds:
    /// its arguments are for the parameters of that kernel.
    ///
    /// # Errors
    /// Those of the kernel. Accesses out of bounds are in the launch's [`Fault`](super::Fault).
    pub unsafe fn run(&self, launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
        let compiled = match self.0 {
            Code::Compiled(compiled) => compiled,
            Code::Chain(chain) => return chain.run(launch, range),
        };
        match compiled.function {
            // SAFETY: `assume_in_bounds` was promised that no access is out of bounds, of the IR that
            // the code was written from, as the launch is one of its kernel; the processor is fast.
            Function::Indexed(_, unchecked) if launch.in_bounds() && is_fast() => unsafe {
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
