//! Streams of the CPU backend: order, failure, and that nothing hangs or leaks.

use ringwood_backend_cpu::{Cpu, Memory, Stream};
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_device::backend::{Backend, Region, Status};
use ringwood_device::kernel::{
    Arg, Code, Form, KernelSpec, Native, NativeFn, NativeLaunch, Param, ParamKind,
};
use std::ops::Range;
use std::sync::{Arc, mpsc};
use std::time::Duration;

const BOUND: Duration = Duration::from_secs(20);

struct Cell {
    cpu: Cpu,
    device: <Cpu as Backend>::Device,
}

fn cell() -> Cell {
    let cpu = Cpu::open().unwrap();
    let device = cpu.devices().unwrap().remove(0);
    Cell { cpu, device }
}

fn all(memory: &Memory, bytes: usize) -> Region<'_, Memory> {
    Region { memory, offset: 0, bytes }
}

impl Cell {
    fn stream(&self, kind: &str) -> Stream {
        self.cpu.stream(&self.device, kind).unwrap()
    }

    fn memory(&self, bytes: usize) -> Memory {
        self.cpu.allocate(&self.device, bytes).unwrap()
    }

    fn read(&self, stream: &Stream, memory: &Memory, bytes: usize) -> Result<Vec<u8>> {
        let (send, receive) = mpsc::channel();
        let sink = move |bytes: Result<&[u8]>| send.send(bytes.map(<[u8]>::to_vec)).unwrap();
        self.cpu.read(stream, all(memory, bytes), Box::new(sink))?;
        receive.recv_timeout(BOUND).expect("a sink is called")
    }

    /// Holds the stream until the sender is dropped.
    fn hold(&self, stream: &Stream, memory: &Memory) -> mpsc::Sender<()> {
        let (open, opened) = mpsc::channel();
        let sink = move |_: Result<&[u8]>| {
            let _ = opened.recv_timeout(BOUND);
        };
        self.cpu.read(stream, all(memory, 4), Box::new(sink)).unwrap();
        open
    }

    fn finish(&self, stream: &Stream) -> Result<()> {
        self.cpu.block(&self.cpu.record(stream)?, BOUND)
    }

    /// Launches `native` over `domain` with one mutable slice of bytes.
    fn launch(
        &self,
        stream: &Stream,
        native: NativeFn,
        memory: &Memory,
        items: usize,
    ) -> Result<()> {
        let params =
            [Param { name: "y", kind: ParamKind::Slice { dtype: DType::U8, mutable: true } }];
        let spec = KernelSpec {
            native: Some(Native::new(native)),
            sites: &[(7, 5)],
            file: "probe.rs",
            line: 7,
            ..KernelSpec::new("probe", Form::Grid, &params)
        };
        let code = Code::compile(&self.cpu, &self.device, &spec)?;
        let y = Arg::Slice { region: all(memory, items), strides: None };
        self.cpu.launch(stream, &code.launch(Shape::vector(items), [y])?)
    }
}

fn panics(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    panic!("boom")
}

fn faults(launch: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    launch.fault().record(0, 9, 4);
    Ok(())
}

fn sleeps(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    std::thread::sleep(Duration::from_millis(1));
    Ok(())
}

