//! Loops whose steps are no nodes: a body that a model runs again and again.

use super::known::{Asked, Found};
use super::model::finished;
use super::{Dim, Graph, GraphPlan, Model, Node, NodeKind, TensorType, Value, ValueId};
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use std::cell::Cell;
use std::ops::Range;

/// What a loop starts from; see [`Graph::repeat`].
#[derive(Clone, Debug, Default)]
pub struct Loop<'a> {
    /// The numbers of the first step and of the one that is not done any more.
    pub steps: Range<u64>,
    /// Whether there is a step at all, `bool[]`; there is where nothing is given.
    pub condition: Option<Value>,
    /// What a step hands to the next.
    pub carried: &'a [Value],
    /// Whether carried values keep their extents, so that the body may use their types.
    pub keeps_shapes: bool,
    /// What all steps read.
    pub captured: &'a [Value],
    /// The types of what each step adds to the results.
    pub collected: &'a [TensorType],
}

/// A graph that is run again and again, each time with what it gave before.
#[derive(Debug)]
pub(super) struct Repeat {
    /// Its inputs are [`STEP`] and those of [`input_name`]; its outputs are whether another step follows, the values
    /// that are carried on, and those that are collected.
    pub(super) body: Graph,
    steps: Range<u64>,
    /// Whether the first value that is asked for says that there is a step.
    conditional: bool,
    /// The number of values that a step hands to the next.
    carried: usize,
    collected: Vec<TensorType>,
    /// The node that stands for the loop, if it has a name.
    pub(super) node: Option<String>,
}

impl Graph {
    /// Whether a [`Model`] sizes the graph, so that [`Graph::repeat`] can take the place of nodes for each step.
    pub fn repeats(&self) -> bool {
        self.folding.as_ref().is_some_and(|folding| folding.by_model)
    }

