//! Code: the driver's function, with the module that holds it and the kernel's name for errors.

/// A compiled kernel. There is none.
#[derive(Debug)]
pub enum Code {}
