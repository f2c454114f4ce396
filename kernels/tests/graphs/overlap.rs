//! Copies between devices overlap what is computed, and each other.

use ringwood_backend_cpu::{Cpu, Device as CpuDevice, Memory, Stream};
use ringwood_base::DType::F32;
use ringwood_base::Result;
use ringwood_base::registry::{Registry, RegistryBuilder};
use ringwood_conformance::delegate::{Delegate, Delegated};
use ringwood_device::backend::{Backend, HostSink, Region, Registered};
use ringwood_device::device::{Device, Runtime};
use ringwood_device::kernel;
use ringwood_graph::graph::{Graph, Planner, Value};
use ringwood_graph::register_operator;
use std::time::{Duration, Instant};

/// How long a kernel or a read takes that is slow.
const SLOW: Duration = Duration::from_millis(40);

/// `y = x + 1`, after a while in which the processor does nothing.
#[kernel(host, device = [cpu, left, right])]
fn slow_next(x: &[f32], y: &mut [f32]) {
    std::thread::sleep(SLOW);
    for (y, x) in y.iter_mut().zip(x) {
        *y = x + 1.0;
    }
}

/// `y = x + 1`.
#[kernel(host, device = [cpu, left, right])]
fn quick_next(x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x + 1.0;
    }
}

register_operator! {
    SlowNext = slow_next;
    shape: "... -> ...",
}

register_operator! {
    QuickNext = quick_next;
    shape: "... -> ...",
}

/// A backend of the processor whose reads by the host are slow, on the thread of their stream.
struct Side<const RIGHT: bool>(Cpu);

impl<const RIGHT: bool> Delegate for Side<RIGHT> {
    const NAME: &'static str = if RIGHT { "right" } else { "left" };
    type Inner = Cpu;
    type Tag = ();

    fn open() -> Result<Self> {
        Cpu::open().map(Self)
    }

    fn inner(&self) -> &Cpu {
        &self.0
    }

    fn tag(&self, _: &CpuDevice, _: &Memory, _: usize) {}

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let slowly: HostSink = Box::new(move |bytes| {
            std::thread::sleep(SLOW);
            sink(bytes);
        });
        self.0.read(stream, source, slowly)
    }
}

fn runtime() -> Runtime {
    let entries = [
        Cpu::ENTRY,
        Delegated::<Side<false>>::ENTRY,
        Delegated::<Side<true>>::ENTRY,
        SlowNext::ENTRY,
        QuickNext::ENTRY,
        slow_next::ENTRY,
        quick_next::ENTRY,
    ];
    Runtime::new(
        entries.into_iter().fold(Registry::builder(), RegistryBuilder::register).build().unwrap(),
    )
}

/// How many slow steps a graph takes on streams of this kind, and its results.
fn steps(graph: &Graph, runtime: &Runtime, kind: &str) -> (u32, Vec<Vec<f32>>) {
    let devices: Vec<Device> =
        ["left:0", "right:0"].map(|name| runtime.device(name).unwrap()).into();
    let mut plan = Planner::new(&devices).streams(kind).fuse(false).plan(graph).unwrap();
    for (name, device) in [("x", &devices[0]), ("u", &devices[1])] {
        plan.set_input(name, &device.tensor(&[1.0_f32; 4]).unwrap()).unwrap();
    }
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        plan.submit().unwrap();
        devices.iter().for_each(|device| device.synchronize(SLOW * 100).unwrap());
        least = least.min(start.elapsed());
    }
    let outputs = graph.outputs().iter().map(|output| plan.output(&output.name).unwrap());
    let outputs = outputs.map(|output| output.to_vec().unwrap()).collect();
    ((least.as_secs_f64() / SLOW.as_secs_f64()) as u32, outputs)
}

/// A graph over the run time's operators; `place` names the device of a value.
fn chain(g: &mut Graph, operator: &str, x: Value, device: &str) -> Value {
    let y = g.apply(operator, &[x]).unwrap();
    g.place(y, device).unwrap();
    y
}

/// `x` on the left and `u` on the right, each with a quick step.
fn begun(runtime: &Runtime) -> (Graph, Value, Value) {
    let mut g = Graph::with_registry(runtime.registry().clone());
    let given = [("x", "left:0"), ("u", "right:0")].map(|(name, device)| {
        let x = g.input(name, F32, &[4]).unwrap();
        g.place(x, device).unwrap();
        chain(&mut g, "quick_next", x, device)
    });
    (g, given[0], given[1])
}

#[test]
fn a_copy_one_way_overlaps_what_is_computed_at_its_source() {
    let runtime = runtime();
    let (mut g, y, _) = begun(&runtime);
    let here = chain(&mut g, "slow_next", y, "left:0");
    let there = chain(&mut g, "slow_next", y, "right:0");
    g.output("here", here).unwrap();
    g.output("there", there).unwrap();
    let (one_by_one, expected) = steps(&g, &runtime, "sync");
    let (overlapped, outputs) = steps(&g, &runtime, "threaded");
    assert_eq!(outputs, expected);
    assert_eq!(outputs, [[3.0; 4]; 2]);
    assert!(one_by_one >= 3 && overlapped <= 2, "{one_by_one} steps, {overlapped} overlapped");
}

#[test]
fn copies_both_ways_overlap_each_other() {
    let runtime = runtime();
    let (mut g, y, v) = begun(&runtime);
    let right = chain(&mut g, "slow_next", y, "right:0");
    g.output("right", right).unwrap();
    let left = chain(&mut g, "slow_next", v, "left:0");
    g.output("left", left).unwrap();
    let (one_by_one, expected) = steps(&g, &runtime, "sync");
    let (overlapped, outputs) = steps(&g, &runtime, "threaded");
    assert_eq!(outputs, expected);
    assert!(one_by_one >= 4 && overlapped <= 2, "{one_by_one} steps, {overlapped} overlapped");
    for seed in 0..3 {
        assert_eq!(steps(&g, &runtime, &format!("chaos:{seed}")).1, expected, "seed {seed}");
    }
}
