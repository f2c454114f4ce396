//! `.safetensors`: tensors by name, mapped as they are.
//!
//! A length of 8 bytes, a header in JSON, then the elements of all tensors without gaps. What is read is
//! checked more strictly than the `safetensors` crate does, and errors name the tensor.
//!
//! ```
//! use ringwood_base::DType;
//! use ringwood_graph::graph::TensorType;
//! use ringwood_models::safetensors;
//!
//! # let path = std::env::temp_dir().join(format!("doc-{}.safetensors", std::process::id()));
//! let ty = TensorType::new(DType::I8, &[3])?;
//! safetensors::save(&path, &[("x", ty, &[1, 2, 3])])?;
//! let tensors = safetensors::load(&path)?;
//! assert_eq!(tensors[0].0, "x");
//! assert_eq!(&tensors[0].2[..], &[1, 2, 3]);
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), ringwood_base::Error>(())
//! ```

use crate::file::{check, host_order, little_endian, malformed, write};
use crate::map::map;
use bytes::Bytes;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::TensorType;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::path::Path;

/// The longest header: that of the `safetensors` crate.
const MOST_HEADER: u64 = 100_000_000;

/// The key of the header that is no tensor, but texts by name.
const METADATA: &str = "__metadata__";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Info {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// The entries of a header, each of a name of its own.
struct Header(Map<String, Value>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

/// Reads the entries of a header one by one.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> std::result::Result<Header, A::Error> {
        let mut entries = Map::new();
        while let Some((name, value)) = given.next_entry::<String, Value>()? {
            if entries.contains_key(&name) {
                return Err(A::Error::custom(format!("there are two entries `{name}`")));
            }
            entries.insert(name, value);
        }
        Ok(Header(entries))
    }
}

/// Reads the tensors in the order of their elements: name, type and elements of each.
///
/// The file is mapped: nobody may change it in place while the elements are held. Its metadata is ignored.
///
/// # Errors
/// The file cannot be read, is malformed or truncated, or holds what tensors do not: numbers of less than
/// 8 bits, or 8 that are no integers.
pub fn load(path: impl AsRef<Path>) -> Result<Vec<(String, TensorType, Bytes)>> {
    let path = path.as_ref();
    map(path).and_then(|file| read(&file)).map_err(|e| e.with("file", path.display()))
}

fn read(file: &Bytes) -> Result<Vec<(String, TensorType, Bytes)>> {
    let length = file.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let length = length.ok_or_else(|| malformed("it is too short for .safetensors"))?;
    let header = usize::try_from(length.min(MOST_HEADER + 1)).unwrap_or(usize::MAX);
    let header = file.get(8..8_usize.saturating_add(header)).filter(|_| length <= MOST_HEADER);
    let header = header.ok_or_else(|| {
        malformed(format!("the header has {length} bytes, more than there are or may be"))
    })?;
    let Header(entries) = serde_json::from_slice(header)
        .map_err(|e| malformed("the header is no object of JSON").because(e))?;
    let mut tensors = Vec::new();
    for (name, value) in entries.into_iter().filter(|(name, _)| name != METADATA) {
        let info: Info = serde_json::from_value(value).map_err(|e| {
            let message = format!("tensor `{name}` has not a dtype, a shape and two offsets");
            malformed(message).because(e)
        })?;
        let ty = dtype(&info.dtype).and_then(|dtype| TensorType::new(dtype, &info.shape));
        tensors.push((info.data_offsets, ty.map_err(|e| e.with("tensor", &name))?, name));
    }
    tensors.sort_by_key(|(offsets, ..)| *offsets);
    let elements = file.slice(8 + header.len()..);
    let mut taken = 0;
    let mut named = Vec::new();
    for ((start, end), ty, name) in tensors {
        if start != taken || end.checked_sub(start) != Some(ty.bytes()) || end > elements.len() {
            let message = format!(
                "tensor `{name}` of type {ty} cannot have the bytes from {start} to {end} of {}, after {taken}",
                elements.len()
            );
            return Err(malformed(message));
        }
        taken = end;
        named.push((name, ty, host_order(elements.slice(start..end), ty.dtype, false)));
    }
    if taken == elements.len() {
        return Ok(named);
    }
    let message = format!("{} bytes at the end belong to no tensor", elements.len() - taken);
    Err(malformed(message))
}

/// Writes tensors, each by name, type and elements, in place of a file that may be there; the widest elements
/// come first, so that all are aligned.
///
/// # Errors
/// A type has another number of bytes; there are two tensors of a name, or one called `__metadata__`; the file
/// cannot be written.
pub fn save(path: impl AsRef<Path>, tensors: &[(&str, TensorType, &[u8])]) -> Result<()> {
    let mut sorted = tensors.to_vec();
    sorted.sort_by_key(|(name, ty, _)| (std::cmp::Reverse(ty.dtype.size()), *name));
    let (mut entries, mut start) = (Map::new(), 0);
    for (name, ty, elements) in &sorted {
        check(name, *ty, elements)?;
        let end = start + elements.len();
        let (dtype, shape) = (word(ty.dtype), ty.shape.to_vec());
        let info = Info { dtype, shape, data_offsets: (start, end) };
        let info = serde_json::to_value(info).map_err(|e| malformed("no JSON").because(e))?;
        if *name == METADATA || entries.insert((*name).to_owned(), info).is_some() {
            return Err(malformed(format!("`{name}` is no name for a tensor, or there are two")));
        }
        start = end;
    }
    let mut header = Value::from(entries).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let length = (header.len() as u64).to_le_bytes();
    let elements = sorted.iter().map(|(_, ty, elements)| little_endian(elements, ty.dtype));
    let elements: Vec<_> = elements.collect();
    let parts = [&length[..], &header];
    write(path.as_ref(), parts.into_iter().chain(elements.iter().map(|part| &**part)))
}

/// The name of an element type in files.
fn word(dtype: DType) -> String {
    dtype.name().to_uppercase()
}

/// The element type of a name.
fn dtype(name: &str) -> Result<DType> {
    DType::ALL.iter().copied().find(|dtype| word(*dtype) == name).ok_or_else(|| {
        let known: Vec<_> = DType::ALL.iter().map(|dtype| word(*dtype)).collect();
        let message = format!("tensors have no elements of type {name}");
        Error::dtype(message).help(format!("known: {}", known.join(", ")))
    })
}
