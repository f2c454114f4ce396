//! The outcome of a verification.

use super::domain::Domain;
use super::machine::Machine;
use super::{Finding, Order};
use crate::{Capabilities, Moves, Params};
use ringwood_base::{Error, Result};
use std::fmt;

/// The outcome of a verification: what is proved, or what is wrong.
///
/// ```text
/// ring  8 ranks  values ok  order ring  races none  deadlock none (depth 1)  scratch none  0.1 ms
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Verdict {
    /// The algorithm's name.
    pub collective: String,
    /// The size of the group.
    pub ranks: usize,
    /// The number of chunks, all segments counted.
    pub chunks: usize,
    /// What is wrong; nothing if the schedule is proved.
    #[serde(skip_deserializing)]
    pub findings: Vec<Finding>,
    /// The order in which contributions are merged, if the values are right.
    pub order: Option<Order>,
    /// Whether every merge is of all ranks in their order, so that an operator that does not commute
    /// may be used.
    pub in_order: bool,
    /// Whether the values are wrong, but only because contributions are counted more than once: the
    /// schedule would be right for the smallest or the largest of all.
    pub idempotent_only: bool,
    /// Whether there are races, and how far that was looked for.
    pub races: Races,
    /// Whether one lane was followed for all, which are the same moved on. Or each lane was followed by itself, since
    /// what all say to each other is the same moved on.
    pub by_symmetry: bool,
    /// How many lanes were looked at: all, but of a collective whose lanes are the same moved on and have more than
    /// 2^23 steps together, some 70. The engine compares each lane that it runs.
    pub compared: usize,
    /// The smallest number of messages a channel must hold for the schedule to finish.
    pub depth: usize,
    /// The most scratch chunks that one rank uses.
    pub scratch: usize,
    /// One past the last scratch chunk that any rank names.
    pub scratch_extent: usize,
    /// What the steps ask of a transport, beside messages and signals.
    pub needs: Capabilities,
    /// The number of signals of all ranks, with the barriers that they pass.
    pub signals: u64,
    /// Which chunks the moves connect.
    pub moves: Moves,
    /// Whether only scratch chunks are merged into, which are neither sent nor accessed by a peer: then
    /// merges may have another form than what travels.
    pub aside: bool,
    /// The most sends of one rank that the peer-memory engine copies aside, because in place the
    /// ranks would wait for each other.
    pub staged: usize,
    /// The number of steps of all ranks.
    pub steps: usize,
    /// The number of messages of all ranks.
    pub messages: u64,
    /// How often an element is rounded where messages are encoded with loss, if that was counted;
    /// see [`count_roundings`](crate::count_roundings).
    pub roundings: Option<usize>,
    /// The time that the verification took, where its caller measured it.
    pub seconds: Option<f64>,
}

/// How races were excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Races {
    /// They were not looked for, because something else is wrong.
    #[default]
    NotChecked,
    /// The programs that run over peer memory, into which messages are lowered, have none.
    NoneInPrograms,
    /// Ranks exchange only messages, whose lowering makes every reader wait for its sender and every
    /// writer for its readers. The programs, which are long, were not looked at.
    NoneByMessages,
    /// Signals and barriers order all accesses.
    NoneBySignals,
}

impl fmt::Display for Races {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Races::NotChecked => "not checked",
            Races::NoneInPrograms | Races::NoneBySignals => "none",
            Races::NoneByMessages => "none (two-sided)",
        })
    }
}

impl Verdict {
    pub(super) fn new(collective: &str, params: &Params) -> Self {
        let ranks = params.ranks();
        Self {
            collective: collective.to_owned(),
            ranks,
            chunks: params.chunks(),
            compared: ranks,
            ..Self::default()
        }
    }

    /// Takes over what a run shows by itself.
    pub(super) fn note<D: Domain>(&mut self, machine: &Machine<'_, D>, staged: &[Vec<u32>]) {
        let totals = machine.totals;
        (self.messages, self.signals) = (totals.messages, totals.signals);
        (self.needs, self.moves) = (totals.needs, totals.moves);
        (self.scratch, self.scratch_extent) = machine.scratch_chunks();
        self.staged = staged.iter().map(Vec::len).max().unwrap_or(0);
    }

    /// Whether the schedule is proved.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// The verdict as a result.
    ///
    /// # Errors
    /// [`NotVerified`](ringwood_base::ErrorKind::NotVerified) with the verdict's text, unless the schedule is proved.
    pub fn into_result(self) -> Result<Verdict> {
        if self.ok() {
            return Ok(self);
        }
        Err(Error::not_verified(format!("refused by the verifier: {self}")))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        write!(f, "{}  {} rank{}  ", self.collective, self.ranks, plural(self.ranks))?;
        if let [finding, ..] = self.findings.as_slice() {
            write_finding(f, finding)?;
            let only =
                "\n        right only for operators that ignore repetition, as min and max do";
            return f.write_str(if self.idempotent_only { only } else { "" });
        }
        f.write_str("values ok")?;
        if let Some(order) = self.order {
            write!(f, "  order {order}")?;
        }
        write!(f, "  races {}", self.races)?;
        write!(f, "  deadlock none (depth {})", self.depth)?;
        f.write_str(if self.by_symmetry { "  by symmetry" } else { "" })?;
        if self.compared < self.ranks {
            write!(f, " (of {} lanes that were compared)", self.compared)?;
        }
        match self.scratch + self.staged {
            0 => f.write_str("  scratch none")?,
            n => write!(f, "  scratch {n} chunk{}", plural(n))?,
        }
        if let Some(times) = self.roundings {
            write!(f, "  roundings {times}")?;
        }
        self.seconds.map_or(Ok(()), |seconds| write!(f, "  {:.1} ms", seconds * 1e3))
    }
}

fn write_finding(f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
    write!(f, "WRONG: {finding}")?;
    let what = match finding {
        Finding::WrongValue { extra, .. } if extra.is_empty() => "last written by",
        _ => "first wrong step:",
    };
    match finding.place() {
        Some(place) if !finding.is_deadlock() => write!(f, "\n        {what} {place}"),
        _ => Ok(()),
    }
}
