//! Ranks with different cost models choose by that of rank 0.

use crate::group;
use ringwood_base::{ErrorKind, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::CostModel;
use ringwood_schedule::ReduceOp::Sum;
use ringwood_transport::{Arena, Socket, Transport};
use std::thread;

/// Messages cost and bytes do not: two steps of exchanges are the best for four ranks.
fn costly_messages() -> CostModel {
    CostModel { overhead: 1e-3, per_byte: 0.0, ..CostModel::cluster() }
}

/// Bytes cost and messages do not: a ring sends the fewest.
fn costly_bytes() -> CostModel {
    CostModel { overhead: 0.0, latency: 0.0, per_byte: 1e-6, ..CostModel::cluster() }
}

/// Joins four ranks of which rank 0 has one model and the others another one.
fn join(
    transport: &'static dyn Transport,
    [first, others]: [&CostModel; 2],
) -> Vec<Result<Communicator>> {
    let bootstrap = group(transport, 4).bootstrap().unwrap();
    thread::scope(|scope| {
        let join = |rank| {
            let model = if rank == 0 { first } else { others };
            let (of, address) =
                (group(transport, 4).cost_model(model.clone()), bootstrap.address());
            scope.spawn(move || of.join(rank, address))
        };
        let threads = [0, 1, 2, 3].map(join);
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// In turn each rank chooses and the others name the algorithm: a call fails if they differ.
fn chosen_by_all(group: Vec<Communicator>, expected: &str) {
    thread::scope(|scope| {
        for comm in group {
            scope.spawn(move || {
                for chooses in 0..4 {
                    let mut data = vec![1.0_f32; 20_000];
                    let outcome = match comm.rank() == chooses {
                        true => comm.all_reduce(&mut data, Sum),
                        false => comm.with(expected).all_reduce(&mut data, Sum),
                    };
                    outcome.unwrap();
                    assert!(data == [4.0; 20_000]);
                }
            });
        }
    });
}

#[test]
fn the_model_of_rank_0_decides_for_all() {
    let (messages, bytes) = (costly_messages(), costly_bytes());
    for transport in [&Arena as &dyn Transport, &Socket] {
        let joined = |models| join(transport, models).into_iter().map(Result::unwrap).collect();
        chosen_by_all(joined([&messages, &bytes]), "doubling");
        chosen_by_all(joined([&bytes, &messages]), "ring");
    }
}

#[test]
fn a_model_that_cannot_be_told_fails_every_rank() {
    let wrong = CostModel { latency: f64::NAN, ..costly_bytes() };
    for transport in [&Arena as &dyn Transport, &Socket] {
        let outcomes = join(transport, [&wrong, &costly_bytes()]).into_iter();
        let errors: Vec<_> = outcomes.map(|outcome| outcome.err().unwrap()).collect();
        assert_eq!(errors[0].kind(), ErrorKind::InvalidArgument);
        for error in &errors[1..] {
            assert!(error.message().starts_with("rank 0 of 4 left the group before"), "{error}");
        }
    }
}
