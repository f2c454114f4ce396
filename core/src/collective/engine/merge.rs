//! The merge of two values, by registered kernels.

use crate::collective::ReduceOp;
use crate::kernel::{Fault, KernelDef, Native, NativeArg, NativeLaunch, NativeSlice, ParamKind};
use crate::registry::Registry;
use crate::{DType, Error, ErrorKind, Result, Shape};
use half::{bf16, f16};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// The kernels of a reduction for one element type.
#[derive(Clone, Copy)]
pub struct Merge {
    dtype: DType,
    merge: (&'static str, Native),
    finish: Option<(&'static str, Native)>,
    divisor: Divisor,
}

/// One element, aligned for every type.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Divisor(#[expect(dead_code, reason = "reached by address only")] [u8; 8]);

impl Merge {
    /// Finds the kernels of `op` for elements of `dtype` in a group of `ranks`.
    ///
    /// # Errors
    /// A kernel is not registered, has no native code for this type, or another signature than a
    /// map of two operands; or the group size of a mean is not a value of this type.
    pub(crate) fn find(
        registry: &Registry,
        op: ReduceOp,
        dtype: DType,
        ranks: usize,
    ) -> Result<Self> {
        let native = |name| find_native(registry, op, name, dtype).map(|native| (name, native));
        let finish = op.finish().map(native).transpose()?;
        let divisor = match finish {
            Some(_) => encode(ranks, dtype)?,
            None => [0; 8],
        };
        Ok(Self { dtype, merge: native(op.merge())?, finish, divisor: Divisor(divisor) })
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Whether complete values are finished by a second kernel.
    pub fn finishes(&self) -> bool {
        self.finish.is_some()
    }

    /// Replaces each element of `own` by its merge with the element of `other`.
    ///
    /// # Errors
    /// The slices differ in length or are not aligned whole elements, or the kernel fails or panics.
    pub fn apply(&self, own: &mut [u8], other: &[u8]) -> Result<()> {
        if own.len() != other.len() {
            let message = format!("{} bytes cannot be merged with {}", own.len(), other.len());
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let (target, bytes) = (NonNull::from(&mut *own).cast(), own.len());
        // SAFETY: the slices are initialised and valid for as long as they are borrowed, `own`
        // exclusively; the kernel checks their alignment, and a map's result may be an input.
        unsafe {
            let own = NativeSlice::new(target, bytes, None);
            self.merge([own, NativeSlice::new(NonNull::from(other).cast(), bytes, None), own])
        }
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

    /// Puts the merges of the elements of the first two slices into the third.
    ///
    /// # Errors
    /// The kernel fails or panics.
    #[inline]
    pub(crate) fn merge(&self, slices: [NativeSlice<'_>; 3]) -> Result<()> {
        self.run(self.merge, slices)
    }

    /// Turns the complete merge in `own` into the result.
    ///
    /// # Errors
    /// The kernel fails or panics.
    pub(crate) fn finish(&self, own: NativeSlice<'_>) -> Result<()> {
        let Some(kernel) = self.finish else { return Ok(()) };
        let (divisor, size) = (NonNull::from(&self.divisor).cast(), self.dtype.size());
        // SAFETY: the divisor is one element, aligned, which stride 0 stays at.
        let divisor = unsafe { NativeSlice::new(divisor, size, Some(&[0])) };
        self.run(kernel, [own, divisor, own])
    }

    fn run(
        &self,
        (name, native): (&'static str, Native),
        slices: [NativeSlice<'_>; 3],
    ) -> Result<()> {
        let elements = slices[2].bytes() / self.dtype.size();
        let args = slices.map(NativeArg::Slice);
        let fault = Fault::default();
        let launch = NativeLaunch::new(Shape::vector(elements), &args, &fault);
        catch_unwind(AssertUnwindSafe(|| native(&launch, 0..elements)))
            .unwrap_or_else(|p| Err(Error::from_panic(format!("kernel `{name}`"), &*p)))?;
        match fault.get() {
            None => Ok(()),
            Some((site, index, length)) => {
                let message = format!("kernel `{name}` accesses element {index} of {length}");
                Err(Error::new(ErrorKind::OutOfBounds, message).with("site", site))
            }
        }
    }
}

fn find_native(registry: &Registry, op: ReduceOp, name: &str, dtype: DType) -> Result<Native> {
    let declared = registry.kernels(name)?;
    let wanted = [dtype; 3];
    let native = |def: &'static KernelDef| {
        let instance = def.instance(&wanted)?;
        instance.native.filter(|_| is_binary_map(instance.params.iter().map(|p| p.kind)))
    };
    declared.iter().find_map(|(_, def)| native(def)).ok_or_else(|| {
        let message = format!("no native kernel `{name}` merges {dtype} elements for `{op}`");
        Error::new(ErrorKind::Unsupported, message)
    })
}

/// Whether the parameters are two operands and a result.
fn is_binary_map(kinds: impl Iterator<Item = ParamKind>) -> bool {
    let mutable = kinds.map(|kind| matches!(kind, ParamKind::Slice { mutable: true, .. }));
    mutable.eq([false, false, true])
}

/// The group size as an element; an error if the type cannot hold it exactly.
fn encode(ranks: usize, dtype: DType) -> Result<[u8; 8]> {
    let mut bytes = [0; 8];
    let mut put = |value: &[u8]| bytes[..value.len()].copy_from_slice(value);
    let exact = match dtype {
        DType::U8 => u8::try_from(ranks).map(|v| put(&v.to_ne_bytes())).is_ok(),
        DType::I32 => i32::try_from(ranks).map(|v| put(&v.to_ne_bytes())).is_ok(),
        DType::U32 => u32::try_from(ranks).map(|v| put(&v.to_ne_bytes())).is_ok(),
        DType::I64 => i64::try_from(ranks).map(|v| put(&v.to_ne_bytes())).is_ok(),
        DType::U64 => u64::try_from(ranks).map(|v| put(&v.to_ne_bytes())).is_ok(),
        DType::F16 => {
            put(&f16::from_f64(ranks as f64).to_ne_bytes());
            f16::from_f64(ranks as f64).to_f64() == ranks as f64
        }
        DType::BF16 => {
            put(&bf16::from_f64(ranks as f64).to_ne_bytes());
            bf16::from_f64(ranks as f64).to_f64() == ranks as f64
        }
        DType::F32 => {
            put(&(ranks as f32).to_ne_bytes());
            f64::from(ranks as f32) == ranks as f64
        }
        DType::F64 => {
            put(&(ranks as f64).to_ne_bytes());
            true
        }
    };
    if exact {
        return Ok(bytes);
    }
    let message = format!("the mean over {ranks} ranks cannot be taken in {dtype}");
    Err(Error::new(ErrorKind::Unsupported, message).help("sum in a wider type"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_size_that_the_type_cannot_hold_is_an_error() {
        assert_eq!(encode(255, DType::U8).unwrap()[0], 255);
        assert!(encode(256, DType::U8).is_err());
        assert!(encode(2049, DType::F16).is_err());
        assert!(encode(2048, DType::F16).is_ok());
        assert!(encode(257, DType::BF16).is_err());
    }
}
