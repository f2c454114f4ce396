//! What a file of any format holds, without loading what it holds.

use crate::map::map;
use crate::summary::{Summary, of_graph, of_tensors};
use crate::{npy, npz, safetensors, tvm};
use ringwood_base::{Error, Result};
use ringwood_graph::graph::Graph;
use std::path::Path;

/// Says what a file of any format holds, by the end of its name.
///
/// A model is described even if it cannot be run.
///
/// # Errors
/// The format is not known, or the file is none of it.
pub fn inspect(path: impl AsRef<Path>) -> Result<Summary> {
    let path = path.as_ref();
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match READERS.iter().find(|(known, _)| *known == extension) {
        Some((_, read)) => read(path),
        None => {
            map(path)?;
            let known: Vec<_> = READERS.iter().map(|(known, _)| format!(".{known}")).collect();
            let message = format!("the format of {} is not known", path.display());
            let help = format!("known: {}", known.join(", "));
            Err(Error::unsupported(message).help(help))
        }
    }
}

type Read = fn(&Path) -> Result<Summary>;

const READERS: &[(&str, Read)] = &[
    ("json", |path| of_graph(&Graph::load(path)?)),
    ("npy", |path| {
        let (ty, elements) = npy::load(path)?;
        Ok(of_tensors("NumPy tensor", vec![(String::new(), ty, elements)]))
    }),
    ("npz", |path| Ok(of_tensors("NumPy tensors", npz::load(path)?))),
    ("params", |path| Ok(of_tensors("TVM parameters", tvm::load_params(path)?))),
    #[cfg(feature = "onnx")]
    ("onnx", |path| crate::onnx::inspect(path)),
    ("ringwood", |path| crate::package::inspect(path)),
    ("safetensors", |path| Ok(of_tensors("safetensors", safetensors::load(path)?))),
];
