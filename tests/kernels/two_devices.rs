//! The processor and an OpenCL device: the same bits, alone and together.

use crate::devices::{device, runtime};
use crate::forms::saxpy;
use ringwood::device::{Device, Tensor};
use ringwood::graph::{Attribute, Attributes, Graph, NodeKind, Planner, ValueId};
use ringwood::prelude::*;
use ringwood::{DType, ErrorKind, Shape, device_fn};

/// The processor and `opencl:0`, or `None` with a line that says why the test is skipped;
/// `RINGWOOD_REQUIRE=opencl` makes that a failure.
fn devices() -> Option<[Device; 2]> {
    let runtime = runtime();
    Some([runtime.device("cpu:0").unwrap(), device(&runtime, "opencl:0")?])
}

/// Numbers between -2 and 2, from xorshift64 (Marsaglia, 2003).
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 22) as f32 - 2.0
    };
    (0..count).map(|_| next()).collect()
}

fn tensor(device: &Device, shape: Shape, seed: u64) -> Tensor {
    device.tensor_with(&numbers(shape.elements(), seed), shape).unwrap()
}

fn bits(tensor: &Tensor) -> Vec<u32> {
    tensor.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

/// The loss of a small network and the gradients of its parameters.
fn network() -> Graph {
    let mut g = Graph::new();
    let x = g.input("x", DType::F32, &[8, 16]).unwrap();
    let (mut h, mut parameters) = (x, Vec::new());
    for (i, (from, to)) in [(16, 300), (300, 4)].into_iter().enumerate() {
        let w = g.parameter(&format!("w{i}"), DType::F32, &[from, to]).unwrap();
        let b = g.parameter(&format!("b{i}"), DType::F32, &[to]).unwrap();
        parameters.extend([w, b]);
        h = g.apply("matmul", &[h, w]).unwrap();
        h = g.apply("add", &[h, b]).unwrap();
        h = g.apply("tanh", &[h]).unwrap();
    }
    let squares = g.apply("mul", &[h, h]).unwrap();
    let loss = g.apply("mean_all", &[squares]).unwrap();
    let gradients = g.gradient(loss, &parameters).unwrap();
    g.output("loss", loss).unwrap();
    for (i, gradient) in gradients.into_iter().enumerate() {
        g.output(&format!("gradient {i}"), gradient).unwrap();
    }
    g
}

/// The outputs of the network with each operator on the device that `place` says, and the copies
/// that the plan inserted.
fn run(devices: &[Device], place: impl Fn(usize) -> usize) -> (Vec<Vec<u32>>, usize) {
    let mut g = network();
    for i in 0..g.nodes().len() {
        if g.nodes()[i].operator().is_none() {
            continue;
        }
        let at = place(i) % devices.len();
        let value = g.value(ValueId { node: i as u32, result: 0 }).unwrap();
        g.place(value, devices[at].name()).unwrap();
    }
    let mut plan = g.plan(devices).unwrap();
    let wanted: Vec<_> =
        plan.inputs().map(|(name, ty, device)| (name.to_owned(), ty, device.clone())).collect();
    for (seed, (name, ty, device)) in wanted.into_iter().enumerate() {
        plan.set_input(&name, &tensor(&device, ty.shape, seed as u64)).unwrap();
    }
    let copies = plan.graph().nodes().iter().filter(|n| matches!(n.kind, NodeKind::Copy)).count();
    (plan.run(&[]).unwrap().iter().map(bits).collect(), copies)
}

#[test]
fn a_plan_over_two_devices_gives_the_bits_of_one() {
    let Some(devices) = devices() else { return };
    let (expected, copies) = run(&devices[..1], |_| 0);
    assert_eq!(copies, 0);
    assert!(expected.iter().flatten().any(|bits| *bits != 0));
    type Spread = (fn(usize) -> usize, usize);
    let spreads: [Spread; 3] = [(|i| i, 3), (|i| i / 2, 3), (|_| 1, 0)];
    for (spread, least) in spreads {
        let (outputs, copies) = run(&devices, spread);
        assert!(copies >= least, "{copies} copies");
        assert_eq!(outputs, expected);
    }
}

#[test]
fn a_kernel_gives_the_same_bits_on_both_devices() {
    let Some(devices) = devices() else { return };
    let [cpu, opencl] = devices.each_ref().map(|device| {
        let shape = Shape::vector(10_007);
        let (x, mut y) = (tensor(device, shape, 1), tensor(device, shape, 2));
        saxpy(0.1, &x, &mut y).unwrap();
        bits(&y)
    });
    assert_eq!(cpu, opencl);
}

#[test]
fn a_convolution_gives_the_same_bits_on_both_devices() {
    let Some(devices) = devices() else { return };
    // Images, filters, stride, padding, dilation, and in how many groups those of a transposed one are.
    for (image, filter, [stride, pad, dilation], transposed) in [
        ([2, 3, 13, 17], [5, 3, 3, 3], [1, 1, 1], None),
        ([1, 40, 6, 7], [20, 40, 3, 3], [2, 1, 2], None),
        ([1, 6, 9, 8], [12, 1, 3, 3], [1, 1, 1], None),
        ([1, 4, 5, 6], [4, 3, 3, 3], [2, 1, 1], Some(2_usize)),
    ] {
        let mut g = Graph::new();
        let operands =
            [g.input("x", DType::F32, &image).unwrap(), g.input("w", DType::F32, &filter).unwrap()];
        let lists = [
            ("strides", vec![stride; 2]),
            ("pads", vec![pad; 4]),
            ("dilations", vec![dilation; 2]),
        ];
        let mut attributes: Vec<_> = lists
            .into_iter()
            .map(|(name, list)| (name.to_owned(), Attribute::from(list)))
            .collect();
        let operator = if transposed.is_some() { "convolve_transposed" } else { "convolve" };
        if let Some(group) = transposed {
            attributes.push(("group".to_owned(), group.into()));
            attributes.push(("output_padding".to_owned(), vec![1_i64, 0].into()));
        }
        let y = g.apply_with(operator, &operands, Attributes::from_iter(attributes)).unwrap();
        g.output("y", y).unwrap();
        let [cpu, opencl] = devices.each_ref().map(|device| {
            let x = tensor(device, Shape::new(&image).unwrap(), 1);
            let w = tensor(device, Shape::new(&filter).unwrap(), 2);
            let mut plan = g.plan(std::slice::from_ref(device)).unwrap();
            bits(&plan.run(&[("x", &x), ("w", &w)]).unwrap()[0])
        });
        assert!(cpu.iter().any(|bits| *bits != 0));
        assert_eq!(cpu, opencl, "{operator} of {image:?} with {filter:?}");
    }
}

#[test]
fn arguments_on_two_devices_are_refused() {
    let Some([cpu, opencl]) = devices() else { return };
    let (x, mut y) = (tensor(&cpu, Shape::vector(4), 1), tensor(&opencl, Shape::vector(4), 2));
    let error = saxpy(2.0, &x, &mut y).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Device, "{error}");
    let there = x.to_device(&opencl).unwrap();
    saxpy(2.0, &there, &mut y).unwrap();
}

