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

#[device_fn]
fn mix_random40(v0: u64, v1: u64) -> u64 {
    18446744073709551615_u64
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random40(x_i64: &[i64], x_u32: &[u32], a_f64: f64, x_f64: &[f64], cell_f32: &mut [f32], a_f32: f32, a_usize: usize, x_f32: &[f32], total_u32: &mut [u32], total_u64: &mut [u64], x_u64: &[u64], y_u32: &mut [u32], y_i32: &mut [i32], a_bool: bool, x_u8: &[u8], a_u64: u64, a_i32: i32, x_i32: &[i32], y_u8: &mut [u8], y_f32: &mut [f32]) {
    shared!(tile_0: [i64; 16]);
    shared!(tile_1: [f64; 16]);
    barrier();
    tile_0[lid(0)] = x_i64[(x_u32.len() % 12_usize)];
    barrier();
    barrier();
    tile_1[lid(0)] = (if (33_u8 >= 0_u8) { ((-1.0_f64) + a_f64) } else { f64::NAN });
    barrier();
    if ((18446744073709551615_u64 - 33_u64) > 2_u64) {
        barrier();
        tile_1[lid(0)] = 1e-40_f64;
        barrier();
        let mut v0: u64 = mix_random40((0_u64 >> 15_u64), 0_u64);
    } else {
        barrier();
        tile_1[lid(0)] = ((33_u64 as f64) - x_f64[3_usize]);
        barrier();
        for v1 in 0_usize..((lid(0) + 64_usize) % 4_usize) {
            let mut v2: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], (-a_f32).recip());
            v2 = (tile_1[((a_usize + v1) % 16_usize)] as f32);
            v2 = (-(-x_f32[(v1 % 12_usize)]));
        }
    }
    for v3 in group_range((x_f32.len() % 40_usize)) {
        atomic_min(&mut total_u32[((a_f64 as usize) % 5_usize)], (x_u32[((v3 - v3) % 12_usize)] - (4294967295_u32 << v3)));
        atomic_xor(&mut total_u64[(0_usize % 5_usize)], (if (true || true) { 37_u64 } else { x_u64[((v3 | v3) % 12_usize)] }));
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((if true { 10_u32 } else { 33_u32 }) | (33_u32 * 11_u32)) << y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)]);
    if false {
        let mut v4: bool = ((false ^ a_bool) >= (true ^ false));
        if (69_u8 == x_u8[(lid(0) % 12_usize)]) {
            let mut v5: u8 = 0_u8;
            let mut v6: u64 = mix_random40((2_u64 + a_u64), x_u64[3_usize]);
        }
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((v4 as i32) ^ (2_i32 + a_i32)) % x_i32[((40_usize - lid(0)) % 12_usize)]);
    } else {
        let mut v7: u64 = mix_random40((33_u64 / a_u64), (if false { 2_u64 } else { 1_u64 }));
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u8[(x_u32.len() % 12_usize)];
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (1000000000.0_f32.round() + ((a_f32 % (-1.0_f32)) - f32::INFINITY));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random41(x_u64: &[u64], y_u64: &mut [u64], x_u8: &[u8], a_u64: u64, a_f64: f64, x_f64: &[f64], a_bool: bool, y_f64: &mut [f64], y_f32: &mut [f32], x_f32: &[f32], x_i64: &[i64], total_i64: &mut [i64], total_u32: &mut [u32], x_u32: &[u32], y_i32: &mut [i32], a_i32: i32, a_i64: i64, a_u32: u32, y_i64: &mut [i64]) {
    shared!(tile_0: [u8; 1]);
    barrier();
    tile_0[lid(0)] = 33_u8;
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        if ((2_u64 % 0_u64) >= (2_u64 % 33_u64)) {
            let mut v1: u64 = x_u64[((40_usize + 0_usize) % 12_usize)];
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (v1 - x_u64[(x_u8.len() % 12_usize)]);
        }
        if (false || (3e38_f64 < 0.0_f64)) {
            barrier();
            tile_0[lid(0)] = (255_u8 % 255_u8);
            barrier();
            barrier();
            tile_0[lid(0)] = ((2_u8 % 1_u8) >> a_u64);
            barrier();
            let mut v2: f64 = group_min((if false { a_f64 } else { x_f64[((1_u64 as usize) % 12_usize)] }));
        }
        if (v0 >= (0_u64 as u32)) {
            barrier();
            tile_0[lid(0)] = (if a_bool { 0_u8 } else { (0_u8 & 0_u8) });
            barrier();
            let mut v3: f32 = group_sum((-(0.5_f32 * f32::INFINITY)));
        } else {
            for v4 in group_range(((3_usize - 63_usize) % 40_usize)) {
                y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (v4 as f64);
                y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((tile_0[(v4 % 1_usize)] as f32) + x_f32[((4_usize - v4) % 12_usize)]);
                y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_i64[4_usize] as f64);
            }
            atomic_min(&mut total_i64[(4_usize % 5_usize)], x_i64[1_usize]);
        }
    }
    for v5 in 0_usize..((4_usize * 3_usize) % 4_usize) {
        let mut v6: u32 = 0_u32;
        while ((v6 < 70_u32) && (v5 == v5)) {
            v6 = (v6 + 1_u32);
            atomic_max(&mut total_u32[1_usize], x_u32[((v5 / v5) % 12_usize)]);
            barrier();
            tile_0[lid(0)] = (a_bool as u8).pow((4294967295_u32 as u32));
            barrier();
            for v7 in group_range(((v5 >> v5) % 40_usize)) {
                let mut v8: bool = true;
                y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((v8 || false) != (1_u8 <= 1_u8)) { (if (v8 && false) { (-1_i32) } else { (255_u8 as i32) }) } else { a_i32 });
                let mut v9: f32 = x_f32[((if false { v5 } else { 1_usize }) % 12_usize)];
            }
        }
        let mut v10: u32 = 0_u32;
        while ((v10 < 3_u32) && (53_i64 < a_i64)) {
            v10 = (v10 + 1_u32);
            let mut v11: u32 = ((v10 << 0_u64) - (v10 | a_u32));
            barrier();
            tile_0[lid(0)] = (0_u8 ^ (1_u8 * 0_u8));
            barrier();
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-((-1_i64) + 17_i64)) * y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]);
        }
    }
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u64 - 0_u64).rotate_right(69_i64.trailing_zeros()).div_euclid(1_u64);
}

#[device_fn]
fn mix_random42(v0: usize, v1: usize) -> usize {
    (31_usize / (v1 * (1.0_f64 as usize)))
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random42(a_bool: bool, a_usize: usize, a_u64: u64, x_f32: &[f32], a_f32: f32, y_f32: &mut [f32], x_i64: &[i64], y_i64: &mut [i64], y_f64: &mut [f64]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && a_bool) {
        v0 = (v0 + 1_u32);
        for v1 in 0_usize..((a_usize / 31_usize) % 4_usize) {
            let mut v2: u64 = (0_u64.clamp(a_u64, 69_u64) / 0_u64);
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (0_u8 >= 0_u8)) {
        v3 = (v3 + 1_u32);
        if (x_f32[5_usize] != (-a_f32)) {
            y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f32[(x_i64.len() % 12_usize)] * (-0.0_f32)).min(0.1_f32);
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 9223372036854775807_i64;
            let mut v4: usize = mix_random42((0.1_f32 as usize), 32_usize);
        }
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)];
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_f32[((4_usize * 4_usize) % 12_usize)] / f32::from_bits(0_u32)) % ((1e-40_f32 * f32::NAN) / (a_f32 % 1e-40_f32)));
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random43(x_i64: &[i64], x_u8: &[u8], y_i64: &mut [i64], a_i64: i64, a_u32: u32, y_u8: &mut [u8], a_i32: i32, a_f64: f64, cell_i32: &mut [i32], total_u32: &mut [u32], a_usize: usize, x_u32: &[u32], y_f64: &mut [f64], x_f64: &[f64]) {
    let mut v0: i64 = (if false { 1_i64.div_euclid(2_i64) } else { x_i64[(gid(0) % 12_usize)] });
    let mut v1: u8 = x_u8[((64_usize / gid(0)) % 12_usize)];
    if true {
        y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = ((-(v0 - v0)) / x_i64[7_usize]);
        v0 = (if ((33_i32 as u8) != 0_u8.min(v1)) { (-(v0 * a_i64)) } else { ((v0 + v0) + v0.signum()) });
    } else {
        for v2 in 1_u32..((2_u32 - a_u32) % 4_u32) {
            y_u8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (v1.rotate_right((v2 + v2)) + ((v1 - 0_u8) << a_i32));
            let mut v3: bool = ((18446744073709551615_u64 as u32) != (0_u32 & v2));
        }
        for v4 in (-2_i32)..((14_u64 as i32) % 4_i32) {
            if ((0.5_f64 / a_f64) != 0.1_f64.sqrt()) {
                continue;
            }
            let mut v5: i32 = atomic_or(&mut cell_i32[((gid(1) * 5_usize) + gid(0))], (if (1000000000.0_f32 <= f32::INFINITY) { v4 } else { (0_u64 as i32) }));
            atomic_or(&mut cell_i32[((gid(1) * 5_usize) + gid(0))], ((v5 % v5) / (v4 << v5)));
        }
    }
    atomic_xor(&mut total_u32[(a_usize % a_usize)], (x_u32[(a_usize % 12_usize)] - 0_u32));
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_f64[1_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random44(y_u8: &mut [u8], x_i32: &[i32], y_view_f64: ViewMut<f64, 3>, y_f64: &mut [f64], a_f64: f64, a_usize: usize, y_i32: &mut [i32], y_view_i32: ViewMut<i32, 5>) {
    shared!(tile_0: [f32; 64]);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_i32_2 = y_view_i32.extent(2);
    let y_view_i32_3 = y_view_i32.extent(3);
    let y_view_i32_4 = y_view_i32.extent(4);
    barrier();
    tile_0[lid(0)] = (0.0_f32 / (i64::MIN as f32));
    barrier();
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (0.1_f32 > 0.1_f32) { ((33_u8 + 255_u8) % (0_u8 | 255_u8)) } else { ((!13_u8) - 0_u8) });
    for v0 in (-2_i32)..(x_i32[8_usize] % 4_i32) {
        y_view_f64[[lid(0), (lid(0) % 4_usize), grp(0)]] = y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)].min(((a_f64 - 3e38_f64) + y_view_f64[[lid(0), ((!a_usize) % y_view_f64_1), grp(0)]]));
        y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = v0;
    }
    y_view_i32[[((grp(0) * 64_usize) + lid(0)), (1_usize % y_view_i32_1), ((grp(0) ^ 31_usize) % y_view_i32_2), (0_usize % y_view_i32_3), ((2_usize * 2_usize) % y_view_i32_4)]] = 0_i32;
}

