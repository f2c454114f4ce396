//! Messages on their way.

use super::{Engine, State, length};
use crate::abi::Handle;
use crate::library::{Status, no_handle};
use ringwood_base::{Error, ErrorKind, Result};
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A message on its way, in memory of its own: MPI uses it until the transfer is done.
pub(crate) struct Transfer {
    request: Handle,
    memory: Vec<u8>,
    bytes: usize,
    done: bool,
    /// The bytes on their way to somewhere, if that is counted.
    flight: Option<Arc<AtomicUsize>>,
}

// SAFETY: as for `Engine`, through which alone the request is used.
unsafe impl Send for Transfer {}

impl Transfer {
    /// What has come, of a transfer that is done.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.bytes]
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if !self.done {
            // MPI may still use it.
            std::mem::forget(std::mem::take(&mut self.memory));
        }
    }
}

/// A message that has come and was not received yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope {
    pub(crate) source: c_int,
    pub(crate) tag: c_int,
    pub(crate) bytes: usize,
}

/// The bytes of a long stream are sent in messages of this size.
pub(crate) const SEGMENT: usize = 128 << 10;
/// Messages of up to so many bytes have memory that is not kept.
const SMALL: usize = 4 << 10;
/// The memory that is kept, in segments.
const POOL: usize = 64;
/// So many transfers are asked at once whether they are done.
const ASKED: usize = 32;
impl Engine {
    /// Begins to send bytes to a process. `flight` counts them until they are on their way.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn send<'a>(
        &self,
        (to, tag): (c_int, c_int),
        parts: impl Iterator<Item = &'a [u8]>,
        flight: Option<Arc<AtomicUsize>>,
    ) -> Result<()> {
        let mut state = self.state()?;
        let mut memory = state.pool.pop().unwrap_or_default();
        memory.clear();
        parts.for_each(|part| memory.extend_from_slice(part));
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (bytes, mut request) = (memory.len(), no_handle());
        let count = length(bytes)?;
        // SAFETY: MPI is initialised and not over, and `state` keeps other threads out. The memory
        // stays where it is until the transfer is done, or for ever.
        let code = unsafe {
            let data = memory.as_ptr().cast();
            (calls.isend)(data, count, abi.byte, to, tag, self.comm, &raw mut request)
        };
        self.library.done("MPI_Isend", code)?;
        if let Some(flight) = &flight {
            flight.fetch_add(bytes, Ordering::Relaxed);
        }
        let mut transfer = Transfer { request, memory, bytes, done: false, flight };
        if !self.ask(&mut transfer)? {
            state.pending.push_back(transfer);
            return Ok(());
        }
        state.keep(transfer);
        Ok(())
    }

    /// The next message of `source` with this tag, `None` for any, if one has come.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn probe(
        &self,
        source: Option<c_int>,
        tag: Option<c_int>,
    ) -> Result<Option<Envelope>> {
        let _state = self.state()?;
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (mut here, mut count, mut status): (c_int, c_int, Status) = (0, 0, Status::default());
        let (source, tag) = (source.unwrap_or(abi.any_source), tag.unwrap_or(abi.any_tag));
        // SAFETY: as in `send`; the status has room for that of any library.
        unsafe {
            let code = (calls.iprobe)(source, tag, self.comm, &raw mut here, &raw mut status);
            self.library.done("MPI_Iprobe", code)?;
            if here == 0 {
                return Ok(None);
            }
            let code = (calls.count)(&raw const status, abi.byte, &raw mut count);
            self.library.done("MPI_Get_count", code)?;
        }
        let [source, tag] = [status[abi.source], status[abi.source + 1]];
        Ok(Some(Envelope { source, tag, bytes: usize::try_from(count).unwrap_or(0) }))
    }

    /// Begins to receive a message that has come.
    ///
    /// # Errors
    /// MPI reports a failure, or there is no memory for it.
    pub(crate) fn receive(&self, envelope: &Envelope) -> Result<Transfer> {
        let mut state = self.state()?;
        let bytes = envelope.bytes;
        let mut memory =
            if bytes > SMALL { state.pool.pop().unwrap_or_default() } else { Vec::new() };
        memory.try_reserve(bytes.saturating_sub(memory.len())).map_err(|cause| {
            let message = format!("no memory for a message of {bytes} bytes");
            Error::new(ErrorKind::OutOfMemory, message).because(cause)
        })?;
        // What it held is overwritten: only growth is cleared.
        if memory.len() < bytes {
            memory.resize(bytes, 0);
        }
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (count, mut request) = (length(bytes)?, no_handle());
        let Envelope { source, tag, .. } = *envelope;
        // SAFETY: as in `send`.
        let code = unsafe {
            let data = memory.as_mut_ptr().cast();
            (calls.irecv)(data, count, abi.byte, source, tag, self.comm, &raw mut request)
        };
        self.library.done("MPI_Irecv", code)?;
        Ok(Transfer { request, memory, bytes, done: false, flight: None })
    }

    /// Whether a transfer is done.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn is_done(&self, transfer: &mut Transfer) -> Result<bool> {
        let _state = self.state()?;
        self.ask(transfer)
    }

    fn ask(&self, transfer: &mut Transfer) -> Result<bool> {
        if transfer.done {
            return Ok(true);
        }
        let (mut done, mut status): (c_int, Status) = (0, Status::default());
        // SAFETY: as in `send`, which the caller has the lock for; the request was begun and is not done.
        let code = unsafe {
            let calls = &self.library.calls;
            (calls.test)(&raw mut transfer.request, &raw mut done, &raw mut status)
        };
        self.library.done("MPI_Test", code)?;
        transfer.done = done != 0;
        if let Some(flight) = transfer.flight.take_if(|_| transfer.done) {
            flight.fetch_sub(transfer.bytes, Ordering::Relaxed);
        }
        Ok(transfer.done)
    }

    /// Asks what was begun whether it is done.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn progress(&self) -> Result<()> {
        let mut state = self.state()?;
        for _ in 0..ASKED.min(state.pending.len()) {
            let Some(mut transfer) = state.pending.pop_front() else { break };
            match self.ask(&mut transfer)? {
                true => state.keep(transfer),
                false => state.pending.push_back(transfer),
            }
        }
        Ok(())
    }

    /// Takes over a transfer that nobody waits for any more, or gives its memory to the next one.
    pub(crate) fn adopt(&self, transfer: Transfer) {
        let Ok(mut state) = self.state() else { return };
        match transfer.done {
            true => state.keep(transfer),
            false => state.pending.push_back(transfer),
        }
    }
}

impl State {
    /// Keeps the memory of a transfer that is done.
    fn keep(&mut self, mut transfer: Transfer) {
        let memory = std::mem::take(&mut transfer.memory);
        if (SMALL..=2 * SEGMENT).contains(&memory.capacity()) && self.pool.len() < POOL {
            self.pool.push(memory);
        }
    }
}
