//! What the run time adds to the backend on the thread that submits: medians of short rounds, so that
//! other programs disturb few of them, in one run.
//!
//! `cargo bench -p ringwood-backend-cpu --bench routine`

#[path = "routine/idle.rs"]
mod idle;

use idle::Idle;
use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::{EntryMeta, Registry};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{
    Bindings, Context, Kernel, LaunchProgram, NodeId, PATIENCE, Routine, Runtime, StepArg, Stream,
};
use ringwood_device::kernel;
use ringwood_device::kernel::{Form, Instance, KernelDef, Native, NativeLaunch, Param, ParamKind};
use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const ROUNDS: usize = 1001;
/// Fewer than the depth of a stream's channel, so that no submission waits for room.
const CALLS: usize = 100;
/// The launches of a routine that shows what preparing them saves.
const STEPS: usize = 10;
/// The slices of the kernels that show what a buffer costs.
const MANY: usize = 8;

fn empty(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    Ok(())
}

const fn slice(mutable: bool) -> Param {
    Param { name: "y", kind: ParamKind::Slice { dtype: DType::F32, mutable } }
}

const fn instance(params: &'static [Param]) -> Instance {
    Instance { native: Some(Native::new(empty)), ..Instance::new(params) }
}

const fn def(instances: &'static [Instance]) -> KernelDef {
    KernelDef {
        meta: EntryMeta {
            package: "ringwood",
            name: "empty",
            module_path: module_path!(),
            file: file!(),
            line: 1,
        },
        form: Form::Host,
        devices: &[],
        instances,
    }
}

static EMPTY: KernelDef = def(&[instance(&[])]);
static READS: KernelDef = def(&[instance(&[slice(false); MANY])]);

/// The median time of a call in nanoseconds, without what `after` takes.
fn median(mut call: impl FnMut() -> Result<()>, after: impl Fn() -> Result<()>) -> Result<f64> {
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        rounds.push(start.elapsed().as_secs_f64() / CALLS as f64 * 1e9);
        after()?;
    }
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[ROUNDS / 2])
}

/// A routine whose only launch is of `def`, on `buffers` buffers, used in turn; without a kernel, one
/// that launches nothing.
fn routine(stream: &Stream, def: Option<&'static KernelDef>, buffers: usize) -> Result<Routine> {
    let device = stream.device();
    let (mut context, shape) = (Context::new(stream), Shape::vector(16));
    let mut program = LaunchProgram::new("empty");
    for i in 0..buffers as u64 {
        context = context.with(NodeId(i), &device.zeros(shape, DType::F32)?)?;
        program = program.given(NodeId(i), i.to_string(), shape, DType::F32);
    }
    device.synchronize(PATIENCE)?;
    if let Some(def) = def {
        let instance = &def.instances[0];
        let node = |i: usize| NodeId((i % buffers.max(1)) as u64);
        let args: Vec<_> = (0..instance.params.len()).map(node).collect();
        program = program.launch(Kernel::new(def, instance), args);
    }
    context.link(&device.compile(program)?)
}

#[kernel(device = cpu)]
fn shift(by: u32, x: &[u32], y: &mut [u32]) {
    let i = gid(0);
    y[i] = x[i] + by;
}

/// The time of one submission of a routine of [`STEPS`] small launches of a kernel that indexes:
/// prepared when it was linked, or, as each takes a bound index, launched one by one.
fn chain(stream: &Stream, prepared: bool) -> Result<f64> {
    let def = shift::ENTRY.declared::<KernelDef>().unwrap();
    let kernel = Kernel::new(def, &def.instances[0]);
    let (ids, shape) = ([NodeId(0), NodeId(1)], Shape::vector(16));
    let mut context = Context::new(stream);
    let mut program = LaunchProgram::new("chain").symbol("by", 0..10);
    for id in ids {
        context = context.with(id, &stream.device().zeros(shape, DType::U32)?)?;
        program = program.given(id, id.to_string(), shape, DType::U32);
    }
    let by = if prepared { 1_u32.into() } else { StepArg::symbol("by") };
    for i in 0..STEPS {
        let (from, to) = (ids[i % 2], ids[(i + 1) % 2]);
        program = program.launch(kernel.clone(), (by.clone(), from, to));
    }
    let (routine, bindings) =
        (context.link(&stream.device().compile(program)?)?, Bindings::new().set("by", 1));
    median(|| routine.submit(&bindings).map(drop), || stream.synchronize(PATIENCE))
}

/// The time of one submission on the thread that submits.
fn submit(stream: &Stream, def: Option<&'static KernelDef>, buffers: usize) -> Result<f64> {
    let (routine, bindings) = (routine(stream, def, buffers)?, Bindings::new());
    median(|| routine.submit(&bindings).map(drop), || stream.synchronize(PATIENCE))
}

fn main() -> Result<()> {
    let count = AtomicUsize::new(0);
    let done = || Ok(());
    let atomic = median(
        || {
            black_box(count.fetch_add(1, Ordering::AcqRel));
            Ok(())
        },
        done,
    )?;
    println!("one atomic increment                      {atomic:7.1} ns");
    let (send, receive) = crossbeam_channel::bounded::<Arc<()>>(2 * CALLS);
    let word = Arc::new(());
    let empty_channel = || {
        while receive.try_recv().is_ok() {}
        Ok(())
    };
    let sent = median(
        || {
            let _ = send.try_send(word.clone());
            Ok(())
        },
        empty_channel,
    )?;
    println!("one send to a channel that nobody reads   {sent:7.1} ns");
    let registry = Registry::builder().register(Cpu::ENTRY).register(Idle::ENTRY).build()?;
    let runtime = Runtime::new(registry);
    for (device, kind) in [("idle:0", "idle"), ("cpu:0", "sync"), ("cpu:0", "threaded")] {
        let stream = runtime.device(device)?.new_stream(kind)?;
        let nothing = submit(&stream, None, 0)?;
        let launch = submit(&stream, Some(&EMPTY), 0)?;
        let (one, many) = (submit(&stream, Some(&READS), 1)?, submit(&stream, Some(&READS), MANY)?);
        let each = (many - one) / (MANY - 1) as f64;
        println!("{kind:8}  routine without launches        {nothing:7.1} ns");
        println!("{kind:8}  routine of one empty kernel     {launch:7.1} ns");
        println!("{kind:8}  … with {MANY} slices of one buffer    {one:7.1} ns");
        println!("{kind:8}  … with {MANY} slices of {MANY} buffers    {many:7.1} ns");
        println!("{kind:8}  hazards, each buffer and submit {each:7.1} ns");
    }
    for kind in ["sync", "threaded"] {
        let stream = runtime.device("cpu:0")?.new_stream(kind)?;
        let [prepared, launched] = [true, false].map(|prepared| chain(&stream, prepared));
        let (prepared, launched) = (prepared?, launched?);
        let ratio = launched / prepared;
        println!("{kind:8}  {STEPS} launches, prepared         {prepared:7.1} ns");
        println!("{kind:8}  … one by one                    {launched:7.1} ns, {ratio:.1} times");
    }
    Ok(())
}