#[device_fn]
fn mix_random45(v0: f32, v1: f32) -> f32 {
    v1
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random45(cell_i32: &mut [i32], x_i32: &[i32], y_i64: &mut [i64], y_f32: &mut [f32], x_f32: &[f32], a_usize: usize) {
    let mut v0: i32 = atomic_xor(&mut cell_i32[((grp(0) * 64_usize) + lid(0))], (2_i32 + (if false { 0_i32 } else { 0_i32 })));
    let mut v1: i64 = ((0_u8 * 1_u8) as i64);
    let mut v2: i32 = (v0 * x_i32[((1_usize ^ 7_usize) % 12_usize)]);
    if false {
        v2 = v0;
    } else {
        y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 59_i64;
    }
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[(a_usize % 12_usize)];
}

#[device_fn]
fn mix_random46(v0: f32, v1: f32) -> f32 {
    v0.div_euclid(((1_usize - 32_usize) as f32))
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random46(total_u64: &mut [u64], a_i32: i32, total_view_i64: ViewMut<i64, 4>, x_view_i64: View<i64, 4>, a_f32: f32, cell_view_i32: ViewMut<i32, 3>, x_i32: &[i32], y_view_f64: ViewMut<f64, 2>, a_f64: f64) {
    let total_view_i64_0 = total_view_i64.extent(0);
    let total_view_i64_1 = total_view_i64.extent(1);
    let total_view_i64_2 = total_view_i64.extent(2);
    let total_view_i64_3 = total_view_i64.extent(3);
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let cell_view_i32_2 = cell_view_i32.extent(2);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    atomic_max(&mut total_u64[4_usize], (a_i32.max(2_i32) as u64));
    atomic_xor(&mut total_view_i64[[((gid(0) - gid(1)) % 4_usize), (gid(0) % 2_usize), ((if true { gid(0) } else { gid(1) }) % total_view_i64_2), 1_usize]], x_view_i64[[((if true { 5_usize } else { 31_usize }) % x_view_i64.extent(0)), 0_usize, ((gid(0) % 3_usize) % 5_usize), ((a_f32 as usize) % 3_usize)]]);
    atomic_min(&mut cell_view_i32[[gid(0), gid(1), (gid(1) % cell_view_i32_2)]], (x_i32[(3_usize % 12_usize)] - (2_i32 << 40_usize)));
    y_view_f64[[(3_usize % y_view_f64_0), ((gid(1) * 5_usize) + gid(0))]] = (3e38_f64 - (3e38_f64 * (if false { (-0.0_f64) } else { a_f64 })));
}

#[device_fn]
fn mix_random47(v0: u64, v1: u64) -> u64 {
    v0
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random47(a_i32: i32, a_usize: usize, a_u64: u64, y_i32: &mut [i32]) {
    shared!(tile_0: [usize; 64]);
    barrier();
    tile_0[lid(0)] = (if (0_i32 <= a_i32) { (0_u8 as usize) } else { (7_usize * lid(0)) });
    barrier();
    barrier();
    tile_0[lid(0)] = a_usize;
    barrier();
    if (false ^ (18446744073709551615_u64 == a_u64)) {
        let mut v0: u64 = mix_random47((false as u64), (51_u64 - 18446744073709551615_u64));
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 33_i32;
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random48(x_u64: &[u64], total_i32: &mut [i32], a_usize: usize, a_bool: bool, a_u64: u64, y_i32: &mut [i32], x_i32: &[i32], y_i64: &mut [i64], a_i64: i64, cell_f32: &mut [f32], y_u32: &mut [u32], x_u32: &[u32], a_u32: u32, a_f32: f32, y_f32: &mut [f32], y_f64: &mut [f64], x_f64: &[f64], a_f64: f64) {
    for v0 in 0_usize..(x_u64.len() % 4_usize) {
        atomic_max(&mut total_i32[((!a_usize) % 5_usize)], i32::MIN);
        if ((if a_bool { 33_u64 } else { 33_u64 }) < a_u64) {
            y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((30_i32 / 0_i32) + x_i32[5_usize]) - (!x_i32[((v0 % v0) % 12_usize)]));
        } else {
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (((grp(0) as i64) | (-1_i64).clamp(20_i64, i64::MIN)) / ((a_i64 + 2_i64) + (62_i64 | 2_i64)));
            atomic_add(&mut cell_f32[((grp(0) * 64_usize) + lid(0))], f32::NAN);
        }
        let mut v1: usize = (v0 << (1_u64 / a_u64));
    }
    for v2 in 0_usize..((1_usize - 0_usize) % 4_usize) {
        for v3 in group_range(((0_u32 as usize) % 40_usize)) {
            y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_i32 ^ i32::MIN);
            y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u32[3_usize] / (0_u32 ^ a_u32)) / ((a_u32 * 1_u32) / (if a_bool { a_u32 } else { 1_u32 })));
        }
        for v4 in (-2_i32)..((a_f32 as i32) % 70_i32) {
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-2.75_f32) - (1.0_f32 % 3e38_f32).sqrt());
            y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (!(if false { x_i32[(v2 % 12_usize)] } else { (!1_i32) }));
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(-(9223372036854775807_i64 * 1_i64)));
        }
        for v5 in 1_u32..(x_u32[((v2 - v2) % 12_usize)] % 4_u32) {
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-33_i64) * (9223372036854775807_i64 * 42_i64)) ^ (-1_i64));
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-0.0_f64) * (x_f64[(grp(0) % 12_usize)] - a_f64));
        }
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && false) {
        v6 = (v6 + 1_u32);
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_f32;
    }
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f64[4_usize].mul_add(a_f64.signum(), x_f64[x_u32.len()]);
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random49(a_i32: i32, a_i64: i64, y_u64: &mut [u64], a_u64: u64, cell_u64: &mut [u64], a_u32: u32, a_bool: bool, y_i64: &mut [i64], a_usize: usize) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[lid(0)] = ((a_i32 << 2147483647_i32) / 8_i32);
    barrier();
    let mut own_1 = [i64::MIN; 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (0_u8 >= 1_u8)) {
            v1 = (v1 + 1_u32);
            if false {
                break;
            }
        }
        own_1[((grp(0) % 1_usize) % 4_usize)] = ((2_i64 % 0_i64) + a_i64);
    }
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = a_u64;
    let mut v2: u64 = atomic_min(&mut cell_u64[((grp(0) * 8_usize) + lid(0))], ((a_u32 + a_u32) as u64));
    if ((a_i32 < 2147483647_i32) > (false && a_bool)) {
        let mut v3: u8 = (33_u8 - (1_u8 % 255_u8));
    }
    let mut v4: f32 = (-(0.5_f32 - 0.5_f32));
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-((-1_i64) << a_usize)) | (-1_i64));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random50(a_usize: usize, y_u64: &mut [u64], a_u64: u64, y_u32: &mut [u32], a_u32: u32) {
    let mut own_0 = [(0_u64 as f64); 4];
    let mut v0: usize = ((if false { a_usize } else { grp(0) }) << (if false { (-1_i32) } else { 33_i32 }));
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((0_u64 ^ 0_u64.min(2_u64)) << 0_u64.max((if false { 0_u64 } else { a_u64 })));
    for v1 in group_range((v0 % 40_usize)) {
        own_0[0_usize] = (-2.75_f64);
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((a_u32 | 17_u32.clamp(18_u32, 0_u32)) * 4_u32);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random51(y_view_u64: ViewMut<u64, 4>, x_u64: &[u64], a_i32: i32, a_u64: u64, a_bool: bool, y_i32: &mut [i32], a_usize: usize, y_view_f32: ViewMut<f32, 4>, x_f32: &[f32], y_u64: &mut [u64]) {
    shared!(tile_0: [i64; 8]);
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    let y_view_u64_2 = y_view_u64.extent(2);
    let y_view_u64_3 = y_view_u64.extent(3);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_f32_1 = y_view_f32.extent(1);
    let y_view_f32_2 = y_view_f32.extent(2);
    let y_view_f32_3 = y_view_f32.extent(3);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 33_i64;
    barrier();
    y_view_u64[[lid(1), grp(1), grp(0), lid(0)]] = ((x_u64[((0_u64 as usize) % 12_usize)] * (a_i32 as u64)) | ((0_u64 | 0_u64) + (a_u64 + 8_u64)));
    if ((a_i32 == 1_i32) && (false < a_bool)) {
        barrier();
        tile_0[((lid(1) * 4_usize) + lid(0))] = ((i64::MIN | 9223372036854775807_i64) - (-(-1_i64)));
        barrier();
        y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (2147483647_i32 as i32);
        if ((if true { 0_u64 } else { a_u64 }) > (-2.75_f64).to_bits()) {
            y_view_u64[[lid(1), grp(1), grp(0), lid(0)]] = (if (a_bool ^ false) { 0_u64 } else { (if a_bool { 33_u64 } else { 2_u64 }) }).div_euclid(x_u64[((a_usize as usize) % 12_usize)]);
            let mut v0: u8 = (0_u8 - 1_u8);
            y_view_f32[[lid(1), grp(0), lid(0), grp(1)]] = x_f32[3_usize];
        }
    } else {
        let mut v1: bool = true;
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if true { (0_u64.rotate_left(0_u32) ^ 0_u64) } else { ((-33_i64) as u64) });
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random52(a_bool: bool, x_u32: &[u32], y_f64: &mut [f64], x_u64: &[u64], y_u64: &mut [u64], y_f32: &mut [f32], a_f32: f32, x_f32: &[f32], total_i64: &mut [i64], y_i64: &mut [i64], y_u32: &mut [u32], a_usize: usize) {
    if a_bool {
        for v0 in 1_u32..(x_u32[((true as usize) % 12_usize)] % 4_u32) {
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-f32::NAN) % (1e-40_f32 % (-0.0_f32))) as f64);
        }
    }
    let mut v1: usize = x_u32.len();
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (false && false)) {
        v2 = (v2 + 1_u32);
        v1 = (v1 - x_u64.len());
        for v3 in group_range((x_u64.len() % 40_usize)) {
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 0_u64;
        }
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((f32::NAN + (if false { a_f32 } else { a_f32 })) / x_f32[((v1 / v1) % 12_usize)]);
    atomic_max(&mut total_i64[3_usize], y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]);
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u32[(if a_bool { 63_usize } else { a_usize })] | ((v1 as u32) >> (v1 * v1)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random53(total_i32: &mut [i32], x_i32: &[i32], a_usize: usize, y_u32: &mut [u32], x_u32: &[u32]) {
    for v0 in 1_u32..((0_u32 - 4294967295_u32) % 70_u32) {
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (0_u8 >= 0_u8)) {
            v1 = (v1 + 1_u32);
            atomic_min(&mut total_i32[((!64_usize) % 5_usize)], ((2_u8 as i32) << (58_i32 + 2_i32)));
            atomic_min(&mut total_i32[(if false { 63_usize } else { grp(0) })], x_i32[((2_usize / a_usize) % 12_usize)]);
        }
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[(lid(0) % 12_usize)];
    barrier();
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u32[((if false { 0_usize } else { 7_usize }) % 12_usize)] * (4294967295_u32 % 1_u32)) * x_u32[((1_usize ^ lid(0)) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random54(y_i64: &mut [i64], a_i64: i64, y_u64: &mut [u64]) {
    barrier();
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((3e38_f32 as i64) / (if true { i64::MIN } else { a_i64 })) / 33_i64);
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_u64;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random55(x_u32: &[u32], y_i64: &mut [i64], x_i64: &[i64]) {
    let mut v0: f64 = 0.1_f64;
    let mut v1: f32 = group_sum(((-2.75_f32) / f32::NAN).floor());
    let mut v2: i64 = (x_u32[1_usize] as i64);
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[((64_usize ^ grp(0)) % 12_usize)];
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random56(y_u8: &mut [u8], a_usize: usize, y_f64: &mut [f64], a_bool: bool, x_f64: &[f64]) {
    shared!(tile_0: [usize; 1]);
    barrier();
    tile_0[lid(0)] = (!(63_usize % grp(0)));
    barrier();
    let mut v0: i32 = 1_i32;
    y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (0_u8 + ((33_u8 * 33_u8) / (33_u8 - 1_u8)));
    let mut v1: i32 = 1_i32;
    for v2 in (-2_i32)..((false as i32) % 4_i32) {
        if true {
            if (1_i64.rotate_right(1_u32) == 0_i64) {
                continue;
            }
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && true) {
        v3 = (v3 + 1_u32);
        for v4 in 0_usize..(tile_0[0_usize] % 70_usize) {
            let mut v5: i32 = ((0_i32 as f32) as i32);
            if false {
                break;
            }
        }
        let mut v6: usize = ((a_usize * a_usize) >> tile_0[((7_usize | 63_usize) % 1_usize)]);
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (-2.75_f64);
    }
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((3e38_f32 != f32::NAN) ^ (true != a_bool)) { x_f64[(grp(0) % 12_usize)] } else { ((0_u8 * 0_u8) as f64) });
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random57(a_bool: bool, y_f64: &mut [f64], x_f64: &[f64], y_i32: &mut [i32], a_i32: i32, x_u32: &[u32], x_i64: &[i64], a_f64: f64, next_i64: &mut [i64], x_i32: &[i32], y_u8: &mut [u8], cell_u64: &mut [u64]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[lid(0)] = ((grp(0) * lid(0)) / (3_usize << 7_usize));
    barrier();
    let mut v0: u32 = 33_u32;
    let mut v1: u8 = ((if true { 0_u8 } else { 0_u8 }) - (if a_bool { 33_u8 } else { 1_u8 }));
    for v2 in 1_u32..((if false { v0 } else { v0 }) % 4_u32) {
        for v3 in group_range(((!63_usize) % 40_usize)) {
            y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[((31_usize ^ v3) % 12_usize)];
            let mut v4: i32 = 1_i32;
        }
        y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (2147483647_i32 % (-(if true { 1_i32 } else { a_i32 })));
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[(x_u32.len() % 12_usize)];
    }
    barrier();
    tile_0[lid(0)] = (x_i64.len() % (!lid(0)));
    barrier();
    if (x_i64[((0_u64 as usize) % 12_usize)] <= i64::MIN) {
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (false || a_bool)) {
            v5 = (v5 + 1_u32);
            let mut v6: u64 = (if a_bool { 21_u64 } else { (2_u64 ^ 0_u64) });
            let mut v7: f64 = ((if true { a_f64 } else { 0.5_f64 }) - 1.0_f64.div_euclid(f64::NAN));
            let mut v8: i64 = atomic_compare_exchange(&mut next_i64[(((grp(0) * 8_usize) + lid(0)) + 1_usize)], x_i64[0_usize], (64_usize as i64));
        }
        let mut v9: i32 = x_i32[(3_usize % 12_usize)];
    } else {
        let mut v10: i64 = (((-1_i64) << 2_u64) / x_i64[((if true { 3_usize } else { 2_usize }) % 12_usize)]);
        let mut v11: u32 = 0_u32;
        while ((v11 < 3_u32) && (0.0_f64 > 1e-40_f64)) {
            v11 = (v11 + 1_u32);
            y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (v1 | (v1 * (v1 << 1_u64)));
            atomic_add(&mut cell_u64[((grp(0) * 8_usize) + lid(0))], ((v11 ^ v11) as u64));
        }
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((v1 % (v1 / v1)) as f64);
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random58(x_i64: &[i64], a_i32: i32, cell_i32: &mut [i32], x_i32: &[i32], a_i64: i64, a_bool: bool, x_f32: &[f32], y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_1: [usize; 8]);
    let mut own_0 = [x_i64.len(); 4];
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = ((if true { grp(0) } else { 32_usize }) & (63_usize * lid(2)));
    barrier();
    for v0 in (-2_i32)..((1_i32 / a_i32) % 70_i32) {
        let mut v1: i32 = atomic_max(&mut cell_i32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], ((v0 * v0) - x_i32[((!1_usize) % 12_usize)]));
        if ((9223372036854775807_i64 ^ a_i64) > x_i64[((a_bool as usize) % 12_usize)]) {
            let mut v2: f32 = (-x_f32[3_usize]);
            let mut v3: i64 = (x_i64[7_usize] - x_i64[(lid(1) % 12_usize)]);
        }
    }
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = 1_usize;
    barrier();
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] / (x_f64[(lid(1) % 12_usize)] / x_f64[((!2_usize) % 12_usize)]));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random59(total_i64: &mut [i64], a_usize: usize, x_i64: &[i64], cell_view_u64: ViewMut<u64, 3>, a_u64: u64, next_view_f32: ViewMut<f32, 2>, a_f32: f32, x_u8: &[u8], y_view_i32: ViewMut<i32, 5>) {
    let cell_view_u64_0 = cell_view_u64.extent(0);
    let cell_view_u64_1 = cell_view_u64.extent(1);
    let cell_view_u64_2 = cell_view_u64.extent(2);
    let next_view_f32_0 = next_view_f32.extent(0);
    let next_view_f32_1 = next_view_f32.extent(1);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_i32_2 = y_view_i32.extent(2);
    let y_view_i32_3 = y_view_i32.extent(3);
    let y_view_i32_4 = y_view_i32.extent(4);
    atomic_add(&mut total_i64[((if true { a_usize } else { 31_usize }) % 5_usize)], x_i64[2_usize]);
    let mut v0: i64 = ((i64::MIN * 1_i64) + 34_i64);
    for v1 in 0_usize..(a_usize % 70_usize) {
        atomic_xor(&mut cell_view_u64[[1_usize, grp(0), lid(0)]], (if (false || false) { (a_u64 + 0_u64) } else { 0_u64 }));
        atomic_add(&mut next_view_f32[[(grp(0) + 1_usize), lid(0)]], a_f32);
        for v2 in 0_usize..(x_u8.len() % 4_usize) {
            let mut v3: usize = ((f32::INFINITY + 1e-40_f32) as usize);
        }
    }
    y_view_i32[[(lid(0) % 2_usize), ((69_u8 as usize) % 5_usize), ((a_usize * a_usize) % y_view_i32_2), ((grp(0) * 16_usize) + lid(0)), (2_usize % y_view_i32_4)]] = (((0_u64 | 0_u64) as i32) / ((-43_i32) + (-33_i32)));
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random60(a_i32: i32, a_u64: u64, cell_u64: &mut [u64], cell_i32: &mut [i32], x_i32: &[i32], total_u32: &mut [u32], cell_i64: &mut [i64], a_i64: i64, y_i64: &mut [i64], a_bool: bool, y_u64: &mut [u64]) {
    let mut own_0 = [(if false { a_i32 } else { 2_i32 }); 4];
    if ((0_u64 * a_u64) > (if false { 33_u64 } else { 0_u64 })) {
        let mut v0: u64 = atomic_add(&mut cell_u64[gid(0)], ((a_u64 + 41_u64) << (18446744073709551615_u64 | 2_u64)));
        let mut v1: i32 = atomic_or(&mut cell_i32[gid(0)], x_i32[3_usize]);
    } else {
        atomic_max(&mut total_u32[((31_usize % 37_usize) % 5_usize)], (0_u32.saturating_sub(0_u32) | (0_u32 / 1_u32)));
        atomic_min(&mut cell_i64[gid(0)], (-a_i64));
    }
    y_i64[((gid(0) * 2_usize) + 1_usize)] = (if ((1_u32 <= 2_u32) && (2_i64 == 9223372036854775807_i64)) { (-a_i64).abs() } else { ((if false { 52_i64 } else { 9223372036854775807_i64 }) >> (if a_bool { a_i32 } else { 39_i32 })) });
    own_0[1_usize] = ((if a_bool { 37_usize } else { 7_usize }) as i32);
    y_u64[((gid(0) * 2_usize) + 0_usize)] = 0_u64;
}

#[device_fn]
fn mix_random61(v0: f64, v1: f64) -> f64 {
    0.1_f64
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random61(a_u32: u32, a_f32: f32, a_f64: f64, a_i64: i64, y_f64: &mut [f64], x_f32: &[f32], a_bool: bool, y_view_f64: ViewMut<f64, 3>, x_u8: &[u8]) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let mut own_0 = [(-2.75_f64).div_euclid(f64::NAN); 4];
    let mut own_1 = [(a_u32 >> 2_u64); 4];
    for v0 in (-2_i32)..((!(-1_i32)) % 4_i32) {
        if (((-2.75_f32) / 0.0_f32) < a_f32) {
            break;
        }
        let mut v1: f64 = mix_random61((-2.75_f64).recip(), (1.0_f64 + 0.1_f64));
    }
    let mut v2: f64 = mix_random61(a_f64, (1.0_f64 / a_f64));
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (a_i64 <= a_i64)) {
        v3 = (v3 + 1_u32);
        for v4 in group_range((2_usize % 40_usize)) {
            own_0[(v4 % 4_usize)] = y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)];
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 70_u32) && (f32::INFINITY != f32::NAN)) {
            v5 = (v5 + 1_u32);
            barrier();
            for v6 in group_range((x_f32.len() % 40_usize)) {
                let mut v7: i64 = (if (true || a_bool) { (!1_i64) } else { (!2_i64) });
                let mut v8: u8 = ((if false { 0_u8 } else { 255_u8 }) / (v2 as u8));
            }
            barrier();
        }
    }
    let mut v9: i32 = ((i32::MIN * 52_i32) * (0_i32 * 5_i32));
    v2 = ((if true { v2 } else { v2 }) + (((-1.0_f64) - v2) + ((-0.0_f64) * v2)));
    y_view_f64[[(x_u8.len() % y_view_f64_0), 1_usize, ((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))]] = (-(if (0_u8 >= 33_u8) { (40_usize as f64) } else { (0.0_f64 * v2) }));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random62(y_i32: &mut [i32], y_u32: &mut [u32], a_u32: u32, a_usize: usize, y_u8: &mut [u8], x_u8: &[u8], a_bool: bool, total_u64: &mut [u64], a_f32: f32, y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_0: [i32; 64]);
    barrier();
    tile_0[lid(0)] = (!(1_i32 / 41_i32));
    barrier();
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = tile_0[31_usize];
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u64.trailing_zeros() % ((a_u32 + 0_u32) & (29_u32 << 58_i32)));
    for v0 in group_range(((if true { 31_usize } else { a_usize }) % 40_usize)) {
        y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u8[((40_usize << v0) % 12_usize)] >> 33_i32).rotate_left(4294967295_u32);
    }
    let mut v1: bool = ((33_u64 <= 33_u64) || a_bool);
    atomic_or(&mut total_u64[2_usize], ((0.0_f32 % a_f32) as u64));
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[9_usize].clamp(((-1.0_f64) * (1e-40_f64 as f64)), 0.0_f64);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random63(x_f64: &[f64], x_u32: &[u32], a_bool: bool, y_i32: &mut [i32]) {
    shared!(tile_0: [usize; 16]);
    shared!(tile_1: [f32; 16]);
    barrier();
    tile_0[lid(0)] = ((0_u8 * 255_u8) as usize);
    barrier();
    barrier();
    tile_1[lid(0)] = 3e38_f32;
    barrier();
    let mut v0: f64 = x_f64[(x_u32.len() % 12_usize)];
    for v1 in 1_u32..(4294967295_u32.rotate_left(0_u32) % 4_u32) {
        let mut v2: usize = ((if a_bool { 2_usize } else { 2_usize }) & tile_0[12_usize]);
        let mut v3: bool = (a_bool || (a_bool && true));
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (2147483647_i32 as i32);
}

#[device_fn]
fn mix_random64(v0: i64, v1: i64) -> i64 {
    v1
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random64(a_i64: i64, a_bool: bool, total_i32: &mut [i32], a_i32: i32, x_i64: &[i64], cell_u64: &mut [u64], x_u64: &[u64], a_f32: f32, y_u32: &mut [u32]) {
    let mut v0: i64 = ((a_i64 * a_i64) - (a_i64 % i64::MIN));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (false || true)) {
        v1 = (v1 + 1_u32);
        if a_bool {
            continue;
        }
        atomic_add(&mut total_i32[((if true { 2_usize } else { 31_usize }) % 5_usize)], (if (false && true) { (a_i32 * 12_i32) } else { 2_i32.max(2_i32) }));
        let mut v2: f64 = (-0.5_f64);
    }
    for v3 in group_range((x_i64.len() % 40_usize)) {
        let mut v4: u64 = atomic_add(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], x_u64[6_usize]);
        let mut v5: f32 = (if (v4 < v4) { 1e-40_f32.max(a_f32) } else { (a_f32 / 0.5_f32) });
        let mut v6: u64 = atomic_xor(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 43_u64);
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((0_u32 ^ 33_u32) % 0_u32) & 33_u32);
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random65(cell_view_i64: ViewMut<i64, 3>, a_i32: i32, total_u32: &mut [u32], a_usize: usize, x_view_u32: View<u32, 4>, total_u64: &mut [u64], x_u64: &[u64], y_f32: &mut [f32], x_f32: &[f32], y_view_f64: ViewMut<f64, 3>) {
    let cell_view_i64_0 = cell_view_i64.extent(0);
    let cell_view_i64_1 = cell_view_i64.extent(1);
    let cell_view_i64_2 = cell_view_i64.extent(2);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let mut v0: i64 = atomic_or(&mut cell_view_i64[[grp(0), ((4_usize << a_i32) % 4_usize), lid(0)]], ((-1_i64) / (!9223372036854775807_i64)));
    atomic_add(&mut total_u32[4_usize], (if (a_usize < 31_usize) { x_view_u32[[0_usize, (cell_view_i64_1 % x_view_u32.extent(1)), 3_usize, (x_view_u32.extent(2) % x_view_u32.extent(3))]] } else { 0_u32 }));
    atomic_max(&mut total_u64[((lid(0) + 64_usize) % 5_usize)], x_u64[4_usize]);
    let mut v1: f64 = group_sum((1000000000.0_f64 - (3e38_f64 * 0.5_f64)));
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[4_usize];
    y_view_f64[[grp(0), lid(0), 1_usize]] = v1;
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random66(a_usize: usize, x_i32: &[i32], y_f32: &mut [f32], y_view_u32: ViewMut<u32, 4>, y_u32: &mut [u32]) {
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_u32_2 = y_view_u32.extent(2);
    let y_view_u32_3 = y_view_u32.extent(3);
    let mut own_0 = [(lid(0) + a_usize); 4];
    let mut own_1 = [x_i32[8_usize]; 4];
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((-(0.0_f32 + 0.5_f32)) + 0.5_f32.max(f32::NAN));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false ^ false)) {
        v0 = (v0 + 1_u32);
        y_view_u32[[lid(1), lid(0), grp(0), grp(1)]] = v0;
        barrier();
    }
    y_view_u32[[lid(1), lid(0), grp(0), grp(1)]] = y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random67(total_u32: &mut [u32], y_i64: &mut [i64], a_f64: f64, a_u32: u32, y_u64: &mut [u64]) {
    shared!(tile_0: [u64; 16]);
    barrier();
    tile_0[lid(0)] = ((0_u8 as u64) << ((-1_i32) + 2147483647_i32));
    barrier();
    atomic_max(&mut total_u32[(64_usize % 5_usize)], 2_u32);
    barrier();
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(if (a_f64 >= (-0.0_f64)) { ((-1.0_f64) as i64) } else { (a_u32 as i64) }));
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u64 - 1_u64) | tile_0[((true as usize) % 16_usize)]) / 2_u64);
}

