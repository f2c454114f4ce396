//! Reproducible sums against exact ones, in every order.

use ringwood_backend_cpu as _;
use ringwood_device::device::Device;
use ringwood_kernels::reproducible::{double, single};

/// Sums of doubles without any error: digits of 32 bits, the first one worth 2^-1074.
struct Exact([i64; 70]);

impl Exact {
    fn sum(values: impl IntoIterator<Item = f64>) -> Self {
        let mut digits = [0_i64; 70];
        for value in values {
            let exponent = (value.to_bits() >> 52 & 2047) as usize;
            let fraction = value.to_bits() & ((1 << 52) - 1);
            let (position, hidden) = if exponent == 0 { (0, 0) } else { (exponent - 1, 1 << 52) };
            let wide = u128::from(fraction | hidden) << (position % 32);
            for k in 0..3 {
                let digit = (wide >> (32 * k)) as u32;
                let signed = i64::from(digit) * if value.is_sign_negative() { -1 } else { 1 };
                digits[position / 32 + k] += signed;
            }
        }
        Self(digits)
    }

    /// The magnitude, rounded.
    fn magnitude(&self) -> f64 {
        let carried = |sign: i64| {
            let mut digits = self.0.map(|digit| sign * digit);
            for k in 0..69 {
                digits[k + 1] += digits[k] >> 32;
                digits[k] &= 0xffff_ffff;
            }
            digits
        };
        let digits = if carried(1)[69] < 0 { carried(-1) } else { carried(1) };
        let worth = |k: usize| 2_f64.powi(32 * k as i32 - 537) * 2_f64.powi(-537);
        let parts = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        parts.map(|(k, digit)| *digit as f64 * worth(k)).sum()
    }
}

/// xorshift64 (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}

/// A floating-point type with its kernels.
trait Float: Copy + Into<f64> + std::fmt::Debug {
    /// The relative error of one value's share, and that of the last rounding.
    const SHARE: f64;
    const ROUNDING: f64;
    const SMALLEST: f64;
    const LARGEST: f64;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
    fn random(random: &mut Random, spread: u64) -> Self;
    fn encode(values: &[Self]) -> Vec<u64>;
    fn merge(x: &[u64], y: &[u64]) -> Vec<u64>;
    fn decode(accumulators: &[u64]) -> Vec<Self>;
}

