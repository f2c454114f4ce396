//! Atomic operations whose results depend on the order of the work-items: what holds in every order.

use crate::devices::devices;
use ringwood::{Result, kernel};
use std::collections::BTreeSet;

/// Enough for several threads.
const N: usize = 60_000;

#[kernel(device = [cpu, opencl], nondeterministic)]
fn tickets(ticket: &mut [u32], next: &mut [u32]) {
    let own = atomic_add(&mut next[0], 1);
    ticket[gid(0)] = own;
}

/// Each work-item leaves its value, and takes what the one before it left.
#[kernel(device = [cpu, opencl], nondeterministic)]
fn relay(taken: &mut [u32], baton: &mut [u32]) {
    let old = atomic_exchange(&mut baton[0], gid(0) as u32 + 1);
    taken[gid(0)] = old;
}

#[kernel(device = [cpu, opencl], nondeterministic)]
fn claim(won: &mut [u32], owners: &mut [u32], places: usize) {
    let own = gid(0) as u32 + 1;
    let old = atomic_compare_exchange(&mut owners[gid(0) % places], 0, own);
    if old == 0 {
        won[gid(0)] = 1;
    }
}

#[kernel(device = [cpu, opencl], nondeterministic, domain = x.len())]
fn sum_by_remainder(x: &[f32], sums: &mut [f32], k: usize) {
    atomic_add(&mut sums[gid(0) % k], x[gid(0)]);
}

#[kernel(device = [cpu, opencl], nondeterministic, group = 64, groups = x.len().div_ceil(64))]
fn sum_of_groups(x: &[f32], sum: &mut [f32]) {
    let i = grp(0) * 64 + lid(0);
    let part = group_sum(if i < x.len() { x[i] } else { 0.0 });
    if lid(0) == 0 {
        atomic_add(&mut sum[0], part);
    }
}

#[kernel(device = [cpu, opencl], nondeterministic, group = 8, groups = y.len().div_ceil(8))]
fn seen_and_old(y: &mut [u32]) {
    shared!(own: [u32; 8]);
    own[lid(0)] = 5;
    let (seen, old) = (own[lid(0)], atomic_add(&mut own[lid(0)], 1));
    y[grp(0) * 8 + lid(0)] = seen * 100 + old * 10 + own[lid(0)];
}

/// Each work-item changes an element of its own, so the grid needs no domain.
#[kernel(device = [cpu, opencl])]
fn add_to_own(x: &[u32], y: &mut [u32]) {
    atomic_add(&mut y[gid(0)], x[gid(0)]);
}

#[test]
fn old_values_of_a_count_are_each_number_once() -> Result<()> {
    for device in devices() {
        let mut ticket = device.tensor(&vec![0_u32; N])?;
        let mut next = device.tensor(&[0_u32])?;
        tickets(&mut ticket, &mut next)?;
        let all: BTreeSet<_> = ticket.to_vec::<u32>()?.into_iter().collect();
        assert!(all.into_iter().eq(0..N as u32), "{}", device.name());
        assert_eq!(next.item::<u32>()?, N as u32);
    }
    Ok(())
}

#[test]
fn the_values_of_a_tuple_are_computed_in_order() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[0_u32; 16])?;
        seen_and_old(&mut y)?;
        assert_eq!(y.to_vec::<u32>()?, [556; 16], "{}", device.name());
    }
    Ok(())
}

#[test]
fn an_atomic_operation_on_an_element_of_its_own_needs_no_domain() -> Result<()> {
    for device in devices() {
        let mut y = device.tensor(&[1_u32, 2, 3])?;
        add_to_own(&device.tensor(&[10_u32, 20, 30])?, &mut y)?;
        assert_eq!(y.to_vec::<u32>()?, [11, 22, 33], "{}", device.name());
    }
    Ok(())
}

#[test]
fn an_exchanged_value_is_taken_once() -> Result<()> {
    for device in devices() {
        let mut taken = device.tensor(&vec![0_u32; N])?;
        let mut baton = device.tensor(&[0_u32])?;
        relay(&mut taken, &mut baton)?;
        let mut all: BTreeSet<_> = taken.to_vec::<u32>()?.into_iter().collect();
        assert!(all.insert(baton.item::<u32>()?), "the last one is still there");
        assert!(all.into_iter().eq(0..=N as u32), "{}", device.name());
    }
    Ok(())
}

#[test]
fn one_of_those_that_compare_and_exchange_wins() -> Result<()> {
    let places = 97;
    for device in devices() {
        let mut won = device.tensor(&vec![0_u32; N])?;
        let mut owners = device.tensor(&vec![0_u32; places])?;
        claim(&mut won, &mut owners, places)?;
        let (won, owners) = (won.to_vec::<u32>()?, owners.to_vec::<u32>()?);
        let winners: BTreeSet<_> = (0..N).filter(|i| won[*i] == 1).map(|i| i as u32 + 1).collect();
        assert_eq!(winners, owners.iter().copied().collect(), "{}", device.name());
        assert!(
            owners.iter().enumerate().all(|(place, own)| (*own as usize - 1) % places == place)
        );
    }
    Ok(())
}

#[test]
fn a_sum_of_floats_is_near_the_exact_one() -> Result<()> {
    let x: Vec<f32> = (0..N).map(|i| ((i * 7919) % 1000) as f32 / 7.0 - 40.0).collect();
    let near = |got: f32, all: &mut dyn Iterator<Item = f32>, what: &str| {
        let (sum, size) =
            all.fold((0.0, 0.0), |(sum, size), x| (sum + f64::from(x), size + f64::from(x.abs())));
        // Of every order: half a unit in the last place of the largest partial sum, for each addition.
        let bound = size * N as f64 * f64::from(f32::EPSILON) / 2.0;
        assert!((f64::from(got) - sum).abs() <= bound, "{what}: {got}, not {sum}");
    };
    for device in devices() {
        let k = 16;
        let given = device.tensor(&x)?;
        let mut sums = device.tensor(&vec![0.0_f32; k])?;
        sum_by_remainder(&given, &mut sums, k)?;
        for (r, got) in sums.to_vec::<f32>()?.into_iter().enumerate() {
            near(got, &mut x.iter().skip(r).step_by(k).copied(), device.name());
        }
        let mut sum = device.tensor(&[0.0_f32])?;
        sum_of_groups(&given, &mut sum)?;
        near(sum.item::<f32>()?, &mut x.iter().copied(), device.name());
    }
    Ok(())
}

#[test]
fn counts_in_floats_are_exact_in_every_order() -> Result<()> {
    for device in devices() {
        let ones = device.tensor(&vec![1.0_f32; N])?;
        let mut sums = device.tensor(&[0.0_f32; 3])?;
        sum_by_remainder(&ones, &mut sums, 3)?;
        assert_eq!(sums.to_vec::<f32>()?, [N as f32 / 3.0; 3], "{}", device.name());
    }
    Ok(())
}
