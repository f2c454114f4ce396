//! A plan that keeps what it is given and gives in its own memory.

use super::ready::Ready;
use super::{Lazy, State, cache};
use crate::graph::GraphPlan;
use ringwood_base::{Error, Result};
use ringwood_device::device::Tensor;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The runs of which is known what had to leave.
const MOST_LEFT: usize = 16;

/// A plan, and who uses its memory.
///
/// Results are handed out where they lie. A result that is still held when the next run would write over it
/// leaves for memory of its own; one that comes back as the argument whose memory it has, and that nobody else
/// holds, is not copied.
pub(super) struct Step {
    plan: GraphPlan,
    /// The argument of each input.
    arguments: Vec<usize>,
    /// What each input holds: the argument that it was given last, or the result that took its memory.
    holds: Vec<Weak<State>>,
    /// Whether a run writes over the memory of an input.
    overwritten: Vec<bool>,
    /// The input in whose memory each result lies.
    places: Vec<Option<usize>>,
    /// The results that lie in memory of the plan.
    lent: Vec<(Weak<State>, Option<usize>)>,
    /// Of the results that had to leave in one run, and that somebody may still hold, the first; the latest first.
    left: Vec<Weak<State>>,
}

/// What a call made and copied.
#[derive(Debug, Default)]
pub(super) struct Moved {
    /// Whether a plan was made for it.
    pub(super) planned: bool,
    /// The bytes of arguments that a plan did not hold.
    pub(super) given: usize,
    /// The bytes of results of earlier calls that were still held.
    pub(super) left: usize,
    /// The arguments whose memory a result takes, and that were still held elsewhere.
    pub(super) held: Vec<usize>,
}

impl Step {
    pub(super) fn new(plan: GraphPlan) -> Result<Self> {
        let names: Vec<_> = plan.inputs().map(|(name, _, _)| name.to_owned()).collect();
        let position = |name: &str| {
            name.parse::<usize>()
                .map_err(|_| Error::invalid(format!("`{name}` is no position of an argument")))
        };
        let arguments = names.iter().map(|name| position(name)).collect::<Result<Vec<_>>>()?;
        let slots: HashMap<_, _> = names.iter().map(String::as_str).zip(0..).collect();
        let slot = |input: &str| slots.get(input).copied();
        let mut places = Vec::new();
        let mut overwritten = vec![false; names.len()];
        let graph = plan.graph();
        let by_output: HashMap<_, _> = plan.aliased().into_iter().collect();
        for output in &graph.outputs {
            let base = &graph.nodes[graph.base(output.value).node as usize];
            let taken = by_output.get(output.name.as_str()).and_then(|input| slot(input));
            if let Some(taken) = taken {
                overwritten[taken] = true;
            }
            places.push(taken.or_else(|| slot(base.name.as_deref()?)));
        }
        let holds = names.iter().map(|_| Weak::new()).collect();
        let (lent, left) = (Vec::new(), Vec::new());
        Ok(Self { plan, arguments, holds, overwritten, places, lent, left })
    }

    /// Whether a run writes over the memory of an argument.
    pub(super) fn overwrites(&self, argument: usize) -> bool {
        let slot = self.arguments.iter().position(|&known| known == argument);
        slot.is_some_and(|slot| self.overwritten[slot])
    }

    /// How many of the arguments lie in memory of the plan already: those that a run writes over, and all.
    pub(super) fn known(&self, arguments: &[&Lazy]) -> (usize, usize) {
        let known = |slot: &usize| self.has(*slot, arguments);
        let known = (0..self.holds.len()).filter(known);
        known
            .fold((0, 0), |(over, all), slot| (over + usize::from(self.overwritten[slot]), all + 1))
    }

    /// Whether an argument had to leave the plan: what it belongs to takes turns with something else.
    pub(super) fn lost(&self, arguments: &[&Lazy]) -> bool {
        let is = |state: &Weak<State>| {
            arguments.iter().any(|argument| Weak::as_ptr(state) == Arc::as_ptr(&argument.state))
        };
        self.left.iter().any(is)
    }

    /// Whether the memory of an input has the elements of its argument.
    fn has(&self, slot: usize, arguments: &[&Lazy]) -> bool {
        Weak::as_ptr(&self.holds[slot]) == Arc::as_ptr(&arguments[self.arguments[slot]].state)
    }

    /// Runs with these arguments; results are in the order of the outputs.
    pub(super) fn run(&mut self, arguments: &[&Lazy], moved: &mut Moved) -> Result<Vec<Lazy>> {
        // What leaves is copied on streams that take work.
        if self.plan.renew()? {
            self.holds.fill(Weak::new());
        }
        self.leave(arguments, moved)?;
        for slot in 0..self.holds.len() {
            if !self.has(slot, arguments) {
                let argument = arguments[self.arguments[slot]];
                let State::Ready(ready) = &*argument.state else {
                    unreachable!("a program is run with arguments that have values");
                };
                let plan = &mut self.plan;
                ready.with(|tensor| plan.write_input(slot, tensor))?;
                moved.given += ready.ty.bytes();
                self.holds[slot] = Arc::downgrade(&argument.state);
            }
        }
        self.plan.submit()?;
        for slot in (0..self.holds.len()).filter(|&slot| self.overwritten[slot]) {
            self.holds[slot] = Weak::new();
        }
        let mut results = Vec::with_capacity(self.places.len());
        for (tensor, &place) in self.plan.results().zip(&self.places) {
            let result = Lazy::with_state(State::Ready(Ready::new(tensor.clone(), true)));
            let weak = Arc::downgrade(&result.state);
            if let Some(slot) = place {
                self.holds[slot] = weak.clone();
            }
            self.lent.push((weak, place));
            results.push(result);
        }
        Ok(results)
    }

    /// Moves results of earlier runs that are still held, and whose memory is about to be written, out of the plan.
    fn leave(&mut self, arguments: &[&Lazy], moved: &mut Moved) -> Result<()> {
        let mut lent = std::mem::take(&mut self.lent);
        let (mut failure, mut left) = (None, None);
        lent.retain(|(weak, place)| {
            let Some(state) = weak.upgrade() else { return false };
            let argument = |slot: usize| arguments[self.arguments[slot]];
            let at = place.filter(|&slot| {
                Arc::ptr_eq(&argument(slot).state, &state) && self.has(slot, arguments)
            });
            match at {
                Some(slot) if !self.overwritten[slot] => return true,
                // Held by the arguments alone, which end with the call.
                Some(_) if Arc::strong_count(&state) == 2 => return false,
                Some(slot) => moved.held.push(self.arguments[slot]),
                None => {}
            }
            let State::Ready(ready) = &*state else { return false };
            // One that failed keeps its memory: the plan takes other memory.
            let failed = |tensor: &Tensor| tensor.buffer().failure().is_some();
            let own = |tensor: &Tensor| match failed(tensor) {
                true => Ok(tensor.clone()),
                false => cache::with_memory(|| self.plan.duplicate(tensor)),
            };
            match ready.leave(own) {
                Ok(true) => {
                    moved.left += ready.ty.bytes();
                    left = left.take().or(place.map(|_| weak.clone()));
                }
                Ok(false) => {}
                Err(error) => failure = Some(error),
            }
            false
        });
        self.lent = lent;
        if let Some(left) = left {
            self.left.retain(|state| state.strong_count() > 0);
            self.left.truncate(MOST_LEFT - 1);
            self.left.insert(0, left);
        }
        failure.map_or(Ok(()), Err)
    }
}
