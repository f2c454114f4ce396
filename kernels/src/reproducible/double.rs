//! Binned accumulators of `f64`.
//!
//! Bit `k` of the number line is worth 2^(k - 1074); bin `j` has the bits from `40 j` on. An
//! accumulator of highest bin `j` is four words: facts, and the sums in bins `j`, `j - 1` and
//! `j - 2`. The facts are `j` (8 bits), then whether there was a NaN, a positive infinity, a negative
//! infinity, and a value that is not −0.

use ringwood_device::kernel;

/// The accumulators of single values.
#[kernel(domain = x.len(), device = [cpu, opencl, cuda])]
pub fn reproducible_encode_f64(x: &[u64], y: &mut [u64]) {
    let i = gid(0);
    let bits = x[i];
    let exponent = (bits >> 52) & 2047;
    let mantissa = bits & 0xf_ffff_ffff_ffff;
    let mut facts = if bits == 0x8000_0000_0000_0000 { 0_u64 } else { 2048 };
    let mut position = 0_u64;
    let mut m = mantissa;
    if exponent > 0 {
        position = exponent - 1;
        m = mantissa | 0x10_0000_0000_0000;
    }
    if exponent == 2047 {
        facts = if mantissa != 0 {
            2304
        } else if bits >> 63 == 0 {
            2560
        } else {
            3072
        };
        position = 0;
        m = 0;
    }
    let bin = (position + 52) / 40;
    let shift = position + 80 - bin * 40;
    let high = m >> (80 - shift);
    let mut middle = (m >> (40 - shift.min(40))) & 0xff_ffff_ffff;
    let mut low = (m << shift) & 0xff_ffff_ffff;
    if shift >= 40 {
        middle = (m << (shift - 40)) & 0xff_ffff_ffff;
        low = 0;
    }
    let sign = 1 - 2 * (bits >> 63);
    y[4 * i] = facts | bin;
    y[4 * i + 1] = high * sign;
    y[4 * i + 2] = middle * sign;
    y[4 * i + 3] = low * sign;
}

/// Merges the accumulators of `x` into those of `y`.
#[kernel(domain = y.len() / 4, device = [cpu, opencl, cuda])]
pub fn reproducible_merge_f64(x: &[u64], y: &mut [u64]) {
    let i = gid(0);
    let a = x[4 * i];
    let b = y[4 * i];
    let bin = (a & 255).max(b & 255);
    let mut high = 0_u64;
    let mut middle = 0_u64;
    let mut low = 0_u64;
    let mut down = bin - (a & 255);
    if down == 0 {
        high = x[4 * i + 1];
        middle = x[4 * i + 2];
        low = x[4 * i + 3];
    } else if down == 1 {
        middle = x[4 * i + 1];
        low = x[4 * i + 2];
    } else if down == 2 {
        low = x[4 * i + 1];
    }
    down = bin - (b & 255);
    if down == 0 {
        high += y[4 * i + 1];
        middle += y[4 * i + 2];
        low += y[4 * i + 3];
    } else if down == 1 {
        middle += y[4 * i + 1];
        low += y[4 * i + 2];
    } else if down == 2 {
        low += y[4 * i + 1];
    }
    y[4 * i] = ((a | b) & 0xf00) | bin;
    y[4 * i + 1] = high;
    y[4 * i + 2] = middle;
    y[4 * i + 3] = low;
}

/// The values of accumulators, rounded to nearest, ties to even.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn reproducible_decode_f64(x: &[u64], y: &mut [f64]) {
    let i = gid(0);
    let facts = x[4 * i];
    let mask = 0xff_ffff_ffff_u64;
    let carry = x[4 * i + 2] + (((x[4 * i + 3] as i64) >> 40) as u64);
    let sum = x[4 * i + 1] as i64 + ((carry as i64) >> 40);
    // The digits of the magnitude.
    let mut high = sum as u64;
    high = if sum < 0 { 0 - high } else { high };
    let mut middle = carry & mask;
    let mut low = x[4 * i + 3] & mask;
    if sum < 0 {
        let borrow = if low > 0 { 1_u64 } else { 0 };
        high -= if middle + borrow > 0 { 1 } else { 0 };
        middle = (0 - middle - borrow) & mask;
        low = (0 - low) & mask;
    }
    let mut exponent = (facts & 255) as i64 * 40 - 1074;
    while high >> 54 == 0 && (middle | low) != 0 {
        high = (high << 8) | (middle >> 32);
        middle = ((middle << 8) & mask) | (low >> 32);
        low = (low << 8) & mask;
        exponent -= 8;
    }
    // What is cut off is only whether there was any: the integer rounds to the same number.
    let mut value = (high | (middle | low != 0) as u64) as f64;
    while exponent != 0 {
        let part = exponent.max(-60).min(60);
        value *= (1_u64 << part.max(0)) as f64;
        value /= (1_u64 << (-part).max(0)) as f64;
        exponent -= part;
    }
    value = if sum < 0 || high == 0 && facts & 2048 == 0 { -value } else { value };
    if facts & 1536 != 0 {
        value = if facts & 512 != 0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    y[i] = if facts & 256 != 0 || facts & 1536 == 1536 { f64::NAN } else { value };
}
