//! How native code reaches the elements of its arguments.

mod claimed;
mod contended;
mod steps;

pub use claimed::Claimed;
pub use contended::Contended;
pub use steps::{Steps, unit_steps};

use super::{Fault, NativeArg, NativeLaunch, NativeSlice, View, ViewMut};
use ringwood_base::{DType, Element, Error, Result, Scalar, StridedShape};
use ringwood_ir::Mistyped;
use std::marker::PhantomData;

/// The arguments of a native launch, taken in the order of the parameters.
pub struct Arguments<'a> {
    args: std::slice::Iter<'a, NativeArg<'a>>,
    fault: &'a Fault,
}

impl<'a> Arguments<'a> {
    /// The arguments of `launch`.
    pub fn new(launch: &'a NativeLaunch<'a>) -> Self {
        Self { args: launch.args().iter(), fault: launch.fault() }
    }

    /// The next argument, a value.
    pub fn scalar<T: TryFrom<Scalar, Error = Mistyped>>(&mut self) -> Result<T> {
        match self.args.next() {
            Some(NativeArg::Scalar(value)) => {
                T::try_from(*value).map_err(|e| Error::dtype(e.to_string()))
            }
            _ => Err(misplaced("a scalar")),
        }
    }

    /// The next argument, elements to read.
    pub fn readable<T: Element, const CHECKED: bool>(
        &mut self,
    ) -> Result<Readable<'a, T, CHECKED>> {
        Ok(Readable(self.raw()?))
    }

    /// The next argument, elements to read and write, each by one work-item.
    pub fn writable<T: Element, const CHECKED: bool>(
        &mut self,
    ) -> Result<Writable<'a, T, CHECKED>> {
        Ok(Writable(self.raw()?))
    }

    /// The next argument, elements that several work-items may touch at the same time.
    pub fn contended<T: Element, const CHECKED: bool>(
        &mut self,
    ) -> Result<Contended<'a, T, CHECKED>> {
        Ok(Contended(self.raw()?))
    }

    /// The next argument as a slice, for host kernels.
    pub fn slice<T: Element>(&mut self) -> Result<&'a [T]> {
        let raw = self.valid::<T>()?;
        // SAFETY: `NativeSlice::new` promises memory that is valid for reads and, as no mutable
        // argument overlaps it, unchanged for `'a`; `valid` checked its alignment and values.
        Ok(unsafe { std::slice::from_raw_parts(raw.data, raw.len) })
    }

    /// The next argument as a mutable slice, for host kernels, which run once for each launch.
    pub fn slice_mut<T: Element>(&mut self) -> Result<&'a mut [T]> {
        let raw = self.valid::<T>()?;
        // SAFETY: `NativeSlice::new` promises memory of a mutable parameter that is valid for
        // writes and that no one else reaches during the one call of a host kernel; each argument
        // is taken once; `valid` checked its alignment and values.
        Ok(unsafe { std::slice::from_raw_parts_mut(raw.data, raw.len) })
    }

    /// The next argument as a view, for host kernels.
    pub fn view<T: Element, const R: usize>(&mut self) -> Result<View<'a, T, R>> {
        let shape = self.shape()?;
        View::new(self.slice()?, shape)
    }

    /// The next argument as a mutable view, for host kernels, which run once for each launch.
    pub fn view_mut<T: Element, const R: usize>(&mut self) -> Result<ViewMut<'a, T, R>> {
        let shape = self.shape()?;
        ViewMut::new(self.slice_mut()?, shape)
    }

    fn shape(&self) -> Result<StridedShape> {
        match self.args.as_slice().first() {
            Some(NativeArg::View(_, shape)) => Ok(**shape),
            _ => Err(misplaced("a view")),
        }
    }

    /// Extents and steps of the next argument, a view, which is then still to be taken.
    ///
    /// # Errors
    /// It is no view of rank `R`, or reaches beyond its memory of elements `T`.
    pub fn steps<T: Element, const R: usize>(&self) -> Result<Steps<R>> {
        match self.args.as_slice().first() {
            Some(NativeArg::View(slice, shape)) => {
                Steps::new(slice.bytes() / size_of::<T>(), shape)
                    .map_err(|_| misplaced("a view of another rank, or with more memory,"))
            }
            _ => Err(misplaced("a view")),
        }
    }

    #[inline]
    pub(super) fn native(&mut self) -> Result<&'a NativeSlice<'a>> {
        match self.args.next() {
            Some(NativeArg::Slice(slice) | NativeArg::View(slice, _)) => Ok(slice),
            _ => Err(misplaced("a slice")),
        }
    }

    fn raw<T: Element>(&mut self) -> Result<Raw<'a, T>> {
        let fault = self.fault;
        let slice = self.native()?;
        let (data, len) = (slice.data().cast().as_ptr(), elements(slice, T::DTYPE)?);
        Ok(Raw { data, len, fault, memory: PhantomData })
    }

    /// As [`Arguments::raw`], of elements that are values of `T`: not of memory that holds a `bool` of
    /// another byte than 0 and 1.
    fn valid<T: Element>(&mut self) -> Result<Raw<'a, T>> {
        let raw = self.raw::<T>()?;
        // SAFETY: `NativeSlice::new` promises initialised memory that is valid for reads, which nobody
        // writes while this looks at it; `Raw` checked its alignment; any bits are `Bits`.
        let bits = unsafe { std::slice::from_raw_parts(raw.data.cast::<T::Bits>(), raw.len) };
        if bits.iter().all(T::is_valid_bit_pattern) {
            return Ok(raw);
        }
        Err(Error::invalid(format!("a host kernel got bytes that are no {}", T::DTYPE))
            .help("write the elements with `Tensor::write`, or by a kernel of the device"))
    }
}

