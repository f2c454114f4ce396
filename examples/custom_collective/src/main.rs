//! A collective of one's own: proved, explained, simulated, drawn and run, with no file of Ringwood
//! changed. With arguments this is the `ringwood` command with `star` in it:
//! `cargo run -- verify star --ranks 2..=16`.

use ringwood::collective::spmd;
use ringwood::prelude::*;
use std::process::ExitCode;

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

fn main() -> ringwood::Result<ExitCode> {
    if std::env::args().len() > 1 {
        return Ok(ringwood::cli::main());
    }
    for command in [
        "verify star --ranks 8",
        "explain all-reduce --ranks 8 --bytes 64KiB",
        "simulate star --ranks 64 --bytes 1MiB",
        "draw star --ranks 8 -o star.svg",
    ] {
        println!("\n$ ringwood {command}");
        let words = std::iter::once("ringwood").chain(command.split(' '));
        if ringwood::cli::run(words) != ExitCode::SUCCESS {
            return Ok(ExitCode::FAILURE);
        }
    }
    let sums = spmd(5, |group| {
        let mut data = [group.rank() as f32, 1.0];
        group.with("star").all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data)
    })?;
    println!("\n{sums:?}"); // [[10.0, 5.0], …], one for each rank
    Ok(ExitCode::SUCCESS)
}
