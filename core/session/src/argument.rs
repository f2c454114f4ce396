//! What a call passes: values and registers.

use super::{DRef, HostTensor, IntoValue, Value};
use ringwood_device::device::Tensor;

/// One argument of a call: a value, sent to every worker, or a register, of which every worker
/// takes its own content.
#[derive(Clone)]
pub enum Argument {
    /// A value.
    Value(Value),
    /// A register.
    Register(DRef),
}

impl<T: IntoValue> From<T> for Argument {
    fn from(value: T) -> Self {
        Self::Value(value.into_value())
    }
}

impl<T> From<&DRef<T>> for Argument {
    fn from(dref: &DRef<T>) -> Self {
        Self::Register(dref.typed())
    }
}

/// What can be passed for a parameter of type `T`: a `T`, or a register that holds one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument for a parameter of type `{T}`",
    label = "neither `{T}` nor a `DRef` of it",
    note = "an untyped `DRef` becomes a typed one with `.typed::<{T}>()`"
)]
pub trait IntoArgument<T> {
    /// The argument.
    fn into_argument(self) -> Argument;
}

impl<T: IntoValue> IntoArgument<T> for T {
    fn into_argument(self) -> Argument {
        self.into()
    }
}

impl<T> IntoArgument<T> for &DRef<T> {
    fn into_argument(self) -> Argument {
        self.into()
    }
}

impl<T> IntoArgument<T> for DRef<T> {
    fn into_argument(self) -> Argument {
        (&self).into()
    }
}

impl IntoArgument<Tensor> for &HostTensor {
    fn into_argument(self) -> Argument {
        self.clone().into()
    }
}

impl IntoArgument<String> for &str {
    fn into_argument(self) -> Argument {
        self.into()
    }
}

/// The arguments of an untyped call: a tuple such as `(1_i64, &dref, "name")`, an array or a
/// vector of [`Argument`]s.
pub trait IntoArguments {
    /// The arguments, in order.
    fn into_arguments(self) -> Vec<Argument>;
}

impl IntoArguments for Vec<Argument> {
    fn into_arguments(self) -> Vec<Argument> {
        self
    }
}

impl<const N: usize> IntoArguments for [Argument; N] {
    fn into_arguments(self) -> Vec<Argument> {
        self.into()
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {
        $(impl<$($name: Into<Argument>),*> IntoArguments for ($($name,)*) {
            fn into_arguments(self) -> Vec<Argument> {
                #[allow(non_snake_case, reason = "the values are named as their types")]
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        })*
    };
}

tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
