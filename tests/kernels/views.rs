//! Kernels of strided views, launched on tensors.

use crate::def;
use crate::devices::{cpu, devices};
use ringwood::device::{Device, LaunchArg, Tensor, launch};
use ringwood::kernel::{View, ViewMut};
use ringwood::{ErrorKind, Result, Shape, StridedShape, kernel};

#[kernel(device = [cpu, opencl])]
fn affine(a: f32, x: View<f32, 2>, y: ViewMut<f32, 2>) {
    y[[gid(1), gid(0)]] = a * x[[gid(1), gid(0)]] + 1.0;
}

#[kernel(device = [cpu, opencl], T in [f32, i64], const N: usize in [1, 2])]
fn shifted<T, const N: usize>(x: View<T, 1>, y: ViewMut<T, 1>) {
    let i = gid(0);
    y[[i]] = x[[i + N]];
}

/// Each row divided by its sum.
#[kernel(device = [cpu, opencl], row = 32)]
fn shares(x: Row<f32>, y: RowMut<f32>) {
    let mut s = 0.0;
    for k in group_range(x.len()) {
        s += x[k];
    }
    let sum = group_sum(s);
    for k in group_range(y.len()) {
        y[k] = x[k] / sum;
    }
}

#[kernel(host, device = cpu)]
fn transposed(x: View<f32, 2>, y: ViewMut<f32, 2>) {
    for i in 0..y.extent(0) {
        for j in 0..y.extent(1) {
            y[[i, j]] = x[[j, i]];
        }
    }
}

#[kernel(map, device = [cpu, opencl])]
fn view_sum(a: f32, b: f32) -> f32 {
    a + b
}

#[kernel(device = cpu)]
fn doubled(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = 2.0 * x[gid(0)];
}

fn shape(dims: &[usize]) -> Shape {
    Shape::new(dims).unwrap()
}

/// The numbers from 0, in this shape.
fn numbers(device: &Device, dims: &[usize]) -> Tensor {
    let shape = shape(dims);
    let numbers: Vec<f32> = (0..shape.elements()).map(|i| i as f32).collect();
    device.tensor(&numbers).unwrap().reshape(shape).unwrap()
}

fn fails(result: Result<()>, text: &str) -> ringwood::Error {
    let error = result.unwrap_err();
    assert!(error.to_string().contains(text), "{error}");
    error
}

#[test]
fn a_kernel_reads_and_writes_at_steps() {
    for device in devices() {
        let x = numbers(&device, &[3, 4]);
        let mut y = device.zeros(shape(&[8, 3]), ringwood::DType::F32).unwrap();
        let rows = y.view_mut().slice(0, 1..8, 2).unwrap();
        affine(10.0, x.view().transpose(0, 1).unwrap(), rows).unwrap();
        let y = y.to_vec::<f32>().unwrap();
        for (row, values) in y.chunks(3).enumerate() {
            let column = (row / 2) as f32;
            let expected = [column, column + 4.0, column + 8.0].map(|x| 10.0 * x + 1.0);
            assert_eq!(values, if row % 2 == 1 { expected } else { [0.0; 3] }, "{device}");
        }
    }
}

#[test]
fn whole_tensors_are_views_and_inputs_may_repeat() {
    for device in devices() {
        let row = numbers(&device, &[4]);
        let mut y = device.zeros(shape(&[2, 4]), ringwood::DType::F32).unwrap();
        affine(2.0, row.view().broadcast(shape(&[2, 4])).unwrap(), &mut y).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [1.0, 3.0, 5.0, 7.0, 1.0, 3.0, 5.0, 7.0]);
        let x = numbers(&device, &[2, 4]);
        affine(1.0, &x, &mut y).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap()[7], 8.0);
    }
}

#[test]
fn instances_and_constants_are_chosen_for_views_too() {
    for device in devices() {
        let x = device.tensor(&[1_i64, 2, 3, 4, 5, 6]).unwrap();
        let mut y = device.tensor(&[0_i64; 2]).unwrap();
        shifted::<2>(x.view().slice(0, 0..6, 1).unwrap(), &mut y).unwrap();
        assert_eq!(y.to_vec::<i64>().unwrap(), [3, 4]);
        shifted::<1>(x.view().slice(0, 0..6, 2).unwrap(), &mut y).unwrap();
        assert_eq!(y.to_vec::<i64>().unwrap(), [3, 5]);
    }
}

