//! Contexts, programs, routines and transfers.

use crate::toy::REFUSING;
use crate::{LIMIT, device, fails, held, runtime, shape, values};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::device::{
    Bindings, Compiled, Context, Device, LaunchProgram, Node, NodeId, Role, Routine, StepArg,
    Target,
};
use std::sync::{Arc, Mutex};

pub(crate) const X: NodeId = NodeId(0);
pub(crate) const Y: NodeId = NodeId(1);
pub(crate) const Z: NodeId = NodeId(2);

/// A program without steps of nodes of four floats.
pub(crate) fn program(name: &str, nodes: &[(NodeId, Role)]) -> LaunchProgram {
    nodes.iter().fold(LaunchProgram::new(name), |program, (id, role)| {
        let name = ["x", "y", "z"][id.0 as usize].to_owned();
        let (shape, dtype, role) = (Shape::vector(4), DType::F32, role.clone());
        program.node(Node { id: *id, name, shape, dtype, role })
    })
}

/// `z = x + y`.
pub(crate) fn sum() -> LaunchProgram {
    let nodes = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    program("sum", &nodes).launch("add", [X, Y, Z])
}

/// `y = y * 10 + i`, with `i` in 1..9.
pub(crate) fn append() -> LaunchProgram {
    program("append", &[(Y, Role::Working)])
        .symbol("i", 1..9)
        .launch("append", (StepArg::symbol("i"), Y))
}

/// `x += x of another context`.
pub(crate) fn merge() -> LaunchProgram {
    program("merge", &[(X, Role::Given)]).launch("add", (X, StepArg::Merge(X), X))
}

/// A program whose kernel fails with "on purpose".
fn failing() -> LaunchProgram {
    program("failing", &[(Y, Role::Working)]).launch("fail", [Y])
}

pub(crate) fn root(device: &Device) -> Context {
    Context::new(&device.stream().unwrap())
}

/// A context in which `X` holds this value four times.
pub(crate) fn holding(device: &Device, value: f32) -> Context {
    root(device).with(X, &device.tensor(&[value; 4]).unwrap()).unwrap()
}

pub(crate) fn run(routine: &Routine) {
    routine.submit(&Bindings::new()).unwrap().wait(LIMIT).unwrap();
}

pub(crate) fn at(context: &Context, node: NodeId) -> Vec<f32> {
    values(&context.tensor(node).unwrap())
}

#[test]
fn a_program_runs_on_the_tensors_of_a_context() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let compiled = device.compile(sum()).unwrap();
        assert_eq!((compiled.inputs(), compiled.outputs()), (&[X, Y][..], &[Z][..]));
        let y = device.tensor(&[2.0_f32; 4]).unwrap();
        let context = holding(&device, 1.0).with(Y, &y).unwrap();
        let routine = context.link(&compiled).unwrap();
        assert!(!context.contains(Z), "a context never changes");
        for i in 0..3 {
            y.clone().write(&[i as f32; 4]).unwrap();
            run(&routine);
            assert_eq!(at(routine.context(), Z), [1.0 + i as f32; 4]);
        }
        assert_eq!(routine.context().nodes().collect::<Vec<_>>(), [X, Y, Z]);
        assert_eq!(format!("{routine:?}"), format!("Routine(sum: [n0, n1] -> [n2] on {name})"));
    }
}

#[test]
fn a_child_outlives_its_parents_and_its_routine() {
    let device = device("toy:0");
    let routine = {
        let y = device.tensor(&[2.0_f32; 4]).unwrap();
        let context = holding(&device, 1.0).with(Y, &y).unwrap();
        context.link(&device.compile(sum()).unwrap()).unwrap()
    };
    let completion = routine.submit(&Bindings::new()).unwrap();
    let z = routine.context().tensor(Z).unwrap();
    drop(routine);
    completion.wait(LIMIT).unwrap();
    assert_eq!(values(&z), [3.0; 4]);
}

