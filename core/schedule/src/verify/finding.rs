//! What is wrong with a schedule, and where.

use super::machine::Stop;
use crate::Step;
use std::fmt;

/// A step of a rank.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// The rank.
    pub rank: usize,
    /// The position of the step in its lane, from 0.
    pub index: usize,
    /// The step.
    pub step: Step,
}

/// `rank 2 step 3  recv_reduce(from 1, chunk 1)   src/lib.rs:41`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} step {}  {}   {}", self.rank, self.index, self.step, self.step.site)
    }
}

/// A rank that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Blocked {
    /// Where it stands.
    pub place: Place,
    /// The rank it waits for.
    pub peer: usize,
    /// Whether that rank has no steps left.
    pub peer_finished: bool,
}

/// What is wrong with a schedule, and where.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "finding")]
#[non_exhaustive]
pub enum Finding {
    /// A chunk of a rank ends with wrong contributions.
    WrongValue {
        /// The rank.
        rank: usize,
        /// The chunk.
        chunk: usize,
        /// The ranks counted more than once, and how often.
        extra: Vec<(usize, u32)>,
        /// The ranks not counted.
        missing: Vec<usize>,
        /// The ranks counted that do not belong there.
        foreign: Vec<usize>,
        /// A contribution of another chunk that it holds: its rank and its chunk.
        displaced: Option<(usize, usize)>,
        /// The first step that is wrong, if one is.
        first_wrong: Option<Place>,
    },
    /// A step reads a chunk that holds no value.
    Uninitialised {
        /// The step.
        place: Place,
        /// The chunk.
        chunk: usize,
    },
    /// A step names a rank or a chunk that does not exist, its own rank as a peer, or writes the
    /// input.
    OutOfRange {
        /// The step.
        place: Place,
        /// What is wrong with it.
        why: String,
    },
    /// A receive names more or fewer chunks than its send, or a move's source than its target.
    Chunks {
        /// The receive or the copy.
        place: Place,
        /// The chunks of the other side.
        source: crate::ChunkRange,
    },
    /// Ranks wait for each other, or for a rank that has finished.
    Deadlock {
        /// The ranks of the cycle, each waiting for the next one.
        cycle: Vec<Blocked>,
    },
    /// A message is never received.
    Leftover {
        /// Its send.
        place: Place,
    },
    /// A rank overwrites what a peer may still be reading.
    Race {
        /// The rank that writes.
        owner: usize,
        /// The peer that reads.
        reader: usize,
    },
    /// No signal orders two accesses of a chunk, one of which is a write.
    Conflict {
        /// The rank whose memory it is.
        owner: usize,
        /// The chunk.
        chunks: crate::ChunkRange,
        /// One access.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// A rank can end before a peer has made its last access to the rank's memory.
    Incomplete {
        /// The rank.
        owner: usize,
        /// The access.
        place: Place,
    },
    /// A rank can leave a barrier before another one has come to it.
    Unheard {
        /// The rank that leaves.
        rank: usize,
        /// The other one.
        other: usize,
    },
    /// An element is rounded too often where messages are encoded with loss.
    Roundings {
        /// How often.
        times: usize,
        /// How often is allowed.
        most: usize,
    },
    /// Two generations of a lane differ.
    Impure {
        /// The rank.
        rank: usize,
    },
}

impl Finding {
    pub(super) fn is_deadlock(&self) -> bool {
        matches!(self, Finding::Deadlock { .. })
    }

    /// The step to look at first, if there is one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Finding::WrongValue { first_wrong, .. } => first_wrong.as_ref(),
            Finding::Uninitialised { place, .. }
            | Finding::OutOfRange { place, .. }
            | Finding::Chunks { place, .. }
            | Finding::Incomplete { place, .. }
            | Finding::Conflict { second: place, .. }
            | Finding::Leftover { place } => Some(place),
            Finding::Deadlock { cycle } => cycle.first().map(|b| &b.place),
            Finding::Race { .. }
            | Finding::Unheard { .. }
            | Finding::Roundings { .. }
            | Finding::Impure { .. } => None,
        }
    }
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Stop::Finding(Box::new(finding))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::WrongValue { rank, chunk, extra, missing, foreign, displaced, .. } => {
                let contents = contents(extra, missing, foreign, *displaced);
                write!(f, "rank {rank} chunk {chunk} {contents}")
            }
            Finding::Uninitialised { chunk, .. } => {
                write!(f, "chunk {chunk} is read before it holds a value")
            }
            Finding::OutOfRange { why, .. } => f.write_str(why),
            Finding::Chunks { source, place } => {
                write!(f, "{} takes the values of {source}: sizes differ", place.step.chunks)
            }
            Finding::Deadlock { cycle } => write_cycle(f, cycle),
            Finding::Leftover { place } => {
                write!(f, "rank {} never receives a message", place.step.peer)
            }
            Finding::Race { owner, reader } => {
                write!(f, "rank {owner} overwrites what rank {reader} may still be reading")
            }
            Finding::Conflict { owner, chunks, first, second } => {
                write!(f, "race on {chunks} of rank {owner}: no signal orders {first} ")?;
                write!(f, "and rank {} step {}", second.rank, second.index)
            }
            Finding::Incomplete { owner, place } => {
                let Place { rank, index, step } = place;
                write!(f, "rank {owner} can end before rank {rank} at step {index} {step} ")?;
                f.write_str("has accessed its memory")
            }
            Finding::Unheard { rank, other } => {
                write!(f, "rank {rank} can leave the barrier before rank {other} has come")
            }
            Finding::Roundings { times, most } => {
                write!(f, "an element is rounded {times} times, {most} are allowed")
            }
            Finding::Impure { rank } => {
                write!(f, "two generations of the steps of rank {rank} differ")
            }
        }
    }
}

/// `holds rank 0 twice and rank 3 never`.
fn contents(
    extra: &[(usize, u32)],
    missing: &[usize],
    foreign: &[usize],
    displaced: Option<(usize, usize)>,
) -> String {
    let times = |count: &u32| match count {
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    };
    let extra = extra.iter().map(|(rank, count)| format!("rank {rank} {}", times(count)));
    let foreign = foreign.iter().map(|rank| format!("rank {rank}, which does not belong there,"));
    let displaced = displaced.map(|(rank, chunk)| format!("rank {rank}'s chunk {chunk}"));
    let holds = list(extra.chain(foreign).chain(displaced).collect());
    let missing = list(missing.iter().map(|rank| format!("rank {rank}")).collect());
    match (holds.is_empty(), missing.is_empty()) {
        (true, _) => format!("never holds {missing}"),
        (false, true) => format!("holds {holds}"),
        (false, false) => format!("holds {holds} and {missing} never"),
    }
}

/// Names at most eight.
fn list(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(8);
    items.truncate(8);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", items.join(", "))
}

fn write_cycle(f: &mut fmt::Formatter<'_>, cycle: &[Blocked]) -> fmt::Result {
    f.write_str("deadlock: ")?;
    for (i, Blocked { place, peer, peer_finished }) in cycle.iter().enumerate() {
        let arrow = if i == 0 { "" } else { ", " };
        let finished = if *peer_finished { ", which has finished" } else { "" };
        let step = place.step;
        write!(f, "{arrow}rank {} at step {} ", place.rank, place.index)?;
        write!(f, "{step} waits for rank {peer}{finished}")?;
    }
    Ok(())
}
