//! Kernels of which each work-item stores to several parts of one slice.

use crate::devices::devices;
use ringwood::device::Tensor;
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

#[kernel(device = [cpu, opencl], domain = (rows, half))]
fn halves_of_rows(y: &mut [i32], rows: usize, half: usize) {
    let (r, k) = (gid(1), gid(0));
    y[r * 2 * half + k] += 1;
    y[r * 2 * half + k + half] += 2;
}

#[kernel(device = [cpu, opencl], domain = (rows, width / 2))]
fn halves_of_odd_rows(y: &mut [i32], rows: usize, width: usize) {
    let (r, k) = (gid(1), gid(0));
    y[r * width + k] += 1;
    y[r * width + k + width / 2] += 2;
}

#[kernel(device = [cpu, opencl], domain = (rows, width / 2))]
fn turned_rows(y: &mut [i32], rows: usize, width: usize) {
    let (row, c) = (gid(1) * width, gid(0));
    let left = y[row + c];
    y[row + c] = y[row + width - 1 - c];
    y[row + width - 1 - c] = left;
}

#[kernel(device = [cpu, opencl], domain = n / 2 - 1)]
fn turned_spectrum(y: &mut [i32], n: usize) {
    let k = gid(0) + 1;
    let left = y[k];
    y[k] = y[n - k];
    y[n - k] = left;
}

#[kernel(device = [cpu, opencl], domain = (rows, m / 2))]
fn butterflies_of_rows(y: &mut [i32], rows: usize, m: usize, p: usize) {
    let (r, i) = (gid(1), gid(0));
    let j = r * m + (i / p) * 2 * p + i % p;
    y[j] += 1;
    y[j + p] += 2;
}

#[kernel(device = [cpu, opencl], group = 4, groups = rows)]
fn butterflies_of_groups(y: &mut [i32], rows: usize, m: usize, p: usize) {
    let row = grp(0) * m;
    for i in group_range(m / 2) {
        let j = row + (i / p) * 2 * p + i % p;
        y[j] += 1;
        y[j + p] += 2;
    }
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

/// Runs a kernel on counted elements on every device, and compares with the same by the host.
fn compared(
    count: usize,
    launch: impl Fn(&mut Tensor) -> Result<()>,
    host: impl Fn(&mut [i32]),
) -> Result<()> {
    let before: Vec<_> = (0..count as i32).map(|i| 100 * i).collect();
    let mut expected = before.clone();
    host(&mut expected);
    for device in devices() {
        let mut y = device.tensor(&before)?;
        launch(&mut y)?;
        assert_eq!(y.to_vec::<i32>()?, expected, "{device}");
    }
    Ok(())
}

#[test]
fn pairs_of_each_row_are_stored_by_one_work_item() -> Result<()> {
    let blocks = |p: usize| {
        move |y: &mut [i32]| {
            for pair in y.chunks_mut(2 * p) {
                pair[..p].iter_mut().for_each(|y| *y += 1);
                pair[p..].iter_mut().for_each(|y| *y += 2);
            }
        }
    };
    for rows in 1..4 {
        for half in 1..5 {
            compared(rows * 2 * half, |y| halves_of_rows(y, rows, half), blocks(half))?;
        }
        for width in 2..8 {
            let halves = |y: &mut [i32]| {
                y.chunks_mut(width).for_each(|row| blocks(width / 2)(&mut row[..width / 2 * 2]));
            };
            compared(rows * width, |y| halves_of_odd_rows(y, rows, width), halves)?;
            let turned = |y: &mut [i32]| y.chunks_mut(width).for_each(<[i32]>::reverse);
            compared(rows * width, |y| turned_rows(y, rows, width), turned)?;
        }
        for (m, p) in [(2, 1), (8, 1), (8, 2), (8, 4), (12, 2), (12, 3), (12, 6)] {
            compared(rows * m, |y| butterflies_of_rows(y, rows, m, p), blocks(p))?;
            compared(rows * m, |y| butterflies_of_groups(y, rows, m, p), blocks(p))?;
        }
    }
    for n in 4..10 {
        let turned = |y: &mut [i32]| (1..n / 2).for_each(|k| y.swap(k, n - k));
        compared(n, |y| turned_spectrum(y, n), turned)?;
    }
    // Blocks of 8 do not divide a row of 12: the last one of a row would be in the next row.
    for device in devices() {
        let mut y = device.tensor(&[0; 24])?;
        for error in
            [butterflies_of_rows(&mut y, 2, 12, 4), butterflies_of_groups(&mut y, 2, 12, 4)]
        {
            assert!(error.unwrap_err().to_string().contains("so that no two work-items meet"));
        }
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
