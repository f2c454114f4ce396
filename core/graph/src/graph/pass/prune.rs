//! Dead-code elimination.

use super::Rewrite;
use crate::graph::{Graph, NodeKind};

/// The graph without the nodes that no output needs.
///
/// Inputs and parameters stay, used or not: they are what callers give.
pub fn prune(graph: &Graph) -> Graph {
    pruned(graph, |kind| matches!(kind, NodeKind::Input | NodeKind::Parameter))
}

/// The graph of the nodes that an output needs, inputs and parameters as others.
pub(crate) fn needed(graph: &Graph) -> Graph {
    pruned(graph, |_| false)
}

fn pruned(graph: &Graph, kept: fn(&NodeKind) -> bool) -> Graph {
    let nodes = graph.nodes();
    let mut live = vec![false; nodes.len()];
    for output in graph.outputs() {
        live[output.value.node as usize] = true;
    }
    for (i, node) in nodes.iter().enumerate().rev() {
        live[i] |= kept(&node.kind);
        if live[i] {
            node.operands.iter().for_each(|o| live[o.node as usize] = true);
        }
    }
    if !live.contains(&false) {
        return graph.clone();
    }
    let mut rewrite = Rewrite::of(graph);
    (0..nodes.len()).filter(|i| live[*i]).for_each(|i| rewrite.follow(i));
    rewrite.finish()
}
