//! Binned accumulators of `f32`.
//!
//! Bit `k` of the number line is worth 2^(k - 149); bin `j` has the bits from `36 j` on. An
//! accumulator of highest bin `j` is two words: the sum in bin `j`, above 8 bits of facts, and the
//! sum in bin `j - 1`. The facts are `j` (3 bits), then whether there was a NaN, a positive infinity,
//! a negative infinity, and a value that is not −0.

use ringwood_core::kernel;

/// The accumulators of single values.
#[kernel(domain = x.len(), device = [cpu, opencl, cuda])]
pub fn reproducible_encode_f32(x: &[u32], y: &mut [u64]) {
    let i = gid(0);
    let bits = x[i];
    let exponent = (bits >> 23) & 255;
    let mantissa = (bits & 0x7f_ffff) as u64;
    let mut facts = if bits == 0x8000_0000 { 0_u64 } else { 64 };
    let mut position = 0_u64;
    let mut m = mantissa;
    if exponent > 0 {
        position = exponent as u64 - 1;
        m = mantissa | 0x80_0000;
    }
    if exponent == 255 {
        facts = if mantissa != 0 {
            72
        } else if bits >> 31 == 0 {
            80
        } else {
            96
        };
        position = 0;
        m = 0;
    }
    let bin = (position + 23) / 36;
    let shift = position + 36 - bin * 36;
    let mut high = m >> (36 - shift.min(36));
    let mut low = (m << shift) & 0xf_ffff_ffff;
    if shift >= 36 {
        high = m << (shift - 36);
        low = 0;
    }
    if bits >> 31 == 1 {
        high = 0 - high;
        low = 0 - low;
    }
    y[2 * i] = (high << 8) | facts | bin;
    y[2 * i + 1] = low;
}

/// Merges the accumulators of `x` into those of `y`.
#[kernel(domain = y.len() / 2, device = [cpu, opencl, cuda])]
pub fn reproducible_merge_f32(x: &[u64], y: &mut [u64]) {
    let i = gid(0);
    let a = x[2 * i];
    let b = y[2 * i];
    let a_bin = a & 7;
    let b_bin = b & 7;
    let bin = a_bin.max(b_bin);
    let mut high = 0_i64;
    let mut low = 0_i64;
    if a_bin == bin {
        high = (a as i64) >> 8;
        low = x[2 * i + 1] as i64;
    } else if a_bin + 1 == bin {
        low = (a as i64) >> 8;
    }
    if b_bin == bin {
        high += (b as i64) >> 8;
        low += y[2 * i + 1] as i64;
    } else if b_bin + 1 == bin {
        low += (b as i64) >> 8;
    }
    y[2 * i] = ((high << 8) as u64) | ((a | b) & 0xf8) | bin;
    y[2 * i + 1] = low as u64;
}

/// The values of accumulators, rounded to nearest, ties to even.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn reproducible_decode_f32(x: &[u64], y: &mut [u32]) {
    let i = gid(0);
    let facts = x[2 * i] & 0xf8;
    let carry = (x[2 * i + 1] as i64) >> 36;
    let mut high = ((x[2 * i] as i64) >> 8) + carry;
    let mut low = x[2 * i + 1] & 0xf_ffff_ffff;
    let mut sign = if facts & 64 == 0 { 0x8000_0000_u32 } else { 0 };
    if high < 0 {
        sign = 0x8000_0000;
        high = -high;
        if low > 0 {
            high -= 1;
            low = 0x10_0000_0000 - low;
        }
    }
    let mut rest = if high > 0 { high as u64 } else { low };
    // The position of the leading bit, from the lowest bit of the lower bin on.
    let mut leading = if high > 0 { 36_i64 } else { 0 };
    for step in 0..6 {
        let width = 32_i64 >> step;
        if rest >> width != 0 {
            rest = rest >> width;
            leading += width;
        }
    }
    let origin = ((x[2 * i] & 7) as i64 - 1) * 36;
    let unit = (leading + origin - 23).max(0);
    // What is kept, the first bit that is dropped, and whether a lower one is set.
    let mut kept = 0_u64;
    let mut half = 0_u64;
    let mut below = 0_u64;
    for digit in 0..2 {
        let value = if digit == 0 { low } else { high as u64 };
        let cut = unit - origin - digit as i64 * 36;
        kept |= if cut > 0 { value >> cut } else { value << -cut };
        if cut > 0 {
            half |= value >> (cut - 1) & 1;
            below |= value & ((1_u64 << (cut - 1)) - 1);
        }
    }
    if half == 1 && (below != 0 || kept & 1 == 1) {
        kept += 1;
    }
    let bits = if rest == 0 { 0 } else { ((unit as u64) << 23) + kept };
    let mut result = sign | (bits.min(0x7f80_0000) as u32);
    if facts & 48 != 0 {
        result = if facts & 16 != 0 { 0x7f80_0000 } else { 0xff80_0000 };
    }
    if facts & 8 != 0 || facts & 48 == 48 {
        result = 0x7fc0_0000;
    }
    y[i] = result;
}
