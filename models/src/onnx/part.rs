//! Graphs that are attributes of nodes: branches, and bodies of loops.

use super::body::{Body, FUNCTIONS};
use super::function::Functions;
use super::nodes::{draws, given_graphs, is_constant, name_of};
use super::proto::{GraphProto, ModelProto, NodeProto};
use super::read::{dense, is_standard, opset};
use super::table::is_known;
use prost::Message;
use prost::bytes::Bytes;
use ringwood_base::{Error, Result};
use ringwood_graph::graph::{Attribute, Attributes, Graph, Value};
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

/// A graph with inputs for the values around it that it uses.
pub(super) struct Part {
    model: ModelProto,
    /// Those of its file.
    functions: Arc<Functions>,
    /// The node that it is an attribute of.
    node: String,
    /// Whether its nodes draw random numbers.
    pub(super) draws: bool,
}

impl Part {
    /// The graph that an attribute of a node holds, as the reader wrote it.
    ///
    /// # Errors
    /// The bytes are no graph.
    pub(super) fn of(bytes: &[u8], functions: Arc<Functions>, node: String) -> Result<Self> {
        let model = ModelProto::decode(bytes)
            .map_err(|cause| Error::invalid("the attribute is no graph").because(cause))?;
        model.graph.iter().try_for_each(dense)?;
        let draws = model.graph.iter().any(|graph| draws(&functions, &graph.node));
        Ok(Self { model, functions, node, draws })
    }

    fn graph(&self) -> Result<&GraphProto> {
        let absent = || Error::invalid("the attribute is no graph");
        self.model.graph.as_ref().ok_or_else(absent)
    }

    /// The number of its inputs.
    pub(super) fn inputs(&self) -> usize {
        self.model.graph.as_ref().map_or(0, |graph| graph.input.len())
    }

    /// Whether an output is what an input is given, as it was given.
    pub(super) fn hands_on(&self, input: usize, output: usize) -> bool {
        let Some(graph) = &self.model.graph else { return false };
        let (Some(input), Some(output)) = (graph.input.get(input), graph.output.get(output)) else {
            return false;
        };
        let copies = graph.node.iter().rev().filter(|node| self.copies(node));
        let source =
            copies.fold(&output.name, |name, node| match (&node.input[..], &node.output[..]) {
                ([from], [to]) if to == name => from,
                _ => name,
            });
        *source == input.name
    }

    /// Whether a node is the standard `Identity`, and no call of a function of that name.
    fn copies(&self, node: &NodeProto) -> bool {
        let own = || self.functions.called_by(node).is_some();
        node.op_type == "Identity" && is_standard(&node.domain) && !own()
    }

    /// Adds its nodes for these values of its inputs, as step `step` of a loop if it is its body, and returns its outputs.
    ///
    /// # Errors
    /// There are more or fewer values; a node does not fit; an output is missing.
    pub(super) fn add(
        &self,
        target: &mut Graph,
        values: &[Option<Value>],
        step: Option<Value>,
    ) -> Result<Vec<Value>> {
        let graph = self.graph()?;
        let (got, want) = (values.len(), graph.input.len());
        if got != want {
            let message = format!("graph `{}` has {want} inputs, and is given {got}", graph.name);
            return Err(Error::invalid(message));
        }
        let opset = opset(&self.model.opset_import)?.unwrap_or_default();
        let mut body = Body::new(target, &nowhere, &self.functions, opset).within(&self.node);
        for (input, value) in graph.input.iter().zip(values) {
            body.define(&input.name, *value)?;
        }
        for given in &graph.initializer {
            body.named_initializer(given, &given.name, false)?;
        }
        if let Some(step) = step.filter(|_| self.draws) {
            body.fold_key(step)?;
        }
        body.nodes(&graph.node)?;
        graph.output.iter().map(|output| body.value(&output.name)).collect()
    }
}

/// The name, the set and the operator of each node in the graphs of a node, and in the functions that they call, whose
/// operator is not known.
pub(crate) fn unknown(attributes: &Attributes) -> Vec<(String, String, String)> {
    let model = |name| match attributes.find(name) {
        Some(Attribute::Tensor(_, bytes)) => ModelProto::decode(&bytes[..]).ok(),
        _ => None,
    };
    let functions = Functions::new(model(FUNCTIONS).unwrap_or_default().functions);
    let graphs = GRAPHS.into_iter().filter_map(model).filter_map(|model| model.graph);
    let graphs: Vec<_> = graphs.collect();
    let mut lists: VecDeque<_> = graphs.iter().map(|graph| &graph.node[..]).collect();
    let (mut called, mut unknown) = (HashSet::new(), Vec::new());
    while let Some(nodes) = lists.pop_front() {
        for node in nodes {
            lists.extend(given_graphs(node).map(|graph| &graph.node[..]));
            if let Some(function) = functions.called_by(node) {
                let key = (&function.domain, &function.name, &function.overload);
                lists.extend(called.insert(key).then_some(&function.node[..]));
            } else if !is_constant(node) && !is_known(&node.domain, &node.op_type) {
                let set = if is_standard(&node.domain) { "ai.onnx" } else { &node.domain };
                unknown.push((name_of(node).to_owned(), set.to_owned(), node.op_type.clone()));
            }
        }
    }
    unknown
}

/// The attributes of standard operators that are graphs.
pub(super) const GRAPHS: [&str; 5] =
    ["then_branch", "else_branch", "body", "score_mod", "prob_mod"];

/// The folder of the tensors of a graph inside another, all of which the reader has read.
fn nowhere(path: &Path) -> Result<Bytes> {
    let message = format!("`{}` is needed by a graph in a graph in a node", path.display());
    Err(Error::unsupported(message))
}
