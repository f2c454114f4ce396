//! A graph JSON as it is written.

use crate::file::malformed;
use ringwood_base::{DType, Result};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The file. What is written stands in this order.
#[derive(Serialize, Deserialize)]
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
    #[serde(default, skip_serializing)]
    #[allow(dead_code, reason = "what is ignored is known to be there")]
    metadata: Option<IgnoredAny>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeEntry {
    pub(super) op: String,
    pub(super) name: String,
    /// A node, which of its results, and a version that nothing reads.
    pub(super) inputs: Vec<Vec<usize>>,
    #[serde(default, alias = "attr", skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) attrs: BTreeMap<String, String>,
    #[serde(default, skip_serializing)]
    #[allow(dead_code, reason = "what is ignored is known to be there")]
    control_deps: Option<IgnoredAny>,
}

impl NodeEntry {
    pub(super) fn new(op: &str, name: String) -> Self {
        let (inputs, attrs) = (Vec::new(), BTreeMap::new());
        Self { op: op.to_owned(), name, inputs, attrs, control_deps: None }
    }

    /// An attribute that every function has.
    pub(super) fn attribute(&self, name: &str) -> Result<&str> {
        self.attrs
            .get(name)
            .map(String::as_str)
            .ok_or_else(|| malformed(format!("a function needs the attribute `{name}`")))
    }
}

impl GraphFile {
    pub(super) fn new() -> Self {
        let (nodes, arg_nodes, node_row_ptr) = (Vec::new(), Vec::new(), vec![0]);
        let (heads, attrs) = (Vec::new(), BTreeMap::new());
        Self { nodes, arg_nodes, node_row_ptr, heads, attrs, metadata: None }
    }

    /// A column, of values of the type that `tag` names, one for each result; `None` if there is no such column.
    ///
    /// # Errors
    /// The column is of another type, or has another number of values.
    pub(super) fn column<T: for<'a> Deserialize<'a>>(
        &self,
        name: &str,
        tag: &str,
    ) -> Result<Option<Vec<T>>> {
        let Some((found, values)) = self.attrs.get(name) else { return Ok(None) };
        if found != tag {
            return Err(malformed(format!("column `{name}` is a `{tag}`, not a `{found}`")));
        }
        let values: Vec<T> = serde_json::from_value(values.clone()).map_err(|e| {
            malformed(format!("column `{name}` is no list of what `{tag}` says")).because(e)
        })?;
        let (want, got) = (self.node_row_ptr.last().copied().unwrap_or(0), values.len());
        if want == got {
            return Ok(Some(values));
        }
        Err(malformed(format!("column `{name}` has {got} values for {want} results")))
    }

    /// A column that every file has.
    pub(super) fn required<T: for<'a> Deserialize<'a>>(
        &self,
        name: &str,
        tag: &str,
    ) -> Result<Vec<T>> {
        self.column(name, tag)?.ok_or_else(|| malformed(format!("there is no column `{name}`")))
    }
}

/// Words of element types: TVM's, Ringwood's. 32 bits may be left out.
const WORDS: &[(&str, DType)] = &[
    ("float16", DType::F16),
    ("float32", DType::F32),
    ("float64", DType::F64),
    ("bfloat16", DType::BF16),
    ("int8", DType::I8),
    ("int16", DType::I16),
    ("int32", DType::I32),
    ("int64", DType::I64),
    ("uint8", DType::U8),
    ("uint16", DType::U16),
    ("uint32", DType::U32),
    ("uint64", DType::U64),
    ("bool", DType::Bool),
    ("float", DType::F32),
    ("int", DType::I32),
    ("uint", DType::U32),
    ("uint1", DType::Bool),
];

/// The element type of `float32`.
pub(super) fn dtype(word: &str) -> Result<DType> {
    let found = WORDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, dtype)| *dtype).ok_or_else(|| {
        malformed(format!("there are no tensors of type `{word}`"))
            .help("vectors and handles are not read")
    })
}

/// The word for an element type.
pub(super) fn word(dtype: DType) -> &'static str {
    WORDS.iter().find(|(_, known)| *known == dtype).map_or("float32", |(word, _)| word)
}
