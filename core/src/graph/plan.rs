//! Plans: graphs made ready to run on devices.

mod display;
mod lower;

use super::pass::{
    Placement, StorageBytes, assign_storage, fallbacks, insert_copies, place, prune, storage_bytes,
};
use super::{Graph, NodeKind, TensorType, ValueId};
use crate::device::{Bindings, Device, PATIENCE, Stream, Tensor};
use crate::{Error, ErrorKind, Result};
use lower::{Stage, lower};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Graph {
    /// Plans the graph for these devices, the preferred one first; see [`Planner`] for choices.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn plan(&self, devices: &[Device]) -> Result<Plan> {
        Planner::new(devices).plan(self)
    }
}

/// How a graph is planned.
///
/// ```no_run
/// use ringwood_core::device::Device;
/// use ringwood_core::graph::{Graph, Planner};
///
/// # fn example(graph: &Graph) -> ringwood_core::Result<()> {
/// let (gpu, cpu) = (Device::named("opencl:0")?, Device::named("cpu:0")?);
/// let plan = Planner::new(&[gpu, cpu.clone()]).fallback(&[cpu]).plan(graph)?;
/// println!("{plan}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    devices: Vec<Device>,
    fallback: Vec<Device>,
    share: bool,
    streams: String,
}

impl Planner {
    /// Plans for these devices, the preferred one first.
    pub fn new(devices: &[Device]) -> Self {
        let (fallback, streams) = (Vec::new(), String::new());
        Self { devices: devices.to_vec(), fallback, share: true, streams }
    }

    /// The kind of the plan's streams, as in [`Device::new_stream`]; the devices' default kind
    /// unless it is given.
    #[must_use]
    pub fn streams(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.streams);
        self
    }

    /// Lets a node that asks for a device without the kernel run on the first of these that has
    /// it; [`Plan::fallbacks`] tells which did.
    #[must_use]
    pub fn fallback(mut self, devices: &[Device]) -> Self {
        self.fallback = devices.to_vec();
        self
    }

    /// Whether values share storage; they do by default.
    #[must_use]
    pub fn share_storage(mut self, share: bool) -> Self {
        self.share = share;
        self
    }

    /// Runs the passes, compiles the kernels, allocates the memory.
    ///
    /// A graph without a registry of its own is planned with that of the first device.
    ///
    /// # Errors
    /// The graph does not verify; a kernel is missing on a device; a device is given no kernels,
    /// or has not enough memory.
    pub fn plan(&self, graph: &Graph) -> Result<Plan> {
        let mut graph = graph.clone();
        if let (None, Some(device)) = (&graph.registry, self.devices.first()) {
            graph.registry = Some(Arc::new(device.registry().clone()));
        }
        graph.verify()?;
        let names = |devices: &[Device]| devices.iter().map(|d| d.name().to_owned()).collect();
        let placement =
            Placement { devices: names(&self.devices), fallback: names(&self.fallback) };
        let pruned = prune(&graph);
        let placed = place(&pruned, &placement)?;
        let fallbacks = fallbacks(&pruned, &placed);
        let copied = insert_copies(&placed);
        let stored = assign_storage(&copied, self.share);
        let passes = [
            ("given", graph),
            ("prune", pruned),
            ("place", placed),
            ("copies", copied),
            ("storage", stored),
        ];
        let passes = passes.map(|(name, graph)| Pass { name, graph }).into();
        let streams = self.devices.iter().map(|device| device.new_stream(&self.streams));
        Plan::new(passes, fallbacks, streams.collect::<Result<_>>()?)
    }
}

/// A graph after one pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// The name of the pass.
    pub name: &'static str,
    /// The graph after it.
    pub graph: Graph,
}

/// A graph that is ready to run: placed, compiled, its memory allocated.
///
/// A run submits prepared work and returns; reading an output waits for it. Runs of one plan do
/// the same work in the same order, so equal inputs give bitwise equal outputs.
///
/// A plan has one stream of its own on each device: plans run beside each other, and a failure
/// stays with the plan, whose later runs report it again.
pub struct Plan {
    passes: Vec<Pass>,
    fallbacks: Vec<(usize, String)>,
    streams: Vec<Stream>,
    /// The tensor of each result of each node.
    tensors: Vec<Vec<Tensor>>,
    inputs: Vec<InputSlot>,
    stages: Vec<Stage>,
    timed: Option<Vec<Stage>>,
}

/// An input or parameter, and whether it holds a value.
struct InputSlot {
    name: String,
    value: ValueId,
    kept: bool,
    used: bool,
    given: bool,
}

