//! From a graph JSON to a graph.

use super::file::{GraphFile, NodeEntry, dtype};
use super::names::{Part, parts};
use crate::file::malformed;
use crate::map::map;
use ringwood_base::{Error, Result};
use ringwood_graph::compose::dimension;
use ringwood_graph::graph::{Attribute, Attributes, Graph, TensorType, Value, ValueId};
use ringwood_graph::operator::Operator;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Reads a graph JSON. Inputs keep their names; outputs are called `NODE:RESULT`, or
/// `NODE:RESULT head NUMBER` where an earlier head is the same.
///
/// The storage of the file is checked and then planned anew. `devices` says which the numbers of its column
/// `device_index` mean: places in a list, as [`save`](super::save) writes them, or types of devices, as TVM does (1 the
/// processor, 2 CUDA, 4 OpenCL). Without that column, nodes ask for no device.
///
/// # Errors
/// The file cannot be read, is malformed, or has functions that are no operators, all of which the error
/// lists; a number is of no device in `devices`; what an operator makes of its operands is not of the type that
/// the file says: the error names the node.
pub fn load(path: impl AsRef<Path>, devices: &[(i64, &str)]) -> Result<Graph> {
    load_into(path.as_ref(), Graph::new(), devices)
}

/// Adds the graph of a file to an empty one.
pub(super) fn load_into(path: &Path, graph: Graph, devices: &[(i64, &str)]) -> Result<Graph> {
    let read = || read(&map(path)?, graph, devices);
    read().map_err(|e| e.with("file", path.display()))
}

fn read(bytes: &[u8], graph: Graph, devices: &[(i64, &str)]) -> Result<Graph> {
    let file: GraphFile = serde_json::from_slice(bytes)
        .map_err(|e| malformed("this is no graph JSON of TVM").because(e))?;
    check(&file)?;
    let shapes = file.column::<Vec<usize>>("shape", "list_shape")?;
    let words = file.column::<String>("dltype", "list_str")?;
    let types = shapes.iter().zip(&words).map(|(shape, word)| TensorType::new(dtype(word)?, shape));
    let types = types.collect::<Result<_>>()?;
    let given = |name: &str| file.attrs.contains_key(name);
    let places = given("device_index").then(|| file.column("device_index", "list_int"));
    let places: Option<Vec<i64>> = places.transpose()?;
    check_storage(&file.column("storage_id", "list_int")?, places.as_deref())?;
    if given("storage_scope") {
        file.column::<String>("storage_scope", "list_str")?;
    }
    let operators = operators(&graph, &file)?;
    let values = Vec::new();
    let mut reader = Reader { graph, file: &file, types, places, devices, operators, values };
    for (i, node) in file.nodes.iter().enumerate() {
        reader.node(i, node).map_err(|e| e.with("node", format!("{i} {:?}", node.name)))?;
    }
    let mut names = HashSet::new();
    for (i, head) in file.heads.iter().enumerate() {
        let value = reader.entry(head)?;
        let mut name = format!("{}:{}", file.nodes[head[0]].name, head[1]);
        if !names.insert(name.clone()) {
            name = format!("{name} head {i}");
        }
        reader.graph.output(&name, value)?;
    }
    Ok(reader.graph)
}

/// Columns that mean something; others are skipped where the file's types say how.
const COLUMNS: [&str; 5] = ["shape", "dltype", "storage_id", "device_index", "storage_scope"];

/// Checks what all nodes have to do with each other.
fn check(file: &GraphFile) -> Result<()> {
    let (rows, nodes) = (&file.node_row_ptr, file.nodes.len());
    if rows.len() != nodes + 1 || rows[0] != 0 || !rows.is_sorted() {
        let message = format!("`node_row_ptr` counts the results of {nodes} nodes, from 0 on");
        return Err(malformed(message));
    }
    let input = |&node: &usize| file.nodes.get(node).is_some_and(|node| node.op == "null");
    if let Some(node) = file.arg_nodes.iter().find(|node| !input(node)) {
        return Err(malformed(format!("node {node} of `arg_nodes` is no input")));
    }
    for (name, (tag, _)) in &file.attrs {
        if !COLUMNS.contains(&name.as_str()) && !matches!(tag.as_str(), "list_int" | "size_t") {
            return Err(malformed(format!("column `{name}` of type `{tag}` cannot be skipped")));
        }
    }
    Ok(())
}

