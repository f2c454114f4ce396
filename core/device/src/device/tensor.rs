//! Elements in device memory.

use super::buffer::check_bounds;
use super::hazard::Waits;
use super::stream::Submitting;
use super::{Buffer, Device, PATIENCE, lock};
use crate::backend::Region;
use ringwood_base::deadline::deadline;
use ringwood_base::{DType, Element, Error, Result, Shape};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Elements in device memory: a dense, row-major part of a [`Buffer`].
///
/// A clone is another handle to the same elements: what is written through one is seen through the
/// other, in submission order. [`Tensor::duplicate`] copies the elements.
///
/// ```no_run
/// use ringwood_device::device::Device;
///
/// let mut x = Device::best()?.tensor(&[1_i32, 2, 3, 4])?;
/// let (alias, copy) = (x.clone(), x.duplicate()?);
/// x.write(&[5, 6, 7, 8])?;
/// assert_eq!(alias.to_vec::<i32>()?, [5, 6, 7, 8]);
/// assert_eq!(copy.to_vec::<i32>()?, [1, 2, 3, 4]);
/// assert_eq!(x.rows(1..3)?.to_vec::<i32>()?, [6, 7]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Tensor {
    buffer: Buffer,
    offset: usize,
    shape: Shape,
    dtype: DType,
}

impl Tensor {
    /// The elements of `shape` and `dtype` that start `offset` bytes into `buffer`.
    ///
    /// # Errors
    /// They leave the buffer, or start at no multiple of their size in the memory that the buffer is a part of.
    pub fn new(buffer: Buffer, offset: usize, shape: Shape, dtype: DType) -> Result<Tensor> {
        let region = Region { memory: &buffer, offset, bytes: Self::size(shape, dtype)? };
        check_bounds(&region)?;
        let (start, size) = (Buffer::span(&region).start, dtype.size());
        if !start.is_multiple_of(size) {
            let message = format!("offset {start} is not a whole number of {dtype} elements");
            return Err(Error::invalid(message).with("buffer", buffer.id()).help(format!(
                "start the part, and the elements in it, at a multiple of {size} bytes"
            )));
        }
        Ok(Self { buffer, offset, shape, dtype })
    }

    /// The bytes that a tensor of `shape` and `dtype` takes.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape): more than memory can address.
    pub fn size(shape: Shape, dtype: DType) -> Result<usize> {
        let bytes = shape.elements().checked_mul(dtype.size());
        bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(|| {
            let message =
                format!("shape {shape} of {dtype} takes more bytes than memory can address");
            Error::shape(message)
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.elements()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of the elements in bytes.
    pub fn bytes(&self) -> usize {
        self.len() * self.dtype.size()
    }

    /// The buffer that holds the elements.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The elements as an argument of a submission.
    pub fn region(&self) -> Region<'_, Buffer> {
        Region { memory: &self.buffer, offset: self.offset, bytes: self.bytes() }
    }

    /// Copies the elements to the host, after the work that writes them.
    ///
    /// # Errors
    /// [`ErrorKind::DType`](ringwood_base::ErrorKind::DType): `T` is not the element type. The failure of the work.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.check_dtype::<T>()?;
        let mut elements = vec![T::default(); self.len()];
        T::write_bytes(&mut elements, |bytes| self.read_into(bytes))?;
        Ok(elements)
    }

    /// Copies the elements to the host, as bytes in row-major order.
    ///
    /// # Errors
    /// The failure of the work that writes them.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.bytes()];
        self.read_into(&mut bytes)?;
        Ok(bytes)
    }

    /// The only element.
    ///
    /// # Errors
    /// There is not exactly one element; otherwise as [`Tensor::to_vec`].
    pub fn item<T: Element>(&self) -> Result<T> {
        if self.len() != 1 {
            let message = format!("`item` takes one element, the tensor has shape {}", self.shape);
            return Err(Error::shape(message));
        }
        Ok(self.to_vec::<T>()?[0])
    }

    /// Replaces all elements, after the work that uses the old ones.
    ///
    /// # Errors
    /// [`ErrorKind::DType`](ringwood_base::ErrorKind::DType), or another number of elements. The failure of the work.
    pub fn write<T: Element>(&mut self, elements: &[T]) -> Result<()> {
        self.check_dtype::<T>()?;
        self.write_bytes(bytemuck::cast_slice(elements))
    }

