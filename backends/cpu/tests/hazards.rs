//! Random programs on chaos streams equal their submission order, and each kind of wait is needed
//! for that.

use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, PATIENCE, Runtime, Tensor, Wait};
use std::sync::{Arc, mpsc};
use std::time::Duration;

const LEN: usize = 512;

/// xorshift64 (Marsaglia, 2003).
fn random(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize % n
}

/// Runs the program of `seed`: writes and copies of four tensors on three streams. Returns what
/// the tensors hold and what they would hold if the program ran in order.
fn run(seed: u64, omit: Option<Wait>) -> Result<(Vec<u8>, Vec<u8>)> {
    let runtime = Runtime::new(Registry::builder().register(Cpu::ENTRY).build()?);
    let device = runtime.device("cpu:0")?;
    if let Some(wait) = omit {
        // SAFETY: accesses to memory of the CPU hold its locks, and keep it alive.
        unsafe { device.omit_wait(wait, true) };
    }
    let stream = |_| device.new_stream(&format!("chaos:{seed}"));
    let streams = (0..3).map(stream).collect::<Result<Vec<_>>>()?;
    let tensor = |_: usize| device.zeros(Shape::vector(LEN), DType::U8);
    let tensors = (0..4).map(tensor).collect::<Result<Vec<Tensor>>>()?;
    device.synchronize(PATIENCE)?;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut model = vec![0; 4];
    for step in 1..40_u8 {
        let stream = &streams[random(&mut state, 3)];
        let (a, b) = (random(&mut state, 4), random(&mut state, 4));
        if a == b {
            stream.write(Arc::from([step; LEN]), tensors[a].region())?;
            model[a] = step;
        } else {
            stream.copy(tensors[a].region(), tensors[b].region())?;
            model[b] = model[a];
        }
    }
    streams.iter().try_for_each(|stream| stream.synchronize(PATIENCE))?;
    let last = |tensor: &Tensor| Ok(tensor.to_vec::<u8>()?[LEN - 1]);
    Ok((tensors.iter().map(last).collect::<Result<_>>()?, model))
}

#[test]
fn random_programs_on_chaos_streams_equal_their_submission_order() {
    for seed in 0..100 {
        let (got, model) = run(seed, None).unwrap();
        assert_eq!(got, model, "seed {seed}");
    }
}

/// Without the wait some program goes wrong: its result differs, or two commands meet in one
/// memory, which the backend reports.
fn is_needed(wait: Wait) {
    let goes_wrong = |seed| match run(seed, Some(wait)) {
        Ok((got, model)) => got != model,
        Err(_) => true,
    };
    assert!((0..100).any(goes_wrong), "no program needs {wait:?}");
}

#[test]
fn programs_go_wrong_when_reads_do_not_wait_for_writes() {
    is_needed(Wait::ReadAfterWrite);
}

#[test]
fn programs_go_wrong_when_writes_do_not_wait_for_reads() {
    is_needed(Wait::WriteAfterRead);
}

#[test]
fn programs_go_wrong_when_writes_do_not_wait_for_writes() {
    is_needed(Wait::WriteAfterWrite);
}

#[test]
fn a_device_orders_the_work_of_threads_with_streams_of_their_own() {
    let device = Device::named("cpu:0").unwrap();
    let tensor = device.zeros(Shape::vector(LEN), DType::U8).unwrap();
    std::thread::scope(|threads| {
        for byte in 1..5_u8 {
            let (device, tensor) = (&device, &tensor);
            threads.spawn(move || {
                let stream = device.new_stream(&format!("chaos:{byte}")).unwrap();
                for _ in 0..50 {
                    stream.fill(tensor.region(), byte).unwrap();
                }
            });
        }
    });
    let bytes = tensor.to_vec::<u8>().unwrap();
    assert!(bytes.iter().all(|b| *b == bytes[0]) && bytes[0] > 0, "{bytes:?}");
}

#[test]
fn a_sink_that_uses_tensors_in_the_middle_of_a_submission_is_an_error() {
    let device = Device::named("cpu:0").unwrap();
    let tensor = device.tensor(&[1_u8, 2, 3]).unwrap();
    let stream = device.new_stream("sync").unwrap();
    let (send, receive) = mpsc::channel();
    let inner = tensor.clone();
    let sink = move |_: Result<&[u8]>| send.send(inner.to_vec::<u8>()).unwrap();
    stream.read(tensor.region(), Box::new(sink)).unwrap();
    let error = receive.recv().unwrap().unwrap_err();
    assert!(error.message().contains("while work was being submitted"), "{error}");
    assert_eq!(tensor.to_vec::<u8>().unwrap(), [1, 2, 3]);
}

