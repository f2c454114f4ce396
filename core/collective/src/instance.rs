//! One call of a group, and its place among the others.

use crate::resolve::Shown;
use ringwood_base::Result;
use std::fmt;
use std::time::Duration;

/// One call of a group: the ranks whose submissions carry the same one meet in it.
///
/// The key is the caller's; it is used once in its group and step.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct InstanceId {
    /// The key of the group.
    pub group: u64,
    /// The step, as a [step sequence](crate::resolve) numbers it; 0 for
    /// callers without steps.
    pub step: u64,
    /// The key within group and step.
    pub key: u64,
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instance {} of group {}", self.key, Shown(self.group))?;
        if self.step != 0 {
            write!(f, " in step {}", self.step)?;
        }
        Ok(())
    }
}

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

/// Gives the calls of a group one order on all of its ranks, wherever they are.
pub(super) trait Turns: Send + Sync {
    /// A rank is ready for an instance. `tell` is called once, on any thread, when all ranks of the
    /// group are: with the turn of the instance, counted from 0 in each group. It is called with the
    /// error that every rank gets when some do not come within `wait`, or never will.
    fn ask(&self, instance: InstanceId, rank: usize, wait: Duration, tell: Tell);

    /// A rank asks for nothing more: what the others ask for without it never has a turn.
    fn leave(&self, rank: usize);
}

/// Takes the turn of an instance, or why it has none.
pub(super) type Tell = Box<dyn FnOnce(Result<u64>) + Send>;
