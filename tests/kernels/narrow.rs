//! Kernels over types of 8 and 16 bits, whose operations are those of `f32`, rounded once.

use crate::devices::{cpu, devices};
use half::{bf16, f16};
use ringwood::{device_fn, kernel};

#[kernel(device = cpu, T in [f32, f16, bf16])]
fn tenth<T>(a: f32, x: &[T], y: &mut [T]) {
    let i = gid(0);
    y[i] = x[i] * 0.1 + a as T;
}

#[kernel(map, device = cpu, T in [f16, bf16])]
fn halved<T>(x: T) -> T {
    x * 0.5
}

#[kernel(device = cpu)]
fn brighten(x: &[u8], y: &mut [u8]) {
    let i = gid(0);
    y[i] = (x[i] as u32 * 2).min(255) as u8;
}

#[kernel(device = cpu, T in [f32, f16, bf16, u8], group = 64, groups = y.len())]
fn wide_total<T>(x: &[T], y: &mut [T], n: usize) {
    let row = grp(0) * n;
    let mut sum = 0 as Acc<T>;
    for k in group_range(n) {
        let value: Acc<T> = x[row + k] as Acc<T>;
        sum += value;
    }
    let sum = group_sum(sum);
    if lid(0) == 0 {
        y[grp(0)] = (sum / 2 as Acc<T>) as T;
    }
}

/// `f16` and `bf16` as values, and in a function.
#[device_fn]
fn lifted(x: f16, by: f16) -> f16 {
    let most = 100.0;
    (x * x + by).min(most)
}

#[kernel(device = [cpu, opencl])]
fn lift(by: f16, scale: bf16, step: u8, x: &[f16], y: &mut [f32]) {
    let i = gid(0);
    let high: f16 = lifted(x[i], by);
    y[i] = high as f32 * scale as f32 + (step + 250) as f32;
}

/// The exponential, rounded to 16 bits on the way.
#[device_fn]
fn rough_exp(x: f32) -> f32 {
    (x as bf16).exp() as f32
}

#[kernel(device = [cpu, opencl], T in [f16, bf16, u8])]
fn add_value<T>(a: T, x: &[T], y: &mut [T]) {
    let i = gid(0);
    y[i] = x[i] + a;
}

#[test]
fn each_operation_is_rounded_once() {
    let device = cpu();
    let x = [1.0_f32, -3.0, 1e4, 0.333].map(f16::from_f32);
    let tensor = device.tensor(&x).unwrap();
    let mut y = device.tensor(&[f16::ZERO; 4]).unwrap();
    tenth(2.0, &tensor, &mut y).unwrap();
    let tenth = f16::from_f64(0.1);
    let product = |v: f16| f16::from_f32(v.to_f32() * tenth.to_f32());
    let expected = x.map(|v| f16::from_f32(product(v).to_f32() + 2.0));
    assert_eq!(y.to_vec::<f16>().unwrap(), expected);
}

#[test]
fn maps_and_bytes_have_them_too() {
    let device = cpu();
    let x = device.tensor(&[bf16::from_f32(3.0)]).unwrap();
    let y = halved::launch(&x).unwrap();
    assert_eq!(y.to_vec::<bf16>().unwrap(), [bf16::from_f32(1.5)]);
    let x = device.tensor(&[1_u8, 100, 200]).unwrap();
    let mut y = device.tensor(&[0_u8; 3]).unwrap();
    brighten(&x, &mut y).unwrap();
    assert_eq!(y.to_vec::<u8>().unwrap(), [2, 200, 255]);
}

#[test]
fn sums_are_added_up_in_a_wider_type() {
    let device = cpu();
    let x = device.tensor(&[f16::from_f32(1.0); 4096]).unwrap();
    let mut y = device.tensor(&[f16::ZERO]).unwrap();
    wide_total(&x, &mut y, 4096).unwrap();
    assert_eq!(y.to_vec::<f16>().unwrap(), [f16::from_f32(2048.0)]);
    let x = device.tensor(&[100_u8; 4]).unwrap();
    let mut y = device.tensor(&[0_u8]).unwrap();
    wide_total(&x, &mut y, 4).unwrap();
    assert_eq!(y.to_vec::<u8>().unwrap(), [200]);
}

#[test]
fn values_of_8_and_16_bits_are_passed_and_given_to_functions() {
    let (by, scale) = (f16::from_f32(0.1), bf16::from_f32(0.3));
    let x = [1.0_f32, -2.5, 33.0, 0.001].map(f16::from_f32);
    let lifted_to = |x: f16| {
        let square = f16::from_f32(x.to_f32() * x.to_f32());
        f16::from_f32((square.to_f32() + by.to_f32()).min(100.0))
    };
    assert_eq!(lifted(x[1], by), lifted_to(x[1]), "as plain Rust, the arithmetic of kernels");
    // A `u8` wraps.
    let expected = x.map(|x| lifted_to(x).to_f32() * scale.to_f32() + 4.0);
    for device in devices() {
        let tensor = device.tensor(&x).unwrap();
        let mut y = device.tensor(&[0.0_f32; 4]).unwrap();
        lift(by, scale, 10, &tensor, &mut y).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), expected, "{}", device.name());
    }
    assert_eq!(rough_exp(1.0), bf16::from_f32(bf16::from_f32(1.0).to_f32().exp()).to_f32());
}

#[test]
fn a_value_has_each_type_of_a_list() {
    for device in devices() {
        let mut y = device.tensor(&[0_u8; 2]).unwrap();
        add_value(200_u8, &device.tensor(&[1_u8, 100]).unwrap(), &mut y).unwrap();
        assert_eq!(y.to_vec::<u8>().unwrap(), [201, 44], "{}", device.name());
        let x = device.tensor(&[bf16::from_f32(1.0)]).unwrap();
        let mut y = device.tensor(&[bf16::ZERO]).unwrap();
        add_value(bf16::from_f32(0.01), &x, &mut y).unwrap();
        assert_eq!(
            y.to_vec::<bf16>().unwrap(),
            [bf16::from_f32(1.0 + bf16::from_f32(0.01).to_f32())]
        );
    }
}
