// Random kernels, written by the test `source` of `ringwood-ir` (with RINGWOOD_BLESS=1).

use ringwood::{device_fn, kernel};

#[device_fn]
fn mix_random0(v0: i64, v1: i64) -> i64 {
    (v1 % (0_i64 << 0_i32)).pow(1_u32)
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random0(a_f32: f32, x_i64: &[i64], a_bool: bool, y_u32: &mut [u32], x_u32: &[u32], y_f32: &mut [f32], x_f32: &[f32], x_i16: &[i16], cell_i32: &mut [i32], next_i32: &mut [i32], x_i32: &[i32], a_u32: u32, total_u32: &mut [u32], x_f64: &[f64], a_i64: i64, y_u16: &mut [u16]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 70_u32) && (1e-40_f32 <= a_f32)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (false || false)) {
            v1 = (v1 + 1_u32);
            let mut v2: i64 = (x_i64[((lid(1) / 1_usize) % 12_usize)] / (-9223372036854775807_i64));
        }
    }
    if ((a_bool ^ false) || (false < false)) {
        y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u32[11_usize];
        y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f32[(x_i16.len() % 12_usize)];
    } else {
        for v3 in (-2_i32)..((2147483647_i32 / 2147483647_i32) % 4_i32) {
            let mut v4: i32 = atomic_min(&mut cell_i32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (0_i32 / v3).rem_euclid((v3 * 2147483647_i32)));
            let mut v5: i32 = atomic_min(&mut next_i32[(((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) + 1_usize)], ((v3 * v4) / x_i32[(31_usize % 12_usize)]));
        }
        let mut v6: i32 = atomic_or(&mut cell_i32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], ((1_i32 ^ 2_i32) % (255_u8 as i32)));
        v6 = 2147483647_i32;
    }
    for v7 in 1_u32..((a_u32 >> 0_i32) % 4_u32) {
        if (x_u32.len() > x_i16.len()) {
            let mut v8: u8 = 2_u8;
        } else {
            let mut v9: u16 = (30_u16 << 2147483647_i32).pow(1_u32);
            atomic_min(&mut total_u32[3_usize], (x_u32[(grp(1) % 12_usize)] ^ (v7 | v7)));
        }
        if ((if a_bool { 0_i8 } else { (-1_i8) }) < (!i8::MIN)) {
            let mut v10: f64 = ((1_i64 as f64) + x_f64[6_usize]);
            let mut v11: i64 = mix_random0((if false { 0_i64 } else { 30_i64 }), ((-1_i64) - a_i64));
            let mut v12: i64 = (if (v11 >= v11) { (0_i64 / v11) } else { v11.min(v11) });
        }
    }
    let mut v13: f32 = x_f32[(grp(0) % 12_usize)].floor();
    barrier();
    y_u16[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u16.div_euclid((if (false || a_bool) { (65535_u16 >> 0_u64) } else { (2_u16 ^ 33_u16) }));
}

#[device_fn]
fn mix_random1(v0: i64, v1: i64) -> i64 {
    v0
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random1(a_i64: i64, a_bool: bool, cell_f32: &mut [f32], y_i8: &mut [i8], x_i16: &[i16], next_f32: &mut [f32], x_f32: &[f32], a_usize: usize, total_u64: &mut [u64], a_u64: u64, y_u16: &mut [u16], x_u16: &[u16], x_i8: &[i8]) {
    shared!(tile_0: [u16; 8]);
    barrier();
    tile_0[lid(0)] = ((65535_u16 * 0_u16) & (2_u16 & 0_u16));
    barrier();
    let mut v0: i64 = (if (69_i16 >= 32767_i16) { ((-1_i64) - i64::MIN) } else { a_i64 });
    if a_bool {
        atomic_add(&mut cell_f32[((grp(0) * 8_usize) + lid(0))], 0.0_f32);
        y_i8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 1_i8;
        for v1 in (-2_i32)..(33_i32 % 4_i32) {
            let mut v2: i8 = ((true as i8) + (-(-1_i8)));
            let mut v3: i64 = mix_random1(v0, (v0 + v0));
        }
    } else {
        let mut v4: i16 = (x_i16[((3_usize + 40_usize) % 12_usize)] + 32767_i16);
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (63_usize < 3_usize)) {
            v5 = (v5 + 1_u32);
            let mut v6: f32 = atomic_add(&mut next_f32[(((grp(0) * 8_usize) + lid(0)) + 1_usize)], x_f32[((0_usize >> a_usize) % 12_usize)]);
            let mut v7: bool = ((0_u16 | 33_u16) >= tile_0[0_usize]);
            atomic_and(&mut total_u64[(a_usize % 5_usize)], (if false { a_u64 } else { (!18446744073709551615_u64) }));
        }
        atomic_and(&mut total_u64[3_usize], ((2_u64 / 2_u64) / (0_u64 + 0_u64)));
    }
    v0 = (v0 % 9223372036854775807_i64).clamp((v0 + v0), (0_i64 - a_i64));
    y_u16[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u16[(x_i8.len() % 12_usize)].div_euclid(((if false { 33_u16 } else { 0_u16 }) | (2_u16 << 33_i32)));
}

#[device_fn]
fn mix_random2(v0: usize, v1: usize) -> usize {
    (((if true { 40_usize } else { v0 }) ^ 63_usize) << (0_u64 >> (if true { 33_i32 } else { i32::MIN })))
}

#[kernel(device = cpu, domain = (3, 5))]
fn random2(y_view_u16: ViewMut<u16, 6>, x_view_i8: View<i8, 6>, x_u16: &[u16], a_usize: usize, total_view_u64: ViewMut<u64, 6>, x_view_u64: View<u64, 3>, y_i8: &mut [i8], y_i64: &mut [i64], a_i64: i64, x_u8: &[u8], y_u32: &mut [u32], x_view_u32: View<u32, 3>) {
    let y_view_u16_0 = y_view_u16.extent(0);
    let y_view_u16_1 = y_view_u16.extent(1);
    let y_view_u16_2 = y_view_u16.extent(2);
    let y_view_u16_3 = y_view_u16.extent(3);
    let y_view_u16_4 = y_view_u16.extent(4);
    let y_view_u16_5 = y_view_u16.extent(5);
    let total_view_u64_0 = total_view_u64.extent(0);
    let total_view_u64_1 = total_view_u64.extent(1);
    let total_view_u64_2 = total_view_u64.extent(2);
    let total_view_u64_3 = total_view_u64.extent(3);
    let total_view_u64_4 = total_view_u64.extent(4);
    let total_view_u64_5 = total_view_u64.extent(5);
    y_view_u16[[((7_usize % 1_usize) % y_view_u16_0), gid(1), (32_usize % y_view_u16_2), gid(0), (7_usize % 2_usize), (y_view_u16_1 % y_view_u16_5)]] = (x_view_i8[[(gid(1) % x_view_i8.extent(0)), (x_view_i8.extent(1) % x_view_i8.extent(1)), (0_i32 as usize), 1_usize, (x_u16.len() % 3_usize), ((gid(0) % gid(1)) % x_view_i8.extent(5))]].saturating_sub((if false { 60_i8 } else { 1_i8 })) as u16);
    if ((a_usize < 5_usize) >= (42_u64 != 0_u64)) {
        if ((31_usize > 7_usize) || ((-1_i64) > (-1_i64))) {
            atomic_min(&mut total_view_u64[[(0_usize % 1_usize), (gid(1) % total_view_u64_1), 1_usize, (total_view_u64_2 % total_view_u64_3), ((!63_usize) % total_view_u64_4), ((7_usize - a_usize) % total_view_u64_5)]], x_view_u64[[((gid(0) - 40_usize) % 1_usize), (gid(0) % x_view_u64.extent(1)), 0_usize]]);
            let mut v0: u8 = (if true { 0_u8 } else { 1_u8 }).div_euclid(33_u8);
        }
    } else {
        y_i8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 127_i8;
        for v1 in 0_usize..((32_usize << 2_u64) % 4_usize) {
            let mut v2: usize = mix_random2((33_i32 as usize), (v1 / v1));
        }
    }
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (a_i64 % a_i64.div_euclid((-1_i64)));
    let mut v3: u8 = x_u8[((a_usize - a_usize) % 12_usize)];
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_view_u32[[((5_usize % 5_usize) % x_view_u32.extent(0)), (40_usize % x_view_u32.extent(1)), gid(1)]];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random3(x_u16: &[u16], y_view_u64: ViewMut<u64, 4>, x_u64: &[u64]) {
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    let y_view_u64_2 = y_view_u64.extent(2);
    let y_view_u64_3 = y_view_u64.extent(3);
    let mut own_0 = [0_u16; 4];
    let mut v0: u32 = group_sum(4294967295_u32);
    own_0[(0_usize % 4_usize)] = x_u16[((2_usize ^ grp(0)) % 12_usize)];
    barrier();
    y_view_u64[[grp(1), lid(1), lid(0), grp(0)]] = (2_u64 - (x_u64[(2_usize % 12_usize)] | (if true { 0_u64 } else { 18446744073709551615_u64 })));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random4(a_usize: usize, y_u64: &mut [u64], a_u32: u32, x_u8: &[u8], y_i64: &mut [i64], cell_f32: &mut [f32], y_u32: &mut [u32], x_u32: &[u32], x_i32: &[i32], a_i32: i32, a_u64: u64, cell_i32: &mut [i32], cell_i64: &mut [i64], total_i32: &mut [i32], y_u16: &mut [u16], x_u16: &[u16], x_f64: &[f64], y_f32: &mut [f32]) {
    for v0 in 0_usize..((7_usize / a_usize) % 4_usize) {
        y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((2_u64.pow(0_u32) as u64) / (66_u64.rotate_right(a_u32) >> (v0 % v0)));
        if ((58_u32 >> 0_u64) >= (a_u32 - 0_u32)) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (9_u64 % (y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] / 0_u64));
            let mut v1: u8 = (0_u8 & 6_u8).saturating_add(x_u8[5_usize]);
        } else {
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 1_i64;
            let mut v2: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (0.1_f32.sqrt() + (-0.0_f32)));
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u32[(x_i32.len() % 12_usize)];
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (false && false)) {
        v3 = (v3 + 1_u32);
        for v4 in (-2_i32)..(a_i32 % 70_i32) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (a_u64 / 0_u64).rotate_right((!(v3 << grp(1))));
            atomic_xor(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (v4 & v4));
        }
        for v5 in 1_u32..(0_u64.count_ones() % 4_u32) {
            atomic_or(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((32767_i16 as i8) as i64));
        }
        atomic_or(&mut total_i32[(lid(1) % 5_usize)], 0_i32);
    }
    y_u16[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_u16[(x_f64.len() % 12_usize)] - x_u16[((2_usize / 1_usize) % 12_usize)]) % (if false { 0_u16 } else { 33_u16 }).saturating_sub(0_u16));
    let mut v6: i64 = group_max(i64::MIN);
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0.1_f32;
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random5(a_u32: u32, a_usize: usize, y_i32: &mut [i32], a_bool: bool, y_u64: &mut [u64]) {
    shared!(tile_0: [u32; 8]);
    shared!(tile_1: [u8; 8]);
    barrier();
    tile_0[lid(0)] = ((if false { 33_u32 } else { 1_u32 }) / (a_u32 << a_usize));
    barrier();
    barrier();
    tile_1[lid(0)] = (33_u8 | (46_u8 * 0_u8));
    barrier();
    let mut v0: u16 = group_min((0_u16 ^ (0_u16 & 0_u16)));
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (((31_usize << 2_u64) / (3_usize ^ 2_usize)) as i32);
    if ((9223372036854775807_i64 / 1_i64) < 27_i64) {
        barrier();
        tile_1[lid(0)] = ((a_bool as u8) / 255_u8);
        barrier();
    }
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 2_u64;
}

