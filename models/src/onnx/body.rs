//! The nodes of a model, of one of its functions, or of a graph that is an attribute.

use super::attribute::{attribute, bytes, holds_text};
use super::function::{Functions, with_attributes};
use super::nibbles;
use super::nodes::{
    MOST_CONSTANT, describe, draws, free, given_graphs, initializers, is_constant, literal, name_of,
};
use super::part::GRAPHS;
use super::proto::{FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto};
use super::proto::{TensorProto, ValueInfoProto, data_type};
use super::read::{UNSAID, WHOLE, is_standard, opset};
use super::table::{OF_THE_READER, random};
use super::tensor::{Folder, tensor};
use prost::Message;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::{Attribute, Attributes, Graph, TensorType, Value};
use std::collections::{HashMap, HashSet};

/// The most nodes that are made of a file: functions that call others twice, and loops, may stand for any
/// number of them.
const MOST_NODES: usize = 1 << 18;

/// The most bytes that attributes of these nodes have together.
const MOST_BYTES: usize = 1 << 28;

/// Operators of sets below 7 whose meaning has not changed since.
const OLDER: &[&str] = &["Constant", "Identity", "Not", "Shape", "Size", "Transpose"];

/// The attribute of a node that holds the functions of its file, where a graph of the node calls one.
pub(super) const FUNCTIONS: &str = "file_functions";

/// The value that stands for the steps of the loops around, a key of random numbers. No file can have a name with a zero.
pub(super) const KEY: &str = "\0key";

/// What reads nodes one by one into a graph.
pub(super) struct Body<'a> {
    pub(super) graph: &'a mut Graph,
    folder: &'a Folder<'a>,
    functions: &'a Functions,
    opset: i64,
    /// The values by their names; `None` for an operand that a call of a function leaves out.
    values: HashMap<String, Option<Value>>,
    /// The names of those that have 4 bits in the file.
    packed: HashSet<String>,
    /// The names of constants whose elements are texts, which nothing can use.
    texts: HashSet<String>,
    /// The nodes that were read, and the bytes of their attributes.
    read: usize,
    bytes: usize,
    /// The calls and the graphs that it is in, as `encoder/`.
    path: String,
    /// Whether it is in none of them.
    outermost: bool,
}

impl<'a> Body<'a> {
    /// Nothing yet.
    pub(super) fn new(
        graph: &'a mut Graph,
        folder: &'a Folder<'a>,
        functions: &'a Functions,
        opset: i64,
    ) -> Self {
        let (values, packed, texts) = (HashMap::new(), HashSet::new(), HashSet::new());
        let (read, bytes, path, outermost) = (0, 0, String::new(), true);
        Self {
            graph,
            folder,
            functions,
            opset,
            values,
            packed,
            texts,
            read,
            bytes,
            path,
            outermost,
        }
    }

    /// The same for what a node consists of: its nodes have the name of that before theirs.
    pub(super) fn within(mut self, node: &str) -> Self {
        self.outermost = false;
        if !node.is_empty() {
            self.path = format!("{node}/");
        }
        self
    }

    /// Makes the key of random numbers that of a step of a loop.
    ///
    /// # Errors
    /// The number of the step is no integer.
    pub(super) fn fold_key(&mut self, step: Value) -> Result<()> {
        let around = self.values.get(KEY).copied().flatten();
        let around = around.map_or_else(|| self.graph.constant(&[2], &[0_u32; 2]), Ok)?;
        let key = self.graph.apply("ringwood::key_fold", &[around, step])?;
        self.values.insert(KEY.to_owned(), Some(key));
        Ok(())
    }

    /// Adds an initializer of the file and names it.
    pub(super) fn named_initializer(
        &mut self,
        given: &TensorProto,
        name: &str,
        is_default: bool,
    ) -> Result<()> {
        if given.data_type == data_type::STRING {
            return self.define_text(name);
        }
        let value = self.initializer(given, name, is_default);
        let value = value.map_err(|e| e.with("initializer", name))?;
        if nibbles::is_packed(given) {
            self.packed.insert(name.to_owned());
        }
        self.define(name, Some(value))
    }

