//! A communicator of NCCL that does not block: every wait is a poll with a bound.

use crate::Library;
use crate::table::Call;
use cudarc::nccl::sys::{cudaStream_t, ncclComm_t, ncclConfig_t, ncclResult_t, ncclUniqueId};
use ringwood_backend_cuda::Cuda;
use ringwood_base::{Error, Result};
use ringwood_collective::{LibraryMember, Tensors};
use ringwood_device::device::Stream;
use ringwood_schedule::{Operation, Rank, Request};
use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr::{null, null_mut};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A communicator; dropping it ends it.
pub(crate) struct Communicator {
    library: Arc<Library>,
    /// Null after the end.
    raw: ncclComm_t,
}

// SAFETY: a communicator may be used from every thread, one at a time.
unsafe impl Send for Communicator {}

/// One that does not block, for NCCL from version 2.18 on. The library chooses the rest, also of what later versions have
/// besides.
const CONFIG: ncclConfig_t = ncclConfig_t {
    size: size_of::<ncclConfig_t>(),
    magic: 0xcafe_beef,
    version: 21_800,
    blocking: 0,
    cgaClusterSize: c_int::MIN,
    minCTAs: c_int::MIN,
    maxCTAs: c_int::MIN,
    netName: null(),
    splitShare: c_int::MIN,
};

/// After how long a state is looked at again.
const POLL: Duration = Duration::from_micros(50);
/// How long the peers of a communicator that ends well are waited for.
const PARTING: Duration = Duration::from_secs(1);
/// How long the end of a communicator is waited for in all; it goes on by itself then.
const END: Duration = Duration::from_secs(2);
const IN_PROGRESS: c_int = ncclResult_t::ncclInProgress as c_int;

impl Communicator {
    /// Meets the other ranks until a deadline, with the device that this thread has entered.
    ///
    /// # Errors
    /// NCCL refuses, or a rank does not come.
    pub(crate) fn join(
        library: Arc<Library>,
        rank: Rank,
        id: ncclUniqueId,
        deadline: Instant,
    ) -> Result<Self> {
        let mut communicator = Self { library, raw: null_mut() };
        let (ranks, number) = (rank.group_size() as c_int, rank.index() as c_int);
        let (init, mut config) = (communicator.library.calls.init, CONFIG);
        // SAFETY: the communicator and the configuration are written and read during the call.
        let code = unsafe { init(&raw mut communicator.raw, ranks, id, number, &raw mut config) };
        let joined = communicator.settle("ncclCommInitRankConfig", code, deadline);
        if joined.is_err() {
            communicator.abort();
        }
        joined.map(|()| communicator).map_err(|error| error.with("rank", rank))
    }

    /// Enqueues a call from and to two addresses on a stream; returns when it is there.
    ///
    /// # Errors
    /// NCCL refuses, or is not that far before the deadline.
    ///
    /// # Safety
    /// The stream is one of the communicator's device, and the memory at both addresses, as long as the call says, is
    /// not freed before the stream has passed it.
    pub(crate) unsafe fn enqueue(
        &self,
        call: &Call,
        [source, target]: [u64; 2],
        stream: *mut c_void,
        deadline: Instant,
    ) -> Result<()> {
        if self.raw.is_null() {
            return Err(Error::aborted("the communicator of NCCL was aborted"));
        }
        let (from, to) = (source as *const c_void, target as *mut c_void);
        let Call { name, operation, count, dtype, op, root } = *call;
        let (calls, comm, stream) = (&self.library.calls, self.raw, stream as cudaStream_t);
        // SAFETY: the caller's promise; the communicator lives.
        let code = unsafe {
            match operation {
                Operation::AllReduce => {
                    (calls.all_reduce)(from, to, count, dtype, op, comm, stream)
                }
                Operation::Reduce => (calls.reduce)(from, to, count, dtype, op, root, comm, stream),
                Operation::Broadcast => {
                    (calls.broadcast)(from, to, count, dtype, root, comm, stream)
                }
                Operation::AllGather => (calls.all_gather)(from, to, count, dtype, comm, stream),
                _ => (calls.reduce_scatter)(from, to, count, dtype, op, comm, stream),
            }
        };
        self.settle(name, code, deadline)
    }