#[test]
fn a_kernel_panic_sticks_and_reaches_every_observer_with_the_same_text() {
    for kind in ["sync", "threaded", "chaos:3"] {
        let cell = cell();
        let (stream, memory) = (cell.stream(kind), cell.memory(4));
        let before = cell.cpu.record(&stream).unwrap();
        let launched = cell.launch(&stream, panics, &memory, 4);
        let after = cell.cpu.record(&stream);
        let text = "kernel `probe` panicked: boom";
        let first = match after {
            Ok(event) => cell.cpu.block(&event, BOUND).unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(first.message(), text, "{kind}");
        assert_eq!(first.kind(), ErrorKind::Panic);
        assert!(launched.is_ok() || launched.unwrap_err().message() == text);
        for _ in 0..3 {
            assert_eq!(cell.cpu.record(&stream).err().unwrap().message(), text);
            assert_eq!(cell.read(&stream, &memory, 4).unwrap_err().message(), text);
        }
        cell.cpu.block(&before, BOUND).expect("work before the failure has completed");
    }
}

#[test]
fn waiters_that_are_already_blocked_wake_up_when_the_stream_fails() {
    let cell = Arc::new(cell());
    let (gate, stream) = (cell.stream("threaded"), cell.stream("threaded"));
    let memory = cell.memory(64);
    let open = cell.hold(&gate, &memory);
    let opened = cell.cpu.record(&gate).unwrap();
    cell.cpu.wait(&stream, &opened).unwrap();
    cell.launch(&stream, panics, &memory, 4).unwrap();
    let event = cell.cpu.record(&stream).unwrap();
    let waiters: Vec<_> = (0..4)
        .map(|_| {
            let (cell, event) = (Arc::clone(&cell), event.clone());
            std::thread::spawn(move || cell.cpu.block(&event, BOUND))
        })
        .collect();
    // Until they wait, most likely.
    std::thread::sleep(Duration::from_millis(50));
    drop(open);
    for waiter in waiters {
        let error = waiter.join().unwrap().unwrap_err();
        assert_eq!(error.message(), "kernel `probe` panicked: boom");
    }
}

#[test]
fn a_failed_event_fails_the_stream_that_waits_for_it() {
    for (producer, consumer) in [("threaded", "threaded"), ("threaded", "sync"), ("chaos", "sync")]
    {
        let cell = cell();
        let (a, b, memory) = (cell.stream(producer), cell.stream(consumer), cell.memory(4));
        let open = cell.hold(&a, &memory);
        cell.launch(&a, panics, &memory, 4).unwrap();
        let event = cell.cpu.record(&a).unwrap();
        drop(open);
        let ends = cell.stream(consumer);
        cell.cpu.wait_for_end(&ends, &event).unwrap();
        cell.finish(&ends).expect("the outcome of the event does not count");
        assert!(matches!(cell.cpu.poll(&event), Status::Failed(_)), "it waited");
        let _ = cell.cpu.wait(&b, &event);
        assert_eq!(cell.finish(&b).unwrap_err().message(), "kernel `probe` panicked: boom");
        assert!(matches!(cell.cpu.poll(&event), Status::Failed(e) if e.kind() == ErrorKind::Panic));
    }
}

#[test]
fn a_panicking_sink_fails_the_stream() {
    for kind in ["sync", "threaded"] {
        let cell = cell();
        let (stream, memory) = (cell.stream(kind), cell.memory(4));
        let sink = Box::new(|_: Result<&[u8]>| panic!("no thanks"));
        let _ = cell.cpu.read(&stream, all(&memory, 4), sink);
        let error = cell.finish(&stream).unwrap_err();
        assert_eq!(error.message(), "the sink of a read panicked: no thanks");
    }
}

#[test]
fn an_access_out_of_bounds_names_kernel_index_and_place() {
    let cell = cell();
    let (stream, memory) = (cell.stream("sync"), cell.memory(4));
    let error = cell.launch(&stream, faults, &memory, 4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert!(error.message().contains("`probe`: index 9 out of bounds for length 4"), "{error}");
    assert_eq!(error.get("at"), Some("probe.rs:7:5"));
}

#[test]
fn a_stream_that_submits_to_itself_is_told_so() {
    let cell = Arc::new(cell());
    let (stream, memory) = (Arc::new(cell.stream("sync")), cell.memory(4));
    let inner = (Arc::clone(&cell), Arc::clone(&stream), memory.clone());
    let (send, receive) = mpsc::channel();
    let sink = Box::new(move |_: Result<&[u8]>| {
        let (cell, stream, memory) = inner;
        send.send(cell.cpu.fill(&stream, all(&memory, 4), 1)).unwrap();
    });
    cell.cpu.read(&stream, all(&memory, 4), sink).unwrap();
    let error = receive.recv().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(cell.finish(&stream).is_ok());
}

#[test]
fn commands_that_race_are_an_error_and_not_undefined() {
    let cell = Arc::new(cell());
    let (a, b, memory) = (cell.stream("threaded"), cell.stream("sync"), cell.memory(4));
    let (entered, in_sink) = mpsc::channel();
    let (leave, may_leave) = mpsc::channel::<()>();
    let sink = Box::new(move |_: Result<&[u8]>| {
        entered.send(()).unwrap();
        may_leave.recv_timeout(BOUND).unwrap();
    });
    cell.cpu.read(&a, all(&memory, 4), sink).unwrap();
    in_sink.recv_timeout(BOUND).unwrap();
    let error = cell.cpu.fill(&b, all(&memory, 4), 1).unwrap_err();
    assert!(error.message().contains("data race"), "{error}");
    leave.send(()).unwrap();
    assert!(cell.finish(&a).is_ok());
}

#[test]
fn wrong_kinds_of_streams_are_refused_with_the_known_ones() {
    let cell = cell();
    for kind in ["", "fast", "sync:1", "threaded:2", "chaos:x", "chaos:-1"] {
        let error = cell.cpu.stream(&cell.device, kind).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{kind}");
    }
    let error = cell.cpu.stream(&cell.device, "fast").err().unwrap();
    assert!(error.message().contains("known: threaded, sync, chaos"), "{error}");
}

#[test]
fn a_dropped_stream_completes_its_events() {
    let cell = cell();
    for kind in ["sync", "threaded", "chaos:1"] {
        let (stream, memory) = (cell.stream(kind), cell.memory(1));
        for _ in 0..10 {
            cell.launch(&stream, sleeps, &memory, 1).unwrap();
        }
        let event = cell.cpu.record(&stream).unwrap();
        drop((stream, memory));
        cell.cpu.block(&event, BOUND).unwrap();
    }
}

#[test]
fn a_missing_wait_shows_under_chaos_and_a_wait_cures_it() {
    let wrong = |seed: u64, with_wait: bool| {
        let cell = cell();
        let kind = format!("chaos:{seed}");
        let (a, b, memory) = (cell.stream(&kind), cell.stream(&kind), cell.memory(64));
        let copy = cell.memory(64);
        let outcome = (|| -> Result<Vec<u8>> {
            cell.cpu.fill(&a, all(&memory, 64), 1)?;
            cell.cpu.fill(&a, all(&memory, 64), 2)?;
            if with_wait {
                cell.cpu.wait(&b, &cell.cpu.record(&a)?)?;
            }
            cell.cpu.copy(&b, all(&memory, 64), all(&copy, 64))?;
            cell.read(&b, &copy, 64)
        })();
        outcome.map_err(|e: Error| e.to_string()) != Ok(vec![2; 64])
    };
    assert!((0..100).any(|seed| wrong(seed, false)), "no seed shows the missing wait");
    for seed in 0..100 {
        assert!(!wrong(seed, true), "seed {seed} fails in spite of the wait");
    }
}
