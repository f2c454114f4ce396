//! Products of matrices: the bits of docs/numerics.md on the CPU, on OpenCL and by the interpreter.

mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_opencl as _;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, ErrorKind, Result, Scalar, Shape};
use ringwood_device::device::{Device, LaunchArg, Runtime, launch};
use ringwood_device::kernel::{KernelDef, declarations};
use ringwood_graph::graph::{Attribute, Graph};
use ringwood_ir::Value;
use ringwood_ir::interpret::{self, Argument};
use ringwood_kernels as _;

/// The kernel that devices of a backend have under this name.
fn declared(name: &str, backend: &str) -> &'static KernelDef {
    let mut declared = declarations(Registry::global().unwrap(), name).unwrap();
    declared.find(|(_, def)| def.devices.contains(&backend)).unwrap().1
}

fn product(
    device: &Device,
    name: &str,
    [m, k, n]: [usize; 3],
    [a, b]: [&[f32]; 2],
) -> Result<Vec<u32>> {
    let def = declared(name, device.name().split(':').next().unwrap());
    let (a, b) = (device.tensor(a)?, device.tensor(b)?);
    let mut c = device.zeros(Shape::new(&[m, n])?, DType::F32)?;
    let size = |n| LaunchArg::Scalar(Scalar::Usize(n));
    let factors = [LaunchArg::Read(&a), LaunchArg::Read(&b), LaunchArg::Write(&mut c)];
    let args: Vec<_> = factors.into_iter().chain([size(m), size(k), size(n)]).collect();
    launch(def, &args)?;
    drop(args);
    Ok(bits(&c.to_vec()?))
}

fn interpreted(name: &str, [m, k, n]: [usize; 3], factors: [&[f32]; 2]) -> Vec<u32> {
    let def = declared(name, "opencl");
    let ir = ringwood_ir::decode(def.instances[0].ir.unwrap()).unwrap();
    let slice = |x: &[f32]| Argument::Slice(x.iter().map(|x| Value::F32(*x)).collect());
    let mut args: Vec<_> = factors.map(slice).into();
    args.push(slice(&vec![f32::NAN; m * n]));
    args.extend([m, k, n].map(|extent| Argument::Scalar(Value::Usize(extent))));
    let domain = [m.div_ceil(16), n.div_ceil(16)];
    let ran = interpret::grid(&ir, &domain, &mut args, u64::MAX).unwrap();
    assert_eq!(ran, None);
    let Argument::Slice(c) = &args[2] else { unreachable!() };
    let bits = |value: &Value| if let Value::F32(x) = value { x.to_bits() } else { unreachable!() };
    c.iter().map(bits).collect()
}

fn numbers(count: usize, step: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * step + 3) % 1009) as f32 / 311.0 - 1.6).collect()
}

fn bits(x: &[f32]) -> Vec<u32> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn transposed(x: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
}

