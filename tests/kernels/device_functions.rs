//! Device functions as a user writes them: in kernels, in other device functions, as plain Rust.

use crate::def;
use crate::devices::{cpu, devices, runtime};
use ringwood::{DType, device_fn, kernel};
use ringwood_ir::{Value, interpret};

mod shapes {
    use ringwood::device_fn;

    #[device_fn]
    pub(crate) fn clamp01(x: f32) -> f32 {
        x.clamp(0.0, 1.0)
    }

    /// Squares, wrapping.
    #[device_fn]
    pub(crate) fn square(n: u32) -> u32 {
        n * n
    }
}

use shapes::square;

#[device_fn]
fn smooth(x: f32, steps: u32) -> f32 {
    let mut y = shapes::clamp01(x);
    let mut i = 0;
    while i < steps {
        y = y * y * (3.0 - 2.0 * y);
        i += 1;
    }
    y
}

#[device_fn]
fn is_even(n: usize) -> bool {
    n % 2 == 0
}

#[kernel(device = [cpu, opencl])]
fn shade(x: &[f32], y: &mut [f32], steps: u32) {
    let i = gid(0);
    if is_even(i) {
        y[i] = smooth(x[i], square(steps)) + smooth(1.0, 1_u32);
    }
}

#[kernel(map, device = cpu)]
fn shaded(x: f32) -> f32 {
    smooth(x, 1_u32)
}

#[test]
fn a_kernel_embeds_the_functions_that_it_calls() {
    let def = def(shade::ENTRY);
    let ir = def.spec(&def.instances[0]).kernel().unwrap();
    let names: Vec<_> = ir.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "kernels::device_functions::is_even",
            "kernels::device_functions::shapes::square",
            "kernels::device_functions::smooth"
        ]
    );
    let smooth = ir.functions[2].body.as_ref().unwrap();
    assert_eq!(smooth.functions[0].name, "kernels::device_functions::shapes::clamp01");
    let value = interpret::map(smooth, &[Value::F32(0.25), Value::U32(1)], 1000).unwrap();
    assert_eq!(value, Value::F32(once(0.25)));
}

fn once(y: f32) -> f32 {
    y * y * (3.0 - 2.0 * y)
}

#[test]
fn native_code_calls_them_with_the_arithmetic_of_kernels() {
    let device = cpu();
    let x = device.tensor(&[0.25_f32, 7.0, -3.0, 0.5]).unwrap();
    let mut y = device.tensor(&[0.0_f32; 4]).unwrap();
    shade(&x, &mut y, 1).unwrap();
    let expected = [once(0.25) + 1.0, 0.0, 1.0, 0.0];
    assert_eq!(y.to_vec::<f32>().unwrap(), expected);
    assert_eq!(shaded::launch(&x).unwrap().to_vec::<f32>().unwrap()[0], smooth(0.25, 1));
    assert_eq!(square::native(1 << 31), 0, "wraps, in debug builds too");
    assert_eq!(square(3), 9);
    assert!(is_even(4));
}

#[device_fn]
fn scaled(x: f32, by: f32, times: i32) -> f32 {
    x * by * times as f32
}

#[kernel(device = [cpu, opencl])]
fn tripled(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = scaled(x[gid(0)], 0.5, 6);
}

#[test]
fn a_literal_may_take_its_type_from_a_parameter() {
    for device in devices() {
        let x = device.tensor(&[0.25_f32, 7.0]).unwrap();
        let mut y = device.zeros(x.shape(), DType::F32).unwrap();
        tripled(&x, &mut y).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [0.75, 21.0], "{device}");
    }
}

#[device_fn]
fn nearest_level(x: f32) -> f32 {
    let levels = [0.0_f32, 0.25, 0.5, 1.0];
    let mut best = levels[0];
    for i in 1..levels.len() {
        if (levels[i] - x).abs() > 1.0 {
            continue;
        }
        if (levels[i] - x).abs() < (best - x).abs() {
            best = levels[i];
        }
    }
    best
}

#[test]
fn a_device_function_has_arrays_and_loops_of_its_own() {
    for x in [0.1, 0.2, 0.3, 0.9] {
        assert_eq!(nearest_level::native(x), nearest_level(x));
    }
}

/// The steps of the Collatz sequence down to 1, at most 200, by what is left of them.
#[device_fn]
fn steps(start: u64) -> i32 {
    let mut n = start;
    let mut count = 0;
    loop {
        match n {
            0 | 1 => break,
            _ if n % 2 == 0 => n /= 2,
            2..=99 => n = 3 * n + 1,
            _ => {
                n *= 3;
                n += 1;
            }
        }
        count += 1;
        if count == 200 {
            break;
        }
    }
    match count - 100 {
        i32::MIN..-90 => -3,
        -90..=-1 => -2,
        0 => 0,
        1.. if start % 2 == 1 => 1,
        _ => 2,
    }
}

#[kernel(device = [cpu, opencl])]
fn classes(y: &mut [i32]) {
    let i = gid(0);
    y[i] = match i % 3 {
        0 => steps(i as u64),
        1 => -7,
        _ => match i {
            2 => 20,
            _ => 30,
        },
    };
}

#[test]
fn loops_and_matches_do_as_in_rust() {
    for start in 0..1000 {
        assert_eq!(steps::native(start), steps(start), "{start}");
    }
    let class = |i: usize| [steps(i as u64), -7, if i == 2 { 20 } else { 30 }][i % 3];
    let expected: Vec<i32> = (0..300).map(class).collect();
    let runtime = runtime();
    for name in ["cpu", "opencl"] {
        let device = match runtime.device(name) {
            Ok(device) => device,
            Err(error) => {
                println!("skipped: {name}: {error}");
                continue;
            }
        };
        let mut y = device.tensor(&[0; 300]).unwrap();
        classes(&mut y).unwrap();
        assert_eq!(y.to_vec::<i32>().unwrap(), expected, "{name}");
    }
}

#[device_fn]
fn mixed(x: u32, by: u32) -> u32 {
    (x.rotate_left(by) ^ x.rotate_right(7)) % 1000 + 3_u32.pow(by % 5)
}

#[kernel(map, device = [cpu, opencl])]
fn polynomial(x: f32) -> f32 {
    x.powi(3) - 2.0 * x.powi(-2) + (x * 0.1).asinh() + x.abs().recip().atanh() + x.abs().acosh()
}

#[test]
fn operands_of_another_type_do_as_in_rust() {
    for x in (0..u32::MAX).step_by(99_999_999) {
        assert_eq!(mixed::native(x, x % 37), mixed(x, x % 37), "{x}");
    }
    let x = [2.0_f32, -3.5, 1.25, 17.0];
    let runtime = runtime();
    let cpu = runtime.device("cpu").unwrap();
    let y = polynomial::launch(&cpu.tensor(&x).unwrap()).unwrap().to_vec::<f32>().unwrap();
    for (x, y) in x.into_iter().zip(&y) {
        assert!((polynomial(x) - y).abs() <= 1e-5 * y.abs(), "{x}: {y}");
    }
    match runtime.device("opencl") {
        Ok(opencl) => {
            let there = polynomial::launch(&opencl.tensor(&x).unwrap()).unwrap();
            assert_eq!(there.to_vec::<f32>().unwrap(), y);
        }
        Err(error) => println!("skipped: opencl: {error}"),
    }
}
