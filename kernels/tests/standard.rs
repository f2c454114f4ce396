//! Values of standard kernels, launched on their own.

use half::{bf16, f16};
use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_base::{Element, ErrorKind, Shape};
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_device::kernel;
use ringwood_kernels::{
    activation, arithmetic, cast, function, gather, image, layout, normalize, reduce,
};

fn cpu() -> Device {
    Device::named("cpu:0").unwrap()
}

fn tensor<T: Element>(dims: &[usize], elements: &[T]) -> Tensor {
    cpu().tensor_with(elements, Shape::new(dims).unwrap()).unwrap()
}

fn close(got: &Tensor, want: &[f64]) {
    let got = got.to_vec::<f64>().unwrap();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() < 1e-12, "{got:?} instead of {want:?}");
    }
}

#[test]
fn functions_have_their_values() {
    let x = tensor(&[4], &[-1.5_f64, -0.25, 0.25, 0.75]);
    type Case = (fn(&Tensor) -> ringwood_base::Result<Tensor>, fn(f64) -> f64);
    let functions: [Case; 17] = [
        (function::exp2::launch, f64::exp2),
        (function::exp_m1::launch, f64::exp_m1),
        (function::sin::launch, f64::sin),
        (function::cos::launch, f64::cos),
        (function::tan::launch, f64::tan),
        (function::sinh::launch, f64::sinh),
        (function::cosh::launch, f64::cosh),
        (function::atan::launch, f64::atan),
        (function::cbrt::launch, f64::cbrt),
        (function::recip::launch, f64::recip),
        (function::floor::launch, f64::floor),
        (function::ceil::launch, f64::ceil),
        (function::trunc::launch, f64::trunc),
        (function::round::launch, f64::round),
        (function::abs::launch, f64::abs),
        (function::signum::launch, f64::signum),
        (activation::sigmoid::launch, |x| 1.0 / (1.0 + (-x).exp())),
    ];
    for (launch, exact) in functions {
        let want: Vec<_> = x.to_vec::<f64>().unwrap().into_iter().map(exact).collect();
        close(&launch(&x).unwrap(), &want);
    }
    let positive = tensor(&[2], &[0.5_f64, 8.0]);
    close(&function::log2::launch(&positive).unwrap(), &[-1.0, 3.0]);
    close(&function::log10::launch(&positive).unwrap(), &[0.5_f64.log10(), 8.0_f64.log10()]);
    close(&function::rsqrt::launch(&positive).unwrap(), &[2.0_f64.sqrt(), 8.0_f64.sqrt() / 8.0]);
    close(&function::erf::launch(&positive).unwrap(), &[0.520_499_877_813_046_5, 1.0]);
    // The plain functions compute the same.
    assert_eq!(function::erfc(0.5_f64), 0.479_500_122_186_953_5);
    assert_eq!(function::rsqrt(4.0_f32), 0.5);
    // Values of PyTorch 2.
    let x = tensor(&[3], &[-1.0_f64, 0.5, 2.0]);
    close(
        &activation::gelu::launch(&x).unwrap(),
        &[-0.158_655_253_931_457_07, 0.345_731_230_637_006_56, 1.954_499_736_103_641_7],
    );
    let tanh_form = activation::gelu_tanh::launch(&x).unwrap().to_vec::<f64>().unwrap();
    assert!((tanh_form[2] - 1.954_597_694_087_775).abs() < 1e-12, "{tanh_form:?}");
    let silu = activation::silu::launch(&x).unwrap().to_vec::<f64>().unwrap();
    assert!((silu[2] - 1.761_594_155_955_764_9).abs() < 1e-12, "{silu:?}");
}

