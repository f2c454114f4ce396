//! Ranks that are processes of one machine and read each other's buffers in place.

mod answers;
mod claim;
mod files;
mod ground;
mod heap;
mod map;
mod own;
mod peers;
pub mod rings;
mod verdict;

pub(crate) use map::{Map, SHARED};

use super::board::Board;
use super::peer::End;
use super::{Bootstrap, Endpoint, Failure, Transport};
use crate::register_transport;
use claim::Claim;
use files::Files;
use ground::Ground;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Capabilities, Rank};
use std::sync::Arc;
use std::time::Duration;

/// Ranks that are processes of one machine, or threads, and read each other's buffers in place:
/// [`PeerMemory`](super::PeerMemory) over files in memory that all of them map.
///
/// Buffers of `Communicator::alloc` lie there and are never
/// copied; other ones of more than a few KiB are copied in before a call and out after it. The files
/// have no names and end with the processes that use them, however those end. A rank whose process
/// dies is named on all others within milliseconds: the system takes back the lock that it holds.
///
/// What a process reads there is checked where it decides about memory: another process that writes
/// garbage can make calls fail or their results wrong, as a rank that contributes wrong values can. What
/// one process of a large group has chosen and proved, the others believe; what that accesses is checked.
///
/// For Linux; the address of a [`Bootstrap`] is a path below `/proc` of the process that made it.
pub struct Arena;

register_transport!(arena, Arena);

impl Transport for Arena {
    fn capabilities(&self) -> Capabilities {
        super::PeerMemory.capabilities()
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let ground = Ground::create(ranks)?;
        let end = |rank| enter(Rank::new(rank, ranks), &ground, failure);
        (0..ranks).map(end).collect()
    }

    fn bootstrap(&self, ranks: usize) -> Result<Bootstrap> {
        let ground = Ground::create(ranks)?;
        Ok(Bootstrap::new(ground.map.path().display().to_string(), ground))
    }

    fn join(
        &self,
        rank: Rank,
        address: &str,
        _within: Duration,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let ground = Ground::open(address.as_ref(), rank.group_size())?;
        enter(rank, &ground, failure)
    }
}

/// Takes the place of `rank`.
fn enter(rank: Rank, ground: &Arc<Ground>, failure: &Arc<Failure>) -> Result<Box<dyn Endpoint>> {
    let (index, n) = (rank.index(), rank.group_size());
    let taken = |what: &str| {
        Error::invalid(format!("rank {index} of {n} {what}"))
            .help("give each process a rank of its own, and each group an arena of its own")
    };
    let claim = Claim::take(&ground.map, index)?.ok_or_else(|| taken("is taken"))?;
    // SAFETY: the ground was made or checked for a board of `n` ranks, and keeps it mapped.
    let board =
        unsafe { Board::at(ground.board(), n, ground, Box::new(claim), Arc::clone(failure)) };
    board.come(index).map_err(|left| taken(if left { "has left" } else { "has died" }))?;
    failure.relay(Arc::clone(ground));
    let files = Files::new(index, ground);
    Ok(Box::new(End::new(index, Arc::new(board), files)?))
}

#[cfg(test)]
mod tests;
