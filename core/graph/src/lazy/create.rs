//! New tensors: on the default device, or constants of the trace that runs.

use super::apply::IntoOperand;
use super::{Lazy, Line, State, cache, default_device, trace};
use crate::graph::TensorType;
use ringwood_base::{DType, Element, Error, Result, Scalar};
use ringwood_device::device::{Device, Tensor};
use std::panic::Location;

impl Lazy {
    /// A tensor with these elements in row-major order, on the default device; a constant inside of a trace.
    #[track_caller]
    pub fn new<T: Element>(dims: &[usize], elements: &[T]) -> Lazy {
        let fits = |ty: TensorType| match ty.shape.elements() {
            want if want == elements.len() => Ok(ty),
            want => {
                let (got, shape) = (elements.len(), ty.shape);
                Err(Error::shape(format!("{got} elements do not fill shape {shape} of {want}")))
            }
        };
        let ty = TensorType::new(T::DTYPE, dims).and_then(fits);
        filled(ty, bytemuck::cast_slice(elements), None, Location::caller())
    }

    /// A device tensor as it is. Nobody may write there from then on: plans go on with what they were given.
    pub fn of(tensor: Tensor) -> Lazy {
        Self::ready(tensor)
    }

    /// One number, of rank 0.
    #[track_caller]
    pub fn scalar<T: Element>(value: T) -> Lazy {
        Self::new(&[], &[value])
    }

    /// A tensor of zeros.
    #[track_caller]
    pub fn zeros(dtype: DType, dims: &[usize]) -> Lazy {
        let zero = vec![0; dtype.size()];
        filled(TensorType::new(dtype, dims), &zero, None, Location::caller())
    }

    /// A tensor of one number at all places.
    #[track_caller]
    pub fn full<T: Element>(dims: &[usize], value: T) -> Lazy {
        let ty = TensorType::new(T::DTYPE, dims);
        filled(ty, bytemuck::bytes_of(&value), None, Location::caller())
    }

    /// A tensor of a type and without a value on the default device: [`Lazy::assign`] gives it one.
    #[track_caller]
    pub fn placeholder(dtype: DType, dims: &[usize]) -> Lazy {
        let empty = TensorType::new(dtype, dims)
            .and_then(|ty| Ok(Self::with_state(State::Empty(ty, default_device()?))));
        Self::or_failed(empty, Location::caller())
    }

    /// Zeros of the type, and on the device, of this tensor.
    #[track_caller]
    #[must_use]
    pub fn zeros_like(&self) -> Lazy {
        let ty = self.tensor_type();
        let zero = vec![0; ty.as_ref().map_or(0, |ty| ty.dtype.size())];
        filled(ty, &zero, self.device().ok(), Location::caller())
    }
}

/// A tensor of these bytes, or of one element at all places, on a device or the default one.
fn filled(ty: Result<TensorType>, bytes: &[u8], device: Option<Device>, line: Line) -> Lazy {
    let made = ty.and_then(|ty| match trace::current() {
        Some(trace) => trace.constant(ty, bytes, device.as_ref(), line),
        None => ready(ty, bytes, &device.map_or_else(default_device, Ok)?),
    });
    Lazy::or_failed(made, line)
}

/// A tensor of these bytes, or of one element at all places, on a device.
pub(super) fn ready(ty: TensorType, bytes: &[u8], device: &Device) -> Result<Lazy> {
    let tensor = cache::with_memory(|| match bytes.len() == ty.bytes() {
        true => device.tensor_of_bytes(bytes, ty.shape, ty.dtype),
        false if bytes.iter().all(|&byte| byte == 0) => device.zeros(ty.shape, ty.dtype),
        false => device.tensor_of_bytes(&repeated(bytes, ty)?, ty.shape, ty.dtype),
    });
    tensor.map(Lazy::ready)
}

/// The bytes of one element at all places of a tensor.
fn repeated(element: &[u8], ty: TensorType) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    all.try_reserve_exact(ty.bytes()).map_err(|cause| {
        let message = format!("there is no memory for {ty}, of {} bytes", ty.bytes());
        Error::out_of_memory(message).because(cause)
    })?;
    (0..ty.shape.elements()).for_each(|_| all.extend_from_slice(element));
    Ok(all)
}

/// The bytes of a number as an element of a type.
fn element(value: f64, dtype: DType) -> Result<Vec<u8>> {
    if dtype.is_float() {
        return crate::graph::float_bytes(dtype, value);
    }
    let number = Scalar::F64(value).cast(dtype.into());
    let exact = value.trunc() == value && number.integer() == Some(value as i128);
    match exact && dtype != DType::Bool {
        true => Ok(number.to_bytes()),
        false => {
            let message = format!("{value} is no element of type {dtype}");
            Err(Error::dtype(message).help("use `cast` first"))
        }
    }
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl IntoOperand for $type {
            fn operand(&self, beside: &Lazy, line: Line) -> Lazy {
                let number = beside.tensor_type().and_then(|ty| {
                    let bytes = element(f64::from(*self), ty.dtype)?;
                    let ty = TensorType::new(ty.dtype, &[])?;
                    // Its trace may run on another thread than this one.
                    match trace::traced(beside) {
                        Some(traced) => traced.trace.constant(ty, &bytes, traced.device.as_ref(), line),
                        None => Ok(filled(Ok(ty), &bytes, Some(beside.device()?), line)),
                    }
                });
                Lazy::or_failed(number, line)
            }
        }

        /// One number, of rank 0, of this type.
        impl From<$type> for Lazy {
            #[track_caller]
            fn from(value: $type) -> Self {
                Self::scalar(value)
            }
        }
    )*};
}

numbers!(f32 f64 i32);
