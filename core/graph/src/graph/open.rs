//! What is known of inputs and results while sizes are not.

use ringwood_base::DType;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One extent of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Dim {
    /// This one.
    Extent(usize),
    /// Any; the name is for messages, and may be empty.
    Open(String),
}

impl From<usize> for Dim {
    fn from(extent: usize) -> Self {
        Self::Extent(extent)
    }
}

impl From<&str> for Dim {
    fn from(name: &str) -> Self {
        Self::Open(name.to_owned())
    }
}

/// `32`, `batch`, or `?` for an open extent without a name.
impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extent(extent) => extent.fmt(f),
            Self::Open(name) if name.is_empty() => f.write_str("?"),
            Self::Open(name) => f.write_str(name),
        }
    }
}

/// The most results that a node may have: its text has a word for each.
pub(crate) const MOST_RESULTS: usize = 1 << 16;

/// What is known of the results of a node before the sizes of the inputs are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Open {
    /// The type of an input, with extents that are open.
    Input(DType, Vec<Dim>),
    /// The number of results of an operator.
    Results(u32),
}

/// `f32[batch, 3]`, or `?` for each result of an operator.
impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(dtype, dims) => {
                let dims: Vec<_> = dims.iter().map(ToString::to_string).collect();
                write!(f, "{dtype}[{}]", dims.join(", "))
            }
            Self::Results(count) => f.write_str(&vec!["?"; *count as usize].join(", ")),
        }
    }
}
