//! Lanes that exchange inputs and results in rounds: each is followed by itself.
//!
//! Where ranks merge in the order of their numbers, their lanes are not the same moved on, but what they
//! say to each other may be: the `k`-th message of rank `p` to rank `p + d` carries what that of rank 0 to
//! rank `d` does, with ranks and chunks moved on by `p`. Then every lane can be followed alone, with what
//! rank 0 sends as what all others send. That takes a time of the length of the lanes, and memory of one.
//!
//! A lane has rounds: some sends, then other steps; the next send begins the next round. These must hold
//! of every lane:
//!
//! 1. It sends and receives what rank 0 does, moved on: as many messages on each channel, each with the
//!    same chunks, in the same rounds.
//! 2. What it sends is an own contribution or a merge of all ranks, as rank 0 sends it: followed with
//!    the messages of rank 0, moved on, as what it receives.
//! 3. A message is received in the round in which it is sent, or later.
//! 4. A chunk that was sent is written in a later round than that in which it is received.
//! 5. What it holds at its end is what the operation promises.
//!
//! By 3 and 4 no step waits for one of another lane in the same half of a round or a later one: sends of
//! round `b` come at time `2b`, all else of it at `2b + 1`, and a receive waits for a send of time at most
//! `2b`, a write for receives of time below `2b`. So the first step that is not done, in the order of
//! these times and then of its lane, waits for nothing: all lanes finish. By induction over the same
//! order, each message carries what 2 says, if all before it do; so 5 holds of what runs. A channel never
//! holds more messages than are sent on it up to a round, less those received in rounds before it.
//!
//! This way only proves. What it does not see to be right is left to the machine that follows every rank.

mod run;
mod table;

use super::lanes::{Lanes, Source};
use super::stop::Stop;
use super::symmetry::{Digests, steps};
use super::{Facts, Finding, Order, Races, Verdict};
use crate::schedule::compact::Packed;
use crate::{Moves, Operation, Params};
use run::Run;
use table::{Rounds, Table};

/// The steps of all lanes together, at most: some seconds.
const STEPS: usize = 1 << 28;

/// Proves a schedule whose lanes exchange inputs and results in rounds; `None` if it is not one, or not
/// seen to be right.
pub(super) fn examine(
    source: &dyn Source,
    params: &Params,
    verdict: &mut Verdict,
) -> Result<Option<Facts>, Stop> {
    let Some(mut proof) = Proof::new(params) else { return Ok(None) };
    let mut digests = Vec::with_capacity(params.ranks());
    for rank in 0..params.ranks() {
        let Some((lane, generated)) = Lanes::one(params, source, rank)? else { return Ok(None) };
        let all: Vec<Packed> = steps(&lane).collect();
        if source.samples(rank, params.ranks())
            && source.compact(params.rank(rank))?.digest != generated
        {
            return Err(Finding::Impure { rank }.into());
        }
        if all.len().saturating_mul(params.ranks()) > STEPS || proof.lane(rank, &all).is_none() {
            return Ok(None);
        }
        digests.push(generated);
    }
    let facts = proof.finish(verdict);
    Ok(Some(Facts { digests: Digests::Each(digests), ..facts }))
}

/// What is found of the lanes so far.
struct Proof<'a> {
    params: &'a Params,
    /// The chunks by which a rank is moved on.
    unit: usize,
    table: Table,
    completing: Vec<Vec<(u32, u32)>>,
    found: Found,
}

#[derive(Default)]
struct Found {
    steps: usize,
    moves: Moves,
    scratch: usize,
    scratch_extent: usize,
    in_order: bool,
    aside: bool,
}

impl<'a> Proof<'a> {
    fn new(params: &'a Params) -> Option<Self> {
        use Operation::{AllGather, AllReduce, AllToAll, ReduceScatter};
        let (n, all, segments) = (params.ranks(), params.chunks(), params.segments());
        let unit = match all {
            _ if all == n * segments => segments,
            _ if all == segments => 0,
            _ => return None,
        };
        let known = [AllGather, AllReduce, AllToAll, ReduceScatter].contains(&params.operation());
        let found = Found { in_order: true, aside: true, ..Found::default() };
        let (table, completing) = (Table::default(), Vec::with_capacity(n));
        known.then_some(Self { params, unit, table, completing, found })
    }

    fn moved(&self, chunk: u32, by: usize) -> u32 {
        let (all, chunk) = (self.params.chunks(), chunk as usize);
        (chunk - chunk % all + (chunk % all + by * self.unit) % all) as u32
    }

    /// Follows a lane; `None` if it is not seen to be right.
    fn lane(&mut self, rank: usize, all: &[Packed]) -> Option<()> {
        if rank == 0 {
            self.table = Table::new(self.params.ranks(), all)?;
        }
        let mut run = Run::new(self, rank);
        let mut rounds = Rounds::default();
        for (at, &step) in all.iter().enumerate() {
            run.step(at as u32, rounds.of(step), step)?;
        }
        let right = run.is_right();
        let Run { completing, scratch, moves, in_order, .. } = run;
        let found = &mut self.found;
        found.steps += all.len();
        found.moves = found.moves.max(moves);
        found.scratch = found.scratch.max(scratch.len());
        let extent = scratch.last_key_value().map_or(0, |(&chunk, _)| chunk as usize + 1);
        found.scratch_extent = found.scratch_extent.max(extent);
        found.in_order &= in_order;
        found.aside &= all.iter().all(|step| step.step().keeps_aside());
        self.completing.push(completing);
        right.then_some(())
    }

    fn finish(self, verdict: &mut Verdict) -> Facts {
        let Self { params, table, found, completing, .. } = self;
        let messages: usize = table.sent.iter().map(Vec::len).sum();
        let reduces = params.operation().reduces();
        verdict.steps = found.steps;
        verdict.messages = (messages * params.ranks()) as u64;
        verdict.moves = found.moves;
        verdict.scratch = found.scratch;
        verdict.scratch_extent = found.scratch_extent;
        verdict.depth = table.depth();
        verdict.order = reduces.then_some(Order::Linear);
        verdict.in_order = reduces && found.in_order;
        verdict.aside = found.aside;
        verdict.races = Races::NoneByMessages;
        verdict.by_symmetry = true;
        let staged = vec![Vec::new(); params.ranks()];
        Facts { completing, staged, digests: Digests::None }
    }
}

#[cfg(test)]
mod tests;