#[test]
fn working_memory_starts_at_zero_and_is_each_node_s_own() {
    let device = device("toy:0");
    let working = program("p", &[X, Y, Z].map(|id| (id, Role::Working))).launch("add", [X, Y, Z]);
    let routine = root(&device).link(&device.compile(working).unwrap()).unwrap();
    let place = |node| routine.context().tensor(node).unwrap().buffer().id().to_string();
    assert_eq!([X, Y, Z].map(place), ["pool 0 + 0", "pool 1 + 0", "pool 2 + 0"]);
    assert_eq!(at(routine.context(), Y), [0.0; 4]);
    let kept = routine.context().tensor(X).unwrap();
    drop(routine);
    device.synchronize(LIMIT).unwrap();
    assert_eq!(device.memory_in_use(), 16, "one node keeps its own memory");
    drop(kept);
    device.synchronize(LIMIT).unwrap();
    assert_eq!(device.memory_in_use(), 0);
}

#[test]
fn a_missing_node_is_named_with_its_routine() {
    let device = device("toy:0");
    let compiled = device.compile(sum()).unwrap();
    let error = fails(holding(&device, 1.0).link(&compiled), "routine `sum` needs node `y` (n1)");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    fails(root(&device).tensor(X), "does not hold node n0");
}

#[test]
fn tensors_that_do_not_fit_their_node_are_refused_at_link() {
    let runtime = runtime();
    let (device, other) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let compiled = device.compile(sum()).unwrap();
    let wrong = device.tensor(&[1.0_f32; 3]).unwrap();
    let context = holding(&device, 1.0).with(Y, &wrong).unwrap();
    fails(context.link(&compiled), "takes node `y` as f32 [4], the context has f32 [3]");
    let far = other.tensor(&[1.0_f32; 4]).unwrap();
    fails(context.with(Y, &far), "node n1 is on toy:1, the context is on toy:0");
    fails(root(&other).link(&compiled), "is compiled for toy:0, the context is on toy:1");
    let x = device.tensor(&[1.0_f32; 8]).unwrap();
    let (low, high) = (x.rows(0..4).unwrap(), x.rows(2..6).unwrap());
    let aliased = holding(&device, 1.0).with_all([(Y, &low), (Z, &high)]).unwrap();
    fails(aliased.link(&compiled), "writes memory that argument 1 shares");
    let in_place = holding(&device, 1.0).with_all([(Y, &low), (Z, &low)]).unwrap();
    run(&in_place.link(&compiled).unwrap());
    assert_eq!(values(&low), [2.0; 4]);
}

#[test]
fn bindings_are_captured_at_submit_and_checked() {
    let device = device("toy:0");
    let (stream, gate) = held(&device);
    let routine = Context::new(&stream).link(&device.compile(append()).unwrap()).unwrap();
    let mut bindings = Bindings::new();
    for i in [1, 8, 3] {
        bindings = bindings.set("i", i).set("other", 100);
        routine.submit(&bindings).unwrap();
    }
    for i in [0, 9, i64::MIN] {
        let error = fails(routine.submit(&bindings.clone().set("i", i)), "outside of 1..9");
        assert_eq!(error.get("routine"), Some("append"));
    }
    let error = fails(routine.submit(&Bindings::new()), "symbol `i` is not bound");
    assert_eq!(error.get("routine"), Some("append"));
    gate.open();
    stream.synchronize(LIMIT).unwrap();
    assert_eq!(at(routine.context(), Y), [183.0; 4]);
}

#[test]
fn a_batch_keeps_names_and_gaps_and_shares_what_two_programs_add() {
    let device = device("toy:0");
    let second = LaunchProgram { name: "again".into(), ..append() };
    let batch = device.compile_batch(vec![Some(append()), None, Some(second)]).unwrap();
    assert!(batch[1].is_none());
    let batch: Vec<Option<&Compiled>> = batch.iter().map(Option::as_ref).collect();
    let (context, routines) = root(&device).link_batch(&batch).unwrap();
    let names: Vec<_> = routines.iter().map(|r| r.as_ref().map(|r| r.name().to_owned())).collect();
    assert_eq!(names, [Some("append".into()), None, Some("again".into())]);
    for (routine, i) in routines.iter().flatten().zip([4, 2]) {
        routine.submit(&Bindings::new().set("i", i)).unwrap();
    }
    assert_eq!(at(&context, Y), [42.0; 4], "both use one tensor");
    let wide = LaunchProgram::new("wide").working(Y, "y", Shape::vector(5), DType::F32);
    let wide = device.compile(wide).unwrap();
    assert!(root(&device).link(&wide).is_ok(), "a node that no step uses is not placed");
}

