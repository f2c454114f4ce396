//! Tensors of ONNX files: their types, and the bytes of their elements.

use super::proto::{TensorProto, data_type};
use crate::file::host_order;
use prost::bytes::Bytes;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_graph::compose::extents;
use ringwood_graph::graph::TensorType;
use std::path::{Component, Path, PathBuf};

/// The element types that tensors of graphs have, by their numbers in files.
const TYPES: &[(i32, DType)] = &[
    (data_type::FLOAT, DType::F32),
    (data_type::UINT8, DType::U8),
    (data_type::INT8, DType::I8),
    (data_type::UINT16, DType::U16),
    (data_type::INT16, DType::I16),
    (data_type::INT32, DType::I32),
    (data_type::INT64, DType::I64),
    (data_type::BOOL, DType::Bool),
    (data_type::FLOAT16, DType::F16),
    (data_type::DOUBLE, DType::F64),
    (data_type::UINT32, DType::U32),
    (data_type::UINT64, DType::U64),
    (data_type::BFLOAT16, DType::BF16),
];

/// The names of the others, for messages.
const OTHERS: &[(i32, &str)] = &[
    (data_type::STRING, "string"),
    (data_type::COMPLEX64, "complex64"),
    (data_type::COMPLEX128, "complex128"),
    (data_type::FLOAT8E4M3FN, "float8e4m3fn"),
    (data_type::FLOAT8E4M3FNUZ, "float8e4m3fnuz"),
    (data_type::FLOAT8E5M2, "float8e5m2"),
    (data_type::FLOAT8E5M2FNUZ, "float8e5m2fnuz"),
    (data_type::FLOAT8E8M0, "float8e8m0"),
    (data_type::FLOAT4E2M1, "float4e2m1"),
    (data_type::UINT4, "uint4"),
    (data_type::INT4, "int4"),
    (data_type::UINT2, "uint2"),
    (data_type::INT2, "int2"),
];

/// The element type of a number in a file.
///
/// # Errors
/// Tensors of graphs have no such elements.
pub(super) fn dtype(number: i64) -> Result<DType> {
    let known = TYPES.iter().find(|(code, _)| i64::from(*code) == number);
    known.map(|(_, dtype)| *dtype).ok_or_else(|| {
        let name = i32::try_from(number).ok().and_then(type_name);
        match name {
            Some(name) => Error::unsupported(format!("tensors have no elements of type {name}")),
            None => Error::dtype(format!("there is no element type {number}")),
        }
    })
}

/// The number of an element type.
pub(super) fn code(dtype: DType) -> i32 {
    let (code, _) = TYPES.iter().find(|(_, known)| *known == dtype).expect("each has a number");
    *code
}

/// The name of the element type of a number, also of one that tensors of graphs have not.
pub(super) fn type_name(number: i32) -> Option<String> {
    let known = TYPES.iter().map(|(code, dtype)| (code, dtype.name()));
    let others = OTHERS.iter().map(|(code, name)| (code, *name));
    known.chain(others).find(|(code, _)| **code == number).map(|(_, name)| name.to_owned())
}

/// The type of a tensor of a file.
///
/// # Errors
/// Its element type or its shape cannot be.
pub(super) fn tensor_type(tensor: &TensorProto) -> Result<TensorType> {
    let shape = Shape::new(&extents(&tensor.dims)?)?;
    Ok(TensorType { dtype: dtype(tensor.data_type.into())?, shape })
}

/// The type and the elements of a tensor; what stands in another file is read from `folder`.
///
/// # Errors
/// The type cannot be; there are more or fewer elements than the shape says; the other file cannot be
/// read, or is not below the folder.
pub(super) fn tensor(tensor: &TensorProto, folder: &Folder<'_>) -> Result<(TensorType, Bytes)> {
    let ty = tensor_type(tensor)?;
    let external = tensor.data_location == 1;
    let bytes = match external {
        true => outside(tensor, ty, folder)?,
        false if !tensor.raw_data.is_empty() => {
            host_order(tensor.raw_data.clone(), ty.dtype, false)
        }
        false => listed(tensor, ty.dtype),
    };
    if bytes.len() == ty.bytes() {
        return Ok((ty, bytes));
    }
    let (want, got) = (ty.bytes(), bytes.len());
    Err(Error::shape(format!("tensor `{}` of type {ty} has {want} bytes, not {got}", tensor.name)))
}

/// The elements of the list that files have for their type.
fn listed(tensor: &TensorProto, dtype: DType) -> Bytes {
    let floats = || tensor.float_data.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<_>>();
    let doubles = || tensor.double_data.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let longs = || tensor.int64_data.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let words = || tensor.uint64_data.iter();
    let small = || tensor.int32_data.iter();
    let bytes: Vec<u8> = match dtype {
        DType::F32 => floats(),
        DType::F64 => doubles(),
        DType::I64 => longs(),
        DType::U64 => words().flat_map(|v| v.to_ne_bytes()).collect(),
        DType::U32 => words().flat_map(|v| (*v as u32).to_ne_bytes()).collect(),
        DType::I32 => small().flat_map(|v| v.to_ne_bytes()).collect(),
        DType::I16 | DType::U16 | DType::F16 | DType::BF16 => {
            small().flat_map(|v| (*v as u16).to_ne_bytes()).collect()
        }
        DType::Bool => small().map(|v| u8::from(*v != 0)).collect(),
        DType::I8 | DType::U8 => small().map(|v| *v as u8).collect(),
    };
    bytes.into()
}

/// What reads the other files of a model, by their paths below its folder.
pub(super) type Folder<'a> = dyn Fn(&Path) -> Result<Bytes> + 'a;

/// The elements that a tensor has in another file.
fn outside(tensor: &TensorProto, ty: TensorType, folder: &Folder<'_>) -> Result<Bytes> {
    let entry = |key: &str| tensor.external_data.iter().find(|entry| entry.key == key);
    let number = |key: &str| match entry(key) {
        None => Ok(None),
        Some(entry) => entry.value.parse::<usize>().map(Some).map_err(|_| {
            let message =
                format!("tensor `{}`: {key} `{}` is no number of bytes", tensor.name, entry.value);
            Error::invalid(message)
        }),
    };
    let location = entry("location").map(|entry| entry.value.as_str()).unwrap_or_default();
    let path: PathBuf =
        Path::new(location).components().filter(|part| *part != Component::CurDir).collect();
    let below = path.components().all(|part| matches!(part, Component::Normal(_)));
    if path.as_os_str().is_empty() || !below {
        return Err(Error::invalid(format!(
            "tensor `{}` has its elements in `{location}`, which is no relative path without `..`",
            tensor.name
        ))
        .help("weights are files in the folder of the model, or in folders there"));
    }
    let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
    let file = folder(&path)?;
    let length = length.unwrap_or_else(|| ty.bytes());
    let end = offset.checked_add(length).filter(|end| *end <= file.len()).ok_or_else(|| {
        Error::invalid(format!(
            "tensor `{}` has bytes {offset} to {offset} + {length} of `{location}`, which has {}",
            tensor.name,
            file.len()
        ))
    })?;
    Ok(host_order(file.slice(offset..end), ty.dtype, false))
}
