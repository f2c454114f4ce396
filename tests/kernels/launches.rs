//! A launch from a user's side: short to write, and every mistake is an error before it runs, with
//! the same text on each device.

use crate::devices::devices;
use crate::forms::saxpy;
use ringwood::device::Device;
use ringwood::{DType, ErrorKind, Result, Shape, kernel};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

#[kernel(map, device = [cpu, opencl])]
fn joined(a: f32, b: f32) -> f32 {
    a + b
}

#[kernel(device = [cpu, opencl], domain = (n, n))]
fn square(y: &mut [f32], n: usize) {
    y[gid(1) * n + gid(0)] = 1.0;
}

#[kernel(device = [cpu, opencl], domain = rows * columns)]
fn ones_of_a_product(y: &mut [f32], rows: usize, columns: usize) {
    y[gid(0)] = 1.0;
}

#[kernel(device = [cpu, opencl], domain = (n - 1) / 256 + 1)]
fn ones_of_blocks(y: &mut [f32], n: usize) {
    if gid(0) * 256 < n {
        y[gid(0)] = 1.0;
    }
}

#[kernel(device = [cpu, opencl], domain = (rows, columns))]
fn ones(y: &mut [f32], rows: usize, columns: usize) {
    if gid(1) < rows {
        y[gid(1) * columns + gid(0)] = 1.0;
    }
}

#[kernel(device = [cpu, opencl], group = 4, groups = (rows, columns))]
fn rows_of_ones(y: &mut [f32], rows: usize, columns: usize) {
    if lid(0) == 0 && grp(1) < rows {
        y[grp(1) * columns + grp(0)] = 1.0;
    }
}

#[kernel(device = [cpu, opencl])]
fn endless(y: &mut [f32], end: f32) {
    let mut t = 1.0;
    while t < end {
        t *= 0.5;
    }
    y[gid(0)] = t;
}

/// The error of a launch on each device, without its name.
fn errors(launch: impl Fn(&Device) -> Result<()>) -> (ErrorKind, String) {
    let mut errors = devices().into_iter().map(|device| {
        let error = launch(&device).unwrap_err();
        (error.kind(), error.message().to_owned())
    });
    let first = errors.next().unwrap();
    errors.for_each(|other| assert_eq!(other, first));
    first
}

#[test]
fn saxpy_from_nothing_to_a_result_takes_fifteen_lines() {
    // The README's program, which its own test compiles and runs.
    let readme = include_str!("../../README.md");
    let section = readme.split("## A kernel, from nothing to a result").nth(1).unwrap();
    let program = section.split("```").nth(1).unwrap();
    let lines = program.lines().skip(1).filter(|line| !line.trim().is_empty()).count();
    assert!(program.contains("saxpy(3.0, &x, &mut y)?") && program.contains("to_vec"));
    assert!(lines <= 15, "{lines} lines");
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let (kind, text) = errors(|device| {
        joined::launch(&device.tensor(&[1.0_f32; 3])?, &device.tensor(&[1.0_f32; 4])?).map(drop)
    });
    assert_eq!(kind, ErrorKind::Shape);
    assert!(text.contains('3') && text.contains('4'), "{text}");
}

#[test]
fn elements_of_another_type_are_refused() {
    let (kind, text) = errors(|device| {
        let x = device.zeros(Shape::vector(3), DType::F64)?;
        saxpy(1.0, &x, &mut device.tensor(&[1.0_f32; 3])?)
    });
    assert_eq!(kind, ErrorKind::DType);
    assert!(text.contains("`saxpy`") && text.contains("f64"), "{text}");
}

#[test]
fn one_buffer_is_not_written_and_read() {
    let (kind, text) = errors(|device| {
        let mut y = device.tensor(&[1.0_f32; 3])?;
        let same = y.clone();
        let refused = saxpy(1.0, &same, &mut y);
        assert_eq!(y.to_vec::<f32>()?, [1.0; 3], "nothing ran");
        refused
    });
    assert_eq!(kind, ErrorKind::InvalidArgument);
    assert_eq!(text, "`saxpy` writes memory that argument 1 shares");
}

