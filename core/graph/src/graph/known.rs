//! Values that are known before a run: constants, and what is computed of them.

use super::implementation::declared;
use super::{Graph, Node, NodeKind, TensorType, Value, ValueId, View, bind, find};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::kernel::evaluate;

/// The most elements of an operand or a result that is computed before a run: shapes, and what is computed
/// of them. Larger constants wait for a device.
const MOST_ELEMENTS: usize = 4096;

impl Graph {
    /// The bytes of the elements of a value, if they are known before a run.
    ///
    /// # Errors
    /// The value is of another graph.
    pub fn known(&self, value: Value) -> Result<Option<&[u8]>> {
        let id = self.check(value)?;
        Ok(self.constant_at(id))
    }

    /// The elements of an integer value that is known before a run: axes, or a shape.
    ///
    /// # Errors
    /// They are not known, or no integers; the value is of another graph.
    pub fn integers(&self, value: Value) -> Result<Vec<i64>> {
        let ty = self.type_of(value)?;
        let bytes = self.known(value)?.ok_or_else(|| {
            let message = format!("the elements of {} are needed before a run", value.id);
            Error::new(ErrorKind::Unsupported, message)
                .help("they may depend on shapes and constants, and on nothing else that is given")
        })?;
        let each = bytes.chunks_exact(ty.dtype.size());
        match ty.dtype {
            DType::I64 => Ok(each.map(bytemuck::pod_read_unaligned).collect()),
            DType::I32 => Ok(each.map(|b| bytemuck::pod_read_unaligned::<i32>(b).into()).collect()),
            other => {
                let message = format!("axes and shapes are i64 or i32, not {other}");
                Err(Error::new(ErrorKind::DType, message))
            }
        }
    }

    pub(crate) fn constant_at(&self, id: ValueId) -> Option<&[u8]> {
        match &self.nodes[id.node as usize].kind {
            NodeKind::Constant(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Replaces the last node, an application, by constants if what it computes is known before a run: its
    /// operands are small constants, and a kernel of it can be interpreted.
    pub(super) fn fold_last(&mut self) -> Option<Vec<Value>> {
        let last = self.nodes.len() - 1;
        let results = self.nodes[last].results.clone();
        let folded = self.evaluated(last)?;
        self.nodes.pop();
        let constant = |(ty, bytes): (TensorType, Vec<u8>)| {
            self.push(Node::new(NodeKind::Constant(bytes.into()), vec![ty]))
        };
        Some(results.into_iter().zip(folded).map(constant).collect())
    }

    /// The bytes of each result of an application to small constants.
    fn evaluated(&self, i: usize) -> Option<Vec<Vec<u8>>> {
        let node = &self.nodes[i];
        let operands: Vec<_> = node.operands.iter().map(|&o| self.value_type(o)).collect();
        let small = |ty: &TensorType| ty.shape.elements() <= MOST_ELEMENTS;
        let constants = node.operands.iter().map(|&o| self.constant_at(o));
        let constants = constants.collect::<Option<Vec<_>>>()?;
        if !operands.iter().chain(&node.results).all(small) {
            return None;
        }
        let operator = declared(self, node.operator()?).ok()?;
        if operator.view.is_some() {
            let view = operator.view_of(operands[0].shape, &node.attributes).ok()?;
            return Some(vec![gathered(constants[0], operands[0].dtype.size(), &view)]);
        }
        // Kernels that can be interpreted are the same items for all devices, the processor among them.
        let found = find(self, node, "cpu").ok()?;
        let bound = bind(self, i, &found).ok()?;
        let read = found.order.iter().map(|&index| constants[index as usize]);
        let arguments: Vec<_> = bound.iter().map(|bound| bound.operand(self)).collect();
        evaluate(&found.kernel, &arguments, &read.collect::<Vec<_>>()).ok()
    }
}

/// The elements that a view has, in its order.
fn gathered(bytes: &[u8], size: usize, View { first, layout }: &View) -> Vec<u8> {
    let strides = layout.shape().strides();
    let place = |point: usize| -> usize {
        let dims = strides.iter().zip(layout.extents()).zip(layout.strides());
        first + dims.map(|((unit, extent), step)| point / unit % extent * step).sum::<usize>()
    };
    let points = 0..layout.shape().elements();
    points.flat_map(|point| &bytes[place(point) * size..][..size]).copied().collect()
}
