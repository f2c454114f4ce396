//! Donation and streamed merges between streams of any speed.

use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::{EntryMeta, Registry};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{
    Bindings, Compiled, Context, Device, Kernel, LaunchProgram, Node, NodeId, Role, Runtime,
    StepArg, StepArgs, Stream, Target, Tensor, Wait,
};
use ringwood_device::kernel::{
    Form, Instance, KernelDef, Native, NativeArg, NativeLaunch, Param, ParamKind,
};
use std::ops::Range;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

const N: usize = 256;
const ROUNDS: usize = 4;
const X: NodeId = NodeId(0);
const Y: NodeId = NodeId(1);
const Z: NodeId = NodeId(2);

const fn param(name: &'static str, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::F32, mutable } }
}

/// `out = a + b`
static ADD: KernelDef = KernelDef {
    meta: EntryMeta {
        package: "ringwood",
        name: "add",
        module_path: module_path!(),
        file: "routines.rs",
        line: 1,
    },
    form: Form::Map,
    devices: &["cpu"],
    instances: &[Instance {
        native: Some(Native::new(add)),
        rank: 1,
        ..Instance::new(&[param("a", false), param("b", false), param("out", true)])
    }],
};

fn add(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let element = |arg: usize, i: usize| {
        let NativeArg::Slice(slice) = launch.args()[arg] else { panic!("{arg} is a scalar") };
        assert!((i + 1) * 4 <= slice.bytes() && slice.strides().is_none());
        // SAFETY: the element lies in the slice, as was just checked.
        unsafe { slice.data().cast::<f32>().as_ptr().add(i) }
    };
    for i in range {
        // SAFETY: the backend lends the elements for this call, those of `out` to this thread alone.
        unsafe { element(2, i).write(element(0, i).read() + element(1, i).read()) };
    }
    Ok(())
}

/// As [`ADD`], and calls what [`HOOK`] holds.
static CALLING_ADD: KernelDef = KernelDef {
    meta: EntryMeta { name: "calling_add", ..ADD.meta },
    instances: &[Instance { native: Some(Native::new(calling_add)), ..ADD.instances[0] }],
    ..ADD
};

type Hook = Box<dyn FnOnce() + Send>;

static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

fn calling_add(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let hook = HOOK.lock().unwrap().take();
    if let Some(hook) = hook {
        hook();
    }
    add(launch, range)
}

fn program(device: &Device, name: &str, roles: &[(NodeId, Role)], args: impl StepArgs) -> Compiled {
    program_of(&ADD, device, name, roles, args)
}

fn program_of(
    kernel: &'static KernelDef,
    device: &Device,
    name: &str,
    roles: &[(NodeId, Role)],
    args: impl StepArgs,
) -> Compiled {
    let (shape, dtype) = (Shape::vector(N), DType::F32);
    let program = roles.iter().fold(LaunchProgram::new(name), |program, (id, role)| {
        program.node(Node { id: *id, name: id.to_string(), shape, dtype, role: role.clone() })
    });
    device.compile(program.launch(Kernel::new(kernel, &kernel.instances[0]), args)).unwrap()
}

fn filled(device: &Device, value: f32) -> Tensor {
    device.tensor(&[value; N]).unwrap()
}

fn bytes(value: f32) -> Arc<[u8]> {
    [value; N].iter().flat_map(|value| value.to_ne_bytes()).collect()
}

/// In each round the producer's `x` is written, merged by the consumer where it lies, and given to
/// `z = x + y`; an observer copies `z`, which becomes the next `x`. Returns what was observed, and the
/// consumer's sum.
fn rounds(device: &Device, kinds: [&str; 3]) -> Result<(Vec<f32>, f32)> {
    let merge = (X, StepArg::Merge(X), X);
    let merge = program(device, "merge", &[(X, Role::Given)], merge);
    let roles = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    let sum = program(device, "sum", &roles, [X, Y, Z]);
    let [producer, consumer, observer] = kinds.map(|kind| device.new_stream(kind).unwrap());
    let given = [(X, &filled(device, 0.0)), (Y, &filled(device, 100.0))];
    let mut from = Context::new(&producer).with_all(given)?;
    let into = Context::new(&consumer).with(X, &filled(device, 0.5))?;
    let (run, mut seen, memory) = (Bindings::new(), Vec::new(), device.memory_in_use());
    for round in 0..ROUNDS {
        let upload = from.from_host(X, bytes(round as f32 + 1.0)).map(Option::unwrap)?;
        upload.submit(&run)?;
        let stream = into.transfer_from(&from, X, Target::Streamed).map(Option::unwrap)?;
        stream.submit(&run)?;
        stream.context().link(&merge)?.submit(&run)?;
        let routine = from.link_donating(&sum, &[X])?;
        assert_eq!(device.memory_in_use(), memory + round * N * 4, "results take no memory");
        routine.submit(&run)?;
        let z = routine.context().tensor(Z)?;
        seen.push(copied(&observer, device, &z)?);
        from = from.with(X, &z)?;
    }
    let seen = seen.iter().map(only).collect::<Result<_>>()?;
    Ok((seen, only(&into.tensor(X)?)?))
}