    fn state(&self) -> c_int {
        let mut state = ncclResult_t::ncclSuccess as c_int;
        if self.raw.is_null() {
            return state;
        }
        // SAFETY: the communicator lives; the state is written.
        let code = unsafe { (self.library.calls.async_error)(self.raw, &raw mut state) };
        if code == ncclResult_t::ncclSuccess as c_int { state } else { code }
    }

    /// Polls a call that returned `code` until it is over.
    fn settle(&self, call: &'static str, mut code: c_int, deadline: Instant) -> Result<()> {
        while code == IN_PROGRESS {
            if Instant::now() >= deadline {
                let message = format!("{call} is still in progress at the end of its time");
                return Err(Error::timeout(message)
                    .help("look for a rank that did not come, and at NCCL_DEBUG=INFO"));
            }
            thread::sleep(POLL);
            code = self.state();
        }
        self.library.done(call, code, self.raw)
    }

    fn give_up(&self) {
        // SAFETY: the communicator lives, and is not used afterwards. A failure changes nothing.
        unsafe { (self.library.calls.abort)(self.raw) };
    }

    /// Leaves with the peers, which may still read; gives up if they do not come.
    fn part(&self) {
        let calls = &self.library.calls;
        // SAFETY: the communicator lives.
        let code = unsafe { (calls.finalize)(self.raw) };
        match self.settle("ncclCommFinalize", code, Instant::now() + PARTING) {
            // SAFETY: it is finalised, and not used afterwards. A failure changes nothing.
            Ok(()) => _ = unsafe { (calls.destroy)(self.raw) },
            Err(_) => self.give_up(),
        }
    }

    /// Ends the communicator on a thread of its own: NCCL's ends are known not to return.
    fn end(&mut self, how: impl FnOnce(&Self) + Send + 'static) {
        let raw = std::mem::replace(&mut self.raw, null_mut());
        if raw.is_null() {
            return;
        }
        // Where there is no thread for it, it is left alone.
        let mut last = ManuallyDrop::new(Self { library: self.library.clone(), raw });
        let (ended, over) = mpsc::channel();
        let spawned = thread::Builder::new().name("nccl-end".to_owned()).spawn(move || {
            how(&last);
            last.raw = null_mut();
            drop(ManuallyDrop::into_inner(last));
            // Nobody waits any more if it took long.
            let _ = ended.send(());
        });
        if spawned.is_ok() {
            let _ = over.recv_timeout(END);
        }
    }
}

impl LibraryMember for Communicator {
    fn submit(
        &mut self,
        stream: &Stream,
        request: &Request,
        tensors: &Tensors<'_>,
        deadline: Instant,
    ) -> Result<()> {
        let call = Call::of(request, true)?;
        let (input, output) = (tensors.input().region(), tensors.output().region());
        stream.submit_native::<Cuda>(input, output, |stream, [source, target]| {
            let at = [source, target].map(|region| region.memory.at(region.offset));
            stream.enqueue(|queue| {
                // SAFETY: the group checked that the tensors are as long as the request says, and that they are on
                // the device of this member. The run time keeps their memory until the stream has passed the call.
                unsafe { self.enqueue(&call, at, queue, deadline) }
            })
        })
    }

    fn poll(&self) -> Result<()> {
        match self.state() {
            IN_PROGRESS => Ok(()),
            code => self.library.done("ncclCommGetAsyncError", code, self.raw),
        }
    }

    fn abort(&mut self) {
        self.end(Self::give_up);
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.end(Self::part);
    }
}

#[cfg(test)]
mod tests;
