//! Models: graphs that are run with inputs of any sizes, by any number of threads.

use super::pass::needed;
use super::plan::{GraphPlan, PlanTimes, Planner, Weights};
use super::sized::Sized;
use super::{Graph, NodeKind, TensorType};
use bytes::Bytes;
use ringwood_base::{Error, ErrorKind, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_device::kernel::Image;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The bytes of plans that a model keeps, unless [`Model::limit`] says otherwise.
const LIMIT: usize = 1 << 30;

/// The cases that a model keeps: each plan has streams of its own, however few bytes it takes.
const MOST_CASES: usize = 128;

/// A graph that is planned when it is run, for the sizes of the inputs that are given.
///
/// Plans are kept, and those used least lately are dropped when all together take more than a limit, or are
/// made for more than 128 cases.
/// Threads that run a model at one time share its weights; each has a plan of its own.
///
/// Elements that an operator needs before a run (axes, shapes, a condition) may depend on data: the part of
/// the graph that computes them is then a plan of its own, which runs first, and the rest is planned for
/// what it gives.
///
/// ```no_run
/// use ringwood_device::device::{Device, Tensor};
/// use ringwood_graph::graph::{Graph, Model};
///
/// # fn example(graph: Graph, image: &Tensor) -> ringwood_base::Result<()> {
/// let model = Model::new(graph, &[Device::named("cpu:0")?]);
/// let outputs = model.run(&[("image", image)])?;
/// # Ok(())
/// # }
/// ```
pub struct Model {
    graph: Graph,
    planner: Planner,
    weights: Weights,
    limit: usize,
    plans: Mutex<Plans>,
}

/// What plans are made for: the shapes of the inputs, in the order of the graph, and the elements that its
/// operators asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Case {
    shapes: Vec<Option<Shape>>,
    known: Vec<Arc<[u8]>>,
}

/// How a case is run.
#[derive(Clone)]
enum Step {
    /// The elements of this input are needed first.
    Read(String),
    /// The elements of the output of this graph are needed first.
    Part(Arc<Graph>),
    /// This graph is the whole.
    Whole(Arc<Graph>),
}

/// A case that was run.
struct Kept {
    step: Step,
    /// Plans that no run uses.
    idle: Vec<GraphPlan>,
    /// The bytes of one plan, without the weights.
    bytes: usize,
    /// When the case was last used, counted in uses of all.
    used: u64,
    /// How long it took to find the types of its values.
    times: PlanTimes,
}

#[derive(Default)]
struct Plans {
    kept: HashMap<Case, Kept>,
    uses: u64,
}

/// The plans that a model keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelPlans {
    /// The cases that were run: shapes, and elements that operators asked for.
    pub cases: usize,
    /// The plans of all cases that no run uses now.
    pub idle: usize,
    /// The bytes of those plans, without the weights.
    pub bytes: usize,
    /// The bytes of the weights on all devices, and of what plans keep of them.
    pub weights: usize,
}

impl Model {
    /// A model on these devices, the preferred one first.
    pub fn new(graph: Graph, devices: &[Device]) -> Self {
        Self::with_planner(graph, Planner::new(devices))
    }

    /// A model that is planned as the planner says.
    pub fn with_planner(graph: Graph, planner: Planner) -> Self {
        let weights = Weights::default();
        let planner = planner.weights(weights.clone());
        Self { graph, planner, weights, limit: LIMIT, plans: Mutex::default() }
    }

    /// Keeps plans of this many bytes, without the weights, and at least the one of the last run.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// The graph, as it was given.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Gives a parameter another value; the plans are made anew.
    ///
    /// # Errors
    /// As [`Graph::set_weight`].
    pub fn set_weight(&mut self, name: &str, ty: TensorType, bytes: Bytes) -> Result<()> {
        self.graph.set_weight(name, ty, bytes)?;
        self.weights = Weights::default();
        self.planner = self.planner.clone().weights(self.weights.clone());
        self.plans = Mutex::default();
        Ok(())
    }

    /// The plans that are kept.
    pub fn plans(&self) -> ModelPlans {
        let plans = self.lock();
        ModelPlans {
            cases: plans.kept.len(),
            idle: plans.kept.values().map(|kept| kept.idle.len()).sum(),
            bytes: plans.bytes(),
            weights: self.weights.bytes(),
        }
    }

