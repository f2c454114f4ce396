// Random kernels, written by the test `source` of `ringwood-ir` (with RINGWOOD_BLESS=1).

use ringwood::{device_fn, kernel};

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random0(y_u32: &mut [u32], x_f32: &[f32], y_f32: &mut [f32], x_i64: &[i64], total_i32: &mut [i32], y_i64: &mut [i64], a_usize: usize) {
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 4294967295_u32;
    if ((0_u8 + 255_u8) != 25_u8) {
        let mut v0: i32 = (x_f32.len() as i32);
        y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-x_f32[(x_i64.len() % 12_usize)]);
        atomic_or(&mut total_i32[((lid(1) / 2_usize) % 5_usize)], (2_i32.max(v0) - 1_i32));
    }
    barrier();
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_i64[((3_usize - a_usize) % 12_usize)] + (66_i64.max(64_i64) % (255_u8 as i64)));
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random1(y_i32: &mut [i32], y_u8: &mut [u8], a_i32: i32, y_u64: &mut [u64], a_u64: u64, x_u64: &[u64], a_usize: usize, x_i64: &[i64], y_i64: &mut [i64]) {
    barrier();
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_i32;
    barrier();
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u8 * y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)]);
    for v0 in (-2_i32)..(a_i32 % 4_i32) {
        y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)];
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (true && false)) {
            v1 = (v1 + 1_u32);
            y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!a_u64) / x_u64[((a_usize - grp(0)) % 12_usize)]);
            let mut v2: i64 = (x_i64[((32_usize >> v0) % 12_usize)] - (true as i64));
            let mut v3: u8 = 0_u8;
        }
        barrier();
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i64[((0_usize ^ 64_usize) % 12_usize)];
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random2(total_u32: &mut [u32], x_u32: &[u32], cell_u32: &mut [u32], y_i32: &mut [i32]) {
    atomic_xor(&mut total_u32[(3_usize % 5_usize)], x_u32[((if false { 3_usize } else { gid(0) }) % 12_usize)]);
    let mut v0: u32 = atomic_add(&mut cell_u32[((gid(1) * 5_usize) + gid(0))], ((if true { 33_u32 } else { 0_u32 }) / (2_u32 % 33_u32)));
    let mut v1: u32 = atomic_xor(&mut cell_u32[((gid(1) * 5_usize) + gid(0))], (v0.rotate_right(v0) - (v0 ^ 0_u32)));
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (!((2147483647_i32 * 1_i32) % ((-1_i32) % 23_i32)));
}

#[device_fn]
fn mix_random3(v0: i64, v1: i64) -> i64 {
    (2_i64 % 1_i64.max(0_i64).div_euclid((v1 as i64)))
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random3(x_u32: &[u32], x_f32: &[f32], a_i32: i32, y_f32: &mut [f32], y_i64: &mut [i64], cell_f32: &mut [f32], a_bool: bool, x_i64: &[i64], x_i32: &[i32], a_usize: usize, total_i32: &mut [i32], y_i32: &mut [i32], y_u8: &mut [u8], x_u8: &[u8], a_u32: u32) {
    shared!(tile_0: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((33_u32 * 34_u32) - x_u32[(x_f32.len() % 12_usize)]);
    barrier();
    let mut own_1 = [(a_i32 - 2_i32); 4];
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 62_u64.leading_zeros().rem_euclid(x_u32[((33_i32 as usize) % 12_usize)]);
    barrier();
    for v0 in group_range(((!31_usize) % 40_usize)) {
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-x_f32[11_usize]);
    }
    if (false ^ false) {
        if ((-0.0_f64) >= (0.0_f64 % f64::NAN)) {
            own_1[((63_usize / 3_usize) % 4_usize)] = ((if true { 1_i32 } else { 2147483647_i32 }) * 46_i32.max((-1_i32)));
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-2_i64) + (if false { 1_i64 } else { 1_i64 })).abs();
            let mut v1: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((-f32::NAN) + (3e38_f32 as f32)));
        } else {
            let mut v2: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (x_f32[11_usize] + (f32::NAN * f32::NAN)));
            v2 = ((if a_bool { v2 } else { v2 }).div_euclid((v2 + v2)) + (-v2));
        }
    } else {
        let mut v3: i64 = mix_random3(2_i64, x_i64[((64_usize + 2_usize) % 12_usize)]);
        let mut v4: i64 = (v3 * 2_i64).div_euclid((if true { v3 } else { v3 }));
        let mut v5: usize = (x_i32.len() >> (64_usize + lid(1)));
    }
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_i64[((grp(1) / a_usize) % 12_usize)].count_ones();
    barrier();
    atomic_min(&mut total_i32[((64_usize / 0_usize) % 5_usize)], own_1[2_usize].clamp((2_i32 - a_i32), y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]));
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if (2_u8.pow(0_u32) > x_u8[((lid(1) - 63_usize) % 12_usize)]) { (1_u8.rotate_right(a_u32) & 33_u8) } else { 0_u8 });
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random4(y_u8: &mut [u8], cell_u64: &mut [u64], x_u8: &[u8], cell_f32: &mut [f32], y_u64: &mut [u64], x_u64: &[u64], a_i64: i64, x_u32: &[u32], a_f64: f64, a_usize: usize, y_i32: &mut [i32], x_i32: &[i32]) {
    let mut own_0 = [0_u8; 4];
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u8;
    own_0[1_usize] = 0_u8;
    if ((35_i32 / 2147483647_i32) <= (-21_i32)) {
        for v0 in 1_u32..(1_u32 % 4_u32) {
            let mut v1: u64 = atomic_compare_exchange(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0_u64, ((33_u64 as u64) / (1_i32 as u64)));
        }
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (v2 > v2)) {
            v2 = (v2 + 1_u32);
            for v3 in group_range(((7_usize * 3_usize) % 40_usize)) {
                own_0[(x_u8.len() % 4_usize)] = (if (false && false) { y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] } else { 1_u8 });
                let mut v4: f32 = atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (0.1_f32.sqrt() + (-0.0_f32)));
                y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u64[((v3 / v3) % 12_usize)];
            }
            barrier();
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (0_i64 < a_i64)) {
            v5 = (v5 + 1_u32);
            own_0[(x_u32.len() % 4_usize)] = (2_u8 / (0_u8 % 1_u8));
            let mut v6: f64 = ((grp(0) as f64) - (f64::INFINITY + a_f64));
        }
    }
    for v7 in 1_u32..(0_u64.leading_zeros() % 4_u32) {
        for v8 in 0_usize..((40_usize + a_usize) % 4_usize) {
            own_0[3_usize] = own_0[2_usize];
            own_0[(v8 % 4_usize)] = 255_u8;
        }
    }
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((if (false ^ false) { (-33_i32) } else { x_i32[(x_u8.len() % 12_usize)] }) / x_i32[((63_usize - lid(0)) % 12_usize)]);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random5(x_u64: &[u64], x_i64: &[i64], a_f32: f32, a_usize: usize, x_f32: &[f32], y_f32: &mut [f32], a_bool: bool, y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_0: [u64; 8]);
    shared!(tile_1: [i64; 8]);
    barrier();
    tile_0[lid(0)] = x_u64[(x_i64.len() % 12_usize)];
    barrier();
    barrier();
    tile_1[lid(0)] = (a_f32 as i64).abs();
    barrier();
    let mut v0: f64 = f64::INFINITY.round_ties_even();
    for v1 in group_range(((a_usize - 40_usize) % 40_usize)) {
        let mut v2: u64 = 34_u64;
        let mut v3: f32 = (x_f32[((v1 / v1) % 12_usize)] - a_f32);
    }
    for v4 in group_range(((if false { 40_usize } else { a_usize }) % 40_usize)) {
        y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((if true { 0_u8 } else { 40_u8 }) == (1_u8 - 0_u8)) { (a_f32 - (3e38_f32 + f32::NAN)) } else { ((a_bool as u32 as f32) / f32::INFINITY) });
    }
    y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[((lid(0) - 1_usize) % 12_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random6(x_i32: &[i32], y_f64: &mut [f64], x_f64: &[f64], x_u8: &[u8], total_i32: &mut [i32], y_i32: &mut [i32], a_i32: i32, a_f64: f64, a_usize: usize, y_u64: &mut [u64], x_u64: &[u64], x_u32: &[u32], a_u64: u64) {
    for v0 in 1_u32..((1_u32 & 2_u32) % 4_u32) {
        let mut v1: f64 = 3e38_f64.recip();
        if (x_i32[2_usize] <= (33_i32 * 33_i32)) {
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f64[2_usize] / (-(v1 / v1)));
        } else {
            let mut v2: u64 = 22_u64;
        }
        let mut v3: u32 = 0_u32;
        while ((v3 < 70_u32) && (0_u8 <= 0_u8)) {
            v3 = (v3 + 1_u32);
            let mut v4: u8 = ((33_u8 * 255_u8) | x_u8[6_usize]);
            atomic_xor(&mut total_i32[1_usize], 0_i32);
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-((2_i32 - 1_i32) * 2_i32));
        }
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (a_i32 >= 1_i32)) {
        v5 = (v5 + 1_u32);
        let mut v6: u32 = 0_u32;
        while ((v6 < 3_u32) && (true ^ false)) {
            v6 = (v6 + 1_u32);
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-((a_f64 / a_f64) + (if true { a_f64 } else { 1e-40_f64 })));
        }
    }
    let mut v7: u32 = 0_u32;
    while ((v7 < 3_u32) && (false ^ true)) {
        v7 = (v7 + 1_u32);
        if (0_u64 != (2_u64 * 0_u64)) {
            barrier();
        } else {
            let mut v8: u8 = ((0_u8 + 255_u8) >> grp(0));
            let mut v9: f64 = group_max(((a_usize as f64) % 1e-40_f64));
        }
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[((a_usize / a_usize) % 12_usize)];
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (0.5_f64 < x_f64[(x_u32.len() % 12_usize)]) { (1_u64 - 2_u64).saturating_sub((1_u32 as u64)) } else { a_u64 });
}

#[device_fn]
fn mix_random7(v0: i64, v1: i64) -> i64 {
    (-(v1 - (v1 * v1)))
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random7(y_u32: &mut [u32], a_u32: u32, x_u32: &[u32], x_f32: &[f32], total_i32: &mut [i32], a_u64: u64, a_i64: i64, y_i32: &mut [i32], a_i32: i32) {
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (1e-40_f32 as u8).count_ones().clamp(((if true { 33_u32 } else { 4294967295_u32 }) % a_u32), x_u32[x_f32.len()]);
    atomic_min(&mut total_i32[(63_usize >> a_u64)], (if (false && true) { (4294967295_u32 as i32) } else { (-33_i32) }));
    let mut v0: i64 = mix_random7(6_i64.div_euclid(a_i64), (0_i64 / a_i64));
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((2147483647_i32 / (-1_i32)) - (i32::MIN % a_i32)) / ((33_i32 - 1_i32) % (40_usize as i32)));
}

#[device_fn]
fn mix_random8(v0: i64, v1: i64) -> i64 {
    v0
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random8(x_i64: &[i64], x_u8: &[u8], total_i64: &mut [i64], total_i32: &mut [i32], y_f64: &mut [f64], a_usize: usize, a_i64: i64, a_bool: bool, a_i32: i32, y_u8: &mut [u8]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (55_i32 <= 2_i32)) {
        v0 = (v0 + 1_u32);
        let mut v1: i64 = mix_random8(x_i64[(x_u8.len() % 12_usize)], (i64::MIN / 9223372036854775807_i64));
        barrier();
        if ((3e38_f32 + (-0.0_f32)) < (-3e38_f32)) {
            atomic_min(&mut total_i64[(x_u8.len() % 5_usize)], ((if false { v1 } else { v1 }) * (-(-1_i64))));
            atomic_or(&mut total_i32[0_usize], ((0.0_f32 as i32) & (33_i32 | 1_i32)));
        }
    }
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 3e38_f64;
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (false && false)) {
        v2 = (v2 + 1_u32);
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (false ^ true)) {
            v3 = (v3 + 1_u32);
            if ((a_usize & a_usize) != (4_usize / 2_usize)) {
                continue;
            }
            let mut v4: i64 = mix_random8(x_i64[(4_usize % 12_usize)], (a_i64 + i64::MIN));
            let mut v5: i32 = ((if a_bool { i32::MIN } else { a_i32 }) & (33_i32 + 2_i32));
        }
    }
    for v6 in (-2_i32)..((-i32::MIN) % 70_i32) {
        atomic_or(&mut total_i32[((i64::MIN as usize) % 5_usize)], (-(v6 % v6)));
    }
    barrier();
    y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((0_u64 >> 18446744073709551615_u64) == (2_u64 * 1_u64)) { (if (true || false) { (33_u8 * 255_u8) } else { (if false { 1_u8 } else { 0_u8 }) }) } else { x_u8[(grp(0) % 12_usize)] });
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random9(total_u64: &mut [u64], a_u64: u64, y_f32: &mut [f32], a_bool: bool, x_u8: &[u8], a_f32: f32) {
    shared!(tile_0: [i32; 64]);
    shared!(tile_1: [i64; 64]);
    barrier();
    tile_0[lid(0)] = (-0_i32);
    barrier();
    barrier();
    tile_1[lid(0)] = (-9223372036854775807_i64).signum();
    barrier();
    atomic_max(&mut total_u64[((lid(0) + 1_usize) % 5_usize)], ((0_u64 / a_u64) ^ (0_u64 / 0_u64)));
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (((-f32::INFINITY) / (0.0_f32 % (-0.0_f32))) + 1.0_f32);
    let mut v0: i64 = group_sum(((if a_bool { i64::MIN } else { 1_i64 }) * ((-1_i64) - 1_i64)));
    let mut v1: u8 = (0_u8 & x_u8[11_usize]);
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((if false { (-0.0_f32) } else { a_f32 }) + (1.0_f32 / 0.5_f32)) / ((-(-1.0_f32)) + (-a_f32)));
}

#[device_fn]
fn mix_random10(v0: u64, v1: u64) -> u64 {
    (v1 % ((0_u64 >> 31_usize) * v1))
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random10(a_f64: f64, cell_f32: &mut [f32], a_i64: i64, a_usize: usize, x_f32: &[f32], cell_u32: &mut [u32], x_u32: &[u32], a_u32: u32, y_i64: &mut [i64]) {
    let mut own_0 = [33_u64.saturating_sub(1_u64); 4];
    let mut v0: f64 = ((if true { a_f64 } else { 0.5_f64 }) % ((-0.0_f64) * 1.0_f64));
    for v1 in (-2_i32)..((1000000000.0_f32 as i32) % 4_i32) {
        let mut v2: u64 = mix_random10(1_u64, (!1_u64));
        atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0.0_f32);
        for v3 in 1_u32..(4294967295_u32 % 4_u32) {
            let mut v4: i64 = (-(i64::MIN & a_i64));
            let mut v5: u64 = mix_random10(v2, (v2 << 2_usize));
        }
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 70_u32) && (a_usize >= a_usize)) {
        v6 = (v6 + 1_u32);
        if ((63_usize + lid(1)) == (1_usize / 64_usize)) {
            break;
        }
        let mut v7: u32 = 0_u32;
        while ((v7 < 3_u32) && (v6 <= v6)) {
            v7 = (v7 + 1_u32);
            own_0[2_usize] = ((0_u64 + 1_u64) | (0_u64 - 33_u64));
        }
    }
    let mut v8: usize = x_f32.len();
    for v9 in 0_usize..(v8 % 4_usize) {
        atomic_compare_exchange(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], x_u32[3_usize], (x_u32[0_usize] / (if true { a_u32 } else { 0_u32 })));
    }
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(-(-a_i64)));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random11(x_u64: &[u64], x_i32: &[i32], total_u64: &mut [u64], a_usize: usize, a_u32: u32, y_u64: &mut [u64], a_u64: u64, y_f32: &mut [f32], a_f32: f32, y_i32: &mut [i32], a_i32: i32) {
    shared!(tile_0: [usize; 8]);
    shared!(tile_1: [i32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_u64.len();
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = x_i32[(2_usize % 12_usize)];
    barrier();
    atomic_or(&mut total_u64[(lid(1) + a_usize)], (if true { 18446744073709551615_u64 } else { 0_u64 }).rotate_right((if true { a_u32 } else { 0_u32 })));
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((0_u64 - a_u64) < x_u64[(1_usize % 12_usize)]) { ((a_u64 * 0_u64) / (a_u64 % 0_u64)) } else { ((if false { a_u64 } else { 0_u64 }) + (2_u64 + a_u64)) });
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (3e38_f32.max((-(-2.75_f32))) * (-(a_f32 - (-1.0_f32))));
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((a_i32 / (if true { a_i32 } else { 0_i32 })) * ((-48_i32) + (a_i32 * (-1_i32))));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random12(a_bool: bool, a_f32: f32, x_f32: &[f32], total_i32: &mut [i32], x_i32: &[i32], cell_i64: &mut [i64], a_i64: i64, y_f32: &mut [f32], x_i64: &[i64], y_u64: &mut [u64]) {
    barrier();
    let mut v0: i64 = group_sum((!1_i64));
    if a_bool {
        let mut v1: u8 = group_max(((2_u8 * 0_u8) % (2_u8 / 1_u8)));
        let mut v2: f32 = ((if false { a_f32 } else { 3e38_f32 }) * x_f32[5_usize]);
    } else {
        barrier();
        if ((if true { v0 } else { v0 }) >= 2_i64) {
            let mut v3: i64 = (if (false || true) { v0.abs() } else { (1_i64 + v0) });
            v3 = (-v0);
            atomic_add(&mut total_i32[1_usize], (x_i32[8_usize] - 35_i32));
        } else {
            let mut v4: i64 = atomic_and(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((v0 % v0) + (-a_i64)));
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((if (1_u8 < 2_u8) { f32::NAN } else { (0.0_f32 / 0.5_f32) }) / (-(3e38_f32 % 1e-40_f32)));
            v4 = x_i64[((1_usize * lid(1)) % 12_usize)];
        }
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (0_u64 % 33_u64);
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random13(cell_f32: &mut [f32], a_bool: bool, a_f32: f32, y_i64: &mut [i64], a_i64: i64, y_f32: &mut [f32]) {
    let mut v0: f32 = atomic_add(&mut cell_f32[((grp(0) * 64_usize) + lid(0))], (-(if a_bool { a_f32 } else { f32::INFINITY })));
    v0 = v0;
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_i64;
    let mut v1: i32 = (-0_i32);
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((v0 as u64) >= (33_u64 * 61_u64)) { v0 } else { (-v0) });
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random14(a_usize: usize, a_i32: i32, y_i32: &mut [i32], a_f32: f32, y_f32: &mut [f32], x_i32: &[i32], x_u32: &[u32]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = a_usize;
    barrier();
    if (a_i32 > a_i32.pow(0_u32)) {
        for v0 in (-2_i32)..(y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] % 4_i32) {
            if ((a_f32 + (-2.75_f32)) > y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)]) {
                break;
            }
        }
    }
    let mut v1: i32 = (if (0.0_f32 >= (-0.0_f32)) { x_i32[(tile_0[(a_usize % 8_usize)] % 12_usize)] } else { 2_i32 });
    if ((33_i32 * (-1_i32)) >= (-2_i32)) {
        barrier();
        let mut v2: u32 = group_sum(((1_u32 >> v1) - x_u32[9_usize]));
    }
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((v1 % a_i32) * (-1_i32)) << a_usize);
}

