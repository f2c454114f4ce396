//! `.ringwood`: a package, which holds a model, its weights, and what was compiled for it.
//!
//! It is a ZIP archive whose entries are stored, each aligned to 64 bytes; any program for archives unpacks it.
//!
//! | part | is |
//! |---|---|
//! | `manifest.json` | the version, and for each device the parts that hold its code |
//! | `graph.json` | the graph, as serde writes it |
//! | `weights/N-NAME.npy` | the value of a parameter; `numpy.load` reads all of them |
//! | `kernels/DEVICE/N-NAME.c` | the source of a kernel, as it was printed for the device |
//! | `code/DEVICE/N-NAME.bin` | what the device's driver compiled of it |
//!
//! [`Graph::load`] maps a package: it reads the manifest and the graph, checks them, and leaves the weights to
//! those who use them. It takes no code, as what a driver loads runs in the process: [`use_code`] does, of a
//! package that is trusted. The archive has a checksum of each part, and [`verify`] checks all of them: they find
//! damage, and are no defence against a forger. What is not contents is checked whenever a package is opened: a byte that
//! is another than would have been written is an error.
//!
//! ```
//! # use ringwood_kernels as _;
//! # use ringwood_base::DType;
//! # use ringwood_graph::graph::Graph;
//! use ringwood_models::package;
//!
//! # let path = std::env::temp_dir().join(format!("doc-{}.ringwood", std::process::id()));
//! # let mut graph = Graph::new();
//! # let x = graph.input("x", DType::U8, &[2])?;
//! # let w = graph.weight("w", DType::U8, &[2], vec![1, 2].into())?;
//! # let y = graph.apply("add", &[x, w])?;
//! # graph.output("y", y)?;
//! package::save(&path, &graph, &[])?;
//! package::verify(&path)?;
//! assert_eq!(Graph::load(&path)?, graph);
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod manifest;
mod write;

pub use write::save;

use crate::file::malformed;
use crate::map::map;
use crate::npy;
use crate::summary::{self, Part as Described, Summary};
use crate::zip::{self, Part};
use bytes::Bytes;
use manifest::{Coded, Manifest, SOURCE};
use ringwood_base::{Error, Result};
use ringwood_device::kernel::{CacheKey, CompileCache};
use ringwood_graph::graph::{Graph, Node, NodeKind, TensorType};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What every part starts at a multiple of, in bytes.
const ALIGN: usize = 64;

const MANIFEST: &str = "manifest.json";
const GRAPH: &str = "graph.json";

ringwood_graph::register_model_format!(package, ["ringwood"], |path, empty| {
    with(path, |package| package.graph(empty))
});

/// Gives the process the compiled code of a package, and returns how many codes it has: backends take one for
/// a kernel whose source, device and driver are the same, and compile the others. What was taken, and why
/// code was not, say [`CompileCache::counts`].
///
/// Code runs in the process, or on its devices, as it is: use that of packages that you trust.
///
/// # Errors
/// The package cannot be read, or code is damaged.
pub fn use_code(path: impl AsRef<Path>) -> Result<usize> {
    with(path.as_ref(), |package| {
        let codes: Vec<_> =
            package.codes().map(|code| package.code(code)).collect::<Result<_>>()?;
        let count = codes.len();
        codes.into_iter().for_each(|(key, code)| CompileCache::global().give(key, &code[..]));
        Ok(count)
    })
}

/// Checks all of a package: it reads every part.
///
/// # Errors
/// A part is damaged: the error names it.
pub fn verify(path: impl AsRef<Path>) -> Result<()> {
    with(path.as_ref(), Package::verify)
}

/// What a package holds.
pub(crate) fn inspect(path: &Path) -> Result<Summary> {
    with(path, |package| {
        let graph = package.graph(Graph::new())?;
        let manifest = &package.manifest;
        let mut facts = vec![
            ("version", manifest.package.to_string()),
            ("written by", format!("ringwood {}", manifest.ringwood)),
        ];
        facts.extend(manifest.devices.iter().map(|device| ("code", device.to_string())));
        let part = |part: &Part| Described {
            name: part.name.clone(),
            bytes: part.contents.len(),
            checksum: format!("{:08x}", part.checksum),
        };
        let parts = package.parts.values().map(part).collect();
        let whole = summary::of_graph(&graph)?;
        facts.extend(whole.facts);
        Ok(Summary { format: "package", facts, parts, ..whole })
    })
}

fn with<T>(path: &Path, read: impl FnOnce(&Package) -> Result<T>) -> Result<T> {
    let package = map(path).and_then(|file| Package::read(&file));
    package.and_then(|package| read(&package)).map_err(|e| e.with("file", path.display()))
}

/// A package in memory.
struct Package {
    manifest: Manifest,
    parts: BTreeMap<String, Part>,
}

