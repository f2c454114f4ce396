//! Loops, whose steps are nodes, or a graph that a model runs again and again.

use super::control::{operands, part, stacked, truth};
use crate::onnx::part::Part;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::{Loop, Value};

/// The most nodes of the steps of a loop where a model can run them one by one: planning takes longer than that then.
const MOST_NODES: usize = 1 << 14;

/// A graph, until its condition is false or the steps are done.
pub(super) fn repeated(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (turns, start) = Turns::of(c)?;
    let (nodes, asked) = (c.graph.nodes().len(), c.graph.asked());
    let mut steps: Vec<State> = Vec::new();
    let mut rest = None;
    for step in 0.. {
        let state = steps.last().unwrap_or(&start);
        if step > 0 && c.graph.repeats() && turns.are_long(c, (nodes, asked), step, state)? {
            // The first step is nodes: what the others start from has its types.
            steps.truncate(1);
            rest = Some(turns.rest(c, &steps[0])?);
            break;
        }
        if !turns.more(step) || !state.condition.map_or(Ok(true), |goes| truth(c, goes))? {
            break;
        }
        let next = turns.step(c, step, state)?;
        steps.push(next);
    }
    // Where no step is done, the nodes of one say of what types its results would be.
    let none = steps.is_empty().then(|| turns.step(c, 0, &start)).transpose()?;
    let (last, like) = (steps.last().unwrap_or(&start), steps.first().or(none.as_ref()));
    let mut all = last.carried.clone();
    for (i, value) in like.iter().flat_map(|state| &state.collected).enumerate() {
        let (values, ty) = (steps.iter().map(|step| step.collected[i]), c.type_of(*value)?);
        all.push(stacked(c, &values.collect::<Vec<_>>(), ty, 0)?);
    }
    let Some(rest) = rest else { return Ok(all) };
    let after = all.split_off(start.carried.len());
    let (carried, collected) = rest.split_at(start.carried.len());
    let joined = after.iter().zip(collected).map(|(own, rest)| c.concat(&[*own, *rest], 0));
    carried.iter().copied().map(Ok).chain(joined).collect()
}

/// What a step of a loop starts from, or leaves.
struct State {
    /// Whether another step follows, where a condition says so.
    condition: Option<Value>,
    carried: Vec<Value>,
    collected: Vec<Value>,
}

/// What the steps of a loop have in common.
struct Turns {
    body: Part,
    captured: Vec<Option<Value>>,
    most: Option<i64>,
    /// A condition that is true.
    always: Value,
}

impl Turns {
    /// The loop that a node is, and what it starts from.
    fn of(c: &mut Call<'_>) -> Result<(Self, State)> {
        let body = part(c, "body")?;
        let given = c.or("own", 2_usize)?;
        let own = given.max(2);
        let captured = operands(c, given..given + body.inputs().saturating_sub(own));
        let carried = operands(c, 2..own).into_iter().collect::<Option<Vec<_>>>();
        let absent = || Error::invalid("a value that the loop starts from is missing");
        let most = c.maybe(0).map(|count| c.graph.integers(count)).transpose()?;
        let most = most.and_then(|counts| counts.first().copied());
        let condition = c.maybe(1).filter(|_| given > 1);
        if most.is_none() && condition.is_none() {
            return Err(Error::invalid(
                "a loop without a number of steps and a condition never ends",
            ));
        }
        let carried = carried.ok_or_else(absent)?;
        let start = State { condition, carried, collected: Vec::new() };
        let always = c.graph.constant_bytes(DType::Bool, &[], &[1])?;
        Ok((Self { body, captured, most, always }, start))
    }

    fn more(&self, step: i64) -> bool {
        self.most.is_none_or(|most| step < most)
    }

    /// Adds the nodes of a step.
    fn step(&self, c: &mut Call<'_>, step: i64, state: &State) -> Result<State> {
        let number = c.graph.constant(&[], &[step])?;
        let mut given = vec![Some(number), Some(state.condition.unwrap_or(self.always))];
        given.extend(state.carried.iter().copied().map(Some).chain(self.captured.iter().copied()));
        let mut results = self.body.add(c.graph, &given, Some(number))?;
        let own = 1 + state.carried.len();
        if results.len() < own {
            let message = format!("the body has {} outputs, not {own} or more", results.len());
            return Err(Error::invalid(message));
        }
        let collected = results.split_off(own);
        let carried = results.split_off(1);
        Ok(State { condition: state.condition.map(|_| results[0]), carried, collected })
    }

    /// Whether what follows a step is not known, or too much for nodes; `before` it were so many nodes and values
    /// that were asked for.
    fn are_long(
        &self,
        c: &Call<'_>,
        before: (usize, usize),
        step: i64,
        state: &State,
    ) -> Result<bool> {
        let nodes = c.graph.nodes().len() - before.0;
        let (all, known) = match state.condition {
            Some(condition) => (nodes, c.graph.known(condition)?.is_some()),
            None => ((nodes / step as usize).saturating_mul(self.most.unwrap_or(1) as usize), true),
        };
        let long = !known || all > MOST_NODES || c.graph.asked() > before.1;
        Ok(long && self.more(step))
    }

    /// The results of all steps but the first, which a model runs one by one. Exporters carry what no step changes, too:
    /// that is captured.
    fn rest(&self, c: &mut Call<'_>, first: &State) -> Result<Vec<Value>> {
        let count = first.carried.len();
        let around = first.carried.iter().copied().map(Some).chain(self.captured.iter().copied());
        let around: Vec<_> = around.collect();
        let changes = |i: usize| i < count && !self.body.hands_on(2 + i, 1 + i);
        let which = |changing| (0..around.len()).filter(move |&i| changes(i) == changing);
        let values = |changing| which(changing).filter_map(|i| around[i]).collect::<Vec<_>>();
        let collected = first.collected.iter().map(|&value| c.type_of(value));
        let start = Loop {
            steps: 1..self.most.map_or(u64::MAX, |most| most as u64),
            condition: first.condition,
            carried: &values(true),
            captured: &values(false),
            collected: &collected.collect::<Result<Vec<_>>>()?,
            ..Loop::default()
        };
        let results = c.graph.repeat(&start, |graph, step, states, fixed| {
            let always = graph.constant_bytes(DType::Bool, &[], &[1])?;
            let mut given = vec![None; around.len()];
            which(true).zip(states).for_each(|(i, value)| given[i] = Some(*value));
            let there = which(false).filter(|&i| around[i].is_some());
            there.zip(fixed).for_each(|(i, value)| given[i] = Some(*value));
            let given = [vec![Some(step), Some(always)], given].concat();
            let results = self.body.add(graph, &given, Some(step))?;
            let goes_on = first.condition.map_or(always, |_| results[0]);
            let kept = which(true).map(|i| results[1 + i]);
            let own = results[1 + count..].iter().copied();
            Ok([goes_on].into_iter().chain(kept).chain(own).collect())
        })?;
        let mut results = results.into_iter();
        let places = 0..count;
        let after = places.map(|i| if changes(i) { results.next() } else { around[i] });
        let after: Vec<_> = after.flatten().collect();
        Ok(after.into_iter().chain(results).collect())
    }
}
