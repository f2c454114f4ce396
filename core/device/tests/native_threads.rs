//! Native code on several threads at once, each with its share of the groups, and loops that a pool shares:
//! what the thread sanitizer looks at.

#[path = "native_threads/pool.rs"]
mod pool;

use ringwood_base::Shape;
use ringwood_base::registry::Entry;
use ringwood_device::kernel;
use ringwood_device::kernel::{Fault, KernelDef, NativeArg, NativeLaunch, NativeSlice};
use std::ptr::NonNull;

#[kernel(device = cpu, group = 64, groups = y.len().div_ceil(64))]
fn reversed(x: &[i32], y: &mut [i32]) {
    shared!(tile: [i32; 64]);
    let l = lid(0);
    let i = grp(0) * 64 + l;
    tile[l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    let other = tile[63 - l];
    let sum = group_sum(other);
    barrier();
    if i < y.len() {
        y[i] = other + sum;
    }
}

#[kernel(device = cpu, group = 32, groups = x.len().div_ceil(32), requires(bins.len() == 16))]
fn histogram(x: &[i32], bins: &mut [u32]) {
    let i = grp(0) * 32 + lid(0);
    if i < x.len() {
        atomic_add(&mut bins[(x[i] as u32 % 16) as usize], 1);
    }
}

#[kernel(device = cpu, racy, domain = x.len())]
fn any_negative(x: &[i32], found: &mut [i32]) {
    if x[gid(0)] < 0 {
        found[0] = 1;
    }
}

#[kernel(device = cpu, group = 1024, groups = y.len().div_ceil(1024))]
fn large(y: &mut [i32]) {
    let mut own = [1; 600];
    let l = lid(0);
    for c in 0..600 {
        own[(c * 7 + l) % 600] += c as i32;
    }
    let most = group_max(own[l % 600]);
    let i = grp(0) * 1024 + l;
    if i < y.len() {
        y[i] = own[(l + 1) % 600] + most;
    }
}

/// A launch whose ranges run on several threads.
struct Shared<'a>(NativeLaunch<'a>);

// SAFETY: native code may run for disjoint ranges at the same time, and nothing else reaches the
// memory of the launch meanwhile.
unsafe impl Sync for Shared<'_> {}

fn slice<T>(data: &mut [T]) -> NativeArg<'_> {
    let bytes = size_of_val(data);
    // SAFETY: the memory is borrowed mutably for as long as the argument; its elements are those of
    // the parameter.
    NativeArg::Slice(unsafe { NativeSlice::new(NonNull::from(data).cast(), bytes, None) })
}

/// Runs a kernel on four threads.
fn run(entry: Entry, items: usize, args: &[NativeArg<'_>], in_bounds: bool) {
    let KernelDef { instances, .. } = entry.declared().unwrap();
    let native = instances[0].native.expect("native code");
    let fault = Fault::default();
    let mut launch = NativeLaunch::new(Shape::vector(items), args, &fault);
    if in_bounds {
        // SAFETY: the kernels of this file compare every index with the length, or take it from the
        // domain, which is that length; those of the arrays are below 64 and 16.
        launch = unsafe { launch.assume_in_bounds() };
    }
    let shared = Shared(launch);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (shared, range) = (&shared, items * thread / 4..items * (thread + 1) / 4);
            scope.spawn(move || {
                let Shared(launch) = shared;
                // SAFETY: the arguments are those that the kernel declares.
                unsafe { native.run(launch, range).expect("the launch") };
            });
        }
    });
    assert_eq!(fault.get(), None);
}

fn numbers(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| i * 7919 % 1001 - 3).collect()
}

#[test]
fn groups_with_barriers_run_on_several_threads() {
    let mut x = numbers(1000);
    let at = |i: usize| x.get(i).copied().unwrap_or(0);
    let expected: Vec<i32> = (0..1000)
        .map(|i| {
            let tile = i / 64 * 64;
            at(tile + 63 - i % 64) + (tile..tile + 64).map(at).sum::<i32>()
        })
        .collect();
    for in_bounds in [false, true] {
        let mut y = vec![0; 1000];
        let args = [slice(&mut x), slice(&mut y)];
        run(reversed::ENTRY, 16, &args, in_bounds);
        assert_eq!(y, expected);
    }
}

#[test]
fn atomic_operations_of_several_threads_are_all_counted() {
    let mut x = numbers(4000);
    let mut expected = vec![0; 16];
    x.iter().for_each(|v| expected[(*v as u32 % 16) as usize] += 1);
    for in_bounds in [false, true] {
        let mut bins = vec![0_u32; 16];
        let args = [slice(&mut x), slice(&mut bins)];
        run(histogram::ENTRY, 125, &args, in_bounds);
        assert_eq!(bins, expected);
    }
}

#[test]
fn stores_of_several_threads_to_one_element_are_no_data_race() {
    let mut x = numbers(4000);
    for in_bounds in [false, true] {
        let mut found = vec![0; 1];
        let args = [slice(&mut x), slice(&mut found)];
        run(any_negative::ENTRY, 4000, &args, in_bounds);
        assert_eq!(found, [1]);
    }
}

/// The arrays of all lanes take 2.4 MB, more than the stack of a thread.
#[test]
fn arrays_of_many_lanes_do_not_overflow_the_stack() {
    let mut y = vec![0; 1500];
    run(large::ENTRY, 2, &[slice(&mut y)], false);
    // Every element of an array is 1 and one of the numbers below 600; 7 and 600 share no factor.
    let own = |l: usize, at: usize| {
        (0..600).find(|c| (c * 7 + l) % 600 == at).map_or(1, |c| 1 + c as i32)
    };
    let most = (0..1024).map(|l| own(l, l % 600)).max().unwrap_or(0);
    for (i, value) in y.iter().enumerate() {
        let l = i % 1024;
        assert_eq!(*value, own(l, (l + 1) % 600) + most, "element {i}");
    }
}
