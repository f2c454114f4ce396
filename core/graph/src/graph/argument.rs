//! What the parameters of a node's kernel receive.

use super::found::Implementation;
use super::{Attribute, Graph, TensorType, ValueId};
use ringwood_base::{Error, ErrorKind, Result, Scalar, ScalarType};
use ringwood_device::device::Kernel;
use ringwood_device::kernel::{Operand, Param, ParamKind};

/// What a parameter of a node's kernel receives.
pub(crate) enum Bound {
    /// An operand of the node.
    Operand(ValueId),
    /// A result of the node.
    Result(ValueId),
    /// A value.
    Scalar(Scalar),
}

impl Bound {
    pub(crate) fn operand(&self, graph: &Graph) -> Operand {
        let (value, mutable) = match *self {
            Bound::Operand(value) => (value, false),
            Bound::Result(value) => (value, true),
            Bound::Scalar(value) => return Operand::Scalar(value),
        };
        let TensorType { dtype, shape } = graph.value_type(value);
        Operand::Tensor { dtype, shape, mutable }
    }
}

/// Binds operands and results of node `i` in their order, and scalars by name: symbols of the shape
/// rule, then attributes.
pub(crate) fn bind(graph: &Graph, i: usize, implementation: &Implementation) -> Result<Vec<Bound>> {
    let node = &graph.nodes[i];
    let Implementation { kernel, symbols, order } = implementation;
    let attributes = match node.fused().and_then(<[_]>::last) {
        Some(last) => &last.attributes,
        None => &node.attributes,
    };
    let mut operands = order.iter().map(|&index| node.operands[index as usize]);
    let mut results = (0..).map(|result| ValueId { node: i as u32, result });
    let counted = "the kernel was found by the dtypes of operands and results";
    let bind = |param: &Param| {
        Ok(match param.kind {
            kind if kind.is_written() => Bound::Result(results.next().expect(counted)),
            ParamKind::Slice { .. } | ParamKind::View { .. } => {
                Bound::Operand(operands.next().expect(counted))
            }
            ParamKind::Scalar(kind) => {
                let symbol = symbols.iter().find(|(name, _)| name == param.name);
                let symbol = symbol.map(|&(_, extent)| Scalar::Usize(extent));
                let given = || attributes.find(param.name).and_then(Attribute::scalar);
                let value = symbol.or_else(given);
                Bound::Scalar(scalar(kernel, param.name, kind, value)?)
            }
        })
    };
    kernel.params().iter().map(bind).collect()
}

fn scalar(kernel: &Kernel, name: &str, kind: ScalarType, value: Option<Scalar>) -> Result<Scalar> {
    let title = kernel.name();
    match value {
        Some(value) if value.scalar_type() == kind => Ok(value),
        Some(value) => {
            let (want, got) = (kind.name(), value.scalar_type().name());
            let message =
                format!("kernel `{title}`: `{name}` is {want}, but its operator gives {got}");
            Err(Error::new(ErrorKind::DType, message))
        }
        None => {
            let message = format!(
                "kernel `{title}`: `{name}` is neither a symbol nor an attribute of its operator"
            );
            Err(Error::new(ErrorKind::NotFound, message))
        }
    }
}
