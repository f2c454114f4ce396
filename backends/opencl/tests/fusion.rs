//! Fused element-wise operators: one printed kernel, with the bits of the operators one by one on the
//! device and on the CPU.

#[path = "../../../tests/support/element_wise.rs"]
mod element_wise;
mod support;

use element_wise::{bits, program, values};
use ringwood_backend_cpu as _;
use ringwood_core::device::Device;
use ringwood_core::graph::{Graph, Plan, Planner};
use ringwood_kernels as _;

/// The bits of the outputs of a plan for a device; `None` if it lacks a kernel.
fn run(g: &Graph, device: &Device, seed: u64, fuse: bool) -> Option<(Vec<Vec<u64>>, Plan)> {
    let mut plan = Planner::new(std::slice::from_ref(device)).fuse(fuse).plan(g).ok()?;
    let wanted: Vec<_> = plan.inputs().map(|(name, ty, _)| (name.to_owned(), ty)).collect();
    for (i, (name, ty)) in (0..).zip(wanted) {
        plan.set_input(&name, &values(device, ty.dtype, &ty.shape, seed + i)).unwrap();
    }
    let outputs = plan.run(&[]).unwrap().iter().map(bits).collect();
    Some((outputs, plan))
}

#[test]
fn random_graphs_give_the_same_bits_fused_and_unfused_on_opencl_and_on_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    let (opencl, cpu) = (Device::named("opencl:0").unwrap(), Device::named("cpu:0").unwrap());
    let (mut compared, mut fused) = (0, 0);
    for seed in 0..40 {
        let g = program(Graph::new(), seed);
        let Some((ours, plan)) = run(&g, &opencl, seed, true) else { continue };
        let (apart, _) = run(&g, &opencl, seed, false).unwrap();
        assert_eq!(ours, apart, "seed {seed}\n{plan}");
        let (native, _) = run(&g, &cpu, seed, true).unwrap();
        assert_eq!(ours, native, "seed {seed}\n{plan}");
        compared += 1;
        fused += plan.graph().nodes().iter().filter(|n| n.fused().is_some()).count();
    }
    assert!(compared > 20 && fused > 20, "{compared} graphs, {fused} fused nodes");
}
