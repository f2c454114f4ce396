//! `.npy`: one tensor, as NumPy writes it.
//!
//! ```
//! use ringwood_base::DType;
//! use ringwood_graph::graph::TensorType;
//! use ringwood_models::npy;
//!
//! # let path = std::env::temp_dir().join(format!("doc-{}.npy", std::process::id()));
//! let ty = TensorType::new(DType::U8, &[2, 2])?;
//! npy::save(&path, ty, &[1, 2, 3, 4])?;
//! let (read, elements) = npy::load(&path)?;
//! assert_eq!((read, &elements[..]), (ty, &[1, 2, 3, 4][..]));
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), ringwood_base::Error>(())
//! ```

use crate::file::{check, host_order, malformed, write};
use crate::map::map;
use bytes::Bytes;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::TensorType;
use serde::Deserialize;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The element types by their names in files, without the order of bytes. NumPy has no `bf16`: with
/// `ml_dtypes` it writes two bytes that are nothing to it.
const TYPES: &[(&str, DType)] = &[
    ("b1", DType::Bool),
    ("u1", DType::U8),
    ("i1", DType::I8),
    ("u2", DType::U16),
    ("i2", DType::I16),
    ("u4", DType::U32),
    ("i4", DType::I32),
    ("u8", DType::U64),
    ("i8", DType::I64),
    ("f2", DType::F16),
    ("f4", DType::F32),
    ("f8", DType::F64),
    ("V2", DType::BF16),
];

/// Reads a tensor: its type, and its elements, the last dimension fastest.
///
/// The file is mapped: nobody may change it in place while the elements are held. Elements in another order,
/// of bytes or of dimensions, are copied. Two bytes without a meaning (`V2`) are a `bf16`.
///
/// # Errors
/// The file cannot be read, is malformed or truncated, or holds what tensors do not: Python objects,
/// records, complex numbers, more than eight dimensions.
pub fn load(path: impl AsRef<Path>) -> Result<(TensorType, Bytes)> {
    let path = path.as_ref();
    map(path).and_then(|bytes| read(&bytes)).map_err(|e| e.with("file", path.display()))
}

/// Writes a tensor, of elements with the last dimension fastest, in place of a file that may be there.
///
/// # Errors
/// The type has another number of bytes; the file cannot be written.
pub fn save(path: impl AsRef<Path>, ty: TensorType, elements: &[u8]) -> Result<()> {
    let path = path.as_ref();
    check(&path.display().to_string(), ty, elements)?;
    write(path, [&header(ty)[..], elements])
}

/// What the header of a tensor says.
pub(crate) struct Head {
    ty: TensorType,
    big_endian: bool,
    fortran: bool,
    /// Where the elements start.
    start: usize,
}

/// The header that a file of so many bytes starts with.
///
/// # Errors
/// It is none; elements of its type have another number of bytes.
pub(crate) fn head(file: &[u8], bytes: usize) -> Result<Head> {
    let version = file.strip_prefix(MAGIC).and_then(|rest| rest.first().copied());
    let length = match (version, file) {
        (Some(1), [_, _, _, _, _, _, _, _, a, b, ..]) => {
            10..10 + usize::from(u16::from_le_bytes([*a, *b]))
        }
        (Some(2 | 3), [_, _, _, _, _, _, _, _, a, b, c, d, ..]) => {
            12..12 + u32::from_le_bytes([*a, *b, *c, *d]) as usize
        }
        (Some(version @ 4..), _) => {
            let message = format!("version {version} of .npy is not known; 1 to 3 are");
            return Err(Error::unsupported(message));
        }
        _ => return Err(malformed("it does not start as .npy files do")),
    };
    let text = file.get(length.clone()).ok_or_else(|| {
        malformed(format!("the header has {} bytes, more than there are", length.len()))
    })?;
    let text = str::from_utf8(text).map_err(|e| malformed("the header is no text").because(e))?;
    let Header { descr, fortran_order, shape } = literal(text).map_err(|cause| {
        let message = format!("the header is not one of a plain array: {}", text.trim_end());
        let help = "arrays of records and of Python objects are not read";
        malformed(message).help(help).because(cause)
    })?;
    let (dtype, big_endian) = element(&descr)?;
    let ty = TensorType::new(dtype, &shape)?;
    let (want, got) = (ty.bytes(), bytes.saturating_sub(length.end));
    if want != got {
        let message =
            format!("a tensor of type {ty} has {want} bytes, and {got} follow the header");
        return Err(malformed(message));
    }
    Ok(Head { ty, big_endian, fortran: fortran_order, start: length.end })
}

