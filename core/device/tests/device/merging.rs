//! Merge slots: by copy and by streaming.

use crate::routines::{X, Y, Z, at, holding, merge, program, root, run, sum};
use crate::{LIMIT, bytes, device, fails, held, runtime, shape, values};
use ringwood_base::{DType, ErrorKind};
use ringwood_device::device::{
    Bindings, Context, Device, MergeTree, NodeId, Role, StepArg, Target, merge_pairs,
};

#[test]
fn a_merge_mismatch_is_found_at_link() {
    let device = device("toy:0");
    let compiled = device.compile(merge()).unwrap();
    assert_eq!((compiled.merge_input(), compiled.inputs()), (Some(X), &[X][..]));
    let y = device.tensor(&[5.0_f32; 4]).unwrap();
    let (context, source) = (holding(&device, 1.0), holding(&device, 2.0).with(Y, &y).unwrap());
    let error = fails(context.link(&compiled), "merges node n0, the merge slot holds nothing");
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    let other = context.transfer_from(&source, Y, Target::MergeSlot).unwrap().unwrap();
    fails(other.context().link(&compiled), "merges node n0, the merge slot holds node n1");
    let right = other.context().transfer_from(&source, X, Target::MergeSlot).unwrap().unwrap();
    let routine = right.context().link(&compiled).unwrap();
    fails(routine.submit(&Bindings::new()), "the merge slot holds nothing");
    run(&other);
    fails(routine.submit(&Bindings::new()), "the merge slot holds node n1");
    run(&right);
    run(&routine);
    assert_eq!(at(&context, X), [3.0; 4]);
    // A transfer that was forgotten is no second merge of the old value.
    let forgotten = fails(routine.submit(&Bindings::new()), "the merge slot holds nothing");
    assert!(forgotten.to_string().contains("submit the transfer before it, for each use"));
    assert_eq!(at(&context, X), [3.0; 4]);
    run(&right);
    run(&routine);
    assert_eq!(at(&context, X), [5.0; 4]);
}

#[test]
fn a_merge_slot_that_grows_never_touches_a_source() {
    let device = device("toy:0");
    let wide = device.tensor(&[9.0_f32; 64]).unwrap();
    let source = holding(&device, 2.0).with(Y, &wide).unwrap();
    let target = holding(&device, 1.0);
    for node in [X, Y, X] {
        run(&target.transfer_from(&source, node, Target::MergeSlot).unwrap().unwrap());
    }
    assert_eq!((at(&source, X), at(&source, Y)), (vec![2.0; 4], vec![9.0; 64]));
}

#[test]
fn a_merge_of_another_shape_or_type_is_found_at_link() {
    let device = device("toy:0");
    let compiled = device.compile(merge()).unwrap();
    let context = holding(&device, 1.0);
    for target in [Target::MergeSlot, Target::Streamed] {
        let short = root(&device).with(X, &device.tensor(&[1.0_f32; 2]).unwrap()).unwrap();
        let slot = context.transfer_from(&short, X, target).unwrap().unwrap();
        let error = fails(
            slot.context().link(&compiled),
            "merges node n0 as f32 [4], the merge slot holds it as f32 [2]",
        );
        assert_eq!(error.kind(), ErrorKind::Shape);
        let wide = root(&device).with(X, &device.tensor(&[1.0_f64; 4]).unwrap()).unwrap();
        let slot = context.transfer_from(&wide, X, target).unwrap().unwrap();
        let error = fails(slot.context().link(&compiled), "the merge slot holds it as f64 [4]");
        assert_eq!(error.kind(), ErrorKind::DType);
        // What linking could not see is refused at submit: another context filled the same slot.
        let right = context.transfer_from(&holding(&device, 2.0), X, target).unwrap().unwrap();
        let routine = right.context().link(&compiled).unwrap();
        slot.submit(&Bindings::new()).unwrap();
        fails(routine.submit(&Bindings::new()), "the merge slot holds it as f64 [4]");
        run(&right);
        run(&routine);
        context.tensor(X).unwrap().write(&[1.0_f32; 4]).unwrap();
    }
}

