//! A backend without a device: the documented skeleton to copy.
