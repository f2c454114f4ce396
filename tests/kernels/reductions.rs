//! Reductions as a user writes them: a function of two scalars, applied to the rows of a tensor.

use crate::devices::cpu;
use ringwood::{ErrorKind, Shape, device_fn, kernel};

#[kernel(reduce(identity = 0), device = [cpu, opencl], T in [f32, i32])]
fn total<T>(a: T, b: T) -> T {
    a + b
}

#[kernel(reduce(identity = f32::NEG_INFINITY), device = cpu)]
fn peak(a: f32, b: f32) -> f32 {
    a.max(b)
}

/// The order of a group of 256: strided parts, then a tree of halves.
fn pinned(row: &[f32]) -> f32 {
    let mut parts = [0.0_f32; 256];
    for (i, x) in row.iter().enumerate() {
        parts[i % 256] += x;
    }
    let mut half = 128;
    while half > 0 {
        for l in 0..half {
            parts[l] += parts[l + half];
        }
        half /= 2;
    }
    parts[0]
}

#[test]
fn rows_are_combined_in_the_pinned_order() {
    let device = cpu();
    for n in [1, 3, 256, 1000] {
        let x: Vec<f32> = (0..3 * n).map(|i| 1.0 / (i as f32 + 1.0)).collect();
        let tensor = device.tensor_with(&x, Shape::new(&[3, n]).unwrap()).unwrap();
        let sums = total::launch(&tensor).unwrap();
        assert_eq!(*sums.shape(), [3]);
        let expected: Vec<f32> = x.chunks(n).map(pinned).collect();
        assert_eq!(sums.to_vec::<f32>().unwrap(), expected, "rows of {n}");
    }
}

#[test]
fn a_vector_gives_a_scalar_and_an_empty_row_the_identity() {
    let device = cpu();
    let x = device.tensor(&[3, i32::MAX, 5]).unwrap();
    let sum = total::launch(&x).unwrap();
    assert!(sum.shape().is_empty());
    assert_eq!(sum.to_vec::<i32>().unwrap(), [i32::MAX.wrapping_add(8)]);
    let none = device.tensor_with::<f32>(&[], Shape::new(&[2, 0]).unwrap()).unwrap();
    assert_eq!(peak::launch(&none).unwrap().to_vec::<f32>().unwrap(), [f32::NEG_INFINITY; 2]);
    assert_eq!((total(1.5, 2.0), peak(1.0, 3.0)), (3.5, 3.0), "plain functions");
}

#[test]
fn an_element_type_without_an_instance_is_refused() {
    let x = cpu().tensor(&[1.0_f64]).unwrap();
    assert_eq!(total::launch(&x).unwrap_err().kind(), ErrorKind::DType);
}

#[device_fn]
fn square(x: f32) -> f32 {
    x * x
}

#[kernel(reduce(identity = 0.0), device = cpu)]
fn squares(a: f32, b: f32) -> f32 {
    a + square(b)
}

#[test]
fn the_elements_along_any_dimension_are_combined_in_the_order_of_a_row() {
    let device = cpu();
    for [outer, n, inner] in [[2, 5, 3], [1, 300, 4], [3, 2, 1], [2, 3, 0], [2, 0, 3]] {
        let x: Vec<f32> = (0..outer * n * inner).map(|i| 1.0 / (i as f32 + 1.0)).collect();
        let shape = Shape::new(&[outer, n, inner]).unwrap();
        let sums = total::launch_along(&device.tensor_with(&x, shape).unwrap(), 1).unwrap();
        assert_eq!(*sums.shape(), [outer, inner]);
        let rows = (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i)));
        let row = |(o, i)| (0..n).map(|k| x[(o * n + k) * inner + i]).collect::<Vec<_>>();
        let expected: Vec<f32> = rows.map(|at| pinned(&row(at))).collect();
        assert_eq!(sums.to_vec::<f32>().unwrap(), expected, "{outer} {n} {inner}");
    }
}

#[test]
fn a_reduction_calls_device_functions() {
    let x = cpu().tensor_with(&[1.0_f32, 2.0, 3.0, 4.0], Shape::new(&[2, 2]).unwrap()).unwrap();
    // The elements are squared where they are combined, and the parts where they meet.
    let one = |parts: [f32; 2]| squares(squares(0.0, parts[0]), squares(0.0, parts[1]));
    assert_eq!(
        squares::launch(&x).unwrap().to_vec::<f32>().unwrap(),
        [one([1.0, 2.0]), one([3.0, 4.0])]
    );
    assert_eq!(
        squares::launch_along(&x, 0).unwrap().to_vec::<f32>().unwrap(),
        [one([1.0, 3.0]), one([2.0, 4.0])]
    );
}

#[test]
fn a_dimension_that_a_tensor_lacks_is_refused() {
    let x = cpu().tensor(&[1.0_f32, 2.0]).unwrap();
    let error = total::launch_along(&x, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Shape);
    assert!(
        error.to_string().contains("`total`: a tensor of shape [2] has no dimension 1"),
        "{error}"
    );
    assert_eq!(total::launch_along(&x, 0).unwrap().to_vec::<f32>().unwrap(), [3.0]);
}