#[device_fn]
fn mix_random6(v0: i64, v1: i64) -> i64 {
    (((v0 | v0) | 9223372036854775807_i64) / i64::MIN)
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random6(x_f64: &[f64], y_i8: &mut [i8], a_f64: f64, a_usize: usize, y_f64: &mut [f64], a_u32: u32, y_i16: &mut [i16]) {
    for v0 in group_range((x_f64.len() % 40_usize)) {
        y_i8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (a_f64.signum() > (1000000000.0_f64 / a_f64)) { ((-1_i8) % i8::MIN.clamp(1_i8, 22_i8)) } else { (i8::MIN * (if false { 0_i8 } else { 14_i8 })) });
    }
    let mut v1: usize = ((2_usize + 2_usize) % (2_usize - a_usize));
    for v2 in group_range((63_usize % 40_usize)) {
        y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[((grp(0) * v2) % 12_usize)];
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (2_u16 >= 0_u16)) {
        v3 = (v3 + 1_u32);
        if ((a_u32 < v3) ^ (1_u8 > 255_u8)) {
            let mut v4: f32 = 1e-40_f32;
        }
        let mut v5: bool = false;
    }
    y_i16[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = i16::MIN;
}

#[device_fn]
fn mix_random7(v0: i64, v1: i64) -> i64 {
    v1
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random7(a_usize: usize, next_f32: &mut [f32], y_i64: &mut [i64], y_i8: &mut [i8], x_i8: &[i8]) {
    shared!(tile_1: [f32; 8]);
    let mut own_0 = [(2_i32 * 2_i32); 4];
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = 1.0_f32.recip().ceil();
    barrier();
    for v0 in group_range(((if true { 40_usize } else { a_usize }) % 40_usize)) {
        atomic_add(&mut next_f32[(((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) + 1_usize)], ((v0 - v0) as f32));
        let mut v1: i16 = (-(2_i16 & 32767_i16));
    }
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 1_i64;
    y_i8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(14_i8 % x_i8[(63_usize % 12_usize)]));
}

#[device_fn]
fn mix_random8(v0: usize, v1: usize) -> usize {
    ((v1 | (v1 | 3_usize)) as usize)
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random8(a_bool: bool, y_u32: &mut [u32]) {
    shared!(tile_0: [i64; 1]);
    barrier();
    tile_0[lid(0)] = ((-9223372036854775807_i64) / (i64::MIN + i64::MIN));
    barrier();
    let mut own_1 = [(0_i8 as u16); 4];
    let mut v0: usize = mix_random8((lid(0) + grp(0)), (4_usize % 64_usize));
    for v1 in group_range(((a_bool as usize) % 40_usize)) {
        v0 = 1_usize;
        let mut v2: u8 = ((if true { 255_u8 } else { 255_u8 }) % (2_i32 as u8));
        let mut v3: bool = false;
    }
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 33_u32;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random9(a_u64: u64, a_bool: bool, total_view_i64: ViewMut<i64, 1>, a_usize: usize, x_i32: &[i32], y_f32: &mut [f32], x_f32: &[f32], y_view_u8: ViewMut<u8, 6>, x_view_u8: View<u8, 4>, y_u8: &mut [u8], total_view_i32: ViewMut<i32, 3>, a_i32: i32, a_u32: u32, x_view_f32: View<f32, 5>, y_i16: &mut [i16], x_i16: &[i16], x_u64: &[u64], y_view_f64: ViewMut<f64, 3>, x_f64: &[f64]) {
    shared!(tile_0: [u64; 64]);
    shared!(tile_1: [i8; 64]);
    let total_view_i64_0 = total_view_i64.extent(0);
    let y_view_u8_0 = y_view_u8.extent(0);
    let y_view_u8_1 = y_view_u8.extent(1);
    let y_view_u8_2 = y_view_u8.extent(2);
    let y_view_u8_3 = y_view_u8.extent(3);
    let y_view_u8_4 = y_view_u8.extent(4);
    let y_view_u8_5 = y_view_u8.extent(5);
    let total_view_i32_0 = total_view_i32.extent(0);
    let total_view_i32_1 = total_view_i32.extent(1);
    let total_view_i32_2 = total_view_i32.extent(2);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    barrier();
    tile_0[lid(0)] = a_u64;
    barrier();
    barrier();
    tile_1[lid(0)] = (if a_bool { 15_i8 } else { 33_i8 }).abs();
    barrier();
    atomic_or(&mut total_view_i64[[((32_usize * 7_usize) % total_view_i64_0)]], (if ((-1_i16) < i16::MIN) { ((-1_i64) * i64::MIN) } else { 2_i64.clamp((-1_i64), 33_i64) }));
    for v0 in 0_usize..(a_usize % 4_usize) {
        let mut v1: u16 = group_sum(((if a_bool { 0_u16 } else { 1_u16 }) * (0_u16 - 1_u16)));
        let mut v2: i32 = ((-1_i32) & x_i32[((!v0) % 12_usize)]);
        let mut v3: bool = ((false && false) ^ (v0 != a_usize));
    }
    if (a_bool && true) {
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f32[((0_u16 as usize) % 12_usize)];
        y_view_u8[[((grp(0) >> a_u64) % 5_usize), ((lid(0) & 2_usize) % y_view_u8_1), (1_usize % y_view_u8_2), grp(0), 4_usize, lid(0)]] = ((2_u8 - 255_u8) * (if false { 1_u8 } else { 1_u8 })).saturating_add(x_view_u8[[(grp(0) % 2_usize), grp(0), (63_usize % 3_usize), 1_usize]]);
        for v4 in 0_usize..((if true { a_usize } else { 1_usize }) % 70_usize) {
            y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 0_u8;
        }
    } else {
        atomic_min(&mut total_view_i32[[((1_usize / lid(0)) % total_view_i32_0), (1_usize % total_view_i32_1), (0_usize % total_view_i32_2)]], ((33_i32 / 33_i32) / a_i32.rotate_right(a_u32)));
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_view_f32[[(a_usize % x_view_f32.extent(0)), ((40_usize >> 1_usize) % x_view_f32.extent(1)), ((lid(0) % 1_usize) % x_view_f32.extent(2)), ((a_usize % 2_usize) % x_view_f32.extent(3)), ((3_usize - grp(0)) % 1_usize)]];
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (1_u64 != a_u64)) {
        v5 = (v5 + 1_u32);
        let mut v6: i8 = (33_i8 << a_usize);
        y_i16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i16[(31_usize % 12_usize)];
        let mut v7: u8 = ((1_i64 | 0_i64) as u8);
    }
    barrier();
    tile_0[lid(0)] = x_u64[10_usize];
    barrier();
    y_view_f64[[lid(0), ((lid(0) + 0_usize) % y_view_f64_1), grp(0)]] = ((if (false ^ true) { (lid(0) as f64) } else { (3e38_f64 / 1.0_f64) }) + (x_f64[(y_view_u8_5 % 12_usize)] * 3e38_f64));
}

#[device_fn]
fn mix_random10(v0: u32, v1: u32) -> u32 {
    ((2_u32 >> (31_usize - 31_usize)) * v0)
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random10(x_i64: &[i64], a_i64: i64, a_usize: usize, a_u32: u32, x_u32: &[u32], total_u32: &mut [u32], total_i32: &mut [i32], x_i32: &[i32], y_u64: &mut [u64], x_u64: &[u64]) {
    if (x_i64[((3_usize / 7_usize) % 12_usize)] != (if true { a_i64 } else { 2_i64 })) {
        let mut v0: u32 = 33_u32;
    }
    for v1 in (-2_i32)..((if false { 33_i32 } else { 1_i32 }) % 4_i32) {
        for v2 in group_range(((grp(1) * a_usize) % 40_usize)) {
            let mut v3: u32 = mix_random10((4294967295_u32 | a_u32), x_u32[(v2 % 12_usize)]);
        }
        let mut v4: u32 = 0_u32;
        while ((v4 < 70_u32) && ((-1_i8) == 1_i8)) {
            v4 = (v4 + 1_u32);
            for v5 in group_range((2_usize % 40_usize)) {
                let mut v6: u32 = mix_random10((v4 >> v5), v4);
                atomic_and(&mut total_u32[1_usize], (2_u32 - (4294967295_u32 + v6)));
                atomic_and(&mut total_i32[v5], x_i32[(32_usize % 12_usize)]);
            }
        }
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u64[5_usize];
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random11(a_usize: usize, x_view_i16: View<i16, 2>, x_i8: &[i8], y_view_i16: ViewMut<i16, 1>, cell_view_i64: ViewMut<i64, 4>, a_i64: i64, y_i8: &mut [i8], x_view_i8: View<i8, 2>) {
    let y_view_i16_0 = y_view_i16.extent(0);
    let cell_view_i64_0 = cell_view_i64.extent(0);
    let cell_view_i64_1 = cell_view_i64.extent(1);
    let cell_view_i64_2 = cell_view_i64.extent(2);
    let cell_view_i64_3 = cell_view_i64.extent(3);
    let mut own_0 = [lid(0); 4];
    let mut v0: bool = ((0_u16 > 1_u16) && (63_usize != a_usize));
    let mut v1: i16 = group_min((if (0_u16 == 65535_u16) { (!i16::MIN) } else { x_view_i16[[((if v0 { lid(1) } else { grp(0) }) % 5_usize), (x_i8.len() % 3_usize)]] }));
    own_0[(lid(1) % 4_usize)] = ((0_u32 + 33_u32) as usize);
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (0.0_f32 > 1000000000.0_f32)) {
        v2 = (v2 + 1_u32);
        for v3 in 0_usize..((!63_usize) % 4_usize) {
            v0 = v0;
        }
        let mut v4: i16 = y_view_i16[[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))]];
        for v5 in group_range(((31_usize - 40_usize) % 40_usize)) {
            atomic_or(&mut cell_view_i64[[lid(1), grp(1), lid(0), grp(0)]], a_i64);
        }
    }
    y_i8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_view_i8[[0_usize, (40_usize % x_view_i8.extent(1))]];
}

#[device_fn]
fn mix_random12(v0: u32, v1: u32) -> u32 {
    (1_u32 & (if (false && true) { (4294967295_u32 & v1) } else { (v1 * 2_u32) }))
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random12(y_u32: &mut [u32], x_i16: &[i16]) {
    barrier();
    let mut v0: u16 = 0_u16;
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_i16[5_usize] as u32);
}

#[device_fn]
fn mix_random13(v0: f32, v1: f32) -> f32 {
    0.1_f32
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random13(a_usize: usize, a_u32: u32, y_i16: &mut [i16], x_i16: &[i16], total_i32: &mut [i32], total_u32: &mut [u32], x_u16: &[u16], x_i32: &[i32], cell_i32: &mut [i32], a_f32: f32, x_f32: &[f32], a_i32: i32, a_i64: i64, total_u64: &mut [u64], x_u32: &[u32], x_u64: &[u64], x_u8: &[u8], a_bool: bool, x_i8: &[i8], a_f64: f64, x_i64: &[i64], total_i64: &mut [i64], y_u16: &mut [u16]) {
    shared!(tile_1: [usize; 64]);
    let mut own_0 = [(33_i64 / 2_i64); 4];
    barrier();
    tile_1[lid(0)] = a_usize;
    barrier();
    for v0 in 0_usize..(a_usize % 4_usize) {
        if (2_i64.leading_zeros() >= (0_u32 | a_u32)) {
            y_i16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-2.75_f64) as i16);
            y_i16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i16[11_usize];
            atomic_or(&mut total_i32[0_usize], (i32::MIN * (-0_i32)));
        }
        let mut v1: u8 = 21_u8;
    }
    atomic_xor(&mut total_u32[(x_u16.len() % 5_usize)], ((4294967295_u32 | 33_u32) >> (2_i32 / 33_i32)));
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (0_u8 <= 0_u8)) {
        v2 = (v2 + 1_u32);
        if false {
            atomic_or(&mut total_i32[1_usize], x_i32[4_usize]);
            atomic_or(&mut cell_i32[((grp(0) * 64_usize) + lid(0))], x_i32[(63_usize % 12_usize)]);
            let mut v3: f32 = mix_random13((a_f32 + 1.0_f32), (-(-2.75_f32)));
        }
    }
    let mut v4: u32 = 0_u32;
    while ((v4 < 3_u32) && (true ^ false)) {
        v4 = (v4 + 1_u32);
        if ((-0.1_f64) < 1000000000.0_f64) {
            let mut v5: f32 = (1e-40_f32.min((-2.75_f32)) / x_f32[((1.0_f32 as usize) % 12_usize)]);
            v5 = a_f32;
            barrier();
            tile_1[lid(0)] = a_usize;
            barrier();
        } else {
            let mut v6: i8 = 1_i8;
            let mut v7: i64 = group_sum(((-1_i64) % 2_i64));
        }
        for v8 in (-2_i32)..((33_i32 + a_i32) % 4_i32) {
            atomic_xor(&mut total_u32[(1_usize % 5_usize)], ((v4 / v4) * (a_i64 as u32)));
            for v9 in group_range((grp(0) % 40_usize)) {
                if ((a_f32 % (-0.0_f32)) < (a_f32 % 3e38_f32)) {
                    break;
                }
                atomic_and(&mut total_u64[(x_u32.len() % 5_usize)], x_u64[(x_u8.len() % 12_usize)]);
            }
            let mut v10: i64 = group_sum(((53_i64 % a_i64) / own_0[(lid(0) | lid(0))]));
        }
        if ((2_i16 & 33_i16) <= (if a_bool { 47_i16 } else { 2_i16 })) {
            let mut v11: i8 = 1_i8;
            y_i16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_i16 % (-1_i16)) - (i8::MIN as i16)) / ((33_i16 + 1_i16) / (0_i16 * 0_i16)));
            v11 = (x_i8[6_usize] - x_i8[tile_1[((1_usize ^ 2_usize) % 64_usize)]]);
        } else {
            let mut v12: f32 = mix_random13((-1.0_f32), (3e38_f32 - f32::NAN));
        }
    }
    let mut v13: u32 = 0_u32;
    while ((v13 < 3_u32) && (1000000000.0_f32 <= 0.5_f32)) {
        v13 = (v13 + 1_u32);
        let mut v14: u32 = 0_u32;
        while ((v14 < 3_u32) && (3e38_f64 != a_f64)) {
            v14 = (v14 + 1_u32);
            own_0[2_usize] = (x_i64[5_usize] + (if true { 0_i64 } else { 9223372036854775807_i64 }));
            atomic_and(&mut total_i64[(tile_1[(a_usize % 64_usize)] % 5_usize)], ((20_i64 & 0_i64) / (33_i64 * i64::MIN)));
        }
        if ((v13 >= 2_u32) > (18446744073709551615_u64 < 0_u64)) {
            continue;
        }
    }
    y_u16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u16 ^ ((2_i64 as u16) * (33_u16 * 2_u16)));
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random14(a_f32: f32, a_i32: i32, cell_i64: &mut [i64], y_i64: &mut [i64], y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_1: [f32; 8]);
    let mut own_0 = [(if false { 1.0_f64 } else { f64::NAN }); 4];
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = a_f32;
    barrier();
    let mut v0: i32 = (39_i32.clamp(33_i32, 33_i32) - a_i32);
    let mut v1: i64 = atomic_add(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)]);
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u32[6_usize];
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random15(a_usize: usize, x_u16: &[u16], y_f32: &mut [f32], x_view_f32: View<f32, 0>, a_i32: i32, a_bool: bool, a_f32: f32, y_i64: &mut [i64], y_view_u64: ViewMut<u64, 3>, a_u64: u64, cell_i64: &mut [i64], cell_view_f32: ViewMut<f32, 2>, x_u8: &[u8], x_f32: &[f32], next_i32: &mut [i32], cell_view_u32: ViewMut<u32, 1>, total_i64: &mut [i64], a_i64: i64, y_u16: &mut [u16], total_view_u32: ViewMut<u32, 3>, x_view_u32: View<u32, 3>, y_view_i16: ViewMut<i16, 2>, x_view_i16: View<i16, 0>, cell_i32: &mut [i32], y_view_u16: ViewMut<u16, 2>, a_u32: u32) {
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    let y_view_u64_2 = y_view_u64.extent(2);
    let cell_view_f32_0 = cell_view_f32.extent(0);
    let cell_view_f32_1 = cell_view_f32.extent(1);
    let cell_view_u32_0 = cell_view_u32.extent(0);
    let total_view_u32_0 = total_view_u32.extent(0);
    let total_view_u32_1 = total_view_u32.extent(1);
    let total_view_u32_2 = total_view_u32.extent(2);
    let y_view_i16_0 = y_view_i16.extent(0);
    let y_view_i16_1 = y_view_i16.extent(1);
    let y_view_u16_0 = y_view_u16.extent(0);
    let y_view_u16_1 = y_view_u16.extent(1);
    for v0 in 0_usize..((a_usize - 31_usize) % 4_usize) {
        for v1 in 0_usize..(x_u16.len() % 4_usize) {
            y_f32[((gid(0) * 2_usize) + 1_usize)] = x_view_f32[[]];
        }
        if ((2147483647_i32 + a_i32) > a_i32) {
            if (a_bool && (a_f32 >= f32::INFINITY)) {
                continue;
            }
            y_i64[((gid(0) * 2_usize) + 1_usize)] = (-(-1_i64));
            let mut v2: u8 = 0_u8;
        }
    }
    if ((0_i8 <= 50_i8) && (0_u32 < 4294967295_u32)) {
        y_view_u64[[1_usize, gid(0), ((40_usize - a_usize) % 3_usize)]] = ((0_u8 as f64).to_bits() % ((!a_u64) << a_u64));
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (i8::MIN >= 1_i8)) {
            v3 = (v3 + 1_u32);
            atomic_or(&mut cell_i64[gid(0)], 14_i64);
            atomic_add(&mut cell_view_f32[[(gid(0) % cell_view_f32_0), gid(0)]], ((a_f32 * 3e38_f32) - (0.1_f32 % (-2.75_f32))));
            let mut v4: u32 = 1_u32;
        }
    } else {
        if ((true ^ a_bool) && (false && a_bool)) {
            let mut v5: i8 = (61_i8 * (-1_i8)).rotate_left(1_u32);
            let mut v6: f32 = atomic_add(&mut cell_view_f32[[(x_u8.len() % cell_view_f32_0), gid(0)]], (x_f32[((if false { 63_usize } else { 32_usize }) % 12_usize)] / x_view_f32[[]]));
        } else {
            atomic_min(&mut next_i32[(gid(0) + 1_usize)], (37_i32 * 41_i32.pow(2_u32)));
            atomic_add(&mut cell_view_u32[[gid(0)]], ((-1_i16) + (-1_i16)).count_ones());
        }
        let mut v7: u32 = 0_u32;
        while ((v7 < 3_u32) && ((-1_i16) == 33_i16)) {
            v7 = (v7 + 1_u32);
            atomic_and(&mut total_i64[3_usize], (-(if false { a_i64 } else { 9223372036854775807_i64 })));
            y_u16[((gid(0) * 2_usize) + 0_usize)] = (x_u8[((7_usize - gid(0)) % 12_usize)] as u16);
            atomic_xor(&mut total_view_u32[[37_usize, (2_usize % total_view_u32_1), (gid(0) % total_view_u32_2)]], ((2_u32 + v7) ^ x_view_u32[[(0_usize % 5_usize), ((a_i32 as usize) % 3_usize), (cell_view_f32_1 % x_view_u32.extent(2))]]));
        }
        y_view_i16[[((37_usize * a_usize) % 4_usize), gid(0)]] = ((if (true ^ false) { (if false { i16::MIN } else { 0_i16 }) } else { (-1_i16) }) | (-x_view_i16[[]]));
    }
    for v8 in (-2_i32)..(a_i32.rotate_left(23_u32) % 4_i32) {
        if ((a_u64 >= 48_u64) ^ false) {
            break;
        }
        if ((0_u8 | 45_u8) >= (0_u8 - 0_u8)) {
            let mut v9: i32 = atomic_xor(&mut cell_i32[gid(0)], (v8 ^ v8).saturating_sub(v8));
            y_u16[((gid(0) * 2_usize) + 1_usize)] = (x_u16[(2_usize % 12_usize)] / ((0_u16 / 54_u16) % (2_u16 % 65535_u16)));
        }
        if false {
            break;
        }
    }
    let mut v10: u32 = 0_u32;
    while ((v10 < 70_u32) && (false || false)) {
        v10 = (v10 + 1_u32);
        if ((1_u64 != 0_u64) && (a_i32 <= (-1_i32))) {
            continue;
        }
    }
    y_view_u16[[((1_usize - a_usize) % 2_usize), gid(0)]] = (y_view_u16[[(a_usize % y_view_u16_0), gid(0)]] / (!0_u16)).rotate_left((2_u8.leading_zeros() + a_u32));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random16(y_u32: &mut [u32], x_i16: &[i16], a_bool: bool, a_usize: usize, x_u32: &[u32], y_i8: &mut [i8], x_i8: &[i8], x_view_i8: View<i8, 4>, y_view_u8: ViewMut<u8, 5>, cell_view_i32: ViewMut<i32, 6>, y_u8: &mut [u8]) {
    let y_view_u8_0 = y_view_u8.extent(0);
    let y_view_u8_1 = y_view_u8.extent(1);
    let y_view_u8_2 = y_view_u8.extent(2);
    let y_view_u8_3 = y_view_u8.extent(3);
    let y_view_u8_4 = y_view_u8.extent(4);
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let cell_view_i32_2 = cell_view_i32.extent(2);
    let cell_view_i32_3 = cell_view_i32.extent(3);
    let cell_view_i32_4 = cell_view_i32.extent(4);
    let cell_view_i32_5 = cell_view_i32.extent(5);
    let mut own_0 = [(grp(0) / grp(0)); 4];
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u32 + 0_u32) / 2_u32) >> x_i16.len());
    for v0 in 1_u32..((a_bool as u32) % 70_u32) {
        own_0[(grp(0) % 4_usize)] = own_0[3_usize];
    }
    for v1 in group_range(((a_usize | grp(0)) % 40_usize)) {
        own_0[(v1 % 4_usize)] = v1;
        let mut v2: usize = (v1 - x_u32.len());
    }
    if ((a_bool < true) || (true || true)) {
        y_i8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if false { x_i8[((grp(0) - grp(0)) % 12_usize)] } else { (x_view_i8[[(31_usize % x_view_i8.extent(0)), ((1_usize ^ 2_usize) % 5_usize), 2_usize, 2_usize]] - (33_i8 >> 33_u64)) });
        if ((2_u16 >> 33_u64) >= (!65535_u16)) {
            own_0[(lid(0) % 4_usize)] = ((2_usize & lid(0)) % (2_u64 as usize));
            let mut v3: u8 = (2_u8.max(0_u8) ^ y_view_u8[[((lid(0) | 2_usize) % y_view_u8_0), (1_usize % y_view_u8_1), ((if true { 2_usize } else { 1_usize }) % 2_usize), (32_usize % y_view_u8_3), ((grp(0) * 16_usize) + lid(0))]]);
            barrier();
        } else {
            let mut v4: i32 = atomic_or(&mut cell_view_i32[[((63_usize & 2_usize) % 4_usize), (31_usize % lid(0)), (lid(0) % 1_usize), grp(0), (y_view_u8_1 % cell_view_i32_4), lid(0)]], (-33_i32.clamp((-1_i32), 0_i32)));
            barrier();
            barrier();
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (true && false)) {
            v5 = (v5 + 1_u32);
            own_0[0_usize] = (y_view_u8_2 >> ((-1_i32) / 2_i32));
        }
    }
    let mut v6: i8 = (f64::INFINITY as i8);
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 255_u8;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random17(x_i32: &[i32], a_usize: usize, a_u32: u32, a_bool: bool, x_i16: &[i16], y_f32: &mut [f32], a_f32: f32, x_f32: &[f32], x_u64: &[u64]) {
    let mut v0: i32 = x_i32[((a_usize ^ 7_usize) % 12_usize)];
    let mut v1: u64 = (0_u64 << 5_usize).rotate_left((0_u32 * a_u32));
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (a_bool && true)) {
        v2 = (v2 + 1_u32);
        let mut v3: usize = x_i16.len();
    }
    y_f32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (((a_f32 / 1.0_f32) / x_f32[(x_u64.len() % 12_usize)]) + a_f32);
}

