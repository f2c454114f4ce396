//! From the bytes of a file to a graph.

use super::body::Body;
use super::function::Functions;
use super::nodes::initializers;
use super::order;
use super::proto::ValueInfoProto;
use super::proto::{GraphProto, ModelProto, OperatorSetIdProto, TensorProto, TypeProto};
use super::tensor::{Folder, dtype, tensor};
use crate::map::map;
use prost::Message;
use prost::bytes::Bytes;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::extents;
use ringwood_graph::graph::{Dim, Graph, TensorType, Value};
use ringwood_graph::register_model_format;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The newest operator set that is read.
const NEWEST: i64 = 27;

/// The operator set of a file that says none.
pub(super) const UNSAID: i64 = i64::MAX;

/// Reads an ONNX model; the other files that it names are looked for beside it.
///
/// Inputs keep the names of the file, and are [open](Graph::open_input) where the file gives no extents.
/// Initializers are parameters that have a value. The files are mapped: nobody may change them in place while
/// the graph, or a clone of it, is there.
///
/// # Errors
/// The file cannot be read, or is malformed; it is of an operator set below 7 or above 27; it has values
/// of a type that graphs have not: the error names the file and the node or the tensor.
pub fn load(path: impl AsRef<Path>) -> Result<Graph> {
    load_into(path.as_ref(), Graph::new())
}

register_model_format!(onnx, ["onnx"], load_into);

fn load_into(path: &Path, empty: Graph) -> Result<Graph> {
    let named = |e: Error| e.with("file", path.display());
    map(path).and_then(|bytes| read(bytes, empty, &beside(path))).map_err(named)
}

/// Reads a tensor that stands in a file of its own, as the data of ONNX's tests do.
///
/// # Errors
/// The file cannot be read, or is no tensor of a type that graphs have.
pub fn load_tensor(path: impl AsRef<Path>) -> Result<(TensorType, Bytes)> {
    let path = path.as_ref();
    let named = |e: Error| e.with("file", path.display());
    let given = TensorProto::decode(map(path).map_err(named)?)
        .map_err(|cause| named(Error::invalid("this is no tensor of ONNX").because(cause)))?;
    tensor(&given, &beside(path)).map_err(named)
}

/// What reads the files beside a model; each is mapped once.
fn beside(model: &Path) -> impl Fn(&Path) -> Result<Bytes> {
    let known = RefCell::new(HashMap::<PathBuf, Bytes>::new());
    move |path| {
        if let Some(bytes) = known.borrow().get(path) {
            return Ok(bytes.clone());
        }
        let bytes = map(&model.with_file_name(path))?;
        known.borrow_mut().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }
}

/// The model that these bytes are.
pub(super) fn decode(bytes: Bytes) -> Result<ModelProto> {
    ModelProto::decode(bytes).map_err(|cause| {
        let message = "this is no ONNX model, or one that is nested too deeply";
        Error::invalid(message).because(cause).help(WHOLE)
    })
}

pub(super) const WHOLE: &str =
    "see whether the whole file is there; one of Git LFS is fetched by `git lfs pull`";

/// The graph of a model.
///
/// # Errors
/// It has none.
pub(super) fn main(model: &ModelProto) -> Result<&GraphProto> {
    let absent = || Error::invalid("the model has no graph").help(WHOLE);
    model.graph.as_ref().ok_or_else(absent)
}

/// Adds the model that these bytes are to an empty graph.
pub(super) fn read(bytes: Bytes, mut graph: Graph, folder: &Folder<'_>) -> Result<Graph> {
    let mut model = decode(bytes)?;
    // The first versions of the format say no operator set. Later on it is left out where no node is of it.
    let unsaid = if model.ir_version < 3 { 1 } else { UNSAID };
    let opset = opset(&model.opset_import)?.unwrap_or(unsaid);
    model.graph.iter_mut().for_each(|graph| order::sort(&mut graph.node));
    model.functions.iter_mut().for_each(|function| order::sort(&mut function.node));
    let functions = Functions::new(std::mem::take(&mut model.functions));
    functions.check()?;
    // Before version 4 of the format every initializer is an input as well.
    let defaults = model.ir_version >= 4;
    add(main(&model)?, &mut Body::new(&mut graph, folder, &functions, opset), defaults)?;
    Ok(graph)
}

