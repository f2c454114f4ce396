// Random kernels, written by the test `source` of `ringwood-ir` (with RINGWOOD_BLESS=1).

use ringwood::{device_fn, kernel};

#[device_fn]
fn mix_random0(v0: i64, v1: i64) -> i64 {
    (v1 % (0_i64 << 0_i32)).pow(1_u32)
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random0(cell_i64: &mut [i64], x_i64: &[i64], a_usize: usize, y_u8: &mut [u8], x_u8: &[u8], x_u64: &[u64], cell_i32: &mut [i32], a_i64: i64, x_i32: &[i32], y_i64: &mut [i64], y_f32: &mut [f32], a_f64: f64, x_f32: &[f32]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 70_u32) && (2_u64 <= 0_u64)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (false > true)) {
            v1 = (v1 + 1_u32);
            let mut v2: i64 = atomic_add(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], x_i64[((!a_usize) % 12_usize)].saturating_add((-9223372036854775807_i64)));
            y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u8[(x_u64.len() % 12_usize)] + (x_u8[((64_usize / grp(0)) % 12_usize)] | x_u8[((!63_usize) % 12_usize)]));
            let mut v3: i32 = atomic_min(&mut cell_i32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], ((2147483647_i32 + 2147483647_i32) / (0_i32 / 33_i32)));
        }
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (1_u8 < 2_u8)) {
            v4 = (v4 + 1_u32);
            let mut v5: u8 = (!1_u8);
            if false {
                continue;
            }
            let mut v6: i64 = mix_random0((a_i64 - a_i64), (i64::MIN % i64::MIN));
        }
        if (grp(0) > (0_usize / a_usize)) {
            let mut v7: i32 = 1_i32;
            v7 = x_i32[((grp(1) * 2_usize) % 12_usize)];
        } else {
            let mut v8: i64 = 2_i64;
        }
    }
    for v9 in group_range((64_usize % 40_usize)) {
        if true {
            break;
        }
    }
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (i64::MIN - (if false { (if true { 0_i64 } else { a_i64 }) } else { x_i64[(grp(1) % 12_usize)] }));
    barrier();
    let mut v10: f32 = group_sum((3e38_f32 / (-(-2.75_f32))));
    y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((-v10) % (a_f64 as f32)) + ((1_u64 as f32) + x_f32[6_usize]));
}

#[device_fn]
fn mix_random1(v0: i64, v1: i64) -> i64 {
    v0
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random1(a_i64: i64, y_f64: &mut [f64], a_usize: usize, y_u64: &mut [u64], a_u64: u64, x_u64: &[u64], next_f32: &mut [f32], x_f32: &[f32], a_u32: u32, x_u32: &[u32], x_i64: &[i64], total_u64: &mut [u64], x_i32: &[i32], y_f32: &mut [f32]) {
    shared!(tile_0: [i64; 8]);
    barrier();
    tile_0[lid(0)] = (-(48_i64 * a_i64));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false && false)) {
        v0 = (v0 + 1_u32);
        if ((false ^ true) ^ (1_u64 < 0_u64)) {
            let mut v1: u8 = ((1_u8 % 0_u8) - 12_u8);
        } else {
            y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (0.0_f64 - ((-0.5_f64) * (3e38_f64 - 0.0_f64)));
        }
        for v2 in 0_usize..(a_usize % 4_usize) {
            y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u64 % 2_u64) + (2_u64 | a_u64)) + x_u64[((v2 + 3_usize) % 12_usize)]);
            if true {
                continue;
            }
        }
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (63_usize < 3_usize)) {
            v3 = (v3 + 1_u32);
            let mut v4: f32 = atomic_add(&mut next_f32[(((grp(0) * 8_usize) + lid(0)) + 1_usize)], x_f32[((0_usize >> a_usize) % 12_usize)]);
            let mut v5: bool = ((0_u32 | a_u32) >= x_u32[6_usize]);
            let mut v6: i64 = mix_random1(x_i64[8_usize], (if true { 9223372036854775807_i64 } else { 33_i64 }));
        }
    }
    barrier();
    atomic_add(&mut total_u64[(x_i32.len() % 5_usize)], ((33_u64 / 1_u64) * (0_u64 ^ 18446744073709551615_u64)));
    if ((4294967295_u32 > 0_u32) || (0_u64 < 1_u64)) {
        let mut v7: i64 = 9223372036854775807_i64;
    }
    y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(x_f32[((40_usize * a_usize) % 12_usize)] / f32::INFINITY));
}

#[device_fn]
fn mix_random2(v0: usize, v1: usize) -> usize {
    (((if true { 40_usize } else { v0 }) ^ 63_usize) << (0_u64 >> (if true { 33_i32 } else { i32::MIN })))
}

