//! Copies of views, for what reads elements in a row.

use super::Rewrite;
use super::views::packed;
use crate::graph::{Found, Graph, Node, ValueId, backend, find};
use ringwood_base::Result;
use ringwood_device::kernel::{Form, ParamKind};
use std::collections::HashMap;

/// The placed graph with an application of `copy` wherever a view is read that has gaps or another
/// order, by a kernel that takes no steps, by a copy to another device, or by an output.
///
/// # Errors
/// The device of the view has no kernel `copy` for its elements.
pub fn pack(graph: &Graph) -> Result<Graph> {
    let mut rewrite = Rewrite::of(graph);
    let mut rows = HashMap::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        let mut operands = Vec::with_capacity(node.operands.len());
        for (place, &operand) in node.operands.iter().enumerate() {
            let in_a_row = graph.steps(operand).is_none() || takes_steps(graph, node, place)?;
            operands.push(match in_a_row {
                true => rewrite.value(operand),
                false => row(&mut rewrite, &mut rows, operand)?,
            });
        }
        rewrite.keep(i, operands);
    }
    for output in &graph.outputs {
        if graph.steps(output.value).is_some() {
            row(&mut rewrite, &mut rows, output.value)?;
        }
    }
    let mut target = rewrite.finish();
    for (output, source) in target.outputs.iter_mut().zip(&graph.outputs) {
        output.value = rows.get(&source.value).copied().unwrap_or(output.value);
    }
    Ok(target)
}

/// Whether a node reads its operand at this place at steps.
fn takes_steps(graph: &Graph, node: &Node, place: usize) -> Result<bool> {
    if !node.is_launch() {
        return Ok(node.view().is_some());
    }
    let found = graph.implementation(node)?;
    let read = found.kernel.params().iter().filter(|p| p.kind.dtype().is_some());
    let mut read = read.filter(|p| !p.kind.is_written());
    let is_view = |kind| matches!(kind, ParamKind::View { .. });
    Ok(found.kernel.form() == Form::Map || read.nth(place).is_some_and(|p| is_view(p.kind)))
}

/// The elements of a view in a row, once for all that read them so.
fn row(
    rewrite: &mut Rewrite,
    rows: &mut HashMap<ValueId, ValueId>,
    value: ValueId,
) -> Result<ValueId> {
    if let Some(row) = rows.get(&value) {
        return Ok(*row);
    }
    let moved = rewrite.value(value);
    let device = rewrite.target.nodes[moved.node as usize].device.clone();
    let row = packed(&mut rewrite.target, moved, device.clone());
    if let Some(device) = &device {
        let node = &rewrite.target.nodes[row.node as usize];
        let found = Found::from(find(&rewrite.target, node, backend(device))?);
        rewrite.target.node_mut(row.node as usize).found = found;
    }
    rows.insert(value, row);
    Ok(row)
}
