//! Accelerators that share a fast switch.

use super::{FatTree, Level, Levels, Link, positive};
use ringwood_base::Result;
use serde::{Deserialize, Serialize};

/// Islands of accelerators: inside, each has a port up to and one down from a switch that never
/// blocks; beyond, each has a network port in a fat tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Islands {
    /// The accelerators of an island.
    pub size: usize,
    /// A port inside of an island.
    pub inside: Link,
    /// The network between islands.
    pub beyond: FatTree,
}

impl Default for Islands {
    fn default() -> Self {
        Self {
            size: 8,
            inside: Link { bandwidth: 450e9, latency: 0.3e-6 },
            beyond: FatTree::default(),
        }
    }
}

impl Islands {
    pub(super) fn lay(&self, ranks: usize, levels: &mut Levels) -> Result<usize> {
        positive("accelerators in an island", self.size)?;
        levels.add("island up", ranks, self.inside);
        levels.add("island down", ranks, self.inside);
        self.beyond.lay(ranks, levels)
    }

    pub(super) fn route(&self, levels: &[Level], ends: (usize, usize), path: &mut Vec<u32>) {
        let (source, target) = ends;
        if source / self.size == target / self.size {
            let port = |level: usize, rank: usize| (levels[level].links.start + rank) as u32;
            path.extend([port(0, source), port(1, target)]);
        } else {
            self.beyond.route(&levels[2..], ends, path);
        }
    }
}
