//! Streams of bytes between processes of a machine, for a transport that reaches other machines in its own way: in
//! memory that all of them map.
//!
//! As that of an [`Arena`](super::Arena), the memory has no name and ends with its processes, and the end of one is
//! seen by the lock that it holds.

use super::claim::Claim;
use super::map::Map;
use crate::board::Watch;
use crate::{Bootstrap, Channel};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::io::{self, IoSlice};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A place for `ranks` ranks, to be kept until all have joined.
///
/// # Errors
/// The system does not give the memory.
pub fn bootstrap(ranks: usize) -> Result<Bootstrap> {
    let bytes = bytes(ranks).ok_or_else(|| {
        Error::out_of_memory(format!("{ranks} ranks are too many for rings between all of them"))
    })?;
    let map = Map::create(bytes)?;
    Ok(Bootstrap::new(map.path().display().to_string(), map))
}

/// The streams of `rank` to the others, one for each rank but the own.
///
/// # Errors
/// There is no such place, it is for another number of ranks, or somebody has that of `rank`.
///
/// # Panics
/// `rank` is not below `ranks`.
pub fn join(address: &str, rank: usize, ranks: usize) -> Result<Vec<Option<Box<dyn Channel>>>> {
    assert!(rank < ranks, "rank {rank} is not in a group of {ranks}");
    let map = Map::open(address.as_ref())?;
    if bytes(ranks) != Some(map.bytes()) {
        return Err(Error::protocol(format!("`{address}` holds no rings of {ranks} ranks")));
    }
    let claim = Claim::take(&map, rank)?
        .ok_or_else(|| Error::invalid(format!("rank {rank} of {ranks} is taken")))?;
    let place = Arc::new(Place { map, claim });
    let stream = |peer: usize| -> Option<Box<dyn Channel>> {
        (peer != rank).then(|| {
            let end = |writer: usize, reader: usize| End::new(writer * ranks + reader);
            let (out, into) = (end(rank, peer), end(peer, rank));
            let stream = Stream { place: Arc::clone(&place), peer, out, into };
            stream.head(&stream.out).here.0.store(1, Ordering::Release);
            Box::new(stream) as Box<dyn Channel>
        })
    };
    Ok((0..ranks).map(stream).collect())
}

/// The bytes of a ring.
const CAPACITY: usize = 256 << 10;

/// What is before them; all 0 at first.
#[repr(C)]
struct Head {
    /// The bytes that were written so far.
    written: Line,
    /// Those that were read.
    read: Line,
    /// Whether the writer has come.
    here: Line,
}

/// On lines of cache of its own, as each end writes another one.
#[repr(C, align(128))]
struct Line(AtomicU64);

const RING: usize = size_of::<Head>() + CAPACITY;

/// A ring for each pair and direction. Those from a rank to itself are not used.
fn bytes(ranks: usize) -> Option<usize> {
    ranks.checked_mul(ranks)?.checked_mul(RING)
}

/// The memory as a rank has joined it.
struct Place {
    map: Map,
    claim: Claim,
}

/// The streams from and to a peer.
struct Stream {
    place: Arc<Place>,
    peer: usize,
    out: End,
    into: End,
}

/// This rank's end of a ring.
struct End {
    ring: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The bytes that went through this end: not looked up where others write.
    position: u64,
    /// The reads in a row that found nothing.
    idle: u32,
    /// The writer has ended; what it had written before is read before that is told.
    over: bool,
}

/// Whether the writer lives is asked once in so many reads that find nothing.
const LOOKS: u32 = 64;

impl End {
    fn new(ring: usize) -> Self {
        Self { ring, state: Mutex::default() }
    }
}

impl Stream {
    fn head(&self, end: &End) -> &Head {
        // SAFETY: the memory has as many rings as ranks join, which begin at lines of cache, and a head is atomics.
        unsafe { self.place.map.base().add(end.ring * RING).cast().as_ref() }
    }

    /// The bytes of the ring from a position on: up to its end, and from its start.
    fn parts(&self, end: &End, position: u64, count: usize) -> [(*mut u8, usize); 2] {
        let first =
            self.place.map.base().as_ptr().wrapping_add(end.ring * RING + size_of::<Head>());
        let at = (position % CAPACITY as u64) as usize;
        let before = count.min(CAPACITY - at);
        [(first.wrapping_add(at), before), (first, count - before)]
    }

    /// Whether the peer came and has ended.
    fn is_over(&self) -> bool {
        let here = self.head(&self.into).here.0.load(Ordering::Acquire) != 0;
        here && !self.place.claim.is_alive(self.peer)
    }

    /// What to tell of a ring without bytes.
    fn nothing(&self, state: &mut State) -> io::Result<usize> {
        if state.over {
            return Ok(0);
        }
        state.idle += 1;
        state.over = state.idle.is_multiple_of(LOOKS) && self.is_over();
        Err(io::ErrorKind::WouldBlock.into())
    }
}

impl Channel for Stream {
    fn read(&self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = lock(&self.into.state);
        let head = self.head(&self.into);
        let there = filled(head.written.0.load(Ordering::Acquire), state.position)?;
        if there == 0 {
            return self.nothing(&mut state);
        }
        let count = there.min(into.len());
        let mut rest = &mut into[..count];
        for (source, bytes) in self.parts(&self.into, state.position, count) {
            let (part, after) = rest.split_at_mut(bytes);
            // SAFETY: the bytes are in the ring, were written before `written` said so, and are written again only
            // when `read` says that they may be.
            unsafe { source.copy_to_nonoverlapping(part.as_mut_ptr(), bytes) };
            rest = after;
        }
        state.position = state.position.wrapping_add(count as u64);
        state.idle = 0;
        head.read.0.store(state.position, Ordering::Release);
        Ok(count)
    }

    fn write(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut state = lock(&self.out.state);
        let head = self.head(&self.out);
        let mut free = CAPACITY - filled(state.position, head.read.0.load(Ordering::Acquire))?;
        let start = state.position;
        for part in parts {
            let mut rest = &part[..free.min(part.len())];
            for (target, bytes) in self.parts(&self.out, state.position, rest.len()) {
                let (part, after) = rest.split_at(bytes);
                // SAFETY: the bytes are in the ring; the peer has read what they held, and reads them again when
                // `written` says so. This process has no other end there: the place of a rank is claimed.
                unsafe { target.copy_from_nonoverlapping(part.as_ptr(), bytes) };
                rest = after;
                state.position = state.position.wrapping_add(bytes as u64);
                free -= bytes;
            }
        }
        head.written.0.store(state.position, Ordering::Release);
        Ok(state.position.wrapping_sub(start) as usize)
    }

    fn is_sent(&self) -> bool {
        true
    }
}

/// The bytes in a ring, which the process at the other end may have said anything of.
fn filled(written: u64, read: u64) -> io::Result<usize> {
    let filled = written.wrapping_sub(read);
    match filled <= CAPACITY as u64 {
        true => Ok(filled as usize),
        false => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "a ring has more bytes than it holds"))
        }
    }
}

#[cfg(test)]
mod tests;
