//! Plans run: what was written as MSCCL XML and read again computes what its operation says.

use ringwood_base::Result;
use ringwood_base::registry::{Entry, Registry};
use ringwood_collective::{Communicator, Group};
use ringwood_formats::{Imported, msccl, read};
use ringwood_schedule::{Arrangement, Operation, Params, ReduceOp, Schedule};
use {ringwood_collectives as _, ringwood_kernels as _};

/// Elements of the vector, or of each block: any number of chunks of whole lines divides them.
const ELEMENTS: usize = 16 * 3 * 4 * 8;

/// Every registered algorithm that the format can express, for `ranks` ranks, read again.
fn again(ranks: usize) -> Vec<(Operation, String, Entry)> {
    let mut plans = Vec::new();
    for (entry, def) in Registry::global().unwrap().of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        let Ok(params) = Params::new(&collective.describe(), ranks) else { continue };
        let schedule = Schedule::of(collective, &params).unwrap();
        let head = msccl::Head::default();
        let Ok(written) = msccl::write(&schedule, &params, &head) else { continue };
        let mut plan = read(written.text.as_bytes()).unwrap();
        plan.name = format!("again_{}_{ranks}", entry.meta().name);
        let imported = Imported::new(&plan).unwrap();
        plans.push((params.operation(), imported.name().to_owned(), imported.register()));
    }
    plans
}

fn value(rank: usize, i: usize) -> f32 {
    (rank * 1000 + i % 97) as f32
}

fn run(comm: &Communicator, operation: Operation, name: &str) -> Result<()> {
    let (rank, n) = (comm.rank(), comm.size());
    let own = |i: usize| value(rank, i);
    let sum = |i: usize| (0..n).map(|r| value(r, i)).sum::<f32>();
    let all = n * ELEMENTS;
    let (got, due): (Vec<f32>, Vec<f32>) = match operation {
        Operation::AllReduce => {
            let mut data: Vec<_> = (0..ELEMENTS).map(own).collect();
            comm.with(name).all_reduce(&mut data, ReduceOp::Sum)?;
            (data, (0..ELEMENTS).map(sum).collect())
        }
        Operation::AllGather => {
            let input: Vec<_> = (0..ELEMENTS).map(own).collect();
            let mut output = vec![0.0; all];
            comm.with(name).all_gather_into(&input, &mut output)?;
            let due = (0..all).map(|i| value(i / ELEMENTS, i % ELEMENTS));
            (output, due.collect())
        }
        Operation::ReduceScatter => {
            let input: Vec<_> = (0..all).map(own).collect();
            let mut output = vec![0.0; ELEMENTS];
            comm.with(name).reduce_scatter_into(&input, &mut output, ReduceOp::Sum)?;
            (output, (0..ELEMENTS).map(|i| sum(rank * ELEMENTS + i)).collect())
        }
        _ => {
            let input: Vec<_> = (0..all).map(own).collect();
            let mut output = vec![0.0; all];
            comm.with(name).all_to_all_into(&input, &mut output)?;
            let due = (0..all).map(|i| value(i / ELEMENTS, rank * ELEMENTS + i % ELEMENTS));
            (output, due.collect())
        }
    };
    assert_eq!(got, due, "{name} on rank {rank} of {n}");
    Ok(())
}

#[test]
fn plans_that_were_written_and_read_compute_what_they_say() {
    for ranks in [2, 3, 4] {
        let plans = again(ranks);
        assert!(plans.len() >= 10);
        let entries = plans.iter().map(|p| p.2.clone());
        let registry = Registry::builder().linked().register_all(entries).build().unwrap();
        // On one machine, and on a machine for each rank.
        for tasks in [vec![ranks], vec![1; ranks]] {
            let arrangement = Arrangement::of_tasks(&tasks).unwrap();
            let group = Group::builder(ranks).registry(registry.clone()).arrangement(arrangement);
            let ran = group.spmd(|comm| {
                plans.iter().try_for_each(|(operation, name, _)| run(comm, *operation, name))
            });
            ran.unwrap();
        }
    }
}
