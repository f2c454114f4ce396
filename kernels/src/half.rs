//! Conversions between `f32` and the 16-bit types: `f16`, IEEE 754 half precision, and `bf16`, the
//! upper half of an `f32`.
//!
//! Kernels work on bits: 16-bit elements come two to a `u32`, the first one in the lower half, and
//! an `f32` is passed as its `u32`. After an odd number of elements the last upper half is 0.
//! Widening is exact; narrowing rounds to nearest, ties to even. A NaN stays one.

use ringwood_device::kernel;

/// `bf16` to `f32`.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn widen_bf16(x: &[u32], y: &mut [u32]) {
    let i = gid(0);
    let word = x[i / 2];
    y[i] = if i % 2 == 0 { word << 16 } else { word & 0xffff_0000 };
}

/// `f32` to `bf16`.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn narrow_bf16(x: &[u32], y: &mut [u32]) {
    let i = gid(0);
    let mut word = 0_u32;
    for k in 0..2 {
        if 2 * i + k < x.len() {
            let bits = x[2 * i + k];
            let mut narrow = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
            if bits & 0x7fff_ffff > 0x7f80_0000 {
                narrow = bits >> 16 | 64;
            }
            word |= narrow << (16 * k);
        }
    }
    y[i] = word;
}

/// `f16` to `f32`.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn widen_f16(x: &[u32], y: &mut [u32]) {
    let i = gid(0);
    let bits = x[i / 2] >> (16 * (i % 2)) & 0xffff;
    let exponent = bits >> 10 & 31;
    let mut mantissa = bits & 1023;
    let mut wide = (exponent + 112) << 23 | mantissa << 13;
    if exponent == 31 {
        wide = 0x7f80_0000 | mantissa << 13;
    }
    if exponent == 0 {
        // A subnormal number has its leading bit at the left, at last.
        let mut shift = 0_u32;
        while mantissa != 0 && mantissa < 1024 {
            mantissa = mantissa << 1;
            shift += 1;
        }
        wide = if mantissa == 0 { 0 } else { (113 - shift) << 23 | (mantissa & 1023) << 13 };
    }
    y[i] = (bits & 0x8000) << 16 | wide;
}

/// `f32` to `f16`; what exceeds its range becomes an infinity.
#[kernel(domain = y.len(), device = [cpu, opencl, cuda])]
pub fn narrow_f16(x: &[u32], y: &mut [u32]) {
    let i = gid(0);
    let mut word = 0_u32;
    for k in 0..2 {
        if 2 * i + k < x.len() {
            let bits = x[2 * i + k];
            let size = bits & 0x7fff_ffff;
            // A number below the normal ones counts units of 2^-24.
            let shift = (126 - (size >> 23).min(126)).min(31).max(1);
            let mantissa = size & 0x7f_ffff | 0x80_0000;
            let rest = mantissa & ((1_u32 << shift) - 1);
            let half = 1_u32 << (shift - 1);
            let mut narrow = mantissa >> shift;
            if rest > half || rest == half && narrow & 1 == 1 {
                narrow += 1;
            }
            if size >= 0x3880_0000 {
                let based = size - 0x3800_0000;
                narrow = ((based + 0xfff + (based >> 13 & 1)) >> 13).min(0x7c00);
            }
            if size > 0x7f80_0000 {
                narrow = 0x7e00 | size >> 13 & 1023;
            }
            word |= (bits >> 16 & 0x8000 | narrow) << (16 * k);
        }
    }
    y[i] = word;
}
