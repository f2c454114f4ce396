//! Streams leave nothing behind. A process of its own, so that its threads can be counted.

#![cfg(target_os = "linux")]

use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::{EntryMeta, Registry};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::{Backend, Region, Registered};
use ringwood_device::device::{
    Bindings, Context, Device, Kernel, LaunchProgram, NodeId, Runtime, Target,
};
use ringwood_device::kernel::{Form, Instance, KernelDef, Native, Param, ParamKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn a_thousand_streams_leave_no_thread_behind() {
    let cpu = Cpu::open().unwrap();
    let device = cpu.devices().unwrap().remove(0);
    let before = threads();
    for i in 0..1000_u32 {
        let stream = cpu.stream(&device, ["threaded", "chaos:1", "sync"][i as usize % 3]).unwrap();
        let memory = cpu.allocate(&device, 64).unwrap();
        let target = Region { memory: &memory, offset: 0, bytes: 64 };
        cpu.fill(&stream, target, i as u8).unwrap();
        let event = cpu.record(&stream).unwrap();
        if i.is_multiple_of(100) {
            cpu.block(&event, Duration::from_secs(20)).unwrap();
        }
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    while threads() > before {
        assert!(Instant::now() < deadline, "{} threads, {before} before", threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}

const PARAMS: &[Param] =
    &[Param { name: "y", kind: ParamKind::Slice { dtype: DType::F32, mutable: true } }];

/// Does nothing.
static TOUCH: KernelDef = KernelDef {
    meta: EntryMeta {
        package: "ringwood",
        name: "touch",
        module_path: module_path!(),
        file: "leaks.rs",
        line: 1,
    },
    form: Form::Host,
    devices: &["cpu"],
    instances: &[Instance {
        native: Some(Native::new(|_, _| Ok(()))),
        rank: 1,
        ..Instance::new(PARAMS)
    }],
};

const X: NodeId = NodeId(0);
const Y: NodeId = NodeId(1);

fn program() -> LaunchProgram {
    let (shape, touch) = (Shape::vector(1024), Kernel::new(&TOUCH, &TOUCH.instances[0]));
    LaunchProgram::new("touch")
        .given(X, "x", shape, DType::F32)
        .working(Y, "y", shape, DType::F32)
        .launch(touch.clone(), [X])
        .launch(touch, [Y])
}

/// Makes contexts, streams, buffers and routines, uses them and drops them.
fn cycle(device: &Device, i: usize) -> Result<()> {
    let kind = ["sync", "threaded", "chaos:1"][i % 3];
    let (a, b) = (device.new_stream(kind)?, device.new_stream(kind)?);
    let bytes: Arc<[u8]> = Arc::from(vec![i as u8; 4096]);
    let tensor = |bytes: &[u8]| device.tensor_of_bytes(bytes, Shape::vector(1024), DType::F32);
    let source = Context::new(&a).with(X, &tensor(&bytes)?)?;
    let target = Context::new(&b).with(X, &tensor(&bytes)?)?;
    let run = Bindings::new();
    if let Some(upload) = source.from_host(X, bytes)? {
        upload.submit(&run)?;
    }
    for kind in [Target::Node, Target::MergeSlot, Target::Streamed] {
        if let Some(transfer) = target.transfer_from(&source, X, kind)? {
            transfer.submit(&run)?;
        }
    }
    let routine = target.link_donating(&device.compile(program())?, &[X])?;
    let done = routine.submit(&run)?;
    let part = routine.context().tensor(Y)?.buffer().part(0..64)?;
    b.fill(part.region(), 1)?;
    if i.is_multiple_of(100) {
        done.wait(Duration::from_secs(20))?;
    }
    Ok(())
}

/// Pages in memory, open files, and threads.
fn in_use() -> [usize; 3] {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages = pages.split(' ').nth(1).unwrap().parse().unwrap();
    [pages, std::fs::read_dir("/proc/self/fd").unwrap().count(), threads()]
}

fn ten_thousand_cycles_leave_memory_and_handles_where_they_were() {
    let runtime = Runtime::new(Registry::builder().register(Cpu::ENTRY).build().unwrap());
    let device = runtime.device("cpu:0").unwrap();
    let cycles = |count: usize| {
        (0..count).try_for_each(|i| cycle(&device, i)).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        // One stream is the default one, which no cycle opened.
        while device.memory_in_use() > 0 || device.report().streams.len() > 1 {
            assert!(Instant::now() < deadline, "{}", device.report());
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    // What is kept on purpose is not what this looks for.
    device.set_memory_cache(1 << 16);
    cycles(1_000);
    let [mut pages, files, threads] = in_use();
    // Work in flight takes more memory in some rounds; what leaks takes more in every round.
    let growth = (0..4).map(|_| {
        cycles(2_500);
        let before = std::mem::replace(&mut pages, in_use()[0]);
        pages.saturating_sub(before)
    });
    let growth: Vec<_> = growth.collect();
    let deadline = Instant::now() + Duration::from_secs(20);
    while in_use()[2] > threads {
        assert!(Instant::now() < deadline, "{threads} threads became {:?}", in_use());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(in_use()[1], files, "open files");
    // 200 bytes of each cycle would be 120 pages in each round.
    assert!(growth.iter().any(|pages| *pages < 120), "each round took more pages: {growth:?}");
}

/// One test, so that nothing else uses threads and memory meanwhile.
#[test]
fn nothing_is_left_behind() {
    a_thousand_streams_leave_no_thread_behind();
    ten_thousand_cycles_leave_memory_and_handles_where_they_were();
}
