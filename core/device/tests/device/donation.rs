//! Donation: buffers given to a routine, and parts of buffers.

use crate::routines::{X, Y, Z, append, at, holding, program, root, run, sum};
use crate::toy::REFUSING;
use crate::{LIMIT, bytes, device, fails, held, values};
use ringwood_base::{DType, ErrorKind, Shape};
use ringwood_device::device::{Bindings, Context, Device, Role, Routine, Target, Tensor};
use std::sync::Arc;

const GIVEN: &str = "was given to routine `sum` by donation";

fn both(device: &Device) -> (Context, Tensor) {
    let context = holding(device, 1.0);
    let y = device.tensor(&[2.0_f32; 4]).unwrap();
    (context.with(Y, &y).unwrap(), context.tensor(X).unwrap())
}

/// `z = x + y`, with `x` given away.
fn donating(context: &Context) -> Routine {
    let compiled = context.device().compile(sum()).unwrap();
    context.link_donating(&compiled, &[X]).unwrap()
}

#[test]
fn a_result_takes_the_memory_of_what_was_given() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let (context, x) = both(&device);
        let before = device.memory_in_use();
        let routine = donating(&context);
        assert_eq!(device.memory_in_use(), before, "the result needs no memory of its own");
        let z = routine.context().tensor(Z).unwrap();
        assert_eq!(z.buffer().id(), x.buffer().id());
        assert_eq!(values(&x), [1.0; 4], "nothing is taken before the routine is submitted");
        fails(z.to_vec::<f32>(), "is a result of a routine that takes it by donation and was not");
        run(&routine);
        assert_eq!(values(&z), [3.0; 4]);
        assert_eq!(at(&context, Y), [2.0; 4]);
        assert_eq!(x.buffer().donated_to().as_deref(), Some("sum"));
        assert_eq!(z.buffer().donated_to(), None);
    }
}

#[test]
fn a_routine_that_the_device_refuses_takes_nothing() {
    let device = device("toy:0");
    let (context, x) = both(&device);
    let routine = donating(&context);
    REFUSING.set(Some(0));
    fails(routine.submit(&Bindings::new()), "not now");
    REFUSING.set(None);
    assert_eq!(values(&x), [1.0; 4]);
    assert_eq!(x.buffer().donated_to(), None);
    run(&routine);
    assert_eq!(values(&routine.context().tensor(Z).unwrap()), [3.0; 4]);
}

#[test]
fn a_given_buffer_is_refused_wherever_it_is_used() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let (context, x) = both(&device);
        let (alias, child) = (x.clone(), context.with(Z, &x.duplicate().unwrap()).unwrap());
        let linked = child.link(&device.compile(sum()).unwrap()).unwrap();
        let other = device.new_stream("").unwrap();
        let part = x.buffer().part(0..4).unwrap();
        let routine = donating(&context);
        run(&routine);
        let error = fails(alias.to_vec::<f32>(), GIVEN);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(
            error.to_string().contains("pool 0 + 0") && error.to_string().contains("duplicate")
        );
        fails(x.clone().write(&[0.0_f32; 4]), GIVEN);
        fails(x.clone().host_mut(LIMIT, |_| ()), GIVEN);
        fails(x.duplicate(), GIVEN);
        fails(other.fill(x.region(), 0), GIVEN);
        fails(other.fill(part.region(), 0), GIVEN);
        fails(other.copy(context.tensor(Y).unwrap().region(), x.region()), GIVEN);
        fails(x.buffer().part(0..1), GIVEN);
        fails(linked.submit(&Bindings::new()), GIVEN);
        fails(routine.submit(&Bindings::new()), "a routine that was given a buffer runs once");
        let compiled = device.compile(sum()).unwrap();
        let error = fails(context.link(&compiled), GIVEN);
        assert_eq!(error.get("node"), Some("n0"));
        fails(context.link_donating(&compiled, &[X]), GIVEN);
        let download = context.to_host(X, Arc::new(|_| {})).unwrap();
        fails(download.submit(&Bindings::new()), GIVEN);
        for target in [Target::MergeSlot, Target::Streamed, Target::Node] {
            let moved = holding(&device, 5.0).transfer_from(&context, X, target).unwrap().unwrap();
            fails(moved.submit(&Bindings::new()), GIVEN);
        }
        fails(
            device.buffer_from(x.buffer().clone(), 16).and_then(|fresh| {
                assert_ne!(fresh.id(), x.buffer().id());
                x.to_bytes()
            }),
            GIVEN,
        );
        other.synchronize(LIMIT).unwrap();
        assert!(other.failure().is_none(), "a refusal does not fail the stream");
    }
}

