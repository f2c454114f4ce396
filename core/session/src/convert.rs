//! Between Rust types and [`Value`].

use super::{HostTensor, Value};
use ringwood_base::{DType, Element, Error, Result, Scalar, Shape};
use ringwood_device::device::{Device, Tensor};
use std::sync::Arc;

/// A type that arguments and results can be taken as.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel to a worker",
    label = "implements no `FromValue`",
    note = "numbers, `bool`, `String`, `HostTensor`, and options, vectors and tuples of them can"
)]
pub trait FromValue: Sized {
    /// Whether a worker puts the host tensors of an argument onto its device before; false for a type that takes none, or
    /// takes them as they are.
    const ON_DEVICE: bool = true;

    /// What a matching value is called in messages: `f32`, `list of i64`.
    fn expected() -> String;

    /// The value as this type. Numbers convert only where nothing is lost.
    ///
    /// # Errors
    /// The value has another type; the error names both types.
    fn from_value(value: Value) -> Result<Self>;
}

/// A type that can be an argument or a result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel between controller and workers",
    label = "implements no `IntoValue`"
)]
pub trait IntoValue {
    /// The value.
    fn into_value(self) -> Value;

    /// Several of them, as one value.
    #[doc(hidden)]
    fn list(values: Vec<Self>) -> Value
    where
        Self: Sized,
    {
        Value::List(values.into_iter().map(IntoValue::into_value).collect())
    }
}

fn numbers_of_size(values: &[usize]) -> Value {
    numbers(&values.iter().map(|&value| value as u64).collect::<Vec<_>>())
}

/// A list of numbers, which take no more memory than their bits.
fn numbers<T: Element>(values: &[T]) -> Value {
    Value::Numbers(HostTensor::new(&[values.len()], values).expect("as many as its extent"))
}

/// The result of a global function: `T` or [`Result<T>`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a global function",
    label = "neither a value nor a `Result` of one",
    note = "numbers, `bool`, `String`, `HostTensor`, and options, vectors and tuples of them can"
)]
pub trait Outcome {
    /// The type of the result's register.
    type Output;

    /// The value, or the failure.
    fn into_outcome(self) -> Result<Value>;
}

impl<T: IntoValue> Outcome for T {
    type Output = T;

    fn into_outcome(self) -> Result<Value> {
        Ok(self.into_value())
    }
}

impl<T: IntoValue> Outcome for Result<T> {
    type Output = T;

    fn into_outcome(self) -> Result<Value> {
        self.map(IntoValue::into_value)
    }
}

/// The error for a value of another type than `T`.
pub(super) fn mismatch<T: FromValue>(value: &Value) -> Error {
    Error::invalid(format!("expected {}, got {value}", T::expected()))
}

impl FromValue for Value {
    fn expected() -> String {
        "any value".into()
    }

