//! Messages on their way.

use super::{Engine, State, length};
use crate::abi::Handle;
use crate::library::Status;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A message on its way, in memory of its own: MPI uses it until the flight is done.
pub(super) struct Flight {
    request: Handle,
    memory: Vec<u8>,
    bytes: usize,
    pub(super) done: bool,
    /// The bytes on their way to somewhere, if that is counted.
    counted: Option<Arc<AtomicUsize>>,
}

// SAFETY: as for `Engine`, through which alone the request is used.
unsafe impl Send for Flight {}

/// Flights that nobody waits for any more: the engine keeps their memory until they are done.
pub(super) type Orphans = Arc<Mutex<Vec<Flight>>>;

/// A flight that somebody waits for.
pub(crate) struct Transfer {
    /// Until it is dropped.
    flight: Option<Flight>,
    orphans: Orphans,
}

impl Transfer {
    /// What has come, of a transfer that is done.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.flight.as_ref().map_or(&[], |flight| &flight.memory[..flight.bytes])
    }

    /// The same, in memory of its own.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        let Some(mut flight) = self.flight.take_if(|flight| flight.done) else { return Vec::new() };
        flight.memory.truncate(flight.bytes);
        flight.memory
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        let mut orphans = lock(&self.orphans);
        orphans.extend(self.flight.take());
    }
}

/// Whose message has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope {
    pub(crate) source: c_int,
    pub(crate) tag: c_int,
    pub(crate) bytes: usize,
}

/// The bytes of a long stream are sent in messages of this size.
pub(crate) const SEGMENT: usize = 128 << 10;
/// The longest message of all: a part of what travels beside the words of a session, or a frame.
pub(crate) const MOST: usize = (64 << 20) + SMALL;
/// Messages of up to so many bytes have memory that is not kept.
const SMALL: usize = 4 << 10;
/// The memory that is kept, in segments.
const POOL: usize = 64;
/// So many transfers are asked at once whether they are done.
const ASKED: usize = 32;
impl Engine {
    /// Begins to send bytes to a process. `counted` counts them until they are on their way.
    pub(crate) fn send(
        &self,
        (to, tag): (c_int, c_int),
        parts: &[&[u8]],
        counted: Option<Arc<AtomicUsize>>,
    ) -> Result<()> {
        let mut state = self.state()?;
        let mut memory = state.pool.pop().unwrap_or_default();
        memory.clear();
        parts.iter().for_each(|part| memory.extend_from_slice(part));
        let (bytes, mut request) = (memory.len(), null_mut());
        let (data, count, byte) = (memory.as_ptr().cast(), length(bytes)?, self.library.abi.byte);
        // SAFETY: MPI is initialised and not over, and `state` keeps other threads out. The memory
        // stays where it is until the flight is done: the engine keeps it that long.
        unsafe { self.library.isend(data, count, byte, to, tag, self.comm, &raw mut request)? };
        if let Some(counted) = &counted {
            counted.fetch_add(bytes, Ordering::Relaxed);
        }
        let flight = Flight { request, memory, bytes, done: false, counted };
        state.pending.push_back(flight);
        self.ask_last(&mut state)
    }

    /// Whether a message of `source` with this tag has come.
    pub(crate) fn has_come(&self, source: c_int, tag: c_int) -> Result<bool> {
        let state = self.state()?;
        self.probe(&state, Some(source), Some(tag)).map(|envelope| envelope.is_some())
    }

    /// Begins to receive the next message of `source` with this tag, `None` for any, if one has come. Nobody else takes
    /// it between the look and that: its room would be for another one.
    ///
    /// # Errors
    /// It has more bytes than `most`, for which there is no memory then.
    pub(crate) fn take(
        &self,
        source: Option<c_int>,
        tag: Option<c_int>,
        most: usize,
    ) -> Result<Option<(Envelope, Transfer)>> {
        let mut state = self.state()?;
        let Some(envelope) = self.probe(&state, source, tag)? else { return Ok(None) };
        let Envelope { source, bytes, .. } = envelope;
        if bytes > most {
            let message =
                format!("process {source} sends {bytes} bytes in one message, which exceed {most}");
            return Err(Error::protocol(message));
        }
        Ok(Some((envelope, self.receive(&mut state, envelope)?)))
    }

