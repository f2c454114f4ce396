//! MPI in this process: one owner of all calls.

use crate::Library;
use crate::abi::Handle;
use crate::library::{Status, no_handle};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::transport::Failure;
use std::collections::VecDeque;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// MPI in this process, initialised. All calls go through it, one at a time; none of them waits for
/// another process, so every wait outside has its own bound.
pub(crate) struct Engine {
    pub(crate) library: Library,
    pub(crate) rank: usize,
    pub(crate) size: usize,
    /// The world of this library's messages.
    comm: Handle,
    largest_tag: c_int,
    next_tag: AtomicI32,
    state: Mutex<State>,
    /// The failures of the groups of this process.
    failures: Mutex<Vec<Arc<Failure>>>,
}

#[derive(Default)]
struct State {
    /// What was begun and belongs to nobody else.
    pending: VecDeque<Transfer>,
    pool: Vec<Vec<u8>>,
    /// MPI cannot be called any more.
    over: bool,
}

// SAFETY: handles are numbers or addresses of the library's objects, which calls from any thread may
// name: MPI was initialised for that, and `state` lets one thread at a time call.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

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
/// Between looks.
const PAUSE: Duration = Duration::from_micros(50);

/// What every process has: the tags of farewells and of the group of all.
pub(crate) const FAREWELL: c_int = 0;
pub(crate) const WORLD: c_int = 1;

impl Engine {
    /// Initialises MPI. Equivalent to `MPI_Init_thread`.
    ///
    /// # Errors
    /// MPI is or was in use in this process, or cannot start or be called from several threads.
    pub(crate) fn init(library: Library) -> Result<Self> {
        let (calls, abi) = (library.calls, library.abi);
        let (mut initialized, mut level): (c_int, c_int) = (0, 0);
        // SAFETY: allowed at any time; the pointer is valid.
        library.done("MPI_Initialized", unsafe { (calls.initialized)(&raw mut initialized) })?;
        if initialized != 0 {
            let message = "MPI was initialised in this process already";
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("it can be used once in the life of a process"));
        }
        // SAFETY: MPI is not initialised (above) and takes null for the arguments of the program.
        let code = unsafe { (calls.init)(null_mut(), null_mut(), abi.serialized, &raw mut level) };
        library.done("MPI_Init_thread", code)?;
        let (mut rank, mut size, mut comm) = (0, 0, no_handle());
        let (mut tag, mut known) = (null_mut::<c_int>(), 0);
        // SAFETY: MPI is initialised, the handles are its own, the pointers are valid; an attribute is
        // told by a pointer to it.
        unsafe {
            let handler = (calls.set_error_handler)(abi.world, abi.errors_return);
            library.done("MPI_Comm_set_errhandler", handler)?;
            library.done("MPI_Comm_rank", (calls.rank)(abi.world, &raw mut rank))?;
            library.done("MPI_Comm_size", (calls.size)(abi.world, &raw mut size))?;
            let into = (&raw mut tag).cast();
            let code = (calls.attribute)(abi.world, abi.largest_tag, into, &raw mut known);
            library.done("MPI_Comm_get_attr", code)?;
            library.done("MPI_Comm_dup", (calls.dup)(abi.world, &raw mut comm))?;
            let handler = (calls.set_error_handler)(comm, abi.errors_return);
            library.done("MPI_Comm_set_errhandler", handler)?;
        }
        // SAFETY: the library says that the attribute is there.
        let largest_tag = if known != 0 { unsafe { *tag } } else { 32_767 };
        if level < abi.serialized {
            let message = format!("`{}` cannot be called from several threads", library.name());
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let number = |n: c_int| usize::try_from(n).unwrap_or(0);
        Ok(Self {
            library,
            rank: number(rank),
            size: number(size),
            comm,
            largest_tag,
            next_tag: AtomicI32::new(WORLD + 1),
            state: Mutex::default(),
            failures: Mutex::default(),
        })
    }

