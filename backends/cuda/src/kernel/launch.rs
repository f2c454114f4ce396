//! One launch: from the arguments of the run time to those of the printed entry point.

use super::{Code, Kernel, Variant};
use crate::error::Failure;
use crate::library::{Call, Handle};
use crate::memory::{Memory, check};
use crate::stream::Stream;
use cudarc::driver::result::launch_kernel;
use cudarc::driver::sys::{CUdeviceptr, CUstream};
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::keep;
use ringwood_device::kernel::{Bound, BoundLaunch, Launch};
use ringwood_ir::print::Slot;
use std::any::Any;
use std::sync::Arc;

/// The work-items of a group, along the contiguous dimension.
const GROUP: u32 = 256;
/// The most groups along the second and third dimension.
const MOST_GROUPS: usize = 65_535;
/// The most groups along each dimension, the contiguous one first.
const MOST: [usize; 3] = [i32::MAX as usize, MOST_GROUPS, MOST_GROUPS];

/// A launch, and what it needs.
pub(super) enum Checked<'a> {
    /// Of the printed or written kernel.
    Kernel {
        bound: BoundLaunch<'a, Code, Memory>,
        variant: Arc<Variant>,
        groups: (u32, u32, u32),
        size: (u32, u32, u32),
    },
    /// Of a library's routine.
    Library { handle: Arc<Handle>, call: Call },
}

impl Code {
    /// Submits a launch.
    ///
    /// # Errors
    /// An argument or the code is of another device, or the device cannot run so many work-items; nothing
    /// was submitted. Or the stream's failure.
    pub(crate) fn launch(stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        let kernel = &launch.code().0;
        let Some(checked) = kernel.check(stream, launch)? else {
            return stream.enter().map(drop);
        };
        let submission = stream.enter()?;
        let landing = checked.is_checked().then(|| submission.landing()).transpose()?;
        // The check keeps the module until the launch has run, or this does. A handle stays with its
        // stream.
        let of_module = matches!(checked, Checked::Kernel { .. }) && landing.is_none();
        let keep = of_module.then(|| keep(checked.kept()));
        submission.submit(&format!("kernel `{}`", kernel.name()), keep, |queue| {
            // SAFETY: the stream is one of the device; the module stays, and the run time keeps the
            // memory until the launch has run.
            unsafe { checked.submit(queue, stream.cell()) }
        })?;
        match landing {
            Some(landing) => submission.check(landing, checked.kept(), kernel.fault()),
            None => Ok(()),
        }
    }
}

impl Checked<'_> {
    /// Whether it looks for accesses out of bounds, and records the first one.
    pub(super) fn is_checked(&self) -> bool {
        matches!(self, Checked::Kernel { variant, .. } if variant.is_checked())
    }

    /// What must live until the launch has run, beside the memory of its arguments.
    pub(super) fn kept(&self) -> Arc<dyn Any + Send + Sync> {
        match self {
            Checked::Kernel { variant, .. } => Arc::clone(variant) as _,
            Checked::Library { handle, .. } => Arc::clone(handle) as _,
        }
    }

    /// Submits the launch.
    ///
    /// # Safety
    /// The stream is one of the kernel's device, which is entered. Until the launch has run, the
    /// module, the handle and the memories of the arguments live, and no other stream runs what the
    /// handle submits.
    pub(super) unsafe fn submit(&self, queue: CUstream, cell: CUdeviceptr) -> Result<(), Failure> {
        let (bound, variant, groups, size) = match self {
            // SAFETY: the lengths of the slices were compared with the extents, and `check_places` found
            // every slice to be inside of its memory; the rest is the caller's promise.
            Checked::Library { handle, call } => return unsafe { handle.submit(queue, call) },
            Checked::Kernel { bound, variant, groups, size } => (bound, variant, *groups, *size),
        };
        let mut values = values(variant, bound, cell);
        let mut arguments: Vec<_> =
            values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
        // SAFETY: the arguments are those of the printed entry point, each in the first bytes of its
        // word, and the call copies them. A grid kernel compares each index with the length of its
        // slice, or is proved not to need it in this launch; a `Launch` has slices as long as
        // a map reaches; `check_places` found every slice to be inside of its memory. A kernel that
        // is written by hand is trusted.
        unsafe {
            launch_kernel(variant.function, groups, size, 0, queue, &mut arguments)?;
        }
        Ok(())
    }
}

