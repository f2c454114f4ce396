//! Launches prepared once: CUDA graphs.

use super::launch::Checked;
use super::{Code, Kernel};
use crate::graph::Graph;
use crate::memory::Memory;
use crate::stream::Stream;
use ringwood_base::{Error, Result};
use ringwood_device::backend::CommandBuffer;
use ringwood_device::backend::queue::keep;
use ringwood_device::kernel::Launch;
use std::any::Any;
use std::sync::Arc;

/// Launches prepared for one stream.
pub(crate) struct Commands {
    /// The number of the stream, whose fault cell is an argument.
    stream: u64,
    parts: Vec<Arc<Part>>,
}

/// Launches in one graph. It ends with a launch that records accesses out of bounds, as the cell does
/// not say whose they are.
struct Part {
    graph: Graph,
    /// What the launches need, such as modules; dropped after the graph.
    _kept: Vec<Arc<dyn Any + Send + Sync>>,
    /// The kernel whose accesses are checked.
    checked: Option<Arc<Kernel>>,
}

impl Commands {
    /// Checks the launches and captures them.
    ///
    /// # Errors
    /// The arguments do not fit a kernel, or the driver refuses.
    pub(crate) fn new(stream: &Stream, launches: &[Launch<'_, Code, Memory>]) -> Result<Self> {
        stream.device().enter()?;
        let mut ready = Vec::with_capacity(launches.len());
        for launch in launches {
            let kernel = &launch.code().0;
            if let Some(checked) = kernel.check(stream, launch)? {
                ready.push((kernel, checked));
            }
        }
        let parts = ready.chunk_by(|(_, launch), _| !launch.is_checked());
        let parts = parts.map(|part| Part::capture(stream, part).map(Arc::new));
        Ok(Self { stream: stream.number(), parts: parts.collect::<Result<_>>()? })
    }
}

impl Part {
    fn capture(stream: &Stream, launches: &[(&Arc<Kernel>, Checked<'_>)]) -> Result<Self> {
        let graph = Graph::capture(stream.device(), |queue| {
            // SAFETY: the stream is one of the device; `Commands::submit` keeps code until the graph
            // has run, and the run time keeps the memory. It launches the graph on this stream alone.
            launches
                .iter()
                .try_for_each(|(_, launch)| unsafe { launch.submit(queue, stream.cell()) })
        })?;
        let kept = launches.iter().map(|(_, launch)| launch.kept()).collect();
        let last = launches.last().filter(|(_, launch)| launch.is_checked());
        let checked = last.map(|(kernel, _)| Arc::clone(kernel));
        Ok(Self { graph, _kept: kept, checked })
    }
}

impl CommandBuffer<Stream> for Commands {
    fn submit(&self, stream: &Stream) -> Result<()> {
        if stream.number() != self.stream {
            return Err(Error::invalid("cuda: launches were prepared for another stream"));
        }
        let submission = stream.enter()?;
        // All or none of the parts are submitted, unless the driver refuses one.
        let landing = |part: &Arc<Part>| part.checked.is_some().then(|| submission.landing());
        let landings = self.parts.iter().map(|part| landing(part).transpose());
        let landings = landings.collect::<Result<Vec<_>>>()?;
        for (part, landing) in self.parts.iter().zip(landings) {
            submission.submit("prepared launches", Some(keep(Arc::clone(part))), |queue| {
                // SAFETY: what follows keeps the modules until the graph has run; the run time keeps
                // the memory as long as this and until then.
                unsafe { part.graph.launch(queue) }
            })?;
            if let (Some(kernel), Some(landing)) = (&part.checked, landing) {
                submission.check(landing, Arc::clone(part) as _, kernel.fault())?;
            }
        }
        Ok(())
    }
}