#[test]
fn comparisons_and_choices_take_nan() {
    let a = tensor(&[4], &[1.0_f32, 2.0, f32::NAN, 3.0]);
    let b = tensor(&[4], &[2.0_f32, 2.0, 1.0, 2.0]);
    let value = |t: ringwood_base::Result<Tensor>| t.unwrap().to_vec::<f32>().unwrap();
    let holds = |t: ringwood_base::Result<Tensor>| t.unwrap().to_vec::<bool>().unwrap();
    assert_eq!(holds(function::less::launch(&a, &b)), [true, false, false, false]);
    assert_eq!(holds(function::less_equal::launch(&a, &b)), [true, true, false, false]);
    assert_eq!(holds(function::greater::launch(&a, &b)), [false, false, false, true]);
    assert_eq!(holds(function::greater_equal::launch(&a, &b)), [false, true, false, true]);
    assert_eq!(holds(function::equal::launch(&a, &b)), [false, true, false, false]);
    let differ = function::not_equal::launch(&a, &b).unwrap();
    assert_eq!(differ.to_vec::<bool>().unwrap(), [true, false, true, true]);
    assert_eq!(value(function::select::launch(&differ, &b, &a)), [2.0, 2.0, 1.0, 2.0]);
    let (low, high) = (tensor(&[], &[1.5_f32]), tensor(&[], &[2.5_f32]));
    let kept = value(function::clamp::launch(&a, &low, &high));
    assert_eq!((kept[0], kept[1], kept[3]), (1.5, 2.0, 2.5));
    assert!(kept[2].is_nan());
}

