//! A repeated collective call allocates nothing, with the standard algorithms and merge kernels.

use ringwood::collective::ReduceOp::{Max, Mean, Sum};
use ringwood::collective::spmd;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every method hands its arguments to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_repeated_call_allocates_nothing() {
    let allocations = spmd(2, |comm| {
        let (mut data, mut short, mut whole) = (vec![1.0_f32; 5000], [1.0_f64; 3], [7_i32; 300]);
        let mut calls = || {
            comm.with("ring").all_reduce(&mut data, Sum)?;
            comm.all_reduce(&mut data, Mean)?;
            comm.all_reduce(&mut short, Mean)?;
            comm.all_reduce(&mut whole, Max)
        };
        calls()?;
        let before = ALLOCATIONS.get();
        for _ in 0..100 {
            calls()?;
        }
        Ok(ALLOCATIONS.get() - before)
    });
    assert_eq!(allocations.unwrap(), [0, 0]);
}
