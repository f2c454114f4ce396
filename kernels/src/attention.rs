//! Attention: over all keys, along a recurrence, and what goes before it.

use crate::arrange::narrow;
use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, fits, select, unrolled, v};
use ringwood_graph::graph::Value;

composed! {
    /// Of queries, keys and values; a mask, past keys and values, and lengths of sequences may follow. ONNX's `Attention`.
    Attention "attention" {
        q_num_heads: i64, kv_num_heads: i64, scale: f32, softcap: f32, is_causal: bool, softmax_precision: dtype,
        qk_matmul_output_mode: i64, left_window_size: i64, right_window_size: i64
    } = attention;
    /// Products of queries and keys `[batch, heads, length, size]`, scaled; several heads in a row may share one of keys.
    AttentionScores "attention_scores" { scale: f32 } = |c| {
        let [q, k] = c.exactly()?;
        Ok(vec![scores(c, q, k)?])
    };
    /// Sums of values by shares `[batch, heads, length, keys]`; several heads in a row may share one of values.
    AttentionSums "attention_sums" = |c| {
        let [shares, values] = c.exactly()?;
        Ok(vec![product(c, shares, values)?])
    };
    /// Each channel convolved with its weights over the places up to each one. ONNX's `CausalConvWithState`.
    CausalConvolution "causal_convolution" { activation: str } = causal_convolution;
    /// A state of sums of products of keys and values, which each query reads, step by step. ONNX's `LinearAttention`.
    LinearAttention "linear_attention" {
        q_num_heads: i64, kv_num_heads: i64, scale: f32, update_rule: str
    } = linear_attention;
    /// Pairs of numbers turned by the angle of their position. ONNX's `RotaryEmbedding`.
    RotaryEmbedding "rotary_embedding" {
        num_heads: i64, rotary_embedding_dim: i64, interleaved: bool
    } = rotary_embedding;
}

/// `[batch, length, heads · size]` as `[batch, heads, length, size]`.
fn by_heads(c: &mut Call<'_>, x: Value, heads: usize) -> Result<Value> {
    let [batch, length, hidden] = c.extents(x)?;
    let x = c.reshape(x, &[batch, length, heads, hidden / heads.max(1)])?;
    c.permute(x, &[0, 2, 1, 3])
}

/// `[batch, heads, length, size]` as `[batch, length, heads · size]`.
fn by_positions(c: &mut Call<'_>, x: Value) -> Result<Value> {
    let [batch, heads, length, size] = c.extents(x)?;
    let x = c.permute(x, &[0, 2, 1, 3])?;
    c.reshape(x, &[batch, length, heads * size])
}

/// Products of the matrices of heads; several heads of `a` in a row meet one of `b`.
fn product(c: &mut Call<'_>, a: Value, b: Value) -> Result<Value> {
    let ([batch, heads, rows, size], [_, groups, _, columns]) = (c.extents(a)?, c.extents(b)?);
    let together = c.reshape(a, &[batch, groups, heads / groups.max(1) * rows, size])?;
    let y = c.apply("batched_matmul", &[together, b])?;
    c.reshape(y, &[batch, heads, rows, columns])
}

/// The products of queries and keys, scaled: by the root of the size of a head, unless `scale` is given.
fn scores(c: &mut Call<'_>, q: Value, k: Value) -> Result<Value> {
    let [_, _, _, size] = c.extents(q)?;
    let scale = c.attribute::<f32>("scale")?.map_or(1.0 / (size as f64).sqrt(), f64::from);
    let (q, k) = (c.eval(v(q) * scale)?, c.permute(k, &[0, 1, 3, 2])?);
    product(c, q, k)
}