impl Package {
    fn read(file: &Bytes) -> Result<Self> {
        let mut parts = BTreeMap::new();
        for part in zip::parts(file, ALIGN)? {
            let mut names = part.name.split('/');
            if !names.all(|name| {
                name.chars().all(is_plain) && !name.starts_with('.') && !name.is_empty()
            }) {
                return Err(malformed(format!("`{}` is no name of a part", part.name)));
            }
            if let Some(part) = parts.insert(part.name.clone(), part) {
                return Err(malformed(format!("there are two parts `{}`", part.name)));
            }
        }
        let manifest = parts.get(MANIFEST).ok_or_else(|| missing(MANIFEST))?;
        let manifest = Manifest::read(checked(manifest)?)?;
        Ok(Self { manifest, parts })
    }

    fn verify(&self) -> Result<()> {
        self.parts.values().try_for_each(|part| checked(part).map(drop))?;
        self.graph(Graph::new()).map(drop)
    }

    /// The part of this name, whose contents are not looked at.
    fn part(&self, name: &str) -> Result<&Part> {
        self.parts.get(name).ok_or_else(|| missing(name))
    }

    /// The graph, with its weights, after a check that every part belongs to the package.
    fn graph(&self, empty: Graph) -> Result<Graph> {
        let part = self.part(GRAPH)?;
        let graph = empty.of_json(checked(part)?).map_err(|e| e.with("part", GRAPH))?;
        let mut known: BTreeSet<_> = [MANIFEST, GRAPH].map(String::from).into();
        known.extend(self.codes().flat_map(Coded::parts).map(String::from));
        let mut weights = Vec::new();
        for (i, node) in graph.nodes().iter().enumerate() {
            let Some((name, ty)) = parameter(node) else { continue };
            let part = weight(i, name);
            if let Some(found) = self.parts.get(&part) {
                weights.push((name.to_owned(), ty, elements(found, ty)?));
                known.insert(part);
            }
        }
        if let Some(name) = self.parts.keys().find(|name| !known.contains(*name)) {
            return Err(malformed(format!("part `{name}` belongs to no package")));
        }
        let mut graph = graph;
        weights.into_iter().try_for_each(|(name, ty, bytes)| graph.set_weight(&name, ty, bytes))?;
        Ok(graph)
    }

    /// The codes of all devices.
    fn codes(&self) -> impl Iterator<Item = &Coded> {
        self.manifest.devices.iter().flat_map(|device| &device.code)
    }

    /// The key and the contents of a code.
    fn code(&self, coded: &Coded) -> Result<(CacheKey, &Bytes)> {
        let value = |(name, value): &(String, String)| {
            let value = match name.as_str() {
                SOURCE => checked(self.part(value)?)?.to_vec(),
                _ => value.clone().into_bytes(),
            };
            Ok((name.clone(), value))
        };
        let key: Vec<_> = coded.key.iter().map(value).collect::<Result<_>>()?;
        Ok((key.into_iter().collect(), checked(self.part(&coded.part)?)?))
    }
}

/// The contents of a part that match its checksum.
fn checked(part: &Part) -> Result<&Bytes> {
    let Part { name, contents, checksum } = part;
    if zip::fits(contents, *checksum) {
        return Ok(contents);
    }
    let got = crc32fast::hash(contents);
    let message =
        format!("part `{name}` is damaged: its checksum is {got:08x}, not {checksum:08x}");
    Err(malformed(message).help("copy or write the package anew"))
}

fn missing(name: &str) -> Error {
    malformed(format!("the package has no part `{name}`"))
}

/// The name and the type of a parameter.
fn parameter(node: &Node) -> Option<(&str, TensorType)> {
    let named = matches!(node.kind, NodeKind::Parameter).then_some(node.name.as_deref()?)?;
    Some((named, *node.results.first()?))
}

/// The part of the value of a parameter, which is a node of this number.
fn weight(node: usize, name: &str) -> String {
    format!("weights/{node}-{}.npy", plain(name))
}

/// The start of a name, of characters that every file system takes.
fn plain(name: &str) -> String {
    name.chars().take(80).map(|c| if is_plain(c) { c } else { '_' }).collect()
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._".contains(c)
}

/// The elements of a tensor, which follow a header.
fn elements(part: &Part, ty: TensorType) -> Result<Bytes> {
    let (header, contents) = (npy::header(ty), &part.contents);
    if contents.starts_with(&header) && contents.len() == header.len() + ty.bytes() {
        return Ok(contents.slice(header.len()..));
    }
    let message = format!("part `{}` is no tensor of type {ty}", part.name);
    Err(malformed(message).help("packages are read in the byte order that they were written in"))
}

#[cfg(test)]
mod tests;