/// Checks that each storage is there, and on one device.
fn check_storage(storage: &[i64], places: Option<&[i64]>) -> Result<()> {
    let mut devices = BTreeMap::new();
    for (result, &id) in storage.iter().enumerate() {
        if id < 0 {
            let message = format!("result {result} has the storage {id}: sizes that a run decides");
            return Err(Error::unsupported(message));
        }
        let place = places.map_or(0, |places| places[result]);
        let on = *devices.entry(id).or_insert(place);
        if on != place {
            return Err(malformed(format!("storage {id} is on device {on} and on device {place}")));
        }
    }
    Ok(())
}

/// The operators of every function.
///
/// # Errors
/// Some are not known: the error lists them.
fn operators<'a>(graph: &Graph, file: &'a GraphFile) -> Result<BTreeMap<&'a str, Vec<Part>>> {
    let mut known = BTreeMap::new();
    for node in file.nodes.iter().filter(|node| node.op != "null") {
        let function = node.attribute("func_name").map_err(|e| e.with("node", &node.name))?;
        if !function.starts_with("__") && !known.contains_key(function) {
            known.insert(function, parts(graph.registry()?, function));
        }
    }
    let missing: Vec<_> = known.keys().filter(|name| known[*name].is_empty()).copied().collect();
    if missing.is_empty() {
        return Ok(known);
    }
    let message = format!("there are no operators for the functions {}", missing.join(", "));
    Err(Error::unsupported(message)
        .help("register an operator of each name with `register_operator!`"))
}

struct Reader<'a> {
    graph: Graph,
    file: &'a GraphFile,
    /// The type of each result.
    types: Vec<TensorType>,
    places: Option<Vec<i64>>,
    /// The number and the name of each device of the file.
    devices: &'a [(i64, &'a str)],
    operators: BTreeMap<&'a str, Vec<Part>>,
    /// The results of each node so far.
    values: Vec<Vec<Value>>,
}