#[test]
fn a_domain_of_more_points_than_can_be_counted_is_refused() {
    let (kind, text) = errors(|device| square(&mut device.tensor(&[0.0_f32; 4])?, 1 << 40));
    assert_eq!(kind, ErrorKind::Shape);
    assert!(text.contains("1099511627776"), "{text}");
    let (kind, text) =
        errors(|device| ones_of_a_product(&mut device.tensor(&[0.0_f32; 4])?, 1 << 32, 1 << 32));
    assert_eq!(kind, ErrorKind::Shape);
    assert!(text.contains("a sum or product that is too large to count"), "{text}");
    let (kind, text) = errors(|device| ones_of_blocks(&mut device.tensor(&[0.0_f32; 4])?, 0));
    assert_eq!(kind, ErrorKind::Shape);
    assert!(text.contains("a difference below 0"), "{text}");
}

#[test]
fn a_domain_with_an_extent_of_0_is_empty_whatever_the_others_are() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[2.0_f32; 4])?;
        for (rows, columns) in [(0, usize::MAX), (usize::MAX, 0)] {
            ones(&mut y, rows, columns)?;
            rows_of_ones(&mut y, rows, columns)?;
        }
        assert_eq!(y.to_vec::<f32>()?, [2.0; 4]);
    }
    Ok(())
}

#[test]
fn an_access_out_of_bounds_has_one_text() {
    let (kind, text) = errors(|device| {
        let x = device.tensor(&[1.0_f32; 3])?;
        let mut y = device.tensor(&[1.0_f32; 4])?;
        saxpy(1.0, &x, &mut y)?;
        y.to_vec::<f32>().map(drop)
    });
    assert_eq!(kind, ErrorKind::OutOfBounds);
    assert_eq!(text, "kernel `saxpy`: index 3 out of bounds for length 3 of `x`");
}

#[test]
fn a_launch_with_and_without_checks_gives_the_same() -> Result<()> {
    for device in devices() {
        let x = device.tensor(&[2.0_f32; 8])?;
        let mut exact = device.tensor(&[1.0_f32; 8])?;
        saxpy(3.0, &x, &mut exact)?;
        assert_eq!(exact.to_vec::<f32>()?, [7.0; 8]);
        // The index of the last store is not proved: `n` says more rows than there are.
        let mut rows = device.tensor(&[0.0_f32; 9])?;
        square(&mut rows, 3)?;
        assert_eq!(rows.to_vec::<f32>()?, [1.0; 9]);
    }
    Ok(())
}

const ENDLESS: &str = "RINGWOOD_TEST_ENDLESS";

/// Runs on the device that the variable names, in a process of its own, which is killed.
#[test]
fn endless_kernel() {
    let Ok(name) = std::env::var(ENDLESS) else { return };
    let run = || {
        let device = Device::named(&name)?;
        let mut y = device.tensor(&[0.0_f32; 1])?;
        endless(&mut y, 2.0)?;
        device.synchronize(Duration::from_millis(300))
    };
    println!(
        "\n{ENDLESS} {}",
        run().map_or_else(|e| format!("{:?}: {e}", e.kind()), |()| "ended".into())
    );
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_kernel_that_never_ends_is_an_error_at_the_deadline() {
    for device in devices() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["launches::endless_kernel", "--exact", "--nocapture"])
            .env(ENDLESS, device.name())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (found, answer) = mpsc::channel();
        std::thread::spawn(move || {
            let mut lines = lines.map_while(std::result::Result::ok);
            let line = lines.find(|line| line.starts_with(ENDLESS));
            let _ = found.send(line);
        });
        let answer = answer.recv_timeout(Duration::from_secs(60));
        child.kill().unwrap();
        child.wait().unwrap();
        let line = answer.expect("the deadline passed long ago").expect("the child printed it");
        assert!(line.contains("Timeout: ") && line.contains("(stream: "), "{line}");
        assert!(line.contains("wait longer, or look for a kernel that does not end"), "{line}");
    }
}
