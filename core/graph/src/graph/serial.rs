//! Graphs as data: what is read back is checked like what is built.

use super::{
    Graph, MOST_RESULTS, Node, NodeKind, Open, Output, TensorType, ValueId, implementation,
};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Serialize)]
struct Written<'a> {
    nodes: &'a [Arc<Node>],
    outputs: &'a [Output],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    nodes: Vec<Arc<Node>>,
    outputs: Vec<Output>,
}

impl Serialize for Graph {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Written { nodes: &self.nodes, outputs: &self.outputs }.serialize(serializer)
    }
}

/// Reads a graph over the linked operators. Its structure is checked here; that it fits the
/// operators is checked when it is planned, or by [`Graph::verify`].
impl<'de> Deserialize<'de> for Graph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        let mut graph = Graph { outputs: read.outputs, ..Graph::new() };
        for node in read.nodes {
            graph.push(node);
        }
        graph.verify_structure().map_err(de::Error::custom)?;
        Ok(graph)
    }
}

impl Graph {
    /// Checks the whole graph: structure, names, and that every type is the one the operators give.
    ///
    /// Graphs built through [`Graph`]'s methods pass; use it on graphs from outside.
    ///
    /// # Errors
    /// The first node that does not fit, by number.
    pub fn verify(&self) -> Result<()> {
        self.verify_structure()?;
        self.check_sizes()?;
        for (i, node) in self.nodes.iter().enumerate() {
            let types: Vec<_> = node.operands.iter().map(|&v| self.value_type(v)).collect();
            let expected = match &node.kind {
                NodeKind::Apply(name) => {
                    let operator = implementation::declared(self, name)?;
                    operator.infer(&types, &node.attributes).map(|yields| yields.results)
                }
                NodeKind::Fused(applications) => implementation::infer(self, &types, applications),
                NodeKind::Copy => Ok(types),
                NodeKind::Collective(call) => call.result(types[0]).map(|result| vec![result]),
                NodeKind::View(view) => {
                    Ok(vec![TensorType { shape: view.layout.shape(), ..types[0] }])
                }
                _ => continue,
            };
            let expected = expected.map_err(|e| at(i, &e))?;
            if expected != node.results {
                let follows: Vec<_> = expected.iter().map(ToString::to_string).collect();
                let follows = follows.join(", ");
                let message = format!("its type must be {follows}, but it is `{node}`");
                return Err(at(i, &Error::shape(message)));
            }
        }
        Ok(())
    }

    fn verify_structure(&self) -> Result<()> {
        for (i, node) in self.nodes.iter().enumerate() {
            self.verify_node(i, node).map_err(|why| at(i, &Error::invalid(why)))?;
        }
        let mut names = HashSet::new();
        if let Some(output) = self.outputs.iter().find(|output| !names.insert(&output.name)) {
            return Err(Error::duplicate(format!("there are two outputs `{}`", output.name)));
        }
        let mut takers = HashMap::new();
        let taken = self.outputs.iter().filter_map(|output| output.over);
        taken.for_each(|over| *takers.entry(over).or_insert(0) += 1);
        self.outputs.iter().try_for_each(|output| self.verify_output(output, &takers))
    }

    /// Checks an output, of those of which so many take the memory of each value.
    fn verify_output(&self, output: &Output, takers: &HashMap<ValueId, usize>) -> Result<()> {
        let Output { name, value, over } = output;
        let last = self.nodes.len();
        if !self.holds(*value, last) {
            let message = format!("output `{name}` is {value}, which does not exist");
            return Err(Error::not_found(message));
        }
        let Some(over) = *over else { return Ok(()) };
        let why = match self.holds(over, last) {
            true => self.misplaced(output, over, takers[&over] > 1),
            false => Some("it does not exist".into()),
        };
        let wrong = |why| Err(Error::invalid(format!("output `{name}` over {over}: {why}")));
        why.map_or(Ok(()), wrong)
    }

    fn verify_node(&self, i: usize, node: &Node) -> std::result::Result<(), String> {
        if let Some(operand) = node.operands.iter().find(|&&v| !self.holds(v, i)) {
            return Err(format!("operand {operand} does not exist before it"));
        }
        let arity = match &node.kind {
            NodeKind::Apply(_) | NodeKind::Fused(_) => node.operands.len(),
            NodeKind::Copy | NodeKind::View(_) | NodeKind::Collective(_) => 1,
            _ => 0,
        };
        if node.operands.len() != arity {
            return Err(format!("it has {} operands, not {arity}", node.operands.len()));
        }
        verify_results(node)?;
        let named = matches!(node.kind, NodeKind::Input | NodeKind::Parameter);
        match (named, &node.name) {
            (true, None) => return Err("an input or parameter has no name".into()),
            (false, Some(name)) => {
                return Err(format!("it is called `{name}`, and is neither input nor parameter"));
            }
            _ => {}
        }
        let first = node.name.as_deref().and_then(|name| self.position(name));
        if named && first != Some(i as u32) {
            return Err(format!("its name is taken: `{node}`"));
        }
        if node.kept && !self.may_keep(node) {
            return Err("it is kept, and computed of more than parameters and constants".into());
        }
        match &node.kind {
            NodeKind::Constant(bytes) if bytes.len() != node.results[0].bytes() => {
                Err(format!("it holds {} bytes: `{node}`", bytes.len()))
            }
            NodeKind::View(_) if self.nodes[node.operands[0].node as usize].open.is_some() => {
                Err("it is a view of what has no known shape".into())
            }
            NodeKind::View(view) => {
                let elements = self.value_type(node.operands[0]).shape.elements();
                if view.end().is_some_and(|end| end <= elements) {
                    return Ok(());
                }
                Err(format!("it reaches beyond the {elements} elements of its operand"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a node is computed of parameters and constants alone.
    fn may_keep(&self, node: &Node) -> bool {
        let stays = |&operand: &ValueId| {
            let source = &self.nodes[self.base(operand).node as usize];
            matches!(source.kind, NodeKind::Parameter | NodeKind::Constant(_))
        };
        node.operator().is_some() && !node.operands.is_empty() && node.operands.iter().all(stays)
    }

    fn holds(&self, value: ValueId, before: usize) -> bool {
        let node = value.node as usize;
        node < before && (value.result as usize) < self.nodes[node].result_count()
    }
}

/// Checks how many results a node has, and whether their sizes may be open.
fn verify_results(node: &Node) -> std::result::Result<(), String> {
    let (count, applies) = (node.result_count(), matches!(node.kind, NodeKind::Apply(_)));
    if !applies && count != 1 {
        return Err(format!("it has {count} results, not 1"));
    }
    if count > MOST_RESULTS {
        return Err(format!("it has {count} results, and not {MOST_RESULTS} at most"));
    }
    let behind = applies || matches!(node.kind, NodeKind::Copy | NodeKind::Collective(_));
    let open = match &node.open {
        None => true,
        Some(Open::Input(..)) => matches!(node.kind, NodeKind::Input),
        Some(Open::Results(_)) => behind && node.results.is_empty(),
    };
    if !open {
        return Err("it cannot have open sizes".into());
    }
    if !node.storage.is_empty() && node.storage.len() != node.results.len() {
        return Err("it has not one storage for each result".into());
    }
    Ok(())
}

fn at(node: usize, error: &Error) -> Error {
    Error::new(error.kind(), format!("node %{node}: {error}"))
}
