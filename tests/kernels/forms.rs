//! Kernels as users write them: every form, compiled without `unsafe` and without warnings.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use crate::devices::cpu;
use ringwood::device::Stream;
use ringwood::{ErrorKind, Result, kernel};
use std::sync::OnceLock;
use std::time::Duration;

/// `y += a * x`
#[kernel(device = [cpu, opencl, cuda])]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

/// The sum.
#[kernel(map, device = cpu, T in [f32, f64, i32])]
pub fn plus<T>(a: T, b: T) -> T {
    a + b
}

#[kernel(map, device = "cpu")]
fn ramp(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

#[kernel(host, device = cpu)]
fn dot_rows(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    for i in 0..m {
        for j in 0..n {
            c[i * n + j] = (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
        }
    }
}

#[kernel(device = cpu, domain = x.len() / n)]
fn widest(x: &[f32], y: &mut [f32], n: usize) {
    let row = gid(0);
    let mut best = f32::NEG_INFINITY;
    for c in 0..n {
        best = best.max(x[row * n + c]);
    }
    y[row] = best;
}

#[kernel(device = cpu)]
fn turned(x: &[f32], y: &mut [f32], width: usize, height: usize) {
    let row = gid(1);
    let column = gid(0);
    if row < width && column < height {
        y[row * height + column] = x[column * width + row];
    }
}

#[kernel(device = cpu)]
fn fibonacci(y: &mut [u32]) {
    let i = gid(0);
    let (mut n, mut a, mut b) = (i, 0_u32, 1);
    while n > 0 {
        let (next, left) = (a + b, n - 1);
        let (a_then, b_then) = (b, next);
        a = a_then;
        b = b_then;
        n = left;
    }
    let (a, b) = (b, a);
    y[i] = a * 100 + b;
}

/// Its options alone name what it takes beside the result.
#[kernel(device = cpu, domain = rows, requires(marks.len() >= rows, x.len() == rows))]
fn marked(x: &[f32], marks: &mut [f32], rows: usize) {
    marks[gid(0)] = 1.0;
}

#[kernel(device = npu)]
fn for_no_backend(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

#[test]
fn a_device_that_is_no_backend_is_named() -> Result<()> {
    let mut y = cpu().tensor(&[0.0_f32; 3])?;
    let text = for_no_backend(&mut y).unwrap_err().to_string();
    for part in
        ["it exists for npu", "`device = …` names backends: there is none called `npu`, but"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    Ok(())
}

#[test]
fn a_parameter_that_only_options_name_is_used() -> Result<()> {
    let device = cpu();
    let x = device.tensor(&[0.0_f32; 3])?;
    let mut marks = device.tensor(&[0.0_f32; 5])?;
    marked(&x, &mut marks, 3)?;
    assert_eq!(marks.to_vec::<f32>()?, [1.0, 1.0, 1.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn a_grid_kernel_is_called_by_its_name() -> Result<()> {
    let device = cpu();
    let x = device.tensor(&[1.0_f32; 1000])?;
    let mut y = device.tensor(&[2.0_f32; 1000])?;
    saxpy(3.0, &x, &mut y)?;
    assert_eq!(y.to_vec::<f32>()?, [5.0; 1000]);
    Ok(())
}

#[test]
fn a_map_is_a_plain_function_and_a_launch_that_broadcasts() -> Result<()> {
    assert_eq!(plus(1_i32, 2), 3);
    assert_eq!(plus(1.5_f64, 2.0), 3.5);
    assert_eq!(ramp(-1.0), 0.0);
    let device = cpu();
    let column = device.tensor_with(&[1_i32, 2], [2, 1][..].try_into()?)?;
    let row = device.tensor(&[10_i32, 20, 30])?;
    let sum = plus::launch(&column, &row)?;
    assert_eq!(*sum.shape(), [2, 3]);
    assert_eq!(sum.to_vec::<i32>()?, [11, 21, 31, 12, 22, 32]);
    let error = plus::launch(&device.tensor(&[1_u8])?, &row).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DType);
    assert!(error.to_string().contains("it has (f32, f32), (f64, f64), (i32, i32)"), "{error}");
    Ok(())
}

#[test]
fn a_host_kernel_is_a_plain_function_and_a_launch() -> Result<()> {
    let device = cpu();
    let (a, b) = (device.tensor(&[1.0_f32, 2.0])?, device.tensor(&[3.0_f32, 4.0])?);
    let mut c = device.tensor(&[0.0_f32])?;
    dot_rows::launch(&a, &b, &mut c, 1, 2, 1)?;
    assert_eq!(c.to_vec::<f32>()?, [11.0]);
    Ok(())
}

#[test]
fn a_panic_of_a_host_kernel_is_an_error_that_names_it() -> Result<()> {
    let device = cpu();
    let (a, b) = (device.tensor(&[1.0_f32])?, device.tensor(&[3.0_f32, 4.0])?);
    let mut c = device.tensor(&[0.0_f32])?;
    dot_rows::launch(&a, &b, &mut c, 1, 2, 1)?;
    let error = c.to_vec::<f32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic);
    assert!(
        error.to_string().contains("kernel `dot_rows` panicked: index out of bounds"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_declared_domain_sets_the_number_of_work_items() -> Result<()> {
    let device = cpu();
    let x = device.tensor(&[1.0_f32, 7.0, 3.0, -5.0, -4.0, -6.0])?;
    let mut y = device.tensor(&[0.0_f32; 2])?;
    widest(&x, &mut y, 3)?;
    assert_eq!(y.to_vec::<f32>()?, [7.0, -4.0]);
    Ok(())
}

#[test]
fn the_names_of_a_tuple_stand_for_their_values_once_all_are_computed() -> Result<()> {
    let mut y = cpu().tensor(&[0_u32; 8])?;
    fibonacci(&mut y)?;
    assert_eq!(y.to_vec::<u32>()?, [100, 101, 201, 302, 503, 805, 1308, 2113]);
    Ok(())
}

#[test]
fn two_dimensions_follow_the_shape_of_what_is_written() -> Result<()> {
    let device = cpu();
    let x = device.tensor(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let mut y = device.zeros([3, 2][..].try_into()?, ringwood::DType::F32)?;
    turned(&x, &mut y, 3, 2)?;
    assert_eq!(y.to_vec::<f32>()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    Ok(())
}

#[test]
fn an_access_out_of_bounds_is_an_error_at_the_line_of_the_access() -> Result<()> {
    let device = cpu();
    let x = device.tensor(&[1.0_f32; 3])?;
    let mut y = device.tensor(&[2.0_f32; 5])?;
    saxpy(3.0, &x, &mut y)?;
    let error = y.to_vec::<f32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    let text = error.to_string();
    assert!(text.contains("kernel `saxpy`: index 3 out of bounds for length 3 of `x`"), "{text}");
    let source = include_str!("forms.rs");
    let line = source.lines().position(|line| line.contains("y[i] = a * x[i]")).unwrap() + 1;
    assert!(text.contains(&format!("tests/kernels/forms.rs:{line}:16")), "{text}");
    Ok(())
}

#[kernel(device = cpu, domain = (rows, columns))]
fn laid_out(y: &mut [f32], rows: usize, columns: usize, pitch: usize) {
    y[gid(1) * pitch + gid(0)] = 1.0;
}

#[test]
fn a_requirement_that_nobody_wrote_says_which_store_rests_on_it() -> Result<()> {
    let line = line!() - 5;
    let mut y = cpu().tensor(&[0.0_f32; 12])?;
    laid_out(&mut y, 3, 3, 4)?;
    let text = laid_out(&mut y, 3, 4, 3).unwrap_err().to_string();
    for part in [
        "so that no two work-items meet in one element of `y`",
        ": 4 and 3",
        &format!("forms.rs:{line}:"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Where there is no work-item, no two of them meet.
    laid_out(&mut y, 0, 4, 3)?;
    assert_eq!(y.to_vec::<f32>()?[..4], [1.0, 1.0, 1.0, 0.0]);
    Ok(())
}

static OWN_STREAM: OnceLock<Stream> = OnceLock::new();

const LIMIT: Duration = Duration::from_secs(10);

#[kernel(host, device = cpu)]
fn waits_for_itself(y: &mut [f32]) {
    let waited = OWN_STREAM.get().map(|stream| stream.record().wait(LIMIT));
    let told = waited.and_then(Result::err).is_some_and(|e| e.message().contains("that runs it"));
    y[0] = f32::from(told);
}

#[test]
fn a_host_kernel_that_waits_for_its_stream_is_told_so_at_once() -> Result<()> {
    let device = cpu();
    let stream = OWN_STREAM.get_or_init(|| device.new_stream("threaded").expect("a stream"));
    let mut y = device.tensor(&[0.0_f32])?;
    stream.scope(|| waits_for_itself::launch(&mut y))?;
    assert_eq!(y.item::<f32>()?, 1.0);
    Ok(())
}