#[device_fn]
fn bump(x: f32) -> f32 {
    if x > 0.0 { x * (2.0 - x) } else { 0.25 * x }
}

/// The sum of bumps of each row, by the work-items of a group.
#[kernel(device = [cpu, opencl], group = 64, groups = y.len())]
fn bump_sums(x: &[f32], y: &mut [f32], n: usize) {
    let mut part = 0.0;
    for k in group_range(n) {
        part += bump(x[grp(0) * n + k]);
    }
    let sum = group_sum(part);
    if lid(0) == 0 {
        y[grp(0)] = sum;
    }
}

/// The larger bump; a reduction calls device functions, too.
#[kernel(reduce(identity = f32::NEG_INFINITY), device = [cpu, opencl])]
fn highest_bump(a: f32, b: f32) -> f32 {
    a.max(bump(b))
}

#[kernel(reduce(identity = f32::NEG_INFINITY), device = [cpu, opencl])]
fn row_peak(a: f32, b: f32) -> f32 {
    a.max(b)
}

#[test]
fn groups_and_reductions_give_the_same_bits() {
    let Some(devices) = devices() else { return };
    let results = devices.map(|device| {
        let x = tensor(&device, Shape::new(&[5, 300]).unwrap(), 7);
        let mut sums = device.tensor(&[0.0_f32; 5]).unwrap();
        bump_sums(&x, &mut sums, 300).unwrap();
        let peaks = [row_peak::launch(&x), highest_bump::launch(&x)].map(|y| bits(&y.unwrap()));
        (bits(&sums), peaks, bits(&highest_bump::launch_along(&x, 0).unwrap()))
    });
    assert_eq!(results[0], results[1]);
}

/// What element-wise operators, a reduction and outputs read through views.
fn views() -> Graph {
    let mut g = Graph::new();
    let x = g.input("x", DType::F32, &[6, 8]).unwrap();
    let turned = g.apply_with("permute", &[x], [("axes", vec![1_i64, 0])]).unwrap();
    let square = g.apply("mul", &[turned, turned]).unwrap();
    let half = [("axis", 1_usize), ("start", 1), ("end", 6), ("step", 2)];
    let columns = g.apply_with("slice", &[square], half).unwrap();
    let same = g.apply_with("slice", &[turned], half).unwrap();
    let product = g.apply("mul", &[columns, same]).unwrap();
    let sums = g.apply_with("sum", &[product], [("axis", 1_usize)]).unwrap();
    let rows = g.apply_with("reshape", &[columns], [("shape", vec![4_i64, -1])]).unwrap();
    let largest = g.apply_with("largest", &[rows], [("axis", 1_usize)]).unwrap();
    g.output("sums", sums).unwrap();
    g.output("largest", largest).unwrap();
    g.output("columns", columns).unwrap();
    g
}

#[test]
fn views_have_the_same_bits_on_both_devices_fused_or_not() {
    let Some(devices) = devices() else { return };
    let run = |device: &Device, fuse: bool| -> Vec<Vec<u32>> {
        let mut plan =
            Planner::new(std::slice::from_ref(device)).fuse(fuse).plan(&views()).unwrap();
        let x = tensor(device, Shape::new(&[6, 8]).unwrap(), 5);
        plan.run(&[("x", &x)]).unwrap().iter().map(bits).collect()
    };
    let expected = run(&devices[0], false);
    let x = numbers(48, 5);
    let columns: Vec<_> = (0..8)
        .flat_map(|row| [1, 3, 5].map(|column: usize| x[column * 8 + row]))
        .map(|x| (x * x).to_bits())
        .collect();
    assert_eq!(expected[2], columns);
    for device in &devices {
        assert_eq!(run(device, true), expected, "fused on {device}");
        assert_eq!(run(device, false), expected, "on {device}");
    }
}
