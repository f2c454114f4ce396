//! Attributes of nodes of ONNX files, as attributes of graphs.

use super::proto::{AttributeProto, attribute_type, data_type};
use super::tensor::{Folder, tensor};
use ringwood_base::{Error, Result};
use ringwood_graph::graph::Attribute;

/// The value of an attribute of a file.
///
/// # Errors
/// It is of a type that graphs have no values of, or a text that is none.
pub(super) fn attribute(given: &AttributeProto, folder: &Folder<'_>) -> Result<Attribute> {
    let text = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).map(str::to_owned);
        text.map_err(|cause| {
            Error::invalid(format!("attribute `{}` is no text", given.name)).because(cause)
        })
    };
    Ok(match kind(given) {
        attribute_type::FLOAT => given.f.unwrap_or_default().into(),
        attribute_type::INT => given.i.unwrap_or_default().into(),
        attribute_type::STRING => text(given.s.as_deref().unwrap_or_default())?.into(),
        attribute_type::FLOATS => given.floats.clone().into(),
        attribute_type::INTS => given.ints.clone().into(),
        attribute_type::STRINGS => {
            let texts = given.strings.iter().map(|bytes| text(bytes));
            Attribute::Texts(texts.collect::<Result<_>>()?)
        }
        attribute_type::TENSOR => {
            let (ty, bytes) = tensor(given.t.as_ref().unwrap_or(&Default::default()), folder)?;
            Attribute::Tensor(ty, bytes.as_ref().into())
        }
        other => {
            let name = NAMES.iter().find(|(code, _)| *code == other).map_or("unknown", |(_, n)| n);
            let message = format!("attribute `{}` is a value of type {name}", given.name);
            return Err(Error::unsupported(message));
        }
    })
}

/// The bytes that an attribute takes beside a few.
pub(super) fn bytes(value: &Attribute) -> usize {
    match value {
        Attribute::Tensor(_, bytes) => bytes.len(),
        Attribute::Integers(list) => size_of_val(&list[..]),
        Attribute::Floats(list) => size_of_val(&list[..]),
        Attribute::Text(text) => text.len(),
        Attribute::Texts(list) => list.iter().map(|text| size_of_val(text) + text.len()).sum(),
        _ => 0,
    }
}

/// The types whose values graphs have none of.
const NAMES: &[(i32, &str)] = &[
    (attribute_type::SPARSE_TENSOR, "sparse tensor"),
    (attribute_type::TYPE_PROTO, "type"),
    (attribute_type::TENSORS, "list of tensors"),
    (attribute_type::GRAPHS, "list of graphs"),
    (attribute_type::SPARSE_TENSORS, "list of sparse tensors"),
    (attribute_type::TYPE_PROTOS, "list of types"),
];

/// Whether the value of an attribute is a text, some of them, or a tensor of them.
pub(super) fn holds_text(given: &AttributeProto) -> bool {
    matches!(kind(given), attribute_type::STRING | attribute_type::STRINGS)
        || given.t.as_ref().is_some_and(|tensor| tensor.data_type == data_type::STRING)
}

/// The type of an attribute; files of the first versions of the format leave it out.
fn kind(given: &AttributeProto) -> i32 {
    if given.r#type != attribute_type::UNDEFINED {
        return given.r#type;
    }
    let present = [
        (given.f.is_some(), attribute_type::FLOAT),
        (given.i.is_some(), attribute_type::INT),
        (given.s.is_some(), attribute_type::STRING),
        (given.t.is_some(), attribute_type::TENSOR),
        (given.g.is_some(), attribute_type::GRAPH),
        (!given.floats.is_empty(), attribute_type::FLOATS),
        (!given.ints.is_empty(), attribute_type::INTS),
        (!given.strings.is_empty(), attribute_type::STRINGS),
    ];
    let known = present.iter().find(|(is, _)| *is);
    known.map_or(attribute_type::UNDEFINED, |(_, kind)| *kind)
}
