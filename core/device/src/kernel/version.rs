//! The versions of a body: with and without checks, and for the instructions of the processor.
//!
//! An expansion gives one safe, generic body, inlined into a function for each version here, so that
//! no user's crate has unsafe code. Bodies are compiled with checks for any processor, and without for
//! any processor and for those with AVX2 and FMA. All have the same results: rounding and fusing are
//! as written.

use super::NativeLaunch;
use ringwood_base::Result;
use std::ops::Range;

/// The body of a kernel, as its expansion gives it.
pub trait Body {
    /// The text of [`Body::run`], if the expansion keeps it.
    const TEXT: Option<&'static str> = None;

    /// Runs the work-items of a range. With `CHECKED`, an access out of bounds reads 0 or writes
    /// nothing, and is recorded; without, there must be none, which nobody checks: expansions call
    /// this function by [`Native::of`](super::Native::of) only.
    fn run<const CHECKED: bool>(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()>;
}

/// Runs a body without checks.
///
/// # Safety
/// As [`NativeLaunch::assume_in_bounds`].
pub(super) unsafe fn unchecked<B: Body>(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
) -> Result<()> {
    versioned::<B, false>(launch, range)
}

/// Runs a body that has no accesses to check.
pub(super) fn total<B: Body>(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    versioned::<B, true>(launch, range)
}

#[cfg(target_arch = "x86_64")]
fn versioned<B: Body, const CHECKED: bool>(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
) -> Result<()> {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both features.
        return unsafe { v3::<B, CHECKED>(launch, range) };
    }
    B::run::<CHECKED>(launch, range)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn v3<B: Body, const CHECKED: bool>(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    B::run::<CHECKED>(launch, range)
}

#[cfg(not(target_arch = "x86_64"))]
fn versioned<B: Body, const CHECKED: bool>(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
) -> Result<()> {
    B::run::<CHECKED>(launch, range)
}
