//! Device memory.

use crate::device::Device;
use crate::sys::Mem;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Region;
use std::fmt::Display;
use std::sync::Arc;

/// Memory of an OpenCL device. The driver keeps it while commands use it.
pub struct Memory {
    raw: Arc<Mem>,
    bytes: usize,
    device: Device,
}

impl Memory {
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self> {
        let largest = device.largest_memory();
        if bytes > largest {
            return Err(Error::out_of_memory(format!(
                "opencl: {bytes} bytes are more than the {largest} of the device's largest memory"
            )));
        }
        // OpenCL knows no memory of no bytes.
        let raw = device.context().buffer(bytes.max(8));
        let raw = raw.map_err(|status| status.during(&format!("allocating {bytes} bytes")))?;
        Ok(Self { raw: Arc::new(raw), bytes, device: device.clone() })
    }

    pub(crate) fn raw(&self) -> &Mem {
        &self.raw
    }

    /// The buffer, which then lives on without the memory.
    pub(crate) fn share(&self) -> Arc<Mem> {
        Arc::clone(&self.raw)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }
}

/// Checks that a region is inside of its memory, which belongs to `device`.
pub(crate) fn check(what: impl Display, region: Region<'_, Memory>, device: &Device) -> Result<()> {
    region.check_within(region.memory.bytes, &what)?;
    if region.memory.device != *device {
        let message = format!("opencl: {what} is on another device than the stream");
        return Err(Error::device(message).help("transfer the value first"));
    }
    Ok(())
}