#[kernel(device = cpu, domain = (3, 5))]
fn random2(y_view_f64: ViewMut<f64, 6>, x_view_f32: View<f32, 6>, x_i64: &[i64], y_f64: &mut [f64], x_view_f64: View<f64, 3>, a_usize: usize) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_f64_3 = y_view_f64.extent(3);
    let y_view_f64_4 = y_view_f64.extent(4);
    let y_view_f64_5 = y_view_f64.extent(5);
    y_view_f64[[((7_usize % 1_usize) % y_view_f64_0), gid(1), (32_usize % y_view_f64_2), gid(0), (7_usize % 2_usize), (y_view_f64_1 % y_view_f64_5)]] = (x_view_f32[[(gid(1) % x_view_f32.extent(0)), (x_view_f32.extent(1) % x_view_f32.extent(1)), (0_u32 as usize), 1_usize, (x_i64.len() % 3_usize), ((gid(0) % gid(1)) % x_view_f32.extent(5))]].round_ties_even() as f64);
    let mut v0: usize = mix_random2((gid(0) % gid(1)), (0.1_f64 as usize));
    for v1 in 0_usize..((5_usize | gid(1)) % 4_usize) {
        let mut v2: usize = mix_random2(v1, 7_usize);
        let mut v3: f64 = ((2_i64 as f64) * f64::from_bits(5_u64));
    }
    let mut v4: usize = y_view_f64_2;
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_view_f64[[((v4 + a_usize) % x_view_f64.extent(0)), (x_view_f64.extent(0) % x_view_f64.extent(1)), ((if true { v0 } else { 7_usize }) % 3_usize)]];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random3(x_i32: &[i32], y_view_i32: ViewMut<i32, 4>) {
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_i32_2 = y_view_i32.extent(2);
    let y_view_i32_3 = y_view_i32.extent(3);
    let mut own_0 = [i32::MIN; 4];
    let mut v0: u32 = group_sum(4294967295_u32);
    own_0[(0_usize % 4_usize)] = x_i32[((2_usize ^ grp(0)) % 12_usize)];
    barrier();
    y_view_i32[[grp(1), lid(1), lid(0), grp(0)]] = (2_i32 - (own_0[(2_usize % 4_usize)] | (if true { (-1_i32) } else { 2147483647_i32 })));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random4(a_usize: usize, y_i64: &mut [i64], a_i64: i64, a_bool: bool, y_i32: &mut [i32], y_u8: &mut [u8], total_i64: &mut [i64], x_f64: &[f64], a_u64: u64, y_u32: &mut [u32], x_u32: &[u32], x_i64: &[i64], x_u8: &[u8], y_u64: &mut [u64], a_u32: u32, x_f32: &[f32], cell_i64: &mut [i64], x_u64: &[u64]) {
    for v0 in 0_usize..((7_usize / a_usize) % 4_usize) {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((2_i64.trailing_zeros() as i64) / ((-9223372036854775807_i64) / 66_i64.rem_euclid(a_i64)));
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (false ^ a_bool)) {
            v1 = (v1 + 1_u32);
            let mut v2: i64 = group_sum((-(if true { 9223372036854775807_i64 } else { a_i64 })));
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 1_i32;
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((if true { v2 } else { v2 }) / (0_i64 * v2)) as u8);
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && false) {
        v3 = (v3 + 1_u32);
        if ((0_u64 >> 33_u64) >= (2_u64 ^ 2_u64)) {
            atomic_min(&mut total_i64[(1_usize % 5_usize)], ((9223372036854775807_i64 | 0_i64) & (-13_i64)));
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = a_i64;
        }
        let mut v4: f64 = x_f64[((a_usize / a_usize) % 12_usize)];
    }
    if ((2147483647_i32 <= 33_i32) || (a_u64 != 51_u64)) {
        if (a_bool > (33_i64 >= 33_i64)) {
            let mut v5: f64 = (f64::NAN + f64::INFINITY).round_ties_even();
            let mut v6: u64 = 1_u64;
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u32[4_usize];
        } else {
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((0_i64 - 9223372036854775807_i64) % (-33_i64)) + x_i64[(x_u8.len() % 12_usize)]);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((f64::NAN as u64) >> a_usize) % 33_u64);
            let mut v7: u32 = ((50_u32 >> 0_usize) - (33_u32 * a_u32));
        }
    }
    if ((f32::INFINITY == 0.5_f32) ^ (0_u8 < 0_u8)) {
        let mut v8: u32 = group_max(((1_u8 >> a_usize) as u32));
        if ((0_u8 != 0_u8) ^ (0_u64 > a_u64)) {
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u8[(x_f32.len() % 12_usize)];
            let mut v9: u8 = (255_u8 >> (0.1_f64 as usize));
        } else {
            barrier();
        }
    }
    for v10 in 0_usize..((63_usize * a_usize) % 4_usize) {
        for v11 in 0_usize..((v10 % v10) % 4_usize) {
            atomic_compare_exchange(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 2_i64.rotate_right((a_u32 / 4294967295_u32)), (46_i64 - 28_i64));
        }
        let mut v12: bool = ((a_u32 % 2_u32) <= 0_u32);
        let mut v13: u64 = x_u64[((2_usize << v10) % 12_usize)];
    }
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if (x_f64[((grp(0) << a_u64) % 12_usize)] != 1e-40_f64) { (-(2_i32 + 1_i32)) } else { (if (2_i64 > 1_i64) { 2_i32 } else { 2_i32 }) });
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random5(a_f32: f32, a_usize: usize, y_f64: &mut [f64], x_f64: &[f64], x_u8: &[u8], a_i32: i32, a_bool: bool, y_u32: &mut [u32], x_u32: &[u32], cell_u64: &mut [u64], a_u64: u64, a_f64: f64) {
    shared!(tile_0: [f64; 8]);
    shared!(tile_1: [f32; 8]);
    barrier();
    tile_0[lid(0)] = ((if false { f64::INFINITY } else { 0.0_f64 }) / f64::from_bits(0_u64));
    barrier();
    barrier();
    tile_1[lid(0)] = (a_f32.round_ties_even() % ((-2.75_f32) * 1e-40_f32));
    barrier();
    for v0 in group_range(((grp(0) / a_usize) % 40_usize)) {
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[(x_u8.len() % 12_usize)];
        let mut v1: i32 = (30_i32 % (v0 as i32));
    }
    for v2 in (-2_i32)..((!a_i32) % 4_i32) {
        let mut v3: usize = grp(0);
        let mut v4: u8 = group_max((x_u8[((if true { a_usize } else { v3 }) % 12_usize)] - 33_u8));
    }
    for v5 in group_range(((a_bool as usize) % 40_usize)) {
        y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[((a_usize - v5) % 12_usize)];
        let mut v6: u64 = ((true as u64) + (0_u64 % 18446744073709551615_u64));
    }
    for v7 in 1_u32..(12_u32 % 4_u32) {
        let mut v8: f32 = ((1.0_f64 as f32) % 1.0_f32);
        let mut v9: u64 = atomic_min(&mut cell_u64[((grp(0) * 8_usize) + lid(0))], a_u64);
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = a_f64;
}

#[device_fn]
fn mix_random6(v0: i64, v1: i64) -> i64 {
    (((v0 | v0) | 9223372036854775807_i64) / i64::MIN)
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random6(x_u64: &[u64], y_u64: &mut [u64], a_f64: f64, a_i32: i32, x_u32: &[u32], x_u8: &[u8], x_f32: &[f32], total_u64: &mut [u64], a_bool: bool, x_i64: &[i64], a_usize: usize, a_u32: u32, a_u64: u64) {
    for v0 in group_range((x_u64.len() % 40_usize)) {
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (a_f64.signum() > (1000000000.0_f64 / a_f64)) { ((0_u64 >> a_i32) % 1_u64) } else { (x_u32[((v0 >> 0_u64) % 12_usize)] as u64) });
    }
    let mut v1: u8 = ((33_u8 * 255_u8) | x_u8[6_usize]);
    let mut v2: usize = (!x_f32.len());
    if (2_u64.saturating_add(1_u64) <= 2_u64) {
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && false) {
            v3 = (v3 + 1_u32);
            let mut v4: u8 = v1;
            atomic_and(&mut total_u64[1_usize], ((v1 > v1) as u64));
        }
        let mut v5: u32 = group_sum((if (false || false) { (64_u32 << v2) } else { (0_u32 / 0_u32) }));
        let mut v6: i64 = (if (a_bool && true) { x_i64[((0_usize >> 2_usize) % 12_usize)] } else { (1_i64 * 33_i64) });
    } else {
        for v7 in (-2_i32)..((a_usize as i32) % 4_i32) {
            let mut v8: u32 = (1_u32 ^ a_u32).min((if false { 0_u32 } else { 0_u32 }));
            let mut v9: u64 = (if (true || a_bool) { (33_u64 * 18446744073709551615_u64) } else { f64::INFINITY.to_bits() });
        }
        v1 = x_u8[9_usize];
        for v10 in 0_usize..((32_usize as usize) % 4_usize) {
            atomic_and(&mut total_u64[(x_u32.len() % 5_usize)], ((0_u64 / a_u64) * (17_u64 ^ 0_u64)));
        }
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[(v2 % 12_usize)] | ((0_u64 | 18446744073709551615_u64) % (33_u64 & 33_u64)));
}

#[device_fn]
fn mix_random7(v0: i64, v1: i64) -> i64 {
    v1
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random7(a_u64: u64, y_u8: &mut [u8], x_u8: &[u8], a_usize: usize, x_i64: &[i64], total_u32: &mut [u32], y_u32: &mut [u32], a_u32: u32, x_u32: &[u32]) {
    let mut own_0 = [((-1.0_f64) * (-0.0_f64)); 4];
    let mut own_1 = [(43_u64 ^ a_u64); 4];
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((0.5_f64 as u8).max((2_u8 + 1_u8)) - x_u8[((a_usize - 2_usize) % 12_usize)]);
    let mut v0: usize = ((0_usize % 2_usize) + (7_usize + a_usize));
    barrier();
    let mut v1: u8 = (x_i64[(2_usize % 12_usize)] as u8);
    atomic_add(&mut total_u32[((v0 % v0) % 5_usize)], (y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] % (4294967295_u32 % 33_u32)));
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_u32 + x_u32[((v0 % 40_usize) % 12_usize)]);
}