#[kernel(device = cpu, domain = 37)]
fn random15(y_f32: &mut [f32], y_f64: &mut [f64], a_i32: i32, y_i64: &mut [i64], y_u32: &mut [u32], x_u32: &[u32], total_i32: &mut [i32], x_i32: &[i32], a_u64: u64, y_u8: &mut [u8], x_u8: &[u8], a_bool: bool, y_i32: &mut [i32], a_f64: f64) {
    let mut own_0 = [(0_u8 % 2_u8); 4];
    let mut own_1 = [y_f32[((gid(0) * 2_usize) + 1_usize)]; 4];
    if ((if true { 2_u8 } else { 0_u8 }) == 33_u8) {
        own_1[2_usize] = (-1.0_f32);
        y_f64[((gid(0) * 2_usize) + 0_usize)] = (-2.75_f64);
        let mut v0: u8 = ((a_i32 * a_i32) as u8);
    }
    y_i64[((gid(0) * 2_usize) + 0_usize)] = ((((-1.0_f32) - 1000000000.0_f32) + (0.1_f32 % 1e-40_f32)) as i64);
    y_u32[((gid(0) * 2_usize) + 1_usize)] = (x_u32[((64_usize / gid(0)) % 12_usize)] * (4294967295_u32 * 0_u32));
    for v1 in 1_u32..((0_u32 as u32) % 4_u32) {
        atomic_or(&mut total_i32[x_i32.len()], ((-a_i32) << a_u64));
        y_u8[((gid(0) * 2_usize) + 1_usize)] = x_u8[11_usize];
        let mut v2: u8 = 38_u8;
    }
    for v3 in 0_usize..(37_usize % 4_usize) {
        if ((true ^ a_bool) && ((-2.75_f64) >= 0.1_f64)) {
            y_i32[((gid(0) * 2_usize) + 1_usize)] = (if (y_i64[((gid(0) * 2_usize) + 0_usize)] != (if a_bool { 33_i64 } else { i64::MIN })) { 0_i32 } else { (2147483647_i32 as i32) });
        }
        let mut v4: bool = ((1_u8 % 255_u8) < 0_u8);
        let mut v5: u8 = own_0[(63_usize % 4_usize)];
    }
    y_u8[((gid(0) * 2_usize) + 0_usize)] = (if ((3e38_f32 != (-2.75_f32)) && (f64::INFINITY >= a_f64)) { 1_u8 } else { x_u8[(0_usize % 12_usize)] });
}

#[device_fn]
fn mix_random16(v0: i64, v1: i64) -> i64 {
    v1
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random16(a_f32: f32, x_f32: &[f32], x_u8: &[u8], y_i32: &mut [i32], x_i32: &[i32], a_usize: usize, a_bool: bool, x_i64: &[i64], total_u32: &mut [u32], x_u32: &[u32], a_i64: i64, y_u64: &mut [u64], a_u64: u64, y_u8: &mut [u8], x_u64: &[u64], y_f32: &mut [f32]) {
    shared!(tile_0: [f32; 16]);
    shared!(tile_1: [f32; 16]);
    barrier();
    tile_0[lid(0)] = ((if false { (-0.0_f32) } else { a_f32 }) + (-1000000000.0_f32));
    barrier();
    barrier();
    tile_1[lid(0)] = ((33_u32 as f32) + x_f32[(x_u8.len() % 12_usize)]);
    barrier();
    for v0 in (-2_i32)..((-0_i32) % 70_i32) {
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i32[(grp(0) % 12_usize)] - v0);
        if ((grp(0) >= a_usize) ^ (a_bool || false)) {
            let mut v1: u8 = (x_i64[((63_usize ^ a_usize) % 12_usize)] as u8);
            barrier();
        }
        for v2 in group_range((2_usize % 40_usize)) {
            atomic_max(&mut total_u32[2_usize], (38_u32 % (2_u32 & 0_u32)));
            atomic_max(&mut total_u32[((v2 << v2) % 5_usize)], ((0_u32 ^ 1_u32) * x_u32[(a_usize % 12_usize)]));
            let mut v3: i64 = mix_random16(x_i64[2_usize], (a_i64 >> 0_u64));
        }
    }
    for v4 in group_range((7_usize % 40_usize)) {
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!18446744073709551615_u64).saturating_sub((if true { 0_u64 } else { 0_u64 })) + 0_u64);
        let mut v5: u8 = (0_u8 >> a_u64).saturating_add(y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)]);
        let mut v6: i64 = mix_random16(x_i64[((v4 * v4) % 12_usize)], x_i64[3_usize]);
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((a_u64 >> 2_usize) as u64).clamp(x_u64[(lid(0) % 12_usize)], (if false { 0_u64 } else { 2_u64 }).saturating_sub((18446744073709551615_u64 * 45_u64)));
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (false ^ a_bool) { (1e-40_f32 % (-0.0_f32)) } else { (if true { a_f32 } else { (-1.0_f32) }) }).max(0.0_f32);
}

#[device_fn]
fn mix_random17(v0: u32, v1: u32) -> u32 {
    (v0 + 0_u32)
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random17(cell_u64: &mut [u64], a_usize: usize, y_i32: &mut [i32], x_i32: &[i32], x_u8: &[u8], a_f64: f64, y_u32: &mut [u32], a_u32: u32, cell_i32: &mut [i32], a_bool: bool, x_u32: &[u32], x_f32: &[f32], cell_u32: &mut [u32], cell_f32: &mut [f32], a_f32: f32, total_i64: &mut [i64], x_i64: &[i64], y_u64: &mut [u64], x_u64: &[u64]) {
    let mut own_0 = [(-1000000000.0_f64); 4];
    for v0 in (-2_i32)..(i32::MIN % 4_i32) {
        atomic_compare_exchange(&mut cell_u64[((gid(1) * 5_usize) + gid(0))], ((31_usize - a_usize) as u64), ((1_usize as u64) + 0_u64));
        if ((false != true) && (true ^ false)) {
            y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_i32[(x_u8.len() % 12_usize)];
            own_0[(1_usize % 4_usize)] = ((a_f64 / f64::INFINITY) / (a_f64 * (-1.0_f64)));
            own_0[((gid(1) << 63_usize) % 4_usize)] = (f64::NAN % (-2.75_f64)).sqrt();
        }
    }
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (((if true { a_u32 } else { 0_u32 }) << 2_usize) * 2_u32);
    if ((0_u32 + a_u32) == (a_u32 % 38_u32)) {
        let mut v1: i32 = atomic_compare_exchange(&mut cell_i32[((gid(1) * 5_usize) + gid(0))], y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)], ((a_bool as i32) + x_i32[10_usize]));
        if (x_u32[(x_i32.len() % 12_usize)] <= 26_u32) {
            let mut v2: bool = (x_u8[(x_f32.len() % 12_usize)] != (255_u8 | 2_u8));
            let mut v3: u32 = atomic_compare_exchange(&mut cell_u32[((gid(1) * 5_usize) + gid(0))], ((33_u32 / 1_u32) % (a_u32 & a_u32)), 2_u32);
            let mut v4: u64 = (1_u64 as u64);
        }
    } else {
        let mut v5: usize = ((if false { 5_usize } else { gid(0) }) - (2_usize % 3_usize));
        let mut v6: f32 = atomic_add(&mut cell_f32[((gid(1) * 5_usize) + gid(0))], ((3e38_f32 % 0.1_f32) * (a_f32 / 1.0_f32)));
        atomic_xor(&mut total_i64[(x_i64.len() % 5_usize)], (-(14_i64 - 10_i64)));
    }
    atomic_add(&mut cell_f32[((gid(1) * 5_usize) + gid(0))], (-x_f32[((if false { 32_usize } else { gid(1) }) % 12_usize)]));
    let mut v7: f64 = ((-0.0_f64) - ((-0.0_f64) * 1000000000.0_f64));
    y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = x_u64[x_f32.len()].min(0_u64);
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random18(x_u32: &[u32], x_f64: &[f64], a_i32: i32, x_i32: &[i32], y_i32: &mut [i32], y_u32: &mut [u32], a_usize: usize) {
    let mut v0: u32 = (x_u32[(x_f64.len() % 12_usize)] >> ((-1_i32) + 0_i32));
    for v1 in group_range(((grp(0) * 1_usize) % 40_usize)) {
        let mut v2: i32 = ((i32::MIN % 1_i32) - i32::MIN);
        v2 = (((v2 % a_i32) ^ a_i32) / ((if true { v2 } else { a_i32 }) / (v2 % v2)));
        if true {
            break;
        }
    }
    for v3 in (-2_i32)..(x_i32[(7_usize % 12_usize)] % 4_i32) {
        y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = v3;
    }
    barrier();
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u32[((2_usize - a_usize) % 12_usize)];
}

#[device_fn]
fn mix_random19(v0: i32, v1: i32) -> i32 {
    (((v1 + v0) << v0.rotate_left(33_u32)) % ((f64::INFINITY as i32) % (v0 % 25_i32)))
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random19(a_u64: u64, a_i32: i32, y_f64: &mut [f64], x_f64: &[f64], a_usize: usize, y_u8: &mut [u8]) {
    shared!(tile_0: [u64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (if (true == true) { 2_u64.max(a_u64) } else { (a_u64 << a_i32) });
    barrier();
    let mut v0: f64 = ((if false { 1.0_f64 } else { (-2.75_f64) }) + ((-2.75_f64) - (-0.0_f64)));
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((33_i32 + i32::MIN) as f64) % x_f64[((if true { a_usize } else { 2_usize }) % 12_usize)]);
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 255_u8;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random20(a_u64: u64, y_f32: &mut [f32], a_f32: f32, a_bool: bool, x_i64: &[i64], x_u8: &[u8], y_u64: &mut [u64], a_i64: i64, x_u32: &[u32], a_usize: usize, total_i32: &mut [i32], x_f32: &[f32], x_u64: &[u64], y_f64: &mut [f64], x_f64: &[f64], x_i32: &[i32]) {
    shared!(tile_0: [u8; 1]);
    shared!(tile_1: [u64; 1]);
    barrier();
    tile_0[lid(0)] = 0_u8;
    barrier();
    barrier();
    tile_1[lid(0)] = a_u64;
    barrier();
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-2.75_f32) + a_f32);
    if (a_bool ^ (true || false)) {
        let mut v0: i64 = x_i64[(x_u8.len() % 12_usize)];
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u64 << (-2_i32));
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (33_u8 as u64);
    } else {
        if ((0.1_f64 > 0.1_f64) ^ (a_i64 >= i64::MIN)) {
            y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (a_f32 / ((-0.0_f32) / 0.5_f32)).sqrt();
            let mut v1: u32 = x_u32[((if false { grp(0) } else { a_usize }) % 12_usize)];
            let mut v2: f32 = (if a_bool { f32::INFINITY.max(1000000000.0_f32) } else { (1000000000.0_f32 - 1.0_f32) });
        }
        for v3 in 0_usize..((if a_bool { 4_usize } else { a_usize }) % 4_usize) {
            let mut v4: u8 = 33_u8;
            let mut v5: u32 = x_u32[((v3 + 2_usize) % 12_usize)];
        }
        atomic_min(&mut total_i32[((32_usize / 31_usize) % 5_usize)], ((255_u8 as u64) as i32));
    }
    barrier();
    tile_0[lid(0)] = (x_f32[((a_usize << 0_usize) % 12_usize)] as u8);
    barrier();
    for v6 in group_range(((63_usize | 4_usize) % 40_usize)) {
        let mut v7: u64 = (56_u64 - x_u64[9_usize]);
    }
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f64[((4_usize * 0_usize) % 12_usize)] + (if (0_u8 >= 33_u8) { x_f64[(x_i32.len() % 12_usize)] } else { (-1.0_f64).signum() }));
}

#[kernel(device = cpu, domain = 37)]
fn random21(x_u8: &[u8], y_u64: &mut [u64], a_u64: u64, x_u64: &[u64]) {
    let mut own_0 = [(gid(0) % gid(0)); 4];
    let mut v0: usize = 64_usize;
    let mut v1: u8 = x_u8[7_usize];
    y_u64[((gid(0) * 2_usize) + 0_usize)] = ((!(if false { a_u64 } else { a_u64 })) | (49_u64 * 33_u64).saturating_sub(x_u64[(v0 % 12_usize)]));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random22(a_i32: i32, y_f64: &mut [f64], y_u8: &mut [u8], a_u64: u64, a_f64: f64, a_usize: usize, a_f32: f32, a_bool: bool, y_i64: &mut [i64], a_i64: i64) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = a_i32;
    barrier();
    let mut own_1 = [(grp(0) >> 0_usize); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (3e38_f32 > (-1.0_f32))) {
        v0 = (v0 + 1_u32);
        y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (1.0_f32 as f64).sqrt();
        if true {
            continue;
        }
    }
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 33_u8;
    for v1 in group_range(((a_u64 as usize) % 40_usize)) {
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((a_u64 as f64) < (f64::INFINITY + a_f64)) { (2_u8.saturating_sub(0_u8) * (255_u8 >> (-1_i32))) } else { (y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] - (25_u8 >> 56_u64)) });
    }
    for v2 in group_range(((2_usize << a_usize) % 40_usize)) {
        let mut v3: u8 = ((if false { 1_u8 } else { 0_u8 }) * (33_u8 ^ 33_u8));
        let mut v4: f32 = ((0.1_f32 * 0.1_f32) - a_f32);
        let mut v5: i32 = (i32::MIN * (i32::MIN ^ 21_i32));
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && a_bool) {
        v6 = (v6 + 1_u32);
        let mut v7: i64 = ((v6 >> a_u64) as i64);
    }
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = a_i64;
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random23(y_u32: &mut [u32], a_bool: bool, a_usize: usize, cell_u32: &mut [u32], a_u64: u64, a_f64: f64, x_u32: &[u32]) {
    let mut own_0 = [(2_i64 as u64); 4];
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 33_u32;
    for v0 in group_range(((if a_bool { a_usize } else { 32_usize }) % 40_usize)) {
        let mut v1: f32 = ((3e38_f64 + 0.5_f64) as f32);
        let mut v2: u32 = atomic_add(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0_i32.leading_zeros());
    }
    own_0[1_usize] = (!a_u64);
    for v3 in group_range(((1_usize as usize) % 40_usize)) {
        let mut v4: f64 = a_f64;
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u32[(1_usize % 12_usize)];
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random24(a_u64: u64, cell_i32: &mut [i32], a_bool: bool, y_i32: &mut [i32], x_u64: &[u64], x_f32: &[f32], a_i32: i32, y_f64: &mut [f64], y_u8: &mut [u8], x_u8: &[u8]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (18446744073709551615_u64 != a_u64)) {
        v0 = (v0 + 1_u32);
        let mut v1: i32 = atomic_xor(&mut cell_i32[((grp(0) * 64_usize) + lid(0))], (!(i32::MIN % 2_i32)));
        if a_bool {
            break;
        }
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (x_u64[(x_f32.len() % 12_usize)] != 33_u64) { ((2147483647_i32 ^ a_i32) % (255_u8 as i32)) } else { (a_i32 / ((-1_i32) + a_i32)) });
    barrier();
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)];
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u8[((59_u32 as usize) % 12_usize)];
}

#[device_fn]
fn mix_random25(v0: f64, v1: f64) -> f64 {
    ((1000000000.0_f64.div_euclid(v1) < (-1.0_f64).round()) as u32 as f64)
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random25(a_usize: usize, y_f32: &mut [f32], total_u32: &mut [u32], a_i32: i32, x_i64: &[i64], next_f32: &mut [f32], x_f64: &[f64], x_u64: &[u64], x_f32: &[f32], total_i32: &mut [i32], y_f64: &mut [f64]) {
    let mut own_0 = [(a_usize | 2_usize); 4];
    for v0 in group_range((grp(1) % 40_usize)) {
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((33_u64 as u32) as f32);
        own_0[1_usize] = v0;
        atomic_add(&mut total_u32[3_usize], (1_u32 >> (!v0)));
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (a_i32 > i32::MIN)) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (true ^ false)) {
            v2 = (v2 + 1_u32);
            own_0[(a_usize % 4_usize)] = 3_usize;
            let mut v3: usize = x_i64.len();
            let mut v4: u32 = group_max(v1);
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (2_u8 == 1_u8)) {
            v5 = (v5 + 1_u32);
            let mut v6: f32 = atomic_add(&mut next_f32[(((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) + 1_usize)], (x_f64[(x_u64.len() % 12_usize)] as f32));
            own_0[x_f32.len()] = x_i64.len();
        }
        if (5_u32 > 9223372036854775807_i64.trailing_zeros()) {
            atomic_or(&mut total_i32[((63_usize * 32_usize) % 5_usize)], i32::MIN);
        } else {
            let mut v7: f64 = mix_random25((-1.0_f64).round_ties_even(), (f64::NAN / 1e-40_f64));
            let mut v8: f64 = mix_random25(x_f64[(7_usize % 12_usize)], x_f64[((grp(1) - grp(0)) % 12_usize)]);
        }
    }
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((-0.1_f64) + (0.0_f64 / f64::INFINITY)) % ((40_usize * a_usize) as f64));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random26(y_f32: &mut [f32], x_f32: &[f32], cell_u32: &mut [u32], x_u32: &[u32], x_u8: &[u8], a_u32: u32) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && ((-1.0_f64) >= (-2.75_f64))) {
        v0 = (v0 + 1_u32);
        let mut v1: u64 = group_max(((1_u64 / 0_u64) % ((-2.75_f64) as u64)));
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0.5_f32;
    let mut v2: f32 = x_f32[(2_usize % 12_usize)];
    let mut v3: u32 = atomic_compare_exchange(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((66_u32 ^ 0_u32) * x_u32[(x_u8.len() % 12_usize)]), ((if false { 4294967295_u32 } else { a_u32 }) / x_u32[3_usize]));
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-((if true { (-2.75_f32) } else { (-2.75_f32) }) * x_f32[((false as usize) % 12_usize)]));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random27(y_u64: &mut [u64], x_u64: &[u64], total_i64: &mut [i64], x_f64: &[f64], a_bool: bool, cell_u64: &mut [u64], y_i64: &mut [i64], y_u8: &mut [u8], x_u8: &[u8]) {
    shared!(tile_0: [i64; 16]);
    barrier();
    tile_0[lid(0)] = ((33_i64 / 33_i64) >> (0_u64 | 18446744073709551615_u64));
    barrier();
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[(lid(0) - 2_usize)];
    for v0 in group_range(((i32::MIN as usize) % 40_usize)) {
        atomic_min(&mut total_i64[(x_f64.len() % 5_usize)], (tile_0[((if a_bool { 31_usize } else { v0 }) % 16_usize)] - (-1_i64)));
        let mut v1: u64 = atomic_compare_exchange(&mut cell_u64[((grp(0) * 16_usize) + lid(0))], (y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] % (!33_u64)), x_u64[((v0 | v0) % 12_usize)]);
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((true as i64) * tile_0[8_usize]).div_euclid(tile_0[6_usize]);
    }
    barrier();
    barrier();
    tile_0[lid(0)] = i64::MIN;
    barrier();
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u8[2_usize];
}

#[kernel(device = cpu, domain = 37)]
fn random28(y_u32: &mut [u32], a_u32: u32, a_f64: f64, x_i64: &[i64], x_f32: &[f32], a_i64: i64, a_bool: bool, a_usize: usize, a_u64: u64, y_i64: &mut [i64], y_f32: &mut [f32]) {
    let mut own_0 = [y_u32[((gid(0) * 2_usize) + 1_usize)]; 4];
    y_u32[((gid(0) * 2_usize) + 1_usize)] = ((if (0_u8 != 33_u8) { (a_u32 + 2_u32) } else { (2_u32 % 4294967295_u32) }) % (58_u32 + (59_u32 + 4294967295_u32)));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (3e38_f64 == a_f64)) {
        v0 = (v0 + 1_u32);
        let mut v1: i64 = (if (false ^ true) { x_i64[(x_f32.len() % 12_usize)] } else { (if true { a_i64 } else { 2_i64 }) });
        if a_bool {
            let mut v2: f32 = (-(v1 as f32));
            if true {
                continue;
            }
            if ((18446744073709551615_u64 + 0_u64) >= (33_u64 >> 21_i32)) {
                break;
            }
        } else {
            own_0[2_usize] = ((1_u32 * v0) ^ 40_u8.count_ones());
            v1 = (x_i64[(gid(0) % 12_usize)] % x_i64[((a_usize * 64_usize) % 12_usize)]);
            let mut v3: bool = true;
        }
        if ((0_u64 / 52_u64) != a_u64.div_euclid(1_u64)) {
            continue;
        }
    }
    y_i64[((gid(0) * 2_usize) + 1_usize)] = a_i64;
    y_f32[((gid(0) * 2_usize) + 1_usize)] = 0.1_f32;
}

