//! Storage planning: which values share memory.

use crate::graph::{Graph, Node, NodeKind, TensorType, ValueId};
use ringwood_device::kernel::Form;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;

/// The bytes of a plan on one device, each counted once: by what it holds between runs, else at the end of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PlanMemory {
    /// The device.
    pub device: String,
    /// Parameters and constants; plans of one [`Model`](crate::graph::Model) share those that have a value.
    pub parameters: usize,
    /// What is computed of parameters once, as packed matrices.
    pub kept: usize,
    /// Inputs.
    pub inputs: usize,
    /// The storages in which a run leaves outputs.
    pub outputs: usize,
    /// All other storages.
    pub intermediates: usize,
    /// What the values of the last two would take if each had a storage of its own.
    pub unshared: usize,
}

impl PlanMemory {
    /// The bytes of all storages that values share: outputs and intermediates.
    pub fn shared(&self) -> usize {
        self.outputs + self.intermediates
    }

    /// All bytes.
    pub fn total(&self) -> usize {
        self.parameters + self.kept + self.inputs + self.shared()
    }
}

impl fmt::Display for PlanMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, parameters, kept, inputs, outputs, intermediates, unshared } = self;
        write!(
            f,
            "{device}: {} bytes: parameters {parameters}, kept {kept}, inputs {inputs}, outputs {outputs}, \
             intermediates {intermediates} ({unshared} for both without sharing)",
            self.total()
        )
    }
}

/// The placed graph with a storage for every value; values of one storage are never needed at the
/// same time.
///
/// Inputs, parameters and constants have a storage of their own, and so does what is kept of them. The others follow TVM's greedy rule
/// (`GraphPlanMemory`): the smallest free block of the device that holds the value and is at most 16
/// times as large, else the largest that is at least a sixteenth, grown, else a new one. Nothing takes
/// the block of an output, and an output takes that of the input that [`Graph::alias`] names, if it can. An element-wise node also writes over an operand that dies with it. Of the
/// plans with and without such overwriting the smaller one is taken, so the plan is never worse than
/// the rule.
///
/// `share` false gives each value a storage of its own.
pub fn assign_storage(graph: &Graph, share: bool) -> Graph {
    let mut planned = graph.clone();
    for (i, ids) in Planner::best(graph, share).storage.into_iter().enumerate() {
        planned.node_mut(i).storage = ids;
    }
    planned
}

/// The bytes of all storages that [`assign_storage`] gives.
pub(super) fn storage_bytes(graph: &Graph, share: bool) -> usize {
    Planner::best(graph, share).bytes()
}

/// The memory of a planned graph, for each device in order of name.
pub fn memory(graph: &Graph) -> Vec<PlanMemory> {
    let mut devices: BTreeMap<&str, PlanMemory> = BTreeMap::new();
    let blocks = blocks(graph);
    for block in blocks.iter().filter(|block| !block.fixed) {
        let memory = devices.entry(&block.device).or_default();
        *if block.output { &mut memory.outputs } else { &mut memory.intermediates } += block.bytes;
    }
    for node in graph.nodes.iter().filter(|node| node.view().is_none()) {
        let memory = devices.entry(node.device.as_deref().unwrap_or_default()).or_default();
        let bytes: usize = node.results.iter().map(TensorType::bytes).sum();
        *match node.kind {
            NodeKind::Input => &mut memory.inputs,
            NodeKind::Parameter | NodeKind::Constant(_) => &mut memory.parameters,
            _ if node.kept => &mut memory.kept,
            _ => &mut memory.unshared,
        } += bytes;
    }
    let named = |(device, memory): (&str, _)| PlanMemory { device: device.into(), ..memory };
    devices.into_iter().map(named).collect()
}

/// One storage of a planned graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) device: String,
    pub(crate) bytes: usize,
    pub(crate) fixed: bool,
    output: bool,
}