#[device_fn]
fn mix_random68(v0: usize, v1: usize) -> usize {
    v1
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random68(x_u32: &[u32], y_f32: &mut [f32], a_f32: f32, x_f32: &[f32], x_i64: &[i64], y_u32: &mut [u32]) {
    shared!(tile_0: [u32; 16]);
    barrier();
    tile_0[lid(0)] = x_u32[10_usize];
    barrier();
    let mut v0: usize = ((grp(0) + grp(0)) - 2_usize);
    for v1 in group_range(((v0 + v0) % 40_usize)) {
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((v0 + v0) > v0) { (a_f32 + (a_f32 % a_f32)) } else { x_f32[(v1 % 12_usize)] });
        if ((-9223372036854775807_i64) <= x_i64[((v0 ^ lid(0)) % 12_usize)]) {
            continue;
        }
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-(if false { 1.0_f32 } else { 1e-40_f32 })) as u32);
}

#[device_fn]
fn mix_random69(v0: u64, v1: u64) -> u64 {
    (((!v1) + (v0 / v0)) ^ v1)
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random69(a_i32: i32, x_u32: &[u32], y_u64: &mut [u64], x_u64: &[u64], cell_u32: &mut [u32], x_f64: &[f64], x_i32: &[i32], x_f32: &[f32], y_i64: &mut [i64]) {
    let mut own_0 = [(if false { a_i32 } else { i32::MIN }); 4];
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        for v1 in 1_u32..(x_u32[(grp(0) % 12_usize)] % 4_u32) {
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[5_usize];
        }
    }
    let mut v2: u32 = atomic_and(&mut cell_u32[((grp(0) * 1_usize) + lid(0))], (!(4294967295_u32 as u32)));
    for v3 in group_range(((grp(0) / grp(0)) % 40_usize)) {
        own_0[(x_f64.len() % 4_usize)] = x_i32[(x_f32.len() % 12_usize)];
        v2 = x_u32[(x_i32.len() % 12_usize)].rem_euclid(((v2 % v2) - x_u32[(v3 - v3)]));
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u8 as i64);
}

#[device_fn]
fn mix_random70(v0: f64, v1: f64) -> f64 {
    v0
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random70(x_i32: &[i32], y_view_f64: ViewMut<f64, 3>, x_view_f64: View<f64, 4>, a_usize: usize, a_bool: bool, a_f64: f64, y_f32: &mut [f32], x_f32: &[f32], total_view_u32: ViewMut<u32, 2>, cell_view_i32: ViewMut<i32, 2>, cell_f32: &mut [f32], y_i64: &mut [i64]) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let total_view_u32_0 = total_view_u32.extent(0);
    let total_view_u32_1 = total_view_u32.extent(1);
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let mut own_0 = [x_i32.len(); 4];
    y_view_f64[[lid(0), 4_usize, grp(0)]] = (0.1_f64 - (x_view_f64[[((a_usize / 32_usize) % x_view_f64.extent(0)), 0_usize, ((64_usize ^ 40_usize) % 1_usize), (a_usize % x_view_f64.extent(3))]] - (1e-40_f64 - f64::NAN)));
    if (false || (a_bool || false)) {
        if ((0.1_f64 * f64::INFINITY) < (if true { (-0.0_f64) } else { (-0.0_f64) })) {
            let mut v0: f64 = a_f64;
            v0 = v0;
        }
        if ((-1.0_f64) == (-1.0_f64)) {
            y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (false ^ (1_i64 == (-1_i64))) { (-(1000000000.0_f32 + 1e-40_f32)) } else { x_f32[((32_usize % 63_usize) % 12_usize)] });
            atomic_or(&mut total_view_u32[[((4_usize & 2_usize) % total_view_u32_0), ((63_usize & lid(0)) % 5_usize)]], 33_i32.trailing_zeros());
            let mut v1: f64 = mix_random70((f64::INFINITY * (-1.0_f64)), a_f64);
        } else {
            let mut v2: i32 = atomic_compare_exchange(&mut cell_view_i32[[((grp(0) * 1_usize) + lid(0)), ((lid(0) + 1_usize) % cell_view_i32_1)]], (-(45_i32 | i32::MIN)), (2147483647_i32 | (0_i32 % 33_i32)));
            let mut v3: f32 = atomic_add(&mut cell_f32[((grp(0) * 1_usize) + lid(0))], x_f32[((4_usize + 31_usize) % 12_usize)]);
            let mut v4: u8 = 32_u8;
        }
        let mut v5: f64 = f64::NAN.clamp((-0.0_f64), 1000000000.0_f64).fract();
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 40_i64;
}

