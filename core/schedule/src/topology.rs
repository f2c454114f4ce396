//! Networks: which links the bytes between two ranks cross.

mod dragonfly;
mod fat_tree;
mod islands;
mod parse;
mod shared;
mod torus;

pub use dragonfly::{Dragonfly, Routing};
pub use fat_tree::FatTree;
pub use islands::Islands;
pub use shared::SharedMemory;
pub use torus::Torus;

use crate::Rank;
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A network, as plain data; its size follows the number of ranks.
///
/// ```
/// use ringwood_schedule::Topology;
///
/// let torus: Topology = "torus:4x4".parse()?;
/// let network = torus.network(16)?;
/// assert_eq!(network.path(0, 5).len(), 2);
/// assert_eq!(network.path(0, 12).len(), 1); // around the ring
/// assert!(torus.network(17).unwrap_err().message().contains("16 ranks"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Topology {
    /// One switch that never blocks: only the port of each rank can be busy.
    Switch(Link),
    /// The memory of one machine.
    SharedMemory(SharedMemory),
    /// Two or three levels of switches.
    FatTree(FatTree),
    /// Rings in any number of dimensions.
    Torus(Torus),
    /// Groups of switches, each group linked with every other one.
    Dragonfly(Dragonfly),
    /// Accelerators that share a fast switch, and a fat tree between such islands.
    Islands(Islands),
}

/// What a link, or the port of a rank, takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Link {
    /// Bytes in a second.
    pub bandwidth: f64,
    /// Seconds until the first byte is at the other end.
    pub latency: f64,
}

impl Default for Link {
    /// 50 GB/s and half a microsecond.
    fn default() -> Self {
        Self { bandwidth: 50e9, latency: 0.5e-6 }
    }
}

/// A topology for a number of ranks: its links are numbered.
#[derive(Clone, Debug)]
pub struct Network {
    topology: Topology,
    ranks: usize,
    levels: Vec<Level>,
}

/// Links of one kind, numbered one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// What they link, as `leaf to spine`.
    pub name: &'static str,
    /// The numbers of the links.
    pub links: Range<usize>,
    /// What each of them takes.
    pub link: Link,
}

/// Appends levels, numbering their links.
#[derive(Default)]
struct Levels(Vec<Level>);

/// The most links of a network, which are held in memory.
const LINKS: usize = 1 << 24;

impl Levels {
    fn add(&mut self, name: &'static str, count: usize, link: Link) -> usize {
        let first = self.0.last().map_or(0, |level| level.links.end);
        self.0.push(Level { name, links: first..first + count, link });
        first
    }
}

impl Topology {
    /// The network of `ranks` ranks.
    ///
    /// # Errors
    /// The topology holds fewer ranks, or no group has so many; it has a count of 0, more than 2^24 links, or a link that takes nothing.
    pub fn network(&self, ranks: usize) -> Result<Network> {
        if ranks > Rank::MOST {
            let (name, most) = (self.name(), Rank::MOST);
            let message =
                format!("topology `{name}` for {ranks} ranks: a group has at most {most}");
            return Err(Error::unsupported(message));
        }
        let mut levels = Levels::default();
        let capacity = match self {
            Topology::Switch(link) => {
                levels.add("up", ranks, *link);
                levels.add("down", ranks, *link);
                usize::MAX
            }
            Topology::SharedMemory(memory) => memory.lay(ranks, &mut levels)?,
            Topology::FatTree(tree) => tree.lay(ranks, &mut levels)?,
            Topology::Torus(torus) => torus.lay(&mut levels)?,
            Topology::Dragonfly(dragonfly) => dragonfly.lay(&mut levels)?,
            Topology::Islands(islands) => islands.lay(ranks, &mut levels)?,
        };
        if ranks == 0 || ranks > capacity {
            let message = format!("topology `{}` holds {capacity} ranks, not {ranks}", self.name());
            return Err(Error::invalid(message)
                .help("give it more switches or levels, or simulate fewer ranks"));
        }
        levels.0.iter().try_for_each(check_link)?;
        let links = levels.0.last().map_or(0, |level| level.links.end);
        if links > LINKS {
            let message = format!("topology `{}` has {links} links: at most {LINKS}", self.name());
            return Err(Error::unsupported(message).help("give it fewer nodes or switches"));
        }
        Ok(Network { topology: self.clone(), ranks, levels: levels.0 })
    }

    /// The kind of network, as in its text form: `fat-tree`.
    pub fn name(&self) -> &'static str {
        match self {
            Topology::Switch(_) => "switch",
            Topology::SharedMemory(_) => "shared-memory",
            Topology::FatTree(_) => "fat-tree",
            Topology::Torus(_) => "torus",
            Topology::Dragonfly(_) => "dragonfly",
            Topology::Islands(_) => "islands",
        }
    }
}

fn check_link(level: &Level) -> Result<()> {
    let Link { bandwidth, latency } = level.link;
    if bandwidth > 0.0 && latency >= 0.0 && latency.is_finite() {
        return Ok(());
    }
    let message =
        format!("a link of {bandwidth} bytes per second and {latency} s latency is no link");
    Err(Error::invalid(message).with("level", level.name))
}

impl Network {
    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The links by kind.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The number of links.
    pub fn links(&self) -> usize {
        self.levels.last().map_or(0, |level| level.links.end)
    }

    /// The level of a link.
    ///
    /// # Panics
    /// There is no such link.
    pub fn level(&self, link: usize) -> &Level {
        let level = self.levels.iter().find(|level| level.links.contains(&link));
        level.unwrap_or_else(|| panic!("link {link} is not one of {}", self.links()))
    }

    /// The links that bytes from `source` to `target` cross, in their order; none from a rank to
    /// itself.
    pub fn path(&self, source: usize, target: usize) -> Vec<u32> {
        let mut path = Vec::new();
        self.route(source, target, &mut path);
        path
    }

    /// [`Network::path`], appended to `path`.
    pub(super) fn route(&self, source: usize, target: usize, path: &mut Vec<u32>) {
        if source == target {
            return;
        }
        let first = |level: usize| self.levels[level].links.start;
        match &self.topology {
            Topology::Switch(_) => {
                path.extend([first(0) + source, first(1) + target].map(|link| link as u32));
            }
            Topology::SharedMemory(memory) => memory.route(self.ranks, source, target, path),
            Topology::FatTree(tree) => tree.route(&self.levels, (source, target), path),
            Topology::Torus(torus) => torus.route(source, target, path),
            Topology::Dragonfly(dragonfly) => dragonfly.route(&self.levels, (source, target), path),
            Topology::Islands(islands) => islands.route(&self.levels, (source, target), path),
        }
    }
}

/// A number of switches, ports or ranks that must be there.
fn positive(what: &str, count: usize) -> Result<usize> {
    if (1..=1 << 20).contains(&count) {
        return Ok(count);
    }
    let message = format!("a topology with {count} {what} does not exist");
    Err(Error::invalid(message).help("give a number from 1 to 2^20"))
}

/// A number for a pair of ranks, the same in both directions, that spreads pairs evenly: similar
/// pairs have unrelated numbers, else they would meet on one link.
fn spread(a: usize, b: usize, choices: usize) -> usize {
    let (low, high) = (a.min(b) as u64, a.max(b) as u64);
    (super::verify::mix(low << 32 | high) % choices as u64) as usize
}

#[cfg(test)]
mod tests;
