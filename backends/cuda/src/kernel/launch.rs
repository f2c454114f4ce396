//! One launch: from the arguments of the run time to those of the printed entry point.

use super::{Code, Kernel, Variant};
use crate::memory::{Memory, check};
use crate::stream::Stream;
use cudarc::driver::result::launch_kernel;
use cudarc::driver::sys::CUdeviceptr;
use ringwood_core::backend::queue::keep;
use ringwood_core::kernel::{Arg, Bound, BoundLaunch, Launch};
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::Slot;
use std::sync::Arc;

/// The work-items of a group, along the contiguous dimension.
const GROUP: u32 = 256;
/// The most groups along the second and third dimension.
const MOST_GROUPS: usize = 65_535;

impl Code {
    /// Submits a launch.
    ///
    /// # Errors
    /// The arguments do not fit the kernel; nothing was submitted. Or the stream's failure.
    pub(crate) fn launch(&self, stream: &Stream, launch: &Launch<'_, Memory>) -> Result<()> {
        let kernel = &self.0;
        kernel.check_places(stream, launch)?;
        let bound = BoundLaunch::new(&kernel.portable, launch)?;
        if bound.items().contains(&0) {
            return stream.enter().map(drop);
        }
        let variant = kernel.variant(bound.options())?;
        let (groups, size) = match kernel.portable.ir().group {
            None if kernel.portable.is_source() => {
                let [x, y, z] = bound.items();
                (kernel.exactly([x.div_ceil(GROUP as usize), y, z])?, (GROUP, 1, 1))
            }
            None => (groups(bound.items(), kernel.device.groups()), (GROUP, 1, 1)),
            Some([x, y, z]) => (kernel.exactly(bound.items())?, (x, y, z)),
        };
        let lane = stream.enter()?;
        let mut values = values(&variant, &bound, lane.cell());
        let mut arguments: Vec<_> =
            values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
        // The module stays until the launch has run: the check keeps it, or this does.
        let checked = variant.slots.contains(&Slot::Fault);
        let keep = (!checked).then(|| keep(Arc::clone(&variant)));
        lane.submit(&format!("kernel `{}`", kernel.name()), keep, |queue| {
            // SAFETY: the arguments are those of the printed entry point, each in the first bytes of
            // its word, and the call copies them. A kernel that is written by hand is trusted. A grid kernel compares each index with the length
            // of its slice, or is proved not to need it in this launch; what a map reaches was
            // compared with it by `BoundLaunch`; `check_places` found every slice to be inside of its
            // memory, which the run time keeps until the launch has run.
            unsafe { launch_kernel(variant.function, groups, size, 0, queue, &mut arguments) }
        })?;
        if checked {
            lane.check(Arc::clone(kernel))?;
        }
        Ok(())
    }
}

impl Kernel {
    /// Checks that the code and the slices are of the stream's device, and the slices inside of
    /// their memories.
    fn check_places(&self, stream: &Stream, launch: &Launch<'_, Memory>) -> Result<()> {
        if self.device != *stream.device() {
            let message = format!("cuda: kernel `{}` was compiled for another device", self.name());
            return Err(Error::new(ErrorKind::Device, message));
        }
        for (i, arg) in launch.args.iter().enumerate() {
            if let Arg::Slice { region, .. } = arg {
                check(&format!("argument {i} of `{}`", self.name()), *region, stream.device())?;
            }
        }
        Ok(())
    }
}

impl Kernel {
    /// The groups of a launch of a group kernel along each dimension.
    fn exactly(&self, groups: [usize; 3]) -> Result<(u32, u32, u32)> {
        let most = [i32::MAX as usize, MOST_GROUPS, MOST_GROUPS];
        if groups.iter().zip(most).any(|(groups, most)| *groups > most) {
            let message = format!(
                "cuda: kernel `{}`: {groups:?} groups, and a launch has at most {most:?}, the contiguous \
                 dimension first",
                self.name()
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let [x, y, z] = groups.map(|n| n as u32);
        Ok((x, y, z))
    }
}

/// The arguments, each in a word of its own; of a shorter one the first bytes count.
fn values(variant: &Variant, bound: &BoundLaunch<'_, Memory>, cell: CUdeviceptr) -> Vec<u64> {
    let short = |word: u32| {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&word.to_ne_bytes());
        u64::from_ne_bytes(bytes)
    };
    let value = |slot: &Slot| match bound.value(*slot) {
        Bound::Memory(memory) => memory.at(0),
        Bound::Start(region) => region.memory.at(region.offset),
        Bound::Fault => cell,
        Bound::Word(word) => short(word),
        Bound::DoubleWord(word) => word,
    };
    variant.slots.iter().map(value).collect()
}

/// Groups along each dimension: at most `most`, which share the points among them.
fn groups(points: [usize; 3], most: usize) -> (u32, u32, u32) {
    let mut left = most.max(1);
    let mut count = |points: usize| {
        let count = points.clamp(1, left.min(MOST_GROUPS));
        left /= count;
        count as u32
    };
    let x = count(points[0].div_ceil(GROUP as usize));
    (x, count(points[1]), count(points[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_small_domains_and_are_bounded_for_large_ones() {
        assert_eq!(groups([1, 1, 1], 64), (1, 1, 1));
        assert_eq!(groups([257, 3, 5], 64), (2, 3, 5));
        assert_eq!(groups([1 << 30, 9, 9], 4224), (4224, 1, 1));
        assert_eq!(groups([1 << 40, 1, 1], usize::MAX), (65_535, 1, 1));
    }
}