/// The time that one node took in [`Plan::run_timed`].
#[derive(Clone, Debug)]
pub struct NodeTime {
    /// The position of the node in [`Plan::graph`].
    pub node: usize,
    /// What it does: the name of its operator, or `copy`.
    pub operator: String,
    /// The device it ran on; a copy runs on the target's.
    pub device: String,
    /// From submission to completion.
    pub time: Duration,
}

impl Plan {
    fn new(
        passes: Vec<Pass>,
        fallbacks: Vec<(usize, String)>,
        streams: Vec<Stream>,
    ) -> Result<Self> {
        let graph = &passes[passes.len() - 1].graph;
        let tensors = lower::allocate(graph, &streams)?;
        let stages = lower(graph, &streams, &tensors, false)?;
        let inputs = input_slots(graph);
        Ok(Self { passes, fallbacks, streams, tensors, inputs, stages, timed: None })
    }

    /// The graph that runs, with devices, copies and storage.
    pub fn graph(&self) -> &Graph {
        &self.passes[self.passes.len() - 1].graph
    }

    /// The graph after each pass, in order.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The nodes of the pruned graph that left the device they asked for, and what took them.
    pub fn fallbacks(&self) -> &[(usize, String)] {
        &self.fallbacks
    }

    /// The memory of the plan on each device.
    pub fn storage(&self) -> Vec<StorageBytes> {
        storage_bytes(self.graph())
    }

