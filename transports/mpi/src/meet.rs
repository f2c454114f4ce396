//! How the ranks of a group find each other: through the group's rank 0, or through the process that gave them an address.

use crate::engine::{Engine, Pause, WORLD};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_schedule::Rank;
use ringwood_session::__private::spawn;
use ringwood_transport::list_ranks;
use serde::{Deserialize, Serialize};
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

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
    pub(crate) fn parse(address: &str) -> Result<Self> {
        let place = address.strip_prefix(PREFIX);
        let other = |place: &str| {
            let (process, tag) = place.split_once('.')?;
            Some(Self { process: process.parse().ok()?, tag: tag.parse().ok()? })
        };
        let door = place.and_then(|place| if place == "world" { Some(ALL) } else { other(place) });
        door.ok_or_else(|| {
            Error::invalid(format!("`{address}` is not an address of a group over MPI"))
                .help("write `mpi:world` for the group of all processes")
        })
    }

    pub(crate) fn address(self) -> String {
        match self.is_of_all() {
            true => format!("{PREFIX}world"),
            false => format!("{PREFIX}{}.{}", self.process, self.tag),
        }
    }

    pub(crate) fn is_of_all(self) -> bool {
        self == ALL
    }
}

/// Where a rank takes what the others send to it: rank `r` sends to the tag `tag + r`. At that of its own rank, by which
/// it sends nothing, it is told where all sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) process: c_int,
    pub(crate) tag: c_int,
}

/// Who knocks.
#[derive(Serialize, Deserialize)]
struct Hello {
    rank: usize,
    ranks: usize,
    seat: Seat,
    /// It has knocked before, and waits no longer for the others.
    over: bool,
}

/// The seats of all ranks. Rank 0 gathers the group of all processes; for others there is a [`Doorkeeper`] already.
///
/// # Errors
/// A rank is taken or of another group, or some do not come in time.
pub(crate) fn meet(
    engine: &Arc<Engine>,
    rank: Rank,
    door: Door,
    within: Duration,
) -> Result<Vec<Seat>> {
    let (index, n) = (rank.index(), rank.group_size());
    let seat = Seat { process: engine.rank as c_int, tag: engine.tags(n)? };
    let gathers = index == 0 && door.is_of_all();
    let (leader, own) = (door.process as c_int, seat.tag + index as c_int);
    let knock =
        |over| engine.say((leader, door.tag), &Hello { rank: index, ranks: n, seat, over }, None);
    knock(false)?;
    // The time of one that came before may be over: who gathers has to find this rank, too.
    let _keeper = gathers.then(|| Doorkeeper::start(Arc::clone(engine), door, n)).transpose()?;
    // Who gathers knows who did not come, so a rank whose time is over asks it.
    for (over, within) in [(false, within), (true, ANSWER)] {
        let end = deadline(within);
        if over {
            knock(over)?;
        }
        if let Some(outcome) = engine.hear(Some(leader), own, Pause::until(end))? {
            return outcome;
        }
    }
    let who = match door.is_of_all() {
        true => format!("rank 0 of {n}"),
        false => format!("process {leader}"),
    };
    Err(Error::timeout(format!("{who} did not answer at {} in time", door.address())))
}

/// How long who gathers takes to answer at most, and who is answered so late has for what follows.
pub(crate) const ANSWER: Duration = Duration::from_secs(1);

/// Gathers the ranks of a group at a door of this process, in a thread.
pub(crate) struct Doorkeeper {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Doorkeeper {
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn start(engine: Arc<Engine>, door: Door, ranks: usize) -> Result<Self> {
        let ends = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&ends);
        // The ranks are told what went wrong.
        let body = move || drop(gather(&engine, door, ranks, &theirs));
        let failed = "cannot start a thread for the door of a group";
        let thread = spawn("door of a group", failed, body)?;
        Ok(Self { ends, thread: Some(thread) })
    }
}

impl Drop for Doorkeeper {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Waits for the ranks, until the time of one that came is over, and tells each that came where all sit.
fn gather(engine: &Engine, door: Door, ranks: usize, ends: &AtomicBool) -> Result<()> {
    let mut seats = vec![None; ranks];
    let outcome = wait(engine, door, &mut seats, ends);
    let mut came = seats.iter().enumerate().filter_map(|(rank, seat)| Some((rank, seat.as_ref()?)));
    came.try_for_each(|(rank, seat)| tell(engine, rank, seat, &outcome))
}

fn wait(
    engine: &Engine,
    door: Door,
    seats: &mut [Option<Seat>],
    ends: &AtomicBool,
) -> Result<Vec<Seat>> {
    let mut over = vec![false; seats.len()];
    loop {
        let waits = seats.iter().any(Option::is_none) && !over.contains(&true);
        let mut pause = Pause::default();
        // Whoever has knocked by then has come, and may have come again.
        let again = || {
            pause.wait();
            waits && !ends.load(Ordering::Relaxed)
        };
        let Some(hello) = engine.hear::<Hello>(None, door.tag, again)? else { break };
        // The words of a rendezvous that nobody gathered are still there when its ranks come again.
        if door.is_of_all() && !hello.over && over.get(hello.rank) == Some(&true) {
            seats[hello.rank] = None;
        }
        match check(&hello, seats) {
            Ok(()) => {
                seats[hello.rank] = Some(hello.seat);
                over[hello.rank] = hello.over;
            }
            Err(error) => tell(engine, hello.rank, &hello.seat, &Err(error))?,
        }
    }
    let n = seats.len();
    let absent: Vec<usize> = (0..n).filter(|&rank| seats[rank].is_none()).collect();
    if absent.is_empty() {
        return Ok(seats.iter().flatten().copied().collect());
    }
    let (who, place) = (list_ranks(&absent), door.address());
    Err(Error::timeout(format!("{who} of {n} did not come to {place} in time")))
}

/// # Errors
/// Who knocks is not a rank that is waited for.
fn check(hello: &Hello, seats: &[Option<Seat>]) -> Result<()> {
    let (n, Hello { rank, ranks, seat, over }) = (seats.len(), hello);
    let what = match seats.get(*rank) {
        _ if *ranks != n => format!("comes from a group of {ranks}"),
        Some(None) if !over => return Ok(()),
        Some(Some(known)) if *over && known == seat => return Ok(()),
        _ => "is taken".to_owned(),
    };
    Err(Error::invalid(format!("rank {rank} of {n} {what}"))
        .help("give each process a rank of its own, and run one program"))
}

fn tell(engine: &Engine, rank: usize, seat: &Seat, outcome: &Result<Vec<Seat>>) -> Result<()> {
    engine.say((seat.process, seat.tag + rank as c_int), outcome, None)
}

#[cfg(test)]
mod tests;
