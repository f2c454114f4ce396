//! Binned accumulators of `f32`.
//!
//! Bit `k` of the number line is worth 2^(k - 149); bin `j` has the bits from `36 j` on. An
//! accumulator of highest bin `j` is two words: the sum in bin `j`, above 8 bits of facts, and the
//! sum in bin `j - 1`. The facts are `j` (3 bits), then whether there was a NaN, a positive infinity,
//! a negative infinity, and a value that is not −0.

use ringwood_device::kernel;

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
    let sign = 1 - 2 * (bits >> 31) as u64;
    y[2 * i] = (high * sign << 8) | facts | bin;
    y[2 * i + 1] = low * sign;
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
pub fn reproducible_decode_f32(x: &[u64], y: &mut [f32]) {
    let i = gid(0);
    let facts = x[2 * i] & 0xf8;
    let carry = (x[2 * i + 1] as i64) >> 36;
    let sum = ((x[2 * i] as i64) >> 8) + carry;
    // The magnitude: `high` times 2^36, and `low`.
    let mut high = sum as u64;
    high = if sum < 0 { 0 - high } else { high };
    let mut low = x[2 * i + 1] & 0xf_ffff_ffff;
    if sum < 0 && low > 0 {
        high -= 1;
        low = 0x10_0000_0000 - low;
    }
    // One integer that rounds to the same number: what is cut off is only whether there was any.
    let mut exponent = ((x[2 * i] & 7) as i64 - 1) * 36 - 149;
    let mut all = (high << 36) | low;
    if high >> 27 != 0 {
        all = (high << 6) | (low >> 30) | (low & 0x3fff_ffff != 0) as u64;
        exponent += 30;
    }
    let mut value = all as f32;
    while exponent != 0 {
        let part = exponent.max(-60).min(60);
        value *= (1_u64 << part.max(0)) as f32;
        value /= (1_u64 << (-part).max(0)) as f32;
        exponent -= part;
    }
    value = if sum < 0 || all == 0 && facts & 64 == 0 { -value } else { value };
    if facts & 48 != 0 {
        value = if facts & 16 != 0 { f32::INFINITY } else { f32::NEG_INFINITY };
    }
    y[i] = if facts & 8 != 0 || facts & 48 == 48 { f32::NAN } else { value };
}
