//! The order of the calls of a group whose ranks are in several processes.

use super::InstanceId;
use ringwood_base::Result;
use std::time::Duration;

/// Gives the calls of a group one order on all of its ranks, wherever they are.
///
/// A [`RemoteResolver`](crate::resolve::RemoteResolver) does, through its leader.
pub trait Turns: Send + Sync {
    /// A rank is ready for an instance. `tell` is called once, on any thread, when all ranks of the
    /// group are: with the turn of the instance, counted from 0 in each group. It is called with the
    /// error that every rank gets when some do not come within `wait`, or never will.
    fn ask(&self, instance: InstanceId, rank: usize, wait: Duration, tell: Tell);
}

/// Takes the turn of an instance, or why it has none.
pub type Tell = Box<dyn FnOnce(Result<u64>) + Send>;