    /// What the compilers of devices made of the kernels of the plans that are kept: one entry for each
    /// device of theirs; see [`Device::images`].
    ///
    /// # Errors
    /// As [`Device::images`].
    pub fn code(&self) -> Result<Vec<(Device, Vec<Image>)>> {
        let mut all: Vec<(Device, Vec<Image>)> = Vec::new();
        let plans = self.lock();
        for plan in plans.kept.values().flat_map(|kept| &kept.idle) {
            for (device, images) in plan.code()? {
                match all.iter_mut().find(|(known, _)| *known == device) {
                    Some((_, known)) => {
                        let keys: HashSet<_> = known.iter().map(|i| i.key.clone()).collect();
                        known.extend(images.into_iter().filter(|i| !keys.contains(&i.key)));
                    }
                    None => all.push((device, images)),
                }
            }
        }
        Ok(all)
    }

    /// Runs to the end with these inputs, from any device, and returns the outputs in the order of [`Graph::outputs`].
    ///
    /// # Errors
    /// An input is missing, unknown or given twice; it has another dtype or shape than the graph says; the graph
    /// cannot be planned for these shapes; a device's failure. An index out of bounds names the node: the case then
    /// runs once more, node by node. A run that failed leaves the others as they were.
    pub fn run(&self, inputs: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
        self.run_with(inputs, finished)
    }

    /// Runs the whole by another method of its plan, with inputs that are on its devices. What the method does
    /// not wait for fails later, and with it the next run of the plan.
    ///
    /// # Errors
    /// As [`Model::run`].
    pub fn run_with<T>(
        &self,
        inputs: &[(&str, &Tensor)],
        run: impl FnOnce(&mut GraphPlan, &[(&str, &Tensor)]) -> Result<T>,
    ) -> Result<T> {
        let mut case = Case { shapes: self.shapes(inputs)?, known: Vec::new() };
        loop {
            let step = self.step(&case)?;
            let asked = match &step {
                Step::Read(name) => given(inputs, name)?.to_bytes()?,
                Step::Part(part) => self.leased(&case, part, inputs, finished)?[0].to_bytes()?,
                Step::Whole(whole) => return self.leased(&case, whole, inputs, run),
            };
            case.known.push(asked.into());
        }
    }

