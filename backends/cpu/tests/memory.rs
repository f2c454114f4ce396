//! Memory that waits for its last use: how much of it there may be, and who waits for it.

use ringwood_backend_cpu::Cpu;
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_device::backend::{Region, Registered};
use ringwood_device::device::{Buffer, Device, Runtime, Stream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(20);
/// Of which only the first bytes are used, so that the others are never resident.
const PIECE: usize = 16 << 20;
/// What may wait before an allocation waits.
const MOST: usize = 256 << 20;

fn device() -> Device {
    let registry = Registry::builder().register(Cpu::ENTRY).build().unwrap();
    Runtime::new(registry).device("cpu:0").unwrap()
}

fn first(memory: &Buffer) -> Region<'_, Buffer> {
    Region { memory, offset: 0, bytes: 1 }
}

/// Holds the stream until the sender is dropped, then calls `then`.
fn hold(
    stream: &Stream,
    memory: &Buffer,
    then: impl FnOnce() + Send + 'static,
) -> mpsc::Sender<()> {
    let (open, opened) = mpsc::channel();
    let sink = move |_: Result<&[u8]>| {
        let _ = opened.recv_timeout(BOUND);
        then();
    };
    stream.read(first(memory), Box::new(sink)).unwrap();
    open
}

/// Leaves more memory waiting for its last use on `stream` than may.
fn leave_waiting(device: &Device, stream: &Stream) {
    let pieces: Vec<_> = (0..=MOST / PIECE).map(|_| device.buffer(PIECE).unwrap()).collect();
    pieces.iter().try_for_each(|piece| stream.fill(first(piece), 1)).unwrap();
}

#[test]
fn the_host_runs_ahead_by_a_bounded_amount_of_memory() {
    for kind in ["threaded", "chaos:1"] {
        let device = device();
        let stream = device.new_stream(kind).unwrap();
        let (send, seen) = mpsc::channel();
        for i in 0..100 {
            let (piece, send) = (device.buffer(PIECE).unwrap(), send.clone());
            stream.fill(first(&piece), i).unwrap();
            let sink = move |byte: Result<&[u8]>| {
                std::thread::sleep(Duration::from_millis(1));
                send.send(byte.unwrap()[0]).unwrap();
            };
            stream.read(first(&piece), Box::new(sink)).unwrap();
        }
        drop(send);
        assert!(seen.iter().eq(0..100), "{kind}");
        let memory = device.report().memory;
        assert!(memory.peak <= MOST + PIECE, "{kind}: {memory}");
    }
}

#[test]
fn work_of_a_stream_waits_for_no_memory_that_waits_for_it() {
    let device = device();
    let [held, behind] = [(); 2].map(|()| device.new_stream("threaded").unwrap());
    let memory = device.buffer(1).unwrap();
    let (send, allocated) = mpsc::channel();
    let other = device.clone();
    let open = hold(&held, &memory, move || drop(send.send(other.buffer(PIECE))));
    behind.fill(first(&memory), 1).unwrap();
    leave_waiting(&device, &behind);
    drop(open);
    allocated.recv_timeout(BOUND).expect("it waits for nothing").unwrap();
}

#[test]
fn work_in_the_call_that_submits_it_waits_for_no_memory() {
    let device = device();
    let memory = [(); 2].map(|()| device.buffer(1).unwrap());
    let [held, sync] = ["threaded", "sync"].map(|kind| device.new_stream(kind).unwrap());
    let open = hold(&held, &memory[0], || ());
    leave_waiting(&device, &held);
    let (send, allocated) = mpsc::channel();
    let other = device.clone();
    let sink = move |_: Result<&[u8]>| drop(send.send(other.buffer(PIECE)));
    sync.read(first(&memory[1]), Box::new(sink)).unwrap();
    allocated.recv_timeout(BOUND).expect("a sink is called").unwrap();
    assert!(!held.is_idle(), "the gate is still closed");
    drop(open);
}

#[test]
fn a_failure_is_told_though_an_allocation_waited_for_the_work_that_failed() {
    let device = device();
    let stream = device.stream().unwrap();
    let piece = device.buffer(PIECE).unwrap();
    let open = hold(&stream, &piece, || panic!("boom"));
    stream.fill(first(&piece), 1).unwrap();
    drop(piece);
    device.set_memory_limit(Some(PIECE));
    let opener = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        drop(open);
    });
    device.buffer(PIECE).unwrap();
    opener.join().unwrap();
    let error = device.synchronize(BOUND).unwrap_err();
    assert!(error.message().contains("boom"), "{error}");
}

#[test]
fn an_allocation_waits_for_no_piece_that_is_not_over_where_others_are() {
    let device = device();
    let [held, other] = [(); 2].map(|()| device.new_stream("threaded").unwrap());
    let [memory, gate] = [(); 2].map(|()| device.buffer(1).unwrap());
    let open = hold(&held, &memory, || ());
    let oldest = device.buffer(1).unwrap();
    held.fill(first(&oldest), 1).unwrap();
    drop(oldest);
    let shut = hold(&other, &gate, || ());
    leave_waiting(&device, &other);
    drop(shut);
    other.synchronize(BOUND).unwrap();
    assert!(device.report().memory.waiting > MOST / PIECE, "the oldest is in front of them");
    let start = Instant::now();
    device.buffer(1).unwrap();
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(!held.is_idle(), "the gate is still closed");
    drop(open);
}
