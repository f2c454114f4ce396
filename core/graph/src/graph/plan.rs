//! Plans: graphs made ready to run on devices.

mod display;
mod inputs;
mod lower;
mod overlap;
mod planner;
mod stage;
mod streams;
mod weights;

pub use planner::Planner;
pub(crate) use weights::Weights;

use super::pass::{PlanMemory, memory};
use super::{Graph, Node, TensorType, ValueId};
use crate::engine::Agreement;
use inputs::{InputSlot, input_slots};
use lower::lower;
use overlap::overlapped;
use ringwood_base::{Error, Result};
use ringwood_device::device::{Device, PATIENCE, Tensor};
use ringwood_device::kernel::Image;
use stage::Stage;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use streams::DeviceStreams;

impl Graph {
    /// Plans the graph for these devices, the preferred one first; see [`Planner`] for choices.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn plan(&self, devices: &[Device]) -> Result<GraphPlan> {
        Planner::new(devices).plan(self)
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
/// A plan has streams of its own on each device: one for kernels, and one for copies in each direction that there
/// are. Copies overlap kernels and each other; the host waits for one through its memory when something needs
/// the result. Plans run beside each other, and a failure stays with the plan, whose later runs report it again.
pub struct GraphPlan {
    passes: Vec<Pass>,
    fallbacks: Vec<(usize, String)>,
    streams: Vec<DeviceStreams>,
    /// The tensor of each result of each node.
    tensors: Vec<Vec<Tensor>>,
    inputs: Vec<InputSlot>,
    /// What is computed when a parameter of it is given.
    kept: Vec<Stage>,
    /// Whether such a parameter was given since.
    stale: bool,
    stages: Vec<Stage>,
    timed: Option<Vec<Stage>>,
    /// What other ranks have to run as well.
    agreement: Option<Agreement>,
    pub(super) times: PlanTimes,
}

/// How long the parts of planning took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanTimes {
    /// Finding the types of all values for the sizes of the inputs; of a plan of a
    /// [`Model`](super::Model), and nothing elsewhere.
    pub infer: Duration,
    /// Of that, but not among it: computing what depends on constants and shapes alone.
    pub fold: Duration,
    /// The passes, and the memory.
    pub plan: Duration,
    /// Compiling the kernels and preparing their launches.
    pub compile: Duration,
}

/// Runs a planned graph once, on inputs where they are; what it computes is in memory of its own.
#[cfg(feature = "lazy")]
pub(crate) fn run_once(
    graph: &Graph,
    devices: &[Device],
    input: impl Fn(&str) -> Option<Tensor>,
) -> Result<Vec<Tensor>> {
    let streams = devices.iter().map(DeviceStreams::of_device).collect::<Result<Vec<_>>>()?;
    let given = |node: &Node| match node.kind {
        super::NodeKind::Input => input(node.name.as_deref()?),
        _ => None,
    };
    let tensors = lower::allocate(graph, &streams, &Weights::default(), given)?;
    stage::agree(stage::agreement(graph).as_ref())?;
    let stages = lower(graph, &streams, &tensors, false)?;
    overlap::submit(&overlapped(graph, stages))?;
    let output =
        |o: &super::Output| tensors[o.value.node as usize][o.value.result as usize].clone();
    Ok(graph.outputs.iter().map(output).collect())
}

/// The time that one node took in [`GraphPlan::run_timed`].
#[derive(Clone, Debug)]
pub struct NodeTime {
    /// The position of the node in [`GraphPlan::graph`].
    pub node: usize,
    /// What it does: the name of its operator, those of a fused node as `mul+add`, or `copy`.
    pub operator: String,
    /// The device it ran on; a copy runs on the target's.
    pub device: String,
    /// From submission to completion.
    pub time: Duration,
}