    /// Adds an initializer, as a parameter of this name if it is large, or floats that a caller may give others for.
    fn initializer(&mut self, given: &TensorProto, name: &str, is_default: bool) -> Result<Value> {
        let packed = nibbles::is_packed(given);
        let read = if packed { nibbles::unpacked } else { tensor };
        let (ty, bytes) = read(given, self.folder)?;
        let changes = is_default && ty.dtype.is_float();
        match ty.shape.elements() <= MOST_CONSTANT && !changes {
            true => self.graph.constant_bytes(ty.dtype, &ty.shape, &bytes),
            false => self.graph.weight(name, ty.dtype, &ty.shape, bytes),
        }
    }

    /// Adds nodes in their order.
    pub(super) fn nodes(&mut self, nodes: &[NodeProto]) -> Result<()> {
        self.read += nodes.len();
        if self.read.max(self.graph.nodes().len()) > MOST_NODES {
            let message = format!("the model stands for more than {MOST_NODES} nodes");
            return Err(Error::unsupported(message));
        }
        nodes.iter().enumerate().try_for_each(|(i, node)| {
            self.node(node).map_err(|e| e.with("node", describe(i, node)))
        })
    }

    fn node(&mut self, node: &NodeProto) -> Result<()> {
        if literal(node).is_some_and(|(name, _)| self.has(name)) {
            return Ok(());
        }
        if is_constant(node) && node.attribute.iter().any(holds_text) {
            return node.output.iter().try_for_each(|name| self.define_text(name));
        }
        self.mark_packed(node)?;
        if let Some(function) = self.functions.called_by(node) {
            let results = self.call(function, node)?;
            return self.results(node, results);
        }
        if is_standard(&node.domain) && self.opset == UNSAID {
            let message = "the model does not say of which operator set it is (`opset_import`)";
            return Err(Error::invalid(message).help(WHOLE));
        }
        if is_standard(&node.domain) && self.opset < 7 && !OLDER.contains(&node.op_type.as_str()) {
            let message = format!("the model is of operator set {}; 7 to 27 are read", self.opset);
            return Err(Error::unsupported(message)
                .help("export it again with another operator set: `opset_version=20`"));
        }
        let mut operands: Vec<_> =
            node.input.iter().map(|name| self.maybe(name)).collect::<Result<_>>()?;
        let mut attributes = self.attributes(node, &mut operands)?;
        if let Some(key) = self.values.get(KEY).filter(|_| random::is_drawn(node)) {
            operands.resize(random::KEY_PLACE, None);
            operands.push(*key);
        }
        if is_constant(node) {
            let value = self.constant(&attributes)?;
            return self.results(node, vec![value]);
        }
        attributes.extend(self.own(node, &operands));
        let attributes: Attributes = attributes.into_iter().collect();
        let operands: Vec<_> = operands.into_iter().flatten().collect();
        let results = self.graph.apply_all("ringwood::onnx", &operands, attributes)?;
        self.results(node, results)
    }

