//! Races of shared arrays, which only a run shows.

use ringwood::kernel::{Operand, check_races};
use ringwood::{DType, ErrorKind, Result, Shape, kernel};

#[kernel(device = cpu, group = 64, groups = x.len() / 64)]
fn turned_round(x: &[f32], y: &mut [f32]) {
    shared!(t: [f32; 64]);
    let i = lid(0);
    t[i] = x[grp(0) * 64 + i];
    barrier();
    y[grp(0) * 64 + i] = t[63 - i];
}

#[kernel(device = cpu, group = 64, groups = x.len() / 64)]
fn turned_too_early(x: &[f32], y: &mut [f32]) {
    shared!(t: [f32; 64]);
    let i = lid(0);
    t[i] = x[grp(0) * 64 + i];
    y[grp(0) * 64 + i] = t[63 - i];
}

#[kernel(device = cpu, group = 64, groups = x.len() / 64)]
fn half_written(x: &[f32], y: &mut [f32]) {
    shared!(t: [f32; 64]);
    if lid(0) < 32 {
        t[lid(0)] = x[grp(0)];
    }
    barrier();
    y[grp(0) * 64 + lid(0)] = t[lid(0)];
}

#[kernel(map, device = cpu)]
fn halved_alone(x: f32) -> f32 {
    x * 0.5
}

fn given(elements: usize) -> [Operand; 2] {
    let shape = Shape::vector(elements);
    [false, true].map(|mutable| Operand::Tensor { dtype: DType::F32, shape, mutable })
}

#[test]
fn a_missing_barrier_is_found_with_the_places_of_both_accesses() -> Result<()> {
    assert_eq!(check_races(&turned_round::ENTRY, &given(128))?, 128);
    let error = check_races(&turned_too_early::ENTRY, &given(128)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotVerified);
    let text = error.to_string();
    for part in
        ["a race in `turned_too_early`", "of `t`", "races.rs:19:5", "races.rs:20:26", "barrier();"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = check_races(&half_written::ENTRY, &given(64)).unwrap_err().to_string();
    assert!(text.contains("nobody has written") && text.contains("races.rs:30:31"), "{text}");
    Ok(())
}

#[test]
fn what_cannot_be_checked_says_why() {
    let refused = |entry, args: &[Operand]| check_races(&entry, args).unwrap_err();
    assert_eq!(refused(halved_alone::ENTRY, &given(64)).kind(), ErrorKind::Unsupported);
    assert_eq!(refused(turned_round::ENTRY, &given(64)[..1]).kind(), ErrorKind::DType);
    let [x, y] = given(64);
    let text = refused(turned_round::ENTRY, &[y, x]).to_string();
    assert!(text.contains("argument 0 of `turned_round` is not what it takes there"), "{text}");
}

#[kernel(device = cpu, unique, domain = x.len())]
fn moved_along(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[i];
    y[i + 1] = x[i];
}

#[test]
fn a_race_of_a_grid_names_its_work_items() {
    let tensor = |elements, mutable| Operand::Tensor {
        dtype: DType::F32,
        shape: Shape::vector(elements),
        mutable,
    };
    let args = [tensor(8, false), tensor(9, true)];
    let text = check_races(&moved_along::ENTRY, &args).unwrap_err().to_string();
    assert!(text.contains("work-item 0 ") && text.contains("give each work-item"), "{text}");
    assert!(!text.contains("group"), "{text}");
}
