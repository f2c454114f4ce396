//! The text and file forms of a topology.

use super::{Dragonfly, FatTree, Islands, Link, Routing, SharedMemory, Topology, Torus};
use crate::Bytes;
use ringwood_base::{Error, Result};
use std::str::FromStr;

const FORMS: &str = "write switch, shared-memory:nodes=2, fat-tree:k=16,taper=2, torus:8x8x16, \
    dragonfly:routers=16,ranks=8,global=8,routing=valiant, islands:size=8,k=64,taper=2, \
    each with options of its links if you like, as in switch:bandwidth=50GB,latency=1us; \
    or the path of a .json file";

/// A short text, as `fat-tree:k=16,taper=2` or `torus:8x8x16`.
impl FromStr for Topology {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, options) = text.split_once(':').unwrap_or((text, ""));
        let mut options = Options::new(text, options);
        let topology = match kind {
            "switch" => Topology::Switch(options.link()?),
            "shared-memory" => shared_memory(&mut options)?,
            "fat-tree" => Topology::FatTree(fat_tree(&mut options)?),
            "torus" => torus(&mut options)?,
            "dragonfly" => dragonfly(&mut options)?,
            "islands" => islands(&mut options)?,
            _ => return Err(bad(text, &format!("there is no topology `{kind}`"))),
        };
        options.finish()?;
        Ok(topology)
    }
}

fn shared_memory(options: &mut Options<'_>) -> Result<Topology> {
    let mut memory = SharedMemory::default();
    options.number("nodes", &mut memory.nodes)?;
    options.link_into(&mut memory.memory)?;
    Ok(Topology::SharedMemory(memory))
}

fn fat_tree(options: &mut Options<'_>) -> Result<FatTree> {
    let mut tree = FatTree::default();
    options.number("k", &mut tree.radix)?;
    options.number("taper", &mut tree.taper)?;
    options.number("levels", &mut tree.levels)?;
    options.link_into(&mut tree.link)?;
    Ok(tree)
}

fn torus(options: &mut Options<'_>) -> Result<Topology> {
    let shape = options.bare();
    let sizes = shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>();
    let dimensions = sizes
        .map_err(|_| bad(options.text, &format!("`{shape}` are not the dimensions of a torus")))?;
    Ok(Topology::Torus(Torus { dimensions, link: options.link()? }))
}

fn dragonfly(options: &mut Options<'_>) -> Result<Topology> {
    let mut dragonfly = Dragonfly::default();
    options.number("routers", &mut dragonfly.routers)?;
    options.number("ranks", &mut dragonfly.ranks)?;
    options.number("global", &mut dragonfly.global)?;
    if let Some(routing) = options.take("routing") {
        dragonfly.routing = match routing {
            "minimal" => Routing::Minimal,
            "valiant" => Routing::Valiant,
            other => return Err(bad(options.text, &format!("there is no routing `{other}`"))),
        };
    }
    options.link_into(&mut dragonfly.link)?;
    dragonfly.port = dragonfly.link;
    Ok(Topology::Dragonfly(dragonfly))
}

fn islands(options: &mut Options<'_>) -> Result<Topology> {
    let mut islands = Islands { beyond: fat_tree(options)?, ..Islands::default() };
    options.number("size", &mut islands.size)?;
    options.bandwidth("inside", &mut islands.inside.bandwidth)?;
    Ok(Topology::Islands(islands))
}

/// The `key=value` pairs of a text, taken one after the other.
struct Options<'a> {
    text: &'a str,
    left: Vec<&'a str>,
    known: Vec<&'static str>,
}

impl<'a> Options<'a> {
    fn new(text: &'a str, options: &'a str) -> Self {
        let left = options.split(',').filter(|o| !o.is_empty()).collect();
        Self { text, left, known: Vec::new() }
    }

    /// The first option that has no key.
    fn bare(&mut self) -> &'a str {
        let at = self.left.iter().position(|option| !option.contains('='));
        at.map_or("", |i| self.left.remove(i))
    }

    fn take(&mut self, key: &'static str) -> Option<&'a str> {
        self.known.push(key);
        let value = |option: &&'a str| option.strip_prefix(key)?.strip_prefix('=');
        let at = self.left.iter().position(|option| value(option).is_some())?;
        value(&self.left.remove(at))
    }

    fn number<T: FromStr>(&mut self, key: &'static str, into: &mut T) -> Result<()> {
        if let Some(value) = self.take(key) {
            let why = || bad(self.text, &format!("`{value}` is no number for `{key}`"));
            *into = value.parse().map_err(|_| why())?;
        }
        Ok(())
    }

    fn bandwidth(&mut self, key: &'static str, into: &mut f64) -> Result<()> {
        if let Some(value) = self.take(key) {
            let bytes: Bytes = value.strip_suffix("/s").unwrap_or(value).parse()?;
            *into = bytes.0 as f64;
        }
        Ok(())
    }

    fn link(&mut self) -> Result<Link> {
        let mut link = Link::default();
        self.link_into(&mut link)?;
        Ok(link)
    }

    fn link_into(&mut self, link: &mut Link) -> Result<()> {
        self.bandwidth("bandwidth", &mut link.bandwidth)?;
        if let Some(value) = self.take("latency") {
            let why = || bad(self.text, &format!("`{value}` is no latency, as in 500ns or 2us"));
            link.latency = seconds(value).ok_or_else(why)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let Some(option) = self.left.first() else { return Ok(()) };
        let known = self.known.join(", ");
        Err(bad(self.text, &format!("`{option}` is not an option of it ({known})")))
    }
}

fn seconds(text: &str) -> Option<f64> {
    let units = [("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let (number, unit) = units.iter().find_map(|u| Some((text.strip_suffix(u.0)?, u.1)))?;
    number.trim().parse::<f64>().ok().map(|n| n * unit)
}

fn bad(text: &str, why: &str) -> Error {
    Error::invalid(format!("`{text}` is not a topology: {why}")).help(FORMS)
}
