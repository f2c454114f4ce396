//! The program representation: a graph of operators over typed values.
//!
//! A [`Graph`] is what a loader reads, what a trace records, what a gradient extends and what a
//! plan runs. It is a plain value: compared, hashed, printed, serialised. Nodes stand in an order in
//! which every operand comes before its use, so that order is also an order of execution.

mod attribute;
mod attributes;
mod build;
mod collective;
mod display;
mod format;
mod fused;
mod gradient;
mod hex;
mod implementation;
mod known;
mod model;
mod node;
mod open;
pub mod pass;
mod plan;
mod repeat;
mod serial;
mod sized;
mod until;
mod value;
mod view;

pub use attribute::{Attribute, AttributeKind};
pub use attributes::Attributes;
pub(crate) use attributes::float_bytes;
pub use collective::{Collective, Ranks};
pub use format::{ModelFormat, graph_json};
pub use fused::{FusedApply, FusedOperand};
pub use gradient::GradientContext;
pub use model::{Model, ModelPlans};
pub use node::{Node, NodeKind, Output};
pub(crate) use open::MOST_RESULTS;
pub use open::{Dim, Open};
#[cfg(feature = "lazy")]
pub(crate) use plan::run_once;
pub use plan::{GraphPlan, NodeTime, Pass, PlanTimes, Planner};
pub use repeat::Loop;
pub use value::{TensorType, ValueId};
pub use view::View;

pub(crate) use implementation::{Bound, Found, Implementation, backend, bind, find};
use known::Folding;

use bytes::Bytes;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A program: nodes in topological order, and named outputs.
///
/// ```
/// use ringwood_graph::graph::Graph;
/// use ringwood_base::DType;
/// use ringwood_base::registry::Registry;
/// use ringwood_graph::register_operator;
///
/// # register_operator! { pub MatMul = "doc_matmul"; shape: "m k, k n -> m n" }
/// # let registry = Registry::builder().register(MatMul::ENTRY).build()?;
/// let mut graph = Graph::with_registry(registry);
/// let x = graph.input("x", DType::F32, &[32, 64])?;
/// let w = graph.parameter("w", DType::F32, &[64, 10])?;
/// let y = graph.apply("doc_matmul", &[x, w])?;
/// graph.output("y", y)?;
/// assert_eq!(
///     graph.to_string(),
///     "%0 = input \"x\": f32[32, 64]\n\
///      %1 = parameter \"w\": f32[64, 10]\n\
///      %2 = doc_matmul(%0, %1): f32[32, 10]\n\
///      output \"y\" = %2\n"
/// );
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Default)]
pub struct Graph {
    id: Id,
    ancestors: Vec<(Id, usize)>,
    registry: Option<Arc<Registry>>,
    /// What is known of values while sizes are given; applications to constants then become constants.
    folding: Option<Folding>,
    /// The values that parameters have before they are given others.
    pub(crate) weights: Arc<BTreeMap<String, Bytes>>,
    pub(crate) nodes: Vec<Arc<Node>>,
    /// The node of each name. One that was removed or renamed may still be here: see [`Graph::position`].
    names: HashMap<String, u32>,
    /// The constants of [`Graph::shared_constant`], by hashes of their elements.
    shared: HashMap<u64, ValueId>,
    pub(crate) outputs: Vec<Output>,
    /// The place of each output by its name; empty until one is looked for.
    places: HashMap<String, usize>,
}

/// A value of a graph under construction: one result of one node.
///
/// It belongs to the graph that returned it, and to later clones of that graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    graph: Id,
    id: ValueId,
}

impl Value {
    /// The node and result that the value is, for looking into [`Graph::nodes`].
    pub fn id(self) -> ValueId {
        self.id
    }
}

/// The number of a graph; the default is another one each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Id(u64);

impl Default for Id {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Graph {
    /// An empty graph over the operators that the program links.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty graph over the operators of a hand-made registry.
    pub fn with_registry(registry: impl Into<Arc<Registry>>) -> Self {
        Self { registry: Some(registry.into()), ..Self::new() }
    }

    /// The registry that operators are looked up in.
    ///
    /// # Errors
    /// The linked items clash; see [`Registry::global`].
    pub fn registry(&self) -> Result<&Registry> {
        match &self.registry {
            Some(registry) => Ok(registry),
            None => Registry::global(),
        }
    }

    /// The type of a value.
    ///
    /// # Errors
    /// The value is of another graph, or depends on inputs whose sizes are open.
    pub fn type_of(&self, value: Value) -> Result<TensorType> {
        let id = self.check(value)?;
        if self.nodes[id.node as usize].open.is_none() {
            return Ok(self.value_type(id));
        }
        let message = format!("the type of {id} is known when the sizes of the inputs are");
        Err(Error::shape(message).help("give their sizes with `with_shapes`"))
    }

    /// The nodes, each after its operands.
    pub fn nodes(&self) -> &[Arc<Node>] {
        &self.nodes
    }

    /// The named outputs, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The value of the input or parameter called `name`.
    ///
    /// # Errors
    /// There is none; the error lists those there are.
    pub fn named(&self, name: &str) -> Result<Value> {
        let node = self.position(name).ok_or_else(|| self.unknown("input or parameter", name))?;
        Ok(Value { graph: self.id, id: ValueId { node, result: 0 } })
    }

