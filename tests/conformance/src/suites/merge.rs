//! Merge slots: a routine sees the elements of a node as another context has them.

use super::programs::{X, Y, context, holding, holds, merge, root, run};
use super::{standard, suite};
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{DType, ErrorKind, Shape};
use ringwood_device::device::{
    Bindings, Context, Device, LaunchProgram, NodeId, StepArg, Target, merge_pairs,
};

pub(super) const CASES: &[Case] = &suite(
    "merge",
    &[Power::Streams, Power::Kernels],
    [
        ("a_merge_adds_another_contexts_elements", a_merge_adds_another_contexts_elements),
        ("a_use_empties_the_slot", a_use_empties_the_slot),
        ("a_streamed_merge_needs_no_memory", a_streamed_merge_needs_no_memory),
        ("merges_see_the_order_of_submission", merges_see_the_order_of_submission),
        ("a_slot_of_another_node_is_refused", a_slot_of_another_node_is_refused),
        ("merges_between_devices", merges_between_devices),
        ("shards_merge_to_the_same_bits", shards_merge_to_the_same_bits),
    ],
);

fn a_merge_adds_another_contexts_elements(bench: &Bench) -> Check {
    let compiled = bench.device().compile(merge())?;
    for target in [Target::MergeSlot, Target::Streamed] {
        let (own, peer) = (context(bench, &[(X, 1)])?, context(bench, &[(X, 2)])?);
        let transfer = own.transfer_from(&peer, X, target)?;
        let Some(transfer) = transfer else {
            return Err(Stop::Failed("there is nothing to merge".into()));
        };
        let routine = transfer.context().link(&compiled)?;
        for sum in [3, 5] {
            run(&transfer)?;
            run(&routine)?;
            holds(&own, X, sum)?;
            holds(&peer, X, 2)?;
        }
    }
    Ok(())
}

fn a_use_empties_the_slot(bench: &Bench) -> Check {
    let compiled = bench.device().compile(merge())?;
    for target in [Target::MergeSlot, Target::Streamed] {
        let (own, peer) = (context(bench, &[(X, 1)])?, context(bench, &[(X, 2)])?);
        let transfer = linked(&own, &peer, X, target)?;
        let routine = transfer.context().link(&compiled)?;
        run(&transfer)?;
        run(&routine)?;
        let again = routine.submit(&Bindings::new()).err();
        let told = again.as_ref().is_some_and(|e| e.to_string().contains("holds nothing"));
        ensure!(told, "a second merge of one transfer: {again:?}");
        holds(&own, X, 3)?;
    }
    Ok(())
}

fn a_streamed_merge_needs_no_memory(bench: &Bench) -> Check {
    let device = bench.device();
    let compiled = device.compile(merge())?;
    let (own, peer) = (context(bench, &[(X, 1)])?, context(bench, &[(X, 2)])?);
    device.synchronize(WAIT)?;
    let before = device.memory_in_use();
    let transfer = linked(&own, &peer, X, Target::Streamed)?;
    let routine = transfer.context().link(&compiled)?;
    run(&transfer)?;
    run(&routine)?;
    let used = device.memory_in_use();
    ensure!(used == before, "{used} bytes are in use, not {before}");
    // A source that was written since is no longer what was streamed.
    peer.tensor(X)?.write(&[7_u32; super::programs::LEN])?;
    let refused = routine.submit(&Bindings::new()).err().map(|e| e.kind());
    ensure!(refused == Some(ErrorKind::Mismatch), "a source written since is used: {refused:?}");
    Ok(())
}

fn linked(
    own: &Context,
    peer: &Context,
    node: NodeId,
    target: Target,
) -> Check<ringwood_device::device::Routine> {
    own.transfer_from(peer, node, target)?
        .ok_or_else(|| Stop::Failed(format!("there is no transfer of node {node}")))
}

/// The source is written before and after the merge, each time on its own stream.
fn merges_see_the_order_of_submission(bench: &Bench) -> Check {
    let device = bench.device();
    let compiled = device.compile(merge())?;
    for kind in bench.seeded_kinds() {
        for target in [Target::MergeSlot, Target::Streamed] {
            let (mine, theirs) = (device.new_stream(&kind)?, device.new_stream(&kind)?);
            let (own, peer) = (holding(&mine, &[(X, 1)])?, holding(&theirs, &[(X, 2)])?);
            let source = peer.tensor(X)?;
            for byte in [1, 2, 3] {
                theirs.fill(source.region(), byte)?;
            }
            let transfer = linked(&own, &peer, X, target)?;
            let routine = transfer.context().link(&compiled)?;
            transfer.submit(&Bindings::new())?;
            routine.submit(&Bindings::new())?;
            theirs.fill(source.region(), 9)?;
            holds(&own, X, 0x0303_0303 + 1)?;
            holds(&peer, X, 0x0909_0909)?;
        }
    }
    Ok(())
}