#[device_fn]
fn mix_random29(v0: i32, v1: i32) -> i32 {
    33_i32
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random29(y_i32: &mut [i32], x_i64: &[i64], a_usize: usize, y_u8: &mut [u8]) {
    let mut v0: i32 = mix_random29(15_i32, (1_i32 * (-1_i32)));
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_i64[((31_usize * a_usize) % 12_usize)] as i32);
    barrier();
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((26_u8.rotate_left(1_u32) >> v0.max(v0)) | 2_u8);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random30(a_i64: i64, total_i32: &mut [i32], a_usize: usize, a_i32: i32, a_bool: bool, y_i32: &mut [i32], y_f32: &mut [f32], x_f32: &[f32], a_f32: f32, x_i32: &[i32], x_f64: &[f64], y_u64: &mut [u64], x_u64: &[u64], y_f64: &mut [f64], a_u32: u32, y_i64: &mut [i64]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = lid(0);
    barrier();
    for v0 in 0_usize..((lid(0) % 40_usize) % 4_usize) {
        if (a_i64 != (a_i64 % 1_i64)) {
            if ((-2_i64) > (3_u64 as i64)) {
                continue;
            }
            atomic_or(&mut total_i32[(a_usize % 5_usize)], ((-a_i32) / (if a_bool { 23_i32 } else { a_i32 })));
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 1_i32;
        }
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (0_u32 != 0_u32) { (-x_f32[((0_i32 as usize) % 12_usize)]) } else { ((-f32::INFINITY) - (a_f32 / f32::NAN)) });
    }
    let mut v1: u32 = group_max((if (2_u32 != 0_u32) { ((-0.0_f32) as u32) } else { 4294967295_u32 }));
    let mut v2: u8 = (if (true ^ false) { 255_u8 } else { (6_u8 / 2_u8) });
    if ((0_u64 as i32) < x_i32[grp(0)]) {
        if (i32::MIN.clamp(a_i32, 1_i32) != (-2147483647_i32)) {
            let mut v3: f64 = x_f64[(lid(0) % 12_usize)];
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[8_usize] & x_u64[((0_i32 as usize) % 12_usize)]);
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((2_u64 as f64).cosh() % x_f64[9_usize]);
        } else {
            let mut v4: i32 = ((if true { 2147483647_i32 } else { 29_i32 }) + (-a_i32));
            let mut v5: bool = ((-a_f32) == x_f32[((40_usize - 3_usize) % 12_usize)]);
        }
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = a_i32.rotate_right((if false { a_u32 } else { v1 })).signum();
        for v6 in 0_usize..(grp(0) % 4_usize) {
            let mut v7: u8 = ((0_u8 > v2) as u8);
        }
    } else {
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((a_f32 * f32::NAN) as i64) / (2_u64 as i64));
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((i64::MIN ^ 1_i64) as u8) as i32);
}

#[device_fn]
fn mix_random31(v0: u64, v1: u64) -> u64 {
    2_u64
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random31(cell_f32: &mut [f32], a_usize: usize, a_f64: f64, y_f64: &mut [f64], x_f64: &[f64]) {
    let mut own_0 = [(!33_u64); 4];
    let mut own_1 = [(0_u64 + 33_u64); 4];
    let mut v0: f32 = atomic_add(&mut cell_f32[gid(0)], (-(-0.0_f32)));
    let mut v1: u64 = mix_random31(own_1[2_usize], (a_usize as u64));
    own_0[3_usize] = ((-a_f64) as u64);
    y_f64[((gid(0) * 2_usize) + 0_usize)] = x_f64[(a_usize % 12_usize)];
}

#[device_fn]
fn mix_random32(v0: usize, v1: usize) -> usize {
    v0
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random32(a_f32: f32, a_usize: usize, a_f64: f64, y_u64: &mut [u64], a_bool: bool, cell_f32: &mut [f32], total_u32: &mut [u32], x_u32: &[u32], x_u8: &[u8], cell_i64: &mut [i64], x_i64: &[i64], x_f64: &[f64], x_i32: &[i32], y_i64: &mut [i64], total_i64: &mut [i64], y_i32: &mut [i32]) {
    shared!(tile_0: [f32; 8]);
    shared!(tile_1: [usize; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (((-1.0_f32) * a_f32) - (f32::NAN % 0.5_f32));
    barrier();
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (if (7_usize < a_usize) { (a_usize ^ 40_usize) } else { 31_usize });
    barrier();
    for v0 in (-2_i32)..((1_u64 as i32) % 4_i32) {
        let mut v1: u8 = (if ((-0.0_f64) != a_f64) { (255_u8 >> 64_usize) } else { 1_u8 });
        let mut v2: u64 = y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)];
        if a_bool {
            let mut v3: usize = 2_usize;
            let mut v4: usize = mix_random32((if false { v3 } else { 2_usize }), 40_usize);
        } else {
            v2 = (!18446744073709551615_u64);
            let mut v5: f32 = atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], ((0.5_f32 / 1.0_f32) - 1.0_f32));
            atomic_or(&mut total_u32[((64_usize & 31_usize) % 5_usize)], (x_u32[0_usize] >> (if true { v2 } else { v2 })));
        }
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && false) {
        v6 = (v6 + 1_u32);
        y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_u64;
        barrier();
        let mut v7: u8 = (x_u8[(40_usize % 12_usize)] + (33_u8 & 0_u8));
    }
    let mut v8: i64 = atomic_compare_exchange(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], x_i64[9_usize].saturating_add(x_i64[(x_f64.len() % 12_usize)]), ((4294967295_u32 as i64) % 0_i64));
    if true {
        let mut v9: f64 = ((a_f32 as f64) / (f64::INFINITY % 0.1_f64));
        if ((2_u32 + 0_u32) >= 1_u32) {
            let mut v10: usize = mix_random32((lid(1) - 1_usize), x_i32.len());
        } else {
            y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i64[(3_usize % 12_usize)];
            let mut v11: usize = mix_random32(7_usize, (0_u32 as usize));
            atomic_and(&mut total_i64[0_usize], (-x_i64[4_usize]));
        }
        let mut v12: usize = mix_random32((a_usize << 1_i32), (lid(2) & 64_usize));
    }
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (3e38_f32 + (-3e38_f32));
    barrier();
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i32[0_usize];
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random33(a_u64: u64, next_u64: &mut [u64], x_u64: &[u64], y_u64: &mut [u64], a_bool: bool, total_u32: &mut [u32], a_i32: i32, y_f32: &mut [f32], a_f32: f32, cell_u64: &mut [u64], y_i64: &mut [i64], x_i64: &[i64]) {
    let mut own_0 = [(a_u64 + 18446744073709551615_u64); 4];
    let mut own_1 = [(!gid(1)); 4];
    let mut v0: u64 = atomic_exchange(&mut next_u64[(((gid(1) * 5_usize) + gid(0)) + 1_usize)], (x_u64[(255_u8 as usize)] + y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)]));
    if ((f64::INFINITY <= f64::INFINITY) && (false > a_bool)) {
        for v1 in 1_u32..((gid(1) as u32) % 70_u32) {
            atomic_min(&mut total_u32[1_usize], ((v1 / 0_u32) << (if true { (-1_i32) } else { a_i32 })));
            v0 = (v0 * (v0 ^ v0)).rotate_left((if true { v1 } else { (if true { v1 } else { 0_u32 }) }));
            y_f32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (a_f32 + 0.0_f32);
        }
    }
    let mut v2: u64 = atomic_add(&mut cell_u64[((gid(1) * 5_usize) + gid(0))], (if (v0 != v0) { 10_u64.div_euclid(v0) } else { (if true { 18446744073709551615_u64 } else { v0 }) }));
    v2 = 2_u64;
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = ((-(-4_i64)) - x_i64[((!gid(1)) % 12_usize)]);
}

#[device_fn]
fn mix_random34(v0: u64, v1: u64) -> u64 {
    (if ((true <= true) ^ (2_usize != 1_usize)) { (v0 - (v0 - v1)) } else { v0.div_euclid(v1) })
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random34(a_usize: usize, a_f64: f64, cell_u64: &mut [u64], y_f64: &mut [f64]) {
    shared!(tile_1: [f64; 64]);
    let mut own_0 = [(7_usize * a_usize); 4];
    barrier();
    tile_1[lid(0)] = 1.0_f64;
    barrier();
    barrier();
    tile_1[lid(0)] = ((a_f64 / a_f64) * (-a_f64));
    barrier();
    let mut v0: u64 = atomic_min(&mut cell_u64[((grp(0) * 64_usize) + lid(0))], (18446744073709551615_u64.max(18446744073709551615_u64) + 18446744073709551615_u64.rotate_left(0_u32)));
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-1000000000.0_f64) + 3e38_f64);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random35(a_usize: usize, y_i64: &mut [i64], a_bool: bool, y_i32: &mut [i32], x_i32: &[i32], y_u32: &mut [u32], a_u32: u32, total_u64: &mut [u64], y_f32: &mut [f32]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = lid(0);
    barrier();
    for v0 in 0_usize..(2_usize % 4_usize) {
        barrier();
        tile_0[((lid(1) * 4_usize) + lid(0))] = ((2_u64 % 2_u64) as usize);
        barrier();
    }
    let mut v1: f32 = (3e38_f32 + f32::NAN).sqrt();
    if ((a_usize > 7_usize) || (true > true)) {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(-1_i64));
    } else {
        if a_bool {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_i32[(tile_0[((lid(1) + 2_usize) % 8_usize)] % 12_usize)];
        } else {
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (!(a_u32 | (35_u32 | 2_u32)));
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u32;
        }
        atomic_xor(&mut total_u64[grp(0)], 0_u64);
    }
    let mut v2: u8 = (if (false || true) { 1_u8 } else { 2_u8 });
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (v1 + (-2.75_f32));
}

#[kernel(device = cpu, domain = 37)]
fn random36(y_f32: &mut [f32], x_f32: &[f32], x_u8: &[u8], a_f32: f32, a_u32: u32, a_i32: i32, x_u32: &[u32], a_usize: usize, x_i32: &[i32], y_i32: &mut [i32], total_u64: &mut [u64], x_i64: &[i64], a_u64: u64, y_u64: &mut [u64], x_u64: &[u64]) {
    if ((if true { 0_u32 } else { 0_u32 }) <= (true as u32)) {
        y_f32[((gid(0) * 2_usize) + 0_usize)] = ((x_f32[x_u8.len()] / a_f32.round()) % 1000000000.0_f32);
        let mut v0: u32 = ((33_u32 & a_u32) >> a_i32.rotate_left(0_u32));
        v0 = (!x_u32[(gid(0) - a_usize)]);
    } else {
        if (x_i32[1_usize] > (if false { 0_i32 } else { (-1_i32) })) {
            y_f32[((gid(0) * 2_usize) + 1_usize)] = 1e-40_f32;
            let mut v1: i64 = ((33_i64 % i64::MIN) % (-i64::MIN));
        }
    }
    y_i32[((gid(0) * 2_usize) + 1_usize)] = (((0_u32 >> 1_i32) as i32) as i32);
    atomic_max(&mut total_u64[(x_i64.len() % 5_usize)], ((a_u64 * a_u64) / (0_u64 ^ 0_u64)));
    y_u64[((gid(0) * 2_usize) + 1_usize)] = ((if (1.0_f64 < (-0.0_f64)) { ((-1_i64) as u64) } else { 2_u64 }) * (if (0.5_f64 > 1000000000.0_f64) { (52_u64 | a_u64) } else { x_u64[(x_f32.len() % 12_usize)] }));
}

#[device_fn]
fn mix_random37(v0: f32, v1: f32) -> f32 {
    0.0_f32
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random37(a_usize: usize, a_u32: u32, a_f64: f64, y_i32: &mut [i32], a_i32: i32, y_i64: &mut [i64], x_i64: &[i64], y_u64: &mut [u64], a_f32: f32, x_u8: &[u8], cell_i32: &mut [i32], cell_u64: &mut [u64], x_f32: &[f32], cell_u32: &mut [u32], total_i64: &mut [i64], y_f32: &mut [f32]) {
    for v0 in 0_usize..(a_usize % 4_usize) {
        barrier();
        if ((a_u32 + 0_u32) >= (a_f64 as u32)) {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = a_i32;
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (19_i64 - (x_i64[(1_usize % 12_usize)] % (2_i64 ^ 33_i64)));
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((a_f32 as u64) * (0_u64 ^ 0_u64)).saturating_add(y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]);
        }
        for v1 in group_range(((a_usize / v0) % 40_usize)) {
            let mut v2: i64 = (1_i64 - x_i64[(v1 % 12_usize)]);
            let mut v3: u8 = (x_u8[((!v0) % 12_usize)] << (0_u64 / 13_u64));
            atomic_or(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (-2_i32.min(2_i32)));
        }
    }
    for v4 in 0_usize..((a_usize + 40_usize) % 70_usize) {
        barrier();
        atomic_or(&mut cell_u64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 0_u64);
    }
    for v5 in 0_usize..(x_f32.len() % 4_usize) {
        let mut v6: u32 = atomic_xor(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], a_u32);
        v6 = v6;
        atomic_add(&mut total_i64[2_usize], 1_i64);
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((41_u8 * 255_u8) >= (1_u8 + 255_u8)) { (-(a_f32 / a_f32)) } else { (1000000000.0_f32.ceil() + (0.0_f32 + 1e-40_f32)) });
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random38(y_f32: &mut [f32], x_u64: &[u64], a_bool: bool, x_f32: &[f32], cell_i64: &mut [i64], x_i64: &[i64], a_usize: usize, y_f64: &mut [f64], y_u64: &mut [u64], x_f64: &[f64], a_i32: i32, y_i64: &mut [i64], a_u64: u64, cell_u32: &mut [u32], a_u32: u32, a_f32: f32) {
    shared!(tile_0: [u8; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 2_u8;
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true ^ false)) {
        v0 = (v0 + 1_u32);
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (tile_0[x_u64.len()] as f32).rem_euclid((if (a_bool && true) { (-(-2.75_f32)) } else { x_f32[(lid(0) * 0_usize)] }));
        let mut v1: i64 = atomic_max(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], x_i64[((0_u64 as usize) % 12_usize)]);
        for v2 in group_range(((64_usize * a_usize) % 40_usize)) {
            if ((1.0_f64 <= 1000000000.0_f64) || (v1 <= v1)) {
                continue;
            }
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-0.0_f64);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((0.5_f64 * 3e38_f64) >= 1000000000.0_f64.min(0.1_f64)) { x_u64[(x_f64.len() % 12_usize)] } else { ((0_u64 & 1_u64) * ((-2.75_f32) as u64)) });
        }
    }
    let mut v3: i32 = ((0_u8 as i32) * (if true { 33_i32 } else { i32::MIN }));
    let mut v4: i64 = ((a_i32 as i64) % (-1_i64));
    if ((false && false) ^ (true || false)) {
        if ((1_u8 * 1_u8) <= (if a_bool { 33_u8 } else { 33_u8 })) {
            v4 = x_i64[((grp(0) & grp(0)) % 12_usize)];
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_f64[3_usize] as i64) + (-(v4 * i64::MIN)));
            atomic_exchange(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((if false { 12_i64 } else { v4 }) - (v4 / v4)));
        } else {
            let mut v5: u64 = (2_u64.div_euclid(1_u64) + (a_u64 / 34_u64));
            atomic_compare_exchange(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (a_u32 ^ (!a_u32)), ((a_u32 + 0_u32) % 57_u32));
        }
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((v4 % v4) + (-33_i64)) + x_i64[(2_usize % 12_usize)].pow(4294967295_u32));
    } else {
        v4 = ((if (false || false) { (0_i64 | v4) } else { x_i64[8_usize] }) & (-(60_i64 / v4)));
        atomic_and(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 58_u32);
        if true {
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f32[((if a_bool { 2_usize } else { 3_usize }) % 12_usize)];
        }
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_f32 * ((-a_f32) / (a_f32 + 3e38_f32)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random39(a_i64: i64, y_f64: &mut [f64], x_f64: &[f64], y_i64: &mut [i64]) {
    shared!(tile_0: [i64; 16]);
    barrier();
    tile_0[lid(0)] = a_i64;
    barrier();
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_f64[4_usize] * 1000000000.0_f64.rem_euclid((-0.0_f64))) / (-((-1.0_f64) - 0.5_f64)));
    barrier();
    for v0 in group_range(((1_usize % 40_usize) % 40_usize)) {
        if false {
            break;
        }
    }
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_i64 % (58_i64 * (if true { i64::MIN } else { a_i64 })));
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random40(cell_i32: &mut [i32], y_u32: &mut [u32], x_u32: &[u32], a_u64: u64, x_i32: &[i32], a_usize: usize, a_i32: i32, y_f64: &mut [f64], x_f64: &[f64], a_u32: u32) {
    barrier();
    atomic_min(&mut cell_i32[((grp(0) * 16_usize) + lid(0))], (-(-1_i32)));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 70_u32) && true) {
        v0 = (v0 + 1_u32);
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u32[((a_u64 as usize) % 12_usize)] / v0);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (0_u64 < a_u64)) {
            v1 = (v1 + 1_u32);
            let mut v2: i32 = (x_i32[((a_usize % 7_usize) % 12_usize)] | (15_i32 + a_i32));
        }
        for v3 in 1_u32..(x_u32[((grp(0) << 2_i32) % 12_usize)] % 4_u32) {
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[((64_usize * lid(0)) % 12_usize)];
        }
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (a_u32 | 33_u32.rotate_left((1e-40_f64 as u32)));
}

