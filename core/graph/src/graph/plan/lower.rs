//! From a planned graph to routines: one for each run of nodes on one device, one for each copy.

use super::Weights;
use super::stage::{Call, Stage, Work};
use super::streams::DeviceStreams;
use crate::graph::pass::{Block, blocks};
use crate::graph::{Bound, Graph, Node, NodeKind, TensorType, ValueId, View, bind};
use ringwood_base::{Error, Result, Shape};
use ringwood_device::device::{
    Buffer, Context, Device, LaunchProgram, NodeId, Routine, StepArg, Target, Tensor,
};
use std::collections::{BTreeMap, BTreeSet};

/// The tensor of each result of each node of a planned graph; constants and weights are written.
pub(super) fn allocate(
    graph: &Graph,
    streams: &[DeviceStreams],
    weights: &Weights,
    given: impl Fn(&Node) -> Option<Tensor>,
) -> Result<Vec<Vec<Tensor>>> {
    let blocks = blocks(graph);
    check_limits(graph, &blocks, streams)?;
    let mut buffers: Vec<Option<Buffer>> = blocks.iter().map(|_| None).collect();
    let mut tensors = Vec::with_capacity(graph.nodes.len());
    for (i, node) in graph.nodes.iter().enumerate() {
        let here = |e: Error| e.with("node", format!("%{i} = {node}"));
        let mut results = Vec::with_capacity(node.results.len());
        if let Some(view) = node.view() {
            tensors.push(vec![viewed(&tensors, node, view)?]);
            continue;
        }
        if let Some(tensor) = given(node) {
            tensors.push(vec![tensor]);
            continue;
        }
        if let Some((name, bytes)) = graph.weight_of(node) {
            let device = on(streams, node.device.as_deref().unwrap_or_default())?.compute.device();
            tensors.push(vec![weights.tensor(name, device, node.results[0], bytes).map_err(here)?]);
            continue;
        }
        if let Some(kept) = weights.kept(graph, node) {
            tensors.push(vec![kept]);
            continue;
        }
        for (ty, &storage) in node.results.iter().zip(&node.storage) {
            let block = &blocks[storage as usize];
            let buffer = match &mut buffers[storage as usize] {
                Some(buffer) => buffer,
                empty => {
                    let device = on(streams, &block.device)?.compute.device();
                    empty.insert(device.buffer(block.bytes).map_err(here)?)
                }
            };
            results.push(Tensor::new(buffer.clone(), 0, ty.shape, ty.dtype)?);
        }
        if let NodeKind::Constant(bytes) = &node.kind {
            results[0].write_bytes(bytes)?;
        }
        tensors.push(results);
    }
    Ok(tensors)
}

/// The tensors of a plan, with other memory in the place of what work that failed was to write.
pub(super) fn replaced(graph: &Graph, tensors: &[Vec<Tensor>]) -> Result<Vec<Vec<Tensor>>> {
    let mut buffers: Vec<(&Buffer, Buffer)> = Vec::new();
    let mut all = Vec::with_capacity(tensors.len());
    for (node, old) in graph.nodes.iter().zip(tensors) {
        if let Some(view) = node.view() {
            all.push(vec![viewed(&all, node, view)?]);
            continue;
        }
        let mut results = old.clone();
        for (tensor, old) in results.iter_mut().zip(old) {
            let buffer = old.buffer();
            if buffer.failure().is_none() {
                continue;
            }
            let known = buffers.iter().find(|(of, _)| of.same(buffer)).map(|(_, new)| new.clone());
            let new = known.map_or_else(|| buffer.device().buffer(buffer.bytes()), Ok)?;
            buffers.push((buffer, new.clone()));
            *tensor = Tensor::new(new, 0, old.shape(), old.dtype())?;
            if let NodeKind::Constant(bytes) = &node.kind {
                tensor.write_bytes(bytes)?;
            }
        }
        all.push(results);
    }
    Ok(all)
}