macro_rules! float {
    ($ty:ident, $bits:ident, $words:expr, $share:expr, $module:ident,
     $encode:ident, $merge:ident, $decode:ident) => {
        impl Float for $ty {
            const SHARE: f64 = $share;
            const ROUNDING: f64 = $ty::EPSILON as f64 / 2.0;
            const SMALLEST: f64 = $ty::from_bits(1) as f64;
            const LARGEST: f64 = $ty::MAX as f64;
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn of_bits(bits: u64) -> Self {
                $ty::from_bits(bits as $bits)
            }
            fn random(random: &mut Random, spread: u64) -> Self {
                let exponent = (random.next() % (2 * spread)) as i32 - spread as i32;
                let value = (random.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
                (value * 2_f64.powi(exponent)) as $ty
            }
            fn encode(values: &[Self]) -> Vec<u64> {
                let device = Device::named("cpu:0").unwrap();
                let bits: Vec<$bits> = values.iter().map(|v| v.to_bits()).collect();
                let mut y = device.tensor(&vec![0_u64; $words * values.len()]).unwrap();
                $module::$encode(&device.tensor(&bits).unwrap(), &mut y).unwrap();
                y.to_vec().unwrap()
            }
            fn merge(x: &[u64], y: &[u64]) -> Vec<u64> {
                let device = Device::named("cpu:0").unwrap();
                let mut y = device.tensor(y).unwrap();
                $module::$merge(&device.tensor(x).unwrap(), &mut y).unwrap();
                y.to_vec().unwrap()
            }
            fn decode(accumulators: &[u64]) -> Vec<Self> {
                let device = Device::named("cpu:0").unwrap();
                let mut y = device.tensor(&vec![0 as $ty; accumulators.len() / $words]).unwrap();
                $module::$decode(&device.tensor(accumulators).unwrap(), &mut y).unwrap();
                y.to_vec().unwrap()
            }
        }
    };
}

float!(
    f32,
    u32,
    2,
    1.0 / (1_u64 << 36) as f64,
    single,
    reproducible_encode_f32,
    reproducible_merge_f32,
    reproducible_decode_f32
);
float!(
    f64,
    u64,
    4,
    1.0 / (1_u128 << 80) as f64,
    double,
    reproducible_encode_f64,
    reproducible_merge_f64,
    reproducible_decode_f64
);

/// Merges the rows of `columns` values in a random tree; many sums at once, one for each column.
fn tree<T: Float>(rows: &[Vec<T>], random: &mut Random) -> Vec<u64> {
    let mut parts: Vec<Vec<u64>> = rows.iter().map(|row| T::encode(row)).collect();
    random.shuffle(&mut parts);
    while parts.len() > 1 {
        let part = parts.swap_remove((random.next() % parts.len() as u64) as usize);
        let into = (random.next() % parts.len() as u64) as usize;
        parts[into] = T::merge(&part, &parts[into]);
    }
    parts.remove(0)
}

fn sums<T: Float>(columns: &[Vec<f64>]) -> Vec<T> {
    let to = |value: f64| {
        let bits =
            if size_of::<T>() == 4 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        T::of_bits(bits)
    };
    let rows: Vec<Vec<T>> =
        (0..columns[0].len()).map(|r| columns.iter().map(|c| to(c[r])).collect()).collect();
    T::decode(&tree(&rows, &mut Random(7)))
}

fn identity<T: Float>(bits: impl Iterator<Item = u64>) {
    let values: Vec<T> = bits.map(T::of_bits).collect();
    let back = T::decode(&T::encode(&values));
    for (value, back) in values.iter().zip(back) {
        let nan = (*value).into().is_nan() && back.into().is_nan();
        assert!(nan || value.bits() == back.bits(), "{value:?} became {back:?}");
    }
}

#[test]
fn a_sum_of_one_value_is_the_value() {
    let edges = |top: u64| (0..200).flat_map(move |k| [k, top - k, top / 2 + k, top / 2 - k]);
    identity::<f32>((0..1 << 32).step_by(65_521).chain(edges(u32::MAX.into())));
    let spread = (0..60_000_u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    identity::<f64>(spread.chain(edges(u64::MAX)));
}

fn every_order<T: Float>(spread: u64) {
    let mut random = Random(0x1234_5678_9abc_def1 ^ spread);
    for n in [2, 3, 5, 8, 16, 33] {
        let row = |random: &mut Random| (0..64).map(|_| T::random(random, spread)).collect();
        let rows: Vec<Vec<T>> = (0..n).map(|_| row(&mut random)).collect();
        let first = tree(&rows, &mut random);
        for _ in 0..4 {
            assert_eq!(tree(&rows, &mut random), first, "{n} values over 2^{spread}");
        }
        for (c, sum) in T::decode(&first).into_iter().enumerate() {
            let column = rows.iter().map(|row| row[c].into());
            let largest = column.clone().fold(0.0, |m: f64, v: f64| m.max(v.abs()));
            let exact = Exact::sum(column.clone()).magnitude();
            let error = Exact::sum(column.chain([-sum.into()])).magnitude();
            let bound = f64::from(n) * T::SHARE * largest + T::ROUNDING * exact + T::SMALLEST / 2.0;
            assert!(error <= bound * 1.001, "{n} values over 2^{spread}: {error} > {bound}");
        }
    }
}

#[test]
fn every_order_gives_the_same_bits_within_the_bound() {
    for spread in [1, 10, 40, 100] {
        every_order::<f32>(spread);
    }
    for spread in [1, 30, 200, 900] {
        every_order::<f64>(spread);
    }
}

#[test]
fn what_the_bins_hold_is_summed_exactly_and_rounded_once() {
    // Half of a unit in the last place, and the least bit above and below that.
    let unit = f64::from(f32::EPSILON);
    let columns = vec![
        vec![1.0, unit / 2.0, 0.0],
        vec![1.0, unit / 2.0, unit / 32768.0],
        vec![1.0, unit / 2.0, -unit / 32768.0],
        vec![1.0 + unit, unit / 2.0, 0.0],
        vec![1e8, 1.0, -1e8],
        vec![f64::from(f32::MAX), f64::from(f32::MAX), -f64::from(f32::MAX)],
    ];
    let want = [1.0, 1.0 + f32::EPSILON, 1.0, 1.0 + 2.0 * f32::EPSILON, 1.0, f32::MAX];
    assert_eq!(sums::<f32>(&columns), want);
    let unit = f64::EPSILON;
    let columns = vec![
        vec![1.0, unit / 2.0, 0.0],
        vec![1.0, unit / 2.0, unit * unit / 4.0],
        vec![1e20, 1.0, -1e20],
        vec![f64::MAX, f64::MAX, -f64::MAX],
    ];
    assert_eq!(sums::<f64>(&columns), [1.0, 1.0 + unit, 1.0, f64::MAX]);
}

fn special<T: Float>() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let (tiny, huge) = (T::SMALLEST, T::LARGEST);
    let columns = vec![
        vec![1.0, inf, -2.0],
        vec![-inf, 1.0, -inf],
        vec![inf, -inf, 1.0],
        vec![nan, 1.0, inf],
        vec![-0.0, -0.0, -0.0],
        vec![-0.0, 0.0, -0.0],
        vec![1.5, -1.5, -0.0],
        vec![huge, -huge, 0.0],
        vec![tiny, tiny, tiny],
        vec![-tiny, tiny, -tiny],
        vec![huge, huge, 1.0],
        vec![-huge, -huge, -1.0],
        vec![huge, tiny, -huge],
    ];
    let sums: Vec<f64> = sums::<T>(&columns).into_iter().map(Into::into).collect();
    let want = [inf, -inf, nan, nan, -0.0, 0.0, 0.0, 0.0, 3.0 * tiny, -tiny, inf, -inf, 0.0];
    for (i, (sum, want)) in sums.into_iter().zip(want).enumerate() {
        let same = sum.to_bits() == want.to_bits() || sum.is_nan() && want.is_nan();
        assert!(same, "{:?}: {sum}, not {want}", columns[i]);
    }
}

#[test]
fn special_values_have_their_sums() {
    special::<f32>();
    special::<f64>();
}

#[test]
fn half_a_million_largest_values_do_not_wrap() {
    // Powers of two by merging an accumulator with itself.
    let mut accumulator = f32::encode(&[-f32::MAX, 1.75]);
    for _ in 0..19 {
        accumulator = f32::merge(&accumulator, &accumulator);
    }
    assert_eq!(f32::decode(&accumulator), [f32::NEG_INFINITY, 1.75 * (1 << 19) as f32]);
    let mut accumulator = f64::encode(&[-f64::MAX, 1.75]);
    for _ in 0..22 {
        accumulator = f64::merge(&accumulator, &accumulator);
    }
    assert_eq!(f64::decode(&accumulator), [f64::NEG_INFINITY, 1.75 * (1 << 22) as f64]);
}