#[device_fn]
fn mix_random18(v0: u64, v1: u64) -> u64 {
    (if ((0_u32 << 1_usize) <= (0_u32 as u32)) { 33_u64 } else { 1_u64 })
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random18(a_f64: f64, y_f32: &mut [f32], x_f32: &[f32], y_view_f64: ViewMut<f64, 3>, a_usize: usize, total_u64: &mut [u64], x_view_u64: View<u64, 3>, y_view_i8: ViewMut<i8, 3>, a_bool: bool, a_u64: u64, x_i64: &[i64], x_u8: &[u8], a_f32: f32, y_view_u32: ViewMut<u32, 3>, y_f64: &mut [f64], x_view_f64: View<f64, 1>, total_view_u32: ViewMut<u32, 4>, y_view_i16: ViewMut<i16, 2>) {
    shared!(tile_1: [i64; 64]);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_i8_0 = y_view_i8.extent(0);
    let y_view_i8_1 = y_view_i8.extent(1);
    let y_view_i8_2 = y_view_i8.extent(2);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_u32_2 = y_view_u32.extent(2);
    let total_view_u32_0 = total_view_u32.extent(0);
    let total_view_u32_1 = total_view_u32.extent(1);
    let total_view_u32_2 = total_view_u32.extent(2);
    let total_view_u32_3 = total_view_u32.extent(3);
    let y_view_i16_0 = y_view_i16.extent(0);
    let y_view_i16_1 = y_view_i16.extent(1);
    let mut own_0 = [(4294967295_u32 & 0_u32); 4];
    barrier();
    tile_1[lid(0)] = ((-a_f64) as i64);
    barrier();
    if ((1_u64 - 42_u64) == 0_u64) {
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[(lid(0) % 12_usize)];
        y_view_f64[[lid(0), ((31_usize + 0_usize) % 2_usize), grp(0)]] = ((7_usize % (2_usize - a_usize)) as f64);
    } else {
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && ((-1_i64) > 9223372036854775807_i64)) {
            v0 = (v0 + 1_u32);
            if false {
                break;
            }
            atomic_xor(&mut total_u64[(0_usize % 5_usize)], x_view_u64[[((a_usize | a_usize) % 1_usize), ((lid(0) >> 63_usize) % 1_usize), ((grp(0) | 1_usize) % x_view_u64.extent(2))]]);
            y_view_i8[[lid(0), (x_view_u64.extent(1) % 5_usize), grp(0)]] = ((63_usize as i8) / ((-(-1_i8)) & (if a_bool { 33_i8 } else { 1_i8 })));
        }
        let mut v1: f64 = (-(if false { 0.0_f64 } else { 1e-40_f64 }));
        let mut v2: u64 = (if (v1 <= v1) { (a_u64 * 1_u64) } else { 0_u64 });
    }
    barrier();
    tile_1[lid(0)] = x_i64[((grp(0) << 0_usize) % 12_usize)];
    barrier();
    for v3 in 0_usize..((a_usize % 1_usize) % 70_usize) {
        let mut v4: u8 = x_u8[((0_u16 as usize) % 12_usize)];
    }
    if ((false < true) || (0_i64 < 43_i64)) {
        let mut v5: bool = a_bool;
        for v6 in 0_usize..((1_usize % 1_usize) % 4_usize) {
            let mut v7: u64 = mix_random18((!1_u64), a_f64.to_bits());
        }
    }
    if ((1e-40_f32 % a_f32) >= ((-2.75_f32) * f32::NAN)) {
        if ((a_bool && true) && (1_usize != grp(0))) {
            y_view_u32[[((grp(0) >> a_usize) % y_view_u32_0), lid(0), grp(0)]] = 0_u32;
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_view_f64[[3_usize]];
            atomic_xor(&mut total_view_u32[[(grp(0) % total_view_u32_0), ((a_usize & lid(0)) % 1_usize), (63_usize % total_view_u32_2), (32_usize % total_view_u32_3)]], (33_i16.count_ones() * 1_u32));
        }
        let mut v8: u32 = 0_u32;
        while ((v8 < 3_u32) && (false ^ false)) {
            v8 = (v8 + 1_u32);
            let mut v9: f64 = x_view_f64[[(grp(0) % 4_usize)]];
        }
    } else {
        let mut v10: u64 = mix_random18((33_u64 % 40_u64), 18446744073709551615_u64);
    }
    y_view_i16[[lid(0), grp(0)]] = 32767_i16;
}

