//! Integers of 32 and 64 bits.

use super::portable;

portable! {
    any:

    /// Bits 32i … 32i + 31 of 2/π after its leading 32 zeros, for i < 8.
    fn k_two_over_pi(i: u32) -> u32 {
        let low: u32 = k_pick(i < k_u32(2), k_pick(i < k_u32(1), k_u32(0), k_u32(0xa2f9836e)), k_pick(i < k_u32(3), k_u32(0x4e441529), k_u32(0xfc2757d1)));
        let high: u32 = k_pick(i < k_u32(6), k_pick(i < k_u32(5), k_u32(0xf534ddc0), k_u32(0xdb629599)), k_pick(i < k_u32(7), k_u32(0x3c439041), k_u32(0xfe5163ab)));
        return k_pick(i < k_u32(4), low, high);
    }

    /// The upper half of the product.
    fn k_high(a: u64, b: u64) -> u64 {
        let al: u64 = a & k_u64(0xffffffff);
        let ah: u64 = a >> 32;
        let bl: u64 = b & k_u64(0xffffffff);
        let bh: u64 = b >> 32;
        let m: u64 = ah * bl + ((al * bl) >> 32);
        let n: u64 = al * bh + (m & k_u64(0xffffffff));
        return ah * bh + (m >> 32) + (n >> 32);
    }

    /// 64 bits of two words from bit `n` on, for n < 64.
    fn k_join(high: u64, low: u64, n: u64) -> u64 {
        return k_shl(high, n) | k_shr(low >> 1, k_u64(63) - n);
    }
}