/// The dictionary that a header is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    descr: String,
    /// Whether the first dimension is the fastest.
    fortran_order: bool,
    shape: Vec<usize>,
}

/// A literal of Python, which is JSON in other words; Python 2 wrote `(2L, 3L)`.
fn literal(text: &str) -> serde_json::Result<Header> {
    let mut json = String::new();
    for (i, part) in text.split(',').enumerate() {
        // No comma stands before the end of a list.
        let ends = part.trim_start().starts_with([')', '}']);
        json += if i == 0 || ends { "" } else { "," };
        json += part;
    }
    let words = [("'", "\""), ("True", "true"), ("False", "false"), ("(", "["), (")", "]")];
    for (word, other) in words.into_iter().chain([("L,", ","), ("L]", "]")]) {
        json = json.replace(word, other);
    }
    if !json.trim_start().starts_with('{') {
        // A struct is read from a list of its fields, too.
        return Err(serde::de::Error::custom("it is no dictionary"));
    }
    serde_json::from_str(&json)
}

/// The tensor that these bytes are.
pub(crate) fn read(file: &Bytes) -> Result<(TensorType, Bytes)> {
    let Head { ty, big_endian, fortran, start } = head(file, file.len())?;
    let elements = host_order(file.slice(start..), ty.dtype, big_endian);
    Ok((ty, if fortran { rows_last(ty, &elements) } else { elements }))
}

/// What stands before the elements of a tensor; it is a multiple of 64 bytes long.
pub(crate) fn header(ty: TensorType) -> Vec<u8> {
    let (name, _) = TYPES.iter().find(|(_, dtype)| *dtype == ty.dtype).expect("each has a name");
    let order = match (ty.dtype.size(), cfg!(target_endian = "big")) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    let extents: String = ty.shape.iter().map(|extent| format!("{extent}, ")).collect();
    let extents = if ty.shape.len() == 1 { extents.trim() } else { extents.trim_end_matches(", ") };
    let mut text =
        format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': ({extents}), }}");
    let start = MAGIC.len() + 4;
    let length = (start + text.len() + 1).next_multiple_of(64) - start;
    text += &" ".repeat(length - 1 - text.len());
    text.push('\n');
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}

/// The element type that a header names, and whether its bytes start with the highest.
fn element(descr: &str) -> Result<(DType, bool)> {
    let (order, name) = descr.split_at_checked(1).unwrap_or_default();
    let known = TYPES.iter().find(|(known, _)| *known == name);
    match known.filter(|_| matches!(order, "<" | ">" | "|")) {
        Some((_, dtype)) => Ok((*dtype, order == ">")),
        None => {
            let known: Vec<_> = TYPES.iter().map(|(name, _)| *name).collect();
            let message = format!("tensors have no elements of type `{descr}`");
            Err(Error::dtype(message).help(format!("known: {}", known.join(", "))))
        }
    }
}

/// The elements with the last dimension fastest, of elements with the first one fastest.
fn rows_last(ty: TensorType, elements: &[u8]) -> Bytes {
    let (dims, size) = (&ty.shape[..], ty.dtype.size());
    let steps: Vec<usize> = (0..dims.len()).map(|d| dims[..d].iter().product()).collect();
    let (mut point, mut place) = (vec![0; dims.len()], 0);
    let mut sorted = Vec::with_capacity(elements.len());
    for _ in 0..ty.shape.elements() {
        sorted.extend_from_slice(&elements[place * size..][..size]);
        for d in (0..dims.len()).rev() {
            point[d] += 1;
            place += steps[d];
            if point[d] < dims[d] {
                break;
            }
            place -= point[d] * steps[d];
            point[d] = 0;
        }
    }
    sorted.into()
}
