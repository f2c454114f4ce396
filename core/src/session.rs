//! A controller and its workers.

/// A global function's entry in the registry.
#[derive(Debug)]
pub struct GlobalFn {}
