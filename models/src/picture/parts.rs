//! What a picture shows: nodes, or clusters of them.

use ringwood_graph::graph::{Graph, Node, NodeKind};
use std::collections::BTreeMap;

/// The most parts that are drawn one by one.
const MOST: usize = 200;

/// The most letters of a line.
const LETTERS: usize = 34;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Launches.
    Work,
    /// Inputs, outputs and copies.
    Border,
}

/// One box.
pub(super) struct Part {
    pub(super) name: String,
    /// The type and the size of the result.
    pub(super) result: String,
    /// All of it, for the reader who points at the box.
    pub(super) about: String,
    pub(super) device: Option<String>,
    pub(super) shape: Shape,
    /// The parts whose results it reads.
    pub(super) operands: Vec<usize>,
}

impl Part {
    pub(super) fn width(&self) -> f64 {
        let letters = self.name.chars().count().max(self.result.chars().count());
        7.2 * letters as f64 + 20.0
    }
}

/// The parts of a graph, each after its operands.
pub(super) fn parts(graph: &Graph) -> Vec<Part> {
    let nodes = graph.nodes();
    let drawn = |node: &Node| node.has_work() || matches!(node.kind, NodeKind::Input);
    let count = nodes.iter().filter(|node| drawn(node)).count();
    let run = count.div_ceil(MOST).max(1);
    let (mut groups, mut part_of): (Vec<Vec<usize>>, _) = (Vec::new(), vec![None; nodes.len()]);
    for (i, node) in nodes.iter().enumerate().filter(|(_, node)| drawn(node)) {
        let joins = |group: &&mut Vec<usize>| {
            let first = &nodes[group[0]];
            group.len() < run
                && node.is_launch()
                && first.is_launch()
                && first.device == node.device
        };
        match groups.last_mut().filter(joins) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
        part_of[i] = Some(groups.len() - 1);
    }
    let mut parts: Vec<Part> = groups.iter().map(|group| part(graph, group, &part_of)).collect();
    for output in graph.outputs() {
        let source = graph.base(output.value).node as usize;
        parts.push(Part {
            name: shortened(&output.name),
            result: "output".into(),
            about: format!("output {:?} = {}", output.name, output.value),
            device: nodes[source].device.clone(),
            shape: Shape::Border,
            operands: part_of[source].into_iter().collect(),
        });
    }
    parts
}

fn part(graph: &Graph, group: &[usize], part_of: &[Option<usize>]) -> Part {
    let nodes = graph.nodes();
    let (first, last) = (&nodes[group[0]], &nodes[group[group.len() - 1]]);
    let own = part_of[group[0]];
    let operands = group.iter().flat_map(|&i| &nodes[i].operands);
    let operands = operands.filter_map(|&value| part_of[graph.base(value).node as usize]);
    let mut operands: Vec<_> = operands.filter(|part| Some(*part) != own).collect();
    operands.sort_unstable();
    operands.dedup();
    let mut words = BTreeMap::<String, usize>::new();
    group.iter().for_each(|&i| *words.entry(word(&nodes[i])).or_default() += 1);
    let words: Vec<_> = words.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let lines: Vec<_> = group.iter().map(|&i| format!("%{i} = {}", nodes[i])).collect();
    let result = last.results.first();
    Part {
        name: match group {
            [only] => shortened(&word(&nodes[*only])),
            _ => shortened(&words.join(", ")),
        },
        result: result.map_or_else(|| "?".into(), |ty| format!("{ty}  {}", size(ty.bytes()))),
        about: lines.join("\n"),
        device: first.device.clone(),
        shape: if first.is_launch() { Shape::Work } else { Shape::Border },
        operands,
    }
}

/// The name of an input, the operator of another node; of a node of a file, that of the file.
fn word(node: &Node) -> String {
    match (&node.name, node.attributes.value::<String>("node", "op_type")) {
        (Some(name), _) => name.clone(),
        (None, Ok(op_type)) => op_type,
        (None, Err(_)) => node.word(),
    }
}

fn shortened(text: &str) -> String {
    match text.chars().count() <= LETTERS {
        true => text.to_owned(),
        false => text.chars().take(LETTERS - 1).chain(['…']).collect(),
    }
}

/// `1.5 MB`.
fn size(bytes: usize) -> String {
    let units = ["B", "kB", "MB", "GB"];
    let unit = (bytes.max(1).ilog10() / 3).min(3);
    match unit {
        0 => format!("{bytes} B"),
        _ => format!("{:.1} {}", bytes as f64 / 1000_f64.powi(unit as i32), units[unit as usize]),
    }
}
