//! Random numbers that follow from a key: the same bits on every device, whatever the number of threads.
//!
//! A key is two `u32`, as `[7, 0]` for a seed of 7. There is no hidden state: the same operator with the same key,
//! attributes and shapes gives the same numbers, and numbers of different operators with one key are related. So a
//! key is used once, or given to [`KeySplit`] or [`KeyFold`], which make others of it.
//!
//! | operator | JAX |
//! |---|---|
//! | `key_split key_fold` | `split fold_in` |
//! | `random_bits random_uniform random_normal random_integers` | `bits uniform normal randint` |
//! | `permutation` | `permutation(key, n)` |
//! | `dropout` | `where(bernoulli(key, 1 - rate), x / (1 - rate), 0)` |
//!
//! Words come from Philox4x32-10, which makes 4 words of a counter of 128 bits and a key: Salmon, Moraes, Dror and Shaw,
//! "Parallel random numbers: as easy as 1, 2, 3", 2011. Block `i` of an operator has the counter
//! `[i low, i high, 0, purpose]`, so a key yields 2^66 words before the first of them comes again; splits and folds
//! have purposes of their own.

use crate::shapes::exactly;
use crate::views::attribute;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::kernel;
use ringwood_graph::graph::{Attributes, Graph, Value};
use ringwood_graph::register_operator;
use std::f64::consts::TAU;

/// Words of the blocks from a counter on, four to a block, whose first two words count them.
#[kernel(device = [cpu, opencl, cuda], domain = y.len().div_ceil(4))]
pub fn philox(key: &[u32], counter: &[u32], y: &mut [u32]) {
    let block = (counter[0] as u64 | (counter[1] as u64) << 32) + gid(0) as u64;
    let mut a = block as u32;
    let mut b = (block >> 32) as u32;
    let mut c = counter[2];
    let mut d = counter[3];
    let mut k = key[0];
    let mut l = key[1];
    for _round in 0..10 {
        let left = a as u64 * 0xd251_1f53;
        let right = c as u64 * 0xcd9e_8d57;
        a = (right >> 32) as u32 ^ b ^ k;
        b = right as u32;
        c = (left >> 32) as u32 ^ d ^ l;
        d = left as u32;
        k += 0x9e37_79b9;
        l += 0xbb67_ae85;
    }
    let first = gid(0) * 4;
    if first < y.len() {
        y[first] = a;
    }
    if first + 1 < y.len() {
        y[first + 1] = b;
    }
    if first + 2 < y.len() {
        y[first + 2] = c;
    }
    if first + 3 < y.len() {
        y[first + 3] = d;
    }
}

register_operator! {
    /// The first `n` words of Philox4x32-10 with a key, from the block of a counter on.
    pub Philox = philox;
    shape: "2, 4 -> n",
    dtype: "u32, u32 -> u32",
    attributes: { n: usize },
}

/// How many elements come before each one if they are in order; equals keep theirs.
#[kernel(device = [cpu, opencl, cuda])]
pub fn ranks(x: &[u64], y: &mut [i32]) {
    let own = x[gid(0)];
    let mut before = 0_i32;
    for k in 0..x.len() {
        if x[k] < own || x[k] == own && k < gid(0) {
            before += 1;
        }
    }
    y[gid(0)] = before;
}

register_operator! {
    /// The position that each element has among all if they are in order; equals keep theirs.
    pub Ranks = ranks;
    shape: "n -> n",
    dtype: "u64 -> i32",
}

/// What words are for, so that no purpose has those of another.
const NUMBERS: u32 = 0;
const SPLIT: u32 = 1;
const FOLD: u32 = 2;

fn words(g: &mut Graph, key: Value, purpose: u32, n: usize) -> Result<Value> {
    let counter = g.constant(&[4], &[0, 0, 0, purpose])?;
    g.apply_with("ringwood::philox", &[key, counter], [("n", n)])
}

fn reshaped(g: &mut Graph, x: Value, shape: &[i64]) -> Result<Value> {
    g.apply_with("ringwood::reshape", &[x], [("shape", shape.to_vec())])
}

fn of(g: &mut Graph, operator: &str, operands: &[Value]) -> Result<Value> {
    g.apply(&format!("ringwood::{operator}"), operands)
}

/// A number of a float dtype, of rank 0.
fn number(g: &mut Graph, dtype: DType, value: f64) -> Result<Value> {
    match dtype {
        DType::F64 => g.constant(&[], &[value]),
        DType::F32 => g.constant(&[], &[value as f32]),
        DType::F16 => g.constant(&[], &[half::f16::from_f64(value)]),
        DType::BF16 => g.constant(&[], &[half::bf16::from_f64(value)]),
        _ => Err(Error::new(ErrorKind::DType, format!("takes floats, not {dtype}"))),
    }
}

