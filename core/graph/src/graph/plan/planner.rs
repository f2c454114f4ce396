//! How a graph becomes a plan.

use super::{GraphPlan, Pass, Weights};
use crate::graph::Graph;
use crate::graph::pass::{
    Placement, Policy, assign_storage, fallbacks, fuse, insert_copies, merge, pack, place, prune,
    views,
};
use crate::operator::Operator;
use ringwood_base::Result;
use ringwood_device::device::Device;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The graph after each pass, and the nodes that left the device they asked for.
type Passes = (Vec<Pass>, Vec<(usize, String)>);

/// How a graph is planned.
///
/// ```no_run
/// use ringwood_device::device::Device;
/// use ringwood_graph::graph::{Graph, Planner};
///
/// # fn example(graph: &Graph) -> ringwood_base::Result<()> {
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
    policy: Policy,
    share: bool,
    fuse: bool,
    streams: String,
    weights: Option<Weights>,
}

impl Planner {
    /// Plans for these devices, the preferred one first.
    pub fn new(devices: &[Device]) -> Self {
        Self {
            devices: devices.to_vec(),
            fallback: Vec::new(),
            policy: Policy::default(),
            share: true,
            fuse: true,
            streams: String::new(),
            weights: None,
        }
    }

    /// The preferred device.
    pub(crate) fn device(&self) -> Option<&Device> {
        self.devices.first()
    }

    /// Takes weights from these, which plans share that never write them.
    pub(crate) fn weights(mut self, weights: Weights) -> Self {
        self.weights = Some(weights);
        self
    }

    /// The kind of the plan's streams, as in [`Device::new_stream`]; the devices' default kind
    /// unless it is given.
    #[must_use]
    pub fn streams(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.streams);
        self
    }

    /// Lets a node that asks for a device without the kernel run on the first of these that has
    /// it; [`GraphPlan::fallbacks`] tells which did.
    #[must_use]
    pub fn fallback(mut self, devices: &[Device]) -> Self {
        self.fallback = devices.to_vec();
        self
    }

    /// Which device takes a node that names none; [`Policy::Data`] unless it is given.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether values share storage; they do by default.
    #[must_use]
    pub fn share_storage(mut self, share: bool) -> Self {
        self.share = share;
        self
    }

    /// Whether element-wise nodes are fused, with each other and with kernels that load their results;
    /// they are by default. See [`fuse`], and [`merge`] for what operators compute at once and keep of
    /// parameters.
    #[must_use]
    pub fn fuse(mut self, fuse: bool) -> Self {
        self.fuse = fuse;
        self
    }

    /// Runs the passes, compiles the kernels, allocates the memory.
    ///
    /// A graph without a registry of its own is planned with that of the first device. One of
    /// [open sizes](Graph::open_input) is planned after [`Graph::with_shapes`] gave them.
    ///
    /// # Errors
    /// The graph does not verify; a kernel is missing on a device; a device is given no kernels,
    /// or has not enough memory.
    pub fn plan(&self, graph: &Graph) -> Result<GraphPlan> {
        let start = Instant::now();
        let (passes, fallbacks) = self.passes(graph)?;
        let weights = self.weights.clone().unwrap_or_default();
        let streams = (&self.devices[..], self.streams.as_str());
        let mut plan = GraphPlan::new(passes, fallbacks, streams, &weights)?;
        plan.times.plan = start.elapsed().saturating_sub(plan.times.compile);
        Ok(plan)
    }

    /// The graph after each pass, and the nodes that left the device they asked for.
    pub(crate) fn passes(&self, graph: &Graph) -> Result<Passes> {
        let mut graph = graph.clone();
        if let (None, Some(device)) = (&graph.registry, self.devices.first()) {
            graph.registry = Some(Arc::new(device.registry().clone()));
        }
        graph.check_sizes()?;
        if graph.is_open() {
            graph = graph.with_shapes(&[])?;
        }
        graph.verify()?;
        let names = |devices: &[Device]| devices.iter().map(|d| d.name().to_owned()).collect();
        let placement = Placement {
            devices: names(&self.devices),
            fallback: names(&self.fallback),
            policy: self.policy.clone(),
        };
        let pruned = prune(&graph);
        let viewed = moves_no_data(&pruned)?.then(|| views(&pruned)).transpose()?;
        let asked = viewed.as_ref().unwrap_or(&pruned);
        let placed = place(asked, &placement)?;
        let fallbacks = fallbacks(asked, &placed);
        let copied = insert_copies(&placed);
        let packed = viewed.as_ref().map(|_| pack(&copied)).transpose()?;
        let ready = packed.as_ref().unwrap_or(&copied);
        let merged = self.fuse.then(|| merge(ready)).transpose()?;
        let fused = merged.as_ref().map(|merged| fuse(merged, self.share));
        let stored = assign_storage(fused.as_ref().unwrap_or(ready), self.share);
        let passes = [
            ("given", Some(graph)),
            ("prune", Some(pruned)),
            ("views", viewed),
            ("place", Some(placed)),
            ("copies", Some(copied)),
            ("pack", packed),
            ("merge", merged),
            ("fuse", fused),
            ("storage", Some(stored)),
        ];
        let pass = |(name, graph): (_, Option<Graph>)| Some(Pass { name, graph: graph? });
        Ok((passes.into_iter().filter_map(pass).collect(), fallbacks))
    }
}

/// Whether a graph applies operators that move no data.
fn moves_no_data(graph: &Graph) -> Result<bool> {
    let registry = graph.registry()?;
    let names: BTreeSet<_> = graph.nodes.iter().filter_map(|node| node.operator()).collect();
    names
        .into_iter()
        .try_fold(false, |any, name| Ok(any || registry.find::<Operator>(name)?.view.is_some()))
}
