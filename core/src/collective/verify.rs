//! The verifier: proves a schedule for one group size before it runs.
//!
//! A schedule is a set of sequential lanes that receive from named peers in order: a Kahn network.
//! Every execution computes the same values, and either all of them finish or none does, so one
//! abstract run decides. It runs over random linear forms: each contribution is a random element
//! of a prime field, a merge is a sum, and a chunk is right if it holds the sum of the right
//! contributions. A wrong schedule passes with probability below 2^-100.

mod cache;
mod domain;
mod explain;
mod finding;
mod machine;
mod order;
mod trees;
mod verdict;

pub(super) use cache::{Proof, prove};
pub use finding::{Blocked, Finding, Place};
pub use order::Order;
pub(super) use order::mix;
pub(super) use trees::{Node, Trees};
pub use verdict::Verdict;

use super::engine::{Links, Race, find_race};
use super::schedule::{Generated, generate};
use super::transport::Capabilities;
use super::{Collective, Operation, Params, Partition, Rank, Schedule, Step};
use crate::{DType, Error, ErrorKind, Result};
use domain::{Forms, Unit};
use machine::{Capacity, Machine, Stop};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// Gives the steps of a rank within a window; its memory is reused.
type Source<'a> = dyn Fn(Rank, Range<usize>, Vec<Step>) -> Result<Generated> + 'a;

/// Races are checked on lowered programs, which are held in memory, up to this many steps.
const RACE_STEPS: usize = 1 << 20;

/// A proof follows one value for each chunk of each rank, up to this many: 2 GiB of them.
const VALUES: usize = 1 << 26;
/// The lanes of a proof, each with a window of its steps.
const LANES: usize = 1 << 20;

/// What is verified, whoever wrote its steps.
struct Subject<'a> {
    name: &'a str,
    params: &'a Params,
    source: &'a Source<'a>,
}

/// What a proof hands to the engine, beside the verdict.
#[derive(Default)]
struct Facts {
    completing: Vec<Vec<(u32, u32)>>,
    staged: Vec<Vec<u32>>,
    digests: Vec<u64>,
}

/// Verifies a collective for one set of parameters.
///
/// ```
/// # use ringwood_core::collective::{Chunks, Collective, Descriptor, Lane, Params, Rank};
/// use ringwood_core::collective::verify;
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
/// # Ok::<(), ringwood_core::Error>(())
/// ```
///
/// # Errors
/// The author's code panics, or there are more than 2^20 ranks or 2^26 chunks of all ranks. A
/// schedule that is wrong is not an error but a [`Verdict`] with findings.
pub fn verify(collective: &dyn Collective, params: &Params) -> Result<Verdict> {
    Ok(prove_collective(collective, params)?.0)
}

/// Verifies a schedule that is held in memory, for instance one that was read from a file.
///
/// # Errors
/// The schedule has another number of lanes than `params` has ranks, or there are more than 2^20 ranks or 2^26 chunks of all ranks.
pub fn verify_schedule(schedule: &Schedule, params: &Params) -> Result<Verdict> {
    schedule.check_lanes(params)?;
    let source = |rank: Rank, window: Range<usize>, reuse| Ok(schedule.window(rank, window, reuse));
    let subject = Subject { name: &schedule.collective, params, source: &source };
    Ok(prove_subject(&subject)?.0)
}

fn prove_collective(collective: &dyn Collective, params: &Params) -> Result<(Verdict, Facts)> {
    let descriptor = collective.describe();
    let source = |rank, window, reuse| generate(collective, params, rank, window, reuse);
    prove_subject(&Subject { name: descriptor.name, params, source: &source })
}

fn prove_subject(subject: &Subject<'_>) -> Result<(Verdict, Facts)> {
    let start = Instant::now();
    check_size(subject)?;
    let mut verdict = Verdict::new(subject.name, subject.params);
    let facts = match examine(subject, &mut verdict) {
        Ok(facts) => facts,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Finding(finding)) => {
            verdict.findings.push(*finding);
            Facts::default()
        }
    };
    verdict.seconds = start.elapsed().as_secs_f64();
    Ok((verdict, facts))
}

fn check_size(subject: &Subject<'_>) -> Result<()> {
    let (ranks, chunks) = (subject.params.ranks(), subject.params.chunks());
    if ranks <= LANES && ranks.saturating_mul(chunks) <= VALUES {
        return Ok(());
    }
    let message = format!(
        "collective `{}` with {chunks} chunks is not proved for {ranks} ranks: a proof is held in \
         memory, for at most {LANES} ranks and {VALUES} chunks of all ranks together",
        subject.name
    );
    Err(Error::new(ErrorKind::Unsupported, message).help("prove it for fewer ranks"))
}

