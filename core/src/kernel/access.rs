//! How native code reaches the elements of its arguments.

use super::{Fault, NativeArg, NativeLaunch, NativeSlice};
use crate::{Element, Error, ErrorKind, Result, Scalar};
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
    pub fn scalar<T: TryFrom<Scalar, Error = Error>>(&mut self) -> Result<T> {
        match self.args.next() {
            Some(NativeArg::Scalar(value)) => T::try_from(*value),
            _ => Err(misplaced("a scalar")),
        }
    }

    /// The next argument, elements to read.
    pub fn view<T: Element>(&mut self) -> Result<View<'a, T>> {
        Ok(View(self.raw()?))
    }

    /// The next argument, elements to read and write, each by one work-item.
    pub fn view_mut<T: Element>(&mut self) -> Result<ViewMut<'a, T>> {
        Ok(ViewMut(self.raw()?))
    }

    /// The next argument as a slice, for host kernels.
    pub fn slice<T: Element>(&mut self) -> Result<&'a [T]> {
        let raw = self.raw::<T>()?;
        // SAFETY: `NativeSlice::new` promises memory that is valid for reads and, as no mutable
        // argument overlaps it, unchanged for `'a`; `Raw` checked its alignment.
        Ok(unsafe { std::slice::from_raw_parts(raw.data, raw.len) })
    }

    /// The next argument as a mutable slice, for host kernels, which run once for each launch.
    pub fn slice_mut<T: Element>(&mut self) -> Result<&'a mut [T]> {
        let raw = self.raw::<T>()?;
        // SAFETY: `NativeSlice::new` promises memory of a mutable parameter that is valid for
        // writes and that no one else reaches during the one call of a host kernel; each argument
        // is taken once; `Raw` checked its alignment.
        Ok(unsafe { std::slice::from_raw_parts_mut(raw.data, raw.len) })
    }

    pub(super) fn native(&mut self) -> Result<&'a NativeSlice<'a>> {
        match self.args.next() {
            Some(NativeArg::Slice(slice)) => Ok(slice),
            _ => Err(misplaced("a slice")),
        }
    }

    fn raw<T: Element>(&mut self) -> Result<Raw<'a, T>> {
        let fault = self.fault;
        let (data, len) = elements(self.native()?)?;
        Ok(Raw { data, len, fault, memory: PhantomData })
    }
}

/// The first element and the number of elements of a slice.
pub(super) fn elements<T: Element>(slice: &NativeSlice<'_>) -> Result<(*mut T, usize)> {
    let data = slice.data().cast::<T>();
    if !slice.bytes().is_multiple_of(size_of::<T>()) || !data.is_aligned() {
        let message = format!("not a slice of aligned {} elements", T::DTYPE);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok((data.as_ptr(), slice.bytes() / size_of::<T>()))
}

fn misplaced(expected: &str) -> Error {
    let message = format!("a native kernel expected {expected} as its next argument");
    Error::new(ErrorKind::InvalidArgument, message)
}

#[derive(Clone, Copy)]
struct Raw<'a, T> {
    data: *mut T,
    len: usize,
    fault: &'a Fault,
    memory: PhantomData<&'a [T]>,
}

/// Elements that a grid kernel reads.
#[derive(Clone, Copy)]
pub struct View<'a, T>(Raw<'a, T>);

/// Elements that a grid kernel reads and writes.
///
/// The macro proves that no two work-items touch one element, so copies may be used from the
/// threads that run disjoint ranges of a launch.
#[derive(Clone, Copy)]
pub struct ViewMut<'a, T>(Raw<'a, T>);

impl<T: Element> Raw<'_, T> {
    #[inline(always)]
    fn load(self, index: usize, site: u32) -> T {
        if index < self.len {
            // SAFETY: the index is in bounds of valid, aligned memory; no other work-item writes
            // the element.
            unsafe { self.data.add(index).read() }
        } else {
            self.fault.record(site, index, self.len);
            T::default()
        }
    }
}

impl<T: Element> View<'_, T> {
    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        self.0.load(index, site)
    }

    /// The number of elements.
    #[inline(always)]
    pub fn elements(self) -> usize {
        self.0.len
    }
}

impl<T: Element> ViewMut<'_, T> {
    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        self.0.load(index, site)
    }

    /// Writes the element, or records a fault outside of the slice.
    #[inline(always)]
    pub fn store(self, index: usize, value: T, site: u32) {
        if index < self.0.len {
            // SAFETY: the index is in bounds of memory that is valid for writes and aligned; no
            // other work-item touches the element.
            unsafe { self.0.data.add(index).write(value) }
        } else {
            self.0.fault.record(site, index, self.0.len);
        }
    }

    /// The number of elements.
    #[inline(always)]
    pub fn elements(self) -> usize {
        self.0.len
    }
}