#[device_fn]
fn mix_random8(v0: usize, v1: usize) -> usize {
    ((v1 | (v1 | 3_usize)) as usize)
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random8(a_u64: u64, total_i32: &mut [i32], y_u64: &mut [u64], x_u64: &[u64], y_i64: &mut [i64]) {
    shared!(tile_0: [u64; 1]);
    shared!(tile_1: [f64; 1]);
    barrier();
    tile_0[lid(0)] = ((33_u64 | 0_u64) / (2_u64 % a_u64));
    barrier();
    barrier();
    tile_1[lid(0)] = (-(f64::INFINITY + 0.1_f64));
    barrier();
    barrier();
    atomic_max(&mut total_i32[((7_usize % 64_usize) % 5_usize)], (1_i32 >> (18446744073709551615_u64 & 0_u64)));
    barrier();
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[((2_u32 as usize) % 12_usize)] / ((57_u64 >> 33_i32) + (2_u64 * 0_u64)));
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_i64;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random9(a_i32: i32, a_bool: bool, total_view_i64: ViewMut<i64, 1>, a_usize: usize, x_u8: &[u8], y_u32: &mut [u32], x_u32: &[u32], y_view_u32: ViewMut<u32, 1>, a_u32: u32, y_view_f64: ViewMut<f64, 2>, x_u64: &[u64], y_view_i32: ViewMut<i32, 3>, x_i64: &[i64], x_i32: &[i32], y_f32: &mut [f32], x_f32: &[f32]) {
    shared!(tile_0: [i32; 64]);
    shared!(tile_1: [i64; 64]);
    let total_view_i64_0 = total_view_i64.extent(0);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_i32_2 = y_view_i32.extent(2);
    barrier();
    tile_0[lid(0)] = a_i32;
    barrier();
    barrier();
    tile_1[lid(0)] = (if a_bool { 15_i64 } else { 33_i64 }).abs();
    barrier();
    atomic_or(&mut total_view_i64[[((32_usize * 7_usize) % total_view_i64_0)]], (if ((-1_i64) < i64::MIN) { ((-1_i64) * i64::MIN) } else { 2_i64.clamp((-1_i64), 33_i64) }));
    for v0 in 0_usize..(a_usize % 4_usize) {
        let mut v1: i64 = group_sum(((if a_bool { i64::MIN } else { 1_i64 }) * ((-1_i64) - 1_i64)));
        let mut v2: u8 = (0_u8 & x_u8[((!v0) % 12_usize)]);
        let mut v3: bool = ((false && false) ^ (v0 != a_usize));
    }
    if (a_bool && true) {
        y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u32[((0.5_f32 as usize) % 12_usize)];
        y_view_u32[[((grp(0) * 64_usize) + lid(0))]] = (((34_u32 * 4294967295_u32) * (4294967295_u32 - 4294967295_u32)) ^ ((33_u32 / a_u32) | (1_u32 | 0_u32)));
        let mut v4: f64 = ((-0.0_f64) * 3e38_f64).fract();
    }
    y_view_f64[[((a_usize * lid(0)) % 4_usize), ((grp(0) * 64_usize) + lid(0))]] = 1e-40_f64.div_euclid((if (false < false) { (3e38_f64 as f64) } else { y_view_f64[[((a_usize + a_usize) % y_view_f64_0), ((grp(0) * 64_usize) + lid(0))]] }));
    if ((1_usize - 63_usize) <= x_u64.len()) {
        for v5 in (-2_i32)..((i32::MIN / a_i32) % 4_i32) {
            let mut v6: i64 = (if false { (0_i64 & 2_i64) } else { (true as i64) });
            y_view_i32[[grp(0), lid(0), (x_i64.len() % y_view_i32_2)]] = x_i32[(1_usize % 12_usize)];
        }
        y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (true ^ false) { (1_u32 << (16_u64 & 18446744073709551615_u64)) } else { x_u32[(32_usize % 12_usize)] });
    }
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((x_f32[((1_usize | grp(0)) % 12_usize)] as f32) / (if (a_u32 == a_u32) { (0.0_f32 * 0.1_f32) } else { (3e38_f32 as f32) }));
}

