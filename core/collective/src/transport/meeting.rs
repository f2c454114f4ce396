//! Where ranks in several processes meet.

use std::any::Any;

/// A place where the ranks of a group in several processes meet. It is there as long as this value,
/// which the process that starts them keeps.
pub struct Meeting {
    address: String,
    _keep: Box<dyn Any + Send + Sync>,
}

impl Meeting {
    /// The place at `address`, which exists until `keep` is dropped.
    pub fn new(address: impl Into<String>, keep: impl Any + Send + Sync) -> Self {
        Self { address: address.into(), _keep: Box::new(keep) }
    }

    /// What the ranks pass to [`GroupBuilder::join`](crate::GroupBuilder::join).
    pub fn address(&self) -> &str {
        &self.address
    }
}
