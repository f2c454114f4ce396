//! Seeded random delays: they bring missing waits to light.

use std::time::Duration;

/// A source of delays; the same seed and stream give the same sequence.
pub(super) struct Chaos(u64);

impl Chaos {
    /// The delays of the stream with number `stream`.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut chaos = Self(seed);
        Self(chaos.next() ^ stream.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// Delays the caller, most of the time; at most by 128 µs and what the system adds.
    pub(super) fn delay(&mut self) {
        match self.next() % 8 {
            0 | 1 => {}
            2 | 3 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(self.next() % 128)),
        }
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_depends_on_seed_and_stream_only() {
        let draw = |seed, stream| {
            let mut chaos = Chaos::new(seed, stream);
            (0..8).map(|_| chaos.next()).collect::<Vec<_>>()
        };
        assert_eq!(draw(7, 1), draw(7, 1));
        assert_ne!(draw(7, 1), draw(7, 2));
        assert_ne!(draw(7, 1), draw(8, 1));
    }
}
