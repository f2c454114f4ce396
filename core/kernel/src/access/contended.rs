//! Elements that several work-items may touch at the same time.

use super::{Claimed, Raw};
use ringwood_base::Element;
use std::sync::atomic::{
    AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed,
};

/// Elements that the work-items of a `racy` or `unique` kernel write, or on which atomic operations act. Every
/// access is a relaxed atomic one, so that no order of the threads is a data race.
#[derive(Clone, Copy)]
pub struct Contended<'a, T, const CHECKED: bool>(pub(super) Raw<'a, T>);

impl<'a, T: Element, const CHECKED: bool> Contended<'a, T, CHECKED> {
    /// The elements of parameter `param`, as work-item `item` of a `unique` kernel uses them.
    #[inline(always)]
    pub fn claimed(self, param: u32, item: usize) -> Claimed<'a, T, CHECKED> {
        Claimed { memory: self, param, item }
    }

    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        if !self.0.admits::<CHECKED>(index, site) {
            return T::default();
        }
        // SAFETY: as for `Raw::load`, but that other work-items may touch the element: all do so by
        // atomic accesses of its size, for which its alignment suffices.
        let bits: T::Bits = unsafe {
            let at = self.0.data.add(index);
            match size_of::<T>() {
                1 => bytemuck::cast(AtomicU8::from_ptr(at.cast()).load(Relaxed)),
                2 => bytemuck::cast(AtomicU16::from_ptr(at.cast()).load(Relaxed)),
                4 => bytemuck::cast(AtomicU32::from_ptr(at.cast()).load(Relaxed)),
                _ => bytemuck::cast(AtomicU64::from_ptr(at.cast()).load(Relaxed)),
            }
        };
        T::from_memory(bits)
    }

    /// Writes the element, or records a fault outside of the slice.
    #[inline(always)]
    pub fn store(self, index: usize, site: u32, value: T) {
        if !self.0.admits::<CHECKED>(index, site) {
            return;
        }
        // SAFETY: as for `load`, and the memory is valid for writes.
        unsafe {
            let at = self.0.data.add(index);
            match size_of::<T>() {
                1 => AtomicU8::from_ptr(at.cast()).store(bytemuck::cast(value), Relaxed),
                2 => AtomicU16::from_ptr(at.cast()).store(bytemuck::cast(value), Relaxed),
                4 => AtomicU32::from_ptr(at.cast()).store(bytemuck::cast(value), Relaxed),
                _ => AtomicU64::from_ptr(at.cast()).store(bytemuck::cast(value), Relaxed),
            }
        }
    }

    /// The number of elements.
    #[inline(always)]
    pub fn elements(self) -> usize {
        self.0.len
    }
}

/// Methods of [`Contended`] that are a method of an atomic, with one value.
macro_rules! updates {
    ($ty:ident: $($name:ident $method:ident,)*) => {$(
        #[inline(always)]
        pub fn $name(self, index: usize, site: u32, value: $ty) -> $ty {
            self.atomic(index, site).map_or(0, |at| at.$method(value, Relaxed))
        }
    )*};
}

/// The atomic operations of kernels; they return the old value.
macro_rules! atomics {
    ($($ty:ident $atomic:ident;)*) => {$(
        #[allow(missing_docs, reason = "the names say it")]
        impl<'a, const CHECKED: bool> Contended<'a, $ty, CHECKED> {
            #[inline(always)]
            fn atomic(self, index: usize, site: u32) -> Option<&'a $atomic> {
                self.0.admits::<CHECKED>(index, site).then(|| {
                    // SAFETY: as for `load` and `store`; the launch outlives the reference.
                    unsafe { $atomic::from_ptr(self.0.data.add(index)) }
                })
            }
            updates! {
                $ty: add fetch_add, min fetch_min, max fetch_max, and fetch_and, or fetch_or,
                xor fetch_xor, exchange swap,
            }
            #[inline(always)]
            pub fn compare_exchange(
                self,
                index: usize,
                site: u32,
                expected: $ty,
                new: $ty,
            ) -> $ty {
                self.atomic(index, site).map_or(0, |at| {
                    match at.compare_exchange(expected, new, Relaxed, Relaxed) {
                        Ok(old) | Err(old) => old,
                    }
                })
            }
        }
    )*};
}

atomics! {
    i32 AtomicI32;
    u32 AtomicU32;
    i64 AtomicI64;
    u64 AtomicU64;
}

#[allow(missing_docs, reason = "the name says it")]
impl<const CHECKED: bool> Contended<'_, f32, CHECKED> {
    #[inline(always)]
    pub fn add(self, index: usize, site: u32, value: f32) -> f32 {
        if !self.0.admits::<CHECKED>(index, site) {
            return 0.0;
        }
        // SAFETY: as for `load` and `store`; an `f32` has the size and alignment of its bits.
        let at = unsafe { AtomicU32::from_ptr(self.0.data.add(index).cast()) };
        let sum = |bits| Some((f32::from_bits(bits) + value).to_bits());
        match at.fetch_update(Relaxed, Relaxed, sum) {
            Ok(old) | Err(old) => f32::from_bits(old),
        }
    }
}
