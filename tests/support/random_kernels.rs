// Random kernels, written by the test `source` of `ringwood-ir` (with RINGWOOD_BLESS=1).

use ringwood::kernel;

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random0(y_i64: &mut [i64], y_i32: &mut [i32], x_i32: &[i32], a_i64: i64, y_u64: &mut [u64]) {
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 9223372036854775807_i64;
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i32[(0_usize.saturating_sub(63_usize) % 12_usize)];
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((a_i64.saturating_add((-1_i64)) > (-0_i64)) as i32);
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u64;
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random1(total_i32: &mut [i32], a_bool: bool, y_i64: &mut [i64]) {
    barrier();
    atomic_or(&mut total_i32[((40_usize * lid(0)) % 5_usize)], (-(i32::MIN * 2_i32)));
    barrier();
    let mut v0: f32 = (if (a_bool || true) { (if false { 3e38_f32 } else { f32::NAN }) } else { ((-2.75_f32) * 3e38_f32) });
    if (a_bool < true) {
        let mut v1: f32 = (v0 - v0);
        let mut v2: bool = ((v0 + v1) > (v0 - v0));
        let mut v3: f64 = 3e38_f64;
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = i64::MIN;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random2(a_usize: usize, a_i32: i32, a_bool: bool, x_i64: &[i64], total_i64: &mut [i64], y_i32: &mut [i32], a_f32: f32, y_i64: &mut [i64], y_f32: &mut [f32], a_u64: u64, x_f32: &[f32], total_u32: &mut [u32], x_u32: &[u32], total_u64: &mut [u64], x_u64: &[u64], y_u64: &mut [u64]) {
    if (false ^ ((-1_i64) > 33_i64)) {
        let mut v0: usize = ((a_usize % gid(0)) << (2_i32 / a_i32));
        v0 = (((if a_bool { gid(0) } else { 63_usize }) * x_i64.len()) | (v0 * (v0 ^ gid(1))));
        atomic_and(&mut total_i64[(v0 % 5_usize)], x_i64[((gid(0) << 2147483647_i32) % 12_usize)]);
    } else {
        y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = ((-a_f32) as i32);
        y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = i64::MIN;
        y_f32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (-1.0_f32).clamp(a_f32, (if (0_u64 != a_u64) { (f32::NAN - f32::INFINITY) } else { x_f32[2_usize] }));
    }
    let mut v1: u64 = (33_u64 - 18446744073709551615_u64);
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && true) {
        v2 = (v2 + 1_u32);
        if false {
            let mut v3: i32 = (0.1_f64 as i32);
            atomic_or(&mut total_u32[3_usize], x_u32[((a_usize << a_usize) % 12_usize)]);
            if a_bool {
                continue;
            }
        }
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (32_usize > gid(0))) {
            v4 = (v4 + 1_u32);
            if true {
                continue;
            }
            if ((v1 > 0_u64) && (v4 != v2)) {
                break;
            }
        }
        if ((a_usize + gid(1)) != 31_usize) {
            atomic_or(&mut total_u64[((32_usize / a_usize) % 5_usize)], (if (2147483647_i32 == (-1_i32)) { x_u64[(v2 as usize)] } else { x_u64[(64_usize % gid(0))] }));
            y_f32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (0.1_f32.min((1.0_f32 % (-2.75_f32))) + x_f32[(0_usize % 12_usize)]);
        }
    }
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (2_i32 >> y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random3(x_i32: &[i32], a_bool: bool, x_f64: &[f64], total_u32: &mut [u32], y_f32: &mut [f32]) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_i32[(if a_bool { 2_usize } else { 7_usize })].div_euclid(2147483647_i32);
    barrier();
    let mut v0: f64 = (-(-f64::INFINITY));
    let mut v1: f64 = group_sum((x_f64[((33_i64 as usize) % 12_usize)] * (if true { 0.1_f64 } else { (-2.75_f64) })));
    atomic_xor(&mut total_u32[((lid(1) % grp(1)) % 5_usize)], ((if a_bool { 0_u32 } else { 4294967295_u32 }) / (v1 as u32)));
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 65_i32;
    barrier();
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 2147483647_i32;
    barrier();
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 3e38_f32;
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random4(x_u32: &[u32], a_usize: usize, y_f64: &mut [f64], a_u64: u64, a_f32: f32, y_i64: &mut [i64], a_i64: i64) {
    let mut own_0 = [(29_u32 as f32); 4];
    own_0[(x_u32.len() % 4_usize)] = (if (a_usize <= 3_usize) { own_0[((63_usize / 1_usize) % 4_usize)] } else { (-f32::NAN) });
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false ^ false)) {
        v0 = (v0 + 1_u32);
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if ((58_i64 < 0_i64) || (a_u64 > 0_u64)) { ((3e38_f64 / (-1.0_f64)) / (1e-40_f64 / 0.5_f64)) } else { (-(1e-40_f64 - (-1.0_f64))) });
        let mut v1: u32 = group_sum((v0 & (2_u32 >> 0_u64)));
        let mut v2: f32 = group_sum((a_f32.sqrt() % 0.1_f32.sqrt()));
    }
    let mut v3: u64 = 41_u64;
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((if true { (13_i64 + i64::MIN) } else { a_i64 }) | 0_i64);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random5(x_i64: &[i64], a_usize: usize, total_i32: &mut [i32], x_i32: &[i32], a_u32: u32, total_i64: &mut [i64], x_f32: &[f32], total_u64: &mut [u64], x_u32: &[u32], total_u32: &mut [u32], y_f32: &mut [f32], a_f64: f64) {
    shared!(tile_0: [f64; 8]);
    barrier();
    tile_0[lid(0)] = ((3e38_f64 * (-0.0_f64)) * (-1.0_f64).sqrt());
    barrier();
    let mut own_1 = [(!1_u32); 4];
    let mut v0: i64 = group_max(x_i64[((32_usize % a_usize) % 12_usize)]);
    atomic_add(&mut total_i32[(grp(0) % 5_usize)], x_i32[((7_usize * 63_usize) % 12_usize)]);
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (a_u32 != v1)) {
        v1 = (v1 + 1_u32);
        atomic_min(&mut total_i64[3_usize], (-v0));
        for v2 in 0_usize..((3_usize % 2_usize) % 4_usize) {
            if (x_f32[((!v2) % 12_usize)] <= (1.0_f32 as f32)) {
                break;
            }
        }
        if (v1 >= 4294967295_u32) {
            atomic_xor(&mut total_u64[((lid(0) - 1_usize) % 5_usize)], ((2_usize as u64) + (0_u64 % 18446744073709551615_u64)));
            let mut v3: usize = 0_usize;
            let mut v4: u32 = x_u32[(7_usize.clamp(v3, v3) % 12_usize)];
        } else {
            atomic_max(&mut total_u32[((a_usize + 40_usize) % 5_usize)], v1.saturating_sub(0_u32));
            let mut v5: i64 = (v0 - (if true { (-1_i64) } else { v0 }));
            atomic_max(&mut total_u32[((if false { a_usize } else { 2_usize }) % 5_usize)], (own_1[1_usize] * (0_u32 * v1)));
        }
    }
    y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((a_f64 % 0.0_f64) != (-2.75_f64).copysign(1e-40_f64)) { y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] } else { ((-1000000000.0_f32) * x_f32[(32_usize % grp(0))]) });
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random6(y_i64: &mut [i64], y_f32: &mut [f32], x_u32: &[u32], y_u32: &mut [u32], a_u32: u32, x_i32: &[i32], a_i32: i32, y_i32: &mut [i32], x_i64: &[i64], total_i64: &mut [i64], y_f64: &mut [f64]) {
    if ((9223372036854775807_i64 | 9223372036854775807_i64) != y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)]) {
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 3e38_f32;
    }
    if (x_u32[2_usize] > (33_u32 * 33_u32)) {
        barrier();
    } else {
        barrier();
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (f32::NAN == 0.0_f32)) {
            v0 = (v0 + 1_u32);
            y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = a_u32;
        }
        for v1 in (-2_i32)..(x_i32[((63_usize >> a_i32) % 12_usize)] % 4_i32) {
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (!x_i32[9_usize]);
            let mut v2: i64 = group_min(x_i64[(0_i64 as usize)].min((!0_i64)));
            let mut v3: u64 = group_max(((2_u64 - 1_u64) * 2_u64));
        }
    }
    atomic_max(&mut total_i64[(true as usize)], 9223372036854775807_i64);
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((31_usize + (!grp(0))) as f64);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random7(a_usize: usize, total_i32: &mut [i32], x_u32: &[u32], y_f32: &mut [f32], x_f32: &[f32], x_u64: &[u64], total_u32: &mut [u32], a_i32: i32, y_u32: &mut [u32], a_f64: f64, y_u64: &mut [u64], x_i32: &[i32], a_i64: i64, y_f64: &mut [f64], x_f64: &[f64], x_i64: &[i64], a_f32: f32, a_bool: bool, a_u32: u32, a_u64: u64, y_i32: &mut [i32]) {
    if false {
        for v0 in group_range((a_usize % 40_usize)) {
            atomic_and(&mut total_i32[(x_u32.len() % 5_usize)], (-1_i32).min(1_i32).div_euclid(2_i32));
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_f32[(x_u64.len() % 12_usize)] / (1e-40_f32 * 3e38_f32)) + (3e38_f32 - x_f32[grp(1)]));
        }
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (a_usize >= 40_usize)) {
            v1 = (v1 + 1_u32);
            atomic_xor(&mut total_u32[4_usize], (0_u64 << a_i32).count_ones());
            if false {
                continue;
            }
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((i64::MIN.leading_zeros() / (v1 / v1)) - ((if true { v1 } else { v1 }) * (v1 as u32)));
        }
        if (a_f64.fract() < (a_f64 * (-1.0_f64))) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u64[11_usize].rem_euclid((33_i64 as u64)) & (x_i32[3_usize] as u64));
        } else {
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((!x_u32[(if false { 0_usize } else { 2_usize })]) / (a_i64.leading_zeros() / (2_u64 as u32)));
            let mut v2: f32 = ((-2.75_f32) % x_f32[((2_usize ^ lid(0)) % 12_usize)]);
        }
    } else {
        barrier();
        if ((2_u64 < 0_u64) || (2_usize >= a_usize)) {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((-f64::INFINITY) - (1000000000.0_f64 + a_f64)) - ((0.5_f64 % f64::INFINITY) * x_f64[(a_usize % 12_usize)]));
            let mut v3: u64 = 33_u64;
            v3 = (v3 + ((v3 << 33_i32) / (v3 | v3)));
        } else {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((if false { 1e-40_f64 } else { 0.0_f64 }) / (a_f64 + f64::INFINITY)) + (x_i64[a_usize.min(grp(1))] as f64));
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(-a_f32)).floor();
        }
    }
    if a_bool {
        if true {
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u32[(a_usize % 12_usize)] * (if true { (0_u32 / 0_u32) } else { (a_u32 + 33_u32) }));
        } else {
            atomic_xor(&mut total_u32[((2_usize & 2_usize) % 5_usize)], ((2_u32 << 3_usize) % (-1_i64).count_ones()));
            atomic_xor(&mut total_u32[3_usize], (if (false ^ true) { 4294967295_u32 } else { (2_u32 - a_u32) }));
        }
        if true {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = a_u64;
        }
    } else {
        y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] % (if false { 1.0_f64 } else { 3e38_f64 }).copysign(a_f64));
    }
    let mut v4: bool = ((33_u32 < 4294967295_u32) <= a_bool);
    v4 = true;
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_i64[((a_usize + 2_usize) % 12_usize)] as i32);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random8(a_u32: u32, x_f64: &[f64], a_usize: usize, y_f64: &mut [f64], a_u64: u64, x_u32: &[u32], y_f32: &mut [f32], y_u32: &mut [u32]) {
    let mut v0: u32 = a_u32;
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (false == false)) {
        v1 = (v1 + 1_u32);
        let mut v2: f64 = group_min((-x_f64[((7_usize << a_usize) % 12_usize)]));
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && false) {
            v3 = (v3 + 1_u32);
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (64_usize.rem_euclid(0_usize) as f64).round();
            v0 = ((if (i32::MIN != (-1_i32)) { (v3 >> a_u64) } else { v3 }) | x_u32[1_usize]);
            if ((33_u64 < 1_u64) != (v0 < v3)) {
                continue;
            }
        }
    }
    barrier();
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 1000000000.0_f32;
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((false ^ true) && (31_usize <= lid(0))) { (f32::NAN as u32) } else { (if (2_usize < lid(0)) { 13_u32.count_ones() } else { (0_u64 as u32) }) });
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random9(a_u64: u64, x_u32: &[u32], y_f64: &mut [f64], a_u32: u32, total_i64: &mut [i64], x_i64: &[i64], x_u64: &[u64], a_bool: bool, a_usize: usize, a_i32: i32, y_i64: &mut [i64], a_i64: i64) {
    shared!(tile_0: [u64; 64]);
    barrier();
    tile_0[lid(0)] = (0_u64 + 0_u64.div_euclid(a_u64));
    barrier();
    let mut own_1 = [x_u32[3_usize]; 4];
    for v0 in 1_u32..((0_u64 as u32) % 4_u32) {
        if ((v0 < v0) > (v0 <= v0)) {
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)];
            own_1[1_usize] = ((0_u32 / a_u32) + v0);
        } else {
            atomic_max(&mut total_i64[((lid(0) & 63_usize) % 5_usize)], x_i64[((if false { lid(0) } else { 1_usize }) % 12_usize)]);
        }
        barrier();
        for v1 in group_range((x_u64.len() % 40_usize)) {
            if a_bool {
                continue;
            }
        }
    }
    if ((false && false) || ((-1_i32) > 0_i32)) {
        if (33_u32 < a_u32) {
            own_1[(x_i64.len() % 4_usize)] = own_1[((1_i64 as usize) % 4_usize)];
            own_1[3_usize] = (4294967295_u32 / 2_u32).count_ones();
            let mut v2: u64 = ((0_u64 * a_u64) - (33_u64 - 2_u64));
        }
        let mut v3: u64 = (68_u64 as u64);
    }
    barrier();
    if ((a_usize <= 40_usize) == (0.1_f64 > 1000000000.0_f64)) {
        atomic_max(&mut total_i64[((1_u64 as usize) % 5_usize)], x_i64[((1_usize & 32_usize) % 12_usize)]);
        let mut v4: i32 = (-(1_i32 - a_i32));
        let mut v5: usize = grp(0);
    }
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_i64;
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random10(y_f64: &mut [f64], x_u64: &[u64], y_f32: &mut [f32], a_bool: bool, x_f32: &[f32]) {
    let mut v0: f32 = ((0.1_f32 - 0.1_f32) * ((-2.75_f32) + 1e-40_f32));
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] % 3e38_f64).round_ties_even();
    for v1 in group_range(((40_usize / grp(1)) % 40_usize)) {
        if (x_u64.len() <= lid(0)) {
            break;
        }
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-2.75_f32);
        if ((1_u64 > 1_u64) && (false || a_bool)) {
            continue;
        }
    }
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_f32[((64_usize + 31_usize) % 12_usize)] * ((true as u32 as f32) % v0));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random11(x_i32: &[i32], x_u32: &[u32], a_usize: usize, y_u64: &mut [u64], x_u64: &[u64], x_f32: &[f32], total_u64: &mut [u64], a_bool: bool, x_i64: &[i64], a_i64: i64, y_f64: &mut [f64], a_i32: i32, a_u64: u64, y_u32: &mut [u32], a_u32: u32, total_i32: &mut [i32], x_f64: &[f64]) {
    shared!(tile_0: [i32; 8]);
    shared!(tile_1: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_i32[(2_usize % 12_usize)];
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = x_u32[((a_usize % 2_usize) % 12_usize)].rem_euclid(x_u32[63_usize.min(lid(1))]);
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true ^ false)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (false && false)) {
            v1 = (v1 + 1_u32);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u64[(x_f32.len() % 12_usize)];
        }
        let mut v2: usize = (if true { 63_usize } else { grp(0) }).rem_euclid(a_usize.rem_euclid(lid(1)));
    }
    if ((false > false) ^ true) {
        atomic_max(&mut total_u64[((7_usize * a_usize) % 5_usize)], (65_u64 - 2_u64));
        for v3 in 0_usize..(grp(0) % 4_usize) {
            let mut v4: i64 = (if (a_bool && false) { (if false { (-1_i64) } else { 33_i64 }) } else { x_i64[(v3 % 12_usize)] });
        }
    } else {
        barrier();
    }
    let mut v5: bool = ((a_i64 ^ (-1_i64)) != (a_i64 + 0_i64));
    for v6 in group_range(((40_usize + 31_usize) % 40_usize)) {
        atomic_max(&mut total_u64[((if false { v6 } else { 63_usize }) % 5_usize)], (33_u64 ^ (0_u64 / 2_u64)));
    }
    for v7 in 1_u32..(tile_1[0_usize] % 4_u32) {
        for v8 in group_range(((a_usize % 2_usize) % 40_usize)) {
            atomic_max(&mut total_u64[0_usize], 0_u64);
            let mut v9: bool = ((-0.0_f64) >= y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)]);
        }
        for v10 in (-2_i32)..((a_i32 / 34_i32) % 4_i32) {
            barrier();
            tile_1[((lid(1) * 4_usize) + lid(0))] = (x_u32[(x_f32.len() % 12_usize)] - (!v7));
            barrier();
        }
        if ((a_u64 as i32) >= 33_i32.rem_euclid(2_i32)) {
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((1_u32 >> grp(0)) * (v7 * v7)) * (if (i32::MIN == 2147483647_i32) { (a_u32 % v7) } else { (!4294967295_u32) }));
            atomic_or(&mut total_i32[(2_usize % 5_usize)], ((a_i32 % i32::MIN) as i32));
        } else {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f64[(if v5 { lid(0) } else { a_usize })];
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f64[((if false { a_usize } else { 1_usize }) % 12_usize)];
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u32[7_usize] / (0.0_f64 as u32));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random12(a_bool: bool, a_i64: i64, x_i32: &[i32], y_u64: &mut [u64], y_i64: &mut [i64], x_i64: &[i64], y_f64: &mut [f64], x_f64: &[f64], y_f32: &mut [f32], x_f32: &[f32], x_u32: &[u32], a_f32: f32, y_u32: &mut [u32]) {
    barrier();
    let mut v0: i32 = group_sum((!1_i32));
    if a_bool {
        let mut v1: i64 = group_min(((2_i64 * 0_i64) % (a_i64 / 2_i64)));
        let mut v2: usize = ((0_usize | grp(1)) + x_i32.len());
    } else {
        if ((0.5_f64 >= 3e38_f64) > a_bool) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (1_u64 * 0_u64);
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_i64[6_usize] ^ ((0_i64 * a_i64) | x_i64[5_usize]));
        } else {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f64[8_usize];
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f32[(x_u32.len() % 12_usize)];
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (a_f32 / 0.1_f32).round();
        }
        for v3 in group_range((3_usize % 40_usize)) {
            if ((-1.0_f32) <= x_f32[2_usize]) {
                continue;
            }
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((3e38_f32 % 1e-40_f32) + (1.0_f32 * (-2.75_f32))) as u32);
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random13(y_f32: &mut [f32], a_bool: bool, a_f32: f32, y_u32: &mut [u32], a_i64: i64, x_i64: &[i64], total_u32: &mut [u32], x_f64: &[f64], a_usize: usize, total_i64: &mut [i64], y_f64: &mut [f64]) {
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(if a_bool { (43_i32 as f32) } else { a_f32 }));
    for v0 in group_range(((1_usize - grp(0)) % 40_usize)) {
        y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((a_i64 * 9223372036854775807_i64) % x_i64[((58_u64 as usize) % 12_usize)]).count_ones();
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = a_f32;
    }
    atomic_or(&mut total_u32[(x_f64.len() % 5_usize)], ((2_u32 / 0_u32) / a_usize.leading_zeros()));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (true == a_bool)) {
        v1 = (v1 + 1_u32);
        y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((65_u64 % 33_u64) as u32) - (1_u32 / v1).saturating_sub((v1 + v1)));
        atomic_xor(&mut total_i64[1_usize], ((-a_i64) ^ (-1_i64)));
        for v2 in 0_usize..((33_u64 as usize) % 4_usize) {
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-(-1.0_f32)) / (-(-1.0_f32))) / ((a_bool as u32) as f32));
        }
    }
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 0.5_f64;
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random14(a_i32: i32, y_f64: &mut [f64], a_bool: bool, x_f64: &[f64], x_f32: &[f32], a_usize: usize, total_i32: &mut [i32], x_i32: &[i32], total_u64: &mut [u64], a_u64: u64, y_i32: &mut [i32], a_f64: f64, x_u64: &[u64], total_i64: &mut [i64], y_u64: &mut [u64], x_u32: &[u32], x_i64: &[i64], a_i64: i64, y_i64: &mut [i64], y_u32: &mut [u32], a_u32: u32) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = a_i32;
    barrier();
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if a_bool { 0.1_f64.min(x_f64[(x_f32.len() % 12_usize)]) } else { ((1.0_f64 / 1e-40_f64) / (33_u64 as f64)) });
    if ((18446744073709551615_u64 == 66_u64) || (true ^ true)) {
        for v0 in (-2_i32)..(tile_0[(a_usize % 8_usize)] % 4_i32) {
            atomic_max(&mut total_i32[2_usize], (tile_0[3_usize] / (if a_bool { a_i32 } else { i32::MIN })));
            for v1 in group_range((x_i32.len() % 40_usize)) {
                atomic_or(&mut total_u64[(v1 % 5_usize)], (if (false <= true) { (26_u64 / a_u64) } else { (if false { 0_u64 } else { a_u64 }) }));
                if a_bool {
                    break;
                }
                let mut v2: u32 = ((v0 as u32) % (if false { 0_u32 } else { 26_u32 }));
            }
        }
        y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (((if true { (-1.0_f64) } else { 0.1_f64 }) * a_f64) as i32);
    }
    if ((0.5_f64 - 1e-40_f64) >= 0.0_f64) {
        let mut v3: f64 = (if (42_u32 < 33_u32) { (1e-40_f64 * 0.5_f64) } else { (f64::INFINITY / a_f64) });
        if (x_f64.len() < x_u64.len()) {
            atomic_xor(&mut total_i64[4_usize], (if (true && false) { (if true { i64::MIN } else { 1_i64 }) } else { (i64::MIN >> 1_usize) }));
            let mut v4: u64 = ((0_u64 | a_u64) ^ (a_i32 as u64));
        } else {
            atomic_or(&mut total_u64[(a_usize.rem_euclid(64_usize) % 5_usize)], 2_u64);
        }
        v3 = (((-(-0.0_f64)) * v3) - (-a_f64.copysign((-1.0_f64))));
    } else {
        y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((2_i32 < 33_i32) || (false ^ false)) { x_u64[7_usize] } else { ((0_u64 & 18446744073709551615_u64) % (i64::MIN as u64)) });
        if ((false ^ a_bool) == a_bool) {
            let mut v5: u32 = x_u32[((a_usize + a_usize) % 12_usize)];
            v5 = x_u32[5_usize];
        } else {
            atomic_max(&mut total_i32[3_usize], (33_i32.abs() - (2147483647_i32 / 69_i32)));
            let mut v6: f64 = (f64::INFINITY / (a_f64 - f64::NAN));
            atomic_xor(&mut total_i64[a_usize.max(64_usize)], (x_i64[9_usize] + (if true { a_i64 } else { i64::MIN })));
        }
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_i64[((if false { 2_usize } else { lid(2) }) % 12_usize)];
    }
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((!a_u32) + (a_u32 - 0_u32)) ^ 0_u32);
}

