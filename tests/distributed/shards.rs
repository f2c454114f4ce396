//! Gradients of n shards are those of one shard, bit for bit, on the processor and on OpenCL.

use crate::devices::device;
use ringwood::device::{
    Bindings, Context, LaunchProgram, MergeTree, NodeId, Runtime, Stream, Target, merge_pairs,
};
use ringwood::kernel::KernelName;
use ringwood::prelude::*;
use ringwood::{DType, Shape};
use std::time::Duration;

/// How many pieces the batch has: every number of shards divides it.
const PIECES: usize = 12;
const ELEMENTS: usize = 257;
const LIMIT: Duration = Duration::from_secs(60);

/// `y *= a`
#[kernel(device = [cpu, opencl, cuda])]
fn scale_gradient(a: f32, y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * y[i];
}

/// Numbers whose sum depends on the order of additions.
fn piece(i: usize) -> Vec<f32> {
    let number = |k: usize| {
        let x = (i * ELEMENTS + k).wrapping_mul(0x9e37_79b1) as u32;
        (x >> 8) as f32 / 65536.0 - 128.0 + 1e4 / (1 + x % 97) as f32
    };
    (0..ELEMENTS).map(number).collect()
}

fn expected() -> Vec<f32> {
    let mut pieces: Vec<_> = (0..PIECES).map(piece).collect();
    for (into, from) in merge_pairs(PIECES) {
        let right = pieces[from].clone();
        pieces[into].iter_mut().zip(right).for_each(|(a, b)| *a += b);
    }
    pieces.swap_remove(0)
}

/// The pieces in order, spread over one context for each stream.
fn parts(streams: &[Stream]) -> Vec<(Context, NodeId)> {
    let mut parts = Vec::new();
    for (shard, stream) in streams.iter().enumerate() {
        let held = shard * PIECES / streams.len()..(shard + 1) * PIECES / streams.len();
        let mut context = Context::new(stream);
        for i in held.clone() {
            let tensor = stream.scope(|| stream.device().tensor(&piece(i))).unwrap();
            context = context.with(NodeId(i as u64), &tensor).unwrap();
        }
        parts.extend(held.map(|i| (context.clone(), NodeId(i as u64))));
    }
    parts
}

/// `gradient *= 1 / PIECES` in the context of the first part.
fn mean(root: &Context) {
    let (device, node) = (root.device(), NodeId(0));
    let program = LaunchProgram::new("mean")
        .given(node, "gradient", Shape::vector(ELEMENTS), DType::F32)
        .launch(KernelName::of::<scale_gradient>(), (1.0 / PIECES as f32, node));
    let routine = root.link(&device.compile(program).unwrap()).unwrap();
    routine.submit(&Bindings::new()).unwrap().wait(LIMIT).unwrap();
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

fn check(what: &str, streams: &[Stream], target: Target) {
    let sum = expected();
    let average: Vec<_> = sum.iter().map(|x| x * (1.0 / PIECES as f32)).collect();
    let parts = parts(streams);
    let tree = MergeTree::link(&parts, "add", target).unwrap();
    tree.submit().unwrap().wait(LIMIT).unwrap();
    let got = tree.result().to_vec::<f32>().unwrap();
    assert_eq!(bits(&got), bits(&sum), "sum over {} shards, {what}", streams.len());
    mean(&parts[0].0);
    let got = tree.result().to_vec::<f32>().unwrap();
    assert_eq!(bits(&got), bits(&average), "mean over {} shards, {what}", streams.len());
}

#[test]
fn the_order_of_the_merges_matters_for_these_pieces() {
    let pieces: Vec<_> = (0..PIECES).map(piece).collect();
    let linear = |k: usize| pieces.iter().map(|piece| piece[k]).sum::<f32>();
    let linear: Vec<_> = (0..ELEMENTS).map(linear).collect();
    assert_ne!(bits(&linear), bits(&expected()));
}

#[test]
fn n_shards_equal_one_shard_on_every_kind_of_stream() {
    let mut kinds = vec![("cpu:0", "sync".to_owned()), ("cpu:0", "threaded".to_owned())];
    kinds.extend((0..10).map(|seed| ("cpu:0", format!("chaos:{seed}"))));
    kinds.push(("opencl:0", String::new()));
    for (name, kind) in kinds {
        let Some(device) = device(Runtime::global().unwrap(), name) else { continue };
        for shards in [1, 2, 3, 4, 6] {
            let streams: Vec<_> = (0..shards).map(|_| device.new_stream(&kind).unwrap()).collect();
            for target in [Target::MergeSlot, Target::Streamed] {
                check(&format!("{name} {kind} {target:?}"), &streams, target);
            }
        }
    }
}

#[test]
fn shards_on_the_processor_and_on_opencl_equal_one_shard() {
    let runtime = Runtime::global().unwrap();
    let cpu = runtime.device("cpu:0").unwrap();
    let Some(opencl) = device(runtime, "opencl:0") else { return };
    for shards in [2, 3, 4, 6] {
        let stream =
            |i: usize| if i.is_multiple_of(2) { &cpu } else { &opencl }.new_stream("").unwrap();
        let streams: Vec<_> = (0..shards).map(stream).collect();
        check("cpu and opencl", &streams, Target::MergeSlot);
    }
    let taken = opencl.report().routes;
    assert!(taken.iter().any(|taken| taken.route == ringwood::device::Route::Host), "{taken:?}");
}