fn attention(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (mut q, mut k, mut values) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let (own, flat) = (c.type_of(q)?.dtype, c.rank(q)? == 3);
    if flat {
        let (queries, keys) = (c.count("q_num_heads")?, c.count("kv_num_heads")?);
        (q, k, values) =
            (by_heads(c, q, queries)?, by_heads(c, k, keys)?, by_heads(c, values, keys)?);
    }
    let past = match (c.maybe(4), c.maybe(5)) {
        (Some(past_k), Some(past_v)) => {
            (k, values) = (c.concat(&[past_k, k], 2)?, c.concat(&[past_v, values], 2)?);
            c.extents::<4>(past_k)?[2]
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(Error::invalid("past keys and past values are given together"));
        }
        (None, None) => 0,
    };
    let (present_k, present_v) = (k, values);
    let wide = [own, c.or("softmax_precision", own)?].contains(&DType::F64);
    let dtype = if wide { DType::F64 } else { DType::F32 };
    (q, k, values) = (c.cast(q, dtype)?, c.cast(k, dtype)?, c.cast(values, dtype)?);
    let raw = scores(c, q, k)?;
    let cap = c.or("softcap", 0.0_f32)?;
    let capped = match cap > 0.0 {
        true => c.eval((v(raw) * (1.0 / f64::from(cap))).of("tanh") * cap)?,
        false => raw,
    };
    let biased = masked(c, capped, past)?;
    let shares = shares(c, biased, past)?;
    let mut y = product(c, shares, values)?;
    if flat {
        y = by_positions(c, y)?;
    }
    let steps = [raw, capped, biased, shares];
    let shown = steps.get(c.or("qk_matmul_output_mode", 0_i64)? as usize);
    let shown = shown.ok_or_else(|| Error::invalid("`qk_matmul_output_mode` is none of 0 to 3"))?;
    let (y, shown) = (c.cast(y, own)?, c.cast(*shown, own)?);
    Ok(vec![y, present_k, present_v, shown])
}

/// The softmax of scores; 0 for a query that sees no key.
fn shares(c: &mut Call<'_>, x: Value, past: usize) -> Result<Value> {
    let [_, _, rows, columns] = c.extents(x)?;
    let before = c.or("left_window_size", -1_i64)?;
    let beyond = before >= 0 && (rows + past) as i64 > before.saturating_add(columns as i64);
    let all_see = c.maybe(3).is_none() && c.maybe(6).is_none() && !beyond;
    if all_see || columns == 0 {
        return c.apply("softmax", &[x]);
    }
    // A NaN is the score of a key that is seen, and loses in `largest`.
    let numbers = c.eval(select(v(x).with("equal", x), x, 0.0))?;
    let top = c.apply_with("largest", &[numbers], [("axis", 3_usize)])?;
    let top = c.unsqueeze(top, -1)?;
    let is_blind = c.eval(v(top).with("equal", f32::NEG_INFINITY))?;
    // The softmax of −∞ alone is NaN, which its gradient would be, too.
    let x = c.eval(select(is_blind, 0.0, x))?;
    c.eval(select(is_blind, 0.0, v(x).of("softmax")))
}

/// Scores plus a mask, and −∞ where a query does not see a key.
fn masked(c: &mut Call<'_>, mut x: Value, past: usize) -> Result<Value> {
    let [_, _, _, columns] = c.extents(x)?;
    let never = f32::NEG_INFINITY;
    if let Some(mut mask) = c.maybe(3) {
        let ty = c.type_of(mask)?;
        let truths = ty.dtype == DType::Bool;
        let given = ty.shape.last().copied().unwrap_or(columns);
        if given < columns {
            let mut missing = ty.shape.to_vec();
            missing[ty.shape.len() - 1] = columns - given;
            let none = c.filled(mask, if truths { 0.0 } else { never }, &missing)?;
            mask = c.concat(&[mask, none], ty.shape.len() - 1)?;
        }
        x = match truths {
            true => c.eval(select(mask, x, never))?,
            false => c.eval(v(x) + v(mask).to(c.type_of(x)?.dtype))?,
        };
    }
    within(c, x, past)
}