    /// The first node of a name.
    pub(crate) fn position(&self, name: &str) -> Option<u32> {
        let named = |node: &&u32| {
            self.nodes.get(**node as usize).is_some_and(|n| n.name.as_deref() == Some(name))
        };
        self.names.get(name).filter(named).copied()
    }

    /// Gives a node another name.
    #[cfg(feature = "lazy")]
    pub(crate) fn rename(&mut self, node: usize, name: &str) {
        self.node_mut(node).name = Some(name.to_owned());
        // The node that has the name still, if any, is given another one, too.
        self.names.insert(name.to_owned(), node as u32);
    }

    /// Lets the name of a node find it, unless an earlier one has the name.
    fn index(&mut self, node: u32) {
        let name = self.nodes[node as usize].name.as_deref();
        if let Some(name) = name.filter(|name| self.position(name).is_none()) {
            self.names.insert(name.to_owned(), node);
        }
    }

    /// The place of an output of a name.
    fn place_of(&mut self, output: &str) -> Option<usize> {
        if self.places.is_empty() {
            let names = self.outputs.iter().map(|output| output.name.clone());
            self.places = names.zip(0..).collect();
        }
        self.places.get(output).copied()
    }

    /// Gives the outputs other names.
    #[cfg(feature = "lazy")]
    pub(crate) fn rename_outputs(&mut self, names: impl Iterator<Item = String>) {
        self.places.clear();
        self.outputs.iter_mut().zip(names).for_each(|(output, name)| output.name = name);
    }

    /// The value with this identity, for graphs that were read instead of built.
    ///
    /// # Errors
    /// There is none.
    pub fn value(&self, id: ValueId) -> Result<Value> {
        self.check(Value { graph: self.id, id })
            .map(|id| Value { graph: self.id, id })
            .map_err(|_| Error::not_found(format!("there is no value {id}")))
    }

    pub(crate) fn unknown(&self, noun: &str, name: &str) -> Error {
        /// The names that a message has room for.
        const MOST: usize = 12;
        let (inputs, others): (Vec<_>, Vec<_>) =
            self.nodes.iter().partition(|node| matches!(node.kind, NodeKind::Input));
        let known = inputs.into_iter().chain(others).filter_map(|node| node.name.as_deref());
        let known: Vec<_> = known.collect();
        let shown = known[..known.len().min(MOST)].join(", ");
        let known = match known.len() {
            0 => "there is none".to_owned(),
            count if count > MOST => format!("known: {shown} and {} more", count - MOST),
            _ => format!("known: {shown}"),
        };
        Error::not_found(format!("no {noun} `{name}`; {known}"))
    }

    /// The parameters that have a value: name, type, and the bytes of the elements.
    pub fn weights(&self) -> impl Iterator<Item = (&str, TensorType, &Bytes)> {
        let weights = self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Parameter));
        weights.filter_map(|node| {
            self.weight_of(node).map(|(name, bytes)| (name, node.results[0], bytes))
        })
    }

    /// The name and the bytes of a parameter that has a value.
    pub(crate) fn weight_of(&self, node: &Node) -> Option<(&str, &Bytes)> {
        let (name, bytes) = self.weights.get_key_value(node.name.as_deref()?)?;
        Some((name, bytes))
    }

    pub(crate) fn value_type(&self, id: ValueId) -> TensorType {
        self.nodes[id.node as usize].results[id.result as usize]
    }

    /// A node to change; graphs that share it keep theirs.
    pub(crate) fn node_mut(&mut self, node: usize) -> &mut Node {
        Arc::make_mut(&mut self.nodes[node])
    }

    /// An empty graph over the same operators, for a pass to fill.
    pub(crate) fn empty_like(&self) -> Self {
        let (registry, weights) = (self.registry.clone(), self.weights.clone());
        Self { registry, weights, ..Self::new() }
    }

    pub(crate) fn push(&mut self, node: impl Into<Arc<Node>>) -> Value {
        let id = ValueId { node: self.nodes.len() as u32, result: 0 };
        self.nodes.push(node.into());
        self.index(id.node);
        Value { graph: self.id, id }
    }

    fn check(&self, value: Value) -> Result<ValueId> {
        let ancestor =
            |&(id, nodes): &(Id, usize)| id == value.graph && (value.id.node as usize) < nodes;
        let in_range = self
            .nodes
            .get(value.id.node as usize)
            .is_some_and(|n| (value.id.result as usize) < n.result_count());
        if in_range && (value.graph == self.id || self.ancestors.iter().any(ancestor)) {
            let known = self.folding.as_ref().and_then(|folding| folding.constant(value.id));
            return Ok(known.unwrap_or(value.id));
        }
        Err(Error::invalid(format!("value {} belongs to another graph", value.id))
            .help("use the values that this graph, or the graph it was cloned from, returned"))
    }
}

/// A clone is a graph of its own that accepts the values which its origin returned before.
impl Clone for Graph {
    fn clone(&self) -> Self {
        let mut ancestors = self.ancestors.clone();
        ancestors.push((self.id, self.nodes.len()));
        Self {
            ancestors,
            nodes: self.nodes.clone(),
            names: self.names.clone(),
            shared: self.shared.clone(),
            outputs: self.outputs.clone(),
            ..self.empty_like()
        }
    }
}

/// Graphs are equal if their nodes and outputs are; the values of parameters are no part of them.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.outputs == other.outputs
    }
}

impl Eq for Graph {}

impl Hash for Graph {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nodes.hash(state);
        self.outputs.hash(state);
    }
}

fn plural(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests;
