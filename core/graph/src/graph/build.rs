//! Building graphs: every node is checked when it is added.

use super::{Attributes, Graph, Node, NodeKind, Open, Output, TensorType, Value, ValueId};
use crate::compose::Call;
use crate::operator::{Decomposition, Operator};
use bytes::Bytes;
use ringwood_base::{DType, Element, Error, ErrorKind, Result};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The most bytes of a constant that is added again each time that it is wanted.
const FEW_BYTES: usize = 4096;

impl Graph {
    /// Adds a value that every run is given.
    ///
    /// # Errors
    /// The name is taken, or the shape cannot exist.
    pub fn input(&mut self, name: &str, dtype: DType, dims: &[usize]) -> Result<Value> {
        self.source(NodeKind::Input, name, dtype, dims)
    }

    /// Adds a value that is given once and kept from run to run: a weight.
    ///
    /// # Errors
    /// The name is taken, or the shape cannot exist.
    pub fn parameter(&mut self, name: &str, dtype: DType, dims: &[usize]) -> Result<Value> {
        self.source(NodeKind::Parameter, name, dtype, dims)
    }

    /// Adds a parameter that has a value: a plan starts with it. The bytes may be part of a mapped file; they
    /// are shared with clones of the graph, and are not serialised.
    ///
    /// # Errors
    /// The name is taken, or the type has another number of bytes.
    pub fn weight(
        &mut self,
        name: &str,
        dtype: DType,
        dims: &[usize],
        bytes: Bytes,
    ) -> Result<Value> {
        let value = self.parameter(name, dtype, dims)?;
        if let Err(error) = self.set_weight(name, TensorType::new(dtype, dims)?, bytes) {
            self.nodes.pop();
            return Err(error);
        }
        Ok(value)
    }

    /// Gives the input or parameter of this name a value: it is a parameter then, and a plan starts with it.
    ///
    /// # Errors
    /// There is none of this name, it is of another type, or the type has another number of bytes.
    pub fn set_weight(&mut self, name: &str, ty: TensorType, bytes: Bytes) -> Result<()> {
        let value = self.named(name)?;
        let want = self.type_of(value)?;
        if want != ty {
            let kind = if want.dtype == ty.dtype { ErrorKind::Shape } else { ErrorKind::DType };
            return Err(Error::new(kind, format!("parameter `{name}` is {want}, not {ty}")));
        }
        if ty.bytes() != bytes.len() {
            let (want, got) = (ty.bytes(), bytes.len());
            let message = format!("parameter `{name}` of type {ty} has {want} bytes, not {got}");
            return Err(Error::shape(message));
        }
        self.node_mut(value.id.node as usize).kind = NodeKind::Parameter;
        Arc::make_mut(&mut self.weights).insert(name.to_owned(), bytes);
        Ok(())
    }