fn a_slot_of_another_node_is_refused(bench: &Bench) -> Check {
    let compiled = bench.device().compile(merge())?;
    let own = context(bench, &[(X, 1), (Y, 1)])?;
    let peer = context(bench, &[(X, 2), (Y, 3)])?;
    let mismatch = |what: &str, error: Option<ringwood_base::Error>, names: &str| {
        let told = error
            .as_ref()
            .is_some_and(|e| e.kind() == ErrorKind::Mismatch && e.to_string().contains(names));
        ensure!(told, "{what}: {error:?}");
        Ok(())
    };
    mismatch("an empty slot, linked", own.link(&compiled).err(), "holds nothing")?;
    let other = linked(&own, &peer, Y, Target::MergeSlot)?;
    mismatch("another node, linked", other.context().link(&compiled).err(), "holds node n1")?;
    let right = linked(&own, &peer, X, Target::MergeSlot)?;
    let routine = right.context().link(&compiled)?;
    mismatch("an empty slot", routine.submit(&Bindings::new()).err(), "holds nothing")?;
    run(&other)?;
    mismatch("another node", routine.submit(&Bindings::new()).err(), "holds node n1")?;
    run(&right)?;
    run(&routine)?;
    holds(&own, X, 3)
}

fn merges_between_devices(bench: &Bench) -> Check {
    let compiled = bench.device().compile(merge())?;
    let devices = bench.runtime().devices()?;
    let is_other =
        |d: &&Device| *d != bench.device() && Power::Streams.is_claimed(d.capabilities());
    let mut merged = 0;
    for other in devices.iter().filter(is_other) {
        let own = context(bench, &[(X, 1)])?;
        let peer = holding(&other.new_stream("")?, &[(X, 2)])?;
        let transfer = linked(&own, &peer, X, Target::MergeSlot)?;
        let routine = transfer.context().link(&compiled)?;
        run(&transfer)?;
        run(&routine)?;
        holds(&own, X, 3)?;
        let refused = own.transfer_from(&peer, X, Target::Streamed).err().map(|e| e.kind());
        ensure!(refused == Some(ErrorKind::Device), "streamed from {other}: {refused:?}");
        merged += 1;
    }
    if merged == 0 {
        return Err(Stop::Skipped("there is no other device with memory".into()));
    }
    Ok(())
}

/// The pieces of a batch that every sharding has.
const PIECES: usize = 12;

fn shards_merge_to_the_same_bits(bench: &Bench) -> Check {
    if !bench.device().capabilities().dtypes.contains(&DType::F32) {
        return Err(Stop::Skipped("the device does not claim f32".into()));
    }
    for mean in [false, true] {
        let one = sharded(bench, 1, mean)?;
        let want = on_host(mean);
        let wrong = (0..want.len()).find(|&i| want[i].to_bits() != one[i].to_bits());
        ensure_holds!(wrong.is_none(), "one shard differs from the host at {wrong:?}: {one:?}");
        for shards in [2, 3, 4, 6] {
            let got = sharded(bench, shards, mean)?;
            let same = got.iter().map(|v| v.to_bits()).eq(one.iter().map(|v| v.to_bits()));
            ensure_holds!(same, "{shards} shards, mean {mean}: {got:?}, not {one:?}");
        }
    }
    Ok(())
}

/// The gradient of a piece; sums of these depend on their order.
fn piece(i: usize) -> [f32; 8] {
    std::array::from_fn(|j| ((i * 8 + j) as f32 * 0.37).exp() / 1000.0 - 0.1)
}

fn on_host(mean: bool) -> Vec<f32> {
    let mut pieces: Vec<_> = (0..PIECES).map(piece).collect();
    for (into, from) in merge_pairs(PIECES) {
        let from = pieces[from];
        pieces[into].iter_mut().zip(from).for_each(|(a, b)| *a += b);
    }
    let scale = if mean { 1.0 / PIECES as f32 } else { 1.0 };
    pieces[0].iter().map(|v| v * scale).collect()
}

/// The merged gradient of the pieces, which lie in the contexts of so many shards.
fn sharded(bench: &Bench, shards: usize, mean: bool) -> Check<Vec<f32>> {
    let device = bench.device();
    let id = |i: usize| NodeId(i as u64);
    let mut contexts = (0..shards).map(|_| root(bench)).collect::<Result<Vec<_>, _>>()?;
    let home = |i: usize| i * shards / PIECES;
    for i in 0..PIECES {
        contexts[home(i)] = contexts[home(i)].with(id(i), &device.tensor(&piece(i))?)?;
    }
    for (into, from) in merge_pairs(PIECES) {
        let (own, peer) = (&contexts[home(into)], &contexts[home(from)]);
        let transfer = linked(own, peer, id(from), Target::MergeSlot)?;
        let program = floats(id(into)).given(id(from), "other", Shape::vector(8), DType::F32);
        let add = standard::kernel("add", DType::F32);
        let args = (id(into), StepArg::Merge(id(from)), id(into));
        let program = program.launch(add, args);
        let routine = transfer.context().link(&device.compile(program)?)?;
        transfer.submit(&Bindings::new())?;
        routine.submit(&Bindings::new())?;
    }
    let first = &contexts[0];
    if mean {
        let by = id(PIECES);
        let program = floats(id(0))
            .constant(by, "scale", Shape::vector(1), &[1.0 / PIECES as f32])
            .launch(standard::kernel("mul", DType::F32), [id(0), by, id(0)]);
        run(&first.link(&device.compile(program)?)?)?;
    }
    Ok(first.tensor(id(0))?.to_vec::<f32>()?)
}

/// A program with one given node, of 8 `f32`.
fn floats(own: NodeId) -> LaunchProgram {
    LaunchProgram::new("merge").given(own, "own", Shape::vector(8), DType::F32)
}