/// A kernel and its factors.
type Case = (&'static str, [Vec<f32>; 2]);

/// A product in each layout, and what the rule of the guide makes of them.
fn cases([m, k, n]: [usize; 3]) -> ([Case; 3], Vec<u32>) {
    let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
    let block = |i: usize, j: usize, at: usize| {
        (at..k.min(at + 256)).fold(0.0, |sum, l| a[i * k + l].mul_add(b[l * n + j], sum))
    };
    let element = |i, j| (0..k).step_by(256).fold(0.0_f32, |sum, at| sum + block(i, j, at));
    let expected = (0..m * n).map(|at| element(at / n, at % n).to_bits()).collect();
    let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
    let cases =
        [("matmul", [a.clone(), b.clone()]), ("matmul_tn", [at, b]), ("matmul_nt", [a, bt])];
    (cases, expected)
}

#[test]
fn products_have_the_same_bits_on_the_cpu_and_on_opencl() {
    if support::opencl().is_none() {
        return;
    }
    let devices =
        ["cpu:0", "opencl:0"].map(|name| Runtime::global().unwrap().device(name).unwrap());
    let edges = [0, 1, 2, 5, 6, 7, 15, 16, 17, 255, 256, 257, 300, 513];
    let around = edges.iter().flat_map(|&x| [[x, 17, 7], [17, x, 7], [7, 17, x], [33, x, 33]]);
    for extents in around.chain([[16, 784, 512], [1, 784, 512], [257, 513, 1], [20, 0, 3]]) {
        let (cases, expected) = cases(extents);
        for (name, [a, b]) in &cases {
            for device in &devices {
                let got = product(device, name, extents, [a, b]).unwrap();
                assert!(got == expected, "{name} of {extents:?} on {}", device.name());
            }
        }
    }
    let error = product(&devices[1], "matmul", [2, 2, 2], [&[1.0; 3], &[1.0; 4]]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.message().contains("a.len() == (m * k)"), "{error}");
}

#[test]
fn batches_have_the_same_bits_on_the_cpu_and_on_opencl() {
    if support::opencl().is_none() {
        return;
    }
    let shapes: [[&[usize]; 2]; 5] = [
        [&[2, 3, 17, 300], &[3, 300, 20]],
        [&[5, 1, 40], &[40, 33]],
        [&[3, 1, 2, 4], &[1, 2, 4, 2]],
        [&[7], &[2, 7, 3]],
        [&[2, 3, 0], &[2, 0, 5]],
    ];
    for (i, [a, b]) in shapes.into_iter().enumerate() {
        let bits = ["cpu:0", "opencl:0"].map(|name| batched(name, a, b).unwrap());
        assert!(bits[0] == bits[1], "case {i}");
    }
}

/// The bits of a product of floats, and of that of their whole parts.
fn batched(device: &str, a: &[usize], b: &[usize]) -> Result<Vec<u32>> {
    let device = Device::named(device)?;
    let mut graph = Graph::new();
    let operands = [("a", a, 7919), ("b", b, 104_729)];
    let [a, b] = operands.map(|(name, dims, _)| graph.input(name, DType::F32, dims));
    let (a, b) = (a?, b?);
    let c = graph.apply("batched_matmul", &[a, b])?;
    let [x, y] = [a, b].map(|x| graph.apply("to_i32", &[x]));
    let integers = graph.apply("batched_matmul", &[x?, y?])?;
    graph.output("c", c)?;
    graph.output("integers", integers)?;
    let mut plan = graph.plan(std::slice::from_ref(&device))?;
    for (name, dims, step) in operands {
        let elements = numbers(dims.iter().product(), step);
        plan.set_input(name, &device.tensor_with(&elements, Shape::new(dims)?)?)?;
    }
    let outputs = plan.run(&[])?;
    let mut all = bits(&outputs[0].to_vec()?);
    all.extend(outputs[1].to_vec::<i32>()?.into_iter().map(|x| x as u32));
    Ok(all)
}

#[test]
fn the_interpreter_has_the_bits_of_the_rule() {
    for extents in [[1, 1, 1], [3, 256, 2], [17, 20, 5], [2, 20, 17], [5, 513, 3], [3, 0, 2]] {
        let (cases, expected) = cases(extents);
        for (name, [a, b]) in &cases {
            assert!(interpreted(name, extents, [a, b]) == expected, "{name} of {extents:?}");
        }
    }
}

#[test]
fn a_convolution_whose_windows_do_not_follow_each_other_is_refused_as_on_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    const ONES: [&str; 11] = [
        "p",
        "q",
        "stride_p",
        "stride_q",
        "stride_r",
        "dilation_i",
        "dilation_j",
        "dilation_k",
        "spread_d",
        "spread_h",
        "spread_w",
    ];
    const WRONG: [&str; 6] =
        ["stride_p", "stride_q", "stride_r", "spread_d", "spread_h", "spread_w"];
    let convolve = |device: &str, wrong: &str, number: i64| -> Result<Vec<f32>> {
        // A failure stays with its stream.
        let device = Runtime::new(Registry::global()?.clone()).device(device)?;
        let value = |name: &str| match name {
            "p" | "q" | "r" => Attribute::from(if name == "r" { 3_usize } else { 1 }),
            name if name == wrong => number.into(),
            name => i64::from(!name.starts_with("padding")).into(),
        };
        let names = ONES.into_iter().chain(["r", "padding_d", "padding_h", "padding_w"]);
        let attributes: Vec<_> = names.map(|name| (name.to_owned(), value(name))).collect();
        let mut g = Graph::new();
        let image = g.input("image", DType::F32, &[1, 1, 1, 1, 4])?;
        let filter = g.input("filter", DType::F32, &[1, 1, 1, 1, 1, 2])?;
        let y = g.apply_with("convolution", &[image, filter], &attributes[..])?;
        g.output("y", y)?;
        let image = device.tensor_with(&[1.0_f32; 4], Shape::new(&[1, 1, 1, 1, 4])?)?;
        let filter = device.tensor_with(&[1.0_f32; 2], Shape::new(&[1, 1, 1, 1, 1, 2])?)?;
        g.plan(&[device])?.run(&[("image", &image), ("filter", &filter)])?[0].to_vec()
    };
    for device in ["cpu:0", "opencl:0"] {
        assert_eq!(convolve(device, "", 0).unwrap(), [2.0; 3], "{device}");
        for wrong in WRONG {
            for number in [0, -1] {
                assert!(convolve(device, wrong, number).is_err(), "{device}: {wrong} {number}");
            }
        }
    }
}