fn examine(subject: &Subject<'_>, verdict: &mut Verdict) -> Result<Facts, Stop> {
    if subject.params.operation() == Operation::Barrier {
        let message = format!("collective `{}`: a barrier is not proved", subject.name);
        return Err(Error::new(ErrorKind::Unsupported, message).into());
    }
    let (digests, steps) = check_purity(subject)?;
    let (forms, depth) = run_values(subject, verdict)?;
    verdict.depth = depth;
    verdict.order = order::classify(subject, &forms.orders);
    let staged = stage(subject)?;
    verdict.staged = staged.iter().map(Vec::len).max().unwrap_or(0);
    let two_sided = verdict.needs == Capabilities::NONE && verdict.signals == 0;
    if two_sided && steps <= RACE_STEPS {
        check_races(subject, &staged, verdict.scratch > 0)?;
        verdict.races_checked = true;
    }
    Ok(Facts { completing: forms.completing, staged, digests })
}

/// A schedule is generated window by window, so it must be the same each time.
fn check_purity(subject: &Subject<'_>) -> Result<(Vec<u64>, usize), Stop> {
    let mut steps = 0;
    let mut digest = |r| {
        let rank = subject.params.rank(r);
        let generate = || (subject.source)(rank, 0..0, Vec::new()).map(|g| (g.digest, g.total));
        let (first, again) = (generate()?, generate()?);
        steps += first.1;
        if first == again { Ok(first.0) } else { Err(Finding::Impure { rank: r }.into()) }
    };
    let digests = (0..subject.params.ranks()).map(&mut digest).collect::<Result<_, Stop>>()?;
    Ok((digests, steps))
}

/// Lowers every rank as the peer-memory engine does, and checks that what runs has no race.
fn check_races(subject: &Subject<'_>, staged: &[Vec<u32>], scratch: bool) -> Result<(), Stop> {
    let params = subject.params;
    let lane = |r: usize| (subject.source)(params.rank(r), 0..usize::MAX, Vec::new());
    let lanes =
        (0..params.ranks()).map(|r| lane(r).map(|g| g.steps)).collect::<Result<Vec<_>>>()?;
    let lane = |rank: Rank| Ok(Cow::Borrowed(lanes[rank.index()].as_slice()));
    let links = Links::new(params, staged, &lane);
    let one_byte_each = Partition::new(params.chunks(), DType::U8, params.chunks());
    let lower = |r| links.lower(params.rank(r), &[], scratch, &one_byte_each, 1, usize::MAX);
    let programs = (0..params.ranks()).map(lower).collect::<Result<Vec<_>>>()?;
    match find_race(&programs) {
        None => Ok(()),
        Some(Race { owner, reader }) => Err(Finding::Race { owner, reader }.into()),
    }
}

/// Runs the values over channels of the smallest depth that works, and compares the outputs.
fn run_values(subject: &Subject<'_>, verdict: &mut Verdict) -> Result<(Forms, usize), Stop> {
    let run = |capacity| {
        let mut machine = Machine::new(subject, Forms::new(subject));
        machine.run(capacity).map(|()| machine)
    };
    let (machine, depth) = match run(Capacity::Depth(1)) {
        Ok(machine) => (machine, 1),
        Err(Stop::Finding(finding)) if finding.is_deadlock() => {
            let machine = run(Capacity::Unbounded)?;
            let most = machine.most_queued();
            (machine, smallest_depth(subject, most)?)
        }
        Err(stop) => return Err(stop),
    };
    verdict.messages = machine.messages();
    verdict.scratch = machine.scratch_chunks();
    verdict.scratch_extent = machine.scratch_extent();
    verdict.moves = machine.moves();
    verdict.needs = machine.needs();
    verdict.signals = machine.signals();
    if let Some((rank, chunk)) = machine.first_wrong() {
        return Err(explain::wrong_value(subject, rank, chunk)?.into());
    }
    let mut forms = machine.into_forms();
    forms.completing.iter_mut().for_each(|c| c.sort_unstable());
    Ok((forms, depth))
}

/// Finishing is monotone in the depth, and `most` is enough.
fn smallest_depth(subject: &Subject<'_>, most: usize) -> Result<usize, Stop> {
    let (mut fails, mut works) = (1, most.max(2));
    while works - fails > 1 {
        let depth = fails.midpoint(works);
        match Machine::new(subject, Unit).run(Capacity::Depth(depth)) {
            Ok(()) => works = depth,
            Err(Stop::Finding(finding)) if finding.is_deadlock() => fails = depth,
            Err(stop) => return Err(stop),
        }
    }
    Ok(works)
}

/// Chooses the sends whose chunks the engine copies aside.
///
/// Peers read a sent chunk in place, so a rank that wants to overwrite it waits for them. Where
/// ranks would wait for each other that way, as when two of them exchange one chunk, the send
/// leaves a copy instead.
fn stage(subject: &Subject<'_>) -> Result<Vec<Vec<u32>>, Stop> {
    let mut staged = vec![Vec::new(); subject.params.ranks()];
    loop {
        let mut machine = Machine::new(subject, Unit);
        match machine.run(Capacity::InPlace(&staged)) {
            Ok(()) => return Ok(staged),
            Err(Stop::Finding(finding)) if finding.is_deadlock() => {
                let unread = machine.unread_sends();
                if unread.is_empty() {
                    return Err(Stop::Finding(finding));
                }
                for (rank, step) in unread {
                    staged[rank].push(step);
                    staged[rank].sort_unstable();
                }
            }
            Err(stop) => return Err(stop),
        }
    }
}

#[cfg(test)]
mod tests;
