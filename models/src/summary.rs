//! What a file holds.

use crate::file::malformed;
use bytes::Bytes;
use ringwood_base::Result;
use ringwood_graph::graph::{Attribute, Graph, Node, NodeKind, Open, TensorType, ValueId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// What it is: `ONNX model`.
    pub format: &'static str,
    /// Facts of the format by name: the producer, the operator sets.
    pub facts: Vec<(&'static str, String)>,
    /// The inputs of a model.
    pub inputs: Vec<Described>,
    /// Its outputs.
    pub outputs: Vec<Described>,
    /// The tensors that the file holds or names: parameters, constants that have a name.
    pub tensors: Vec<Described>,
    /// The operators of a model, those used most first.
    pub operators: Vec<Counted>,
    /// The parts of a package, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A part of a file that has a checksum for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: usize,
    /// The CRC-32 that it should have.
    pub checksum: String,
}

/// A value of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Described {
    /// Its name; a file of one tensor gives none.
    pub name: String,
    /// Its type as text, as far as the file says it: `f32[batch, 3]`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The bytes of its elements, if they are known.
    pub bytes: Option<usize>,
}

/// How often a model applies an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// The set that the operator is of: `ai.onnx`.
    pub set: String,
    /// The operator.
    pub operator: String,
    /// The nodes.
    pub nodes: usize,
}

pub(crate) fn of_tensors(
    format: &'static str,
    tensors: Vec<(String, TensorType, Bytes)>,
) -> Summary {
    let described = |(name, ty, elements): (String, TensorType, Bytes)| Described {
        name,
        ty: ty.to_string(),
        bytes: Some(elements.len()),
    };
    let tensors = tensors.into_iter().map(described).collect();
    Summary { format, tensors, ..Summary::default() }
}

pub(crate) fn of_graph(graph: &Graph) -> Result<Summary> {
    let described = |node: &Node, result: u32, name: &str| {
        let ty = node.results.get(result as usize);
        let text = match (ty, &node.open) {
            (Some(ty), _) => ty.to_string(),
            // Of one result.
            (None, Some(Open::Results(_))) => "?".to_owned(),
            (None, Some(open)) => open.to_string(),
            (None, None) => String::new(),
        };
        Described { name: name.to_owned(), ty: text, bytes: ty.map(TensorType::bytes) }
    };
    let named = |wanted: fn(&NodeKind) -> bool| {
        let nodes = graph.nodes().iter().filter(|node| wanted(&node.kind));
        nodes.map(|node| described(node, 0, node.name.as_deref().unwrap_or_default())).collect()
    };
    let output = |name: &str, ValueId { node, result }| {
        let node = graph.nodes().get(node as usize);
        node.map(|node| described(node, result, name))
            .ok_or_else(|| malformed(format!("output `{name}` is no value")))
    };
    let outputs = graph.outputs().iter().map(|o| output(&o.name, o.value));
    let of_files = graph.nodes().iter().filter(|node| node.operator() == Some("onnx"));
    let sets = of_files.filter_map(|node| node.attributes.find("opset")?.scalar());
    let sets: BTreeSet<_> = sets.map(|version| format!("ai.onnx {version}")).collect();
    let sets = sets.into_iter().collect::<Vec<_>>().join(", ");
    Ok(Summary {
        format: "graph in JSON",
        facts: [("operator sets", sets)].into_iter().filter(|(_, sets)| !sets.is_empty()).collect(),
        inputs: named(|kind| matches!(kind, NodeKind::Input)),
        outputs: outputs.collect::<Result<_>>()?,
        tensors: named(|kind| matches!(kind, NodeKind::Parameter)),
        operators: by_frequency(graph.nodes().iter().filter_map(|node| operator(node))),
        parts: Vec::new(),
    })
}

/// The set and the name of the operator of a node: of one of a file of ONNX those that the file says.
fn operator(node: &Node) -> Option<(String, String)> {
    let operator = node.operator()?;
    let text = |name| match node.attributes.find(name) {
        Some(Attribute::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    Some(match (text("op_type"), operator.rsplit_once("::")) {
        (Some(name), _) if operator == "onnx" => (text("domain").unwrap_or("ai.onnx".into()), name),
        (_, Some((package, name))) => (package.to_owned(), name.to_owned()),
        _ => ("ringwood".to_owned(), operator.to_owned()),
    })
}

/// How often each operator, of a set and a name, is among these: the most frequent first.
pub(crate) fn by_frequency(operators: impl Iterator<Item = (String, String)>) -> Vec<Counted> {
    let mut nodes = BTreeMap::new();
    operators.for_each(|operator| *nodes.entry(operator).or_insert(0) += 1);
    let counted = |((set, operator), nodes)| Counted { set, operator, nodes };
    let mut counted: Vec<_> = nodes.into_iter().map(counted).collect();
    counted.sort_by_key(|counted| std::cmp::Reverse(counted.nodes));
    counted
}

#[cfg(test)]
mod tests;
