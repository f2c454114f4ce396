//! Fat trees of two or three levels.

use super::{Level, Levels, Link, positive, spread};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};

/// Switches of `radix` ports in two levels (leaf and spine) or three (leaf, aggregation, core).
///
/// A leaf has `taper` times as many ports to ranks as to the level above: 1 is a tree without
/// bottleneck. The way up is chosen by a hash of the two ranks. Ranks fill the leaves one after the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FatTree {
    /// The ports of a switch.
    pub radix: usize,
    /// Ports down for each port up at a leaf.
    pub taper: f64,
    /// 2 or 3; 0 for as few as hold the ranks.
    pub levels: usize,
    /// The link of a rank, and between switches.
    pub link: Link,
}

impl Default for FatTree {
    fn default() -> Self {
        Self { radix: 64, taper: 1.0, levels: 0, link: Link::default() }
    }
}

/// The shape of a tree, in switches and ports.
#[derive(Clone, Copy)]
struct Shape {
    /// Ports of a leaf to ranks and to the level above.
    down: usize,
    up: usize,
    /// The leaves of a pod; of the whole tree, if it has two levels.
    leaves: usize,
}

impl FatTree {
    /// Lays the links out: up and down of the ranks, of the leaves, and of the pods if there are
    /// any.
    pub(super) fn lay(&self, ranks: usize, levels: &mut Levels) -> Result<usize> {
        let radix = positive("ports at a switch", self.radix)?;
        if radix < 2
            || !(self.taper >= 1.0 && self.taper.is_finite())
            || ![0, 2, 3].contains(&self.levels)
        {
            let (levels, taper) = (self.levels, self.taper);
            let levels = if levels == 0 { String::new() } else { format!("{levels} levels of ") };
            let message = format!(
                "a fat tree of {levels}{radix}-port switches with taper {taper} does not exist"
            );
            return Err(Error::invalid(message)
                .help("a switch has 2 ports or more, the taper is at least 1, and there are 2 or 3 levels"));
        }
        let Shape { down, up, .. } = self.shape();
        let two = down.saturating_mul(radix);
        let three = down.saturating_mul(radix / 2).saturating_mul(radix);
        let deep = self.levels == 3 || self.levels == 0 && ranks > two;
        let leaves = ranks.div_ceil(down);
        levels.add("rank up", ranks, self.link);
        levels.add("rank down", ranks, self.link);
        levels.add("leaf up", leaves * up, self.link);
        levels.add("leaf down", leaves * up, self.link);
        if deep {
            let pods = leaves.div_ceil(radix / 2);
            levels.add("pod up", pods * up * (radix / 2), self.link);
            levels.add("pod down", pods * up * (radix / 2), self.link);
        }
        Ok(if deep { three } else { two })
    }

    fn shape(&self) -> Shape {
        let down = (self.radix as f64 * self.taper / (1.0 + self.taper)).round() as usize;
        let down = down.clamp(1, self.radix - 1);
        Shape { down, up: self.radix - down, leaves: self.radix / 2 }
    }

    pub(super) fn route(&self, levels: &[Level], ends: (usize, usize), path: &mut Vec<u32>) {
        let (source, target) = ends;
        let Shape { down, up, leaves } = self.shape();
        let mut push = |level: usize, link: usize| {
            path.push((levels[level].links.start + link) as u32);
        };
        let (from, to) = (source / down, target / down);
        push(0, source);
        if from != to {
            let port = spread(source, target, up);
            push(2, from * up + port);
            let (pod_from, pod_to) = (from / leaves, to / leaves);
            if levels.len() > 4 && pod_from != pod_to {
                let core = spread(source + 1, target + 1, leaves);
                push(4, (pod_from * up + port) * leaves + core);
                push(5, (pod_to * up + port) * leaves + core);
            }
            push(3, to * up + port);
        }
        push(1, target);
    }
}
