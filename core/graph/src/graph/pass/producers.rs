//! Whether maps are better computed where another kernel loads their result.

use crate::graph::{Bound, Graph, ValueId, bind};
use ringwood_base::{Result, Shape, StridedShape};
use ringwood_device::kernel::Operand;
use ringwood_ir::interpret::loads;
use ringwood_ir::prove::{Fact, LaunchFacts};
use ringwood_ir::{Buffer, ParamKind};

/// The most elements that are computed for each work-item of the kernel. Maps alone have a work-item
/// for each element; in a kernel of few, they would wait for each other longer than a launch takes.
const MOST_EACH: usize = 64;

/// Whether the kernel of node `root` loads each element of `operand` about once and has enough work-items to compute them.
///
/// The loads of the launch are counted from its domain and its loops. They may be half as many again
/// as the elements, as those of a reduction that starts with the first element of each row.
pub(super) fn pays(graph: &Graph, root: usize, operand: ValueId) -> Result<bool> {
    let found = graph.implementation(&graph.nodes[root])?;
    let ir = found.kernel.spec().kernel()?;
    let bound = bind(graph, root, &found)?;
    let operands: Vec<_> = bound.iter().map(|b| b.operand(graph)).collect();
    let domain = found.kernel.domain(&operands)?;
    let shape = |operand: &Operand| match operand {
        Operand::Tensor { shape, .. } => StridedShape::dense(*shape),
        Operand::Scalar(_) => StridedShape::dense(Shape::scalar()),
    };
    let shapes: Vec<_> = operands.iter().map(shape).collect();
    let facts = ir.params.iter().zip(&operands).zip(&shapes);
    let facts = facts.map(|((param, operand), shape)| match (operand, param.kind) {
        (Operand::Scalar(value), _) => Fact::Scalar(*value),
        (_, ParamKind::View { .. }) => {
            Fact::View { shape: shape.extents(), strides: shape.strides() }
        }
        (Operand::Tensor { shape, .. }, _) => Fact::Len(shape.elements()),
    });
    let facts: Vec<_> = facts.collect();
    let is_produced = |bound: &Bound| matches!(bound, Bound::Operand(value) if *value == operand);
    let Some(param) = bound.iter().position(is_produced) else { return Ok(false) };
    let facts = LaunchFacts { domain: &domain, args: &facts };
    let elements = graph.value_type(operand).shape.elements();
    let items = domain.elements().saturating_mul(ir.group_size());
    let once = loads(&ir, Buffer::Param(param as u32), &facts)
        .is_some_and(|loads| loads <= elements as u128 * 3 / 2);
    Ok(once && elements <= items.saturating_mul(MOST_EACH))
}
