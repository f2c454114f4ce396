//! The versions of a body: with and without checks, and for the instructions of the processor.
//!
//! An expansion gives one safe, generic body, inlined into a function for each version here, so that
//! no user's crate has unsafe code. There are two versions, as each takes long to compile: one with all
//! checks for any processor, and one for processors with AVX2 and FMA, without checks. On an
//! architecture other than x86-64, both are for any processor. All have the same results: rounding and
//! fusing are as written.

use super::NativeLaunch;
use super::map::code::{Compute, compute};
use super::map::{Inputs, MapBody};
use ringwood_base::Result;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The body of a kernel, as its expansion gives it.
pub trait Body {
    /// The text of [`Body::run`], if the expansion keeps it.
    const TEXT: Option<&'static str> = None;
    /// Whether there is a version without checks: not where nothing of it would be faster.
    const FAST: bool = true;

    /// Runs the work-items of a range. With `CHECKED`, an access out of bounds reads 0 or writes
    /// nothing, and is recorded; without, there must be none, which nobody checks: expansions call
    /// this function by [`Native::of`](super::Native::of) only.
    fn run<const CHECKED: bool>(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()>;
}

/// Whether the processor runs the versions without checks.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_fast() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether the processor runs the versions without checks.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const fn is_fast() -> bool {
    true
}

/// Runs a body without checks.
///
/// # Safety
/// As [`NativeLaunch::assume_in_bounds`], and [`is_fast`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub(super) unsafe fn unchecked<B: Body>(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
) -> Result<()> {
    B::run::<false>(launch, range)
}

/// The loops of a map: one for any processor, and those of [`is_fast`] for results that no input
/// overlaps, and for results that replace the first input. On x86-64 that for any processor shares the
/// functions of mathematics.
pub(super) const fn loops<B: MapBody>() -> (Compute, Option<Compute>, Option<Compute>) {
    let apart: Option<Compute> = if B::FAST { Some(fast::<B, false>) } else { None };
    let types = <B::Inputs as Inputs<B::Out>>::DTYPES;
    let replaces = B::REPLACE && types[0].size() == size_of::<B::Out>();
    let replacing: Option<Compute> = if B::FAST && replaces { Some(fast::<B, true>) } else { None };
    (plain::<B>, apart, replacing)
}

/// # Safety
/// As [`Compute`].
unsafe fn plain<B: MapBody>(
    launch: &NativeLaunch<'_>,
    inputs: &[*const u8],
    out: &mut [MaybeUninit<u8>],
) {
    const INLINE: bool = !cfg!(target_arch = "x86_64");
    // SAFETY: the caller's promise.
    unsafe { compute::<B, false, INLINE>(launch, inputs, out) }
}

/// # Safety
/// As [`Compute`], and [`is_fast`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn fast<B: MapBody, const REPLACE: bool>(
    launch: &NativeLaunch<'_>,
    inputs: &[*const u8],
    out: &mut [MaybeUninit<u8>],
) {
    // SAFETY: the caller's promise.
    unsafe { compute::<B, REPLACE, true>(launch, inputs, out) }
}

/// Writes what `change` makes of each of `count` elements.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of that many elements, which do not overlap.
pub(super) unsafe fn each<A: Copy, B: Copy>(
    from: *const A,
    to: *mut B,
    count: usize,
    change: impl Fn(A) -> B,
) {
    // SAFETY: the caller's promise; the slices do not overlap, and nothing is read of the second.
    let (from, to) = unsafe {
        let to = std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<B>>(), count);
        (std::slice::from_raw_parts(from, count), to)
    };
    if is_fast() {
        // SAFETY: the processor has the features.
        return unsafe { each_fast(from, to, change) };
    }
    each_of(from, to, change);
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn each_fast<A: Copy, B: Copy>(from: &[A], to: &mut [MaybeUninit<B>], change: impl Fn(A) -> B) {
    each_of(from, to, change);
}

#[inline(always)]
fn each_of<A: Copy, B: Copy>(from: &[A], to: &mut [MaybeUninit<B>], change: impl Fn(A) -> B) {
    for (to, from) in to.iter_mut().zip(from) {
        to.write(change(*from));
    }
}
