//! Passes: pure functions from graph to graph that turn a program into one that can be run.

mod copies;
mod fuse;
mod merge;
mod pack;
mod place;
mod policy;
mod producers;
mod prune;
mod storage;
mod views;

pub use copies::insert_copies;
pub use fuse::fuse;
pub use merge::merge;
pub use pack::pack;
pub use place::{Placement, fallbacks, place};
pub use policy::{Policy, Rates};
pub use prune::prune;
pub use storage::{PlanMemory, assign_storage, memory};
pub use views::views;

pub(crate) use prune::needed;
pub(crate) use storage::{Block, aliases, blocks};

use super::{Graph, Node, Output, ValueId};
use std::sync::Arc;

/// Copies a graph node by node, keeping track of where each value went.
struct Rewrite<'a> {
    source: &'a Graph,
    target: Graph,
    moved: Vec<u32>,
}

impl<'a> Rewrite<'a> {
    fn of(source: &'a Graph) -> Self {
        Self { source, target: source.empty_like(), moved: vec![u32::MAX; source.nodes.len()] }
    }

    /// Where a value of the source graph is in the target; its node was kept before.
    fn value(&self, id: ValueId) -> ValueId {
        ValueId { node: self.moved[id.node as usize], ..id }
    }

    /// Keeps the source's node `i`, with its operands as they are in the target.
    fn follow(&mut self, i: usize) {
        let operands = self.source.nodes[i].operands.iter();
        self.keep(i, operands.map(|&operand| self.value(operand)).collect());
    }

    /// Keeps the source's node `i`, with these operands; a node that stays as it is is shared.
    fn keep(&mut self, i: usize, operands: Vec<ValueId>) {
        let node = &self.source.nodes[i];
        let node = match node.operands == operands {
            true => Arc::clone(node),
            false => Arc::new(Node { operands, ..Node::clone(node) }),
        };
        self.moved[i] = self.target.push(node).id.node;
    }

    /// The target with the source's outputs.
    fn finish(mut self) -> Graph {
        let kept = |&over: &ValueId| self.moved[over.node as usize] != u32::MAX;
        let output = |o: &Output| Output {
            name: o.name.clone(),
            value: self.value(o.value),
            over: o.over.filter(kept).map(|over| self.value(over)),
        };
        self.target.outputs = self.source.outputs.iter().map(output).collect();
        self.target
    }
}

#[cfg(test)]
mod tests;
