//! Blocks of 8-bit integers: the bound on their errors, and what has no bound.

use ringwood_backend_cpu as _;
use ringwood_device::device::Device;
use ringwood_kernels::int8::{int8_add, int8_encode};

fn encode(values: &[f32]) -> Vec<u32> {
    let device = Device::named("cpu:0").unwrap();
    let bits: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
    let mut blocks = device.tensor(&vec![7_u32; values.len().div_ceil(32) * 9]).unwrap();
    int8_encode(&device.tensor(&bits).unwrap(), &mut blocks).unwrap();
    blocks.to_vec().unwrap()
}

fn decode(blocks: &[u32], count: usize) -> Vec<f32> {
    let device = Device::named("cpu:0").unwrap();
    let mut y = device.tensor(&vec![0.0_f32; count]).unwrap();
    int8_add(&device.tensor(blocks).unwrap(), &mut y).unwrap();
    y.to_vec().unwrap()
}

/// xorshift64 (Marsaglia, 2003).
fn numbers(count: usize, seed: u64) -> impl Iterator<Item = f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(move |_| (next() >> 40) as f32 / (1 << 23) as f32 - 1.0)
}

#[test]
fn errors_stay_below_the_bound_and_a_second_rounding_changes_nothing() {
    for exponent in -149..=127 {
        for (seed, count) in [32, 1, 31, 33, 200].into_iter().enumerate() {
            let factor = 2_f64.powi(exponent);
            let values: Vec<f32> =
                numbers(count, seed as u64).map(|v| (f64::from(v) * factor) as f32).collect();
            let blocks = encode(&values);
            let back = decode(&blocks, count);
            for (block, back) in values.chunks(32).zip(back.chunks(32)) {
                let largest = block.iter().fold(0.0, |m: f64, v| m.max(f64::from(v.abs())));
                let bound =
                    if largest < 2_f64.powi(-126) { 2_f64.powi(-133) } else { largest / 127.0 };
                for (x, y) in block.iter().zip(back) {
                    let error = (f64::from(*x) - f64::from(*y)).abs();
                    assert!(error <= bound, "{x:e} became {y:e} in a block up to {largest:e}");
                }
            }
            assert_eq!(decode(&encode(&back), count), back);
        }
    }
}

#[test]
fn elements_are_rounded_to_even_and_the_largest_stay_within_seven_bits() {
    let of = |values: &[f32]| decode(&encode(values), values.len());
    assert_eq!(of(&[127.0, -127.0, 0.5, 1.5, -2.5]), [127.0, -127.0, 0.0, 2.0, -2.0]);
    assert_eq!(of(&[127.9, -127.9, 1.0]), [127.0, -127.0, 1.0]);
    assert_eq!(of(&[128.0, 1.0, 3.0]), [128.0, 0.0, 4.0]);
    assert_eq!(of(&[63.0, 0.5]), [63.0, 0.5]);
    assert_eq!(of(&[f32::MAX, 0.0]), [127.0 * 2_f32.powi(121), 0.0]);
    assert_eq!(of(&[-0.0, 0.0]).iter().map(|v| v.to_bits()).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn a_block_with_a_value_that_is_not_finite_is_nan_and_its_neighbours_are_not() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut values = vec![1.0; 96];
        values[40] = bad;
        let back = decode(&encode(&values), 96);
        assert!(back[32..64].iter().all(|v| v.is_nan()));
        assert!(back[..32].iter().chain(&back[64..]).all(|v| *v == 1.0));
    }
}
