//! Fused nodes: element-wise operators that one kernel computes.

use super::implementation::find_instance;
use super::{Attributes, Graph, Node, NodeKind, TensorType};
use crate::device::Kernel;
use crate::kernel::{FusedPart, fuse};
use crate::{Error, ErrorKind, Result, Shape};
use ringwood_ir::Source;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the applications that a [`NodeKind::Fused`] node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FusedApply {
    /// The name of the operator, which takes no attributes and has one result.
    pub operator: String,
    /// What it reads.
    pub operands: Vec<FusedOperand>,
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

impl Node {
    /// The applications of a fused node.
    pub fn fused(&self) -> Option<&[FusedApply]> {
        match &self.kind {
            NodeKind::Fused(applications) => Some(applications),
            _ => None,
        }
    }
}

/// The types of operands and result of each application; all results have one shape.
fn types(
    graph: &Graph,
    operands: &[TensorType],
    applications: &[FusedApply],
) -> Result<Vec<(Vec<TensorType>, TensorType)>> {
    let mut types: Vec<(Vec<TensorType>, TensorType)> = Vec::new();
    for application in applications {
        let operand = |operand: &FusedOperand| match *operand {
            FusedOperand::Operand(index) => operands.get(index as usize).copied(),
            FusedOperand::Result(index) => types.get(index as usize).map(|(_, result)| *result),
        };
        let reads: Option<Vec<_>> = application.operands.iter().map(operand).collect();
        let reads = reads.ok_or_else(|| malformed(application, "reads what is not there"))?;
        let operator = graph.registry()?.operator(&application.operator)?;
        let results = operator.infer(&reads, &Attributes::default())?.results;
        let &[result] = &results[..] else {
            return Err(malformed(application, "has not one result"));
        };
        if types.last().is_some_and(|(_, last)| last.shape != result.shape) {
            return Err(malformed(application, "has another shape than those before it"));
        }
        types.push((reads, result));
    }
    Ok(types)
}

fn malformed(application: &FusedApply, what: &str) -> Error {
    let message = format!("`{}` in a fused node {what}", application.operator);
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The type of the result of a fused node, which is that of its last application.
pub(super) fn infer(
    graph: &Graph,
    operands: &[TensorType],
    applications: &[FusedApply],
) -> Result<Vec<TensorType>> {
    Ok(types(graph, operands, applications)?.pop().into_iter().map(|(_, result)| result).collect())
}

/// The kernel that computes a fused node on a backend.
pub(super) fn kernel(graph: &Graph, node: &Node, backend: &str) -> Result<Kernel> {
    let applications = node.fused().unwrap_or_default();
    let operands: Vec<_> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
    let types = types(graph, &operands, applications)?;
    let part = |(application, (reads, result)): (&FusedApply, &(Vec<TensorType>, TensorType))| {
        let reads: Vec<_> = reads.iter().map(|ty| ty.dtype).collect();
        let kernel = find_instance(graph, &application.operator, backend, &reads, &[result.dtype])?;
        let operands = application.operands.iter().copied().map(Source::from).collect();
        Ok(FusedPart { def: kernel.def, instance: kernel.instance, operands })
    };
    let parts = applications.iter().zip(&types).map(part).collect::<Result<Vec<_>>>()?;
    let def = fuse(&parts)?;
    Ok(Kernel { def, instance: &def.instances[0] })
}

/// The bytes that every OpenCL device takes for the arguments of a launch.
const ARGUMENT_BYTES: usize = 1024;

/// Whether a fused kernel over a domain may have so many inputs: for each argument a pointer, an
/// offset and a step along each dimension are passed.
pub(super) fn takes(inputs: usize, domain: Shape) -> bool {
    (inputs + 1) * (16 + 8 * domain.len()) + 8 * domain.len() <= ARGUMENT_BYTES
}

/// `fused mul(%0, %1), add($0, %2)`: `$0` is the result of the first application.
pub(super) fn show(
    node: &Node,
    applications: &[FusedApply],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (i, application) in applications.iter().enumerate() {
        let operand = |operand: &FusedOperand| match *operand {
            FusedOperand::Operand(index) => match node.operands.get(index as usize) {
                Some(value) => value.to_string(),
                None => "?".into(),
            },
            FusedOperand::Result(index) => format!("${index}"),
        };
        let operands: Vec<_> = application.operands.iter().map(operand).collect();
        let comma = if i == 0 { "fused " } else { ", " };
        write!(f, "{comma}{}({})", application.operator, operands.join(", "))?;
    }
    Ok(())
}