#[kernel(device = cpu, domain = 37)]
fn random15(a_f32: f32, y_u64: &mut [u64], x_u64: &[u64], a_u64: u64, x_u32: &[u32], a_f64: f64, x_f64: &[f64], y_u32: &mut [u32], a_usize: usize) {
    let mut own_0 = [(if true { 0.5_f32 } else { a_f32 }); 4];
    let mut own_1 = [0.5_f32; 4];
    y_u64[((gid(0) * 2_usize) + 0_usize)] = ((x_u64[(7_usize % 12_usize)] << 0_usize) * (a_u64 << (2_i32 / 2_i32)));
    own_1[(x_u32.len() % 4_usize)] = (f32::NAN + (f32::INFINITY / f32::INFINITY));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && true) {
        v0 = (v0 + 1_u32);
        let mut v1: f64 = ((a_f64 % 1e-40_f64) * x_f64[4_usize]);
    }
    y_u32[((gid(0) * 2_usize) + 0_usize)] = x_u32[((a_usize / 1_usize) % 12_usize)];
    y_u64[((gid(0) * 2_usize) + 1_usize)] = 18446744073709551615_u64;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random16(a_u64: u64, y_i64: &mut [i64], x_i64: &[i64], y_i32: &mut [i32], x_f32: &[f32], y_f32: &mut [f32], a_bool: bool, y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_0: [f32; 16]);
    shared!(tile_1: [usize; 16]);
    barrier();
    tile_0[lid(0)] = (((-2.75_f32) * 0.5_f32) % 1e-40_f32);
    barrier();
    barrier();
    tile_1[lid(0)] = ((0_usize & grp(0)) << 67_u64.max(33_u64));
    barrier();
    barrier();
    tile_0[lid(0)] = ((1_u64 < a_u64) as u32 as f32);
    barrier();
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i64[(grp(0) % 12_usize)] - i64::MIN);
    barrier();
    if ((!2147483647_i32) < (-i32::MIN)) {
        for v0 in (-2_i32)..((17_i32 as i32) % 4_i32) {
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((-(a_u64 as i32)) / (if ((-1_i64) >= 9223372036854775807_i64) { (v0 - (-1_i32)) } else { (v0 + v0) }));
            let mut v1: f32 = tile_0[(x_f32.len() % 16_usize)].rem_euclid(1e-40_f32);
            y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((v1 + v1) + v1) / (if (true ^ true) { v1 } else { (if a_bool { f32::NAN } else { v1 }) }));
        }
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (9223372036854775807_i64.rem_euclid(2_i64).saturating_add(1_i64.saturating_add(9223372036854775807_i64)) / (if (a_u64 >= 14_u64) { (lid(0) as i64) } else { (33_i64 & 0_i64) }));
        for v2 in 1_u32..(y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] % 4_u32) {
            y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u32[3_usize].saturating_sub(y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)]) ^ (if (a_bool || true) { (if false { v2 } else { v2 }) } else { (f64::NAN as u32) }));
        }
    }
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[(lid(0) % 12_usize)];
}

#[kernel(device = cpu, domain = (3, 5))]
fn random17(a_i64: i64, total_i32: &mut [i32], a_usize: usize, x_i32: &[i32], x_u64: &[u64], x_i64: &[i64], y_i64: &mut [i64]) {
    let mut own_0 = [(1_i32 + 25_i32); 4];
    let mut own_1 = [((-0.0_f32) + (-1.0_f32)); 4];
    let mut v0: i64 = ((-1_i64) << 5_usize).min((0_i64 * a_i64));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && true) {
        v1 = (v1 + 1_u32);
        atomic_and(&mut total_i32[((gid(1) | a_usize) % 5_usize)], ((2_i32 << 2_i32) / x_i32[(x_u64.len() % 12_usize)]));
    }
    v0 = x_i64[7_usize];
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 1_i64.signum();
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random18(a_u64: u64, a_i32: i32, x_f32: &[f32], a_f32: f32, y_i32: &mut [i32], x_i32: &[i32], y_f32: &mut [f32]) {
    let mut v0: u32 = ((if true { 33_u32 } else { 0_u32 }) + (if true { 0_u32 } else { 0_u32 }));
    for v1 in group_range(((grp(0) * 1_usize) % 40_usize)) {
        let mut v2: u64 = (if ((-1_i32) == 33_i32) { (!0_u64) } else { a_u64 });
        let mut v3: u64 = (0_u64 - a_u64).rem_euclid(a_u64);
        let mut v4: i32 = (if (2_u32 < 33_u32) { a_i32 } else { (!1_i32) });
    }
    for v5 in group_range((x_f32.len() % 40_usize)) {
        let mut v6: f32 = (((-2.75_f32) + a_f32) + (a_f32 as f32));
        y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i32[((v5 - v5) % 12_usize)];
        v6 = 0.1_f32;
    }
    barrier();
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_f32[7_usize] % (-0.1_f32)) % ((33_i64 as i64) as f32));
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random19(x_i32: &[i32], y_f64: &mut [f64], x_f64: &[f64], y_u64: &mut [u64], x_u32: &[u32], a_i64: i64, y_f32: &mut [f32], a_bool: bool, a_u64: u64, x_f32: &[f32], a_usize: usize, x_u64: &[u64]) {
    for v0 in (-2_i32)..(x_i32[3_usize] % 4_i32) {
        barrier();
        if ((true || true) ^ (false && true)) {
            y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f64[(2_usize % 12_usize)];
        } else {
            y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if ((26_u32 / 0_u32) == x_u32[1_usize]) { ((33_u64 | 0_u64) << x_i32[((40_usize ^ lid(1)) % 12_usize)]) } else { ((a_i64 as u64) % (33_u64 + 0_u64)) });
            y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = 0.0_f64;
        }
        if (0_u64 > (!33_u64)) {
            y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (f32::INFINITY * (0.0_f32 + 1000000000.0_f32)).div_euclid((if (a_bool ^ true) { (0.1_f32 % 1.0_f32) } else { 1000000000.0_f32.mul_add(0.1_f32, (-2.75_f32)) }));
            let mut v1: u64 = 0_u64.clamp(0_u64, 0_u64).clamp(3e38_f64.to_bits(), a_u64.max(1_u64));
            y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_f32[(a_usize.clamp(1_usize, grp(0)) % 12_usize)];
        }
    }
    barrier();
    let mut v2: f64 = x_f64[2_usize].signum();
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u64[(x_f32.len() % 12_usize)] - (0_u64 & 0_u64).saturating_sub(x_u64[(grp(0) % 12_usize)]));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random20(a_usize: usize, a_f32: f32, a_bool: bool, x_u32: &[u32], x_f32: &[f32], y_u32: &mut [u32], a_i32: i32, total_u32: &mut [u32], a_u32: u32, y_u64: &mut [u64], y_i64: &mut [i64]) {
    shared!(tile_0: [u32; 1]);
    barrier();
    tile_0[lid(0)] = ((30_i32 as u32) >> (if false { a_usize } else { 31_usize }));
    barrier();
    let mut own_1 = [a_f32; 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && a_bool) {
        v0 = (v0 + 1_u32);
        own_1[(x_u32.len() % 4_usize)] = x_f32[((7_usize & grp(0)) % 12_usize)];
        own_1[(31_usize % 4_usize)] = (a_f32 % (-0.0_f32)).ceil();
    }
    if (a_f32 < (f32::NAN / 0.0_f32)) {
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (grp(0) >= a_usize)) {
            v1 = (v1 + 1_u32);
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (a_f32 / ((-0.0_f32) / 0.5_f32)).to_bits();
            if ((1_usize <= 1_usize) ^ (a_i32 >= 0_i32)) {
                break;
            }
            own_1[(lid(0) % 4_usize)] = (i32::MIN as f32);
        }
    }
    if (true || (a_usize < 4_usize)) {
        let mut v2: usize = (a_usize << (-2147483647_i32));
        atomic_xor(&mut total_u32[0_usize], ((0_u32 ^ a_u32) + (23_u32 / 4294967295_u32)));
    } else {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 18446744073709551615_u64;
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((33_u32 as i64) % (33_i64 / 33_i64));
}

#[kernel(device = cpu, domain = 37)]
fn random21(a_u64: u64, x_i32: &[i32], x_u64: &[u64], a_usize: usize, total_i64: &mut [i64], a_i64: i64, y_u64: &mut [u64], y_i32: &mut [i32]) {
    let mut own_0 = [(2_i32 % i32::MIN); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true && true)) {
        v0 = (v0 + 1_u32);
        if ((if false { 0_u64 } else { 0_u64 }) != (if false { 0_u64 } else { a_u64 })) {
            let mut v1: f64 = (0.5_f64 + (if false { (-0.0_f64) } else { 0.1_f64 }));
        }
        for v2 in (-2_i32)..((2147483647_i32 / i32::MIN) % 4_i32) {
            let mut v3: i32 = (if (69_i64 <= 47_i64) { x_i32[2_usize] } else { (if false { v2 } else { v2 }) });
            if true {
                continue;
            }
            if (x_u64.len() <= (a_usize / 32_usize)) {
                break;
            }
        }
        atomic_or(&mut total_i64[((gid(0) + 40_usize) % 5_usize)], a_i64);
    }
    if (1_u32 <= 33_u32.min(0_u32)) {
        let mut v4: usize = ((37_usize & 64_usize) as usize);
        for v5 in 0_usize..((v4 / v4) % 4_usize) {
            if ((6_i32 * 0_i32) < (0_u64 as i32)) {
                continue;
            }
            if true {
                break;
            }
        }
    }
    for v6 in (-2_i32)..(own_0[1_usize] % 4_i32) {
        own_0[((gid(0) * a_usize) % 4_usize)] = ((-v6) << (a_u64 >> 31_usize));
        for v7 in 1_u32..((!4294967295_u32) % 4_u32) {
            y_u64[((gid(0) * 2_usize) + 1_usize)] = 0_u64;
            own_0[((if true { 64_usize } else { a_usize }) % 4_usize)] = x_i32[(gid(0) % 12_usize)];
        }
    }
    let mut v8: u64 = x_u64[8_usize];
    y_i32[((gid(0) * 2_usize) + 1_usize)] = (own_0[(a_usize.min(3_usize) % 4_usize)] % ((3e38_f32 == 1e-40_f32) as i32));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random22(a_bool: bool, y_u32: &mut [u32], a_u64: u64, total_u64: &mut [u64], a_usize: usize, y_f64: &mut [f64], y_f32: &mut [f32], y_u64: &mut [u64]) {
    shared!(tile_0: [u64; 16]);
    shared!(tile_1: [i32; 16]);
    barrier();
    tile_0[lid(0)] = (!(lid(0) as u64));
    barrier();
    barrier();
    tile_1[lid(0)] = 0_i32;
    barrier();
    if a_bool {
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((i32::MIN.trailing_zeros() % (0_i64 as u32)) % (2_u32 * (52_u32 << a_u64)));
    } else {
        let mut v0: bool = true;
        atomic_or(&mut total_u64[((lid(0) - a_usize) % 5_usize)], ((1_u64 + 1_u64) + tile_0[((grp(0) + 40_usize) % 16_usize)]));
        let mut v1: f64 = (y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] - (-0.0_f64));
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (f32::INFINITY.recip() * (3e38_f32 / (1000000000.0_f32 / (-1.0_f32))));
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((33_i32 + 33_i32) <= (3e38_f32 as i32)) as u64);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random23(a_usize: usize, a_i32: i32, x_f64: &[f64], total_u64: &mut [u64], y_u64: &mut [u64], a_u64: u64, y_u32: &mut [u32], y_f32: &mut [f32], a_f32: f32, x_f32: &[f32], a_i64: i64, y_i64: &mut [i64], x_i64: &[i64], x_u32: &[u32]) {
    let mut own_0 = [lid(1).clamp(a_usize, 31_usize); 4];
    if ((9223372036854775807_i64 >= 31_i64) ^ (2_i32 > a_i32)) {
        for v0 in group_range((((-0.0_f64) as usize) % 40_usize)) {
            own_0[(v0.clamp(grp(1), v0) % 4_usize)] = ((-a_i32) as usize);
            own_0[((0_i64 as usize) % 4_usize)] = (v0 + v0).saturating_add(x_f64.len());
        }
    } else {
        if ((true <= true) ^ (34_u32 != 60_u32)) {
            atomic_and(&mut total_u64[(3_usize % 5_usize)], (33_u32 as u64));
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((0_u64.clamp(a_u64, 0_u64) | 0_u64.rem_euclid(2_u64)) / ((-0.0_f64).to_bits() - (0_u64 ^ 0_u64)));
        } else {
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)];
        }
    }
    own_0[((grp(0) / a_usize) % 4_usize)] = a_usize;
    y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_f32 % (-1e-40_f32));
    if ((-(-2.75_f32)) >= x_f32[((lid(0) / 31_usize) % 12_usize)]) {
        atomic_and(&mut total_u64[((!7_usize) % 5_usize)], (((-1_i32) % i32::MIN) as u64));
    } else {
        if ((a_i64 != 33_i64) ^ (false && false)) {
            own_0[((if true { 2_usize } else { lid(1) }) % 4_usize)] = (9223372036854775807_i64 as usize);
            let mut v1: usize = (!3_usize);
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (v1 as i64).clamp((a_i64 + x_i64[v1]), a_i64);
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u32.len() as u32);
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random24(a_i32: i32, x_i32: &[i32], a_usize: usize, a_u32: u32, total_i32: &mut [i32], a_f64: f64, y_i32: &mut [i32], a_f32: f32, y_i64: &mut [i64]) {
    let mut v0: i32 = ((a_i32 * 2_i32) | x_i32[((grp(0) % a_usize) % 12_usize)]);
    for v1 in 1_u32..((!a_u32) % 4_u32) {
        atomic_xor(&mut total_i32[((if true { 1_usize } else { 31_usize }) % 5_usize)], ((1_i32 % 2147483647_i32) / a_i32));
        if (((-1.0_f64) >= a_f64) >= (v1 >= a_u32)) {
            if ((0.0_f64 <= 1.0_f64) || (false || true)) {
                continue;
            }
            v0 = (v0 % y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)]).signum();
            if (a_f32 < (1.0_f32 + f32::NAN)) {
                continue;
            }
        } else {
            v0 = (i32::MIN + (-v0.signum()));
        }
        if ((18446744073709551615_u64 as i32) <= v0.clamp(v0, v0)) {
            break;
        }
    }
    let mut v2: u32 = group_sum((if (0.0_f64 > 0.0_f64) { 11_u32.rem_euclid(0_u32) } else { (if true { 0_u32 } else { 0_u32 }) }));
    barrier();
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((31_i64 == 0_i64) as i64);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random25(a_u64: u64, a_f64: f64, y_i32: &mut [i32], y_u32: &mut [u32], y_f32: &mut [f32], x_u32: &[u32], total_i64: &mut [i64], x_i64: &[i64], y_i64: &mut [i64]) {
    shared!(tile_0: [u64; 8]);
    shared!(tile_1: [f64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = a_u64;
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = (if (false || true) { a_f64 } else { ((-0.0_f64) % 1000000000.0_f64) });
    barrier();
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (33_i32 | ((20_i32 * (-1_i32)) & (33_u64 as i32)));
    barrier();
    if ((a_u64 / 0_u64) > (0_u64 % 0_u64)) {
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 1_u32;
    } else {
        let mut v0: i32 = 33_i32;
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (v0 as f32);
        for v1 in 1_u32..(x_u32[4_usize] % 4_u32) {
            if false {
                continue;
            }
            let mut v2: u32 = (!v1);
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && false) {
        v3 = (v3 + 1_u32);
        if (true && (65_i64 == 33_i64)) {
            atomic_xor(&mut total_i64[2_usize], (18446744073709551615_u64 as i64).max(x_i64[9_usize]));
        } else {
            let mut v4: u64 = 18446744073709551615_u64;
            v4 = (tile_0[7_usize] & 0_u64);
        }
    }
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = (if (1e-40_f32 == (-2.75_f32)) { (0.0_f64 % 0.5_f64) } else { 0.5_f64 });
    barrier();
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(-1_i64).rem_euclid((if false { (-1_i64) } else { (-1_i64) })));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random26(x_u64: &[u64], x_i32: &[i32], a_usize: usize, x_f32: &[f32], total_i64: &mut [i64], x_i64: &[i64], y_i64: &mut [i64], x_f64: &[f64], a_f64: f64, a_bool: bool, y_u32: &mut [u32], x_u32: &[u32]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && true) {
        v0 = (v0 + 1_u32);
        let mut v1: u64 = group_max((x_u64[(x_i32.len() % 12_usize)] ^ x_u64[((9223372036854775807_i64 as usize) % 12_usize)]));
        let mut v2: i32 = (-(2_i32 << a_usize));
        for v3 in group_range((x_f32.len() % 40_usize)) {
            atomic_and(&mut total_i64[((v3 * v3) % 5_usize)], x_i64[((0_u64 as usize) % 12_usize)].max(y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)]));
            let mut v4: f64 = x_f64[3_usize].copysign((a_f64 + (-2.75_f64)));
            v2 = (if ((!39_u64) <= v1) { (x_i32[((2_usize & 3_usize) % 12_usize)] as i32) } else { ((-(-0.0_f32)) as i32) });
        }
    }
    for v5 in 0_usize..((grp(1) + a_usize) % 4_usize) {
        if ((true as u32) <= 33_u32) {
            break;
        }
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-(-1_i64)) & (-(-33_i64)));
    }
    let mut v6: bool = ((-2.75_f32).signum() < (-(-2.75_f32)));
    let mut v7: bool = (a_bool || (1_i32 >= 33_i32));
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (46_u32 * ((i64::MIN as u32) / x_u32[(lid(1) % 12_usize)]));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random27(x_i64: &[i64], y_i64: &mut [i64], a_i64: i64, a_bool: bool, x_i32: &[i32], a_usize: usize, total_i64: &mut [i64], y_f32: &mut [f32], a_f32: f32) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = x_i64.len();
    barrier();
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] | (y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] - (-a_i64)));
    if ((false >= false) ^ (grp(0) <= lid(0))) {
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (true ^ a_bool)) {
            v0 = (v0 + 1_u32);
            let mut v1: i32 = (33_i32 ^ 2_i32).saturating_sub(x_i32[((a_usize - 2_usize) % 12_usize)]);
        }
        atomic_and(&mut total_i64[2_usize], 9223372036854775807_i64);
    } else {
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (a_bool || false)) {
            v2 = (v2 + 1_u32);
            let mut v3: i64 = ((if false { a_i64 } else { 58_i64 }) / x_i64[(31_usize % 12_usize)]);
        }
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((f32::NAN + a_f32.signum()) / (((-1.0_f32) != 0.1_f32) as u32 as f32));
}

