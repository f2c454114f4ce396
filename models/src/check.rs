//! What of a model cannot be run.

use ringwood_graph::graph::{Attributes, Graph, TensorType};
use serde::Serialize;
use std::fmt;

/// A node that cannot be run, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The number of the node in the graph.
    pub node: usize,
    /// The name of the node in the file, if it has one.
    pub name: Option<String>,
    /// The operator, as the file calls it.
    pub operator: String,
    /// The set that the operator is of: `ai.onnx`.
    pub set: String,
    /// The version of the set, if the file says it.
    pub version: Option<i64>,
    /// The types of the operands, if they are known: not those of results of other such nodes.
    pub operands: Option<Vec<String>>,
    /// The first that needs a result of the node: an operator and its node, or an output.
    pub consumer: Option<String>,
    /// Why it cannot be run.
    pub reason: String,
    /// What would help.
    pub help: Option<&'static str>,
}

/// Every node of a graph that cannot be run with inputs of these extents; none if all can.
///
/// A node that depends on data, or on results of such a node, is listed only if its operator is not known, or one inside
/// of it: in a branch, or the body of a loop.
pub fn check(graph: &Graph, shapes: &[(&str, &[usize])]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (node, operands, error) in graph.failures(shapes) {
        match error {
            Some(error) => {
                findings.push(finding(graph, node, Some(&operands), error.message().to_owned()));
            }
            None => findings.extend(unknown(graph, node)),
        }
    }
    findings
}

fn finding(
    graph: &Graph,
    place: usize,
    operands: Option<&[TensorType]>,
    reason: String,
) -> Finding {
    let node = &graph.nodes()[place];
    let (set, operator, version) = operator(graph, place);
    let operands = operands.map(|types| types.iter().map(ToString::to_string).collect());
    let known = node.operator() != Some("onnx") || is_known(&set, &operator);
    let help = (!known).then(|| help(&set));
    let consumer = consumer(graph, place);
    let name = node.is_launch().then(|| node.called().map(str::to_owned)).flatten();
    Finding { node: place, name, operator, set, version, operands, consumer, reason, help }
}

/// The node of a file, if its operator is none that is known, or else those nodes inside of it of which that is true.
fn unknown(graph: &Graph, place: usize) -> Vec<Finding> {
    let node = &graph.nodes()[place];
    if node.operator() != Some("onnx") {
        return Vec::new();
    }
    let (set, own, version) = operator(graph, place);
    let reason = |set: &str, operator: &str| format!("there is no operator {set}.{operator}");
    if !is_known(&set, &own) {
        return vec![finding(graph, place, None, reason(&set, &own))];
    }
    let around = node.called().map_or_else(String::new, |name| format!("{name}/"));
    let inside = inner(&node.attributes).into_iter().map(|(name, set, operator)| Finding {
        node: place,
        name: Some(format!("{around}{name}")),
        version: version.filter(|_| set == "ai.onnx"),
        operands: None,
        consumer: Some(format!("{own} (node {place})")),
        reason: reason(&set, &operator),
        help: Some(help(&set)),
        operator,
        set,
    });
    inside.collect()
}

#[cfg(feature = "onnx")]
fn is_known(set: &str, operator: &str) -> bool {
    crate::onnx::is_known(set, operator)
}

#[cfg(not(feature = "onnx"))]
fn is_known(_: &str, _: &str) -> bool {
    false
}

/// The name, the set and the operator of each node inside of a node whose operator is not known.
#[cfg(feature = "onnx")]
fn inner(attributes: &Attributes) -> Vec<(String, String, String)> {
    crate::onnx::unknown(attributes)
}

#[cfg(not(feature = "onnx"))]
fn inner(_: &Attributes) -> Vec<(String, String, String)> {
    Vec::new()
}

/// The set, the name and the version of the operator of a node, as its file says them.
fn operator(graph: &Graph, place: usize) -> (String, String, Option<i64>) {
    let node = &graph.nodes()[place];
    let text = |attributes: &Attributes, name| attributes.value::<String>("onnx", name).ok();
    match (node.operator(), text(&node.attributes, "op_type")) {
        (Some("onnx"), Some(op_type)) => match text(&node.attributes, "domain") {
            Some(set) => (set, op_type, None),
            None => ("ai.onnx".into(), op_type, node.attributes.value("onnx", "opset").ok()),
        },
        (Some(name), _) => match name.rsplit_once("::") {
            Some((package, name)) => (package.to_owned(), name.to_owned(), None),
            None => ("ringwood".into(), name.to_owned(), None),
        },
        (None, _) => {
            let name = node.name.as_deref().map(|name| format!("input `{name}`"));
            ("ringwood".into(), name.unwrap_or_else(|| "copy".into()), None)
        }
    }
}

/// The first that needs a result of a node.
fn consumer(graph: &Graph, place: usize) -> Option<String> {
    let reads = |operands: &[ringwood_graph::graph::ValueId]| {
        operands.iter().any(|value| value.node as usize == place)
    };
    let first = graph.nodes().iter().position(|node| reads(&node.operands));
    let output = || graph.outputs().iter().find(|output| output.value.node as usize == place);
    match first {
        Some(first) => Some(format!("{} (node {first})", operator(graph, first).1)),
        None => output().map(|output| format!("output `{}`", output.name)),
    }
}

/// What would help where an operator of a set is not known.
fn help(set: &str) -> &'static str {
    match set {
        "ai.onnx" => {
            "export the model with another operator set, or write what it computes with other operators"
        }
        "com.microsoft" => {
            "export the model without the optimisations and the quantisation of ONNX Runtime"
        }
        "ai.onnx.ml" => {
            "classical machine learning is not read: run that part in the program that calls the model"
        }
        _ => "the set is not that of a standard: export the model without operators of its own",
    }
}

/// ``node 3 "sum": com.microsoft.QLinearAdd of u8[1, 3] for Relu (node 4): there is no operator …``
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.node)?;
        self.name.as_ref().map_or(Ok(()), |name| write!(f, " {name:?}"))?;
        write!(f, ": {}.{}", self.set, self.operator)?;
        self.version.map_or(Ok(()), |version| write!(f, " ({version})"))?;
        match &self.operands {
            Some(types) if !types.is_empty() => write!(f, " of {}", types.join(", "))?,
            _ => {}
        }
        if let Some(consumer) = &self.consumer {
            write!(f, ", for {consumer}")?;
        }
        write!(f, ": {}", self.reason)?;
        self.help.map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}
