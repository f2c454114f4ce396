//! Numbers that stand for trees of merges, and hashes of numbers.

use std::hash::Hasher;

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

/// A fast hash of small numbers.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 29;
    }
}