#[device_fn]
fn mix_random10(v0: u32, v1: u32) -> u32 {
    ((2_u32 >> (31_usize - 31_usize)) * v0)
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random10(x_i64: &[i64], a_i64: i64, a_usize: usize, a_u32: u32, x_u32: &[u32], total_u32: &mut [u32], a_bool: bool, y_u64: &mut [u64], a_u64: u64, x_u64: &[u64]) {
    if (x_i64[((3_usize / 7_usize) % 12_usize)] != (if true { a_i64 } else { 2_i64 })) {
        let mut v0: i32 = 33_i32;
    }
    for v1 in (-2_i32)..((if false { 33_i32 } else { 1_i32 }) % 4_i32) {
        for v2 in group_range(((grp(1) * a_usize) % 40_usize)) {
            let mut v3: u32 = mix_random10((4294967295_u32 | a_u32), x_u32[(v2 % 12_usize)]);
        }
        let mut v4: u32 = 0_u32;
        while ((v4 < 70_u32) && (a_i64 == a_i64)) {
            v4 = (v4 + 1_u32);
            let mut v5: f32 = (i64::MIN as f32).div_euclid((-2.75_f32));
            atomic_or(&mut total_u32[((64_usize + a_usize) % 5_usize)], (if (a_bool && true) { (a_u32 / 4294967295_u32) } else { (0_u32 / v4) }));
        }
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_u64 % x_u64[(x_i64.len() % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random11(a_usize: usize, x_view_i32: View<i32, 2>, x_f64: &[f64], y_f32: &mut [f32], x_view_f32: View<f32, 4>, x_u64: &[u64]) {
    let mut own_0 = [lid(0); 4];
    let mut v0: bool = ((0_u8 > 1_u8) && (63_usize != a_usize));
    let mut v1: i32 = group_min((if (0_u64 == 18446744073709551615_u64) { (!i32::MIN) } else { x_view_i32[[((if v0 { lid(1) } else { grp(0) }) % 5_usize), (x_f64.len() % 3_usize)]] }));
    own_0[(lid(1) % 4_usize)] = ((0_u32 + 33_u32) as usize);
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (0_i64 > (-1_i64))) {
        v2 = (v2 + 1_u32);
        for v3 in 1_u32..(v2 % 70_u32) {
            let mut v4: u8 = group_min(0_u8);
        }
        for v5 in group_range(((a_usize / a_usize) % 40_usize)) {
            own_0[1_usize] = (if (v0 && true) { (grp(1) * a_usize) } else { 2_usize });
            let mut v6: u8 = 33_u8;
        }
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((lid(1) >> (-1_i32)) <= (31_usize ^ 2_usize)) { x_view_f32[[(x_u64.len() % x_view_f32.extent(0)), ((if v0 { 2_usize } else { grp(0) }) % 2_usize), ((2_usize ^ 40_usize) % x_view_f32.extent(2)), (a_usize % 3_usize)]] } else { (-1.0_f32) });
}

#[device_fn]
fn mix_random12(v0: u32, v1: u32) -> u32 {
    (1_u32 & (if (false && true) { (4294967295_u32 & v1) } else { (v1 * 2_u32) }))
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random12(y_u8: &mut [u8]) {
    barrier();
    let mut v0: f64 = 0.0_f64;
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((0_u8 ^ 2_u8) % (0_u8 / 0_u8)) + 0_u8);
}

#[device_fn]
fn mix_random13(v0: f32, v1: f32) -> f32 {
    0.1_f32
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random13(a_usize: usize, a_bool: bool, a_u64: u64, total_i32: &mut [i32], next_u32: &mut [u32], x_u32: &[u32], x_i32: &[i32], cell_i32: &mut [i32], a_f32: f32, x_i64: &[i64], y_u8: &mut [u8], y_i64: &mut [i64], a_i64: i64, y_u32: &mut [u32], x_u64: &[u64], total_u32: &mut [u32], x_f32: &[f32], y_i32: &mut [i32], total_i64: &mut [i64]) {
    shared!(tile_1: [usize; 64]);
    let mut own_0 = [(33_u64 / 2_u64); 4];
    barrier();
    tile_1[lid(0)] = a_usize;
    barrier();
    for v0 in 0_usize..(a_usize % 4_usize) {
        if (2_u64.rem_euclid(2_u64) >= (33_u64 * 61_u64)) {
            let mut v1: bool = a_bool;
            let mut v2: f64 = 1e-40_f64;
        }
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (27_u64 > a_u64)) {
            v3 = (v3 + 1_u32);
            let mut v4: u64 = 0_u64;
            atomic_add(&mut total_i32[((if false { v0 } else { v0 }) % 5_usize)], ((v4 % v4) as i32));
            atomic_max(&mut next_u32[(((grp(0) * 64_usize) + lid(0)) + 1_usize)], v3);
        }
    }
    for v5 in 1_u32..(x_u32[((1_usize & 1_usize) % 12_usize)] % 4_u32) {
        barrier();
        if false {
            atomic_add(&mut total_i32[1_usize], x_i32[4_usize]);
            atomic_or(&mut cell_i32[((grp(0) * 64_usize) + lid(0))], x_i32[(63_usize % 12_usize)]);
            let mut v6: f32 = mix_random13((a_f32 + 1.0_f32), (-(-2.75_f32)));
        }
    }
    let mut v7: u32 = 0_u32;
    while ((v7 < 3_u32) && (true ^ false)) {
        v7 = (v7 + 1_u32);
        if ((-0_i64) < x_i64[(3_usize % 12_usize)]) {
            y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((2_u8 + 2_u8) / (1_u8 + 62_u8)) % 255_u8);
        } else {
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i64[(lid(0) % 12_usize)] + (0_i64 - (a_i64 as i64)));
            let mut v8: u8 = (2_u8 ^ 0_u8).rotate_right(y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)]);
            for v9 in group_range((grp(0) % 40_usize)) {
                let mut v10: usize = x_u64.len();
                if ((a_i64 % 1_i64) < 0_i64.rem_euclid(a_i64)) {
                    break;
                }
            }
        }
        let mut v11: u32 = 0_u32;
        while ((v11 < 70_u32) && false) {
            v11 = (v11 + 1_u32);
            atomic_or(&mut total_u32[((1_usize / 7_usize) % 5_usize)], x_u32[tile_1[(lid(0) | lid(0))]]);
            barrier();
            tile_1[lid(0)] = 40_usize;
            barrier();
            barrier();
            tile_1[lid(0)] = ((7_usize % 31_usize) - (grp(0) + a_usize));
            barrier();
        }
        for v12 in group_range(((0_usize << 1_usize) % 40_usize)) {
            let mut v13: u8 = ((0_u8 - 1_u8) % (1_u8 / 2_u8));
            let mut v14: f32 = mix_random13((0.5_f32 % f32::INFINITY), x_f32[((v12 + v12) % 12_usize)]);
            let mut v15: i32 = (-((-1_i32) | 33_i32));
        }
    }
    if (((-0.0_f64) < f64::INFINITY) && (a_usize <= 64_usize)) {
        let mut v16: i32 = (33_i32 + (if false { 1_i32 } else { 29_i32 }));
    } else {
        barrier();
        tile_1[lid(0)] = ((31_usize + 1_usize) ^ lid(0));
        barrier();
        y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 33_i32;
    }
    atomic_and(&mut total_i64[(tile_1[(a_usize % 64_usize)] % 5_usize)], ((20_i64 & 0_i64) / (33_i64 * i64::MIN)));
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (lid(0) > 64_usize) { (1_i64 * 1_i64) } else { (a_i64 ^ a_i64) }).clamp(0_i64, x_i64[(1_usize % 12_usize)]);
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random14(a_u64: u64, a_i32: i32, cell_i64: &mut [i64], y_i64: &mut [i64], y_f32: &mut [f32], x_f32: &[f32]) {
    shared!(tile_1: [u64; 8]);
    let mut own_0 = [(if false { 1.0_f64 } else { f64::NAN }); 4];
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = a_u64;
    barrier();
    let mut v0: i32 = (39_i32.clamp(33_i32, 33_i32) - a_i32);
    let mut v1: i64 = atomic_add(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)]);
    y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f32[6_usize];
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random15(a_usize: usize, x_i32: &[i32], y_u64: &mut [u64], x_view_u64: View<u64, 0>, a_u32: u32, a_bool: bool, a_i64: i64, cell_view_u32: ViewMut<u32, 5>, y_view_u32: ViewMut<u32, 1>, y_f64: &mut [f64], a_f64: f64, y_view_i64: ViewMut<i64, 1>) {
    let cell_view_u32_0 = cell_view_u32.extent(0);
    let cell_view_u32_1 = cell_view_u32.extent(1);
    let cell_view_u32_2 = cell_view_u32.extent(2);
    let cell_view_u32_3 = cell_view_u32.extent(3);
    let cell_view_u32_4 = cell_view_u32.extent(4);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_i64_0 = y_view_i64.extent(0);
    for v0 in 0_usize..((a_usize - 31_usize) % 4_usize) {
        for v1 in 0_usize..(x_i32.len() % 4_usize) {
            y_u64[((gid(0) * 2_usize) + 1_usize)] = x_view_u64[[]];
        }
        if ((4294967295_u32 + a_u32) > a_u32) {
            if (a_bool && (a_i64 >= (-1_i64))) {
                continue;
            }
            let mut v2: i64 = (-(-1_i64));
            let mut v3: u32 = atomic_exchange(&mut cell_view_u32[[gid(0), 1_usize, (cell_view_u32_4 % 2_usize), ((v0 % v0) % 1_usize), 0_usize]], (0_u32 + (1_u32 / 0_u32)));
        } else {
            y_view_u32[[gid(0)]] = (if a_bool { (!a_u32) } else { 2_u32 });
        }
    }
    y_f64[((gid(0) * 2_usize) + 1_usize)] = (if ((4294967295_u32 * a_u32) == 0_u32.pow(0_u32)) { (0_u32.trailing_zeros() as f64) } else { ((a_f64 * 3e38_f64) - (0.1_f64 % (-2.75_f64))) });
    let mut v4: u8 = (a_f64.max(1000000000.0_f64) as u8);
    for v5 in 1_u32..(a_u32 % 4_u32) {
        if a_bool {
            continue;
        }
    }
    y_view_i64[[gid(0)]] = (if (a_usize == 63_usize) { (0_i64 & a_i64) } else { (2_i64 * 0_i64) }).abs();
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random16(y_u8: &mut [u8], x_i64: &[i64], a_bool: bool, a_usize: usize, x_u8: &[u8], y_i32: &mut [i32], x_i32: &[i32], x_view_i32: View<i32, 4>, a_i32: i32, cell_f32: &mut [f32], cell_view_u32: ViewMut<u32, 6>, a_u64: u64) {
    let cell_view_u32_0 = cell_view_u32.extent(0);
    let cell_view_u32_1 = cell_view_u32.extent(1);
    let cell_view_u32_2 = cell_view_u32.extent(2);
    let cell_view_u32_3 = cell_view_u32.extent(3);
    let cell_view_u32_4 = cell_view_u32.extent(4);
    let cell_view_u32_5 = cell_view_u32.extent(5);
    let mut own_0 = [(grp(0) / grp(0)); 4];
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u8 + 0_u8) / 2_u8) >> x_i64.len());
    for v0 in 1_u32..((a_bool as u32) % 70_u32) {
        own_0[(grp(0) % 4_usize)] = own_0[3_usize];
    }
    for v1 in group_range(((a_usize | grp(0)) % 40_usize)) {
        own_0[(v1 % 4_usize)] = v1;
        let mut v2: usize = (v1 - x_u8.len());
    }
    if ((a_bool < true) || (true || true)) {
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if false { x_i32[((grp(0) - grp(0)) % 12_usize)] } else { (x_view_i32[[(31_usize % x_view_i32.extent(0)), ((1_usize ^ 2_usize) % 5_usize), 2_usize, 2_usize]] - (a_i32 >> 0_u64)) });
        let mut v3: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], (if false { (-2.75_f32) } else { 0.5_f32 }).round_ties_even());
        if false {
            atomic_or(&mut cell_view_u32[[lid(0), ((2_usize as usize) % cell_view_u32_1), ((32_usize * 2_usize) % cell_view_u32_2), (lid(0) % cell_view_u32_3), (grp(0) / lid(0)), grp(0)]], 4294967295_u32);
            own_0[3_usize] = lid(0);
            let mut v4: u64 = 18446744073709551615_u64.min((2_u64 % a_u64));
        }
    }
    let mut v5: u8 = group_sum(((if true { 2_u8 } else { 33_u8 }) * (1_u32 as u8)));
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((v5 >> a_u64) << (1_i32 & 35_i32)) >> (a_u64.clamp(48_u64, a_u64) / (33_u64 as u64)));
}

