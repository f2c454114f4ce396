//! The error function.

use super::portable;

portable! {
    /// `erfc` for x from ¼ on: exp(−x²) p(t) / (1 + 2x), where t = (x − 4) / (x + 4) (Shepherd and
    /// Laframboise 1981).
    fn k_erfc_far(x: real) -> real {
        let a: real = k_pick(x > k_real(0x41280000, 0x403b800000000000), k_real(0x41280000, 0x403b800000000000), x);
        let t: real = k_div(a - k_real(0x40800000, 0x4010000000000000), a + k_real(0x40800000, 0x4010000000000000));
        @single let g1: f32 = ((k_f32(0x39b5b73b) * t + k_f32(0x3bbdd2b8)) * t + k_f32(0xbc87b4b5)) * t + k_f32(0x3d16723c);
        @single let g2: f32 = ((g1 * t + k_f32(0xbd87cfeb)) * t + k_f32(0x3dc02222)) * t + k_f32(0xbdceeb6f);
        @single let g: f32 = ((g2 * t + k_f32(0x3d8b7352)) * t + k_f32(0x3c7bf9e1)) * t + k_f32(0xbe0ef8ce);
        @double let g1: f64 = ((k_f64(0x3e1aef3f5b2fc719) * t + k_f64(0x3e24d0a3f3313912)) * t + k_f64(0xbe4fdcb52004842c)) * t + k_f64(0xbe553b48d8675488);
        @double let g2: f64 = ((g1 * t + k_f64(0x3e7db83c6d42b1d8)) * t + k_f64(0x3e74b83971b6ec6d)) * t + k_f64(0xbeabb40d45563592);
        @double let g3: f64 = ((g2 * t + k_f64(0x3e93957bd5a8da7e)) * t + k_f64(0x3ed7f2ae5ae73812)) * t + k_f64(0xbee78844b437c130);
        @double let g4: f64 = ((g3 * t + k_f64(0xbef995963534baae)) * t + k_f64(0x3f23be03d4017b37)) * t + k_f64(0xbf2a1df250d7bd8c);
        @double let g5: f64 = ((g4 * t + k_f64(0xbf48d4a99f8b4e09)) * t + k_f64(0x3f749c6728670e95)) * t + k_f64(0xbf909623884f5925);
        @double let g6: f64 = ((g5 * t + k_f64(0x3fa3079edf67f0ac)) * t + k_f64(0xbfb0fb06dfe49ee8)) * t + k_f64(0x3fb7fee004e12885);
        @double let g7: f64 = ((g6 * t + k_f64(0xbfb9ddb23c3e906a)) * t + k_f64(0x3fb16ecefcfa536f)) * t + k_f64(0x3f8f7f5df66fd7b0);
        @double let g: f64 = g7 * t + k_f64(0xbfc1df1ad154a28e);
        let p: real = k_real(0x3f9dd2c9, 0x3ff3ba5916e9fd7f) + t * g;
        let pl: real = (k_real(0x3f9dd2c9, 0x3ff3ba5916e9fd7f) - p) + t * g + k_real(0xb3116028, 0xbc8aa9c415679e6f);
        let d: real = ONE + TWO * a;
        let q: real = k_div(p, d);
        let ql: real = k_quotient_rest(q, p, pl, d, (ONE - d) + TWO * a);
        let z: real = a * a;
        let turn: real = k_turn(-z);
        let n: real = turn - ROUNDER;
        let h: real = k_exp_head(-z, n);
        let hl: real = k_exp_rest(-z, n, h) - k_product_rest(a, a, z);
        let r: real = h + hl;
        let tail: real = k_exp_tail(r, (h - r) + hl);
        let e: real = r + tail;
        let y: real = q + (ql + q * e);
        return k_scale(y, bits_of(turn) - ROUNDER_BITS);
    }

    /// `erf` for |x| up to 7/8.
    fn k_erf_near(x: real) -> real {
        let z: real = x * x;
        @single let p1: f32 = ((k_f32(0x38b632fa) * z + k_f32(0xba574e83)) * z + k_f32(0x3baa9df7)) * z + k_f32(0xbcdc0caf);
        @single let p: f32 = ((p1 * z + k_f32(0x3de7173b)) * z + k_f32(0xbec093a2)) * z + k_f32(0x3e0375d4);
        @double let p1: f64 = ((k_f64(0x3df1c9dab4c5ca22) * z + k_f64(0xbe2205abb955358b)) * z + k_f64(0x3e51ede0bb47abaf)) * z + k_f64(0xbe8647dc5214b6c4);
        @double let p2: f64 = ((p1 * z + k_f64(0x3ebba660e2002854)) * z + k_f64(0xbeef4dabaaea9bb6)) * z + k_f64(0x3f1f9a3863fd635f);
        @double let p3: f64 = ((p2 * z + k_f64(0xbf4c02db6d892a7b)) * z + k_f64(0x3f7565bcd1c9d45b)) * z + k_f64(0xbf9b82ce312e047c);
        @double let p: f64 = ((p3 * z + k_f64(0x3fbce2f21a043ec7)) * z + k_f64(0xbfd812746b037a05)) * z + k_f64(0x3fc06eba8214db69);
        return x + x * p;
    }

    /// `erf`.
    fn k_erf(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let y: real = k_pick(a < k_real(0x3f600000, 0x3fec000000000000), k_erf_near(a), ONE - k_erfc_far(a));
        return of_bits(bits_of(y) | sign);
    }

    /// `erfc`.
    fn k_erfc(x: real) -> real {
        let a: real = of_bits(bits_of(x) & SIZE);
        let far: real = k_erfc_far(a);
        let y: real = k_pick(x < ZERO, TWO - far, far);
        return k_pick(a < k_real(0x3e800000, 0x3fd0000000000000), ONE - k_erf_near(x), y);
    }
}
