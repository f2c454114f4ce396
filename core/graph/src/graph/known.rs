//! Values that are known before a run: constants, and what is computed of them.

use super::implementation::declared;
use super::repeat::Repeat;
use super::{Graph, Node, NodeKind, TensorType, Value, ValueId, View, bind, find};
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_device::kernel::evaluate;
use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most elements of an operand or a result that is computed before a run: shapes, and what is computed
/// of them. Larger constants wait for a device.
const MOST_ELEMENTS: usize = 4096;

/// The most bytes that constants have together which are made while the sizes of a graph are given: a small file may ask
/// for any number of them.
const MOST_BYTES: usize = 1 << 30;

/// What is known of values while the sizes of a graph are given.
#[derive(Debug, Default)]
pub(super) struct Folding {
    /// What is asked for and depends on data, in the order in which it is asked for.
    pub(super) given: VecDeque<Found>,
    /// What was asked for first after those.
    pub(super) asked: Option<Asked>,
    /// How many of the given ones were taken, and the loops among them.
    pub(super) taken: usize,
    pub(super) loops: usize,
    /// Whether a model sizes the graph, which runs loops between its parts.
    pub(super) by_model: bool,
    /// The constants of the given elements.
    pub(super) constants: HashMap<ValueId, ValueId>,
    /// The bytes of the constants that were made.
    pub(super) bytes: usize,
    /// The time that computing constants took.
    pub(super) time: Duration,
    /// What stands for something that is no tensor, and for what.
    pub(super) stand_ins: HashMap<ValueId, &'static str>,
    /// What operators remember from one node to the next, by its type.
    pub(super) remembered: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

/// What a model finds by a run, for the rest of a graph that waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Known {
    pub(super) found: Found,
    pub(super) cut: Cut,
}

/// Where the run ended, and what it keeps for the parts that follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    /// The node that waits.
    pub(super) node: usize,
    /// Values of the graph that it or later nodes use, which the run computed.
    pub(super) kept: Arc<[(ValueId, TensorType)]>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Found {
    /// The elements of a value.
    Elements(Arc<[u8]>),
    /// The types of the results of a loop, which are inputs of the rest.
    Loop(Arc<[TensorType]>),
}

/// What an operator needs before the rest of a graph is known.
#[derive(Debug)]
pub(super) enum Asked {
    /// The elements of a value.
    Elements(ValueId),
    /// The results of a loop, for these values.
    Loop(Box<Repeat>, Vec<ValueId>),
}

impl Folding {
    /// Counts the bytes of a constant that is made.
    ///
    /// # Errors
    /// All of them have too many.
    pub(super) fn make(&mut self, bytes: usize) -> Result<()> {
        let all = self.bytes.saturating_add(bytes);
        if all > MOST_BYTES {
            let message =
                format!("constants of more than {MOST_BYTES} bytes are needed before a run");
            return Err(Error::unsupported(message));
        }
        self.bytes = all;
        Ok(())
    }

    /// The constant that a value was found to be.
    pub(super) fn constant(&self, id: ValueId) -> Option<ValueId> {
        self.constants.get(&id).copied()
    }
}

impl Graph {
    /// The bytes of the elements of a value, if they are known before a run.
    ///
    /// # Errors
    /// The value is of another graph.
    pub fn known(&self, value: Value) -> Result<Option<&[u8]>> {
        let id = self.check(value)?;
        Ok(self.constant_at(id))
    }

    /// The bytes of the elements of a value that an operator needs before a run.
    ///
    /// A value that depends on data is computed first by a [`Model`](super::Model), which then asks again.
    ///
    /// # Errors
    /// The elements are not known; the value is of another graph.
    pub fn require(&mut self, value: Value) -> Result<&[u8]> {
        let mut id = self.check(value)?;
        if self.folding.is_none() {
            self.settle(id);
        }
        if self.constant_at(id).is_none() {
            let Some(Found::Elements(bytes)) = self.take_known() else {
                self.ask(Asked::Elements(id));
                let message = format!("the elements of {id} are needed before a run");
                return Err(Error::unsupported(message).help(
                    "they depend on data: run the graph as a `Model`, or make them constants",
                ));
            };
            let ty = self.value_type(id);
            let constant = self.push(Node::new(NodeKind::Constant(bytes), vec![ty]));
            if let Some(folding) = &mut self.folding {
                folding.constants.insert(id, constant.id);
            }
            id = constant.id;
        }
        Ok(self.constant_at(id).unwrap_or_default())
    }

