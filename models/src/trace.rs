//! Traces of runs for <https://ui.perfetto.dev>: what ran when on which device, what was copied, how much memory
//! was in use.
//!
//! ```
//! use ringwood_base::{DType, Shape};
//! use ringwood_device::device::Device;
//! use ringwood_graph::graph::Graph;
//! use ringwood_models::trace;
//! # use {ringwood_backend_cpu as _, ringwood_kernels as _};
//!
//! let mut graph = Graph::new();
//! let x = graph.input("x", DType::F32, &[2, 3])?;
//! let y = graph.apply("exp", &[x])?;
//! graph.output("y", y)?;
//! let device = Device::named("cpu:0")?;
//! let mut plan = graph.plan(&[device.clone()])?;
//! let x = device.tensor_with(&[1.0_f32; 6], Shape::new(&[2, 3])?)?;
//! let times = plan.run_timed(&[("x", &x)])?;
//! assert!(trace::json(plan.graph(), &times).to_string().contains("exp"));
//! # Ok::<(), ringwood_base::Error>(())
//! ```

use ringwood_graph::graph::{Graph, Node, NodeKind, NodeTime};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The trace of a [`run_timed`](ringwood_graph::graph::GraphPlan::run_timed) of a planned graph, in the JSON of
/// Chrome's traces.
///
/// Each device has a track, and one for the copies to it; an arrow leads from what is copied to the copy. The
/// nodes of such a run follow each other, so a trace shows how long each takes, not what overlaps in other runs.
/// Counters give the bytes of the results that are still needed.
pub fn json(graph: &Graph, times: &[NodeTime]) -> Value {
    let mut tracks = BTreeMap::new();
    for time in times {
        let next = tracks.len() + 1;
        tracks.entry(track(graph, time)).or_insert(next);
    }
    let names = tracks.iter().map(|(name, id)| {
        json!({"ph": "M", "name": "thread_name", "pid": 1, "tid": id, "args": {"name": name}})
    });
    let mut events: Vec<_> = names.collect();
    let (mut now, mut slices) = (0.0, BTreeMap::new());
    let mut live = Live::new(graph);
    for time in times {
        let (node, id) = (&graph.nodes()[time.node], tracks[&track(graph, time)]);
        let length = time.time.as_secs_f64() * 1e6;
        events.push(json!({
            "ph": "X", "name": time.operator, "cat": "node", "pid": 1, "tid": id, "ts": now, "dur": length,
            "args": {"node": format!("%{} = {node}", time.node)},
        }));
        if matches!(node.kind, NodeKind::Copy) {
            let from = slices.get(&graph.base(node.operands[0]).node);
            events.extend(from.into_iter().flat_map(|from| flow(time.node, *from, (id, now))));
        }
        slices.insert(time.node as u32, (id, now));
        let used = live.after(time.node);
        now += length;
        events.push(json!({"ph": "C", "name": "bytes in use", "pid": 1, "ts": now, "args": used}));
    }
    json!({"displayTimeUnit": "ns", "traceEvents": events})
}

/// The name of the track of a node.
fn track(graph: &Graph, time: &NodeTime) -> String {
    match graph.nodes()[time.node].kind {
        NodeKind::Copy => format!("copies to {}", time.device),
        _ => time.device.clone(),
    }
}

/// An arrow from one slice to another one, each a track and a start.
fn flow(id: usize, from: (usize, f64), to: (usize, f64)) -> [Value; 2] {
    let end = |ph, (tid, ts): (usize, f64)| json!({"ph": ph, "bp": "e", "name": "copy", "cat": "copy", "id": id, "pid": 1, "tid": tid, "ts": ts});
    [end("s", from), end("f", to)]
}

/// Which results are needed as a run goes on.
struct Live<'a> {
    graph: &'a Graph,
    /// The nodes whose results each node is the last one to read.
    dying: Vec<Vec<usize>>,
    bytes: BTreeMap<String, usize>,
    /// The nodes before this one have run.
    next: usize,
}

impl<'a> Live<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut last: Vec<_> = (0..graph.nodes().len()).collect();
        for (i, node) in graph.nodes().iter().enumerate() {
            for &operand in &node.operands {
                last[graph.base(operand).node as usize] = i;
            }
        }
        for output in graph.outputs() {
            last[graph.base(output.value).node as usize] = usize::MAX;
        }
        let mut dying = vec![Vec::new(); graph.nodes().len()];
        for (i, &end) in last.iter().enumerate().filter(|(i, _)| !graph.nodes()[*i].is_source()) {
            if let Some(dying) = dying.get_mut(end) {
                dying.push(i);
            }
        }
        Self { graph, dying, bytes: BTreeMap::new(), next: 0 }
    }

    /// The bytes on each device after a node has run.
    fn after(&mut self, node: usize) -> &BTreeMap<String, usize> {
        for i in self.next..=node {
            let made = &self.graph.nodes()[i];
            *self.bytes.entry(device(made)).or_default() += bytes(made);
            for &j in &self.dying[i] {
                let gone = &self.graph.nodes()[j];
                let left = self.bytes.entry(device(gone)).or_default();
                *left = left.saturating_sub(bytes(gone));
            }
        }
        self.next = node + 1;
        &self.bytes
    }
}

fn device(node: &Node) -> String {
    node.device.clone().unwrap_or_default()
}

/// The bytes of a node's results; a view has none of its own.
fn bytes(node: &Node) -> usize {
    match node.kind {
        NodeKind::View(_) => 0,
        _ => node.results.iter().map(ringwood_graph::graph::TensorType::bytes).sum(),
    }
}
