//! Elements in device memory at a step along each dimension.

use super::{Buffer, Device, Tensor};
use crate::backend::Region;
use ringwood_base::{DType, Element, Error, Result, Shape, StridedShape};
use std::fmt;
use std::ops::Range;

/// Elements of a [`Tensor`] at a step along each dimension, to read: what a kernel takes for a
/// parameter `View<T, R>`.
///
/// ```no_run
/// use ringwood_base::Shape;
/// use ringwood_device::device::Device;
///
/// let x = Device::best()?.tensor(&[1, 2, 3, 4, 5, 6])?.reshape(Shape::new(&[2, 3])?)?;
/// let columns = x.view().permute(&[1, 0])?.slice(0, 0..3, 2)?;
/// assert_eq!(columns.to_vec::<i32>()?, [1, 4, 3, 6]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TensorView<'a> {
    buffer: &'a Buffer,
    /// Of the first element, in bytes.
    offset: usize,
    shape: StridedShape,
    dtype: DType,
}

/// As [`TensorView`], to read and write: what a kernel takes for a parameter `ViewMut<T, R>`. No two
/// of its indices have one element, so that it does not broadcast.
pub struct TensorViewMut<'a>(TensorView<'a>);

impl Tensor {
    /// All elements, to read at steps.
    pub fn view(&self) -> TensorView<'_> {
        let Region { memory, offset, .. } = self.region();
        let shape = StridedShape::dense(self.shape());
        TensorView { buffer: memory, offset, shape, dtype: self.dtype() }
    }

    /// All elements, to write at steps.
    pub fn view_mut(&mut self) -> TensorViewMut<'_> {
        TensorViewMut(self.view())
    }
}

impl<'a> From<&'a Tensor> for TensorView<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        tensor.view()
    }
}

impl<'a> From<&'a mut Tensor> for TensorViewMut<'a> {
    fn from(tensor: &'a mut Tensor) -> Self {
        tensor.view_mut()
    }
}

impl<'a> TensorView<'a> {
    /// The device.
    pub fn device(&self) -> &'a Device {
        self.buffer.device()
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        self.shape.shape()
    }

    /// The extents and steps.
    pub fn strided(&self) -> &StridedShape {
        &self.shape
    }

    /// The memory from the first to the last element.
    pub fn region(&self) -> Region<'a, Buffer> {
        let bytes = self.shape.reach() * self.dtype.size();
        Region { memory: self.buffer, offset: self.offset, bytes }
    }

    /// The dimensions in another order, as [`StridedShape::permute`].
    ///
    /// # Errors
    /// `order` does not name each dimension once.
    pub fn permute(self, order: &[usize]) -> Result<Self> {
        Ok(Self { shape: self.shape.permute(order)?, ..self })
    }

    /// Two dimensions exchanged.
    ///
    /// # Errors
    /// There is no such dimension.
    pub fn transpose(self, a: usize, b: usize) -> Result<Self> {
        let mut order: Vec<_> = (0..self.shape().len()).collect();
        if a.max(b) >= order.len() {
            let message = format!("shape {} has no dimensions {a} and {b}", self.shape());
            return Err(Error::shape(message));
        }
        order.swap(a, b);
        self.permute(&order)
    }

    /// Every `step`-th index of `range` along dimension `dim`.
    ///
    /// # Errors
    /// No such dimension, a range outside of its extent, a step of 0.
    pub fn slice(self, dim: usize, range: Range<usize>, step: usize) -> Result<Self> {
        let (first, shape) = self.shape.slice(dim, range, step)?;
        Ok(self.at(first, shape))
    }

    /// One index along dimension `dim`, which is then gone.
    ///
    /// # Errors
    /// No such dimension, or an index outside of its extent.
    pub fn select(self, dim: usize, index: usize) -> Result<Self> {
        let (first, shape) = self.shape.select(dim, index)?;
        Ok(self.at(first, shape))
    }

    /// The elements repeated to `shape`, as [`StridedShape::broadcast`].
    ///
    /// # Errors
    /// An extent is neither 1 nor that of `shape`.
    pub fn broadcast(self, shape: Shape) -> Result<Self> {
        Ok(Self { shape: self.shape.broadcast(shape)?, ..self })
    }

    fn at(self, first: usize, shape: StridedShape) -> Self {
        Self { offset: self.offset + first * self.dtype.size(), shape, ..self }
    }

    /// Copies the elements to the host, in row-major order, after the work that writes them. All
    /// memory from the first to the last element is read for that.
    ///
    /// # Errors
    /// [`ErrorKind::DType`](ringwood_base::ErrorKind::DType): `T` is not the element type. [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory): the host has no
    /// room for so many elements. The failure of the work.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let memory = Shape::vector(self.shape.reach());
        let memory = Tensor::new(self.buffer.clone(), self.offset, memory, self.dtype)?;
        let elements = memory.to_vec::<T>()?;
        let (count, mut gathered) = (self.shape().elements(), Vec::new());
        gathered.try_reserve_exact(count).map_err(|cause| {
            let message = format!("the host has no memory for the {count} elements of {self:?}");
            Error::out_of_memory(message)
                .because(cause)
                .help("read a slice of the view, or the tensor that it repeats")
        })?;
        if count > 0 {
            gather(&elements, self.shape.extents(), self.shape.strides(), &mut gathered);
        }
        Ok(gathered)
    }
}

/// Appends the elements that a view has in `memory`, which starts with its first one.
fn gather<T: Copy>(memory: &[T], extents: &[usize], strides: &[usize], gathered: &mut Vec<T>) {
    match (extents, strides) {
        ([extent], [step]) => gathered.extend((0..*extent).map(|i| memory[i * step])),
        ([extent, extents @ ..], [step, strides @ ..]) => {
            (0..*extent).for_each(|i| gather(&memory[i * step..], extents, strides, gathered));
        }
        _ => gathered.push(memory[0]),
    }
}

impl<'a> TensorViewMut<'a> {
    /// The same elements, to read.
    pub fn as_view(&self) -> TensorView<'_> {
        self.0
    }

    /// As [`TensorView::permute`].
    ///
    /// # Errors
    /// `order` does not name each dimension once.
    pub fn permute(self, order: &[usize]) -> Result<Self> {
        self.0.permute(order).map(Self)
    }

    /// As [`TensorView::transpose`].
    ///
    /// # Errors
    /// There is no such dimension.
    pub fn transpose(self, a: usize, b: usize) -> Result<Self> {
        self.0.transpose(a, b).map(Self)
    }

    /// As [`TensorView::slice`].
    ///
    /// # Errors
    /// No such dimension, a range outside of its extent, a step of 0.
    pub fn slice(self, dim: usize, range: Range<usize>, step: usize) -> Result<Self> {
        self.0.slice(dim, range, step).map(Self)
    }

    /// As [`TensorView::select`].
    ///
    /// # Errors
    /// No such dimension, or an index outside of its extent.
    pub fn select(self, dim: usize, index: usize) -> Result<Self> {
        self.0.select(dim, index).map(Self)
    }
}

impl fmt::Debug for TensorView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorView({} {:?} on {})", self.dtype, self.shape, self.device())
    }
}

impl fmt::Debug for TensorViewMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorViewMut({} {:?} on {})", self.0.dtype, self.0.shape, self.0.device())
    }
}
