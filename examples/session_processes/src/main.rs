//! Workers that are processes, one of which dies: `cargo run -- --session processes --workers 3`. The
//! same program runs on threads, which cannot die alone.

use ringwood::prelude::*;
use ringwood::session::HostTensor;

/// The sum of the rows of all workers, on every worker.
#[global_fn]
fn sum_of_rows(worker: &Worker, rows: Tensor) -> ringwood::Result<Vec<f32>> {
    let width = rows.shape()[1];
    let mut sums = vec![0.0_f32; width];
    for row in rows.to_vec::<f32>()?.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    worker.all_reduce(&mut sums, ReduceOp::Sum)?;
    Ok(sums)
}

/// One worker ends in the middle of a call, as a driver that crashes would end it.
#[global_fn]
fn crash(worker: &Worker, rank: usize) -> ringwood::Result<()> {
    if worker.rank() == rank {
        std::process::abort();
    }
    worker.all_reduce(&mut [1.0_f32], ReduceOp::Sum)
}

fn main() -> ringwood::Result<()> {
    let session = Session::from_args()?; // a worker goes no further
    let rows: Vec<f32> = (0..2000).map(|i| i as f32).collect();
    let rows = HostTensor::new(&[1000, 2], &rows)?;
    let sums = sum_of_rows::call(&session, &session.scatter(&rows)?)?;
    println!("{:?}", sums.get(0)?);
    if std::env::args().any(|argument| argument == "--crash") {
        let error = crash::call(&session, 1)?.wait().unwrap_err();
        println!("{}", error.message());
        session.recover()?; // new processes; handles of before are stale
        let sums = sum_of_rows::call(&session, &session.scatter(&rows)?)?;
        println!("{:?}", sums.get(0)?);
    }
    session.shutdown()
}
