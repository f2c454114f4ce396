//! Operators that only look at their operand in another way, as views.

use super::Rewrite;
use crate::graph::implementation::declared;
use crate::graph::{Graph, Node, NodeKind, TensorType, ValueId, View};
use crate::operator::Operator;
use ringwood_base::Result;

/// The graph with a [`NodeKind::View`] of a value in memory for each application of an operator that
/// moves no data; a view of a view is one of the value below.
///
/// Where the elements of a view cannot be arranged as such an operator asks for, the application
/// `copy` puts them in a row first.
///
/// # Errors
/// An operator is not registered, or does not fit its operand.
pub fn views(graph: &Graph) -> Result<Graph> {
    let mut rewrite = Rewrite::of(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        let operator = node.operator().map(|name| declared(graph, name)).transpose()?;
        match operator.filter(|operator| operator.view.is_some()) {
            Some(operator) => {
                let view = viewed(&mut rewrite, node, operator)?;
                rewrite.moved[i] = view.node;
            }
            None => rewrite.follow(i),
        }
    }
    Ok(rewrite.finish())
}

/// Adds the view that an application of `operator` is.
fn viewed(rewrite: &mut Rewrite<'_>, node: &Node, operator: &Operator) -> Result<ValueId> {
    let operand = rewrite.value(node.operands[0]);
    let target = &mut rewrite.target;
    let (mut base, mut below) = (operand, View::dense(target.value_type(operand).shape));
    if let Some(view) = target.nodes[operand.node as usize].view() {
        (base, below) = (target.nodes[operand.node as usize].operands[0], *view);
    }
    let view = match operator.look(&below.layout, &node.attributes)? {
        Some(view) => View { first: below.first + view.first, ..view },
        None => {
            base = packed(target, operand, node.device.clone());
            operator.view_of(target.value_type(base).shape, &node.attributes)?
        }
    };
    let result = TensorType { shape: view.layout.shape(), ..node.results[0] };
    let (operands, device, origin) = (vec![base], node.device.clone(), node.origin.clone());
    let view = Node { operands, device, origin, ..Node::new(NodeKind::View(view), vec![result]) };
    Ok(target.push(view).id)
}

/// Adds the application that puts the elements of a value in a row.
pub(super) fn packed(graph: &mut Graph, value: ValueId, device: Option<String>) -> ValueId {
    let result = graph.value_type(value);
    let copy = NodeKind::Apply("copy".into());
    graph.push(Node { operands: vec![value], device, ..Node::new(copy, vec![result]) }).id
}
