//! A controller and workers that are ranks of MPI: `mpirun -n 5 target/debug/session-mpi` gives four workers.
//! Estimates π by throwing darts, each worker its own.

use ringwood::prelude::*;

/// The share of the darts of all workers that hit the quarter of a circle, on every worker.
#[global_fn]
fn throw(worker: &Worker, darts: u64) -> ringwood::Result<f64> {
    let mut state = worker.rank() as u64 + 1;
    let mut number = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let hits = (0..darts).filter(|_| number().powi(2) + number().powi(2) < 1.0).count();
    let mut sums = [hits as f64, darts as f64];
    worker.all_reduce(&mut sums, ReduceOp::Sum)?; // among the ranks
    Ok(sums[0] / sums[1])
}

fn main() -> ringwood::Result<()> {
    let session = Session::mpi()?; // a rank that is a worker goes no further
    let share = throw::call(&session, 200_000)?;
    println!("{} workers: {:.2}", session.workers(), 4.0 * share.get(0)?);
    session.shutdown()
} // rank 0 ends MPI, and with it the workers
