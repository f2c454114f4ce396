//! The buffers and tensors that a device makes.

use super::{Buffer, Device, Tensor};
use ringwood_base::{DType, Element, Error, Result, Shape};

impl Device {
    /// A tensor of rank 1 with these elements.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory), or the device's failure.
    pub fn tensor<T: Element>(&self, elements: &[T]) -> Result<Tensor> {
        self.tensor_with(elements, Shape::vector(elements.len()))
    }

    /// A tensor of `shape` with these elements, in row-major order.
    ///
    /// # Errors
    /// The number of elements differs from the shape's; otherwise as [`Device::tensor`].
    pub fn tensor_with<T: Element>(&self, elements: &[T], shape: Shape) -> Result<Tensor> {
        if elements.len() != shape.elements() {
            let (n, want) = (elements.len(), shape.elements());
            return Err(Error::shape(format!("{n} elements do not fill shape {shape} of {want}")));
        }
        self.tensor_of_bytes(bytemuck::cast_slice(elements), shape, T::DTYPE)
    }

    /// A tensor of `shape` and `dtype` from its bytes, in row-major order.
    ///
    /// # Errors
    /// The number of bytes does not fit; otherwise as [`Device::tensor`].
    pub fn tensor_of_bytes(&self, bytes: &[u8], shape: Shape, dtype: DType) -> Result<Tensor> {
        let mut tensor = self.empty(shape, dtype)?;
        tensor.write_bytes(bytes)?;
        Ok(tensor)
    }

    /// A tensor of zeros.
    ///
    /// # Errors
    /// As [`Device::tensor`].
    pub fn zeros(&self, shape: Shape, dtype: DType) -> Result<Tensor> {
        let tensor = self.empty(shape, dtype)?;
        if tensor.bytes() > 0 {
            self.stream()?.fill(tensor.region(), 0)?;
        }
        Ok(tensor)
    }

    /// A tensor whose elements are unspecified until they are written.
    ///
    /// # Errors
    /// As [`Device::tensor`].
    pub fn empty(&self, shape: Shape, dtype: DType) -> Result<Tensor> {
        let buffer = self.buffer(Tensor::size(shape, dtype)?)?;
        Tensor::new(buffer, 0, shape, dtype)
    }

    /// Uninitialised memory; 0 bytes are legal.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory) names the bytes asked for, the limit and the bytes in use.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer> {
        Ok(Buffer::new(self, self.hardware().allocate(bytes)?, bytes))
    }

    /// `old` if it is large enough and nobody else holds it, else a new buffer instead of it.
    ///
    /// # Errors
    /// As [`Device::buffer`].
    pub fn buffer_from(&self, old: Buffer, bytes: usize) -> Result<Buffer> {
        if old.device() == self && old.bytes() >= bytes && old.is_ours() {
            return Ok(old);
        }
        drop(old);
        self.buffer(bytes)
    }
}
