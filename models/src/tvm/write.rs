//! From a graph to a graph JSON.

use super::file::{GraphFile, NodeEntry, word};
use super::names::{ALONG, BIAS, NAMES};
use crate::file::{malformed, write};
use ringwood_base::{Error, Result};
use ringwood_graph::graph::pass::assign_storage;
use ringwood_graph::graph::{Graph, Node, NodeKind, ValueId};
use serde_json::json;
use std::path::Path;

/// Writes a graph, in place of a file that may be there, with the storage of [`assign_storage`]. Numbers of
/// devices are places in `devices`.
///
/// Values of parameters are not part of the file: see [`save_params`](super::save_params). Operators that TVM
/// has are written by its names, others by ours, with their attributes.
///
/// # Errors
/// The graph has sizes that are open, a constant, or nodes that a pass fused or made views of; a node asks for
/// a device that is not in `devices`; the file cannot be written.
pub fn save(path: impl AsRef<Path>, graph: &Graph, devices: &[&str]) -> Result<()> {
    let file = written(graph, devices)?;
    let text = serde_json::to_vec_pretty(&file).map_err(|e| malformed("no JSON").because(e))?;
    write(path.as_ref(), [text.as_slice()])
}

fn written(graph: &Graph, devices: &[&str]) -> Result<GraphFile> {
    let graph = assign_storage(graph, true);
    let mut file = GraphFile { node_row_ptr: vec![0], ..GraphFile::default() };
    let (mut shapes, mut types, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (i, node) in graph.nodes().iter().enumerate() {
        let named = |e: Error| e.with("node", format!("%{i} = {node}"));
        file.nodes.push(entry(i, node).map_err(named)?);
        shapes.extend(node.results.iter().map(|ty| ty.shape.to_vec()));
        types.extend(node.results.iter().map(|ty| word(ty.dtype)));
        places.resize(shapes.len(), place(node, devices).map_err(named)?);
        file.node_row_ptr.push(shapes.len());
    }
    let storage: Vec<_> = graph.nodes().iter().flat_map(|node| &node.storage).collect();
    file.arg_nodes = (0..file.nodes.len()).filter(|&i| file.nodes[i].op == "null").collect();
    file.heads = graph.outputs().iter().map(|output| row(output.value)).collect();
    file.attrs.insert("shape".into(), ("list_shape".into(), json!(shapes)));
    file.attrs.insert("dltype".into(), ("list_str".into(), json!(types)));
    file.attrs.insert("storage_id".into(), ("list_int".into(), json!(storage)));
    if graph.nodes().iter().any(|node| node.device.is_some()) {
        file.attrs.insert("device_index".into(), ("list_int".into(), json!(places)));
    }
    Ok(file)
}

/// The number of the device of a node; the first one for a node that asks for none.
fn place(node: &Node, devices: &[&str]) -> Result<usize> {
    let Some(device) = &node.device else { return Ok(0) };
    devices.iter().position(|name| name == device).ok_or_else(|| {
        Error::device(format!("device {device} is not among {}", devices.join(", ")))
    })
}

fn row(value: ValueId) -> Vec<usize> {
    vec![value.node as usize, value.result as usize, 0]
}

fn entry(i: usize, node: &Node) -> Result<NodeEntry> {
    let function = match &node.kind {
        NodeKind::Input | NodeKind::Parameter => {
            let name = node.name.clone().unwrap_or_default();
            return Ok(NodeEntry { op: "null".into(), name, ..NodeEntry::default() });
        }
        NodeKind::Apply(operator) if node.open.is_none() => function(operator),
        NodeKind::Copy => "__copy",
        _ => {
            return Err(Error::unsupported("TVM's graphs have inputs, functions and copies")
                .help("write the graph before it is planned; give constants as parameters"));
        }
    };
    let own = [
        ("func_name", function.to_owned()),
        ("num_inputs", node.operands.len().to_string()),
        ("num_outputs", node.results.len().to_string()),
        ("flatten_data", "0".to_owned()),
    ];
    let attributes = node.attributes.iter().map(|(name, value)| (name, value.to_string()));
    let axis = ALONG.contains(&function).then(|| ("axis", "-1".to_owned()));
    let attrs =
        own.into_iter().chain(axis).chain(attributes).map(|(name, value)| (name.to_owned(), value));
    Ok(NodeEntry {
        op: "tvm_op".into(),
        name: format!("{function}_{i}"),
        inputs: node.operands.iter().map(|&value| row(value)).collect(),
        attrs: attrs.collect(),
        ..NodeEntry::default()
    })
}

/// TVM's name of an operator, if it has one.
fn function(operator: &str) -> &str {
    let mut names = NAMES.iter().filter(|(theirs, _)| *theirs != BIAS);
    names.find(|(_, ours)| *ours == operator).map_or(operator, |(theirs, _)| theirs)
}
