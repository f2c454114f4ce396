//! The merge of two values, by registered kernels.

use super::native::NativeKernel;
use crate::cache::{BLOCK, fetch};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, Result, Scalar, ScalarType};
use ringwood_kernel::NativeSlice;
use ringwood_schedule::{Codec, ReduceOp, Request};
use std::ops::Range;
use std::ptr::NonNull;

/// The kernels of a reduction for one element type.
#[derive(Clone, Copy)]
pub struct Merge {
    dtype: DType,
    /// The bytes that are merged as one.
    unit: usize,
    /// How elements are converted, if they travel in another form than they are merged in.
    sums: Option<Sums>,
    /// Whether `merge` merges a slice into another one, unit by unit, instead of two into a third.
    into: bool,
    merge: NativeKernel,
    finish: Option<NativeKernel>,
    divisor: Divisor,
}

/// Sums apart from what travels.
#[derive(Clone, Copy)]
struct Sums {
    /// The bytes of the sums of an element.
    unit: usize,
    /// The kernel that encodes sums.
    encode: NativeKernel,
}

/// One element, aligned for every type.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Divisor(#[expect(dead_code, reason = "reached by address only")] [u8; 8]);

impl Merge {
    /// Finds the kernels of `op` for the elements of `request`, as they travel.
    ///
    /// # Errors
    /// A kernel is not registered, has no native code for this type, or another signature than a
    /// map of two operands; or the group size of a mean is not a value of this type, or there are
    /// more ranks than an accumulator holds values.
    pub(crate) fn find(registry: &Registry, op: ReduceOp, request: &Request) -> Result<Self> {
        let (wire, ranks) = (request.wire(), request.ranks);
        let codec = request.codec();
        let dtype = codec.and_then(|codec| codec.sums).unwrap_or(wire);
        let what = format!("merges {dtype} elements for `{op}`");
        let find = |name, dtypes: &[DType]| NativeKernel::find(registry, name, dtypes, &what);
        Codec::check_exists(op, request.what.dtype)?;
        codec.map_or(Ok(()), |codec| codec.check_ranks(ranks))?;
        let (merge, into) = match codec.and_then(|codec| codec.merge) {
            Some(name) => (find(name, &[wire, dtype])?, true),
            None => {
                let merge = find(op.merge(), &[dtype; 3]);
                (merge.map_err(|error| advised(error, op, dtype))?, false)
            }
        };
        let finish = op.finish().map(|name| find(name, &[dtype; 3])).transpose()?;
        let divisor = match finish {
            Some(_) => group_size_as(dtype, ranks)?,
            None => [0; 8],
        };
        let sums = |(codec, unit): (&Codec, usize)| {
            Ok::<_, Error>(Sums { unit, encode: find(codec.encode, &[codec.raw, codec.bits])? })
        };
        let (unit, divisor) = (request.unit(), Divisor(divisor));
        let sums = codec.and_then(|c| Some((c, c.sum_bytes()?))).map(sums).transpose()?;
        Ok(Self { dtype, unit, sums, into, merge, finish, divisor })
    }

    /// The kernels of a call that merges: a proved schedule of an operation that has none does not.
    #[inline]
    pub(crate) fn needed(merge: Option<&Self>) -> Result<&Self> {
        merge.ok_or_else(|| {
            Error::not_verified("a schedule merges in an operation that does not reduce")
        })
    }

    /// Whether complete values are finished by a second kernel.
    pub fn finishes(&self) -> bool {
        self.finish.is_some()
    }

    /// Replaces each element of `own` by its merge with the element of `other`; `own` is sums, if
    /// those have another form than what travels.
    ///
    /// # Errors
    /// The slices differ in their number of elements or are not aligned whole elements, or the kernel
    /// fails or panics.
    pub fn apply(&self, own: &mut [u8], other: &[u8]) -> Result<()> {
        if own.len() != other.len() && self.converts([other.len(), own.len()]) {
            return self.merge.apply(own.len() / self.dtype.size(), other, own);
        }
        if own.len() != other.len() {
            let message = format!("{} bytes cannot be merged with {}", own.len(), other.len());
            return Err(Error::invalid(message));
        }
        let (target, bytes) = (NonNull::from(&mut *own).cast(), own.len());
        // SAFETY: the slices are initialised and valid for as long as they are borrowed, `own`
        // exclusively; the kernel checks their alignment, and a map's result may be an input.
        unsafe {
            let own = NativeSlice::new(target, bytes, None);
            self.merge([own, NativeSlice::new(NonNull::from(other).cast(), bytes, None), own])
        }
    }

    /// Puts the elements of `source` to `target`, which is as long, or holds as many of them in the
    /// other form: what travels becomes sums, or sums become what travels.
    ///
    /// # Errors
    /// The slices differ in their number of elements or are not aligned whole elements, or the kernel
    /// fails or panics.
    pub fn put(&self, source: &[u8], target: &mut [u8]) -> Result<()> {
        let lengths = [source.len(), target.len()];
        match &self.sums {
            _ if source.len() == target.len() => {
                target.copy_from_slice(source);
                Ok(())
            }
            Some(_) if self.converts(lengths) => {
                target.fill(0);
                self.apply(target, source)
            }
            Some(sums) if self.converts([target.len(), source.len()]) => {
                sums.encode.apply(target.len() / self.unit, source, target)
            }
            _ => {
                let message = format!("{} bytes cannot be put to {}", source.len(), target.len());
                Err(Error::invalid(message))
            }
        }
    }