#[device_fn]
fn mix_random71(v0: u32, v1: u32) -> u32 {
    (1_u8 as u32)
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random71(x_i64: &[i64], x_f32: &[f32], x_f64: &[f64], a_usize: usize, a_i64: i64, x_u32: &[u32], a_bool: bool, total_u32: &mut [u32], a_u64: u64, y_i32: &mut [i32], y_f64: &mut [f64], y_i64: &mut [i64]) {
    shared!(tile_0: [i64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = x_i64[(x_f32.len() % 12_usize)];
    barrier();
    let mut own_1 = [x_i64[(x_f64.len() % 12_usize)]; 4];
    barrier();
    for v0 in group_range(((2_usize - 0_usize) % 40_usize)) {
        own_1[((v0 * 3_usize) % 4_usize)] = x_i64[(x_f64.len() % 12_usize)];
    }
    own_1[((a_usize % 40_usize) % 4_usize)] = ((if true { (-1_i64) } else { a_i64 }) + (-1_i64));
    for v1 in group_range((a_usize % 40_usize)) {
        let mut v2: u32 = mix_random71(0_u32, x_u32[(2_usize % 12_usize)]);
    }
    if ((grp(2) >= 0_usize) < (true ^ false)) {
        for v3 in 0_usize..((if a_bool { grp(0) } else { 40_usize }) % 4_usize) {
            atomic_or(&mut total_u32[((0.1_f32 as usize) % 5_usize)], ((if true { a_u64 } else { 1_u64 }) as u32));
            y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 33_i32;
            own_1[((63_usize % v3) % 4_usize)] = 1_i64;
        }
        y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-1.0_f64).min((0.5_f64 + (-1.0_f64)));
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((if (false && true) { (if true { 4_i64 } else { a_i64 }) } else { (a_i64 / a_i64) }) / (if (a_bool ^ false) { (if a_bool { 33_i64 } else { (-1_i64) }) } else { a_i64 }));
    }
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 1_i64.clamp(own_1[3_usize], ((21_i64 ^ a_i64) - (a_bool as i64)));
}

#[device_fn]
fn mix_random72(v0: u32, v1: u32) -> u32 {
    ((if true { 2_u32 } else { (v1 ^ 0_u32) }) - (2_u64 as u32))
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random72(a_u64: u64, a_usize: usize, y_view_f32: ViewMut<f32, 2>, y_i64: &mut [i64], a_i64: i64, y_view_f64: ViewMut<f64, 2>, x_view_f64: View<f64, 1>, a_f64: f64) {
    shared!(tile_1: [u64; 64]);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_f32_1 = y_view_f32.extent(1);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let mut own_0 = [(0_u64 & a_u64); 4];
    barrier();
    tile_1[lid(0)] = 2_u64;
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (0.0_f32 >= 1000000000.0_f32)) {
        v0 = (v0 + 1_u32);
        let mut v1: f32 = (-(-0.0_f32));
        v1 = 3e38_f32;
    }
    own_0[0_usize] = own_0[(a_usize % 4_usize)];
    own_0[2_usize] = ((1_u64 / 2_u64) * (a_u64 + 0_u64));
    if (30_u8 <= 0_u8.pow(4294967295_u32)) {
        y_view_f32[[lid(0), grp(0)]] = (46_u64 as f32).recip().recip();
        y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_i64;
    } else {
        let mut v2: u32 = mix_random72((0_u32 - 2_u32), (!0_u32));
        let mut v3: u32 = mix_random72((v2 << i32::MIN), (if false { v2 } else { v2 }));
    }
    barrier();
    tile_1[lid(0)] = (((-1_i64) as u64) << lid(0));
    barrier();
    y_view_f64[[(64_usize % 2_usize), ((grp(0) * 64_usize) + lid(0))]] = (x_view_f64[[(lid(0) % x_view_f64.extent(0))]] + (a_f64 + (3e38_f32 as f64)));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random73(cell_u64: &mut [u64], x_f64: &[f64], x_view_u8: View<u8, 2>, total_i64: &mut [i64], x_view_i64: View<i64, 2>, a_u64: u64, y_f32: &mut [f32], x_f32: &[f32], a_u32: u32, cell_f32: &mut [f32], a_f32: f32, cell_i64: &mut [i64], a_i64: i64, y_view_f64: ViewMut<f64, 4>) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_f64_3 = y_view_f64.extent(3);
    barrier();
    let mut v0: u64 = atomic_min(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 33_u64);
    let mut v1: f64 = group_min(x_f64[((2_usize - grp(1)) % 12_usize)]);
    if ((255_u8 << v0) > x_view_u8[[((grp(0) & lid(1)) % x_view_u8.extent(0)), (lid(0) % x_view_u8.extent(1))]]) {
        atomic_add(&mut total_i64[1_usize], (((-1_i64) / 24_i64) - x_view_i64[[((1_usize / 2_usize) % 2_usize), (32_usize >> a_u64)]]));
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_f32[2_usize] - ((-1.0_f32).sqrt() % ((-2.75_f32) - 3e38_f32)));
        if false {
            let mut v2: u8 = x_view_u8[[(x_view_u8.extent(1) % x_view_u8.extent(0)), ((63_usize * 2_usize) % x_view_u8.extent(1))]];
        } else {
            let mut v3: u32 = a_u32;
            atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((0_u64 as f32) / (-a_f32)));
        }
    }
    let mut v4: i64 = atomic_and(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (!(if true { a_i64 } else { a_i64 })));
    y_view_f64[[lid(1), grp(1), lid(0), grp(0)]] = ((f64::INFINITY * 1.0_f64) + ((-0.0_f64) * v1)).sin();
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random74(x_f64: &[f64], total_i32: &mut [i32], a_i32: i32, next_u64: &mut [u64], y_u64: &mut [u64], a_f32: f32, a_i64: i64, cell_view_u64: ViewMut<u64, 6>, x_u8: &[u8], a_f64: f64, cell_view_i32: ViewMut<i32, 2>, y_view_i64: ViewMut<i64, 2>, x_i64: &[i64]) {
    let cell_view_u64_0 = cell_view_u64.extent(0);
    let cell_view_u64_1 = cell_view_u64.extent(1);
    let cell_view_u64_2 = cell_view_u64.extent(2);
    let cell_view_u64_3 = cell_view_u64.extent(3);
    let cell_view_u64_4 = cell_view_u64.extent(4);
    let cell_view_u64_5 = cell_view_u64.extent(5);
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let mut own_0 = [x_f64[7_usize]; 4];
    let mut own_1 = [1e-40_f32; 4];
    atomic_max(&mut total_i32[2_usize], (!(a_i32 % 1_i32)));
    let mut v0: u64 = atomic_xor(&mut next_u64[(((gid(1) * 5_usize) + gid(0)) + 1_usize)], y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)]);
    let mut v1: bool = ((1000000000.0_f32 < a_f32) && ((-1_i64) < a_i64));
    if v1 {
        let mut v2: u64 = atomic_compare_exchange(&mut cell_view_u64[[((a_i32 as usize) % cell_view_u64_0), (x_u8.len() % 1_usize), gid(1), gid(0), 2_usize, ((1_i32 as usize) % cell_view_u64_5)]], (if (a_f64 <= 0.0_f64) { v0 } else { (a_i32 as u64) }), (!(v0 | v0)));
        let mut v3: i32 = atomic_exchange(&mut cell_view_i32[[1_usize, ((gid(1) * 5_usize) + gid(0))]], ((if v1 { 0_u32 } else { 0_u32 }) as i32));
    }
    y_view_i64[[gid(0), gid(1)]] = x_i64[((if v1 { 3_usize } else { 63_usize }) % 12_usize)];
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random75(a_usize: usize, cell_u64: &mut [u64], x_u64: &[u64], a_f64: f64, y_i32: &mut [i32]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = a_usize;
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        barrier();
        let mut v1: u64 = atomic_exchange(&mut cell_u64[((grp(0) * 16_usize) + lid(0))], x_u64[10_usize]);
    }
    let mut v2: u32 = 0_u32;
    while ((v2 < 70_u32) && (a_f64 != a_f64)) {
        v2 = (v2 + 1_u32);
        for v3 in group_range((2_usize % 40_usize)) {
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(if (true ^ true) { (if true { 5_i32 } else { 2_i32 }) } else { (-1_i32) }));
        }
    }
    barrier();
    for v4 in group_range(((1e-40_f64 as usize) % 40_usize)) {
        let mut v5: usize = 32_usize;
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(1_i32 as i32));
}

#[kernel(device = cpu, domain = 37)]
fn random76(y_view_i32: ViewMut<i32, 2>, x_i32: &[i32], a_i32: i32, y_f64: &mut [f64], x_view_f64: View<f64, 0>) {
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let mut own_0 = [0_u64.div_euclid(28_u64); 4];
    y_view_i32[[(x_i32.len() % y_view_i32_0), gid(0)]] = ((37_usize as i32) / (if true { a_i32 } else { i32::MIN })).clamp(a_i32, (2_i32 % i32::MIN).pow((0_u32 + 4294967295_u32)));
    let mut v0: u64 = (own_0[(37_usize % 4_usize)] + (1_u32 as u64));
    let mut v1: f64 = (((-2.75_f64) * f64::INFINITY) - (-2.75_f64).signum());
    y_f64[((gid(0) * 2_usize) + 0_usize)] = x_view_f64[[]];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random77(x_u32: &[u32], y_i32: &mut [i32], a_i32: i32, a_u64: u64, a_usize: usize, y_f32: &mut [f32], x_f32: &[f32]) {
    shared!(tile_1: [f64; 16]);
    let mut own_0 = [(63_usize / 7_usize); 4];
    barrier();
    tile_1[lid(0)] = f64::NAN;
    barrier();
    let mut v0: f32 = (3e38_f32 - (-2.75_f32));
    for v1 in group_range((x_u32.len() % 40_usize)) {
        let mut v2: u32 = x_u32[((v1 / 2_usize) % 12_usize)];
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_i32 * (2147483647_i32.abs() >> (if true { 18446744073709551615_u64 } else { a_u64 })));
        v0 = v0;
    }
    for v3 in group_range(((a_usize + 40_usize) % 40_usize)) {
        let mut v4: f32 = ((v0 - v0) - (-v0));
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u8 << (-1_i32)) as f32) * x_f32[((lid(0) / grp(0)) % 12_usize)]);
}

#[device_fn]
fn mix_random78(v0: i64, v1: i64) -> i64 {
    (((50_u64 as f32) <= ((-1.0_f32) + 0.1_f32)) as i64)
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random78(cell_i64: &mut [i64], x_i64: &[i64], y_i64: &mut [i64], a_u32: u32, total_u32: &mut [u32], x_i32: &[i32], x_u8: &[u8], a_i32: i32, x_u32: &[u32], a_usize: usize, y_f64: &mut [f64], a_f64: f64, a_bool: bool) {
    let mut own_0 = [(52_u64 + 40_u64); 4];
    atomic_xor(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], x_i64[6_usize]);
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true || false)) {
        v0 = (v0 + 1_u32);
        for v1 in 0_usize..((64_usize >> 0_i32) % 70_usize) {
            y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-((a_u32 as i64) - (if false { 1_i64 } else { 67_i64 })));
            atomic_and(&mut total_u32[((v1 | 7_usize) % 5_usize)], ((v0 | 33_u32) - (v0 / v0)));
        }
    }
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (0_u64 >= 29_u64)) {
        v2 = (v2 + 1_u32);
        let mut v3: u8 = (33_i64 as u8).rem_euclid((if false { 0_u8 } else { 16_u8 }));
    }
    let mut v4: i32 = (x_i32[(x_u8.len() % 12_usize)] % (if false { 0_i32 } else { 2_i32 }));
    if true {
        own_0[((32_usize ^ 63_usize) % 4_usize)] = (33_u64 % 0_u64);
        for v5 in (-2_i32)..((v4 / a_i32) % 4_i32) {
            let mut v6: bool = ((0_u64 == 2_u64) >= (a_u32 == 0_u32));
        }
        own_0[(a_u32 as usize)] = (-2.75_f64).to_bits().rotate_left(x_u32[((if false { 2_usize } else { a_usize }) % 12_usize)]);
    } else {
        own_0[(x_i64.len() % 4_usize)] = ((2_u64 * 0_u64) / (42_u32 as u64));
        for v7 in 1_u32..((if true { a_u32 } else { a_u32 }) % 4_u32) {
            let mut v8: i64 = mix_random78(x_i64[10_usize], 1_i64);
        }
    }
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((a_f64 + f64::INFINITY) / (1e-40_f64 + a_f64)) * (if (a_bool ^ false) { (f64::NAN * 1000000000.0_f64) } else { (1000000000.0_f64 % f64::NAN) }));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random79(y_view_i64: ViewMut<i64, 3>, a_usize: usize, x_i64: &[i64], y_f32: &mut [f32], x_view_f32: View<f32, 2>, a_bool: bool, y_u32: &mut [u32], total_u32: &mut [u32], y_view_u32: ViewMut<u32, 2>, y_u8: &mut [u8], a_f32: f32, y_view_i32: ViewMut<i32, 2>, y_view_u64: ViewMut<u64, 3>, x_u64: &[u64]) {
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_i64_2 = y_view_i64.extent(2);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    let y_view_u64_2 = y_view_u64.extent(2);
    y_view_i64[[lid(0), (a_usize % y_view_i64_1), grp(0)]] = x_i64[((if false { 2_usize } else { 4_usize }) % 12_usize)];
    for v0 in group_range(((a_usize ^ a_usize) % 40_usize)) {
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_view_f32[[2_usize, ((v0 & 0_usize) % x_view_f32.extent(1))]];
        if ((0_u8 <= 2_u8) || (false || a_bool)) {
            break;
        }
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (true != true)) {
        v1 = (v1 + 1_u32);
        if (33_u32 == y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]) {
            atomic_max(&mut total_u32[1_usize], (0_u32 - (!1_u32)));
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = y_view_u32[[grp(0), lid(0)]].rotate_left((0_u64 as u32));
        } else {
            y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (((-a_f32) as usize) as u8);
            y_view_i32[[grp(0), lid(0)]] = (if true { ((-i64::MIN) as i32) } else { 2147483647_i32 });
        }
        y_view_u64[[lid(0), grp(0), (x_u64.len() % 3_usize)]] = x_u64[(y_view_i64_2 % 12_usize)];
        if true {
            let mut v2: u64 = ((-0.0_f64).to_bits() + 31_u64);
            v2 = (v2 >> ((if a_bool { v2 } else { v2 }) << (v2 as u64)));
        }
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = x_view_f32[[4_usize, 2_usize]];
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random80(a_bool: bool, a_u64: u64, a_f64: f64, x_u32: &[u32], x_i64: &[i64], total_i64: &mut [i64], cell_i32: &mut [i32], a_i32: i32, y_u64: &mut [u64], a_u32: u32, y_u8: &mut [u8], total_i32: &mut [i32], x_f32: &[f32], y_i32: &mut [i32], y_i64: &mut [i64]) {
    shared!(tile_0: [u64; 1]);
    barrier();
    tile_0[lid(0)] = (if (true ^ a_bool) { a_u64 } else { (a_u64 << 44_u64) });
    barrier();
    let mut own_1 = [(1.0_f64 % a_f64); 4];
    for v0 in (-2_i32)..((-i32::MIN) % 4_i32) {
        own_1[1_usize] = ((0_u64 as f64) % (-(-2.75_f64)));
        if (0.5_f32.to_bits() < x_u32[grp(0)]) {
            let mut v1: u32 = (!x_u32[(x_i64.len() % 12_usize)]);
            for v2 in group_range(((3_usize >> grp(0)) % 40_usize)) {
                atomic_or(&mut total_i64[(v2 * lid(0))], (2_i64.rem_euclid(i64::MIN) / (9223372036854775807_i64 - 1_i64)));
            }
        } else {
            let mut v3: u8 = 255_u8;
            own_1[((31_usize & 4_usize) % 4_usize)] = (18446744073709551615_u64.max(1_u64) as f64);
        }
        let mut v4: usize = ((a_bool || true) as usize);
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (true || a_bool)) {
        v5 = (v5 + 1_u32);
        if ((67_u8 == 2_u8) || (false && false)) {
            let mut v6: i32 = atomic_exchange(&mut cell_i32[((grp(0) * 1_usize) + lid(0))], a_i32);
            if true {
                break;
            }
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = tile_0[0_usize];
        } else {
            let mut v7: f32 = (-2.75_f32);
            let mut v8: u32 = (if (a_i32 == i32::MIN) { x_u32[(x_u32.len() % 12_usize)] } else { (a_u32 / v5) });
            y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (((33_u8 % 0_u8) + (0_u8 & 33_u8)) - 2_u8);
        }
    }
    let mut v9: i32 = 33_i32;
    if ((-a_f64) == a_f64) {
        atomic_add(&mut total_i32[(x_f32.len() % 5_usize)], ((v9 - v9) % 1_i32));
        v9 = y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)];
    } else {
        for v10 in group_range((x_f32.len() % 40_usize)) {
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_i64 * ((33_u32 as i64) - x_i64[6_usize]));
            let mut v11: u8 = ((v9 as u8) ^ (0_u8 / 1_u8));
            let mut v12: f32 = (if (2_u64 >= a_u64) { x_f32[(v10 % 12_usize)] } else { 1e-40_f32 });
        }
    }
    let mut v13: i64 = (-x_i64[((31_usize & lid(0)) % 12_usize)]);
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = v13;
}

