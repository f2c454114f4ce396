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
use super::solo::{Solo, Value, steps};
use super::stop::Stop;
use super::symmetry::Digests;
use super::{Finding, Order, Proof, Races};
use crate::schedule::compact::Packed;
use crate::{Moves, Operation, Params};
use run::Run;
use table::{Rounds, Table};

/// The steps of all lanes together, at most: some seconds.
const STEPS: usize = 1 << 28;

/// Proves a schedule whose lanes exchange inputs and results in rounds; `false` if it is not one, or not
/// seen to be right.
pub(super) fn examine(source: Source<'_>, proof: &mut Proof) -> Result<bool, Stop> {
    use Operation::{AllGather, AllReduce, AllToAll, ReduceScatter};
    let params = source.params;
    let (n, blocks) = (params.ranks(), params.chunks() / params.segments());
    let known = matches!(params.operation(), AllGather | AllReduce | AllToAll | ReduceScatter);
    if !known || blocks != n && blocks != 1 {
        return Ok(false);
    }
    let (mut found, whole) = (Found::default(), Value::fold(n));
    for rank in 0..n {
        let Some((lane, digest)) = Lanes::one(source, rank)? else { return Ok(false) };
        let all: Vec<Packed> = steps(&lane).collect();
        if !source.is_pure(rank, digest)? {
            return Err(Finding::Impure { rank }.into());
        }
        let few = all.len().saturating_mul(n) <= STEPS;
        if !few || found.follow(Solo::new(params, rank), whole, &all).is_none() {
            return Ok(false);
        }
        found.digests.push(digest);
    }
    found.report(params, proof);
    Ok(true)
}

/// What is found of the lanes so far.
#[derive(Default)]
struct Found {
    table: Table,
    digests: Vec<u64>,
    completing: Vec<Vec<(u32, u32)>>,
    steps: usize,
    moves: Moves,
    scratch: usize,
    scratch_extent: usize,
    /// Whether a lane swaps operands, or merges what travels.
    out_of_order: bool,
    mixed: bool,
}

impl Found {
    /// Follows a lane; `None` if it is not seen to be right.
    fn follow(&mut self, rank: Solo<'_>, whole: Value, all: &[Packed]) -> Option<()> {
        if rank.rank == 0 {
            self.table = Table::new(rank.params.ranks(), all)?;
        }
        let mut run = Run::new(rank, whole, &mut self.table);
        let mut rounds = Rounds::default();
        for (&step, at) in all.iter().zip(0..) {
            run.step(at, rounds.of(step), step)?;
        }
        let in_order = run.finish()?;
        let Solo { completing, scratch, moves, .. } = run.solo;
        self.steps += all.len();
        self.moves = self.moves.max(moves);
        self.scratch = self.scratch.max(scratch.len());
        let extent = scratch.last_key_value().map_or(0, |(&chunk, _)| chunk as usize + 1);
        self.scratch_extent = self.scratch_extent.max(extent);
        self.out_of_order |= !in_order;
        self.mixed |= !all.iter().all(|step| step.step().keeps_aside());
        self.completing.push(completing);
        Some(())
    }

    fn report(self, params: &Params, proof: &mut Proof) {
        let messages: usize = self.table.sent.iter().map(Vec::len).sum();
        let reduces = params.operation().reduces();
        let verdict = &mut proof.verdict;
        verdict.steps = self.steps;
        verdict.messages = (messages * params.ranks()) as u64;
        verdict.moves = self.moves;
        verdict.scratch = self.scratch;
        verdict.scratch_extent = self.scratch_extent;
        verdict.depth = self.table.depth();
        verdict.order = reduces.then_some(Order::Linear);
        verdict.in_order = reduces && !self.out_of_order;
        verdict.aside = !self.mixed;
        verdict.races = Races::NoneByMessages;
        verdict.by_symmetry = true;
        proof.completing = self.completing;
        proof.staged = vec![Vec::new(); params.ranks()];
        proof.digests = Digests::Each(self.digests);
    }
}

#[cfg(test)]
mod tests;
