//! Binned accumulators of `f64`.
//!
//! Bit `k` of the number line is worth 2^(k - 1074); bin `j` has the bits from `40 j` on. An
//! accumulator of highest bin `j` is four words: facts, and the sums in bins `j`, `j - 1` and
//! `j - 2`. The facts are `j` (8 bits), then whether there was a NaN, a positive infinity, a negative
//! infinity, and a value that is not −0.

use ringwood_core::kernel;

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
    let mut high = m >> (80 - shift);
    let mut middle = (m >> (40 - shift.min(40))) & 0xff_ffff_ffff;
    let mut low = (m << shift) & 0xff_ffff_ffff;
    if shift >= 40 {
        middle = (m << (shift - 40)) & 0xff_ffff_ffff;
        low = 0;
    }
    if bits >> 63 == 1 {
        high = 0 - high;
        middle = 0 - middle;
        low = 0 - low;
    }
    y[4 * i] = facts | bin;
    y[4 * i + 1] = high;
    y[4 * i + 2] = middle;
    y[4 * i + 3] = low;
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
pub fn reproducible_decode_f64(x: &[u64], y: &mut [u64]) {
    let i = gid(0);
    let facts = x[4 * i];
    let mask = 0xff_ffff_ffff_u64;
    // The carries, then the digits of the magnitude.
    let middle_sum = x[4 * i + 2] + (((x[4 * i + 3] as i64) >> 40) as u64);
    let mut high = x[4 * i + 1] as i64 + ((middle_sum as i64) >> 40);
    let mut middle = middle_sum & mask;
    let mut low = x[4 * i + 3] & mask;
    let mut sign = if facts & 2048 == 0 { 1_u64 << 63 } else { 0 };
    if high < 0 {
        sign = 1 << 63;
        let borrow = if low > 0 { 1_u64 } else { 0 };
        low = (0 - low) & mask;
        high = if middle + borrow > 0 { -high - 1 } else { -high };
        middle = (0 - middle - borrow) & mask;
    }
    // The position of the leading bit, from the lowest bit of the lowest bin on.
    let mut rest = if high > 0 {
        high as u64
    } else if middle > 0 {
        middle
    } else {
        low
    };
    let mut leading = if high > 0 {
        80_i64
    } else if middle > 0 {
        40
    } else {
        0
    };
    for step in 0..6 {
        let width = 32_i64 >> step;
        if rest >> width != 0 {
            rest = rest >> width;
            leading += width;
        }
    }
    let origin = ((facts & 255) as i64 - 2) * 40;
    let unit = (leading + origin - 52).max(0);
    // What is kept, the first bit that is dropped, and whether a lower one is set.
    let mut kept = 0_u64;
    let mut half = 0_u64;
    let mut below = 0_u64;
    for digit in 0..3 {
        let value = if digit == 0 {
            low
        } else if digit == 1 {
            middle
        } else {
            high as u64
        };
        let cut = unit - origin - digit as i64 * 40;
        kept |= if cut > 63 {
            0
        } else if cut > 0 {
            value >> cut
        } else {
            value << -cut
        };
        if cut > 0 {
            half |= if cut > 64 { 0 } else { value >> (cut - 1) & 1 };
            below |= if cut > 64 { value } else { value & ((1_u64 << (cut - 1)) - 1) };
        }
    }
    if half == 1 && (below != 0 || kept & 1 == 1) {
        kept += 1;
    }
    let bits = if rest == 0 { 0 } else { ((unit as u64) << 52) + kept };
    let mut result = sign | bits.min(0x7ff0_0000_0000_0000);
    if facts & 1536 != 0 {
        result = if facts & 512 != 0 { 0x7ff0_0000_0000_0000 } else { 0xfff0_0000_0000_0000 };
    }
    if facts & 256 != 0 || facts & 1536 == 1536 {
        result = 0x7ff8_0000_0000_0000;
    }
    y[i] = result;
}
