//! Constants of 4-bit integers: they are read as 8-bit ones of the same values, where that shows nowhere.

use super::nodes::is_constant;
use super::proto::{AttributeProto, NodeProto, TensorProto, data_type};
use super::read::is_standard;
use super::tensor::{Folder, tensor, tensor_type};
use prost::bytes::Bytes;
use ringwood_base::{Error, Result};
use ringwood_graph::graph::{Attribute, TensorType};
use std::collections::HashSet;

/// The operators that take such constants, and as which operands; whether their results are such, too.
const TAKE: &[(&str, &[usize], bool)] = &[
    ("DequantizeLinear", &[0, 2], false),
    ("Cast", &[0], false),
    ("CastLike", &[0], false),
    ("Flatten", &[0], true),
    ("Gather", &[0], true),
    ("Identity", &[0], true),
    ("Reshape", &[0], true),
    ("Slice", &[0], true),
    ("Squeeze", &[0], true),
    ("Transpose", &[0], true),
    ("Unsqueeze", &[0], true),
];

/// Whether the elements of a tensor have 4 bits.
pub(super) fn is_packed(given: &TensorProto) -> bool {
    matches!(given.data_type, data_type::INT4 | data_type::UINT4)
}

/// The value of a node `Constant`, if its elements have 4 bits.
pub(super) fn packed_value(node: &NodeProto) -> Option<&TensorProto> {
    let mut values = node.attribute.iter().filter_map(|given| given.t.as_ref());
    values.find(|value| is_constant(node) && is_packed(value))
}

/// A tensor of 4-bit integers with its elements as 8-bit ones. Two lie in a byte, the first in its low half.
///
/// # Errors
/// As for [`tensor`].
pub(super) fn unpacked(given: &TensorProto, folder: &Folder<'_>) -> Result<(TensorType, Bytes)> {
    let signed = given.data_type == data_type::INT4;
    let ty = tensor_type(&TensorProto {
        data_type: if signed { data_type::INT8 } else { data_type::UINT8 },
        dims: given.dims.clone(),
        ..TensorProto::default()
    })?;
    let (elements, bytes) = (ty.shape.elements(), ty.shape.elements().div_ceil(2));
    let packed =
        TensorProto { dims: vec![bytes as i64], data_type: data_type::UINT8, ..given.clone() };
    let (_, packed) = tensor(&packed, folder)?;
    let extend = |half: u8| if signed { ((half << 4) as i8 >> 4) as u8 } else { half };
    let halves = packed.iter().flat_map(|byte| [extend(byte & 15), extend(byte >> 4)]);
    Ok((ty, halves.take(elements).collect::<Vec<u8>>().into()))
}

/// The value of a node `Constant` of such a tensor.
///
/// # Errors
/// As for [`tensor`].
pub(super) fn attribute(given: &AttributeProto, folder: &Folder<'_>) -> Result<Attribute> {
    let (ty, bytes) = unpacked(given.t.as_ref().unwrap_or(&Default::default()), folder)?;
    Ok(Attribute::Tensor(ty, bytes.as_ref().into()))
}

/// Whether a node that uses these values of 4 bits gives such.
///
/// # Errors
/// The node is none that takes them.
pub(super) fn result_of(node: &NodeProto, packed: &HashSet<String>) -> Result<bool> {
    let named = |op_type: &str| is_standard(&node.domain) && op_type == node.op_type;
    let rule = TAKE.iter().find(|(op_type, ..)| named(op_type));
    let mut used = node.input.iter().enumerate().filter(|(_, name)| packed.contains(*name));
    let refused = used.clone().find(|(i, _)| rule.is_none_or(|(_, places, _)| !places.contains(i)));
    if let Some((_, name)) = refused {
        return Err(not_taken(name));
    }
    Ok(used.next().is_some() && rule.is_some_and(|(.., stay)| *stay))
}

/// The error where a value of 4 bits is used otherwise.
pub(super) fn not_taken(name: &str) -> Error {
    let names: Vec<_> = TAKE.iter().map(|(op_type, ..)| *op_type).collect();
    let message = format!("`{name}` has elements of 4 bits");
    let help = format!("constants of such are taken by {}", names.join(", "));
    Error::dtype(message).help(help)
}
