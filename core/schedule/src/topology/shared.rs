//! The memory of one machine.

use super::{Levels, Link, positive};
use ringwood_base::Result;
use serde::{Deserialize, Serialize};

/// One memory for each NUMA node, and a link between each two nodes, in each direction.
///
/// Ranks fill the nodes one after the other. What is between two ranks of a node crosses that
/// node's memory; else both memories and the link between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SharedMemory {
    /// NUMA nodes.
    pub nodes: usize,
    /// The memory of a node.
    pub memory: Link,
    /// The way to another node.
    pub between: Link,
}

impl Default for SharedMemory {
    fn default() -> Self {
        Self {
            nodes: 1,
            memory: Link { bandwidth: 100e9, latency: 0.1e-6 },
            between: Link { bandwidth: 40e9, latency: 0.1e-6 },
        }
    }
}

impl SharedMemory {
    pub(super) fn lay(&self, ranks: usize, levels: &mut Levels) -> Result<usize> {
        let nodes = positive("NUMA nodes", self.nodes)?;
        levels.add("memory", nodes, self.memory);
        if nodes > 1 {
            levels.add("node to node", nodes * nodes, self.between);
        }
        Ok(ranks.max(1))
    }

    pub(super) fn route(&self, ranks: usize, source: usize, target: usize, path: &mut Vec<u32>) {
        let each = ranks.div_ceil(self.nodes);
        let (from, to) = (source / each, target / each);
        path.push(from as u32);
        if from != to {
            path.push((self.nodes + from * self.nodes + to) as u32);
            path.push(to as u32);
        }
    }
}
