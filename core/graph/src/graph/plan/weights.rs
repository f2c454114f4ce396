//! The memory of parameters that have a value, shared by the plans of a model.

use crate::graph::TensorType;
use ringwood_base::Result;
use ringwood_device::device::{Device, Tensor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Names of a parameter and of a device, and the tensor of that parameter there.
type Tensors = HashMap<(String, String), Tensor>;

/// Tensors of parameters: one for each device that reads the parameter, made when a plan first needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(Arc<Mutex<Tensors>>);

impl Weights {
    /// The tensor of a parameter on a device, with these bytes.
    pub(super) fn tensor(
        &self,
        name: &str,
        device: &Device,
        ty: TensorType,
        bytes: &[u8],
    ) -> Result<Tensor> {
        let mut tensors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name.to_owned(), device.name().to_owned());
        if let Some(tensor) = tensors.get(&key) {
            return Ok(tensor.clone());
        }
        let tensor = device.tensor_of_bytes(bytes, ty.shape, ty.dtype)?;
        tensors.insert(key, tensor.clone());
        Ok(tensor)
    }

    /// The bytes of all tensors.
    pub(crate) fn bytes(&self) -> usize {
        let tensors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tensors.values().map(Tensor::bytes).sum()
    }
}
