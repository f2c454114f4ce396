//! The versions of a body: with and without checks, and for the instructions of the processor.
//!
//! An expansion gives one safe, generic body, inlined into a function for each version here, so that
//! no user's crate has unsafe code. There are two versions, as each takes long to compile: one with all
//! checks for any processor, and one for processors with AVX2 and FMA, without checks. On an
//! architecture other than x86-64, both are for any processor. All have the same results: rounding and
//! fusing are as written.

use super::NativeLaunch;
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