impl Variant {
    /// Whether it looks for accesses out of bounds, and records the first one.
    pub(super) fn is_checked(&self) -> bool {
        self.slots.contains(&Slot::Fault)
    }
}

impl Kernel {
    /// Checks a launch and finds out what it needs; `None` if there is nothing to run.
    pub(super) fn check<'a>(
        &'a self,
        stream: &Stream,
        launch: &'a Launch<'a, Code, Memory>,
    ) -> Result<Option<Checked<'a>>> {
        self.check_places(stream, launch)?;
        let bound = BoundLaunch::new(&self.portable, launch);
        if bound.items().contains(&0) {
            return Ok(None);
        }
        if let Some(call) = self.choice.as_ref().and_then(|choice| choice.call(launch.args())) {
            let handle = stream.products().open()?;
            return Ok(Some(Checked::Library { handle, call }));
        }
        let variant = self.variant(bound.options())?;
        let (groups, size) = match self.portable.ir().group {
            None if self.portable.is_source() => {
                let [x, y, z] = bound.items();
                (self.exactly([x.div_ceil(GROUP as usize), y, z])?, (GROUP, 1, 1))
            }
            None => (groups(bound.items(), self.device.groups()), (GROUP, 1, 1)),
            Some([x, y, z]) => (self.exactly(bound.items())?, (x, y, z)),
        };
        Ok(Some(Checked::Kernel { bound, variant, groups, size }))
    }

    /// Checks that the code and the slices are of the stream's device, and the slices inside of
    /// their memories.
    fn check_places(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        if self.device != *stream.device() {
            let message = format!("cuda: kernel `{}` was compiled for another device", self.name());
            return Err(Error::device(message));
        }
        for (i, arg) in launch.args().iter().enumerate() {
            if let Some(region) = arg.region() {
                check(&format!("argument {i} of `{}`", self.name()), region, stream.device())?;
            }
        }
        Ok(())
    }

    /// The groups of a launch of a group kernel along each dimension.
    fn exactly(&self, groups: [usize; 3]) -> Result<(u32, u32, u32)> {
        exactly(groups).ok_or_else(|| {
            Error::invalid(format!(
                "cuda: kernel `{}`: {groups:?} groups, and a launch has at most {MOST:?}, the contiguous \
                 dimension first",
                self.name()
            ))
            .help("split the domain, or count its long dimension by the contiguous one")
        })
    }
}

/// The groups of a launch along each dimension, unless they are too many.
fn exactly(groups: [usize; 3]) -> Option<(u32, u32, u32)> {
    let fits = groups.iter().zip(MOST).all(|(groups, most)| *groups <= most);
    let [x, y, z] = groups.map(|n| n as u32);
    fits.then_some((x, y, z))
}

/// The arguments, each in a word of its own; of a shorter one the first bytes count.
fn values(variant: &Variant, bound: &BoundLaunch<'_, Code, Memory>, cell: CUdeviceptr) -> Vec<u64> {
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
    fn groups_of_a_declared_size_are_as_many_as_there_are_or_refused() {
        assert_eq!(exactly([65_536, 65_535, 65_535]), Some((65_536, 65_535, 65_535)));
        for groups in [[1 << 31, 1, 1], [1, 65_536, 1], [1, 1, 65_536], [usize::MAX, 1, 1]] {
            assert_eq!(exactly(groups), None, "{groups:?}");
        }
    }

    #[test]
    fn groups_cover_small_domains_and_are_bounded_for_large_ones() {
        assert_eq!(groups([1, 1, 1], 64), (1, 1, 1));
        assert_eq!(groups([257, 3, 5], 64), (2, 3, 5));
        assert_eq!(groups([1 << 30, 9, 9], 4224), (4224, 1, 1));
        assert_eq!(groups([1 << 40, 1, 1], usize::MAX), (65_535, 1, 1));
    }
}
