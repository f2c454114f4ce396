//! One launch: from the arguments of the run time to those of the printed entry point.

use super::{Code, Kernel, Variant};
use crate::error::Status;
use crate::memory::{Memory, check};
use crate::stream::Stream;
use crate::sys;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::kernel::{Bound, BoundLaunch, Launch};
use ringwood_ir::print::Slot;
use std::sync::Arc;

/// A launch, and what it needs.
pub(super) struct Checked<'a> {
    pub(super) bound: BoundLaunch<'a, Code, Memory>,
    pub(super) variant: Arc<Variant>,
    pub(super) global: [usize; 3],
    pub(super) local: [usize; 3],
}

impl Code {
    /// Submits a launch.
    ///
    /// # Errors
    /// An argument or the code is of another device, or the device cannot run so many work-items; nothing
    /// was submitted. Or the stream's failure.
    pub(crate) fn launch(stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        let kernel = &launch.code().0;
        let Some(Checked { bound, variant, global, local }) = kernel.check(stream, launch)? else {
            return stream.enter().map(drop);
        };
        let submission = stream.enter()?;
        let mut entry = lock(&variant.entry);
        // An enqueued launch keeps the parts that it uses.
        let _parts = variant.set(&mut entry, &bound, stream.cell()).map_err(|code| {
            code.during(&format!("passing the arguments of kernel `{}`", kernel.name()))
        })?;
        submission.submit(format_args!("kernel `{}`", kernel.name()), None, |queue| {
            // SAFETY: a grid kernel compares each index with the length of its slice, or is proved not
            // to need it in this launch; a `Launch` has slices as long as a map reaches;
            // `check_places` found every slice to be inside of its memory. A kernel that is written by
            // hand is trusted.
            unsafe { queue.run(&entry, &global, &local) }
        })?;
        drop(entry);
        if variant.is_checked() {
            submission.check(kernel.fault())?;
        }
        Ok(())
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
        let variant = self.variant(bound.options())?;
        let (global, local) = match self.portable.ir().group {
            None if self.portable.is_source() || self.facts.item_per_point => {
                let [x, y, z] = bound.items();
                let groups = [x.div_ceil(variant.group), y, z];
                self.exactly(groups, [variant.group as u32, 1, 1])?
            }
            None => work(bound.items(), variant.group, self.device.groups()),
            Some(size) => self.exactly(bound.items(), size)?,
        };
        Ok(Some(Checked { bound, variant, global, local }))
    }

    /// Checks that the code and the slices are of the stream's device, and the slices inside of
    /// their memories.
    fn check_places(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        if self.device != *stream.device() {
            let message =
                format!("opencl: kernel `{}` was compiled for another device", self.name());
            return Err(Error::device(message));
        }
        for (i, arg) in launch.args().iter().enumerate() {
            if let Some(region) = arg.region() {
                let what = format_args!("argument {i} of `{}`", self.name());
                check(what, region, stream.device())?;
            }
        }
        Ok(())
    }

    /// Work-items along each dimension, and those of a group, for groups of a size that the kernel
    /// declares.
    fn exactly(&self, groups: [usize; 3], size: [u32; 3]) -> Result<([usize; 3], [usize; 3])> {
        exactly(groups, size).ok_or_else(|| {
            let name = self.name();
            let message =
                format!("opencl: kernel `{name}`: {groups:?} groups of {size:?} are too many");
            Error::invalid(message)
                .help(format!("split the domain: a launch has at most {MOST_GROUPS} groups"))
        })
    }
}

/// The most groups of a launch. PoCL counts them in 32 bits, and ends the process where that leaves none.
const MOST_GROUPS: usize = u32::MAX as usize;

/// Work-items along each dimension, and those of a group, for groups of a size that the kernel
/// declares; `None` if there are more groups than a launch has, or more work-items than indices.
fn exactly(groups: [usize; 3], size: [u32; 3]) -> Option<([usize; 3], [usize; 3])> {
    let local = size.map(|n| n as usize);
    let all = groups.iter().try_fold(1_usize, |all, n| all.checked_mul(*n));
    all.filter(|all| *all <= MOST_GROUPS)?;
    let mut global = [1; 3];
    for dim in 0..3 {
        global[dim] = groups[dim].checked_mul(local[dim])?;
    }
    global.iter().try_fold(1_usize, |all, n| all.checked_mul(*n))?;
    Some((global, local))
}

/// Work-items along each dimension, and those of a group: at most `groups` groups, which share the
/// points among them.
fn work(points: [usize; 3], group: usize, groups: usize) -> ([usize; 3], [usize; 3]) {
    let (local, mut left) = ([group, 1, 1], groups);
    let mut global = [1; 3];
    for dim in 0..3 {
        let count = points[dim].div_ceil(local[dim]).clamp(1, left.max(1));
        left /= count;
        global[dim] = count * local[dim];
    }
    (global, local)
}

impl Variant {
    /// Whether it looks for accesses out of bounds, and records the first one.
    pub(super) fn is_checked(&self) -> bool {
        self.slots.contains(&Slot::Fault)
    }

    /// A kernel object beside [`Variant::entry`].
    pub(super) fn another_entry(&self) -> Result<sys::Kernel, Status> {
        self.program.kernel(&self.name)
    }

    /// Sets the arguments of a kernel object of the variant, which must be dropped, or enqueued, before
    /// the parts of buffers that this returns.
    pub(super) fn set(
        &self,
        entry: &mut sys::Kernel,
        bound: &BoundLaunch<'_, Code, Memory>,
        cell: &sys::Mem,
    ) -> Result<Vec<sys::Mem>, Status> {
        let mut parts = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            match bound.value(*slot) {
                Bound::Memory(memory) => entry.set_buffer(index, memory.raw())?,
                // OpenCL knows no part of no bytes, and from a length of 0 nothing is read.
                Bound::Start(region) if region.offset == 0 || region.bytes == 0 => {
                    entry.set_buffer(index, region.memory.raw())?;
                }
                Bound::Start(region) => {
                    let part = region.memory.raw().part(region.offset, region.bytes)?;
                    entry.set_buffer(index, &part)?;
                    parts.push(part);
                }
                Bound::Fault => entry.set_buffer(index, cell)?,
                Bound::Word(word) => entry.set_word(index, word)?,
                Bound::DoubleWord(word) => entry.set_double_word(index, word)?,
            }
        }
        Ok(parts)
    }
}

#[cfg(test)]
mod tests;