#[kernel(device = cpu, domain = 37)]
fn random28(total_u64: &mut [u64], x_u64: &[u64], a_u64: u64, a_i32: i32, y_i32: &mut [i32], y_f64: &mut [f64], x_f64: &[f64], a_f64: f64, y_u64: &mut [u64], y_i64: &mut [i64], y_f32: &mut [f32], total_i32: &mut [i32], x_u32: &[u32], a_f32: f32, a_i64: i64, a_usize: usize, x_i32: &[i32], x_f32: &[f32], total_i64: &mut [i64]) {
    let mut own_0 = [((-1.0_f32) * 1.0_f32); 4];
    atomic_min(&mut total_u64[1_usize], (x_u64[((31_usize / 37_usize) % 12_usize)] * a_u64.max(18446744073709551615_u64)));
    if (true && (a_i32 >= 59_i32)) {
        if (y_i32[((gid(0) * 2_usize) + 1_usize)] >= a_i32.abs()) {
            y_f64[((gid(0) * 2_usize) + 0_usize)] = (if (x_f64[(x_f64.len() % 12_usize)] >= (f64::NAN * 1e-40_f64)) { ((a_f64 + 3e38_f64) * (a_f64 / 3e38_f64)) } else { y_f64[((gid(0) * 2_usize) + 0_usize)] });
            y_u64[((gid(0) * 2_usize) + 1_usize)] = 2_u64;
        } else {
            y_i64[((gid(0) * 2_usize) + 1_usize)] = (((36_i64 - 9223372036854775807_i64) * i64::MIN.saturating_add(33_i64)) + ((i64::MIN * 1_i64) >> (2_u64 % 40_u64)));
            y_f32[((gid(0) * 2_usize) + 0_usize)] = y_f32[((gid(0) * 2_usize) + 0_usize)].signum();
        }
        for v0 in (-2_i32)..(33_i32.signum() % 4_i32) {
            own_0[1_usize] = f32::INFINITY;
            atomic_add(&mut total_i32[(x_u32.len() % 5_usize)], ((v0 % 2147483647_i32) | v0));
            own_0[1_usize] = a_f32;
        }
        let mut v1: i64 = (a_i64 >> (gid(0) + a_usize));
    } else {
        let mut v2: u64 = x_u64[(32_usize % 12_usize)];
    }
    if ((!a_i32) > x_i32[63_usize.saturating_sub(gid(0))]) {
        y_i32[((gid(0) * 2_usize) + 0_usize)] = (((true as i32) - 33_i32) % (if (false && true) { 2_i32 } else { (a_i32 % 0_i32) }));
        let mut v3: bool = true;
    }
    for v4 in 1_u32..((1_u32 ^ 33_u32) % 4_u32) {
        y_i32[((gid(0) * 2_usize) + 1_usize)] = y_i32[((gid(0) * 2_usize) + 1_usize)].max((-(0_i32 << 40_usize)));
        if ((a_f32 >= 0.0_f32) || true) {
            let mut v5: f64 = ((0.1_f64 % (-1.0_f64)) * x_f64[((true as usize) % 12_usize)]);
            let mut v6: i32 = ((if true { 3_i32 } else { (-1_i32) }) + (57_i32 as i32));
            own_0[(x_f32.len() % 4_usize)] = f32::INFINITY;
        } else {
            y_u64[((gid(0) * 2_usize) + 1_usize)] = (((0_u64 - 33_u64) & 1_u64) * (1_u64 & (33_u64 - 1_u64)));
            atomic_and(&mut total_i64[(a_usize % 5_usize)], a_i64);
            if false {
                break;
            }
        }
    }
    y_f64[((gid(0) * 2_usize) + 0_usize)] = ((if false { (if false { 3e38_f64 } else { f64::INFINITY }) } else { 1e-40_f64 }) / (-1.0_f64));
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random29(a_bool: bool, x_f32: &[f32], y_i64: &mut [i64], x_i64: &[i64], y_u64: &mut [u64], x_u64: &[u64]) {
    shared!(tile_0: [f64; 8]);
    shared!(tile_1: [f32; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = ((-1000000000.0_f64) % (-1e-40_f64));
    barrier();
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (if (false >= a_bool) { x_f32[(0_u64 as usize)] } else { 3e38_f32.ceil() });
    barrier();
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_i64[((if true { 2_usize } else { lid(1) }) % 12_usize)] ^ 9223372036854775807_i64);
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(((-1_i64) / 0_i64) % (1_i64 & (-1_i64))));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true != false)) {
        v0 = (v0 + 1_u32);
        if a_bool {
            break;
        }
    }
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (if (i64::MIN.max(0_i64) != (!0_i64)) { (x_u64[((if false { 1_usize } else { 63_usize }) % 12_usize)] * (!64_u64)) } else { x_u64[2_usize] });
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random30(a_bool: bool, y_u64: &mut [u64], x_u64: &[u64], y_i32: &mut [i32], total_i64: &mut [i64], a_usize: usize, x_i32: &[i32], y_i64: &mut [i64], x_i64: &[i64], y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = 33_i32;
    barrier();
    if (false && (a_bool == false)) {
        if ((0_u64 != 0_u64) ^ true) {
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if true { 33_u64 } else { x_u64[8_usize] }) % x_u64[8_usize]);
        } else {
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 1_i32;
        }
        atomic_and(&mut total_i64[((a_usize ^ a_usize) % 5_usize)], (-(if true { 15_i64 } else { (-1_i64) })));
        barrier();
    } else {
        barrier();
        tile_0[lid(0)] = x_i32[(2_usize % 12_usize)];
        barrier();
        for v0 in 1_u32..((0_u32 + 2_u32) % 4_u32) {
            let mut v1: u32 = ((v0 & 1_u32) - 2_u32);
        }
    }
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && false) {
        v2 = (v2 + 1_u32);
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[((!64_usize) % 12_usize)];
    }
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[((if false { 2_usize } else { 0_usize }) % 12_usize)];
}

#[kernel(device = cpu, domain = 37)]
fn random31(x_u64: &[u64], a_i32: i32, y_i32: &mut [i32], x_i32: &[i32], a_usize: usize, y_f64: &mut [f64]) {
    let mut v0: u64 = x_u64[x_u64.len()];
    for v1 in (-2_i32)..(a_i32 % 4_i32) {
        for v2 in (-2_i32)..((-v1) % 4_i32) {
            if ((false as u32 as f32) != (-0.0_f32)) {
                break;
            }
            y_i32[((gid(0) * 2_usize) + 1_usize)] = (((!v2) << i32::MIN) - x_i32[((a_usize + gid(0)) % 12_usize)]);
        }
    }
    y_f64[((gid(0) * 2_usize) + 1_usize)] = y_f64[((gid(0) * 2_usize) + 1_usize)];
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random32(a_bool: bool, y_u64: &mut [u64], a_u64: u64, a_i32: i32) {
    shared!(tile_0: [u32; 8]);
    shared!(tile_1: [f64; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = ((0_u32 / 2_u32) >> (if a_bool { 64_usize } else { 40_usize }));
    barrier();
    barrier();
    tile_1[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = 1e-40_f64;
    barrier();
    let mut v0: f64 = (0.1_f64 % f64::NAN.copysign((-1.0_f64)));
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (((1_u64 / 0_u64) - (if true { 2_u64 } else { a_u64 })) >> (-(if false { 65_i32 } else { a_i32 })));
    y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_u64;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random33(a_f64: f64, a_usize: usize, a_f32: f32, y_i32: &mut [i32], a_i64: i64, x_f32: &[f32], y_u32: &mut [u32], a_u32: u32, x_u32: &[u32]) {
    let mut own_0 = [a_f64.trunc(); 4];
    let mut own_1 = [a_usize; 4];
    for v0 in (-2_i32)..(0_i32 % 4_i32) {
        if ((0_i64 >= 68_i64) != false) {
            if (64_usize == (40_usize - gid(0))) {
                continue;
            }
            own_0[(0_usize % 4_usize)] = (a_usize as f64).mul_add(a_f64.mul_add(1000000000.0_f64, 1e-40_f64), (1e-40_f32 as f64));
        }
        let mut v1: bool = ((1000000000.0_f32 < 1000000000.0_f32) && (a_f32 <= 1e-40_f32));
    }
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (1_i32 * 1_i32).div_euclid((-(2147483647_i32 / (-1_i32))));
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (false >= true)) {
        v2 = (v2 + 1_u32);
        let mut v3: f64 = ((-a_i64) as f64);
        let mut v4: bool = (x_f32[6_usize] >= (1e-40_f32 - 1.0_f32));
    }
    own_1[0_usize] = a_usize;
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (if ((false && false) && (a_u32 != a_u32)) { (x_u32[((32_usize + gid(1)) % 12_usize)] / (a_u32 & 4294967295_u32)) } else { ((4294967295_u32 << 1_u64) * (0_u32 | 2_u32)) });
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random34(a_u64: u64, y_i64: &mut [i64], x_i64: &[i64], x_f32: &[f32], y_f64: &mut [f64], a_i32: i32, a_i64: i64) {
    shared!(tile_0: [u64; 64]);
    barrier();
    tile_0[lid(0)] = (a_u64 ^ a_u64);
    barrier();
    barrier();
    barrier();
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i64[x_f32.len()];
    barrier();
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if (a_i32 >= (-1_i32)) { (a_i64 - 2_i64) } else { (0_i64 / 2_i64) }) as f64);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random35(total_i32: &mut [i32], a_i32: i32, x_f32: &[f32], y_u64: &mut [u64], y_u32: &mut [u32]) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 33_i32.abs();
    barrier();
    atomic_add(&mut total_i32[2_usize], ((a_i32 * 59_i32) / 53_i32.div_euclid((-1_i32))));
    for v0 in (-2_i32)..((-(-1_i32)) % 4_i32) {
        let mut v1: f32 = x_f32[10_usize];
        y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 1_u64;
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 33_u32;
}

#[kernel(device = cpu, domain = 37)]
fn random36(total_u32: &mut [u32], a_usize: usize, a_u32: u32, a_bool: bool, y_u32: &mut [u32], a_f32: f32, x_u32: &[u32], total_u64: &mut [u64], y_i32: &mut [i32], x_i32: &[i32], x_i64: &[i64], y_i64: &mut [i64], y_f32: &mut [f32], x_f32: &[f32]) {
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (1_u64 >= 1_u64)) {
        v0 = (v0 + 1_u32);
        atomic_or(&mut total_u32[a_usize], (37_usize.count_ones() / (a_u32 / 0_u32)));
        if ((2_u32 == v0) ^ (true ^ false)) {
            if (a_bool && (1_u64 <= 49_u64)) {
                continue;
            }
            y_u32[((gid(0) * 2_usize) + 1_usize)] = ((1e-40_f32 * (-1.0_f32)).to_radians() as u32);
            let mut v1: f32 = ((0.1_f32 % 0.0_f32) - f32::NAN.round());
        }
        if ((if true { 2147483647_i32 } else { 0_i32 }) >= (i32::MIN - 0_i32)) {
            y_u32[((gid(0) * 2_usize) + 1_usize)] = (if ((gid(0) > a_usize) ^ ((-1_i64) > i64::MIN)) { (a_f32 + a_f32).to_bits() } else { ((0_u32 / v0) | x_u32[1_usize]) });
        } else {
            atomic_or(&mut total_u64[4_usize], ((33_u64 % 18446744073709551615_u64) - 0_u64));
        }
    }
    if ((1_usize > 63_usize) && (2_i32 > 33_i32)) {
        y_i32[((gid(0) * 2_usize) + 1_usize)] = x_i32[(x_i64.len() % 12_usize)];
    } else {
        let mut v2: f32 = (if (true || false) { a_f32 } else { (0.5_f32 + (-0.0_f32)) });
        if ((true || false) && (3e38_f64 == 1000000000.0_f64)) {
            v2 = (33_u32 as f32);
            let mut v3: f32 = ((2_i64 as f32) % (if true { (-1.0_f32) } else { v2 }));
            let mut v4: usize = (gid(0) * 32_usize);
        }
        let mut v5: i64 = 33_i64.saturating_sub((-1_i64));
    }
    let mut v6: u32 = 0_u32;
    while ((v6 < 3_u32) && (true != true)) {
        v6 = (v6 + 1_u32);
        y_i64[((gid(0) * 2_usize) + 0_usize)] = (x_i64[((32_usize ^ 32_usize) % 12_usize)] - i64::MIN.saturating_add((9223372036854775807_i64 % 9223372036854775807_i64)));
    }
    y_f32[((gid(0) * 2_usize) + 1_usize)] = x_f32[1_usize];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random37(a_u64: u64, y_f64: &mut [f64], a_i32: i32, total_i64: &mut [i64], y_u64: &mut [u64], x_u64: &[u64], x_i32: &[i32]) {
    shared!(tile_0: [u64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = ((a_u64 - 33_u64) - 43_u64);
    barrier();
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (((33_u64 ^ 0_u64) as f32) as f64);
    for v0 in group_range((2_usize % 40_usize)) {
        let mut v1: bool = (a_i32.div_euclid(1_i32) >= (33_i32 - 2_i32));
        v1 = (true || (30_u64.div_euclid(0_u64) < 0_u64.saturating_sub(0_u64)));
        atomic_max(&mut total_i64[1_usize], 9223372036854775807_i64);
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (if false { ((!1_u64) / x_u64[((2_usize + 32_usize) % 12_usize)]) } else { (x_i32[((!lid(0)) % 12_usize)] as u64) });
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random38(x_i64: &[i64], y_u64: &mut [u64], total_u32: &mut [u32], a_f64: f64, a_usize: usize, y_i64: &mut [i64], a_u64: u64, total_u64: &mut [u64], y_f64: &mut [f64]) {
    shared!(tile_0: [u64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (x_i64[((7_usize * 40_usize) % 12_usize)] as u64);
    barrier();
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = tile_0[((2_usize << 63_usize) % 8_usize)];
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((33_u64 * 2_u64) % 2_u64) << grp(1));
    atomic_or(&mut total_u32[((a_f64 as usize) % 5_usize)], (18446744073709551615_u64 - 2_u64).leading_zeros());
    if true {
        if (64_usize < (a_usize / 31_usize)) {
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 2_i64;
        }
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && (true || true)) {
            v0 = (v0 + 1_u32);
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_i64[(x_i64.len() % 12_usize)] * (2_i64 * (-1_i64))).rem_euclid((-(-i64::MIN)));
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((a_u64 * 0_u64) % (0_u64 * 33_u64)) * ((0_u64 + 0_u64) ^ 33_u64));
        }
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (2_u64 == 18446744073709551615_u64)) {
        v1 = (v1 + 1_u32);
        atomic_max(&mut total_u64[(2_usize + 63_usize)], ((0_u64 + a_u64) + (33_u64 * 0_u64)));
    }
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((1000000000.0_f64.max(1.0_f64) % (1e-40_f64 * 0.0_f64)) as f64);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random39(a_u32: u32, y_i64: &mut [i64], a_i64: i64, total_u32: &mut [u32], a_bool: bool, x_i64: &[i64]) {
    shared!(tile_0: [u32; 16]);
    barrier();
    tile_0[lid(0)] = a_u32;
    barrier();
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (if ((0_u32 * 2_u32) == (61_u32 * 0_u32)) { ((8_i64 * 9223372036854775807_i64) - (a_i64 - 9223372036854775807_i64)) } else { ((!2_i64) % (-1_i64)) });
    let mut v0: i64 = y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)];
    let mut v1: usize = (2_usize << (!38_u64));
    atomic_max(&mut total_u32[2_usize], (33_u32 * a_u32));
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((v0.abs() / (if a_bool { v0 } else { v0 })) + (x_i64[((0_u32 as usize) % 12_usize)] / (v0 - a_i64)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random40(y_u64: &mut [u64], x_u64: &[u64], x_i32: &[i32], a_usize: usize, y_f64: &mut [f64], a_f64: f64, x_f32: &[f32], x_u32: &[u32], a_u64: u64, a_i32: i32, total_i64: &mut [i64], y_i32: &mut [i32], x_f64: &[f64], a_bool: bool, y_i64: &mut [i64], a_u32: u32, y_u32: &mut [u32]) {
    barrier();
    if false {
        y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((0.0_f32 != 1.0_f32) && (0.5_f64 > 1000000000.0_f64)) { (x_u64[((1_u32 as usize) % 12_usize)] / (2_u64 & 18446744073709551615_u64)) } else { (33_u64 + 2_u64) });
        for v0 in (-2_i32)..(x_i32[((a_usize % 7_usize) % 12_usize)] % 4_i32) {
            y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = a_f64;
            let mut v1: f32 = x_f32[((lid(0) - 2_usize) % 12_usize)];
            let mut v2: f32 = (-1.0_f32);
        }
        let mut v3: usize = x_u32.len();
    } else {
        if (x_i32[((0_usize >> a_u64) % 12_usize)] > a_i32.max(33_i32)) {
            let mut v4: f32 = x_f32[((1_u32 as usize) % 12_usize)];
            atomic_min(&mut total_i64[2_usize], 33_i64);
        } else {
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0_u64 + 0_u64) / x_u64[((2_usize - 2_usize) % 12_usize)]).rem_euclid((x_u64[5_usize] % a_u64));
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f64[2_usize] as i32);
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] << ((i32::MIN % a_i32) & (if a_bool { (-1_i32) } else { (-1_i32) })));
        }
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (1.0_f64 != 0.1_f64)) {
        v5 = (v5 + 1_u32);
        for v6 in 0_usize..((63_usize & a_usize) % 4_usize) {
            if false {
                continue;
            }
            y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((0_u32 + a_u32) as i64) >> v6);
        }
        barrier();
    }
    let mut v7: u32 = 0_u32;
    while ((v7 < 3_u32) && a_bool) {
        v7 = (v7 + 1_u32);
        if (x_i32[11_usize] > ((-1_i32) % 2_i32)) {
            for v8 in group_range(((if true { a_usize } else { 3_usize }) % 40_usize)) {
                if ((true && a_bool) || (0_u64 < 2_u64)) {
                    continue;
                }
                if ((false < false) && (false > true)) {
                    continue;
                }
                let mut v9: u32 = ((!v7) * x_u32[(v8 % v8)]);
            }
        } else {
            let mut v10: f64 = x_f64[4_usize];
            barrier();
            let mut v11: u32 = group_sum(v7);
        }
        if ((if a_bool { 50_u64 } else { a_u64 }) >= (1_u64 - a_u64)) {
            let mut v12: u64 = (if (true ^ false) { (2_u64 - 0_u64) } else { 18446744073709551615_u64 });
        }
        y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[((a_f64 as usize) % 12_usize)];
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((!(-1_i32)) | (52_i32 % 1_i32)) % 68_i32);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random41(y_u64: &mut [u64], a_i32: i32, y_i32: &mut [i32], x_u64: &[u64], a_bool: bool, a_usize: usize, y_f32: &mut [f32]) {
    shared!(tile_0: [u64; 1]);
    barrier();
    tile_0[lid(0)] = y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)];
    barrier();
    barrier();
    tile_0[lid(0)] = ((a_i32 as u64) << (lid(0) & grp(0)));
    barrier();
    for v0 in 0_usize..((lid(0) as usize) % 4_usize) {
        y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = a_i32;
        let mut v1: f32 = ((1.0_f32 / (-1.0_f32)) as f32);
        let mut v2: i32 = (!(i32::MIN - 62_i32));
    }
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u64[7_usize] - x_u64[((if a_bool { a_usize } else { 32_usize }) % 12_usize)]) ^ ((0_u64 - 47_u64) % ((-1_i64) as u64)));
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (-2.75_f32);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random42(x_f32: &[f32], a_u64: u64, a_bool: bool, a_i64: i64, x_u32: &[u32], x_i32: &[i32], y_f64: &mut [f64], y_u32: &mut [u32], total_u64: &mut [u64], y_u64: &mut [u64], x_i64: &[i64], x_f64: &[f64]) {
    let mut v0: usize = x_f32.len();
    for v1 in (-2_i32)..((33_i32 * 1_i32) % 4_i32) {
        v0 = (63_usize | (v0 | v0));
        let mut v2: u64 = (0_u64.max(a_u64) / (a_u64 * 0_u64));
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (0_u64 == a_u64)) {
        v3 = (v3 + 1_u32);
        if ((if true { 2_i64 } else { i64::MIN }) != (if a_bool { a_i64 } else { 1_i64 })) {
            let mut v4: u32 = (x_u32[(x_i32.len() % 12_usize)] >> (-33_i32));
        } else {
            let mut v5: f32 = 1e-40_f32;
        }
    }
    if true {
        if false {
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] as f64);
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (true > false) { x_u32[0_usize] } else { 0_u32.rem_euclid(2_u32) }).min(x_u32[(x_f32.len() % 12_usize)]);
        }
        if ((if true { 33_u64 } else { 33_u64 }) == (0_u64 - a_u64)) {
            let mut v6: bool = false;
        } else {
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 2_u32;
        }
    } else {
        atomic_min(&mut total_u64[v0.clamp(v0, v0)], ((23_u64 % 0_u64) - (0_u64 - 2_u64)));
        for v7 in 0_usize..(v0.saturating_add(v0) % 4_usize) {
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = 0_u64;
            v0 = x_f32.len();
            let mut v8: i64 = x_i64[(v7 % 12_usize)];
        }
    }
    y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[(v0.max(v0) % 12_usize)];
}