/// Whether a domain is that of the standard operators.
pub(super) fn is_standard(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

/// The version of the standard operators among these sets, if they say one.
///
/// # Errors
/// They say two, or one that is not read yet.
pub(super) fn opset(sets: &[OperatorSetIdProto]) -> Result<Option<i64>> {
    let mut versions = sets.iter().filter(|set| is_standard(&set.domain)).map(|set| set.version);
    let Some(version) = versions.next() else { return Ok(None) };
    if let Some(other) = versions.find(|other| *other != version) {
        let message = format!("it is of the operator sets {version} and {other} at a time");
        return Err(Error::duplicate(message));
    }
    if version > NEWEST {
        let message = format!("it is of operator set {version}; those to {NEWEST} are read");
        return Err(Error::unsupported(message)
            .help("export it again with another operator set: `opset_version=20`"));
    }
    Ok(Some(version))
}

/// Adds a graph; `defaults` says whether initializers that are inputs are what callers may give others for.
fn add(main: &GraphProto, body: &mut Body<'_>, defaults: bool) -> Result<()> {
    dense(main)?;
    let inputs: HashSet<_> = main.input.iter().map(|input| input.name.as_str()).collect();
    for (name, initializer) in initializers(main) {
        body.named_initializer(initializer, name, defaults && inputs.contains(name))?;
    }
    let known: HashSet<_> = initializers(main).map(|(name, _)| name).collect();
    for given in &main.input {
        if !known.contains(given.name.as_str()) {
            let value = input(given, body.graph).map_err(|e| e.with("input", &given.name))?;
            body.define(&given.name, Some(value))?;
        }
    }
    body.nodes(&main.node)?;
    let mut names = HashSet::new();
    for (i, output) in main.output.iter().enumerate() {
        if output.r#type.as_ref().is_some_and(is_no_tensor) {
            return Err(no_tensor("output").with("output", &output.name));
        }
        let value = body.value(&output.name)?;
        let mut name = output.name.clone();
        if !names.insert(output.name.as_str()) {
            name = format!("{name} output {i}");
        }
        body.graph.output(&name, value)?;
    }
    Ok(())
}

fn input(given: &ValueInfoProto, graph: &mut Graph) -> Result<Value> {
    let (dtype, dims) = input_type(given.r#type.as_ref())?;
    graph.open_input(&given.name, dtype, &dims)
}

/// Whether a type is said, and is not that of tensors.
fn is_no_tensor(ty: &TypeProto) -> bool {
    ty.sequence_type.is_some() || ty.map_type.is_some() || ty.optional_type.is_some()
}

/// Says that a model takes or gives something else than tensors.
fn no_tensor(what: &str) -> Error {
    let message =
        format!("the {what} is no tensor; sequences, maps and optional values are not read");
    Error::unsupported(message)
}

/// Checks that a graph has no sparse initializers.
pub(super) fn dense(graph: &GraphProto) -> Result<()> {
    if graph.sparse_initializer.is_empty() {
        return Ok(());
    }
    Err(Error::unsupported("the model has sparse initializers, which are not read"))
}

/// The element type and the extents of an input.
fn input_type(given: Option<&TypeProto>) -> Result<(DType, Vec<Dim>)> {
    let Some(ty) = given.and_then(|ty| ty.tensor_type.as_ref()) else {
        return Err(no_tensor("input"));
    };
    let Some(shape) = &ty.shape else {
        return Err(Error::unsupported("the input has no rank")
            .help("export the model with a shape for each input; its extents may stay open"));
    };
    // Some exporters write an open extent as 0 or −1.
    let given = shape.dim.iter().map(|dim| dim.dim_value.filter(|n| *n != -1).unwrap_or(0));
    let extents = extents(&given.collect::<Vec<_>>())?;
    let dims = shape.dim.iter().zip(extents).map(|(dim, extent)| match extent {
        0 => Dim::Open(dim.dim_param.clone().unwrap_or_default()),
        extent => Dim::Extent(extent),
    });
    Ok((dtype(ty.elem_type.into())?, dims.collect()))
}

#[cfg(test)]
mod tests;
