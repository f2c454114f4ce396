//! A program, or a transfer, linked to a context and ready to submit.

mod link;
mod part;
mod step;
mod transfers;

use super::completion::Completion;
use super::merge::{self, Held};
use super::program::{Bindings, Compiled, Node, NodeId, Symbol};
use super::stream::{Use, unify, unify_in_order};
use super::transfer::{Begun, Carried, Transfer};
use super::{Context, Stream, Tensor};
use crate::backend::{DynBackend, Handle};
use part::Part;
use ringwood_base::{Error, Result};
use std::fmt;
use std::sync::Arc;
use step::LinkedStep;

/// Work on the tensors of a context, ready to submit as often as wanted; cheap to clone.
///
/// Everything that can be known before is checked when it is linked, and where the device has
/// [`Capabilities::command_buffers`](crate::backend::Capabilities::command_buffers), launches that are
/// always the same are prepared then. A submission only checks its bindings and the merge slot.
#[derive(Clone)]
pub struct Routine(Arc<Inner>);

struct Inner {
    name: String,
    context: Context,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
    merge: Option<Node>,
    symbols: Vec<Symbol>,
    work: Work,
}

enum Work {
    Launches { parts: Vec<Part>, uses: Vec<Use> },
    Transfer(Box<Transfer>),
}

impl Routine {
    /// The routine of `compiled` on the tensors of `context`; it takes the memory of `taken`.
    pub(crate) fn of(compiled: &Compiled, context: &Context, taken: &[Tensor]) -> Result<Routine> {
        let program = compiled.program();
        let streamed = context.expected().and_then(|merge| merge.streamed.as_ref());
        let mut uses = Vec::new();
        let mut steps = Vec::with_capacity(program.steps.len());
        for at in 0..program.steps.len() {
            let step = LinkedStep::new(compiled, at, context, streamed, &mut uses)
                .map_err(|e| e.with("routine", &program.name))?;
            if step.has_work() {
                steps.push(step);
            }
        }
        // What takes memory runs once.
        let often = taken.is_empty() && context.device().capabilities().command_buffers;
        let parts = match often {
            true => Part::prepared(steps, context.stream())
                .map_err(|e| e.with("routine", &program.name))?,
            false => Part::launches(steps),
        };
        let name: Arc<str> = Arc::from(program.name.as_str());
        uses.extend(
            taken
                .iter()
                .map(|tensor| Use { taker: Some(name.clone()), ..Use::new(tensor.buffer(), true) }),
        );
        unify_in_order(&mut uses);
        Ok(Self(Arc::new(Inner {
            name: program.name.clone(),
            context: context.clone(),
            inputs: compiled.inputs().to_vec(),
            outputs: compiled.outputs().to_vec(),
            merge: compiled.merge_node().cloned(),
            symbols: program.symbols.clone(),
            work: Work::Launches { parts, uses },
        })))
    }

    pub(crate) fn of_transfer(
        name: String,
        context: Context,
        (inputs, outputs): (Vec<NodeId>, Vec<NodeId>),
        transfer: Transfer,
    ) -> Routine {
        let (merge, symbols, work) = (None, Vec::new(), Work::Transfer(Box::new(transfer)));
        Self(Arc::new(Inner { name, context, inputs, outputs, merge, symbols, work }))
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The context with everything that the routine added.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The stream on which it runs.
    pub fn stream(&self) -> &Stream {
        self.0.context.stream()
    }

    /// The nodes whose elements are read before they are written.
    pub fn inputs(&self) -> &[NodeId] {
        &self.0.inputs
    }

    /// The nodes that it writes.
    pub fn outputs(&self) -> &[NodeId] {
        &self.0.outputs
    }

    /// The node that the merge slot must hold.
    pub fn merge_input(&self) -> Option<NodeId> {
        self.0.merge.as_ref().map(|node| node.id)
    }

    /// The integers that each submission binds.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0.symbols
    }

