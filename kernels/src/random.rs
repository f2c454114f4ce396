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

use crate::views::integers;
use ringwood_base::{DType, Error, Result};
use ringwood_device::kernel;
use ringwood_graph::compose::{Call, select, v};
use ringwood_graph::graph::Value;
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
#[kernel(host, device = cpu)]
pub fn ranks(x: &[u64], y: &mut [i32]) {
    let mut order: Vec<_> = (0..x.len()).collect();
    order.sort_by_key(|&position| x[position]);
    order.into_iter().zip(0..).for_each(|(position, rank)| y[position] = rank);
}

/// Each work-item compares its element with all.
#[kernel(device = [opencl, cuda], implements = ranks)]
pub fn ranks_counted(x: &[u64], y: &mut [i32]) {
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

fn words(c: &mut Call<'_>, key: Value, purpose: u32, n: usize) -> Result<Value> {
    let counter = c.graph.constant(&[4], &[0, 0, 0, purpose])?;
    c.apply_with("philox", &[key, counter], [("n", n)])
}

/// So many tensors of words of the key, of a shape.
fn draw(c: &mut Call<'_>, key: Value, shape: &[i64], count: usize) -> Result<Vec<Value>> {
    let extents: Option<Vec<_>> = shape.iter().map(|&n| usize::try_from(n).ok()).collect();
    let wrong = || Error::shape(format!("a shape of random numbers is {shape:?}"));
    let extents = extents.ok_or_else(wrong)?;
    let all = extents.iter().try_fold(count, |all, n| all.checked_mul(*n)).ok_or_else(wrong)?;
    let (all, n) = (words(c, key, NUMBERS, all)?, all / count);
    let tensor = |i: usize| {
        let own = if count > 1 { c.slice(all, 0, i * n..(i + 1) * n, 1)? } else { all };
        c.reshape(own, &extents)
    };
    (0..count).map(tensor).collect()
}

/// Two words as one.
fn pair(c: &mut Call<'_>, words: &[Value]) -> Result<Value> {
    let (high, low) = (c.cast(words[0], DType::U64)?, c.cast(words[1], DType::U64)?);
    c.eval(v(high).with("shift_left", 32.0).with("bit_or", low))
}

/// So many tensors of random bits, and their width: 32 for numbers of type `f32`, 64 for `f64`. The operator has a key, and
/// attributes `shape` and `dtype`.
fn draw_for(c: &mut Call<'_>, count: usize) -> Result<(Vec<Value>, i32, DType)> {
    let ([key], shape) = (c.exactly()?, c.value::<Vec<i64>>("shape")?);
    let dtype: DType = c.value("dtype")?;
    match dtype {
        DType::F32 => Ok((draw(c, key, &shape, count)?, 32, dtype)),
        DType::F64 => {
            let words = draw(c, key, &shape, 2 * count)?;
            let pairs = words.chunks(2).map(|words| pair(c, words)).collect::<Result<_>>()?;
            Ok((pairs, 64, dtype))
        }
        _ => Err(Error::dtype(format!("random numbers are drawn as f32 or f64, not as {dtype}"))
            .help("cast them: to_f16, to_bf16")),
    }
}

register_operator! {
    /// `n` keys of one, `[n, 2]`, which is not used again.
    pub KeySplit = "key_split";
    decompose: |c| {
        let ([key], n) = (c.exactly()?, c.value::<usize>("n")?);
        let words = words(c, key, SPLIT, n.saturating_mul(2))?;
        Ok(vec![c.reshape(words, &[n, 2])?])
    },
    attributes: { n: usize },
}

register_operator! {
    /// The key that a key and an integer make: for each step of a training, say. Different integers of 64 bits make
    /// different keys, but for coincidences.
    pub KeyFold = "key_fold";
    decompose: |c| {
        let [key, integer] = c.exactly()?;
        let ty = c.type_of(integer)?;
        if ty.dtype.is_float() || ty.dtype == DType::Bool || ty.shape.elements() != 1 {
            return Err(Error::invalid(format!("a key is folded with one integer, not with {ty}")));
        }
        let wide = c.apply("to_i64", &[integer])?;
        let (wide, places) = (c.reshape(wide, &[1])?, c.graph.constant(&[2], &[0_i64, 32])?);
        let halves = c.apply("shift_right", &[wide, places])?;
        let halves = c.cast(halves, DType::U32)?;
        let rest = c.graph.constant(&[2], &[0, FOLD])?;
        let counter = c.concat(&[halves, rest], 0)?;
        c.apply_all("philox", &[key, counter], [("n", 2_usize)])
    },
}

register_operator! {
    /// Random words of type `u32`.
    pub RandomBits = "random_bits";
    decompose: |c| {
        let ([key], shape) = (c.exactly()?, c.value::<Vec<i64>>("shape")?);
        draw(c, key, &shape, 1)
    },
    attributes: { shape: [i64] },
}

register_operator! {
    /// Random numbers of type `f32` or `f64`, from 0 to before 1: multiples of 2^-24 or 2^-53, equally likely.
    pub RandomUniform = "random_uniform";
    decompose: |c| {
        let (bits, width, dtype) = draw_for(c, 1)?;
        let (kept, lost) = if width == 32 { (24, 8.0) } else { (53, 11.0) };
        let bits = c.eval(v(bits[0]).with("shift_right", lost))?;
        let value = c.cast(bits, dtype)?;
        Ok(vec![c.eval(v(value) * 0.5_f32.powi(kept))?])
    },
    attributes: { shape: [i64], dtype: dtype },
}

register_operator! {
    /// Random numbers of type `f32` or `f64` of the standard normal distribution, by the method of Box and Muller:
    /// `sqrt(-2 ln u) cos(2π v)`. None is beyond 6.7 or 9.5.
    pub RandomNormal = "random_normal";
    decompose: |c| {
        let (bits, width, dtype) = draw_for(c, 2)?;
        let (size, angle) = (c.cast(bits[0], dtype)?, c.cast(bits[1], dtype)?);
        let turn = c.number(dtype, TAU * 0.5_f64.powi(width))?;
        // From 2^-32 or 2^-64 to 1: the logarithm of 0 would be infinite.
        let size = ((v(size) + 1.0) * 0.5_f32.powi(width)).of("ln") * -2.0;
        Ok(vec![c.eval(size.of("sqrt") * (v(angle) * turn).of("cos"))?])
    },
    attributes: { shape: [i64], dtype: dtype },
}

register_operator! {
    /// Random integers of type `i32` or `i64` from `low` to before `high`, at most 2^32 of them: the upper half of 64
    /// random bits times their number. One is at most 1 + 2^-32 times as likely as another.
    pub RandomIntegers = "random_integers";
    decompose: |c| {
        let ([key], shape) = (c.exactly()?, c.value::<Vec<i64>>("shape")?);
        let (dtype, low, high): (DType, i64, i64) = (c.value("dtype")?, c.value("low")?, c.value("high")?);
        let count = u64::try_from(i128::from(high) - i128::from(low)).unwrap_or(0);
        let fits = match dtype {
            DType::I32 => i32::try_from(low).is_ok() && i32::try_from(high.saturating_sub(1)).is_ok(),
            dtype => dtype == DType::I64,
        };
        if !(1..=1 << 32).contains(&count) || !fits {
            return Err(Error::invalid(format!(
                "random integers from {low} to before {high}, of type {dtype}: there are 1 to 2^32 of them, \
                 of type i32 or i64, which holds them"
            )));
        }
        let words = draw(c, key, &shape, 2)?;
        let (upper, lower) = (c.cast(words[0], DType::U64)?, c.cast(words[1], DType::U64)?);
        let count = c.graph.constant(&[], &[count])?;
        let carried = (v(lower) * count).with("shift_right", 32.0);
        let value = c.eval((v(upper) * count + carried).with("shift_right", 32.0))?;
        let (value, low) = (c.cast(value, DType::I64)?, c.graph.constant(&[], &[low])?);
        let value = c.apply("add", &[value, low])?;
        Ok(vec![c.cast(value, dtype)?])
    },
    attributes: { shape: [i64], low: i64, high: i64, dtype: dtype },
}

register_operator! {
    /// The integers from 0 to before `n` in a random order, of type `i32`: the ranks of random words of 64 bits, which
    /// the processor sorts; other devices compare each with all, `n²` times.
    pub Permutation = "permutation";
    decompose: |c| {
        let ([key], n) = (c.exactly()?, c.value::<usize>("n")?);
        if i32::try_from(n).is_err() {
            return Err(Error::invalid(format!("a permutation of {n}, which `i32` does not hold")));
        }
        let words = draw(c, key, &[n as i64], 2)?;
        let bits = pair(c, &words)?;
        Ok(vec![c.apply("ranks", &[bits])?])
    },
    attributes: { n: usize },
}

register_operator! {
    /// A tensor, and a key: each element is 0 with the probability `rate`, of which the nearest multiple of 2^-32 is
    /// taken; the others are divided by `1 - rate`.
    pub Dropout = "dropout";
    decompose: |c| {
        let ([x, key], rate) = (c.exactly()?, f64::from(c.value::<f32>("rate")?));
        if !(0.0..1.0).contains(&rate) {
            return Err(Error::invalid(format!("`rate` is {rate}, not from 0 to before 1")));
        }
        let ty = c.type_of(x)?;
        if !ty.dtype.is_float() {
            return Err(Error::dtype(format!("takes floats, not {}", ty.dtype)));
        }
        let factor = c.number(ty.dtype, 1.0 / (1.0 - rate))?;
        let bits = draw(c, key, &integers(&ty.shape), 1)?[0];
        let bound = c.graph.constant(&[], &[(rate * 2_f64.powi(32)).round() as u32])?;
        Ok(vec![c.eval(select(v(bits).with("greater_equal", bound), v(x) * factor, 0.0))?])
    },
    attributes: { rate: f32 },
}
