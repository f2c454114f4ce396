//! An all-reduce of one's own, proved and then run: `cargo run --release --example custom_collective`.

use ringwood::collective::{spmd, verify};
use ringwood::prelude::*;

/// Everyone sends to rank 0, which merges in rank order and sends the result back.
pub struct Star;

impl Collective for Star {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("star").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        let centre = p.rank(0);
        if rank != centre {
            lane.send(centre, p.all());
            lane.recv(centre, p.all());
            return;
        }
        for other in 1..p.ranks() {
            lane.recv_reduce(p.rank(other), p.all());
        }
        for other in 1..p.ranks() {
            lane.send(p.rank(other), p.all());
        }
    }
}

register_collective!(star, Star);

fn main() -> ringwood::Result<()> {
    println!("{}", verify(&Star, &Params::new(&Star.describe(), 5)?)?);
    let sums = spmd(5, |group| {
        let mut data = [group.rank() as f32, 1.0];
        group.with("star").all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data)
    })?;
    println!("{sums:?}"); // [[10.0, 5.0], …], one for each rank
    Ok(())
}
