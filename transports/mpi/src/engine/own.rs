//! MPI's own collectives. They wait without a bound, which who calls them sets.

use super::{Engine, length};
use crate::abi::Handle;
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{Operation, ReduceOp, Request};
use ringwood_transport::Buffers;
use std::ffi::c_int;
use std::ptr::null_mut;

/// One of MPI's own collectives.
#[derive(Clone, Copy)]
pub(crate) enum Own {
    /// Sums of `f32`.
    AllReduce,
    AllGather,
    Broadcast {
        root: c_int,
    },
}

/// The processes of a group, as MPI's own collectives know them; for [`Engine::release`] to end.
pub(crate) struct Members(Handle);

// SAFETY: as for `Engine`.
unsafe impl Send for Members {}

/// The most bytes of a call: MPI counts them by an `int`.
const MOST: usize = 1 << 30;

impl Own {
    /// The one that runs a request.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let what = &request.what;
        if !request.bytes().is_ok_and(|bytes| bytes <= MOST) || what.counts.is_some() {
            return None;
        }
        match (what.operation, what.reduce, what.dtype) {
            (Operation::AllReduce, Some(ReduceOp::Sum | ReduceOp::Mean), DType::F32) => {
                Some(Self::AllReduce)
            }
            (Operation::AllGather, ..) => Some(Self::AllGather),
            (Operation::Broadcast, ..) => Some(Self::Broadcast { root: what.root as c_int }),
            _ => None,
        }
    }

    /// Why the one of this name does not run a request, if there is one; `concurrent` as in [`Engine`].
    pub(crate) fn refusal(name: &str, request: &Request, concurrent: bool) -> Option<Error> {
        let all = [Self::AllReduce, Self::AllGather, Self::Broadcast { root: 0 }];
        let [.., runs] = all.map(Self::names).into_iter().find(|[known, ..]| *known == name)?;
        if !concurrent {
            return Some(Error::unsupported(format!(
                "`{name}` waits inside of MPI, which this library does not let other threads call meanwhile"
            )));
        }
        let (what, reduce) = (&request.what, request.what.reduce);
        let reduce = reduce.map_or(String::new(), |reduce| format!(" by {reduce}"));
        Some(Error::unsupported(format!(
            "`{name}` runs {runs}, of at most {MOST} bytes and among processes, not {}{reduce} of {} {}",
            what.operation, request.elements, what.dtype
        )))
    }

    /// How groups name it, the call of MPI, and what it runs.
    pub(crate) fn names(self) -> [&'static str; 3] {
        match self {
            Self::AllReduce => ["mpi_all_reduce", "MPI_Allreduce", "the sum or mean of f32"],
            Self::AllGather => {
                ["mpi_all_gather", "MPI_Allgather", "all_gather of blocks of one length"]
            }
            Self::Broadcast { .. } => ["mpi_broadcast", "MPI_Bcast", "broadcast"],
        }
    }
}

impl Engine {
    /// The group of these processes, all of which call this. `tag` is theirs alone. Equivalent to
    /// `MPI_Comm_create_group`.
    pub(crate) fn members(&self, processes: &[c_int], tag: c_int) -> Result<Members> {
        let _alone = self.waiting()?;
        let Self { library, .. } = self;
        let (world, handler) = (library.abi.world, library.abi.errors_return);
        let (mut all, mut some, mut comm) = (null_mut(), null_mut(), null_mut());
        let count = length(processes.len())?;
        // SAFETY: MPI is initialised and not over, the pointers are valid, and a group that a communicator was
        // made of is needed no more. Calls may come from several threads (`concurrent`).
        unsafe {
            library.group(world, &raw mut all)?;
            library.include(all, count, processes.as_ptr(), &raw mut some)?;
            library.create(world, some, tag, &raw mut comm)?;
            for mut group in [all, some] {
                library.free_group(&raw mut group)?;
            }
            library.set_error_handler(comm, handler)?;
        }
        Ok(Members(comm))
    }

    /// Ends what MPI keeps of a group, which all members do. It has a bound number of them.
    pub(crate) fn release(&self, members: Members) -> Result<()> {
        let _alone = self.waiting()?;
        let Members(mut comm) = members;
        // SAFETY: as in `members`; no call on the communicator has begun and not ended, and none begins.
        unsafe { self.library.free(&raw mut comm) }
    }

    /// Runs a collective among the members.
    pub(crate) fn run(&self, own: Own, members: &Members, buffers: &mut Buffers<'_>) -> Result<()> {
        let _alone = self.waiting()?;
        let (library, abi, comm) = (&self.library, &self.library.abi, members.0);
        let given = buffers.input().len();
        let from = match buffers {
            Buffers::InPlace(_) => abi.in_place.cast_const(),
            Buffers::Apart { input, .. } => input.as_ptr().cast(),
        };
        if let (Own::Broadcast { .. }, Buffers::Apart { input, output }) = (own, &mut *buffers) {
            // Of the ranks, the root alone has an input; MPI sends what lies in its output.
            output[..input.len()].copy_from_slice(input);
        }
        let (to, bytes) = (buffers.output().as_mut_ptr().cast(), buffers.output().len());
        let (all, given) = (length(bytes)?, length(given)?);
        // SAFETY: as in `members`; the buffers have so many bytes and belong to the call until it ends. Every
        // rank calls the same on as many, as they have agreed.
        unsafe {
            match own {
                Own::AllReduce => {
                    let count = all / size_of::<f32>() as c_int;
                    library.all_reduce(from, to, count, abi.float, abi.sum, comm)
                }
                Own::AllGather => {
                    let block = if from == abi.in_place.cast_const() { 0 } else { given };
                    let mut ranks = 1;
                    library.size(comm, &raw mut ranks)?;
                    library.all_gather(from, block, abi.byte, to, all / ranks, abi.byte, comm)
                }
                Own::Broadcast { root } => library.broadcast(to, all, abi.byte, root, comm),
            }
        }
    }
}

#[cfg(test)]
mod tests;
