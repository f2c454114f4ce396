//! Memory: limits, accounts, identities, re-use.

use crate::kernels::ADD;
use crate::routines::{X, Y, Z, at, holding, program, root, run, sum};
use crate::toy::{Gate, LARGEST, LAST, NEEDING, ON_FREE, PREPARING};
use crate::{LIMIT, bytes, device, fails, held, shape};
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::device::{Device, Role, Stream, Tensor};
use ringwood_device::kernel::{Kernel, KernelSpec};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

fn vector(device: &Device, n: usize) -> Result<Tensor> {
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
    device.set_memory_limit(Some(0));
    vector(&device, 0).unwrap();
    device.set_memory_limit(Some(100));
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
        std::thread::sleep(Duration::from_millis(20));
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
fn nodes_of_a_link_may_be_more_than_the_largest_memory_of_the_device() {
    let device = device("toy:0");
    LARGEST.set(16);
    let working = program("working", &[X, Y, Z].map(|id| (id, Role::Working)));
    let working = device.compile(working.launch("add", [X, Y, Z])).unwrap();
    let routine = root(&device).link(&working).unwrap();
    run(&routine);
    assert_eq!(at(routine.context(), Z), [0.0; 4]);
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
    wait_for_memory_in_use(&device, 0);
}

fn wait_for_memory_in_use(device: &Device, bytes: usize) {
    let deadline = Instant::now() + LIMIT;
    while device.memory_in_use() != bytes {
        assert!(Instant::now() < deadline, "{} bytes are in use", device.memory_in_use());
        std::thread::yield_now();
    }
}

#[test]
fn memory_of_a_failed_stream_is_in_use_until_the_device_is_done_with_it() {
    let device = device("toy:0");
    let (slow, gate) = held(&device);
    let x = device.buffer(64).unwrap();
    slow.fill(x.region(), LAST).unwrap();
    fails(slow.fill(x.region(), 1), "that was the last");
    drop(x);
    assert_eq!((device.memory_in_use(), device.report().memory.waiting), (64, 1));
    gate.open();
    wait_for_memory_in_use(&device, 0);
}

#[test]
fn memory_that_a_lost_device_may_use_is_never_given_back_and_holds_up_nothing_else() {
    let device = device("toy:0");
    let [(first, gate), (second, other_gate)] = [held(&device), held(&device)];
    let (x, y) = (device.buffer(64).unwrap(), device.buffer(100).unwrap());
    second.fill(y.region(), 1).unwrap();
    first.fill(x.region(), 1).unwrap();
    fails(device.new_stream("last"), "vanished");
    fails(first.fill(x.region(), 1), "vanished");
    drop((x, y));
    assert_eq!(device.memory_in_use(), 164);
    gate.open();
    other_gate.open();
    wait_for_memory_in_use(&device, 64);
    // Nobody waits for what nobody knows.
    let start = Instant::now();
    fails(first.synchronize(LIMIT), "vanished");
    assert!(first.record().is_done() && !first.is_idle() && start.elapsed() < LIMIT);
}

#[test]
fn memory_that_another_thread_is_giving_back_is_waited_for() {
    let device = device("toy:0");
    device.set_memory_cache(0);
    device.set_memory_limit(Some(100));
    let [a, b] = [40, 60].map(|bytes| device.buffer(bytes).unwrap());
    let (slow, gate) = held(&device);
    slow.fill(a.region(), 0).unwrap();
    slow.fill(b.region(), 0).unwrap();
    drop((a, b));
    let end = slow.record();
    gate.open();
    end.wait(LIMIT).unwrap();
    let (freeing, begun) = mpsc::channel();
    let other = device.clone();
    let drains = std::thread::spawn(move || {
        ON_FREE.set(Some(Box::new(move || {
            let _ = freeing.send(());
            std::thread::sleep(Duration::from_millis(100));
        })));
        other.memory_in_use()
    });
    begun.recv_timeout(LIMIT).unwrap();
    device.buffer(100).unwrap();
    drains.join().unwrap();
}

#[test]
fn freed_memory_serves_the_next_buffer_of_about_its_size() {
    let device = device("toy:0");
    let first = device.buffer(800).unwrap();
    let id = first.id();
    drop(first);
    let report = device.report().memory;
    assert_eq!((report.in_use, report.cached, report.reused), (0, 800, 0));
    drop(device.buffer(801).unwrap());
    drop(device.buffer(711).unwrap());
    assert_eq!(device.report().memory.reused, 0, "one is too large, the other much too small");
    let again = device.buffer(712).unwrap();
    assert_ne!(again.id(), id, "identities do not depend on what is kept");
    assert_eq!((again.bytes(), device.memory_in_use()), (712, 800), "all of the piece is in use");
    let report = device.report().memory;
    assert_eq!((report.reused, report.allocations, report.peak), (1, 4, 801));
    drop(again);
    let zeros = device.zeros(shape(&[800]), DType::U8).unwrap();
    assert_eq!(device.report().memory.reused, 2);
    assert_eq!(zeros.to_bytes().unwrap(), [0; 800]);
}

#[test]
fn kept_memory_is_given_back_before_an_allocation_fails() {
    let device = device("toy:0");
    device.set_memory_limit(Some(1000));
    drop(device.buffer(600).unwrap());
    let _more = device.buffer(500).unwrap();
    let report = device.report().memory;
    assert_eq!((report.in_use, report.cached), (500, 0), "both do not fit into the limit");
    drop(device.buffer(400).unwrap());
    assert_eq!(device.report().memory.cached, 400);
    device.set_memory_limit(Some(600));
    assert_eq!(device.report().memory.cached, 0, "what is in use leaves no room for it");
    let error = fails(device.buffer(101), "cannot allocate 101 bytes on toy:0: 500 bytes of its");
    assert_eq!((error.get("limit"), error.get("in use")), (Some("600"), Some("500")));
}

#[test]
fn a_backend_that_is_out_of_memory_gets_back_what_is_kept_and_what_waits() {
    let device = device("toy:0");
    // The toy has 4 KiB less than it says.
    let room = (1 << 20) - (4 << 10);
    drop(device.buffer(room / 2 + 64).unwrap());
    let half = device.buffer(room / 2).unwrap();
    let (slow, gate) = held(&device);
    slow.fill(half.region(), 0).unwrap();
    drop(half);
    assert_eq!(device.report().memory.waiting, 1);
    let opener = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        gate.open();
    });
    let all = device.buffer(room).unwrap();
    opener.join().unwrap();
    let error = fails(device.buffer(64), "toy: out of memory");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    let facts = ["device", "asked", "in use", "limit"].map(|key| error.get(key));
    let in_use = room.to_string();
    assert_eq!(facts, [Some("toy:0"), Some("64"), Some(in_use.as_str()), Some("1048576")]);
    drop(all);
    slow.synchronize(LIMIT).unwrap();
}