#[device_fn]
fn mix_random41(v0: u64, v1: u64) -> u64 {
    (v1 * ((v0 & 1_u64) ^ (1_u64 % v0)))
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random41(a_usize: usize, cell_f32: &mut [f32], x_f32: &[f32], x_i64: &[i64], y_f64: &mut [f64], a_f64: f64) {
    shared!(tile_0: [usize; 1]);
    shared!(tile_1: [usize; 1]);
    barrier();
    tile_0[lid(0)] = lid(0);
    barrier();
    barrier();
    tile_1[lid(0)] = a_usize;
    barrier();
    let mut v0: f32 = atomic_add(&mut cell_f32[((grp(0) * 1_usize) + lid(0))], (if (33_u32 > 4294967295_u32) { (-0.1_f32) } else { x_f32[(x_i64.len() % 12_usize)] }));
    let mut v1: u64 = mix_random41(0_u64, (0_u64 - 1_u64));
    let mut v2: f64 = (-2.75_f64);
    for v3 in group_range((tile_0[0_usize] % 40_usize)) {
        let mut v4: u64 = mix_random41((v1 % v1), (!v1));
    }
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(0.1_f64 + (-a_f64)));
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random42(x_f32: &[f32], a_usize: usize, y_u64: &mut [u64], y_f32: &mut [f32], y_u32: &mut [u32], total_u64: &mut [u64], a_bool: bool, a_u64: u64, cell_u32: &mut [u32], cell_i64: &mut [i64], x_i64: &[i64], a_u32: u32, x_u64: &[u64], x_f64: &[f64], cell_f32: &mut [f32], a_f32: f32, y_f64: &mut [f64], a_f64: f64, x_u8: &[u8], y_i64: &mut [i64]) {
    if (x_f32[((grp(0) % a_usize) % 12_usize)] <= ((-1.0_f32) - 0.5_f32)) {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 25_u64;
        if (1000000000.0_f32 > (-1.0_f32)) {
            let mut v0: f32 = y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)];
        }
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 69_u32;
    } else {
        atomic_min(&mut total_u64[((1_usize - 4_usize) % 5_usize)], (if true { 2_u64 } else { 0_u64 }).div_euclid((if a_bool { a_u64 } else { 1_u64 })));
        let mut v1: u32 = atomic_max(&mut cell_u32[((grp(0) * 1_usize) + lid(0))], 2_u32);
    }
    let mut v2: i64 = atomic_max(&mut cell_i64[((grp(0) * 1_usize) + lid(0))], x_i64[6_usize]);
    if ((false || true) || (a_u32 == 33_u32)) {
        let mut v3: f64 = 1.0_f64;
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (false && false)) {
            v4 = (v4 + 1_u32);
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[0_usize] * (18446744073709551615_u64 as u64).div_euclid(x_u64[((lid(0) - 63_usize) % 12_usize)]));
            v3 = (v3 / (if (9223372036854775807_i64 <= v2) { x_f64[(a_usize % 12_usize)] } else { (1000000000.0_f64 * v3) }));
        }
    } else {
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && false) {
            v5 = (v5 + 1_u32);
            atomic_add(&mut cell_f32[((grp(0) * 1_usize) + lid(0))], (x_f32[8_usize] % ((-2.75_f32) - a_f32)));
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if true { 1e-40_f64 } else { a_f64 }) - (-1.0_f64)).signum();
        }
        let mut v6: u8 = group_max((!x_u8[(3_usize % 12_usize)]));
    }
    for v7 in 1_u32..((1_u32 << grp(0)) % 4_u32) {
        let mut v8: f64 = (if ((-2.75_f64) < (-1.0_f64)) { (f64::NAN / 0.1_f64) } else { (-1.0_f64) });
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 9223372036854775807_i64;
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random43(x_u8: &[u8], a_f32: f32, cell_u32: &mut [u32], a_f64: f64, a_u32: u32, y_u8: &mut [u8], x_u64: &[u64], a_i64: i64, x_i64: &[i64], x_f32: &[f32], y_i32: &mut [i32], x_i32: &[i32]) {
    let mut own_0 = [gid(0); 4];
    let mut own_1 = [3e38_f32.trunc(); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (v0 < 2_u32)) {
        v0 = (v0 + 1_u32);
        let mut v1: u8 = x_u8[((64_usize / gid(0)) % 12_usize)];
        if true {
            if true {
                continue;
            }
            let mut v2: f32 = (1e-40_f32 - (0.1_f32 / a_f32));
        } else {
            let mut v3: u32 = atomic_min(&mut cell_u32[((gid(1) * 5_usize) + gid(0))], (if (true ^ false) { (if false { v0 } else { v0 }) } else { (v0 * 0_u32) }));
            let mut v4: u8 = 1_u8;
            let mut v5: f64 = a_f64.signum();
        }
    }
    for v6 in 1_u32..((2_u32 - a_u32) % 4_u32) {
        y_u8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (2_u8.rotate_right((!v6)) + 33_u8.max((0_u8 - 0_u8)));
        if false {
            let mut v7: u8 = 255_u8;
            let mut v8: u64 = ((0_u64 + 18446744073709551615_u64) / x_u64[(3_usize % 12_usize)]);
        } else {
            let mut v9: i64 = 33_i64.clamp(a_i64, 9223372036854775807_i64).div_euclid(x_i64[(x_f32.len() % 12_usize)]);
            let mut v10: usize = 7_usize;
        }
    }
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (2147483647_i32 + x_i32[((gid(1) - 63_usize) % 12_usize)]);
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random44(x_i32: &[i32], a_u64: u64, y_f32: &mut [f32], x_f32: &[f32]) {
    shared!(tile_0: [i32; 64]);
    barrier();
    tile_0[lid(0)] = x_i32[11_usize];
    barrier();
    let mut own_1 = [(if true { 1e-40_f32 } else { 0.1_f32 }); 4];
    let mut v0: i32 = 2147483647_i32;
    let mut v1: u8 = ((33_u8 + 255_u8) % (0_u8 | 255_u8));
    let mut v2: u64 = a_u64;
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f32[((if true { 31_usize } else { grp(0) }) % 12_usize)];
}

#[device_fn]
fn mix_random45(v0: f64, v1: f64) -> f64 {
    (-1.0_f64)
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

#[kernel(device = cpu, domain = (3, 5))]
fn random46(y_u8: &mut [u8], total_u64: &mut [u64], a_u64: u64, total_i64: &mut [i64], y_f32: &mut [f32], a_f32: f32, y_u32: &mut [u32], a_u32: u32, x_u32: &[u32]) {
    if true {
        y_u8[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 11_u8;
    }
    atomic_xor(&mut total_u64[1_usize], ((33_u64 & 18446744073709551615_u64) & (a_u64 / 2_u64)));
    atomic_xor(&mut total_i64[4_usize], (0_u32 as i64).abs());
    if ((0.5_f32 + 1.0_f32) >= (-1.0_f32)) {
        y_f32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (((0.0_f32 / 0.0_f32) - (a_f32 + a_f32)) + (if (2_u32 <= 1_u32) { f32::NAN } else { (a_f32 / a_f32) }));
    }
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (!a_u32).clamp(28_u8.div_euclid(0_u8).trailing_zeros(), (if (true ^ false) { 4294967295_u32 } else { y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] }));
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (if (1.0_f32 > (3e38_f32 % (-0.0_f32))) { x_u32[((5_usize / 1_usize) % 12_usize)] } else { (x_u32[8_usize] / (if false { 0_u32 } else { 33_u32 })) });
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random47(y_f64: &mut [f64]) {
    barrier();
    barrier();
    barrier();
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 1e-40_f64;
}

#[device_fn]
fn mix_random48(v0: u32, v1: u32) -> u32 {
    4294967295_u32
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random48(x_f64: &[f64], a_usize: usize, a_f32: f32, y_i64: &mut [i64], a_f64: f64, x_i64: &[i64], a_u32: u32, y_u8: &mut [u8]) {
    shared!(tile_0: [f64; 64]);
    barrier();
    tile_0[lid(0)] = x_f64[(a_usize % 12_usize)];
    barrier();
    let mut v0: f64 = ((0.0_f64 - 0.0_f64) + (-1.0_f64));
    let mut v1: f32 = (if (true || true) { (0.1_f32 / a_f32) } else { f32::NAN.round_ties_even() });
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 33_i64;
    v0 = ((f64::INFINITY + v0) + (v0 / v0)).clamp(x_f64[(32_usize % 12_usize)], ((v0 % a_f64) + (0.5_f64 + v0)));
    let mut v2: i64 = x_i64[((a_u32 as usize) % 12_usize)];
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 1_u8;
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random49(a_i64: i64, y_u64: &mut [u64], a_u64: u64, cell_u64: &mut [u64], a_u32: u32, a_i32: i32, a_bool: bool, y_i64: &mut [i64], a_usize: usize) {
    shared!(tile_0: [f32; 8]);
    barrier();
    tile_0[lid(0)] = ((3e38_f32 - (-2.75_f32)) * (8_u32 as f32));
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
fn random50(y_i32: &mut [i32]) {
    shared!(tile_0: [f64; 16]);
    shared!(tile_1: [i64; 16]);
    barrier();
    tile_0[lid(0)] = ((if true { (-2.75_f64) } else { 0.0_f64 }) + 0.1_f64);
    barrier();
    barrier();
    tile_1[lid(0)] = (if (false < false) { ((-1_i64) + 33_i64) } else { (if false { 2_i64 } else { 2_i64 }) });
    barrier();
    barrier();
    tile_0[lid(0)] = (-(0.1_f64 % 1000000000.0_f64));
    barrier();
    barrier();
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 36_i32;
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random51(total_u64: &mut [u64], x_u64: &[u64], a_u64: u64, y_u8: &mut [u8], y_i32: &mut [i32], x_i32: &[i32], cell_i32: &mut [i32], a_usize: usize, y_f64: &mut [f64], x_f64: &[f64], a_bool: bool, cell_i64: &mut [i64], a_i64: i64, a_i32: i32, x_u8: &[u8]) {
    shared!(tile_0: [i64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (-(1_i64 - (-1_i64)));
    barrier();
    if (true ^ (false || true)) {
        atomic_xor(&mut total_u64[(x_u64.len() % 5_usize)], ((if true { a_u64 } else { 1_u64 }) as u64));
        y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((255_u8 | 8_u8) | ((21_u8 + 1_u8) % (0_u8 + 34_u8)));
    }
    if (y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] != x_i32[x_u64.len()]) {
        let mut v0: i32 = atomic_compare_exchange(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], x_i32[((lid(1) + a_usize) % 12_usize)], (-x_i32[(grp(1) % 12_usize)]));
    } else {
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((if true { 0_i32 } else { 2_i32 }) != (33_i32 >> 64_usize)) { x_f64[(2_usize % 12_usize)] } else { 0.5_f64 });
        if ((a_bool || false) || false) {
            let mut v1: i64 = atomic_compare_exchange(&mut cell_i64[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (-a_i64), (if (0_u64 != 18446744073709551615_u64) { (if true { 33_i64 } else { 0_i64 }) } else { (0_i64 << grp(0)) }));
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (0_u8 - ((!33_i32) as u8));
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((i32::MIN.rem_euclid(a_i32) << (18446744073709551615_u64 + 2_u64)) % x_i32[2_usize]);
        } else {
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (!0_u8);
        }
    }
    barrier();
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((if (0.0_f64 == (-0.0_f64)) { (0_u8 / 0_u8) } else { (0_u8 / 0_u8) }) ^ (!1_u8));
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((x_u8[((63_usize - 2_usize) % 12_usize)] * (1_u8 / 0_u8)) & (2_u8 - 0_u8));
}

#[device_fn]
fn mix_random52(v0: u64, v1: u64) -> u64 {
    (!33_u64)
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random52(a_bool: bool, x_f32: &[f32], x_u32: &[u32], cell_u64: &mut [u64], x_u64: &[u64], cell_f32: &mut [f32], y_i64: &mut [i64], a_i64: i64, a_i32: i32, a_u64: u64, total_i32: &mut [i32], y_u32: &mut [u32], x_i64: &[i64], y_i32: &mut [i32], y_f32: &mut [f32]) {
    shared!(tile_0: [i32; 1]);
    shared!(tile_1: [f32; 1]);
    barrier();
    tile_0[lid(0)] = ((false && a_bool) as i32);
    barrier();
    barrier();
    tile_1[lid(0)] = x_f32[((lid(0) >> 40_usize) % 12_usize)];
    barrier();
    for v0 in 1_u32..(x_u32[(grp(0) % 12_usize)] % 4_u32) {
        for v1 in 1_u32..(v0 % 4_u32) {
            let mut v2: u64 = atomic_compare_exchange(&mut cell_u64[((grp(0) * 1_usize) + lid(0))], (!x_u64[8_usize]), (if true { (18446744073709551615_u64 - 0_u64) } else { (!18446744073709551615_u64) }));
            let mut v3: usize = x_u32.len();
            let mut v4: f32 = atomic_add(&mut cell_f32[((grp(0) * 1_usize) + lid(0))], tile_1[4_usize]);
        }
        for v5 in group_range(((1000000000.0_f64 as usize) % 40_usize)) {
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (true || false) { (if false { a_i64 } else { a_i64 }) } else { 33_i64.min(a_i64) }).abs();
        }
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && (a_i32 <= a_i32)) {
        v6 = (v6 + 1_u32);
        let mut v7: u64 = mix_random52((a_u64 / 18446744073709551615_u64), a_u64.saturating_add(0_u64));
        atomic_and(&mut total_i32[1_usize], (lid(0) as i32).clamp((a_i32 + 2_i32), 2_i32));
        let mut v8: u64 = mix_random52(2_u64.saturating_sub(v7), (v7 >> 18446744073709551615_u64));
    }
    for v9 in 1_u32..((0_u32 / 0_u32) % 4_u32) {
        if ((v9 == v9) && true) {
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = v9;
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((false > false) ^ (2_i64 > a_i64)) { (!v9.rem_euclid(v9)) } else { x_u32[((4_usize % 4_usize) % 12_usize)] });
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_i64.rem_euclid(x_i64[5_usize]);
        }
    }
    let mut v10: u64 = mix_random52(20_u64, (a_u64 - 0_u64));
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (((2_u64 as i32) - (a_i32 % 65_i32)) as i32);
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (1e-40_f32 - (f32::from_bits(33_u32) + 0.0_f32));
}

#[device_fn]
fn mix_random53(v0: u32, v1: u32) -> u32 {
    ((if (false ^ false) { 0_u32 } else { (if true { v0 } else { v1 }) }) / ((v0 - v1) / (0.0_f32 as u32)))
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random53(cell_f32: &mut [f32], x_f32: &[f32], y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = ((33_u8 ^ 0_u8) as usize);
    barrier();
    let mut own_1 = [(1e-40_f32 - (-2.75_f32)); 4];
    let mut v0: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], x_f32[(tile_0[((2_usize | grp(0)) % 16_usize)] % 12_usize)]);
    barrier();
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u32[((if false { 0_usize } else { 7_usize }) % 12_usize)] * (4294967295_u32 % 1_u32)) * x_u32[((1_usize ^ lid(0)) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random54(a_bool: bool, a_u32: u32, total_i32: &mut [i32], y_u32: &mut [u32], y_f64: &mut [f64], x_u32: &[u32], total_u32: &mut [u32], x_u8: &[u8], y_u8: &mut [u8]) {
    let mut own_0 = [(lid(0) * lid(1)); 4];
    for v0 in group_range(((3_usize * grp(0)) % 40_usize)) {
        if ((33_u32 >> 7_usize) == (if a_bool { a_u32 } else { 14_u32 })) {
            break;
        }
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 70_u32) && (true >= false)) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (2_usize >= 64_usize)) {
            v2 = (v2 + 1_u32);
            if ((0_u32 ^ v1) <= v1.max(2_u32)) {
                continue;
            }
            atomic_xor(&mut total_i32[3_usize], 12_i32);
        }
        if ((0_u64 + 0_u64) >= 2_u64) {
            let mut v3: u32 = (1_u32 * a_u32).count_ones();
            v3 = (if ((false != false) && false) { y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] } else { (if false { v1.rem_euclid(v3) } else { (v1 / v3) }) });
            own_0[3_usize] = ((grp(0) % grp(2)) % 2_usize);
        } else {
            own_0[((3_usize - 2_usize) % 4_usize)] = ((31_usize - 40_usize) / (32_usize ^ 2_usize));
            y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 0.0_f64;
            let mut v4: usize = x_u32.len();
        }
        atomic_and(&mut total_u32[((if true { 31_usize } else { 31_usize }) % 5_usize)], (y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] * x_u32[(x_u8.len() % 12_usize)]));
    }
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((true ^ true) ^ (true <= true)) { ((33_u8 & 255_u8) * x_u8[3_usize]) } else { 23_u8 });
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random55(a_u64: u64, a_u32: u32, x_f32: &[f32], a_f32: f32, x_u64: &[u64], y_f32: &mut [f32]) {
    let mut own_0 = [((-1_i64) + 9223372036854775807_i64); 4];
    let mut own_1 = [(33_u64 / a_u64); 4];
    let mut v0: f32 = 1.0_f32;
    barrier();
    v0 = (if ((0_u32 - 0_u32) == (20_u32 % a_u32)) { x_f32[(lid(0) % 12_usize)] } else { a_f32 });
    let mut v1: u64 = x_u64[(grp(0) % 12_usize)];
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)];
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random56(total_u32: &mut [u32], x_u8: &[u8], a_bool: bool, y_u32: &mut [u32], a_f64: f64, y_f32: &mut [f32]) {
    shared!(tile_0: [u8; 1]);
    barrier();
    tile_0[lid(0)] = (!(1_u8 % 18_u8));
    barrier();
    atomic_add(&mut total_u32[(x_u8.len() % 5_usize)], (if (true > a_bool) { (18446744073709551615_u64 as u32) } else { y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] }));
    barrier();
    tile_0[lid(0)] = 2_u8;
    barrier();
    let mut v0: f32 = ((if true { 1000000000.0_f32 } else { 0.1_f32 }) + 0.5_f32);
    let mut v1: bool = ((0.5_f64 == a_f64) && (false || true));
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (0.5_f32 % v0);
}

#[device_fn]
fn mix_random57(v0: u64, v1: u64) -> u64 {
    (((v0 - 0_u64) * v1) | ((2_u64 % v1) / (v1 | 2_u64)))
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random57(x_u32: &[u32], a_usize: usize, y_f64: &mut [f64], a_bool: bool, a_u32: u32, total_i32: &mut [i32], x_i32: &[i32], x_i64: &[i64], x_u8: &[u8], a_f32: f32) {
    let mut own_0 = [(1000000000.0_f32 / (-1.0_f32)); 4];
    if (x_u32[10_usize] <= x_u32[(a_usize % 12_usize)]) {
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((0_u64 + (1_u64 * 0_u64)) as f64);
    } else {
        if a_bool {
            let mut v0: i64 = (((-1_i64) - 39_i64) % (a_u32 as i64));
            atomic_add(&mut total_i32[((v0 as usize) % 5_usize)], x_i32[(x_i64.len() % 12_usize)]);
        } else {
            let mut v1: u32 = x_u8[(1_usize % 12_usize)].leading_zeros();
            let mut v2: u64 = (0_i64 as u64).max((0_u64 + 35_u64));
        }
    }
    for v3 in 1_u32..(0_u32 % 4_u32) {
        if a_bool {
            let mut v4: f64 = (if (0_u8 > 255_u8) { (-f64::NAN) } else { 1.0_f64.rem_euclid(0.5_f64) });
        } else {
            let mut v5: i64 = (1_i64 * x_i64[0_usize]);
            own_0[0_usize] = ((-a_f32) - (f32::INFINITY + 1e-40_f32));
        }
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u8 as f64);
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random58(x_f64: &[f64], x_u32: &[u32], y_f32: &mut [f32], x_f32: &[f32], y_f64: &mut [f64], a_f64: f64, cell_u32: &mut [u32], x_i64: &[i64], a_i64: i64, a_i32: i32, cell_f32: &mut [f32], a_f32: f32, a_u64: u64, y_u32: &mut [u32], y_i32: &mut [i32], total_i64: &mut [i64], total_u64: &mut [u64]) {
    shared!(tile_0: [f64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = x_f64[1_usize];
    barrier();
    if (0_u32.rem_euclid(4294967295_u32) <= x_u32[((lid(1) + 1_usize) % 12_usize)]) {
        for v0 in 1_u32..(33_u32 % 4_u32) {
            y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f32[(18446744073709551615_u64 as usize)];
            y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = a_f64;
        }
        for v1 in 1_u32..((1_u32 / 33_u32) % 4_u32) {
            atomic_compare_exchange(&mut cell_u32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], v1, 1_u32.rotate_right(x_u32[(x_i64.len() % 12_usize)]));
            if (((-1_i64) - a_i64) < (if true { (-1_i64) } else { a_i64 })) {
                continue;
            }
        }
    } else {
        let mut v2: f32 = x_f32[7_usize];
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (a_i32 == a_i32)) {
        v3 = (v3 + 1_u32);
        if ((a_i64 as u64) >= 1_u64) {
            continue;
        }
        let mut v4: f32 = atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], a_f32);
    }
    for v5 in group_range(((!2_usize) % 40_usize)) {
        let mut v6: u64 = ((a_u64 * 0_u64) % (1_u64 >> 33_i32));
        y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((!v6) / (v6 + v6)) as u32);
    }
    for v7 in group_range((1_usize % 40_usize)) {
        y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-(0.0_f32 / 1e-40_f32)) as i32);
        atomic_add(&mut total_i64[2_usize], ((if true { 2_i32 } else { i32::MIN }) as i64));
        if ((1000000000.0_f32 - 1000000000.0_f32) <= ((-2.75_f32) * 0.0_f32)) {
            break;
        }
    }
    for v8 in 0_usize..((34_u64 as usize) % 4_usize) {
        y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = a_i32;
        atomic_max(&mut total_u64[((v8 % v8) % 5_usize)], ((0_u64 & 51_u64) * (65_u64 + 11_u64)));
    }
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((32_usize << (lid(2) | 0_usize)) as i32);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random59(x_f64: &[f64], total_u64: &mut [u64], x_f32: &[f32], a_f64: f64, y_f64: &mut [f64], y_u64: &mut [u64]) {
    let mut own_0 = [2_u64.rotate_right(33_u32); 4];
    let mut own_1 = [x_f64[2_usize]; 4];
    if ((1_u32 > 0_u32) ^ (2_u8 >= 0_u8)) {
        own_1[0_usize] = 0.5_f64;
    } else {
        let mut v0: u8 = ((1e-40_f32 + 0.1_f32) as u8);
    }
    atomic_xor(&mut total_u64[0_usize], 0_u64);
    barrier();
    own_1[(x_f32.len() % 4_usize)] = a_f64;
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = f64::INFINITY;
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = own_0[1_usize];
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random60(x_u32: &[u32], a_u64: u64, cell_u64: &mut [u64], cell_i32: &mut [i32], x_i32: &[i32], a_bool: bool, total_u64: &mut [u64], y_u64: &mut [u64], x_u64: &[u64], a_usize: usize, y_f32: &mut [f32], x_f32: &[f32], a_u32: u32, cell_u32: &mut [u32], total_i32: &mut [i32], y_u8: &mut [u8], x_u8: &[u8], y_i32: &mut [i32]) {
    let mut own_0 = [x_u32[(3_usize % 12_usize)]; 4];
    if ((0_u64 * a_u64) > (if false { 33_u64 } else { 0_u64 })) {
        let mut v0: u64 = atomic_add(&mut cell_u64[gid(0)], ((a_u64 + 41_u64) << (18446744073709551615_u64 | 2_u64)));
        let mut v1: i32 = atomic_or(&mut cell_i32[gid(0)], x_i32[((if a_bool { 37_usize } else { gid(0) }) % 12_usize)]);
    } else {
        atomic_xor(&mut total_u64[((gid(0) + 1_usize) % 5_usize)], (y_u64[((gid(0) * 2_usize) + 0_usize)] * x_u64[((gid(0) ^ a_usize) % 12_usize)]));
        y_f32[((gid(0) * 2_usize) + 1_usize)] = x_f32[(gid(0) % 12_usize)];
    }
    if (((-0.0_f64) - f64::INFINITY) >= ((-1.0_f64) / 0.0_f64)) {
        let mut v2: i32 = atomic_compare_exchange(&mut cell_i32[gid(0)], (if false { 52_i32 } else { 2147483647_i32 }).pow((if a_bool { a_u32 } else { 39_u32 })), 33_i32);
    } else {
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && true) {
            v3 = (v3 + 1_u32);
            let mut v4: u32 = atomic_min(&mut cell_u32[gid(0)], x_u32[3_usize]);
            let mut v5: u64 = (if (false ^ false) { 17_u64 } else { a_u64.max(0_u64) });
            atomic_or(&mut total_i32[3_usize], (i32::MIN + 2_i32).pow((if true { 1_u32 } else { v3 })));
        }
    }
    y_u8[((gid(0) * 2_usize) + 0_usize)] = (x_u8[((gid(0) % 37_usize) % 12_usize)] >> a_usize);
    y_i32[((gid(0) * 2_usize) + 1_usize)] = 33_i32;
}

