//! Integers of 8 and 16 bits: arguments, locals, casts, and arithmetic that wraps.

use crate::devices::devices;
use ringwood::{Result, kernel};

#[kernel(map, T in [i8, i16, u16, u8], device = [cpu, opencl, cuda])]
fn mixed<T>(a: T, b: T) -> T {
    let product = a * b + (a - b);
    let divided = a / b + a % b;
    (product ^ divided) + a.min(b).saturating_add(a) + (a >> 2) + (b << 3)
}

/// What [`mixed`] says in Rust.
macro_rules! expected {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        let product = a.wrapping_mul(b).wrapping_add(a.wrapping_sub(b));
        let quotient = if b == 0 { 0 } else { a.wrapping_div(b) };
        let divided = quotient.wrapping_add(if b == 0 { 0 } else { a.wrapping_rem(b) });
        let sum = (product ^ divided).wrapping_add(a.min(b).saturating_add(a));
        sum.wrapping_add(a >> 2).wrapping_add(b << 3)
    }};
}

/// As quantised networks compute: products of 8 bits, sums of 32, results of 8 again.
#[kernel(row = 64, device = [cpu, opencl, cuda])]
fn quantised(x: Row<i8>, w: &[i8], shift: u16, bias: i16, y: RowMut<i8>) {
    let mut sum = 0 as Acc<i8>;
    for k in group_range(x.len()) {
        sum += x[k] as i32 * w[k] as i32;
    }
    let total = group_sum(sum) + bias as i32;
    let least: i8 = -128;
    let scaled = (total >> shift).clamp(least as i32, 127);
    if lid(0) == 0 {
        y[0] = scaled as i8;
    }
}

#[kernel(device = [cpu, opencl, cuda])]
fn saturated(x: &[f32], a: &mut [i8], b: &mut [i16], c: &mut [u16]) {
    let i = gid(0);
    a[i] = x[i] as i8;
    b[i] = -(x[i] as i16);
    c[i] = x[i] as u16;
}

#[test]
fn arithmetic_wraps_on_every_device() -> Result<()> {
    macro_rules! check {
        ($($ty:ident)*) => {$(
            let numbers = [0, 1, 2, 3, 5, 77, 126, $ty::MAX, $ty::MIN, $ty::MAX / 3, $ty::MAX - 1];
            let pairs = numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b)));
            let (a, b): (Vec<$ty>, Vec<$ty>) = pairs.unzip();
            let wanted: Vec<_> = a.iter().zip(&b).map(|(a, b)| expected!(*a, *b)).collect();
            for device in devices() {
                let y = mixed::launch(&device.tensor(&a)?, &device.tensor(&b)?)?;
                assert_eq!(y.to_vec::<$ty>()?, wanted, "{} {}", stringify!($ty), device.name());
            }
        )*};
    }
    check! { i8 i16 u16 u8 }
    Ok(())
}

#[test]
fn a_quantised_product_has_arguments_locals_and_rows_of_small_integers() -> Result<()> {
    for device in devices() {
        let x: Vec<i8> = (0..300).map(|i| (i * 37 % 251 - 125) as i8).collect();
        let w: Vec<i8> = (0..100).map(|i| (i * 11 % 253 - 126) as i8).collect();
        let shape = |rows, columns| ringwood::Shape::new(&[rows, columns]);
        let rows = device.tensor(&x)?.reshape(shape(3, 100)?)?;
        let mut y = device.tensor(&[0_i8; 3])?.reshape(shape(3, 1)?)?;
        quantised(&rows, &device.tensor(&w)?, 9, -300, &mut y)?;
        let dot = |x: &[i8]| x.iter().zip(&w).map(|(x, w)| i32::from(*x) * i32::from(*w)).sum();
        let wanted: Vec<_> = x
            .chunks(100)
            .map(dot)
            .map(|sum: i32| ((sum - 300) >> 9).clamp(-128, 127) as i8)
            .collect();
        assert_eq!(y.to_vec::<i8>()?, wanted, "{}", device.name());
    }
    Ok(())
}

#[test]
fn floats_saturate() -> Result<()> {
    let x = [-1e9_f32, -40000.5, -129.0, -0.9, 0.0, 127.5, 32768.0, 65535.9, 1e9, f32::NAN];
    for device in devices() {
        let mut a = device.tensor(&[0_i8; 10])?;
        let (mut b, mut c) = (device.tensor(&[0_i16; 10])?, device.tensor(&[0_u16; 10])?);
        saturated(&device.tensor(&x)?, &mut a, &mut b, &mut c)?;
        assert_eq!(a.to_vec::<i8>()?, x.map(|x| x as i8), "{}", device.name());
        assert_eq!(b.to_vec::<i16>()?, x.map(|x| (x as i16).wrapping_neg()), "{}", device.name());
        assert_eq!(c.to_vec::<u16>()?, x.map(|x| x as u16), "{}", device.name());
    }
    Ok(())
}
