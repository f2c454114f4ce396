use super::*;
use ringwood_base::DType;
use ringwood_transport::{Failure, PeerMemory, Transport};
use std::sync::Arc;
use std::thread;

/// What rank 1 of 2 makes of bytes that rank 0 sends.
fn heard(messages: &[&[u8]]) -> Result<CostModel> {
    let mut ends = PeerMemory.connect(2, &Arc::new(Failure::default()))?;
    let (mut other, mut zero) = (ends.remove(1), ends.remove(0));
    let within = Duration::from_secs(5);
    thread::scope(|scope| {
        let own = CostModel::cluster();
        let one = scope.spawn(move || agree(&mut *other, Rank::new(1, 2), &own, within));
        for message in messages {
            zero.send(1, message, DType::U8, within)?;
        }
        one.join().expect("nothing panics")
    })
}

#[test]
fn the_model_of_rank_0_is_everyones_to_the_last_bit() {
    let model = CostModel { latency: 0.1 + 0.2, overhead: 1e-7 / 3.0, ..CostModel::cluster() };
    let ends = PeerMemory.connect(3, &Arc::new(Failure::default())).unwrap();
    let found: Vec<_> = thread::scope(|scope| {
        let agree = |(rank, mut end): (usize, Box<dyn Endpoint>)| {
            let own = if rank == 0 { model.clone() } else { CostModel::peer_memory(rank) };
            let within = Duration::from_secs(5);
            scope.spawn(move || agree(&mut *end, Rank::new(rank, 3), &own, within).unwrap())
        };
        let threads: Vec<_> = ends.into_iter().enumerate().map(agree).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.iter().all(|m| *m == found[0] && m.per_byte == model.per_byte), "{found:?}");
}

#[test]
fn a_model_that_is_none_or_too_long_or_does_not_come_is_an_error() {
    let length = |bytes: usize| (bytes as u64).to_le_bytes();
    for first in [MOST + 1, usize::MAX] {
        let error = heard(&[&length(first)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    }
    let error = heard(&[&length(2), b"{}"]).unwrap_err();
    assert!(error.message().starts_with("the cost model of rank 0 is none"), "{error}");
    let mut ends = PeerMemory.connect(2, &Arc::new(Failure::default())).unwrap();
    let within = Duration::from_millis(20);
    let own = CostModel::cluster();
    let error = agree(&mut *ends[1], Rank::new(1, 2), &own, within).unwrap_err();
    assert_eq!(error.message(), "rank 0 of 2 did not send to rank 1 in time");
}
