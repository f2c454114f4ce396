//! Runs a map kernel over a range of its domain.
//!
//! The innermost dimension is walked in runs. A run whose operands are dense is one loop, which
//! vectorises, also where the result replaces the first operand; else the operands are gathered in
//! blocks first. So a kernel is compiled to three loops, whatever the strides, and a call allocates
//! nothing.

mod layout;

use layout::{Layout, Runs};

use super::NativeLaunch;
use super::access::Arguments;
use ringwood_base::{Element, Result};
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
    let mut steps = MaybeUninit::uninit();
    let mut layout = Layout::new(launch, &mut steps);
    layout.check(&range)?;
    let inputs = I::open(&mut args, &mut layout)?;
    let out = layout.open::<O>(args.native()?)?;
    let domain = layout.collapse();
    let mut runs = Runs::new(domain.as_ref(), range);
    while let Some(count) = runs.next() {
        let (offsets, steps) = (&runs.offsets[..=I::COUNT], &runs.steps[..=I::COUNT]);
        // SAFETY: `Layout::open` checked that the strides stay inside of each argument over the
        // whole domain; the range is a part of it, and a run is a part of the range. The result is
        // taken as a slice only where no input overlaps it, but the one that it replaces.
        unsafe {
            let inputs = I::offset(inputs, offsets);
            let out = Target { data: out.add(offsets[I::COUNT]), step: steps[I::COUNT] };
            let dense = steps.iter().all(|step| *step == 1) || count == 1;
            let apart = |from| dense && !I::overlaps(inputs, from, out.data, count);
            let slice = || std::slice::from_raw_parts_mut(out.data.cast(), count);
            if apart(0) {
                I::compute::<false, O>(inputs, slice(), &function);
            } else if apart(1) && I::is_first(inputs, out.data) {
                I::compute::<true, O>(inputs, slice(), &function);
            } else {
                I::compute_blocks(inputs, steps, out, count, &function);
            }
        }
    }
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

/// `count` elements from number `at` on, `step` apart, as dense ones: copied to `block` if they are
/// not. A broadcast element is copied once, with the first block of a run, which is the longest.
///
/// # Safety
/// The elements are valid for reads, and `count` is at most [`BLOCK`].
#[inline(always)]
unsafe fn gather<T: Element>(
    data: *const T,
    step: usize,
    at: usize,
    count: usize,
    block: &mut [MaybeUninit<T>; BLOCK],
) -> *const T {
    if step == 1 {
        // SAFETY: the caller's promise.
        return unsafe { data.add(at) };
    }
    if step > 0 || at == 0 {
        for (j, slot) in block[..count].iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            slot.write(unsafe { data.add((at + j) * step).read() });
        }
    }
    block.as_ptr().cast()
}

/// Whether `count` elements at `data` and as many at `out` have a byte in common.
fn meets<T, O>(data: *const T, out: *const O, count: usize) -> bool {
    let (data, out) = (data.addr(), out.addr());
    data < out + count * size_of::<O>() && out < data + count * size_of::<T>()
}

/// The inputs of a map kernel: a tuple of elements.
pub trait Inputs: Sized {
    /// The number of inputs.
    const COUNT: usize;
    /// The first element of each.
    type Data: Copy;

    /// Takes the inputs from the arguments.
    fn open(args: &mut Arguments<'_>, layout: &mut Layout<'_>) -> Result<Self::Data>;

    /// The data, each moved by its offset.
    ///
    /// # Safety
    /// The offsets stay inside of the inputs.
    unsafe fn offset(data: Self::Data, offsets: &[usize]) -> Self::Data;

    /// Whether `count` dense elements of an input, of those from number `from` on, share memory
    /// with as many at `out`.
    fn overlaps<O: Element>(data: Self::Data, from: usize, out: *mut O, count: usize) -> bool;

    /// Whether dense elements at `out` are those of the first input.
    fn is_first<O: Element>(data: Self::Data, out: *mut O) -> bool;

    /// Computes `out` from as many dense elements of each input; with `REPLACE` the first input is
    /// what `out` holds.
    ///
    /// # Safety
    /// The inputs are valid for reads of that many elements and do not overlap `out`, but with
    /// `REPLACE` the first one, for which [`Inputs::is_first`] holds.
    unsafe fn compute<const REPLACE: bool, O: Element>(
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

            #[inline]
            fn open(args: &mut Arguments<'_>, layout: &mut Layout<'_>) -> Result<Self::Data> {
                Ok(($(layout.open::<$T>(args.native()?)?.cast_const(),)*))
            }

            #[inline(always)]
            unsafe fn offset(data: Self::Data, offsets: &[usize]) -> Self::Data {
                // SAFETY: the caller's promise.
                unsafe { ($(data.$index.add(offsets[$index]),)*) }
            }

            fn overlaps<OUT: Element>(
                data: Self::Data,
                from: usize,
                out: *mut OUT,
                count: usize,
            ) -> bool {
                false $(|| ($index >= from && meets(data.$index, out, count)))*
            }

            fn is_first<OUT: Element>(data: Self::Data, out: *mut OUT) -> bool {
                data.0.addr() == out.addr() && size_of::<A>() == size_of::<OUT>()
            }

            #[inline(always)]
            unsafe fn compute<const REPLACE: bool, OUT: Element>(
                data: Self::Data,
                out: &mut [MaybeUninit<OUT>],
                function: &impl Fn(Self) -> OUT,
            ) {
                for (j, slot) in out.iter_mut().enumerate() {
                    // SAFETY: the caller's promise; what `slot` holds is an element of the first
                    // input, aligned for it, since the input begins where `out` does.
                    let input = unsafe {
                        ($(if REPLACE && $index == 0 {
                            slot.as_ptr().cast::<$T>().read()
                        } else {
                            data.$index.add(j).read()
                        },)*)
                    };
                    slot.write(function(input));
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
                            data.$index,
                            steps[$index],
                            at,
                            n,
                            &mut blocks.$index,
                        ),)*);
                        Self::compute::<false, OUT>(dense, &mut results[..n], function);
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
