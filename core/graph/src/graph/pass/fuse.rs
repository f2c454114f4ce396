//! Fusion: element-wise nodes that one kernel computes, alone or where another kernel loads their
//! result.

use super::storage::storage_bytes;
use super::{Rewrite, producers};
use crate::graph::{
    Found, FusedApply, FusedOperand, Graph, Node, NodeKind, ValueId, backend, find, implementation,
};
use ringwood_base::Shape;
use ringwood_device::kernel::{Kernel, fuses};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

/// The most applications of a fused node: a longer text takes a device's compiler long.
const MOST_PARTS: usize = 64;

/// The placed graph with element-wise nodes fused where nothing else reads what passes between them.
///
/// A node joins those that read its result if all of them compute a value of its shape on its device
/// and it is no output. What a fused node computes is computed as before, so no bit changes; what
/// passed between the nodes takes no memory. Operands that broadcast are read as they are.
///
/// On devices that compile printed kernels, nodes also join a kernel that loads their result, such as
/// a reduction, if all that they read has as many elements as their result, or one, and if the kernel
/// loads each element about once, by enough work-items.
///
/// Operands of a fused node may live longer than before. If the storage of the plan grows by that,
/// only nodes that follow each other are fused; if it still does, none join a kernel that is no
/// element-wise one, and at last none are fused. `share` is as in [`assign_storage`](super::assign_storage).
pub fn fuse(graph: &Graph, share: bool) -> Graph {
    let fusable = fusable(graph);
    let mut before = None;
    for (producers, adjacent) in [(true, false), (true, true), (false, false), (false, true)] {
        let regions = Regions::of(graph, &fusable, Choice { producers, adjacent });
        if regions.fused.is_empty() {
            break;
        }
        let fused = regions.rewrite(graph);
        let before = *before.get_or_insert_with(|| storage_bytes(graph, share));
        if storage_bytes(&fused, share) <= before {
            return fused;
        }
    }
    graph.clone()
}

/// Whether each node may be fused; each kernel is looked at once.
fn fusable(graph: &Graph) -> Vec<bool> {
    let mut known: HashMap<Kernel, bool> = HashMap::new();
    let mut kernel_fuses =
        |kernel: &Kernel| *known.entry(kernel.clone()).or_insert_with(|| fuses(kernel));
    let mut is_fusable = |node: &Node| {
        let plain =
            node.operator().is_some() && node.results.len() == 1 && node.attributes.is_empty();
        plain && graph.implementation(node).is_ok_and(|found| kernel_fuses(&found.kernel))
    };
    graph.nodes.iter().map(|node| is_fusable(node)).collect()
}

/// The nodes to fuse: those of a region become its last one.
struct Regions {
    /// The nodes of each region, by the last of them.
    fused: BTreeMap<usize, BTreeSet<usize>>,
    /// The nodes that are in a region without being its last.
    absorbed: BTreeSet<usize>,
}

/// What may be fused.
#[derive(Clone, Copy)]
struct Choice {
    /// Kernels that are no maps, with what they load.
    producers: bool,
    /// Only nodes between which nothing else does work.
    adjacent: bool,
}

impl Regions {
    fn of(graph: &Graph, fusable: &[bool], choice: Choice) -> Regions {
        let mut readers = vec![Vec::new(); graph.nodes.len()];
        for (i, node) in graph.nodes.iter().enumerate() {
            node.operands.iter().for_each(|operand| readers[operand.node as usize].push(i));
        }
        for output in &graph.outputs {
            readers[output.value.node as usize].push(graph.nodes.len());
        }
        let mut search = Search { graph, readers, open: fusable.to_vec(), choice };
        let mut regions = Regions { fused: BTreeMap::new(), absorbed: BTreeSet::new() };
        for root in (0..graph.nodes.len()).rev() {
            let nodes = match (search.open[root], fusable[root]) {
                (true, _) => search.maps(root),
                (false, false) => search.producers(root),
                (false, true) => continue,
            };
            if nodes.len() > 1 {
                nodes.iter().for_each(|&node| search.open[node] = false);
                regions.absorbed.extend(nodes.range(..root));
                regions.fused.insert(root, nodes);
            }
        }
        regions
    }

    fn rewrite(&self, graph: &Graph) -> Graph {
        let mut rewrite = Rewrite::of(graph);
        for i in 0..graph.nodes.len() {
            if let Some(region) = self.fused.get(&i) {
                let mut fused = fused_node(graph, i, region);
                let found = fused.device.as_deref().map(|d| find(graph, &fused, backend(d)));
                fused.found = found.and_then(Result::ok).map(Found::from).unwrap_or_default();
                fused.operands.iter_mut().for_each(|operand| *operand = rewrite.value(*operand));
                rewrite.moved[i] = rewrite.target.push(fused).id.node;
            } else if !self.absorbed.contains(&i) {
                rewrite.follow(i);
            }
        }
        rewrite.finish()
    }
}

