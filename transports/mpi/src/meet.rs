//! How the ranks of a group find each other: through the group's rank 0.

use crate::engine::{Engine, WORLD};
use crate::life::Process;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::Rank;
use serde::{Deserialize, Serialize};
use std::ffi::c_int;
use std::time::{Duration, Instant};

/// Where the ranks of a group knock: a process, and the tag that it listens at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    pub(crate) process: usize,
    pub(crate) tag: c_int,
}

/// The group of all processes.
const ALL: Door = Door { process: 0, tag: WORLD };

/// Before every address.
const PREFIX: &str = "mpi:";

impl Door {
    /// `mpi:world`, or what [`Door::address`] gives.
    ///
    /// # Errors
    /// It is neither.
    pub(crate) fn parse(address: &str) -> Result<Self> {
        let place = address.strip_prefix(PREFIX);
        let other = |place: &str| {
            let (process, tag) = place.split_once('.')?;
            Some(Self { process: process.parse().ok()?, tag: tag.parse().ok()? })
        };
        let door = place.and_then(|place| if place == "world" { Some(ALL) } else { other(place) });
        door.ok_or_else(|| {
            let message = format!("`{address}` is not an address of a group over MPI");
            Error::new(ErrorKind::InvalidArgument, message)
                .help("write `mpi:world` for the group of all processes")
        })
    }

    pub(crate) fn address(self) -> String {
        format!("{PREFIX}{}.{}", self.process, self.tag)
    }

    pub(crate) fn is_of_all(self) -> bool {
        self == ALL
    }
}

/// Where a rank takes what the others send to it: rank `r` sends to the tag `tag + r`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) process: c_int,
    pub(crate) tag: c_int,
    pub(crate) life: Process,
}

/// Who knocks.
#[derive(Serialize, Deserialize)]
struct Hello {
    version: u32,
    rank: usize,
    ranks: usize,
    seat: Seat,
}

/// What ranks say to each other here and over what they connect by.
const VERSION: u32 = 1;

/// The seats of all ranks.
///
/// # Errors
/// A rank is taken or of another group or version, or some do not come in time.
pub(crate) fn meet(engine: &Engine, rank: Rank, door: Door, within: Duration) -> Result<Vec<Seat>> {
    let (index, n) = (rank.index(), rank.group_size());
    let seat = Seat { process: engine.rank as c_int, tag: engine.tags(n)?, life: Process::this() };
    let end = deadline(within);
    if index == 0 {
        return gather(engine, seat, (door, n), end);
    }
    let hello = Hello { version: VERSION, rank: index, ranks: n, seat };
    let leader = door.process as c_int;
    say(engine, (leader, door.tag), &hello)?;
    // Rank 0 says who did not come at its own deadline, which may be later by as much.
    match engine.hear(Some(leader), seat.tag, end + ANSWER)? {
        Some((_, text)) => serde_json::from_slice::<Result<Vec<Seat>>>(&text)
            .map_err(|cause| foreign(leader).because(cause))?,
        None => {
            let message = format!("rank 0 of {n} did not come to {} in time", door.address());
            Err(Error::new(ErrorKind::Timeout, message))
        }
    }
}

const ANSWER: Duration = Duration::from_secs(1);

/// Rank 0: waits for the others, and tells each where all sit.
fn gather(engine: &Engine, own: Seat, (door, n): (Door, usize), end: Instant) -> Result<Vec<Seat>> {
    let mut seats = vec![None; n];
    seats[0] = Some(own);
    while seats.iter().any(Option::is_none) {
        let Some((from, text)) = engine.hear(None, door.tag, end)? else { break };
        let hello: Hello =
            serde_json::from_slice(&text).map_err(|cause| foreign(from).because(cause))?;
        match check(&hello, &seats) {
            Ok(()) => seats[hello.rank] = Some(hello.seat),
            Err(error) => tell(engine, &hello.seat, &Err(error))?,
        }
    }
    let absent: Vec<usize> = (0..n).filter(|&rank| seats[rank].is_none()).collect();
    let seats: Vec<Seat> = seats.into_iter().flatten().collect();
    let outcome = match absent[..] {
        [] => Ok(seats.clone()),
        _ => {
            let message =
                format!("ranks {absent:?} of {n} did not come to {} in time", door.address());
            Err(Error::new(ErrorKind::Timeout, message))
        }
    };
    seats[1..].iter().try_for_each(|seat| tell(engine, seat, &outcome))?;
    outcome
}

/// # Errors
/// Who knocks is not a rank that is waited for.
fn check(hello: &Hello, seats: &[Option<Seat>]) -> Result<()> {
    let (n, Hello { version, rank, ranks, .. }) = (seats.len(), hello);
    let what = if *version != VERSION {
        format!("is of version {version}, not {VERSION}")
    } else if *ranks != n {
        format!("comes from a group of {ranks}")
    } else if seats.get(*rank).is_none_or(Option::is_some) {
        "is taken".to_owned()
    } else {
        return Ok(());
    };
    let message = format!("rank {rank} of {n} {what}");
    Err(Error::new(ErrorKind::InvalidArgument, message)
        .help("give each process a rank of its own, and run one program"))
}

fn tell(engine: &Engine, seat: &Seat, outcome: &Result<Vec<Seat>>) -> Result<()> {
    say(engine, (seat.process, seat.tag), outcome)
}

/// Says a value to a process, by a tag.
///
/// # Errors
/// MPI reports a failure.
pub(crate) fn say<T: Serialize>(engine: &Engine, to: (c_int, c_int), value: &T) -> Result<()> {
    // Numbers, names and errors are text, which JSON can always hold.
    let text = serde_json::to_vec(value).unwrap_or_default();
    engine.send(to, std::iter::once(&text[..]), None)
}

/// What was heard is none of a group's words.
pub(crate) fn foreign(process: c_int) -> Error {
    let message = format!("process {process} says what no rank of a group says");
    Error::new(ErrorKind::Protocol, message)
}

#[cfg(test)]
mod tests;
