//! Status codes of OpenCL as errors.

use opencl3::error_codes::error_text;
use ringwood_base::{Error, ErrorKind};

const OUT_OF_MEMORY: [i32; 3] = [-4, -6, -61];
const NOT_AVAILABLE: i32 = -2;
const OUT_OF_RESOURCES: i32 = -5;
/// `CL_MISALIGNED_SUB_BUFFER_OFFSET`.
const MISALIGNED: i32 = -13;
const ALIGN: &str = "the device starts a kernel that is written by hand at few places of a buffer: \
    copy the part to a tensor of its own";
const NO_LIBRARY: i32 = -2000;
const NO_FUNCTION: i32 = -2001;
const NO_PLATFORM: i32 = -1001;

/// A status code that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(pub(crate) i32);

impl Status {
    /// The error of a call that failed while doing `what`.
    pub(crate) fn during(self, what: &str) -> Error {
        let Status(code) = self;
        let kind = match code {
            NOT_AVAILABLE => ErrorKind::Unavailable,
            code if OUT_OF_MEMORY.contains(&code) => ErrorKind::OutOfMemory,
            _ => ErrorKind::Backend,
        };
        let error = Error::new(kind, format!("opencl: {what}: {} ({code})", error_text(code)));
        match code {
            NOT_AVAILABLE => error.help("the device is gone: go on with another one"),
            OUT_OF_RESOURCES => error.help("either the work needs too much, or the device is lost"),
            MISALIGNED => error.help(ALIGN),
            _ => error,
        }
    }

    /// The error of looking for platforms.
    pub(crate) fn unavailable(self) -> Error {
        let (message, help) = match self.0 {
            NO_LIBRARY => ("there is no OpenCL library on this machine", INSTALL),
            NO_PLATFORM => ("the OpenCL library finds no platform", INSTALL),
            NO_FUNCTION => ("the OpenCL library lacks functions of OpenCL 1.2", INSTALL),
            _ => return self.during("looking for platforms"),
        };
        Error::unavailable(message).help(help)
    }
}

const INSTALL: &str = "install the driver of your GPU, or one for the processor: \
    `apt-get install ocl-icd-libopencl1 pocl-opencl-icd` on Debian";

#[cfg(test)]
mod tests;
