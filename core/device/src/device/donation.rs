//! Which new node takes the memory of a node that is given to a routine by donation.

use super::program::{Compiled, Node, NodeId, Role, StepArg};
use super::{Context, Tensor};
use crate::kernel::Form;
use ringwood_base::{Error, Result};

/// A node given to a routine by donation.
pub(crate) struct Donation {
    pub(crate) node: NodeId,
    pub(crate) tensor: Tensor,
}

impl Donation {
    /// The donations of these nodes of `context` to `compiled`.
    ///
    /// # Errors
    /// The routine does not use a node; the context does not hold it; a node is named twice; its
    /// memory is shared with another node, or only part of a buffer.
    pub(crate) fn check(
        context: &Context,
        compiled: &Compiled,
        nodes: &[NodeId],
    ) -> Result<Vec<Self>> {
        let mut donations: Vec<Self> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let refuse = |why: &str| {
                let routine = &compiled.program().name;
                Error::invalid(format!("node {node} cannot be given to routine `{routine}`: {why}"))
            };
            if !compiled.owned_nodes().any(|owned| owned.id == node) {
                return Err(refuse("no step uses it"));
            }
            let tensor = context.tensor(node)?;
            if !tensor.buffer().is_whole() || tensor.bytes() != tensor.buffer().bytes() {
                return Err(refuse("it is a part of a buffer")
                    .help("give whole buffers away, or `duplicate` the part first"));
            }
            let shares = |other: NodeId| {
                let other = context.find(other)?;
                other.buffer().shares(tensor.buffer()).then_some(())
            };
            let mut others = compiled.owned_nodes().map(|n| n.id).filter(|other| *other != node);
            if let Some(other) = others.find(|other| shares(*other).is_some()) {
                return Err(refuse(&format!("node {other} is in the same buffer")));
            }
            if donations.iter().any(|known| known.node == node) {
                return Err(refuse("it is given twice"));
            }
            donations.push(Self { node, tensor });
        }
        Ok(donations)
    }

    /// The new nodes that take the memory of a donated one, with their tensors; and the donated
    /// nodes that the program writes, as it leaves them.
    pub(crate) fn successors(
        compiled: &Compiled,
        donations: &[Self],
        added: &[&Node],
    ) -> Result<Vec<(NodeId, Tensor)>> {
        let mut successors: Vec<(NodeId, Tensor)> = Vec::new();
        for donation in donations {
            let (id, tensor) = (donation.node, &donation.tensor);
            let mut steps = 0..compiled.program().steps.len();
            if steps.any(|at| access(compiled, at, id) == Some(Access::Written)) {
                let buffer = tensor.buffer().successor(tensor.bytes());
                successors.push((id, Tensor::new(buffer, 0, tensor.shape(), tensor.dtype())?));
                continue;
            }
            for node in added {
                let bytes = Tensor::size(node.shape, node.dtype)?;
                let taken = successors.iter().any(|(known, _)| *known == node.id);
                let same = (node.shape, node.dtype) == (tensor.shape(), tensor.dtype());
                if !taken
                    && node.role == Role::Scratch
                    && bytes <= tensor.bytes()
                    && comes_after(compiled, id, node.id, same)
                {
                    let buffer = tensor.buffer().successor(bytes);
                    successors.push((node.id, Tensor::new(buffer, 0, node.shape, node.dtype)?));
                    break;
                }
            }
        }
        Ok(successors)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Written,
}

/// What the step at a place does to a node.
fn access(compiled: &Compiled, at: usize, node: NodeId) -> Option<Access> {
    let (step, code, _) = compiled.step(at);
    let uses = code.params().iter().zip(&step.args);
    let uses = uses.filter(|(_, arg)| arg.own_node() == Some(node));
    uses.map(|(param, _)| if param.kind.is_written() { Access::Written } else { Access::Read })
        .reduce(|a, b| if a == Access::Written { a } else { b })
}

/// Whether every step that reads `old` comes before every step that uses `new`; a map may be both if
/// they have one type, so that it takes the elements of both in order.
fn comes_after(compiled: &Compiled, old: NodeId, new: NodeId, same_type: bool) -> bool {
    let steps = 0..compiled.program().steps.len();
    let last = steps.clone().rev().find(|&at| access(compiled, at, old).is_some());
    let first = steps.clone().find(|&at| access(compiled, at, new).is_some());
    let (Some(last), Some(first)) = (last, first) else { return false };
    let at_steps = |arg: &StepArg| matches!(arg, StepArg::View(node, _) if *node == old);
    let in_place = || {
        let (step, code, _) = compiled.step(first);
        same_type && code.form() == Form::Map && !step.args.iter().any(at_steps)
    };
    last < first || (last == first && in_place())
}