#[device_fn]
fn mix_random81(v0: f64, v1: f64) -> f64 {
    (-((v1 + v0) * v0.div_euclid(1e-40_f64)))
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random81(a_u64: u64, x_i32: &[i32], total_i64: &mut [i64], cell_i32: &mut [i32], x_u8: &[u8], y_i64: &mut [i64], x_i64: &[i64], a_bool: bool, a_f64: f64, x_f32: &[f32], y_f64: &mut [f64]) {
    let mut own_0 = [(0_u64 + a_u64); 4];
    let mut v0: i32 = x_i32[(40_usize % 12_usize)];
    atomic_max(&mut total_i64[(3_usize % 5_usize)], (0_u32 as i64));
    if ((a_u64 + a_u64) > 1_u64) {
        let mut v1: f64 = mix_random81((1e-40_f64 / (-0.0_f64)), (4294967295_u32 as f64));
    } else {
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (2_u8 != 1_u8)) {
            v2 = (v2 + 1_u32);
            let mut v3: i32 = atomic_min(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], v0);
            let mut v4: u8 = x_u8[0_usize];
        }
        let mut v5: usize = (40_usize << (v0 - i32::MIN));
    }
    if true {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_i64[1_usize];
        let mut v6: f64 = mix_random81((if a_bool { 1e-40_f64 } else { 0.1_f64 }), (a_f64 - 0.0_f64));
    }
    let mut v7: i64 = x_i64[(x_f32.len() % 12_usize)];
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-1.0_f64);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random82(a_u64: u64, y_u64: &mut [u64], y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_0: [f32; 1]);
    shared!(tile_1: [f64; 1]);
    barrier();
    tile_0[lid(0)] = ((-0.0_f32) % 3e38_f32).rem_euclid((-2.75_f32));
    barrier();
    barrier();
    tile_1[lid(0)] = 1e-40_f64;
    barrier();
    for v0 in group_range((40_usize % 40_usize)) {
        let mut v1: u64 = (!(a_u64 << v0));
        v1 = (33_u64 - v1);
    }
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (((0_u32 & 0_u32) as u64) + (if (false || false) { (39_u64 >> 21_i32) } else { (18446744073709551615_u64 + a_u64) }));
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (((1e-40_f32 == 1.0_f32) as u32) + x_u32[((2_u32 as usize) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random83(a_u32: u32, total_view_u32: ViewMut<u32, 3>, a_usize: usize, x_u32: &[u32], y_f64: &mut [f64], a_f64: f64) {
    shared!(tile_0: [f64; 8]);
    let total_view_u32_0 = total_view_u32.extent(0);
    let total_view_u32_1 = total_view_u32.extent(1);
    let total_view_u32_2 = total_view_u32.extent(2);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 1000000000.0_f64;
    barrier();
    if (0_i32.pow(a_u32) >= (-1_i32).min(0_i32)) {
        barrier();
    }
    atomic_max(&mut total_view_u32[[2_usize, (63_usize % total_view_u32_1), ((a_usize ^ 31_usize) % total_view_u32_2)]], x_u32[4_usize]);
    let mut v0: u64 = ((2_i64 as f64) as u64);
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(if (9223372036854775807_i64 < 0_i64) { (1.0_f64 as f64) } else { (a_f64 * 1.0_f64) }));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random84(x_f32: &[f32], y_f32: &mut [f32], a_f32: f32, a_bool: bool, y_i32: &mut [i32], y_u8: &mut [u8], x_u8: &[u8], a_usize: usize, y_u32: &mut [u32]) {
    for v0 in group_range((x_f32.len() % 40_usize)) {
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(-(a_f32 - 1e-40_f32)));
        if ((1_u32 <= 33_u32) || (false && a_bool)) {
            break;
        }
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (-1_i32);
    let mut v1: u64 = 1_u64;
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u8[((2_usize % grp(0)) % 12_usize)].min(33_u8) * x_u8[((a_usize >> 2147483647_i32) % 12_usize)]);
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((1_u32.count_ones() % 33_u32) ^ (if (33_i32 > i32::MIN) { (1_u32 << grp(0)) } else { y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] }));
}

#[device_fn]
fn mix_random85(v0: u32, v1: u32) -> u32 {
    v1
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random85(x_u64: &[u64], x_u32: &[u32], a_u32: u32, a_f64: f64, y_i64: &mut [i64], x_i64: &[i64], y_f64: &mut [f64], x_i32: &[i32], a_bool: bool, y_u32: &mut [u32], y_f32: &mut [f32], a_f32: f32) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 32_usize;
    barrier();
    for v0 in 0_usize..((grp(0) + grp(0)) % 4_usize) {
        let mut v1: f64 = 1000000000.0_f64;
        v1 = v1;
    }
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_u64.len();
    barrier();
    for v2 in 1_u32..(x_u32[8_usize] % 4_u32) {
        let mut v3: u32 = mix_random85((v2 | v2), (18446744073709551615_u64 as u32));
        v3 = (((1_u32 % v3) % a_u32) * 0_u32);
    }
    if true {
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (a_f64 != 3e38_f64)) {
            v4 = (v4 + 1_u32);
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((9223372036854775807_i64 + (33_i64 + 4_i64)) - (x_i64[2_usize] * x_i64[(7_usize % 12_usize)]));
        }
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-((1000000000.0_f64 * 1.0_f64) + 1.0_f64));
    } else {
        if (63_i32 < x_i32[(lid(0) % 12_usize)]) {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-3e38_f64.round_ties_even()) * (-(if a_bool { a_f64 } else { (-2.75_f64) })));
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 33_u32;
        }
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-((a_f32 - 0.1_f32) - y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)]));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random86(y_f64: &mut [f64], x_view_i64: View<i64, 1>, a_usize: usize, y_view_f64: ViewMut<f64, 5>, x_view_f64: View<f64, 3>, y_view_u32: ViewMut<u32, 6>, x_u8: &[u8], y_u32: &mut [u32], y_view_f32: ViewMut<f32, 1>, x_f32: &[f32]) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_f64_3 = y_view_f64.extent(3);
    let y_view_f64_4 = y_view_f64.extent(4);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_u32_2 = y_view_u32.extent(2);
    let y_view_u32_3 = y_view_u32.extent(3);
    let y_view_u32_4 = y_view_u32.extent(4);
    let y_view_u32_5 = y_view_u32.extent(5);
    let y_view_f32_0 = y_view_f32.extent(0);
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 3e38_f64;
    if ((0_i64 - 0_i64) >= x_view_i64[[(a_usize % x_view_i64.extent(0))]]) {
        y_view_f64[[grp(0), ((0_u64 as usize) % y_view_f64_1), grp(1), lid(1), lid(0)]] = x_view_f64[[(lid(1) % 3_usize), ((if false { a_usize } else { 7_usize }) % x_view_f64.extent(1)), ((32_usize / grp(1)) % 1_usize)]];
    }
    y_view_u32[[grp(1), lid(0), lid(1), grp(0), (x_u8.len() % y_view_u32_4), ((a_usize & 0_usize) % 1_usize)]] = y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)];
    y_view_f32[[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))]] = x_f32[(x_u8.len() % 12_usize)];
}

#[device_fn]
fn mix_random87(v0: u64, v1: u64) -> u64 {
    v0
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random87(x_i64: &[i64], a_u32: u32, y_u8: &mut [u8], x_u8: &[u8]) {
    let mut own_0 = [0_u32; 4];
    for v0 in group_range(((2_usize / 64_usize) % 40_usize)) {
        own_0[(x_i64.len() % 4_usize)] = (33_i64.rotate_right(0_u32) as u32);
    }
    let mut v1: u32 = group_max(a_u32);
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u8[4_usize];
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random88(total_i64: &mut [i64], a_usize: usize, y_i32: &mut [i32], x_i32: &[i32], cell_u64: &mut [u64], a_u64: u64, y_f64: &mut [f64]) {
    atomic_xor(&mut total_i64[((a_usize + gid(0)) % 5_usize)], i64::MIN);
    y_i32[((gid(0) * 2_usize) + 1_usize)] = x_i32[((7_usize - 32_usize) % 12_usize)];
    let mut v0: u64 = atomic_xor(&mut cell_u64[gid(0)], (if (2_u8 > 0_u8) { (a_u64 ^ 0_u64) } else { (6_u64 ^ 1_u64) }));
    y_f64[((gid(0) * 2_usize) + 1_usize)] = (-1.0_f64);
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random89(a_i64: i64, a_u32: u32, x_u32: &[u32], x_f32: &[f32], total_u64: &mut [u64], cell_i64: &mut [i64], x_i64: &[i64], x_u64: &[u64], a_usize: usize, total_u32: &mut [u32], y_i64: &mut [i64], a_bool: bool, cell_f32: &mut [f32], a_f64: f64, a_f32: f32, total_i32: &mut [i32], a_i32: i32, y_f64: &mut [f64], x_u8: &[u8], y_u32: &mut [u32], y_u8: &mut [u8], x_f64: &[f64]) {
    shared!(tile_0: [u32; 64]);
    barrier();
    tile_0[lid(0)] = (if (a_i64 > i64::MIN) { (0_u32 + 33_u32) } else { (a_u32 / a_u32) });
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = x_u32[(1_usize % 12_usize)];
        if ((v0 << 8_i32) != tile_0[(x_f32.len() % 64_usize)]) {
            let mut v2: u8 = ((1_u8 - 59_u8) << 2147483647_i32.div_euclid(47_i32));
            atomic_and(&mut total_u64[((1_usize + 32_usize) % 5_usize)], (1_u64.rem_euclid(2_u64) * (if false { 2_u64 } else { 7_u64 })));
            let mut v3: i64 = atomic_or(&mut cell_i64[((grp(0) * 64_usize) + lid(0))], x_i64[((grp(0) >> 1_i32) % 12_usize)]);
        } else {
            v1 = ((true as u32) << (x_u64[(a_usize % 12_usize)] >> (0_u64 | 45_u64)));
            atomic_min(&mut total_u32[(lid(0) % 5_usize)], (f32::NAN as u8).count_ones());
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (if a_bool { 2_i64 } else { (-1_i64) });
        }
        let mut v4: f32 = atomic_add(&mut cell_f32[((grp(0) * 64_usize) + lid(0))], ((f32::INFINITY % f32::NAN) + (3e38_f32 % 0.0_f32)));
    }
    if false {
        let mut v5: u32 = 0_u32;
        while ((v5 < 70_u32) && (true || a_bool)) {
            v5 = (v5 + 1_u32);
            let mut v6: f32 = atomic_add(&mut cell_f32[((grp(0) * 64_usize) + lid(0))], (if (a_f64 == 0.5_f64) { 0.0_f32 } else { ((-2.75_f32) / (-1.0_f32)) }));
            let mut v7: u8 = ((2_u8 % 33_u8) - (2_u8 / 0_u8));
        }
    } else {
        let mut v8: i32 = (2147483647_i32 + 2147483647_i32).rotate_left((if false { 18_u32 } else { 4294967295_u32 }));
        if ((a_f32 / 1e-40_f32) < x_f32[((a_usize - a_usize) % 12_usize)]) {
            let mut v9: u32 = (1_u8 | 0_u8).count_ones();
            atomic_min(&mut total_u32[(31_usize | grp(0))], (tile_0[((true as usize) % 64_usize)] + (f64::NAN as u32)));
        } else {
            let mut v10: bool = a_bool;
        }
    }
    if ((0_u32 * 15_u32) == tile_0[((a_usize * a_usize) % 64_usize)]) {
        if ((false as i32) == (-0_i32)) {
            atomic_max(&mut total_i32[((if true { lid(0) } else { 31_usize }) % 5_usize)], (!(!2147483647_i32)));
        } else {
            atomic_max(&mut total_i32[((if false { a_usize } else { lid(0) }) % 5_usize)], a_i32);
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 0.1_f64;
        }
    }
    for v11 in (-2_i32)..(10_i32 % 4_i32) {
        let mut v12: u8 = ((grp(0) as u8) ^ x_u8[(x_u8.len() % 12_usize)]);
    }
    let mut v13: u32 = 0_u32;
    while ((v13 < 3_u32) && (1_u8 != 5_u8)) {
        v13 = (v13 + 1_u32);
        if ((a_i64 % 0_i64) < ((-1_i64) * (-1_i64))) {
            y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = v13;
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if true { ((-1.0_f64) % (a_f64 - 0.0_f64)) } else { ((0.5_f64 / (-0.0_f64)) + (1_u64 as f64)) });
        } else {
            y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (33_u64 == (1_u64 - 0_u64)) { 0_u8 } else { x_u8[7_usize] });
        }
        y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (false || (v13 != 4294967295_u32)) { 0_u8 } else { x_u8[x_f64.len()] });
        barrier();
        tile_0[lid(0)] = (v13 / 0_u32).pow((63_u32 % v13));
        barrier();
    }
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f64[1_usize];
}

