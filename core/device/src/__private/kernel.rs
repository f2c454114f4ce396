//! What expansions of `#[kernel]` call.

pub mod link;
pub mod source;

use crate::device::{LaunchArg, launch};
use crate::kernel::Kernel;

pub use crate::device::{Tensor, TensorView, TensorViewMut};
pub use crate::kernel::{
    Arguments, Array, Body, Contended, DeviceFn, DomainFn, Fault, Form, Inputs, Instance,
    KernelDef, LargeArray, Library, MapBody, Native, NativeLaunch, Operand, Operands, Param,
    ParamKind, Readable, Source, Sources, Steps, Writable, counted, declared, extents, grid_1,
    grid_2, grid_3, of_lane, position, rows, tree, unit_steps,
};
pub use crate::kernel::{Declared, Named};
pub use half::{bf16, f16};
pub use ringwood_base::{DType, Error, Result, Scalar, ScalarType, Shape};
pub use ringwood_ir::math;

/// That a kernel is declared with a signature, a type of function pointers: each instance has one.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` is not declared with the signature `{Signature}`",
    label = "implemented here with another signature",
    note = "all items of a kernel take arguments of the same types, in one order"
)]
pub trait Declares<Signature> {}

/// Compiles if `Kernel` is declared with the signature.
pub const fn implements<Kernel: Declares<Signature>, Signature>() {}

/// What the bodies of kernels name, for the copy of a body that only type-checks.
pub mod twin {
    /// The type in which sums of `T` are added up.
    pub type Acc<T> = <T as Accumulated>::Acc;

    /// A type of elements that are added up.
    pub trait Accumulated {
        /// The type of the sum.
        type Acc;
    }

    macro_rules! accumulated {
        ($($element:ident $acc:ident,)*) => {
            $(impl Accumulated for $element { type Acc = $acc; })*
        };
    }

    accumulated! { u8 u32, i8 i32, i16 i32, u16 u32, i32 i32, u32 u32, i64 i64, u64 u64, f32 f32, f64 f64, }

    /// The index of the work-item along dimension `d` of the domain; 0 is contiguous.
    pub fn gid(d: usize) -> usize {
        d
    }

    /// The index of the work-item in its group along dimension `d`; 0 is contiguous.
    pub fn lid(d: usize) -> usize {
        d
    }

    /// The index of the group along dimension `d`; 0 is contiguous.
    pub fn grp(d: usize) -> usize {
        d
    }

    /// The number of groups along dimension `d`; 0 is contiguous.
    pub fn groups(d: usize) -> usize {
        d
    }

    /// Waits until every work-item of the group is here.
    pub fn barrier() {}

    /// The values below `n`, shared among the work-items of the group.
    pub fn group_range(n: usize) -> std::ops::Range<usize> {
        0..n
    }

    /// The sum of a value over the work-items of the group.
    pub fn group_sum<T: Copy>(value: T) -> T {
        value
    }

    /// The smallest of a value over the work-items of the group.
    pub fn group_min<T: Copy>(value: T) -> T {
        value
    }

    /// The largest of a value over the work-items of the group.
    pub fn group_max<T: Copy>(value: T) -> T {
        value
    }

    macro_rules! atomics {
        ($($(#[$doc:meta])* $name:ident($($value:ident),*);)*) => {$(
            $(#[$doc])*
            pub fn $name<T: Copy>(element: &mut T, $($value: T),*) -> T {
                *element
            }
        )*};
    }

    // Each returns what the element was, and is done in one step.
    atomics! {
        /// Adds to an element.
        atomic_add(_value);
        /// Makes an element the smaller one.
        atomic_min(_value);
        /// Makes an element the larger one.
        atomic_max(_value);
        /// Clears bits of an element that the value lacks.
        atomic_and(_value);
        /// Sets the bits of the value in an element.
        atomic_or(_value);
        /// Flips the bits of the value in an element.
        atomic_xor(_value);
        /// Replaces an element.
        atomic_exchange(_value);
        /// Replaces an element if it has the expected value.
        atomic_compare_exchange(_expected, _new);
    }

    /// The unspecified content of a shared array.
    pub fn unspecified<T>() -> T {
        unreachable!("the copy of a body is never called")
    }

    /// The row of a group, to read.
    pub struct Row<T>(Vec<T>);

    /// The row of a group, to read and write.
    pub struct RowMut<T>(Vec<T>);

    impl<T> Row<T> {
        /// The number of elements.
        #[allow(clippy::len_without_is_empty, reason = "kernels have no `is_empty`")]
        pub fn len(&self) -> usize {
            self.0.len()
        }
    }

    impl<T> RowMut<T> {
        /// The number of elements.
        #[allow(clippy::len_without_is_empty, reason = "kernels have no `is_empty`")]
        pub fn len(&self) -> usize {
            self.0.len()
        }
    }

    impl<T> std::ops::Index<usize> for Row<T> {
        type Output = T;

        fn index(&self, at: usize) -> &T {
            &self.0[at]
        }
    }

    impl<T> std::ops::Index<usize> for RowMut<T> {
        type Output = T;

        fn index(&self, at: usize) -> &T {
            &self.0[at]
        }
    }

    impl<T> std::ops::IndexMut<usize> for RowMut<T> {
        fn index_mut(&mut self, at: usize) -> &mut T {
            &mut self.0[at]
        }
    }

    pub use crate::__shared as shared;
    pub use crate::kernel::{View, ViewMut};

    /// Functions of kernels that the standard library does not have.
    pub trait MathExt: ringwood_ir::math::Float {
        /// The error function.
        fn erf(self) -> Self {
            ringwood_ir::math::Float::erf(self)
        }
        /// 1 less the error function.
        fn erfc(self) -> Self {
            ringwood_ir::math::Float::erfc(self)
        }
        /// 1 divided by the square root.
        fn rsqrt(self) -> Self {
            ringwood_ir::math::Float::rsqrt(self)
        }
    }

    impl<T: ringwood_ir::math::Float> MathExt for T {}
}

/// Declares a shared array in the copy of a body that only type-checks.
#[doc(hidden)]
#[macro_export]
macro_rules! __shared {
    ($name:ident : $ty:ty) => {
        #[allow(unused_mut)]
        let mut $name: $ty = $crate::__private::kernel::twin::unspecified();
    };
}

/// What a host kernel returns.
pub trait Outcome {
    /// The result of the launch.
    fn outcome(self) -> Result<()>;
}

impl Outcome for () {
    fn outcome(self) -> Result<()> {
        Ok(())
    }
}

impl<E: Into<Error>> Outcome for Result<(), E> {
    fn outcome(self) -> Result<()> {
        self.map_err(Into::into)
    }
}

/// The plain function of a map kernel with several element types: `A` are its arguments.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` has no instance for the arguments {A}",
    note = "the element types are those of `T in [..]` in its declaration"
)]
pub trait Call<A> {
    /// The type of the result.
    type Result;
    /// Calls the function.
    fn call(args: A) -> Self::Result;
}

