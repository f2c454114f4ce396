//! Streams: failure that sticks, completions, identities.

use crate::kernels::{ADD, FAIL, PANIC, SCALE};
use crate::toy::{Gate, KIND, LAST};
use crate::{LIMIT, bytes, device, fails, held, runtime, shape, values};
use ringwood_base::{DType, ErrorKind, Result, Scalar};
use ringwood_device::device::{Completion, Device, LaunchArg, StreamStrategy, Tensor, launch};
use ringwood_device::kernel::KernelDef;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Longer than work takes that nothing holds.
const SHORT: Duration = Duration::from_millis(30);

fn run(def: &'static KernelDef, tensor: &mut Tensor) -> Result<()> {
    launch(def, &[LaunchArg::Write(tensor)])
}

fn double(tensor: &mut Tensor) -> Result<()> {
    launch(&SCALE, &[LaunchArg::Scalar(Scalar::F32(2.0)), LaunchArg::Write(tensor)])
}

fn zeros(device: &Device) -> Tensor {
    device.zeros(shape(&[4]), DType::F32).unwrap()
}

#[test]
fn the_first_failure_reaches_every_submission_and_wait() {
    for (def, text) in [(&FAIL, "on purpose"), (&PANIC, "boom")] {
        for name in ["toy:0", "shared:0"] {
            let device = device(name);
            let (mut x, y) = (zeros(&device), zeros(&device));
            let stream = device.stream().unwrap();
            run(def, &mut x).unwrap();
            let completion = stream.record();
            fails(completion.wait(LIMIT), text);
            for _ in 0..2 {
                fails(completion.wait(LIMIT), text);
                fails(stream.synchronize(LIMIT), text);
                fails(stream.fill(y.region(), 0), text);
                fails(stream.record().wait(LIMIT), text);
                fails(x.to_vec::<f32>(), text);
            }
            assert!(completion.is_done() && stream.is_idle());
            assert!(format!("{stream:?}").contains(text));
        }
    }
}

