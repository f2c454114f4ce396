//! Device functions as a user writes them: in kernels, in other device functions, as plain Rust.

use ringwood::device::Runtime;
use ringwood::kernel::KernelDef;
use ringwood::registry::{Item, Registry};
use ringwood::{device_fn, kernel};
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

fn def(item: Item) -> &'static KernelDef {
    match item {
        Item::Kernel(def) => def,
        _ => panic!("not a kernel"),
    }
}

#[test]
fn a_kernel_embeds_the_functions_that_it_calls() {
    let def = def(shade::ENTRY.item);
    let ir = def.spec(&def.instances[0]).kernel().unwrap();
    let names: Vec<_> = ir.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "device_functions::is_even",
            "device_functions::shapes::square",
            "device_functions::smooth"
        ]
    );
    let smooth = ir.functions[2].body.as_ref().unwrap();
    assert_eq!(smooth.functions[0].name, "device_functions::shapes::clamp01");
    let value = interpret::map(smooth, &[Value::F32(0.25), Value::U32(1)], 1000).unwrap();
    assert_eq!(value, Value::F32(once(0.25)));
}

fn once(y: f32) -> f32 {
    y * y * (3.0 - 2.0 * y)
}

#[test]
fn native_code_calls_them_with_the_arithmetic_of_kernels() {
    let device = Runtime::new(Registry::global().unwrap().clone()).device("cpu").unwrap();
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
