//! One program on many workers, which are threads of it: `cargo run -- --workers 3`. With `--session processes` they are
//! processes, and nothing else changes.

use ringwood::prelude::*;

/// The mean of the rows of all workers, on every worker.
#[global_fn]
fn mean_row(worker: &Worker, rows: Tensor) -> ringwood::Result<Vec<f32>> {
    let (count, width) = (rows.shape()[0], rows.shape()[1]);
    let mut sums = vec![0.0_f32; width + 1];
    for row in rows.to_vec::<f32>()?.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    sums[width] = count as f32;
    worker.all_reduce(&mut sums, ReduceOp::Sum)?;
    let total = sums[width];
    Ok(sums[..width].iter().map(|sum| sum / total).collect())
}

fn main() -> ringwood::Result<()> {
    let session = Session::from_args()?;
    let rows: Vec<f32> = (0..2000).map(|i| i as f32).collect();
    let rows = session.scatter(&HostTensor::new(&[1000, 2], &rows)?)?;
    let means = mean_row::call(&session, &rows)?.gather()?;
    println!("{means:?}"); // [999.0, 1000.0] on every worker
    Ok(())
}