    fn probe(
        &self,
        _alone: &State,
        source: Option<c_int>,
        tag: Option<c_int>,
    ) -> Result<Option<Envelope>> {
        let abi = &self.library.abi;
        let (mut here, mut count, mut status): (c_int, c_int, Status) = (0, 0, Status::default());
        let (source, tag) = (source.unwrap_or(abi.any_source), tag.unwrap_or(abi.any_tag));
        // SAFETY: as in `send`; the status has room for that of any library.
        unsafe {
            self.library.iprobe(source, tag, self.comm, &raw mut here, &raw mut status)?;
            if here == 0 {
                return Ok(None);
            }
            self.library.count(&raw const status, abi.byte, &raw mut count)?;
        }
        let [source, tag] = [status[abi.source], status[abi.source + 1]];
        // MPI has no number for more bytes than it can count.
        Ok(Some(Envelope { source, tag, bytes: usize::try_from(count).unwrap_or(usize::MAX) }))
    }

    fn receive(&self, state: &mut State, envelope: Envelope) -> Result<Transfer> {
        let Envelope { source, tag, bytes } = envelope;
        let mut memory =
            if bytes > SMALL { state.pool.pop().unwrap_or_default() } else { Vec::new() };
        memory.try_reserve(bytes.saturating_sub(memory.len())).map_err(|cause| {
            Error::out_of_memory(format!("no memory for a message of {bytes} bytes")).because(cause)
        })?;
        // What it held is overwritten: only growth is cleared.
        if memory.len() < bytes {
            memory.resize(bytes, 0);
        }
        let (count, mut request, byte) = (length(bytes)?, null_mut(), self.library.abi.byte);
        let data = memory.as_mut_ptr().cast();
        // SAFETY: as in `send`.
        unsafe { self.library.irecv(data, count, byte, source, tag, self.comm, &raw mut request)? };
        let flight = Flight { request, memory, bytes, done: false, counted: None };
        Ok(Transfer { flight: Some(flight), orphans: Arc::clone(&self.orphans) })
    }

    /// Whether a transfer is done.
    pub(crate) fn is_done(&self, transfer: &mut Transfer) -> Result<bool> {
        let _state = self.state()?;
        transfer.flight.as_mut().map_or(Ok(true), |flight| self.ask(flight))
    }

    fn ask(&self, flight: &mut Flight) -> Result<bool> {
        if flight.done {
            return Ok(true);
        }
        let (mut done, mut status): (c_int, Status) = (0, Status::default());
        // SAFETY: as in `send`, which the caller has the lock for; the request was begun and is not done.
        unsafe { self.library.test(&raw mut flight.request, &raw mut done, &raw mut status)? };
        flight.done = done != 0;
        if let Some(counted) = flight.counted.take_if(|_| flight.done) {
            counted.fetch_sub(flight.bytes, Ordering::Relaxed);
        }
        Ok(flight.done)
    }

    /// Asks the last of the pending flights, which stays among them if it is not done.
    fn ask_last(&self, state: &mut State) -> Result<()> {
        let Some(last) = state.pending.back_mut() else { return Ok(()) };
        if self.ask(last)?
            && let Some(last) = state.pending.pop_back()
        {
            state.keep(last);
        }
        Ok(())
    }

    /// Asks what was begun whether it is done.
    pub(crate) fn progress(&self) -> Result<()> {
        let mut state = self.state()?;
        for _ in 0..ASKED.min(state.pending.len()) {
            state.pending.rotate_left(1);
            self.ask_last(&mut state)?;
        }
        Ok(())
    }
}

impl State {
    /// Keeps the memory of a flight that is done.
    pub(super) fn keep(&mut self, flight: Flight) {
        let memory = flight.memory;
        if (SMALL..=2 * SEGMENT).contains(&memory.capacity()) && self.pool.len() < POOL {
            self.pool.push(memory);
        }
    }
}

#[cfg(test)]
mod tests;
