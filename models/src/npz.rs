//! `.npz`: tensors by name, as NumPy writes them; an archive of [`.npy`](crate::npy).
//!
//! ```
//! use ringwood_base::DType;
//! use ringwood_graph::graph::TensorType;
//! use ringwood_models::npz;
//!
//! # let path = std::env::temp_dir().join(format!("doc-{}.npz", std::process::id()));
//! let ty = TensorType::new(DType::I8, &[3])?;
//! npz::save(&path, &[("x", ty, &[1, 2, 3])])?;
//! let tensors = npz::load(&path)?;
//! assert_eq!(tensors[0].0, "x");
//! assert_eq!(&tensors[0].2[..], &[1, 2, 3]);
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), ringwood_base::Error>(())
//! ```

use crate::file::{check, malformed, write};
use crate::map::map;
use crate::{npy, zip};
use bytes::Bytes;
use ringwood_base::Result;
use ringwood_graph::graph::TensorType;
use std::collections::HashSet;
use std::path::Path;

/// Reads the tensors in the order of the file: name, type and elements of each.
///
/// Tensors that are stored are mapped, as [`npy::load`] does; those that are deflated are unpacked.
///
/// # Errors
/// The file cannot be read; it is no such archive, or damaged; an entry is no tensor, see [`npy::load`].
pub fn load(path: impl AsRef<Path>) -> Result<Vec<(String, TensorType, Bytes)>> {
    let path = path.as_ref();
    map(path).and_then(|file| read(&file)).map_err(|e| e.with("file", path.display()))
}

fn read(file: &Bytes) -> Result<Vec<(String, TensorType, Bytes)>> {
    let (mut tensors, mut names) = (Vec::new(), HashSet::new());
    // What is deflated may be a thousand times as large: nothing is unpacked that is no tensor of its size.
    let entries = zip::entries(file, |start, bytes| npy::head(start, bytes).map(drop))?;
    for (entry, contents) in entries {
        let Some(name) = entry.strip_suffix(".npy") else {
            return Err(malformed(format!("entry `{entry}` is no .npy")));
        };
        if !names.insert(name.to_owned()) {
            return Err(malformed(format!("there are two tensors `{name}`")));
        }
        let (ty, elements) = npy::read(&contents).map_err(|e| e.with("tensor", name))?;
        tensors.push((name.to_owned(), ty, elements));
    }
    Ok(tensors)
}

/// Writes tensors, each by name, type and elements, in place of a file that may be there. Nothing is packed.
///
/// # Errors
/// A type has another number of bytes; there are two tensors of a name; the file cannot be written.
pub fn save(path: impl AsRef<Path>, tensors: &[(&str, TensorType, &[u8])]) -> Result<()> {
    let (mut entries, mut names) = (Vec::new(), HashSet::new());
    let headers: Vec<_> = tensors.iter().map(|(_, ty, _)| npy::header(*ty)).collect();
    for ((name, ty, elements), header) in tensors.iter().zip(&headers) {
        check(name, *ty, elements)?;
        if !names.insert(name) {
            return Err(malformed(format!("there are two tensors `{name}`")));
        }
        entries.push((format!("{name}.npy"), vec![&header[..], elements]));
    }
    let parts = zip::stored(&entries, 1)?;
    write(path.as_ref(), parts.iter().map(|part| &**part))
}