/// Looks for nodes to fuse, from the last node to the first.
struct Search<'a> {
    graph: &'a Graph,
    /// The nodes that read each node, as often as they do; one behind all nodes stands for whoever takes outputs.
    readers: Vec<Vec<usize>>,
    /// The nodes that are maps and not yet fused.
    open: Vec<bool>,
    choice: Choice,
}

impl Search<'_> {
    /// A map and those that are computed with it.
    fn maps(&self, root: usize) -> BTreeSet<usize> {
        let node = &self.graph.nodes[root];
        let candidates = node.operands.iter().map(|o| o.node as usize).collect();
        self.grow(root, node.results[0].shape, candidates)
    }

    /// A node that is no map, and the maps that are computed where it loads an operand; empty if there
    /// is no such operand.
    fn producers(&self, root: usize) -> BTreeSet<usize> {
        let node = &self.graph.nodes[root];
        let may = self.choice.producers && node.operator().is_some() && node.results.len() == 1;
        let producers = |operand: &ValueId| {
            let map = operand.node as usize;
            let candidates: BinaryHeap<_> = self.open[map].then_some(map).into_iter().collect();
            let nodes = self.grow(root, self.graph.value_type(*operand).shape, candidates);
            let joined = nodes.len() > 1 && self.takes(root, &nodes, *operand);
            joined.then_some(nodes)
        };
        node.operands.iter().filter(|_| may).find_map(producers).unwrap_or_default()
    }

    /// Whether the maps can be computed where the kernel of `root` loads `operand`, and better are.
    fn takes(&self, root: usize, nodes: &BTreeSet<usize>, operand: ValueId) -> bool {
        let device = self.graph.nodes[root].device.as_deref();
        device.is_some_and(|device| implementation::prints(self.graph, backend(device)))
            && producers::pays(self.graph, root, operand).unwrap_or(false)
            && self.graph.implementation(&fused_node(self.graph, root, nodes)).is_ok()
    }

    /// `root` with the candidates, and what they read, that are computed with it.
    fn grow(&self, root: usize, domain: Shape, candidates: BinaryHeap<usize>) -> BTreeSet<usize> {
        let (graph, nodes) = (self.graph, BTreeSet::from([root]));
        let device = &graph.nodes[root].device;
        let mut region = Region { graph, nodes, candidates, domain, device };
        while let Some(node) = region.candidates.pop() {
            let joins = self.open[node]
                && self.readers[node].iter().all(|reader| region.nodes.contains(reader))
                && region.takes(node, self.choice.adjacent);
            if joins {
                region.add(node);
            }
        }
        region.nodes
    }
}

/// The node that computes a region, whose last node is `root`.
fn fused_node(graph: &Graph, root: usize, region: &BTreeSet<usize>) -> Node {
    let mut operands: Vec<ValueId> = Vec::new();
    let mut computed = BTreeMap::new();
    let mut applications = Vec::new();
    for &i in region {
        let node = &graph.nodes[i];
        let mut operand = |value: &ValueId| match computed.get(&(value.node as usize)) {
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
        let application = FusedApply {
            operator: node.operator().unwrap_or_default().to_owned(),
            operands: node.operands.iter().map(&mut operand).collect(),
            attributes: node.attributes.clone(),
        };
        computed.insert(i, applications.len() as u32);
        applications.push(application);
    }
    let Node { device, results, origin, .. } = Node::clone(&graph.nodes[root]);
    Node { operands, device, origin, ..Node::new(NodeKind::Fused(applications), results) }
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

impl Region<'_> {
    fn add(&mut self, node: usize) {
        self.nodes.insert(node);
        self.candidates.extend(self.graph.nodes[node].operands.iter().map(|o| o.node as usize));
    }

    /// Whether a node may join, all of whose readers are in the region.
    fn takes(&self, index: usize, adjacent: bool) -> bool {
        let node = &self.graph.nodes[index];
        let first = self.nodes.first().map_or(index, |first| *first);
        let between = &self.graph.nodes[(index + 1).min(first)..first];
        !self.nodes.contains(&index)
            && node.device == *self.device
            && node.results[0].shape == self.domain
            && self.nodes.len() < MOST_PARTS
            && implementation::takes(self.inputs(index), self.domain)
            && (!adjacent || between.iter().all(|node| !node.has_work()))
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
