//! The verifier: proves a schedule for one group size before it runs.
//!
//! A schedule is a set of sequential lanes that receive from named peers in order: a Kahn network.
//! Every execution computes the same values, and either all of them finish or none does, so one
//! abstract run decides. It runs over random linear forms: each contribution is a random number, a
//! merge is a sum, and a chunk is right if it holds the sum of the right contributions.
//!
//! Messages carry the values of their moment, so ranks that only exchange messages cannot race.
//! Steps that access memory of a peer are ordered by signals and barriers alone: vector clocks find
//! two accesses without an order, and a rank that ends while a peer still uses its memory.

mod cache;
mod cases;
mod domain;
mod explain;
mod finding;
mod hash;
mod laned;
mod lanes;
mod machine;
mod order;
mod plan;
mod roundings;
mod rounds;
mod solo;
mod stop;
mod symmetry;
mod trees;
mod verdict;

pub use cache::{Proof, prove};
pub(super) use cache::{adopt, is_proved};
pub use cases::cases;
pub use finding::{Blocked, Finding, Place, Uneven};
pub(super) use hash::{Mix, mix};
pub use laned::{Model, Packets, Relaxed};
pub use order::Order;
pub use plan::{Report, verify_plan};
pub use roundings::{count_roundings, verify_roundings};
pub use trees::{Node, Trees};
pub use verdict::{Races, Verdict};

use super::{Collective, Operation, Params, Rank, Schedule};
use crate::lower::{Links, Places, Race, find_race};
use domain::{Forms, Unit};
use lanes::{Lanes, Located, Source, Written};
use machine::{Clocks, Machine};
use ringwood_base::{Error, Result, counted};
use std::borrow::Cow;
use stop::Stop;
use symmetry::Digests;

/// Up to this many steps, races are also looked for in the programs that run.
const RACE_STEPS: usize = 1 << 17;

/// A proof follows one value for each chunk of each rank, up to this many: 2 GiB of them.
const VALUES: usize = 1 << 26;
/// The lanes of a proof.
const LANES: usize = 1 << 20;

/// Verifies a collective for one set of parameters.
///
/// ```
/// # use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank};
/// use ringwood_schedule::verify;
///
/// # struct Gather;
/// # impl Collective for Gather {
/// #     fn describe(&self) -> Descriptor { Descriptor::all_reduce("forgetful") }
/// #     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
/// #         s.send(rank.next(), p.all());
/// #         s.recv_reduce(rank.prev(), p.all());
/// #     }
/// # }
/// let verdict = verify(&Gather, &Params::new(&Gather.describe(), 3)?)?;
/// assert!(!verdict.ok());
/// assert!(verdict.to_string().contains("rank 0 chunk 0 never holds rank 1"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The author's code panics, or there are more than 2^20 ranks or 2^26 chunks of all ranks. A
/// schedule that is wrong is not an error but a [`Verdict`] with findings.
pub fn verify(collective: &dyn Collective, params: &Params) -> Result<Verdict> {
    Ok(prove_lanes(Source::new(collective, params))?.verdict)
}

/// Verifies a schedule that is held in memory, for instance one that was read from a file.
///
/// # Errors
/// The schedule has another number of lanes than `params` has ranks, or there are more than 2^20 ranks or 2^26 chunks of all ranks.
pub fn verify_schedule(schedule: &Schedule, params: &Params) -> Result<Verdict> {
    schedule.check_lanes(params)?;
    let collective = &Written(schedule, params.operation());
    Ok(prove_lanes(Source { collective, params, all: true })?.verdict)
}

/// Whether a schedule is right, which its verdict says.
fn prove_lanes(source: Source<'_>) -> Result<Proof> {
    let mut proof = Proof::of(Verdict::new(&source.name(), source.params));
    match examine(source, &mut proof) {
        Ok(()) => {}
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Finding(finding)) => proof.verdict.findings.push(*finding),
    }
    Ok(proof)
}

/// Refuses more ranks and chunks than a proof holds; `scratch` are the scratch chunks of all ranks.
fn check_size(name: &str, params: &Params, scratch: usize) -> Result<()> {
    let (ranks, chunks) = (params.ranks(), params.chunks());
    if ranks <= LANES && ranks.saturating_mul(chunks).max(scratch) <= VALUES {
        return Ok(());
    }
    let (ranks, chunks) = (counted(ranks, "rank"), counted(chunks, "chunk"));
    let message = format!(
        "collective `{name}` with {chunks} is not proved for {ranks}: a proof is held \
         in memory, for at most {LANES} ranks and {VALUES} chunks of all ranks together"
    );
    Err(Error::unsupported(message).help("prove it for fewer ranks, or cut it in fewer chunks"))
}

fn examine(source: Source<'_>, proof: &mut Proof) -> Result<(), Stop> {
    if symmetry::RANKS.contains(&source.params.ranks())
        && (symmetry::examine(source, proof)? || rounds::examine(source, proof)?)
    {
        return Ok(());
    }
    check_size(&source.name(), source.params, 0)?;
    examine_each(source, proof)
}