#[device_fn]
fn mix_random61(v0: u32, v1: u32) -> u32 {
    (((54_i32 + 2147483647_i32) - (if true { 2147483647_i32 } else { 0_i32 })) as u32)
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random61(a_u64: u64, x_f64: &[f64], a_usize: usize, total_u64: &mut [u64], a_bool: bool, total_i64: &mut [i64], x_u64: &[u64], a_i32: i32, cell_i32: &mut [i32], x_i32: &[i32], y_f64: &mut [f64], a_f32: f32) {
    shared!(tile_0: [f64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((a_u64 as f64) * x_f64[((64_usize | 64_usize) % 12_usize)]);
    barrier();
    let mut own_1 = [a_usize; 4];
    for v0 in 1_u32..((37_u32 << 40_usize) % 4_u32) {
        for v1 in group_range(((a_usize + 2_usize) % 40_usize)) {
            atomic_max(&mut total_u64[((true as usize) % 5_usize)], a_u64);
        }
        if (a_bool && a_bool) {
            atomic_xor(&mut total_i64[3_usize], 0_i64);
            let mut v2: u32 = mix_random61(v0, (0_u32 - v0));
            atomic_max(&mut total_u64[((31_usize % 2_usize) % 5_usize)], ((!2_u64) ^ (if true { 18446744073709551615_u64 } else { 0_u64 })));
        }
    }
    atomic_max(&mut total_u64[(((-0.0_f64) as usize) % 5_usize)], x_u64[(own_1[((2_usize * grp(0)) % 4_usize)] % 12_usize)]);
    let mut v3: i64 = 9223372036854775807_i64;
    for v4 in group_range(((a_i32 as usize) % 40_usize)) {
        atomic_exchange(&mut cell_i32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], ((-0_i32) * x_i32[6_usize]));
        own_1[((2_i64 as usize) % 4_usize)] = (!(v4 | v4));
    }
    let mut v5: f64 = (-0.0_f64);
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((if (a_f32 >= 0.0_f32) { (v5 * 0.0_f64) } else { v5 }) % (x_f64[4_usize] / v5.min(v5)));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random62(a_bool: bool, a_u32: u32, a_usize: usize, total_i32: &mut [i32], a_f64: f64, y_u32: &mut [u32], a_f32: f32, x_u8: &[u8], y_u64: &mut [u64], a_u64: u64, x_u64: &[u64]) {
    shared!(tile_0: [u32; 64]);
    barrier();
    tile_0[lid(0)] = (0_u32 - (if a_bool { 41_u32 } else { a_u32 }));
    barrier();
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false || false)) {
        v0 = (v0 + 1_u32);
        for v1 in group_range(((31_usize - a_usize) % 40_usize)) {
            atomic_xor(&mut total_i32[((if true { 32_usize } else { a_usize }) % 5_usize)], (18446744073709551615_u64.rotate_right(v0) as i32));
            let mut v2: f64 = (-a_f64);
        }
        y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (3e38_f32 <= a_f32) { (0_u8 << lid(0)) } else { x_u8[((if false { a_usize } else { 1_usize }) % 12_usize)] }).trailing_zeros();
    }
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_u64 ^ x_u64[((grp(0) * 1_usize) % 12_usize)]);
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 28_u64;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random63(x_f64: &[f64], x_u32: &[u32], a_f32: f32, y_u8: &mut [u8], total_i64: &mut [i64], a_i64: i64, y_u64: &mut [u64], a_u64: u64, x_u64: &[u64], a_usize: usize, y_i32: &mut [i32], a_i32: i32, x_i32: &[i32]) {
    shared!(tile_0: [u8; 16]);
    shared!(tile_1: [f32; 16]);
    barrier();
    tile_0[lid(0)] = ((0_u8 * 255_u8) as u8);
    barrier();
    barrier();
    tile_1[lid(0)] = 3e38_f32;
    barrier();
    let mut v0: f64 = x_f64[(x_u32.len() % 12_usize)];
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && ((-2.75_f32) >= a_f32)) {
        v1 = (v1 + 1_u32);
        y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = tile_0[(lid(0) % 16_usize)];
        atomic_xor(&mut total_i64[(2_usize % 5_usize)], ((if true { i64::MIN } else { a_i64 }) * 0_i64));
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((if true { 18446744073709551615_u64 } else { 33_u64 }) + (2_u64 / a_u64)) + x_u64[((0_usize % a_usize) % 12_usize)]);
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((f64::NAN as i32) % (a_i32 + 33_i32)).clamp((x_i32[4_usize] >> 0_u64.rotate_right(0_u32)), (((-1_i32) ^ a_i32) - 33_i32));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random64(y_f64: &mut [f64], a_i64: i64, y_u64: &mut [u64], a_bool: bool, a_u64: u64) {
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-0.0_f64);
    let mut v0: i64 = ((a_i64 * a_i64) - (a_i64 % i64::MIN));
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((if (false ^ a_bool) { 1_u64 } else { (1_u64 * 0_u64) }) & (if (0_u32 <= 0_u32) { (a_u64 * 12_u64) } else { 2_u64.max(2_u64) }));
}

#[device_fn]
fn mix_random65(v0: i32, v1: i32) -> i32 {
    1_i32
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random65(y_f64: &mut [f64], x_f64: &[f64], a_usize: usize, total_i32: &mut [i32], a_i32: i32, x_i32: &[i32], cell_f32: &mut [f32], a_f32: f32, y_i64: &mut [i64], a_i64: i64, y_u32: &mut [u32], a_bool: bool, x_f32: &[f32], a_u32: u32) {
    barrier();
    if (0.0_f64.trunc() != (-1.0_f64)) {
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (1000000000.0_f64 / x_f64[11_usize]);
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f64[((if true { a_usize } else { 1_usize }) % 12_usize)] / (-x_f64[10_usize]));
        atomic_xor(&mut total_i32[((2_i64 as usize) % 5_usize)], (if (a_i32 != a_i32) { (33_i32 % 2_i32) } else { x_i32[((4_usize * grp(0)) % 12_usize)] }));
    } else {
        let mut v0: f32 = atomic_add(&mut cell_f32[((grp(0) * 1_usize) + lid(0))], (a_f32.rem_euclid(f32::INFINITY) - (0.0_f32 % (-0.0_f32))));
        if true {
            let mut v1: f32 = ((v0 / v0) + (f32::INFINITY % 3e38_f32));
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(if (v1 == v0) { (-(-1_i64)) } else { 9223372036854775807_i64.max(a_i64) }));
        }
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((68_u64 != 1_u64) && (a_bool || true)) { (2_u32 + 42_u32).rotate_left(9_u32) } else { 49_u32 });
    }
    for v2 in group_range((x_f32.len() % 40_usize)) {
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = i64::MIN;
        let mut v3: f32 = (a_f32 / 1e-40_f32).clamp(((-1.0_f32) / 1e-40_f32), x_f32[7_usize]);
        let mut v4: i32 = x_i32[(v2 % 12_usize)];
    }
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_u32 & (0_u32 - 1_u32)).leading_zeros();
}

#[device_fn]
fn mix_random66(v0: u64, v1: u64) -> u64 {
    v0.rotate_left(2_u32)
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random66(x_u32: &[u32], y_u64: &mut [u64], a_usize: usize, x_f32: &[f32], a_bool: bool, y_u32: &mut [u32], x_u64: &[u64], a_u64: u64, y_i32: &mut [i32], a_i32: i32) {
    shared!(tile_0: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((!0_u32) - x_u32[((lid(1) | lid(1)) % 12_usize)]);
    barrier();
    for v0 in (-2_i32)..(2_i32.clamp(2_i32, 0_i32) % 4_i32) {
        let mut v1: u64 = mix_random66(((-0.0_f64) as u64), 2_u64);
        y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((if false { (v1 * v1) } else { (33_u64 % v1) }) >> (a_usize % 2_usize));
        let mut v2: u64 = mix_random66((v1 << grp(1)), v1);
    }
    for v3 in group_range((1_usize % 40_usize)) {
        if false {
            continue;
        }
        let mut v4: f32 = x_f32[0_usize];
    }
    for v5 in group_range(((if true { grp(0) } else { grp(0) }) % 40_usize)) {
        if ((a_bool || a_bool) ^ (33_u32 <= 0_u32)) {
            continue;
        }
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u32;
        let mut v6: u64 = mix_random66((-0.0_f64).to_bits(), x_u64[((a_usize / grp(1)) % 12_usize)]);
    }
    for v7 in group_range(((grp(1) * a_usize) % 40_usize)) {
        let mut v8: u64 = mix_random66((33_u64 >> v7), (0_u64 / a_u64));
    }
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = a_i32;
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random67(y_u64: &mut [u64], a_usize: usize, x_i32: &[i32], x_u8: &[u8], a_bool: bool, a_u64: u64, cell_i64: &mut [i64], a_i64: i64, x_i64: &[i64], total_u32: &mut [u32], a_u32: u32, y_f32: &mut [f32], x_f32: &[f32], a_f32: f32, x_u64: &[u64], x_u32: &[u32], total_i64: &mut [i64], y_u32: &mut [u32]) {
    shared!(tile_0: [u64; 16]);
    barrier();
    tile_0[lid(0)] = y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)];
    barrier();
    for v0 in group_range((1_usize % 40_usize)) {
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (!((0_u64 - 33_u64) >> (v0 + a_usize)));
        let mut v1: f64 = (f64::NAN * (-1000000000.0_f64));
    }
    let mut v2: u64 = (0_u64 >> x_i32[6_usize]);
    for v3 in group_range((x_u8.len() % 40_usize)) {
        if ((1000000000.0_f32 > (-2.75_f32)) || a_bool) {
            continue;
        }
        v2 = ((a_u64 * v2).max(v2) | ((v2 | 2_u64) << (if a_bool { 2147483647_i32 } else { 2_i32 })));
        atomic_compare_exchange(&mut cell_i64[((grp(0) * 16_usize) + lid(0))], 0_i64, (a_i64 / x_i64[9_usize]));
    }
    if true {
        atomic_and(&mut total_u32[2_usize], (if true { 33_u32 } else { a_u32 }).trailing_zeros());
    } else {
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (0_u32 < a_u32) { x_f32[((2_usize as usize) % 12_usize)] } else { a_f32 }).ceil();
        for v4 in (-2_i32)..((1000000000.0_f64 as i32) % 4_i32) {
            v2 = ((tile_0[(x_u64.len() % 16_usize)] + (if true { 0_u64 } else { v2 })) * ((v2 / v2) - (v2 + v2)));
            let mut v5: u8 = (x_u32[(x_u32.len() % 12_usize)] as u8);
            atomic_min(&mut total_i64[3_usize], x_i64[((!2_usize) % 12_usize)].clamp((a_i64 / 1_i64), x_i64[((if false { 31_usize } else { 2_usize }) % 12_usize)]));
        }
        let mut v6: f32 = (if (false && false) { x_f32[((if true { 3_usize } else { lid(0) }) % 12_usize)] } else { (-a_f32) });
    }
    let mut v7: u32 = 0_u32;
    while ((v7 < 3_u32) && false) {
        v7 = (v7 + 1_u32);
        atomic_min(&mut total_i64[((63_usize + a_usize) % 5_usize)], (-a_i64));
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
}

#[device_fn]
fn mix_random68(v0: f64, v1: f64) -> f64 {
    v1
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random68(a_usize: usize, a_f32: f32, a_bool: bool, y_u8: &mut [u8], x_u8: &[u8], x_f64: &[f64], y_f64: &mut [f64], a_u32: u32, a_i64: i64, a_f64: f64, a_u64: u64, y_i32: &mut [i32], cell_u64: &mut [u64], x_u64: &[u64], cell_f32: &mut [f32], x_f32: &[f32], y_i64: &mut [i64], x_i64: &[i64]) {
    shared!(tile_0: [u8; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = 1_u8;
    barrier();
    barrier();
    tile_1[lid(0)] = (63_usize + (a_usize % lid(0)));
    barrier();
    if ((3e38_f32 - 0.5_f32) >= a_f32) {
        for v0 in group_range((tile_1[(if true { a_usize } else { 40_usize })] % 40_usize)) {
            let mut v1: i64 = 1_i64;
            let mut v2: bool = ((a_bool ^ false) || (2_u32 < 4294967295_u32));
            y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u8[x_f64.len()];
        }
    } else {
        y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((33_u32 + a_u32) < (if false { 0_u32 } else { 4294967295_u32 })) { (-(a_i64 as f64)) } else { ((a_f64 / 0.0_f64) * x_f64[4_usize]) });
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 70_u32) && (0_u64 < a_u64)) {
        v3 = (v3 + 1_u32);
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (i32::MIN * (if (1_i64 >= 2_i64) { 21_i32.clamp(33_i32, 2_i32) } else { (if false { i32::MIN } else { 2147483647_i32 }) }));
        atomic_xor(&mut cell_u64[((grp(0) * 16_usize) + lid(0))], ((0_u64 >> 1_usize) - (33_u64 as u64)));
        if ((36_i32 as u32) >= 0_u32) {
            let mut v4: u8 = (1e-40_f64 as u8);
            let mut v5: u64 = atomic_xor(&mut cell_u64[((grp(0) * 16_usize) + lid(0))], x_u64[((if false { lid(0) } else { 31_usize }) % 12_usize)]);
        }
    }
    let mut v6: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], (x_f32[((if false { 40_usize } else { 31_usize }) % 12_usize)] % (-0.0_f32)));
    let mut v7: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], (v6 % f32::INFINITY).fract());
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[10_usize].rem_euclid(x_i64[1_usize].rem_euclid(((-1_i64) - (-1_i64))));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random69(x_i32: &[i32], x_f32: &[f32], y_i64: &mut [i64], y_u8: &mut [u8]) {
    barrier();
    for v0 in group_range((grp(0) % 40_usize)) {
        if (x_i32[(v0 % 12_usize)] >= x_i32[(x_f32.len() % 12_usize)]) {
            continue;
        }
        let mut v1: i64 = 1_i64.div_euclid((1_i64 + (-1_i64)));
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = v1;
    }
    y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 67_u8;
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random70(total_i32: &mut [i32], a_i32: i32, total_i64: &mut [i64], a_usize: usize, cell_i64: &mut [i64], x_i64: &[i64], a_i64: i64, y_f32: &mut [f32], x_u8: &[u8], x_i32: &[i32], y_u64: &mut [u64]) {
    atomic_min(&mut total_i32[((2_usize as usize) % 5_usize)], ((1_i64 % 0_i64) as i32));
    if ((0_u8 << 32_usize) >= (255_u8 << a_i32)) {
        atomic_and(&mut total_i64[((32_usize + a_usize) % 5_usize)], 2_i64);
        atomic_max(&mut cell_i64[((grp(0) * 1_usize) + lid(0))], (x_i64[grp(0)] - (1_i64 - a_i64)));
    } else {
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (-0.0_f32);
    }
    let mut v0: bool = ((0.1_f32 != f32::INFINITY) <= (true && false));
    for v1 in (-2_i32)..((-a_i32) % 4_i32) {
        atomic_and(&mut total_i64[4_usize], ((-1.0_f64) as i64));
        let mut v2: bool = (v0 ^ (0_u8 >= 33_u8));
        let mut v3: u8 = x_u8[3_usize];
    }
    atomic_min(&mut total_i32[(x_i32.len() % 5_usize)], 2147483647_i32.rotate_right(4294967295_u32).max((2_i32 << lid(0))));
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 33_u64;
}

#[device_fn]
fn mix_random71(v0: u64, v1: u64) -> u64 {
    (if false { 64_u64 } else { v0.div_euclid(v1) })
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random71(x_i64: &[i64], a_usize: usize, a_i64: i64, x_u64: &[u64], y_u32: &mut [u32], cell_i64: &mut [i64], total_i32: &mut [i32], a_i32: i32, a_f64: f64, a_bool: bool, x_i32: &[i32], y_f64: &mut [f64]) {
    let mut own_0 = [x_i64[((if true { lid(1) } else { a_usize }) % 12_usize)]; 4];
    for v0 in group_range(((1_usize | 64_usize) % 40_usize)) {
        let mut v1: u64 = mix_random71((0_u64 - 47_u64), (0_u64 ^ 1_u64));
        let mut v2: f64 = (-1.0_f64);
        own_0[((31_usize * v0) % 4_usize)] = (if (v0 > a_usize) { (-i64::MIN) } else { (2_i64 * a_i64) });
    }
    let mut v3: u64 = group_min(x_u64[((grp(0) as usize) % 12_usize)]);
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((0_u32 <= 1_u32) ^ (false && false)) { (21_u32 - (0.1_f32 as u32)) } else { ((if true { v3 } else { v3 }) as u32) });
    for v4 in group_range((a_usize % 40_usize)) {
        let mut v5: i64 = atomic_or(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (((-1_i64) >> 1_i32) * (2147483647_i32 as i64)));
        atomic_max(&mut total_i32[(2_usize % 5_usize)], ((if false { 2147483647_i32 } else { a_i32 }) / (if true { 4_i32 } else { a_i32 })));
        let mut v6: f64 = a_f64;
    }
    if ((if a_bool { v3 } else { 0_u64 }) < v3) {
        own_0[0_usize] = 1_i64;
        for v7 in (-2_i32)..(x_i32[((2_usize >> v3) % 12_usize)] % 4_i32) {
            atomic_and(&mut cell_i64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (((-2.75_f64) * 3e38_f64) as i64));
        }
        let mut v8: bool = false;
    }
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((true || false) < (0.5_f64 != f64::NAN)) { (y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] * (-2.75_f64)) } else { 0.1_f64.max(a_f64).copysign((0.1_f64 - 0.5_f64)) });
}

