//! The memory of parameters that have a value, and of what is kept of them, shared by the plans of a model.

use crate::graph::{Graph, Node, TensorType};
use ringwood_base::sync::lock;
use ringwood_base::{Result, Shape};
use ringwood_device::device::{Device, Tensor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Names of a parameter and of a device; of the operator whose result is kept, if it is not the parameter itself, and
/// the shape in which it takes the parameter.
type Key = (String, String, Option<(String, Shape)>);

/// Tensors of parameters: one for each device that reads the parameter, made when a plan first needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(Arc<Mutex<HashMap<Key, Tensor>>>);

impl Weights {
    /// The tensor of a parameter on a device, with these bytes.
    pub(super) fn tensor(
        &self,
        name: &str,
        device: &Device,
        ty: TensorType,
        bytes: &[u8],
    ) -> Result<Tensor> {
        let mut tensors = lock(&self.0);
        let key = (name.to_owned(), device.name().to_owned(), None);
        if let Some(tensor) = tensors.get(&key) {
            return Ok(tensor.clone());
        }
        let tensor = device.tensor_of_bytes(bytes, ty.shape, ty.dtype)?;
        tensors.insert(key, tensor.clone());
        Ok(tensor)
    }

    /// What a plan before computed and keeps of a parameter that has a value, as a node does.
    pub(super) fn kept(&self, graph: &Graph, node: &Node) -> Option<Tensor> {
        let tensors = lock(&self.0);
        tensors.get(&key(graph, node)?).cloned()
    }

    /// Keeps what a node computes of a parameter that has a value; whether that is so.
    pub(super) fn keep(&self, graph: &Graph, node: &Node, result: &Tensor) -> bool {
        let mut tensors = lock(&self.0);
        key(graph, node).map(|key| tensors.insert(key, result.clone())).is_some()
    }

    /// The bytes of all tensors.
    pub(crate) fn bytes(&self) -> usize {
        let tensors = lock(&self.0);
        tensors.values().map(Tensor::bytes).sum()
    }
}

/// Whether plans share the result of a node.
pub(super) fn is_shared(graph: &Graph, node: &Node) -> bool {
    graph.weight_of(node).is_some() || key(graph, node).is_some()
}

/// The key of what is kept of a parameter that has a value.
fn key(graph: &Graph, node: &Node) -> Option<Key> {
    let [operand] = node.operands[..] else { return None };
    let source = &graph.nodes[graph.base(operand).node as usize];
    let (name, _) = graph.weight_of(source).filter(|_| node.kept)?;
    let shape = graph.value_type(operand).shape;
    Some((name.to_owned(), node.device.clone()?, Some((node.word(), shape))))
}
