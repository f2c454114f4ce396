//! What a submitted call waits for.

use crate::InstanceId;

/// When an instance may start, as far as another one is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum After {
    /// When the other has started on every rank of this executor. Equivalent to TensorFlow's
    /// `WaitForDependencies` and `UnblockDependencies`.
    Launched(InstanceId),
    /// When the other has completed on every rank of this executor.
    Completed(InstanceId),
}

impl After {
    /// The instance that must come first.
    pub const fn instance(self) -> InstanceId {
        match self {
            After::Launched(instance) | After::Completed(instance) => instance,
        }
    }
}