#[device_fn]
fn mix_random72(v0: usize, v1: usize) -> usize {
    ((((-1_i64) as usize) << 18446744073709551615_u64) % ((!v1) & v1))
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random72(y_f32: &mut [f32], y_u8: &mut [u8], y_f64: &mut [f64]) {
    if true {
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (-((-0.0_f64) as f32));
    } else {
        let mut v0: u64 = ((0_u64 - 18446744073709551615_u64) ^ 0_u64);
    }
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 1_u8;
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = f64::NAN;
}

#[device_fn]
fn mix_random73(v0: usize, v1: usize) -> usize {
    (1000000000.0_f64 as usize)
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random73(a_f64: f64, a_usize: usize, y_u8: &mut [u8], x_u8: &[u8], y_f32: &mut [f32], a_f32: f32) {
    let mut own_0 = [(0.0_f64 - 1e-40_f64); 4];
    let mut own_1 = [(if false { 0.5_f64 } else { a_f64 }); 4];
    let mut v0: f64 = (if (a_usize >= 32_usize) { (a_f64 + (-0.0_f64)) } else { own_1[0_usize] });
    let mut v1: usize = ((grp(1) & grp(1)) * (32_usize ^ a_usize));
    barrier();
    y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u8[2_usize];
    let mut v2: usize = mix_random73((3_usize << 2147483647_i32), (a_usize / v1));
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((a_f32.round_ties_even() - a_f32) % (-1.0_f32));
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random74(x_u32: &[u32], a_i32: i32, a_f32: f32, y_u32: &mut [u32], cell_u64: &mut [u64], a_u64: u64, x_i32: &[i32], a_usize: usize, y_f64: &mut [f64], x_f64: &[f64]) {
    let mut own_0 = [x_u32[2_usize]; 4];
    let mut own_1 = [(if false { 7_usize } else { gid(0) }); 4];
    let mut v0: i32 = (-(a_i32 % 1_i32));
    if ((a_f32 < 0.0_f32) <= false) {
        y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (1_u32 % 0_u32);
    } else {
        if true {
            atomic_compare_exchange(&mut cell_u64[((gid(1) * 5_usize) + gid(0))], (if (2147483647_i32 <= v0) { a_u64 } else { (1_u64 % 0_u64) }), (1_i64 as u64));
            let mut v1: i32 = x_i32[((a_usize % 1_usize) % 12_usize)];
        }
    }
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = x_f64[((v0 as usize) % 12_usize)];
}

#[device_fn]
fn mix_random75(v0: f32, v1: f32) -> f32 {
    v1.min(((33_u8 as u8) as f32))
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random75(a_usize: usize, cell_i32: &mut [i32], x_i32: &[i32], y_u8: &mut [u8], y_f32: &mut [f32], x_f32: &[f32]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true || true)) {
        v0 = (v0 + 1_u32);
        for v1 in 0_usize..(a_usize % 4_usize) {
            let mut v2: i32 = atomic_exchange(&mut cell_i32[((grp(0) * 16_usize) + lid(0))], x_i32[9_usize]);
            let mut v3: u8 = y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
            y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_u8 / v3);
        }
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f32[(2_usize % 12_usize)] + ((-1e-40_f32) % (-0.0_f32)));
    barrier();
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = f32::NAN;
}

#[device_fn]
fn mix_random76(v0: u64, v1: u64) -> u64 {
    (if ((4294967295_u32 >> 32_usize) > 1_u8.leading_zeros()) { ((v0 % v1) * (v0 - v1)) } else { ((if true { v1 } else { v0 }) - 1_u64) })
}

#[kernel(device = cpu, domain = 37)]
fn random76(total_i64: &mut [i64], a_usize: usize, x_u64: &[u64], y_u8: &mut [u8], y_i32: &mut [i32], a_i32: i32, x_i32: &[i32]) {
    atomic_min(&mut total_i64[((if false { 3_usize } else { a_usize }) % 5_usize)], 9223372036854775807_i64);
    let mut v0: u64 = (x_u64[((0_usize | 64_usize) % 12_usize)] + 0.1_f64.to_bits());
    y_u8[((gid(0) * 2_usize) + 1_usize)] = ((0_u8.clamp(0_u8, 0_u8) / (0_u8 as u8)) - (1_u8 - 2_u8).div_euclid((0_u8 % 33_u8)));
    y_i32[((gid(0) * 2_usize) + 1_usize)] = ((-(a_i32 ^ a_i32)) | x_i32[((48_u32 as usize) % 12_usize)]);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random77(total_i64: &mut [i64], a_i64: i64, y_f64: &mut [f64], x_f64: &[f64], x_f32: &[f32], y_i64: &mut [i64]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = 1_usize;
    barrier();
    for v0 in (-2_i32)..((-15_i32) % 4_i32) {
        let mut v1: f32 = (3e38_f32 - (-2.75_f32));
        for v2 in group_range((tile_0[10_usize] % 40_usize)) {
            atomic_min(&mut total_i64[(tile_0[(v2 % 16_usize)] % 5_usize)], 0_i64);
        }
        let mut v3: i64 = group_sum(a_i64);
    }
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f64[(x_f32.len() % 12_usize)];
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-33_i64);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random78(y_f32: &mut [f32], x_f32: &[f32], y_u64: &mut [u64], y_i64: &mut [i64], a_u32: u32, total_u32: &mut [u32], x_u32: &[u32], x_i32: &[i32], y_u8: &mut [u8], x_u8: &[u8]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && false) {
            v1 = (v1 + 1_u32);
            y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (lid(0) as f32);
            let mut v2: f32 = (-x_f32[((2_usize & 1_usize) % 12_usize)]);
            y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)];
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (true || true)) {
        v3 = (v3 + 1_u32);
        let mut v4: u32 = group_sum(0_u32);
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-((a_u32 as i64) - (if false { 1_i64 } else { 67_i64 })));
        atomic_and(&mut total_u32[((1_usize | lid(2)) % 5_usize)], (x_u32[((63_usize + grp(1)) % 12_usize)] + x_u32[(x_i32.len() % 12_usize)]));
    }
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_u8[((33_i64 as usize) % 12_usize)] - (if false { 0_u8 } else { 16_u8 })) % (x_u8[(x_i32.len() % 12_usize)] - (0_u8 & 0_u8)));
    y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f32[4_usize];
}

#[device_fn]
fn mix_random79(v0: i32, v1: i32) -> i32 {
    v0
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random79(cell_u32: &mut [u32], x_i32: &[i32], y_u8: &mut [u8], cell_i64: &mut [i64], y_i64: &mut [i64], x_i64: &[i64]) {
    let mut own_0 = [0_u8.rem_euclid(0_u8); 4];
    barrier();
    if (1_u8.saturating_sub(255_u8) <= (0_u8 + 0_u8)) {
        if (((-1_i32) == 0_i32) > true) {
            atomic_add(&mut cell_u32[((grp(0) * 1_usize) + lid(0))], 0_u32);
            let mut v0: i32 = x_i32[(64_usize % 12_usize)];
        }
        y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = own_0[2_usize];
        let mut v1: i64 = atomic_and(&mut cell_i64[((grp(0) * 1_usize) + lid(0))], (if (1_u8 > 33_u8) { y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] } else { x_i64[(1_usize % 12_usize)] }));
    }
    let mut v2: u8 = (1_u8 + (!23_u8));
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)];
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random80(a_f64: f64, a_usize: usize, y_f32: &mut [f32], a_f32: f32, x_u64: &[u64], a_u64: u64, cell_u32: &mut [u32], y_u32: &mut [u32], x_i32: &[i32], x_f64: &[f64], a_bool: bool, x_f32: &[f32], y_u64: &mut [u64], x_u32: &[u32], y_i32: &mut [i32], y_u8: &mut [u8], x_u8: &[u8]) {
    shared!(tile_0: [f64; 1]);
    barrier();
    tile_0[lid(0)] = ((0.0_f64 % a_f64) - (-0.0_f64));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (a_usize == grp(0))) {
        v0 = (v0 + 1_u32);
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] + 0.5_f32) % ((0.1_f32 * a_f32) % (1e-40_f64 as f32)));
        let mut v1: u64 = x_u64[6_usize].saturating_add((0_u64 - a_u64));
        let mut v2: u32 = atomic_compare_exchange(&mut cell_u32[((grp(0) * 1_usize) + lid(0))], ((v0 & v0) >> (2_i32 as i32)), y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)]);
    }
    for v3 in (-2_i32)..(x_i32[7_usize] % 4_i32) {
        barrier();
        tile_0[lid(0)] = (0.1_f64 + x_f64[((a_usize as usize) % 12_usize)]);
        barrier();
        for v4 in 0_usize..((if true { grp(0) } else { 4_usize }) % 4_usize) {
            let mut v5: usize = v4;
            barrier();
        }
    }
    if ((0_u8 > 53_u8) && (9223372036854775807_i64 > 1_i64)) {
        let mut v6: usize = ((a_bool || true) as usize);
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if false { 3e38_f32 } else { (-1.0_f32) }).rem_euclid(0.5_f32.max(a_f32)) * x_f32[((33_u8 as usize) % 12_usize)]);
    }
    if true {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u64[((32_usize * 63_usize) % 12_usize)] / (a_u64 + 0_u64)).rotate_right(x_u32[(x_u32.len() % 12_usize)]);
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (((i32::MIN - 33_i32) == 63_i32.div_euclid(0_i32)) as u32 as f32);
    }
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_i32;
    y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((((-1.0_f64) as u8) ^ x_u8[5_usize]) / 0_u8);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random81(y_f64: &mut [f64], a_f64: f64, total_i32: &mut [i32], a_bool: bool, a_u32: u32, y_i64: &mut [i64], a_i64: i64, y_u64: &mut [u64]) {
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((if true { 3e38_f64 } else { a_f64 }) + 0.5_f64) * ((a_f64 + a_f64) / (0.1_f64 + (-2.75_f64))));
    atomic_min(&mut total_i32[((lid(0) - 40_usize) % 5_usize)], (if (a_bool && true) { (-1_i32) } else { (a_u32 as i32) }));
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((a_i64 + 1_i64) >> y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]);
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((-1_i32).leading_zeros() as f64) / (if (2_u8 != 1_u8) { (-1.0_f64) } else { (1e-40_f64 + 0.1_f64) }));
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random82(a_u32: u32, y_f32: &mut [f32], a_u64: u64, cell_i32: &mut [i32], a_bool: bool, y_i64: &mut [i64], x_i32: &[i32], a_i32: i32, y_u32: &mut [u32]) {
    shared!(tile_0: [u32; 1]);
    barrier();
    tile_0[lid(0)] = ((15_u32 % a_u32) ^ 1_u32);
    barrier();
    let mut own_1 = [y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]; 4];
    own_1[(lid(0) / 4_usize)] = 3e38_f32;
    barrier();
    tile_0[lid(0)] = (a_u64 - 2_u64).trailing_zeros();
    barrier();
    for v0 in group_range(((0_u8 as usize) % 40_usize)) {
        atomic_xor(&mut cell_i32[((grp(0) * 1_usize) + lid(0))], ((if a_bool { (-1_i32) } else { (-1_i32) }) & 16_i32.rotate_left(66_u32)));
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 9223372036854775807_i64.rotate_left(2_u32);
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && true) {
        v1 = (v1 + 1_u32);
        let mut v2: i32 = (x_i32[((v1 as usize) % 12_usize)] % (33_i32 / a_i32));
    }
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (2_u32 * (if true { (0_u32 % a_u32) } else { (true as u32) }));
}

#[device_fn]
fn mix_random83(v0: i64, v1: i64) -> i64 {
    (v1 % ((0.0_f64 / f64::NAN) as i64))
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random83(y_u8: &mut [u8], cell_u32: &mut [u32], total_u32: &mut [u32], a_usize: usize, y_f64: &mut [f64], a_f64: f64, a_u32: u32, next_f32: &mut [f32], x_u32: &[u32], cell_f32: &mut [f32], a_f32: f32, y_i64: &mut [i64], a_i64: i64) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((0_i32 + 2147483647_i32) - 2_i32);
    barrier();
    for v0 in group_range(((if false { grp(0) } else { 32_usize }) % 40_usize)) {
        y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u8;
        let mut v1: u32 = atomic_max(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], 2_u32);
        atomic_add(&mut total_u32[(lid(1) % 5_usize)], (v1 - (v1 % v1)));
    }
    if ((9223372036854775807_i64 < 0_i64) && (1.0_f64 <= 0.5_f64)) {
        for v2 in 0_usize..((a_usize & 7_usize) % 4_usize) {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((a_f64 % (1.0_f64 + a_f64)) * (a_f64.min(0.1_f64) % a_f64));
            if ((if false { 33_u32 } else { 4294967295_u32 }) <= 1_u64.count_ones()) {
                break;
            }
        }
        for v3 in 1_u32..((a_u32 >> 32_usize) % 4_u32) {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-1.0_f64);
            let mut v4: f64 = f64::NAN;
            atomic_add(&mut next_f32[(((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) + 1_usize)], 0.5_f32);
        }
        atomic_add(&mut total_u32[1_usize], x_u32[((if false { lid(1) } else { 0_usize }) % 12_usize)]);
    }
    atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], a_f32);
    let mut v5: u32 = (!(if false { 4294967295_u32 } else { 2_u32 }));
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((a_i64 - i64::MIN) % (1_i64 - (-1_i64))) ^ (if true { (!2_i64) } else { (-1_i64) }));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random84(x_f64: &[f64], a_usize: usize, y_u8: &mut [u8], x_u32: &[u32], a_f64: f64, a_bool: bool, y_u64: &mut [u64], a_u64: u64, total_i32: &mut [i32], y_f32: &mut [f32], x_f32: &[f32], a_f32: f32, y_i32: &mut [i32], x_i32: &[i32]) {
    shared!(tile_1: [usize; 64]);
    let mut own_0 = [x_f64[((63_usize + a_usize) % 12_usize)]; 4];
    barrier();
    tile_1[lid(0)] = 3_usize;
    barrier();
    for v0 in 0_usize..(tile_1[tile_1[(!grp(0))]] % 70_usize) {
        for v1 in group_range(((v0 & 2_usize) % 40_usize)) {
            if (255_u8 != 255_u8) {
                break;
            }
        }
        y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)];
        let mut v2: u32 = x_u32[((v0 >> 2147483647_i32) % 12_usize)];
    }
    if ((a_f64 == a_f64) <= (true > a_bool)) {
        y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (2_u64 >> ((0_u64 + 1_u64) | (a_u64 + 32_u64)));
        let mut v3: usize = ((if true { 2_usize } else { lid(0) }) ^ a_usize);
    } else {
        if ((1_u64 < a_u64) && (0_i64 > 1_i64)) {
            atomic_min(&mut total_i32[4_usize], (-(1_i32 - 0_i32)));
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (255_u8 == (!0_u8)) { (f32::NAN - x_f32[6_usize]) } else { (if true { (a_f32 * a_f32) } else { (a_f32 % a_f32) }) });
            let mut v4: i32 = (i32::MIN * 36_i32);
        }
        let mut v5: u8 = (1_u8 - 0_u8.rem_euclid(0_u8));
        for v6 in group_range(((if true { a_usize } else { grp(0) }) % 40_usize)) {
            own_0[1_usize] = (-(v6 as f64));
        }
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_i32 % x_i32[10_usize]);
}

#[device_fn]
fn mix_random85(v0: f32, v1: f32) -> f32 {
    (-(-(1.0_f32 * f32::INFINITY)))
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random85(x_f64: &[f64], y_u64: &mut [u64], x_u64: &[u64], a_u64: u64, x_u32: &[u32]) {
    shared!(tile_0: [f64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (-x_f64[(7_usize % 12_usize)]);
    barrier();
    let mut v0: usize = ((2_usize as f32) as usize);
    for v1 in (-2_i32)..((33_i32 * 8_i32) % 4_i32) {
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && true) {
            v2 = (v2 + 1_u32);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u64[((7_usize % v0) % 12_usize)].rem_euclid(33_u64) * ((a_u64 + 24_u64) % x_u64[64_usize]));
            barrier();
        }
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (18446744073709551615_u64 + (33_u64 + 4_u64)).rotate_left((x_u32[v0] * ((-0.0_f32) as u32)));
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random86(a_bool: bool, a_u64: u64, a_f32: f32, y_u8: &mut [u8], x_u8: &[u8], total_u32: &mut [u32], a_usize: usize, x_f32: &[f32], total_i64: &mut [i64], a_i64: i64, x_u64: &[u64], y_i32: &mut [i32], cell_f32: &mut [f32], y_u64: &mut [u64], x_u32: &[u32], y_i64: &mut [i64], total_u64: &mut [u64], a_u32: u32, y_u32: &mut [u32], a_i32: i32) {
    let mut own_0 = [(if a_bool { a_u64 } else { 2_u64 }); 4];
    let mut own_1 = [(grp(0) * 2_usize); 4];
    if ((f32::INFINITY == a_f32) ^ true) {
        for v0 in group_range((32_usize % 40_usize)) {
            y_u8[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (66_u8 * ((if false { 255_u8 } else { 255_u8 }) * x_u8[(v0 % 12_usize)]));
            if ((v0 == 2_usize) ^ (4294967295_u32 < 0_u32)) {
                continue;
            }
            atomic_min(&mut total_u32[(if true { a_usize } else { v0 })], 0_u32);
        }
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (v1 >= 2_u32)) {
            v1 = (v1 + 1_u32);
            let mut v2: f32 = 1e-40_f32;
        }
        let mut v3: u64 = (0_u64.saturating_add(9_u64) >> ((-2.75_f32) as usize));
    } else {
        own_1[((if false { grp(1) } else { 64_usize }) % 4_usize)] = x_f32.len();
        let mut v4: u32 = 0_u32;
        while ((v4 < 70_u32) && (7_usize <= 0_usize)) {
            v4 = (v4 + 1_u32);
            atomic_min(&mut total_i64[4_usize], i64::MIN);
        }
    }
    if ((if false { 1_i64 } else { a_i64 }) != (i64::MIN * 1_i64)) {
        if (x_u64[(x_u64.len() % 12_usize)] > (1.0_f32 as u64)) {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (!((0_u64 >= 1_u64) as i32));
            atomic_add(&mut cell_f32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], (x_f32[((a_usize >> 33_i32) % 12_usize)] / ((-0.0_f32) * f32::INFINITY)));
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((a_f32 as u64) - 0_u64).saturating_add(33_u64);
        } else {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u64[(a_usize % 12_usize)];
        }
    } else {
        atomic_min(&mut total_i64[(x_u32.len() % 5_usize)], y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]);
        if false {
            atomic_add(&mut total_u64[((64_usize << 0_u64) % 5_usize)], 1_u64);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((if false { 0.5_f64 } else { (-0.0_f64) }) / (a_u32 as f64)) as u64);
        } else {
            own_0[((grp(1) & lid(1)) % 4_usize)] = 2_u64;
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-(if false { 0_i64 } else { (-1_i64) })) ^ (14_i64.clamp(1_i64, (-1_i64)) % 9223372036854775807_i64));
        }
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u32[4_usize] * x_u32[((2_usize >> a_i32) % 12_usize)]);
    }
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((33_i64 << (-a_i32)) + 2_i64);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random87(x_u64: &[u64], a_u32: u32, y_f64: &mut [f64], a_u64: u64, y_f32: &mut [f32], x_u8: &[u8], x_f64: &[f64], y_i64: &mut [i64], a_i64: i64, x_i64: &[i64], y_i32: &mut [i32]) {
    for v0 in 0_usize..(2_usize % 4_usize) {
        let mut v1: u64 = x_u64[((0_usize * 0_usize) % 12_usize)];
        let mut v2: u32 = 4294967295_u32;
        barrier();
    }
    for v3 in 1_u32..((4294967295_u32 / a_u32) % 4_u32) {
        let mut v4: f64 = (y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] / (f64::NAN / (-2.75_f64)));
        if ((a_u64 > 0_u64) ^ (i64::MIN > 1_i64)) {
            y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u8[((40_usize ^ lid(0)) % 12_usize)] as f32) * (f32::NAN.mul_add(1000000000.0_f32, 3e38_f32) + (-2.75_f32).round()));
            y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (v4 / (x_f64[(63_usize % 12_usize)] % (9223372036854775807_i64 as f64)));
            y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_i64 + i64::MIN.saturating_add(i64::MIN.max(33_i64)));
        } else {
            y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[((18446744073709551615_u64 as usize) % 12_usize)];
            v4 = x_f64[((3_usize + lid(0)) % 12_usize)].floor();
        }
    }
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (-1_i32);
}

