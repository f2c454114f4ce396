//! MPI's own collectives. They wait without a bound, so a thread ends the process where one does not end.

use super::{Engine, length};
use crate::abi::Handle;
use crate::library::no_handle;
use crate::world::CODE;
use ringwood_base::Result;
use ringwood_collective::process::leave;
use ringwood_collective::transport::{Buffers, Failure};
use std::ffi::c_int;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// One of MPI's own collectives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Own {
    /// Sums of `f32`.
    AllReduce,
    AllGather,
    Broadcast {
        root: c_int,
    },
}

/// The processes of a group, as MPI's own collectives know them.
#[derive(Clone, Copy)]
pub(crate) struct Members(Handle);

// SAFETY: as for `Engine`.
unsafe impl Send for Members {}

/// Who has failed has so long to say so before the process ends.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Between looks whether the group has failed.
const LOOK: Duration = Duration::from_millis(20);

impl Engine {
    /// The group of these processes, all of which call this. `tag` is theirs alone. Equivalent to
    /// `MPI_Comm_create_group`.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn members(&self, processes: &[c_int], tag: c_int) -> Result<Members> {
        drop(self.state()?);
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (mut all, mut some, mut comm) = (no_handle(), no_handle(), no_handle());
        let count = length(processes.len())?;
        // SAFETY: MPI is initialised and not over, the pointers are valid. Calls may come from several
        // threads (`concurrent`).
        unsafe {
            self.library.done("MPI_Comm_group", (calls.group)(abi.world, &raw mut all))?;
            let code = (calls.include)(all, count, processes.as_ptr(), &raw mut some);
            self.library.done("MPI_Group_incl", code)?;
            let code = (calls.create)(abi.world, some, tag, &raw mut comm);
            self.library.done("MPI_Comm_create_group", code)?;
            let handler = (calls.set_error_handler)(comm, abi.errors_return);
            self.library.done("MPI_Comm_set_errhandler", handler)?;
        }
        Ok(Members(comm))
    }

    /// Runs a collective among the members.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub(crate) fn run(&self, own: Own, members: Members, buffers: &mut Buffers<'_>) -> Result<()> {
        drop(self.state()?);
        let (calls, abi, comm) = (&self.library.calls, &self.library.abi, members.0);
        let given = buffers.input().len();
        let from = match buffers {
            Buffers::InPlace(_) => abi.in_place.cast_const(),
            Buffers::Apart { input, .. } => input.as_ptr().cast(),
        };
        let (to, bytes) = (buffers.output().as_mut_ptr().cast(), buffers.output().len());
        let (all, given) = (length(bytes)?, length(given)?);
        // SAFETY: as in `members`; the buffers have so many bytes and belong to the call until it ends. Every
        // rank calls the same on as many, as they have agreed.
        let (name, code) = unsafe {
            match own {
                Own::AllReduce => {
                    let count = all / size_of::<f32>() as c_int;
                    ("MPI_Allreduce", (calls.all_reduce)(from, to, count, abi.float, abi.sum, comm))
                }
                Own::AllGather => {
                    let block = if from == abi.in_place.cast_const() { 0 } else { given };
                    let each = all / self.count(members)?;
                    let code = (calls.all_gather)(from, block, abi.byte, to, each, abi.byte, comm);
                    ("MPI_Allgather", code)
                }
                Own::Broadcast { root } => {
                    ("MPI_Bcast", (calls.broadcast)(to, all, abi.byte, root, comm))
                }
            }
        };
        self.library.done(name, code)
    }

    fn count(&self, members: Members) -> Result<c_int> {
        let mut count = 0;
        // SAFETY: as in `members`.
        let code = unsafe { (self.library.calls.size)(members.0, &raw mut count) };
        self.library.done("MPI_Comm_size", code).map(|()| count.max(1))
    }

    /// Runs what may wait for other processes for ever: where it takes longer than that, or its group fails, this process
    /// ends, and with it the job, since MPI still uses the memory of the call.
    pub(crate) fn guarded<T>(
        &self,
        within: Duration,
        failure: &Failure,
        what: &str,
        work: impl FnOnce() -> T,
    ) -> T {
        let (over, changed) = (Mutex::new(false), Condvar::new());
        let watch = || {
            let until = Instant::now().checked_add(within);
            let mut ended = over.lock().unwrap_or_else(PoisonError::into_inner);
            while !*ended {
                let why = match failure.get() {
                    Some(error) => error.to_string(),
                    None if until.is_some_and(|until| Instant::now() >= until) => {
                        format!("{what} did not end within {within:?}")
                    }
                    None => {
                        ended = changed
                            .wait_timeout(ended, LOOK)
                            .unwrap_or_else(PoisonError::into_inner)
                            .0;
                        continue;
                    }
                };
                let waited = changed.wait_timeout(ended, LAST_WORDS);
                ended = waited.unwrap_or_else(PoisonError::into_inner).0;
                if *ended {
                    break;
                }
                let (rank, size) = (self.rank, self.size);
                eprintln!("ringwood: rank {rank} of {size} ends the job in {what}: {why}");
                leave(CODE);
            }
        };
        thread::scope(|scope| {
            scope.spawn(watch);
            let outcome = work();
            *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            changed.notify_all();
            outcome
        })
    }
}