/// Checks that each device may hold what values share of it, before anything is taken.
///
/// # Errors
/// One may not: the error names its largest value.
fn check_limits(graph: &Graph, blocks: &[Block], streams: &[DeviceStreams]) -> Result<()> {
    let mut bytes: BTreeMap<&str, usize> = BTreeMap::new();
    for block in blocks.iter().filter(|block| !block.fixed) {
        let all = bytes.entry(&block.device).or_default();
        *all = all.saturating_add(block.bytes);
    }
    for (name, bytes) in bytes {
        let Some(limit) = on(streams, name)?.compute.device().memory_limit() else { continue };
        if bytes <= limit {
            continue;
        }
        let here = graph.nodes.iter().enumerate().filter(|(_, node)| {
            node.view().is_none() && node.device.as_deref().unwrap_or_default() == name
        });
        let size = |node: &Node| node.results.iter().map(TensorType::bytes).max();
        let message = format!("the plan takes {bytes} bytes of {name}, whose limit is {limit}");
        let error = Error::out_of_memory(message)
            .help("give smaller inputs, or raise the limit with `Device::set_memory_limit`");
        return Err(here.max_by_key(|(_, node)| size(node)).map_or(error.clone(), |(i, node)| {
            error.with("largest value", format!("%{i} = {node}"))
        }));
    }
    Ok(())
}

/// The elements of a view: in its shape if they stand in a row, else from the first to the last.
fn viewed(tensors: &[Vec<Tensor>], node: &Node, view: &View) -> Result<Tensor> {
    let base = node.operands[0];
    let base = &tensors[base.node as usize][base.result as usize];
    let shape = memory(view);
    let offset = base.region().offset + view.first * base.dtype().size();
    Tensor::new(base.buffer().clone(), offset, shape, base.dtype())
}

/// The shape of the memory that a view reads.
fn memory(view: &View) -> Shape {
    match view.layout.is_dense() {
        true => view.layout.shape(),
        false => Shape::vector(view.layout.reach()),
    }
}

/// The routines of a planned graph in order; `alone` gives each node one of its own.
pub(super) fn lower(
    graph: &Graph,
    streams: &[DeviceStreams],
    tensors: &[Vec<Tensor>],
    alone: bool,
) -> Result<Vec<Stage>> {
    let groups = groups(graph, alone);
    let mut routines: Vec<Option<Routine>> = groups.iter().map(|_| None).collect();
    for DeviceStreams { compute, .. } in streams {
        let device = compute.device();
        let context = Context::new(compute).with_all(values(tensors, device))?;
        let program = |group: &Vec<usize>| {
            let first = &graph.nodes[group[0]];
            let here = first.device.as_deref() == Some(device.name());
            match here && first.is_launch() {
                true => program(graph, group).map(Some),
                false => Ok(None),
            }
        };
        let programs = groups.iter().map(program).collect::<Result<Vec<_>>>()?;
        let compiled = device.compile_batch(programs)?;
        let compiled: Vec<_> = compiled.iter().map(Option::as_ref).collect();
        for (place, linked) in routines.iter_mut().zip(context.link_batch(&compiled)?.1) {
            *place = place.take().or(linked);
        }
    }
    let mut stages = Vec::with_capacity(groups.len());
    for (nodes, routine) in groups.into_iter().zip(routines) {
        let device = graph.nodes[nodes[0]].device.as_deref().unwrap_or_default();
        let call = Call::of(graph, nodes[0], on(streams, device)?, tensors);
        let (work, source) = match (routine, call) {
            (Some(routine), _) => (Some(Work::Routine(routine)), None),
            (None, Some(call)) => (Some(Work::Collective(Box::new(call))), None),
            (None, None) => {
                let (routine, source) = transfer(graph, nodes[0], streams, tensors)?;
                (routine.map(Work::Routine), source)
            }
        };
        stages.extend(work.map(|work| Stage { nodes, work, source, ends: Vec::new() }));
    }
    Ok(stages)
}

