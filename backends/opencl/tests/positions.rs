//! Elements by their positions, running totals, sorted rows, random numbers, gradients of windows: the bits of the CPU.

mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_opencl as _;
use ringwood_base::{DType, Element, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, Attributes, Graph};
use ringwood_kernels as _;

/// What operators make of three rows of seven numbers, of positions in them and of updates.
fn results<T: Element>(device: &Device, numbers: &[T], updates: &[T]) -> Result<Vec<Vec<u8>>> {
    let at: Vec<i64> = (0..15).map(|i| i * 5 % 7 - 3 * (i % 2)).collect();
    let mut g = Graph::new();
    let x = g.input("x", T::DTYPE, &[3, 7])?;
    let at_ = g.input("at", DType::I64, &[3, 5])?;
    let u = g.input("u", T::DTYPE, &[3, 5])?;
    let mut outputs = vec![g.apply_with("take_along", &[x, at_], [("axis", 1_usize)])?];
    for how in 0..5 {
        let attributes = [("axis", 1_usize), ("how", how)];
        outputs.push(g.apply_with("put_along", &[x, at_, u], attributes)?);
    }
    for largest in 0..2 {
        for axis in 0..2 {
            let attributes = [("axis", axis), ("m", 3_usize), ("largest", largest)];
            outputs.push(g.apply_with("top", &[x], attributes)?);
        }
    }
    if matches!(T::DTYPE, DType::F32 | DType::F16 | DType::I32) {
        for reverse in 0..2 {
            let attributes = [("axis", 1_usize), ("exclusive", 1 - reverse), ("reverse", reverse)];
            outputs.push(g.apply_with("cumsum", &[x], attributes)?);
            outputs.push(g.apply_with("cumprod", &[x], attributes)?);
        }
    }
    for (i, output) in outputs.into_iter().enumerate() {
        g.output(&format!("y{i}"), output)?;
    }
    let shape = |n| Shape::new(&[3, n]);
    let (x, u) = (device.tensor_with(numbers, shape(7)?)?, device.tensor_with(updates, shape(5)?)?);
    let at = device.tensor_with(&at, shape(5)?)?;
    let y = g.plan(std::slice::from_ref(device))?.run(&[("x", &x), ("at", &at), ("u", &u)])?;
    y.iter().map(Tensor::to_bytes).collect()
}

#[test]
fn moved_sorted_and_added_up_elements_have_the_bits_of_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    let [cpu, opencl] = ["cpu:0", "opencl:0"].map(|name| Device::named(name).unwrap());
    let number = |i: usize| ((i * 7919 + 3) % 101) as f32 / 7.0 - 6.0;
    let mut floats: Vec<f32> = (0..36).map(number).collect();
    (floats[2], floats[9], floats[10]) = (f32::NAN, -0.0, 0.0);
    let (x, u) = floats.split_at(21);
    assert_eq!(results(&opencl, x, u).unwrap(), results(&cpu, x, u).unwrap());
    let halves: Vec<_> = floats.iter().map(|x| half::f16::from_f32(*x)).collect();
    let (x, u) = halves.split_at(21);
    assert_eq!(results(&opencl, x, u).unwrap(), results(&cpu, x, u).unwrap());
    let small: Vec<_> = (0..36).map(|i| (number(i) * 20.0) as i8).collect();
    let (x, u) = small.split_at(21);
    assert_eq!(results(&opencl, x, u).unwrap(), results(&cpu, x, u).unwrap());
    let whole: Vec<_> = (0..36).map(|i| (number(i) * 1e8) as i32).collect();
    let (x, u) = whole.split_at(21);
    assert_eq!(results(&opencl, x, u).unwrap(), results(&cpu, x, u).unwrap());
}

/// Random numbers of a key, and the gradients of a network of windows of random images.
fn drawn(device: &Device) -> Result<Vec<Vec<u8>>> {
    let mut g = Graph::new();
    let key = g.input("key", DType::U32, &[2])?;
    let with = |shape: &[i64], more: &[(&str, Attribute)]| -> Attributes {
        let shape = [("shape", Attribute::from(shape.to_vec()))];
        shape.into_iter().chain(more.iter().cloned()).collect()
    };
    let normal = with(&[2, 3, 9, 8], &[("dtype", DType::F32.into())]);
    let x = g.apply_with("random_normal", &[key], normal.clone())?;
    let w = g.apply_with(
        "random_uniform",
        &[key],
        with(&[4, 3, 3, 2], &[("dtype", DType::F32.into())]),
    )?;
    let integers =
        [("dtype", DType::I32.into()), ("low", (-9_i64).into()), ("high", 100_i64.into())];
    let integers = g.apply_with("random_integers", &[key], with(&[501], &integers))?;
    let order = g.apply_with("permutation", &[key], [("n", 301_usize)])?;
    let keys = g.apply_with("key_split", &[key], [("n", 5_usize)])?;
    let five = g.constant(&[], &[5_i32])?;
    let own = g.apply("key_fold", &[key, five])?;
    let dropped = g.apply_with("dropout", &[x, own], [("rate", 0.3_f32)])?;
    let windows =
        [("strides", vec![2_i64, 1]), ("pads", vec![1, 0, 0, 1]), ("dilations", vec![1, 2])];
    let y = g.apply_with("convolve", &[dropped, w], windows)?;
    let y = g.apply_with("reshape", &[y], [("shape", vec![2_i64, 4, 1, -1, 7])])?;
    let axes = [
        ("p", "i", "stride_p", "padding_d", "dilation_i", [1, 1, 1, 0, 1]),
        ("q", "j", "stride_q", "padding_h", "dilation_j", [2, 2, 2, 0, 1]),
        ("r", "k", "stride_r", "padding_w", "dilation_k", [7, 3, 1, 1, 1]),
    ];
    let axes = axes.into_iter().flat_map(|(a, b, c, d, e, n)| [a, b, c, d, e].into_iter().zip(n));
    let axes: Attributes = axes.map(|(name, n): (_, usize)| (name, n.into())).collect();
    let most = g.apply_with("window_max", &[y], axes.clone())?;
    let sums = g.apply_with("window_sum", &[most], axes)?;
    let loss = g.apply("tanh", &[sums])?;
    let loss = g.apply("sum_all", &[loss])?;
    let mut outputs = vec![x, w, integers, order, keys, own, loss];
    outputs.extend(g.gradient(loss, &[x, w])?);
    for (i, output) in outputs.into_iter().enumerate() {
        g.output(&format!("y{i}"), output)?;
    }
    let key = device.tensor(&[99_u32, 1])?;
    let y = g.plan(std::slice::from_ref(device))?.run(&[("key", &key)])?;
    y.iter().map(Tensor::to_bytes).collect()
}

#[test]
fn random_numbers_and_gradients_of_windows_have_the_bits_of_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    let [cpu, opencl] = ["cpu:0", "opencl:0"].map(|name| Device::named(name).unwrap());
    assert_eq!(drawn(&opencl).unwrap(), drawn(&cpu).unwrap());
}
