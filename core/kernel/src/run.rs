//! Runs native code, and turns what goes wrong in it into errors.

use super::{KernelSpec, NativeLaunch};
use ringwood_base::{Error, Result};
use ringwood_ir::print::{FAULT_WORDS, fault};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the work-items of `range` with the kernel's native code.
///
/// A backend for host memory calls it once for each part of the domain, in any order and at the
/// same time; a host kernel once, with `0..1`.
///
/// # Safety
/// The launch is one of this kernel, of which [`KernelSpec::check_native`] found no fault: its arguments
/// are for these parameters.
///
/// # Errors
/// The kernel has no native code; it failed or panicked; or one of its accesses, here or in another
/// range of this launch, was out of bounds, or with debug assertions met that of another work-item of a
/// `unique` kernel.
pub unsafe fn run_native(
    spec: &KernelSpec<'_>,
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
) -> Result<()> {
    let Some(native) = spec.native else {
        return Err(Error::unsupported(format!("kernel `{}` has no native code", spec.name)));
    };
    // SAFETY: the caller's promise.
    let run = || unsafe { native.run(launch, range) };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result?,
        Err(payload) => {
            let error = Error::from_panic(format!("kernel `{}`", spec.name), payload);
            return Err(spec.declared(error));
        }
    }
    let outside = launch.fault().get().map(|fault| out_of_bounds(spec, fault));
    let error = outside.or_else(|| launch.fault().claims().error(spec, launch.domain()));
    error.map_or(Ok(()), Err)
}

/// The bytes of the fault cell of printed kernels.
pub const FAULT_BYTES: usize = 4 * FAULT_WORDS;

/// Looks at the bytes of a fault cell, read after a launch of a [printed](ringwood_ir::print) kernel.
///
/// # Errors
/// An access of the launch was out of bounds.
pub fn check_fault_cell(spec: &KernelSpec<'_>, cell: &[u8]) -> Result<()> {
    let mut words = [0; FAULT_WORDS];
    for (word, bytes) in words.iter_mut().zip(cell.as_chunks::<4>().0) {
        *word = u32::from_ne_bytes(*bytes);
    }
    let access = fault(&words);
    access.map_or(Ok(()), |a| Err(out_of_bounds(spec, (a.site, a.index, a.len))))
}

/// The error of an access outside of a slice: `fault` is site, index and length, as
/// [`Fault::get`](super::Fault::get) returns them.
pub fn out_of_bounds(spec: &KernelSpec<'_>, fault: (u32, usize, usize)) -> Error {
    let (site, index, len) = fault;
    let mut message =
        format!("kernel `{}`: index {index} out of bounds for length {len}", spec.name);
    let kernel = spec.ir.and_then(|text| ringwood_ir::decode(text).ok());
    if let Some(name) = kernel.as_ref().and_then(|kernel| kernel.slice_at(site)) {
        message.push_str(&format!(" of `{name}`"));
    }
    let error = Error::out_of_bounds(message);
    match spec.sites.get(site as usize) {
        Some((line, column)) => error.with("at", format!("{}:{line}:{column}", spec.file)),
        None => error,
    }
}
