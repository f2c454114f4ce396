//! Runs a map kernel over a range of its domain.
//!
//! The innermost dimension is walked in runs. A run whose operands are dense is one loop over
//! slices, which vectorises; else the operands are gathered in blocks first. So a kernel is compiled
//! to two loops, whatever the strides.

use super::access::{Arguments, elements};
use super::{NativeLaunch, NativeSlice};
use crate::{Element, Error, ErrorKind, MAX_RANK, Result, Shape};
use std::mem::MaybeUninit;
use std::ops::Range;

/// Elements that are gathered at once: they stay in the first-level cache.
const BLOCK: usize = 256;

/// Computes `function` for the elements of `range`; the result is the last argument.
#[inline(always)]
pub fn map<I: Inputs, O: Element>(
    launch: &NativeLaunch<'_>,
    range: Range<usize>,
    function: impl Fn(I) -> O,
) -> Result<()> {
    let mut args = Arguments::new(launch);
    let mut lanes = Lanes { domain: launch.domain(), steps: Vec::with_capacity(I::COUNT + 1) };
    lanes.check(&range)?;
    let inputs = I::open(&mut args, &mut lanes)?;
    let out = lanes.open::<O>(args.native()?)?;
    lanes.for_each_run(range, |offsets, steps, count| {
        // SAFETY: `Lanes::open` checked that the strides stay inside of each argument over the
        // whole domain; the range is a part of it, and a run is a part of the range.
        unsafe {
            let inputs = I::offset(inputs, offsets);
            let out = Target { data: out.add(offsets[I::COUNT]), step: steps[I::COUNT] };
            let dense = steps.iter().all(|step| *step == 1) || count == 1;
            if dense && !I::overlaps(inputs, out.data.addr(), count * size_of::<O>(), count) {
                let out = std::slice::from_raw_parts_mut(out.data.cast(), count);
                I::compute(inputs, out, &function);
            } else {
                I::compute_blocks(inputs, steps, out, count, &function);
            }
        }
    });
    Ok(())
}

/// Where a run writes.
#[derive(Clone, Copy)]
pub struct Target<O> {
    data: *mut O,
    step: usize,
}

impl<O: Element> Target<O> {
    /// Writes a block of results, `at` elements after the first.
    ///
    /// # Safety
    /// The target is valid for writes of that many elements at its step.
    unsafe fn scatter(self, at: usize, block: &[MaybeUninit<O>]) {
        // SAFETY: the caller's promise; `MaybeUninit<O>` has the layout of `O`.
        unsafe {
            if self.step == 1 {
                let target = self.data.add(at).cast::<MaybeUninit<O>>();
                target.copy_from_nonoverlapping(block.as_ptr(), block.len());
            } else {
                for (j, value) in block.iter().enumerate() {
                    self.data.add((at + j) * self.step).write(value.assume_init());
                }
            }
        }
    }
}

/// `count` elements at `data`, `step` apart, as dense ones: copied to `block` if they are not.
///
/// # Safety
/// The elements are valid for reads, and `count` is at most [`BLOCK`].
unsafe fn gather<T: Element>(
    data: *const T,
    step: usize,
    count: usize,
    block: &mut [MaybeUninit<T>; BLOCK],
) -> *const T {
    if step == 1 {
        return data;
    }
    for (j, slot) in block[..count].iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        slot.write(unsafe { data.add(j * step).read() });
    }
    block.as_ptr().cast()
}

/// The domain of a map and the steps of its arguments along it.
pub struct Lanes {
    domain: Shape,
    /// For each argument, the step in elements along each dimension.
    steps: Vec<[usize; MAX_RANK]>,
}

impl Lanes {
    fn check(&self, range: &Range<usize>) -> Result<()> {
        if range.end <= self.domain.elements() {
            return Ok(());
        }
        let message = format!("range {range:?} exceeds the domain {}", self.domain);
        Err(Error::new(ErrorKind::Shape, message))
    }

