//! Maps whose operands are not dense, or of other types than the loops compute.

use super::layout::MAX_ARGS;
use super::{Data, MapCode};
use crate::{NativeLaunch, version};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use ringwood_base::DType;
use std::mem::MaybeUninit;

/// Elements that are gathered at once: they stay in the first-level cache.
pub(crate) const BLOCK: usize = 256;

/// The elements of a block, of any type.
type Block = [MaybeUninit<u64>; BLOCK];

/// A block for each argument, and one for results that are not written where they are computed.
pub(super) struct Blocks {
    elements: [Block; MAX_ARGS + 1],
}

impl Blocks {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { elements: [[MaybeUninit::uninit(); BLOCK]; _] }
    }

    /// Computes `count` elements; `apart`, no input overlaps the result.
    ///
    /// # Safety
    /// As [`MapCode::elements`].
    pub(super) unsafe fn run(
        &mut self,
        code: &MapCode,
        launch: &NativeLaunch<'_>,
        data: &Data,
        steps: &[usize; MAX_ARGS],
        count: usize,
        apart: bool,
    ) {
        let inputs = code.inputs();
        let mut sources = [std::ptr::null(); MAX_ARGS];
        for at in (0..count).step_by(BLOCK) {
            let n = BLOCK.min(count - at);
            for i in 0..inputs {
                let types = [code.stored[i], code.computed[i]];
                // SAFETY: the block is a part of the elements for which the caller promises.
                sources[i] =
                    unsafe { gather(types, data[i], steps[i], at, n, &mut self.elements[i]) };
            }
            let [stored, computed] = [code.stored[inputs], code.computed[inputs]];
            let [results, narrow] = &mut self.elements[MAX_ARGS - 1..] else { unreachable!() };
            let direct = apart && steps[inputs] == 1 && stored == computed;
            // SAFETY: a block has room for `n` elements of any type; the inputs are elements that the
            // caller promised, or were gathered; the map writes all results.
            unsafe {
                let out = match direct {
                    true => data[inputs].add(at * stored.size()),
                    false => results.as_mut_ptr().cast(),
                };
                let slice = std::slice::from_raw_parts_mut(out.cast(), n * computed.size());
                code.apart()(launch, &sources[..inputs], slice);
                if !direct {
                    let results = match stored == computed {
                        true => out,
                        false => convert([computed, stored], out, n, narrow),
                    };
                    scatter(stored.size(), results, data[inputs], steps[inputs], at, n);
                }
            }
        }
    }
}

/// `count` elements from number `at` on, `step` apart, as dense ones of the second type: copied to
/// `block` if they are none. A broadcast element is copied once, with the first block, which is the
/// longest.
///
/// # Safety
/// The elements are valid for reads, and `count` is at most [`BLOCK`].
unsafe fn gather(
    [stored, computed]: [DType; 2],
    data: *const u8,
    step: usize,
    at: usize,
    count: usize,
    block: &mut Block,
) -> *const u8 {
    if step == 0 && at > 0 {
        return block.as_ptr().cast();
    }
    let size = stored.size();
    // SAFETY: the caller's promise; a block has room for `count` elements of any type.
    unsafe {
        let data = data.add(at * step * size);
        if step == 1 && stored == computed {
            return data;
        }
        if step == 1 {
            return convert([stored, computed], data, count, block);
        }
        let mut dense = [MaybeUninit::<u64>::uninit(); BLOCK];
        let target = if stored == computed { &mut *block } else { &mut dense };
        let target = target.as_mut_ptr().cast();
        copy(size, [data.cast_mut(), target], [step, 1], count);
        match stored == computed {
            true => target,
            false => convert([stored, computed], target, count, block),
        }
    }
}

/// Writes `count` results from number `at` on, `step` apart.
///
/// # Safety
/// The results are valid for reads, and the target for writes at its step.
unsafe fn scatter(
    size: usize,
    results: *const u8,
    data: *mut u8,
    step: usize,
    at: usize,
    count: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let target = data.add(at * step * size);
        match step {
            1 => target.copy_from_nonoverlapping(results, count * size),
            _ => copy(size, [results.cast_mut(), target], [1, step], count),
        }
    }
}

/// Copies elements of `size` bytes from the first place to the second, each at its step.
///
/// # Safety
/// The first is valid for reads and the second for writes of that many elements.
pub(crate) unsafe fn copy(
    size: usize,
    [from, to]: [*mut u8; 2],
    [from_step, to_step]: [usize; 2],
    count: usize,
) {
    macro_rules! copy {
        ($ty:ty) => {
            for j in 0..count {
                // SAFETY: the caller's promise; the steps are of aligned elements of this size.
                unsafe {
                    let value = from.cast::<$ty>().add(j * from_step).read();
                    to.cast::<$ty>().add(j * to_step).write(value);
                }
            }
        };
    }
    match size {
        1 => copy!(u8),
        2 => copy!(u16),
        4 => copy!(u32),
        _ => copy!(u64),
    }
}

/// Elements of a 16-bit float as those of `f32`, or the other way.
///
/// # Safety
/// `data` is valid for reads of `count` elements, at most [`BLOCK`].
unsafe fn convert(
    types: [DType; 2],
    data: *const u8,
    count: usize,
    block: &mut Block,
) -> *const u8 {
    let to = block.as_mut_ptr().cast::<u8>();
    // SAFETY: the caller's promise; a block has room for `count` elements of any type.
    unsafe {
        match types {
            [DType::BF16, _] => version::each(data.cast(), to.cast(), count, bf16::to_f32),
            [_, DType::BF16] => version::each(data.cast(), to.cast(), count, bf16::from_f32),
            [DType::F16, _] => widened(data.cast(), to.cast(), count),
            _ => narrowed(data.cast(), to.cast(), count),
        }
    }
    to
}

/// # Safety
/// `from` is valid for reads and `to` for writes of `count` elements.
unsafe fn widened(from: *const f16, to: *mut f32, count: usize) {
    // SAFETY: the caller's promise; zeros are floats.
    unsafe {
        to.write_bytes(0, count);
        let to = std::slice::from_raw_parts_mut(to, count);
        std::slice::from_raw_parts(from, count).convert_to_f32_slice(to);
    }
}

/// # Safety
/// As [`widened`].
unsafe fn narrowed(from: *const f32, to: *mut f16, count: usize) {
    // SAFETY: the caller's promise; zeros are floats.
    unsafe {
        to.write_bytes(0, count);
        let to = std::slice::from_raw_parts_mut(to, count);
        to.convert_from_f32_slice(std::slice::from_raw_parts(from, count));
    }
}