    fn from_value(value: Value) -> Result<Self> {
        Ok(value)
    }
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

macro_rules! convert {
    ($device:literal; $($rust:ty, $name:literal: $($from:pat $(if $when:expr)? => $to:expr),+; $value:ident => $into:expr $(, $list:ident)?;)*) => {
        $(
            impl FromValue for $rust {
                const ON_DEVICE: bool = $device;

                fn expected() -> String {
                    $name.into()
                }

                fn from_value(value: Value) -> Result<Self> {
                    match value {
                        $($from $(if $when)? => Ok($to),)+
                        other => Err(mismatch::<Self>(&other)),
                    }
                }
            }

            impl IntoValue for $rust {
                fn into_value(self) -> Value {
                    let $value = self;
                    $into
                }

                $(fn list(values: Vec<Self>) -> Value {
                    $list(&values)
                })?
            }
        )*
    };
}

convert! {
    false;
    (), "none": Value::None => (); _unit => Value::None;
    bool, "bool": Value::Bool(v) => v, Value::Scalar(Scalar::Bool(v)) => v; v => Value::Bool(v);
    f64, "f64": Value::Float(v) => v, Value::Scalar(Scalar::F64(v)) => v; v => Value::Float(v), numbers;
    f32, "f32": Value::Scalar(Scalar::F32(v)) => v, Value::Float(v) if v.is_nan() || f64::from(v as f32) == v => v as f32;
        v => Value::Float(v.into()), numbers;
    String, "str": Value::Str(v) => v; v => Value::Str(v);
    Arc<[u8]>, "bytes": Value::Bytes(v) => v; v => Value::Bytes(v);
    Shape, "shape": Value::Shape(v) => v; v => Value::Shape(v);
    DType, "dtype": Value::DType(v) => v; v => Value::DType(v);
    Scalar, "scalar": Value::Scalar(v) => v; v => Value::Scalar(v);
    HostTensor, "tensor": Value::Host(v) => v, Value::Tensor(v) => HostTensor::of(&v)?; v => Value::Host(v);
}

convert! {
    true;
    // One that has come from another process is not on a device.
    Tensor, "tensor": Value::Tensor(v) => v, Value::Host(v) => v.to_device(&Device::best()?)?; v => Value::Tensor(v);
}

impl IntoValue for &str {
    fn into_value(self) -> Value {
        Value::Str(self.into())
    }
}

macro_rules! integers {
    ($($rust:ident $($list:ident)?),*) => {
        $(
            impl FromValue for $rust {
                const ON_DEVICE: bool = false;

                fn expected() -> String {
                    stringify!($rust).into()
                }

                fn from_value(value: Value) -> Result<Self> {
                    let converted = match value {
                        Value::Int(v) => $rust::try_from(v).ok(),
                        Value::Scalar(v) if v.ty().is_integer() => {
                            v.integer().and_then(|v| $rust::try_from(v).ok())
                        }
                        _ => None,
                    };
                    converted.ok_or_else(|| mismatch::<Self>(&value))
                }
            }

            impl IntoValue for $rust {
                fn into_value(self) -> Value {
                    match i64::try_from(self) {
                        Ok(v) => Value::Int(v),
                        Err(_) => Value::Scalar(Scalar::U64(self as u64)),
                    }
                }

                $(fn list(values: Vec<Self>) -> Value {
                    $list(&values)
                })?
            }
        )*
    };
}

integers! {
    u8 numbers, i8 numbers, i16 numbers, u16 numbers, i32 numbers, u32 numbers, i64 numbers, u64 numbers, usize numbers_of_size
}

impl<T: FromValue> FromValue for Option<T> {
    const ON_DEVICE: bool = T::ON_DEVICE;

    fn expected() -> String {
        format!("{} or none", T::expected())
    }

    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::None => Ok(None),
            Value::Some(value) => T::from_value(*value).map(Some),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        match self.map(IntoValue::into_value) {
            None => Value::None,
            // Without a mark it would be taken for `None`, or its own mark for this one.
            Some(value @ (Value::None | Value::Some(_))) => Value::Some(Box::new(value)),
            Some(value) => value,
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    const ON_DEVICE: bool = T::ON_DEVICE;

    fn expected() -> String {
        format!("list of {}", T::expected())
    }

    fn from_value(value: Value) -> Result<Self> {
        value.into_values::<Self>()?.map(T::from_value).collect()
    }
}

impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value(self) -> Value {
        T::list(self)
    }
}

macro_rules! tuples {
    ($($count:literal: $($name:ident)+;)*) => {
        $(
            impl<$($name: FromValue),+> FromValue for ($($name,)+) {
                const ON_DEVICE: bool = $($name::ON_DEVICE)||+;

                fn expected() -> String {
                    format!("list of ({})", [$($name::expected()),+].join(", "))
                }

                fn from_value(value: Value) -> Result<Self> {
                    let mut values = value.into_values::<Self>()?;
                    if values.len() != $count {
                        return Err(mismatch::<Self>(&Value::List(values.collect())));
                    }
                    Ok(($($name::from_value(values.next().unwrap_or_default())?,)+))
                }
            }

            impl<$($name: IntoValue),+> IntoValue for ($($name,)+) {
                fn into_value(self) -> Value {
                    #[allow(non_snake_case, reason = "the values are named as their types")]
                    let ($($name,)+) = self;
                    Value::List(vec![$($name.into_value()),+])
                }
            }
        )*
    };
}

tuples! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
}

#[cfg(test)]
mod tests;
