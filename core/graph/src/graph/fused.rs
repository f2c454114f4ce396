//! Fused nodes: element-wise operators that one kernel computes, alone or where another kernel loads
//! their result.
//!
//! The last application of a node may be of any operator with one result. If its kernel is no map, it
//! reads the result of the one before it, once; each element that it loads is computed of the operands
//! of the maps, which have as many elements as their result, or one.

use super::{Attributes, ValueId};
use ringwood_ir::Source;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the applications that a [`NodeKind::Fused`](super::NodeKind::Fused) node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FusedApply {
    /// The name of the operator, which has one result.
    pub operator: String,
    /// What it reads.
    pub operands: Vec<FusedOperand>,
    /// Its attributes; maps have none.
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub attributes: Attributes,
}

/// What an application within a fused node reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FusedOperand {
    /// The operand of the node with this index.
    Operand(u32),
    /// The result of the application with this index, an earlier one; printed `$0`.
    Result(u32),
}

impl From<FusedOperand> for Source {
    fn from(operand: FusedOperand) -> Self {
        match operand {
            FusedOperand::Operand(index) => Source::Param(index),
            FusedOperand::Result(index) => Source::Part(index),
        }
    }
}

/// `fused mul(%0, %1), add($0, %2)`: `$0` is the result of the first application.
pub(super) fn show(
    operands: &[ValueId],
    applications: &[FusedApply],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (i, application) in applications.iter().enumerate() {
        let operand = |operand: &FusedOperand| match *operand {
            FusedOperand::Operand(index) => match operands.get(index as usize) {
                Some(value) => value.to_string(),
                None => "?".into(),
            },
            FusedOperand::Result(index) => format!("${index}"),
        };
        let read: Vec<_> = application.operands.iter().map(operand).collect();
        let comma = if i == 0 { "fused " } else { ", " };
        let (name, attributes) = (&application.operator, &application.attributes);
        let separator = if attributes.is_empty() { "" } else { ", " };
        write!(f, "{comma}{name}({}{separator}{attributes})", read.join(", "))?;
    }
    Ok(())
}