#[device_fn]
fn mix_random19(v0: f64, v1: f64) -> f64 {
    ((1_u16 as u32) as f64).floor()
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random19(x_u8: &[u8], y_u32: &mut [u32], a_bool: bool, cell_f32: &mut [f32], y_f32: &mut [f32], x_f32: &[f32], y_i64: &mut [i64], a_i64: i64, a_f32: f32, y_i8: &mut [i8]) {
    shared!(tile_0: [u8; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (if (true || true) { x_u8[4_usize] } else { 25_u8.rem_euclid(2_u8) });
    barrier();
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((if (true || true) { (a_bool as i8) } else { (-i8::MIN) }) as u32);
    for v0 in group_range(((0_usize + 40_usize) % 40_usize)) {
        atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], ((f32::NAN % 0.5_f32) - (-1.0_f32)));
        y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(x_f32[0_usize] + x_f32[((if true { v0 } else { v0 }) % 12_usize)]));
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = a_i64;
    }
    for v1 in group_range(((a_i64 as usize) % 40_usize)) {
        if ((f32::INFINITY < a_f32) || (false && false)) {
            continue;
        }
    }
    y_i8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_i8;
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random20(a_i64: i64, x_u64: &[u64], y_u64: &mut [u64], a_i32: i32, y_f32: &mut [f32], a_bool: bool, a_f32: f32, cell_u64: &mut [u64], y_u32: &mut [u32], x_u32: &[u32], x_u8: &[u8], a_usize: usize, x_f32: &[f32], y_u16: &mut [u16]) {
    shared!(tile_0: [i64; 1]);
    shared!(tile_1: [i32; 1]);
    barrier();
    tile_0[lid(0)] = ((a_i64 + 21_i64) & (2_u16 as i64));
    barrier();
    barrier();
    tile_1[lid(0)] = i32::MIN;
    barrier();
    for v0 in 0_usize..(x_u64.len() % 70_usize) {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[2_usize] - (0_u64 << (-a_i32)));
        if true {
            let mut v1: u64 = 33_u64;
            y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if a_bool { 0.1_f32 } else { a_f32 }).round() - ((33_u8 as f32) + (f32::INFINITY % a_f32)));
            let mut v2: u64 = atomic_exchange(&mut cell_u64[((grp(0) * 1_usize) + lid(0))], ((true ^ a_bool) as u64));
        }
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (!x_u32[5_usize]);
    }
    let mut v3: u8 = group_sum(x_u8[((32_usize ^ 31_usize) % 12_usize)]);
    barrier();
    tile_1[lid(0)] = 1_i32;
    barrier();
    for v4 in group_range(((a_usize >> 0_usize) % 40_usize)) {
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[((0_u16 as usize) % 12_usize)];
        let mut v5: u32 = (0_u32 * x_u32[(a_usize % 12_usize)]);
    }
    y_u16[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 65535_u16;
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random21(cell_f32: &mut [f32], y_i8: &mut [i8], y_i16: &mut [i16], x_i16: &[i16], cell_i32: &mut [i32], x_i32: &[i32], a_usize: usize, y_f64: &mut [f64], x_f64: &[f64], y_u8: &mut [u8], x_u16: &[u16]) {
    if ((255_u8 % 0_u8) != 0_u8.clamp(33_u8, 0_u8)) {
        let mut v0: u32 = 0_u32;
        while ((v0 < 70_u32) && true) {
            v0 = (v0 + 1_u32);
            atomic_add(&mut cell_f32[gid(0)], 1000000000.0_f32);
        }
    } else {
        y_i8[((gid(0) * 2_usize) + 1_usize)] = i8::MIN;
    }
    if ((18446744073709551615_u64 % 2_u64) >= (!0_u64)) {
        y_i16[((gid(0) * 2_usize) + 1_usize)] = (if (x_i16.len() <= 2_usize) { ((if false { (-1_i16) } else { 0_i16 }) / 1_i16) } else { (32767_i16 * 0_i16).div_euclid((2_i16 | 1_i16)) });
    } else {
        y_i8[((gid(0) * 2_usize) + 1_usize)] = (-1_i8);
        atomic_max(&mut cell_i32[gid(0)], x_i32[((a_usize + 0_usize) % 12_usize)].div_euclid(x_i32[4_usize]));
        y_f64[((gid(0) * 2_usize) + 1_usize)] = (if ((43_i32 / i32::MIN) < (-2147483647_i32)) { ((1e-40_f64 % f64::NAN) * 0.0_f64) } else { x_f64[((37_usize | 1_usize) % 12_usize)] });
    }
    y_u8[((gid(0) * 2_usize) + 1_usize)] = ((x_u16.len() * (a_usize >> gid(0))) as u8);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random22(x_u32: &[u32], total_i64: &mut [i64], y_u32: &mut [u32], a_u32: u32, total_i32: &mut [i32], a_usize: usize, x_i32: &[i32], x_f32: &[f32], a_bool: bool, y_i32: &mut [i32], y_i64: &mut [i64], x_i8: &[i8], y_i16: &mut [i16]) {
    shared!(tile_0: [u8; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = 2_u8;
    barrier();
    barrier();
    tile_1[lid(0)] = ((0_i16 as usize) * (!grp(0)));
    barrier();
    if ((0_u32 ^ 4294967295_u32) <= x_u32[(2_usize % 12_usize)]) {
        atomic_add(&mut total_i64[(2_usize % 5_usize)], 0_i64);
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_i64 as u32) - ((1_u32 * 0_u32) + (a_u32 & 0_u32)));
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (0_u64 != 0_u64)) {
            v0 = (v0 + 1_u32);
            atomic_add(&mut total_i32[(a_usize % 5_usize)], ((0_i32 << 7_usize) & x_i32[11_usize]));
            let mut v1: u32 = (x_u32[((63_usize ^ 2_usize) % 12_usize)] + 46_i8.leading_zeros());
            let mut v2: f32 = x_f32[(if false { 2_usize } else { a_usize })];
        }
    }
    if ((false ^ a_bool) || (true || false)) {
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((3e38_f32 % 1000000000.0_f32) as i32) % 33_i32);
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-((-1_i64) + 0_i64)) as i64);
        let mut v3: i8 = group_max(x_i8[(40_usize | grp(0))]);
    }
    let mut v4: u32 = 0_u32;
    while ((v4 < 70_u32) && a_bool) {
        v4 = (v4 + 1_u32);
        if ((if a_bool { 0_u16 } else { 0_u16 }) >= 33_u16.max(0_u16)) {
            let mut v5: i8 = 6_i8;
        } else {
            y_i16[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 2_i16;
        }
        let mut v6: i64 = (if a_bool { (-44_i64) } else { ((-1_i64) ^ 1_i64) });
    }
    y_i16[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-1_i16);
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random23(y_f32: &mut [f32], a_f32: f32, a_i32: i32, a_bool: bool, x_f32: &[f32], x_i32: &[i32], cell_i32: &mut [i32], x_f64: &[f64], y_f64: &mut [f64]) {
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((0.5_f32 + 1e-40_f32) + (f32::NAN + a_f32)) * (-1.0_f32));
    barrier();
    if (a_i32.rotate_left(4294967295_u32) < (33_i32 + 2147483647_i32)) {
        if ((a_bool || a_bool) || true) {
            let mut v0: bool = true;
            let mut v1: f32 = (if ((-2.75_f32) <= a_f32) { x_f32[((if false { 1_usize } else { 2_usize }) % 12_usize)] } else { ((-2.75_f32) - 1.0_f32) });
            let mut v2: i32 = x_i32[4_usize];
        }
        let mut v3: i16 = 0_i16;
    } else {
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (true ^ false)) {
            v4 = (v4 + 1_u32);
            let mut v5: i32 = atomic_max(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((0_i64 as i32) + (!2_i32)));
            let mut v6: f32 = 3e38_f32;
        }
        for v7 in group_range(((grp(0) * 63_usize) % 40_usize)) {
            if (((-0.0_f32) <= 1000000000.0_f32) && (true && false)) {
                break;
            }
            if true {
                continue;
            }
            let mut v8: i16 = (-0_i16).abs();
        }
        let mut v9: i64 = (-(if true { 9223372036854775807_i64 } else { 33_i64 }));
    }
    barrier();
    let mut v10: f64 = x_f64[1_usize];
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((0_i64.trailing_zeros() as f64) % ((54_u8 >> 1_i32) as f64));
}