/// Follows every rank.
fn examine_each(source: Source<'_>, proof: &mut Proof) -> Result<(), Stop> {
    let (lanes, params) = (Lanes::new(source)?, source.params);
    let verdict = &mut proof.verdict;
    (verdict.steps, verdict.aside) = (lanes.steps, lanes.aside);
    let mut machine = Machine::new(&lanes, Forms::new(params));
    match machine.run() {
        Err(Stop::Finding(finding)) => {
            return Err(finding::uneven::counted(&lanes, *finding)?.into());
        }
        other => other?,
    }
    let staged = machine.take_staged();
    verdict.note(&machine, &staged);
    if let Some(clocks) = &machine.clocks {
        check_order(&lanes, clocks)?;
    }
    if let Some((rank, chunk)) = machine.first_wrong() {
        verdict.idempotent_only = explain::idempotent_only(&lanes)?;
        return Err(explain::wrong_value(&lanes, rank, chunk)?.into());
    }
    verdict.order = order::classify(params, &machine);
    verdict.in_order = order::in_order(params, &machine);
    verdict.races = match machine.clocks {
        Some(_) => Races::NoneBySignals,
        None => check_programs(&lanes, &staged, verdict.scratch_extent)?,
    };
    verdict.depth = match machine.depth {
        Some(depth) => depth as usize,
        None => smallest_depth(&lanes)?,
    };
    proof.completing = machine.domain.completing;
    proof.completing.iter_mut().for_each(|steps| steps.sort_unstable());
    (proof.staged, proof.digests) = (staged, Digests::Each(lanes.digests));
    Ok(())
}

/// The smallest number of messages that channels must hold.
fn smallest_depth(lanes: &Lanes<'_>) -> Result<usize, Stop> {
    let mut machine = Machine::new(lanes, Unit);
    machine.run()?;
    Ok(machine.depth.map_or(1, |depth| depth as usize))
}

/// The steps of a schedule in an order in which they can happen, as (rank, step) pairs.
///
/// # Errors
/// The schedule has another number of lanes than `params` has ranks, or does not end, or races
/// ([`NotVerified`](ringwood_base::ErrorKind::NotVerified)).
pub fn order_of_steps(schedule: &Schedule, params: &Params) -> Result<Vec<(u32, u32)>> {
    schedule.check_lanes(params)?;
    let run = || -> Result<_, Stop> {
        check_size(&schedule.collective, params, 0)?;
        let collective = &Written(schedule, params.operation());
        let lanes = Lanes::new(Source { collective, params, all: true })?;
        let mut machine = Machine::new(&lanes, Forms::new(params));
        machine.order = Some(Vec::new());
        machine.run()?;
        if let Some(clocks) = &machine.clocks {
            check_order(&lanes, clocks)?;
        }
        Ok(machine.order.unwrap_or_default())
    };
    run().map_err(|stop| stop.into_error(&schedule.collective))
}

/// Looks for accesses that no signal orders, and for ranks that end too early.
fn check_order(lanes: &Lanes<'_>, clocks: &Clocks) -> Result<(), Stop> {
    if let Some(conflict) = clocks.conflict {
        return Err(conflict.finding(&lanes.source)?.into());
    }
    if let Some((owner, at)) = clocks.incomplete() {
        let place = lanes.source.place(at)?;
        return Err(Finding::Incomplete { owner, name: None, place }.into());
    }
    let barrier = lanes.params.operation() == Operation::Barrier;
    match clocks.unheard().filter(|_| barrier) {
        Some((rank, other)) => Err(Finding::Unheard { rank, other }.into()),
        None => Ok(()),
    }
}

/// Lowers every rank as the peer-memory engine does, and checks that what runs has no race, unless
/// the programs are very long.
fn check_programs(lanes: &Lanes<'_>, staged: &[Vec<u32>], scratch: usize) -> Result<Races, Stop> {
    if lanes.steps > RACE_STEPS {
        return Ok(Races::NoneByMessages);
    }
    let params = lanes.params;
    let steps = (0..params.ranks()).map(|r| lanes.steps(r)).collect::<Result<Vec<_>, _>>()?;
    let lane = |rank: Rank| Ok(Cow::Borrowed(steps[rank.index()].as_slice()));
    let places = Places::abstracted(params, scratch)?;
    let links = Links { places: &places, staged, lane: &lane, one_sided: false };
    let lower = |r| links.lower(params.rank(r), &[], usize::MAX);
    let programs = (0..params.ranks()).map(lower).collect::<Result<Vec<_>>>()?;
    match find_race(&programs) {
        None => Ok(Races::NoneInPrograms),
        Some(Race { owner, reader }) => Err(Finding::Race { owner, reader }.into()),
    }
}

#[cfg(test)]
mod tests;