    /// Names, types and devices of the inputs and parameters, in order.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, TensorType, &Device)> {
        self.inputs.iter().map(|slot| {
            let tensor = self.tensor(slot.value);
            (slot.name.as_str(), self.graph().value_type(slot.value), tensor.device())
        })
    }

    /// Gives inputs, runs, and returns the outputs in the order of [`Graph::outputs`].
    ///
    /// The outputs are tensors of their own, which later runs leave alone. An *input* given here is
    /// given for this run; a *parameter*, and whatever [`Plan::set_input`] gave, stays until it is
    /// given again.
    ///
    /// # Errors
    /// A name is unknown or given twice; a tensor has another shape, dtype or device than its
    /// input; an input has no value; a device's failure.
    pub fn run(&mut self, inputs: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
        let once = self.give(inputs)?;
        let submitted = self.submit();
        once.into_iter().for_each(|i| self.inputs[i].given = false);
        submitted?;
        let outputs = self.graph().outputs.iter();
        outputs.map(|output| self.duplicate(self.tensor(output.value))).collect()
    }

    /// A copy of a tensor of the plan, made on its stream.
    fn duplicate(&self, tensor: &Tensor) -> Result<Tensor> {
        let copy = tensor.device().empty(tensor.shape(), tensor.dtype())?;
        self.copy(tensor, &copy)?;
        Ok(copy)
    }

    fn copy(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        let stream = self.streams.iter().find(|stream| stream.device() == target.device());
        match stream {
            Some(stream) if !target.is_empty() => stream.copy(source.region(), target.region()),
            _ => Ok(()),
        }
    }

    /// Gives an input or parameter its value, until it is given again.
    ///
    /// # Errors
    /// There is no such input, or the tensor has another shape, dtype or device.
    pub fn set_input(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let i = self.find_input(name)?;
        self.check_input(i, tensor)?;
        self.write_input(i, tensor)
    }

    /// Runs on the inputs that were set, without copying the outputs; asynchronous.
    ///
    /// # Errors
    /// An input has no value; a device's failure.
    pub fn submit(&mut self) -> Result<()> {
        self.check_given()?;
        self.stages
            .iter()
            .try_for_each(|stage| stage.routine.submit(&Bindings::default()).map(drop))
    }

    /// The output called `name`, as the last run left it; the next run writes over it.
    ///
    /// # Errors
    /// There is no such output; the error lists those there are.
    pub fn output(&self, name: &str) -> Result<Tensor> {
        let outputs = &self.graph().outputs;
        if let Some(output) = outputs.iter().find(|o| o.name == name) {
            return Ok(self.tensor(output.value).clone());
        }
        let known: Vec<_> = outputs.iter().map(|o| o.name.as_str()).collect();
        let message = format!("no output `{name}`; known: {}", known.join(", "));
        Err(Error::new(ErrorKind::NotFound, message))
    }

    /// The memory of the input or parameter called `name`: what is written there is what the next
    /// run reads.
    ///
    /// # Errors
    /// There is no such input; the error lists those there are.
    pub fn input(&self, name: &str) -> Result<Tensor> {
        Ok(self.tensor(self.inputs[self.find_input(name)?].value).clone())
    }

    /// Runs node by node, waits for each, and says how long it took: a debug run.
    ///
    /// Outputs are then read with [`Plan::output`]. The first call prepares the nodes one by one.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run_timed(&mut self, inputs: &[(&str, &Tensor)]) -> Result<Vec<NodeTime>> {
        let once = self.give(inputs)?;
        let times = self.check_given().and_then(|()| self.time_stages());
        once.into_iter().for_each(|i| self.inputs[i].given = false);
        times
    }

    fn time_stages(&mut self) -> Result<Vec<NodeTime>> {
        let stages = match self.timed.take() {
            Some(stages) => stages,
            None => lower(self.graph(), &self.streams, &self.tensors, true)?,
        };
        self.streams.iter().try_for_each(|stream| stream.synchronize(PATIENCE))?;
        let times = stages.iter().map(|stage| self.time(stage)).collect();
        self.timed = Some(stages);
        times
    }

    fn time(&self, stage: &Stage) -> Result<NodeTime> {
        let start = Instant::now();
        stage.routine.submit(&Bindings::default())?.wait(PATIENCE)?;
        let time = start.elapsed();
        let node = &self.graph().nodes[stage.first];
        Ok(NodeTime {
            node: stage.first,
            operator: node.operator().unwrap_or("copy").to_owned(),
            device: stage.routine.stream().device().name().to_owned(),
            time,
        })
    }

    fn tensor(&self, value: ValueId) -> &Tensor {
        &self.tensors[value.node as usize][value.result as usize]
    }

    /// Checks all inputs, then writes them; returns those that count for one run only.
    fn give(&mut self, inputs: &[(&str, &Tensor)]) -> Result<Vec<usize>> {
        let mut found = Vec::with_capacity(inputs.len());
        for (name, tensor) in inputs {
            let i = self.find_input(name)?;
            if found.contains(&i) {
                let message = format!("input `{name}` is given twice");
                return Err(Error::new(ErrorKind::Duplicate, message));
            }
            self.check_input(i, tensor)?;
            found.push(i);
        }
        for (&i, (_, tensor)) in found.iter().zip(inputs) {
            self.write_input(i, tensor)?;
        }
        found.retain(|&i| !self.inputs[i].kept);
        Ok(found)
    }

    fn find_input(&self, name: &str) -> Result<usize> {
        let position = self.inputs.iter().position(|slot| slot.name == name);
        position.ok_or_else(|| self.graph().unknown("input or parameter", name))
    }

    fn check_input(&self, i: usize, tensor: &Tensor) -> Result<()> {
        let slot = &self.inputs[i];
        let (name, own) = (&slot.name, self.tensor(slot.value));
        let (want, got) = (self.graph().value_type(slot.value), TensorType::of(tensor));
        if want != got {
            let kind = if want.dtype == got.dtype { ErrorKind::Shape } else { ErrorKind::DType };
            return Err(Error::new(kind, format!("input `{name}` is {want}, not {got}")));
        }
        if own.device() != tensor.device() {
            let (want, got) = (own.device(), tensor.device());
            let message = format!("input `{name}` is on {want}, not on {got}");
            let help = format!("move it with `to_device`, or place the input on {got}");
            return Err(Error::new(ErrorKind::Device, message).help(help));
        }
        Ok(())
    }

    fn write_input(&mut self, i: usize, tensor: &Tensor) -> Result<()> {
        let own = self.tensor(self.inputs[i].value);
        if !own.buffer().same(tensor.buffer()) {
            self.copy(tensor, own)?;
        }
        self.inputs[i].given = true;
        Ok(())
    }

    fn check_given(&self) -> Result<()> {
        let missing = |slot: &&InputSlot| slot.used && !slot.given;
        let missing: Vec<_> = self.inputs.iter().filter(missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = missing.iter().map(|slot| format!("`{}`", slot.name)).collect();
        let known: Vec<_> =
            self.inputs().map(|(name, ty, device)| format!("{name}: {ty} on {device}")).collect();
        let message = format!("no value for input {}", names.join(", "));
        Err(Error::new(ErrorKind::NotFound, message)
            .help(format!("the plan takes {}", known.join(", "))))
    }
}

fn input_slots(graph: &Graph) -> Vec<InputSlot> {
    let slot = |(i, node): (usize, &super::Node)| {
        let value = ValueId { node: i as u32, result: 0 };
        let read = graph.nodes.iter().any(|n| n.operands.contains(&value));
        Some(InputSlot {
            name: node.name.clone()?,
            value,
            kept: matches!(node.kind, NodeKind::Parameter),
            used: read || graph.outputs.iter().any(|o| o.value == value),
            given: false,
        })
    };
    graph.nodes.iter().enumerate().filter_map(slot).collect()
}

impl TensorType {
    /// The type of a tensor.
    pub fn of(tensor: &Tensor) -> Self {
        Self { dtype: tensor.dtype(), shape: tensor.shape() }
    }
}