#[device_fn]
fn mix_random24(v0: i32, v1: i32) -> i32 {
    (v0 - ((!v1) + (!2_i32)))
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random24(a_f64: f64, total_i64: &mut [i64], a_i64: i64, y_i32: &mut [i32], x_i64: &[i64], x_u32: &[u32], y_u32: &mut [u32], cell_f32: &mut [f32], a_f32: f32, y_i8: &mut [i8], y_i16: &mut [i16]) {
    let mut own_0 = [((-2.75_f64) / a_f64); 4];
    for v0 in group_range(((1_usize - grp(0)) % 40_usize)) {
        let mut v1: f64 = ((0.0_f64 % 0.5_f64) / (-1.0_f64));
    }
    atomic_and(&mut total_i64[(lid(0) % 5_usize)], a_i64);
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (-2_i32);
    for v2 in (-2_i32)..((i32::MIN + 2_i32) % 4_i32) {
        let mut v3: u16 = group_max(((0_u16 % 0_u16) * (if true { 0_u16 } else { 0_u16 })));
        if ((a_i64 / a_i64) >= x_i64[(grp(0) % 12_usize)]) {
            let mut v4: usize = x_u32.len();
            barrier();
            let mut v5: f32 = ((a_i64 * 9223372036854775807_i64) as f32);
        }
        for v6 in 1_u32..(y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] % 4_u32) {
            let mut v7: f32 = atomic_add(&mut cell_f32[((grp(0) * 64_usize) + lid(0))], (if (v6 > v6) { (f32::INFINITY % 1.0_f32) } else { (1.0_f32 * a_f32) }));
        }
    }
    if ((1000000000.0_f64 + (-0.0_f64)) == (1e-40_f64 * a_f64)) {
        y_i8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (0_u16 as i8);
        let mut v8: u64 = own_0[((1_usize << 1_u64) % 4_usize)].to_bits();
        v8 = (33_u64 % v8.rem_euclid(0_u64));
    }
    y_i16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-1_i16) + 33_i16) + (if true { 2_i16 } else { (-1_i16) })).signum();
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random25(a_usize: usize, cell_f32: &mut [f32], y_u16: &mut [u16]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = a_usize;
    barrier();
    barrier();
    let mut v0: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0.1_f32);
    y_u16[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((!y_u16[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)]) % (33_u16 | (0_u16 & 20_u16)));
}

