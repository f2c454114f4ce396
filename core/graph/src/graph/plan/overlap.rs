//! Copies that overlap what is computed, and each other.

use super::stage::Stage;
use crate::graph::{Graph, ValueId};
use ringwood_base::Result;
use ringwood_device::device::{Carried, Route};
use std::collections::BTreeSet;

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

/// Whether a stage is a copy that the host carries.
fn is_carried(graph: &Graph, stage: &Stage) -> bool {
    let context = stage.work.device();
    graph.nodes[stage.nodes[0]].is_copy()
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