/// Computes a map kernel for the elements of its inputs, which broadcast, on their device.
///
/// # Errors
/// No instance for the element types; the inputs do not broadcast; those of [`launch`].
pub fn launch_map(def: &'static KernelDef, inputs: &[&Tensor]) -> Result<Tensor> {
    let operands: Vec<_> = inputs
        .iter()
        .map(|t| Operand::Tensor { dtype: t.dtype(), shape: t.shape(), mutable: false })
        .collect();
    let takes = |instance: &&Instance| {
        instance.params.len() == inputs.len() + 1
            && instance.params.iter().zip(inputs).all(|(p, t)| p.kind.dtype() == Some(t.dtype()))
    };
    let instance = def.instances.iter().find(takes);
    let (Some(instance), Some(first)) = (instance, inputs.first()) else {
        return Err(no_instance(def, inputs));
    };
    let domain = Kernel::new(def, instance).domain(&operands)?;
    let result = instance.params.last().and_then(|p| p.kind.dtype()).unwrap_or(DType::F32);
    let mut out = first.device().empty(domain, result)?;
    let reads = inputs.iter().map(|t| LaunchArg::Read(t));
    let args: Vec<_> = reads.chain([LaunchArg::Write(&mut out)]).collect();
    launch(def, &args)?;
    drop(args);
    Ok(out)
}

/// Computes a reduction of the rows of a tensor, along its last dimension, on its device; a scalar is
/// a row of one element.
///
/// # Errors
/// No instance for the element type; those of [`launch`].
pub fn launch_reduce(def: &'static KernelDef, x: &Tensor) -> Result<Tensor> {
    let shape = x.shape();
    match shape.len().checked_sub(1) {
        Some(last) => launch_reduce_along(def, x, last),
        None => reduced(def, x, shape, [1, 1]),
    }
}

/// Computes a reduction along a dimension, of which 0 is the slowest. The result lacks it.
///
/// # Errors
/// The tensor has no such dimension; those of [`launch_reduce`].
pub fn launch_reduce_along(
    def: &'static KernelDef,
    x: &Tensor,
    dimension: usize,
) -> Result<Tensor> {
    let shape = x.shape();
    let Some(n) = shape.get(dimension) else {
        let message = format!(
            "kernel `{}`: a tensor of shape {shape} has no dimension {dimension}",
            def.meta.name
        );
        return Err(Error::shape(message).help("0 is the slowest dimension"));
    };
    let (outer, inner) = (&shape[..dimension], &shape[dimension + 1..]);
    let rest = Shape::new(&[outer, inner].concat())?;
    reduced(def, x, rest, [*n, inner.iter().product()])
}

fn reduced(
    def: &'static KernelDef,
    x: &Tensor,
    result: Shape,
    steps: [usize; 2],
) -> Result<Tensor> {
    let mut out = x.device().empty(result, x.dtype())?;
    let [n, inner] = steps.map(|n| LaunchArg::Scalar(n.into()));
    launch(def, &[LaunchArg::Read(x), LaunchArg::Write(&mut out), n, inner])?;
    Ok(out)
}

fn no_instance(def: &KernelDef, inputs: &[&Tensor]) -> Error {
    let names = |dtypes: &mut dyn Iterator<Item = DType>| {
        dtypes.map(|d| d.name().to_string()).collect::<Vec<_>>().join(", ")
    };
    let got = names(&mut inputs.iter().map(|t| t.dtype()));
    let known: Vec<_> = def
        .instances
        .iter()
        .map(|i| {
            format!(
                "({})",
                names(&mut i.params.iter().rev().skip(1).rev().filter_map(|p| p.kind.dtype()))
            )
        })
        .collect();
    let message = format!(
        "kernel `{}` has no instance for ({got}); it has {}",
        def.meta.name,
        known.join(", ")
    );
    Error::dtype(message).help("convert the arguments, or list their type")
}