/// The number of elements of a slice, whose alignment is their size.
pub(super) fn elements(slice: &NativeSlice<'_>, dtype: DType) -> Result<usize> {
    let (address, bytes, size) = (slice.data().addr().get(), slice.bytes(), dtype.size());
    if !bytes.is_multiple_of(size) || !address.is_multiple_of(size) {
        return Err(Error::invalid(format!("not a slice of aligned {dtype} elements")));
    }
    Ok(bytes / size)
}

fn misplaced(expected: &str) -> Error {
    Error::invalid(format!("a native kernel expected {expected} as its next argument"))
}

#[derive(Clone, Copy)]
struct Raw<'a, T> {
    data: *mut T,
    len: usize,
    fault: &'a Fault,
    memory: PhantomData<&'a [T]>,
}

/// Elements that a grid kernel reads; with `CHECKED`, indices are compared with their number.
#[derive(Clone, Copy)]
pub struct Readable<'a, T, const CHECKED: bool>(Raw<'a, T>);

/// Elements that a grid kernel reads and writes.
///
/// The macro proves that no two work-items touch one element, so copies may be used from the
/// threads that run disjoint ranges of a launch.
#[derive(Clone, Copy)]
pub struct Writable<'a, T, const CHECKED: bool>(Raw<'a, T>);

impl<T: Element> Raw<'_, T> {
    /// Whether an access may go ahead; else it is recorded.
    #[inline(always)]
    fn admits<const CHECKED: bool>(self, index: usize, site: u32) -> bool {
        if CHECKED && index >= self.len {
            self.fault.record(site, index, self.len);
            return false;
        }
        debug_assert!(index < self.len, "the proof of a launch missed site {site}");
        true
    }

    #[inline(always)]
    fn load<const CHECKED: bool>(self, index: usize, site: u32) -> T {
        if !self.admits::<CHECKED>(index, site) {
            return T::default();
        }
        // SAFETY: the index is in bounds of valid, aligned memory: compared with the length, or
        // proved for the whole launch, without which no unchecked code runs
        // (`NativeLaunch::assume_in_bounds`). No other work-item writes the element.
        T::from_memory(unsafe { self.data.add(index).cast::<T::Bits>().read() })
    }
}

impl<T: Element, const CHECKED: bool> Readable<'_, T, CHECKED> {
    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        self.0.load::<CHECKED>(index, site)
    }

    /// The number of elements.
    #[inline(always)]
    pub fn elements(self) -> usize {
        self.0.len
    }
}

impl<T: Element, const CHECKED: bool> Writable<'_, T, CHECKED> {
    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        self.0.load::<CHECKED>(index, site)
    }

    /// Writes the element, or records a fault outside of the slice.
    #[inline(always)]
    pub fn store(self, index: usize, site: u32, value: T) {
        if self.0.admits::<CHECKED>(index, site) {
            // SAFETY: as for `Raw::load`, and the memory is valid for writes; no other work-item
            // touches the element.
            unsafe { self.0.data.add(index).write(value) }
        }
    }

    /// The number of elements.
    #[inline(always)]
    pub fn elements(self) -> usize {
        self.0.len
    }
}
