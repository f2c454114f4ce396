//! Checkpoints: structs of tensors as files.

use ringwood_base::{Error, Result};
use ringwood_graph::graph::TensorType;
use ringwood_graph::lazy::{Lazy, Tensors, as_caller};
use ringwood_models::safetensors;
use std::collections::BTreeMap;
use std::path::Path;

/// Writes every tensor of `value` under its name, as [`safetensors`].
///
/// The file takes the name when it is whole and on the disk: a crash at any time leaves the older one, or this one.
/// What a training goes on from is one struct: weights, the state of the optimiser, the key of random numbers.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_nn::{load, save};
///
/// # let path = std::env::temp_dir().join(format!("doc-{}.checkpoint", std::process::id()));
/// let state = (Lazy::new(&[2], &[1.0_f32, 2.0]), Lazy::scalar(7_i32));
/// save(&path, &state)?;
/// let (weights, step) = load(&path, &state)?;
/// assert_eq!(weights.to_vec::<f32>()?, [1.0, 2.0]);
/// assert_eq!(step.item::<i32>()?, 7);
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// A tensor has failed or has no value; the file cannot be written.
#[track_caller]
pub fn save<T: Tensors>(path: impl AsRef<Path>, value: &T) -> Result<()> {
    let read = |leaf: &Lazy| Ok((leaf.tensor_type()?, leaf.to_bytes()?));
    let leaves = as_caller(|| value.leaves().into_iter().map(read).collect::<Result<Vec<_>>>())?;
    let names = value.names();
    let named: Vec<_> =
        names.iter().zip(&leaves).map(|(name, (ty, bytes))| (&**name, *ty, &**bytes)).collect();
    safetensors::save(path, &named)
}

/// Reads what [`save`] wrote, on the devices of the tensors of `like`, a struct of the same tensors.
///
/// # Errors
/// The file cannot be read; it is that of another struct: all names that it lacks, has beside, or has of another type
/// are listed.
pub fn load<T: Tensors>(path: impl AsRef<Path>, like: &T) -> Result<T> {
    let path = path.as_ref();
    let tensors = safetensors::load(path)?;
    let mut tensors: BTreeMap<_, _> =
        tensors.into_iter().map(|(name, ty, bytes)| (name, (ty, bytes))).collect();
    let (mut wrong, mut found) = (Vec::new(), Vec::new());
    for (name, leaf) in like.names().into_iter().zip(like.leaves()) {
        let want = leaf.tensor_type()?;
        match tensors.remove(&name) {
            Some((ty, bytes)) if ty == want => {
                let tensor = leaf.device()?.tensor_of_bytes(&bytes, ty.shape, ty.dtype)?;
                found.push(Lazy::of(tensor));
            }
            Some((ty, _)) => wrong.push(format!("`{name}` is {ty}, not {want}")),
            None => wrong.push(format!("`{name}`: {want} is missing")),
        }
    }
    wrong.extend(
        tensors
            .iter()
            .map(|(name, (ty, _)): (_, &(TensorType, _))| format!("`{name}`: {ty} is none of its")),
    );
    if wrong.is_empty() {
        let mut found = found.into_iter();
        return Ok(like.clone().map(&mut |leaf| found.next().unwrap_or(leaf)));
    }
    let message =
        format!("{} is a checkpoint of another struct: {}", path.display(), wrong.join("; "));
    Err(Error::invalid(message)
        .help("load it into the struct that was saved, or rename its tensors"))
}