#[test]
fn truth_values_are_joined_cast_and_moved() {
    let (a, b) =
        (tensor(&[4], &[true, true, false, false]), tensor(&[4], &[true, false, true, false]));
    let holds = |t: ringwood_base::Result<Tensor>| t.unwrap().to_vec::<bool>().unwrap();
    assert_eq!(holds(function::and::launch(&a, &b)), [true, false, false, false]);
    assert_eq!(holds(function::or::launch(&a, &b)), [true, true, true, false]);
    assert_eq!(holds(function::xor::launch(&a, &b)), [false, true, true, false]);
    assert_eq!(holds(function::not::launch(&a)), [false, false, true, true]);
    assert_eq!(holds(function::equal::launch(&a, &b)), [true, false, false, true]);
    assert_eq!(holds(function::less::launch(&a, &b)), [false, false, true, false]);
    assert_eq!(holds(function::select::launch(&a, &b, &a)), [true, false, false, false]);
    assert_eq!(cast::to_f32::launch(&a).unwrap().to_vec::<f32>().unwrap(), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(cast::to_i64::launch(&a).unwrap().to_vec::<i64>().unwrap(), [1, 1, 0, 0]);
    assert_eq!(holds(cast::to_bool::launch(&a)), [true, true, false, false]);
    let numbers = tensor(&[4], &[0.0_f32, -0.0, f32::NAN, 1e-45]);
    assert_eq!(holds(cast::to_bool::launch(&numbers)), [false, false, true, true]);
    let index = tensor(&[2], &[1_i32, 0]);
    let rows = tensor(&[2, 2], &[true, false, false, false]);
    let mut moved = tensor(&[2, 2], &[true; 4]);
    gather::gather::launch(&rows, &index, &mut moved, 2, 2).unwrap();
    assert_eq!(moved.to_vec::<bool>().unwrap(), [false, false, true, false]);
    layout::transpose::launch(&rows, &mut moved, 2, 2).unwrap();
    assert_eq!(moved.to_vec::<bool>().unwrap(), [true, false, false, false]);
    cast::fill::launch(true, &mut moved).unwrap();
    assert_eq!(moved.to_vec::<bool>().unwrap(), [true; 4]);
}

#[test]
fn a_byte_that_is_not_0_is_true() {
    let mut odd = tensor(&[3], &[false; 3]);
    odd.write_bytes(&[7, 0, 255]).unwrap();
    let ones = tensor(&[3], &[true; 3]);
    let same = function::equal::launch(&odd, &ones).unwrap();
    assert_eq!(same.to_vec::<bool>().unwrap(), [true, false, true]);
    assert_eq!(function::not::launch(&odd).unwrap().to_bytes().unwrap(), [0, 1, 0]);
    assert_eq!(cast::copy::launch(&odd).unwrap().to_bytes().unwrap(), [1, 0, 1]);
    assert_eq!(cast::to_u8::launch(&odd).unwrap().to_vec::<u8>().unwrap(), [1, 0, 1]);
    assert_eq!(odd.to_vec::<bool>().unwrap(), [true, false, true]);
}

/// The host writes through slices of Rust's own type.
#[kernel(host, device = cpu)]
fn swapped(x: &[bool], y: &mut [bool]) {
    x.iter().zip(y).for_each(|(x, y)| *y = !x);
}

#[test]
fn a_host_kernel_gets_no_bool_that_is_none() {
    for (read, written) in [(0, 0), (7, 0), (0, 2)] {
        // A failure stays with the streams of its runtime.
        let device = Runtime::new(Registry::global().unwrap().clone()).device("cpu:0").unwrap();
        let [mut x, mut y] = [[true; 2]; 2].map(|values| device.tensor(&values).unwrap());
        x.write_bytes(&[1, read]).unwrap();
        y.write_bytes(&[1, written]).unwrap();
        let swapped = swapped::launch(&x, &mut y).and_then(|()| y.to_vec::<bool>());
        match (read, written) {
            (0, 0) => assert_eq!(swapped.unwrap(), [false, true]),
            _ => {
                let refused = swapped.unwrap_err().to_string();
                assert!(refused.contains("bytes that are no bool"), "{refused}");
            }
        }
    }
}

#[test]
fn casts_saturate_and_fills_fill() {
    let x = tensor(&[5], &[-1.5_f32, 3e9, f32::NAN, 2.5, -0.0]);
    let i = cast::to_i32::launch(&x).unwrap();
    assert_eq!(i.to_vec::<i32>().unwrap(), [-1, i32::MAX, 0, 2, 0]);
    assert_eq!(cast::to_u64::launch(&i).unwrap().to_vec::<u64>().unwrap()[0], u64::MAX);
    assert_eq!(cast::to_u32::launch(&x).unwrap().to_vec::<u32>().unwrap()[1], 3_000_000_000);
    let wide = cast::to_f64::launch(&i).unwrap();
    assert_eq!(wide.to_vec::<f64>().unwrap(), [-1.0, 2_147_483_647.0, 0.0, 2.0, 0.0]);
    assert_eq!(cast::to_f32::launch(&wide).unwrap().to_vec::<f32>().unwrap()[1], 2_147_483_648.0);
    let mut y = tensor(&[3], &[0_i64; 3]);
    cast::fill(7_i64, &mut y).unwrap();
    assert_eq!(y.to_vec::<i64>().unwrap(), [7; 3]);
    assert_eq!(cast::copy::launch(&y).unwrap().to_vec::<i64>().unwrap(), [7; 3]);
}

#[test]
fn reductions_along_a_dimension() {
    let x = tensor(&[2, 3], &[3_i32, -1, 4, 1, -5, 9]);
    let mut y = tensor(&[2], &[0_i32; 2]);
    reduce::largest(&x, &mut y, 3, 1).unwrap();
    assert_eq!(y.to_vec::<i32>().unwrap(), [4, 9]);
    reduce::smallest(&x, &mut y, 3, 1).unwrap();
    assert_eq!(y.to_vec::<i32>().unwrap(), [-1, -5]);
    reduce::product(&x, &mut y, 3, 1).unwrap();
    assert_eq!(y.to_vec::<i32>().unwrap(), [-12, -45]);
    let mut columns = tensor(&[3], &[0_i32; 3]);
    reduce::largest(&x, &mut columns, 2, 3).unwrap();
    assert_eq!(columns.to_vec::<i32>().unwrap(), [3, -1, 9]);
    let mut means = tensor(&[1], &[0.0_f64]);
    reduce::mean(&tensor(&[4], &[1.0_f64, 2.0, 3.0, 5.0]), &mut means, 4, 1).unwrap();
    assert_eq!(means.to_vec::<f64>().unwrap(), [2.75]);
}

#[test]
fn long_rows_reduce_as_short_ones_do() {
    let numbers: Vec<f64> = (0..600).map(|i| f64::from(i * 7919 % 1009) - 500.0).collect();
    let x = tensor(&[3, 200], &numbers);
    type Strided = fn(&Tensor, &mut Tensor, usize, usize) -> ringwood_base::Result<()>;
    type Rows = fn(&Tensor, &mut Tensor, usize) -> ringwood_base::Result<()>;
    let pairs: [(Strided, Rows); 4] = [
        (reduce::sum, reduce::sum_rows),
        (reduce::mean, reduce::mean_rows),
        (reduce::largest, reduce::largest_rows),
        (reduce::smallest, reduce::smallest_rows),
    ];
    for (strided, rows) in pairs {
        let (mut a, mut b) = (tensor(&[3], &[0.0_f64; 3]), tensor(&[3], &[0.0_f64; 3]));
        strided(&x, &mut a, 200, 1).unwrap();
        rows(&x, &mut b, 200).unwrap();
        close(&a, &b.to_vec::<f64>().unwrap());
    }
    let pairs: [(Strided, Rows); 2] =
        [(reduce::argmax, reduce::argmax_rows), (reduce::argmin, reduce::argmin_rows)];
    for (strided, rows) in pairs {
        let (mut a, mut b) = (tensor(&[3], &[0_i32; 3]), tensor(&[3], &[0_i32; 3]));
        strided(&x, &mut a, 200, 1).unwrap();
        rows(&x, &mut b, 200).unwrap();
        assert_eq!(a.to_vec::<i32>().unwrap(), b.to_vec::<i32>().unwrap());
    }
}

#[test]
fn positions_are_those_of_the_first_extreme_that_is_a_number() {
    let nan = f32::NAN;
    let x = tensor(&[4, 3], &[nan, 1.0, 1.0, nan, nan, nan, 0.0, -0.0, 0.0, 2.0, nan, 3.0]);
    let mut y = tensor(&[4], &[9_i32; 4]);
    for launch in [reduce::argmax_rows, |x: &Tensor, y: &mut Tensor, n| reduce::argmax(x, y, n, 1)]
    {
        launch(&x, &mut y, 3).unwrap();
        // +0 is above −0, but equals it.
        assert_eq!(y.to_vec::<i32>().unwrap(), [1, 0, 0, 2]);
    }
    reduce::argmin_rows(&x, &mut y, 3).unwrap();
    assert_eq!(y.to_vec::<i32>().unwrap(), [1, 0, 0, 0]);
    let mut columns = tensor(&[3], &[9_i32; 3]);
    reduce::argmin(&x, &mut columns, 4, 3).unwrap();
    assert_eq!(columns.to_vec::<i32>().unwrap(), [2, 2, 2]);
}

#[test]
fn positions_that_32_bits_do_not_hold_are_refused() {
    let x = tensor(&[0], &[0.0_f32; 0]);
    let mut y = tensor(&[0], &[0_i32; 0]);
    let columns = |x: &Tensor, y: &mut Tensor, n| reduce::argmin(x, y, n, 1);
    for launch in [reduce::argmax_rows, reduce::argmin_rows, columns] {
        launch(&x, &mut y, 1 << 31).unwrap();
        let error = launch(&x, &mut y, (1 << 31) + 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("requires n <= 2147483648"), "{error}");
    }
}

#[test]
fn sums_of_16_bit_numbers_are_rounded_once() {
    // 4,096 of them in `f16` would stay at 2,048.
    let x = tensor(&[4096], &[f16::ONE; 4096]);
    let mut y = tensor(&[1], &[f16::ZERO]);
    for launch in [reduce::sum_rows, |x: &Tensor, y: &mut Tensor, n| reduce::sum(x, y, n, 1)] {
        launch(&x, &mut y, 4096).unwrap();
        assert_eq!(y.to_vec::<f16>().unwrap(), [f16::from_f32(4096.0)]);
    }
    let x = tensor(&[1000], &[bf16::from_f32(0.5); 1000]);
    let mut y = tensor(&[], &[bf16::ZERO]);
    for launch in [reduce::mean_all, reduce::mean_all_group] {
        launch(&x, &mut y).unwrap();
        assert_eq!(y.to_vec::<bf16>().unwrap(), [bf16::from_f32(0.5)]);
    }
    let x = tensor(&[100, 50], &(0..5000).collect::<Vec<i32>>());
    let mut y = tensor(&[], &[0_i32]);
    for launch in [reduce::sum_all, reduce::sum_all_group] {
        launch(&x, &mut y).unwrap();
        assert_eq!(y.to_vec::<i32>().unwrap(), [4999 * 2500]);
    }
}

#[test]
fn transposes_by_tiles_move_every_element() {
    for (m, n) in [(1, 1), (1, 70), (33, 31), (64, 32), (40, 100)] {
        let numbers: Vec<u8> = (0..m * n).map(|i| (i * 31 % 251) as u8).collect();
        let mut y = tensor(&[n, m], &vec![0_u8; m * n]);
        layout::transpose(&tensor(&[m, n], &numbers), &mut y, m, n).unwrap();
        let want: Vec<_> = (0..m * n).map(|i| numbers[i % m * n + i / m]).collect();
        assert_eq!(y.to_vec::<u8>().unwrap(), want, "{m} by {n}");
    }
}

#[test]
fn normalised_rows_have_mean_0_and_variance_1() {
    let x = tensor(&[2, 4], &[1.0_f64, 2.0, 3.0, 4.0, -2.0, 0.0, 0.0, 2.0]);
    let (weight, bias) = (tensor(&[4], &[1.0_f64; 4]), tensor(&[4], &[0.5_f64; 4]));
    let mut y = tensor(&[2, 4], &[0.0_f64; 8]);
    normalize::layer_norm(&x, &weight, &bias, &mut y, 2, 4, 0.0).unwrap();
    let step = 1.0 / 1.25_f64.sqrt();
    let root = 2.0_f64.sqrt();
    let want = [-1.5 * step, -0.5 * step, 0.5 * step, 1.5 * step, -root, 0.0, 0.0, root];
    close(&y, &want.map(|v| v + 0.5));
    normalize::rms_norm(&x, &weight, &mut y, 2, 4, 0.0).unwrap();
    assert!((y.to_vec::<f64>().unwrap()[7] - root).abs() < 1e-12);
}

#[test]
fn rows_are_gathered_and_scattered() {
    let x = tensor(&[3, 2], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let index = tensor(&[4], &[2_i32, 0, 2, 1]);
    let mut y = tensor(&[4, 2], &[0.0_f32; 8]);
    gather::gather(&x, &index, &mut y, 3, 2).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [5.0, 6.0, 1.0, 2.0, 5.0, 6.0, 3.0, 4.0]);
    let (mut order, mut starts) = (tensor(&[4], &[0_i32; 4]), tensor(&[3], &[0_i32; 3]));
    gather::index_order::launch(&index, &mut order).unwrap();
    gather::index_starts(&index, &order, &mut starts).unwrap();
    assert_eq!(order.to_vec::<i32>().unwrap(), [1, 3, 0, 2]);
    assert_eq!(starts.to_vec::<i32>().unwrap(), [0, 1, 2]);
    let mut back = tensor(&[3, 2], &[0.0_f32; 6]);
    gather::sum_picked(&y, &index, &order, &starts, &mut back, 2).unwrap();
    assert_eq!(back.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0, 10.0, 12.0]);
    for wrong in [3, -1] {
        // A failure stays with its stream, so this takes one that no other test has.
        let device = Runtime::new(Registry::global().unwrap().clone()).device("cpu:0").unwrap();
        let x = device.tensor(&[1.0_f32; 6]).unwrap();
        let index = device.tensor(&[2, wrong]).unwrap();
        let mut y = device.tensor(&[0.0_f32; 4]).unwrap();
        let error = gather::gather(&x, &index, &mut y, 3, 2).and_then(|()| y.to_vec::<f32>());
        assert_eq!(error.unwrap_err().kind(), ErrorKind::OutOfBounds);
    }
}