#[test]
fn a_streamed_merge_reads_the_source_in_its_place() {
    let device = device("toy:0");
    let compiled = device.compile(merge()).unwrap();
    let (context, source) = (holding(&device, 1.0), holding(&device, 2.0));
    let before = device.memory_in_use();
    let slot = context.transfer_from(&source, X, Target::Streamed).unwrap().unwrap();
    assert_eq!((slot.name(), slot.context().merge_node()), ("stream n0", Some(X)));
    let routine = slot.context().link(&compiled).unwrap();
    run(&slot);
    run(&routine);
    assert_eq!(at(&context, X), [3.0; 4]);
    fails(routine.submit(&Bindings::new()), "the merge slot holds nothing");
    run(&slot);
    run(&routine);
    assert_eq!(at(&context, X), [5.0; 4]);
    assert_eq!((device.memory_in_use(), at(&source, X)), (before, vec![2.0; 4]));
    let copy = context.transfer_from(&source, X, Target::MergeSlot).unwrap().unwrap();
    run(&copy);
    assert_eq!(device.memory_in_use(), before + 16, "a copy has memory of its own");
    run(&slot);
    run(&copy);
    assert_eq!(at(&source, X), [2.0; 4], "the slot's own memory is never a source's");
}

#[test]
fn a_streamed_merge_waits_for_the_producer_and_the_producer_for_it() {
    let device = device("toy:0");
    let compiled = device.compile(merge()).unwrap();
    let (producer, first) = held(&device);
    let (consumer, second) = held(&device);
    let context = |stream: &_, value: f32| {
        Context::new(stream).with(X, &device.tensor(&[value; 4]).unwrap()).unwrap()
    };
    let (source, target) = (context(&producer, 2.0), context(&consumer, 1.0));
    let x = source.tensor(X).unwrap();
    producer.write(bytes(7.0), x.region()).unwrap();
    let slot = target.transfer_from(&source, X, Target::Streamed).unwrap().unwrap();
    slot.submit(&Bindings::new()).unwrap();
    let merged = slot.context().link(&compiled).unwrap().submit(&Bindings::new()).unwrap();
    producer.write(bytes(9.0), x.region()).unwrap();
    second.open();
    let short = std::time::Duration::from_millis(30);
    assert_eq!(merged.wait(short).unwrap_err().kind(), ErrorKind::Timeout, "it reads what is made");
    first.open();
    merged.wait(LIMIT).unwrap();
    assert_eq!(at(&target, X), [8.0; 4]);
    assert_eq!(values(&x), [9.0; 4]);
}

#[test]
fn what_was_written_since_it_was_streamed_is_refused() {
    let device = device("toy:0");
    let (context, source) = (holding(&device, 1.0), holding(&device, 2.0));
    let slot = context.transfer_from(&source, X, Target::Streamed).unwrap().unwrap();
    let routine = slot.context().link(&device.compile(merge()).unwrap()).unwrap();
    run(&slot);
    source.tensor(X).unwrap().write(&[3.0_f32; 4]).unwrap();
    for _ in 0..2 {
        let error = fails(routine.submit(&Bindings::new()), "was written after it was streamed");
        assert_eq!(error.kind(), ErrorKind::Mismatch);
    }
    run(&slot);
    run(&routine);
    assert_eq!(at(&context, X), [4.0; 4]);
}

#[test]
fn a_stream_from_another_device_is_refused() {
    let runtime = runtime();
    let (here, there) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let refused = holding(&here, 1.0).transfer_from(&holding(&there, 2.0), X, Target::Streamed);
    let error = fails(refused, "node n0 is on toy:1, and routines on toy:0 cannot read it there");
    assert_eq!(error.kind(), ErrorKind::Device);
}

#[test]
fn a_streamed_source_must_not_overlap_what_the_routine_writes() {
    let device = device("toy:0");
    let all = device.tensor(&[1.0_f32; 6]).unwrap();
    let part = |rows| root(&device).with(X, &all.rows(rows).unwrap()).unwrap();
    let compiled = device.compile(merge()).unwrap();
    let slot = part(0..4).transfer_from(&part(2..6), X, Target::Streamed).unwrap().unwrap();
    fails(slot.context().link(&compiled), "writes memory that argument 1 shares");
    // The same elements are as good as in-place: `x += x`.
    let same = part(0..4).transfer_from(&part(0..4), X, Target::Streamed).unwrap().unwrap();
    let routine = same.context().link(&compiled).unwrap();
    run(&same);
    run(&routine);
    assert_eq!(values(&all), [2.0, 2.0, 2.0, 2.0, 1.0, 1.0]);
    // What the slot holds by then is checked again.
    let context = holding(&device, 1.0);
    let right = context.transfer_from(&holding(&device, 2.0), X, Target::Streamed).unwrap();
    let right = right.unwrap();
    let shifted = right.context().with(X, &all.rows(0..4).unwrap()).unwrap();
    let routine = shifted.link(&compiled).unwrap();
    run(&context.transfer_from(&part(2..6), X, Target::Streamed).unwrap().unwrap());
    fails(routine.submit(&Bindings::new()), "writes memory that argument 1 shares");
}