#[device_fn]
fn mix_random90(v0: i32, v1: i32) -> i32 {
    1_i32
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random90(total_i64: &mut [i64], total_u32: &mut [u32], x_u8: &[u8], a_u32: u32, a_i32: i32, y_u8: &mut [u8], a_u64: u64, y_i32: &mut [i32]) {
    for v0 in group_range((grp(0) % 40_usize)) {
        atomic_add(&mut total_i64[((v0 + v0) % 5_usize)], 27_i64);
        atomic_min(&mut total_u32[(x_u8.len() % 5_usize)], ((0_u32 ^ a_u32) << a_i32));
        let mut v1: f64 = (-2.75_f64);
    }
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u8[((40_usize >> a_u64) % 12_usize)];
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(if true { 2_i32 } else { a_i32 }).min((0_i64 as i32)));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random91(x_f64: &[f64], x_u32: &[u32], y_view_f64: ViewMut<f64, 3>, a_usize: usize, y_view_f32: ViewMut<f32, 1>, x_view_u32: View<u32, 2>, y_view_i64: ViewMut<i64, 2>, y_view_u32: ViewMut<u32, 2>, a_u32: u32, x_f32: &[f32], x_view_f32: View<f32, 3>, a_f32: f32) {
    shared!(tile_0: [usize; 1]);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    barrier();
    tile_0[lid(0)] = (x_f64.len() + (40_usize | 32_usize));
    barrier();
    for v0 in 0_usize..(x_u32.len() % 70_usize) {
        y_view_f64[[((if true { a_usize } else { 63_usize }) % y_view_f64_0), ((grp(0) * 1_usize) + lid(0)), ((grp(0) % v0) % y_view_f64_2)]] = (1000000000.0_f64 / (1.0_f64 / y_view_f64[[((v0 ^ v0) % 4_usize), ((grp(0) * 1_usize) + lid(0)), (tile_0[(tile_0[y_view_f64_2] % 1_usize)] % 3_usize)]]));
        y_view_f32[[((grp(0) * 1_usize) + lid(0))]] = (-0.0_f32);
        let mut v1: u8 = (0_u8 + 255_u8);
    }
    for v2 in 1_u32..(x_view_u32[[((63_usize & 3_usize) % 3_usize), ((40_usize / 1_usize) % x_view_u32.extent(1))]] % 70_u32) {
        y_view_i64[[lid(0), grp(0)]] = 27_i64.min(((if true { 0_u64 } else { 0_u64 }) as i64));
        barrier();
        let mut v3: usize = 64_usize;
    }
    y_view_u32[[grp(0), lid(0)]] = a_u32;
    for v4 in group_range(((grp(0) ^ a_usize) % 40_usize)) {
        y_view_f32[[((grp(0) * 1_usize) + lid(0))]] = (x_f32[((v4 + 1_usize) % 12_usize)] / x_view_f32[[((!lid(0)) % 2_usize), 3_usize, ((0_u64 as usize) % x_view_f32.extent(2))]]);
    }
    y_view_f32[[((grp(0) * 1_usize) + lid(0))]] = ((a_f32 % f32::NAN) / (-1.0_f32)).round();
}

#[device_fn]
fn mix_random92(v0: u64, v1: u64) -> u64 {
    (((v0 << i32::MIN) + (69_i32 as u64)) % (if (f64::NAN == 0.5_f64) { (v1 / v0) } else { (33_u64 + v0) }))
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random92(total_view_i32: ViewMut<i32, 1>, next_view_u64: ViewMut<u64, 6>, x_i32: &[i32], a_usize: usize, x_u64: &[u64], a_u64: u64, cell_view_i32: ViewMut<i32, 4>, total_u64: &mut [u64], a_u32: u32, a_f32: f32, x_view_f32: View<f32, 3>, y_view_u32: ViewMut<u32, 3>, x_u32: &[u32]) {
    let total_view_i32_0 = total_view_i32.extent(0);
    let next_view_u64_0 = next_view_u64.extent(0);
    let next_view_u64_1 = next_view_u64.extent(1);
    let next_view_u64_2 = next_view_u64.extent(2);
    let next_view_u64_3 = next_view_u64.extent(3);
    let next_view_u64_4 = next_view_u64.extent(4);
    let next_view_u64_5 = next_view_u64.extent(5);
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let cell_view_i32_2 = cell_view_i32.extent(2);
    let cell_view_i32_3 = cell_view_i32.extent(3);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_u32_2 = y_view_u32.extent(2);
    let mut own_0 = [1000000000.0_f32.floor(); 4];
    let mut own_1 = [255_u8; 4];
    atomic_min(&mut total_view_i32[[((1_usize % gid(1)) % 4_usize)]], (-2_i32));
    if false {
        atomic_compare_exchange(&mut next_view_u64[[(gid(0) + 1_usize), (x_i32.len() % next_view_u64_1), (0_usize % next_view_u64_2), ((if true { a_usize } else { gid(1) }) % next_view_u64_3), gid(1), (x_i32.len() % next_view_u64_5)]], x_u64[((gid(1) & a_usize) % 12_usize)], (x_u64[((gid(1) - a_usize) % 12_usize)] % a_u64));
        let mut v0: i32 = atomic_min(&mut cell_view_i32[[gid(0), 0_usize, (32_usize % cell_view_i32_2), gid(1)]], (-1_i32));
    } else {
        let mut v1: bool = (32_usize == (!gid(0)));
        v1 = false;
        v1 = (((0_u32 != 0_u32) ^ ((-1_i32) != (-1_i32))) ^ ((v1 != v1) >= (v1 || v1)));
    }
    atomic_min(&mut total_u64[((gid(1) | 31_usize) % 5_usize)], 2_u64);
    let mut v2: u64 = mix_random92(a_u64.rotate_right(a_u32), 0_u64.saturating_add(1_u64));
    let mut v3: f32 = (a_f32 + x_view_f32[[2_usize, 5_usize, ((7_usize % 31_usize) % x_view_f32.extent(2))]]);
    y_view_u32[[0_usize, ((gid(1) * 5_usize) + gid(0)), (2_usize % 2_usize)]] = x_u32[((3_usize - gid(0)) % 12_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random93(a_usize: usize, a_i64: i64, y_f32: &mut [f32], x_f32: &[f32], y_u64: &mut [u64], a_bool: bool) {
    let mut own_0 = [(a_usize | a_usize); 4];
    let mut own_1 = [(a_i64 - 15_i64); 4];
    for v0 in group_range(((0_usize / a_usize) % 40_usize)) {
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((x_f32[((v0 << 2_usize) % 12_usize)] * (0.0_f32 + 0.0_f32)) - (if (true && false) { y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] } else { ((-2.75_f32) / 1e-40_f32) }));
    }
    if ((0_u8 * 3_u8) != (0_u8 - 255_u8)) {
        barrier();
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if (a_bool || true) { (if false { i32::MIN } else { i32::MIN }) } else { (7_i32 * 0_i32) }) as u64);
}

#[device_fn]
fn mix_random94(v0: f64, v1: f64) -> f64 {
    (((v0 + v0) - v1.rem_euclid(v1)) / v0)
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random94(x_f32: &[f32], y_f64: &mut [f64], a_f64: f64, y_i64: &mut [i64], a_i64: i64) {
    let mut v0: f32 = group_sum((x_f32[(40_usize % 12_usize)] * x_f32[6_usize]));
    if true {
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((-(-2.75_f64)) % (-(-a_f64)));
        if (1_u64 != (2_u64 / 2_u64)) {
            let mut v1: f64 = mix_random94((0.5_f64 % a_f64), (-0.0_f64));
        }
    }
    let mut v2: bool = ((a_f64 <= (-0.0_f64)) == (false || true));
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = a_i64;
}

#[device_fn]
fn mix_random95(v0: f64, v1: f64) -> f64 {
    f64::INFINITY
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random95(x_f32: &[f32], x_u32: &[u32], y_view_f32: ViewMut<f32, 3>, a_u32: u32, total_i32: &mut [i32], a_i32: i32, y_view_i32: ViewMut<i32, 2>, x_view_i64: View<i64, 3>, x_view_i32: View<i32, 3>, a_usize: usize, a_f64: f64, y_u32: &mut [u32], y_view_u32: ViewMut<u32, 4>, y_view_i64: ViewMut<i64, 4>, y_view_f64: ViewMut<f64, 6>) {
    shared!(tile_0: [f32; 64]);
    shared!(tile_1: [usize; 64]);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_f32_1 = y_view_f32.extent(1);
    let y_view_f32_2 = y_view_f32.extent(2);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_u32_2 = y_view_u32.extent(2);
    let y_view_u32_3 = y_view_u32.extent(3);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_i64_2 = y_view_i64.extent(2);
    let y_view_i64_3 = y_view_i64.extent(3);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let y_view_f64_3 = y_view_f64.extent(3);
    let y_view_f64_4 = y_view_f64.extent(4);
    let y_view_f64_5 = y_view_f64.extent(5);
    barrier();
    tile_0[lid(0)] = x_f32[(2_usize % 12_usize)];
    barrier();
    barrier();
    tile_1[lid(0)] = (lid(0) & ((-1.0_f32) as usize));
    barrier();
    if (x_u32[8_usize] >= (0_u8 as u32)) {
        let mut v0: usize = lid(0);
    }
    if true {
        y_view_f32[[grp(0), (y_view_f32_1 % y_view_f32_1), lid(0)]] = x_f32[((lid(0) >> 0_u64) % 12_usize)];
        for v1 in 1_u32..((0_u32 % a_u32) % 4_u32) {
            atomic_xor(&mut total_i32[((if false { grp(0) } else { 7_usize }) % 5_usize)], ((grp(0) as i32) % (0_i32 | a_i32)));
            let mut v2: i32 = (if (33_u32 >= v1) { (-2_i32) } else { y_view_i32[[lid(0), grp(0)]] });
            v2 = ((x_view_i64[[(lid(0) % x_view_i64.extent(0)), ((lid(0) + 40_usize) % 4_usize), (x_f32.len() % 2_usize)]] as i32) + x_view_i32[[(lid(0) % 3_usize), ((1_usize * 40_usize) % x_view_i32.extent(1)), a_usize]]);
        }
    } else {
        for v3 in (-2_i32)..((a_i32 * a_i32) % 4_i32) {
            let mut v4: f64 = mix_random95((a_f64 % 1e-40_f64), (f64::INFINITY - 0.1_f64));
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && false) {
            v5 = (v5 + 1_u32);
            y_view_i32[[lid(0), grp(0)]] = ((2_i32 - (-1_i32).abs()) % ((-a_i32) - (i32::MIN - 0_i32)));
        }
        if ((0_u8 as f32) >= 1000000000.0_f32) {
            y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (y_view_u32[[grp(0), lid(0), (x_view_i32.extent(0) % 2_usize), (x_u32.len() % y_view_u32_3)]] & 0_u32);
            let mut v6: i64 = y_view_i64[[lid(0), ((if false { lid(0) } else { a_usize }) % y_view_i64_1), 4_usize, grp(0)]];
            let mut v7: i64 = 9223372036854775807_i64;
        }
    }
    y_view_f64[[lid(0), (grp(0) % y_view_f64_1), grp(0), 0_usize, (x_view_i64.extent(0) % y_view_f64_4), (40_usize << 0_u64)]] = (if (f64::from_bits(2_u64) == (a_f64 - (-1.0_f64))) { (((-1.0_f64) * a_f64) - (if false { f64::INFINITY } else { f64::NAN })) } else { (a_f64 - 0.0_f64) });
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random96(a_f32: f32, a_bool: bool, cell_view_u64: ViewMut<u64, 4>, x_u64: &[u64], a_usize: usize, cell_view_u32: ViewMut<u32, 6>, y_view_u32: ViewMut<u32, 2>, a_i32: i32, x_view_u8: View<u8, 3>, y_u32: &mut [u32], a_u32: u32) {
    shared!(tile_0: [u8; 1]);
    let cell_view_u64_0 = cell_view_u64.extent(0);
    let cell_view_u64_1 = cell_view_u64.extent(1);
    let cell_view_u64_2 = cell_view_u64.extent(2);
    let cell_view_u64_3 = cell_view_u64.extent(3);
    let cell_view_u32_0 = cell_view_u32.extent(0);
    let cell_view_u32_1 = cell_view_u32.extent(1);
    let cell_view_u32_2 = cell_view_u32.extent(2);
    let cell_view_u32_3 = cell_view_u32.extent(3);
    let cell_view_u32_4 = cell_view_u32.extent(4);
    let cell_view_u32_5 = cell_view_u32.extent(5);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    barrier();
    tile_0[lid(0)] = 1_u8;
    barrier();
    if ((a_f32 + (-1.0_f32)) == (-f32::NAN)) {
        for v0 in 1_u32..((0_u32 * 0_u32) % 4_u32) {
            if a_bool {
                break;
            }
        }
        let mut v1: u64 = atomic_compare_exchange(&mut cell_view_u64[[((a_f32 as usize) % cell_view_u64_0), grp(0), ((0_usize | 64_usize) % 4_usize), lid(0)]], 18446744073709551615_u64, (if ((-1_i64) >= 33_i64) { x_u64[((grp(0) % a_usize) % 12_usize)] } else { x_u64[8_usize] }));
    }
    for v2 in group_range(((a_usize * a_usize) % 40_usize)) {
        let mut v3: u32 = atomic_xor(&mut cell_view_u32[[lid(0), grp(0), ((!v2) % cell_view_u32_2), (v2 % cell_view_u32_3), (v2 / v2), ((v2 >> v2) % cell_view_u32_5)]], y_view_u32[[grp(0), lid(0)]]);
    }
    barrier();
    tile_0[lid(0)] = (if (0_i32 != a_i32) { x_view_u8[[((grp(0) / 32_usize) % x_view_u8.extent(0)), (1_usize % 2_usize), ((a_usize ^ 4_usize) % x_view_u8.extent(2))]] } else { (34_i32 as u8) });
    barrier();
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_u64 & 0_u64.pow(a_u32)) as u32);
}

#[device_fn]
fn mix_random97(v0: u64, v1: u64) -> u64 {
    (v0 / v0)
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random97(x_i64: &[i64], total_i64: &mut [i64], y_f64: &mut [f64]) {
    let mut v0: i64 = x_i64[((grp(0) >> 0_u64) % 12_usize)];
    barrier();
    atomic_xor(&mut total_i64[(x_i64.len() % 5_usize)], (-v0.abs()));
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (((v0 as u8) - (0_u8 - 0_u8)) as f64);
}

#[kernel(device = cpu, domain = (3, 5))]
fn random98(y_view_f64: ViewMut<f64, 3>, x_f64: &[f64], x_i32: &[i32], x_view_f64: View<f64, 3>, a_f64: f64, x_view_i64: View<i64, 3>, a_usize: usize, a_u64: u64, x_view_u32: View<u32, 0>, y_f64: &mut [f64]) {
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    for v0 in (-2_i32)..((i32::MIN - 33_i32) % 4_i32) {
        let mut v1: u32 = 0_u32;
        while ((v1 < 70_u32) && (1.0_f32 != 1000000000.0_f32)) {
            v1 = (v1 + 1_u32);
            let mut v2: u8 = ((0_u8 * 33_u8) * (if false { 2_u8 } else { 0_u8 }));
        }
    }
    y_view_f64[[(5_usize % y_view_f64_0), (y_view_f64_2 % y_view_f64_1), ((gid(1) * 5_usize) + gid(0))]] = 1000000000.0_f64.clamp(x_f64[10_usize], x_f64[(x_i32.len() % 12_usize)]);
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (true || true)) {
        v3 = (v3 + 1_u32);
        y_view_f64[[((40_usize % 40_usize) % 4_usize), ((5_usize << i32::MIN) % y_view_f64_1), ((gid(1) * 5_usize) + gid(0))]] = (((3e38_f64 % (-0.0_f64)) / x_view_f64[[(5_usize % 2_usize), 3_usize, (x_view_f64.extent(1) % 5_usize)]]) + (a_f64 % ((-2.75_f64) + 0.1_f64)));
        let mut v4: i64 = x_view_i64[[((1_usize << 1_u64) % x_view_i64.extent(0)), (a_usize % 4_usize), (a_u64 as usize)]];
        if ((0_u64 % a_u64) <= 0_u64.saturating_add(1_u64)) {
            let mut v5: bool = false;
            let mut v6: u32 = (x_view_u32[[]] & 0_i32.count_ones());
        }
    }
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = x_f64[2_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random99(x_f64: &[f64], a_i32: i32, a_i64: i64, y_view_u64: ViewMut<u64, 2>) {
    shared!(tile_0: [f64; 64]);
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    barrier();
    tile_0[lid(0)] = x_f64[1_usize];
    barrier();
    let mut own_1 = [(if true { 1_u8 } else { 33_u8 }); 4];
    let mut v0: i32 = group_min(((1_i32 & 33_i32) - a_i32.saturating_add(a_i32)));
    v0 = (2147483647_i32 ^ (a_i64 as i32));
    y_view_u64[[lid(0), grp(0)]] = (33_u64 ^ 66_u64);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random100(x_i32: &[i32], y_f64: &mut [f64], a_f64: f64, y_f32: &mut [f32], y_i32: &mut [i32], total_i32: &mut [i32], a_i32: i32, y_u64: &mut [u64], x_u64: &[u64], y_u32: &mut [u32], total_i64: &mut [i64], a_i64: i64, y_i64: &mut [i64], x_i64: &[i64], y_u8: &mut [u8], x_u8: &[u8]) {
    shared!(tile_0: [i32; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = (x_i32[0_usize] + (if false { 2147483647_i32 } else { 33_i32 }));
    barrier();
    barrier();
    tile_1[lid(0)] = 2_usize;
    barrier();
    for v0 in 1_u32..(0_u32 % 70_u32) {
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (0.5_f64 > 1000000000.0_f64)) {
            v1 = (v1 + 1_u32);
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((3_usize * 1_usize) as f64) * (1e-40_f64 * ((-2.75_f64) % a_f64)));
        }
    }
    for v2 in group_range(((32_usize << grp(0)) % 40_usize)) {
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((0_u64 as f32) as f32) % 0.1_f32);
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 6_i32;
        let mut v3: u32 = (i64::MIN as u32);
    }
    if ((true || true) ^ (18446744073709551615_u64 < 33_u64)) {
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i32[((31_usize << (-1_i32)) % 12_usize)];
        atomic_or(&mut total_i32[((grp(0) << 2147483647_i32) % 5_usize)], (33_i32 / (-1_i32)).saturating_sub(tile_0[(if true { 2_usize } else { 32_usize })]));
        y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (tile_1[13_usize] as f64);
    } else {
        for v4 in (-2_i32)..((i32::MIN % (-1_i32)) % 4_i32) {
            let mut v5: i32 = (a_i32 + a_i32);
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u64[5_usize] / 2_u64) % ((0_u64 % 33_u64) - 48_u64));
            y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((2_u64.clamp(0_u64, 1_u64) & 0_u64) as u32);
        }
        let mut v6: u32 = 0_u32;
        while ((v6 < 70_u32) && (false && true)) {
            v6 = (v6 + 1_u32);
            atomic_xor(&mut total_i64[(tile_1[(tile_1[((0.0_f64 as usize) % 16_usize)] % 16_usize)] % 5_usize)], (((-1_i64) as i64) + (a_i64 / 33_i64)));
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (a_i32 >> (!x_u64[(40_usize % 12_usize)]));
            let mut v7: usize = tile_1[(((-1.0_f64) as usize) % 16_usize)];
        }
        for v8 in group_range(((grp(0) ^ 1_usize) % 40_usize)) {
            y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i64[5_usize] & x_i64[10_usize]);
        }
    }
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 33_u8;
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_u8 ^ 0_u8).div_euclid(x_u8[(2_usize % 12_usize)]) * ((0_u8 % 0_u8) + x_u8[(2_usize % 12_usize)]));
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random101(x_u8: &[u8], cell_u64: &mut [u64], y_f64: &mut [f64], a_f64: f64, y_i32: &mut [i32], a_i32: i32, x_i64: &[i64]) {
    shared!(tile_0: [u8; 64]);
    barrier();
    tile_0[lid(0)] = x_u8[10_usize];
    barrier();
    barrier();
    let mut v0: u64 = atomic_min(&mut cell_u64[((grp(0) * 64_usize) + lid(0))], 0_u64);
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_f64;
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (((a_i32 + 33_i32) >> x_i64.len()) - ((if false { 2147483647_i32 } else { 33_i32 }) + (33_i32 / a_i32)));
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random102(y_f64: &mut [f64], cell_u32: &mut [u32], a_usize: usize, y_i64: &mut [i64], x_i64: &[i64]) {
    if true {
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (false || false)) {
            v0 = (v0 + 1_u32);
            if ((true as u32) < (if true { v0 } else { v0 })) {
                continue;
            }
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 0.0_f64;
            atomic_add(&mut cell_u32[((grp(0) * 64_usize) + lid(0))], (if true { v0 } else { (v0 << a_usize) }));
        }
    }
    barrier();
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i64[((if true { a_usize } else { 7_usize }) % 12_usize)];
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random103(x_i32: &[i32], y_u64: &mut [u64], y_f64: &mut [f64], x_f64: &[f64], cell_u64: &mut [u64], x_u64: &[u64], a_f32: f32, y_u8: &mut [u8], a_f64: f64, y_i64: &mut [i64], a_bool: bool, a_i64: i64) {
    let mut own_0 = [(lid(0) | 3_usize); 4];
    for v0 in 1_u32..((!2_u32) % 4_u32) {
        let mut v1: bool = false;
        if (18_i32 != x_i32[((3e38_f64 as usize) % 12_usize)]) {
            v1 = v1;
        } else {
            let mut v2: i32 = (33_i32 * 33_i32).pow(v0);
        }
        y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_u64;
    }
    for v3 in (-2_i32)..(x_i32[5_usize] % 4_i32) {
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[(x_i32.len() % 12_usize)];
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (2_usize != 3_usize)) {
            v4 = (v4 + 1_u32);
            let mut v5: u64 = atomic_max(&mut cell_u64[((grp(0) * 8_usize) + lid(0))], ((v4 as u64) % x_u64[((0_u64 as usize) % 12_usize)]));
            let mut v6: f32 = ((true as u32 as f32) - (-a_f32));
        }
        y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = 0_u8;
    }
    for v7 in group_range(((if true { 3_usize } else { 7_usize }) % 40_usize)) {
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-a_f64) % (64_u32 as f64)) * x_f64[10_usize]);
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (((true as i64) >> 0_u64) / (if (false ^ a_bool) { (a_i64 | 1_i64) } else { ((-0.0_f32) as i64) }));
}

