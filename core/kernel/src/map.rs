//! Runs a map kernel over a range of its domain.
//!
//! A map is compiled to loops over dense elements alone, [`MapCode`]; all else is here, once for all
//! maps. The innermost dimension is walked in runs. A run whose operands are dense is one call of a
//! loop, also where the result replaces one of two operands; else the operands are gathered in blocks
//! first. Blocks of 16-bit floats are widened, and their results rounded, where a map computes them
//! with the loop of another type. A call allocates nothing.

mod block;
mod code;
mod layout;

pub(super) use code::MapCode;
pub use code::{Inputs, MapBody};

use super::NativeLaunch;
use super::access::Arguments;
use block::Blocks;
pub(super) use block::copy;
pub(super) use layout::MAX_ARGS;
use layout::{Layout, Runs};
use ringwood_base::Result;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;

/// The first elements of the arguments of a map, the result last.
pub(super) type Data = [*mut u8; MAX_ARGS];

impl MapCode {
    /// Computes the elements of `range`; the result is the last argument.
    ///
    /// # Errors
    /// The arguments are not those of the map, or their strides leave them.
    pub(super) fn run(&self, launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
        let mut steps = MaybeUninit::uninit();
        let mut layout = Layout::new(launch, &mut steps);
        layout.check(&range)?;
        let (mut args, mut first): (_, Data) = (Arguments::new(launch), [ptr::null_mut(); _]);
        for (data, dtype) in first.iter_mut().zip(self.stored) {
            *data = layout.open(args.native()?, *dtype)?;
        }
        let domain = layout.collapse();
        let mut runs = Runs::new(domain.as_ref(), range);
        while let Some(count) = runs.next() {
            let mut data = first;
            for (i, dtype) in self.stored.iter().enumerate() {
                data[i] = data[i].wrapping_add(runs.offsets[i] * dtype.size());
            }
            // SAFETY: `Layout::open` checked that the strides stay inside of each argument over the
            // whole domain; the range is a part of it, and a run is a part of the range.
            unsafe { self.elements(launch, &data, &runs.steps, count) }
        }
        Ok(())
    }

    /// Computes `count` elements, each argument's `steps` apart.
    ///
    /// # Safety
    /// The inputs are valid for reads and the result for writes of that many elements at their steps;
    /// the result overlaps inputs, if any, element by element.
    pub(super) unsafe fn elements(
        &self,
        launch: &NativeLaunch<'_>,
        data: &Data,
        steps: &[usize; MAX_ARGS],
        count: usize,
    ) {
        let inputs = self.inputs();
        let out = data[inputs];
        let bytes = |i: usize| ((count - 1) * steps[i] + 1) * self.stored[i].size();
        let meets = |i: &usize| {
            let (at, to) = (data[*i].addr(), out.addr());
            at < to + bytes(inputs) && to < at + bytes(*i)
        };
        let dense = count == 1 || steps[..=inputs].iter().all(|step| *step == 1);
        let first = (0..inputs).find(meets);
        let compute = match first {
            _ if !dense || self.converts() => None,
            None => Some(self.apart()),
            Some(i) if data[i] == out && !(i + 1..inputs).any(|i| meets(&i)) => self.replacing(i),
            Some(_) => None,
        };
        match compute {
            // SAFETY: the caller's promise. The result is taken as a slice only where no input
            // overlaps it, but the one that it replaces.
            Some(compute) => unsafe {
                let out = std::slice::from_raw_parts_mut(out.cast(), bytes(inputs));
                compute(launch, &data.map(<*mut u8>::cast_const)[..inputs], out);
            },
            // SAFETY: the caller's promise.
            None => unsafe { Blocks::new().run(self, launch, data, steps, count, first.is_none()) },
        }
    }
}

#[cfg(test)]
mod tests;