/// The storages of a planned graph; a storage is as large as the largest of its values.
pub(crate) fn blocks(graph: &Graph) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for node in graph.nodes.iter().filter(|node| node.view().is_none()) {
        for (ty, &id) in node.results.iter().zip(&node.storage) {
            let id = id as usize;
            blocks.resize(blocks.len().max(id + 1), Block::default());
            let block = &mut blocks[id];
            block.device = node.device.clone().unwrap_or_default();
            block.bytes = block.bytes.max(ty.bytes());
            block.fixed |= node.stays();
        }
    }
    for output in &graph.outputs {
        let ValueId { node, result } = graph.base(output.value);
        if let Some(&id) = graph.nodes[node as usize].storage.get(result as usize) {
            blocks[id as usize].output = true;
        }
    }
    blocks
}

/// The inputs whose memory outputs take, by output: as [`Graph::alias`] asks, where that is right.
pub(crate) fn aliases(graph: &Graph) -> BTreeMap<ValueId, ValueId> {
    let mut readers: HashMap<ValueId, Vec<usize>> = HashMap::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        for &operand in &node.operands {
            readers.entry(graph.base(operand)).or_default().push(i);
        }
    }
    let outputs: HashSet<_> = graph.outputs.iter().map(|o| graph.base(o.value)).collect();
    let asked = graph.outputs.iter().filter_map(|o| Some((o.value, o.over?)));
    let free = asked.filter(|(_, input)| !outputs.contains(input));
    let read = |input| readers.get(&input).map_or(&[][..], Vec::as_slice);
    free.filter(|&(output, input)| may_alias(graph, output, input, read(input))).collect()
}

/// Whether a value may be written where an input lies that these nodes read: none of them needs it any more then.
fn may_alias(graph: &Graph, output: ValueId, input: ValueId, readers: &[usize]) -> bool {
    let (node, source) = (&graph.nodes[output.node as usize], &graph.nodes[input.node as usize]);
    // A copy may begin before what stands before it.
    let own = input.node < output.node && node.is_launch() && !node.stays();
    if !own || node.device != source.device || graph.weight_of(source).is_some() {
        return false;
    }
    readers.iter().all(|&i| match &graph.nodes[i] {
        reader if reader.view().is_some() => true,
        reader if i < output.node as usize => !reader.kept,
        reader => i == output.node as usize && in_place(graph, reader, input),
    })
}

/// Whether a node may write its result over an operand: it reads it element by element, and nowhere at steps.
fn in_place(graph: &Graph, node: &Node, value: ValueId) -> bool {
    // A view reads its elements at other places than those that are written meanwhile.
    let viewed = node.operands.iter().any(|&o| o != value && graph.base(o) == value);
    let (ty, result) = (graph.value_type(value), node.results[0]);
    let same_type = ty.shape == result.shape && ty.dtype.size() == result.dtype.size();
    node.operands.contains(&value)
        && !viewed
        && same_type
        && graph.nodes[value.node as usize].device == node.device
        && match node.collective() {
            Some(call) => call.is_in_place(),
            None => graph.implementation(node).is_ok_and(|found| found.kernel.form() == Form::Map),
        }
}

struct Planner<'a> {
    graph: &'a Graph,
    overwrite: bool,
    sizes: Vec<usize>,
    /// The free storages of each device by their size, the one freed first first.
    free: HashMap<&'a Option<String>, BTreeMap<usize, VecDeque<u32>>>,
    storage: Vec<Vec<u32>>,
}

impl<'a> Planner<'a> {
    /// The smaller one of the plans with and without values that are written over.
    fn best(graph: &'a Graph, share: bool) -> Self {
        let (dying, aliases) = (dying(graph), aliases(graph));
        let without = Self::plan(graph, (share, false), dying.clone(), &aliases);
        if !share {
            return without;
        }
        let with = Self::plan(graph, (share, true), dying, &aliases);
        if with.bytes() <= without.bytes() { with } else { without }
    }

