//! A stream: the driver's queue and the first failure; `Drop` lets submitted work finish.

/// An in-order lane. There is none.
#[derive(Debug)]
pub enum Stream {}
