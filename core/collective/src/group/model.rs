//! One cost model for a group whose ranks are processes.

use super::text::{MOST, hear, tell};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{CostModel, Rank};
use ringwood_transport::Endpoint;
use std::time::{Duration, Instant};

/// The cost model of the group: that of rank 0, which sends it to the others, so that all choose the
/// same algorithms. Over a transport without messages between two ranks, each rank's `own`.
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

pub(super) fn read(text: &[u8]) -> Result<CostModel> {
    if text.len() > MOST {
        return Err(wrong().with("bytes", text.len()));
    }
    let model: CostModel = serde_json::from_slice(text).map_err(|cause| wrong().because(cause))?;
    model.check().map(|()| model)
}

fn wrong() -> Error {
    Error::invalid("the cost model of rank 0 is none, or too long")
}

#[cfg(test)]
mod tests;
