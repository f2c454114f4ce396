//! Every reader of files of this crate: reads one, and what a model is made of.
//!
//! The fuzz targets in `fuzz/` call the same functions.

use ringwood_backend_cpu as _;
use ringwood_base::Result;
use ringwood_graph::graph::{Dim, Graph, NodeKind, Open};
use ringwood_kernels as _;
use ringwood_models::tvm;
use ringwood_models::{inspect, npy, npz, onnx, package, safetensors};
use std::path::Path;

/// What reads a file.
pub(crate) type Read = fn(&Path) -> Result<()>;

/// The readers: the fuzz target, what names of files end in, and what reads one.
pub(crate) const READERS: &[(&str, &str, Read)] = &[
    ("graph_json", "json", |path| {
        let graph = Graph::load(path)?;
        graph.verify()?;
        model(&graph)
    }),
    ("npy", "npy", |path| npy::load(path).map(drop)),
    ("npz", "npz", |path| npz::load(path).map(drop)),
    ("onnx", "onnx", |path| {
        inspect(path)?;
        model(&onnx::load(path)?)
    }),
    ("package", "ringwood", |path| {
        package::verify(path)?;
        package::use_code(path)?;
        inspect(path)?;
        model(&Graph::load(path)?)
    }),
    ("safetensors", "safetensors", |path| safetensors::load(path).map(drop)),
    ("tvm_graph", "json", |path| model(&tvm::load(path, &[])?)),
    ("tvm_params", "params", |path| tvm::load_params(path).map(drop)),
];

/// The reader that a target calls, and what the names of its files end in.
pub(crate) fn reader(target: &str) -> (&'static str, Read) {
    let found = READERS.iter().find(|(name, ..)| *name == target);
    found.map(|(_, extension, read)| (*extension, *read)).expect("a target is of a reader")
}

/// What a model is made of, for extents of 2 where it leaves them open.
pub(crate) fn model(graph: &Graph) -> Result<()> {
    let inputs = graph.nodes().iter().filter(|node| matches!(node.kind, NodeKind::Input));
    let shapes: Vec<_> = inputs
        .filter_map(|node| match &node.open {
            Some(Open::Input(_, dims)) => {
                let extents = dims.iter().map(|dim| match dim {
                    Dim::Extent(extent) => *extent,
                    Dim::Open(_) => 2,
                });
                Some((node.name.clone()?, extents.collect::<Vec<_>>()))
            }
            _ => None,
        })
        .collect();
    let shapes: Vec<_> = shapes.iter().map(|(name, dims)| (name.as_str(), &dims[..])).collect();
    graph.with_shapes(&shapes).map(drop)
}
