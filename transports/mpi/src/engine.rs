//! MPI in this process: one owner of all calls.

mod nodes;
mod own;
mod talk;
mod transfer;

pub(crate) use own::{Members, Own};
use ringwood_base::sync::lock;
pub(crate) use talk::Pause;
use transfer::{Flight, Orphans};
pub(crate) use transfer::{MOST, SEGMENT, Transfer};

use crate::Library;
use crate::abi::Handle;
use crate::watch::{LAST_WORDS, PATIENCE, Watch};
use crate::world::leave;
use nodes::Nodes;
use ringwood_base::sync::{cores, default_threads};
use ringwood_base::{Error, Result};
use ringwood_transport::Failure;
use std::collections::VecDeque;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

/// MPI in this process, initialised. Calls go through it one at a time, and do not wait for another process, so
/// that every wait outside has its own bound. Those of MPI's own collectives wait: where MPI allows it they run
/// beside others. They are errors where MPI reports a failure, or is over.
pub(crate) struct Engine {
    pub(crate) library: Library,
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) nodes: Nodes,
    /// The world of this library's messages.
    comm: Handle,
    largest_tag: c_int,
    /// Whether calls that wait may run beside others.
    pub(crate) concurrent: bool,
    next_tag: AtomicI32,
    state: Mutex<State>,
    /// What joins `pending`.
    orphans: Orphans,
    /// The failures of the groups of this process.
    failures: Mutex<Vec<Arc<Failure>>>,
    /// Bounds the calls that have no bound of their own.
    pub(crate) watch: Arc<Watch>,
}

#[derive(Default)]
struct State {
    /// What was begun and belongs to nobody else.
    pending: VecDeque<Flight>,
    pool: Vec<Vec<u8>>,
    /// MPI cannot be called any more.
    over: bool,
}

// SAFETY: handles are numbers or addresses of the library's objects, which calls from any thread may
// name: MPI was initialised for that, and `state` lets one thread at a time call.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

/// What every process has: the tags of farewells, of the group of all, and of what a controller and its workers
/// say to each other.
pub(crate) const FAREWELL: c_int = 0;
pub(crate) const WORLD: c_int = 1;
pub(crate) const ORDERS: c_int = 2;
pub(crate) const REPORTS: c_int = 3;
/// What ranks say to the rendezvous in rank 0.
pub(crate) const RENDEZVOUS: c_int = 4;
/// The first of those that are given out.
const FIRST: c_int = 5;

/// MPI in this process, as long as its world lives.
static CURRENT: Mutex<Weak<Engine>> = Mutex::new(Weak::new());

/// Whether MPI was initialised in this process; held meanwhile.
static USED: Mutex<bool> = Mutex::new(false);

impl Engine {
    /// That of this process.
    pub(crate) fn current() -> Result<Arc<Self>> {
        let current = lock(&CURRENT);
        current.upgrade().ok_or_else(|| {
            Error::unavailable("MPI is not in use in this process")
                .help(
                    "start the program with `mpirun`, call `mpi::init()` of Ringwood first, and keep what it gives; \
                     the transports `arena` and `socket` need no MPI",
                )
        })
    }

    /// Initialises MPI. Equivalent to `MPI_Init_thread`; where others do not come to that within
    /// [`PATIENCE`], the process ends.
    ///
    /// # Errors
    /// MPI is or was in use in this process, or cannot start or be called from several threads.
    pub(crate) fn init(library: Library, watch: Arc<Watch>) -> Result<Arc<Self>> {
        let abi = library.abi;
        let mut used = lock(&USED);
        let (mut initialized, mut level): (c_int, c_int) = (0, 0);
        // SAFETY: allowed at any time; the pointer is valid.
        unsafe { library.initialized(&raw mut initialized)? };
        // A library that was unloaded and is loaded again knows nothing of its end.
        if initialized != 0 || *used {
            return Err(Error::invalid("MPI was initialised in this process already").help(
                "it begins and ends once in the life of a process: keep the first session, or a `World`, to the end",
            ));
        }
        let bound = watch.bound("MPI_Init_thread", PATIENCE, None);
        // SAFETY: MPI is not initialised (above) and takes null for the arguments of the program.
        unsafe { library.init(null_mut(), null_mut(), abi.multiple, &raw mut level)? };
        drop(bound);
        *used = true;
        drop(used);
        let (mut rank, mut size, mut comm) = (0, 0, null_mut());
        let (mut tag, mut known) = (null_mut::<c_int>(), 0);
        // SAFETY: MPI is initialised, the handles are its own, the pointers are valid; an attribute is
        // told by a pointer to it.
        unsafe {
            library.set_error_handler(abi.world, abi.errors_return)?;
            library.rank(abi.world, &raw mut rank)?;
            library.size(abi.world, &raw mut size)?;
            let into = (&raw mut tag).cast();
            library.attribute(abi.world, abi.largest_tag, into, &raw mut known)?;
            let _bound = watch.bound("MPI_Comm_dup", PATIENCE, None);
            library.dup(abi.world, &raw mut comm)?;
            library.set_error_handler(comm, abi.errors_return)?;
        }
        // SAFETY: the library says that the attribute is there.
        let largest_tag = if known != 0 { unsafe { *tag } } else { 32_767 };
        if level < abi.serialized {
            let message = format!("`{}` cannot be called from several threads", library.name());
            return Err(Error::unsupported(message));
        }
        let number = |n: c_int| usize::try_from(n).unwrap_or(0);
        let engine = Self {
            library,
            rank: number(rank),
            size: number(size),
            nodes: Nodes::default(),
            comm,
            largest_tag,
            concurrent: level >= abi.multiple,
            next_tag: AtomicI32::new(FIRST),
            state: Mutex::default(),
            orphans: Orphans::default(),
            failures: Mutex::default(),
            watch,
        };
        // All are told the same then, and end MPI together.
        let nodes = Nodes::meet(&engine).inspect_err(|error| {
            engine.fail(error.clone());
            leave(&engine, LAST_WORDS);
        })?;
        let [_, (_, sharing)] = nodes.places(engine.rank, 0..engine.size);
        default_threads(cores() / sharing);
        let engine = Arc::new(Self { nodes, ..engine });
        *lock(&CURRENT) = Arc::downgrade(&engine);
        Ok(engine)
    }

