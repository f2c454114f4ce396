//! Why a chunk is wrong: the run once more, with exact counts for that chunk.

use super::domain::Counts;
use super::machine::{Capacity, Machine, Stop};
use super::{Finding, Place, Subject};

/// The finding for `chunk` of `rank`, which the random forms found wrong.
pub(super) fn wrong_value(
    subject: &Subject<'_>,
    rank: usize,
    chunk: usize,
) -> Result<Finding, Stop> {
    let expected = subject.params.result(rank, chunk);
    let expected = expected.expect("only what is specified can be wrong");
    let counts = Counts::new(subject.params.ranks(), expected.chunk);
    let mut machine = Machine::new(subject, counts);
    machine.run(Capacity::Unbounded)?;
    let held = machine.output(rank, chunk).cloned().unwrap_or_default();
    let belongs = expected.ranks;
    let count = |r: usize| held.get(r).copied().unwrap_or(0);
    let extra = belongs.clone().map(|r| (r, count(r))).filter(|(_, c)| *c > 1).collect();
    let missing = belongs.clone().filter(|&r| count(r) == 0).collect();
    let foreign = (0..held.len()).filter(|r| !belongs.contains(r) && count(*r) > 0).collect();
    let domain = machine.domain();
    let last = domain.last_write[rank];
    let first = domain.first_twice.or(last);
    let first_wrong = first.map(|(at, step)| Place::new(at, step));
    Ok(Finding::WrongValue { rank, chunk, extra, missing, foreign, first_wrong })
}
