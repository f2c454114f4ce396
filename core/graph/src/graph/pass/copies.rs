//! Copies between devices, as nodes.

use super::Rewrite;
use crate::graph::{Graph, Node, NodeKind, ValueId};
use std::collections::HashMap;

/// The placed graph with a copy node wherever a node reads a value of another device.
///
/// A value is copied to a device once, however many nodes read it there. Constants are not copied:
/// each device has its own. An output that is a copy on the device where its value is computed is that value. Nodes
/// stand in the order of the copies and collectives that they come behind, so that what needs none is submitted before
/// the host waits for one; collectives stay in the order of the program.
pub fn insert_copies(graph: &Graph) -> Graph {
    let graph = &with_computed_outputs(graph);
    let device = |node: usize| &graph.nodes[node].device;
    if (1..graph.nodes.len()).all(|node| device(node) == device(0)) {
        return super::prune(&in_order_of_waits(graph));
    }
    let mut rewrite = Rewrite::of(graph);
    let mut copies = HashMap::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        let move_operand = |&operand: &ValueId| {
            let source = &graph.nodes[operand.node as usize];
            if matches!(node.kind, NodeKind::Copy) || source.device == node.device {
                return rewrite.value(operand);
            }
            *copies.entry((operand, node.device.clone())).or_insert_with(|| {
                let copy = if let NodeKind::Constant(_) = source.kind {
                    Node { device: node.device.clone(), ..Node::clone(source) }
                } else {
                    let operands = vec![rewrite.value(operand)];
                    let result = graph.value_type(operand);
                    let device = node.device.clone();
                    Node { operands, device, ..Node::new(NodeKind::Copy, vec![result]) }
                };
                rewrite.target.push(copy).id()
            })
        };
        let operands = node.operands.iter().map(move_operand).collect();
        rewrite.keep(i, operands);
    }
    super::prune(&in_order_of_waits(&rewrite.finish()))
}

/// The graph with the value itself as output in the place of a copy of it on its device. One of an input stays a copy.
fn with_computed_outputs(graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    for output in 0..graph.outputs.len() {
        let copy = &graph.nodes[graph.outputs[output].value.node as usize];
        let Some(&value) = copy.operands.first().filter(|_| copy.is_copy()) else { continue };
        let base = &graph.nodes[graph.base(value).node as usize];
        if copy.device == graph.nodes[value.node as usize].device && !base.stays() {
            graph.outputs[output].value = value;
        }
    }
    graph
}

/// The nodes, those first that come behind the fewest collectives, and of those behind the fewest copies in a row.
fn in_order_of_waits(graph: &Graph) -> Graph {
    let (mut waits, mut collectives) = (Vec::with_capacity(graph.nodes.len()), 0);
    for node in &graph.nodes {
        let before = node.operands.iter().map(|operand| waits[operand.node as usize]).max();
        let (behind, copies) = before.unwrap_or_default();
        waits.push(match node.kind {
            NodeKind::Copy => (behind, copies + 1),
            NodeKind::Collective(_) => {
                collectives += 1;
                (collectives, 0)
            }
            _ => (behind, copies),
        });
    }
    if waits.is_sorted() {
        return graph.clone();
    }
    let mut order: Vec<_> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|&i| waits[i]);
    let mut rewrite = Rewrite::of(graph);
    order.into_iter().for_each(|i| rewrite.follow(i));
    rewrite.finish()
}