    /// The first element of an argument whose strides stay inside of it.
    fn open<T: Element>(&mut self, slice: &NativeSlice<'_>) -> Result<*mut T> {
        let (data, len) = elements::<T>(slice)?;
        let dense;
        let strides = match slice.strides() {
            Some(strides) => strides,
            None => {
                dense = self.domain.strides();
                &dense
            }
        };
        if strides.len() != self.domain.len() {
            let message = format!("strides {strides:?} for the domain {}", self.domain);
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let last = self.domain.iter().zip(strides).try_fold(0_usize, |last, (extent, stride)| {
            last.checked_add(extent.saturating_sub(1).checked_mul(*stride)?)
        });
        if self.domain.elements() > 0 && last.is_none_or(|last| last >= len) {
            let message = format!("{len} elements are too few for the domain {}", self.domain);
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let mut steps = [0; MAX_RANK];
        steps[..strides.len()].copy_from_slice(strides);
        self.steps.push(steps);
        Ok(data)
    }

    /// The domain with dimensions merged where every argument steps through both as through one.
    fn merged(&self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut extents: Vec<usize> = Vec::new();
        let mut steps = vec![Vec::new(); self.steps.len()];
        for (d, extent) in self.domain.iter().copied().enumerate().filter(|(_, n)| *n != 1) {
            let merges = !extents.is_empty()
                && steps.iter().zip(&self.steps).all(|(merged, step): (&Vec<usize>, _)| {
                    merged.last().copied() == step[d].checked_mul(extent)
                });
            match extents.last_mut() {
                Some(last) if merges => *last *= extent,
                _ => extents.push(extent),
            }
            for (merged, step) in steps.iter_mut().zip(&self.steps) {
                if merges {
                    merged.pop();
                }
                merged.push(step[d]);
            }
        }
        if extents.is_empty() {
            extents.push(1);
            steps.iter_mut().for_each(|merged| merged.push(1));
        }
        (extents, steps)
    }

    /// Calls `run(offsets, steps, count)` for each part of the range inside of one innermost row.
    fn for_each_run(&self, range: Range<usize>, mut run: impl FnMut(&[usize], &[usize], usize)) {
        let (extents, steps) = self.merged();
        let (inner, outer) = extents.split_last().expect("a merged domain has a dimension");
        let inner_steps: Vec<_> = steps.iter().map(|s| s[outer.len()]).collect();
        let mut offsets = vec![0; steps.len()];
        let mut at = range.start;
        while at < range.end {
            let (mut row, column) = (at / inner, at % inner);
            let count = (inner - column).min(range.end - at);
            for (offset, step) in offsets.iter_mut().zip(&inner_steps) {
                *offset = column * step;
            }
            for (d, extent) in outer.iter().enumerate().rev() {
                let index = row % extent;
                row /= extent;
                for (offset, step) in offsets.iter_mut().zip(&steps) {
                    *offset += index * step[d];
                }
            }
            run(&offsets, &inner_steps, count);
            at += count;
        }
    }
}

/// Whether `count` elements at `data` and `bytes` bytes at `out` have a byte in common.
fn meets<T>(data: *const T, count: usize, out: usize, bytes: usize) -> bool {
    data.addr() < out + bytes && out < data.addr() + count * size_of::<T>()
}

/// The inputs of a map kernel: a tuple of elements.
pub trait Inputs: Sized {
    /// The number of inputs.
    const COUNT: usize;
    /// The first element of each.
    type Data: Copy;

    /// Takes the inputs from the arguments.
    fn open(args: &mut Arguments<'_>, lanes: &mut Lanes) -> Result<Self::Data>;

    /// The data, each moved by its offset.
    ///
    /// # Safety
    /// The offsets stay inside of the inputs.
    unsafe fn offset(data: Self::Data, offsets: &[usize]) -> Self::Data;

    /// Whether `bytes` bytes at `out` meet the first `count` elements of an input.
    fn overlaps(data: Self::Data, out: usize, bytes: usize, count: usize) -> bool;

    /// Computes `out` from as many dense elements of each input.
    ///
    /// # Safety
    /// The inputs are valid for reads of that many elements and do not overlap `out`.
    unsafe fn compute<O: Element>(
        data: Self::Data,
        out: &mut [MaybeUninit<O>],
        function: &impl Fn(Self) -> O,
    );

    /// Computes `count` results from inputs with any step; `out` may be the same as an input.
    ///
    /// # Safety
    /// The inputs are valid for reads and the target for writes of `count` elements at their steps.
    unsafe fn compute_blocks<O: Element>(
        data: Self::Data,
        steps: &[usize],
        out: Target<O>,
        count: usize,
        function: &impl Fn(Self) -> O,
    );
}

macro_rules! inputs {
    ($count:literal: $($T:ident $index:tt),*) => {
        impl<$($T: Element),*> Inputs for ($($T,)*) {
            const COUNT: usize = $count;
            type Data = ($(*const $T,)*);

            fn open(args: &mut Arguments<'_>, lanes: &mut Lanes) -> Result<Self::Data> {
                Ok(($(lanes.open::<$T>(args.native()?)?.cast_const(),)*))
            }

            #[inline(always)]
            unsafe fn offset(data: Self::Data, offsets: &[usize]) -> Self::Data {
                // SAFETY: the caller's promise.
                unsafe { ($(data.$index.add(offsets[$index]),)*) }
            }

            fn overlaps(data: Self::Data, out: usize, bytes: usize, count: usize) -> bool {
                false $(|| meets(data.$index, count, out, bytes))*
            }

            #[inline(always)]
            unsafe fn compute<OUT: Element>(
                data: Self::Data,
                out: &mut [MaybeUninit<OUT>],
                function: &impl Fn(Self) -> OUT,
            ) {
                let count = out.len();
                // SAFETY: the caller's promise.
                let inputs = unsafe {
                    ($(std::slice::from_raw_parts(data.$index, count),)*)
                };
                for j in 0..count {
                    out[j].write(function(($(inputs.$index[j],)*)));
                }
            }

            #[inline(always)]
            unsafe fn compute_blocks<OUT: Element>(
                data: Self::Data,
                steps: &[usize],
                out: Target<OUT>,
                count: usize,
                function: &impl Fn(Self) -> OUT,
            ) {
                let mut blocks = ($([MaybeUninit::<$T>::uninit(); BLOCK],)*);
                let mut results = [MaybeUninit::<OUT>::uninit(); BLOCK];
                let mut at = 0;
                while at < count {
                    let n = BLOCK.min(count - at);
                    // SAFETY: the block is a part of the run, for which the caller promises.
                    unsafe {
                        let dense = ($(gather(
                            data.$index.add(at * steps[$index]),
                            steps[$index],
                            n,
                            &mut blocks.$index,
                        ),)*);
                        Self::compute(dense, &mut results[..n], function);
                        out.scatter(at, &results[..n]);
                    }
                    at += n;
                }
            }
        }
    };
}

inputs!(1: A 0);
inputs!(2: A 0, B 1);
inputs!(3: A 0, B 1, C 2);
inputs!(4: A 0, B 1, C 2, D 3);
inputs!(5: A 0, B 1, C 2, D 3, E 4);
inputs!(6: A 0, B 1, C 2, D 3, E 4, F 5);
inputs!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
inputs!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