#[test]
fn a_routine_waits_for_who_uses_what_it_was_given() {
    let device = device("toy:0");
    let (context, x) = both(&device);
    let copy = device.tensor(&[0.0_f32; 4]).unwrap();
    device.synchronize(LIMIT).unwrap();
    let (slow, gate) = held(&device);
    slow.copy(x.region(), copy.region()).unwrap();
    let routine = donating(&context);
    let done = routine.submit(&Bindings::new()).unwrap();
    let short = std::time::Duration::from_millis(30);
    assert_eq!(done.wait(short).unwrap_err().kind(), ErrorKind::Timeout);
    gate.open();
    done.wait(LIMIT).unwrap();
    assert_eq!((values(&copy), at(routine.context(), Z)), (vec![1.0; 4], vec![3.0; 4]));
}

#[test]
fn what_is_given_and_written_is_updated_in_place() {
    let device = device("toy:0");
    let triple = program("triple", &[(X, Role::Given)]);
    let triple = triple.launch("scale", (3.0_f32, X));
    let compiled = device.compile(triple).unwrap();
    let context = holding(&device, 2.0);
    let (old, mut routine) = (context.tensor(X).unwrap(), context.clone());
    for value in [6.0, 18.0, 54.0] {
        let step = routine.link_donating(&compiled, &[X]).unwrap();
        run(&step);
        routine = step.context().clone();
        assert_eq!(at(&routine, X), [value; 4]);
        assert_eq!(routine.tensor(X).unwrap().buffer().id(), old.buffer().id());
    }
    for _ in 0..40 {
        let step = routine.link_donating(&compiled, &[X]).unwrap();
        step.submit(&Bindings::new()).unwrap();
        routine = step.context().clone();
    }
    assert_eq!(at(&routine, X), [(0..43).fold(2.0, |x: f32, _| x * 3.0); 4]);
    fails(old.to_vec::<f32>(), "was given to routine `triple` by donation");
}

#[test]
fn donations_can_be_chained_before_any_is_submitted() {
    let device = device("toy:0");
    let (context, x) = both(&device);
    let first = donating(&context);
    // `x = z + y`, with `z` given away.
    let back = program("back", &[(Z, Role::Given), (Y, Role::Given), (X, Role::Scratch)]);
    let back = back.launch("add", [Z, Y, X]);
    let second = root(&device)
        .with_all([(Z, &first.context().tensor(Z).unwrap()), (Y, &context.tensor(Y).unwrap())])
        .unwrap()
        .link_donating(&device.compile(back).unwrap(), &[Z])
        .unwrap();
    fails(second.submit(&Bindings::new()), "submit that routine first");
    run(&first);
    run(&second);
    let last = second.context().tensor(X).unwrap();
    assert_eq!((values(&last), last.buffer().id()), (vec![5.0; 4], x.buffer().id()));
    fails(x.to_vec::<f32>(), GIVEN);
    fails(at_result(&first), "was given to routine `back` by donation");
}

fn at_result(routine: &Routine) -> ringwood_base::Result<Vec<f32>> {
    routine.context().tensor(Z)?.to_vec()
}