#[kernel(device = cpu, domain = 37)]
fn random88(x_f32: &[f32], y_i32: &mut [i32], a_f64: f64, y_f64: &mut [f64], x_f64: &[f64], x_u8: &[u8], x_i32: &[i32]) {
    let mut own_0 = [x_f32[((true as usize) % 12_usize)]; 4];
    let mut own_1 = [0_u8.leading_zeros(); 4];
    y_i32[((gid(0) * 2_usize) + 0_usize)] = (if (((-2.75_f64) + 0.0_f64) != (-1.0_f64).max(a_f64)) { (2147483647_i32.rotate_left(0_u32) * (6_i32 ^ 1_i32)) } else { 2_i32 });
    y_f64[((gid(0) * 2_usize) + 1_usize)] = x_f64[7_usize];
    let mut v0: u8 = x_u8[((64_usize & 0_usize) % 12_usize)];
    y_i32[((gid(0) * 2_usize) + 0_usize)] = (x_i32[4_usize] + (2147483647_i32 + (1_i32 - 0_i32)));
}

#[kernel(device = cpu, nondeterministic, group = 64, groups = 1)]
fn random89(x_i32: &[i32], y_u8: &mut [u8], a_bool: bool, cell_i64: &mut [i64], total_i64: &mut [i64], total_u32: &mut [u32], x_u8: &[u8], y_u32: &mut [u32], a_u32: u32, y_f32: &mut [f32], a_i64: i64, y_u64: &mut [u64], x_u64: &[u64], y_f64: &mut [f64], a_f64: f64, x_u32: &[u32], a_usize: usize, y_i32: &mut [i32]) {
    shared!(tile_0: [i32; 64]);
    shared!(tile_1: [u8; 64]);
    barrier();
    tile_0[lid(0)] = (x_i32[((true as usize) % 12_usize)] - (!33_i32));
    barrier();
    barrier();
    tile_1[lid(0)] = 0_u8;
    barrier();
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((0_u8 * 2_u8.max(0_u8)) - (33_u8 >> (i32::MIN / 33_i32)));
    if ((255_u8 < 2_u8) ^ (a_bool <= true)) {
        atomic_max(&mut cell_i64[((grp(0) * 64_usize) + lid(0))], (-(0_i64 - 33_i64)));
        atomic_add(&mut total_i64[(32_usize % 5_usize)], (1_i64.rem_euclid(2_i64) * (if false { 2_i64 } else { 7_i64 })));
        for v0 in 1_u32..((0_u32 / 2_u32) % 4_u32) {
            let mut v1: usize = grp(0);
        }
    } else {
        for v2 in 0_usize..((1_usize + 1_usize) % 70_usize) {
            if ((v2 >= v2) ^ (0_u64 > 45_u64)) {
                continue;
            }
            atomic_min(&mut total_u32[(1_usize % 5_usize)], (f32::NAN as u8).count_ones());
        }
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (a_bool >= true)) {
            v3 = (v3 + 1_u32);
            if a_bool {
                continue;
            }
            y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((1_u8.rem_euclid(33_u8) % (0_u8 & 0_u8)) + (tile_1[60_usize] - 29_u8.div_euclid(0_u8)));
            atomic_min(&mut total_u32[(x_u8.len() % 5_usize)], y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)]);
        }
        if ((1_u32 > a_u32) && (false < false)) {
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if (a_i64 < 2_i64) { 9223372036854775807_i64 } else { (!1_i64) }) as f32);
            let mut v4: f32 = (-1.0_f32);
            y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u64 | 0_u64) | 18446744073709551615_u64) % x_u64[11_usize]);
        } else {
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if false { 0.0_f64 } else { a_f64 }) + (1000000000.0_f64 - a_f64)).abs();
            let mut v5: u32 = x_u32[((1_usize - a_usize) % 12_usize)];
        }
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-(a_f64 * a_f64)) as i32);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random90(a_usize: usize, x_i32: &[i32], y_u64: &mut [u64], a_u64: u64, a_i32: i32, x_i64: &[i64], y_i32: &mut [i32], a_i64: i64) {
    let mut v0: usize = (a_usize + (lid(0) + 64_usize));
    for v1 in 1_u32..((1_u64 as u32) % 4_u32) {
        if (x_i32[((grp(0) | grp(0)) % 12_usize)] != 2147483647_i32) {
            y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (0_u64 >> a_u64).rem_euclid(2_u64).pow((if true { 2_i32 } else { a_i32 }).count_ones());
            v0 = (((v0 >> v0) ^ (33_u8 as usize)) / x_i64.len());
        }
    }
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((i64::MIN >> v0) > a_i64) { 1_i32 } else { x_i32[1_usize] });
}

#[kernel(device = cpu, nondeterministic, group = 1, groups = 4)]
fn random91(x_i64: &[i64], y_f64: &mut [f64], a_usize: usize, cell_i64: &mut [i64], y_u32: &mut [u32], a_u32: u32, x_u32: &[u32], y_u64: &mut [u64], a_u64: u64, x_u64: &[u64], total_u64: &mut [u64]) {
    shared!(tile_0: [i64; 1]);
    barrier();
    tile_0[lid(0)] = (x_i64[((40_usize / 32_usize) % 12_usize)] + (1_i64 % 41_i64));
    barrier();
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (1_u64 as f64);
    if ((a_usize < a_usize) || (2_u8 >= 1_u8)) {
        for v0 in group_range((grp(0) % 40_usize)) {
            let mut v1: i64 = atomic_or(&mut cell_i64[((grp(0) * 1_usize) + lid(0))], (33_i64 & (-1_i64)));
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = a_u32;
            if (x_u32[0_usize] >= (if true { 33_u32 } else { 0_u32 })) {
                break;
            }
        }
    } else {
        for v2 in (-2_i32)..((2147483647_i32 - (-1_i32)) % 4_i32) {
            barrier();
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((33_u64 ^ a_u64) + x_u64[(0_usize % 3_usize)]).saturating_add(((if true { 2_u64 } else { a_u64 }) * 18446744073709551615_u64));
            let mut v3: u32 = (27_u32 + (1_u64 as u32));
        }
    }
    atomic_xor(&mut total_u64[((a_usize * a_usize) % 5_usize)], ((50_u64 / 1_u64) as u64));
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = a_u32;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random92(total_i64: &mut [i64], a_u32: u32, a_u64: u64, x_u8: &[u8], y_f64: &mut [f64]) {
    atomic_min(&mut total_i64[((gid(1) + 2_usize) % 5_usize)], ((69_i32 as i64) + (if true { 9223372036854775807_i64 } else { 1_i64 })));
    let mut v0: u64 = (if (a_u32 >= 0_u32) { (33_u64 / a_u64) } else { 18446744073709551615_u64.saturating_add(a_u64) });
    let mut v1: u8 = ((1_u8 % 27_u8) - x_u8[1_usize]);
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (-(-0.1_f64));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random93(x_u8: &[u8], a_usize: usize, a_i64: i64, y_f32: &mut [f32], x_f32: &[f32], y_u64: &mut [u64], a_bool: bool) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = (x_u8.len() + a_usize);
    barrier();
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
fn mix_random94(v0: u32, v1: u32) -> u32 {
    v1
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random94(a_u32: u32, total_u32: &mut [u32], x_u32: &[u32], a_usize: usize, y_i64: &mut [i64], a_i64: i64, a_bool: bool, a_u64: u64, a_f32: f32, y_i32: &mut [i32], y_u32: &mut [u32], y_u64: &mut [u64]) {
    shared!(tile_0: [u8; 8]);
    shared!(tile_1: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (!(33_u8 * 255_u8));
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = 4294967295_u32;
    barrier();
    for v0 in group_range(((grp(1) * 31_usize) % 40_usize)) {
        let mut v1: u32 = mix_random94(tile_1[6_usize], (0_u32 + a_u32));
    }
    atomic_min(&mut total_u32[4_usize], (!x_u32[(a_usize % 12_usize)]));
    for v2 in 1_u32..(1_u32 % 4_u32) {
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((!a_i64).rotate_right(tile_1[((32_usize as usize) % 8_usize)]) ^ 2_i64.rotate_left(18446744073709551615_u64.trailing_zeros()));
        let mut v3: usize = 63_usize;
    }
    let mut v4: u32 = 0_u32;
    while ((v4 < 3_u32) && (a_bool ^ true)) {
        v4 = (v4 + 1_u32);
        if ((a_u64 as f32) < (if false { f32::NAN } else { a_f32 })) {
            let mut v5: u8 = 2_u8;
        }
        if ((33_u8 >= 2_u8) ^ (0.1_f64 > 1000000000.0_f64)) {
            if ((255_u8 < 2_u8) ^ (true || false)) {
                break;
            }
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_i32;
        } else {
            let mut v6: i64 = (i64::MIN % i64::MIN);
        }
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (tile_1[((7_usize | lid(1)) % 8_usize)] / tile_1[((if true { grp(1) } else { 3_usize }) % 8_usize)]);
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_u64 * ((1_u64 * 2_u64) - 33_u64.max(0_u64)));
}

#[device_fn]
fn mix_random95(v0: f64, v1: f64) -> f64 {
    v0
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random95(a_usize: usize, total_i32: &mut [i32], a_i32: i32, y_i32: &mut [i32], y_u8: &mut [u8], x_u32: &[u32], a_bool: bool, x_f32: &[f32], x_f64: &[f64], total_u64: &mut [u64], x_u64: &[u64], a_f64: f64, y_u64: &mut [u64]) {
    for v0 in group_range(((a_usize + 1_usize) % 40_usize)) {
        atomic_min(&mut total_i32[(v0 * 1_usize)], (if (33_u8 == 1_u8) { a_i32 } else { y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] }));
        y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (((1_u8 / 40_u8) as u8) as u8);
    }
    for v1 in (-2_i32)..((a_i32 % 40_i32) % 70_i32) {
        for v2 in 1_u32..(x_u32[10_usize] % 4_u32) {
            barrier();
        }
        if ((false ^ a_bool) && false) {
            let mut v3: bool = (((-2.75_f64) >= (-1.0_f64)) || (false && a_bool));
        }
    }
    let mut v4: u32 = 0_u32;
    while ((v4 < 3_u32) && (2_u64 < 2_u64)) {
        v4 = (v4 + 1_u32);
        if true {
            if a_bool {
                break;
            }
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (0.0_f32 != 1.0_f32)) {
            v5 = (v5 + 1_u32);
            let mut v6: i32 = (if (v4 >= 4294967295_u32) { (2_i32 + i32::MIN) } else { 1_i32 });
        }
        if ((1.0_f32 + 0.5_f32) < x_f32[(x_f64.len() % 12_usize)]) {
            atomic_max(&mut total_u64[((0_u64 as usize) % 5_usize)], x_u64[((1000000000.0_f64 as usize) % 12_usize)]);
            let mut v7: f64 = mix_random95((1000000000.0_f64 / a_f64), (-0.0_f64));
        }
    }
    barrier();
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 0_u64;
}

#[device_fn]
fn mix_random96(v0: u64, v1: u64) -> u64 {
    v1
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random96(a_i32: i32, a_i64: i64, a_u64: u64, total_u32: &mut [u32], x_u32: &[u32], y_f64: &mut [f64], a_f64: f64) {
    let mut own_0 = [56_u8.clamp(0_u8, 2_u8); 4];
    for v0 in (-2_i32)..((a_i32 & 2_i32) % 4_i32) {
        let mut v1: i64 = a_i64;
        let mut v2: u64 = mix_random96((0_u64 - a_u64), (a_u64 % 33_u64));
    }
    barrier();
    let mut v3: u8 = 255_u8;
    v3 = (if false { (v3 << 4_usize) } else { (v3 % v3) });
    atomic_min(&mut total_u32[3_usize], (x_u32[((if false { 4_usize } else { 4_usize }) % 12_usize)] * (!33_u32)));
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-((-1.0_f64) / a_f64)) / (((-2.75_f64) * 0.0_f64) * (-a_f64)));
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random97(a_usize: usize, total_u32: &mut [u32], x_u32: &[u32], a_bool: bool, y_u8: &mut [u8]) {
    for v0 in group_range(((a_usize / grp(0)) % 40_usize)) {
        atomic_max(&mut total_u32[0_usize], x_u32[((v0 >> 1_u64) % 12_usize)]);
    }
    let mut v1: u8 = ((if a_bool { 0_u8 } else { 0_u8 }) % 0_u8.saturating_sub(33_u8));
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((1_u8 & v1).rotate_right((9_u32 | 17_u32)) << (if false { (a_usize * 2_usize) } else { (3_usize % 3_usize) }));
}

#[kernel(device = cpu, nondeterministic, domain = (3, 5))]
fn random98(y_i32: &mut [i32], x_i32: &[i32], a_usize: usize, total_u32: &mut [u32], cell_i64: &mut [i64], y_u64: &mut [u64], a_u32: u32, x_u32: &[u32], y_i64: &mut [i64], x_i64: &[i64]) {
    let mut own_0 = [0_u8; 4];
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (x_i32[((a_usize % gid(0)) % 12_usize)] * (((-1_i32) / 2147483647_i32) % (2147483647_i32 & 2_i32)));
    atomic_xor(&mut total_u32[(gid(0) << 1_usize)], (4294967295_u32 as u32).rem_euclid((1000000000.0_f32 as u32)));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false || false)) {
        v0 = (v0 + 1_u32);
        atomic_exchange(&mut cell_i64[((gid(1) * 5_usize) + gid(0))], 1_i64);
        y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (((0_u64 << 0_u64) - (0_u64 * 18446744073709551615_u64)) * (58_u64 | (2_u64 << gid(0))));
    }
    atomic_xor(&mut total_u32[((gid(0) + 31_usize) % 5_usize)], ((a_u32 >> 64_usize) | x_u32[((if true { 31_usize } else { gid(0) }) % 12_usize)]));
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = x_i64[5_usize];
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (-((-i32::MIN) % (0_i32 << 1_u64)));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random99(a_f64: f64, total_i32: &mut [i32], y_f32: &mut [f32], y_u64: &mut [u64]) {
    shared!(tile_0: [f64; 64]);
    barrier();
    tile_0[lid(0)] = ((-1.0_f64) - a_f64).copysign((if false { 0.0_f64 } else { f64::INFINITY }));
    barrier();
    let mut v0: i64 = 28_i64;
    for v1 in (-2_i32)..((33_i32 & 2_i32) % 4_i32) {
        atomic_min(&mut total_i32[(1_usize % 5_usize)], v1);
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_i64 as f32);
    }
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-(-1.0_f64)).floor() as u64);
}

