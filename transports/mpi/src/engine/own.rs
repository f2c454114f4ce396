//! MPI's own collectives. They wait without a bound, which who calls them sets.

use super::{Engine, length};
use crate::abi::Handle;
use crate::library::no_handle;
use ringwood_base::Result;
use ringwood_transport::Buffers;
use std::ffi::c_int;

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

impl Own {
    /// The call of MPI.
    pub(crate) fn call(self) -> &'static str {
        match self {
            Self::AllReduce => "MPI_Allreduce",
            Self::AllGather => "MPI_Allgather",
            Self::Broadcast { .. } => "MPI_Bcast",
        }
    }
}

impl Engine {
    /// The group of these processes, all of which call this. `tag` is theirs alone. Equivalent to
    /// `MPI_Comm_create_group`.
    pub(crate) fn members(&self, processes: &[c_int], tag: c_int) -> Result<Members> {
        let _alone = self.waiting()?;
        let (calls, abi) = (&self.library.calls, &self.library.abi);
        let (mut all, mut some, mut comm) = (no_handle(), no_handle(), no_handle());
        let count = length(processes.len())?;
        // SAFETY: MPI is initialised and not over, the pointers are valid, and a group that a communicator was
        // made of is needed no more. Calls may come from several threads (`concurrent`).
        unsafe {
            self.library.done("MPI_Comm_group", (calls.group)(abi.world, &raw mut all))?;
            let code = (calls.include)(all, count, processes.as_ptr(), &raw mut some);
            self.library.done("MPI_Group_incl", code)?;
            let code = (calls.create)(abi.world, some, tag, &raw mut comm);
            self.library.done("MPI_Comm_create_group", code)?;
            for mut group in [all, some] {
                self.library.done("MPI_Group_free", (calls.free_group)(&raw mut group))?;
            }
            let handler = (calls.set_error_handler)(comm, abi.errors_return);
            self.library.done("MPI_Comm_set_errhandler", handler)?;
        }
        Ok(Members(comm))
    }

    /// Ends what MPI keeps of a group, which all members do. It has a bound number of them.
    pub(crate) fn release(&self, members: Members) -> Result<()> {
        let _alone = self.waiting()?;
        let Members(mut comm) = members;
        // SAFETY: as in `members`; no call on the communicator has begun and not ended, and none begins.
        self.library.done("MPI_Comm_free", unsafe { (self.library.calls.free)(&raw mut comm) })
    }

    /// Runs a collective among the members.
    pub(crate) fn run(&self, own: Own, members: &Members, buffers: &mut Buffers<'_>) -> Result<()> {
        let _alone = self.waiting()?;
        let (calls, abi, comm) = (&self.library.calls, &self.library.abi, members.0);
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
        let code = unsafe {
            match own {
                Own::AllReduce => {
                    let count = all / size_of::<f32>() as c_int;
                    (calls.all_reduce)(from, to, count, abi.float, abi.sum, comm)
                }
                Own::AllGather => {
                    let block = if from == abi.in_place.cast_const() { 0 } else { given };
                    let each = all / self.count(members)?;
                    (calls.all_gather)(from, block, abi.byte, to, each, abi.byte, comm)
                }
                Own::Broadcast { root } => (calls.broadcast)(to, all, abi.byte, root, comm),
            }
        };
        self.library.done(own.call(), code)
    }

    fn count(&self, members: &Members) -> Result<c_int> {
        let mut count = 0;
        // SAFETY: as in `members`.
        let code = unsafe { (self.library.calls.size)(members.0, &raw mut count) };
        self.library.done("MPI_Comm_size", code).map(|()| count.max(1))
    }
}
