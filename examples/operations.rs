//! Every operation of a group, between threads: `cargo run --example operations`.

use ringwood::Result;
use ringwood::collective::{Communicator, ReduceOp, spmd};

fn main() -> Result<()> {
    spmd(3, |comm| {
        reductions(comm)?;
        blocks(comm)?;
        messages(comm)
    })?;
    println!("every rank has what it should");
    Ok(())
}

fn reductions(comm: &Communicator) -> Result<()> {
    let rank = comm.rank();
    let mut data = [rank as f32, 1.0];
    comm.all_reduce(&mut data, ReduceOp::Sum)?;
    assert_eq!(data, [3.0, 3.0]);

    let mut data = [rank as f32 + 1.0; 2];
    comm.reduce(&mut data, ReduceOp::Prod, 1)?;
    assert!(rank != 1 || data == [6.0; 2]);

    // Block `r` of all inputs is merged at rank `r`.
    let mut own = [0_i32; 2];
    comm.reduce_scatter_into(&[0, 0, 1, 1, 2, 2], &mut own, ReduceOp::Sum)?;
    assert_eq!(own, [3 * rank as i32; 2]);
    Ok(())
}

fn blocks(comm: &Communicator) -> Result<()> {
    let rank = comm.rank();
    let mut data = [rank as u32; 2];
    comm.broadcast(&mut data, 2)?;
    assert_eq!(data, [2; 2]);

    let mut all = [0_u32; 3];
    comm.all_gather_into(&[rank as u32], &mut all)?;
    assert_eq!(all, [0, 1, 2]);

    // Blocks may differ in length: all ranks name the counts.
    let mut all = [9_u32; 3];
    comm.all_gather_v_into(&[rank as u32; 2][..rank], &[0, 1, 2], &mut all)?;
    assert_eq!(all, [1, 2, 2]);

    // Only the root has all blocks; the others pass an empty slice.
    let table = if rank == 0 { vec![10_u32, 11, 12] } else { Vec::new() };
    let mut mine = [0_u32];
    comm.scatter_into(&table, &mut mine, 0)?;
    let mut back = vec![0; table.len()];
    comm.gather_into(&mine, &mut back, 0)?;
    assert_eq!((mine, back), ([10 + rank as u32], table));

    let mut swapped = [0_u64; 3];
    let sent = [0, 1, 2].map(|to| (10 * rank + to) as u64);
    comm.all_to_all_into(&sent, &mut swapped)?;
    assert_eq!(swapped, [0, 10, 20].map(|from| from + rank as u64));

    let mut data = [rank as u64];
    comm.permute(&mut data, &[1, 2, 0])?;
    assert_eq!(data, [[2], [0], [1]][rank]);
    Ok(())
}

fn messages(comm: &Communicator) -> Result<()> {
    let mut data = [comm.rank() as f64; 4];
    match comm.rank() {
        0 => comm.send(&data, 1)?,
        1 => comm.recv(&mut data, 0)?,
        _ => {}
    }
    assert!(comm.rank() != 1 || data == [0.0; 4]);
    comm.barrier()
}