    /// The attributes of a node in the file; what its graphs use of the values around them becomes operands.
    fn attributes(
        &mut self,
        node: &NodeProto,
        operands: &mut Vec<Option<Value>>,
    ) -> Result<Vec<(String, Attribute)>> {
        let mut attributes = Vec::new();
        let mut given: Vec<_> = node.attribute.iter().collect();
        given.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = given.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(Error::duplicate(format!("attribute `{}` is given twice", pair[0].name)));
        }
        for given in given {
            let name = given.name.as_str();
            if OF_THE_READER.contains(&name) {
                return Err(Error::invalid(format!("no node of a file has an attribute `{name}`")));
            }
            if is_standard(&node.domain) && GRAPHS.contains(&name) && given.g.is_none() {
                return Err(Error::invalid(format!("attribute `{name}` is no graph")));
            }
            let value = match &given.g {
                Some(body) => self.closed(body, operands)?,
                None if nibbles::packed_value(node).is_some() => {
                    nibbles::attribute(given, self.folder)?
                }
                None => attribute(given, self.folder)?,
            };
            // The elements of constants are held once, and graphs outside of functions are once in the file.
            let once = is_constant(node) || given.g.is_some() && self.outermost;
            let held = matches!(value, Attribute::Tensor(..)) && once;
            self.bytes = self.bytes.saturating_add(if held { 0 } else { bytes(&value) });
            if self.bytes > MOST_BYTES {
                let message = "attributes of all nodes that the model stands for have more than";
                return Err(Error::unsupported(format!("{message} {MOST_BYTES} bytes")));
            }
            attributes.push((given.name.clone(), value));
        }
        let mut graphs = given_graphs(node);
        if graphs.any(|graph| !self.functions.called(&graph.node).is_empty()) {
            let bytes = self.functions.bytes();
            let ty = TensorType::new(DType::U8, &[bytes.len()])?;
            attributes.push((FUNCTIONS.to_owned(), Attribute::Tensor(ty, bytes)));
        }
        Ok(attributes)
    }

    /// Notes the results of a node whose elements have 4 bits in the file.
    fn mark_packed(&mut self, node: &NodeProto) -> Result<()> {
        if nibbles::packed_value(node).is_some() || nibbles::result_of(node, &self.packed)? {
            self.packed.extend(node.output.iter().cloned());
        }
        Ok(())
    }

    /// The attributes that say which operator a node is.
    fn own(&self, node: &NodeProto, operands: &[Option<Value>]) -> Vec<(String, Attribute)> {
        let mut own: Vec<(&str, Attribute)> = vec![
            ("op_type", node.op_type.as_str().into()),
            ("opset", self.opset.into()),
            ("results", node.output.len().into()),
        ];
        if !name_of(node).is_empty() {
            own.push(("node", (self.path.clone() + name_of(node)).into()));
        }
        if !is_standard(&node.domain) {
            own.push(("domain", node.domain.as_str().into()));
        }
        if given_graphs(node).next().is_some() {
            own.push(("own", node.input.len().into()));
        }
        let absent = (0..operands.len()).filter(|&i| operands[i].is_none());
        let absent: Vec<_> = absent.map(|place| place as i64).collect();
        if !absent.is_empty() {
            own.push(("absent", absent.into()));
        }
        own.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Names the results of a node.
    fn results(&mut self, node: &NodeProto, results: Vec<Value>) -> Result<()> {
        if results.len() < node.output.len() {
            let (got, want) = (results.len(), node.output.len());
            let message = format!("{got} results were made of it, and {want} are named");
            return Err(Error::unsupported(message));
        }
        let named = node.output.iter().zip(results).filter(|(name, _)| !name.is_empty());
        named.into_iter().try_for_each(|(name, value)| self.define(name, Some(value)))
    }

    /// The results of a function for the operands and the attributes of a node.
    fn call(&mut self, function: &FunctionProto, node: &NodeProto) -> Result<Vec<Value>> {
        let operands =
            node.input.iter().map(|name| self.maybe(name)).collect::<Result<Vec<_>>>()?;
        let opset = opset(&function.opset_import)?.unwrap_or(self.opset);
        let path = self.path.clone() + name_of(node);
        let key = self.values.get(KEY).copied();
        let mut inner = Body::new(self.graph, self.folder, self.functions, opset).within(&path);
        (inner.read, inner.bytes) = (self.read, self.bytes);
        if let Some(key) = key {
            inner.define(KEY, key)?;
        }
        let given = operands.into_iter().chain(std::iter::repeat(None));
        for (name, value) in function.input.iter().zip(given) {
            inner.define(name, value)?;
        }
        let within = |e: Error| e.with("function", &function.name);
        inner.nodes(&with_attributes(function, node)).map_err(within)?;
        let results = function.output.iter().map(|name| inner.value(name));
        let results = results.collect::<Result<_>>().map_err(within)?;
        (self.read, self.bytes) = (inner.read, inner.bytes);
        Ok(results)
    }

    /// A graph as an attribute: a model of its own, that has the values around it which it uses as inputs
    /// after its own. They become operands of the node.
    fn closed(
        &mut self,
        body: &GraphProto,
        operands: &mut Vec<Option<Value>>,
    ) -> Result<Attribute> {
        let is_text = |tensor: &TensorProto| tensor.data_type == data_type::STRING;
        let mut graph = body.clone();
        graph.initializer.retain(is_text);
        graph.node.retain(|node| literal(node).is_none());
        let mut capture = |name: &str, value| {
            operands.push(value);
            graph.input.push(ValueInfoProto { name: name.to_owned(), ..Default::default() });
        };
        let drawn = self.has(KEY) && draws(self.functions, &body.node);
        for name in free(body).into_iter().chain(drawn.then_some(KEY)) {
            self.whole(name)?;
            capture(name, self.maybe(name)?);
        }
        for (given, initializer) in initializers(body).filter(|(_, tensor)| !is_text(tensor)) {
            if nibbles::is_packed(initializer) {
                return Err(nibbles::not_taken(given));
            }
            let mut name = given.to_owned();
            while self.graph.named(&name).is_ok() {
                name.push('\'');
            }
            capture(given, Some(self.initializer(initializer, &name, false)?));
        }
        let set = OperatorSetIdProto { domain: String::new(), version: self.opset };
        let model =
            ModelProto { opset_import: vec![set], graph: Some(graph), ..ModelProto::default() };
        let bytes = model.encode_to_vec();
        Ok(Attribute::Tensor(TensorType::new(DType::U8, &[bytes.len()])?, bytes.into()))
    }

    /// The value of a node `Constant`.
    fn constant(&mut self, attributes: &[(String, Attribute)]) -> Result<Value> {
        match attributes {
            [(_, Attribute::Tensor(ty, bytes))] => {
                self.graph.shared_constant(ty.dtype, &ty.shape, bytes)
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
            _ => Err(Error::unsupported(
                "a constant has one attribute, its value: numbers or a tensor",
            )),
        }
    }

    /// The value of this name.
    ///
    /// # Errors
    /// There is none, or a call leaves it out, or its elements have 4 bits in the file.
    pub(super) fn value(&self, name: &str) -> Result<Value> {
        self.whole(name)?;
        self.maybe(name)?
            .ok_or_else(|| Error::invalid(format!("the value `{name}` is needed, and left out")))
    }

    /// Checks that the elements of a value have whole bytes in the file.
    fn whole(&self, name: &str) -> Result<()> {
        if self.packed.contains(name) { Err(nibbles::not_taken(name)) } else { Ok(()) }
    }

    /// The value of this name; `None` where it is left out.
    fn maybe(&self, name: &str) -> Result<Option<Value>> {
        if name.is_empty() {
            return Ok(None);
        }
        if self.texts.contains(name) {
            let message = format!("`{name}` is a constant of strings, which tensors do not hold");
            return Err(Error::unsupported(message));
        }
        self.values.get(name).copied().ok_or_else(|| {
            let message = format!("there is no value `{name}` before it is used");
            Error::not_found(message).help("no node gives it, or one that needs this one")
        })
    }

    /// Whether there is a value of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Names a constant of texts, which no graph can hold: an error where it is used.
    fn define_text(&mut self, name: &str) -> Result<()> {
        self.texts.insert(name.to_owned());
        self.define(name, None)
    }

    /// Names a value.
    ///
    /// # Errors
    /// There is another one of this name.
    pub(super) fn define(&mut self, name: &str, value: Option<Value>) -> Result<()> {
        if self.values.insert(name.to_owned(), value).is_none() {
            return Ok(());
        }
        Err(Error::duplicate(format!("there are two values `{name}`")))
    }
}