#[device_fn]
fn mix_random26(v0: f32, v1: f32) -> f32 {
    (-v1.trunc())
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random26(total_i32: &mut [i32], x_i16: &[i16], x_i32: &[i32], x_u32: &[u32], a_f64: f64, cell_u32: &mut [u32], y_i8: &mut [i8]) {
    atomic_and(&mut total_i32[(x_i16.len() % 5_usize)], x_i32[((2_u16 as usize) % 12_usize)]);
    for v0 in group_range((x_u32.len() % 40_usize)) {
        let mut v1: f64 = a_f64.fract();
        atomic_exchange(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 33_u32);
        let mut v2: f32 = mix_random26(0.5_f32.recip(), 0.1_f32.max(3e38_f32));
    }
    y_i8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((y_i8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] - (if true { 127_i8 } else { 2_i8 })) as i8);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random27(y_i8: &mut [i8], y_u32: &mut [u32], x_u32: &[u32], y_u64: &mut [u64], x_u64: &[u64], x_u16: &[u16], y_i16: &mut [i16]) {
    shared!(tile_0: [i64; 16]);
    barrier();
    tile_0[lid(0)] = (33_i64 / 33_i64).min((i64::MIN | 9223372036854775807_i64));
    barrier();
    y_i8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = y_i8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[(lid(0) - 2_usize)];
    for v0 in group_range(((0.0_f32 as usize) % 40_usize)) {
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u64[((if true { v0 } else { v0 }) % 12_usize)] - ((0_u8 | 0_u8) as u64));
    }
    let mut v1: u16 = x_u16[4_usize];
    let mut v2: bool = ((58_u32 + 1_u32) > (4294967295_u32 + 0_u32));
    y_i16[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (43_i16 + y_i16[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)]);
}