/// So many tensors of words, of a shape.
fn draw(g: &mut Graph, key: Value, shape: &[i64], count: usize) -> Result<Vec<Value>> {
    let mut extents = shape.iter().map(|&n| usize::try_from(n).ok());
    let all = extents.try_fold(count, |all, n| all.checked_mul(n?)).ok_or_else(|| {
        let message = format!("a shape of random numbers is {shape:?}");
        Error::new(ErrorKind::Shape, message)
    })?;
    let (all, n) = (words(g, key, NUMBERS, all)?, all / count);
    let tensor = |i: usize| {
        let part = [("axis", 0), ("start", i * n), ("end", (i + 1) * n), ("step", 1)];
        let own = if count > 1 { g.apply_with("ringwood::slice", &[all], part)? } else { all };
        reshaped(g, own, shape)
    };
    (0..count).map(tensor).collect()
}

/// Two words as one.
fn pair(g: &mut Graph, words: &[Value]) -> Result<Value> {
    let (high, low) = (of(g, "to_u64", &words[..1])?, of(g, "to_u64", &words[1..])?);
    let places = g.constant(&[], &[32_u64])?;
    let high = of(g, "shift_left", &[high, places])?;
    of(g, "bit_or", &[high, low])
}

/// So many tensors of random bits, and their width: 32 for numbers of type `f32`, 64 for `f64`. The operator has a key, and
/// attributes `shape` and `dtype`.
fn draw_for(
    g: &mut Graph,
    operator: &str,
    operands: &[Value],
    attributes: &Attributes,
    count: usize,
) -> Result<(Vec<Value>, i32, DType)> {
    let [key] = exactly(operands)?;
    let shape: Vec<i64> = attributes.value(operator, "shape")?;
    let dtype: DType = attributes.value(operator, "dtype")?;
    match dtype {
        DType::F32 => Ok((draw(g, key, &shape, count)?, 32, dtype)),
        DType::F64 => {
            let words = draw(g, key, &shape, 2 * count)?;
            let pairs = words.chunks(2).map(|words| pair(g, words)).collect::<Result<_>>()?;
            Ok((pairs, 64, dtype))
        }
        _ => {
            let message = format!("random numbers are drawn as f32 or f64, not as {dtype}");
            Err(Error::new(ErrorKind::DType, message).help("cast them: to_f16, to_bf16"))
        }
    }
}

register_operator! {
    /// `n` keys of one, `[n, 2]`, which is not used again.
    pub KeySplit = "key_split";
    decompose: |g, operands, attributes| {
        let [key] = exactly(operands)?;
        let n: usize = attributes.value("key_split", "n")?;
        let words = words(g, key, SPLIT, n.saturating_mul(2))?;
        Ok(vec![reshaped(g, words, &[n as i64, 2])?])
    },
    attributes: { n: usize },
}

