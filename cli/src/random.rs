//! Seeded random numbers: SplitMix64 (Steele, Lea and Flood, 2014), the same on every machine.

/// A generator of pseudo-random numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The generator of `seed`.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform numbers in `-bound..bound`.
    pub(super) fn uniform(&mut self, count: usize, bound: f32) -> impl Iterator<Item = f32> {
        let unit = |bits: u64| (bits >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
        (0..count).map(move |_| unit(self.next()) * bound)
    }
}

#[cfg(test)]
mod tests;