#[device_fn]
fn mix_random104(v0: f64, v1: f64) -> f64 {
    1.0_f64
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random104(x_u32: &[u32], x_u64: &[u64], a_f64: f64, y_f32: &mut [f32], x_f32: &[f32], total_u64: &mut [u64], a_bool: bool, a_u32: u32, a_i32: i32, y_f64: &mut [f64], x_f64: &[f64], a_usize: usize) {
    let mut own_0 = [(65_u32 << 7_usize); 4];
    let mut v0: u32 = (own_0[0_usize] % x_u32[11_usize]);
    if (x_u64[(63_usize % grp(0))] <= (!0_u64)) {
        let mut v1: f64 = mix_random104(0.0_f64, (a_f64 - 3e38_f64));
        if ((0_u32 <= 67_u32) > (1_u8 == 0_u8)) {
            y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((x_f32[1_usize] * (-2.75_f32)) % 0.5_f32);
        }
    }
    own_0[(if false { grp(0) } else { 64_usize })] = ((true as u32) % (v0 - v0));
    for v2 in 0_usize..((grp(0) / lid(0)) % 4_usize) {
        if (3e38_f64 != f64::INFINITY) {
            own_0[2_usize] = ((v0 % 0_u32) % own_0[((0.1_f32 as usize) % 4_usize)]);
            atomic_xor(&mut total_u64[((if a_bool { v2 } else { 7_usize }) % 5_usize)], x_u64[(1_u64 as usize)]);
        } else {
            own_0[(v2 % 4_usize)] = (if a_bool { (v0 % v0) } else { a_u32 });
            v0 = (v0 << ((a_i32 - i32::MIN) + 1_i32.clamp((-1_i32), 0_i32)));
        }
        let mut v3: f64 = mix_random104((v0 as f64), f64::from_bits(0_u64));
        let mut v4: f64 = mix_random104((if a_bool { v3 } else { v3 }), (v3 * (-2.75_f64)));
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (0.0_f64 / (x_f64[a_usize] / (f64::NAN / 1e-40_f64)));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random105(y_view_f64: ViewMut<f64, 1>, a_f64: f64, y_view_u32: ViewMut<u32, 1>, a_u64: u64, x_u32: &[u32], x_i32: &[i32], a_i32: i32) {
    shared!(tile_0: [f64; 1]);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_u32_0 = y_view_u32.extent(0);
    barrier();
    tile_0[lid(0)] = y_view_f64[[((grp(0) * 1_usize) + lid(0))]];
    barrier();
    let mut v0: bool = ((16_u8 << 2_u64) <= (a_f64 as u8));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (1_i32 != 1_i32)) {
        v1 = (v1 + 1_u32);
        barrier();
    }
    let mut v2: i64 = 39_i64;
    y_view_u32[[((grp(0) * 1_usize) + lid(0))]] = (if ((2147483647_i32 << 2_i32) == 1_i32.pow(2_u32)) { (if true { 1_u32 } else { 0_u32 }).saturating_add((a_u64 as u32)) } else { (x_u32[(x_i32.len() % 12_usize)] % a_i32.trailing_zeros()) });
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random106(total_u32: &mut [u32], x_u32: &[u32], cell_u32: &mut [u32], a_u32: u32, y_u8: &mut [u8]) {
    let mut own_0 = [63_usize; 4];
    let mut own_1 = [32_usize; 4];
    atomic_min(&mut total_u32[0_usize], x_u32[1_usize]);
    let mut v0: u32 = atomic_and(&mut cell_u32[gid(0)], (a_u32 - (0_u32 + a_u32)));
    y_u8[((gid(0) * 2_usize) + 1_usize)] = 0_u8;
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random107(y_view_f32: ViewMut<f32, 3>, a_bool: bool, a_u64: u64, a_i32: i32, a_i64: i64, cell_view_u64: ViewMut<u64, 3>, cell_view_i64: ViewMut<i64, 5>, x_i64: &[i64], y_view_i64: ViewMut<i64, 2>, total_i32: &mut [i32], x_i32: &[i32], y_view_u64: ViewMut<u64, 1>, y_view_f64: ViewMut<f64, 3>, a_f64: f64, y_i64: &mut [i64]) {
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_f32_1 = y_view_f32.extent(1);
    let y_view_f32_2 = y_view_f32.extent(2);
    let cell_view_u64_0 = cell_view_u64.extent(0);
    let cell_view_u64_1 = cell_view_u64.extent(1);
    let cell_view_u64_2 = cell_view_u64.extent(2);
    let cell_view_i64_0 = cell_view_i64.extent(0);
    let cell_view_i64_1 = cell_view_i64.extent(1);
    let cell_view_i64_2 = cell_view_i64.extent(2);
    let cell_view_i64_3 = cell_view_i64.extent(3);
    let cell_view_i64_4 = cell_view_i64.extent(4);
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_f64_0 = y_view_f64.extent(0);
    let y_view_f64_1 = y_view_f64.extent(1);
    let y_view_f64_2 = y_view_f64.extent(2);
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (0_u64 >= 0_u64)) {
        v0 = (v0 + 1_u32);
        y_view_f32[[(37_usize % y_view_f32_0), ((if a_bool { 37_usize } else { 32_usize }) % 5_usize), gid(0)]] = (1.0_f32 as f32);
    }
    if ((53_u32 >= 4294967295_u32) || false) {
        if ((0_u64 as u64) >= 2_u64.rem_euclid(a_u64)) {
            let mut v1: i32 = a_i32;
        }
    }
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (true ^ false)) {
        v2 = (v2 + 1_u32);
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (a_i64 <= 1_i64)) {
            v3 = (v3 + 1_u32);
            let mut v4: u64 = atomic_compare_exchange(&mut cell_view_u64[[(63_usize % cell_view_u64_0), 0_usize, gid(0)]], (2_u64.div_euclid(a_u64) - 0_u64), (if (65_u8 == 0_u8) { 1_u64 } else { 40_u64.rotate_right(v2) }));
            let mut v5: i64 = atomic_exchange(&mut cell_view_i64[[0_usize, ((gid(0) & 32_usize) % 4_usize), ((gid(0) + gid(0)) % cell_view_i64_2), (x_i64.len() % 5_usize), gid(0)]], (-1_i64));
            y_view_i64[[(37_usize % 4_usize), gid(0)]] = x_i64[11_usize];
        }
        atomic_xor(&mut total_i32[((1_usize / 63_usize) % 5_usize)], (-x_i32[0_usize]));
        y_view_u64[[gid(0)]] = 0_u64;
    }
    y_view_f64[[((37_usize ^ 32_usize) % 2_usize), gid(0), ((63_usize + gid(0)) % 2_usize)]] = (((33_u32 + 0_u32) as f64) % ((-1.0_f64).max(a_f64) + (3e38_f64 - 0.1_f64)));
    y_i64[((gid(0) * 2_usize) + 0_usize)] = x_i64[(31_usize * gid(0))];
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random108(x_view_i32: View<i32, 5>, a_usize: usize, a_bool: bool, cell_u64: &mut [u64], cell_view_i32: ViewMut<i32, 6>, x_f64: &[f64], a_i32: i32, cell_i64: &mut [i64], y_f32: &mut [f32], y_view_i32: ViewMut<i32, 3>, y_i32: &mut [i32]) {
    let cell_view_i32_0 = cell_view_i32.extent(0);
    let cell_view_i32_1 = cell_view_i32.extent(1);
    let cell_view_i32_2 = cell_view_i32.extent(2);
    let cell_view_i32_3 = cell_view_i32.extent(3);
    let cell_view_i32_4 = cell_view_i32.extent(4);
    let cell_view_i32_5 = cell_view_i32.extent(5);
    let y_view_i32_0 = y_view_i32.extent(0);
    let y_view_i32_1 = y_view_i32.extent(1);
    let y_view_i32_2 = y_view_i32.extent(2);
    let mut own_0 = [2_i64.pow(33_u32); 4];
    for v0 in (-2_i32)..(x_view_i32[[0_usize, ((2_usize % 31_usize) % 4_usize), (a_usize % x_view_i32.extent(2)), ((0_usize + a_usize) % x_view_i32.extent(3)), ((grp(0) >> 4_usize) % 2_usize)]] % 4_i32) {
        if ((1_u64 >= 2_u64) && (true ^ a_bool)) {
            let mut v1: u64 = (((-1_i32) as u64) - (1_u64 as u64));
            let mut v2: u64 = atomic_and(&mut cell_u64[((grp(0) * 1_usize) + lid(0))], (!(0_u64 ^ 2_u64)));
            atomic_and(&mut cell_view_i32[[(40_usize % cell_view_i32_0), ((32_usize << v2) % 1_usize), grp(0), lid(0), 0_usize, (lid(0) % 4_usize)]], ((-v0) - (0_i64 as i32)));
        }
    }
    for v3 in group_range((4_usize % 40_usize)) {
        if ((-1_i64) != 60_i64) {
            break;
        }
        let mut v4: usize = v3;
    }
    for v5 in group_range((x_f64.len() % 40_usize)) {
        let mut v6: bool = (((-1_i64) > (-1_i64)) && (2147483647_i32 != a_i32));
        let mut v7: i64 = atomic_and(&mut cell_i64[((grp(0) * 1_usize) + lid(0))], (((-1_i64) | 2_i64) / (-33_i64)));
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-1.0_f32) + (-(f32::NAN + f32::NAN)));
    y_view_i32[[grp(0), (y_view_i32_0 % y_view_i32_1), lid(0)]] = y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)];
}