/// The nodes that do work, cut where the device changes, around copies and collectives and behind what these read; first
/// those that are kept, each alone.
fn groups(graph: &Graph, alone: bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let work = |kept| {
        let nodes = graph.nodes.iter().enumerate();
        nodes.filter(move |(_, node)| node.has_work() && node.kept == kept)
    };
    let waits = graph.nodes.iter().filter(|node| node.has_work() && !node.is_launch());
    let read: BTreeSet<_> = waits.map(|node| graph.base(node.operands[0]).node).collect();
    for (i, node) in work(true).chain(work(false)) {
        let joins = |group: &&mut Vec<usize>| {
            let last = &graph.nodes[group[0]];
            let alone = alone || node.kept || last.kept;
            let cut = group.last().is_some_and(|&last| read.contains(&(last as u32)));
            !alone && !cut && node.is_launch() && last.is_launch() && last.device == node.device
        };
        match groups.last_mut().filter(joins) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

fn node_id(value: ValueId) -> NodeId {
    NodeId(u64::from(value.node) << 32 | u64::from(value.result))
}

/// The values that live on `device`.
fn values<'a>(
    tensors: &'a [Vec<Tensor>],
    device: &'a Device,
) -> impl Iterator<Item = (NodeId, &'a Tensor)> {
    let of_node = |(node, results): (usize, &'a Vec<Tensor>)| {
        let id = move |result| node_id(ValueId { node: node as u32, result: result as u32 });
        results.iter().enumerate().map(move |(result, tensor)| (id(result), tensor))
    };
    tensors.iter().enumerate().flat_map(of_node).filter(move |(_, t)| t.device() == device)
}

fn on<'a>(streams: &'a [DeviceStreams], device: &str) -> Result<&'a DeviceStreams> {
    streams
        .iter()
        .find(|streams| streams.compute.device().name() == device)
        .ok_or_else(|| Error::device(format!("device {device} is not among those of the plan")))
}

/// The routine of a copy node, and the device that it copies from; none if there are no bytes to copy.
fn transfer(
    graph: &Graph,
    node: usize,
    streams: &[DeviceStreams],
    tensors: &[Vec<Tensor>],
) -> Result<(Option<Routine>, Option<Device>)> {
    let value = graph.nodes[node].operands[0];
    let source = &tensors[value.node as usize][value.result as usize];
    let target = &tensors[node][0];
    if target.is_empty() {
        return Ok((None, None));
    }
    let id = node_id(value);
    let (to, from) = (target.device(), source.device());
    let target = Context::new(&on(streams, to.name())?.into).with(id, target)?;
    let context = Context::new(&on(streams, from.name())?.out).with(id, source)?;
    Ok((target.transfer_from(&context, id, Target::Node)?, Some(from.clone())))
}

fn program(graph: &Graph, group: &[usize]) -> Result<LaunchProgram> {
    let mut program = LaunchProgram::new(name(graph, group));
    let mut declared = BTreeSet::new();
    for &i in group {
        let node = &graph.nodes[i];
        let results = (0..node.results.len() as u32).map(|r| ValueId { node: i as u32, result: r });
        for value in node.operands.iter().copied().chain(results) {
            if declared.insert(value) {
                program = declare(program, graph, value);
            }
        }
        program =
            launch(program, graph, i).map_err(|e| e.with("node", format!("%{i} = {node}")))?;
    }
    Ok(program)
}

/// `matmul %4`, or `matmul %4 to add+relu %6`.
fn name(graph: &Graph, group: &[usize]) -> String {
    let one = |i: usize| format!("{} %{i}", graph.nodes[i].word());
    match *group {
        [first, .., last] => format!("{} to {}", one(first), one(last)),
        [only] => one(only),
        [] => String::new(),
    }
}

fn declare(program: LaunchProgram, graph: &Graph, value: ValueId) -> LaunchProgram {
    let node = &graph.nodes[value.node as usize];
    let TensorType { dtype, shape } = graph.value_type(value);
    let (shape, name) = (node.view().map_or(shape, memory), node.name.clone());
    program.given(node_id(value), name.unwrap_or_else(|| value.to_string()), shape, dtype)
}

fn launch(program: LaunchProgram, graph: &Graph, i: usize) -> Result<LaunchProgram> {
    let found = graph.implementation(&graph.nodes[i])?;
    let bound = bind(graph, i, &found)?;
    let mut args = Vec::with_capacity(bound.len());
    args.extend(bound.into_iter().map(|bound| match bound {
        Bound::Scalar(value) => StepArg::Scalar(value),
        Bound::Operand(value) | Bound::Result(value) => match graph.steps(value) {
            Some(layout) => StepArg::View(node_id(value), Box::new(*layout)),
            None => StepArg::Node(node_id(value)),
        },
    }));
    Ok(program.launch(found.kernel.clone(), args))
}
