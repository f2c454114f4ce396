//! One cost model for a group whose ranks are processes.

use super::text::{MOST, hear, tell};
use crate::transport::Endpoint;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{CostModel, Rank};
use std::time::{Duration, Instant};

/// The cost model of the group: that of rank 0, which sends it to the others, so that all choose the
/// same algorithms. Over a transport without messages between two ranks, each rank's `own`.
///
/// # Errors
/// It is no model, or too long; or a rank does not come in time, leaves or fails.
pub(super) fn agree(
    endpoint: &mut dyn Endpoint,
    rank: Rank,
    own: &CostModel,
    within: Duration,
) -> Result<CostModel> {
    if rank.group_size() == 1 {
        return Ok(own.clone());
    }
    let end = deadline(within);
    let outcome = if rank.index() == 0 {
        tell_all(endpoint, rank.group_size(), own, end)
    } else {
        hear(endpoint, 0, end).and_then(|text| read(&text))
    };
    match outcome {
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(own.clone()),
        Err(error) => Err(error.with("while", "the ranks agree on a cost model")),
        heard => heard,
    }
}

fn tell_all(
    endpoint: &mut dyn Endpoint,
    ranks: usize,
    own: &CostModel,
    end: Instant,
) -> Result<CostModel> {
    let text = serde_json::to_vec(own).map_err(|cause| wrong().because(cause))?;
    // What the others will read, to the last bit.
    let model = read(&text)?;
    (1..ranks).try_for_each(|rank| tell(endpoint, rank, &text, end))?;
    Ok(model)
}

fn read(text: &[u8]) -> Result<CostModel> {
    if text.len() > MOST {
        return Err(wrong().with("bytes", text.len()));
    }
    let model: CostModel = serde_json::from_slice(text).map_err(|cause| wrong().because(cause))?;
    model.check().map(|()| model)
}

fn wrong() -> Error {
    Error::new(ErrorKind::InvalidArgument, "the cost model of rank 0 is none, or too long")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::{Failure, PeerMemory, Transport};
    use ringwood_base::DType;
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
}