    /// The shapes of the inputs in the order of the graph; `None` for one whose shape the graph says.
    fn shapes(&self, inputs: &[(&str, &Tensor)]) -> Result<Vec<Option<Shape>>> {
        let mut names = HashSet::new();
        for (name, _) in inputs {
            self.graph.named(name)?;
            if !names.insert(name) {
                let message = format!("input `{name}` is given twice");
                return Err(Error::new(ErrorKind::Duplicate, message));
            }
        }
        let nodes = self.graph.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Input));
        let shape = |node: &Arc<super::Node>| {
            let name = node.name.as_deref().unwrap_or_default();
            node.open.as_ref().map(|_| given(inputs, name).map(Tensor::shape)).transpose()
        };
        nodes.map(shape).collect()
    }

    /// How a case is run: as it was before, or as its shapes say.
    fn step(&self, case: &Case) -> Result<Step> {
        if let Some(step) = self.lock().find(case) {
            return Ok(step);
        }
        let nodes = self.graph.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Input));
        let names = nodes.map(|node| node.name.as_deref().unwrap_or_default());
        let shapes: Vec<_> = names
            .zip(&case.shapes)
            .filter_map(|(name, shape)| Some((name, shape.as_ref()?.to_vec())))
            .collect();
        let shapes: Vec<_> = shapes.iter().map(|(name, dims)| (*name, dims.as_slice())).collect();
        let (start, mut times) = (Instant::now(), PlanTimes::default());
        let step = match self.graph.sized(&shapes, &case.known)? {
            Sized::Whole(whole, fold) => {
                times.fold = fold;
                Step::Whole(needed(&whole).into())
            }
            Sized::Part(part, _) => {
                let asked = &part.nodes[part.outputs[0].value.node as usize];
                match (&asked.kind, &asked.name) {
                    (NodeKind::Input, Some(name)) => Step::Read(name.clone()),
                    _ => Step::Part(needed(&part).into()),
                }
            }
        };
        times.infer = start.elapsed().saturating_sub(times.fold);
        let mut plans = self.lock();
        let used = plans.uses;
        let kept = Kept { step: step.clone(), idle: Vec::new(), bytes: 0, used, times };
        plans.kept.entry(case.clone()).or_insert(kept);
        plans.trim(self.limit);
        Ok(step)
    }

    /// Runs by an idle plan of the case, or by a new one; a plan that failed is not kept.
    fn leased<T>(
        &self,
        case: &Case,
        graph: &Graph,
        inputs: &[(&str, &Tensor)],
        run: impl FnOnce(&mut GraphPlan, &[(&str, &Tensor)]) -> Result<T>,
    ) -> Result<T> {
        let kept = self.lock().kept.get_mut(case).map(|kept| (kept.idle.pop(), kept.times));
        let mut plan = match kept {
            Some((Some(plan), _)) => plan,
            kept => {
                let (mut plan, found) = (self.planner.plan(graph)?, kept.unwrap_or_default().1);
                plan.times = PlanTimes { infer: found.infer, fold: found.fold, ..plan.times };
                plan
            }
        };
        let result = moved(&mut plan, inputs, run);
        let result = result.map_err(|error| self.located(graph, inputs, error))?;
        self.lock().keep(case, plan, self.limit);
        Ok(result)
    }

    /// The error of a run, with the node that it is of if a run node by node tells.
    fn located(&self, graph: &Graph, inputs: &[(&str, &Tensor)], error: Error) -> Error {
        let alone = graph.nodes.iter().all(|node| node.collective().is_none());
        if error.kind() != ErrorKind::OutOfBounds || !alone {
            return error;
        }
        let plan = self.planner.plan(graph);
        let again = plan.and_then(|mut plan| moved(&mut plan, inputs, GraphPlan::run_timed));
        again.err().unwrap_or(error)
    }

    fn lock(&self) -> MutexGuard<'_, Plans> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plans {
    fn bytes(&self) -> usize {
        self.kept.values().map(|kept| kept.idle.len() * kept.bytes).sum()
    }

    /// How a case was run before; it counts as used.
    fn find(&mut self, case: &Case) -> Option<Step> {
        self.uses += 1;
        let kept = self.kept.get_mut(case)?;
        kept.used = self.uses;
        Some(kept.step.clone())
    }

    /// Keeps a plan of a case that has not been dropped meanwhile.
    fn keep(&mut self, case: &Case, plan: GraphPlan, limit: usize) {
        let Some(kept) = self.kept.get_mut(case) else { return };
        if kept.bytes == 0 {
            kept.bytes = plan.own_bytes();
        }
        kept.idle.push(plan);
        self.trim(limit);
    }

    /// Drops the cases that were used least lately while all take more than `limit` bytes, or are too many.
    fn trim(&mut self, limit: usize) {
        while self.kept.len() > MOST_CASES || (self.bytes() > limit && self.kept.len() > 1) {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used);
            let Some(oldest) = oldest.map(|(case, _)| case.clone()) else { return };
            self.kept.remove(&oldest);
        }
    }
}

/// The tensor of an input.
fn given<'a>(inputs: &[(&str, &'a Tensor)], name: &str) -> Result<&'a Tensor> {
    let found = inputs.iter().find(|(given, _)| *given == name);
    found.map(|(_, tensor)| *tensor).ok_or_else(|| {
        let names: Vec<_> = inputs.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("no value for input `{name}`");
        let help = format!("given: {}", names.join(", "));
        Error::new(ErrorKind::NotFound, message).help(help)
    })
}

/// Runs a plan to its end.
fn finished(plan: &mut GraphPlan, inputs: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
    let outputs = plan.run(inputs)?;
    plan.finish()?;
    Ok(outputs)
}

/// Runs a plan on the inputs that it takes, moved to the devices where it takes them.
fn moved<T>(
    plan: &mut GraphPlan,
    inputs: &[(&str, &Tensor)],
    run: impl FnOnce(&mut GraphPlan, &[(&str, &Tensor)]) -> Result<T>,
) -> Result<T> {
    let (given, mut taken) = (HashMap::<_, _>::from_iter(inputs.iter().copied()), Vec::new());
    for (name, _, device) in plan.inputs() {
        if let Some((name, tensor)) = given.get_key_value(name) {
            taken.push((*name, tensor.to_device(device)?));
        }
    }
    let taken: Vec<_> = taken.iter().map(|(name, tensor)| (*name, tensor)).collect();
    run(plan, &taken)
}
