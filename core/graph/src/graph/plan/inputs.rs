//! Inputs of a plan: found by name, checked, written.

use super::GraphPlan;
use crate::graph::{Graph, Node, NodeKind, TensorType, ValueId};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::Tensor;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An input or parameter, and whether it holds a value.
pub(super) struct InputSlot {
    pub(super) name: String,
    pub(super) value: ValueId,
    pub(super) kept: bool,
    pub(super) used: bool,
    pub(super) given: bool,
    /// Whether something that is kept is computed of it.
    prepared: bool,
    /// Whether its memory was handed out, so that it may change at any time.
    lent: AtomicBool,
}

impl InputSlot {
    pub(super) fn lend(&self) {
        self.lent.store(true, Ordering::Relaxed);
    }

    /// Whether what is kept of it may have become old unseen.
    pub(super) fn is_lent(&self) -> bool {
        self.prepared && self.lent.load(Ordering::Relaxed)
    }
}

/// The inputs and parameters of a graph; parameters that have a value are given.
pub(super) fn input_slots(graph: &Graph) -> Vec<InputSlot> {
    let operands = graph.nodes.iter().flat_map(|node| &node.operands).copied();
    let used: BTreeSet<_> = operands.chain(graph.outputs.iter().map(|o| o.value)).collect();
    let prepared = graph.nodes.iter().filter(|node| node.kept).flat_map(|node| &node.operands);
    let prepared: BTreeSet<_> = prepared.map(|&operand| graph.base(operand)).collect();
    let outputs: BTreeSet<_> = graph.outputs.iter().map(|o| graph.base(o.value)).collect();
    let slot = |(i, node): (usize, &Arc<Node>)| {
        let (name, value) = (node.name.clone()?, ValueId { node: i as u32, result: 0 });
        Some(InputSlot {
            value,
            kept: matches!(node.kind, NodeKind::Parameter),
            used: used.contains(&value),
            given: graph.weights.contains_key(&name),
            prepared: prepared.contains(&value),
            lent: AtomicBool::new(outputs.contains(&value)),
            name,
        })
    };
    graph.nodes.iter().enumerate().filter_map(slot).collect()
}

impl GraphPlan {
    /// Checks all inputs, then writes them; returns those that count for one run only.
    pub(super) fn give(&mut self, inputs: &[(&str, &Tensor)]) -> Result<Vec<usize>> {
        let (mut found, mut known) = (Vec::with_capacity(inputs.len()), BTreeSet::new());
        for (name, tensor) in inputs {
            let i = self.find_input(name)?;
            if !known.insert(i) {
                return Err(Error::duplicate(format!("input `{name}` is given twice")));
            }
            self.check_input(i, tensor)?;
            found.push(i);
        }
        let mut each = found.iter().zip(inputs);
        let written = each.try_for_each(|(&i, (_, tensor))| self.write_input(i, tensor));
        found.retain(|&i| !self.inputs[i].kept);
        if written.is_err() {
            found.iter().for_each(|&i| self.inputs[i].given = false);
        }
        written.map(|()| found)
    }

    pub(super) fn find_input(&self, name: &str) -> Result<usize> {
        let node = self.graph().position(name);
        let slot = |node| self.inputs.binary_search_by_key(&node, |slot| slot.value.node).ok();
        node.and_then(slot).ok_or_else(|| self.graph().unknown("input or parameter", name))
    }

    pub(super) fn check_input(&self, i: usize, tensor: &Tensor) -> Result<()> {
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
            return Err(Error::device(message).help(help));
        }
        Ok(())
    }

    pub(crate) fn write_input(&mut self, i: usize, tensor: &Tensor) -> Result<()> {
        self.renew()?;
        let own = self.tensor(self.inputs[i].value);
        if !own.buffer().same(tensor.buffer()) {
            self.copy(tensor, own)?;
        }
        self.inputs[i].given = true;
        self.stale |= self.inputs[i].prepared;
        Ok(())
    }

    pub(super) fn check_given(&self) -> Result<()> {
        let missing = |slot: &&InputSlot| slot.used && !slot.given;
        let missing: Vec<_> = self.inputs.iter().filter(missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = missing.iter().map(|slot| format!("`{}`", slot.name)).collect();
        let known: Vec<_> =
            self.inputs().map(|(name, ty, device)| format!("{name}: {ty} on {device}")).collect();
        Err(Error::not_found(format!("no value for input {}", names.join(", ")))
            .help(format!("the plan takes {}", known.join(", "))))
    }
}