#[test]
fn transfers_are_routines_and_none_when_there_is_nothing_to_do() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let context = holding(&device, 1.0);
        let upload = context.from_host(X, crate::bytes(6.0)).unwrap().unwrap();
        run(&upload);
        assert_eq!(at(&context, X), [6.0; 4]);
        assert_eq!((upload.inputs(), upload.outputs()), (&[][..], &[X][..]));
        let got = Arc::new(Mutex::new(Vec::new()));
        let sink = {
            let got = got.clone();
            Arc::new(move |bytes: Result<&[u8]>| {
                got.lock().unwrap().push(bytes.map(<[u8]>::to_vec));
            })
        };
        let download = context.to_host(X, sink.clone()).unwrap();
        run(&download);
        run(&download);
        let got: Vec<_> = got.lock().unwrap().drain(..).map(Result::unwrap).collect();
        assert_eq!(got, [crate::bytes(6.0).to_vec(), crate::bytes(6.0).to_vec()]);
        assert!(context.from_host(Y, crate::bytes(6.0)).unwrap().is_none());
        assert!(context.to_host(Y, sink).is_none());
        fails(context.from_host(X, Arc::from([0_u8; 3])), "3 bytes do not fill node n0");
        let (other, empty) = (holding(&device, 2.0), root(&device));
        assert!(context.transfer_from(&empty, X, Target::Node).unwrap().is_none());
        assert!(empty.transfer_from(&context, X, Target::Node).unwrap().is_none());
        assert!(context.transfer_from(&context, X, Target::Node).unwrap().is_none());
        let copy = context.transfer_from(&other, X, Target::Node).unwrap().unwrap();
        assert_eq!(at(&context, X), [6.0; 4], "nothing runs before it is submitted");
        run(&copy);
        assert_eq!(at(&context, X), [2.0; 4]);
        let short = root(&device).with(X, &device.tensor(&[1.0_f32]).unwrap()).unwrap();
        fails(context.transfer_from(&short, X, Target::Node), "node n0 is");
    }
}

#[test]
fn a_node_moves_between_the_devices_of_all_backends() {
    let devices = runtime().devices().unwrap();
    for from in &devices {
        for to in &devices {
            let (source, target) = (holding(from, 3.0), holding(to, 0.0));
            run(&target.transfer_from(&source, X, Target::Node).unwrap().unwrap());
            assert_eq!(at(&target, X), [3.0; 4]);
            let slot = target.transfer_from(&source, X, Target::MergeSlot).unwrap().unwrap();
            run(&slot);
            run(&slot.context().link(&to.compile(merge()).unwrap()).unwrap());
            assert_eq!((at(&target, X), at(&source, X)), (vec![6.0; 4], vec![3.0; 4]));
        }
    }
}

#[test]
fn a_failed_step_fails_the_submissions_that_follow() {
    let device = device("toy:0");
    let failing = device.compile(failing()).unwrap();
    let routine = root(&device).link(&failing).unwrap();
    let completion = routine.submit(&Bindings::new()).unwrap();
    fails(completion.wait(LIMIT), "on purpose");
    fails(routine.submit(&Bindings::new()), "on purpose");
    let fresh = Context::new(&device.new_stream("").unwrap());
    let fresh = fresh.with(Y, &routine.context().tensor(Y).unwrap()).unwrap();
    let next = fresh.link(&device.compile(append()).unwrap()).unwrap();
    let outcome = next.submit(&Bindings::new().set("i", 1)).and_then(|c| c.wait(LIMIT));
    fails(outcome, "on purpose");
}