impl<'a> Reader<'a> {
    /// The device of a number.
    fn device(&self, number: i64) -> Result<&'a str> {
        let found = self.devices.iter().find(|(known, _)| *known == number);
        found.map(|(_, name)| *name).ok_or_else(|| {
            let message = format!("no name is given for device {number} of the file");
            Error::device(message).help("name its devices in `tvm::load`")
        })
    }

    fn node(&mut self, i: usize, node: &NodeEntry) -> Result<()> {
        let row = self.file.node_row_ptr[i];
        let types = self.types[row..self.file.node_row_ptr[i + 1]].to_vec();
        if types.is_empty() {
            return Err(malformed("a node has a result, in `node_row_ptr`"));
        }
        let inputs = node.inputs.iter().map(|e| self.entry(e)).collect::<Result<Vec<_>>>()?;
        let device = self.places.as_ref().map(|places| self.device(places[row])).transpose()?;
        let before = self.graph.nodes().len();
        let values = match node.op.as_str() {
            "null" => {
                let [ty] = types[..] else { return Err(malformed("an input has one result")) };
                vec![self.graph.input(&node.name, ty.dtype, &ty.shape)?]
            }
            "tvm_op" => self.function(node, inputs, &types, device)?,
            other => return Err(malformed(format!("a node is `null` or `tvm_op`, not `{other}`"))),
        };
        let given = values.iter().map(|v| self.graph.type_of(*v)).collect::<Result<Vec<_>>>()?;
        if given != types {
            let [given, types] = [given, types]
                .map(|types| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
            return Err(Error::shape(format!("it gives {given}, not {types}")));
        }
        if let Some(device) = device {
            for node in before..self.graph.nodes().len() {
                let value = self.graph.value(ValueId { node: node as u32, result: 0 })?;
                self.graph.place(value, device)?;
            }
        }
        self.values.push(values);
        Ok(())
    }

    fn function(
        &mut self,
        node: &NodeEntry,
        mut inputs: Vec<Value>,
        types: &[TensorType],
        device: Option<&str>,
    ) -> Result<Vec<Value>> {
        let count = node.attribute("num_outputs")?;
        let flat = node.attribute("flatten_data")? == "1";
        node.attribute("num_inputs")?;
        if count != types.len().to_string() {
            return Err(malformed(format!("it has {} results, not {count}", types.len())));
        }
        let function = node.attribute("func_name")?;
        match (function, &inputs[..]) {
            ("__nop", &[x]) => return Ok(vec![self.reshape(x, &types[0].shape)?]),
            ("__copy", &[x]) => return Ok(vec![self.graph.copy(x, device.unwrap_or("cpu:0"))?]),
            (name, _) if name.starts_with("__") => {
                return Err(malformed(format!("`{name}` of {} inputs is not known", inputs.len())));
            }
            _ => {}
        }
        for value in inputs.iter_mut().filter(|_| flat) {
            *value = self.reshape(*value, &[self.graph.type_of(*value)?.shape.elements()])?;
        }
        let mut values = self.apply(node, function, &inputs)?;
        for (value, ty) in values.iter_mut().zip(types).filter(|_| flat) {
            *value = self.reshape(*value, &ty.shape)?;
        }
        Ok(values)
    }

    /// The first operator takes as many inputs as it has operands; each other one what the one before it
    /// gave, and as many of the inputs that are left.
    fn apply(&mut self, node: &NodeEntry, name: &str, inputs: &[Value]) -> Result<Vec<Value>> {
        let (mut left, mut values) = (inputs.iter(), Vec::new());
        let count = self.operators[name].len();
        for i in 0..count {
            let Part { operator, is_bias, is_along } = self.operators[name][i];
            let taken = match count {
                1 => left.len(),
                _ => operator.operands()?.saturating_sub(values.len()),
            };
            values.extend(left.by_ref().take(taken));
            if is_along {
                values = self.along(&operator, &values, node)?;
                continue;
            }
            if let (true, [x, bias]) = (is_bias, &mut values[..]) {
                *bias = self.beside(*bias, *x, node)?;
            }
            values = self.graph.apply_all(operator.name, &values, attributes(node, &operator)?)?;
        }
        match left.len() {
            0 => Ok(values),
            more => {
                Err(Error::invalid(format!("its operators take {more} inputs less than it has")))
            }
        }
    }

    /// A number for each channel of `x`, in a shape that spreads over the rest: channels are dimension 1 unless the node
    /// says another.
    fn beside(&mut self, numbers: Value, x: Value, node: &NodeEntry) -> Result<Value> {
        let axis = axis(node)?.unwrap_or(1);
        let (own, rank) = (self.graph.type_of(numbers)?.shape, self.graph.type_of(x)?.shape.len());
        let after = rank.saturating_sub(dimension(axis, rank)? + 1);
        self.reshape(numbers, &[&own[..], &vec![1; after]].concat())
    }

    /// A function of rows, along the axis that the node says. Without one, rows are those of a matrix.
    fn along(
        &mut self,
        rows: &Operator,
        operands: &[Value],
        node: &NodeEntry,
    ) -> Result<Vec<Value>> {
        if let Some(axis) = axis(node)? {
            let along = format!("{}_along", rows.name);
            return self.graph.apply_all(&along, operands, [("axis", axis)]);
        }
        for operand in operands {
            let ty = self.graph.type_of(*operand)?;
            if ty.shape.len() > 2 {
                let message = format!("the `axis` of `{}` is not known, of {ty}", rows.name);
                return Err(Error::unsupported(message));
            }
        }
        self.graph.apply_all(rows.name, operands, Attributes::default())
    }

    fn reshape(&mut self, value: Value, shape: &[usize]) -> Result<Value> {
        match self.graph.type_of(value)?.shape[..] == *shape {
            true => Ok(value),
            false => self.graph.apply_with("ringwood::reshape", &[value], [("shape", shape)]),
        }
    }

    /// The value of `[node, result]` or `[node, result, version]`.
    fn entry(&self, entry: &[usize]) -> Result<Value> {
        let (&[node, result] | &[node, result, _]) = entry else {
            return Err(malformed(format!("{entry:?} is no node, result and version")));
        };
        self.values.get(node).and_then(|results| results.get(result)).copied().ok_or_else(|| {
            let message = format!("there is no result {result} of node {node} before it is used");
            malformed(message).help("nodes stand in an order of execution; there are no cycles")
        })
    }
}

/// The axis that a node says, if it says one.
fn axis(node: &NodeEntry) -> Result<Option<i64>> {
    let axis = node
        .attrs
        .get("axis")
        .map(|axis| axis.parse().map_err(|_| malformed(format!("`{axis}` is no axis"))));
    axis.transpose()
}

/// The attributes of an operator that the node gives.
fn attributes(node: &NodeEntry, operator: &Operator) -> Result<Attributes> {
    let known = operator.attributes.iter().chain(operator.optional);
    let given = known.filter_map(|def| Some((def.name, node.attrs.get(def.name)?)));
    let given = given.map(|(name, text)| Ok((name.to_owned(), text.parse::<Attribute>()?)));
    let given: Attributes = given.collect::<Result<_>>()?;
    match given.is_empty() && !operator.optional.is_empty() {
        // A function of TVM has them compiled in.
        true => {
            Err(Error::unsupported(format!("the attributes of `{}` are not known", operator.name)))
        }
        false => Ok(given),
    }
}
