//! Copies that overlap what is computed, and each other.

use super::lower::Stage;
use crate::graph::{Graph, NodeKind, ValueId};
use ringwood_base::Result;
use ringwood_device::device::{Carried, Device, Route, Stream};
use std::collections::BTreeSet;

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
        let copies = || (0..graph.nodes.len() as u32).filter(|&i| is_copy(graph, i as usize));
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

/// The stages in an order of submission in which no copy keeps the host from what does not need it.
///
/// A copy through the host is begun when what it reads is submitted, and ended before the first stage that uses
/// the memory of its target, which the source of the copy outlives.
pub(super) fn overlapped(graph: &Graph, stages: Vec<Stage>) -> Vec<Stage> {
    let carried: Vec<bool> = stages.iter().map(|stage| is_carried(graph, stage)).collect();
    if !carried.contains(&true) {
        return stages;
    }
    let used: Vec<_> = stages.iter().map(|stage| used(graph, &stage.nodes)).collect();
    let written = |copy: usize| graph.nodes[stages[copy].nodes[0]].storage[0];
    let first_use = |copy: &usize| {
        let target = written(*copy);
        (copy + 1..stages.len()).find(|&later| used[later].contains(&target))
    };
    let ends: Vec<_> = (0..stages.len())
        .filter(|&copy| carried[copy])
        .filter_map(|copy| Some((first_use(&copy)?, copy)))
        .collect();
    // Behind which stage each is begun; one that copies what a copy gives stays where it is.
    let behind = |i: usize| {
        let source = graph.base(graph.nodes[stages[i].nodes[0]].operands[0]).node as usize;
        match stages[..i].iter().position(|stage| stage.nodes.contains(&source)) {
            _ if !carried[i] => (i + 1, 0),
            Some(producer) if carried[producer] => (i + 1, 0),
            Some(producer) => (producer + 1, 1),
            None => (0, 1),
        }
    };
    let mut order: Vec<usize> = (0..stages.len()).collect();
    order.sort_by_key(|&i| behind(i));
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| place[i] = at);
    let mut stages: Vec<_> = stages.into_iter().map(Some).collect();
    let mut ordered: Vec<_> = order.iter().filter_map(|&i| stages[i].take()).collect();
    for (user, copy) in ends {
        ordered[place[user]].ends.push(place[copy]);
    }
    ordered
}

/// Submits stages in their order.
pub(super) fn submit(stages: &[Stage]) -> Result<()> {
    let mut begun: Vec<(usize, Carried)> = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        for copy in &stage.ends {
            if let Some(i) = begun.iter().position(|(begun, _)| begun == copy) {
                begun.remove(i).1.finish()?;
            }
        }
        let carried = stage.work.begin()?;
        begun.extend(carried.map(|carried| (at, carried)));
    }
    begun.into_iter().try_for_each(|(_, carried)| carried.finish())
}

fn is_copy(graph: &Graph, node: usize) -> bool {
    matches!(graph.nodes[node].kind, NodeKind::Copy)
}

/// Whether a stage is a copy that the host carries.
fn is_carried(graph: &Graph, stage: &Stage) -> bool {
    let context = stage.work.device();
    is_copy(graph, stage.nodes[0])
        && stage.source.as_ref().is_some_and(|source| !Route::between(source, context).is_direct())
}

/// The storages that nodes read and write.
fn used(graph: &Graph, nodes: &[usize]) -> BTreeSet<u32> {
    let storage = |value: ValueId| {
        let ValueId { node, result } = graph.base(value);
        graph.nodes[node as usize].storage[result as usize]
    };
    let nodes = nodes.iter().map(|&node| &graph.nodes[node]);
    nodes
        .flat_map(|node| node.operands.iter().map(|&o| storage(o)).chain(node.storage.clone()))
        .collect()
}
