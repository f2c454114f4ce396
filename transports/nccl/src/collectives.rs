//! The library as a group sees it.

use crate::Library;
use crate::member::{Addresses, Communicator};
use crate::table::Call;
use cudarc::nccl::sys::ncclUniqueId;
use ringwood_backend_cuda::Cuda;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::{CollectiveLibrary, LibraryMember, Tensors, register_collective_library};
use ringwood_device::device::{Device, Stream};
use ringwood_schedule::{Rank, Request};
use std::ffi::c_char;
use std::time::{Duration, Instant};

/// NCCL, registered as `nccl` for devices of `cuda`; see the [crate](crate).
pub struct Nccl;

register_collective_library!(nccl, Nccl, backend = "cuda");

impl CollectiveLibrary for Nccl {
    fn available(&self) -> Result<()> {
        Library::of_process().map(drop)
    }

    fn check(&self, request: &Request, asked: bool) -> Result<()> {
        Call::of(request, asked)?;
        self.available()
    }

    fn invite(&self) -> Result<Vec<u8>> {
        let id = Library::of_process()?.unique_id()?;
        Ok(id.internal.iter().map(|&byte| byte as u8).collect())
    }

    fn join(
        &self,
        rank: Rank,
        invitation: &[u8],
        device: &Device,
        within: Duration,
    ) -> Result<Box<dyn LibraryMember>> {
        let library = Library::of_process()?;
        let mut id = ncclUniqueId { internal: [0; 128] };
        if invitation.len() != id.internal.len() {
            let message = format!("an id of NCCL has 128 bytes, not {}", invitation.len());
            return Err(Error::new(ErrorKind::Protocol, message));
        }
        for (to, &from) in id.internal.iter_mut().zip(invitation) {
            *to = from as c_char;
        }
        device.native::<Cuda>()?.enter()?;
        let joined = Communicator::join(library, rank, id, deadline(within));
        let joined = joined.map_err(|error| error.with("device", device))?;
        Ok(Box::new(Member(joined)))
    }
}

struct Member(Communicator);

impl LibraryMember for Member {
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
            let [source, target] = [source, target].map(|region| region.memory.at(region.offset));
            let at = Addresses { source, target };
            stream.enqueue(|queue| {
                // SAFETY: the group checked that the tensors are as long as the request says, and that they are on
                // the device of this member. The run time keeps their memory until the stream has passed the call.
                unsafe { self.0.enqueue(&call, at, queue, deadline) }
            })
        })
    }

    fn poll(&self) -> Result<()> {
        self.0.poll()
    }

    fn abort(&mut self) {
        self.0.abort();
    }
}