impl GraphPlan {
    fn new(
        passes: Vec<Pass>,
        fallbacks: Vec<(usize, String)>,
        (devices, kind): (&[Device], &str),
        weights: &Weights,
    ) -> Result<Self> {
        let graph = &passes[passes.len() - 1].graph;
        let streams = devices.iter().map(|device| DeviceStreams::open(graph, device, kind));
        let streams = streams.collect::<Result<Vec<_>>>()?;
        let tensors = lower::allocate(graph, &streams, weights, |_| None)?;
        let lowered = Instant::now();
        let stages = lower(graph, &streams, &tensors, false)?;
        let times = PlanTimes { compile: lowered.elapsed(), ..PlanTimes::default() };
        let inputs = input_slots(graph);
        let (mut kept, stages): (Vec<_>, Vec<_>) =
            stages.into_iter().partition(|stage| graph.nodes[stage.nodes[0]].kept);
        let of = |stage: &Stage| (&*graph.nodes[stage.nodes[0]], &tensors[stage.nodes[0]][0]);
        kept.retain(|stage| {
            let (node, own) = of(stage);
            weights.kept(graph, node).is_none_or(|kept| !kept.buffer().same(own.buffer()))
        });
        let (mut stale, timed) = (false, None);
        for stage in &kept {
            // What is computed of a value that is there is found by other plans once it is submitted.
            let (node, own) = of(stage);
            let source = graph.base(node.operands[0]).node as usize;
            let given = graph.weight_of(&graph.nodes[source]).is_some();
            if given {
                stage.work.begin()?;
            }
            stale |= !weights.keep(graph, node, own);
        }
        let (agreement, stages) = (stage::agreement(graph), overlapped(graph, stages));
        Ok(Self {
            passes,
            fallbacks,
            streams,
            tensors,
            inputs,
            kept,
            stale,
            stages,
            timed,
            agreement,
            times,
        })
    }

    /// The graph that runs, with devices, copies and storage.
    pub fn graph(&self) -> &Graph {
        &self.passes[self.passes.len() - 1].graph
    }

    /// The graph after each pass, in order.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The nodes that left the device they asked for, by their position in the graph of the pass `place`, and what took
    /// them.
    pub fn fallbacks(&self) -> &[(usize, String)] {
        &self.fallbacks
    }

    /// What the compiler of each device of the plan made of its kernels; see [`Device::images`].
    ///
    /// # Errors
    /// As [`Device::images`].
    pub fn code(&self) -> Result<Vec<(Device, Vec<Image>)>> {
        let graph = self.graph();
        let of = |streams: &DeviceStreams| {
            let device = streams.compute.device();
            let here = |node: &&Arc<Node>| {
                node.is_launch() && node.device.as_deref() == Some(device.name())
            };
            let kernel = |node| graph.implementation(node).map(|found| found.kernel.clone());
            let kernels = graph.nodes.iter().filter(here).map(|node| kernel(node));
            let kernels: HashSet<_> = kernels.collect::<Result<_>>()?;
            let kernels: Vec<_> = kernels.into_iter().collect();
            Ok((device.clone(), device.images(&kernels)?))
        };
        self.streams.iter().map(of).collect()
    }

    /// How long planning took.
    pub fn times(&self) -> PlanTimes {
        self.times
    }