    /// Submits the work with these bindings, which are captured by value; asynchronous, except
    /// that a transfer which has to go through the host waits for its source.
    ///
    /// Bindings of other symbols are ignored, so that routines can share them. A routine without steps
    /// submits nothing: it is over when what was submitted to the stream before is.
    ///
    /// # Errors
    /// A symbol is not bound, or out of its range; the merge slot holds another node than it should,
    /// or nothing, as after its use by a routine, or a node that was overwritten since it was streamed; a buffer was given to another routine by
    /// donation, or to this one, which then has run; the stream's failure. The backend takes some launches
    /// and refuses a later one: the stream fails, and what the routine writes is lost.
    pub fn submit(&self, bindings: &Bindings) -> Result<Completion> {
        let timeline = self.stream().timeline();
        let at = match &self.0.work {
            Work::Transfer(transfer) => transfer.submit(&self.0.context)?,
            Work::Launches { parts, uses } => {
                let values = self.values(bindings)?;
                match &self.0.merge {
                    // Over when what was submitted before is.
                    None if parts.is_empty() && uses.is_empty() => timeline.reached()?,
                    None => {
                        // What binds no symbol was proved when it was linked.
                        if !values.is_empty() {
                            self.check(parts, &values, None, false)?;
                        }
                        timeline.submit_parts(uses, submissions(parts, &values, None))?
                    }
                    Some(node) => self.submit_merging(node, parts, uses, &values)?,
                }
            }
        };
        Ok(Completion::new(timeline.clone(), at))
    }

    /// Submits the work as [`Routine::submit`], but of a transfer through the host, between nodes, only the read: the
    /// host does not wait, and [`Carried::finish`] writes the target. Nothing may use the target before.
    ///
    /// # Errors
    /// As [`Routine::submit`].
    pub fn begin(&self, bindings: &Bindings) -> Result<Option<Carried>> {
        match &self.0.work {
            Work::Transfer(transfer) => Ok(match transfer.begin(&self.0.context)? {
                Begun::Direct(_) => None,
                Begun::Carried(carried) => Some(carried),
            }),
            Work::Launches { .. } => self.submit(bindings).map(|_| None),
        }
    }

    fn submit_merging(
        &self,
        node: &Node,
        parts: &[Part],
        uses: &[Use],
        values: &[i64],
    ) -> Result<u64> {
        let mut slot = self.0.context.slot()?;
        let expected = slot.holds.as_ref().map(Held::expected);
        merge::check(self.name(), node, expected.as_ref()).map_err(|e| {
            e.help("submit the transfer before it, for each use: a use empties the slot")
        })?;
        let held = slot.holds.as_ref().expect("the slot holds what was expected");
        self.check(parts, values, Some(&held.tensor), held.writes.is_some())?;
        let mut uses = uses.to_vec();
        uses.push(Use { writes: held.writes, ..Use::new(held.tensor.buffer(), false) });
        unify(&mut uses);
        let tensor = Some(&held.tensor);
        let timeline = self.stream().timeline();
        let at = timeline.submit_parts(&uses, submissions(parts, values, tensor))?;
        slot.holds = None;
        Ok(at)
    }

    /// Refuses a submission of which a launch cannot run, before any of them is submitted.
    fn check(
        &self,
        parts: &[Part],
        values: &[i64],
        slot: Option<&Tensor>,
        streamed: bool,
    ) -> Result<()> {
        let steps = parts.iter().filter_map(Part::step).filter(|s| s.may_be_refused(streamed));
        for step in steps {
            step.launch(values, slot).map_err(|e| e.with("routine", self.name()))?;
        }
        Ok(())
    }

    /// The value of each symbol, checked.
    fn values(&self, bindings: &Bindings) -> Result<Vec<i64>> {
        let mut values = Vec::with_capacity(self.0.symbols.len());
        for Symbol { name, range } in &self.0.symbols {
            let message = match bindings.value(name) {
                Some(value) if range.contains(&value) => {
                    values.push(value);
                    continue;
                }
                Some(value) => format!("symbol `{name}` is bound to {value}, outside of {range:?}"),
                None => format!("symbol `{name}` is not bound"),
            };
            let error = Error::invalid(message);
            return Err(error.with("routine", self.name()));
        }
        Ok(values)
    }
}

/// What submits each part.
fn submissions<'a>(
    parts: &'a [Part],
    values: &'a [i64],
    slot: Option<&'a Tensor>,
) -> impl Iterator<Item = impl FnOnce(&dyn DynBackend, &Handle) -> Result<()>> {
    parts.iter().map(move |part| {
        move |backend: &dyn DynBackend, stream: &Handle| part.submit(values, slot, backend, stream)
    })
}

impl fmt::Debug for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, inputs, outputs) = (self.name(), self.inputs(), self.outputs());
        write!(f, "Routine({name}: {inputs:?} -> {outputs:?} on {})", self.stream().device())
    }
}
