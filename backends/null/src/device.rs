//! A device: the driver's handle, its properties, and what all of its streams share.

/// The device `null:0`.
#[derive(Clone, Debug)]
pub struct Device;