register_operator! {
    /// The key that a key and an integer make: for each step of a training, say. Different integers of 64 bits make
    /// different keys, but for coincidences.
    pub KeyFold = "key_fold";
    decompose: |g, operands, _| {
        let [key, integer] = exactly(operands)?;
        let ty = g.type_of(integer)?;
        if ty.dtype.is_float() || ty.dtype == DType::Bool || ty.shape.elements() != 1 {
            let message = format!("a key is folded with one integer, not with {ty}");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let wide = of(g, "to_i64", &[integer])?;
        let wide = reshaped(g, wide, &[1])?;
        let places = g.constant(&[2], &[0_i64, 32])?;
        let halves = of(g, "shift_right", &[wide, places])?;
        let halves = of(g, "to_u32", &[halves])?;
        let rest = g.constant(&[2], &[0, FOLD])?;
        let join = [("axis", 0_usize), ("s", 4)];
        let counter = g.apply_with("ringwood::join", &[halves, rest], join)?;
        g.apply_all("ringwood::philox", &[key, counter], [("n", 2_usize)])
    },
}

register_operator! {
    /// Random words of type `u32`.
    pub RandomBits = "random_bits";
    decompose: |g, operands, attributes| {
        let [key] = exactly(operands)?;
        let shape: Vec<i64> = attributes.value("random_bits", "shape")?;
        draw(g, key, &shape, 1)
    },
    attributes: { shape: [i64] },
}

register_operator! {
    /// Random numbers of type `f32` or `f64`, from 0 to before 1: multiples of 2^-24 or 2^-53, equally likely.
    pub RandomUniform = "random_uniform";
    decompose: |g, operands, attributes| {
        let (bits, width, dtype) = draw_for(g, "random_uniform", operands, attributes, 1)?;
        let (kept, lost) = match width {
            32 => (24, g.constant(&[], &[8_u32])?),
            _ => (53, g.constant(&[], &[11_u64])?),
        };
        let bits = of(g, "shift_right", &[bits[0], lost])?;
        let value = of(g, &format!("to_{dtype}"), &[bits])?;
        let unit = number(g, dtype, 0.5_f64.powi(kept))?;
        Ok(vec![of(g, "mul", &[value, unit])?])
    },
    attributes: { shape: [i64], dtype: dtype },
}

register_operator! {
    /// Random numbers of type `f32` or `f64` of the standard normal distribution, by the method of Box and Muller:
    /// `sqrt(-2 ln u) cos(2π v)`. None is beyond 6.7 or 9.5.
    pub RandomNormal = "random_normal";
    decompose: |g, operands, attributes| {
        let (bits, width, dtype) = draw_for(g, "random_normal", operands, attributes, 2)?;
        let [size, angle] = [0, 1].map(|i| of(g, &format!("to_{dtype}"), &[bits[i]]));
        let (one, unit) = (number(g, dtype, 1.0)?, number(g, dtype, 0.5_f64.powi(width))?);
        let (factor, turn) =
            (number(g, dtype, -2.0)?, number(g, dtype, TAU * 0.5_f64.powi(width))?);
        // From 2^-32 or 2^-64 to 1: the logarithm of 0 would be infinite.
        let size = of(g, "add", &[size?, one])?;
        let size = of(g, "mul", &[size, unit])?;
        let size = of(g, "ln", &[size])?;
        let size = of(g, "mul", &[size, factor])?;
        let size = of(g, "sqrt", &[size])?;
        let angle = of(g, "mul", &[angle?, turn])?;
        let cosine = of(g, "cos", &[angle])?;
        Ok(vec![of(g, "mul", &[size, cosine])?])
    },
    attributes: { shape: [i64], dtype: dtype },
}

register_operator! {
    /// Random integers of type `i32` or `i64` from `low` to before `high`, at most 2^32 of them: the upper half of 64
    /// random bits times their number. One is at most 1 + 2^-32 times as likely as another.
    pub RandomIntegers = "random_integers";
    decompose: |g, operands, attributes| {
        let [key] = exactly(operands)?;
        let shape: Vec<i64> = attributes.value("random_integers", "shape")?;
        let dtype: DType = attributes.value("random_integers", "dtype")?;
        let bound = |name| attributes.value::<i64>("random_integers", name);
        let (low, high) = (bound("low")?, bound("high")?);
        let count = u64::try_from(i128::from(high) - i128::from(low)).unwrap_or(0);
        let fits = match dtype {
            DType::I32 => i32::try_from(low).is_ok() && i32::try_from(high.saturating_sub(1)).is_ok(),
            dtype => dtype == DType::I64,
        };
        if !(1..=1 << 32).contains(&count) || !fits {
            let message = format!(
                "random integers from {low} to before {high}, of type {dtype}: there are 1 to 2^32 of them, \
                 of type i32 or i64, which holds them"
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let words = draw(g, key, &shape, 2)?;
        let (upper, lower) = (of(g, "to_u64", &words[..1])?, of(g, "to_u64", &words[1..])?);
        let (count, places) = (g.constant(&[], &[count])?, g.constant(&[], &[32_u64])?);
        let lower = of(g, "mul", &[lower, count])?;
        let carried = of(g, "shift_right", &[lower, places])?;
        let upper = of(g, "mul", &[upper, count])?;
        let sum = of(g, "add", &[upper, carried])?;
        let value = of(g, "shift_right", &[sum, places])?;
        let value = of(g, "to_i64", &[value])?;
        let low = g.constant(&[], &[low])?;
        let value = of(g, "add", &[value, low])?;
        Ok(vec![if dtype == DType::I64 { value } else { of(g, "to_i32", &[value])? }])
    },
    attributes: { shape: [i64], low: i64, high: i64, dtype: dtype },
}

register_operator! {
    /// The integers from 0 to before `n` in a random order, of type `i32`: the ranks of random words of 64 bits,
    /// each compared with all.
    pub Permutation = "permutation";
    decompose: |g, operands, attributes| {
        let [key] = exactly(operands)?;
        let n: usize = attributes.value("permutation", "n")?;
        if i32::try_from(n).is_err() {
            let message = format!("a permutation of {n}, which `i32` does not hold");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let words = draw(g, key, &[n as i64], 2)?;
        let bits = pair(g, &words)?;
        Ok(vec![of(g, "ranks", &[bits])?])
    },
    attributes: { n: usize },
}

register_operator! {
    /// A tensor, and a key: each element is 0 with the probability `rate`, of which the nearest multiple of 2^-32 is
    /// taken; the others are divided by `1 - rate`.
    pub Dropout = "dropout";
    decompose: |g, operands, attributes| {
        let [x, key] = exactly(operands)?;
        let rate = f64::from(attributes.value::<f32>("dropout", "rate")?);
        if !(0.0..1.0).contains(&rate) {
            let message = format!("`rate` is {rate}, not from 0 to before 1");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let ty = g.type_of(x)?;
        let (factor, zero) =
            (number(g, ty.dtype, 1.0 / (1.0 - rate))?, number(g, ty.dtype, 0.0)?);
        let shape = attribute(&ty.shape);
        let bits = draw(g, key, &shape, 1)?[0];
        let bound = g.constant(&[], &[(rate * 2_f64.powi(32)).round() as u32])?;
        let stays = of(g, "greater_equal", &[bits, bound])?;
        let scaled = of(g, "mul", &[x, factor])?;
        Ok(vec![of(g, "select", &[stays, scaled, zero])?])
    },
    attributes: { rate: f32 },
}