#[test]
fn a_sink_that_waits_for_the_stream_that_runs_it_is_told_so_at_once() {
    for kind in ["threaded", "chaos:1"] {
        let device = Device::named("cpu:0").unwrap();
        let (x, other) = (device.tensor(&[1_u8, 2]).unwrap(), device.tensor(&[3_u8]).unwrap());
        let stream = device.new_stream(kind).unwrap();
        let (send, receive) = mpsc::channel();
        let inner = stream.clone();
        let sink = Box::new(move |_: Result<&[u8]>| {
            let _ = send.send((inner.record().wait(PATIENCE), other.to_vec::<u8>()));
        });
        stream.read(x.region(), sink).unwrap();
        let (waited, read) = receive.recv_timeout(Duration::from_secs(20)).expect("no hang");
        let error = waited.unwrap_err().to_string();
        assert!(error.contains("waits for the stream that runs it (stream: "), "{kind}: {error}");
        assert_eq!(read.unwrap(), [3], "{kind}");
        stream.record().wait(PATIENCE).unwrap();
    }
}

#[test]
fn streams_that_waited_for_each_other_fail_with_one_cause() {
    // A run time of its own: streams of other tests fail on purpose.
    let runtime = Runtime::new(Registry::builder().register(Cpu::ENTRY).build().unwrap());
    let device = runtime.device("cpu:0").unwrap();
    let tensor = || device.zeros(Shape::vector(LEN), DType::U8).unwrap();
    let (x, y, z) = (tensor(), tensor(), tensor());
    device.synchronize(PATIENCE).unwrap();
    let (first, second) =
        (device.new_stream("threaded").unwrap(), device.new_stream("threaded").unwrap());
    let (go, wait) = mpsc::channel();
    let breaks = move |_: Result<&[u8]>| {
        wait.recv().unwrap();
        panic!("boom")
    };
    first.read(z.region(), Box::new(breaks)).unwrap();
    first.fill(x.region(), 1).unwrap();
    second.copy(x.region(), y.region()).unwrap();
    first.copy(y.region(), z.region()).unwrap();
    let (send, receive) = mpsc::channel();
    second.read(y.region(), Box::new(move |read| send.send(read.is_err()).unwrap())).unwrap();
    go.send(()).unwrap();
    assert!(receive.recv_timeout(PATIENCE).unwrap(), "a result that failed was read");
    for stream in [first, second] {
        let error = stream.synchronize(PATIENCE).unwrap_err();
        assert!(error.message().contains("boom"), "{error}");
    }
}

#[test]
fn a_sink_that_writes_the_tensor_which_it_reads_is_refused_in_the_call_that_runs_it() {
    for kind in ["sync", "threaded"] {
        let runtime = Runtime::new(Registry::builder().register(Cpu::ENTRY).build().unwrap());
        let device = runtime.device("cpu:0").unwrap();
        let x = device.tensor(&[1_u8; 4]).unwrap();
        let stream = device.new_stream(kind).unwrap();
        let (send, receive) = mpsc::channel();
        let mut same = x.clone();
        let sink = Box::new(move |_: Result<&[u8]>| {
            let buffer = same.buffer();
            let looked = (buffer.is_idle(), buffer.failure().is_none(), buffer.donated_to());
            let _ = send.send((looked, buffer.part(0..1).is_ok(), same.write(&[2_u8; 4])));
        });
        // On a thread of its own: what waits for itself ends no test.
        let read = stream.clone();
        let region = x.clone();
        std::thread::spawn(move || read.read(region.region(), sink));
        let (looked, part, written) =
            receive.recv_timeout(Duration::from_secs(20)).expect("it does not wait");
        assert_eq!((looked, part), ((false, true, None), true), "{kind}");
        if kind == "sync" {
            let error = written.unwrap_err();
            assert!(error.to_string().contains("while work was being submitted"), "{error}");
            assert_eq!(x.to_vec::<u8>().unwrap(), [1; 4]);
        } else {
            written.unwrap();
            assert_eq!(x.to_vec::<u8>().unwrap(), [2; 4]);
        }
    }
}

#[test]
fn a_failed_stream_waits_for_what_it_was_to_follow_before_its_memory_is_used_again() {
    let device = Device::named("cpu:0").unwrap();
    let x = device.zeros(Shape::vector(LEN), DType::U8).unwrap();
    device.synchronize(PATIENCE).unwrap();
    let (slow, broken) =
        (device.new_stream("threaded").unwrap(), device.new_stream("threaded").unwrap());
    let (go, wait) = mpsc::channel();
    let sink = move |_: Result<&[u8]>| wait.recv().unwrap();
    let other = device.zeros(Shape::vector(1), DType::U8).unwrap();
    slow.read(other.region(), Box::new(sink)).unwrap();
    slow.write(Arc::from([1; LEN]), x.region()).unwrap();
    let panics = |_: Result<&[u8]>| panic!("a sink");
    broken.read(other.region(), Box::new(panics)).unwrap();
    broken.fill(x.region(), 0).ok();
    while broken.failure().is_none() {
        std::thread::yield_now();
    }
    drop(x);
    // Memory of the same size, which the slow stream does not know.
    let y = device.zeros(Shape::vector(LEN), DType::U8).unwrap();
    let third = device.new_stream("sync").unwrap();
    third.fill(y.region(), 2).unwrap();
    go.send(()).unwrap();
    slow.synchronize(PATIENCE).unwrap();
    assert_eq!(y.to_vec::<u8>().unwrap(), [2; LEN]);
}