/// Scores, and −∞ where a key is beyond the length of a sequence or outside of a query's window.
fn within(c: &mut Call<'_>, mut x: Value, past: usize) -> Result<Value> {
    let [_, _, rows, columns] = c.extents(x)?;
    let never = f32::NEG_INFINITY;
    let places = c.counted(&[columns])?;
    let lengths = match c.maybe(6) {
        Some(lengths) => {
            let [batch] = c.extents(lengths)?;
            Some(c.reshape(lengths, &[batch, 1, 1, 1])?)
        }
        None => None,
    };
    if let Some(lengths) = lengths {
        x = c.eval(select(v(places).with("less", lengths), x, never))?;
    }
    // How far a query sees, from its own place on; further than all keys are is no bound.
    let far = (rows + columns) as i64;
    let reach = |name| Ok(Some(c.or(name, -1_i64)?).filter(|n| *n >= 0).map(|n: i64| n.min(far)));
    let causal = c.flag("is_causal", false)?.then_some(0);
    let [after, before]: [Option<i64>; 2] =
        [reach("right_window_size")?, reach("left_window_size")?];
    let after = causal.or(after);
    if after.is_none() && before.is_none() {
        return Ok(x);
    }
    fits(rows, 1)?;
    let own: Vec<_> = (0..rows).map(|row| (row + past) as i64).collect();
    let mut own = c.graph.constant(&[rows, 1], &own)?;
    if let Some(lengths) = lengths.filter(|_| past == 0) {
        let rows = c.number(DType::I64, rows as f64)?;
        own = c.eval(v(own) + lengths - rows)?;
    }
    let ends = [(after, "less_equal"), (before.map(|before| -before), "greater_equal")];
    for (distance, seen) in ends {
        if let Some(distance) = distance {
            let distance = c.number(DType::I64, distance as f64)?;
            let end = c.eval(v(own) + distance)?;
            x = c.eval(select(v(places).with(seen, end), x, never))?;
        }
    }
    Ok(x)
}

/// Pairs of numbers turned by the angle of their position.
fn rotary_embedding(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let given = c.operand(0)?;
    let flat = c.rank(given)? == 3;
    let x = match flat {
        true => {
            let heads = c.count("num_heads")?;
            by_heads(c, given, heads)?
        }
        false => given,
    };
    let [batch, _, length, size] = c.extents(x)?;
    let turned = match c.or("rotary_embedding_dim", 0_i64)? {
        0 => size,
        turned => (turned.max(0) as usize).min(size),
    };
    if turned % 2 != 0 {
        return Err(Error::invalid(format!("{turned} numbers of a head are not turned in pairs")));
    }
    let half = turned / 2;
    let mut angles = [x; 2];
    for (i, angle) in angles.iter_mut().enumerate() {
        let mut cache = c.operand(i + 1)?;
        if let Some(positions) = c.maybe(3) {
            let [known, _] = c.extents(cache)?;
            let positions = narrow(c, positions, known)?;
            cache = c.apply("gather", &[cache, positions])?;
        }
        *angle = c.reshape(cache, &[batch, 1, length, half])?;
    }
    let [cos, sin] = angles;
    let interleaved = c.flag("interleaved", false)?;
    let (second, end, step) = if interleaved { (1, turned, 2) } else { (half, turned, 1) };
    let first = c.slice(x, 3, 0..if interleaved { turned } else { half }, step)?;
    let second = c.slice(x, 3, second..end, step)?;
    let real = c.eval(v(cos) * first - v(sin) * second)?;
    let imaginary = c.eval(v(sin) * first + v(cos) * second)?;
    let mut y = match interleaved {
        true => {
            let (real, imaginary) = (c.unsqueeze(real, -1)?, c.unsqueeze(imaginary, -1)?);
            let pairs = c.concat(&[real, imaginary], 4)?;
            let shape = c.type_of(x)?.shape;
            c.reshape(pairs, &[shape[0], shape[1], length, turned])?
        }
        false => c.concat(&[real, imaginary], 3)?,
    };
    if turned < size {
        let rest = c.slice(x, 3, turned..size, 1)?;
        y = c.concat(&[y, rest], 3)?;
    }
    Ok(vec![if flat { by_positions(c, y)? } else { y }])
}