#[test]
fn an_empty_program_and_an_empty_domain_complete() {
    let device = device("toy:0");
    run(&root(&device).link(&device.compile(LaunchProgram::new("none")).unwrap()).unwrap());
    let empty = LaunchProgram::new("empty")
        .working(X, "x", shape(&[0]), DType::F32)
        .working(Y, "y", shape(&[0]), DType::F32)
        .launch("add", [X, X, Y]);
    run(&root(&device).link(&device.compile(empty).unwrap()).unwrap());
}

#[test]
fn a_routine_of_nothing_is_over_when_what_came_before_is() {
    let device = device("toy:0");
    let nothing = device.compile(LaunchProgram::new("none")).unwrap();
    let (slow, gate) = held(&device);
    let routine = Context::new(&slow).link(&nothing).unwrap();
    let tensor = device.tensor(&[1.0_f32; 4]).unwrap();
    slow.fill(tensor.region(), 0).unwrap();
    let completion = routine.submit(&Bindings::new()).unwrap();
    assert!(!completion.is_done(), "the fill has not run");
    gate.open();
    completion.wait(LIMIT).unwrap();
    assert_eq!(values(&tensor), [0.0; 4]);
    let failing = device.compile(failing()).unwrap();
    let failing = Context::new(&slow).link(&failing).unwrap();
    fails(failing.submit(&Bindings::new()).and_then(|c| c.wait(LIMIT)), "on purpose");
    fails(routine.submit(&Bindings::new()), "on purpose");
}

#[test]
fn what_no_routine_computed_yet_is_not_read() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let context = holding(&device, 2.0).with(Y, &device.tensor(&[3.0_f32; 4]).unwrap());
        let first = context.unwrap().link(&device.compile(sum()).unwrap()).unwrap();
        let second = program("twice", &[(Z, Role::Given), (X, Role::Given)]);
        let second = second.launch("add", [Z, Z, X]);
        let second = first.context().link(&device.compile(second).unwrap()).unwrap();
        let unwritten = "node `z` (n2) holds nothing yet: routine `sum` computes it; submit that";
        let error = fails(second.submit(&Bindings::new()), unwritten);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        fails(first.context().tensor(Z).unwrap().to_vec::<f32>(), unwritten);
        fails(first.context().tensor(Z).unwrap().duplicate(), unwritten);
        REFUSING.set(Some(0));
        fails(first.submit(&Bindings::new()), "not now");
        REFUSING.set(None);
        fails(second.submit(&Bindings::new()), unwritten);
        run(&first);
        run(&second);
        assert_eq!(at(first.context(), X), [10.0; 4]);
    }
}

#[test]
fn a_routine_that_is_refused_in_its_middle_fails_its_stream_and_what_it_writes() {
    for (name, runs_before) in
        [("toy:0", true), ("toy:0", false), ("shared:0", true), ("shared:0", false)]
    {
        let device = device(name);
        let context = holding(&device, 2.0).with(Y, &device.tensor(&[3.0_f32; 4]).unwrap());
        let twice = sum().launch("add", [Z, Y, Z]);
        let routine = context.unwrap().link(&device.compile(twice).unwrap()).unwrap();
        let (reader, other) =
            (device.new_stream("free").unwrap(), device.new_stream("free").unwrap());
        let z = routine.context().tensor(Z).unwrap();
        if runs_before {
            run(&routine);
            assert_eq!(values(&z), [8.0; 4]);
        }
        REFUSING.set(Some(1));
        fails(routine.submit(&Bindings::new()), "not now");
        REFUSING.set(None);
        assert_eq!(at(routine.context(), X), [2.0; 4], "what it reads stays");
        for _ in 0..2 {
            fails(z.to_vec::<f32>(), "not now");
        }
        fails(reader.scope(|| z.duplicate()).and_then(|z| z.to_vec::<f32>()), "not now");
        fails(other.fill(z.region(), 0), "not now");
        fails(routine.submit(&Bindings::new()), "not now");
        assert!(z.buffer().failure().is_some());
        let report = device.report();
        let failed = report.streams.iter().find(|s| s.id == routine.stream().id()).unwrap();
        assert_eq!(failed.done + 1, failed.submitted, "{failed:?}");
        // The default stream is a new one.
        assert_eq!(values(&device.tensor(&[1.0_f32; 4]).unwrap()), [1.0; 4]);
    }
}
