//! A tensor in host memory, the form in which elements cross a channel.

use bytes::Bytes;
use ringwood_base::{DType, Element, Error, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use std::fmt;

/// Elements in host memory, row-major; clones share them.
///
/// ```
/// use ringwood_session::HostTensor;
///
/// let rows = HostTensor::new(&[3, 2], &[1, 2, 3, 4, 5, 6])?;
/// assert_eq!(rows.rows(1..3)?.to_vec::<i32>()?, [3, 4, 5, 6]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct HostTensor {
    dtype: DType,
    shape: Shape,
    bytes: Bytes,
}

impl HostTensor {
    /// The tensor of these extents with a copy of `elements`.
    ///
    /// # Errors
    /// The number of elements is not the shape's.
    pub fn new<T: Element>(dims: &[usize], elements: &[T]) -> Result<Self> {
        let bytes = Bytes::copy_from_slice(bytemuck::cast_slice(elements));
        Self::from_bytes(T::DTYPE, Shape::new(dims)?, bytes)
    }

    /// A copy of a tensor on a device, after the work that writes it.
    ///
    /// # Errors
    /// The failure of that work.
    pub fn of(tensor: &Tensor) -> Result<Self> {
        Self::from_bytes(tensor.dtype(), tensor.shape(), tensor.to_bytes()?.into())
    }

    /// A copy of this tensor on a device.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory), or the device's failure.
    pub fn to_device(&self, device: &Device) -> Result<Tensor> {
        device.tensor_of_bytes(&self.bytes, self.shape, self.dtype)
    }

    /// The tensor whose rows are those of `parts`, one after the other.
    ///
    /// # Errors
    /// There is no part, one has rank 0, or element types or row shapes differ.
    pub fn concat(parts: &[HostTensor]) -> Result<Self> {
        let error = |message| Err(Error::shape(message));
        let Some(first) = parts.first() else {
            return error("no tensor to join".to_owned());
        };
        let (dtype, mut dims) = (first.dtype, first.shape.to_vec());
        if dims.is_empty() {
            return error("a tensor of rank 0 has no rows".to_owned());
        }
        let same = |p: &HostTensor| p.dtype == dtype && p.shape.get(1..) == Some(&dims[1..]);
        if let Some(other) = parts.iter().find(|part| !same(part)) {
            return error(format!("cannot join the rows of {first:?} and {other:?}"));
        }
        dims[0] = parts.iter().map(|part| part.shape[0]).sum();
        let bytes = parts.iter().map(|part| &part.bytes[..]).collect::<Vec<_>>().concat();
        Self::from_bytes(dtype, Shape::new(&dims)?, bytes.into())
    }

    /// The tensor over these bytes.
    ///
    /// # Errors
    /// The number of bytes is not what dtype and shape need.
    pub fn from_bytes(dtype: DType, shape: Shape, bytes: Bytes) -> Result<Self> {
        if shape.elements().checked_mul(dtype.size()) != Some(bytes.len()) {
            return Err(Error::shape(format!(
                "a tensor {dtype} {shape} has {} elements of {} bytes, got {} bytes",
                shape.elements(),
                dtype.size(),
                bytes.len()
            )));
        }
        Ok(Self { dtype, shape, bytes })
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The elements as bytes, row-major.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// `T` is not the element type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype {
            return Err(Error::dtype(format!("the tensor holds {}, not {}", self.dtype, T::DTYPE)));
        }
        let mut elements = vec![T::default(); self.shape.elements()];
        T::write_bytes(&mut elements, |bytes| bytes.copy_from_slice(&self.bytes));
        Ok(elements)
    }

    /// Some rows, which share the bytes: indices of the first dimension.
    ///
    /// # Errors
    /// The tensor has rank 0, or the range leaves it.
    pub fn rows(&self, range: std::ops::Range<usize>) -> Result<Self> {
        let Some((&rows, rest)) = self.shape.split_first() else {
            return Err(Error::shape("a tensor of rank 0 has no rows"));
        };
        if range.start > range.end || range.end > rows {
            return Err(Error::shape(format!("rows {range:?} of a tensor with {rows} rows")));
        }
        let mut dims = self.shape.to_vec();
        dims[0] = range.len();
        let stride = rest.iter().product::<usize>() * self.dtype.size();
        let bytes = self.bytes.slice(range.start * stride..range.end * stride);
        Self::from_bytes(self.dtype, Shape::new(&dims)?, bytes)
    }
}

impl fmt::Debug for HostTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostTensor {} {}", self.dtype, self.shape)
    }
}

#[cfg(test)]
mod tests;