#[test]
fn a_device_may_keep_less_or_nothing() {
    let device = device("toy:0");
    let many: Vec<_> = [100, 200, 300].map(|n| device.buffer(n).unwrap()).into();
    device.set_memory_cache(350);
    drop(many);
    assert_eq!(device.report().memory.cached, 300, "100 and 200, then 300 had no room");
    device.set_memory_cache(0);
    drop(device.buffer(100).unwrap());
    let report = device.report().memory;
    assert_eq!((report.cached, report.cache_limit, report.in_use), (0, 0, 0));
}

/// What a call needs beside buffers, for a while: most of the memory of a toy.
const NEEDED: usize = (1 << 20) - 8192;

fn needing<R>(call: impl FnOnce() -> R) -> R {
    NEEDING.set(NEEDED);
    let given = call();
    NEEDING.set(0);
    given
}

/// Leaves that much memory waiting for its last use, which the gate keeps.
fn leave_waiting(device: &Device) -> (Stream, Gate) {
    let memory = vector(device, NEEDED).unwrap();
    let (slow, gate) = held(device);
    slow.fill(memory.region(), 0).unwrap();
    (slow, gate)
}

/// A kernel that was not compiled before.
fn fresh() -> Kernel {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("fresh_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    Kernel::from(&KernelSpec { name: &name, ..ADD.spec(&ADD.instances[0]) })
}

#[test]
fn what_is_made_beside_buffers_gets_memory_that_is_kept_or_waits() {
    PREPARING.set(true);
    let device = device("toy:0");
    PREPARING.set(false);
    let context = holding(&device, 1.0).with(Y, &device.tensor(&[2.0_f32; 4]).unwrap()).unwrap();
    let program = device.compile(sum()).unwrap();
    let calls: [(&str, &dyn Fn() -> Result<()>); 3] = [
        ("open", &|| device.new_stream("free").map(drop)),
        ("compile", &|| device.code(&fresh()).map(drop)),
        ("prepare", &|| context.link(&program).map(|routine| run(&routine))),
    ];
    for (what, call) in calls {
        drop(vector(&device, NEEDED).unwrap());
        needing(call).expect(what);
        let (slow, gate) = leave_waiting(&device);
        let opener = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            gate.open();
        });
        needing(call).expect(what);
        opener.join().unwrap();
        slow.synchronize(LIMIT).unwrap();
        let _used = vector(&device, 8192).unwrap();
        assert_eq!(needing(call).unwrap_err().kind(), ErrorKind::OutOfMemory, "{what}");
    }
}

#[test]
fn who_waits_for_memory_keeps_nobody_from_kernels_and_streams() {
    let opens: fn(&Device) -> Result<()> = |device| device.stream().map(drop);
    let compiles: fn(&Device) -> Result<()> = |device| device.code(&fresh()).map(drop);
    for call in [opens, compiles] {
        let device = device("toy:0");
        let (slow, gate) = leave_waiting(&device);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| needing(|| call(&device)));
            let start = Instant::now();
            while device.report().memory.waiting > 0 {
                assert!(start.elapsed() < LIMIT, "nobody waits for it");
                std::thread::yield_now();
            }
            opens(&device).unwrap();
            compiles(&device).unwrap();
            assert!(!waiting.is_finished() && !slow.is_idle(), "the gate is still closed");
            gate.open();
            waiting.join().unwrap().unwrap();
        });
    }
}

#[test]
fn a_probe_gets_memory_that_is_kept_and_says_that_there_is_none() {
    let device = device("toy:1");
    let used = vector(&device, NEEDED).unwrap();
    let error = needing(|| device.strictness()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{error}");
    drop(used);
    needing(|| device.strictness()).unwrap();
}
