//! From the bytes of a file to a graph.

use super::attribute::attribute;
use super::proto::{GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto};
use super::tensor::{Folder, dtype, tensor};
use crate::map::map;
use prost::Message;
use prost::bytes::Bytes;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_graph::graph::{Attribute, Attributes, Dim, Graph, TensorType, Value};
use ringwood_graph::register_model_format;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The operator sets that are read.
const OPSETS: std::ops::RangeInclusive<i64> = 7..=27;

/// The most elements of an initializer that is a constant of the graph: shapes and axes are among them,
/// which must be known before a run. Larger ones are parameters.
const MOST_CONSTANT: usize = 1024;

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
    let (folder, name) = Beside::of(path);
    let bytes = folder.read(name).map_err(named)?;
    read(bytes, empty, &folder).map_err(named)
}

/// Reads a tensor that stands in a file of its own, as the data of ONNX's tests do.
///
/// # Errors
/// The file cannot be read, or is no tensor of a type that graphs have.
pub fn load_tensor(path: impl AsRef<Path>) -> Result<(TensorType, Bytes)> {
    let path = path.as_ref();
    let named = |e: Error| e.with("file", path.display());
    let (folder, name) = Beside::of(path);
    let given = TensorProto::decode(folder.read(name).map_err(named)?).map_err(|cause| {
        let message = "this is no tensor of ONNX";
        named(Error::new(ErrorKind::InvalidArgument, message).because(cause))
    })?;
    tensor(&given, &folder).map_err(named)
}

/// The folder of a model; each file of it is mapped once.
struct Beside {
    folder: PathBuf,
    read: RefCell<HashMap<PathBuf, Bytes>>,
}

impl Beside {
    /// The folder of a file, and the name of the file in it.
    fn of(path: &Path) -> (Self, &Path) {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_name().map_or(path, Path::new);
        (Self { folder, read: RefCell::default() }, name)
    }
}

impl Folder for Beside {
    fn read(&self, path: &Path) -> Result<Bytes> {
        if let Some(bytes) = self.read.borrow().get(path) {
            return Ok(bytes.clone());
        }
        let bytes = map(&self.folder.join(path))?;
        self.read.borrow_mut().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }
}

/// Adds the model that these bytes are to an empty graph.
pub(super) fn read(bytes: Bytes, graph: Graph, folder: &dyn Folder) -> Result<Graph> {
    let model = ModelProto::decode(bytes).map_err(|cause| {
        let message = "this is no ONNX model, or one that is nested too deeply";
        Error::new(ErrorKind::InvalidArgument, message).because(cause)
    })?;
    let standard = model.opset_import.iter().find(|set| is_standard(&set.domain));
    let opset = standard.map_or(1, |set| set.version);
    if !OPSETS.contains(&opset) {
        let message = format!("the model is of operator set {opset}; those from 7 to 27 are read");
        return Err(Error::new(ErrorKind::Unsupported, message)
            .help("export it again with another operator set: `opset_version=20`"));
    }
    let Some(main) = &model.graph else {
        return Err(Error::new(ErrorKind::InvalidArgument, "the model has no graph"));
    };
    let mut reader = Reader { graph, folder, opset, values: HashMap::new() };
    reader.main(main)?;
    Ok(reader.graph)
}

/// Whether a domain is that of the standard operators.
pub(super) fn is_standard(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

struct Reader<'a> {
    graph: Graph,
    folder: &'a dyn Folder,
    opset: i64,
    values: HashMap<String, Value>,
}