#[test]
fn windows_of_images() {
    let numbers: Vec<f64> = (0..12).map(f64::from).collect();
    let x = tensor(&[1, 1, 3, 4], &numbers);
    let mut y = tensor(&[1, 1, 2, 2], &[0.0_f64; 4]);
    // The lower windows lie half outside.
    image::max_pool(&x, &mut y, 3, 4, 2, 2, 2, 2).unwrap();
    assert_eq!(y.to_vec::<f64>().unwrap(), [5.0, 7.0, 9.0, 11.0]);
    image::mean_pool(&x, &mut y, 3, 4, 2, 2, 2, 2).unwrap();
    assert_eq!(y.to_vec::<f64>().unwrap(), [2.5, 4.5, 8.5, 10.5]);
}

/// Pseudo-random bits.
fn bits(count: usize) -> impl Iterator<Item = u16> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (state >> 40) as u16
    })
}

#[test]
fn all_16_bit_numbers_are_cast_as_the_crate_half_casts_them() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let wide = cast::to_f32::launch(&tensor(&[65536], &halves)).unwrap().to_vec::<f32>().unwrap();
    let as_brain = cast::to_bf16::launch(&tensor(&[65536], &halves)).unwrap();
    let as_half = cast::to_f16::launch(&tensor(&[65536], &brains)).unwrap();
    let as_byte = cast::to_u8::launch(&tensor(&[65536], &halves)).unwrap();
    let (as_brain, as_half) =
        (as_brain.to_vec::<bf16>().unwrap(), as_half.to_vec::<f16>().unwrap());
    let as_byte = as_byte.to_vec::<u8>().unwrap();
    for i in 0..65536 {
        let (half, brain) = (halves[i], brains[i]);
        let want = bf16::from_f32(half.to_f32());
        assert!(as_brain[i].to_bits() == want.to_bits() || half.is_nan(), "{half}");
        let want = f16::from_f32(brain.to_f32());
        assert!(as_half[i].to_bits() == want.to_bits() || brain.is_nan(), "{brain}");
        assert!(wide[i].to_bits() == half.to_f32().to_bits() || half.is_nan(), "{half}");
        assert_eq!(as_byte[i], half.to_f32() as u8, "{half}");
    }
}

