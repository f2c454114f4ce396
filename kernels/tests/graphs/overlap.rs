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
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Where steps meet that run at the same time.
#[derive(Default)]
struct Meeting {
    /// How long each waits for another one.
    patience: Duration,
    inside: u32,
    met: bool,
}

static MEETING: (Mutex<Meeting>, Condvar) = {
    let meeting = Meeting { patience: Duration::ZERO, inside: 0, met: false };
    (Mutex::new(meeting), Condvar::new())
};
/// How long a step waits for another one that is to run at the same time, and for one that is not.
const OVERLAPPED: Duration = Duration::from_secs(10);
const ONE_BY_ONE: Duration = Duration::from_millis(50);

/// Waits until another step is in here.
fn meet() {
    let (meeting, changed) = &MEETING;
    let mut now = meeting.lock().unwrap();
    now.inside += 1;
    now.met |= now.inside > 1;
    changed.notify_all();
    let patience = now.patience;
    let waited = changed.wait_timeout_while(now, patience, |now| !now.met);
    waited.unwrap().0.inside -= 1;
}

/// `y = x + 1`, after another step was met.
#[kernel(host, device = [cpu, left, right])]
fn meeting_next(x: &[f32], y: &mut [f32]) {
    meet();
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
    MeetingNext = meeting_next;
    shape: "... -> ...",
}

register_operator! {
    QuickNext = quick_next;
    shape: "... -> ...",
}

/// A backend of the processor whose reads by the host meet another step, on the thread of their stream.
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
        let meeting: HostSink = Box::new(move |bytes| {
            meet();
            sink(bytes);
        });
        self.0.read(stream, source, meeting)
    }
}

fn runtime() -> Runtime {
    let entries = [
        Cpu::ENTRY,
        Delegated::<Side<false>>::ENTRY,
        Delegated::<Side<true>>::ENTRY,
        MeetingNext::ENTRY,
        QuickNext::ENTRY,
        meeting_next::ENTRY,
        quick_next::ENTRY,
    ];
    Runtime::new(
        entries.into_iter().fold(Registry::builder(), RegistryBuilder::register).build().unwrap(),
    )
}

/// Whether two steps of a graph meet that wait for each other, on streams of this kind, and its results.
fn run(graph: &Graph, runtime: &Runtime, kind: &str, patience: Duration) -> (bool, Vec<Vec<f32>>) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let devices: Vec<Device> =
        ["left:0", "right:0"].map(|name| runtime.device(name).unwrap()).into();
    let mut plan = Planner::new(&devices).streams(kind).fuse(false).plan(graph).unwrap();
    for (name, device) in [("x", &devices[0]), ("u", &devices[1])] {
        plan.set_input(name, &device.tensor(&[1.0_f32; 4]).unwrap()).unwrap();
    }
    let meeting = |patience| {
        std::mem::replace(
            &mut *MEETING.0.lock().unwrap(),
            Meeting { patience, ..Meeting::default() },
        )
    };
    meeting(patience);
    plan.submit().unwrap();
    devices.iter().for_each(|device| device.synchronize(OVERLAPPED * 6).unwrap());
    let met = meeting(Duration::ZERO).met;
    let outputs = graph.outputs().iter().map(|output| plan.output(&output.name).unwrap());
    let outputs = outputs.map(|output| output.to_vec().unwrap()).collect();
    (met, outputs)
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
    let here = chain(&mut g, "meeting_next", y, "left:0");
    let there = chain(&mut g, "quick_next", y, "right:0");
    g.output("here", here).unwrap();
    g.output("there", there).unwrap();
    let outputs = vec![vec![3.0; 4]; 2];
    assert_eq!(run(&g, &runtime, "sync", ONE_BY_ONE), (false, outputs.clone()));
    assert_eq!(run(&g, &runtime, "threaded", OVERLAPPED), (true, outputs));
}

#[test]
fn copies_both_ways_overlap_each_other() {
    let runtime = runtime();
    let (mut g, y, v) = begun(&runtime);
    let right = chain(&mut g, "quick_next", y, "right:0");
    g.output("right", right).unwrap();
    let left = chain(&mut g, "quick_next", v, "left:0");
    g.output("left", left).unwrap();
    let outputs = vec![vec![3.0; 4]; 2];
    assert_eq!(run(&g, &runtime, "sync", ONE_BY_ONE), (false, outputs.clone()));
    assert_eq!(run(&g, &runtime, "threaded", OVERLAPPED), (true, outputs.clone()));
    for seed in 0..3 {
        let chaos = format!("chaos:{seed}");
        assert_eq!(run(&g, &runtime, &chaos, Duration::ZERO).1, outputs, "seed {seed}");
    }
}
