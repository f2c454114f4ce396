//! The streams of a plan.

use super::GraphPlan;
use super::lower::{lower, replaced};
use super::overlap::overlapped;
use crate::graph::Graph;
use ringwood_base::Result;
use ringwood_device::device::{Device, Stream};

/// The streams of a plan on one device.
pub(super) struct DeviceStreams {
    pub(super) compute: Stream,
    /// That of copies from elsewhere; the one above if there are none.
    pub(super) into: Stream,
    /// That on which copies to elsewhere are read; the first if there are none.
    pub(super) out: Stream,
    /// That of collectives; the first if there are none.
    pub(super) collective: Stream,
}

impl DeviceStreams {
    /// The streams that a graph needs on a device, of this kind.
    pub(super) fn open(graph: &Graph, device: &Device, kind: &str) -> Result<Self> {
        let compute = device.new_stream(kind)?;
        let is_here =
            |node: u32| graph.nodes[node as usize].device.as_deref() == Some(device.name());
        let copies =
            || (0..graph.nodes.len() as u32).filter(|&i| graph.nodes[i as usize].is_copy());
        let source = |copy: u32| graph.nodes[copy as usize].operands[0].node;
        let other = |needed| if needed { device.new_stream(kind) } else { Ok(compute.clone()) };
        let into = other(copies().any(is_here))?;
        let out = other(copies().any(|copy| is_here(source(copy))))?;
        let calls = graph.nodes.iter().enumerate().filter(|(_, node)| node.collective().is_some());
        let collective = other(calls.map(|(i, _)| i as u32).any(is_here))?;
        Ok(Self { compute, into, out, collective })
    }

    /// The default stream of a device, for all.
    #[cfg(feature = "lazy")]
    pub(super) fn of_device(device: &Device) -> Result<Self> {
        let compute = device.stream()?;
        let [into, out, collective] = [(); 3].map(|()| compute.clone());
        Ok(Self { compute, into, out, collective })
    }

    pub(super) fn all(&self) -> [&Stream; 4] {
        [&self.compute, &self.into, &self.out, &self.collective]
    }
}

impl GraphPlan {
    /// Replaces streams that take no more work, since a run has failed, and the memory that it was to write; whether
    /// there were some. An input in such memory has no value any more.
    pub(crate) fn renew(&mut self) -> Result<bool> {
        let failed = |of: &DeviceStreams| of.all().iter().any(|stream| stream.failure().is_some());
        if !self.streams.iter().any(failed) {
            return Ok(false);
        }
        // What failed is known when all is over.
        let _ = self.finish();
        let graph = &self.passes[self.passes.len() - 1].graph;
        let again = |DeviceStreams { compute, .. }: &DeviceStreams| {
            DeviceStreams::open(graph, compute.device(), compute.kind())
        };
        // All or nothing is replaced.
        let streams = self.streams.iter().map(again).collect::<Result<Vec<_>>>()?;
        let tensors = replaced(graph, &self.tensors)?;
        let stages = lower(graph, &streams, &tensors, false)?;
        for slot in &mut self.inputs {
            let own = &self.tensors[slot.value.node as usize][slot.value.result as usize];
            slot.given &= own.buffer().failure().is_none();
        }
        let (mut kept, stages): (Vec<_>, Vec<_>) =
            stages.into_iter().partition(|stage| graph.nodes[stage.nodes[0]].kept);
        kept.retain(|stage| self.kept.iter().any(|own| own.nodes == stage.nodes));
        self.stale |= !kept.is_empty();
        self.stages = overlapped(graph, stages);
        (self.streams, self.tensors, self.kept, self.timed) = (streams, tensors, kept, None);
        Ok(true)
    }
}
