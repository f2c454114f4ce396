//! Device memory.

use crate::device::Device;
use crate::error::during;
use cudarc::driver::result;
use cudarc::driver::sys::CUdeviceptr;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Region;

/// Memory of a CUDA device, from the device's pool.
pub struct Memory {
    address: CUdeviceptr,
    bytes: usize,
    device: Device,
}

impl Memory {
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self> {
        let what = format!("allocating {bytes} bytes");
        device.enter()?;
        // SAFETY: the stream is the device's own. Waiting for it, which holds nothing but earlier
        // allocations and releases, makes the memory usable on every stream.
        let address = unsafe {
            let allocate = || result::malloc_async(device.allocator(), bytes.max(1));
            let address = device.reclaiming(allocate).map_err(during(&what))?;
            result::stream::synchronize(device.allocator()).map_err(during(&what))?;
            address
        };
        Ok(Self { address, bytes, device: device.clone() })
    }

    /// The address of byte `offset` on the device.
    pub fn at(&self, offset: usize) -> CUdeviceptr {
        self.address + offset as u64
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.visit(|| {
            // SAFETY: the memory is owned, and the run time drops it after its last use. A failure
            // changes nothing.
            let _ = unsafe { result::free_async(self.address, self.device.allocator()) };
        });
    }
}

/// Checks that a region is inside of its memory.
pub(crate) fn check_range(what: &str, region: Region<'_, Memory>) -> Result<()> {
    region.check_within(region.memory.bytes, what)
}

/// Checks that a region is inside of its memory, which belongs to `device`.
pub(crate) fn check(what: &str, region: Region<'_, Memory>, device: &Device) -> Result<()> {
    check_range(what, region)?;
    if region.memory.device == *device {
        return Ok(());
    }
    let message = format!("cuda: {what} is on another device than the stream");
    Err(Error::device(message).help("transfer the value first"))
}