/// A copy, made on a stream.
fn copied(stream: &Stream, device: &Device, source: &Tensor) -> Result<Tensor> {
    let copy = device.empty(Shape::vector(N), DType::F32)?;
    stream.copy(source.region(), copy.region())?;
    Ok(copy)
}

/// The value of all elements.
fn only(tensor: &Tensor) -> Result<f32> {
    let values = tensor.to_vec::<f32>()?;
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
    Ok(values[0])
}

fn device() -> Device {
    let runtime = Runtime::new(Registry::builder().register(Cpu::ENTRY).build().unwrap());
    runtime.device("cpu:0").unwrap()
}

fn expected() -> (Vec<f32>, f32) {
    (vec![101.0, 102.0, 103.0, 104.0], 0.5 + 1.0 + 2.0 + 3.0 + 4.0)
}

/// Streams whose delays `seed` decides on.
fn chaos(device: &Device, seed: usize) -> Result<(Vec<f32>, f32)> {
    let kinds = [0, 1, 2].map(|i| format!("chaos:{}", seed * 3 + i));
    rounds(device, kinds.each_ref().map(String::as_str))
}

#[test]
fn the_speeds_of_streams_change_nothing() {
    let device = device();
    assert_eq!(rounds(&device, ["sync"; 3]).unwrap(), expected());
    for _ in 0..10 {
        assert_eq!(rounds(&device, ["threaded"; 3]).unwrap(), expected());
    }
    for seed in 0..100 {
        assert_eq!(chaos(&device, seed).unwrap(), expected(), "seed {seed}");
    }
}

#[test]
fn without_a_wait_they_do() {
    for wait in [Wait::ReadAfterWrite, Wait::WriteAfterRead] {
        let device = device();
        // SAFETY: the CPU's memory refuses two commands that meet.
        unsafe { device.omit_wait(wait, true) };
        let wrong = (0..100).any(|seed| chaos(&device, seed).ok() != Some(expected()));
        assert!(wrong, "{wait:?} is not needed");
    }
}

/// Runs `work` on a thread of its own, as what waits for itself ends no test, and receives what it sends.
fn answer<T: Send + 'static>(work: impl FnOnce(mpsc::Sender<T>) + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || work(send));
    receive.recv_timeout(Duration::from_secs(20)).expect("it does not wait for itself")
}

#[test]
fn a_sink_links_what_its_submission_reads() {
    let device = device();
    let roles = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    let sum = program(&device, "sum", &roles, [X, Y, Z]);
    let stream = device.new_stream("sync").unwrap();
    let x = filled(&device, 1.0);
    let context = Context::new(&stream).with_all([(X, &x), (Y, &filled(&device, 2.0))]).unwrap();
    let linked = answer(move |send| {
        let links = move |_: Result<&[u8]>| send.send(context.link(&sum)).unwrap();
        stream.read(x.region(), Box::new(links)).unwrap();
    });
    let linked = linked.unwrap();
    linked.submit(&Bindings::new()).unwrap();
    assert_eq!(only(&linked.context().tensor(Z).unwrap()).unwrap(), 3.0);
}

#[test]
fn a_kernel_of_a_merge_that_fills_or_empties_its_slot_is_refused() {
    let device = device();
    let stream = device.new_stream("sync").unwrap();
    let context = |value| Context::new(&stream).with(X, &filled(&device, value)).unwrap();
    let (from, into) = (context(1.0), context(2.0));
    let fill = |target| into.transfer_from(&from, X, target).unwrap().unwrap();
    let fills = [Target::MergeSlot, Target::Streamed].map(fill);
    let merge = (X, StepArg::Merge(X), X);
    let merge = program_of(&CALLING_ADD, &device, "merge", &[(X, Role::Given)], merge);
    let merge = fills[0].context().link(&merge).unwrap();
    fills[0].submit(&Bindings::new()).unwrap();
    let [by_copy, streamed] = fills;
    let refused = answer(move |send| {
        let inner = [by_copy, streamed, merge.clone()];
        let submits = move || {
            let errors = inner.map(|routine| routine.submit(&Bindings::new()).unwrap_err());
            send.send(errors).unwrap();
        };
        *HOOK.lock().unwrap() = Some(Box::new(submits));
        merge.submit(&Bindings::new()).unwrap();
    });
    for error in refused {
        assert!(error.message().contains("while work was being submitted"), "{error}");
    }
    assert_eq!(only(&into.tensor(X).unwrap()).unwrap(), 3.0);
}