    /// Replaces all elements by bytes in row-major order, after the work that uses the old ones.
    ///
    /// # Errors
    /// Another number of bytes. The failure of the work.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() != self.bytes() {
            let (given, size, got) =
                (bytes.len(), self.dtype.size(), bytes.len() / self.dtype.size());
            let message = if given.is_multiple_of(size) {
                format!("{got} elements do not fill shape {} of {}", self.shape, self.len())
            } else {
                format!("{given} bytes are not a whole number of {} elements", self.dtype)
            };
            return Err(Error::shape(message));
        }
        if bytes.is_empty() {
            return Ok(());
        }
        if self.device().capabilities().host_memory && self.buffer.is_idle() {
            return self.host_mut(PATIENCE, |target| target.copy_from_slice(bytes));
        }
        self.device().stream()?.write(Arc::from(bytes), self.region())
    }

    /// The same elements on `device`: another handle if they are there already, else a copy.
    ///
    /// Copies on the device where the backend can, else through the host, which then waits.
    ///
    /// # Errors
    /// The failure of the work, or [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory).
    pub fn to_device(&self, device: &Device) -> Result<Tensor> {
        if device == self.device() {
            return Ok(self.clone());
        }
        let mut copy = device.empty(self.shape, self.dtype)?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// A copy of the elements in memory of their own, on the same device.
    ///
    /// # Errors
    /// The failure of the work, or [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory).
    pub fn duplicate(&self) -> Result<Tensor> {
        let mut copy = self.device().empty(self.shape, self.dtype)?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Replaces all elements by those of `source`, which may be on another device.
    ///
    /// # Errors
    /// Shapes or element types differ; the tensors overlap; the failure of the work.
    pub fn copy_from(&mut self, source: &Tensor) -> Result<()> {
        if (source.shape, source.dtype) != (self.shape, self.dtype) {
            return Err(Error::shape(format!("cannot copy {source:?} to {self:?}")));
        }
        if self.is_empty() {
            return Ok(());
        }
        self.device().stream()?.copy_from_any(source.region(), self.region(), PATIENCE)
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape): another number of elements.
    pub fn reshape(&self, shape: Shape) -> Result<Tensor> {
        if shape.elements() != self.len() {
            let message = format!("{} of {} elements has no shape {shape}", self.shape, self.len());
            return Err(Error::shape(message));
        }
        Ok(Self { shape, ..self.clone() })
    }

    /// The elements whose first index is in `range`, in the same memory.
    ///
    /// # Errors
    /// Rank 0, or a range outside of the first extent.
    pub fn rows(&self, range: Range<usize>) -> Result<Tensor> {
        let rows = self.shape.first().copied();
        if range.start > range.end || rows.is_none_or(|rows| range.end > rows) {
            let message = format!("rows {range:?} are outside of shape {}", self.shape);
            return Err(Error::out_of_bounds(message));
        }
        let mut dims = self.shape.to_vec();
        dims[0] = range.len();
        let row = self.shape[1..].iter().product::<usize>() * self.dtype.size();
        let offset = self.offset + range.start * row;
        Ok(Self { offset, shape: Shape::new(&dims)?, ..self.clone() })
    }

    /// Also of no elements: it waits for the work that had them to write, and tells its failure.
    fn read_into(&self, target: &mut [u8]) -> Result<()> {
        if self.device().capabilities().host_memory {
            return self.host_ref(PATIENCE, |source| target.copy_from_slice(source));
        }
        target.copy_from_slice(&self.fetch(PATIENCE)?);
        Ok(())
    }

    /// Reads the elements through a stream, as if the host saw them in their place: a failure of the
    /// work that writes them fails no other stream, and a failure of other work keeps nobody from them.
    pub(super) fn fetch(&self, timeout: Duration) -> Result<Vec<u8>> {
        drop(Submitting::enter()?);
        let (stream, deadline) = (self.device().stream()?, deadline(timeout));
        let left = || deadline.saturating_duration_since(Instant::now());
        let mut waits = Waits::default();
        let record = lock(self.buffer.record());
        let (timeline, omitted) = (&stream.timeline().timeline, &self.device().hardware().omitted);
        record.hazard.waits(timeline, false, omitted, &mut waits);
        drop(record);
        waits.results.iter().try_for_each(|point| point.block(left()))?;
        if timeline.failure().is_none() {
            match stream.quiet().fetch(self.region(), left()) {
                Err(_) if timeline.failure().is_some() => {}
                fetched => return fetched,
            }
        }
        // The stream takes no more work: what it wrote before it failed is read by another one.
        let fetched = self.device().new_stream("")?.fetch(self.region(), left());
        if fetched.is_err() {
            timeline.report();
        }
        fetched
    }

    /// The elements as the host uses them that was let into the buffer.
    pub(super) fn inside(&self) -> Tensor {
        Self { buffer: self.buffer.inside(), ..self.clone() }
    }

    fn check_dtype<T: Element>(&self) -> Result<()> {
        if T::DTYPE == self.dtype {
            return Ok(());
        }
        Err(Error::dtype(format!("the tensor's elements are {}, not {}", self.dtype, T::DTYPE)))
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({} {} on {})", self.dtype, self.shape, self.device())
    }
}