#[test]
fn a_row_kernel_has_a_group_for_each_row() {
    for device in devices() {
        let x = numbers(&device, &[3, 100]);
        let mut y = device.zeros(shape(&[3, 50]), ringwood::DType::F32).unwrap();
        let odd = x.view().slice(1, 1..100, 2).unwrap();
        shares(odd, &mut y).unwrap();
        let y = y.to_vec::<f32>().unwrap();
        for row in 0..3 {
            let values: Vec<_> = (0..50).map(|k| (row * 100 + 2 * k + 1) as f32).collect();
            let sum: f32 = values.iter().sum();
            let want: Vec<_> = values.iter().map(|v| v / sum).collect();
            assert_eq!(y[row * 50..][..50], want, "{device}");
        }
        let mut few = device.zeros(shape(&[2, 50]), ringwood::DType::F32).unwrap();
        fails(shares(odd, &mut few), "kernel `shares` requires x.extent(0) == y.extent(0)");
    }
}

#[test]
fn an_index_outside_of_a_view_is_an_error_even_where_there_is_memory() {
    for device in devices() {
        let x = numbers(&device, &[6]);
        let mut y = device.tensor(&[0.0_f32; 2]).unwrap();
        let two = x.view().slice(0, 0..4, 2).unwrap();
        let launched = shifted::<1>(two, &mut y).and_then(|()| y.to_vec::<f32>().map(drop));
        let error = fails(launched, "index 2 out of bounds for length 2 of `x`");
        assert_eq!(error.kind(), ErrorKind::OutOfBounds);
        assert!(error.to_string().contains("tests/kernels/views.rs:"), "{error}");
    }
}

#[test]
fn a_host_kernel_gets_views_and_stays_callable() {
    let device = cpu();
    let x = numbers(&device, &[2, 3]);
    let mut y = device.zeros(shape(&[3, 2]), ringwood::DType::F32).unwrap();
    transposed::launch(&x, &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let (from, mut to) = ([1.0, 2.0], [0.0; 2]);
    let row = StridedShape::dense(shape(&[1, 2]));
    let column = ViewMut::new(&mut to, row.permute(&[1, 0]).unwrap()).unwrap();
    transposed(View::new(&from, row).unwrap(), column);
    assert_eq!(to, [1.0, 2.0]);
    let wide = numbers(&device, &[3, 4]);
    let launched = transposed::launch(&x, wide.clone().view_mut()).and_then(|()| device_end(&wide));
    fails(launched, "index [2, 0] is outside of a view of extents [2, 3]");
}

fn device_end(tensor: &Tensor) -> Result<()> {
    tensor.to_vec::<f32>().map(drop)
}

#[test]
fn inputs_of_a_map_may_be_views() {
    let def = def(view_sum::ENTRY);
    for device in devices() {
        let x = numbers(&device, &[2, 3]);
        let mut y = device.zeros(shape(&[3, 2]), ringwood::DType::F32).unwrap();
        let (turned, column) = (x.view().transpose(0, 1).unwrap(), x.view().slice(0, 0..1, 1));
        let column = column.unwrap().permute(&[1, 0]).unwrap();
        let args = [LaunchArg::View(turned), LaunchArg::View(column), LaunchArg::Write(&mut y)];
        launch(def, &args).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [0.0, 3.0, 2.0, 5.0, 4.0, 7.0]);
    }
}

#[test]
fn views_that_do_not_fit_are_refused() {
    let device = cpu();
    let x = numbers(&device, &[2, 3]);
    let mut y = numbers(&device, &[2, 3]);
    let error =
        fails(affine(1.0, &x, y.view_mut().select(0, 1).unwrap()), "of rank 2, got shape [3]");
    assert_eq!(error.kind(), ErrorKind::Shape);
    let own = y.clone();
    let odd = own.view().slice(1, 1..3, 2).unwrap();
    let even = y.view_mut().slice(1, 0..1, 1).unwrap();
    fails(affine(1.0, odd, even), "writes memory that argument");
    let args = [LaunchArg::View(x.view().transpose(0, 1).unwrap()), LaunchArg::Write(&mut y)];
    let def = def(doubled::ENTRY);
    fails(launch(def, &args), "`x` takes elements without gaps");
}

#[test]
fn an_empty_view_is_no_launch() {
    let device = cpu();
    let x = numbers(&device, &[2, 3]);
    let mut y = numbers(&device, &[2, 3]);
    let nothing = |x: &Tensor| x.view().slice(0, 2..2, 1).unwrap().strided().reach();
    assert_eq!(nothing(&x), 0);
    affine(1.0, x.view().slice(0, 1..1, 1).unwrap(), y.view_mut().slice(0, 2..2, 1).unwrap())
        .unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}