#[kernel(device = cpu, domain = (3, 5))]
fn random43(x_u32: &[u32], total_i32: &mut [i32], a_f32: f32, a_f64: f64, total_u64: &mut [u64], a_usize: usize, a_i64: i64, y_u64: &mut [u64]) {
    let mut own_0 = [1_i32; 4];
    let mut own_1 = [(23_u32 % 1_u32); 4];
    for v0 in 0_usize..(x_u32.len() % 4_usize) {
        let mut v1: i32 = ((0.5_f64 as usize) as i32);
        if ((false <= false) ^ (gid(0) < v0)) {
            if ((-1_i64) >= 2_i64) {
                continue;
            }
        }
    }
    atomic_add(&mut total_i32[(2_usize.div_euclid(gid(0)) % 5_usize)], 33_i32);
    let mut v2: u64 = ((if false { 1000000000.0_f32 } else { a_f32 }) as u64);
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (a_f64 > (-2.75_f64))) {
        v3 = (v3 + 1_u32);
        atomic_or(&mut total_u64[((gid(1) / a_usize) % 5_usize)], v2);
        if ((a_i64 % (-1_i64)) > (2_i64 * (-1_i64))) {
            break;
        }
        if (v3 >= own_1[((if false { 40_usize } else { 5_usize }) % 4_usize)]) {
            continue;
        }
    }
    let mut v4: i32 = 1_i32;
    y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = v2;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random44(y_i32: &mut [i32], x_i32: &[i32], a_usize: usize, x_u32: &[u32], y_u64: &mut [u64]) {
    shared!(tile_0: [usize; 64]);
    barrier();
    tile_0[lid(0)] = ((1_usize + grp(0)) / (!grp(0)));
    barrier();
    let mut own_1 = [3e38_f32; 4];
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i32[((lid(0) | a_usize) % 12_usize)];
    for v0 in 0_usize..((31_usize * 1_usize) % 4_usize) {
        let mut v1: u32 = x_u32[(v0 % 12_usize)];
    }
    barrier();
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] + ((0_u64 & 0_u64) as u64));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random45(a_i64: i64, x_f64: &[f64], y_f32: &mut [f32], a_usize: usize, x_u32: &[u32], a_f32: f32, y_i32: &mut [i32], a_bool: bool, a_u32: u32, a_i32: i32, x_f32: &[f32], x_u64: &[u64], y_u64: &mut [u64], y_i64: &mut [i64], x_i64: &[i64], total_i32: &mut [i32], y_u32: &mut [u32]) {
    if ((0_i64 / a_i64) <= (2_i64 << 64_usize)) {
        let mut v0: f64 = group_max((x_f64[3_usize] * (f64::NAN as f64)));
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (-1.0_f32);
    }
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (a_usize == 40_usize)) {
        v1 = (v1 + 1_u32);
        for v2 in 1_u32..(x_u32[0_usize] % 4_u32) {
            if ((true ^ false) > (a_f32 > a_f32)) {
                continue;
            }
            y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(2_i32 % 33_i32).clamp(2147483647_i32, (-1_i32)));
        }
    }
    for v3 in 0_usize..((if a_bool { 2_usize } else { a_usize }) % 4_usize) {
        let mut v4: u32 = group_max(((0_u32 * a_u32) as u32));
        if ((1_i32 + 2147483647_i32) < (a_i32 + 0_i32)) {
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (f32::from_bits(x_u32[8_usize]) - x_f32[(x_u64.len() % 12_usize)]);
            y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((x_u64[((1_i32 as usize) % 12_usize)] | (33_u64 + 0_u64)) as u64);
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[((40_usize as usize) % 12_usize)];
        } else {
            atomic_and(&mut total_i32[((32_usize % grp(0)) % 5_usize)], 12_i32);
        }
    }
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u32[x_u64.len()];
}

