//! The kernel of a fused node.

use super::{Implementation, declared, find_kernel};
use crate::graph::{FusedApply, FusedOperand, Graph, Node, TensorType};
use crate::operator::{Application, Operator};
use ringwood_base::{Error, Result, Shape};
use ringwood_device::backend::dialect;
use ringwood_device::kernel::{
    ARGUMENT_BYTES, Consumer, Form, FusedPart, ParamKind, fuse, fuse_producers,
};
use ringwood_ir::{Input, Source};
use std::collections::BTreeMap;

/// The types of what an application reads, and what it yields.
struct Typed<'a> {
    operator: &'a Operator,
    reads: Vec<TensorType>,
    yields: Application,
    result: TensorType,
}

/// The types of each application; all results but the last have one shape.
fn types<'a>(
    graph: &'a Graph,
    operands: &[TensorType],
    applications: &[FusedApply],
) -> Result<Vec<Typed<'a>>> {
    let mut types: Vec<Typed<'a>> = Vec::new();
    for (i, apply) in applications.iter().enumerate() {
        let operand = |operand: &FusedOperand| match *operand {
            FusedOperand::Operand(index) => operands.get(index as usize).copied(),
            FusedOperand::Result(index) => types.get(index as usize).map(|typed| typed.result),
        };
        let reads: Option<Vec<_>> = apply.operands.iter().map(operand).collect();
        let reads = reads.ok_or_else(|| malformed(apply, "reads what is not there"))?;
        let operator = declared(graph, &apply.operator)?;
        let yields = operator.infer(&reads, &apply.attributes)?;
        let &[result] = &yields.results[..] else {
            return Err(malformed(apply, "has not one result"));
        };
        let other = types.last().is_some_and(|last| last.result.shape != result.shape);
        if other && i + 1 < applications.len() {
            return Err(malformed(apply, OTHER_SHAPE));
        }
        types.push(Typed { operator, reads, yields, result });
    }
    Ok(types)
}

const OTHER_SHAPE: &str = "has another shape than those before it";

fn malformed(application: &FusedApply, what: &str) -> Error {
    Error::invalid(format!("`{}` in a fused node {what}", application.operator))
}

/// The type of the result of a fused node, which is that of its last application.
pub(in crate::graph) fn infer(
    graph: &Graph,
    operands: &[TensorType],
    applications: &[FusedApply],
) -> Result<Vec<TensorType>> {
    let types = types(graph, operands, applications)?;
    Ok(types.last().map(|typed| typed.result).into_iter().collect())
}

/// The kernel that computes a fused node on a backend, and what its parameters receive.
pub(super) fn find(
    graph: &Graph,
    node: &Node,
    applications: &[FusedApply],
    backend: &str,
) -> Result<Implementation> {
    let operands: Vec<_> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
    let mut types = types(graph, &operands, applications)?;
    let part = |(apply, typed): (&FusedApply, &Typed)| {
        let Typed { operator, reads, yields, .. } = typed;
        let kernel = find_kernel(graph, operator, backend, reads, yields)?;
        let operands = apply.operands.iter().copied().map(Source::from).collect();
        Ok(FusedPart { kernel, operands })
    };
    let parts = applications.iter().zip(&types).map(part).collect::<Result<Vec<_>>>()?;
    let (kernel, order) = match (&parts[..], applications, &types[..]) {
        ([maps @ .., tail], [applied @ .., last], [.., map, _])
            if tail.kernel.form() != Form::Map =>
        {
            if !prints(graph, backend) {
                let what = format!("loads what maps compute, which `{backend}` does not fuse");
                return Err(malformed(last, &what));
            }
            let at_steps = node.operands.iter().map(|&v| graph.steps(v).is_some());
            let rows: Vec<_> = operands.iter().zip(at_steps).collect();
            let places = Places::of(applied, last, &rows, map.result.shape)?;
            (fuse_producers(&places.consumer(maps, tail)?)?, places.order())
        }
        (_, [.., last], [.., map, result]) if map.result.shape != result.result.shape => {
            return Err(malformed(last, OTHER_SHAPE));
        }
        _ => (fuse(&parts)?, (0..operands.len() as u32).collect()),
    };
    let symbols = types.pop().map(|last| last.yields.symbols).unwrap_or_default();
    Ok(Implementation { kernel, symbols, order })
}

