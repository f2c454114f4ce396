//! Launches prepared once: kernel objects of their own, whose arguments are set.

use super::launch::Checked;
use super::{Code, Kernel};
use crate::memory::Memory;
use crate::stream::Stream;
use crate::sys;
use ringwood_base::{Error, Result};
use ringwood_device::backend::CommandBuffer;
use ringwood_device::kernel::{Arg, Launch};
use std::sync::Arc;

/// Launches prepared for one stream.
pub(crate) struct Commands {
    /// The number of the stream, whose fault cell is an argument.
    stream: u64,
    launches: Vec<Prepared>,
}

struct Prepared {
    kernel: Arc<Kernel>,
    /// Never changed again, so that nobody has to lock it.
    entry: sys::Kernel,
    global: [usize; 3],
    local: [usize; 3],
    checked: bool,
    /// A kernel object keeps none of its arguments.
    _parts: Vec<sys::Mem>,
    _memories: Vec<Arc<sys::Mem>>,
}

impl Commands {
    /// Checks the launches and sets their arguments.
    ///
    /// # Errors
    /// The arguments do not fit a kernel, or the driver takes no more kernel objects.
    pub(crate) fn new(stream: &Stream, launches: &[Launch<'_, Code, Memory>]) -> Result<Self> {
        let mut prepared = Vec::with_capacity(launches.len());
        for launch in launches {
            prepared.extend(Prepared::new(stream, launch)?);
        }
        Ok(Self { stream: stream.number(), launches: prepared })
    }
}

impl Prepared {
    /// `None` if there is nothing to run.
    fn new(stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<Option<Self>> {
        let kernel = &launch.code().0;
        let Some(Checked { bound, variant, global, local }) = kernel.check(stream, launch)? else {
            return Ok(None);
        };
        let failed = |code: crate::error::Status| {
            code.during(&format!("preparing a launch of kernel `{}`", kernel.name()))
        };
        let mut entry = variant.another_entry().map_err(failed)?;
        let parts = variant.set(&mut entry, &bound, stream.cell()).map_err(failed)?;
        let memories = launch.args().iter().filter_map(Arg::memory).map(Memory::share);
        Ok(Some(Self {
            kernel: Arc::clone(kernel),
            entry,
            global,
            local,
            checked: variant.is_checked(),
            _parts: parts,
            _memories: memories.collect(),
        }))
    }
}

impl CommandBuffer<Stream> for Commands {
    fn submit(&self, stream: &Stream) -> Result<()> {
        if stream.number() != self.stream {
            return Err(Error::invalid("opencl: launches were prepared for another stream"));
        }
        let submission = stream.enter()?;
        for launch in &self.launches {
            submission.submit(
                format_args!("kernel `{}`", launch.kernel.name()),
                None,
                |queue| {
                    // SAFETY: as for a launch, by the same checks; the arguments are those that were
                    // checked, and their memories are kept.
                    unsafe { queue.run(&launch.entry, &launch.global, &launch.local) }
                },
            )?;
            if launch.checked {
                submission.check(launch.kernel.fault())?;
            }
        }
        Ok(())
    }
}