    /// `count` tags that nobody in this process has, the first of them.
    pub(crate) fn tags(&self, count: usize) -> Result<c_int> {
        let next = |first: c_int| {
            let end = first.checked_add(c_int::try_from(count).ok()?)?;
            (end <= self.largest_tag).then_some(end)
        };
        self.next_tag.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).map_err(|_| {
            Error::unavailable(format!(
                "this process has been in so many groups that tags of MPI, up to {}, ran out",
                self.largest_tag
            ))
        })
    }

    /// Remembers that a group of this process may fail.
    pub(crate) fn watch(&self, failure: &Arc<Failure>) {
        let mut all = lock(&self.failures);
        // That of a group that is gone counts if it was raised.
        all.retain(|failure| failure.is_raised() || Arc::strong_count(failure) > 1);
        all.push(Arc::clone(failure));
    }

    /// Remembers that something else than a group of this process has failed.
    pub(crate) fn fail(&self, error: Error) {
        let failure = Arc::new(Failure::default());
        failure.raise(error);
        self.watch(&failure);
    }

    /// Why a group or a session of this process has failed, if one has.
    pub(crate) fn failure(&self) -> Option<Error> {
        let all = lock(&self.failures);
        all.iter().find_map(|failure| failure.get())
    }

    /// # Errors
    /// MPI is over.
    fn state(&self) -> Result<MutexGuard<'_, State>> {
        let mut state = lock(&self.state);
        let orphans = std::mem::take(&mut *lock(&self.orphans));
        for flight in orphans {
            match flight.done {
                true => state.keep(flight),
                false => state.pending.push_back(flight),
            }
        }
        if state.over {
            return Err(Error::invalid("MPI is over in this process: its `World` was dropped")
                .help("drop communicators before the world"));
        }
        Ok(state)
    }

    /// Before a call that waits for other processes: MPI is initialised and not over. What it gives is held during
    /// the call, and keeps others out where MPI does not allow them beside it.
    fn waiting(&self) -> Result<Option<MutexGuard<'_, State>>> {
        let state = self.state()?;
        Ok((!self.concurrent).then_some(state))
    }

    /// Waits for all processes; where they do not come in time, this one ends. Equivalent to `MPI_Barrier`.
    pub(crate) fn barrier(&self, within: Duration) -> Result<()> {
        let _bound = self.watch.bound("MPI_Barrier", within, None);
        let _alone = self.waiting()?;
        // SAFETY: as in `waiting`.
        unsafe { self.library.barrier(self.library.abi.world) }
    }

    /// Equivalent to `MPI_Allreduce` with `MPI_IN_PLACE`, `MPI_FLOAT` and `MPI_SUM`; bounded as [`Engine::barrier`].
    pub(crate) fn sum(&self, data: &mut [f32], within: Duration) -> Result<()> {
        let _bound = self.watch.bound("MPI_Allreduce", within, None);
        let _alone = self.waiting()?;
        let abi = &self.library.abi;
        let (count, data) = (length(data.len())?, data.as_mut_ptr().cast());
        // SAFETY: as in `waiting`; the data is `count` floats that nobody else uses during the call.
        unsafe { self.library.all_reduce(abi.in_place, data, count, abi.float, abi.sum, abi.world) }
    }

    /// Ends MPI in this process. To be called by the thread that initialised it.
    pub(crate) fn finalize(&self) -> Result<()> {
        let mut state = self.state()?;
        state.over = true;
        let _bound = self.watch.bound("MPI_Finalize", PATIENCE, None);
        // SAFETY: MPI is initialised and not over; from here on no call is made.
        let outcome = unsafe { self.library.finalize() };
        self.watch.release();
        outcome
    }

    /// Ends the processes of all ranks with this exit code, this one included.
    pub(crate) fn abort(&self, code: i32) -> ! {
        if let Ok(mut state) = self.state() {
            state.over = true;
            // SAFETY: MPI is initialised and not over. Where it does not end the job, this process ends.
            let _ = unsafe { self.library.abort(self.library.abi.world, code) };
        }
        std::process::exit(code)
    }
}

fn length(count: usize) -> Result<c_int> {
    c_int::try_from(count).map_err(|_| {
        Error::unsupported(format!("{count} elements are too many for one call of MPI"))
    })
}
