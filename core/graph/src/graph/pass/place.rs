//! Placement: which device each node runs on.

use super::Policy;
use crate::graph::{Found, Graph, Node, NodeKind, backend, find};
use ringwood_base::{Error, Result};

/// What placement may choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The devices, the preferred one first: `cpu:0`.
    pub devices: Vec<String>,
    /// The devices that take a node whose own device has no kernel for it, in order. Empty: such a
    /// node is an error.
    pub fallback: Vec<String>,
    /// Which of the devices takes a node that names none.
    pub policy: Policy,
}

/// The graph with a device on every node.
///
/// A node that names its device stays there; any other application goes where the [`Policy`] says.
/// Inputs, parameters and constants go where the first operator that reads them is.
///
/// # Errors
/// A node names a device that is not listed, or the kernel is missing there and no fallback was
/// asked for, or it names none and the policy asks for one; the error names kernel, node and device, and where the kernel exists.
pub fn place(graph: &Graph, placement: &Placement) -> Result<Graph> {
    let Some(first) = placement.devices.first() else {
        return Err(Error::invalid("a plan needs at least one device"));
    };
    placement.policy.check(&placement.devices)?;
    for device in &placement.fallback {
        placement.check(device).map_err(|e| e.with("used as", "fallback"))?;
    }
    let mut placed = graph.clone();
    for i in 0..graph.nodes.len() {
        let node = &placed.nodes[i];
        if let Some(device) = &node.device {
            placement.check(device).map_err(|e| e.with("node", format!("%{i} = {node}")))?;
        }
        if !node.has_work() {
            continue;
        }
        let here = |e: Error| {
            let e = e.with("node", format!("%{i}"));
            node.line.0.map_or(e.clone(), |line| e.with("at", line))
        };
        let (device, found) = placement.choose(&placed, node).map_err(here)?;
        let copies = matches!(node.kind, NodeKind::Copy);
        let pulls = if copies { Vec::new() } else { node.operands.clone() };
        for operand in pulls {
            for operand in [placed.base(operand), operand] {
                let operand = operand.node as usize;
                if placed.nodes[operand].device.is_none() {
                    placed.node_mut(operand).device = Some(device.clone());
                }
            }
        }
        let node = placed.node_mut(i);
        (node.device, node.found) = (Some(device), found);
    }
    for i in 0..placed.nodes.len() {
        if placed.nodes[i].device.is_none() {
            let base = placed.nodes[i].view().map(|_| placed.nodes[i].operands[0].node as usize);
            let device = base.and_then(|base| placed.nodes[base].device.as_ref()).unwrap_or(first);
            placed.node_mut(i).device = Some(device.clone());
        }
    }
    Ok(placed)
}

/// The nodes that left the device they named, with the device that took them.
pub fn fallbacks(before: &Graph, after: &Graph) -> Vec<(usize, String)> {
    let pairs = before.nodes.iter().zip(&after.nodes).enumerate();
    pairs
        .filter(|(_, (asked, got))| asked.device.is_some() && asked.device != got.device)
        .filter_map(|(i, (_, got))| Some((i, got.device.clone()?)))
        .collect()
}

impl Placement {
    fn check(&self, device: &str) -> Result<()> {
        if self.devices.iter().any(|d| d == device) {
            return Ok(());
        }
        let known = self.devices.join(", ");
        Err(Error::device(format!("device {device} is not among those of the plan: {known}")))
    }

    /// The device for a node, and how it computes it.
    fn choose(&self, graph: &Graph, node: &Node) -> Result<(String, Found)> {
        let runs = |device: &String| {
            let found = find(graph, node, backend(device)).map(Found::from);
            let may = found.is_ok() || !node.is_launch();
            may.then(|| (device.clone(), found.unwrap_or_default()))
        };
        let own = match &node.device {
            Some(device) => runs(device),
            None => match &self.policy {
                Policy::Explicit => return Err(homeless(node)),
                Policy::Kernel => self.devices.iter().find_map(runs),
                Policy::Data => {
                    let nearest = self.nearest(graph, node).and_then(runs);
                    nearest.or_else(|| self.devices.iter().find_map(runs))
                }
                Policy::Cost(rates) => {
                    let cost = |(device, found): &(String, Found)| {
                        let found = found.0.as_deref()?;
                        Some(rates.get(device)?.cost(graph, node, device, found))
                    };
                    self.devices.iter().filter_map(runs).min_by_key(cost)
                }
            },
        };
        let chosen = own.or_else(|| self.fallback.iter().find_map(runs));
        chosen.ok_or_else(|| self.missing(graph, node))
    }

    /// The device that holds most bytes of the operands placed so far; the first listed of several.
    fn nearest(&self, graph: &Graph, node: &Node) -> Option<&String> {
        let bytes = |device: &String| -> usize {
            let here = |o: &&crate::graph::ValueId| {
                graph.nodes[graph.base(**o).node as usize].device.as_ref() == Some(device)
            };
            node.operands.iter().filter(here).map(|&o| graph.value_type(o).bytes()).sum()
        };
        let most = self.devices.iter().map(bytes).max().filter(|&most| most > 0)?;
        self.devices.iter().find(|d| bytes(d) == most)
    }

    fn missing(&self, graph: &Graph, node: &Node) -> Error {
        let device = node.device.as_ref().unwrap_or(&self.devices[0]);
        let tried = match &node.device {
            Some(device) => device.clone(),
            None => self.devices.join(", "),
        };
        let found = find(graph, node, backend(device)).map(drop);
        match found {
            Err(error) => error.with("on", tried),
            Ok(()) => Error::device(format!("no device runs `{node}`")),
        }
    }
}

/// The error of a node without a device where each is to name one.
fn homeless(node: &Node) -> Error {
    let message = format!("`{node}` names no device, and the policy is `explicit`");
    Error::device(message).help("place it, or choose another policy")
}
