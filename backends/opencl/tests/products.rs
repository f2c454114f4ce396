//! Products of matrices in tiles: every element is the sum of its products in order, bit by bit.

mod support;

use ringwood_backend_opencl as _;
use ringwood_base::registry::Registry;
use ringwood_base::{Element, ErrorKind, Result, Scalar, Shape};
use ringwood_device::device::{Device, LaunchArg, Runtime, launch};
use ringwood_kernels as _;
use std::fmt::Debug;
use std::ops::{Add, Mul};

/// Runs the kernel that OpenCL devices have under this name.
fn product<T: Element>(
    device: &Device,
    name: &str,
    [m, k, n]: [usize; 3],
    [a, b]: [&[T]; 2],
) -> Result<Vec<T>> {
    let mut declared = ringwood_device::kernel::declarations(Registry::global()?, name)?;
    let (_, def) = declared.find(|(_, def)| def.devices.contains(&"opencl")).unwrap();
    let (a, b) = (device.tensor(a)?, device.tensor(b)?);
    let mut c = device.zeros(Shape::new(&[m, n])?, T::DTYPE)?;
    let size = |n| LaunchArg::Scalar(Scalar::Usize(n));
    let factors = [LaunchArg::Read(&a), LaunchArg::Read(&b), LaunchArg::Write(&mut c)];
    let args: Vec<_> = factors.into_iter().chain([size(m), size(k), size(n)]).collect();
    launch(def, &args)?;
    drop(args);
    c.to_vec()
}

fn transposed<T: Copy>(x: &[T], rows: usize, columns: usize) -> Vec<T> {
    (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
}

fn check<T>(device: &Device, number: impl Fn(usize) -> T)
where
    T: Element + Default + Debug + PartialEq + Add<Output = T> + Mul<Output = T>,
{
    for extents @ [m, k, n] in [[1, 1, 1], [16, 16, 16], [3, 70, 17], [33, 5, 48], [20, 0, 3]] {
        let a: Vec<T> = (0..m * k).map(|i| number(i * 7)).collect();
        let b: Vec<T> = (0..k * n).map(|i| number(i * 3 + 1)).collect();
        let element = |i: usize, j: usize| {
            (0..k).fold(T::default(), |sum, l| sum + a[i * k + l] * b[l * n + j])
        };
        let expected: Vec<_> = (0..m * n).map(|at| element(at / n, at % n)).collect();
        let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
        for (name, factors) in
            [("matmul", [&a, &b]), ("matmul_tn", [&at, &b]), ("matmul_nt", [&a, &bt])]
        {
            let got = product(device, name, extents, factors.map(Vec::as_slice)).unwrap();
            assert_eq!(got, expected, "{name} of {extents:?}");
        }
    }
}

#[test]
fn products_of_all_layouts_add_in_order() {
    if support::opencl().is_none() {
        return;
    }
    let device = Runtime::global().unwrap().device("opencl:0").unwrap();
    check(&device, |i| (i % 23) as f32 * 0.37 - 4.0);
    if device.capabilities().dtypes.contains(&ringwood_base::DType::F64) {
        check(&device, |i| (i % 23) as f64 * 0.37 - 4.0);
    }
    let error = product(&device, "matmul", [2, 2, 2], [&[1.0_f32; 3], &[1.0; 4]]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.message().contains("a.len() == (m * k)"), "{error}");
}
