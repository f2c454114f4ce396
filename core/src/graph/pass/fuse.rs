//! Fusion: element-wise nodes that one kernel computes.

use super::{Rewrite, assign_storage, blocks, place};
use crate::Shape;
use crate::graph::{FusedApply, FusedOperand, Graph, Node, NodeKind, ValueId, find_kernel, fused};
use crate::kernel::fuses;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The most applications of a fused node: a longer text takes a device's compiler long.
const MOST_PARTS: usize = 64;

/// The placed graph with element-wise nodes fused where nothing else reads what passes between them.
///
/// A node joins those that read its result if all of them compute a value of its shape on its device
/// and it is no output. What a fused node computes is computed as before, so no bit changes; what
/// passed between the nodes takes no memory. Operands that broadcast are read as they are.
///
/// Operands of a fused node may live longer than before. If the storage of the plan grows by that,
/// only nodes that follow each other are fused; if it still does, none are. `share` is as in
/// [`assign_storage`].
pub fn fuse(graph: &Graph, share: bool) -> Graph {
    let fusable: Vec<bool> = graph.nodes.iter().map(|node| is_fusable(graph, node)).collect();
    let bytes = |graph: &Graph| -> usize {
        blocks(&assign_storage(graph, share)).iter().map(|block| block.bytes).sum()
    };
    let mut before = None;
    for adjacent in [false, true] {
        let regions = Regions::of(graph, &fusable, adjacent);
        if regions.fused.is_empty() {
            break;
        }
        let fused = regions.rewrite(graph);
        if bytes(&fused) <= *before.get_or_insert_with(|| bytes(graph)) {
            return fused;
        }
    }
    graph.clone()
}

fn is_fusable(graph: &Graph, node: &Node) -> bool {
    let Some(device) = node.device.as_deref().filter(|_| node.operator().is_some()) else {
        return false;
    };
    let kernel = find_kernel(graph, node, place::backend(device));
    let plain = node.results.len() == 1 && node.attributes.is_empty();
    plain && kernel.is_ok_and(|kernel| fuses(kernel.def, kernel.instance))
}

/// The nodes to fuse: those of a region become its last one.
struct Regions {
    /// The nodes of each region, by the last of them.
    fused: BTreeMap<usize, BTreeSet<usize>>,
    /// The nodes that are in a region without being its last.
    absorbed: BTreeSet<usize>,
}

impl Regions {
    /// `adjacent`: nothing else that does work stands between the nodes of a region.
    fn of(graph: &Graph, fusable: &[bool], adjacent: bool) -> Regions {
        let mut readers = vec![Vec::new(); graph.nodes.len()];
        for (i, node) in graph.nodes.iter().enumerate() {
            node.operands.iter().for_each(|operand| readers[operand.node as usize].push(i));
        }
        let mut open = fusable.to_vec();
        let mut regions = Regions { fused: BTreeMap::new(), absorbed: BTreeSet::new() };
        for root in (0..graph.nodes.len()).rev() {
            if !open[root] {
                continue;
            }
            let mut region = Region::new(graph, root);
            while let Some(node) = region.candidates.pop() {
                let joins = open[node]
                    && readers[node].iter().all(|reader| region.nodes.contains(reader))
                    && region.takes(node, adjacent);
                if joins {
                    region.add(node);
                }
            }
            if region.nodes.len() > 1 {
                region.nodes.iter().for_each(|&node| open[node] = false);
                regions.absorbed.extend(region.nodes.range(..root));
                regions.fused.insert(root, region.nodes);
            }
        }
        regions
    }

    fn rewrite(&self, graph: &Graph) -> Graph {
        let mut rewrite = Rewrite::of(graph);
        for (i, node) in graph.nodes.iter().enumerate() {
            if let Some(region) = self.fused.get(&i) {
                let (operands, applications) = applications(graph, region);
                let operands = operands.into_iter().map(|o| rewrite.value(o)).collect();
                let fused = Node {
                    operands,
                    device: node.device.clone(),
                    ..Node::new(NodeKind::Fused(applications), node.results.clone())
                };
                rewrite.moved[i] = rewrite.target.push(fused).id.node;
            } else if !self.absorbed.contains(&i) {
                let operands = node.operands.iter().map(|&o| rewrite.value(o)).collect();
                rewrite.keep(i, operands);
            }
        }
        rewrite.finish()
    }
}

/// The operands of a region, and what it computes of them.
fn applications(graph: &Graph, region: &BTreeSet<usize>) -> (Vec<ValueId>, Vec<FusedApply>) {
    let mut operands: Vec<ValueId> = Vec::new();
    let mut results = BTreeMap::new();
    let mut applications = Vec::new();
    for &i in region {
        let node = &graph.nodes[i];
        let mut operand = |value: &ValueId| match results.get(&(value.node as usize)) {
            Some(&result) => FusedOperand::Result(result),
            None => {
                let known = operands.iter().position(|operand| operand == value);
                let index = known.unwrap_or_else(|| {
                    operands.push(*value);
                    operands.len() - 1
                });
                FusedOperand::Operand(index as u32)
            }
        };
        let operator = node.operator().unwrap_or_default().to_owned();
        let application =
            FusedApply { operator, operands: node.operands.iter().map(&mut operand).collect() };
        results.insert(i, applications.len() as u32);
        applications.push(application);
    }
    (operands, applications)
}

/// Nodes that are fused with the one that computes their common result.
struct Region<'a> {
    graph: &'a Graph,
    nodes: BTreeSet<usize>,
    /// Nodes whose results the region reads, the last one first, some more than once.
    candidates: BinaryHeap<usize>,
    domain: Shape,
    device: &'a Option<String>,
}

impl<'a> Region<'a> {
    fn new(graph: &'a Graph, root: usize) -> Self {
        let node = &graph.nodes[root];
        let (domain, device) = (node.results[0].shape, &node.device);
        let (nodes, candidates) = (BTreeSet::new(), BinaryHeap::new());
        let mut region = Region { graph, nodes, candidates, domain, device };
        region.add(root);
        region
    }

    fn add(&mut self, node: usize) {
        self.nodes.insert(node);
        self.candidates.extend(self.graph.nodes[node].operands.iter().map(|o| o.node as usize));
    }

    /// Whether a node may join, all of whose readers are in the region.
    fn takes(&self, index: usize, adjacent: bool) -> bool {
        let node = &self.graph.nodes[index];
        let is_output = self.graph.outputs.iter().any(|o| o.value.node as usize == index);
        let first = self.nodes.first().map_or(index, |first| *first);
        let between = &self.graph.nodes[(index + 1).min(first)..first];
        !is_output
            && !self.nodes.contains(&index)
            && node.device == *self.device
            && node.results[0].shape == self.domain
            && self.nodes.len() < MOST_PARTS
            && fused::takes(self.inputs(index), self.domain)
            && (!adjacent || between.iter().all(Node::is_source))
    }

    /// The number of values that the region would read with one more node.
    fn inputs(&self, index: usize) -> usize {
        let nodes = self.nodes.iter().chain([&index]);
        let read = nodes.flat_map(|&node| &self.graph.nodes[node].operands);
        let outside = |value: &&ValueId| {
            let node = value.node as usize;
            node != index && !self.nodes.contains(&node)
        };
        read.filter(outside).collect::<BTreeSet<_>>().len()
    }
}