    /// The outputs that take the memory of an input or parameter, and the name of that one.
    pub fn aliased(&self) -> Vec<(&str, &str)> {
        let graph = self.graph();
        let aliases = super::pass::aliases(graph);
        let alias = |output: &'_ super::Output| {
            let input = aliases.get(&output.value).filter(|input| output.over == Some(**input))?;
            Some(graph.nodes[input.node as usize].name.as_deref().unwrap_or_default())
        };
        graph.outputs.iter().filter_map(|o| Some((o.name.as_str(), alias(o)?))).collect()
    }

    /// The memory of the plan on each device.
    pub fn memory(&self) -> Vec<PlanMemory> {
        memory(self.graph())
    }

    /// The bytes of the plan that no other plan shares: all but weights, and what is kept of them.
    pub(crate) fn own_bytes(&self) -> usize {
        let graph = self.graph();
        let all: usize = self.memory().iter().map(PlanMemory::total).sum();
        let nodes = graph.nodes.iter().filter(|node| weights::is_shared(graph, node));
        all - nodes.flat_map(|node| &node.results).map(TensorType::bytes).sum::<usize>()
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
    /// given for this run; a *parameter*, and whatever [`GraphPlan::set_input`] gave, stays until it is
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
    pub(crate) fn duplicate(&self, tensor: &Tensor) -> Result<Tensor> {
        let copy = tensor.device().empty(tensor.shape(), tensor.dtype())?;
        self.copy(tensor, &copy)?;
        Ok(copy)
    }

    fn copy(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        let mut streams = self.streams.iter().map(|streams| &streams.compute);
        let stream = streams.find(|stream| stream.device() == target.device());
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

    /// Runs on the inputs that were set, without copying the outputs; asynchronous, but for collectives, after
    /// which what needs them is submitted.
    ///
    /// # Errors
    /// An input has no value; a device's failure.
    pub fn submit(&mut self) -> Result<()> {
        self.renew()?;
        self.check_given()?;
        stage::agree(self.agreement.as_ref())?;
        if self.stale || self.inputs.iter().any(InputSlot::is_lent) {
            overlap::submit(&self.kept)?;
            self.stale = false;
        }
        overlap::submit(&self.stages)
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
        Err(Error::not_found(format!("no output `{name}`; known: {}", known.join(", "))))
    }

    /// The memory of the input or parameter called `name`: what is written there is what the next
    /// run reads. It counts as given only after [`GraphPlan::set_input`].
    ///
    /// # Errors
    /// There is no such input; the error lists those there are.
    pub fn input(&self, name: &str) -> Result<Tensor> {
        let slot = &self.inputs[self.find_input(name)?];
        slot.lend();
        Ok(self.tensor(slot.value).clone())
    }

    /// Runs node by node, waits for each, and says how long it took: a debug run.
    ///
    /// Outputs are then read with [`GraphPlan::output`]. The first call prepares the nodes one by one.
    ///
    /// # Errors
    /// As [`GraphPlan::run`]; a failure on a device names the node, and the node of the file that it is of.
    pub fn run_timed(&mut self, inputs: &[(&str, &Tensor)]) -> Result<Vec<NodeTime>> {
        let once = self.give(inputs)?;
        let times = self.check_given().and_then(|()| self.time_stages());
        once.into_iter().for_each(|i| self.inputs[i].given = false);
        times
    }

    fn time_stages(&mut self) -> Result<Vec<NodeTime>> {
        self.renew()?;
        let stages = match self.timed.take() {
            Some(stages) => stages,
            None => lower(self.graph(), &self.streams, &self.tensors, true)?,
        };
        stage::agree(self.agreement.as_ref())?;
        self.finish()?;
        let times = stages.iter().map(|stage| self.time(stage)).collect();
        self.timed = Some(stages);
        times
    }

    /// Waits for all that was submitted.
    pub(crate) fn finish(&self) -> Result<()> {
        let mut streams = self.streams.iter().flat_map(DeviceStreams::all);
        streams.try_for_each(|stream| stream.synchronize(PATIENCE))
    }

    fn time(&self, stage: &Stage) -> Result<NodeTime> {
        let start = Instant::now();
        let node = &self.graph().nodes[stage.nodes[0]];
        stage.work.run().map_err(|e| {
            let e = e.with("node", format_args!("%{} = {node}", stage.nodes[0]));
            node.origin().map_or(e.clone(), |name| e.with("of the model", name))
        })?;
        let time = start.elapsed();
        Ok(NodeTime {
            node: stage.nodes[0],
            operator: node.word(),
            device: stage.work.device().name().to_owned(),
            time,
        })
    }

    /// The memory of each output.
    #[cfg(feature = "lazy")]
    pub(crate) fn results(&self) -> impl Iterator<Item = &Tensor> {
        self.graph().outputs.iter().map(|output| self.tensor(output.value))
    }

    fn tensor(&self, value: ValueId) -> &Tensor {
        &self.tensors[value.node as usize][value.result as usize]
    }
}

impl TensorType {
    /// The type of a tensor.
    pub fn of(tensor: &Tensor) -> Self {
        Self { dtype: tensor.dtype(), shape: tensor.shape() }
    }
}
