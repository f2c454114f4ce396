//! Memory: limits, accounts, identities, re-use.

use crate::{LIMIT, bytes, device, fails, held, shape};
use ringwood_core::device::Device;
use ringwood_core::{DType, ErrorKind};

fn vector(device: &Device, n: usize) -> ringwood_core::Result<ringwood_core::device::Tensor> {
    device.empty(shape(&[n]), DType::U8)
}

#[test]
fn memory_in_use_goes_up_and_down() {
    let device = device("toy:0");
    assert_eq!((device.memory_in_use(), device.memory_limit()), (0, Some(1 << 20)));
    let (a, b) = (vector(&device, 100).unwrap(), vector(&device, 28).unwrap());
    assert_eq!(device.memory_in_use(), 128);
    let alias = a.clone();
    drop((a, b));
    assert_eq!(device.memory_in_use(), 100, "a clone keeps the memory");
    drop(alias);
    assert_eq!(device.memory_in_use(), 0);
}

#[test]
fn an_allocation_beyond_the_limit_names_what_was_asked_and_what_is_in_use() {
    let device = device("toy:0");
    device.set_memory_limit(Some(100));
    let kept = vector(&device, 60).unwrap();
    let error = fails(vector(&device, 41), "cannot allocate 41 bytes on toy:0");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!((error.get("asked"), error.get("limit")), (Some("41"), Some("100")));
    assert_eq!(error.get("in use"), Some("60"));
    assert_eq!(device.memory_in_use(), 60, "a refused allocation counts nothing");
    let full = vector(&device, 40).unwrap();
    vector(&device, 0).unwrap();
    fails(vector(&device, 1), "cannot allocate 1 bytes");
    drop((kept, full));
    vector(&device, 100).unwrap();
    device.set_memory_limit(None);
    vector(&device, 200).unwrap();
}

#[test]
fn an_allocation_waits_for_memory_whose_last_use_is_under_way() {
    let device = device("toy:0");
    device.set_memory_limit(Some(100));
    let x = vector(&device, 16).unwrap();
    let large = vector(&device, 80).unwrap();
    let (slow, gate) = held(&device);
    slow.write(bytes(1.0), x.region()).unwrap();
    slow.fill(large.region(), 0).unwrap();
    drop(large);
    let opener = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        gate.open();
    });
    vector(&device, 80).unwrap();
    opener.join().unwrap();
    slow.synchronize(LIMIT).unwrap();
}

#[test]
fn an_old_buffer_is_used_again_if_it_is_large_enough_and_nobody_else_holds_it() {
    let device = device("toy:0");
    let old = device.buffer(64).unwrap();
    let id = old.id();
    let old = device.buffer_from(old, 16).unwrap();
    assert_eq!((old.id(), old.bytes()), (id, 64));
    let held = old.clone();
    let fresh = device.buffer_from(old, 16).unwrap();
    assert_ne!(fresh.id(), id);
    let grown = device.buffer_from(held, 65).unwrap();
    assert_ne!(grown.id(), id);
    assert_eq!(device.memory_in_use(), 16 + 65, "what is replaced is freed");
}

#[test]
fn two_run_times_that_do_the_same_give_the_same_identities() {
    let ids = || {
        let device = device("toy:0");
        let tensors: Vec<_> = (1..4).map(|n| vector(&device, n).unwrap()).collect();
        tensors.iter().map(|t| t.buffer().id()).collect::<Vec<_>>()
    };
    assert_eq!(ids(), ids());
    assert_eq!(ids()[2].to_string(), "pool 2 + 0");
}

#[test]
fn many_streams_and_buffers_leave_nothing_behind() {
    let device = device("toy:0");
    for _ in 0..300 {
        let stream = device.new_stream("").unwrap();
        let x = vector(&device, 16).unwrap();
        stream.write(bytes(1.0), x.region()).unwrap();
    }
    device.synchronize(LIMIT).unwrap();
    let deadline = std::time::Instant::now() + LIMIT;
    while device.memory_in_use() > 0 {
        assert!(std::time::Instant::now() < deadline, "memory is not given back");
        std::thread::yield_now();
    }
}
