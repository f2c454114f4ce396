//! Copies between devices.

use super::Device;

/// Whether the backend copies between the two devices by itself.
pub(crate) fn direct(source: &Device, target: &Device) -> bool {
    source == target
        || (source.backend_name() == target.backend_name()
            && source.capabilities().peer_copy
            && target.capabilities().peer_copy)
}
