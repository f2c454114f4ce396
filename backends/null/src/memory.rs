//! Memory: the driver's pointer and its size; `Drop` frees it.

/// Memory of the device. There is none.
#[derive(Debug)]
pub enum Memory {}
