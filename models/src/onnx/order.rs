//! The order of nodes: files should have each after those that it uses, and some have not.

use super::nodes::{free, given_graphs};
use super::proto::NodeProto;
use std::collections::HashMap;

/// Sorts nodes, and those of their graphs, so that each comes after those whose results it uses; nodes that use each
/// other in a circle do so only in part. Where that is so already, they stay as they are.
pub(super) fn sort(nodes: &mut Vec<NodeProto>) {
    let attributes = nodes.iter_mut().flat_map(|node| &mut node.attribute);
    attributes.filter_map(|given| given.g.as_mut()).for_each(|graph| sort(&mut graph.node));
    let order = order(nodes);
    if !order.is_sorted() {
        let mut unsorted: Vec<_> = std::mem::take(nodes).into_iter().map(Some).collect();
        nodes.extend(order.into_iter().filter_map(|place| unsorted[place].take()));
    }
}

/// The places of nodes, those of earlier ones first.
fn order(nodes: &[NodeProto]) -> Vec<usize> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        places.extend(node.output.iter().map(|name| (name.as_str(), place)));
    }
    let (mut entered, mut left) = (vec![false; nodes.len()], vec![false; nodes.len()]);
    let mut order = Vec::with_capacity(nodes.len());
    for first in 0..nodes.len() {
        let mut path = vec![first];
        while let Some(&place) = path.last() {
            if !std::mem::replace(&mut entered[place], true) {
                let before = uses(&nodes[place]).into_iter().filter(|name| !name.is_empty());
                let before = before.filter_map(|name| places.get(name));
                path.extend(before.filter(|&&before| !entered[before]));
                continue;
            }
            path.pop();
            if !std::mem::replace(&mut left[place], true) {
                order.push(place);
            }
        }
    }
    order
}

/// The names that a node, or a graph of it, uses.
fn uses(node: &NodeProto) -> Vec<&str> {
    let inputs = node.input.iter().map(String::as_str);
    inputs.chain(given_graphs(node).flat_map(free)).collect()
}
