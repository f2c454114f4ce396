//! Programs and their kernels.

use super::turns::call;
use super::{Context, DeviceId, Mem, handle};
use crate::error::Status;
use opencl3::kernel::{
    CL_KERNEL_WORK_GROUP_SIZE, create_kernel, get_kernel_work_group_data, release_kernel,
    set_kernel_arg,
};
use opencl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_binary,
    create_program_with_source, get_program_build_info, get_program_info, release_program,
};
use opencl3::types::{cl_kernel, cl_mem, cl_program};
use std::ffi::CStr;
use std::ptr;

/// A text of OpenCL C.
pub(crate) struct Program(cl_program);

/// An entry point of a program, with its arguments.
pub(crate) struct Kernel(cl_kernel);

handle!(Program, release_program);
handle!(Kernel, release_kernel);

impl Program {
    pub(crate) fn new(context: &Context, source: &str) -> Result<Self, Status> {
        call(|| create_program_with_source(context.0, &[source])).map(Self).map_err(Status)
    }

    /// A program of code that [`Program::code`] returned for the device of the context.
    pub(crate) fn of_code(
        context: &Context,
        device: DeviceId,
        code: &[u8],
    ) -> Result<Self, Status> {
        // SAFETY: the context was made for the device.
        call(|| unsafe { create_program_with_binary(context.0, &[device.0], &[code]) })
            .map(Self)
            .map_err(Status)
    }

    /// What the driver compiled, in its own form; `None` if it gives none.
    pub(crate) fn code(&self) -> Option<Vec<u8>> {
        let info = call(|| get_program_info(self.0, CL_PROGRAM_BINARIES)).ok()?;
        Vec::<Vec<u8>>::from(info).pop().filter(|code| !code.is_empty())
    }

    /// Compiles the text, or prepares the code.
    pub(crate) fn build(&self, device: DeviceId, options: &CStr) -> Result<(), Status> {
        call(|| build_program(self.0, &[device.0], options, None, ptr::null_mut())).map_err(Status)
    }

    /// What the compiler said.
    pub(crate) fn log(&self, device: DeviceId) -> String {
        let log = call(|| get_program_build_info(self.0, device.0, CL_PROGRAM_BUILD_LOG));
        log.map(|log| log.to_string()).unwrap_or_default()
    }

    pub(crate) fn kernel(&self, entry: &CStr) -> Result<Kernel, Status> {
        call(|| create_kernel(self.0, entry)).map(Kernel).map_err(Status)
    }
}

impl Kernel {
    pub(super) fn raw(&self) -> cl_kernel {
        self.0
    }

    /// The most work-items of a group.
    pub(crate) fn largest_group(&self, device: DeviceId) -> Result<usize, Status> {
        let what = CL_KERNEL_WORK_GROUP_SIZE;
        let data = call(|| get_kernel_work_group_data(self.0, device.0, what));
        Ok(super::number(&data.map_err(Status)?) as usize)
    }

    /// Sets an argument to a value; one of another size than the parameter's is refused.
    pub(crate) fn set_value(&mut self, index: usize, value: &[u8]) -> Result<(), Status> {
        // SAFETY: the call copies the bytes, and the kernel is borrowed exclusively.
        call(|| unsafe { set_kernel_arg(self.0, index as u32, value.len(), value.as_ptr().cast()) })
            .map_err(Status)
    }

    /// Sets an argument to a buffer.
    pub(crate) fn set_buffer(&mut self, index: usize, memory: &Mem) -> Result<(), Status> {
        let (size, value) = (size_of::<cl_mem>(), &raw const memory.0);
        // SAFETY: as above; the value is the handle of a buffer that is alive.
        call(|| unsafe { set_kernel_arg(self.0, index as u32, size, value.cast()) }).map_err(Status)
    }
}
