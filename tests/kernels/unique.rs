//! Kernels that assert what no proof follows: `unique`.

use crate::devices::{cpu, devices};
use ringwood::{ErrorKind, Result, Shape, kernel};

/// `p` is a permutation, which only the caller knows.
#[kernel(device = [cpu, opencl], unique, domain = x.len())]
fn scattered(p: &[u32], x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[p[i] as usize] = y[p[i] as usize] * 0.5 + x[i];
}

#[kernel(device = cpu, unique, domain = (p.extent(0), p.extent(1)))]
fn scattered_in_a_view(p: View<u32, 2>, y: ViewMut<f32, 2>) {
    let k = p[[gid(1), gid(0)]] as usize;
    y[[k, 0]] = 1.0;
}

#[kernel(device = cpu, unique, group = 4, groups = p.len() / 4)]
fn scattered_by_groups(p: &[u32], y: &mut [u32]) {
    let i = grp(0) * 4 + lid(0);
    barrier();
    y[p[i] as usize] = i as u32;
}

/// A proof would require `columns <= pitch`; one row needs no pitch.
#[kernel(device = [cpu, opencl], unique, domain = (rows, columns))]
fn at_a_pitch(y: &mut [f32], rows: usize, columns: usize, pitch: usize) {
    y[gid(1) * pitch + gid(0)] = 1.0;
}

/// The error of a launch where the assertion is checked; without debug assertions nothing is.
fn caught(read: Result<Vec<f32>>) -> Option<String> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let error = read.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotVerified, "{error}");
    Some(error.to_string())
}

#[test]
fn a_right_assertion_runs_on_every_device() -> Result<()> {
    for device in devices() {
        let (p, x) = (device.tensor(&[2_u32, 0, 1])?, device.tensor(&[1.0_f32, 2.0, 3.0])?);
        let mut y = device.tensor(&[10.0_f32, 20.0, 30.0])?;
        scattered(&p, &x, &mut y)?;
        assert_eq!(y.to_vec::<f32>()?, [7.0, 13.0, 16.0], "{}", device.name());
    }
    Ok(())
}

#[test]
fn an_assertion_replaces_what_a_proof_would_require() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[0.0_f32; 6])?;
        at_a_pitch(&mut y, 1, 5, 3)?;
        assert_eq!(y.to_vec::<f32>()?, [1.0, 1.0, 1.0, 1.0, 1.0, 0.0], "{device}");
    }
    let mut y = cpu().tensor(&[0.0_f32; 8])?;
    let text = caught(at_a_pitch(&mut y, 2, 4, 3).and_then(|()| y.to_vec()));
    assert!(text.as_ref().is_none_or(|text| text.contains("element 3 of `y`")), "{text:?}");
    Ok(())
}

#[test]
fn a_wrong_assertion_is_caught_in_debug_builds() -> Result<()> {
    let device = cpu();
    let (p, x) = (device.tensor(&[2_u32, 0, 2])?, device.tensor(&[1.0_f32, 2.0, 3.0])?);
    let mut y = device.tensor(&[0.0_f32; 4])?;
    let text = caught(scattered(&p, &x, &mut y).and_then(|()| y.to_vec()));
    for part in [
        "kernel `scattered` is declared `unique`",
        "element 2 of `y`",
        "work-item 0 at",
        "work-item 2 at",
        "tests/kernels/unique.rs:10:",
        "declare the kernel `racy`",
    ] {
        assert!(text.as_ref().is_none_or(|text| text.contains(part)), "{part}: {text:?}");
    }
    Ok(())
}

#[test]
fn work_items_of_two_dimensions_and_of_groups_are_named() -> Result<()> {
    let device = cpu();
    let p = device.tensor(&[0_u32, 1, 2, 3, 4, 0])?.reshape(Shape::new(&[2, 3])?)?;
    let mut y = device.tensor(&[0.0_f32; 10])?.reshape(Shape::new(&[5, 2])?)?;
    let text = caught(scattered_in_a_view(&p, &mut y).and_then(|()| y.to_vec()));
    let named = |t: &String| t.contains("work-item (0, 0) at") && t.contains("work-item (1, 2) at");
    assert!(text.as_ref().is_none_or(named), "{text:?}");

    let p = device.tensor(&[0_u32, 1, 2, 3, 4, 5, 1, 7])?;
    let mut y = device.tensor(&[0_u32; 8])?;
    let text =
        caught(scattered_by_groups(&p, &mut y).and_then(|()| y.to_vec()).map(|_: Vec<u32>| vec![]));
    let named = |t: &String| {
        t.contains("element 1 of `y`")
            && t.contains("work-item 1 of group 0")
            && t.contains("work-item 2 of group 1")
    };
    assert!(text.as_ref().is_none_or(named), "{text:?}");
    Ok(())
}