#[device_fn]
fn mix_random100(v0: u64, v1: u64) -> u64 {
    (2_u64.min(v1) | (v0 * v1)).rem_euclid((40_usize as u64))
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random100(a_usize: usize, a_i64: i64, x_u32: &[u32], a_bool: bool, total_i32: &mut [i32], x_i32: &[i32], y_u8: &mut [u8]) {
    let mut own_0 = [a_usize; 4];
    let mut own_1 = [(1_i64 * i64::MIN); 4];
    own_1[(a_usize + 63_usize)] = ((1_i64 / 40_i64) / i64::MIN.max(a_i64));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && true) {
        v0 = (v0 + 1_u32);
        barrier();
        let mut v1: u32 = group_sum(x_u32[((grp(0) % 2_usize) % 12_usize)]);
        if ((6_i64 != i64::MIN) && (true && a_bool)) {
            atomic_xor(&mut total_i32[3_usize], ((2_i32 << 2147483647_i32) + x_i32[4_usize]));
        } else {
            let mut v2: u64 = ((2_u64 << (-1_i32)) * 1_u64);
        }
    }
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 25_u8;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random101(a_usize: usize, a_u64: u64, y_i64: &mut [i64], a_u32: u32, a_i32: i32, y_f32: &mut [f32], a_bool: bool, x_f64: &[f64], a_f32: f32, x_f32: &[f32], y_f64: &mut [f64]) {
    shared!(tile_0: [u32; 64]);
    shared!(tile_1: [f32; 64]);
    barrier();
    tile_0[lid(0)] = ((0_u32 * 4294967295_u32) << (-0_i32));
    barrier();
    barrier();
    tile_1[lid(0)] = (3e38_f32 + (1.0_f32 - f32::INFINITY));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (grp(0) == a_usize)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 70_u32) && (a_u64 == 18446744073709551615_u64)) {
            v1 = (v1 + 1_u32);
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (-1_i64);
            if (tile_0[43_usize] != (a_u32 << 0_i32)) {
                break;
            }
            let mut v2: f64 = (-2.75_f64);
        }
        let mut v3: i32 = ((33_i32 * a_i32) - (-1_i32).rotate_right(a_u32));
    }
    let mut v4: u32 = 0_u32;
    while ((v4 < 3_u32) && (33_i32 >= 33_i32)) {
        v4 = (v4 + 1_u32);
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if (true || a_bool) { tile_1[(x_f64.len() % 64_usize)] } else { a_f32.round_ties_even() }) % f32::INFINITY);
        let mut v5: bool = (x_f32.len() > (if false { 2_usize } else { 1_usize }));
        let mut v6: u32 = 0_u32;
        while ((v6 < 3_u32) && (1_u8 > 255_u8)) {
            v6 = (v6 + 1_u32);
            barrier();
        }
    }
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[1_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random102(total_i64: &mut [i64], a_i32: i32, y_u64: &mut [u64], a_u64: u64, x_f32: &[f32], y_i32: &mut [i32]) {
    let mut own_0 = [3e38_f32; 4];
    for v0 in 0_usize..((63_usize % 32_usize) % 70_usize) {
        atomic_add(&mut total_i64[((1_usize >> a_i32) % 5_usize)], (33_i64 - (0_i64 / 2_i64)));
        y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (if true { (0_u64 & (12_u64 << a_u64)) } else { (if (true ^ true) { a_u64 } else { (1_u64 | a_u64) }) });
    }
    own_0[1_usize] = x_f32[5_usize];
    for v1 in group_range(((2_usize << a_i32) % 40_usize)) {
        let mut v2: u64 = a_u64.div_euclid((33_u64 as u64));
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 0_i32;
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random103(y_i32: &mut [i32], a_i32: i32, a_bool: bool, x_i32: &[i32], a_u32: u32, total_i32: &mut [i32], y_u64: &mut [u64], x_u64: &[u64]) {
    shared!(tile_0: [usize; 8]);
    shared!(tile_1: [u64; 8]);
    barrier();
    tile_0[lid(0)] = ((lid(0) - 3_usize) + grp(0));
    barrier();
    barrier();
    tile_1[lid(0)] = (33_u64 & (2_u32 as u64));
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (20_i64 != 1_i64)) {
        v0 = (v0 + 1_u32);
        for v1 in 0_usize..(32_usize % 4_usize) {
            y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-(if true { a_i32 } else { 0_i32 })) * a_i32);
            let mut v2: i32 = (57_i32 / (-1_i32)).saturating_add(((-1_i32) - a_i32));
            v2 = (if (a_bool ^ false) { (-v2) } else { x_i32[(v1 / v1)] });
        }
    }
    let mut v3: i64 = ((4294967295_u32 % 33_u32) as i64);
    v3 = ((-v3.rotate_right(a_u32)) / 1_i64);
    atomic_xor(&mut total_i32[4_usize], (-1_i32));
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((if false { v3 } else { 2_i64 }) >= (v3 * 1_i64)) { (9223372036854775807_i64.count_ones() as u64) } else { x_u64[((3_usize >> 18446744073709551615_u64) % 12_usize)] });
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random104(x_f64: &[f64], x_i64: &[i64], y_f64: &mut [f64], x_f32: &[f32], total_u32: &mut [u32], y_u32: &mut [u32], y_u64: &mut [u64], y_i64: &mut [i64], a_u64: u64, y_u8: &mut [u8], a_u32: u32, x_u64: &[u64], a_bool: bool) {
    if (x_f64[(x_i64.len() % 12_usize)] > (-(-2.75_f64))) {
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[2_usize];
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (31_usize == 40_usize)) {
            v0 = (v0 + 1_u32);
            let mut v1: f32 = x_f32[((7_usize * lid(0)) % 12_usize)];
            atomic_and(&mut total_u32[(31_usize * lid(0))], (y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] & (v0 - 0_u32)));
            v1 = (0.5_f32 - ((v1 - 1000000000.0_f32) * (v1 / v1)));
        }
        y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 35_u64;
    } else {
        if ((2_u32 <= 0_u32) ^ (2_u32 < 0_u32)) {
            let mut v2: u8 = (if (true ^ true) { 13_u8.rotate_left(33_u32) } else { (54_u8 | 40_u8) });
            y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((2_i64 / (47_i64 % i64::MIN)) + x_i64[((3_usize + 40_usize) % 12_usize)]);
        } else {
            atomic_and(&mut total_u32[(x_f64.len() % 5_usize)], (1_u32 + 0_u32).count_ones());
            let mut v3: bool = ((-1_i32) >= (false as i32));
            v3 = (v3 && (a_u64 == 0_u64));
        }
        if false {
            y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (((1_u8 % 0_u8) % (a_u32 as u8)) % (0_u8 % (1_u8 - 255_u8)));
            let mut v4: u64 = x_u64[5_usize];
        }
    }
    let mut v5: f64 = group_sum(((53_u64 / 1_u64) as f64));
    let mut v6: u8 = (if a_bool { (!0_u8) } else { (0_u64 as u8) });
    y_u8[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((v6.min(v6) >> (40_usize as u64)) & v6);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random105(x_f32: &[f32], x_i32: &[i32], total_u32: &mut [u32], a_u32: u32, y_u32: &mut [u32]) {
    shared!(tile_0: [f32; 1]);
    shared!(tile_1: [usize; 1]);
    barrier();
    tile_0[lid(0)] = x_f32[x_i32.len()];
    barrier();
    barrier();
    tile_1[lid(0)] = lid(0);
    barrier();
    atomic_max(&mut total_u32[2_usize], (!(if false { a_u32 } else { 0_u32 })));
    let mut v0: u32 = ((1_u32 << 1_i32) + (if false { a_u32 } else { 39_u32 }));
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 4294967295_u32;
}

#[device_fn]
fn mix_random106(v0: usize, v1: usize) -> usize {
    v0
}

#[kernel(device = cpu, domain = 37)]
fn random106(x_i32: &[i32], a_usize: usize, total_i64: &mut [i64], x_i64: &[i64], y_i64: &mut [i64]) {
    let mut own_0 = [1_u32; 4];
    let mut own_1 = [37_usize; 4];
    if false {
        let mut v0: i32 = x_i32[(!a_usize)];
    }
    atomic_and(&mut total_i64[(gid(0) % 5_usize)], x_i64[10_usize]);
    own_1[1_usize] = (if (gid(0) < gid(0)) { (if false { gid(0) } else { a_usize }) } else { (1_u64 as usize) });
    y_i64[((gid(0) * 2_usize) + 1_usize)] = (((37_usize - gid(0)) as i64) * 33_i64.max((-1_i64)).pow(33_u32));
}

#[device_fn]
fn mix_random107(v0: u32, v1: u32) -> u32 {
    v1
}

#[kernel(device = cpu, domain = 37)]
fn random107(total_u32: &mut [u32], a_u32: u32, y_i32: &mut [i32], x_i32: &[i32], x_u8: &[u8], y_f32: &mut [f32], x_f32: &[f32], x_u64: &[u64]) {
    let mut own_0 = [(1_u64 as u64); 4];
    let mut own_1 = [1_usize; 4];
    atomic_min(&mut total_u32[4_usize], (if (a_u32 >= 0_u32) { 0_u32 } else { (1_u32 - 1_u32) }));
    y_i32[((gid(0) * 2_usize) + 1_usize)] = x_i32[(x_u8.len() % 12_usize)];
    y_f32[((gid(0) * 2_usize) + 0_usize)] = (-x_f32[(x_u64.len() % 12_usize)]);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random108(x_i32: &[i32], a_bool: bool, a_usize: usize, y_u32: &mut [u32], a_f64: f64, y_i32: &mut [i32], y_u8: &mut [u8], x_u8: &[u8], y_f32: &mut [f32], a_f32: f32, a_u64: u64, total_i64: &mut [i64], total_i32: &mut [i32], a_i32: i32) {
    shared!(tile_0: [i32; 1]);
    barrier();
    tile_0[lid(0)] = (if (f64::NAN != f64::NAN) { ((-0.0_f32) as i32) } else { x_i32[(4_usize % 12_usize)] });
    barrier();
    if ((a_bool != false) ^ (a_usize != 64_usize)) {
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (((a_f64 as u8) as u32) | 0_u32);
    } else {
        y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((51_i32 | (-1_i32)).saturating_add(tile_0[((lid(0) + 64_usize) % 1_usize)]) & (((-1_i32) % 0_i32) + tile_0[0_usize]));
        if ((4_usize <= lid(0)) || (true && true)) {
            y_u8[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u8[((3_usize - 64_usize) % 12_usize)] ^ ((1_usize & 1_usize) as u8));
            y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-(-a_f32)) + (a_u64 as f32).rem_euclid(0.1_f32));
            atomic_xor(&mut total_i64[4_usize], 9223372036854775807_i64);
        }
        atomic_min(&mut total_i32[(4_usize % 5_usize)], (if (f64::NAN != a_f64) { (a_i32 + 60_i32) } else { (-a_i32) }));
    }
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u8[(4_usize % 12_usize)].leading_zeros();
    let mut v0: u64 = 0_u64;
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_i32[((32_usize ^ 40_usize) % 12_usize)] - (-2_i32));
}

#[device_fn]
fn mix_random109(v0: u64, v1: u64) -> u64 {
    (v0 * v1)
}

#[kernel(device = cpu, domain = 37)]
fn random109(a_usize: usize, a_bool: bool, y_i32: &mut [i32], a_u32: u32, x_u8: &[u8], x_i32: &[i32], total_i32: &mut [i32], y_i64: &mut [i64]) {
    let mut own_0 = [(1_u8 as u8); 4];
    let mut own_1 = [(a_usize % a_usize); 4];
    let mut v0: u8 = ((if false { 24_u8 } else { 0_u8 }) / (if false { 33_u8 } else { 33_u8 }));
    let mut v1: u64 = mix_random109((33_u64 ^ 2_u64), (63_usize as u64));
    if false {
        if ((a_bool == true) || (true ^ a_bool)) {
            y_i32[((gid(0) * 2_usize) + 0_usize)] = y_i32[((gid(0) * 2_usize) + 1_usize)];
        } else {
            let mut v2: u64 = mix_random109((2_u64 % 33_u64), (v1 * v1));
        }
        if ((a_u32 == 0_u32) && true) {
            own_1[(32_usize % 4_usize)] = (x_u8.len() % 64_usize);
            own_1[(own_1[1_usize] % 4_usize)] = (own_1[(1_usize % 4_usize)] - (gid(0) >> v1));
        }
    }
    y_i32[((gid(0) * 2_usize) + 1_usize)] = x_i32[(a_usize % 12_usize)];
    atomic_xor(&mut total_i32[(((-2.75_f32) as usize) % 5_usize)], (-1_i32));
    y_i64[((gid(0) * 2_usize) + 1_usize)] = ((if true { 33_i64 } else { 1_i64 }).saturating_add((1_u32 as i64)) >> v1);
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random110(cell_i64: &mut [i64], y_i64: &mut [i64], y_u32: &mut [u32], a_i64: i64, y_u64: &mut [u64], a_u64: u64) {
    shared!(tile_0: [u32; 8]);
    shared!(tile_1: [f64; 8]);
    barrier();
    tile_0[lid(0)] = 4294967295_u32;
    barrier();
    barrier();
    tile_1[lid(0)] = (if ((-0.0_f64) < (-2.75_f64)) { (if true { 1e-40_f64 } else { f64::NAN }) } else { (32_usize as f64) });
    barrier();
    if (0_u64.saturating_add(1_u64) != (2_u64 >> 63_usize)) {
        let mut v0: i64 = atomic_and(&mut cell_i64[((grp(0) * 8_usize) + lid(0))], y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)].max((9223372036854775807_i64 * 9223372036854775807_i64)));
        y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (false as u32);
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (9223372036854775807_i64.signum() / (-(a_i64 + 1_i64)));
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (0_u64 + (if ((-1.0_f64) == 3e38_f64) { a_u64.clamp(a_u64, 2_u64) } else { (0_u64 - 0_u64) }));
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random111(cell_i64: &mut [i64], total_u32: &mut [u32], a_usize: usize, y_u32: &mut [u32], a_u32: u32, x_u32: &[u32], x_f64: &[f64], y_u8: &mut [u8]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false && true)) {
        v0 = (v0 + 1_u32);
        let mut v1: i64 = atomic_or(&mut cell_i64[gid(0)], (42_i64 * 9223372036854775807_i64).rotate_right((!0_u32)));
    }
    atomic_xor(&mut total_u32[((40_usize ^ a_usize) % 5_usize)], ((0_u32 >> 1_u64) ^ 1_u8.leading_zeros()));
    y_u32[((gid(0) * 2_usize) + 1_usize)] = ((if (1_u8 >= 0_u8) { (a_u32 - 4294967295_u32) } else { (2_u32 + 2_u32) }) + (a_u32 * x_u32[(x_f64.len() % 12_usize)]));
    y_u8[((gid(0) * 2_usize) + 1_usize)] = (((33_u8 % 0_u8) + (2_u8 / 1_u8)) - ((true as u8) % (if true { 0_u8 } else { 0_u8 })));
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random112(x_f64: &[f64], y_f32: &mut [f32], a_f32: f32, a_bool: bool, a_usize: usize, cell_f32: &mut [f32], y_i64: &mut [i64], y_u32: &mut [u32], a_i32: i32, x_i64: &[i64], y_u8: &mut [u8]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (false as usize);
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (1_i32 >= i32::MIN)) {
        v0 = (v0 + 1_u32);
        for v1 in group_range(((grp(2) % 40_usize) % 40_usize)) {
            if ((v1 % v1) >= x_f64.len()) {
                continue;
            }
        }
    }
    y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((0.1_f32 * (-(-1.0_f32))) * ((true as u32 as f32) / (-a_f32)));
    barrier();
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (false && a_bool)) {
        v2 = (v2 + 1_u32);
        for v3 in group_range(((grp(2) * a_usize) % 40_usize)) {
            let mut v4: i32 = (if (i64::MIN < 9223372036854775807_i64) { (33_i32 * 33_i32) } else { (1_i32 / 50_i32) });
        }
        let mut v5: f32 = atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], (-0.0_f32));
    }
    if false {
        if false {
            y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_i64;
            for v6 in group_range((2_usize % 40_usize)) {
                y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((43_u8.count_ones() >> (if false { v6 } else { v6 })) * (33_u8.saturating_add(0_u8) as u32));
                let mut v7: i32 = ((0_i32 | 2147483647_i32) + (if false { i32::MIN } else { 33_i32 }));
                let mut v8: f32 = ((a_f32 * 0.0_f32) + (a_f32 / 1000000000.0_f32));
            }
        } else {
            let mut v9: i32 = group_min(a_i32);
            let mut v10: i64 = (if false { 0_i64 } else { 2_i64 }).clamp((-2_i64), x_i64[((a_usize & grp(0)) % 12_usize)]);
        }
    }
    y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (if true { y_u8[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] } else { ((0_u8 + 17_u8) - (255_u8 * 58_u8)) });
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random113(total_i64: &mut [i64], a_i64: i64, y_u32: &mut [u32], y_f32: &mut [f32], x_f32: &[f32], y_f64: &mut [f64], a_u64: u64, a_f64: f64, x_f64: &[f64]) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = 0_i32;
    barrier();
    atomic_min(&mut total_i64[((3_usize * lid(0)) % 5_usize)], (i64::MIN & 33_i64).saturating_add((a_i64 % i64::MIN)));
    let mut v0: u32 = y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((((-1.0_f32) / (-2.75_f32)) / x_f32[4_usize]) / (-1000000000.0_f32.min(3e38_f32)));
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (a_u64 == 33_u64) { (((-2.75_f64) * a_f64) / (f64::INFINITY / a_f64)) } else { (x_f64[6_usize] + (grp(0) as f64)) });
}

#[kernel(device = cpu, nondeterministic, group = 16, groups = 2)]
fn random114(y_u32: &mut [u32], x_u32: &[u32], x_f64: &[f64], total_i64: &mut [i64], x_i64: &[i64], y_f32: &mut [f32], a_f32: f32, cell_f32: &mut [f32], x_f32: &[f32], x_u64: &[u64], cell_i64: &mut [i64], a_i64: i64, y_u8: &mut [u8]) {
    shared!(tile_0: [f64; 16]);
    barrier();
    tile_0[lid(0)] = (-0.1_f64.rem_euclid(0.0_f64));
    barrier();
    for v0 in 0_usize..((grp(0) * 2_usize) % 4_usize) {
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (!(56_u32.trailing_zeros() - x_u32[(x_f64.len() % 12_usize)]));
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (2_u64 != 33_u64)) {
            v1 = (v1 + 1_u32);
            atomic_add(&mut total_i64[(v0 % 5_usize)], x_i64[(2_usize % 12_usize)]);
            atomic_add(&mut total_i64[3_usize], 1_i64);
            y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if (52_u32 < 2_u32) { (3e38_f32 % 1000000000.0_f32) } else { (a_f32 - 1e-40_f32) }) + (0.1_f32 / f32::INFINITY).ceil());
        }
        let mut v2: f32 = atomic_add(&mut cell_f32[((grp(0) * 16_usize) + lid(0))], (if (0_u32 > 56_u32) { (-0.0_f32) } else { x_f32[(x_u64.len() % 12_usize)] }));
    }
    atomic_add(&mut cell_i64[((grp(0) * 16_usize) + lid(0))], (a_i64 | 33_i64).max((9223372036854775807_i64 + 1_i64)));
    y_u8[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!(!61_u8)) * (33_u8.rotate_right(2_u32) * (0_u8 & 255_u8)));
}

#[kernel(device = cpu, nondeterministic, group = (2, 2, 2), groups = (2, 2, 1))]
fn random115(x_i32: &[i32], a_usize: usize, y_f64: &mut [f64], cell_f32: &mut [f32], x_f32: &[f32], y_i64: &mut [i64], a_i64: i64, cell_u64: &mut [u64], x_f64: &[f64], y_i32: &mut [i32], a_i32: i32) {
    let mut own_0 = [x_i32[((a_usize * 32_usize) % 12_usize)]; 4];
    for v0 in group_range(((if true { grp(0) } else { a_usize }) % 40_usize)) {
        y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(-2.75_f64)).floor();
    }
    if ((18446744073709551615_u64 != 0_u64) ^ false) {
        let mut v1: f32 = atomic_add(&mut cell_f32[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], x_f32[((if false { 2_usize } else { 64_usize }) % 12_usize)]);
        let mut v2: u64 = ((if false { 1_u64 } else { 0_u64 }) as u64);
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((v2 ^ v2) < (v2 * v2)) { 0_i64 } else { (if (39_u32 > 0_u32) { (i64::MIN - 2_i64) } else { (-a_i64) }) });
    }
    atomic_compare_exchange(&mut cell_u64[((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0)))], 18446744073709551615_u64.rotate_left(0_u32).saturating_add(0_u64.clamp(24_u64, 33_u64)), (x_f64[7_usize] as u64));
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = own_0[((if true { a_usize } else { a_usize }) % 4_usize)].saturating_sub((((-1_i32) % a_i32) % (a_i32 % a_i32)));
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_i64 % 2_i64);
}

#[device_fn]
fn mix_random116(v0: u32, v1: u32) -> u32 {
    0_u32
}

#[kernel(device = cpu, nondeterministic, group = (2, 4), groups = (2, 2))]
fn random116(cell_u32: &mut [u32], y_u32: &mut [u32]) {
    shared!(tile_1: [u64; 8]);
    let mut own_0 = [(1.0_f32 as u32); 4];
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = 12_u64;
    barrier();
    let mut v0: u32 = atomic_or(&mut cell_u32[((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0)))], y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)]);
    let mut v1: u32 = group_min(((33_u32 & v0) % v0));
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random117(a_usize: usize, a_i32: i32, a_bool: bool, y_u32: &mut [u32], a_u64: u64, x_f32: &[f32], x_u64: &[u64], y_u8: &mut [u8], x_u8: &[u8]) {
    shared!(tile_0: [usize; 64]);
    barrier();
    tile_0[lid(0)] = ((if false { 1_usize } else { a_usize }) - grp(0));
    barrier();
    for v0 in (-2_i32)..(a_i32.saturating_sub(a_i32) % 70_i32) {
        let mut v1: u8 = (a_bool as u8);
    }
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (33_u32 / (if a_bool { (33_u32 * 4294967295_u32) } else { (a_u64 as u32) }));
    let mut v2: f32 = (if (33_u8 < 33_u8) { x_f32[3_usize] } else { x_f32[(x_u64.len() % 12_usize)] });
    barrier();
    let mut v3: usize = (!(a_usize * 3_usize));
    y_u8[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u8[(64_usize + v3)];
}

#[kernel(device = cpu, nondeterministic, domain = 37)]
fn random118(total_i64: &mut [i64], x_i64: &[i64], a_bool: bool, y_i64: &mut [i64], a_i32: i32, cell_u64: &mut [u64], a_u64: u64, y_i32: &mut [i32], x_i32: &[i32]) {
    let mut own_0 = [(1.0_f32 - f32::NAN); 4];
    atomic_xor(&mut total_i64[(37_usize * 63_usize)], x_i64[((if a_bool { 37_usize } else { 32_usize }) % 12_usize)]);
    y_i64[((gid(0) * 2_usize) + 0_usize)] = y_i64[((gid(0) * 2_usize) + 1_usize)];
    let mut v0: i32 = (if true { (59_i32 * a_i32) } else { 1_i32 });
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (v1 > v1)) {
        v1 = (v1 + 1_u32);
        let mut v2: u64 = atomic_or(&mut cell_u64[gid(0)], ((if true { a_u64 } else { 1_u64 }) << y_i32[((gid(0) * 2_usize) + 0_usize)]));
    }
    y_i32[((gid(0) * 2_usize) + 1_usize)] = (if ((true ^ false) ^ (10_u8 == 0_u8)) { (-v0).signum() } else { x_i32[6_usize] });
}

#[kernel(device = cpu, nondeterministic, group = 8, groups = 3)]
fn random119(a_i64: i64, x_i32: &[i32], a_usize: usize, a_i32: i32, a_u64: u64, x_i64: &[i64], cell_u32: &mut [u32], y_i64: &mut [i64]) {
    shared!(tile_0: [i64; 8]);
    shared!(tile_1: [i32; 8]);
    barrier();
    tile_0[lid(0)] = (a_i64 % (a_i64 ^ a_i64));
    barrier();
    barrier();
    tile_1[lid(0)] = x_i32[(a_usize % 12_usize)];
    barrier();
    barrier();
    tile_1[lid(0)] = (if (a_i64 == 2_i64) { (2147483647_i32 & 33_i32) } else { (2147483647_i32 % i32::MIN) });
    barrier();
    let mut v0: u8 = group_sum(1_u8);
    for v1 in group_range(((32_usize + 3_usize) % 40_usize)) {
        if ((a_i32 - a_i32) <= tile_1[((v1 * 40_usize) % 8_usize)]) {
            continue;
        }
        if ((-0.0_f64) >= (a_u64 as f64)) {
            break;
        }
    }
    for v2 in group_range(((1_usize >> 1_usize) % 40_usize)) {
        if (v2 == x_i64.len()) {
            continue;
        }
        let mut v3: u32 = atomic_and(&mut cell_u32[((grp(0) * 8_usize) + lid(0))], 1_u32);
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((0_i64 % tile_0[5_usize]) / (1_i64 >> (1e-40_f32 as usize)));
}