#[kernel(device = cpu, domain = 37)]
fn random28(y_view_i8: ViewMut<i8, 2>, x_i8: &[i8], a_usize: usize, y_i64: &mut [i64], x_i64: &[i64], y_view_i64: ViewMut<i64, 2>) {
    let y_view_i8_0 = y_view_i8.extent(0);
    let y_view_i8_1 = y_view_i8.extent(1);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    y_view_i8[[gid(0), 1_usize]] = (x_i8[((a_usize * a_usize) % 12_usize)] * ((2_i8 % 127_i8) / (i8::MIN + 127_i8)));
    y_i64[((gid(0) * 2_usize) + 0_usize)] = (y_i64[((gid(0) * 2_usize) + 0_usize)] ^ x_i64[(1_usize % 12_usize)]);
    y_view_i64[[gid(0), ((gid(0) - 7_usize) % 5_usize)]] = (-0_i64);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random29(a_i64: i64, x_view_u32: View<u32, 2>, a_u64: u64, y_u8: &mut [u8], x_u8: &[u8], y_view_f32: ViewMut<f32, 2>) {
    shared!(tile_0: [usize; 8]);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_f32_1 = y_view_f32.extent(1);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (1_usize / 2_usize);
    barrier();
    let mut own_1 = [(a_i64 & 0_i64); 4];
    for v0 in 1_u32..(x_view_u32[[((31_usize - 32_usize) % x_view_u32.extent(0)), ((2_usize * lid(1)) % 2_usize)]] % 4_u32) {
        let mut v1: i8 = ((127_i8 % (-1_i8)) & (127_i8 % 33_i8));
        let mut v2: u8 = 33_u8;
    }
    for v3 in group_range(((a_u64 as usize) % 40_usize)) {
        let mut v4: usize = ((31_usize + 1_usize) - (40_usize - v3));
        let mut v5: u16 = 65535_u16;
        y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u8[0_usize];
    }
    y_view_f32[[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)), ((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0))]] = 1000000000.0_f32;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random30(x_view_f64: View<f64, 3>, a_usize: usize, a_f64: f64, x_view_u16: View<u16, 2>, y_u64: &mut [u64], a_bool: bool, y_i8: &mut [i8], x_view_i8: View<i8, 2>, a_u64: u64) {
    shared!(tile_1: [f64; 16]);
    let mut own_0 = [x_view_f64[[(x_view_f64.extent(1) % x_view_f64.extent(0)), ((a_usize & 64_usize) % x_view_f64.extent(1)), ((40_usize + 7_usize) % x_view_f64.extent(2))]]; 4];
    barrier();
    tile_1[lid(0)] = a_f64;
    barrier();
    for v0 in (-2_i32)..((i32::MIN >> 2_usize) % 4_i32) {
        let mut v1: u32 = 23_u32;
    }
    barrier();
    for v2 in group_range(((a_usize * a_usize) % 40_usize)) {
        let mut v3: u16 = x_view_u16[[(v2 % x_view_u16.extent(0)), ((if true { v2 } else { 63_usize }) % x_view_u16.extent(1))]];
        own_0[(v2 % 4_usize)] = (-(a_f64 / 1000000000.0_f64));
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((true ^ a_bool) || (false ^ a_bool)) { (0_u64 * 41_u64.rotate_right(4294967295_u32)) } else { 18446744073709551615_u64 });
    }
    y_i8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((1_i8 >> grp(0)) / x_view_i8[[((2_usize % lid(0)) % 3_usize), ((a_usize ^ lid(0)) % x_view_i8.extent(1))]]) << (if (3e38_f32 >= (-1.0_f32)) { (0_u64 - a_u64) } else { y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] }));
}

#[device_fn]
fn mix_random31(v0: f64, v1: f64) -> f64 {
    (-0.0_f64)
}

