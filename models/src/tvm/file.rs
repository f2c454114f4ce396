//! A graph JSON as it is written.

use crate::file::malformed;
use ringwood_base::{DType, Result};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The file. What is written stands in this order.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GraphFile {
    pub(super) nodes: Vec<NodeEntry>,
    /// The nodes that are inputs.
    pub(super) arg_nodes: Vec<usize>,
    /// The number of the first result of each node among all results, and the number of all.
    pub(super) node_row_ptr: Vec<usize>,
    pub(super) heads: Vec<Vec<usize>>,
    /// Columns with a value for each result, each with the word for its type.
    pub(super) attrs: BTreeMap<String, (String, Value)>,
    #[serde(default, skip_serializing, rename = "metadata")]
    pub(super) _metadata: Option<IgnoredAny>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeEntry {
    pub(super) op: String,
    pub(super) name: String,
    /// A node, which of its results, and a version that nothing reads.
    pub(super) inputs: Vec<Vec<usize>>,
    #[serde(default, alias = "attr", skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) attrs: BTreeMap<String, String>,
    #[serde(default, skip_serializing, rename = "control_deps")]
    pub(super) _control_deps: Option<IgnoredAny>,
}

impl NodeEntry {
    /// An attribute that every function has.
    pub(super) fn attribute(&self, name: &str) -> Result<&str> {
        let value = self.attrs.get(name).map(String::as_str);
        value.ok_or_else(|| malformed(format!("a function needs the attribute `{name}`")))
    }
}

impl GraphFile {
    /// A column of the type `ty`, with a value for each result.
    ///
    /// # Errors
    /// There is no such column, it is of another type, or has another number of values.
    pub(super) fn column<T: DeserializeOwned>(&self, name: &str, ty: &str) -> Result<Vec<T>> {
        let missing = || malformed(format!("there is no column `{name}`"));
        let (found, values) = self.attrs.get(name).ok_or_else(missing)?;
        if found != ty {
            return Err(malformed(format!("column `{name}` is a `{ty}`, not a `{found}`")));
        }
        let wrong = || malformed(format!("column `{name}` is no list of what `{ty}` says"));
        let values = Vec::<T>::deserialize(values).map_err(|e| wrong().because(e))?;
        match (values.len(), self.node_row_ptr.last()) {
            (got, Some(&want)) if got != want => {
                Err(malformed(format!("column `{name}` has {got} values for {want} results")))
            }
            _ => Ok(values),
        }
    }
}

/// Kinds of numbers: TVM's code, its word, and how ours begins.
pub(super) const KINDS: [(u8, &str, &str); 4] =
    [(4, "bfloat", "bf"), (2, "float", "f"), (1, "uint", "u"), (0, "int", "i")];

/// The element type of `float32`; 32 bits may be left out.
pub(super) fn dtype(word: &str) -> Result<DType> {
    let named = KINDS.iter().find_map(|(_, theirs, ours)| {
        let bits = word.strip_prefix(theirs)?;
        format!("{ours}{}", if bits.is_empty() { "32" } else { bits }).parse().ok()
    });
    let truth = matches!(word, "bool" | "uint1").then_some(DType::Bool);
    let unknown = || malformed(format!("there are no tensors of type `{word}`"));
    truth.or(named).ok_or_else(|| unknown().help("vectors and handles are not read"))
}

/// The word for an element type.
pub(super) fn word(dtype: DType) -> String {
    let name = dtype.to_string();
    let kind = KINDS.iter().find_map(|(_, theirs, ours)| Some((theirs, name.strip_prefix(ours)?)));
    kind.map_or("bool".into(), |(kind, bits)| format!("{kind}{bits}"))
}
