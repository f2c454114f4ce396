//! Where the ranks of a transport find each other.

use std::any::Any;

/// A place where the ranks of a transport in several processes find each other. It is there as long as
/// this value, which the process that made it keeps. Equivalent to `ncclUniqueId`, mscclpp `Bootstrap`.
pub struct Bootstrap {
    address: String,
    _keep: Box<dyn Any + Send + Sync>,
}

impl Bootstrap {
    /// The place at `address`, which exists until `keep` is dropped.
    pub fn new(address: impl Into<String>, keep: impl Any + Send + Sync) -> Self {
        Self { address: address.into(), _keep: Box::new(keep) }
    }

    /// What the ranks pass to `GroupBuilder::join`.
    pub fn address(&self) -> &str {
        &self.address
    }
}