/// Whether the devices of a backend compile kernels from their IR: maps then fuse with what loads them.
pub(in crate::graph) fn prints(graph: &Graph, backend: &str) -> bool {
    graph.registry().is_ok_and(|registry| dialect(registry, backend).is_some())
}

/// How the operands of a node reach a kernel that loads what maps compute.
struct Places<'a> {
    /// The last application.
    tail: &'a FusedApply,
    /// Which of its operands the maps compute.
    produced: usize,
    /// The operands of the node that the maps read, in rising order, and what they take of each.
    inputs: BTreeMap<u32, Input>,
}

impl<'a> Places<'a> {
    /// `operands` says of each whether it is read at steps; `domain` is the shape of the results of the
    /// maps.
    fn of(
        maps: &[FusedApply],
        tail: &'a FusedApply,
        operands: &[(&TensorType, bool)],
        domain: Shape,
    ) -> Result<Self> {
        let last = FusedOperand::Result((maps.len() as u32).wrapping_sub(1));
        let is_result = |operand: &&FusedOperand| matches!(operand, FusedOperand::Result(_));
        let once = tail.operands.iter().filter(is_result).count() == 1;
        let produced = tail.operands.iter().position(|operand| *operand == last).filter(|_| once);
        let produced =
            produced.ok_or_else(|| malformed(tail, "reads not just the last map, once"))?;
        let mut inputs = BTreeMap::new();
        for operand in maps.iter().flat_map(|map| &map.operands) {
            let FusedOperand::Operand(index) = *operand else { continue };
            let read = operands.get(index as usize).map(|(ty, at_steps)| (ty.shape, *at_steps));
            let input = match read.map(|(shape, at_steps)| (shape.elements(), at_steps)) {
                Some((n, false)) if n == domain.elements() => Input::Each,
                Some((1, _)) => Input::One,
                _ => {
                    let what = "reads maps of operands that are repeated, or read at steps";
                    return Err(malformed(tail, what));
                }
            };
            inputs.insert(index, input);
        }
        Ok(Self { tail, produced, inputs })
    }

    fn consumer(&self, maps: &[FusedPart], tail: &FusedPart) -> Result<Consumer> {
        let renumbered = |source: &Source| match *source {
            Source::Param(index) => Source::Param(self.inputs.range(..index).count() as u32),
            Source::Part(index) => Source::Part(index),
        };
        let map = |part: &FusedPart| {
            let operands = part.operands.iter().map(renumbered).collect();
            FusedPart { operands, ..part.clone() }
        };
        let is_read = |kind: ParamKind| kind.dtype().is_some() && !kind.is_written();
        let params = tail.kernel.params().iter().enumerate();
        let mut read = params.filter(|(_, param)| is_read(param.kind));
        let (param, _) =
            read.nth(self.produced).ok_or_else(|| malformed(self.tail, "reads too much"))?;
        let kernel = tail.kernel.clone();
        let inputs = self.inputs.values().copied().collect();
        Ok(Consumer { maps: maps.iter().map(map).collect(), inputs, kernel, param })
    }

    /// The operands of the node in the order of the parameters of the kernel.
    fn order(&self) -> Vec<u32> {
        let each = |(_, input): &(&u32, &Input)| **input == Input::Each;
        let first = self.inputs.iter().find(each).map(|(index, _)| *index);
        let operand = |operand: &FusedOperand| match *operand {
            FusedOperand::Operand(index) => Some(index),
            FusedOperand::Result(_) => first,
        };
        let others = self.inputs.keys().copied().filter(|index| Some(*index) != first);
        self.tail.operands.iter().filter_map(operand).chain(others).collect()
    }
}

/// Whether a fused kernel over a domain may have so many inputs: for each argument a pointer, an
/// offset and a step along each dimension are passed.
pub(in crate::graph) fn takes(inputs: usize, domain: Shape) -> bool {
    (inputs + 1) * (16 + 8 * domain.len()) + 8 * domain.len() <= ARGUMENT_BYTES
}
