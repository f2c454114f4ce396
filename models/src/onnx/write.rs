//! From a graph to a file.

mod call;
mod table;
mod training;
mod window;

use super::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TensorShapeProtoDimension, TypeProto, TypeProtoTensor, ValueInfoProto,
};
use super::tensor::code;
use crate::file::{little_endian, write};
use call::Call;
use prost::Message;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::{Dim, Graph, Node, NodeKind, Open, Output, TensorType, ValueId};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The operator set of what is written, and the version of the format that it came with.
const OPSET: i64 = 20;
const FORMAT: i64 = 9;

/// The bytes that a message of protocol buffers can have.
const MOST_BYTES: usize = i32::MAX as usize;

/// Writes a graph of operators that ONNX has, with its weights, in place of a file that may be there.
///
/// Inputs keep their names and the extents that are open. Values of ONNX have names of their own: an output that is
/// called as an input or parameter, as those of a training step are, has `.out` after its name.
///
/// # Errors
/// A node applies an operator that is not written as ONNX: the error lists all those; a parameter has no value; two
/// outputs have one name; the file would have 2 GiB or more, or cannot be written.
pub fn save(graph: &Graph, path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let named = |e: Error| e.with("file", path.display());
    let model = ModelProto {
        ir_version: FORMAT,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: OPSET }],
        producer_name: "ringwood".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        graph: Some(Writer::of(graph).and_then(|writer| writer.graph(graph)).map_err(named)?),
        ..ModelProto::default()
    };
    let bytes = model.encoded_len();
    if bytes > MOST_BYTES {
        let message = format!("the model has {bytes} bytes; a file of ONNX holds {MOST_BYTES}");
        return Err(named(Error::unsupported(message)));
    }
    write(path, [&model.encode_to_vec()[..]])
}

/// Values by name, and what was written.
struct Writer {
    /// What names of values that have none start with.
    prefix: String,
    names: HashMap<ValueId, String>,
    /// What the outputs are called.
    outputs: Vec<String>,
    /// The types of the results of each node, with an extent of 2 for each that is open.
    types: Vec<Vec<TensorType>>,
    written: GraphProto,
}

