//! Numbers that stand for trees of merges.

pub(super) fn leaf(rank: usize) -> u64 {
    mix(rank as u64 ^ 0xD6E8_FEB8_6659_FD93)
}

/// Commutative, not associative.
pub(super) fn merge(a: u64, b: u64) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    mix(low.rotate_left(17) ^ mix(high))
}

/// The finaliser of splitmix64.
pub(crate) fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