    fn plan(
        graph: &'a Graph,
        (share, overwrite): (bool, bool),
        mut dying: Vec<Vec<ValueId>>,
        aliases: &BTreeMap<ValueId, ValueId>,
    ) -> Self {
        let mut planner =
            Planner { graph, overwrite, sizes: vec![], free: HashMap::new(), storage: vec![] };
        for (i, node) in graph.nodes.iter().enumerate() {
            let mut ids = Vec::with_capacity(node.results.len());
            let viewed = node.view().map(|_| planner.id(node.operands[0]));
            ids.extend(viewed);
            for (result, ty) in node.results.iter().enumerate().filter(|_| viewed.is_none()) {
                let value = ValueId { node: i as u32, result: result as u32 };
                ids.push(match aliases.get(&value) {
                    Some(&input) => planner.id(input),
                    None if share && !node.stays() => planner.take(node, ty.bytes(), &mut dying[i]),
                    None => planner.create(ty.bytes()),
                });
            }
            planner.storage.push(ids);
            if share {
                let released = std::mem::take(&mut dying[i]);
                released.into_iter().for_each(|value| planner.release(value));
            }
        }
        planner
    }

    fn bytes(&self) -> usize {
        self.sizes.iter().sum()
    }

    fn create(&mut self, bytes: usize) -> u32 {
        self.sizes.push(bytes);
        self.sizes.len() as u32 - 1
    }

    fn take(&mut self, node: &'a Node, bytes: usize, dying: &mut Vec<ValueId>) -> u32 {
        if let Some(value) = self.overwritten(node, dying) {
            dying.retain(|&v| v != value);
            return self.id(value);
        }
        if node.collective().is_some() {
            // In memory that was used before, it would wait for what used it.
            return self.create(bytes);
        }
        let free = self.free.entry(&node.device).or_default();
        let larger = free.range(bytes..=bytes.saturating_mul(16)).next();
        let best = larger.or_else(|| free.range(bytes / 16..bytes).next_back());
        let Some((&size, ids)) = best else {
            return self.create(bytes);
        };
        let last = ids.len() == 1;
        // The one that was freed first of those that are large enough, and last of the others.
        let taken = free.get_mut(&size).and_then(|ids| match size >= bytes {
            true => ids.pop_front(),
            false => ids.pop_back(),
        });
        if last {
            free.remove(&size);
        }
        let Some(id) = taken else { return self.create(bytes) };
        self.sizes[id as usize] = size.max(bytes);
        id
    }

    /// The operand that the node may write over: it dies here, and the kernel is element-wise.
    fn overwritten(&self, node: &Node, dying: &[ValueId]) -> Option<ValueId> {
        if !self.overwrite && node.collective().is_none() {
            return None;
        }
        dying.iter().copied().find(|&value| in_place(self.graph, node, value))
    }

    fn release(&mut self, value: ValueId) {
        let id = self.id(value);
        let free = self.free.entry(&self.graph.nodes[value.node as usize].device).or_default();
        free.entry(self.sizes[id as usize]).or_default().push_back(id);
    }

    fn id(&self, value: ValueId) -> u32 {
        self.storage[value.node as usize][value.result as usize]
    }
}

/// For each node, the values that nothing after it needs: those it reads last, and its own results
/// that nothing reads.
fn dying(graph: &Graph) -> Vec<Vec<ValueId>> {
    // Where each value is read last, those of a node from its first place on.
    let (mut first, mut last) = (Vec::with_capacity(graph.nodes.len()), Vec::new());
    for (i, node) in graph.nodes.iter().enumerate() {
        first.push(last.len());
        let own = (node.view().is_none() && !node.stays()).then_some(i);
        last.resize(last.len() + node.results.len(), own);
        for operand in &node.operands {
            let ValueId { node, result } = graph.base(*operand);
            let last = &mut last[first[node as usize] + result as usize];
            *last = last.map(|_| i);
        }
    }
    for output in &graph.outputs {
        let ValueId { node, result } = graph.base(output.value);
        last[first[node as usize] + result as usize] = None;
    }
    let mut dying = vec![Vec::new(); graph.nodes.len()];
    for (node, first) in first.into_iter().enumerate() {
        for result in 0..graph.nodes[node].results.len() {
            if let Some(at) = last[first + result] {
                dying[at].push(ValueId { node: node as u32, result: result as u32 });
            }
        }
    }
    dying
}
