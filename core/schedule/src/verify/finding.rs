//! What is wrong with a schedule, and where.

mod place;
pub(super) mod uneven;

pub use place::Place;
pub use uneven::Uneven;

use crate::schedule::Site;
use crate::{Action, ChunkRange};
use std::fmt;

/// A rank, or a lane of a plan, that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Blocked {
    /// Where it stands.
    pub place: Place,
    /// What it waits for: `rank 1`, `a message from rank 1 on channel 0`.
    pub waits_for: String,
    /// Whether nobody will do that any more.
    pub never: bool,
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
        /// Its name: `chunk 3`, in a plan `output 3`.
        name: String,
        /// The ranks counted more than once, and how often.
        extra: Vec<(usize, u32)>,
        /// The ranks not counted.
        missing: Vec<usize>,
        /// The ranks counted that do not belong there.
        foreign: Vec<usize>,
        /// A contribution of another chunk that it holds: its rank and its chunk.
        displaced: Option<(usize, usize)>,
        /// The step that counted a rank of `extra` twice; where there is none, and of a plan, the last one that
        /// wrote the chunk, if there is one.
        first_wrong: Option<Place>,
    },
    /// A step reads a chunk that holds no value.
    Uninitialised {
        /// The step.
        place: Place,
        /// The chunk.
        chunk: usize,
        /// Its name: `chunk 3 of rank 1`.
        name: String,
    },
    /// A step names a rank or a chunk that does not exist, its own rank as a peer, chunks that
    /// overlap, or writes the input, or merges in an operation that does not reduce.
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
        source: ChunkRange,
        /// The send, if that is the other side, with the numbers of chunks sent and expected; in a
        /// plan those of its file.
        sender: Option<(Place, [u32; 2])>,
    },
    /// Ranks wait for each other, or for a rank that has finished.
    Deadlock {
        /// The ranks of the cycle, each waiting for the next one.
        cycle: Vec<Blocked>,
        /// Two ranks whose sends and receives do not match, if there are such.
        #[serde(skip_serializing_if = "Option::is_none")]
        uneven: Option<Uneven>,
    },
    /// A message is never received, or a signal of a plan never waited for.
    Leftover {
        /// The send or signal.
        place: Place,
        /// The two ranks whose sends and receives do not match.
        #[serde(skip_serializing_if = "Option::is_none")]
        uneven: Option<Uneven>,
    },
    /// A rank overwrites what a peer may still be reading.
    Race {
        /// The rank that writes.
        owner: usize,
        /// The peer that reads.
        reader: usize,
    },
    /// Nothing orders two accesses of a chunk, one of which is a write.
    Conflict {
        /// The rank whose memory it is.
        owner: usize,
        /// The chunk: `chunk 3 of rank 1`.
        name: String,
        /// One access.
        first: Place,
        /// Whether it writes.
        first_writes: bool,
        /// The other one.
        second: Place,
        /// Whether it writes.
        second_writes: bool,
    },
    /// A rank can end before a peer has made its last access to the rank's memory; in a plan, before
    /// the last write of its output.
    Incomplete {
        /// The rank.
        owner: usize,
        /// The output of a plan: `output 3 of rank 1`.
        name: Option<String>,
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
    /// A packet is written a second time: a reader may still take the first for it.
    PacketTwice {
        /// The packet: `packet 3 of rank 1`.
        name: String,
        /// The second write.
        place: Place,
    },
    /// A signal in a loop meets a wait in a loop of another length.
    Rounds {
        /// The signal.
        signal: Place,
        /// The wait.
        wait: Place,
    },
    /// Two lanes use one end of a channel, or more lanes a barrier than meet there: which of them
    /// comes first is open.
    Shared {
        /// The first user.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// A release of one of several lanes that nothing orders after an acquire: it may be the one
    /// that the acquire took, in place of another that the acquire relies on.
    Semaphore {
        /// The release.
        release: Place,
        /// The acquire.
        acquire: Place,
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
            | Finding::PacketTwice { place, .. }
            | Finding::Rounds { wait: place, .. }
            | Finding::Shared { second: place, .. }
            | Finding::Semaphore { release: place, .. }
            | Finding::Leftover { place, .. } => Some(place),
            Finding::Deadlock { cycle, .. } => cycle.first().map(|b| &b.place),
            Finding::Race { .. }
            | Finding::Unheard { .. }
            | Finding::Roundings { .. }
            | Finding::Impure { .. } => None,
        }
    }

    /// `holds rank 0 twice and rank 3 never`, of a wrong value.
    fn contents(&self) -> String {
        let Finding::WrongValue { extra, missing, foreign, displaced, .. } = self else {
            return String::new();
        };
        let times = |count: u32| match count {
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        let extra = extra.iter().map(|(rank, count)| format!("rank {rank} {}", times(*count)));
        let foreign =
            foreign.iter().map(|rank| format!("rank {rank}, which does not belong there,"));
        let displaced = displaced.map(|(rank, chunk)| format!("rank {rank}'s chunk {chunk}"));
        let holds = list(extra.chain(foreign).chain(displaced).collect());
        let missing = list(missing.iter().map(|rank| format!("rank {rank}")).collect());
        match (holds.is_empty(), missing.is_empty()) {
            (true, true) => "holds other contributions than it should".to_owned(),
            (true, false) => format!("never holds {missing}"),
            (false, true) => format!("holds {holds}"),
            (false, false) => format!("holds {holds} and {missing} never"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::WrongValue { rank, name, first_wrong, .. } => {
                write!(f, "rank {rank} {name} {}", self.contents())?;
                match first_wrong {
                    Some(place @ Place::Op { .. }) => write!(f, "; last written by {place}"),
                    Some(Place::Step { .. }) => Ok(()),
                    None => f.write_str("; nothing writes it"),
                }
            }
            Finding::Uninitialised { place: place @ Place::Op { .. }, name, .. } => {
                write!(f, "{place} reads {name} before it holds a value")
            }
            Finding::Uninitialised { chunk, .. } => {
                write!(f, "chunk {chunk} is read before it holds a value")
            }
            Finding::OutOfRange { place: place @ Place::Op { .. }, why } => {
                write!(f, "{place} {why}")
            }
            Finding::OutOfRange { why, .. } => f.write_str(why),
            Finding::Chunks { source, place, sender } => match (place, sender) {
                (Place::Op { .. }, Some((sender, [sends, expects]))) => {
                    write!(f, "{place} expects {expects} chunks, {sender} sends {sends}")
                }
                _ => {
                    let chunks = place.step().map_or(ChunkRange::NONE, |step| step.chunks);
                    write!(f, "{chunks} takes the values of {source}: sizes differ")
                }
            },
            Finding::Deadlock { cycle, uneven } => {
                write_uneven(f, uneven.as_ref())?;
                write_cycle(f, cycle)
            }
            Finding::Leftover { place, uneven } => {
                write_uneven(f, uneven.as_ref())?;
                match place.step() {
                    Some(step) if step.action == Action::Signal => {
                        write!(f, "rank {} never waits for a signal", step.peer)
                    }
                    Some(step) => write!(f, "rank {} never receives a message", step.peer),
                    None => write!(f, "{place} is never received or waited for"),
                }
            }
            Finding::Race { owner, reader } => {
                write!(f, "rank {owner} overwrites what rank {reader} may still be reading")
            }
            Finding::Conflict { name, first, first_writes, second, second_writes, .. } => {
                let verb = |writes: &bool| if *writes { "writes" } else { "reads" };
                let (a, b) = (verb(first_writes), verb(second_writes));
                write!(
                    f,
                    "race on {name}: {first} {a} it, {second} {b} it, and nothing orders them"
                )
            }
            Finding::Incomplete { name: Some(name), place, .. } => {
                write!(f, "{name}: its rank may end before {place} has written it")
            }
            Finding::Incomplete { owner, place, .. } => {
                let access = place.in_words();
                write!(f, "rank {owner} can end before {access} has accessed its memory")
            }
            Finding::PacketTwice { name, place } => {
                write!(f, "{place} writes {name} a second time: readers cannot tell the two apart")
            }
            Finding::Rounds { signal, wait } => {
                write!(f, "{signal} and {wait} stand in loops of different lengths")
            }
            Finding::Shared { first, second } => {
                write!(f, "{first} and {second} share a channel or barrier, ")?;
                f.write_str("and which comes first is open")
            }
            Finding::Semaphore { release, acquire } => {
                write!(f, "{release} may be what {acquire} took, in place of another release")
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

/// How many of a list are named.
const SHOWN: usize = 8;

/// Names at most [`SHOWN`].
fn list(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(SHOWN);
    items.truncate(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", items.join(", "))
}

fn write_cycle(f: &mut fmt::Formatter<'_>, cycle: &[Blocked]) -> fmt::Result {
    let blocked = |Blocked { place, waits_for, .. }: &Blocked| {
        let site = place.step().map(|step| step.site).filter(Site::is_known);
        let site = site.map_or(String::new(), |site| format!(" at {site}"));
        format!("{}{site} waits for {waits_for}", place.in_words())
    };
    let shown: Vec<_> = cycle.iter().take(SHOWN).map(blocked).collect();
    write!(f, "deadlock: {}", shown.join(", "))?;
    let more = cycle.len().saturating_sub(SHOWN);
    if more > 0 { write!(f, ", and {more} more of the cycle") } else { Ok(()) }
}

fn write_uneven(f: &mut fmt::Formatter<'_>, uneven: Option<&Uneven>) -> fmt::Result {
    uneven.map_or(Ok(()), |uneven| write!(f, "{uneven}; "))
}
