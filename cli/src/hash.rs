//! Hashes of what commands read and compute.

/// FNV-1a (64 bits) of these bytes.
pub(super) fn fnv<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}
