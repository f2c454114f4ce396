//! Casts between `f32` and 16-bit floats, by which these travel, against those of the crate `half`.

use half::{bf16, f16};
use ringwood_backend_cpu as _;
use ringwood_base::Element;
use ringwood_device::device::{Device, Tensor};
use ringwood_kernels::cast::{to_bf16, to_f16, to_f32};

fn tensor<T: Element>(values: &[T]) -> Tensor {
    Device::named("cpu:0").unwrap().tensor(values).unwrap()
}

#[test]
fn every_16_bit_number_widens_exactly_and_comes_back() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let wide = [tensor(&halves), tensor(&brains)].map(|x| to_f32::launch(&x).unwrap());
    let half = to_f16::launch(&wide[0]).unwrap().to_vec::<f16>().unwrap();
    let brain = to_bf16::launch(&wide[1]).unwrap().to_vec::<bf16>().unwrap();
    let wide = wide.map(|tensor| tensor.to_vec::<f32>().unwrap());
    for i in 0..halves.len() {
        let exact = [halves[i].to_f32(), brains[i].to_f32()];
        let back = [half[i].to_bits(), brain[i].to_bits()];
        for k in 0..2 {
            if exact[k].is_nan() {
                assert!(wide[k][i].is_nan(), "{i:#x}");
            } else {
                assert_eq!(wide[k][i].to_bits(), exact[k].to_bits(), "{i:#x}");
                assert_eq!(usize::from(back[k]), i, "{i:#x}");
            }
        }
    }
}

#[test]
fn narrowing_rounds_to_nearest_ties_to_even() {
    // All exponents, with mantissas around the ties; an odd number of them.
    let ends = [0, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0x18000];
    let near = (0..512_u32).flat_map(|top| ends.map(|low| top << 23 | low));
    let spread = (0..=u32::MAX).step_by(40_503);
    let mut values: Vec<f32> = near.chain(spread).map(f32::from_bits).collect();
    values.truncate(values.len() - (values.len() + 1) % 2);
    let x = tensor(&values);
    let half = to_f16::launch(&x).unwrap().to_vec::<f16>().unwrap();
    let brain = to_bf16::launch(&x).unwrap().to_vec::<bf16>().unwrap();
    for (i, &value) in values.iter().enumerate() {
        if value.is_nan() {
            assert!(half[i].is_nan() && brain[i].is_nan());
        } else {
            assert_eq!(half[i].to_bits(), f16::from_f32(value).to_bits(), "{value:e} to f16");
            assert_eq!(brain[i].to_bits(), bf16::from_f32(value).to_bits(), "{value:e} to bf16");
        }
    }
}