    /// The elements of an integer value that an operator needs before a run: axes, or a shape.
    ///
    /// # Errors
    /// As [`Graph::require`]; they are no integers.
    pub fn integers(&mut self, value: Value) -> Result<Vec<i64>> {
        let ty = self.type_of(value)?;
        let bytes = self.require(value)?;
        let each = bytes.chunks_exact(ty.dtype.size());
        match ty.dtype {
            DType::I64 => Ok(each.map(bytemuck::pod_read_unaligned).collect()),
            DType::I32 => Ok(each.map(|b| bytemuck::pod_read_unaligned::<i32>(b).into()).collect()),
            other => Err(Error::dtype(format!("axes and shapes are i64 or i32, not {other}"))),
        }
    }

    /// How many values that depend on data operators have needed before a run so far.
    pub fn asked(&self) -> usize {
        self.folding.as_ref().map_or(0, |folding| folding.taken)
    }

    /// What operators remember in this type from one node to the next while the sizes of a graph are given: its default
    /// at first. `None` where they are not being given.
    pub fn remembered<T: Any + Default + Send + Sync>(&mut self) -> Option<&mut T> {
        let all = &mut self.folding.as_mut()?.remembered;
        all.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default()).downcast_mut()
    }

    /// A value that stands for something that is no tensor, as a list of them, which operators [remember](Graph::remembered)
    /// by it. A graph with an output that is one has no plan: the error names `what`.
    pub fn stand_in(&mut self, what: &'static str) -> Value {
        let ty = TensorType { dtype: DType::U8, shape: Shape::vector(0) };
        let value = self.push(Node::new(NodeKind::Constant(Arc::default()), vec![ty]));
        if let Some(folding) = &mut self.folding {
            folding.stand_ins.insert(value.id, what);
        }
        value
    }

    /// Refuses an output that is no tensor.
    pub(super) fn check_output(&self, name: &str, value: Value) -> Result<()> {
        match self.folding.as_ref().and_then(|folding| folding.stand_ins.get(&value.id)) {
            None => Ok(()),
            Some(what) => {
                let message = format!("output `{name}` is {what}, not a tensor");
                Err(Error::unsupported(message).help("make a tensor of it in the graph"))
            }
        }
    }

    /// What was found for the next operator that asks.
    pub(super) fn take_known(&mut self) -> Option<Found> {
        let folding = self.folding.as_mut()?;
        let known = folding.given.pop_front()?;
        folding.taken += 1;
        Some(known)
    }

    /// Says what is needed before the rest is known, unless something before it is.
    pub(super) fn ask(&mut self, asked: Asked) {
        if let Some(folding) = &mut self.folding {
            folding.asked.get_or_insert(asked);
        }
    }

    /// Whether an operator needed what nobody knew.
    pub(super) fn has_asked(&self) -> bool {
        self.folding.as_ref().is_some_and(|folding| folding.asked.is_some())
    }

    pub(crate) fn constant_at(&self, id: ValueId) -> Option<&[u8]> {
        match &self.nodes[id.node as usize].kind {
            NodeKind::Constant(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Makes a value a constant where it is computed of small constants alone; while sizes are given, all such are.
    fn settle(&mut self, id: ValueId) -> Option<()> {
        let (mut waiting, mut found) = (vec![id.node], BTreeSet::new());
        while let Some(i) = waiting.pop() {
            let node = &self.nodes[i as usize];
            match &node.kind {
                NodeKind::Constant(_) => {}
                NodeKind::Apply(_) if node.open.is_none() && node.results.len() == 1 => {
                    if found.insert(i) {
                        waiting.extend(node.operands.iter().map(|operand| operand.node));
                    }
                }
                _ => return None,
            }
        }
        // Operands stand before their node.
        let before: Vec<_> =
            found.into_iter().map(|i| (i as usize, self.nodes[i as usize].clone())).collect();
        for &(i, _) in &before {
            let Some(bytes) = self.evaluated(i).map(|mut results| results.remove(0)) else {
                before.into_iter().for_each(|(i, node)| self.nodes[i] = node);
                return None;
            };
            let node = self.node_mut(i);
            node.kind = NodeKind::Constant(bytes.into());
            (node.operands, node.attributes) = Default::default();
        }
        Some(())
    }

    /// Replaces the last node, an application, by constants if what it computes is known before a run: its
    /// operands are small constants, and a kernel of it can be interpreted.
    pub(super) fn fold_last(&mut self) -> Option<Vec<Value>> {
        let last = self.nodes.len() - 1;
        let results = self.nodes[last].results.clone();
        let start = Instant::now();
        let folded = self.evaluated(last)?;
        if let Some(folding) = &mut self.folding {
            folding.time += start.elapsed();
            // What is too large is left to a run.
            folding.make(folded.iter().map(Vec::len).sum()).ok()?;
        }
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

#[cfg(test)]
mod tests;
