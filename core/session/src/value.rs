//! What travels between controller and workers.

use super::convert::mismatch;
use super::{FromValue, HostTensor};
use ringwood_base::{DType, Result, Scalar, ScalarType, Shape};
use ringwood_device::device::Tensor;
use std::fmt;
use std::sync::Arc;

/// A value of a register, an argument or a result.
///
/// Programs rarely name it: [`IntoValue`](super::IntoValue) and [`FromValue`](super::FromValue)
/// convert. Equivalent to TVM's `Any` as far as Disco lets it through.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Value {
    /// Nothing: the result of a function without one.
    #[default]
    None,
    /// A truth value.
    Bool(bool),
    /// An integer of any width that fits.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Str(String),
    /// Bytes, shared between clones.
    Bytes(Arc<[u8]>),
    /// A shape.
    Shape(Shape),
    /// An element type.
    DType(DType),
    /// A number of a declared width.
    Scalar(Scalar),
    /// Elements on a device: the form in which a worker holds them. They cross no channel to
    /// another process.
    Tensor(Tensor),
    /// Elements in host memory: the form in which they travel.
    Host(HostTensor),
    /// Several values.
    List(Vec<Value>),
    /// A list of numbers of one type, as a tensor of one dimension holds them.
    Numbers(HostTensor),
    /// The `Some` of an option whose content would be taken for `None` without it, or for the content of another one:
    /// `Some(None)`, `Some(())`.
    Some(Box<Value>),
}

impl Value {
    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Bytes(_) => "bytes",
            Self::Shape(_) => "shape",
            Self::DType(_) => "dtype",
            Self::Scalar(scalar) => scalar.ty().name(),
            Self::Tensor(_) | Self::Host(_) => "tensor",
            Self::List(_) | Self::Numbers(_) => "list",
            Self::Some(_) => "some",
        }
    }

    /// What this value holds, if it may hold others.
    pub(super) fn inner(&self) -> Option<&[Self]> {
        match self {
            Self::List(values) => Some(values),
            Self::Some(value) => Some(std::slice::from_ref(value)),
            _ => None,
        }
    }

    /// The values of the list that `T` takes.
    pub(super) fn into_values<T: FromValue>(
        self,
    ) -> Result<Box<dyn ExactSizeIterator<Item = Self>>> {
        match self {
            Self::List(values) => Ok(Box::new(values.into_iter())),
            Self::Numbers(numbers) => Ok(Box::new(each(numbers))),
            other => Err(mismatch::<T>(&other)),
        }
    }

    /// Whether a value that `is` of a kind is inside, which lists are not.
    pub(super) fn holds(&self, is: fn(&Self) -> bool) -> bool {
        match self.inner() {
            Some(values) => values.iter().any(|value| value.holds(is)),
            None => is(self),
        }
    }

    /// The element type and shape of a tensor, wherever it is.
    pub(super) fn form(&self) -> Option<(DType, Shape)> {
        match self {
            Self::Tensor(tensor) => Some((tensor.dtype(), tensor.shape())),
            Self::Host(tensor) => Some((tensor.dtype(), tensor.shape())),
            _ => None,
        }
    }

    /// The value with the elements of its tensors.
    pub(super) fn on_host(self) -> Result<Value> {
        self.map_tensors(&|tensor| HostTensor::of(&tensor).map(Self::Host))
    }

    /// The value with every tensor on a device replaced by what `change` makes of it.
    pub(super) fn map_tensors(self, change: &impl Fn(Tensor) -> Result<Value>) -> Result<Value> {
        self.map(&|value| match value {
            Self::Tensor(tensor) => change(tensor),
            other => Ok(other),
        })
    }

    /// The value with everything inside that is no list replaced by what `change` makes of it.
    pub(super) fn map(self, change: &impl Fn(Value) -> Result<Value>) -> Result<Value> {
        match self {
            Self::List(values) => {
                let values = values.into_iter().map(|value| value.map(change));
                values.collect::<Result<_>>().map(Self::List)
            }
            Self::Some(value) => value.map(change).map(|value| Self::Some(Box::new(value))),
            other => change(other),
        }
    }
}

/// The numbers as the values that each of them is alone.
fn each(numbers: HostTensor) -> impl ExactSizeIterator<Item = Value> {
    let (size, ty) = (numbers.dtype().size(), ScalarType::from(numbers.dtype()));
    (0..numbers.shape().elements()).map(move |i| {
        let bytes = &numbers.bytes()[i * size..][..size];
        match Scalar::from_bytes(ty, bytes) {
            Some(Scalar::F32(v)) => Value::Float(v.into()),
            Some(Scalar::F64(v)) => Value::Float(v),
            Some(v) => match v.integer().map(i64::try_from) {
                Some(Ok(v)) => Value::Int(v),
                _ => Value::Scalar(v),
            },
            None => Value::None,
        }
    })
}

/// The kind and, where it is short, the value: `int 3`, `str "abc"`, `tensor f32 [2, 3]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Self::None => Ok(()),
            Self::Bool(v) => write!(f, " {v}"),
            Self::Int(v) => write!(f, " {v}"),
            Self::Float(v) => write!(f, " {v:?}"),
            Self::Str(v) if v.chars().count() > 32 => write!(f, " of {} bytes", v.len()),
            Self::Str(v) => write!(f, " {v:?}"),
            Self::Bytes(v) => write!(f, " ({})", v.len()),
            Self::Shape(v) => write!(f, " {v}"),
            Self::DType(v) => write!(f, " {v}"),
            Self::Scalar(v) => write!(f, " {v}"),
            Self::Tensor(v) => write!(f, " {} {} on {}", v.dtype(), v.shape(), v.device()),
            Self::Host(v) => write!(f, " {} {}", v.dtype(), v.shape()),
            Self::List(v) => write!(f, " of {}", v.len()),
            Self::Numbers(v) => write!(f, " of {}", v.shape().elements()),
            Self::Some(v) => write!(f, " {v}"),
        }
    }
}
