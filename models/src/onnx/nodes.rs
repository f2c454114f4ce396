//! What nodes and graphs of a file say of themselves.

use super::function::Functions;
use super::proto::{GraphProto, NodeProto, TensorProto};
use super::read::is_standard;
use super::table::random;
use super::tensor::tensor_type;
use std::collections::HashSet;

/// The most elements of an initializer that is a constant of the graph: shapes and axes are among them,
/// which must be known before a run. Larger ones are parameters.
pub(super) const MOST_CONSTANT: usize = 1024;

/// The name of a node; one without is known by what it gives, if that has a name.
pub(super) fn name_of(node: &NodeProto) -> &str {
    let mut names = std::iter::once(&node.name).chain(&node.output);
    names.find(|name| !name.is_empty()).map_or("", String::as_str)
}

/// Whether some of these nodes, or of the graphs and the functions that they use, draw random numbers.
pub(super) fn draws(functions: &Functions, nodes: &[NodeProto]) -> bool {
    fn own(node: &NodeProto) -> bool {
        random::is_drawn(node) || given_graphs(node).any(|graph| graph.node.iter().any(own))
    }
    let any = || functions.all.iter().any(|function| function.node.iter().any(own));
    nodes.iter().any(own) || any() && !functions.called(nodes).is_empty()
}

/// The graphs that are attributes of a node.
pub(super) fn given_graphs(node: &NodeProto) -> impl Iterator<Item = &GraphProto> {
    node.attribute.iter().filter_map(|given| given.g.as_ref())
}

/// The initializers of a graph and the large values of nodes `Constant`, by name: some exporters write all
/// weights as such nodes.
pub(super) fn initializers(graph: &GraphProto) -> impl Iterator<Item = (&str, &TensorProto)> {
    let named = graph.initializer.iter().map(|tensor| (tensor.name.as_str(), tensor));
    named.chain(graph.node.iter().filter_map(literal))
}

/// The name and the value of a node `Constant`, if it would be a parameter were it an initializer.
pub(super) fn literal(node: &NodeProto) -> Option<(&str, &TensorProto)> {
    let [attribute] = &node.attribute[..] else { return None };
    let tensor = attribute.t.as_ref().filter(|_| is_constant(node))?;
    let large = tensor_type(tensor).is_ok_and(|ty| ty.shape.elements() > MOST_CONSTANT);
    large.then_some((node.output.first()?, tensor))
}

pub(super) fn is_constant(node: &NodeProto) -> bool {
    node.op_type == "Constant" && is_standard(&node.domain)
}

/// The names that a graph uses and does not define, each once.
pub(super) fn free(body: &GraphProto) -> Vec<&str> {
    let inputs = body.input.iter().map(|input| input.name.as_str());
    let initializers = body.initializer.iter().map(|tensor| tensor.name.as_str());
    let mut found: HashSet<_> = inputs.chain(initializers).chain([""]).collect();
    let mut names = Vec::new();
    for node in &body.node {
        let inner = node.attribute.iter().filter_map(|given| given.g.as_ref()).flat_map(free);
        let used = node.input.iter().map(String::as_str).chain(inner);
        names.extend(used.filter(|name| found.insert(name)));
        found.extend(node.output.iter().map(String::as_str));
    }
    let outputs = body.output.iter().map(|output| output.name.as_str());
    names.extend(outputs.filter(|name| found.insert(name)));
    names
}

/// `node 12 "conv1" (Conv)`.
pub(super) fn describe(i: usize, node: &NodeProto) -> String {
    let domain = if is_standard(&node.domain) { String::new() } else { node.domain.clone() + "." };
    format!("{i} {:?} ({domain}{})", node.name, node.op_type)
}