#[kernel(device = cpu, domain = 37)]
fn random31(y_i64: &mut [i64], y_view_i32: ViewMut<i32, 2>, y_u64: &mut [u64], x_view_u32: View<u32, 3>) {
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let mut own_0 = [(-33_i16); 4];
    let mut own_1 = [2_i64; 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 70_u32) && false) {
        v0 = (v0 + 1_u32);
        let mut v1: i8 = i8::MIN;
    }
    y_i64[((gid(0) * 2_usize) + 0_usize)] = ((!0_i64) << y_view_i32[[gid(0), ((1_usize % 7_usize) % y_view_i32_1)]]);
    y_u64[((gid(0) * 2_usize) + 0_usize)] = (if false { 59_u64 } else { 18446744073709551615_u64 }).saturating_sub((0_u64 >> 40_usize)).rotate_left(x_view_u32[[(0_usize % 3_usize), 1_usize, 0_usize]]);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random32(x_i64: &[i64], a_usize: usize, a_i32: i32, x_u64: &[u64], total_u32: &mut [u32], y_f32: &mut [f32], a_f32: f32) {
    shared!(tile_0: [i64; 8]);
    shared!(tile_1: [u16; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (x_i64[((64_usize / 32_usize) % 12_usize)] | (2_i64 + 1_i64));
    barrier();
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (2_u16 % 0_u16).saturating_sub((!0_u16));
    barrier();
    let mut v0: bool = ((33_i8 == (-1_i8)) && (33_u32 != 2_u32));
    for v1 in group_range(((a_usize << a_i32) % 40_usize)) {
        let mut v2: bool = (x_u64[(grp(1) % 12_usize)] == 1_u64);
    }
    atomic_min(&mut total_u32[((a_usize & grp(0)) % 5_usize)], 33_u32);
    let mut v3: usize = ((grp(1) << 2_i32) as usize);
    y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = a_f32;
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random33(x_u64: &[u64], a_f64: f64, a_i32: i32, cell_f32: &mut [f32], y_i32: &mut [i32], y_i64: &mut [i64], a_u32: u32, a_usize: usize, x_u32: &[u32], y_i8: &mut [i8], y_f64: &mut [f64]) {
    let mut own_0 = [(0_usize as u64); 4];
    own_0[((gid(0) / gid(1)) % 4_usize)] = x_u64[(65535_u16 as usize)];
    if (false && (false ^ false)) {
        let mut v0: i64 = (a_f64 as i64);
        if true {
            let mut v1: i32 = a_i32;
            let mut v2: f32 = atomic_add(&mut cell_f32[((gid(1) * 5_usize) + gid(0))], 1000000000.0_f32);
            y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (-(y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] as i32));
        }
    }
    for v3 in 1_u32..((0_u32 + a_u32) % 4_u32) {
        own_0[3_usize] = ((0_u64 << a_usize) + (18446744073709551615_u64 / 0_u64));
        let mut v4: u32 = x_u32[0_usize];
    }
    y_i8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 2_i8;
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = 0.0_f64;
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random34(a_u32: u32, cell_i64: &mut [i64], y_i64: &mut [i64], y_u8: &mut [u8], y_u16: &mut [u16], a_usize: usize) {
    shared!(tile_0: [u32; 64]);
    barrier();
    tile_0[lid(0)] = (a_u32 * a_u32);
    barrier();
    barrier();
    barrier();
    let mut v0: i64 = atomic_exchange(&mut cell_i64[((grp(0) * 64_usize) + lid(0))], (y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] - (0_i64 - 1_i64)));
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_u8 - (255_u8.clamp(33_u8, 0_u8) / 1_u8));
    y_u16[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (a_usize as u16);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random35(x_view_i64: View<i64, 2>, a_usize: usize, a_f64: f64, x_u32: &[u32], a_u32: u32, a_f32: f32, y_u8: &mut [u8], a_bool: bool, total_view_i32: ViewMut<i32, 0>, y_view_i64: ViewMut<i64, 6>, x_i32: &[i32], y_i64: &mut [i64], x_u16: &[u16], y_view_i32: ViewMut<i32, 2>) {
    shared!(tile_1: [i64; 8]);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_i64_2 = y_view_i64.extent(2);
    let y_view_i64_3 = y_view_i64.extent(3);
    let y_view_i64_4 = y_view_i64.extent(4);
    let y_view_i64_5 = y_view_i64.extent(5);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let mut own_0 = [0.1_f32; 4];
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = x_view_i64[[((a_usize * 63_usize) % 1_usize), ((2_usize / 63_usize) % 5_usize)]];
    barrier();
    if ((0_u16 as f64) >= ((-1.0_f64) % a_f64)) {
        let mut v0: u32 = (x_u32[((a_usize + 64_usize) % 12_usize)] & (a_u32 >> 18446744073709551615_u64));
    } else {
        for v1 in group_range((2_usize % 40_usize)) {
            own_0[((v1 % lid(0)) % 4_usize)] = ((3e38_f32 + 1.0_f32) + (-a_f32));
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((2_u8 - 0_u8) + (42_u8.max(57_u8) + 0_u8));
        }
    }
    if ((false ^ true) || (a_usize != 64_usize)) {
        if ((a_bool || false) > a_bool) {
            atomic_max(&mut total_view_i32[[]], 63_i32);
        } else {
            let mut v2: i64 = (2_i8 as i64).min(49_i64);
            let mut v3: u64 = 18446744073709551615_u64;
            let mut v4: bool = ((v2 + v2) > y_view_i64[[(y_view_i64_3 % y_view_i64_0), ((lid(1) * 4_usize) + lid(0)), ((if true { 1_usize } else { grp(1) }) % 2_usize), (63_usize % 5_usize), ((grp(1) * 2_usize) + grp(0)), (x_i32.len() % y_view_i64_5)]]);
        }
    } else {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = i64::MIN;
        y_view_i64[[((2_usize << 0_u64) % 3_usize), ((lid(1) * 4_usize) + lid(0)), (x_u16.len() % 2_usize), (7_usize % 5_usize), ((grp(1) * 2_usize) + grp(0)), 0_usize]] = i64::MIN;
    }
    y_view_i32[[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))), ((a_usize / a_usize) % y_view_i32_1)]] = x_i32[((if true { a_usize } else { 32_usize }) % 12_usize)];
}

#[device_fn]
fn mix_random36(v0: u32, v1: u32) -> u32 {
    ((if (2_u8 != 38_u8) { 33_u32 } else { (1_u64 as u32) }) + ((41_u64 as u32) / (if true { v1 } else { v0 })))
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random36(y_f32: &mut [f32], x_f64: &[f64], x_f32: &[f32], cell_view_u32: ViewMut<u32, 1>, a_u32: u32, total_u64: &mut [u64], a_usize: usize, y_view_u16: ViewMut<u16, 1>, x_u16: &[u16]) {
    let cell_view_u32_0 = cell_view_u32.extent(0);
    let y_view_u16_0 = y_view_u16.extent(0);
    let mut own_0 = [(!127_i8); 4];
    y_f32[((gid(0) * 2_usize) + 0_usize)] = 0.0_f32;
    let mut v0: f64 = (x_f64[(x_f32.len() % 12_usize)] % 0.1_f64);
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (i64::MIN <= i64::MIN)) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = atomic_or(&mut cell_view_u32[[gid(0)]], ((a_u32 & 0_u32) * (if false { v1 } else { v1 })));
        atomic_max(&mut total_u64[((37_usize * gid(0)) % 5_usize)], ((0_u64 >> 1_i32) as u64));
        atomic_max(&mut total_u64[((2_usize | a_usize) % 5_usize)], 2_u64);
    }
    y_view_u16[[gid(0)]] = ((if (67_u32 <= 33_u32) { (65535_u16 << 2_i32) } else { (2_u16 - 33_u16) }) / x_u16[((a_usize & 40_usize) % 12_usize)]);
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random37(a_i32: i32, a_u32: u32, y_f32: &mut [f32], a_f32: f32, next_f32: &mut [f32], y_u32: &mut [u32], x_u32: &[u32], a_usize: usize, y_f64: &mut [f64], x_i8: &[i8], y_u8: &mut [u8], x_u8: &[u8], a_bool: bool) {
    shared!(tile_0: [u16; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 33_u16.saturating_sub(43_u16);
    barrier();
    if ((a_i32 + 0_i32) >= (a_u32 as i32)) {
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = a_f32;
        for v0 in (-2_i32)..((a_i32 - 19_i32) % 4_i32) {
            let mut v1: f32 = atomic_add(&mut next_f32[(((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) + 1_usize)], 1000000000.0_f32);
        }
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((!a_u32) % x_u32[(grp(0) % 12_usize)]) ^ ((0_u8 * 0_u8) as u32));
    }
    for v2 in group_range(((a_usize - 2_usize) % 40_usize)) {
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((0.1_f64 - (1.0_f64 / f64::INFINITY)) % (f64::NAN.fract() + (3e38_f64 + (-2.75_f64))));
        if (x_i8.len() < (v2 * lid(0))) {
            break;
        }
    }
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((0_u8 ^ 0_u8) * 0_u8) ^ (x_u8[((2_usize + grp(0)) % 12_usize)] + x_u8[((if a_bool { 0_usize } else { 2_usize }) % 12_usize)]));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random38(x_i16: &[i16], x_i64: &[i64], y_u16: &mut [u16], x_f64: &[f64], y_u32: &mut [u32], a_usize: usize, a_bool: bool, y_f64: &mut [f64]) {
    shared!(tile_0: [i16; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_i16[((if false { 7_usize } else { 40_usize }) % 12_usize)];
    barrier();
    for v0 in 0_usize..(x_i64.len() % 4_usize) {
        y_u16[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_i64[(x_f64.len() % 12_usize)] as u16);
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((1_u32 >> lid(1)) % (9_u32 << 2147483647_i32)) & 1_u32);
    for v1 in group_range(((64_usize * a_usize) % 40_usize)) {
        if ((2_i8 <= 127_i8) || (false || a_bool)) {
            continue;
        }
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(-0.0_f64));
        if ((0_i32 & 0_i32) >= (47_i32 / 33_i32)) {
            continue;
        }
    }
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((0_i16 & 1_i16) * (53_u64 as i16));
    barrier();
    barrier();
    y_u16[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (0_u16 * ((33_u16 / 0_u16) * (0_u16 ^ 0_u16)));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random39(total_i32: &mut [i32], x_i32: &[i32], cell_i64: &mut [i64], y_u32: &mut [u32], x_u64: &[u64], a_usize: usize) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = 15_i32;
    barrier();
    atomic_and(&mut total_i32[((32_usize * 7_usize) % 5_usize)], x_i32[((2_usize ^ lid(0)) % 12_usize)]);
    if ((f64::NAN * f64::NAN) <= (-(-0.0_f64))) {
        atomic_compare_exchange(&mut cell_i64[((grp(0) * 16_usize) + lid(0))], 19_i64, 58_i64);
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((!38_u32) / 4294967295_u32) << (x_u64[((!a_usize) % 12_usize)] + 2_u64));
}
