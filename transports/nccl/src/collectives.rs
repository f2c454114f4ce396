//! The library as a group sees it.

use crate::Library;
use crate::member::Communicator;
use crate::table::Call;
use cudarc::nccl::sys::ncclUniqueId;
use ringwood_backend_cuda::Cuda;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_collective::{CollectiveLibrary, LibraryMember, register_collective_library};
use ringwood_device::device::Device;
use ringwood_schedule::{Rank, Request};
use std::ffi::c_char;
use std::time::Duration;

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
        Ok(id.internal.map(|byte| byte as u8).to_vec())
    }

    fn join(
        &self,
        rank: Rank,
        invitation: &[u8],
        device: &Device,
        within: Duration,
    ) -> Result<Box<dyn LibraryMember>> {
        let library = Library::of_process()?;
        let bytes: [u8; 128] = invitation.try_into().map_err(|_| {
            Error::protocol(format!("an id of NCCL has 128 bytes, not {}", invitation.len()))
        })?;
        let id = ncclUniqueId { internal: bytes.map(|byte| byte as c_char) };
        device.native::<Cuda>()?.enter()?;
        let joined = Communicator::join(library, rank, id, deadline(within));
        Ok(Box::new(joined.map_err(|error| error.with("device", device))?))
    }
}
