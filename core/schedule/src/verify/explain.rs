//! Why a chunk is wrong: the run once more, with exact counts for that chunk.

use super::domain::{Counts, Held, Sets};
use super::finding::{Finding, Place};
use super::laned::Laned;
use super::lanes::{Lanes, Located};
use super::machine::Machine;
use super::stop::Stop;
use crate::{Contribution, Params, Space};
use std::ops::Range;

/// The finding for `chunk` of `rank`, which the random forms found wrong.
pub(super) fn wrong_value(lanes: &Lanes<'_>, rank: usize, chunk: usize) -> Result<Finding, Stop> {
    let expected = expected(lanes.params, rank, chunk);
    let counts = Counts::new(lanes.params.ranks(), expected.chunk, (rank, chunk));
    let mut machine = Machine::new(lanes, counts);
    machine.run()?;
    let held = machine.outputs(rank)[chunk].as_deref().cloned().unwrap_or_default();
    let first_wrong = held.twice.or(machine.domain.last_write);
    let first_wrong = first_wrong.map(|at| lanes.source.place(at)).transpose()?;
    let belongs = if machine.domain.counts() { expected.ranks } else { 0..0 };
    Ok(finding((rank, chunk), format!("chunk {chunk}"), belongs, held, first_wrong))
}

/// The finding for `chunk` of `rank` of a plan.
pub(super) fn wrong_in_plan(laned: &Laned<'_>, rank: usize, chunk: usize) -> Result<Finding, Stop> {
    let params = &laned.frame.params;
    let expected = expected(params, rank, chunk);
    let counts = Counts::new(params.ranks(), expected.chunk, (rank, chunk));
    let mut machine = Machine::of_plan(laned, counts);
    machine.run()?;
    let last = machine.clocks.as_ref().and_then(|clocks| clocks.last_write(rank, chunk));
    let last = last.map(|at| laned.place(at)).transpose()?;
    let mut held = machine.outputs(rank)[chunk].as_deref().cloned().unwrap_or_default();
    // In the file's numbers.
    let cell = |(from, chunk)| (from, chunk - params.begin(from, Space::Input) as usize);
    held.other = held.other.map(cell);
    let name = laned.frame.name(rank, Space::Output, chunk);
    Ok(finding((rank, chunk), name, expected.ranks, held, last))
}

fn expected(params: &Params, rank: usize, chunk: usize) -> Contribution {
    params.result(rank, chunk).expect("only what is specified can be wrong")
}

fn finding(
    (rank, chunk): (usize, usize),
    name: String,
    belongs: Range<usize>,
    held: Held,
    first_wrong: Option<Place>,
) -> Finding {
    let count = |r: usize| held.counts.get(r).copied().unwrap_or(0);
    let extra = belongs.clone().map(|r| (r, count(r))).filter(|(_, c)| *c > 1).collect();
    let missing = belongs.clone().filter(|&r| count(r) == 0).collect();
    let foreign =
        (0..held.counts.len()).filter(|r| !belongs.contains(r) && count(*r) > 0).collect();
    let displaced = held.other;
    Finding::WrongValue { rank, chunk, name, extra, missing, foreign, displaced, first_wrong }
}

/// Up to this many bits, sets of contributions are followed.
const SET_BITS: usize = 1 << 26;

/// Whether a schedule that counts contributions wrong has the right ones in every chunk: it then
/// works for operators that ignore repetition, such as the smallest and the largest. A schedule that
/// is too large to say is taken for plainly wrong.
pub(super) fn idempotent_only(lanes: &Lanes<'_>) -> Result<bool, Stop> {
    let params = lanes.params;
    let (n, chunks) = (params.ranks(), params.chunks());
    if !params.operation().reduces() || n * n * chunks > SET_BITS {
        return Ok(false);
    }
    let mut machine = Machine::new(lanes, Sets { ranks: n });
    machine.run()?;
    let right = |rank: usize, chunk: usize| match params.result(rank, chunk) {
        None => true,
        Some(expected) => {
            let value = machine.outputs(rank)[chunk].as_ref();
            value.is_some_and(|set| set.is(expected.chunk, &expected.ranks))
        }
    };
    Ok((0..n).all(|rank| (0..chunks).all(|chunk| right(rank, chunk))))
}
