//! Ranks that are threads of one process and read each other's buffers in place.

use super::board::Board;
use super::peer::{End, Need, Reach, Shown, pointers};
use super::{Buffers, Capabilities, Endpoint, Failure, Region, Transport};
use ringwood_base::Result;
use std::sync::Arc;

/// Ranks that are threads of one process and read each other's buffers in place.
///
/// A receive reads the sender's chunk where it lies: nothing is copied in or out. Every rank has one
/// counter that tells how many of its steps are done, on a line of cache of its own. A small input
/// travels with the rank's arrival, and every rank computes its outputs itself: one exchange of
/// lines of cache is the whole call.
pub struct PeerMemory;

impl Transport for PeerMemory {
    fn capabilities(&self) -> Capabilities {
        Capabilities::PEER_MEMORY
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let board = Arc::new(Board::new(ranks, Arc::clone(failure)));
        let end = |rank| -> Result<Box<dyn Endpoint>> {
            let threads = Threads { arena: Region::ordinary(0)? };
            Ok(Box::new(End::new(rank, Arc::clone(&board), threads)?))
        };
        (0..ranks).map(end).collect()
    }
}

/// Memory of this process: an address is the same for every rank.
struct Threads {
    arena: Region,
}

impl Reach for Threads {
    fn reserve(&mut self, arena: usize) -> Result<()> {
        if self.arena.bytes().len() < arena {
            self.arena = Region::ordinary(arena)?;
        }
        Ok(())
    }

    #[inline]
    fn show(&mut self, buffers: &mut Buffers<'_>) -> Result<Shown> {
        let [input, output] = pointers(buffers);
        let own = [input, output, self.arena.bytes_mut().as_mut_ptr()];
        Ok(Shown { own, others: own })
    }

    #[inline]
    fn find(&mut self, _need: &Need, shown: [*mut u8; 3]) -> Result<[*mut u8; 3]> {
        Ok(shown)
    }

    #[inline]
    fn take_back(&mut self, _shown: &Shown, _buffers: &mut Buffers<'_>) {}

    /// A thread that is inside is waited for.
    fn retire(&mut self) {}

    fn allocate(&mut self, bytes: usize) -> Result<Region> {
        Region::ordinary(bytes)
    }

    fn lend(&mut self, data: &[u8]) -> Result<*mut u8> {
        Ok(data.as_ptr().cast_mut())
    }
}
