//! A stream of bytes between two ranks, in messages of MPI.

use crate::engine::{Engine, SEGMENT, Transfer};
use crate::life::Life;
use ringwood_base::sync::lock;
use ringwood_transport::Channel;
use std::collections::VecDeque;
use std::ffi::c_int;
use std::io::{self, IoSlice};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A stream of bytes between two ranks. Tags tell it from others between the same processes.
pub(crate) struct Pipe {
    pub(crate) engine: Arc<Engine>,
    /// The process and the tag at the other end.
    pub(crate) to: (c_int, c_int),
    /// The tag at this end.
    pub(crate) tag: c_int,
    pub(crate) life: Life,
    /// The bytes that are on their way.
    pub(crate) flight: Arc<AtomicUsize>,
    pub(crate) incoming: Mutex<Incoming>,
}

/// The messages that come, in order.
#[derive(Default)]
pub(crate) struct Incoming {
    transfers: VecDeque<Transfer>,
    /// The bytes of the first one that were read.
    read: usize,
    /// The reads in a row that found nothing.
    idle: u32,
}

/// So many messages are received at once.
const AHEAD: usize = 8;
/// The most bytes on their way.
pub(crate) const WINDOW: usize = 4 << 20;
/// Whether the other process lives is asked once in so many reads that find nothing.
const LOOKS: u32 = 64;

impl Channel for Pipe {
    fn read(&self, into: &mut [u8]) -> io::Result<usize> {
        let mut incoming = lock(&self.incoming);
        let Incoming { transfers, read, idle } = &mut *incoming;
        while transfers.len() < AHEAD {
            let taken = self.engine.take(Some(self.to.0), Some(self.tag), SEGMENT);
            let Some((_, transfer)) = taken.map_err(io::Error::other)? else { break };
            transfers.push_back(transfer);
        }
        let done = match transfers.front_mut() {
            Some(first) => self.engine.is_done(first).map_err(io::Error::other)?,
            None => false,
        };
        let Some(first) = transfers.front().filter(|_| done) else {
            *idle += 1;
            // What it has sent before its end was there before the end was seen.
            let over = idle.is_multiple_of(LOOKS) && self.life.is_over_again();
            return if over { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        };
        *idle = 0;
        let left = &first.bytes()[*read..];
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        *read += count;
        if count == left.len() {
            *read = 0;
            drop(transfers.pop_front());
        }
        Ok(count)
    }

    /// A head and a long body go in messages of their own, so that the body is received in segments
    /// of one size.
    fn write(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        self.engine.progress().map_err(io::Error::other)?;
        let total: usize = parts.iter().map(|part| part.len()).sum();
        let segments: Vec<&[u8]> = parts.iter().flat_map(|part| part.chunks(SEGMENT)).collect();
        let at_once = if total <= SEGMENT { segments.len().max(1) } else { 1 };
        let mut sent = 0;
        for message in segments.chunks(at_once) {
            if self.flight.load(Ordering::Relaxed) >= WINDOW {
                break;
            }
            let flight = Some(Arc::clone(&self.flight));
            self.engine.send(self.to, message, flight).map_err(io::Error::other)?;
            sent += message.iter().map(|segment| segment.len()).sum::<usize>();
        }
        Ok(sent)
    }

    fn is_sent(&self) -> bool {
        // A failure shows where this rank reads.
        self.flight.load(Ordering::Relaxed) == 0
            || (self.engine.progress().is_err() || self.flight.load(Ordering::Relaxed) == 0)
    }
}
