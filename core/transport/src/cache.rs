//! Lines of cache.

/// Fetches the lines of cache that are written next. Where another core has read them, each would be asked for when it
/// is written, one after the other; asked for ahead, they come together.
#[inline]
pub(crate) fn fetch(start: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(64) {
        let line = start.wrapping_add(line);
        // SAFETY: a hint, which has no conditions and no effect that a program could see; a processor that has no such
        // instruction does nothing. `_mm_prefetch` asks for a line to read, where a program is built for all processors.
        unsafe {
            std::arch::asm!("prefetchw [{}]", in(reg) line, options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, bytes);
}

/// The bytes of the lines that are fetched together.
pub(crate) const BLOCK: usize = 2 << 10;

/// Copies bytes, which may overlap, where other cores have read what `target` holds.
///
/// # Safety
/// As for [`std::ptr::copy`].
pub(crate) unsafe fn copy(source: *const u8, target: *mut u8, bytes: usize) {
    if source.addr().abs_diff(target.addr()) < bytes {
        // SAFETY: the caller's.
        return unsafe { std::ptr::copy(source, target, bytes) };
    }
    for start in (0..bytes).step_by(BLOCK) {
        let (target, bytes) = (target.wrapping_add(start), BLOCK.min(bytes - start));
        fetch(target, bytes);
        // SAFETY: the caller's, of a part; the whole does not overlap.
        unsafe { source.wrapping_add(start).copy_to_nonoverlapping(target, bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_copied_whole_also_onto_themselves() {
        for bytes in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5] {
            for distance in [0, 1, 64, BLOCK, bytes] {
                let mut data: Vec<u8> = (0..bytes + distance).map(|i| (i % 251) as u8).collect();
                let expected = data[..bytes].to_vec();
                let start = data.as_mut_ptr();
                // SAFETY: both are inside of the vector, and bytes have every value.
                unsafe { copy(start, start.wrapping_add(distance), bytes) };
                assert!(data[distance..] == expected, "{bytes} bytes, {distance} apart");
            }
        }
    }
}