impl Writer {
    /// Names the values: inputs, parameters and outputs as they are called.
    fn of(graph: &Graph) -> Result<Self> {
        let sources = graph.nodes().iter().filter_map(|node| node.name.as_deref());
        let sources: BTreeSet<_> = sources.collect();
        let output = |name: &str| match sources.contains(name) {
            true => format!("{name}.out"),
            false => name.to_owned(),
        };
        let outputs: Vec<_> = graph.outputs().iter().map(|o| output(&o.name)).collect();
        let mut taken = sources.clone();
        if let Some(twice) = outputs.iter().find(|name| !taken.insert(*name)) {
            return Err(Error::duplicate(format!("two values are called `{twice}`"))
                .help("values of ONNX have names of their own: call the output otherwise"));
        }
        let mut prefix = "%".to_owned();
        while taken.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('%');
        }
        let mut names = HashMap::new();
        for (output, name) in graph.outputs().iter().zip(&outputs) {
            if graph.nodes()[output.value.node as usize].operator().is_some() {
                names.entry(output.value).or_insert_with(|| name.clone());
            }
        }
        Ok(Self {
            prefix,
            names,
            outputs,
            types: Vec::new(),
            written: GraphProto { name: "main".into(), ..Default::default() },
        })
    }

    fn graph(mut self, graph: &Graph) -> Result<GraphProto> {
        let operators = graph.nodes().iter().filter_map(|node| node.operator());
        let unknown: BTreeSet<_> = operators.filter(|name| !table::is_written(name)).collect();
        if !unknown.is_empty() {
            let unknown: Vec<_> = unknown.into_iter().collect();
            let message = format!("operators that are not written as ONNX: {}", unknown.join(", "));
            return Err(Error::unsupported(message).help(match unknown.contains(&"onnx") {
                true => "of a model that was read, write what `Graph::with_shapes` gives",
                false => "`package::save` writes a graph of any operators",
            }));
        }
        self.types = types(graph, 2)?;
        let weights = graph.weights().map(|(name, _, elements)| (name, &elements[..])).collect();
        for (i, node) in graph.nodes().iter().enumerate() {
            let named = |e: Error| e.with("node", format!("%{i} = {node}"));
            self.node(graph, &weights, i).map_err(named)?;
        }
        let outputs = std::mem::take(&mut self.outputs).into_iter().zip(graph.outputs());
        for ((name, output), (dtype, dims)) in outputs.zip(self.output_types(graph)?) {
            self.written.output.push(value_info(&name, dtype, &dims));
            let value = self.name(output.value);
            if value != name {
                self.push("Identity", vec![value], vec![name], Vec::new());
            }
        }
        Ok(self.written)
    }

    fn node(&mut self, graph: &Graph, weights: &HashMap<&str, &[u8]>, i: usize) -> Result<()> {
        let node: &Node = &graph.nodes()[i];
        let id = ValueId { node: i as u32, result: 0 };
        if let Some(name) = &node.name {
            self.names.insert(id, name.clone());
        }
        match (&node.kind, &node.open) {
            (NodeKind::Input, open) => {
                let name = node.name.as_deref().unwrap_or_default();
                let (dtype, dims) = match open {
                    Some(Open::Input(dtype, dims)) => (*dtype, dims.clone()),
                    _ => fixed(node.results[0]),
                };
                self.written.input.push(value_info(name, dtype, &dims));
            }
            (NodeKind::Parameter, _) => {
                let name = node.name.as_deref().unwrap_or_default();
                let elements = weights.get(name).ok_or_else(|| {
                    let message = format!("parameter `{name}` has no value");
                    Error::not_found(message).help("add it with `Graph::weight`")
                })?;
                self.initializer(name.to_owned(), node.results[0], elements);
            }
            (NodeKind::Constant(elements), _) => {
                self.initializer(self.name(id), node.results[0], elements);
            }
            (NodeKind::Copy, _) => {
                let (operand, name) = (self.name(node.operands[0]), self.name(id));
                self.push("Identity", vec![operand], vec![name], Vec::new());
            }
            (NodeKind::Apply(operator), _) => {
                let mut call = Call::of(self, graph, node, id);
                table::write(&mut call, operator)?;
            }
            (NodeKind::Collective(call), _) => {
                return Err(Error::unsupported(format!("ONNX has no collectives: `{call}`"))
                    .help("write the program of one rank, as of `Alone`"));
            }
            (NodeKind::Fused(_) | NodeKind::View(_), _) => {
                return Err(Error::unsupported("a graph is written before it is planned"));
            }
        }
        Ok(())
    }

    /// The name of a value.
    fn name(&self, ValueId { node, result }: ValueId) -> String {
        let known = self.names.get(&ValueId { node, result }).cloned();
        known.unwrap_or_else(|| format!("{}{node}.{result}", self.prefix))
    }

    /// The type of the elements of a value.
    fn dtype(&self, id: ValueId) -> DType {
        self.types[id.node as usize][id.result as usize].dtype
    }

    /// The types of the outputs. Of a graph with open inputs, extents that change with those are open.
    fn output_types(&self, graph: &Graph) -> Result<Vec<(DType, Vec<Dim>)>> {
        let three = types(graph, 3)?;
        let dim = |(&two, &three): (&usize, &usize)| match two == three {
            true => Dim::Extent(two),
            false => Dim::Open(String::new()),
        };
        let ty = |&Output { value: ValueId { node, result }, .. }: &Output| {
            let [two, three] =
                [&self.types, &three].map(|types| types[node as usize][result as usize]);
            (two.dtype, two.shape.iter().zip(&three.shape[..]).map(dim).collect())
        };
        Ok(graph.outputs().iter().map(ty).collect())
    }

    /// The name of the n-th value beside another one.
    fn part(&self, ValueId { node, result }: ValueId, n: usize) -> String {
        format!("{}{node}.{result}.{n}", self.prefix)
    }

    fn initializer(&mut self, name: String, ty: TensorType, elements: &[u8]) {
        self.written.initializer.push(TensorProto {
            name,
            dims: ty.shape.iter().map(|&extent| extent as i64).collect(),
            data_type: code(ty.dtype),
            raw_data: little_endian(elements, ty.dtype).into_owned().into(),
            ..TensorProto::default()
        });
    }

    fn push(
        &mut self,
        op_type: &str,
        input: Vec<String>,
        output: Vec<String>,
        attribute: Vec<AttributeProto>,
    ) {
        self.written.node.push(NodeProto {
            op_type: op_type.to_owned(),
            input,
            output,
            attribute,
            ..Default::default()
        });
    }
}

fn fixed(ty: TensorType) -> (DType, Vec<Dim>) {
    (ty.dtype, ty.shape.iter().map(|&extent| extent.into()).collect())
}

fn value_info(name: &str, dtype: DType, dims: &[Dim]) -> ValueInfoProto {
    let dim = |dim: &Dim| match dim {
        Dim::Extent(extent) => {
            TensorShapeProtoDimension { dim_value: Some(*extent as i64), ..Default::default() }
        }
        Dim::Open(name) => TensorShapeProtoDimension {
            dim_param: Some(name.clone()).filter(|name| !name.is_empty()),
            ..Default::default()
        },
    };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let tensor_type = Some(TypeProtoTensor { elem_type: code(dtype), shape });
    let ty = TypeProto { tensor_type, ..TypeProto::default() };
    ValueInfoProto { name: name.to_owned(), r#type: Some(ty) }
}

/// The types of the results of each node, with this extent where extents of inputs are open.
fn types(graph: &Graph, open: usize) -> Result<Vec<Vec<TensorType>>> {
    if !graph.is_open() {
        return Ok(graph.nodes().iter().map(|node| node.results.to_vec()).collect());
    }
    let mut shapes = Vec::new();
    for node in graph.nodes() {
        if let (Some(name), Some(Open::Input(_, dims))) = (&node.name, &node.open) {
            let extent = |dim: &Dim| if let Dim::Extent(extent) = dim { *extent } else { open };
            shapes.push((name.as_str(), dims.iter().map(extent).collect::<Vec<_>>()));
        }
    }
    let shapes: Vec<_> = shapes.iter().map(|(name, dims)| (*name, &dims[..])).collect();
    graph.types_with_shapes(&shapes)
}
