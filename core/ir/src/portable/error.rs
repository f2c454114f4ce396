//! The error function.

use super::exponential::*;
use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// `erfc` for x from ¼ on: exp(−x²) p(t) / (1 + 2x), where t = (x − 4) / (x + 4) (Shepherd and
    /// Laframboise 1981).
    fn k_erfc_far_f32(x: f32) -> f32 {
        let a: f32 = k_pick(x > k_f32(0x41280000), k_f32(0x41280000), x);
        let t: f32 = k_div_f32(a - k_f32(0x40800000), a + k_f32(0x40800000));
        let g1: f32 = ((k_f32(0x39b5b73b) * t + k_f32(0x3bbdd2b8)) * t + k_f32(0xbc87b4b5)) * t + k_f32(0x3d16723c);
        let g2: f32 = ((g1 * t + k_f32(0xbd87cfeb)) * t + k_f32(0x3dc02222)) * t + k_f32(0xbdceeb6f);
        let g: f32 = ((g2 * t + k_f32(0x3d8b7352)) * t + k_f32(0x3c7bf9e1)) * t + k_f32(0xbe0ef8ce);
        let p: f32 = k_f32(0x3f9dd2c9) + t * g;
        let pl: f32 = (k_f32(0x3f9dd2c9) - p) + t * g + k_f32(0xb3116028);
        let d: f32 = k_f32(0x3f800000) + k_f32(0x40000000) * a;
        let q: f32 = k_div_f32(p, d);
        let ql: f32 = k_quotient_rest_f32(q, p, pl, d, (k_f32(0x3f800000) - d) + k_f32(0x40000000) * a);
        let z: f32 = a * a;
        let turn: f32 = k_turn_f32(-z);
        let n: f32 = turn - k_f32(0x4b400000);
        let h: f32 = k_exp_head_f32(-z, n);
        let hl: f32 = k_exp_rest_f32(-z, n, h) - k_product_rest_f32(a, a, z);
        let r: f32 = h + hl;
        let tail: f32 = k_exp_tail_f32(r, (h - r) + hl);
        let e: f32 = r + tail;
        let y: f32 = q + (ql + q * e);
        return k_scale_f32(y, bits_f32(turn) - bits_f32(k_f32(0x4b400000)));
    }

    /// `erf` for |x| up to 7/8.
    fn k_erf_near_f32(x: f32) -> f32 {
        let z: f32 = x * x;
        let p1: f32 = ((k_f32(0x38b632fa) * z + k_f32(0xba574e83)) * z + k_f32(0x3baa9df7)) * z + k_f32(0xbcdc0caf);
        let p: f32 = ((p1 * z + k_f32(0x3de7173b)) * z + k_f32(0xbec093a2)) * z + k_f32(0x3e0375d4);
        return x + x * p;
    }

    /// `erf`.
    fn k_erf_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let y: f32 = k_pick(a < k_f32(0x3f600000), k_erf_near_f32(a), k_f32(0x3f800000) - k_erfc_far_f32(a));
        return f32_of(bits_f32(y) | sign);
    }

    /// `erfc`.
    fn k_erfc_f32(x: f32) -> f32 {
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let far: f32 = k_erfc_far_f32(a);
        let y: f32 = k_pick(x < k_f32(0), k_f32(0x40000000) - far, far);
        return k_pick(a < k_f32(0x3e800000), k_f32(0x3f800000) - k_erf_near_f32(x), y);
    }

    /// `erfc` for x from ¼ on: exp(−x²) p(t) / (1 + 2x), where t = (x − 4) / (x + 4) (Shepherd and
    /// Laframboise 1981).
    fn k_erfc_far_f64(x: f64) -> f64 {
        let a: f64 = k_pick(x > k_f64(0x403b800000000000), k_f64(0x403b800000000000), x);
        let t: f64 = k_div_f64(a - k_f64(0x4010000000000000), a + k_f64(0x4010000000000000));
        let g1: f64 = ((k_f64(0x3e1aef3f5b2fc719) * t + k_f64(0x3e24d0a3f3313912)) * t + k_f64(0xbe4fdcb52004842c)) * t + k_f64(0xbe553b48d8675488);
        let g2: f64 = ((g1 * t + k_f64(0x3e7db83c6d42b1d8)) * t + k_f64(0x3e74b83971b6ec6d)) * t + k_f64(0xbeabb40d45563592);
        let g3: f64 = ((g2 * t + k_f64(0x3e93957bd5a8da7e)) * t + k_f64(0x3ed7f2ae5ae73812)) * t + k_f64(0xbee78844b437c130);
        let g4: f64 = ((g3 * t + k_f64(0xbef995963534baae)) * t + k_f64(0x3f23be03d4017b37)) * t + k_f64(0xbf2a1df250d7bd8c);
        let g5: f64 = ((g4 * t + k_f64(0xbf48d4a99f8b4e09)) * t + k_f64(0x3f749c6728670e95)) * t + k_f64(0xbf909623884f5925);
        let g6: f64 = ((g5 * t + k_f64(0x3fa3079edf67f0ac)) * t + k_f64(0xbfb0fb06dfe49ee8)) * t + k_f64(0x3fb7fee004e12885);
        let g7: f64 = ((g6 * t + k_f64(0xbfb9ddb23c3e906a)) * t + k_f64(0x3fb16ecefcfa536f)) * t + k_f64(0x3f8f7f5df66fd7b0);
        let g: f64 = g7 * t + k_f64(0xbfc1df1ad154a28e);
        let p: f64 = k_f64(0x3ff3ba5916e9fd7f) + t * g;
        let pl: f64 = (k_f64(0x3ff3ba5916e9fd7f) - p) + t * g + k_f64(0xbc8aa9c415679e6f);
        let d: f64 = k_f64(0x3ff0000000000000) + k_f64(0x4000000000000000) * a;
        let q: f64 = k_div_f64(p, d);
        let ql: f64 = k_quotient_rest_f64(q, p, pl, d, (k_f64(0x3ff0000000000000) - d) + k_f64(0x4000000000000000) * a);
        let z: f64 = a * a;
        let turn: f64 = k_turn_f64(-z);
        let n: f64 = turn - k_f64(0x4338000000000000);
        let h: f64 = k_exp_head_f64(-z, n);
        let hl: f64 = k_exp_rest_f64(-z, n, h) - k_product_rest_f64(a, a, z);
        let r: f64 = h + hl;
        let tail: f64 = k_exp_tail_f64(r, (h - r) + hl);
        let e: f64 = r + tail;
        let y: f64 = q + (ql + q * e);
        return k_scale_f64(y, bits_f64(turn) - bits_f64(k_f64(0x4338000000000000)));
    }

    /// `erf` for |x| up to 7/8.
    fn k_erf_near_f64(x: f64) -> f64 {
        let z: f64 = x * x;
        let p1: f64 = ((k_f64(0x3df1c9dab4c5ca22) * z + k_f64(0xbe2205abb955358b)) * z + k_f64(0x3e51ede0bb47abaf)) * z + k_f64(0xbe8647dc5214b6c4);
        let p2: f64 = ((p1 * z + k_f64(0x3ebba660e2002854)) * z + k_f64(0xbeef4dabaaea9bb6)) * z + k_f64(0x3f1f9a3863fd635f);
        let p3: f64 = ((p2 * z + k_f64(0xbf4c02db6d892a7b)) * z + k_f64(0x3f7565bcd1c9d45b)) * z + k_f64(0xbf9b82ce312e047c);
        let p: f64 = ((p3 * z + k_f64(0x3fbce2f21a043ec7)) * z + k_f64(0xbfd812746b037a05)) * z + k_f64(0x3fc06eba8214db69);
        return x + x * p;
    }

    /// `erf`.
    fn k_erf_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let y: f64 = k_pick(a < k_f64(0x3fec000000000000), k_erf_near_f64(a), k_f64(0x3ff0000000000000) - k_erfc_far_f64(a));
        return f64_of(bits_f64(y) | sign);
    }

    /// `erfc`.
    fn k_erfc_f64(x: f64) -> f64 {
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let far: f64 = k_erfc_far_f64(a);
        let y: f64 = k_pick(x < k_f64(0), k_f64(0x4000000000000000) - far, far);
        return k_pick(a < k_f64(0x3fd0000000000000), k_f64(0x3ff0000000000000) - k_erf_near_f64(x), y);
    }
}
