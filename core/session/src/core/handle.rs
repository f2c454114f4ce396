//! Registers as the controller holds them.

use super::Core;
use crate::protocol::Register;
use std::sync::Arc;

/// A register of every worker, freed when this is dropped.
pub(crate) struct Handle {
    pub(crate) core: Arc<Core>,
    pub(super) generation: u32,
    pub(crate) register: Register,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.core.release(self.generation, self.register);
    }
}
