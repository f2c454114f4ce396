//! What a file of ONNX holds.

use super::nibbles::is_packed;
use super::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto,
};
use super::read::{decode, is_standard, main};
use super::tensor::{dtype, type_name};
use crate::map::map;
use crate::summary::{Counted, Described, Summary, by_frequency};
use ringwood_base::{Error, Result};
use std::collections::HashSet;
use std::path::Path;

/// Says what a model holds, also one that is not read into a graph.
///
/// # Errors
/// The file cannot be read, or is no model.
pub fn inspect(path: impl AsRef<Path>) -> Result<Summary> {
    let path = path.as_ref();
    let named = |e: Error| e.with("file", path.display());
    let model = map(path).and_then(decode).map_err(named)?;
    let graph = main(&model).map_err(named)?;
    let weights: HashSet<_> = graph.initializer.iter().map(|tensor| &tensor.name).collect();
    let inputs = graph.input.iter().filter(|input| !weights.contains(&input.name));
    Ok(Summary {
        format: "ONNX model",
        facts: facts(&model),
        inputs: inputs.map(value).collect(),
        outputs: graph.output.iter().map(value).collect(),
        tensors: graph.initializer.iter().map(parameter).collect(),
        operators: operators(&model, graph),
        ..Summary::default()
    })
}

fn facts(model: &ModelProto) -> Vec<(&'static str, String)> {
    let set = |domain: &str, version| format!("{} {version}", set_name(domain));
    let sets = model.opset_import.iter().map(|given| set(&given.domain, given.version));
    let producer = format!("{} {}", model.producer_name, model.producer_version);
    let functions = model.functions.iter().map(|f| format!("{}.{}", f.domain, f.name));
    let facts = [
        ("producer", producer.trim().to_owned()),
        ("format version", model.ir_version.to_string()),
        ("operator sets", sets.collect::<Vec<_>>().join(", ")),
        ("functions", functions.collect::<Vec<_>>().join(", ")),
        ("description", model.doc_string.lines().next().unwrap_or_default().to_owned()),
    ];
    facts.into_iter().filter(|(_, fact)| !fact.is_empty()).collect()
}

fn set_name(domain: &str) -> String {
    if is_standard(domain) { "ai.onnx".to_owned() } else { domain.to_owned() }
}

fn value(given: &ValueInfoProto) -> Described {
    let ty = given.r#type.as_ref().map_or("?".into(), type_text);
    Described { name: given.name.clone(), ty, bytes: None }
}

/// `f32[batch, 3]`, `sequence of f32[]`.
fn type_text(ty: &TypeProto) -> String {
    let of = |inner: &Option<Box<TypeProto>>| inner.as_deref().map_or("?".into(), type_text);
    if let Some(tensor) = &ty.tensor_type {
        return element(tensor.elem_type) + &dims(tensor.shape.as_ref());
    }
    if let Some(tensor) = &ty.sparse_tensor_type {
        return format!("sparse {}{}", element(tensor.elem_type), dims(tensor.shape.as_ref()));
    }
    match (&ty.sequence_type, &ty.map_type, &ty.optional_type) {
        (Some(sequence), ..) => format!("sequence of {}", of(&sequence.elem_type)),
        (_, Some(map), _) => {
            format!("map from {} to {}", element(map.key_type), of(&map.value_type))
        }
        (.., Some(optional)) => format!("optional {}", of(&optional.elem_type)),
        _ => "?".into(),
    }
}

fn element(code: i32) -> String {
    type_name(code).unwrap_or_else(|| format!("type {code}"))
}

/// `[batch, 3]`; nothing for an unknown rank.
fn dims(shape: Option<&TensorShapeProto>) -> String {
    let Some(shape) = shape else { return String::new() };
    let dims = shape.dim.iter().map(|dim| match (&dim.dim_param, dim.dim_value) {
        (Some(name), _) if !name.is_empty() => name.clone(),
        (_, Some(extent)) if extent > 0 => extent.to_string(),
        _ => "?".into(),
    });
    format!("[{}]", dims.collect::<Vec<_>>().join(", "))
}

fn parameter(given: &TensorProto) -> Described {
    let extents = given.dims.iter().map(|&extent| usize::try_from(extent).ok());
    let known = |extent: Option<usize>| extent.map_or("?".into(), |extent| extent.to_string());
    let texts: Vec<String> = extents.clone().map(known).collect();
    let ty = format!("{}[{}]", element(given.data_type), texts.join(", "));
    let elements = extents.clone().try_fold(1_usize, |all, extent| all.checked_mul(extent?));
    let bytes = match dtype(given.data_type.into()) {
        Ok(dtype) => elements.and_then(|elements| elements.checked_mul(dtype.size())),
        Err(_) => elements.filter(|_| is_packed(given)).map(|elements| elements.div_ceil(2)),
    };
    Described { name: given.name.clone(), ty, bytes }
}

fn operators(model: &ModelProto, graph: &GraphProto) -> Vec<Counted> {
    let mut nodes = Vec::new();
    collect(&graph.node, &mut nodes);
    model.functions.iter().for_each(|function| collect(&function.node, &mut nodes));
    by_frequency(nodes.into_iter().map(|node| (set_name(&node.domain), node.op_type.clone())))
}

/// These nodes, and those of the graphs among their attributes.
fn collect<'a>(given: &'a [NodeProto], nodes: &mut Vec<&'a NodeProto>) {
    for node in given {
        nodes.push(node);
        let graphs = |a: &'a AttributeProto| a.g.iter().chain(&a.graphs);
        node.attribute.iter().flat_map(graphs).for_each(|graph| collect(&graph.node, nodes));
    }
}
