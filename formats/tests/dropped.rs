//! Imported plans are dropped with their registry: nothing of 10,000 of them stays.

use ringwood_base::registry::Registry;
use ringwood_collective::Group;
use ringwood_formats::{ExecutionPlan, Imported, msccl, read};
use ringwood_schedule::{
    Capabilities, CollectiveDef, CostModel, Operation, Params, ReduceOp, Request, Schedule,
    Setting, choose, prove,
};
use {ringwood_collectives as _, ringwood_kernels as _};

/// The plans that take turns under one name.
const NAME: &str = "remade";

/// A registered all-reduce for `ranks`, written as MSCCL XML and read again.
fn plan(algorithm: &str, ranks: usize) -> ExecutionPlan {
    let ring = &*Registry::global().unwrap().find::<CollectiveDef>(algorithm).unwrap().collective;
    let params = Params::new(&ring.describe(), ranks).unwrap();
    let schedule = Schedule::of(ring, &params).unwrap();
    let written = msccl::write(&schedule, &params, &msccl::Head::default()).unwrap();
    let mut plan = read(written.text.as_bytes()).unwrap();
    NAME.clone_into(&mut plan.name);
    plan
}

/// Proves a plan that a registry owns; the steps of the proof.
fn proved(plan: &ExecutionPlan, ranks: usize) -> usize {
    let entry = Imported::new(plan).unwrap().register();
    let registry = Registry::builder().register(entry).build().unwrap();
    let request = Request::new(Operation::AllReduce, ranks, 12, ringwood_base::DType::F32);
    let setting = Setting::new(CostModel::cluster(), Capabilities::NONE);
    let chosen = choose(&registry, Some(NAME), &request, &setting).unwrap();
    drop(registry);
    let proof = prove(&*chosen, &chosen.resolve(&request).unwrap()).unwrap();
    assert_eq!((&*proof.verdict.collective, chosen.describe().name.as_ref()), (NAME, NAME));
    proof.verdict.steps as usize
}

/// Runs a plan; the sums of rank 0.
fn run(plan: &ExecutionPlan, ranks: usize) -> Vec<f32> {
    let entry = Imported::new(plan).unwrap().register();
    let registry = Registry::builder().linked().register(entry).build().unwrap();
    let sums = Group::builder(ranks).registry(registry).spmd(|comm| {
        let mut data: Vec<f32> = (0..12).map(|i| (i * 10 + comm.rank()) as f32).collect();
        comm.with(NAME).all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data)
    });
    sums.unwrap().swap_remove(0)
}

/// Resident memory, in MiB.
#[cfg(target_os = "linux")]
fn resident() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: f64 = pages.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096.0 / f64::from(1 << 20)
}

#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_plans_dropped_and_remade_compute_the_same_and_leave_no_memory() {
    let plans =
        [("ring", 2), ("ring", 3), ("recursive_doubling", 2)].map(|(name, n)| (plan(name, n), n));
    let steps = plans.each_ref().map(|(plan, ranks)| proved(plan, *ranks));
    let mut settled = 0.0;
    for i in 0..10_000 {
        let (plan, ranks) = &plans[i % 3];
        assert_eq!(proved(plan, *ranks), steps[i % 3], "plan {i}");
        if i % 500 == 0 {
            let due = |i: usize| (0..*ranks).map(|rank| (i * 10 + rank) as f32).sum::<f32>();
            assert_eq!(run(plan, *ranks), (0..12).map(due).collect::<Vec<_>>(), "plan {i}");
        }
        if i == 1000 {
            settled = resident();
        }
    }
    let grown = resident() - settled;
    assert!(grown < 4.0, "9,000 plans left {grown:.1} MiB");
}
