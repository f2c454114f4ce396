//! The elements of the oracle: small integers, whose merges are exact in any order.

use half::{bf16, f16};
use ringwood_base::DType;
use ringwood_schedule::ReduceOp;

/// The elements of a rank repeat after so many, a prime, so that no cut hides a wrong place.
const PERIOD: usize = 251;

/// The elements that all ranks contribute, and their merge, as bytes of one type.
pub(crate) struct Data {
    ranks: Vec<Vec<u8>>,
    merged: Vec<u8>,
    size: usize,
}

/// Whose elements are meant.
#[derive(Clone, Copy)]
pub(crate) enum From {
    Rank(usize),
    Merged,
}

impl Data {
    pub(crate) fn new(n: usize, dtype: DType, op: ReduceOp, seed: u64) -> Self {
        let value = |rank: usize, i: usize| mix(seed, rank, i) % 4 + 1;
        let bytes = |of: &dyn Fn(usize) -> Vec<u8>| (0..PERIOD).flat_map(of).collect::<Vec<u8>>();
        let of_rank = |rank: usize| bytes(&|i| encode(dtype, value(rank, i) as f64));
        let merge = |i: usize| {
            let values = (0..n).map(|rank| value(rank, i) as f64);
            match op {
                ReduceOp::Prod => values.product(),
                ReduceOp::Min => values.fold(f64::INFINITY, f64::min),
                ReduceOp::Max => values.fold(0.0, f64::max),
                _ => values.sum::<f64>(),
            }
        };
        let merged = |i: usize| match (op, dtype) {
            (ReduceOp::Mean, DType::F16 | DType::BF16) => {
                encode(dtype, f64::from(merge(i) as f32 / n as f32))
            }
            (ReduceOp::Mean, _) => encode(dtype, merge(i) / n as f64),
            _ => encode(dtype, merge(i)),
        };
        let size = dtype.size();
        Self { ranks: (0..n).map(of_rank).collect(), merged: bytes(&merged), size }
    }

    /// The elements from `start` on.
    pub(crate) fn run(&self, from: From, start: usize, count: usize) -> Vec<u8> {
        let period = match from {
            From::Rank(rank) => &self.ranks[rank],
            From::Merged => &self.merged,
        };
        let skip = start % PERIOD * self.size;
        let repeats = (skip + count * self.size).div_ceil(period.len());
        let mut run = period.repeat(repeats);
        run.drain(..skip);
        run.truncate(count * self.size);
        run
    }
}

/// The bytes of a number; of an integer type, truncated toward zero.
fn encode(dtype: DType, value: f64) -> Vec<u8> {
    match dtype {
        DType::U8 => vec![value as u8],
        DType::I8 => (value as i8).to_ne_bytes().to_vec(),
        DType::I16 => (value as i16).to_ne_bytes().to_vec(),
        DType::U16 => (value as u16).to_ne_bytes().to_vec(),
        DType::I32 => (value as i32).to_ne_bytes().to_vec(),
        DType::U32 => (value as u32).to_ne_bytes().to_vec(),
        DType::I64 => (value as i64).to_ne_bytes().to_vec(),
        DType::U64 => (value as u64).to_ne_bytes().to_vec(),
        DType::F16 => f16::from_f32(value as f32).to_ne_bytes().to_vec(),
        DType::BF16 => bf16::from_f32(value as f32).to_ne_bytes().to_vec(),
        DType::F32 => (value as f32).to_ne_bytes().to_vec(),
        DType::F64 => value.to_ne_bytes().to_vec(),
        DType::Bool => vec![u8::from(value != 0.0)],
    }
}

fn mix(seed: u64, rank: usize, i: usize) -> u64 {
    Random::new(seed ^ (rank as u64) << 32 ^ i as u64).draw()
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