#[test]
fn two_merge_nodes_in_one_routine_are_refused_at_compile() {
    let device = device("toy:0");
    let two = [Y, Z]
        .into_iter()
        .fold(program("two", &[X, Y, Z].map(|id| (id, Role::Given))), |program, from| {
            program.launch("add", (X, StepArg::Merge(from), X))
        });
    let error = fails(device.compile(two), "merges n1 and n2");
    assert_eq!(error.get("routine"), Some("two"));
    assert!(device.compile(sum()).unwrap().merge_input().is_none());
}

/// How many pieces a batch has: each number of shards below divides it.
const PIECES: usize = 12;

/// Numbers whose sum depends on the order of additions.
fn piece(i: usize) -> [f32; 4] {
    std::array::from_fn(|k| ((i * 7 + k * 3) % 11) as f32 * 1.1 + 1e6 / (i * 5 + k + 1) as f32)
}

/// Contexts of `shards` streams, which hold the pieces in order, as nodes 0, 1, ….
fn shards(device: &Device, shards: usize) -> Vec<(Context, NodeId)> {
    let mut parts = Vec::new();
    for shard in 0..shards {
        let stream = device.new_stream("").unwrap();
        let mut context = Context::new(&stream);
        let held = shard * PIECES / shards..(shard + 1) * PIECES / shards;
        for i in held.clone() {
            let tensor = device.tensor(&piece(i)).unwrap();
            context = context.with(NodeId(i as u64), &tensor).unwrap();
        }
        parts.extend(held.map(|i| (context.clone(), NodeId(i as u64))));
    }
    parts
}

#[test]
fn n_shards_equal_one_shard_bit_for_bit() {
    let device = device("toy:0");
    let mut pieces: Vec<_> = (0..PIECES).map(piece).collect();
    for (into, from) in merge_pairs(PIECES) {
        let right = pieces[from];
        pieces[into].iter_mut().zip(right).for_each(|(a, b)| *a += b);
    }
    let linear: Vec<f32> = (0..4).map(|k| (0..PIECES).map(|i| piece(i)[k]).sum()).collect();
    assert_ne!(pieces[0].to_vec(), linear, "the order of the additions matters");
    let mean = pieces[0].map(|sum| sum * (1.0 / PIECES as f32));
    for n in [1, 2, 3, 4, 6] {
        for target in [Target::MergeSlot, Target::Streamed] {
            let parts = shards(&device, n);
            let tree = MergeTree::link(&parts, "add", target).unwrap();
            tree.submit().unwrap().wait(LIMIT).unwrap();
            assert_eq!(values(tree.result()), pieces[0], "sum, {n} shards, {target:?}");
            let scale =
                program("mean", &[(X, Role::Given)]).launch("scale", (1.0 / PIECES as f32, X));
            run(&parts[0].0.link(&device.compile(scale).unwrap()).unwrap());
            assert_eq!(values(tree.result()), mean, "mean, {n} shards, {target:?}");
        }
    }
}

#[test]
fn shards_on_devices_of_several_backends_merge_too() {
    let devices = runtime().devices().unwrap();
    let part = |device: &Device| (holding(device, 2.0), X);
    let parts: Vec<_> = devices.iter().map(part).collect();
    let tree = MergeTree::link(&parts, "add", Target::MergeSlot).unwrap();
    tree.submit().unwrap().wait(LIMIT).unwrap();
    assert_eq!(values(tree.result()), [2.0 * devices.len() as f32; 4]);
}

#[test]
fn parts_that_do_not_fit_are_refused_at_link() {
    let device = device("toy:0");
    let part = |dims: &[usize]| {
        let tensor = device.zeros(shape(dims), DType::F32).unwrap();
        (root(&device).with(X, &tensor).unwrap(), X)
    };
    let link = |parts: &[_], operator| MergeTree::link(parts, operator, Target::MergeSlot);
    fails(link(&[], "add").map(drop), "no parts");
    let uneven =
        fails(link(&[part(&[4]), part(&[3])], "add").map(drop), "part n0 is Tensor(f32 [3]");
    assert!(uneven.to_string().ends_with("; merge parts of one shape and one type"), "{uneven}");
    fails(link(&[part(&[4]), part(&[4])], "ad").map(drop), "add");
    fails(link(&[part(&[4]), (root(&device), X)], "add").map(drop), "does not hold node n0");
    let slotless = MergeTree::link(&[part(&[4])], "add", Target::Node).map(drop);
    fails(slotless, "goes through the merge slot");
    let alone = link(&[part(&[4])], "add").unwrap();
    alone.submit().unwrap().wait(LIMIT).unwrap();
}
