//! How often contributions are rounded where messages are encoded with loss.

use super::domain::Domain;
use super::lanes::{Lanes, Source};
use super::machine::Machine;
use super::stop::Stop;
use super::{Finding, Verdict};
use crate::{Collective, Params};
use ringwood_base::Result;

/// The most times that an element is rounded on its way from an input to an output, if whatever a
/// rank takes from another one is encoded with loss, and what was merged since is encoded anew.
///
/// What is passed on as it came is not rounded again. So a ring among `n` ranks rounds `n` times,
/// halving and doubling (Rabenseifner) `lg n + 1` times, a two-shot twice, a one-shot once.
///
/// ```
/// # use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank};
/// use ringwood_schedule::count_roundings;
///
/// # struct Ring;
/// # impl Collective for Ring {
/// #     fn describe(&self) -> Descriptor { Descriptor::all_reduce("ring").chunks(Chunks::PerRank) }
/// #     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
/// #         let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
/// #         for step in 0..n - 1 {
/// #             s.send(next, p.chunk(rank - step));
/// #             s.recv_reduce(prev, p.chunk(rank - step - 1));
/// #         }
/// #         for step in 0..n - 1 {
/// #             s.send(next, p.chunk(rank - step + 1));
/// #             s.recv(prev, p.chunk(rank - step));
/// #         }
/// #     }
/// # }
/// assert_eq!(count_roundings(&Ring, &Params::new(&Ring.describe(), 6)?)?, 6);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The author's code panics, or the schedule does not finish: [`verify`](super::verify) says why.
pub fn count_roundings(collective: &dyn Collective, params: &Params) -> Result<usize> {
    let source = Source::new(collective, params);
    let run = || -> Result<_, Stop> {
        let lanes = Lanes::new(source)?;
        let mut machine = Machine::new(&lanes, Roundings);
        machine.run()?;
        let times = |rank| machine.outputs(rank).iter().flatten().map(|value| value.times).max();
        Ok((0..params.ranks()).filter_map(times).max().unwrap_or(0) as usize)
    };
    run().map_err(|stop| stop.into_error(&source.name()))
}

/// [`verify`](super::verify), which also counts how often an element is rounded, and finds fault with
/// more than `most` times; see [`count_roundings`].
///
/// # Errors
/// As [`verify`](super::verify).
pub fn verify_roundings(
    collective: &dyn Collective,
    params: &Params,
    most: usize,
) -> Result<Verdict> {
    let mut verdict = super::verify(collective, params)?;
    if verdict.ok() {
        let times = count_roundings(collective, params)?;
        verdict.roundings = Some(times);
        if times > most {
            verdict.findings.push(Finding::Roundings { times, most });
        }
    }
    Ok(verdict)
}

struct Roundings;

/// What a chunk holds.
#[derive(Clone, Copy)]
struct Rounded {
    /// The most times that a contribution in it was rounded.
    times: u32,
    /// Whether it is as it was decoded.
    encodes: bool,
}

impl Domain for Roundings {
    type Value = Rounded;

    fn leaf(&mut self, _rank: usize, _chunk: usize) -> Rounded {
        Rounded { times: 0, encodes: false }
    }

    fn merge(&mut self, left: &Rounded, right: &Rounded) -> Rounded {
        Rounded { times: left.times.max(right.times), encodes: false }
    }

    fn travelled(&mut self, value: Rounded) -> Rounded {
        let times = if value.encodes { value.times } else { value.times + 1 };
        Rounded { times, encodes: true }
    }
}
