//! Conversions of 16-bit floats against those of the crate `half`.

use half::{bf16, f16};
use ringwood_backend_cpu as _;
use ringwood_device::device::Device;
use ringwood_kernels::half::{narrow_bf16, narrow_f16, widen_bf16, widen_f16};

fn pack(halves: &[u16]) -> Vec<u32> {
    let word = |pair: &[u16]| u32::from(pair[0]) | u32::from(*pair.get(1).unwrap_or(&0)) << 16;
    halves.chunks(2).map(word).collect()
}

#[test]
fn every_16_bit_number_widens_exactly_and_comes_back() {
    let device = Device::named("cpu:0").unwrap();
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let packed = device.tensor(&pack(&halves)).unwrap();
    let mut wide = [0, 1].map(|_| device.tensor(&vec![0_u32; halves.len()]).unwrap());
    let mut back = [0, 1].map(|_| device.tensor(&vec![0_u32; halves.len() / 2]).unwrap());
    widen_f16(&packed, &mut wide[0]).unwrap();
    widen_bf16(&packed, &mut wide[1]).unwrap();
    narrow_f16(&wide[0], &mut back[0]).unwrap();
    narrow_bf16(&wide[1], &mut back[1]).unwrap();
    let wide = wide.map(|tensor| tensor.to_vec::<u32>().unwrap());
    let back = back.map(|tensor| tensor.to_vec::<u32>().unwrap());
    for bits in halves {
        let want = [f16::from_bits(bits).to_f32(), bf16::from_bits(bits).to_f32()];
        for k in 0..2 {
            let got = f32::from_bits(wide[k][bits as usize]);
            let again = back[k][bits as usize / 2] >> (16 * (bits % 2)) & 0xffff;
            if want[k].is_nan() {
                assert!(got.is_nan(), "{bits:#x}");
            } else {
                assert_eq!(got.to_bits(), want[k].to_bits(), "{bits:#x}");
                assert_eq!(again, u32::from(bits), "{bits:#x}");
            }
        }
    }
}

#[test]
fn narrowing_rounds_to_nearest_ties_to_even() {
    let device = Device::named("cpu:0").unwrap();
    // All exponents, with mantissas around the ties; an odd number of them.
    let ends = [0, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0x18000];
    let near = (0..512_u32).flat_map(|top| ends.map(|low| top << 23 | low));
    let spread = (0..=u32::MAX).step_by(40_503);
    let mut values: Vec<u32> = near.chain(spread).collect();
    values.truncate(values.len() - (values.len() + 1) % 2);
    let x = device.tensor(&values).unwrap();
    let mut narrow = [0, 1].map(|_| device.tensor(&vec![0_u32; values.len().div_ceil(2)]).unwrap());
    narrow_f16(&x, &mut narrow[0]).unwrap();
    narrow_bf16(&x, &mut narrow[1]).unwrap();
    let narrow = narrow.map(|tensor| tensor.to_vec::<u32>().unwrap());
    for (i, &bits) in values.iter().enumerate() {
        let half = |k: usize| (narrow[k][i / 2] >> (16 * (i % 2))) as u16;
        let value = f32::from_bits(bits);
        if value.is_nan() {
            assert!(f16::from_bits(half(0)).is_nan() && bf16::from_bits(half(1)).is_nan());
        } else {
            assert_eq!(half(0), f16::from_f32(value).to_bits(), "{value:e} to f16");
            assert_eq!(half(1), bf16::from_f32(value).to_bits(), "{value:e} to bf16");
        }
    }
    assert_eq!(narrow[0][values.len() / 2] >> 16, 0);
}
