//! `f32` elements as blocks of 8-bit integers with a common scale.
//!
//! A block has 32 elements in 36 bytes, as nine `u32`: the scale, then four elements to a word, the
//! first in the lowest byte, in two's complement. The scale is 2^(e - 6), where 2^e is the greatest
//! power of two that is at most the largest magnitude `m` of the block; word 0 is the exponent field
//! of an `f32` of that power, from 1 on. Elements are rounded to nearest, ties to even, and stay
//! within ±127, so each has an error of at most `m / 127`, or 2^-133 where `m` is below 2^-126. Zero
//! is +0. A block that holds a NaN or an infinity is NaN as a whole: word 0 is 255. Decoding is
//! exact, and encoding what was decoded gives the same values again.
//!
//! The elements of a block are those of the format MXINT8 of the OCP Microscaling Formats (MX)
//! specification 1.0.

use ringwood_device::kernel;

/// Encodes the bits of `f32` elements; those after the last one count as 0.
#[kernel(domain = y.len() / 9, device = [cpu, opencl, cuda])]
pub fn int8_encode(x: &[u32], y: &mut [u32]) {
    let block = gid(0);
    let mut largest = 0_u32;
    for k in 0..32 {
        if block * 32 + k < x.len() {
            largest = largest.max(x[block * 32 + k] & 0x7fff_ffff);
        }
    }
    let scale = (largest >> 23).max(1);
    for w in 0..9 {
        let mut word = scale;
        for k in 0..4 {
            let i = block * 32 + w * 4 - 4 + k;
            let bits = if w > 0 && i < x.len() { x[i] } else { 0 };
            let exponent = bits >> 23 & 255;
            let m = bits & 0x7f_ffff | (if exponent > 0 { 0x80_0000 } else { 0 });
            let drop = (17 + scale - exponent.max(1)).min(31);
            let rest = m & ((1_u32 << drop) - 1);
            let half = 1_u32 << (drop - 1);
            let up = rest > half || rest == half && m >> drop & 1 == 1;
            let size = ((m >> drop) + up as u32).min(127);
            let q = if bits >> 31 == 1 { 0 - size } else { size };
            if w > 0 {
                word = (if k == 0 { 0 } else { word }) | (q & 255) << (8 * k);
            }
        }
        y[block * 9 + w] = word;
    }
}

/// Adds the elements of encoded blocks to those of `y`.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn int8_add(x: &[u32], y: &mut [f32]) {
    let i = gid(0);
    let scale = x[i / 32 * 9];
    let word = x[i / 32 * 9 + 1 + i % 32 / 4];
    let q = (word << (24 - 8 * (i % 4))) as i32 >> 24;
    // The power of two in factors that floats hold; products of them are exact.
    let up = if scale > 133 { scale - 133 } else { 0 };
    let down = if scale < 133 { 133 - scale } else { 0 };
    let mut value = q as f32 * (1_u64 << (up / 2)) as f32 * (1_u64 << (up - up / 2)) as f32;
    value = value / (1_u64 << (down / 3)) as f32 / (1_u64 << (down / 3)) as f32;
    value = value / (1_u64 << (down - down / 3 * 2)) as f32;
    y[i] += if scale == 255 { f32::NAN } else { value };
}