    /// The results of a loop that a [`Model`] runs before it plans the rest.
    ///
    /// `body` adds the nodes of a step to a graph of its own. It is given the number of the step, `i64[]`, the
    /// carried values, whose extents may differ from step to step unless they are kept, and the captured ones. It
    /// returns whether another step follows, `bool[]`, then the carried values after the step, then what is collected.
    /// The results are the carried values after the last step, and what all steps collected, along a new first
    /// dimension.
    ///
    /// ```no_run
    /// use ringwood_base::DType;
    /// use ringwood_graph::graph::{Graph, Loop, Value};
    ///
    /// # fn example(graph: &mut Graph, x: Value) -> ringwood_base::Result<()> {
    /// let collected = [graph.type_of(x)?];
    /// let powers = Loop { steps: 0..8, carried: &[x], captured: &[x], collected: &collected, ..Loop::default() };
    /// let powers = graph.repeat(&powers, |body, _step, carried, captured| {
    ///     let next = body.apply("mul", &[carried[0], captured[0]])?;
    ///     let goes_on = body.constant_bytes(DType::Bool, &[], &[1])?;
    ///     Ok(vec![goes_on, next, next])
    /// })?;
    /// assert_eq!(powers.len(), 2); // The ninth power, and all from the second to it.
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No model sizes the graph, or it has not run the loop yet; what `body` returns. A run whose loops have more
    /// than 2^20 steps together fails, unless [`Model::limit_steps`] says otherwise.
    pub fn repeat(
        &mut self,
        start: &Loop<'_>,
        body: impl FnOnce(&mut Graph, Value, &[Value], &[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        if let (Some(Found::Loop(types)), Some(folding)) = (self.take_known(), &mut self.folding) {
            let (types, at) = (types.to_vec(), folding.loops);
            folding.loops += 1;
            let input = |(i, ty): (usize, &TensorType)| {
                self.input(&result_name(at, i), ty.dtype, &ty.shape)
            };
            return types.iter().enumerate().map(input).collect();
        }
        let mut inner = self.empty_like();
        let mut asked = Vec::with_capacity(start.carried.len() + start.captured.len());
        let step = inner.input(STEP, DType::I64, &[])?;
        let mut states = Vec::with_capacity(start.carried.len());
        for &value in start.carried {
            let (ty, name) = (self.type_of(value)?, input_name(asked.len()));
            let open = vec![Dim::Open(String::new()); ty.shape.len()];
            states.push(match start.keeps_shapes {
                true => inner.input(&name, ty.dtype, &ty.shape)?,
                false => inner.open_input(&name, ty.dtype, &open)?,
            });
            asked.push(self.check(value)?);
        }
        let mut fixed = Vec::with_capacity(start.captured.len());
        for &value in start.captured {
            fixed.push(self.capture(value, &mut inner, &mut asked)?);
        }
        for (i, value) in body(&mut inner, step, &states, &fixed)?.into_iter().enumerate() {
            inner.output(&i.to_string(), value)?;
        }
        if let Some(condition) = start.condition {
            asked.insert(0, self.check(condition)?);
        }
        let repeat = Repeat {
            body: inner,
            steps: start.steps.clone(),
            conditional: start.condition.is_some(),
            carried: start.carried.len(),
            collected: start.collected.to_vec(),
            node: None,
        };
        self.ask(Asked::Loop(Box::new(repeat), asked));
        let message = "the steps of a loop depend on data, or are too many to be nodes";
        Err(Error::unsupported(message).help("run the graph as a `Model`"))
    }

    /// A value as the body of a loop has it: a constant or a weight as what it is, another one as its next input.
    fn capture(&self, value: Value, body: &mut Graph, asked: &mut Vec<ValueId>) -> Result<Value> {
        let (id, ty) = (self.check(value)?, self.type_of(value)?);
        let node = &self.nodes[id.node as usize];
        if matches!(node.kind, NodeKind::Constant(_)) || self.weight_of(node).is_some() {
            // A weight that is captured twice is one.
            let known = node.name.as_deref().and_then(|name| body.named(name).ok());
            let is_weight =
                |own: &Value| matches!(body.nodes[own.id.node as usize].kind, NodeKind::Parameter);
            return Ok(known.filter(is_weight).unwrap_or_else(|| body.push(node.clone())));
        }
        asked.push(id);
        body.input(&input_name(asked.len() - 1), ty.dtype, &ty.shape)
    }
}

impl Repeat {
    /// The loop that a node stands for, with all nodes of its body on the device of the node, if it has one.
    pub(super) fn of(mut self: Box<Self>, node: &Node) -> Box<Self> {
        self.node = node.called().map(str::to_owned);
        if let Some(device) = &node.device {
            let count = self.body.nodes.len();
            (0..count).for_each(|i| self.body.node_mut(i).device = Some(device.clone()));
        }
        self
    }

    /// The results of all steps: the carried values after the last, then each of the others together.
    ///
    /// # Errors
    /// As [`Model::run`]; what is collected has another type than in the first step; there are more steps than are
    /// `left` to the run.
    pub(super) fn run(
        &self,
        body: &Model,
        given: Vec<Tensor>,
        left: &StepsLeft,
    ) -> Result<Vec<Tensor>> {
        self.all(body, given, left).map_err(|e| match &self.node {
            Some(node) => e.with("node", node),
            None => e,
        })
    }

    fn all(&self, body: &Model, mut given: Vec<Tensor>, left: &StepsLeft) -> Result<Vec<Tensor>> {
        let mut carried = given.split_off(usize::from(self.conditional));
        let captured = carried.split_off(self.carried);
        let names: Vec<_> = (0..self.carried + captured.len()).map(input_name).collect();
        if !self.conditional {
            left.check(self.steps.end.saturating_sub(self.steps.start))?;
        }
        let over = self.steps.is_empty() || !given.first().map_or(Ok(true), goes_on)?;
        let mut steps = Steps { step: self.steps.start, carried, collected: Vec::new(), over };
        while !steps.over {
            let number = number(body.device()?, steps.step)?;
            let carried = steps.carried.clone();
            let own = names.iter().map(String::as_str).zip(carried.iter().chain(&captured));
            let inputs: Vec<_> = own.chain([(STEP, &number)]).collect();
            let run = body.is_whole(&inputs).and_then(|whole| match whole {
                true => {
                    body.run_with(&inputs, |plan, inputs| self.runs(plan, inputs, &mut steps, left))
                }
                false => body
                    .run_within(left, &inputs, finished)
                    .and_then(|results| self.take(results, &mut steps, left)),
            });
            run.map_err(|e| e.with("step of a loop", steps.step))?;
        }
        let together = self.collected.iter().enumerate();
        let together = together.map(|(i, ty)| stacked(body.device()?, *ty, i, &steps.collected));
        steps.carried.into_iter().map(Ok).chain(together).collect()
    }

    /// Runs a plan step by step, while carried values have the types that it is made for; what is captured is
    /// given once.
    fn runs(
        &self,
        plan: &mut GraphPlan,
        inputs: &[(&str, &Tensor)],
        steps: &mut Steps,
        left: &StepsLeft,
    ) -> Result<()> {
        let place = |name: &str| (0..self.carried).find(|&i| input_name(i) == name);
        let changes = |name: &str| name == STEP || place(name).is_some();
        for (name, tensor) in inputs.iter().filter(|(name, _)| !changes(name)) {
            plan.set_input(name, tensor)?;
        }
        let changing = plan.inputs().filter(|(name, ..)| changes(name));
        let changing: Vec<_> = changing
            .map(|(name, ty, device)| (name.to_owned(), place(name), ty, device.clone()))
            .collect();
        let first = steps.step;
        while !steps.over {
            let mut given = Vec::with_capacity(changing.len());
            for (name, place, ty, device) in &changing {
                let tensor = match place {
                    Some(i) => steps.carried[*i].to_device(device)?,
                    None => number(device, steps.step)?,
                };
                // What the first step does not fit either is an error of the plan.
                if TensorType::of(&tensor) != *ty && steps.step > first {
                    return Ok(());
                }
                given.push((name.as_str(), tensor));
            }
            let given: Vec<_> = given.iter().map(|(name, tensor)| (*name, tensor)).collect();
            let results = plan.run(&given)?;
            plan.finish()?;
            self.take(results, steps, left)?;
        }
        Ok(())
    }

    /// Takes the results of a step.
    fn take(&self, results: Vec<Tensor>, steps: &mut Steps, left: &StepsLeft) -> Result<()> {
        let mut results = results.into_iter();
        let goes_on = results.next().as_ref().map_or(Ok(false), goes_on)?;
        steps.carried = results.by_ref().take(self.carried).collect();
        steps.collected.push(results.collect());
        steps.step += 1;
        steps.over = !goes_on || steps.step >= self.steps.end;
        left.take()
    }
}

/// How far a loop is.
struct Steps {
    step: u64,
    carried: Vec<Tensor>,
    collected: Vec<Vec<Tensor>>,
    over: bool,
}

/// The most steps of all loops of a run, unless a model has another limit: a file may hold one whose condition is
/// never false.
pub(super) const MOST_STEPS: u64 = 1 << 20;

/// How many steps the loops of a run may still take, those in loops among them.
pub(super) struct StepsLeft {
    most: u64,
    left: Cell<u64>,
}

impl StepsLeft {
    /// As many as a run has.
    pub(super) fn of(most: u64) -> Self {
        Self { most, left: Cell::new(most) }
    }

    /// Checks that so many are left.
    fn check(&self, steps: u64) -> Result<()> {
        if steps <= self.left.get() {
            return Ok(());
        }
        let message = format!("the loops of a run have more than {} steps", self.most);
        let help =
            "see whether a condition is ever false; `Model::limit_steps` gives another limit";
        Err(Error::unsupported(message).help(help))
    }

    fn take(&self) -> Result<()> {
        self.check(1)?;
        self.left.set(self.left.get() - 1);
        Ok(())
    }
}

/// What a condition says.
fn goes_on(condition: &Tensor) -> Result<bool> {
    Ok(condition.to_bytes()? == [1])
}

/// What each step collected in place `i`, along a new first dimension.
fn stacked(device: &Device, ty: TensorType, i: usize, steps: &[Vec<Tensor>]) -> Result<Tensor> {
    let extents: Vec<_> = [steps.len()].into_iter().chain(ty.shape.iter().copied()).collect();
    let row: Vec<_> = [1].into_iter().chain(ty.shape.iter().copied()).collect();
    let device = steps.first().map_or(device, |step| step[i].device());
    let (all, row) = (device.empty(Shape::new(&extents)?, ty.dtype)?, Shape::new(&row)?);
    for (at, step) in steps.iter().enumerate() {
        let got = TensorType::of(&step[i]);
        if got != ty {
            let message = format!("a step of a loop collects {got}, and the first one {ty}");
            return Err(Error::shape(message));
        }
        all.rows(at..at + 1)?.copy_from(&step[i].reshape(row)?)?;
    }
    Ok(all)
}

/// The number of a step.
fn number(device: &Device, step: u64) -> Result<Tensor> {
    device.tensor(&[step as i64])?.reshape(Shape::new(&[])?)
}

/// The input of a body that is the number of the step.
const STEP: &str = "step";

/// Input `i` of a body: the carried values, then the captured ones that are no constants.
fn input_name(i: usize) -> String {
    format!("value {i}")
}

/// The input of the rest of a graph that is result `i` of its loop number `at`.
pub(super) fn result_name(at: usize, i: usize) -> String {
    format!("loop {at} result {i}")
}
