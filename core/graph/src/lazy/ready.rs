//! Elements on a device, in memory of their own or lent by a plan.

use super::cache;
use crate::graph::TensorType;
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_device::device::{Device, Tensor};
use std::sync::Mutex;

/// A value on a device.
pub(crate) struct Ready {
    pub(super) ty: TensorType,
    pub(super) device: Device,
    cell: Mutex<Cell>,
}

struct Cell {
    tensor: Tensor,
    /// Whether it lies in memory that the next run of a plan writes over, once the value has left it.
    lent: bool,
}

impl Ready {
    pub(super) fn new(tensor: Tensor, lent: bool) -> Self {
        let (ty, device) = (TensorType::of(&tensor), tensor.device().clone());
        Self { ty, device, cell: Mutex::new(Cell { tensor, lent }) }
    }

    /// What `f` makes of the tensor, which stays where it is meanwhile.
    pub(super) fn with<T>(&self, f: impl FnOnce(&Tensor) -> T) -> T {
        f(&lock(&self.cell).tensor)
    }

    /// The tensor, in memory that nobody writes.
    pub(super) fn own(&self) -> Result<Tensor> {
        self.leave(|tensor| cache::with_memory(|| tensor.duplicate()))?;
        Ok(lock(&self.cell).tensor.clone())
    }

    /// Leaves memory that is lent for that of a copy; whether it did.
    pub(super) fn leave(&self, copy: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<bool> {
        let mut cell = lock(&self.cell);
        let lent = cell.lent;
        if lent {
            *cell = Cell { tensor: copy(&cell.tensor)?, lent: false };
        }
        Ok(lent)
    }
}