impl Reader<'_> {
    fn main(&mut self, main: &GraphProto) -> Result<()> {
        if !main.sparse_initializer.is_empty() {
            let message = "the model has sparse initializers, which are not read";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        for initializer in &main.initializer {
            self.initializer(initializer).map_err(|e| e.with("initializer", &initializer.name))?;
        }
        for input in &main.input {
            if !self.values.contains_key(&input.name) {
                self.input(input).map_err(|e| e.with("input", &input.name))?;
            }
        }
        for (i, node) in main.node.iter().enumerate() {
            self.node(node).map_err(|e| e.with("node", describe(i, node)))?;
        }
        for output in &main.output {
            let value = self.value(&output.name)?;
            self.graph.output(&output.name, value)?;
        }
        Ok(())
    }

    fn initializer(&mut self, given: &TensorProto) -> Result<()> {
        let (ty, bytes) = tensor(given, self.folder)?;
        let value = match ty.shape.elements() <= MOST_CONSTANT {
            true => self.graph.constant_bytes(ty.dtype, &ty.shape, &bytes)?,
            false => self.graph.weight(&given.name, ty.dtype, &ty.shape, bytes)?,
        };
        self.define(&given.name, value)
    }

    fn input(&mut self, given: &ValueInfoProto) -> Result<()> {
        let (dtype, dims) = input_type(given.r#type.as_ref())?;
        let value = self.graph.open_input(&given.name, dtype, &dims)?;
        self.define(&given.name, value)
    }

    fn node(&mut self, node: &NodeProto) -> Result<()> {
        let mut attributes = Vec::new();
        for given in &node.attribute {
            attributes.push((given.name.clone(), attribute(given, self.folder)?));
        }
        let mut operands = Vec::new();
        let mut absent = Vec::new();
        for (place, name) in node.input.iter().enumerate() {
            match name.as_str() {
                "" => absent.push(place as i64),
                name => operands.push(self.value(name)?),
            }
        }
        if node.op_type == "Constant" && is_standard(&node.domain) {
            let value = self.constant(&attributes)?;
            return self.define(node.output.first().map_or("", String::as_str), value);
        }
        let mut own: Vec<(&str, Attribute)> = vec![
            ("op_type", node.op_type.as_str().into()),
            ("opset", self.opset.into()),
            ("results", node.output.len().into()),
        ];
        if !is_standard(&node.domain) {
            own.push(("domain", node.domain.as_str().into()));
        }
        if !absent.is_empty() {
            own.push(("absent", absent.into()));
        }
        attributes.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
        let attributes: Attributes = attributes.into_iter().collect();
        let results = self.graph.apply_all("ringwood::onnx", &operands, attributes)?;
        if results.len() < node.output.len() {
            let (got, want) = (results.len(), node.output.len());
            let message = format!("{got} results were made of it, and {want} are named");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        for (name, value) in node.output.iter().zip(results).filter(|(name, _)| !name.is_empty()) {
            self.define(name, value)?;
        }
        Ok(())
    }

    /// The value of a node `Constant`.
    fn constant(&mut self, attributes: &[(String, Attribute)]) -> Result<Value> {
        match attributes {
            [(_, Attribute::Tensor(ty, bytes))] => {
                self.graph.constant_bytes(ty.dtype, &ty.shape, bytes)
            }
            [(_, Attribute::Integers(values))] => self.graph.constant(&[values.len()], values),
            [(_, Attribute::Floats(values))] => self.graph.constant(&[values.len()], values),
            [(name, Attribute::Scalar(value))] if name == "value_int" || name == "value_float" => {
                match *value {
                    ringwood_base::Scalar::I64(value) => self.graph.constant(&[], &[value]),
                    ringwood_base::Scalar::F32(value) => self.graph.constant(&[], &[value]),
                    _ => unreachable!("attributes of files are of these types"),
                }
            }
            _ => {
                let message = "a constant has one attribute, its value: numbers or a tensor";
                Err(Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    fn value(&self, name: &str) -> Result<Value> {
        self.values.get(name).copied().ok_or_else(|| {
            let message = format!("there is no value `{name}` before it is used");
            Error::new(ErrorKind::NotFound, message)
                .help("the nodes of a model stand in an order of execution")
        })
    }

    fn define(&mut self, name: &str, value: Value) -> Result<()> {
        if self.values.insert(name.to_owned(), value).is_none() {
            return Ok(());
        }
        let message = format!("there are two values `{name}`");
        Err(Error::new(ErrorKind::Duplicate, message))
    }
}

/// `node 12 "conv1" (Conv)`.
fn describe(i: usize, node: &NodeProto) -> String {
    let domain = if is_standard(&node.domain) { String::new() } else { node.domain.clone() + "." };
    format!("{i} {:?} ({domain}{})", node.name, node.op_type)
}

/// The element type and the extents of an input.
fn input_type(given: Option<&TypeProto>) -> Result<(DType, Vec<Dim>)> {
    let Some(ty) = given.and_then(|ty| ty.tensor_type.as_ref()) else {
        let message = "the input is no tensor; sequences, maps and optional values are not read";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let Some(shape) = &ty.shape else {
        let message = "the input has no rank";
        return Err(Error::new(ErrorKind::Unsupported, message)
            .help("export the model with a shape for each input; its extents may stay open"));
    };
    let dim = |dim: &super::proto::TensorShapeProtoDimension| match dim.dim_value {
        Some(extent) if extent > 0 => Dim::Extent(extent as usize),
        _ => Dim::Open(dim.dim_param.clone().unwrap_or_default()),
    };
    Ok((dtype(ty.elem_type.into())?, shape.dim.iter().map(dim).collect()))
}