/// A state of sums of products of keys and values, which each query reads; step by step.
fn linear_attention(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (queries, keys) = (c.count("q_num_heads")?, c.count("kv_num_heads")?);
    let (q, k, values) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let own = c.type_of(q)?.dtype;
    let mut split = |x, heads| {
        let x = c.cast(x, DType::F32)?;
        by_heads(c, x, heads)
    };
    let (q, k, values) = (split(q, queries)?, split(k, keys)?, split(values, keys)?);
    let ([batch, _, length, size], [_, _, _, columns]) = (c.extents(q)?, c.extents(values)?);
    // Of each head or of each of its rows, and of each head or of all.
    let mut beside = [None; 2];
    for (i, value) in beside.iter_mut().enumerate() {
        if let Some(given) = c.maybe_as(4 + i, DType::F32)? {
            let [_, _, hidden] = c.extents(given)?;
            *value = Some(by_heads(c, given, keys.min(hidden))?);
        }
    }
    let [decay, beta] = beside;
    // Without a word for it, the operands say which rule it is.
    if c.attribute::<String>("update_rule")?.is_some() {
        let rule = c.choice("update_rule", &["gated_delta", "gated", "delta", "linear"])?;
        if (decay.is_some(), beta.is_some()) != (rule.starts_with("gated"), rule.ends_with("delta"))
        {
            return Err(Error::invalid(format!(
                "`{rule}`: a decay goes with `gated` rules alone, and a beta with `delta` rules"
            )));
        }
    }
    let state_type = c.maybe(3).map(|state| c.type_of(state)).transpose()?;
    let state_type = state_type.map_or(own, |ty| ty.dtype);
    let mut state = match c.maybe_as(3, DType::F32)? {
        Some(state) => state,
        None => c.filled(q, 0.0, &[batch, keys, size, columns])?,
    };
    unrolled(length)?;
    let mut results = Vec::with_capacity(length);
    for step in 0..length {
        let at = |c: &mut Call<'_>, x: Value| c.slice(x, 2, step..step + 1, 1);
        let (now, key, mut value) = (at(c, q)?, at(c, k)?, at(c, values)?);
        if let Some(decay) = decay {
            let decay = at(c, decay)?;
            let decay = c.permute(decay, &[0, 1, 3, 2])?;
            state = c.eval(v(state) * v(decay).of("exp"))?;
        }
        if let Some(beta) = beta {
            let beta = at(c, beta)?;
            value = c.eval((v(value) - v(key).with("batched_matmul", state)) * beta)?;
        }
        let column = c.permute(key, &[0, 1, 3, 2])?;
        state = c.eval(v(state) + v(column) * value)?;
        results.push(product(c, now, state)?);
    }
    let y = c.concat(&results, 2)?;
    let given = c.attribute::<f32>("scale")?.filter(|&scale| scale != 0.0);
    let scale = given.map_or(1.0 / (size as f64).sqrt(), f64::from);
    let y = c.eval(v(y) * scale)?;
    let y = by_positions(c, y)?;
    Ok(vec![c.cast(y, own)?, c.cast(state, state_type)?])
}

/// Each channel convolved with its own weights over the places before and at each one.
fn causal_convolution(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, weights) = (c.operand(0)?, c.operand(1)?);
    let own = c.type_of(x)?.dtype;
    let ([batch, channels, length], [_, _, size]) = (c.extents(x)?, c.extents(weights)?);
    let more = size
        .checked_sub(1)
        .ok_or_else(|| Error::shape("a convolution with weights of no places"))?;
    unrolled(size)?;
    let before = match c.maybe(3) {
        Some(state) => {
            let (given, needed) = (c.extents(state)?, [batch, channels, more]);
            if given != needed {
                return Err(Error::shape(format!(
                    "a past of {given:?}, where {needed:?} is needed"
                )));
            }
            state
        }
        None => c.filled(x, 0.0, &[batch, channels, more])?,
    };
    let whole = c.concat(&[before, x], 2)?;
    let state = c.slice(whole, 2, length..length + more, 1)?;
    let (whole, weights) = (c.cast(whole, DType::F32)?, c.cast(weights, DType::F32)?);
    let weights = c.reshape(weights, &[channels, size])?;
    let mut y = match c.maybe_as(2, DType::F32)? {
        Some(bias) => c.reshape(bias, &[channels, 1])?,
        None => c.number(DType::F32, 0.0)?,
    };
    for place in 0..size {
        let part = c.slice(whole, 2, place..place + length, 1)?;
        let weight = c.slice(weights, 1, place..place + 1, 1)?;
        y = c.eval(v(y) + v(part) * weight)?;
    }
    if c.choice("activation", &["none", "silu", "swish"])? != "none" {
        y = c.apply("silu", &[y])?;
    }
    Ok(vec![c.cast(y, own)?, state])
}