#[kernel(device = cpu, domain = (3, 5))]
fn random46(y_i64: &mut [i64], x_i64: &[i64], a_usize: usize, a_i64: i64, y_u32: &mut [u32], a_u64: u64, total_u32: &mut [u32], x_u32: &[u32], y_u64: &mut [u64]) {
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (x_i64[(a_usize % 12_usize)] + (if (false <= false) { (-(-1_i64)) } else { a_i64.rem_euclid(9223372036854775807_i64) }));
    y_u32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 2_u32;
    if (a_u64.min(1_u64) < (0_u64 ^ 18446744073709551615_u64)) {
        let mut v0: u32 = 0_u32;
        let mut v1: i64 = a_i64;
        v0 = v0;
    }
    let mut v2: bool = ((0_u64 >= a_u64) || false);
    atomic_max(&mut total_u32[(a_usize >> 64_usize)], x_u32[((5_usize / 31_usize) % 12_usize)]);
    y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = (0_u64 * 18446744073709551615_u64).clamp((!2_u64), (i32::MIN as u64)).max(((0_u64 << 2_u64) & (if v2 { 0_u64 } else { a_u64 })));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random47(y_f32: &mut [f32]) {
    barrier();
    barrier();
    barrier();
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 1e-40_f32;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random48(x_u64: &[u64], a_bool: bool, a_f32: f32, total_i32: &mut [i32], a_usize: usize, total_i64: &mut [i64], a_i64: i64, x_f64: &[f64], a_f64: f64, y_i32: &mut [i32], y_u32: &mut [u32], a_u32: u32) {
    shared!(tile_1: [f32; 64]);
    let mut own_0 = [x_u64.len(); 4];
    barrier();
    tile_1[lid(0)] = (if (true ^ a_bool) { (-a_f32) } else { a_f32 });
    barrier();
    atomic_and(&mut total_i32[((1_usize - a_usize) % 5_usize)], (-(2147483647_i32 as i32)));
    atomic_or(&mut total_i64[(grp(0) % 5_usize)], a_i64);
    own_0[(x_f64.len() % 4_usize)] = (!own_0[(lid(0).max(grp(0)) % 4_usize)]);
    for v0 in group_range(((grp(0) | 0_usize) % 40_usize)) {
        if ((a_f64 * 0.5_f64) > (1.0_f32 as f64)) {
            break;
        }
        y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 2_i32;
        let mut v1: u64 = x_u64[6_usize];
    }
    let mut v2: f32 = (a_f32 + 0.5_f32).sqrt();
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if (0_u32 == a_u32) { 2_u64 } else { (18446744073709551615_u64 - 18446744073709551615_u64) }) as u32);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random49(x_f32: &[f32], a_f32: f32, a_f64: f64, y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_0: [usize; 8]);
    barrier();
    tile_0[lid(0)] = (grp(0) - lid(0)).clamp((63_usize / lid(0)), grp(0));
    barrier();
    let mut own_1 = [(if false { (-0.0_f64) } else { 3e38_f64 }); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        let mut v1: u64 = 0_u64;
    }
    let mut v2: bool = (x_f32[1_usize] != (a_f32 % 0.5_f32));
    own_1[3_usize] = a_f64;
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_f64 + x_f64[0_usize]);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random50(x_f32: &[f32], a_u64: u64, a_f32: f32, a_usize: usize, a_f64: f64, a_i32: i32, y_i32: &mut [i32], x_i32: &[i32]) {
    shared!(tile_0: [f32; 16]);
    barrier();
    tile_0[lid(0)] = ((-0.0_f32) % x_f32[0_usize]);
    barrier();
    let mut own_1 = [0.0_f32; 4];
    let mut v0: u32 = ((2_u64 % a_u64) as u32);
    barrier();
    tile_0[lid(0)] = ((0.1_f32 + a_f32) * (grp(0) as f32));
    barrier();
    barrier();
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (v0 <= v1)) {
        v1 = (v1 + 1_u32);
        let mut v2: usize = 2_usize.rem_euclid((lid(0) % a_usize));
        if ((0.5_f64 != a_f64) != (3e38_f32 < (-1.0_f32))) {
            continue;
        }
        if ((-a_f64) <= (-0.0_f64).min(3e38_f64)) {
            v0 = (!(33_i32 - 33_i32).trailing_zeros());
            let mut v3: i32 = (a_i32 / (if false { 0_i32 } else { a_i32 }));
            if ((2_u32 as usize) == (v2 + v2)) {
                continue;
            }
        }
    }
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i32[((!7_usize) % 12_usize)];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random51(x_u64: &[u64], x_i32: &[i32], total_i32: &mut [i32], x_f64: &[f64], total_u32: &mut [u32], a_i64: i64, y_i32: &mut [i32], y_u64: &mut [u64], y_i64: &mut [i64]) {
    shared!(tile_0: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (!(1_u32 - 0_u32));
    barrier();
    let mut v0: f32 = (-(3e38_f32 - (-1.0_f32)));
    let mut v1: u64 = group_max(x_u64[(x_i32.len() % 12_usize)]);
    let mut v2: bool = ((v1 <= 0_u64) ^ (false || false));
    if (((-1.0_f64) % (-1.0_f64)) >= (grp(0) as f64)) {
        if ((!4294967295_u32) == (4294967295_u32 >> i32::MIN)) {
            atomic_min(&mut total_i32[(x_f64.len() % 5_usize)], x_i32[(lid(1) % 12_usize)].rem_euclid(1_i32));
            atomic_min(&mut total_u32[((a_i64 as usize) % 5_usize)], (51_u32 ^ 2_u32).clamp(0_u32.rem_euclid(0_u32), (if v2 { 4294967295_u32 } else { 33_u32 })));
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-((33_i32 as i64) as i32));
        }
        if v2 {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (2_u64 as u64);
            let mut v3: usize = ((40_usize as usize) % 1_usize);
            let mut v4: usize = (0_u64 as usize);
        }
        if ((v0 > 0.5_f32) ^ (0_u32 > 0_u32)) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (x_u64[((grp(0) % grp(0)) % 12_usize)] as u64);
        }
    }
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 1_i64;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random52(a_f32: f32, x_i64: &[i64], a_bool: bool, a_u64: u64, total_i64: &mut [i64], a_i64: i64, y_u64: &mut [u64], x_f32: &[f32], a_usize: usize, x_u64: &[u64], total_u32: &mut [u32], x_u32: &[u32], y_u32: &mut [u32]) {
    let mut own_0 = [a_f32; 4];
    for v0 in group_range((x_i64.len() % 40_usize)) {
        let mut v1: i64 = ((if a_bool { 1_u64 } else { a_u64 }) as i64);
        atomic_min(&mut total_i64[((40_usize - lid(0)) % 5_usize)], ((12_i32 as i64) % (v1 / a_i64)));
        own_0[2_usize] = (if a_bool { 0.1_f32 } else { f32::INFINITY }).mul_add(((-1.0_f32) + 0.5_f32), a_f32.recip());
    }
    if ((grp(0) < 31_usize) ^ (false && false)) {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if (x_f32.len() >= (a_usize + 4_usize)) { x_u64[(grp(0) % 12_usize)] } else { (y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] * (63_usize as u64)) });
    } else {
        atomic_and(&mut total_u32[((3e38_f64 as usize) % 5_usize)], x_u32[(63_usize % 12_usize)]);
        let mut v2: u32 = 64_usize.leading_zeros();
        atomic_min(&mut total_i64[(a_usize.saturating_add(lid(0)) % 5_usize)], ((if true { i64::MIN } else { a_i64 }) ^ (31_i64 * 9223372036854775807_i64)));
    }
    barrier();
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((2_u32 + 0_u32) & ((2_u32 + 1_u32) & (0_u32 / 0_u32)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random53(a_usize: usize, total_u32: &mut [u32], y_f32: &mut [f32], y_i32: &mut [i32], x_i32: &[i32], x_i64: &[i64], y_i64: &mut [i64]) {
    let mut own_0 = [(f32::INFINITY % f32::INFINITY); 4];
    let mut own_1 = [own_0[2_usize]; 4];
    own_0[((2_usize * a_usize) % 4_usize)] = (-((-2.75_f32) + 0.0_f32));
    for v0 in group_range((a_usize % 40_usize)) {
        let mut v1: bool = ((lid(0) + 2_usize) == (if false { v0 } else { v0 }));
        atomic_min(&mut total_u32[((grp(0) * v0) % 5_usize)], 2_u32);
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 3e38_f32;
    own_0[3_usize] = ((f32::NAN * (-0.0_f32)) * (1e-40_f32 - f32::NAN));
    for v2 in 1_u32..((1_u32 ^ 33_u32) % 4_u32) {
        barrier();
        if ((if false { 0_u64 } else { 33_u64 }) <= 0_u64.saturating_sub(18446744073709551615_u64)) {
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((true as i32) + i32::MIN) / x_i32[(x_i64.len() % 12_usize)]);
        }
        barrier();
    }
    y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)].abs();
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random54(a_i32: i32, x_i64: &[i64], y_i64: &mut [i64], y_f64: &mut [f64], x_f64: &[f64], y_u32: &mut [u32]) {
    let mut own_0 = [(1_i32 * 33_i32); 4];
    let mut v0: i32 = group_min(((44_i32 - a_i32) / (33_i32 as i32)));
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && (33_u64 >= 0_u64)) {
        v1 = (v1 + 1_u32);
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && true) {
            v2 = (v2 + 1_u32);
            for v3 in group_range((x_i64.len() % 40_usize)) {
                y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (-0_i64);
                y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = 3e38_f64;
            }
        }
        for v4 in group_range((x_f64.len() % 40_usize)) {
            if ((v0 + v0) <= (v0 + 33_i32)) {
                continue;
            }
            own_0[((31_usize - v4) % 4_usize)] = own_0[0_usize];
        }
        y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = i64::MIN;
    }
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (((f64::INFINITY / f64::NAN) - ((-0.0_f64) * 0.0_f64)) as u32);
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random55(a_f32: f32, a_i32: i32, x_u32: &[u32], a_bool: bool, total_i64: &mut [i64], a_u32: u32, y_i64: &mut [i64], x_i64: &[i64], y_i32: &mut [i32]) {
    let mut own_0 = [(a_f32 / 0.1_f32); 4];
    let mut own_1 = [(if true { a_i32 } else { 1_i32 }); 4];
    own_1[((if true { 4_usize } else { 0_usize }) % 4_usize)] = ((33_i32 / i32::MIN) - (if false { 2147483647_i32 } else { 20_i32 }));
    for v0 in group_range((x_u32.len() % 40_usize)) {
        let mut v1: bool = a_bool;
    }
    for v2 in (-2_i32)..(3_i32 % 4_i32) {
        barrier();
        atomic_max(&mut total_i64[(grp(0) % 5_usize)], i64::MIN);
        for v3 in group_range(((grp(0) >> v2) % 40_usize)) {
            if true {
                break;
            }
            let mut v4: f32 = (v3 as f32).sqrt();
            v4 = (0.0_f32 * (v4 / own_0[((if true { v3 } else { v3 }) % 4_usize)]));
        }
    }
    if (0.1_f32 > f32::NAN.rem_euclid((-2.75_f32))) {
        let mut v5: bool = ((if false { 33_u32 } else { 1_u32 }) >= (if true { a_u32 } else { 1_u32 }));
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i64[8_usize];
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = own_1[(2_usize % 4_usize)];
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random56(x_f64: &[f64], x_i32: &[i32], a_usize: usize, total_i64: &mut [i64], x_f32: &[f32], y_i64: &mut [i64], a_f64: f64, a_u32: u32, y_u32: &mut [u32], x_u32: &[u32], total_u32: &mut [u32], y_f64: &mut [f64], y_f32: &mut [f32], x_u64: &[u64], y_i32: &mut [i32]) {
    shared!(tile_0: [f64; 1]);
    barrier();
    tile_0[lid(0)] = x_f64[(63_usize.max(4_usize) % 12_usize)];
    barrier();
    for v0 in (-2_i32)..(x_i32[7_usize] % 4_i32) {
        for v1 in group_range((a_usize % 40_usize)) {
            atomic_and(&mut total_i64[(x_f32.len() % 5_usize)], 65_i64);
            y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (61_i64.saturating_add(1_i64) * (-(0.0_f32 as i64)));
            atomic_and(&mut total_i64[((40_usize + v1) % 5_usize)], i64::MIN);
        }
        barrier();
        tile_0[lid(0)] = (0.1_f64 + a_f64).max(0.5_f64.abs());
        barrier();
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)];
    }
    for v2 in 1_u32..((if false { 0_u32 } else { a_u32 }) % 4_u32) {
        if ((31_usize % 4_usize) > 31_usize) {
            y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (tile_0[(x_u32.len() % 1_usize)] as u32);
        }
        if ((4_usize < a_usize) ^ (true >= false)) {
            atomic_and(&mut total_u32[(x_f64.len() % 5_usize)], x_u32[9_usize]);
        } else {
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 0.1_f64;
        }
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (i32::MIN.saturating_add((-1_i32)) as f64).mul_add((if (true || false) { (1_u64 as f64) } else { 1000000000.0_f64 }), (i32::MIN as f64));
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_u64[(x_f32.len() % 12_usize)] as f32);
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(i32::MIN - (0_i32 + i32::MIN)));
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random57(a_bool: bool, a_i32: i32, y_u64: &mut [u64], x_u64: &[u64], x_f32: &[f32], x_u32: &[u32], x_f64: &[f64], y_i64: &mut [i64]) {
    shared!(tile_0: [u64; 8]);
    barrier();
    tile_0[lid(0)] = (0.1_f64 * (-2.75_f64)).to_bits();
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (a_bool <= false)) {
        v0 = (v0 + 1_u32);
        for v1 in (-2_i32)..((-a_i32) % 4_i32) {
            y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u64[9_usize];
            let mut v2: f32 = x_f32[(3_usize % 12_usize)];
        }
        let mut v3: i64 = 33_i64;
    }
    for v4 in 1_u32..(x_u32[(x_f64.len() % 12_usize)] % 4_u32) {
        let mut v5: f32 = (f32::INFINITY * f32::NAN);
        let mut v6: u32 = 0_u32;
        while ((v6 < 3_u32) && false) {
            v6 = (v6 + 1_u32);
            if ((33_i64 != 33_i64) > false) {
                continue;
            }
        }
        for v7 in (-2_i32)..((2_i32 % (-1_i32)) % 4_i32) {
            let mut v8: i64 = 2_i64;
            if ((0_u64 >= 0_u64) && (true > a_bool)) {
                break;
            }
            let mut v9: u32 = (if (true || true) { (!v4) } else { (v4 - 33_u32) });
        }
    }
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 30_i64;
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random58(a_u32: u32, x_i32: &[i32], x_f32: &[f32], y_i64: &mut [i64], x_i64: &[i64], x_u32: &[u32]) {
    shared!(tile_0: [f32; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = 3e38_f32;
    barrier();
    let mut v0: u32 = group_min(((if true { 36_u32 } else { a_u32 }) & (if false { 2_u32 } else { 4294967295_u32 })));
    let mut v1: u32 = group_sum(((v0 / a_u32) + (v0 / 0_u32)));
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (23_i64 <= 0_i64)) {
        v2 = (v2 + 1_u32);
        for v3 in group_range((x_i32.len() % 40_usize)) {
            let mut v4: u64 = ((1_u64 & 33_u64) >> lid(1));
        }
    }
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = x_f32[3_usize];
    barrier();
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i64[(x_u32.len() % 12_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random59(x_f32: &[f32], a_u32: u32, x_i32: &[i32], y_f32: &mut [f32]) {
    shared!(tile_1: [f32; 16]);
    let mut own_0 = [lid(0); 4];
    barrier();
    tile_1[lid(0)] = (x_f32[((lid(0) - 7_usize) % 12_usize)] + (0_u32 as f32));
    barrier();
    for v0 in 1_u32..((a_u32 ^ 24_u32) % 4_u32) {
        for v1 in group_range((2_usize.saturating_add(32_usize) % 40_usize)) {
            own_0[(v1 % 4_usize)] = ((if false { 2_usize } else { v1 }) * v1);
            own_0[(x_i32.len() % 4_usize)] = v1;
            if true {
                continue;
            }
        }
    }
    for v2 in group_range((x_i32.len() % 40_usize)) {
        let mut v3: i32 = i32::MIN;
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-3e38_f32.round());
}

#[kernel(device = cpu, domain = 37)]
fn random60(a_f32: f32, total_u32: &mut [u32], a_usize: usize, a_u64: u64, y_i64: &mut [i64], x_i64: &[i64]) {
    let mut own_0 = [(1e-40_f64 / 1000000000.0_f64); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (v0 == 33_u32)) {
        v0 = (v0 + 1_u32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && false) {
            v1 = (v1 + 1_u32);
            let mut v2: f64 = own_0[((gid(0) << 41_u64) % 4_usize)].fract();
        }
        if (((-0.0_f32) % 1.0_f32) == (-a_f32)) {
            continue;
        }
    }
    atomic_or(&mut total_u32[((a_usize - 37_usize) % 5_usize)], (a_u64.count_ones() >> (!gid(0))));
    for v3 in (-2_i32)..(0_i32.div_euclid(i32::MIN) % 4_i32) {
        atomic_or(&mut total_u32[0_usize], 18446744073709551615_u64.leading_zeros());
    }
    y_i64[((gid(0) * 2_usize) + 0_usize)] = ((if (true && true) { (2_i64 + 9223372036854775807_i64) } else { ((-1_i64) * 33_i64) }) / x_i64[((40_usize >> 33_i32) % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random61(a_f32: f32, a_usize: usize, y_u32: &mut [u32], x_u32: &[u32], a_u64: u64, a_u32: u32, y_i32: &mut [i32], a_i32: i32, x_i64: &[i64]) {
    let mut v0: bool = ((if false { a_f32 } else { 0.1_f32 }) < (0.0_f32 / 0.1_f32));
    for v1 in group_range(((a_usize >> 2_u64) % 40_usize)) {
        y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (!x_u32[((v1 | v1) % 12_usize)]);
        if (a_u64 == 33_u64.max(0_u64)) {
            continue;
        }
    }
    let mut v2: u32 = (if (grp(1) > a_usize) { 0_u32 } else { (13_u32 * a_u32) });
    let mut v3: bool = v0;
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (a_i32 << x_i64.len());
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random62(x_u32: &[u32], a_i32: i32, a_u32: u32, total_i64: &mut [i64], a_i64: i64, y_f64: &mut [f64], a_f64: f64, y_f32: &mut [f32]) {
    shared!(tile_0: [u32; 64]);
    barrier();
    tile_0[lid(0)] = x_u32[9_usize];
    barrier();
    barrier();
    let mut v0: i32 = a_i32.max((46_i32 / 0_i32));
    for v1 in 1_u32..((0_u32 - a_u32) % 4_u32) {
        if ((i64::MIN - i64::MIN) < (-(-1_i64))) {
            atomic_xor(&mut total_i64[((grp(0) * 31_usize) % 5_usize)], a_i64);
            let mut v2: bool = ((0_u64 - 64_u64) > (i64::MIN as u64));
        } else {
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = a_f64;
        }
        if (false ^ (true && true)) {
            continue;
        }
    }
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 3e38_f32;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random63(x_i64: &[i64], x_f64: &[f64], total_i64: &mut [i64], a_bool: bool, x_f32: &[f32], a_usize: usize, y_f32: &mut [f32], a_i64: i64) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = x_i64.len();
    barrier();
    let mut own_1 = [x_f64[((40_usize + grp(0)) % 12_usize)]; 4];
    let mut v0: u32 = 0_u32;
    for v1 in 0_usize..((7_usize & grp(0)) % 4_usize) {
        let mut v2: f64 = ((33_i64 as f64) / ((-1.0_f64) % 1000000000.0_f64));
        if ((v1 % v1) == tile_0[(grp(0) % 16_usize)]) {
            atomic_xor(&mut total_i64[3_usize], ((9223372036854775807_i64 + 33_i64) as i64));
            own_1[((if a_bool { v1 } else { 7_usize }) % 4_usize)] = ((7_usize as f64) % (v2 / v2));
        }
        if ((v1 != v1) && ((-2.75_f32) >= 1000000000.0_f32)) {
            let mut v3: bool = (x_f32[(v1 >> 2147483647_i32)] != x_f32[(grp(0) % 12_usize)]);
            let mut v4: usize = ((if v3 { a_usize } else { v1 }) / 32_usize);
            let mut v5: f64 = (v1 as f64);
        }
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (-(if (2_i64 == a_i64) { 0.0_f32 } else { x_f32[3_usize] }));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random64(y_i32: &mut [i32], a_u32: u32, a_bool: bool, total_i32: &mut [i32], a_i32: i32, y_f32: &mut [f32], x_u64: &[u64], y_u32: &mut [u32], total_i64: &mut [i64], x_i32: &[i32], x_u32: &[u32], a_usize: usize) {
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = 0_i32;
    if ((0_u32 < a_u32) || (a_bool == false)) {
        if ((true >= false) ^ (false ^ a_bool)) {
            atomic_add(&mut total_i32[((if true { 2_usize } else { 31_usize }) % 5_usize)], (if (false && true) { (a_i32 * 12_i32) } else { 2_i32.max(2_i32) }));
            let mut v0: usize = 31_usize;
        } else {
            y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_u64[6_usize] & (0_u64 % 2_u64)) as f32);
            y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((a_u32 << 2147483647_i32) >> (if a_bool { lid(1) } else { lid(0) })) >> ((18446744073709551615_u64 % 16_u64) & (33_u64 % 0_u64)));
            atomic_xor(&mut total_i64[0_usize], (-0_i64));
        }
        y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-x_i32[(x_u64.len() % 12_usize)].abs());
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u32[(a_usize % 12_usize)];
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random65(a_usize: usize, x_u64: &[u64], y_u64: &mut [u64], x_i32: &[i32], x_u32: &[u32], y_f32: &mut [f32]) {
    let mut own_0 = [4_usize; 4];
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (v0 <= v0)) {
        v0 = (v0 + 1_u32);
        own_0[0_usize] = ((a_usize / 3_usize) + (!40_usize));
    }
    if (x_u64.len() == grp(0).min(a_usize)) {
        y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!(2_u64 >> (-1_i32))) as u64);
        for v1 in (-2_i32)..(x_i32[(3_usize.div_euclid(2_usize) % 12_usize)] % 4_i32) {
            own_0[3_usize] = ((0_u64 as usize) & (if true { 4_usize } else { a_usize }));
        }
    } else {
        if ((a_usize != 7_usize) <= (true != false)) {
            own_0[0_usize] = (if (1_u32 > 1_u32) { x_i32.len() } else { 40_usize });
            let mut v2: u32 = (0_u32 + x_u32[(x_u64.len() % 12_usize)]);
        }
        for v3 in group_range((64_usize % 40_usize)) {
            let mut v4: f64 = 0.5_f64;
        }
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (-0.0_f32);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random66(x_f32: &[f32], a_usize: usize, x_u32: &[u32], x_i32: &[i32], y_u64: &mut [u64], a_u64: u64, x_u64: &[u64], a_u32: u32, y_f64: &mut [f64], x_f64: &[f64]) {
    shared!(tile_0: [f32; 8]);
    shared!(tile_1: [u32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = x_f32[(a_usize % 12_usize)];
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = (if (true ^ true) { (!0_u32) } else { x_u32[((lid(1) | lid(1)) % 12_usize)] });
    barrier();
    for v0 in (-2_i32)..((2147483647_i32 % 1_i32) % 4_i32) {
        if (f64::INFINITY != (-0.0_f64)) {
            let mut v1: i32 = x_i32[grp(0)];
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if false { (14_u64 * (a_u64 % 33_u64)) } else { x_u64[1_usize] });
            let mut v2: f32 = (1e-40_f32 % (-1.0_f32));
        }
    }
    for v3 in 1_u32..((1_u32 + a_u32) % 4_u32) {
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (grp(0) > a_usize)) {
            v4 = (v4 + 1_u32);
            barrier();
            tile_1[((lid(1) * 4_usize) + lid(0))] = (x_u32[1_usize] * 40_usize.count_ones());
            barrier();
        }
    }
    let mut v5: f32 = group_sum((-0.0_f32));
    let mut v6: f32 = group_max(v5);
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((x_f64[(7_usize % 12_usize)] % x_f64[((63_usize * 2_usize) % 12_usize)]) / ((-2.75_f64).clamp(f64::INFINITY, (-1.0_f64)) as f64));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random67(x_u32: &[u32], y_u32: &mut [u32], a_usize: usize, x_u64: &[u64], y_u64: &mut [u64], y_i32: &mut [i32], total_u64: &mut [u64], a_u64: u64, y_f64: &mut [f64], x_f64: &[f64], a_f64: f64) {
    shared!(tile_0: [u32; 16]);
    barrier();
    tile_0[lid(0)] = x_u32[(1_usize >> 55_u64)];
    barrier();
    y_u32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u32[((64_usize + a_usize) % 12_usize)] - 0_u32) >> x_u64.len());
    let mut v0: u32 = 4294967295_u32;
    for v1 in 1_u32..((v0 >> 33_i32) % 4_u32) {
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (1e-40_f32 < (-1.0_f32))) {
            v2 = (v2 + 1_u32);
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (1_u64 & (0.0_f32 as u64));
            let mut v3: i32 = ((33_i32 + (-1_i32)) * ((-1_i64) as i32));
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (-1_i32);
        }
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = 2_i32;
        if ((1_usize == a_usize) && true) {
            continue;
        }
    }
    atomic_xor(&mut total_u64[grp(0)], x_u64[1_usize]);
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if true { 33_u64 } else { a_u64 }).max(a_u64.saturating_add(64_u64)) >> 40_usize);
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-x_f64[((1e-40_f64 as usize) % 12_usize)]) - (a_f64 / (-1.0_f64)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random68(total_i32: &mut [i32], y_i32: &mut [i32], x_i32: &[i32], a_bool: bool, x_f32: &[f32], a_usize: usize, a_f32: f32, a_i32: i32, total_u64: &mut [u64], y_u64: &mut [u64]) {
    atomic_xor(&mut total_i32[((7_usize | lid(0)) % 5_usize)], (-i32::MIN));
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && true) {
        v0 = (v0 + 1_u32);
        y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i32.len() as i32);
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (a_bool || a_bool)) {
            v1 = (v1 + 1_u32);
            for v2 in group_range((x_i32.len() % 40_usize)) {
                if (x_f32[(x_i32.len() % 12_usize)] > 0.1_f32) {
                    continue;
                }
            }
        }
    }
    for v3 in group_range((a_usize % 40_usize)) {
        let mut v4: f32 = a_f32;
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (40_usize < 32_usize)) {
        v5 = (v5 + 1_u32);
        let mut v6: u32 = 0_u32;
        while ((v6 < 3_u32) && ((-1_i32) <= 27_i32)) {
            v6 = (v6 + 1_u32);
            let mut v7: i32 = a_i32;
            atomic_add(&mut total_u64[((grp(0) << 2_u64) % 5_usize)], ((1000000000.0_f64 % 3e38_f64) as u64));
        }
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 0_u64;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random69(a_usize: usize, x_f64: &[f64], y_i32: &mut [i32], y_u32: &mut [u32]) {
    barrier();
    for v0 in group_range((2_usize.max(a_usize) % 40_usize)) {
        let mut v1: f64 = x_f64[(v0 % 12_usize)];
        y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((-(44_i32 * 15_i32)) >> ((-1_i64) as i32));
    }
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = a_usize.leading_zeros();
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random70(y_f32: &mut [f32], x_u64: &[u64], y_i32: &mut [i32], x_i32: &[i32], a_i32: i32, a_usize: usize, x_f32: &[f32], total_i64: &mut [i64], a_f32: f32) {
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (-1.0_f32);
    for v0 in group_range((x_u64.len() % 40_usize)) {
        y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_i32[7_usize] % (-1_i32.div_euclid(a_i32)));
        let mut v1: usize = (if (false > false) { x_i32.len() } else { (1.0_f64 as usize) });
        v1 = ((if (2_u32 > 47_u32) { v1.max(v0) } else { a_usize }) + v1);
    }
    for v2 in (-2_i32)..((!30_i32) % 4_i32) {
        let mut v3: i64 = (-(-9223372036854775807_i64));
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (true > false)) {
            v4 = (v4 + 1_u32);
            let mut v5: f32 = x_f32[((a_usize + 4_usize) % 12_usize)];
        }
        let mut v6: u64 = (((-0.0_f32) as i64) as u64);
    }
    for v7 in group_range(((a_i32 as usize) % 40_usize)) {
        atomic_max(&mut total_i64[(v7 % 5_usize)], (4294967295_u32 as i64));
        let mut v8: i64 = (-1_i64);
        if false {
            continue;
        }
    }
    for v9 in group_range(((32_usize & 63_usize) % 40_usize)) {
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = f32::NAN;
        if ((f64::NAN > 1.0_f64) ^ (false && false)) {
            continue;
        }
        if ((false ^ true) && (i32::MIN == a_i32)) {
            break;
        }
    }
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((1.0_f32 / a_f32).max(((-1.0_f64) as f32)) + x_f32[3_usize]);
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random71(a_usize: usize, y_i32: &mut [i32], x_i32: &[i32], x_i64: &[i64], a_u64: u64, x_u64: &[u64], total_i64: &mut [i64]) {
    let mut v0: u32 = group_min(0_u32);
    for v1 in group_range(((grp(2) >> a_usize) % 40_usize)) {
        y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i32[(x_i64.len() % 12_usize)];
        let mut v2: bool = (0_u64 >= (18446744073709551615_u64 >> a_u64));
        let mut v3: u64 = ((0_u64 * 18446744073709551615_u64) - x_u64[((v1 * v1) % 12_usize)]);
    }
    let mut v4: i64 = (-x_i64[(40_usize % 12_usize)]);
    let mut v5: u32 = group_sum(v0);
    for v6 in group_range((a_usize % 40_usize)) {
        atomic_xor(&mut total_i64[(x_u64.len() % 5_usize)], x_i64[2_usize]);
    }
    y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = x_i32[(grp(2).rem_euclid(0_usize) % 12_usize)];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random72(a_bool: bool, a_f32: f32, total_u32: &mut [u32], y_i64: &mut [i64], x_i64: &[i64], x_f32: &[f32]) {
    for v0 in group_range(((31_usize - 1_usize) % 40_usize)) {
        if false {
            continue;
        }
        if true {
            continue;
        }
    }
    for v1 in group_range(((false as usize) % 40_usize)) {
        if ((true ^ a_bool) && (false || a_bool)) {
            continue;
        }
        let mut v2: f32 = ((-(-1.0_f32)) + (if false { a_f32 } else { 3e38_f32 }));
        atomic_xor(&mut total_u32[(lid(0) - 0_usize)], 0_u32);
    }
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (!x_i64[(x_f32.len() % 12_usize)]);
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random73(y_i32: &mut [i32], a_i32: i32) {
    let mut own_0 = [lid(1); 4];
    let mut v0: usize = 63_usize;
    own_0[own_0[(v0.max(v0) % 4_usize)]] = v0;
    let mut v1: usize = (1e-40_f64 as usize);
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = a_i32;
}

#[kernel(device = cpu, domain = (3, 5))]
fn random74(x_f32: &[f32], a_bool: bool, a_usize: usize, x_i32: &[i32], a_f32: f32, y_i32: &mut [i32], y_u64: &mut [u64], a_u64: u64) {
    let mut own_0 = [x_f32.len(); 4];
    let mut own_1 = [(1.0_f32 - 1000000000.0_f32); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (false <= a_bool)) {
        v0 = (v0 + 1_u32);
        if ((a_usize % 63_usize) > x_i32.len()) {
            let mut v1: f32 = (if (25_i64 > 9223372036854775807_i64) { x_f32[((0_usize << 0_u64) % 12_usize)] } else { ((-2.75_f32) * 0.5_f32) });
            if ((v1 % a_f32) > v1) {
                continue;
            }
        } else {
            let mut v2: u64 = ((false || a_bool) as u64);
        }
    }
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_i32[((true as usize) % 12_usize)];
    own_0[((if true { a_usize } else { gid(1) }) % 4_usize)] = (own_0[((31_usize | 32_usize) % 4_usize)] + (gid(1) >> 7_usize));
    y_u64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = (18446744073709551615_u64 / ((0_u64 - a_u64) / 1_u64));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random75(x_i64: &[i64], a_bool: bool, x_i32: &[i32], y_f32: &mut [f32]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = (!x_i64.len());
    barrier();
    let mut own_1 = [(if true { 0_usize } else { lid(0) }); 4];
    let mut v0: bool = ((2_i64 >= 33_i64) || a_bool);
    for v1 in group_range((2_usize % 40_usize)) {
        let mut v2: usize = ((if true { v1 } else { 64_usize }) + x_i32.len());
    }
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (-0.0_f32);
}

#[kernel(device = cpu, domain = 37)]
fn random76(a_usize: usize, y_f32: &mut [f32], total_u32: &mut [u32], a_f64: f64, x_f64: &[f64], x_i32: &[i32], y_u32: &mut [u32], a_u32: u32, y_i32: &mut [i32]) {
    let mut own_0 = [(if true { 1e-40_f64 } else { 0.5_f64 }); 4];
    let mut own_1 = [(a_usize as i32); 4];
    if ((gid(0) > gid(0)) ^ (false || true)) {
        let mut v0: f32 = y_f32[((gid(0) * 2_usize) + 1_usize)];
        atomic_max(&mut total_u32[((a_usize - a_usize) % 5_usize)], (2_u64 % 0_u64).leading_zeros());
    }
    for v1 in (-2_i32)..(((-2.75_f64) as i32) % 4_i32) {
        own_0[(37_usize % 4_usize)] = (((-2.75_f64) + a_f64) + (-1e-40_f64));
    }
    own_0[40_usize.clamp(1_usize, 37_usize)] = x_f64[(x_i32.len() % 12_usize)];
    y_u32[((gid(0) * 2_usize) + 0_usize)] = 0_u32;
    let mut v2: bool = ((if false { 1_u32 } else { 2_u32 }) != (0_u32 % a_u32));
    y_i32[((gid(0) * 2_usize) + 1_usize)] = 33_i32;
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random77(a_f32: f32, a_i32: i32, total_i32: &mut [i32], x_i32: &[i32], y_u64: &mut [u64], x_u64: &[u64], a_usize: usize, a_u32: u32, x_u32: &[u32], total_u32: &mut [u32], y_i32: &mut [i32]) {
    shared!(tile_0: [i32; 16]);
    barrier();
    tile_0[lid(0)] = (if true { 0_i32 } else { 2147483647_i32 }).signum();
    barrier();
    if ((0.0_f32 < a_f32) >= ((-1_i32) < a_i32)) {
        atomic_min(&mut total_i32[2_usize], x_i32[((64_usize / 2_usize) % 12_usize)]);
        if ((a_f32 >= 1.0_f32) >= (1.0_f32 != 0.0_f32)) {
            y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[(!grp(0))];
        }
        for v0 in group_range(((a_usize + 40_usize) % 40_usize)) {
            let mut v1: u32 = (0_u64 - 0_u64).trailing_zeros();
        }
    }
    let mut v2: u32 = group_sum(((0.5_f32 as u32) * a_u32.leading_zeros()));
    for v3 in 1_u32..(x_u32[((grp(0) / grp(0)) % 12_usize)] % 4_u32) {
        for v4 in group_range(((a_i32 as usize) % 40_usize)) {
            atomic_and(&mut total_u32[((v4 >> 1_i32) % 5_usize)], ((!2_u32) * (4294967295_u32 | v3)));
            y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = i32::MIN.signum();
        }
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = 2_u64;
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random78(total_i64: &mut [i64], x_i64: &[i64], y_f64: &mut [f64], x_f64: &[f64], a_f64: f64, x_i32: &[i32]) {
    atomic_max(&mut total_i64[((grp(1) * 1_usize) % 5_usize)], (45_i64 + x_i64[9_usize]));
    for v0 in group_range((x_i64.len() % 40_usize)) {
        y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (((0.1_f64 - (-2.75_f64)) * x_f64[6_usize]) * ((a_f64 - 3e38_f64) + (f64::NAN + (-2.75_f64))));
        let mut v1: i64 = ((1_i64 * 9223372036854775807_i64) * 43_i64);
    }
    let mut v2: usize = x_i32.len();
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(-1.0_f64));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random79(y_u32: &mut [u32], a_u32: u32, x_u32: &[u32], a_usize: usize, y_i64: &mut [i64], a_i64: i64) {
    shared!(tile_1: [u64; 1]);
    let mut own_0 = [(f32::NAN % 0.1_f32); 4];
    barrier();
    tile_1[lid(0)] = 18446744073709551615_u64;
    barrier();
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((1_i64.count_ones() ^ (a_u32 ^ a_u32)) - ((0_u32 * a_u32) * x_u32[11_usize]));
    barrier();
    let mut v0: f64 = group_max(0.5_f64);
    for v1 in group_range(((a_usize as usize) % 40_usize)) {
        y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[(v1.rem_euclid(v1) % 12_usize)];
    }
    let mut v2: u32 = x_u32[(grp(0) % 12_usize)];
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!(9223372036854775807_i64 | 0_i64)) / ((2_i64 - a_i64) + 0_i64.signum()));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random80(a_u64: u64, a_usize: usize, total_i32: &mut [i32], y_u32: &mut [u32], x_u32: &[u32]) {
    shared!(tile_0: [u64; 1]);
    barrier();
    tile_0[lid(0)] = (a_u64.div_euclid(a_u64) >> (a_usize << 44_u64));
    barrier();
    let mut v0: i32 = ((62_i32 + (-1_i32)) % i32::MIN);
    atomic_xor(&mut total_i32[1_usize], (((-1_i32) as i32) % (-14_i32)));
    y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u32[6_usize];
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random81(y_i32: &mut [i32], x_i32: &[i32], a_usize: usize, a_bool: bool, y_f64: &mut [f64], x_i64: &[i64], a_u32: u32, y_i64: &mut [i64]) {
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (2147483647_i32 ^ x_i32[((2_usize & a_usize) % 12_usize)]);
    for v0 in (-2_i32)..((2_i32 << a_usize) % 4_i32) {
        let mut v1: u32 = 0_u32;
        while ((v1 < 3_u32) && (a_bool < false)) {
            v1 = (v1 + 1_u32);
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = ((x_i64[((v0 as usize) % 12_usize)] as i64) as f64);
        }
    }
    let mut v2: u32 = 0_u32;
    while ((v2 < 3_u32) && (33_u32 == a_u32)) {
        v2 = (v2 + 1_u32);
        y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((2_i64 % (-1_i64)) >> (if false { 2_u64 } else { 1_u64 })) | 33_i64);
        if ((false ^ true) != (v2 >= 4294967295_u32)) {
            continue;
        }
        if (false || (false && true)) {
            break;
        }
    }
    y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 0.0_f64;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random82(a_usize: usize, x_i64: &[i64], a_f64: f64, a_u64: u64, y_i32: &mut [i32], y_f64: &mut [f64], y_i64: &mut [i64], y_u32: &mut [u32], a_i32: i32, x_i32: &[i32]) {
    shared!(tile_0: [usize; 1]);
    barrier();
    tile_0[lid(0)] = (if (2_i32 < 2_i32) { (1_u32 as usize) } else { (a_usize - 0_usize) });
    barrier();
    let mut own_1 = [(0_u64 as u64); 4];
    let mut v0: f32 = group_sum(((-3e38_f32) + (-(-1.0_f32))));
    if (x_i64.len() > lid(0)) {
        for v1 in (-2_i32)..((-2_i32) % 4_i32) {
            let mut v2: bool = ((0_i64 != 2_i64) == (v0 != v0));
            let mut v3: f64 = (a_f64.max(0.0_f64) % a_f64);
        }
        let mut v4: usize = ((7_usize * 4_usize) << (!a_u64));
    } else {
        if ((a_usize - 64_usize) > 1_usize.clamp(40_usize, lid(0))) {
            y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 1_i32;
            own_1[a_usize.saturating_sub(a_usize)] = ((1_u64 % 33_u64) - 18446744073709551615_u64.saturating_sub(1_u64));
        } else {
            y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (-3e38_f64.rem_euclid((1.0_f64 - (-1.0_f64))));
        }
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (((a_usize as i64) % (2_i64 + 9223372036854775807_i64)) << tile_0[((4_usize + a_usize) % 1_usize)]);
    }
    if ((4294967295_u32 >> a_usize) == y_u32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]) {
        own_1[(33_u64 as usize)] = 56_u64.saturating_add((a_i32 as u64));
        let mut v5: i32 = (x_i32[(lid(0).min(63_usize) % 12_usize)] | 2147483647_i32.div_euclid(a_i32));
    }
    y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (x_i64[7_usize].saturating_add((0_i64 / 9223372036854775807_i64)) * (if true { 33_i64 } else { 9223372036854775807_i64 }).div_euclid(58_i64));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random83(x_u64: &[u64], total_u32: &mut [u32], x_i32: &[i32], a_usize: usize, y_u64: &mut [u64], a_i64: i64, a_i32: i32, x_f32: &[f32], total_i64: &mut [i64], y_i32: &mut [i32], y_i64: &mut [i64], a_f32: f32) {
    shared!(tile_0: [f64; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = 0.1_f64.sqrt();
    barrier();
    for v0 in group_range((x_u64.len() % 40_usize)) {
        atomic_or(&mut total_u32[(v0.saturating_add(v0) % 5_usize)], (2_u32 ^ (9223372036854775807_i64 as u32)));
        let mut v1: i32 = x_i32[((a_usize >> 0_u64) % 12_usize)];
    }
    y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (!x_u64[6_usize]);
    for v2 in 0_usize..(32_usize.saturating_add(a_usize) % 4_usize) {
        let mut v3: u32 = group_sum((if (a_i64 == 9223372036854775807_i64) { (4294967295_u32 + 0_u32) } else { (33_i32 as u32) }));
        let mut v4: bool = ((v2 + v2) != (23_u32 as usize));
    }
    for v5 in 0_usize..(a_usize % 4_usize) {
        for v6 in group_range(((31_usize | v5) % 40_usize)) {
            let mut v7: usize = ((v6 >> a_i32) - v5);
            v7 = (x_f32.len() ^ (v6 >> (v7 ^ v5)));
            atomic_or(&mut total_i64[((v5 / v7) % 5_usize)], (9223372036854775807_i64 + (0_i64 & 9223372036854775807_i64)));
        }
        for v8 in (-2_i32)..(x_i32[(v5 % 12_usize)] % 4_i32) {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (if (false == true) { v8.saturating_add(v8) } else { v8.signum() }).rem_euclid((((-0.0_f64) as f32) as i32));
            y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-(if true { (!2_i64) } else { (-1_i64) }));
            for v9 in group_range((v5 % 40_usize)) {
                atomic_or(&mut total_u32[((v5 ^ lid(1)) % 5_usize)], (lid(0) & a_usize).leading_zeros());
                if (true || ((-1.0_f32) != 1e-40_f32)) {
                    continue;
                }
                y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (((a_f32 - 0.5_f32) as u64) / x_u64[(x_u64.len() % 12_usize)]);
            }
        }
    }
    let mut v10: i32 = (-1_i32.min(33_i32));
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = x_i32[2_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random84(a_u64: u64, y_i64: &mut [i64], y_f32: &mut [f32], a_i32: i32, x_i32: &[i32], a_usize: usize, x_u32: &[u32], total_u64: &mut [u64], a_f32: f32) {
    shared!(tile_1: [f64; 64]);
    let mut own_0 = [2_u64; 4];
    barrier();
    tile_1[lid(0)] = (-(-(-1.0_f64)));
    barrier();
    for v0 in (-2_i32)..((-46_i32) % 4_i32) {
        if ((0_u32 / 0_u32) <= (false as u32)) {
            barrier();
            tile_1[lid(0)] = ((-0.0_f64) % 1000000000.0_f64).ln();
            barrier();
            let mut v1: i64 = group_min((if (18446744073709551615_u64 >= a_u64) { 2_i64 } else { y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] }));
            let mut v2: u32 = ((33_u32 << 2147483647_i32) & (4294967295_u32 + 69_u32));
        } else {
            y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 0.0_f32;
        }
    }
    barrier();
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (false || true)) {
        v3 = (v3 + 1_u32);
        if (31_usize < (1_usize + grp(0))) {
            own_0[((33_i64 as usize) % 4_usize)] = ((if true { 3_u64 } else { 38_u64 }) - (!2_u64));
            let mut v4: u64 = (if (1_u32 < v3) { 1_u64.saturating_add(0_u64) } else { (1_u64 / 33_u64) });
        }
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (2_i64 == 1_i64)) {
        v5 = (v5 + 1_u32);
        if true {
            let mut v6: i32 = (if (2_i32 == (-1_i32)) { (0_i32 - a_i32) } else { x_i32[(a_usize % 12_usize)] });
            own_0[(x_u32.len() % 4_usize)] = own_0[(1_usize % 4_usize)];
        }
    }
    atomic_or(&mut total_u64[((a_f32 as usize) % 5_usize)], own_0[((3_usize % 1_usize) % 4_usize)]);
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 44_i64;
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random85(x_f64: &[f64], y_i64: &mut [i64], a_i64: i64) {
    let mut v0: f64 = (-(0.0_f64 * (-1.0_f64)));
    v0 = x_f64[2_usize];
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((0_i32 as i64).clamp((true as i64), a_i64) - ((a_i64 + 2_i64) & (0_i64 ^ 33_i64)));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random86(a_u32: u32, x_u32: &[u32], a_f64: f64, a_u64: u64, a_bool: bool, total_i32: &mut [i32], y_u64: &mut [u64], total_u64: &mut [u64], a_usize: usize, total_i64: &mut [i64], x_i32: &[i32], y_i64: &mut [i64]) {
    let mut own_0 = [(a_u32 - a_u32); 4];
    let mut own_1 = [33_u64; 4];
    if ((2_usize - 32_usize) == lid(1)) {
        let mut v0: f32 = ((if true { (-2.75_f32) } else { 1.0_f32 }) + 0.0_f32.ceil());
        let mut v1: u32 = (x_u32[(40_usize.max(0_usize) % 12_usize)] - a_u32);
    } else {
        if ((a_f64 == (-0.0_f64)) ^ (f64::INFINITY > 0.5_f64)) {
            let mut v2: u64 = ((a_u64 % a_u64) * (if true { 0_u64 } else { 0_u64 }));
            v2 = (if (false || false) { (0.1_f64 - a_f64) } else { (if a_bool { (-0.0_f64) } else { 1e-40_f64 }) }).to_bits();
            atomic_or(&mut total_i32[(31_usize.clamp(2_usize, lid(0)) % 5_usize)], (-2_i32.rem_euclid((-1_i32))));
        }
        y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = 0_u64;
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (1000000000.0_f32 < (-2.75_f32))) {
            v3 = (v3 + 1_u32);
            atomic_min(&mut total_u64[4_usize], own_1[((63_usize - a_usize) % 4_usize)]);
        }
    }
    for v4 in 0_usize..((0_u32 as usize) % 4_usize) {
        for v5 in group_range(((1.0_f32 as usize) % 40_usize)) {
            let mut v6: u64 = own_1[((grp(1) - v5) % 4_usize)];
            if true {
                continue;
            }
            atomic_max(&mut total_i64[(x_i32.len() % 5_usize)], (-1_i64));
        }
    }
    barrier();
    y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = y_i64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)];
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random87(x_u32: &[u32], x_f32: &[f32], total_u32: &mut [u32], a_u32: u32, a_i64: i64, x_f64: &[f64], a_bool: bool, a_f32: f32, x_i64: &[i64], a_usize: usize, y_f32: &mut [f32]) {
    for v0 in 0_usize..((grp(0) % 3_usize) % 4_usize) {
        for v1 in group_range(((v0 / v0) % 40_usize)) {
            let mut v2: bool = (4294967295_u32.div_euclid(0_u32) > x_u32[(x_f32.len() % 12_usize)]);
            atomic_and(&mut total_u32[((3_usize * v1) % 5_usize)], ((if v2 { a_u32 } else { 0_u32 }) ^ (0_u32 / 0_u32)));
        }
        for v3 in group_range(((v0 * v0) % 40_usize)) {
            if ((f32::NAN > (-0.0_f32)) > (1_u32 > 4294967295_u32)) {
                break;
            }
            let mut v4: i64 = ((a_i64 * 2_i64) % (22_i64 >> 0_u64));
            if (x_f64[9_usize] != 3e38_f64.sqrt()) {
                continue;
            }
        }
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (true || true)) {
            v5 = (v5 + 1_u32);
            if (false && (a_bool >= a_bool)) {
                continue;
            }
            if (true || (false ^ false)) {
                break;
            }
            if (1000000000.0_f32 < (if true { a_f32 } else { 1.0_f32 })) {
                break;
            }
        }
    }
    let mut v6: i64 = x_i64[((40_usize | a_usize) % 12_usize)];
    y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = f32::INFINITY;
}

#[kernel(device = cpu, domain = 37)]
fn random88(x_i32: &[i32], total_i32: &mut [i32], y_i32: &mut [i32], a_i32: i32, y_f64: &mut [f64], x_f64: &[f64]) {
    let mut own_0 = [(1000000000.0_f32 / 0.5_f32); 4];
    let mut own_1 = [x_i32[(x_i32.len() % 12_usize)]; 4];
    own_1[(7_usize % 4_usize)] = (if ((-0.0_f32) != 0.1_f32) { (1_i32 % (-1_i32)) } else { (-0_i32) });
    atomic_max(&mut total_i32[((37_usize << 32_usize) % 5_usize)], 1_i32);
    y_i32[((gid(0) * 2_usize) + 0_usize)] = a_i32;
    y_f64[((gid(0) * 2_usize) + 1_usize)] = x_f64[7_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random89(x_u64: &[u64], y_f64: &mut [f64], a_f64: f64) {
    shared!(tile_0: [usize; 64]);
    shared!(tile_1: [f32; 64]);
    barrier();
    tile_0[lid(0)] = x_u64.len();
    barrier();
    barrier();
    tile_1[lid(0)] = (-0.5_f32);
    barrier();
    barrier();
    barrier();
    tile_0[lid(0)] = grp(0);
    barrier();
    y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = a_f64;
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random90(y_u64: &mut [u64], a_u64: u64, x_i64: &[i64]) {
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (a_u64 + ((a_u64 ^ 33_u64) + (33_u64 / 1_u64)));
    barrier();
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (if (x_i64[((grp(0) | grp(0)) % 12_usize)] != 9223372036854775807_i64) { 0_u64 } else { (1.0_f64.to_bits() | (if true { a_u64 } else { 1_u64 })) });
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random91(a_f64: f64, y_u64: &mut [u64], a_u64: u64, y_i64: &mut [i64], y_f64: &mut [f64], a_bool: bool, a_i32: i32, total_u64: &mut [u64], y_f32: &mut [f32], a_f32: f32, x_f32: &[f32], x_u32: &[u32], a_usize: usize) {
    shared!(tile_0: [u32; 1]);
    barrier();
    tile_0[lid(0)] = (if (false < true) { (0_u32 / 55_u32) } else { (1_u32 % 41_u32) });
    barrier();
    if ((a_f64 != a_f64) && (56_u64 != 41_u64)) {
        let mut v0: u32 = 0_u32;
        while ((v0 < 3_u32) && false) {
            v0 = (v0 + 1_u32);
            y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0_u64 << 2_usize) + (if true { a_u64 } else { 33_u64 })) & ((a_u64 * 33_u64) ^ y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)]));
            if ((0_u64 as u32) <= v0) {
                continue;
            }
        }
        y_i64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((9223372036854775807_i64 - (-1_i64)) % 9223372036854775807_i64).min(((1_i64 % i64::MIN) as i64));
    } else {
        y_f64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = ((1e-40_f64 % a_f64) % (1e-40_f64 / f64::NAN)).div_euclid((if (false ^ a_bool) { 0.0_f64 } else { (-a_f64) }));
        for v1 in (-2_i32)..((a_i32 + 27_i32) % 4_i32) {
            atomic_xor(&mut total_u64[0_usize], ((f64::INFINITY as u64) / (!18446744073709551615_u64)));
            if (v1 < (33_u64 as i32)) {
                continue;
            }
        }
        y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (-(a_f32.round() / x_f32[7_usize]));
    }
    if (33_i32 > (true as i32)) {
        let mut v2: f64 = ((1e-40_f64 + 1e-40_f64) * 3e38_f64.copysign(1000000000.0_f64));
        for v3 in group_range((x_u32.len() % 40_usize)) {
            let mut v4: i64 = (-1_i64).div_euclid((12_i64 ^ (-1_i64)));
            let mut v5: f32 = (-x_f32[((v3 / v3) % 12_usize)]);
            v5 = y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)];
        }
        barrier();
        tile_0[lid(0)] = (!(0_u32 & 8_u32));
        barrier();
    }
    let mut v6: u32 = tile_0[(4_usize % 1_usize)];
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_f32[((40_usize >> a_usize) % 12_usize)] % ((lid(0) * a_usize) as f32));
}

#[kernel(device = cpu, domain = (3, 5))]
fn random92(y_i64: &mut [i64], x_i32: &[i32], x_f64: &[f64], a_u64: u64, y_i32: &mut [i32]) {
    y_i64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = 0_i64.div_euclid(33_i64);
    if (0.5_f64 > ((-1.0_f64) + 0.1_f64)) {
        let mut v0: i32 = x_i32[(x_f64.len() % 12_usize)];
        for v1 in 0_usize..((63_usize >> gid(0)) % 4_usize) {
            let mut v2: f32 = (-(v1 as f32));
        }
    }
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (true || true)) {
        v3 = (v3 + 1_u32);
        if ((0_u64 / a_u64) < (2_u64 << 1_u64)) {
            let mut v4: u32 = ((3_usize as u32) + v3);
        }
        if true {
            continue;
        }
    }
    y_i32[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = ((1_i32 % 1_i32.saturating_sub(9_i32)) * x_i32[10_usize]);
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random93(x_i32: &[i32], a_usize: usize, a_i32: i32, y_u64: &mut [u64], x_u64: &[u64]) {
    shared!(tile_0: [i32; 16]);
    shared!(tile_1: [i32; 16]);
    barrier();
    tile_0[lid(0)] = (x_i32[((if true { 1_usize } else { a_usize }) % 12_usize)] + (-a_i32));
    barrier();
    barrier();
    tile_1[lid(0)] = ((-a_i32) / (-1_i32));
    barrier();
    for v0 in (-2_i32)..((32_i32 / 2_i32) % 4_i32) {
        for v1 in (-2_i32)..((0.1_f64 as i32) % 4_i32) {
            barrier();
            tile_0[lid(0)] = (tile_1[(lid(0) * 7_usize)] ^ (v1 * v0));
            barrier();
        }
    }
    for v2 in group_range(((a_usize * a_usize) % 40_usize)) {
        if ((1e-40_f64 > (-0.0_f64)) || (40_usize > 63_usize)) {
            break;
        }
    }
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (x_u64[8_usize] | ((7_u64 * 0_u64) % (18446744073709551615_u64 + 0_u64)));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random94(a_bool: bool, a_f32: f32, a_i64: i64, y_u64: &mut [u64], x_u64: &[u64], a_usize: usize, y_f64: &mut [f64], x_u32: &[u32], x_f32: &[f32], total_i64: &mut [i64], total_u32: &mut [u32], total_i32: &mut [i32], a_i32: i32, y_f32: &mut [f32], a_u64: u64, y_i32: &mut [i32], x_f64: &[f64], y_u32: &mut [u32]) {
    barrier();
    if ((false ^ a_bool) > (0.0_f32 != a_f32)) {
        let mut v0: f64 = (f64::NAN * (0.5_f64 % f64::INFINITY));
    } else {
        if ((2_i64 - 33_i64) == (i64::MIN + a_i64)) {
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = x_u64[(a_usize % 12_usize)];
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (-0.0_f64);
        } else {
            let mut v1: u32 = x_u32[(63_usize % 12_usize)];
            let mut v2: usize = ((if true { 2_usize } else { a_usize }) % x_f32.len());
            atomic_and(&mut total_i64[2_usize], (-(if true { a_i64 } else { a_i64 })));
        }
        atomic_or(&mut total_u32[(a_usize.clamp(a_usize, a_usize) % 5_usize)], 1_u32);
    }
    if (false ^ true) {
        atomic_max(&mut total_i32[((1_i64 as usize) % 5_usize)], ((-a_i32) - (35_i32 * 33_i32)));
        let mut v3: u64 = ((33_i32 - 2_i32) as u64);
        y_f32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = ((-2.75_f32) as f32);
    } else {
        for v4 in (-2_i32)..((if true { 33_i32 } else { 0_i32 }) % 4_i32) {
            y_f64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (0_u32 as f64);
            y_u64[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (0_u64 | 0_u64);
            let mut v5: u32 = ((0_u64 % 0_u64) as u32);
        }
        if (0_u64.clamp(50_u64, a_u64) != 11_u64.max(18446744073709551615_u64)) {
            y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 0_usize)] = (a_i32 * ((1_i32 * 2_i32) - 33_i32.max(0_i32)));
            atomic_max(&mut total_i32[2_usize], 0_i32);
        } else {
            atomic_and(&mut total_i64[(x_f64.len() % 5_usize)], ((a_i64 + 0_i64) - 33_i64));
        }
    }
    y_u32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (0_u32 - ((2_u32 + 0_u32) - x_u32[7_usize]));
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random95(y_f32: &mut [f32], x_f32: &[f32], a_usize: usize, a_f32: f32, y_i64: &mut [i64], a_i64: i64, a_u32: u32) {
    y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (f32::INFINITY.max(x_f32[((grp(0) * a_usize) % 12_usize)]) - (0.0_f32.clamp(1000000000.0_f32, a_f32) + (a_usize as f32)));
    barrier();
    y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((9223372036854775807_i64 + (-1_i64)) << (a_i64 as i32)).max((2_i64 / (a_u32 as i64)));
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random96(a_f64: f64, y_f32: &mut [f32], x_u32: &[u32], y_u64: &mut [u64], a_usize: usize, a_u64: u64) {
    shared!(tile_0: [f64; 1]);
    barrier();
    tile_0[lid(0)] = (a_f64 % 3e38_f64).div_euclid(f64::NAN);
    barrier();
    let mut own_1 = [0_u64; 4];
    y_f32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0.1_f32 % (false as u32 as f32)) - (x_u32[((0_usize << 33_u64) % 12_usize)] as f32));
    let mut v0: u32 = group_sum(0_u32);
    let mut v1: u32 = group_max(x_u32[(64_usize % 12_usize)]);
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((33_u32 > 4294967295_u32) >= ((-2.75_f32) >= 0.1_f32)) { own_1[((63_usize & a_usize) % 4_usize)] } else { (a_u64 * (28_u64 >> 33_u64)) });
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random97(a_usize: usize, total_u32: &mut [u32], x_u32: &[u32], y_f64: &mut [f64], x_f64: &[f64], y_i64: &mut [i64], a_i64: i64) {
    for v0 in group_range(((a_usize / grp(0)) % 40_usize)) {
        atomic_max(&mut total_u32[0_usize], x_u32[((v0 >> 1_u64) % 12_usize)]);
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((if false { x_f64[((63_usize - a_usize) % 12_usize)] } else { (0.1_f32 as f64) }) % (0.5_f64 * x_f64[((3_usize - 64_usize) % 12_usize)]));
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 17_i64.saturating_add((if false { (a_i64 * 35_i64) } else { (2_i64 % 1_i64) }));
}

#[kernel(device = cpu, domain = (3, 5))]
fn random98(a_i64: i64, x_f64: &[f64], y_f64: &mut [f64], a_f64: f64, x_i32: &[i32], total_u64: &mut [u64], x_i64: &[i64]) {
    let mut own_0 = [(-0.5_f32); 4];
    let mut v0: i64 = a_i64;
    for v1 in 0_usize..(x_f64.len() % 4_usize) {
        v0 = (x_f64.len() as i64);
        for v2 in 0_usize..((v1 % gid(0)) % 4_usize) {
            v0 = (if ((v0 <= i64::MIN) >= true) { ((i64::MIN - a_i64) % (v0 / v0)) } else { 9223372036854775807_i64.rem_euclid((33_i64 % v0)) });
        }
    }
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 0_usize)] = ((if true { (-2.75_f64) } else { (-2.75_f64) }) % (a_f64 / 0.0_f64)).recip();
    let mut v3: u32 = 0_u32;
    while ((v3 < 3_u32) && (false ^ true)) {
        v3 = (v3 + 1_u32);
        if false {
            continue;
        }
        own_0[(x_i32.len() % 4_usize)] = ((gid(0) / 1_usize) as f32);
    }
    atomic_or(&mut total_u64[(x_i64.len() % 5_usize)], 0_u64);
    y_f64[((((gid(1) * 5_usize) + gid(0)) * 2_usize) + 1_usize)] = x_f64[2_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random99(x_f32: &[f32], y_u32: &mut [u32], a_u32: u32) {
    shared!(tile_0: [f64; 64]);
    barrier();
    tile_0[lid(0)] = (if (1000000000.0_f64 > (-0.0_f64)) { (-(-0.0_f64)) } else { (if true { f64::INFINITY } else { (-2.75_f64) }) });
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (v0 < v0)) {
        v0 = (v0 + 1_u32);
        let mut v1: f32 = group_min((x_f32[(((-0.0_f64) as usize) % 12_usize)] * x_f32[(grp(0).saturating_sub(grp(0)) % 12_usize)]));
    }
    barrier();
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((33_u32 ^ 66_u32) + ((-1_i64).count_ones() * (a_u32 - 4_u32)));
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random100(total_i64: &mut [i64], x_i64: &[i64], a_bool: bool, x_u64: &[u64], y_u64: &mut [u64]) {
    shared!(tile_0: [f64; 16]);
    barrier();
    tile_0[lid(0)] = ((2_usize | 1_usize) as f64);
    barrier();
    barrier();
    for v0 in group_range(((2_usize >> 0_usize) % 40_usize)) {
        atomic_min(&mut total_i64[((v0 & grp(0)) % 5_usize)], x_i64[0_usize]);
        let mut v1: bool = a_bool;
        let mut v2: u32 = ((1_u32 / 40_u32) / lid(0).count_ones());
    }
    let mut v3: u64 = (x_u64[(x_i64.len() % 12_usize)] + (10_u64 | 33_u64));
    y_u64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[6_usize];
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random101(a_i32: i32, a_u64: u64, x_f32: &[f32], a_f64: f64, total_u64: &mut [u64], a_u32: u32, y_i32: &mut [i32]) {
    shared!(tile_0: [usize; 64]);
    barrier();
    tile_0[lid(0)] = 63_usize.div_euclid((40_usize >> a_i32));
    barrier();
    let mut own_1 = [(18446744073709551615_u64 % a_u64); 4];
    for v0 in 0_usize..((grp(0) >> a_u64) % 4_usize) {
        let mut v1: f32 = x_f32[(v0 % 12_usize)];
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && (true ^ true)) {
            v2 = (v2 + 1_u32);
            if ((3e38_f64 * 0.5_f64) <= (if false { (-2.75_f64) } else { a_f64 })) {
                continue;
            }
            atomic_or(&mut total_u64[(40_usize % 5_usize)], (if (a_i32 > 1_i32) { own_1[tile_0[62_usize]] } else { 54_u64 }));
            if ((true || true) && (v1 <= v1)) {
                continue;
            }
        }
    }
    for v3 in group_range((grp(0).max(40_usize) % 40_usize)) {
        let mut v4: u32 = a_u32;
    }
    barrier();
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = 2147483647_i32;
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random102(a_i64: i64, total_i64: &mut [i64], x_i64: &[i64], y_u64: &mut [u64], x_u64: &[u64], a_usize: usize, total_u32: &mut [u32], a_f64: f64, a_bool: bool, x_f32: &[f32], y_i64: &mut [i64], a_u32: u32, y_f64: &mut [f64], x_u32: &[u32], x_f64: &[f64], y_u32: &mut [u32]) {
    let mut own_0 = [(0_u64 as f64); 4];
    if ((i64::MIN / a_i64) > (a_i64 / a_i64)) {
        atomic_and(&mut total_i64[3_usize], (if (false ^ false) { x_i64[(lid(0).div_euclid(32_usize) % 12_usize)] } else { (-10_i64) }));
        y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((x_u64[(7_usize.min(a_usize) % 12_usize)] << 0_u64) ^ (-0.5_f64).to_bits());
        atomic_add(&mut total_u32[3_usize], ((-a_f64) as u32));
    }
    if ((a_bool != false) >= (true <= false)) {
        let mut v0: bool = false;
    } else {
        if (((-0.0_f32) - (-1.0_f32)) >= x_f32[((3_usize << 18446744073709551615_u64) % 12_usize)]) {
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((-2.75_f32) as i64) * ((a_i64 & 1_i64) | (1_i64 / 9223372036854775807_i64)));
            atomic_and(&mut total_i64[((if true { a_usize } else { a_usize }) % 5_usize)], (-(-9223372036854775807_i64)));
            let mut v1: i64 = (i64::MIN + a_i64);
        } else {
            let mut v2: bool = ((33_i64 * i64::MIN) < (a_i64 - 63_i64));
        }
        if a_bool {
            atomic_add(&mut total_u32[4_usize], ((a_u32 - 54_u32) / (4294967295_u32 + 2_u32)));
            y_f64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = 0.1_f64;
            let mut v3: u32 = x_u32[((40_usize - 2_usize) % 12_usize)];
        }
    }
    for v4 in group_range((64_usize % 40_usize)) {
        own_0[2_usize] = ((1_i64 as f64) + x_f64[5_usize]);
    }
    y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((!0_u64) + (1_u64 & 18446744073709551615_u64));
    y_u32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 0_usize)] = (!(!(2_u32 + a_u32)));
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random103(y_u64: &mut [u64], y_f64: &mut [f64], x_f64: &[f64], y_i32: &mut [i32], a_f32: f32, x_i32: &[i32], a_i32: i32, x_f32: &[f32], y_f32: &mut [f32], x_i64: &[i64], a_bool: bool, total_i64: &mut [i64], a_usize: usize, y_u32: &mut [u32], x_u32: &[u32], total_i32: &mut [i32], total_u32: &mut [u32], x_u64: &[u64]) {
    shared!(tile_0: [i32; 8]);
    shared!(tile_1: [u64; 8]);
    barrier();
    tile_0[lid(0)] = ((i32::MIN - 1_i32) + (-1_i32));
    barrier();
    barrier();
    tile_1[lid(0)] = (!0_u64.min(33_u64));
    barrier();
    let mut v0: f64 = group_sum((1.0_f64 + 1000000000.0_f64));
    for v1 in group_range((grp(0) % 40_usize)) {
        y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = 0_u64;
        y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f64[((!v1) % 12_usize)];
        y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((a_f32 as f32) > 0.0_f32.div_euclid(0.5_f32)) { x_i32[((33_i32 as usize) % 12_usize)].min((if true { a_i32 } else { 13_i32 })) } else { a_i32 });
    }
    if (((-0.0_f32) == a_f32) && (33_i64 <= 2_i64)) {
        for v2 in 0_usize..(x_f32.len() % 4_usize) {
            y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[((!v2) % 12_usize)];
            let mut v3: i64 = x_i64[2_usize];
        }
        if a_bool {
            y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (-((1_u32 as f64) * (2_i64 as f64)));
        } else {
            atomic_max(&mut total_i64[((2_usize - a_usize) % 5_usize)], 9223372036854775807_i64);
            let mut v4: f64 = (v0 * 1000000000.0_f64).copysign(x_f64[(if true { a_usize } else { lid(0) })]);
            y_u32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u32[(3_usize % 12_usize)];
        }
    } else {
        if true {
            atomic_xor(&mut total_i32[((2_usize & a_usize) % 5_usize)], y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)]);
        }
        atomic_xor(&mut total_u32[(63_usize % 5_usize)], x_u32[(x_u64.len() % 12_usize)]);
    }
    y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = (((v0 / v0) * (v0 * v0)) * ((true as u32 as f64) * (v0 + v0)));
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random104(x_f64: &[f64], x_i32: &[i32], y_i32: &mut [i32], y_f32: &mut [f32], x_f32: &[f32]) {
    let mut v0: f64 = (x_f64[(x_i32.len() % 12_usize)] + (-(-2.75_f64)));
    barrier();
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = 2147483647_i32;
    y_f32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[((v0 as usize) % 12_usize)];
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random105(a_usize: usize, a_u32: u32, total_i32: &mut [i32], total_u64: &mut [u64], a_u64: u64, y_u64: &mut [u64]) {
    shared!(tile_0: [usize; 1]);
    barrier();
    tile_0[lid(0)] = ((4_usize / 1_usize) * 63_usize);
    barrier();
    let mut own_1 = [(1e-40_f32 + 1.0_f32); 4];
    let mut v0: i32 = (-1_i32);
    let mut v1: u32 = 0_u32;
    while ((v1 < 3_u32) && ((-1.0_f64) < (-0.0_f64))) {
        v1 = (v1 + 1_u32);
        for v2 in group_range((1_usize.max(a_usize) % 40_usize)) {
            let mut v3: u32 = (0_i64 + 1_i64).trailing_zeros();
        }
    }
    for v4 in 1_u32..((a_u32 / 2_u32) % 4_u32) {
        let mut v5: f32 = 1e-40_f32;
        atomic_or(&mut total_i32[((lid(0) ^ 4_usize) % 5_usize)], 2_i32);
    }
    atomic_and(&mut total_u64[(tile_0[((a_usize + 4_usize) % 1_usize)] % 5_usize)], a_u64);
    y_u64[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = 1_u64;
}

#[kernel(device = cpu, domain = 37)]
fn random106(a_usize: usize, a_bool: bool, a_u64: u64, y_i64: &mut [i64], a_i64: i64) {
    let mut own_0 = [a_usize; 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && false) {
        v0 = (v0 + 1_u32);
        if (true && (true && a_bool)) {
            break;
        }
        if false {
            let mut v1: u64 = (a_u64 | (0_u64 + a_u64));
        }
    }
    let mut v2: f64 = 0.1_f64;
    let mut v3: u32 = 4294967295_u32.trailing_zeros();
    if true {
        v2 = (if (v3 <= v3) { (1_u64 as f64) } else { (-2.75_f64) }).signum();
    }
    y_i64[((gid(0) * 2_usize) + 1_usize)] = a_i64;
}

#[kernel(device = cpu, domain = 37)]
fn random107(x_i32: &[i32], a_usize: usize, x_u64: &[u64], y_i32: &mut [i32], x_f32: &[f32], x_f64: &[f64], x_i64: &[i64], y_u64: &mut [u64], a_bool: bool, total_i64: &mut [i64], y_u32: &mut [u32]) {
    let mut own_0 = [x_i32[((3_usize >> a_usize) % 12_usize)]; 4];
    let mut own_1 = [f64::INFINITY; 4];
    for v0 in 0_usize..(x_u64.len() % 4_usize) {
        y_i32[((gid(0) * 2_usize) + 0_usize)] = (if ((false as usize) >= 63_usize) { (if (1_u64 != 18446744073709551615_u64) { own_0[(x_f32.len() % 4_usize)] } else { 63_i32.clamp(2_i32, 33_i32) }) } else { 52_i32 });
        let mut v1: f64 = x_f64[(x_i64.len() % 12_usize)].recip();
    }
    y_u64[((gid(0) * 2_usize) + 1_usize)] = x_u64[((37_usize >> 18446744073709551615_u64) % 12_usize)];
    let mut v2: u64 = (x_u64[((gid(0) ^ 37_usize) % 12_usize)] % 0_u64);
    if a_bool {
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (gid(0) >= a_usize)) {
            v3 = (v3 + 1_u32);
            own_0[((1_usize + a_usize) % 4_usize)] = ((-1_i32) % 40_i32.min(2_i32));
        }
        atomic_min(&mut total_i64[((gid(0) % 37_usize) % 5_usize)], ((58_i64 / 0_i64) % (9223372036854775807_i64 - 33_i64)));
        for v4 in 0_usize..((a_usize ^ gid(0)) % 4_usize) {
            own_1[(v4.rem_euclid(1_usize) % 4_usize)] = (if a_bool { ((-2.75_f64) / 0.0_f64) } else { (0.1_f64 % 3e38_f64) });
            let mut v5: f32 = (x_f32[(v4.saturating_add(v4) % 12_usize)] / 1e-40_f32.min(1000000000.0_f32));
        }
    }
    y_u32[((gid(0) * 2_usize) + 1_usize)] = 0_u32;
}

#[kernel(device = cpu, group = 1, groups = 4)]
fn random108(total_i32: &mut [i32], y_i32: &mut [i32], x_i32: &[i32]) {
    shared!(tile_0: [f32; 1]);
    barrier();
    tile_0[lid(0)] = 1e-40_f32;
    barrier();
    let mut v0: i64 = (1_i64 / (9223372036854775807_i64 % 9223372036854775807_i64));
    for v1 in group_range((32_usize % 40_usize)) {
        if false {
            break;
        }
        if (v1 != (v1 * v1)) {
            continue;
        }
        atomic_and(&mut total_i32[(0_usize % 5_usize)], ((-1_i32) + (-33_i32)));
    }
    y_i32[((((grp(0) * 1_usize) + lid(0)) * 2_usize) + 0_usize)] = ((51_i32 | (-1_i32)).signum() % x_i32[5_usize]);
}

#[kernel(device = cpu, domain = 37)]
fn random109(a_f32: f32, a_u64: u64, x_u64: &[u64], a_i64: i64, total_i64: &mut [i64], x_f32: &[f32], a_bool: bool, y_f32: &mut [f32], y_u64: &mut [u64], y_i32: &mut [i32]) {
    let mut own_0 = [(a_f32 * 3e38_f32); 4];
    let mut own_1 = [(a_u64 as f64); 4];
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (true || true)) {
        v0 = (v0 + 1_u32);
        let mut v1: f64 = (x_u64[3_usize] as f64);
        if (true ^ true) {
            let mut v2: i64 = ((9223372036854775807_i64 - 9223372036854775807_i64) * a_i64.saturating_add(1_i64));
            let mut v3: u64 = 18446744073709551615_u64;
        } else {
            if false {
                break;
            }
            let mut v4: f32 = ((-f32::INFINITY) + (v0 as f32));
            atomic_max(&mut total_i64[(x_f32.len() % 5_usize)], (-1_i64));
        }
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && (a_bool && false)) {
        v5 = (v5 + 1_u32);
        y_f32[((gid(0) * 2_usize) + 0_usize)] = (if ((18446744073709551615_u64 == 2_u64) != (a_i64 != 1_i64)) { 0.5_f32 } else { ((1.0_f64 - 0.0_f64) as f32) });
        let mut v6: i64 = (9223372036854775807_i64 * 33_i64).max((36_i64 % (-1_i64)));
        let mut v7: u32 = ((if true { 2_u32 } else { v5 }) as u32);
    }
    if (0_i64.max(a_i64) >= a_i64) {
        for v8 in 1_u32..(1_u32.min(1_u32) % 4_u32) {
            let mut v9: f64 = ((true as u32 as f64) / (if false { 0.5_f64 } else { 1.0_f64 }));
        }
    } else {
        let mut v10: f32 = (own_0[40_usize] - (1e-40_f32 - 3e38_f32));
        own_1[(((-0.0_f64) as usize) % 4_usize)] = own_1[0_usize];
        y_u64[((gid(0) * 2_usize) + 0_usize)] = ((if true { 0_u64 } else { 1_u64 }).min((!0_u64)) % (f64::NAN as u64));
    }
    y_u64[((gid(0) * 2_usize) + 0_usize)] = 1_u64;
    let mut v11: f32 = ((-3e38_f32) / ((-1.0_f32) - f32::INFINITY));
    y_i32[((gid(0) * 2_usize) + 0_usize)] = (-i32::MIN);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random110(x_u32: &[u32], x_f64: &[f64], a_bool: bool, y_i32: &mut [i32], x_i32: &[i32], a_f32: f32, total_u64: &mut [u64], a_usize: usize, x_u64: &[u64], a_i32: i32, a_u64: u64, y_u64: &mut [u64], total_i32: &mut [i32], y_f64: &mut [f64], total_u32: &mut [u32]) {
    shared!(tile_0: [u32; 8]);
    shared!(tile_1: [i32; 8]);
    barrier();
    tile_0[lid(0)] = (x_u32[(x_f64.len() % 12_usize)] | (4294967295_u32 * 0_u32));
    barrier();
    barrier();
    tile_1[lid(0)] = (if (a_bool && true) { 2_i32 } else { (if true { 33_i32 } else { i32::MIN }) });
    barrier();
    let mut v0: f64 = ((-0.0_f64) * (-1.0_f64)).mul_add(x_f64[11_usize], 1.0_f64.copysign((-0.0_f64)));
    if ((-2_i32) <= (3_usize as i32)) {
        let mut v1: f64 = (1.0_f64 + x_f64[(lid(0) % 12_usize)]);
        let mut v2: u32 = 0_u32;
        while ((v2 < 3_u32) && a_bool) {
            v2 = (v2 + 1_u32);
            y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i32[3_usize];
            let mut v3: f32 = ((1e-40_f32 % 0.0_f32) - (a_f32 - a_f32));
        }
        let mut v4: usize = (x_f64.len() - (63_usize % 63_usize));
    } else {
        atomic_max(&mut total_u64[(a_usize.clamp(grp(0), 3_usize) % 5_usize)], ((-1.0_f64) as u64));
        let mut v5: u64 = x_u64[1_usize];
        for v6 in 0_usize..((3_usize as usize) % 4_usize) {
            v5 = ((if false { x_u64[(v6.saturating_add(lid(0)) % 12_usize)] } else { (if false { 9_u64 } else { v5 }) }) + (if (27_i32 != 0_i32) { v5 } else { (a_i32 as u64) }));
        }
    }
    y_i32[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (-1_i32);
    if ((18446744073709551615_u64 != a_u64) || (2_u32 == 2_u32)) {
        let mut v7: u32 = 0_u32;
        while ((v7 < 3_u32) && (1.0_f32 > (-0.0_f32))) {
            v7 = (v7 + 1_u32);
            let mut v8: usize = a_usize;
            y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = x_u64[((1_usize & 3_usize) % 12_usize)];
            atomic_xor(&mut total_i32[((33_i64 as usize) % 5_usize)], x_i32[(3_usize % 12_usize)]);
        }
        for v9 in 0_usize..((63_usize | 40_usize) % 4_usize) {
            y_f64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if true { v0 } else { v0 }).floor() / x_f64[(x_i32.len() % 12_usize)]);
            atomic_min(&mut total_u32[x_u64.len()], 2_u32);
        }
    }
    y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = x_u64[((lid(0) % a_usize) % 12_usize)].saturating_add(33_u64);
}

#[kernel(device = cpu, domain = 37)]
fn random111(total_u64: &mut [u64], x_i64: &[i64], a_u64: u64, total_i64: &mut [i64], y_u32: &mut [u32], a_u32: u32, x_u32: &[u32], x_f32: &[f32], a_i64: i64, x_f64: &[f64], y_i64: &mut [i64], y_i32: &mut [i32], x_i32: &[i32]) {
    let mut v0: f64 = ((-1.0_f64) - f64::NAN.round_ties_even());
    atomic_and(&mut total_u64[(x_i64.len() % 5_usize)], (0_u64 | a_u64));
    for v1 in 0_usize..(0_usize % 4_usize) {
        atomic_xor(&mut total_i64[2_usize], i64::MIN);
        y_u32[((gid(0) * 2_usize) + 0_usize)] = (if ((-0.0_f32) < 1000000000.0_f32) { 2_u64.leading_zeros() } else { (31_u32 + a_u32) }).saturating_add(x_u32[(x_f32.len() % 12_usize)]);
        for v2 in 1_u32..((i32::MIN as u32) % 4_u32) {
            let mut v3: usize = (if (9223372036854775807_i64 != a_i64) { x_f64.len() } else { (v1 / v1) });
            v3 = (((32_usize / v1) % (64_usize & v1)) + v1);
            y_i64[((gid(0) * 2_usize) + 1_usize)] = (true as i64);
        }
    }
    y_i32[((gid(0) * 2_usize) + 0_usize)] = (-(if ((-0.0_f64) > v0) { x_i32[((37_usize | 7_usize) % 12_usize)] } else { 1_i32 }));
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random112(a_u32: u32, y_f32: &mut [f32], x_u32: &[u32], x_f32: &[f32], a_usize: usize, a_f64: f64, a_bool: bool, y_u32: &mut [u32], a_i32: i32, total_i64: &mut [i64], x_f64: &[f64], y_u64: &mut [u64], x_u64: &[u64], y_i32: &mut [i32], y_f64: &mut [f64]) {
    shared!(tile_0: [i32; 8]);
    barrier();
    tile_0[((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))] = (a_u32 as i32);
    barrier();
    let mut v0: u32 = 0_u32;
    while ((v0 < 3_u32) && (40_usize > 1_usize)) {
        v0 = (v0 + 1_u32);
        y_f32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (-0.0_f32);
        if (x_u32[11_usize] == (0_u32 * 0_u32)) {
            let mut v1: f32 = x_f32[(a_usize % 12_usize)];
            if (((-0.0_f32) as f64) == (if true { 0.1_f64 } else { a_f64 })) {
                break;
            }
            let mut v2: bool = ((66_u64 != 1_u64) || (false && a_bool));
        } else {
            y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (((v0 * v0) as u32) as u32);
            if ((if false { 2_usize } else { 2_usize }) > (1000000000.0_f32 as usize)) {
                break;
            }
            let mut v3: i32 = (2147483647_i32 - a_i32).saturating_sub(tile_0[(grp(0) >> 0_i32)]);
        }
    }
    let mut v4: i32 = ((-1_i32).abs() + tile_0[((grp(1) - grp(0)) % 8_usize)]);
    if ((true < a_bool) || (1000000000.0_f32 > 1000000000.0_f32)) {
        atomic_add(&mut total_i64[(2_usize % a_usize)], ((!9223372036854775807_i64) | (if false { i64::MIN } else { 33_i64 })));
        let mut v5: u32 = 0_u32;
        while ((v5 < 3_u32) && (true >= false)) {
            v5 = (v5 + 1_u32);
            let mut v6: u32 = (if (v4 < i32::MIN) { (4294967295_u32 + v5) } else { (v5 % v5) });
            let mut v7: usize = x_f64.len();
        }
        y_u64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_u64[((a_usize & grp(0)) % 12_usize)] / (0_u64 - (0.0_f32 as u64)));
    } else {
        let mut v8: u32 = 0_u32;
        while ((v8 < 3_u32) && (a_bool ^ a_bool)) {
            v8 = (v8 + 1_u32);
            let mut v9: bool = (((-0.0_f64) / 0.0_f64) != ((-0.0_f64) - 0.1_f64));
            y_i32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = (x_f32[(64_usize * a_usize)] as i32).rem_euclid((-2147483647_i32).signum());
        }
        let mut v10: i32 = 2147483647_i32;
        let mut v11: i32 = (if (a_bool || true) { v4 } else { v4.signum() });
    }
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 1_usize)] = ((a_f64 * (-1.0_f64)) - (f64::NAN + (-0.0_f64))).recip();
    y_f64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = x_f64[(x_f32.len() % 12_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random113(y_f32: &mut [f32], x_f32: &[f32], a_bool: bool, a_i32: i32, y_i64: &mut [i64], x_i64: &[i64], a_usize: usize, x_u64: &[u64], total_i32: &mut [i32], x_i32: &[i32], x_u32: &[u32], y_i32: &mut [i32]) {
    shared!(tile_0: [f64; 16]);
    barrier();
    tile_0[lid(0)] = ((0_usize / 2_usize) as f64);
    barrier();
    y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_f32[(2_usize.min(7_usize) % 12_usize)];
    for v0 in group_range(((grp(0) as usize) % 40_usize)) {
        let mut v1: i32 = (if (true || a_bool) { (-a_i32) } else { (-1_i32) });
        v1 = (((2_i32 ^ 2_i32) * (v1 * 33_i32)) / v1);
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[8_usize];
    }
    for v2 in 0_usize..((grp(0) + a_usize) % 4_usize) {
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && (false ^ true)) {
            v3 = (v3 + 1_u32);
            let mut v4: bool = (x_u64[9_usize] >= (if false { 2_u64 } else { 33_u64 }));
            y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = f32::INFINITY;
        }
        atomic_min(&mut total_i32[(v2 % 5_usize)], x_i32[(1_usize.div_euclid(grp(0)) % 12_usize)]);
        y_f32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_f32[(x_u32.len() % 12_usize)];
    }
    let mut v5: u32 = ((if false { 2_i64 } else { (-1_i64) }) as u32);
    let mut v6: f32 = group_min((x_f32[(x_u64.len() % 12_usize)] % x_f32[(64_usize % 12_usize)]));
    y_i32[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = x_i32[((3_usize + 1_usize) % 12_usize)];
}

#[kernel(device = cpu, group = 16, groups = 2)]
fn random114(y_f64: &mut [f64], x_f64: &[f64], x_i32: &[i32], total_u64: &mut [u64], a_u64: u64, x_u64: &[u64], y_i64: &mut [i64], x_i64: &[i64]) {
    shared!(tile_0: [usize; 16]);
    barrier();
    tile_0[lid(0)] = (2_usize.rem_euclid(32_usize) + (grp(0) | 2_usize));
    barrier();
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = ((0.1_f64.recip() - (0.5_f64 * 0.0_f64)) + x_f64[((if false { grp(0) } else { lid(0) }) % 12_usize)]);
    let mut v0: usize = ((33_u64 << 2_usize) as usize);
    for v1 in (-2_i32)..(x_i32[(v0 % 12_usize)] % 4_i32) {
        atomic_and(&mut total_u64[(x_f64.len() % 5_usize)], (if (2_u32 == 1_u32) { 2_u64.rem_euclid(a_u64) } else { x_u64[5_usize] }));
        y_i64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 1_usize)] = (((0.5_f64 - (-0.0_f64)) == (true as u32 as f64)) as i64);
    }
    let mut v2: usize = tile_0[(x_i64.len() % 16_usize)];
    let mut v3: u32 = (1_i32.leading_zeros() * (!33_u32));
    y_f64[((((grp(0) * 16_usize) + lid(0)) * 2_usize) + 0_usize)] = (((0_u64 >> v0) as f64) / ((0_u64 as u32) as f64));
}

#[kernel(device = cpu, group = (2, 2, 2), groups = (2, 2, 1))]
fn random115(y_i64: &mut [i64], a_u64: u64, y_u32: &mut [u32], x_u32: &[u32], a_i32: i32) {
    let mut own_0 = [(1_u64 * 67_u64); 4];
    y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = (-(if (33_u64 >= a_u64) { 9223372036854775807_i64 } else { y_i64[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] }));
    barrier();
    y_u32[((((((((grp(2) * 2_usize) + grp(1)) * 1_usize) + grp(0)) * 8_usize) + ((((lid(2) * 2_usize) + lid(1)) * 2_usize) + lid(0))) * 2_usize) + 0_usize)] = ((x_u32[10_usize] * (!0_u32)) >> (a_i32 / 1_i32).div_euclid(((-1_i32) + i32::MIN)));
}

#[kernel(device = cpu, group = (2, 4), groups = (2, 2))]
fn random116(x_f64: &[f64], y_i32: &mut [i32], a_i32: i32) {
    shared!(tile_0: [f32; 8]);
    shared!(tile_1: [i32; 8]);
    barrier();
    tile_0[((lid(1) * 4_usize) + lid(0))] = (if (0.0_f64 != 1.0_f64) { 0.1_f32 } else { (0.5_f32 as f32) });
    barrier();
    barrier();
    tile_1[((lid(1) * 4_usize) + lid(0))] = 12_i32;
    barrier();
    let mut v0: f64 = (-x_f64[((7_usize & 7_usize) % 12_usize)]);
    let mut v1: f32 = group_min(((-0.5_f32) - (0.5_f32 - 1000000000.0_f32)));
    y_i32[((((((grp(1) * 2_usize) + grp(0)) * 8_usize) + ((lid(1) * 4_usize) + lid(0))) * 2_usize) + 1_usize)] = (a_i32 as i32).max((-2_i32)).rem_euclid(a_i32);
}

#[kernel(device = cpu, group = 64, groups = 1)]
fn random117(a_i32: i32, a_f64: f64, x_f64: &[f64], a_usize: usize, y_i64: &mut [i64], x_i64: &[i64], y_u64: &mut [u64], x_u64: &[u64], y_f32: &mut [f32], x_u32: &[u32], y_i32: &mut [i32]) {
    shared!(tile_0: [i32; 64]);
    barrier();
    tile_0[lid(0)] = ((if false { 2_i32 } else { a_i32 }) - a_i32);
    barrier();
    let mut v0: f64 = group_sum(a_f64);
    v0 = x_f64[3_usize];
    let mut v1: f64 = (a_f64 + v0);
    if ((grp(0) != a_usize) && false) {
        for v2 in group_range((grp(0) % 40_usize)) {
            y_i64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = x_i64[2_usize];
            y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (2_u64 / x_u64[2_usize]);
            y_u64[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = (((1_u64 << v2) * (0_u64 + 34_u64)) / x_u64[(64_usize + v2)]);
        }
    } else {
        y_f32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = f32::INFINITY;
        let mut v3: u32 = x_u32[2_usize];
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && (true || false)) {
            v4 = (v4 + 1_u32);
            barrier();
            tile_0[lid(0)] = (a_i32 - (-2147483647_i32));
            barrier();
            v0 = (-(if true { v0 } else { v1 }));
        }
    }
    let mut v5: u32 = 0_u32;
    while ((v5 < 3_u32) && false) {
        v5 = (v5 + 1_u32);
        let mut v6: f32 = ((0.1_f32 - 0.0_f32) - (0_i64 as f32));
    }
    y_i32[((((grp(0) * 64_usize) + lid(0)) * 2_usize) + 1_usize)] = ((if true { i32::MIN } else { (-1_i32) }) * a_i32);
}

#[kernel(device = cpu, domain = 37)]
fn random118(y_u32: &mut [u32], a_i32: i32, a_bool: bool, x_f64: &[f64], a_f64: f64, total_u32: &mut [u32], x_u32: &[u32], total_u64: &mut [u64], a_u32: u32, a_usize: usize) {
    let mut own_0 = [((-0.0_f64) / f64::NAN); 4];
    for v0 in 0_usize..((gid(0) >> 2_u64) % 4_usize) {
        y_u32[((gid(0) * 2_usize) + 1_usize)] = (((33_u32 * 2_u32) ^ (0_u32 - 2_u32)) << ((f32::INFINITY as i32) % (33_i32 - a_i32)));
    }
    let mut v1: f64 = (if a_bool { x_f64[(40_usize % 12_usize)] } else { (if true { a_f64 } else { 3e38_f64 }) });
    if ((true ^ true) ^ (false <= true)) {
        let mut v2: f64 = (v1 / v1);
    } else {
        let mut v3: u32 = 0_u32;
        while ((v3 < 3_u32) && false) {
            v3 = (v3 + 1_u32);
            atomic_and(&mut total_u32[(gid(0) * 32_usize)], (!x_u32[x_u32.len()]));
        }
        let mut v4: u32 = 0_u32;
        while ((v4 < 3_u32) && false) {
            v4 = (v4 + 1_u32);
            if ((2_u32 / v4) <= v4) {
                break;
            }
            atomic_xor(&mut total_u64[(64_usize % 5_usize)], ((2_u64 << 40_usize) ^ (!1_u64)));
        }
        let mut v5: bool = (x_f64[(37_usize.saturating_sub(gid(0)) % 12_usize)] < v1);
    }
    y_u32[((gid(0) * 2_usize) + 0_usize)] = (((a_u32 / 4294967295_u32) & x_u32[(gid(0) % 12_usize)]) * x_u32[(a_usize % 12_usize)]);
}

#[kernel(device = cpu, group = 8, groups = 3)]
fn random119(a_i32: i32, a_usize: usize, y_u64: &mut [u64], x_u64: &[u64], a_bool: bool, x_i64: &[i64], a_i64: i64, y_i64: &mut [i64]) {
    shared!(tile_0: [u64; 8]);
    shared!(tile_1: [i32; 8]);
    barrier();
    tile_0[lid(0)] = 0_u64;
    barrier();
    barrier();
    tile_1[lid(0)] = ((-a_i32) % (!(-1_i32)));
    barrier();
    for v0 in group_range((a_usize % 40_usize)) {
        y_u64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 0_usize)] = ((!x_u64[8_usize]) + (if (true ^ a_bool) { (18446744073709551615_u64 % 0_u64) } else { (0_u64 << v0) }));
    }
    let mut v1: f64 = group_sum((-2.75_f64));
    for v2 in 0_usize..((31_usize * grp(0)) % 4_usize) {
        v1 = (v1 * f64::NAN).mul_add((if a_bool { v1 } else { v1 }), v1);
        let mut v3: i64 = (-x_i64[9_usize]);
    }
    let mut v4: i64 = (if (false == true) { 2_i64 } else { ((-1_i64) >> a_usize) });
    v4 = (-v4.div_euclid(a_i64));
    y_i64[((((grp(0) * 8_usize) + lid(0)) * 2_usize) + 1_usize)] = (if ((grp(0) <= grp(0)) > (false >= false)) { ((a_i64 * v4) as i64) } else { ((a_i64 * 9223372036854775807_i64) | v4) });
}