    /// `count` tags that nobody in this process has, the first of them.
    ///
    /// # Errors
    /// There are no more.
    pub(crate) fn tags(&self, count: usize) -> Result<c_int> {
        let next = |first: c_int| {
            let end = first.checked_add(c_int::try_from(count).ok()?)?;
            (end <= self.largest_tag).then_some(end)
        };
        self.next_tag.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).map_err(|_| {
            let message = format!(
                "this process has been in so many groups that tags of MPI, up to {}, ran out",
                self.largest_tag
            );
            Error::new(ErrorKind::Unavailable, message)
        })
    }

    /// Remembers that a group of this process may fail.
    pub(crate) fn watch(&self, failure: &Arc<Failure>) {
        let mut all = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        // That of a group that is gone counts if it was raised.
        all.retain(|failure| failure.is_raised() || Arc::strong_count(failure) > 1);
        all.push(Arc::clone(failure));
    }

    /// Whether a group of this process has failed.
    pub(crate) fn has_failed(&self) -> bool {
        let all = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().any(|failure| failure.is_raised())
    }

    /// # Errors
    /// MPI is over.
    fn state(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.over {
            let message = "MPI is over in this process: its `World` was dropped";
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("drop communicators before the world"));
        }
        Ok(state)
    }

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

    /// Waits for a message of `source` with this tag; `None` after the deadline.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn hear(
        &self,
        source: Option<c_int>,
        tag: c_int,
        deadline: Instant,
    ) -> Result<Option<(c_int, Vec<u8>)>> {
        let mut transfer: Option<(c_int, Transfer)> = None;
        loop {
            self.progress()?;
            let found = match &transfer {
                None => self.probe(source, Some(tag))?,
                Some(_) => None,
            };
            if let Some(envelope) = found {
                transfer = Some((envelope.source, self.receive(&envelope)?));
            }
            if let Some((source, transfer)) = &mut transfer
                && self.is_done(transfer)?
            {
                return Ok(Some((*source, transfer.bytes().to_vec())));
            }
            if Instant::now() >= deadline {
                if let Some((_, transfer)) = transfer {
                    self.adopt(transfer);
                }
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Says farewell to all and waits for theirs, taking whatever else comes; the ranks that did not
    /// say theirs in time, or took not all that was sent to them.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn farewell(&self, deadline: Instant) -> Result<Vec<usize>> {
        let mut here = vec![false; self.size];
        for rank in 0..self.size {
            self.send((rank as c_int, FAREWELL), std::iter::empty(), None)?;
        }
        loop {
            while let Some(envelope) = self.probe(None, None)? {
                let transfer = self.receive(&envelope)?;
                self.adopt(transfer);
                if let (FAREWELL, Some(one)) =
                    (envelope.tag, here.get_mut(envelope.source as usize))
                {
                    *one = true;
                }
            }
            self.progress()?;
            let absent: Vec<usize> = (0..self.size).filter(|&rank| !here[rank]).collect();
            let left = self.state()?.pending.len();
            if (absent.is_empty() && left == 0) || Instant::now() >= deadline {
                return Ok(if absent.is_empty() && left > 0 {
                    (0..self.size).collect()
                } else {
                    absent
                });
            }
            thread::sleep(PAUSE);
        }
    }

    /// Waits for all processes, without a bound. Equivalent to `MPI_Barrier`.
    pub(crate) fn barrier(&self) -> Result<()> {
        let _state = self.state()?;
        // SAFETY: as in `send`.
        self.library
            .done("MPI_Barrier", unsafe { (self.library.calls.barrier)(self.library.abi.world) })
    }

    /// Equivalent to `MPI_Allreduce` with `MPI_IN_PLACE`, `MPI_FLOAT` and `MPI_SUM`; without a bound.
    pub(crate) fn sum(&self, data: &mut [f32]) -> Result<()> {
        let _state = self.state()?;
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (count, data) = (length(data.len())?, data.as_mut_ptr().cast());
        // SAFETY: as in `send`; the data is `count` floats that nobody else uses during the call.
        self.library.done("MPI_Allreduce", unsafe {
            (calls.all_reduce)(abi.in_place, data, count, abi.float, abi.sum, abi.world)
        })
    }

    /// Ends MPI in this process. To be called by the thread that initialised it.
    pub(crate) fn finalize(&self) -> Result<()> {
        let mut state = self.state()?;
        state.over = true;
        // SAFETY: MPI is initialised and not over; from here on no call is made.
        self.library.done("MPI_Finalize", unsafe { (self.library.calls.finalize)() })
    }

    /// Ends the processes of all ranks with this exit code, this one included.
    pub(crate) fn abort(&self, code: i32) -> ! {
        if let Ok(mut state) = self.state() {
            state.over = true;
            // SAFETY: MPI is initialised and not over.
            unsafe { (self.library.calls.abort)(self.library.abi.world, code) };
        }
        std::process::exit(code)
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

fn length(count: usize) -> Result<c_int> {
    c_int::try_from(count).map_err(|_| {
        let message = format!("{count} elements are too many for one call of MPI");
        Error::new(ErrorKind::Unsupported, message)
    })
}