#[test]
fn arithmetic_of_16_bit_numbers_is_rounded_once() {
    const COUNT: usize = 50_000;
    type Case = (fn(&Tensor, &Tensor) -> ringwood_base::Result<Tensor>, fn(f32, f32) -> f32);
    let cases: [Case; 4] = [
        (arithmetic::add::launch, |a, b| a + b),
        (arithmetic::sub::launch, |a, b| a - b),
        (arithmetic::mul::launch, |a, b| a * b),
        (arithmetic::div::launch, |a, b| a / b),
    ];
    let all: Vec<u16> = bits(2 * COUNT).collect();
    let (a, b) = all.split_at(COUNT);
    let halves = |v: &[u16]| v.iter().map(|x| f16::from_bits(*x)).collect::<Vec<_>>();
    let brains = |v: &[u16]| v.iter().map(|x| bf16::from_bits(*x)).collect::<Vec<_>>();
    let (a16, b16) = (halves(a), halves(b));
    let (ab, bb) = (brains(a), brains(b));
    for (launch, exact) in cases {
        let got = launch(&tensor(&[COUNT], &a16), &tensor(&[COUNT], &b16)).unwrap();
        for ((got, a), b) in got.to_vec::<f16>().unwrap().iter().zip(&a16).zip(&b16) {
            let want = f16::from_f32(exact(a.to_f32(), b.to_f32()));
            assert!(got.to_bits() == want.to_bits() || want.is_nan() && got.is_nan(), "{a} {b}");
        }
        let got = launch(&tensor(&[COUNT], &ab), &tensor(&[COUNT], &bb)).unwrap();
        for ((got, a), b) in got.to_vec::<bf16>().unwrap().iter().zip(&ab).zip(&bb) {
            let want = bf16::from_f32(exact(a.to_f32(), b.to_f32()));
            assert!(got.to_bits() == want.to_bits() || want.is_nan() && got.is_nan(), "{a} {b}");
        }
    }
    let bytes = [tensor(&[2], &[200_u8, 3]), tensor(&[2], &[100_u8, 7])];
    let sum = arithmetic::add::launch(&bytes[0], &bytes[1]).unwrap();
    assert_eq!(sum.to_vec::<u8>().unwrap(), [44, 10]);
    let gelu = activation::gelu::launch(&tensor(&[1], &[f16::ONE])).unwrap();
    assert_eq!(gelu.to_vec::<f16>().unwrap(), [f16::from_f32(0.841_3)]);
}
