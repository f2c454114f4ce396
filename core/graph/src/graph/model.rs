//! Models: graphs that are run with inputs of any sizes, by any number of threads.

mod plans;

use super::known::{Cut, Found, Known};
use super::pass::needed;
use super::plan::{GraphPlan, PlanTimes, Planner, Weights};
use super::repeat::{MOST_STEPS, StepsLeft, result_name};
use super::sized::{Sized, kept_name};
use super::{Graph, NodeKind, TensorType};
use bytes::Bytes;
use plans::{Case, Kept, Plans, Step};
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_device::kernel::Image;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The bytes of plans that a model keeps, unless [`Model::limit`] says otherwise.
const LIMIT: usize = 1 << 30;

/// A graph that is planned when it is run, for the sizes of the inputs that are given.
///
/// Plans are kept, and those used least lately are dropped when all together take more than a limit, or are
/// made for more than 256 cases.
/// Threads that run a model at one time share its weights; each has a plan of its own.
///
/// Elements that an operator needs before a run (axes, shapes, a condition) may depend on data: the part of
/// the graph that computes them is then a plan of its own, which runs first, and the rest is planned for
/// what it gives. A loop whose steps depend on data, or are too many to be nodes, is a model of its own, which
/// runs again and again.
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
    steps: u64,
    plans: Mutex<Plans>,
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
        let (limit, steps) = (LIMIT, MOST_STEPS);
        Self { graph, planner, weights, limit, steps, plans: Mutex::default() }
    }

    /// Keeps plans of this many bytes, without the weights, and at least the one of the last run.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Lets the loops of a run have this many steps together, those in loops among them; others end with an error.
    /// It is 2^20 at first.
    #[must_use]
    pub fn limit_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
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

    /// The plans that are kept, those of loops among them.
    pub fn plans(&self) -> ModelPlans {
        let plans = lock(&self.plans);
        let of_loops: Vec<_> = plans.loops().map(Model::plans).collect();
        let sum = |of: fn(&ModelPlans) -> usize| of_loops.iter().map(of).sum::<usize>();
        ModelPlans {
            cases: plans.kept.len() + sum(|p| p.cases),
            idle: plans.kept.values().map(|kept| kept.idle.len()).sum::<usize>() + sum(|p| p.idle),
            bytes: plans.bytes() + sum(|p| p.bytes),
            weights: self.weights.bytes(),
        }
    }

    /// The preferred device.
    pub(super) fn device(&self) -> Result<&Device> {
        let absent = || Error::invalid("a model without devices");
        self.planner.device().ok_or_else(absent)
    }

    /// Whether nothing is asked for before the whole is run with inputs of these shapes.
    pub(super) fn is_whole(&self, inputs: &[(&str, &Tensor)]) -> Result<bool> {
        let case = self.case(inputs)?;
        Ok(matches!(self.step(&case)?, Step::Whole(_)))
    }

    /// What the compilers of devices made of the kernels of the plans that are kept: one entry for each
    /// device of theirs; see [`Device::images`].
    ///
    /// # Errors
    /// As [`Device::images`].
    pub fn code(&self) -> Result<Vec<(Device, Vec<Image>)>> {
        let mut all: Vec<(Device, Vec<Image>)> = Vec::new();
        let plans = lock(&self.plans);
        let own = plans.kept.values().flat_map(|kept| &kept.idle).map(GraphPlan::code);
        for code in own.chain(plans.loops().map(Model::code)) {
            for (device, images) in code? {
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
        self.run_within(&StepsLeft::of(self.steps), inputs, run)
    }

    /// As [`Model::run_with`], with so many steps left to the loops.
    pub(super) fn run_within<T>(
        &self,
        left: &StepsLeft,
        inputs: &[(&str, &Tensor)],
        run: impl FnOnce(&mut GraphPlan, &[(&str, &Tensor)]) -> Result<T>,
    ) -> Result<T> {
        let mut case = self.case(inputs)?;
        let (mut loops, mut results) = (0, Vec::new());
        loop {
            let of_parts = results.iter().map(|(name, tensor): &(String, _)| (&**name, tensor));
            let inputs: Vec<_> = inputs.iter().copied().chain(of_parts).collect();
            let (mut kept, at) = (Vec::new(), case.known.len());
            let mut asked = |part: &Graph, cut: &Cut| {
                let mut asked = self.leased(&case, part, &inputs, finished)?;
                kept = asked.split_off(asked.len() - cut.kept.len());
                Ok::<_, Error>(asked)
            };
            let known = match self.step(&case)? {
                Step::Read(name) => {
                    let found = Found::Elements(given(&inputs, &name)?.to_bytes()?.into());
                    Known { found, cut: Cut::default() }
                }
                Step::Part(part, cut) => {
                    let found = Found::Elements(asked(&part, &cut)?[0].to_bytes()?.into());
                    Known { found, cut }
                }
                Step::Loop(part, cut, body) => {
                    let tensors = body.0.run(&body.1, asked(&part, &cut)?, left)?;
                    let types = tensors.iter().map(TensorType::of).collect();
                    let named = |(i, tensor)| (result_name(loops, i), tensor);
                    results.extend(tensors.into_iter().enumerate().map(named));
                    loops += 1;
                    Known { found: Found::Loop(types), cut }
                }
                Step::Whole(whole) => return self.leased(&case, &whole, &inputs, run),
            };
            results.extend(kept.into_iter().enumerate().map(|(i, kept)| (kept_name(at, i), kept)));
            case.known.push(known);
        }
    }

    /// The case of a run with these inputs: their shapes in the order of the graph, `None` for one whose shape the
    /// graph says, and the parameters among them.
    fn case(&self, inputs: &[(&str, &Tensor)]) -> Result<Case> {
        let (mut names, mut freed) = (HashSet::new(), BTreeSet::new());
        for (name, _) in inputs {
            let node = self.graph.named(name)?.id.node as usize;
            if !names.insert(name) {
                return Err(Error::duplicate(format!("input `{name}` is given twice")));
            }
            if self.graph.weights.contains_key(*name) {
                freed.insert(node);
            }
        }
        let nodes = self.graph.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Input));
        let shape = |node: &Arc<super::Node>| {
            let name = node.name.as_deref().unwrap_or_default();
            node.open.as_ref().map(|_| given(inputs, name).map(Tensor::shape)).transpose()
        };
        Ok(Case { shapes: nodes.map(shape).collect::<Result<_>>()?, freed, known: Vec::new() })
    }

    /// How a case is run: as it was before, or as its shapes say.
    fn step(&self, case: &Case) -> Result<Step> {
        if let Some(step) = lock(&self.plans).find(case) {
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
        let graph = self.graph.freed(&case.freed);
        let mut sized = graph.sized(&shapes, Some(&case.known), true)?;
        // The whole has all nodes, which plans, pictures and traces are of.
        if matches!(sized, Sized::Whole(..)) && case.known.iter().any(|k| !k.cut.kept.is_empty()) {
            sized = graph.sized(&shapes, Some(&case.known), false)?;
        }
        let step = match sized {
            Sized::Whole(whole, fold) => {
                times.fold = fold;
                Step::Whole(needed(&whole).into())
            }
            Sized::Part { part, repeat: Some(repeat), cut, .. } => {
                // The weights of the body are those of the whole: its planner has them.
                let body = Model {
                    graph: repeat.body.clone(),
                    planner: self.planner.clone(),
                    weights: self.weights.clone(),
                    limit: self.limit,
                    steps: self.steps,
                    plans: Mutex::default(),
                };
                Step::Loop(needed(&part).into(), cut, Arc::new((*repeat, body)))
            }
            Sized::Part { part, cut, .. } => {
                let asked = &part.nodes[part.outputs[0].value.node as usize];
                match (&asked.kind, &asked.name) {
                    (NodeKind::Input, Some(name)) => Step::Read(name.clone()),
                    _ => Step::Part(needed(&part).into(), cut),
                }
            }
        };
        times.infer = start.elapsed().saturating_sub(times.fold);
        let mut plans = lock(&self.plans);
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
        let kept = lock(&self.plans).kept.get_mut(case).map(|kept| (kept.idle.pop(), kept.times));
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
        lock(&self.plans).keep(case, plan, self.limit);
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
}

/// The tensor of an input.
fn given<'a>(inputs: &[(&str, &'a Tensor)], name: &str) -> Result<&'a Tensor> {
    let found = inputs.iter().find(|(given, _)| *given == name);
    found.map(|(_, tensor)| *tensor).ok_or_else(|| {
        let names: Vec<_> = inputs.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("no value for input `{name}`");
        let help = match names.is_empty() {
            true => "no input is given a value".to_owned(),
            false => format!("given: {}", names.join(", ")),
        };
        Error::not_found(message).help(help)
    })
}

/// Runs a plan to its end.
pub(super) fn finished(plan: &mut GraphPlan, inputs: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
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