#[test]
fn work_of_another_stream_that_needs_a_failed_result_fails_with_the_cause() {
    let device = device("toy:0");
    let (mut x, y) = (zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (held, gate) = held(&device);
    let other = device.new_stream("").unwrap();
    held.scope(|| run(&FAIL, &mut x).unwrap());
    other.copy(x.region(), y.region()).unwrap();
    gate.open();
    fails(other.synchronize(LIMIT), "on purpose");
    fails(other.fill(y.region(), 0), "on purpose");
    let third = device.new_stream("").unwrap();
    let outcome = third.copy(x.region(), y.region()).and_then(|()| third.synchronize(LIMIT));
    fails(outcome, "on purpose");
}

#[test]
fn a_failed_reader_does_not_fail_the_next_writer() {
    let device = device("toy:0");
    let (mut x, y) = (zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let failing = device.new_stream("").unwrap();
    failing.scope(|| run(&FAIL, &mut x).unwrap());
    let mut out = zeros(&device);
    let args = [LaunchArg::Read(&y), LaunchArg::Read(&y), LaunchArg::Write(&mut out)];
    let _ = failing.scope(|| launch(&ADD, &args));
    fails(failing.synchronize(LIMIT), "on purpose");
    let other = device.new_stream("").unwrap();
    other.write(bytes(5.0), y.region()).unwrap();
    other.synchronize(LIMIT).unwrap();
    assert_eq!(values(&y), [5.0; 4]);
}

#[test]
fn a_reader_that_fails_later_does_not_fail_the_writer_that_waits_for_it() {
    let device = device("toy:0");
    let (mut x, y, copy) = (zeros(&device), zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (failing, gate) = held(&device);
    failing.scope(|| run(&FAIL, &mut x)).unwrap();
    failing.copy(y.region(), copy.region()).unwrap();
    let other = device.new_stream("").unwrap();
    other.write(bytes(5.0), y.region()).unwrap();
    assert_eq!(other.synchronize(SHORT).unwrap_err().kind(), ErrorKind::Timeout, "it waits");
    gate.open();
    fails(failing.synchronize(LIMIT), "on purpose");
    other.synchronize(LIMIT).unwrap();
    assert_eq!(values(&y), [5.0; 4]);
    fails(copy.to_vec::<f32>(), "on purpose");
}

#[test]
fn a_failed_stream_is_waited_for_until_the_device_is_done_with_it() {
    let device = device("toy:0");
    let (x, y) = (zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (stream, gate) = held(&device);
    stream.write(bytes(5.0), y.region()).unwrap();
    stream.fill(x.region(), LAST).unwrap();
    fails(stream.fill(x.region(), 1), "that was the last");
    for _ in 0..2 {
        let ends = [stream.synchronize(SHORT), device.synchronize(SHORT)];
        assert!(ends.iter().all(|end| end.as_ref().unwrap_err().kind() == ErrorKind::Timeout));
        assert!(!stream.is_idle() && stream.failure().is_some());
    }
    gate.open();
    fails(stream.synchronize(LIMIT), "that was the last");
    assert!(stream.is_idle());
    device.synchronize(LIMIT).expect("the failure was told");
    assert_eq!(values(&y), [5.0; 4], "what ran before the failure is done");
}

#[test]
fn a_device_goes_on_with_another_stream_after_a_failure() {
    let device = device("toy:0");
    let (mut x, y) = (zeros(&device), device.tensor(&[2.0_f32; 4]).unwrap());
    device.synchronize(LIMIT).unwrap();
    let failed = device.stream().unwrap();
    run(&FAIL, &mut x).unwrap();
    fails(failed.record().wait(LIMIT), "(stream: 0, which takes no more work: `Device::stream`");
    // The default stream is another one as soon as somebody was told.
    assert_ne!(device.stream().unwrap().id(), failed.id());
    assert_eq!(values(&zeros(&device)), [0.0; 4]);
    assert_eq!(values(&y), [2.0; 4]);
    fails(x.to_vec::<f32>(), "on purpose");
    fails(failed.fill(y.region(), 0), "on purpose");
    let other = crate::device("toy:1");
    fails(device.set_stream(&other.stream().unwrap()), "a stream of toy:1");
}

#[test]
fn a_failure_of_the_default_stream_is_told_before_it_is_replaced() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let (mut x, mut y) = (zeros(&device), device.tensor(&[2.0_f32; 4]).unwrap());
        device.synchronize(LIMIT).unwrap();
        let failed = device.stream().unwrap();
        run(&FAIL, &mut x).unwrap();
        // What the failure does not concern is read, and tells nothing of it.
        assert_eq!(values(&y), [2.0; 4], "{name}");
        while !failed.is_idle() {}
        assert_eq!(values(&y), [2.0; 4], "{name}");
        fails(double(&mut y), "on purpose");
        double(&mut y).unwrap();
        assert_eq!(values(&y), [4.0; 4], "{name}");
        fails(x.to_vec::<f32>(), "on purpose");
        // It was told: what is told of the device as a whole is what is new.
        device.synchronize(LIMIT).unwrap();
        assert!(failed.failure().is_some());
    }
}

#[test]
fn a_failure_that_is_told_during_a_read_stays_told() {
    let device = device("toy:0");
    let (mut x, mut y) = (zeros(&device), device.tensor(&[2.0_f32; 4]).unwrap());
    device.synchronize(LIMIT).unwrap();
    let failed = device.stream().unwrap();
    run(&FAIL, &mut x).unwrap();
    while !failed.is_idle() {}
    let (gate, streams) = (Gate::closed(), device.report().streams.len());
    let (kind, read) = (gate.kind(), y.clone());
    let reader = std::thread::spawn(move || {
        KIND.set(Some(kind));
        values(&read)
    });
    let deadline = Instant::now() + LIMIT;
    while device.report().streams.len() == streams {
        assert!(Instant::now() < deadline, "nobody reads by another stream");
        std::thread::yield_now();
    }
    fails(double(&mut y), "on purpose");
    gate.open();
    assert_eq!(reader.join().unwrap(), [2.0; 4]);
    double(&mut y).unwrap();
    assert_eq!(values(&y), [4.0; 4]);
}

#[test]
fn a_completion_is_of_what_was_submitted_when_it_was_taken() {
    for name in ["toy:0", "shared:0"] {
        for look in [false, true] {
            let device = device(name);
            let (good, mut bad, copy) = (zeros(&device), zeros(&device), zeros(&device));
            device.synchronize(LIMIT).unwrap();
            let (stream, gate) = held(&device);
            let other = device.new_stream("").unwrap();
            stream.write(bytes(5.0), good.region()).unwrap();
            let completion = stream.record();
            if look {
                assert!(!completion.is_done());
            }
            stream.scope(|| run(&FAIL, &mut bad)).unwrap();
            other.copy(good.region(), copy.region()).unwrap();
            gate.open();
            completion.wait(LIMIT).unwrap();
            other.synchronize(LIMIT).unwrap();
            fails(stream.synchronize(LIMIT), "on purpose");
            assert_eq!((values(&copy), values(&good)), (vec![5.0; 4], vec![5.0; 4]), "{name}");
            fails(bad.to_vec::<f32>(), "on purpose");
            let third = device.new_stream("").unwrap();
            third.copy(good.region(), copy.region()).unwrap();
            third.synchronize(LIMIT).unwrap();
        }
    }
}

#[test]
fn what_was_submitted_before_a_failure_stays_done_when_its_stream_is_gone() {
    let device = device("toy:0");
    let (good, mut bad) = (zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (stream, gate) = held(&device);
    stream.write(bytes(5.0), good.region()).unwrap();
    stream.scope(|| run(&FAIL, &mut bad)).unwrap();
    drop(stream);
    gate.open();
    assert_eq!(values(&good), [5.0; 4]);
    fails(bad.to_vec::<f32>(), "on purpose");
}

#[test]
fn a_reader_waits_for_the_writer_alone() {
    let device = device("toy:0");
    let (x, y, copy) = (zeros(&device), zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let writer = device.new_stream("").unwrap();
    let (slow, gate) = held(&device);
    slow.write(bytes(1.0), y.region()).unwrap();
    writer.write(bytes(5.0), x.region()).unwrap();
    // It waits for the gate, and the reader of `x` does not.
    writer.copy(y.region(), copy.region()).unwrap();
    let reader = device.new_stream("").unwrap();
    let copy = zeros(&device);
    reader.copy(x.region(), copy.region()).unwrap();
    reader.synchronize(LIMIT).unwrap();
    assert_eq!(values(&copy), [5.0; 4]);
    gate.open();
    writer.synchronize(LIMIT).unwrap();
}

#[test]
fn an_empty_tensor_tells_the_failure_of_its_writer() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let mut none = device.tensor::<f32>(&[]).unwrap();
        let stream = device.new_stream("").unwrap();
        stream.scope(|| run(&FAIL, &mut none)).unwrap();
        fails(none.to_vec::<f32>(), "on purpose");
    }
}

#[test]
fn a_refused_submission_does_not_fail_the_stream() {
    let runtime = runtime();
    let (a, b) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let (x, y) = (zeros(&a), zeros(&b));
    let stream = a.stream().unwrap();
    fails(stream.fill(y.region(), 0), "a buffer of toy:1 was given to a stream of toy:0");
    fails(stream.write(bytes(1.0)[..8].into(), x.region()), "8 bytes do not fit");
    fails(stream.copy(x.region(), x.region()), "overlap");
    let mut outside = x.region();
    outside.offset = usize::MAX;
    fails(stream.fill(outside, 0), "leave a buffer of 16 bytes");
    fails(a.new_stream("warp"), "no stream kind `warp`");
    stream.synchronize(LIMIT).unwrap();
    assert!(stream.failure().is_none());
}

#[test]
fn a_sink_is_called_once_whatever_happens() {
    let runtime = runtime();
    let (a, b) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let (mut x, y) = (zeros(&a), zeros(&b));
    let stream = a.stream().unwrap();
    let read = |tensor: &Tensor| {
        let (send, receive) = mpsc::channel();
        let sink = Box::new(move |bytes: Result<&[u8]>| send.send(bytes.map(<[u8]>::len)).unwrap());
        let submitted = stream.read(tensor.region(), sink);
        let calls: Vec<_> = receive.iter().collect();
        assert_eq!(calls.len(), 1);
        (submitted, calls[0].clone())
    };
    assert_eq!(read(&x).1.unwrap(), 16);
    let (submitted, sunk) = read(&y);
    assert_eq!(fails(submitted, "toy:1").to_string(), fails(sunk, "toy:1").to_string());
    run(&FAIL, &mut x).unwrap();
    fails(read(&x).1, "on purpose");
    let (submitted, sunk) = read(&x);
    fails(submitted, "on purpose");
    fails(sunk, "on purpose");
}

#[test]
fn a_result_that_was_complete_before_a_failure_stays_usable() {
    let device = device("toy:0");
    let (x, mut y) = (zeros(&device), zeros(&device));
    let stream = device.stream().unwrap();
    stream.write(bytes(4.0), x.region()).unwrap();
    let completion = stream.record();
    completion.wait(LIMIT).unwrap();
    run(&FAIL, &mut y).unwrap();
    fails(stream.synchronize(LIMIT), "on purpose");
    completion.wait(LIMIT).unwrap();
    device.set_stream(&device.new_stream("").unwrap()).unwrap();
    assert_eq!(values(&x), [4.0; 4]);
}

#[test]
fn every_wait_has_a_bound() {
    let device = device("toy:0");
    let x = zeros(&device);
    let (slow, gate) = held(&device);
    slow.fill(x.region(), 0).unwrap();
    let completion = slow.record();
    for timeout in [Duration::ZERO, Duration::from_millis(5)] {
        assert_eq!(completion.wait(timeout).unwrap_err().kind(), ErrorKind::Timeout);
        assert_eq!(slow.synchronize(timeout).unwrap_err().kind(), ErrorKind::Timeout);
    }
    assert!(!completion.is_done() && !slow.is_idle() && slow.failure().is_none());
    gate.open();
    completion.wait(LIMIT).unwrap();
    assert!(completion.is_done() && slow.is_idle());
}

#[test]
fn a_dropped_stream_still_runs_its_work_and_orders_it() {
    let device = device("toy:0");
    let x = zeros(&device);
    device.synchronize(LIMIT).unwrap();
    let (slow, gate) = held(&device);
    slow.write(bytes(7.0), x.region()).unwrap();
    drop(slow);
    let other = device.new_stream("").unwrap();
    let y = zeros(&device);
    other.copy(x.region(), y.region()).unwrap();
    assert!(!other.is_idle());
    gate.open();
    assert_eq!(values(&y), [7.0; 4]);
}

#[test]
fn streams_are_numbered_in_the_order_of_their_making() {
    let ids = || {
        let device = device("toy:0");
        let make = |_| device.new_stream("").unwrap().id();
        let first: Vec<_> = (0..3).map(make).collect();
        (first, device.stream().unwrap().id())
    };
    let (first, default) = ids();
    assert_eq!(first.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(default.0, 3, "identities of dropped streams are not used again");
    assert_eq!(ids(), (first, default));
}

#[test]
fn a_scope_replaces_the_default_stream_of_one_device_on_one_thread() {
    let runtime = runtime();
    let (a, b) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let (outer, inner) = (a.new_stream("").unwrap(), a.new_stream("").unwrap());
    let (default, other) = (a.stream().unwrap().id(), b.stream().unwrap().id());
    outer.scope(|| {
        inner.scope(|| assert_eq!(a.stream().unwrap().id(), inner.id()));
        assert_eq!(a.stream().unwrap().id(), outer.id());
        assert_eq!(b.stream().unwrap().id(), other);
        let elsewhere = std::thread::scope(|s| s.spawn(|| a.stream().unwrap().id()).join());
        assert_eq!(elsewhere.unwrap(), default);
    });
    assert_eq!(a.stream().unwrap().id(), default);
}

#[test]
fn a_device_suggests_streams_by_strategy() {
    let device = device("toy:0");
    let strategies = [
        StreamStrategy::OnePerDevice,
        StreamStrategy::ParallelCopies,
        StreamStrategy::MostParallel,
    ];
    assert_eq!(strategies.map(|s| device.suggested_streams(s)), [1, 2, 3]);
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a completion as a task that sleeps between polls; the outcome and the number of polls.
fn block_on(completion: Completion) -> (Result<()>, usize) {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut completion = pin!(completion);
    for polls in 1.. {
        match completion.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(outcome) => return (outcome, polls),
            Poll::Pending => std::thread::park_timeout(LIMIT),
        }
    }
    unreachable!("the loop has no end")
}

/// A task that is polled wherever it is woken.
struct PollInPlace {
    completion: Mutex<Completion>,
    outcome: mpsc::Sender<Result<()>>,
}

impl Wake for PollInPlace {
    fn wake(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut completion = self.completion.lock().unwrap();
        let polled = Pin::new(&mut *completion).poll(&mut Context::from_waker(&waker));
        if let Poll::Ready(outcome) = polled {
            self.outcome.send(outcome).unwrap();
        }
    }
}

#[test]
fn a_task_may_be_polled_by_its_own_waker() {
    let device = device("toy:0");
    let x = zeros(&device);
    let (slow, gate) = held(&device);
    slow.fill(x.region(), 0).unwrap();
    let (outcome, woken) = mpsc::channel();
    Arc::new(PollInPlace { completion: Mutex::new(slow.record()), outcome }).wake();
    gate.open();
    woken.recv_timeout(LIMIT).expect("the task wakes").unwrap();
}

#[test]
fn the_host_may_wait_for_as_long_as_a_duration_can_say() {
    let device = device("toy:0");
    let mut x = zeros(&device);
    x.host_mut(Duration::MAX, |bytes| bytes.fill(0)).unwrap();
    device.synchronize(Duration::MAX).unwrap();
}

#[test]
fn a_completion_is_a_future_that_is_called_back() {
    let device = device("toy:0");
    let mut x = zeros(&device);
    device.synchronize(LIMIT).unwrap();
    assert_eq!(block_on(device.stream().unwrap().record()).1, 1, "nothing to wait for");
    let (slow, gate) = held(&device);
    slow.fill(x.region(), 0).unwrap();
    let opener = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        gate.open();
    });
    let (outcome, polls) = block_on(slow.record());
    outcome.unwrap();
    assert!(polls < 10, "{polls} polls: the task does not sleep");
    opener.join().unwrap();

    let gate = Gate::closed();
    let failing = device.new_stream(&gate.kind()).unwrap();
    failing.scope(|| run(&FAIL, &mut x).unwrap());
    let completion = failing.record();
    gate.open();
    fails(block_on(completion.clone()).0, "on purpose");
    fails(block_on(completion).0, "on purpose");
}

#[test]
fn a_task_is_told_of_its_work_alone_though_the_stream_takes_no_more() {
    let device = device("toy:0");
    let (x, y) = (zeros(&device), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (stream, gate) = held(&device);
    stream.write(bytes(5.0), y.region()).unwrap();
    let good = stream.record();
    stream.fill(x.region(), LAST).unwrap();
    let bad = stream.record();
    let opener = std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        gate.open();
    });
    block_on(good).0.unwrap();
    fails(block_on(bad).0, "that was the last");
    opener.join().unwrap();
}

#[test]
fn a_device_is_done_when_all_its_streams_are() {
    let device = device("toy:0");
    let mut x = zeros(&device);
    let (held, gate) = held(&device);
    held.fill(x.region(), 1).unwrap();
    let error = device.synchronize(Duration::from_millis(30)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    gate.open();
    device.synchronize(LIMIT).unwrap();
    assert!(held.is_idle());

    held.scope(|| run(&FAIL, &mut x).unwrap());
    fails(device.synchronize(LIMIT), "on purpose");
    drop((x, held));
    device.synchronize(LIMIT).unwrap();
}