#[kernel(device = cpu, domain = 37)]
fn random109(y_u8: &mut [u8], a_bool: bool, total_u32: &mut [u32], y_u64: &mut [u64]) {
    y_u8[((gid(0) * 2_usize) + 1_usize)] = 58_u8;
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && a_bool) {
        v0 = (v0 + 1_u32);
        if ((true || false) || (a_bool ^ a_bool)) {
            break;
        }
        atomic_or(&mut total_u32[2_usize], (0_u32.rotate_right(0_u32) | (v0 ^ v0)));
    }
    y_u64[((gid(0) * 2_usize) + 1_usize)] = 1_u64;
    y_u8[((gid(0) * 2_usize) + 1_usize)] = 0_u8;
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random110(x_u8: &[u8], x_u64: &[u64], y_u32: &mut [u32], total_i32: &mut [i32], a_usize: usize, a_u32: u32, total_u32: &mut [u32], x_u32: &[u32], total_u64: &mut [u64], x_f32: &[f32], y_u64: &mut [u64], y_i64: &mut [i64], a_i64: i64) {
    shared!(tile_0: [u8; 8]);
    shared!(tile_1: [usize; 8]);
    barrier();
    tile_0[lid(0)] = x_u8[((63_usize >> 1_u64) % 12_usize)];
    barrier();
    barrier();
    tile_1[lid(0)] = x_u64.len();
    barrier();
    if (true && true) {
        if (0_u64.saturating_add(1_u64) != (2_u64 >> 63_usize)) {
            y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 1_u32;
            atomic_max(&mut total_i32[((grp(0) * a_usize) % 5_usize)], ((a_u32 as i32) / 2_i32));
        }
        atomic_max(&mut total_u32[4_usize], x_u32[((64_usize | 0_usize) % 12_usize)]);
    } else {
        let mut v0: f32 = ((-1.0_f32) + (0.1_f32 - f32::INFINITY));
        atomic_max(&mut total_u64[(a_usize - a_usize)], (if (false || false) { (2_u64 / 18446744073709551615_u64) } else { (i32::MIN as u64) }));
    }
    y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = a_u32;
    let mut v1: u64 = ((33_u64 + 0_u64) * (1_u64 * 1_u64));
    v1 = x_u64[((-2.75_f64) as usize)];
    if (x_f32[(2_usize % 12_usize)] < 3e38_f32) {
        y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[((64_usize * 2_usize) % 12_usize)];
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (if false { ((-a_i64) as i64) } else { (-((-1_i64) << (-1_i32))) });
}

#[device_fn]
fn mix_random111(v0: i64, v1: i64) -> i64 {
    ((-2_i64.div_euclid(v1)) - ((v0 * v1) * (-v1)))
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random111(x_i64: &[i64], a_usize: usize, x_i32: &[i32], x_f64: &[f64], a_i32: i32, total_i64: &mut [i64], a_u64: u64, a_bool: bool, a_f64: f64, a_f32: f32, cell_i64: &mut [i64], y_f32: &mut [f32], x_f32: &[f32]) {
    let mut own_0 = [(!17_u64); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (v0 < v0)) {
        v0 = (v0 + 1_u32);
        let mut v1: i64 = mix_random111(((-1_i64) >> 1_u64), 1_i64.abs());
        let mut v2: u32 = ((1_u8 as u64) as u32);
        v1 = (v1 - (x_i64[((a_usize * a_usize) % 12_usize)] << x_i32[(x_f64.len() % 12_usize)]));
    }
    for v3 in 0_usize..((if true { a_usize } else { gid(0) }) % 4_usize) {
        if ((2147483647_i32 + 2_i32) < (!a_i32)) {
            let mut v4: i32 = (if true { (false as i32) } else { (if false { 1_i32 } else { (-1_i32) }) });
            atomic_and(&mut total_i64[(v3 % 5_usize)], (v3 as i64));
            own_0[(gid(0) % 4_usize)] = ((a_u64 | 18446744073709551615_u64) - (!18446744073709551615_u64));
        } else {
            if a_bool {
                continue;
            }
            if ((!0_u64) <= (if true { 18446744073709551615_u64 } else { 63_u64 })) {
                break;
            }
            let mut v5: usize = x_i32.len();
        }
        let mut v6: f64 = a_f64;
        let mut v7: f32 = ((if a_bool { a_f32 } else { 0.5_f32 }) as f32);
    }
    atomic_or(&mut cell_i64[gid(0)], ((1_i64 - 2_i64) + (0_i64 % 33_i64)));
    y_f32[((gid(0) * 2_usize) + 1_usize)] = x_f32[1_usize].clamp((x_f32[((0_u32 as usize) % 12_usize)] + (if true { 0.1_f32 } else { 1e-40_f32 })), ((-2.75_f32).round_ties_even() / (f32::NAN - (-1.0_f32))));
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random112(a_f64: f64, x_u64: &[u64], x_i64: &[i64], y_u64: &mut [u64], y_u8: &mut [u8]) {
    shared!(tile_1: [u64; 8]);
    let mut own_0 = [a_f64; 4];
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (x_u64[(x_i64.len() % 12_usize)] - y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)]);
    barrier();
    let mut v0: f64 = (if false { f64::NAN } else { (-1.0_f64) }).max((-0.0_f64));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (false || false)) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = ((v1 + v1) % (if true { v1 } else { v1 }));
        v0 = (-v0);
    }
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((2_u8 % (40_u8 * 40_u8)) - ((if true { 2_u8 } else { 0_u8 }) * (0_u8 >> 42_i32)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random113(x_i32: &[i32], x_f32: &[f32], y_u32: &mut [u32], y_f32: &mut [f32], total_u64: &mut [u64], a_u64: u64, total_i64: &mut [i64], a_i64: i64, y_u8: &mut [u8], x_u8: &[u8], y_f64: &mut [f64], a_u32: u32, x_f64: &[f64], y_i32: &mut [i32], y_u64: &mut [u64]) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = x_i32[((2147483647_i32 as usize) % 12_usize)];
    barrier();
    let mut v0: f32 = group_sum(((1e-40_f32 % 0.0_f32) - x_f32[0_usize]));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && false) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((v0 / v0) / x_f32[4_usize]) / (-v0.min(f32::INFINITY)));
        atomic_or(&mut total_u64[((lid(0) as usize) % 5_usize)], ((0_u64 * 2_u64) - a_u64));
    }
    if false {
        atomic_min(&mut total_i64[((1_usize | lid(0)) % 5_usize)], ((33_i64 * a_i64) / (v0 as i64)));
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u8[10_usize];
    }
    if ((a_i64 != 1_i64) || (true ^ true)) {
        y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((32_usize >= grp(0)) ^ (a_u32 != 0_u32)) { 1000000000.0_f64.rem_euclid(x_f64[(x_f64.len() % 12_usize)]) } else { f64::NAN });
        let mut v3: u32 = 0_u32;
        while ((v3 < 70_u32) && (v3 >= v3)) {
            v3 = (v3 + 1_u32);
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((2_i32 + tile_0[(grp(0) / 40_usize)]) * i32::MIN);
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (30_u64 * 1_u64).div_euclid(y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)]).rem_euclid(a_u64);
        }
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 255_u8;
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] | (a_u32 % a_u32));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random114(a_f64: f64, y_i64: &mut [i64], x_i64: &[i64], a_u32: u32, cell_u64: &mut [u64], x_u64: &[u64], x_f64: &[f64], y_u64: &mut [u64], y_i32: &mut [i32], x_u32: &[u32], a_bool: bool, x_f32: &[f32], a_i32: i32, a_usize: usize, y_u8: &mut [u8], a_u64: u64, y_u32: &mut [u32], y_f32: &mut [f32]) {
    shared!(tile_0: [f64; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = f64::INFINITY;
    barrier();
    barrier();
    tile_1[lid(0)] = 2_usize;
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false == true)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (a_f64 < 3e38_f64)) {
            v1 = (v1 + 1_u32);
            y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i64[((2_usize / 2_usize) % 12_usize)];
            let mut v2: u64 = 2_u64;
        }
    }
    for v3 in 1_u32..(a_u32.pow(a_u32) % 4_u32) {
        if false {
            atomic_or(&mut cell_u64[((grp(0) * 16_usize) + lid(0))], x_u64[(tile_1[(lid(0) % 16_usize)] % 12_usize)]);
            let mut v4: f64 = x_f64[tile_1[((if true { grp(0) } else { 1_usize }) % 16_usize)]];
        } else {
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u64[(grp(0) % 12_usize)];
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((33_u64 as u64) as i32).signum();
        }
    }
    for v5 in 1_u32..(x_u32[((2_usize | 2_usize) % 12_usize)] % 4_u32) {
        let mut v6: u32 = 0_u32;
        while ((v6 < 3_u32) && (a_bool ^ true)) {
            v6 = (v6 + 1_u32);
            if true {
                break;
            }
            let mut v7: f32 = x_f32[((a_f64 as usize) % 12_usize)];
            let mut v8: i32 = ((2_i32 % 0_i32) % (33_i32 % a_i32));
        }
        if ((2_u32 != v5) <= (true || a_bool)) {
            break;
        }
        for v9 in 0_usize..((a_usize >> 1_i32) % 4_usize) {
            y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if (33_u64 == a_u64) { (0_u64 as i32) } else { (i32::MIN + a_i32) }) as u8);
            let mut v10: bool = ((1e-40_f64 < f64::NAN) && (33_u32 == v5));
        }
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((a_i32 >= 2_i32) || (a_i32 != 5_i32)) as u32);
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-1.0_f32);
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random115(cell_f32: &mut [f32], a_f32: f32, y_u64: &mut [u64], x_u64: &[u64]) {
    if ((255_u8 * 16_u8) > (1_u8 >> (-1_i32))) {
        let mut v0: f32 = atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (-a_f32).floor());
    }
    atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (if (false && false) { a_f32 } else { (-a_f32) }));
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u64[((if false { 2_usize } else { 64_usize }) % 12_usize)];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random116(x_u8: &[u8], a_i32: i32, y_u64: &mut [u64], y_f64: &mut [f64], x_f64: &[f64], a_bool: bool, x_i32: &[i32], y_u8: &mut [u8]) {
    shared!(tile_1: [u64; 8]);
    let mut own_0 = [x_u8[2_usize]; 4];
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = ((a_i32 as u64) as u64);
    barrier();
    barrier();
    let mut v0: u64 = group_max((!y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)]));
    let mut v1: u32 = group_min(((0_u32 & 1_u32) % 0_u32));
    own_0[((grp(1) * 2_usize) % 4_usize)] = ((v1 | v1) as u8);
    if ((0.1_f64 < 1e-40_f64) ^ (false || false)) {
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if true { x_f64[5_usize] } else { (if (a_bool && false) { (if a_bool { 0.1_f64 } else { 0.0_f64 }) } else { x_f64[10_usize] }) });
        let mut v2: i32 = 2_i32;
        if ((v1 <= v1) ^ (v0 != v0)) {
            v2 = (((-1.0_f32) as i32) / (33_i32 >> x_i32.len()));
        }
    }
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_u8[2_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random117(a_usize: usize, a_i32: i32, a_bool: bool, total_view_u32: ViewMut<u32, 3>, a_u64: u64, x_f64: &[f64], y_u8: &mut [u8], x_view_u8: View<u8, 1>) {
    let total_view_u32_0 = total_view_u32.extent(0);
    let total_view_u32_1 = total_view_u32.extent(1);
    let total_view_u32_2 = total_view_u32.extent(2);
    let mut own_0 = [(a_usize >> 2_i32); 4];
    let mut own_1 = [(-2.75_f64); 4];
    for v0 in (-2_i32)..(a_i32.saturating_sub(a_i32) % 70_i32) {
        let mut v1: u8 = (a_bool as u8);
    }
    own_0[(a_usize / 63_usize)] = (if a_bool { (0_usize * lid(0)) } else { grp(0) });
    for v2 in group_range((63_usize % 40_usize)) {
        atomic_xor(&mut total_view_u32[[((if false { v2 } else { v2 }) % total_view_u32_0), (v2 % total_view_u32_1), ((v2 << a_u64) % total_view_u32_2)]], (4294967295_u32.count_ones() & 4294967295_u32));
    }
    for v3 in 0_usize..((31_usize + 1_usize) % 70_usize) {
        own_0[2_usize] = x_f64.len();
    }
    for v4 in group_range(((1_usize << grp(0)) % 40_usize)) {
        if ((0_u8 >> v4) >= (0_u8 << 33_i32)) {
            break;
        }
    }
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((255_u8 as i32) == (33_i32 / 2147483647_i32)) { (0_u8 >> a_usize) } else { x_view_u8[[((a_usize - 63_usize) % x_view_u8.extent(0))]] });
}

#[kernel(device = cpu, domain = 37)]
fn random118(y_view_i64: ViewMut<i64, 2>, x_view_i64: View<i64, 3>, a_usize: usize, y_view_u8: ViewMut<u8, 2>, y_view_u32: ViewMut<u32, 2>, a_u32: u32, x_view_u32: View<u32, 1>, a_i32: i32, y_view_f32: ViewMut<f32, 1>, y_view_u64: ViewMut<u64, 5>, x_u32: &[u32], x_view_u64: View<u64, 0>, total_view_u64: ViewMut<u64, 2>, y_u64: &mut [u64], a_u64: u64) {
    let y_view_i64_0 = y_view_i64.extent(0);
    let y_view_i64_1 = y_view_i64.extent(1);
    let y_view_u8_0 = y_view_u8.extent(0);
    let y_view_u8_1 = y_view_u8.extent(1);
    let y_view_u32_0 = y_view_u32.extent(0);
    let y_view_u32_1 = y_view_u32.extent(1);
    let y_view_f32_0 = y_view_f32.extent(0);
    let y_view_u64_0 = y_view_u64.extent(0);
    let y_view_u64_1 = y_view_u64.extent(1);
    let y_view_u64_2 = y_view_u64.extent(2);
    let y_view_u64_3 = y_view_u64.extent(3);
    let y_view_u64_4 = y_view_u64.extent(4);
    let total_view_u64_0 = total_view_u64.extent(0);
    let total_view_u64_1 = total_view_u64.extent(1);
    let mut own_0 = [(f32::NAN * f32::INFINITY); 4];
    y_view_i64[[gid(0), (y_view_i64_0 % 4_usize)]] = (if true { 9223372036854775807_i64 } else { (x_view_i64[[1_usize, (a_usize % x_view_i64.extent(1)), (gid(0) % x_view_i64.extent(2))]] * 2_i64) });
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (0_u32 == v0)) {
        v0 = (v0 + 1_u32);
        let mut v1: u8 = 1_u8;
        y_view_u8[[gid(0), ((if true { 64_usize } else { 3_usize }) % y_view_u8_1)]] = v1;
    }
    y_view_u32[[1_usize, gid(0)]] = (((51_u32 ^ a_u32) * x_view_u32[[((!64_usize) % 3_usize)]]) / (a_i32.count_ones() / (!a_u32)));
    let mut v2: u32 = (2_u32 % (0_u32 ^ a_u32));
    if true {
        y_view_f32[[gid(0)]] = 1000000000.0_f32;
        y_view_u64[[(0_usize % y_view_u64_0), (y_view_u8_0 % 2_usize), (x_u32.len() % y_view_u64_2), 2_usize, gid(0)]] = x_view_u64[[]];
        v2 = ((gid(0) as u64) / (1.0_f64 as u64)).trailing_zeros();
    } else {
        let mut v3: u32 = (v2 - 1_u32);
        atomic_max(&mut total_view_u64[[((if true { gid(0) } else { gid(0) }) % total_view_u64_0), (37_usize % 3_usize)]], 33_u64);
    }
    y_u64[((gid(0) * 2_usize) + 0_usize)] = a_u64;
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random119(a_f32: f32, x_u32: &[u32], y_u8: &mut [u8], a_bool: bool, a_u64: u64, cell_u32: &mut [u32], y_f64: &mut [f64], a_f64: f64, x_f64: &[f64], a_usize: usize, y_u64: &mut [u64], x_i64: &[i64]) {
    shared!(tile_0: [f32; 8]);
    barrier();
    tile_0[lid(0)] = (3e38_f32 + a_f32.recip());
    barrier();
    if (x_u32[6_usize] != x_u32[(31_usize % 12_usize)]) {
        barrier();
        tile_0[lid(0)] = ((if false { 0.0_f32 } else { a_f32 }) * (f32::NAN % a_f32));
        barrier();
    }
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((2_i64 * 21_i64) as u8);
    for v0 in (-2_i32)..((0_i32 * 28_i32) % 70_i32) {
        for v1 in 0_usize..((3_usize % 7_usize) % 4_usize) {
            if ((if a_bool { 18446744073709551615_u64 } else { a_u64 }) == (if a_bool { 0_u64 } else { a_u64 })) {
                continue;
            }
        }
        let mut v2: u32 = atomic_exchange(&mut cell_u32[((grp(0) * 8_usize) + lid(0))], (if (0_u8 == 255_u8) { (33_u32 >> 0_u64) } else { 1_u32 }));
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (((if false { 0.5_f64 } else { a_f64 }) + x_f64[((if true { grp(0) } else { a_usize }) % 12_usize)]) % (x_f64[((a_usize * 2_usize) % 12_usize)] - (0.0_f64 / 1e-40_f64)));
    }
    let mut v3: f64 = (-1000000000.0_f64);
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_i64[((f32::INFINITY as usize) % 12_usize)] as u64) << (64_usize as u64));
}
