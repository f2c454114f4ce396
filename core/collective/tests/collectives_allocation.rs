//! A repeated call allocates nothing, whatever its size and operation.

use ringwood_base::{DType, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::{Invocation, Operation, ReduceOp};
use ringwood_transport::Buffers;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[path = "collectives/schedules.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod schedules;
#[path = "collectives/support.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod support;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, data: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(data, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocations of this thread in `calls` calls of all-reduce and all-gather of each size.
fn allocations(comm: &Communicator, calls: usize, data: &mut [Vec<f32>]) -> Result<u64> {
    let before = ALLOCATIONS.get();
    for _ in 0..calls {
        for data in &mut *data {
            for algorithm in ["ring", "doubling", "one_shot"] {
                comm.with(algorithm).all_reduce(data, ReduceOp::Mean)?;
            }
            comm.with("all_gather_ring").all_gather(data)?;
            let what = Invocation::new(Operation::Broadcast, DType::F32).root(1);
            let bytes = bytemuck::cast_slice_mut(data);
            comm.with("broadcast_flat").run(&what, Buffers::InPlace(bytes))?;
        }
    }
    Ok(ALLOCATIONS.get() - before)
}

#[test]
fn a_repeated_call_allocates_nothing() {
    let all = schedules::ALL.iter();
    let all = all.map(|c| (&*c.descriptor.name, c as &'static dyn ringwood_schedule::Collective));
    let group = support::group(2).registry(support::registry_with(all));
    let counts = group.spmd(|comm| {
        let mut data = [2, 512, 4_096, 200_000].map(|count| vec![1.0_f32; count]);
        let first = allocations(comm, 1, &mut data)?;
        assert!(first > 0, "the first calls prepare their plans");
        // An unoptimised merge of the largest takes its time.
        Ok(allocations(comm, 5, &mut data)? + allocations(comm, 50, &mut data[..3])?)
    });
    assert_eq!(counts.unwrap(), [0, 0]);
}
