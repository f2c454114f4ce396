//! Streams, events, hazards and completions: what two streams share is whole after every schedule,
//! and for each wait that is left out some schedule shows it.

use super::woven::{FAIL, Woven};
use super::{NEVER, explore};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Buffer, Device, Runtime, Stream, Wait};
use shuttle::future::block_on;
use shuttle::sync::Mutex;
use shuttle::thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const BYTES: usize = 2;

struct Bench {
    device: Device,
    streams: [Stream; 2],
    buffers: [Buffer; 2],
}

/// Two streams; the first buffer holds sevens, the second zeros; nothing is under way.
fn bench(omitted: Option<Wait>) -> Bench {
    let registry = Registry::builder().register(Woven::ENTRY).build().unwrap();
    let device = Runtime::new(registry).device("woven:0").unwrap();
    let streams = [(); 2].map(|()| device.new_stream("").unwrap());
    let buffers = [(); 2].map(|()| device.buffer(BYTES).unwrap());
    streams[0].fill(buffers[0].region(), 7).unwrap();
    streams[0].fill(buffers[1].region(), 0).unwrap();
    streams[0].synchronize(NEVER).unwrap();
    if let Some(wait) = omitted {
        // SAFETY: the memory is behind a lock, and work keeps it alive.
        unsafe { device.omit_wait(wait, true) };
    }
    Bench { device, streams, buffers }
}

/// The bytes of a buffer when all work submitted before is done.
fn bytes(stream: &Stream, buffer: &Buffer) -> Result<Vec<u8>> {
    let read = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&read);
    let sink = move |bytes: Result<&[u8]>| *slot.lock().unwrap() = Some(bytes.map(<[u8]>::to_vec));
    stream.read(buffer.region(), Box::new(sink))?;
    stream.synchronize(NEVER)?;
    let read = read.lock().unwrap().take();
    read.expect("the sink was called")
}

/// The byte that all bytes of a buffer are, among `allowed`.
fn whole(stream: &Stream, buffer: &Buffer, allowed: &[u8]) {
    let bytes = bytes(stream, buffer).unwrap();
    assert!(bytes == [bytes[0]; BYTES] && allowed.contains(&bytes[0]), "{bytes:?}");
}

fn a_copy_beside_writes(omitted: Option<Wait>) {
    let Bench { streams: [a, b], buffers: [x, y], device } = bench(omitted);
    let (writer, written) = (a.clone(), x.clone());
    let writes = thread::spawn(move || {
        [1, 2].iter().for_each(|byte| writer.fill(written.region(), *byte).unwrap());
    });
    b.copy(x.region(), y.region()).unwrap();
    writes.join().unwrap();
    whole(&b, &y, &[7, 1, 2]);
    whole(&a, &x, &[2]);
    drop(device);
}

fn two_writers(omitted: Option<Wait>) {
    let Bench { streams: [a, b], buffers: [x, y], device } = bench(omitted);
    let (writer, written) = (a.clone(), x.clone());
    let writes = thread::spawn(move || writer.fill(written.region(), 1).unwrap());
    b.fill(x.region(), 2).unwrap();
    writes.join().unwrap();
    b.copy(x.region(), y.region()).unwrap();
    b.synchronize(NEVER).unwrap();
    a.synchronize(NEVER).unwrap();
    whole(&b, &x, &[1, 2]);
    drop(device);
}

fn a_buffer_that_goes_away(omitted: Option<Wait>) {
    let Bench { streams: [a, _b], buffers: [x, _y], device } = bench(omitted);
    let other = device.clone();
    let allocates = thread::spawn(move || drop(other.buffer(BYTES).unwrap()));
    let short = device.buffer(BYTES).unwrap();
    a.fill(short.region(), 5).unwrap();
    a.copy(short.region(), x.region()).unwrap();
    drop(short);
    allocates.join().unwrap();
    whole(&a, &x, &[5]);
}

#[test]
fn what_streams_share_is_whole_after_every_schedule() {
    for case in [a_copy_beside_writes, two_writers, a_buffer_that_goes_away] {
        explore(move || case(None));
    }
}

#[test]
fn for_each_wait_of_the_device_some_schedule_needs_it() {
    let cases: [(Wait, fn(Option<Wait>)); 4] = [
        (Wait::ReadAfterWrite, a_copy_beside_writes),
        (Wait::WriteAfterRead, a_copy_beside_writes),
        (Wait::WriteAfterWrite, two_writers),
        (Wait::FreeAfterUse, a_buffer_that_goes_away),
    ];
    for (wait, case) in cases {
        let explored = catch_unwind(AssertUnwindSafe(|| explore(move || case(Some(wait)))));
        assert!(explored.is_err(), "no schedule needs {wait:?}");
    }
}

#[test]
fn a_completion_ends_for_every_waiter_also_when_the_stream_is_dropped() {
    explore(|| {
        let Bench { streams: [a, b], buffers: [x, _], device } = bench(None);
        a.fill(x.region(), 1).unwrap();
        let completion = a.record();
        let waits = completion.clone();
        let waits = thread::spawn(move || waits.wait(NEVER));
        let awaits = completion.clone();
        let awaits = thread::spawn(move || block_on(awaits));
        drop(a);
        waits.join().unwrap().unwrap();
        awaits.join().unwrap().unwrap();
        assert!(completion.is_done());
        whole(&b, &x, &[1]);
        drop(device);
    });
}

#[test]
fn a_failure_reaches_every_waiter_with_one_text() {
    explore(|| {
        let Bench { streams: [a, b], buffers: [x, y], device } = bench(None);
        let free = device.new_stream("").unwrap();
        let (failing, target) = (a.clone(), x.clone());
        let fails = thread::spawn(move || {
            failing.fill(target.region(), FAIL).unwrap();
            failing.synchronize(NEVER).unwrap_err()
        });
        let first = fails.join().unwrap();
        let waits = thread::spawn(move || a.record().wait(NEVER).unwrap_err());
        let text = |error: &Error| error.to_string();
        let copied = b.copy(x.region(), y.region()).and_then(|()| b.synchronize(NEVER));
        assert_eq!(text(&copied.unwrap_err()), text(&first));
        assert_eq!(text(&waits.join().unwrap()), text(&first));
        free.fill(y.region(), 3).and_then(|()| free.synchronize(NEVER)).unwrap_or_else(|error| {
            // The buffer's last write failed, so what is partly kept has failed too.
            assert_eq!(text(&error), text(&first));
        });
    });
}