    /// The graph with inputs in the place of these nodes, which are parameters.
    pub(super) fn freed(&self, nodes: &BTreeSet<usize>) -> Cow<'_, Self> {
        let mut graph = Cow::Borrowed(self);
        for &node in nodes {
            let node = graph.to_mut().node_mut(node);
            node.kind = NodeKind::Input;
            let name = node.name.clone().unwrap_or_default();
            Arc::make_mut(&mut graph.to_mut().weights).remove(&name);
        }
        graph
    }

    /// Adds a value known now: `elements` in row-major order.
    ///
    /// # Errors
    /// The shape has another number of elements.
    pub fn constant<T: Element>(&mut self, dims: &[usize], elements: &[T]) -> Result<Value> {
        self.constant_bytes(T::DTYPE, dims, bytemuck::cast_slice(elements))
    }

    /// Adds a value known now, from the bytes of its elements.
    ///
    /// # Errors
    /// The type has another number of bytes; while the sizes of a graph are given, all that are added have more than 2^30.
    pub fn constant_bytes(&mut self, dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Value> {
        let ty = TensorType::new(dtype, dims)?;
        if ty.bytes() != bytes.len() {
            let (want, got) = (ty.bytes(), bytes.len());
            return Err(Error::shape(format!(
                "a constant of type {ty} has {want} bytes, not {got}"
            )));
        }
        if let Some(folding) = &mut self.folding {
            folding.make(bytes.len())?;
        }
        Ok(self.push(Node::new(NodeKind::Constant(bytes.into()), vec![ty])))
    }

    /// As [`Graph::constant_bytes`]; where the same call has added these elements before, and they are more than
    /// 4,096 bytes, it is that value.
    ///
    /// # Errors
    /// As [`Graph::constant_bytes`].
    pub fn shared_constant(&mut self, dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Value> {
        if bytes.len() <= FEW_BYTES {
            return self.constant_bytes(dtype, dims, bytes);
        }
        let ty = TensorType::new(dtype, dims)?;
        let mut hasher = DefaultHasher::new();
        (ty, bytes).hash(&mut hasher);
        let hash = hasher.finish();
        // The node may have been taken back, and another one may have its number.
        let same = |id: &ValueId| {
            let node = self.nodes.get(id.node as usize);
            node.is_some_and(|node| node.results == [ty]) && self.constant_at(*id) == Some(bytes)
        };
        if let Some(id) = self.shared.get(&hash).copied().filter(same) {
            return self.value(id);
        }
        let value = self.constant_bytes(dtype, dims, bytes)?;
        self.shared.insert(hash, value.id);
        Ok(value)
    }

    /// Applies the operator called `operator`, in short or as `package::name`; the node keeps the short
    /// name of Ringwood's operators, the full name of others.
    ///
    /// # Errors
    /// There is no such operator, an operand is of another graph, or the operands do not fit the
    /// operator's rules.
    pub fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.apply_with(operator, operands, Attributes::default())
    }

    /// Applies an operator with attributes: `apply_with("sum", &[x], [("axis", 0_usize)])`, or a list
    /// of [`Attributes`] of several types.
    ///
    /// # Errors
    /// As [`Graph::apply`]; an attribute is unknown, missing or of another type; the operator has
    /// several results.
    pub fn apply_with(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Value> {
        let length = self.nodes.len();
        let results = self.apply_all(operator, operands, attributes)?;
        if let [value] = results[..] {
            return Ok(value);
        }
        self.nodes.truncate(length);
        let message = format!("{operator}: has {} results, not one", results.len());
        Err(Error::invalid(message).help("use `apply_all`"))
    }

    /// Applies an operator and returns all of its results.
    ///
    /// # Errors
    /// As [`Graph::apply_with`].
    pub fn apply_all(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Vec<Value>> {
        let attributes = attributes.into();
        let entry = self.registry()?.entry::<Operator>(operator)?;
        let (name, package) = (entry.meta().shown_name(), entry.meta().package);
        let declared = *entry.item::<Operator>().expect("an entry holds an item of its kind");
        let (mut results, mut open) = (Vec::new(), None);
        let ids = operands.iter().map(|&v| self.check(v)).collect::<Result<Vec<_>>>()?;
        let waits = declared.any_attributes && self.folding.is_none();
        if waits || ids.iter().any(|id| self.nodes[id.node as usize].open.is_some()) {
            open = Some(Open::Results(declared.check(operands.len(), &attributes)?));
        } else if let Some(decompose) = declared.decompose {
            declared.check_attributes(&attributes)?;
            return self.decomposed(package, &declared, decompose, operands, &attributes);
        } else {
            let types: Vec<_> = ids.iter().map(|&id| self.value_type(id)).collect();
            results = declared.infer(&types, &attributes)?.results;
        }
        let node =
            Node { operands: ids, attributes, open, ..Node::new(NodeKind::Apply(name), results) };
        let count = node.result_count() as u32;
        let first = self.push(node);
        if let Some(constants) = self.folding.is_some().then(|| self.fold_last()).flatten() {
            return Ok(constants);
        }
        let result = |result| Value { id: ValueId { result, ..first.id }, ..first };
        Ok((0..count).map(result).collect())
    }

    /// The values that an operator of others gives; on an error the graph stays as it was.
    fn decomposed(
        &mut self,
        package: &'static str,
        operator: &Operator,
        decompose: Decomposition,
        operands: &[Value],
        attributes: &Attributes,
    ) -> Result<Vec<Value>> {
        let length = self.nodes.len();
        let call = Call::new(self, package, operator.name, operands, attributes);
        call.and_then(|mut call| decompose(&mut call)).map_err(|e| {
            if !self.has_asked() {
                self.nodes.truncate(length);
            }
            e.with("operator", operator.name)
        })
    }

    /// Places the node of `value` on the device called `device` (`cpu:0`).
    ///
    /// # Errors
    /// The value is of another graph.
    pub fn place(&mut self, value: Value, device: &str) -> Result<()> {
        let node = self.check(value)?.node as usize;
        self.node_mut(node).device = Some(device.to_owned());
        Ok(())
    }

    /// Adds a copy of `value` on the device called `device`.
    ///
    /// Plans insert the copies they need by themselves.
    ///
    /// # Errors
    /// The value is of another graph.
    pub fn copy(&mut self, value: Value, device: &str) -> Result<Value> {
        let operands = vec![self.check(value)?];
        let results = vec![self.type_of(value)?];
        let device = Some(device.to_owned());
        Ok(self.push(Node { operands, device, ..Node::new(NodeKind::Copy, results) }))
    }

    /// Names a result of the program.
    ///
    /// # Errors
    /// The value is of another graph, or the name is taken.
    pub fn output(&mut self, name: &str, value: Value) -> Result<()> {
        let value = self.check(value)?;
        if self.place_of(name).is_some() {
            return Err(Error::duplicate(format!("the graph has an output `{name}` already")));
        }
        self.places.insert(name.to_owned(), self.outputs.len());
        self.outputs.push(Output { name: name.to_owned(), value, over: None });
        Ok(())
    }

    /// Lets the output called `name` take the memory of an input or parameter, of which nothing is left after a run.
    ///
    /// A plan follows where every other reader of the input stands before the node that gives the output, or that node
    /// reads it element by element, and where no other output is the input; [`GraphPlan::aliased`] tells. Elsewhere
    /// the output has memory of its own.
    ///
    /// [`GraphPlan::aliased`]: super::GraphPlan::aliased
    ///
    /// # Errors
    /// There is no such output; the value is neither input nor parameter, is taken already, or has another type.
    pub fn alias(&mut self, name: &str, input: Value) -> Result<()> {
        let input = self.check(input)?;
        let wrong =
            |why: String| Err(Error::invalid(format!("output `{name}` over {input}: {why}")));
        let Some(output) = self.place_of(name) else {
            return wrong("there is no such output".into());
        };
        let others = self.outputs.iter().filter(|other| other.name != name);
        let taken = others.filter_map(|other| other.over).any(|over| over == input);
        if let Some(why) = self.misplaced(&self.outputs[output], input, taken) {
            return wrong(why);
        }
        self.outputs[output].over = Some(input);
        Ok(())
    }

    /// Why an output cannot lie in the memory of a value, which another output may have taken.
    pub(super) fn misplaced(&self, output: &Output, over: ValueId, taken: bool) -> Option<String> {
        let kind = &self.nodes[over.node as usize].kind;
        if !matches!(kind, NodeKind::Input | NodeKind::Parameter) {
            return Some("it is neither input nor parameter".into());
        }
        if taken {
            return Some("another output takes its memory".into());
        }
        let ty = |id: ValueId| self.nodes[id.node as usize].results.get(id.result as usize);
        match (ty(over), ty(output.value)) {
            (Some(want), Some(got)) if want == got => None,
            (Some(want), Some(got)) => {
                Some(format!("a value of type {got} cannot lie in memory of type {want}"))
            }
            _ => Some("their sizes are open".into()),
        }
    }

    fn source(
        &mut self,
        kind: NodeKind,
        name: &str,
        dtype: DType,
        dims: &[usize],
    ) -> Result<Value> {
        let ty = TensorType::new(dtype, dims)?;
        self.named_source(name, Node::new(kind, vec![ty]))
    }

    /// Adds an input or a parameter.
    pub(super) fn named_source(&mut self, name: &str, node: Node) -> Result<Value> {
        if self.position(name).is_some() {
            let message = format!("the graph has an input or parameter `{name}` already");
            return Err(Error::duplicate(message));
        }
        Ok(self.push(Node { name: Some(name.to_owned()), ..node }))
    }
}
