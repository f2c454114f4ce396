//! The device beside others: a rank of a group like any other, and one of several in a graph.

use ringwood::DType::F32;
use ringwood::collective::{ReduceOp, spmd};
use ringwood::device::Device;
use ringwood::graph::{Graph, GraphPlan, NodeKind};
use ringwood::{Result, kernel};
use third_party_backend as _;

/// The merge of sums, written for the device; it goes before that of the processor, which merges all else.
#[kernel(
    map, T in [f32, f64, i32, i64, u32, u64], device = abacus,
    implements = ringwood::kernels::arithmetic::add,
)]
fn add<T>(a: T, b: T) -> T {
    a + b
}

#[test]
fn the_device_and_the_processor_are_ranks_of_one_group() -> Result<()> {
    let sums = spmd(3, |group| {
        let device = Device::named(["cpu:0", "abacus:0", "cpu:0"][group.rank()])?;
        let mut data = device.tensor(&[group.rank() as f32 + 0.25; 500])?;
        group.with("ring").all_reduce_tensor(&mut data, ReduceOp::Sum)?;
        let mut all = device.tensor(&[0.0_f32; 1500])?;
        group.all_gather_tensor_into(&data, &mut all)?;
        group.all_reduce_tensor(&mut data, ReduceOp::Max)?;
        assert_eq!(data.to_vec::<f32>()?, [3.75; 500]);
        all.to_vec::<f32>()
    })?;
    assert!(sums.iter().flatten().all(|sum| *sum == 3.75));
    Ok(())
}

/// Two chains that start on two devices; each step reads what the other chain had on the other device: `simplex`
/// one way, else both ways.
fn chains(devices: [&str; 2], simplex: bool) -> Result<Graph> {
    let mut g = Graph::new();
    let mut heads = Vec::new();
    for (name, device) in ["x", "u"].into_iter().zip(devices) {
        let x = g.input(name, F32, &[40, 25])?;
        g.place(x, device)?;
        heads.push(x);
    }
    for _ in 0..4 {
        let (x, u) = (heads[0], heads[1]);
        heads = vec![g.apply("add", &[x, if simplex { x } else { u }])?, g.apply("mul", &[u, x])?];
        for (head, device) in heads.iter_mut().zip(devices) {
            g.place(*head, device)?;
            *head = g.apply("tanh", &[*head])?;
            g.place(*head, device)?;
        }
    }
    for (name, head) in ["a", "b"].into_iter().zip(heads) {
        g.output(name, head)?;
    }
    Ok(g)
}

/// The bits of the outputs for inputs that `run` tells apart.
fn bits(plan: &mut GraphPlan, run: usize) -> Result<Vec<Vec<u32>>> {
    let wanted: Vec<_> =
        plan.inputs().map(|(name, ty, device)| (name.to_owned(), ty, device.clone())).collect();
    for (name, ty, device) in wanted {
        let elements: Vec<_> =
            (0..1000).map(|i| ((i * 37 + run) % 101) as f32 / 50.0 - 1.0).collect();
        plan.set_input(&name, &device.tensor_with(&elements, ty.shape)?)?;
    }
    let outputs = plan.run(&[])?;
    outputs.iter().map(|o| Ok(o.to_vec::<f32>()?.into_iter().map(f32::to_bits).collect())).collect()
}

#[test]
fn graphs_copy_one_way_and_both_ways_between_every_two_devices() -> Result<()> {
    let mut names = vec!["cpu:0", "abacus:0"];
    match Device::named("opencl:0") {
        Ok(_) => names.push("opencl:0"),
        Err(error) => println!("skipped: pairs with OpenCL: {error}"),
    }
    let cpu = Device::named("cpu:0")?;
    for (&from, &to) in names.iter().flat_map(|a| names.iter().map(move |b| (a, b))) {
        for simplex in [true, false] {
            let devices = [Device::named(from)?, Device::named(to)?];
            let here = chains(["cpu:0", "cpu:0"], simplex)?;
            let mut here = here.plan(std::slice::from_ref(&cpu))?;
            let graph = chains([from, to], simplex)?;
            let given = if from == to { &devices[..1] } else { &devices[..] };
            let mut plan = graph.plan(given)?;
            let copies = plan.graph().nodes().iter();
            let copies = copies.filter(|node| matches!(node.kind, NodeKind::Copy)).count();
            let expected = if simplex { 4 } else { 8 };
            assert_eq!(copies, if from == to { 0 } else { expected }, "{from} {to}: {plan}");
            for run in 0..5 {
                assert_eq!(bits(&mut plan, run)?, bits(&mut here, run)?, "{from} {to}: {plan}");
            }
        }
    }
    Ok(())
}