    /// Whether elements have another form than the one in which they travel while they are merged.
    pub(crate) fn has_sums(&self) -> bool {
        self.sums.is_some()
    }

    /// Whether so many bytes that travel have so many bytes of sums.
    fn converts(&self, [wire, sums]: [usize; 2]) -> bool {
        self.sums
            .is_some_and(|of| wire.is_multiple_of(self.unit) && wire / self.unit * of.unit == sums)
    }

    /// Turns complete merges into results: divides by the group size for a mean, for instance.
    ///
    /// # Errors
    /// The slice is not aligned whole elements, or the kernel fails or panics.
    pub fn complete(&self, own: &mut [u8]) -> Result<()> {
        let (target, bytes) = (NonNull::from(&mut *own).cast(), own.len());
        // SAFETY: as in `apply`.
        self.finish(unsafe { NativeSlice::new(target, bytes, None) })
    }

    /// Puts the merges of the elements of the first two slices into the third, which is one of them
    /// or shares nothing with either. Accumulators commute.
    #[inline]
    pub(crate) fn merge(&self, slices: [NativeSlice<'_>; 3]) -> Result<()> {
        let [mut own, mut other, target] = slices;
        if !self.into {
            return self.merge.run(target.bytes() / self.unit, slices);
        }
        if other.data() == target.data() {
            std::mem::swap(&mut own, &mut other);
        }
        if own.data() != target.data() {
            // SAFETY: both are valid for their bytes, the target for writes; they share nothing.
            unsafe { own.data().copy_to_nonoverlapping(target.data(), target.bytes()) };
        }
        self.merge.run(target.bytes() / self.unit, [other, target])
    }

    /// As [`Merge::merge`], where other cores have read what the third slice holds: its lines of cache are fetched
    /// some ahead.
    pub(crate) fn merge_shared(&self, slices: [NativeSlice<'_>; 3]) -> Result<()> {
        let (unit, target) = (self.unit, slices[2]);
        if self.into || !self.merge.is_map() {
            return self.merge(slices);
        }
        let fetch = |items: Range<usize>| {
            fetch(target.data().as_ptr().wrapping_add(items.start * unit), items.len() * unit);
        };
        let block = (BLOCK / unit).max(1);
        self.merge.run_in_blocks(target.bytes() / unit, slices, block, fetch)
    }

    /// Turns the complete merge in `own` into the result.
    pub(crate) fn finish(&self, own: NativeSlice<'_>) -> Result<()> {
        let Some(kernel) = self.finish else { return Ok(()) };
        let (divisor, size) = (NonNull::from(&self.divisor).cast(), self.dtype.size());
        // SAFETY: the divisor is one element, aligned, which stride 0 stays at.
        let divisor = unsafe { NativeSlice::new(divisor, size, Some(&[0])) };
        kernel.run(own.bytes() / size, [own, divisor, own])
    }
}

/// The error of an operator without a kernel, with what is there in its place.
fn advised(error: Error, op: ReduceOp, dtype: DType) -> Error {
    match op {
        _ if dtype != DType::Bool => error,
        ReduceOp::Max => error.help("take `ReduceOp::Kernel(\"or\")`"),
        ReduceOp::Min | ReduceOp::Prod => error.help("take `ReduceOp::Kernel(\"and\")`"),
        ReduceOp::Sum | ReduceOp::Mean => error.help("reduce numbers, as 0 and 1 in `u32`"),
        _ => error,
    }
}

/// The group size as an element, the first of eight bytes; an error if the type cannot hold it exactly.
pub fn group_size_as(dtype: DType, ranks: usize) -> Result<[u8; 8]> {
    let size = Scalar::Usize(ranks).cast(dtype.into());
    if dtype == DType::Bool || size.cast(ScalarType::F64) != Scalar::F64(ranks as f64) {
        let message = format!("the mean over {ranks} ranks cannot be taken in {dtype}");
        return Err(Error::unsupported(message).help("sum in a wider type"));
    }
    let mut bytes = [0; 8];
    bytes[..dtype.size()].copy_from_slice(&size.to_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_size_that_the_type_cannot_hold_is_an_error() {
        assert_eq!(group_size_as(DType::U8, 255).unwrap()[0], 255);
        assert!(group_size_as(DType::U8, 256).is_err());
        assert!(group_size_as(DType::F16, 2049).is_err());
        assert!(group_size_as(DType::F16, 2048).is_ok());
        assert!(group_size_as(DType::BF16, 257).is_err());
        assert!(group_size_as(DType::Bool, 1).is_err());
        for (dtype, ranks) in [(DType::I8, 128), (DType::I8, 257), (DType::F16, 65_536)] {
            assert!(group_size_as(dtype, ranks).is_err(), "{dtype}");
        }
    }

    #[test]
    fn a_group_size_has_the_bytes_of_an_element() {
        let bytes = |dtype| group_size_as(dtype, 3).unwrap();
        assert_eq!(bytes(DType::I64), 3_i64.to_ne_bytes());
        assert_eq!(bytes(DType::F64), 3_f64.to_ne_bytes());
        assert_eq!(bytes(DType::F32)[..4], 3_f32.to_ne_bytes());
        assert_eq!(bytes(DType::BF16)[..2], 0x4040_u16.to_ne_bytes());
        assert_eq!(bytes(DType::F16)[..2], 0x4200_u16.to_ne_bytes());
    }
}