#[test]
fn memory_that_is_still_read_is_not_taken() {
    let device = device("toy:0");
    // `z` is written before `x` is read for the last time.
    let nodes = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    let late = program("late", &nodes).launch("add", [X, Y, Z]).launch("add", [Z, X, Y]);
    let compiled = device.compile(late).unwrap();
    let (context, old) = both(&device);
    let routine = context.link_donating(&compiled, &[X]).unwrap();
    let place = |node| routine.context().tensor(node).unwrap().buffer().id();
    assert_ne!(place(Z), old.buffer().id());
    run(&routine);
    assert_eq!(at(routine.context(), Y), [4.0; 4]);
    fails(old.to_vec::<f32>(), "was given to routine `late` by donation");
    // A smaller buffer does not hold a larger result.
    let (context, _) = both(&device);
    let small = device.tensor(&[1.0_f32]).unwrap();
    let small_first = program("small", &[(Y, Role::Given), (Z, Role::Scratch)])
        .given(X, "x", Shape::vector(1), DType::F32)
        .launch("add", [X, Y, Y])
        .launch("add", [Y, Y, Z]);
    let compiled = device.compile(small_first).unwrap();
    let context = context.with(X, &small).unwrap();
    let routine = context.link_donating(&compiled, &[X]).unwrap();
    run(&routine);
    assert_eq!(at(routine.context(), Z), [6.0; 4]);
}

#[test]
fn donations_that_make_no_sense_are_refused_at_link() {
    let device = device("toy:0");
    let (context, _) = both(&device);
    let compiled = device.compile(sum()).unwrap();
    let refused = |context: &Context, nodes: &[_], needle: &str| {
        let error = fails(context.link_donating(&compiled, nodes), needle);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    };
    refused(&context, &[X, X], "node n0 cannot be given to routine `sum`: it is given twice");
    let unknown = ringwood_device::device::NodeId(9);
    refused(&context, &[unknown], "no step uses it");
    let all = device.tensor(&[1.0_f32; 8]).unwrap();
    let part = context.with(X, &all.rows(0..4).unwrap()).unwrap();
    refused(&part, &[X], "it is a part of a buffer");
    let x = context.tensor(X).unwrap();
    refused(&context.with(Y, &x).unwrap(), &[X], "node n1 is in the same buffer");
    let lacking = root(&device).link_donating(&device.compile(append()).unwrap(), &[Y]);
    fails(lacking, "does not hold node n1");
}

#[test]
fn parts_share_memory_and_order() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let whole = device.tensor(&[1.0_f32; 8]).unwrap();
        let part = whole.buffer().part(16..32).unwrap();
        let inner = part.part(8..16).unwrap();
        assert_eq!(
            (part.bytes(), inner.bytes(), inner.id().to_string()),
            (16, 8, "pool 0 + 24".into())
        );
        let tensor = Tensor::new(inner.clone(), 4, Shape::vector(1), DType::F32).unwrap();
        tensor.clone().write(&[7.0_f32]).unwrap();
        assert_eq!(values(&whole), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7.0]);
        device.synchronize(LIMIT).unwrap();
        let (slow, gate) = held(&device);
        slow.write(bytes(3.0), part.region()).unwrap();
        assert!(!whole.buffer().is_idle() && !inner.is_idle());
        let fast = device.new_stream("free").unwrap();
        fast.copy(inner.region(), whole.buffer().part(0..8).unwrap().region()).unwrap();
        let short = std::time::Duration::from_millis(30);
        assert_eq!(fast.synchronize(short).unwrap_err().kind(), ErrorKind::Timeout);
        gate.open();
        fast.synchronize(LIMIT).unwrap();
        assert_eq!(values(&whole), [3.0, 3.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0]);
        fails(fast.copy(part.region(), inner.part(0..8).unwrap().region()), "8 bytes");
        let overlapping = whole.buffer().part(12..20).unwrap();
        let low = part.part(0..8).unwrap();
        fails(fast.copy(low.region(), overlapping.region()), "overlap");
        let error = fails(part.part(8..17), "part 8..17 leaves a buffer of 16 bytes");
        assert_eq!(error.kind(), ErrorKind::OutOfBounds);
        assert!(!part.same(&inner) && part.same(&whole.buffer().part(16..32).unwrap()));
    }
}

#[test]
fn a_part_keeps_the_memory_of_its_buffer() {
    let device = device("toy:0");
    let part = device.buffer(64).unwrap().part(60..64).unwrap();
    assert_eq!(device.memory_in_use(), 64);
    let part = device.buffer_from(part, 4).unwrap();
    assert_eq!((part.bytes(), device.memory_in_use()), (4, 64));
    drop(part);
    assert_eq!(device.memory_in_use(), 0);
}
