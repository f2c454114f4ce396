//! Programs and their kernels.

use super::turns::call;
use super::{Context, DeviceId, Mem, handle};
use crate::error::Status;
use opencl3::device::{CL_DEVICE_MAX_WORK_GROUP_SIZE, get_device_data};
use opencl3::kernel::{
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_WORK_GROUP_SIZE, create_kernel,
    get_kernel_work_group_data, release_kernel, set_kernel_arg,
};
use opencl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_binary,
    create_program_with_source, get_program_build_info, get_program_info, release_program,
};
use opencl3::types::{cl_kernel, cl_mem, cl_program};
use std::ffi::{CStr, c_void};
use std::ptr;

/// A text of OpenCL C.
pub(crate) struct Program(cl_program);

/// An entry point of a program, with its arguments.
pub(crate) struct Kernel {
    raw: RawKernel,
    /// The bits of the values that it has, by parameter.
    values: Vec<Option<u64>>,
}

struct RawKernel(cl_kernel);

handle!(Program, release_program);
handle!(RawKernel, release_kernel);

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
        let raw = call(|| create_kernel(self.0, entry)).map_err(Status)?;
        Ok(Kernel { raw: RawKernel(raw), values: Vec::new() })
    }
}

impl Kernel {
    pub(super) fn raw(&self) -> cl_kernel {
        self.raw.0
    }

    /// The most work-items of a group. Where the kernel declares its groups, their size, if the device has such: the driver
    /// of NVIDIA says for these, too, what kernels without a size may have.
    pub(crate) fn largest_group(&self, device: DeviceId) -> Result<usize, Status> {
        let ask =
            |what| call(|| get_kernel_work_group_data(self.raw(), device.0, what)).map_err(Status);
        let any = super::number(&ask(CL_KERNEL_WORK_GROUP_SIZE)?);
        let declared = ask(CL_KERNEL_COMPILE_WORK_GROUP_SIZE)?;
        let declared: u64 = declared.chunks(size_of::<usize>()).map(super::number).product();
        if declared <= any {
            return Ok(any as usize);
        }
        let most = call(|| get_device_data(device.0, CL_DEVICE_MAX_WORK_GROUP_SIZE));
        Ok(declared.min(super::number(&most.map_err(Status)?)) as usize)
    }

    /// Sets an argument to a value of 4 bytes; a parameter of another size refuses it.
    pub(crate) fn set_word(&mut self, index: usize, word: u32) -> Result<(), Status> {
        self.set_value(index, word.into(), &word.to_ne_bytes())
    }

    /// Sets an argument to a value of 8 bytes; a parameter of another size refuses it.
    pub(crate) fn set_double_word(&mut self, index: usize, word: u64) -> Result<(), Status> {
        self.set_value(index, word, &word.to_ne_bytes())
    }

    /// Most launches change few values, and each call of the driver costs.
    fn set_value(&mut self, index: usize, bits: u64, bytes: &[u8]) -> Result<(), Status> {
        if self.values.get(index) == Some(&Some(bits)) {
            return Ok(());
        }
        self.set(index, bytes.len(), bytes.as_ptr().cast())?;
        self.values.resize(self.values.len().max(index + 1), None);
        self.values[index] = Some(bits);
        Ok(())
    }

    /// Sets an argument to a buffer.
    pub(crate) fn set_buffer(&mut self, index: usize, memory: &Mem) -> Result<(), Status> {
        self.set(index, size_of::<cl_mem>(), (&raw const memory.0).cast())
    }

    fn set(&mut self, index: usize, size: usize, value: *const c_void) -> Result<(), Status> {
        // SAFETY: the call copies `size` bytes of a value that the callers borrow, a handle of a buffer
        // that is alive if it is one; the kernel is borrowed exclusively.
        call(|| unsafe { set_kernel_arg(self.raw(), index as u32, size, value) }).map_err(Status)
    }
}
