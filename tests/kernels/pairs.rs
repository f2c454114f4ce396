//! Kernels of which each work-item stores to several parts of one slice.

use crate::devices::devices;
use ringwood::{Result, Shape, kernel};

#[kernel(device = [cpu, opencl])]
fn butterflies(y: &mut [f32], half: usize) {
    let i = gid(0);
    if i < half {
        let (a, b) = (y[i], y[i + half]);
        y[i] = a + b;
        y[i + half] = a - b;
    }
}

#[kernel(device = [cpu, opencl], domain = y.len() / 2)]
fn reversed_in_place(y: &mut [f32]) {
    let (i, n) = (gid(0), y.len());
    let j = n - 1 - i;
    let left = y[i];
    y[i] = y[j];
    y[j] = left;
}

#[kernel(device = [cpu, opencl], domain = (y.extent(0) / 2, y.extent(1)))]
fn turned_over(y: ViewMut<f32, 2>) {
    let last = y.extent(0) - 1;
    let (row, column) = (gid(1), gid(0));
    let above = y[[row, column]];
    y[[row, column]] = y[[last - row, column]];
    y[[last - row, column]] = above;
}

#[kernel(device = [cpu, opencl], domain = n)]
fn stored_twice(y: &mut [f32], n: usize, offset: usize) {
    let i = gid(0);
    y[i] = 1.0;
    y[i + offset] = 2.0;
}

#[kernel(device = [cpu, opencl], group = 4, groups = y.len())]
fn first_of_each_group(y: &mut [f32]) {
    if !(lid(0) >= 1) {
        y[grp(0)] = grp(0) as f32;
    }
}

#[kernel(device = [cpu, opencl], domain = y.extent(0))]
fn counted_rows(y: ViewMut<f32, 2>) {
    let columns = y.extent(1);
    for k in 0..columns {
        y[[gid(0), k]] = (gid(0) * 10 + k) as f32;
    }
}

#[test]
fn halves_and_mirrored_pairs_are_stored_by_one_work_item() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[1.0_f32, 2.0, 3.0, 10.0, 20.0, 30.0, 7.0])?;
        butterflies(&mut y, 3)?;
        assert_eq!(y.to_vec::<f32>()?, [11.0, 22.0, 33.0, -9.0, -18.0, -27.0, 7.0], "{device}");
        reversed_in_place(&mut y)?;
        assert_eq!(y.to_vec::<f32>()?, [7.0, -27.0, -18.0, -9.0, 33.0, 22.0, 11.0], "{device}");
        let rows = [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0];
        let mut y = device.tensor(&rows)?.reshape(Shape::new(&[3, 2])?)?;
        turned_over(&mut y)?;
        assert_eq!(y.to_vec::<f32>()?, [4.0, 5.0, 2.0, 3.0, 0.0, 1.0], "{device}");
    }
    Ok(())
}

#[test]
fn stores_that_only_a_launch_tells_apart_are_checked_there() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[0.0_f32; 5])?;
        stored_twice(&mut y, 2, 3)?;
        assert_eq!(y.to_vec::<f32>()?, [1.0, 1.0, 0.0, 2.0, 2.0], "{device}");
        let error = stored_twice(&mut y, 3, 2).unwrap_err().to_string();
        assert!(error.contains("kernel `stored_twice` requires"), "{error}");
        assert!(error.contains("n <= offset"), "{error}");
    }
    Ok(())
}

#[test]
fn one_work_item_of_a_group_and_one_for_each_row() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[-1.0_f32; 5])?;
        first_of_each_group(&mut y)?;
        assert_eq!(y.to_vec::<f32>()?, [0.0, 1.0, 2.0, 3.0, 4.0], "{device}");
        let mut y = device.tensor(&[-1.0_f32; 6])?.reshape(Shape::new(&[3, 2])?)?;
        counted_rows(&mut y)?;
        assert_eq!(y.to_vec::<f32>()?, [0.0, 1.0, 10.0, 11.0, 20.0, 21.0], "{device}");
    }
    Ok(())
}