#[kernel(device = cpu, domain = (3, 5))]
fn random17(x_i64: &[i64], a_usize: usize, a_f32: f32, y_u8: &mut [u8], a_bool: bool, y_i64: &mut [i64], a_u32: u32, x_i32: &[i32]) {
    let mut v0: i64 = x_i64[((a_usize ^ 7_usize) % 12_usize)];
    let mut v1: f32 = (a_f32 / a_f32).signum();
    y_u8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (((if a_bool { a_usize } else { 3_usize }) - a_usize) as u8);
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (if true { ((a_u32 as i64) - (i64::MIN / 2_i64)) } else { (x_i32.len() as i64) });
}

#[device_fn]
fn mix_random18(v0: u64, v1: u64) -> u64 {
    (if ((0_u32 << 1_usize) <= (0.0_f64 as u32)) { ((1_u64 * v0) & 0_u64) } else { v1 })
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random18(a_i32: i32, a_bool: bool, a_u64: u64, y_u64: &mut [u64], x_u64: &[u64], a_usize: usize, x_view_u64: View<u64, 1>, next_u64: &mut [u64], y_view_f32: ViewMut<f32, 1>, x_view_f32: View<f32, 2>) {
    let y_view_f32_0 = y_view_f32.extent(0);
    if ((a_i32 >= i32::MIN) || a_bool) {
        let mut v0: u64 = mix_random18((0_u64 % 0_u64), (a_u64 & 0_u64));
        y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[(lid(0) % 12_usize)];
    } else {
        let mut v1: bool = ((1_usize > a_usize) > (a_bool || false));
        for v2 in (-2_i32)..(33_i32 % 4_i32) {
            let mut v3: u64 = mix_random18((0_u64 & 33_u64), (1_u64 ^ 0_u64));
            v3 = x_view_u64[[1_usize]];
            atomic_and(&mut next_u64[(((grp(0) * 64_usize) + lid(0)) + 1_usize)], ((0_u64 / 18446744073709551615_u64) << (-v2)));
        }
    }
    for v4 in group_range((a_usize % 40_usize)) {
        let mut v5: i64 = (2_i64 - (1_u8 as i64));
    }
    let mut v6: u64 = 65_u64;
    y_view_f32[[((grp(0) * 64_usize) + lid(0))]] = x_view_f32[[((lid(0) / a_usize) % x_view_f32.extent(0)), ((32_usize & a_usize) % 2_usize)]];
}

#[device_fn]
fn mix_random19(v0: f64, v1: f64) -> f64 {
    ((1_u8 as f32) as f64).floor()
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random19(x_u64: &[u64], a_bool: bool, x_i64: &[i64], y_u32: &mut [u32], x_u32: &[u32], a_u32: u32) {
    shared!(tile_0: [u64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (if (true || true) { x_u64[4_usize] } else { 25_u64.clamp(2_u64, 33_u64) });
    barrier();
    let mut v0: bool = ((1000000000.0_f64 > 1.0_f64) && a_bool);
    let mut v1: f64 = mix_random19((-1.0_f64), 3e38_f64);
    for v2 in 0_usize..(40_usize % 4_usize) {
        for v3 in group_range(((v2 - v2) % 40_usize)) {
            let mut v4: f64 = mix_random19((-v1), v1.mul_add(v1, f64::INFINITY));
        }
        let mut v5: i64 = x_i64[3_usize];
        for v6 in group_range(((0.5_f64 as usize) % 40_usize)) {
            y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_u32;
        }
    }
    let mut v7: f32 = (f32::INFINITY * (0.0_f32 + 1000000000.0_f32));
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((x_u32[((1_usize | lid(2)) % 12_usize)] % (0_u64 as u32)) % ((if false { 1_u32 } else { 0_u32 }) / a_u32.count_ones()));
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u32[8_usize] + 44_u32);
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random20(a_i32: i32, a_i64: i64, a_usize: usize, y_f64: &mut [f64], cell_i32: &mut [i32], x_i32: &[i32], a_u32: u32, y_u32: &mut [u32], y_u64: &mut [u64], x_u64: &[u64], y_u8: &mut [u8], x_i64: &[i64]) {
    shared!(tile_0: [i32; 1]);
    barrier();
    tile_0[lid(0)] = ((a_i32 + 21_i32) & (a_i64 as i32));
    barrier();
    let mut own_1 = [255_u8; 4];
    let mut v0: i32 = ((0_u8 | 0_u8) as i32);
    for v1 in 0_usize..((a_usize << v0) % 4_usize) {
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 1.0_f64;
        for v2 in group_range((32_usize % 40_usize)) {
            let mut v3: i32 = atomic_or(&mut cell_i32[((grp(0) * 1_usize) + lid(0))], x_i32[6_usize]);
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (3e38_f32 as f64);
            let mut v4: u8 = own_1[2_usize].pow((a_u32 / a_u32));
        }
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 0_u32;
    }
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (!x_u64[5_usize]);
    y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_u64 - 2_u64) as u8).min(own_1[(x_i64.len() % 4_usize)]);
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random21(cell_f32: &mut [f32], a_i32: i32, cell_i32: &mut [i32], x_f32: &[f32], total_u32: &mut [u32], y_f64: &mut [f64], a_f64: f64, y_u64: &mut [u64], y_i32: &mut [i32]) {
    if ((9223372036854775807_i64 % (-1_i64)) != (-1_i64).min(33_i64)) {
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (true && true)) {
            v0 = (v0 + 1_u32);
            atomic_add(&mut cell_f32[gid(0)], 1000000000.0_f32);
        }
        let mut v1: f32 = (-0.5_f32);
        if ((2147483647_i32 % 2_i32) >= (-a_i32)) {
            let mut v2: i32 = atomic_xor(&mut cell_i32[gid(0)], (-(if true { a_i32 } else { 69_i32 })));
            v1 = x_f32[2_usize];
            atomic_xor(&mut total_u32[(1_usize % 5_usize)], (!(33_u32 % 37_u32)));
        }
    } else {
        y_f64[((gid(0) * 2_usize) + 1_usize)] = ((0.5_f64 + a_f64).ceil() / 1e-40_f64);
    }
    y_u64[((gid(0) * 2_usize) + 0_usize)] = 1_u64.rotate_left((if false { 1_i32 } else { a_i32 }).leading_zeros());
    y_i32[((gid(0) * 2_usize) + 1_usize)] = 53_i32;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random22(x_u32: &[u32], total_i64: &mut [i64], y_f32: &mut [f32], x_f32: &[f32], y_u8: &mut [u8], x_u64: &[u64], x_f64: &[f64], a_usize: usize, y_f64: &mut [f64]) {
    shared!(tile_0: [i64; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = 2_i64;
    barrier();
    barrier();
    tile_1[lid(0)] = ((0_i64 as usize) * (!grp(0)));
    barrier();
    if ((0_u32 ^ 4294967295_u32) <= x_u32[(2_usize % 12_usize)]) {
        atomic_add(&mut total_i64[(2_usize % 5_usize)], 0_i64);
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_u64 as f32) - ((3e38_f32 * f32::INFINITY) + x_f32[((grp(0) + 40_usize) % 12_usize)]));
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((25_u64 >> 56_u64) != x_u64[(2_usize % 12_usize)]) { ((0_u8 * 2_u8) & 255_u8) } else { (33_u8 % (0_u8 | 2_u8)) });
    }
    barrier();
    let mut v0: f64 = x_f64[(if false { 2_usize } else { a_usize })];
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((2147483647_i32 as f64) * (if false { v0 } else { v0 })) - x_f64[((31_usize >> 33_u64) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random23(y_u32: &mut [u32], a_i64: i64, a_bool: bool, a_u32: u32, x_i64: &[i64], y_u64: &mut [u64], a_u64: u64) {
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (4294967295_u32 | ((11_i64 + a_i64) as u32));
    let mut v0: u8 = (0_u8 / (0_u8 / 1_u8));
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (0_u32 - (if a_bool { 4294967295_u32 } else { (!a_u32) }));
    v0 = (x_i64.len() as u8);
    let mut v1: f64 = group_max((1000000000.0_f64 + 1.0_f64.round()));
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((a_u64 << lid(1)) >> (0_u8 as usize)) ^ 0_u64);
}

#[device_fn]
fn mix_random24(v0: i32, v1: i32) -> i32 {
    (v0 - ((!v1) + (!2_i32)))
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random24(a_f64: f64, a_u32: u32, total_i32: &mut [i32], total_i64: &mut [i64], y_u32: &mut [u32], a_usize: usize, cell_u64: &mut [u64], x_u64: &[u64], a_i32: i32, total_u64: &mut [u64], x_u32: &[u32], a_u64: u64, x_i32: &[i32], x_f32: &[f32], y_f32: &mut [f32]) {
    let mut own_0 = [((-2.75_f64) / a_f64); 4];
    for v0 in group_range(((1_usize - grp(0)) % 40_usize)) {
        let mut v1: u8 = ((33_u8 % 5_u8) / 0_u8);
    }
    for v2 in 1_u32..((a_u32 | 47_u32) % 70_u32) {
        atomic_max(&mut total_i32[1_usize], ((i32::MIN + 2_i32) / 0_i32.abs()));
        for v3 in (-2_i32)..((2_usize as i32) % 4_i32) {
            atomic_max(&mut total_i64[(grp(0) % 5_usize)], 33_i64);
            y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u32 + ((a_usize as u32) ^ (if false { v2 } else { 4294967295_u32 })));
            atomic_or(&mut cell_u64[((grp(0) * 64_usize) + lid(0))], x_u64[((64_usize * 63_usize) % 12_usize)]);
        }
        if (false ^ (2_u64 < 2_u64)) {
            break;
        }
    }
    let mut v4: i32 = (a_i32 ^ 0_i32).min(31_i32);
    atomic_max(&mut total_u64[(grp(0) % 5_usize)], (1_u64.saturating_sub(0_u64) >> x_u32.len()));
    if ((!46_u32) > 4294967295_u32) {
        for v5 in 0_usize..((31_usize % 1_usize) % 4_usize) {
            let mut v6: usize = ((-a_i32) as usize);
            v4 = (if ((0_u64 >= a_u64) < (true || false)) { ((0.0_f64 as i32) & ((-1_i32) / a_i32)) } else { (x_i32[((grp(0) * v5) % 12_usize)] | (v4 % v4)) });
            own_0[(x_f32.len() % 4_usize)] = own_0[1_usize];
        }
        let mut v7: u64 = x_u64[8_usize];
    } else {
        if false {
            let mut v8: i32 = mix_random24((2147483647_i32 + v4), x_i32[((7_usize - 64_usize) % 12_usize)]);
            barrier();
        } else {
            barrier();
        }
    }
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[((40_usize + lid(0)) % 12_usize)];
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random25(a_usize: usize, cell_f32: &mut [f32], y_f32: &mut [f32]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = a_usize;
    barrier();
    barrier();
    let mut v0: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0.1_f32);
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((-v0) % (3e38_f32.round_ties_even() * (1e-40_f32 - 1e-40_f32)));
}

#[device_fn]
fn mix_random26(v0: f32, v1: f32) -> f32 {
    (-v1.trunc())
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random26(total_i32: &mut [i32], x_f64: &[f64], x_i32: &[i32], a_bool: bool, a_u32: u32, y_i64: &mut [i64], y_u32: &mut [u32], x_u32: &[u32], total_u32: &mut [u32], a_u64: u64) {
    atomic_and(&mut total_i32[(x_f64.len() % 5_usize)], x_i32[(((-2.75_f64) as usize) % 12_usize)]);
    for v0 in 1_u32..((if a_bool { 36_u32 } else { a_u32 }) % 4_u32) {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 60_i64;
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u32[(lid(0) % 12_usize)];
        for v1 in 1_u32..((9_u32 & v0) % 4_u32) {
            atomic_and(&mut total_u32[((if true { 64_usize } else { 3_usize }) % 5_usize)], (if (40_usize != grp(0)) { a_u64.trailing_zeros() } else { 39_u32 }));
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 4294967295_u32;
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random27(y_i64: &mut [i64], a_u64: u64, next_u64: &mut [u64], y_i32: &mut [i32], x_i32: &[i32], a_bool: bool) {
    shared!(tile_0: [u8; 16]);
    barrier();
    tile_0[lid(0)] = (33_u8 / 33_u8).clamp((0_u8 | 255_u8), 2_u8);
    barrier();
    for v0 in group_range(((3_usize ^ grp(0)) % 40_usize)) {
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((9223372036854775807_i64 % 9223372036854775807_i64.rotate_right(33_u32)) * ((if true { a_u64 } else { a_u64 }) as i64));
        atomic_and(&mut next_u64[(((grp(0) * 16_usize) + lid(0)) + 1_usize)], ((1_u64 + a_u64) << (1_u64 | a_u64)));
    }
    let mut v1: bool = false;
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_i32[(31_usize % 12_usize)] * i32::MIN.div_euclid(2147483647_i32)) + x_i32[(a_bool as usize)]);
}

#[kernel(device = cpu, domain = 37)]
fn random28(y_view_i64: ViewMut<i64, 2>, x_i64: &[i64], a_usize: usize, a_i64: i64, y_i32: &mut [i32], x_view_i32: View<i32, 1>, y_f64: &mut [f64], x_f64: &[f64]) {
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    y_view_i64[[gid(0), 1_usize]] = (x_i64[((a_usize * a_usize) % 12_usize)] * ((2_i64 % 9223372036854775807_i64) / (a_i64 + 58_i64)));
    y_i32[((gid(0) * 2_usize) + 0_usize)] = x_view_i32[[(gid(0) % 63_usize)]];
    y_f64[((gid(0) * 2_usize) + 0_usize)] = (-x_f64[((1_usize / gid(0)) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random29(a_u64: u64, x_view_u32: View<u32, 2>, y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (1_usize / 2_usize);
    barrier();
    let mut own_1 = [(a_u64 & 0_u64); 4];
    for v0 in 1_u32..(x_view_u32[[((31_usize - 32_usize) % x_view_u32.extent(0)), ((2_usize * lid(1)) % 2_usize)]] % 4_u32) {
        let mut v1: u8 = ((255_u8 % 0_u8) & (255_u8 % 33_u8));
        let mut v2: f32 = (-2.75_f32);
    }
    barrier();
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f64[4_usize];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random30(x_view_f32: View<f32, 3>, a_usize: usize, a_i32: i32, x_view_i64: View<i64, 2>, a_f32: f32, y_u32: &mut [u32], a_bool: bool, x_view_u32: View<u32, 2>) {
    shared!(tile_1: [i32; 16]);
    let mut own_0 = [x_view_f32[[(x_view_f32.extent(1) % x_view_f32.extent(0)), ((a_usize & 64_usize) % x_view_f32.extent(1)), ((40_usize + 7_usize) % x_view_f32.extent(2))]]; 4];
    barrier();
    tile_1[lid(0)] = a_i32;
    barrier();
    for v0 in (-2_i32)..((i32::MIN >> 2_usize) % 4_i32) {
        let mut v1: u64 = 23_u64;
    }
    barrier();
    for v2 in group_range(((a_usize * a_usize) % 40_usize)) {
        let mut v3: i64 = x_view_i64[[(v2 % x_view_i64.extent(0)), ((if true { v2 } else { 63_usize }) % x_view_i64.extent(1))]];
        own_0[(v2 % 4_usize)] = (-(a_f32 / 1000000000.0_f32));
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((true ^ a_bool) || (false ^ a_bool)) { (0_u32 * 41_u32.rotate_left(4294967295_u32)) } else { 4294967295_u32 });
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((1_u32 >> grp(0)) / x_view_u32[[((2_usize % lid(0)) % 3_usize), ((a_usize ^ lid(0)) % x_view_u32.extent(1))]]) << (if (33_u8 >= 9_u8) { (18446744073709551615_u64 / 0_u64) } else { (0_u64 >> 33_u64) }));
}

#[device_fn]
fn mix_random31(v0: f64, v1: f64) -> f64 {
    (-0.0_f64)
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random31(cell_f32: &mut [f32], y_f64: &mut [f64], a_f64: f64, y_view_f64: ViewMut<f64, 3>, a_usize: usize) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let mut own_0 = [(!33_u64); 4];
    let mut own_1 = [(0_u64 + 33_u64); 4];
    let mut v0: f32 = atomic_add(&mut cell_f32[gid(0)], (-0.0_f32));
    y_f64[((gid(0) * 2_usize) + 0_usize)] = (a_f64 * ((-1.0_f64) + 1e-40_f64.sqrt()));
    v0 = (v0 / (1e-40_f32 / v0).ceil());
    y_view_f64[[gid(0), ((if false { 37_usize } else { 63_usize }) % 3_usize), ((a_usize ^ 7_usize) % 3_usize)]] = (0.1_f32 as f64);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random32(x_u8: &[u8], a_f64: f64, y_f32: &mut [f32], x_f32: &[f32], a_usize: usize, x_i32: &[i32], a_i32: i32, y_i64: &mut [i64], y_u32: &mut [u32]) {
    shared!(tile_0: [u8; 8]);
    shared!(tile_1: [u64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (x_u8[((64_usize / 32_usize) % 12_usize)] | (2_u8 + 1_u8));
    barrier();
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (2_u64 % 0_u64).rotate_right((!0_u32));
    barrier();
    let mut v0: bool = ((33_u32 == 0_u32) && ((-0.0_f64) != a_f64));
    if (2_u8 != 1_u8) {
        y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_f32[(a_usize % 12_usize)] / (2_usize as f32));
    }
    let mut v1: i32 = x_i32[((a_i32 as usize) % 12_usize)];
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 9223372036854775807_i64;
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 4294967295_u32;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random33(x_u8: &[u8], a_u64: u64, x_u32: &[u32], a_i32: i32, x_f64: &[f64], a_usize: usize, y_u64: &mut [u64]) {
    let mut own_0 = [(0_usize as u8); 4];
    own_0[((gid(0) / gid(1)) % 4_usize)] = x_u8[(255_u8 as usize)];
    if (false && (false ^ false)) {
        let mut v0: i32 = (a_u64 as i32);
        if true {
            let mut v1: i32 = v0;
            let mut v2: bool = ((v1 as u32) < 0_u32);
            let mut v3: i32 = ((35_i64 as i32) ^ (v0 % v0));
        }
    } else {
        let mut v4: usize = x_u32.len();
    }
    let mut v5: f64 = ((-1_i32) as f64);
    if ((true && false) ^ (a_i32 >= a_i32)) {
        let mut v6: f64 = x_f64[((7_usize | 3_usize) % 12_usize)].mul_add((1_usize as f64), x_f64[(if false { 5_usize } else { a_usize })]);
    }
    y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (((-0.0_f32) + (1.0_f32 * (-1.0_f32))) as u64);
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random34(a_i64: i64, cell_i64: &mut [i64], a_bool: bool, cell_u64: &mut [u64], a_u64: u64, y_u8: &mut [u8]) {
    shared!(tile_0: [i64; 64]);
    barrier();
    tile_0[lid(0)] = (a_i64 * a_i64);
    barrier();
    barrier();
    barrier();
    let mut v0: i64 = atomic_exchange(&mut cell_i64[((grp(0) * 64_usize) + lid(0))], (tile_0[((if a_bool { 1_usize } else { 64_usize }) % 64_usize)] - (-1_i64)));
    atomic_min(&mut cell_u64[((grp(0) * 64_usize) + lid(0))], (18446744073709551615_u64.div_euclid(a_u64) / (15_u64 / 1_u64)));
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 255_u8;
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random35(y_f32: &mut [f32], cell_u64: &mut [u64], a_u64: u64, a_usize: usize, total_view_u64: ViewMut<u64, 1>, x_u32: &[u32], y_view_i64: ViewMut<i64, 1>, x_view_i64: View<i64, 4>) {
    shared!(tile_1: [u32; 8]);
    let total_view_u64_0 = total_view_u64.extent(0);
    let y_view_i64_0 = y_view_i64.extent(0);
    let mut own_0 = [0_u64; 4];
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = (2_u64 as u32);
    barrier();
    if (1e-40_f64 < (0.0_f64 % (-0.0_f64))) {
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (3e38_f32 % (-(0_u32 as f32)));
        atomic_min(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], a_u64);
    }
    barrier();
    for v0 in group_range(((2_usize % a_usize) % 40_usize)) {
        atomic_max(&mut total_view_u64[[(64_usize % 1_usize)]], own_0[3_usize]);
        let mut v1: usize = (63_usize % x_u32.len());
        v1 = (0_u8 as usize);
    }
    y_view_i64[[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))]] = x_view_i64[[0_usize, (grp(0) % x_view_i64.extent(1)), ((a_usize as usize) % x_view_i64.extent(2)), (64_usize % x_view_i64.extent(3))]];
}

#[device_fn]
fn mix_random36(v0: u32, v1: u32) -> u32 {
    ((if (1000000000.0_f32 != 0.5_f32) { (true as u32) } else { v0.max(v0) }) + (((-1.0_f32) as u32) / 0_u32.div_euclid(0_u32)))
}

#[kernel(device = cpu, domain = 37)]
fn random36(total_view_i64: ViewMut<i64, 4>, a_usize: usize, x_view_i64: View<i64, 5>, y_view_f64: ViewMut<f64, 1>) {
    let total_view_i64_0 = total_view_i64.extent(0);
    let total_view_i64_1 = total_view_i64.extent(1);
    let total_view_i64_2 = total_view_i64.extent(2);
    let total_view_i64_3 = total_view_i64.extent(3);
    let y_view_f64_0 = y_view_f64.extent(0);
    let mut own_0 = [(-2_i64); 4];
    atomic_add(&mut total_view_i64[[(gid(0) % total_view_i64_0), ((!gid(0)) % total_view_i64_1), ((37_usize % gid(0)) % total_view_i64_2), ((a_usize - 1_usize) % 3_usize)]], ((if false { (-1.0_f32) } else { 3e38_f32 }) as i64));
    own_0[3_usize] = x_view_i64[[(gid(0) % 3_usize), a_usize, ((37_usize | gid(0)) % x_view_i64.extent(2)), (63_usize / 40_usize), ((if false { 1_usize } else { gid(0) }) % x_view_i64.extent(4))]];
    y_view_f64[[gid(0)]] = f64::INFINITY.recip();
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random37(a_bool: bool, total_i64: &mut [i64], cell_i64: &mut [i64], y_i64: &mut [i64], a_u32: u32, y_f64: &mut [f64], a_i64: i64, a_f64: f64, y_u32: &mut [u32], x_u32: &[u32], x_i64: &[i64], y_u8: &mut [u8], y_i32: &mut [i32], a_i32: i32, y_f32: &mut [f32], a_f32: f32) {
    shared!(tile_0: [f32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 1000000000.0_f32.sqrt();
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (a_bool || false)) {
        v0 = (v0 + 1_u32);
        let mut v1: f32 = 1e-40_f32;
        for v2 in (-2_i32)..(i32::MIN % 4_i32) {
            atomic_or(&mut total_i64[2_usize], ((f64::INFINITY % 1e-40_f64) as i64));
            let mut v3: f32 = ((v1 - v1) - (v1 * 3e38_f32));
            let mut v4: i64 = atomic_add(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]);
        }
    }
    let mut v5: u32 = group_sum(((0_u32 - 0_u32) * (a_u32 - 4294967295_u32)));
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && (255_u8 != 1_u8)) {
        v6 = (v6 + 1_u32);
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((1_i64 % a_i64) as f64) % ((-(-0.0_f64)) / a_f64));
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u32[(x_i64.len() % 12_usize)];
        if ((1_u64 ^ 0_u64) > (if false { 0_u64 } else { 2_u64 })) {
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 2_u8;
        } else {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (1_i32 << (2_i32 / (-a_i32)));
            let mut v7: f64 = (-(-1.0_f64));
        }
    }
    let mut v8: u32 = a_u32;
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((41_u8 * 255_u8) >= (1_u8 + 255_u8)) { (-(a_f32 / a_f32)) } else { (1000000000.0_f32.ceil() + (0.0_f32 + 1e-40_f32)) });
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random38(x_u8: &[u8], x_f32: &[f32], y_u8: &mut [u8], x_u64: &[u64], y_f32: &mut [f32], cell_i64: &mut [i64], x_i64: &[i64], a_usize: usize, y_f64: &mut [f64], y_u64: &mut [u64], x_f64: &[f64]) {
    shared!(tile_0: [u8; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_u8[((if false { 7_usize } else { 40_usize }) % 12_usize)];
    barrier();
    for v0 in 0_usize..(x_f32.len() % 4_usize) {
        y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u64[(x_u8.len() % 12_usize)] as u8);
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-x_f32[(lid(0) * 0_usize)]);
    let mut v1: i64 = atomic_max(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], x_i64[((0_u64 as usize) % 12_usize)]);
    for v2 in group_range(((64_usize * a_usize) % 40_usize)) {
        if ((1.0_f64 <= 1000000000.0_f64) || (v1 <= v1)) {
            continue;
        }
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-0.0_f64);
        y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((0.5_f64 * 3e38_f64) >= 1000000000.0_f64.min(0.1_f64)) { x_u64[(x_f64.len() % 12_usize)] } else { ((0_u64 & 1_u64) * ((-2.75_f32) as u64)) });
    }
    let mut v3: i32 = ((0_u8 as i32) * (if true { 33_i32 } else { i32::MIN }));
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((v3 as u8) + (1_u8 / 2_u8)) as u8);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random39(y_i32: &mut [i32], a_i32: i32, a_u32: u32, x_u32: &[u32], y_u32: &mut [u32], a_usize: usize, y_i64: &mut [i64], x_f32: &[f32], a_bool: bool, a_f64: f64) {
    shared!(tile_0: [f32; 16]);
    barrier();
    tile_0[lid(0)] = (-1.0_f32);
    barrier();
    for v0 in group_range(((40_usize / grp(0)) % 40_usize)) {
        if ((4294967295_u32 >= 0_u32) && (33_u32 <= 4294967295_u32)) {
            break;
        }
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_i32.div_euclid((-1_i32)) * a_i32);
    }
    let mut v1: u32 = ((if true { 0_u32 } else { a_u32 }) % x_u32[(!2_usize)]);
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 0_u32;
    for v2 in group_range((a_usize % 40_usize)) {
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_f32[(true as usize)] % (1.0_f32 / 1.0_f32)) as i64);
        v1 = v1;
        let mut v3: f64 = (if (a_bool ^ a_bool) { (0.1_f64 / 3e38_f64) } else { (a_f64 % 0.1_f64) });
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] - ((0_i32 / 0_i32) + 2147483647_i32.rem_euclid(a_i32)));
}
