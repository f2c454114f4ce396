//! Oclgrind, an interpreter of OpenCL that sees races: whether it does, as test.sh relies on it.

mod support;

use opencl3::command_queue::{CommandQueue, enqueue_nd_range_kernel, finish};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use std::path::Path;
use std::ptr;

const LIBRARY: &str = "/usr/lib/oclgrind/liboclgrind-rt.so";

/// Two work-items of one address; each work-item has its own in the second kernel.
const SOURCE: &str = "__kernel void shared(__global int* x) { x[0] = get_global_id(0); }
__kernel void apart(__global int* x) { x[get_global_id(0)] = 1; }";

/// Runs one of the kernels on the first device.
fn launch(entry: &str) -> opencl3::Result<()> {
    let platform = get_platforms()?.remove(0);
    let id = platform.get_devices(CL_DEVICE_TYPE_ALL)?[0];
    let context = Context::from_device(&Device::new(id))?;
    #[allow(deprecated, reason = "the one way of OpenCL 1.2")]
    let queue = CommandQueue::create_default(&context, 0)?;
    let program = Program::create_and_build_from_source(&context, SOURCE, "").expect("it compiles");
    let kernel = Kernel::create(&program, entry)?;
    // SAFETY: no host memory is involved.
    let buffer = unsafe { Buffer::<i32>::create(&context, CL_MEM_READ_WRITE, 8, ptr::null_mut()) }?;
    let size = [8];
    // SAFETY: the argument is a buffer of 8 elements, for 8 work-items.
    unsafe {
        kernel.set_arg(0, &buffer)?;
        let (queue, kernel) = (queue.get(), kernel.get());
        enqueue_nd_range_kernel(
            queue,
            kernel,
            1,
            ptr::null(),
            size.as_ptr(),
            ptr::null(),
            0,
            ptr::null(),
        )?;
    }
    Ok(finish(queue.get())?)
}

#[test]
fn a_race_is_reported_and_its_absence_is_not() {
    if !Path::new(LIBRARY).exists() {
        return support::absent("oclgrind", "the Debian package oclgrind is not installed");
    }
    let test = "a_race_is_reported_and_its_absence_is_not";
    for (entry, races) in [("shared", true), ("apart", false)] {
        let variables = [
            ("OPENCL_DYLIB_PATH", LIBRARY),
            ("OCLGRIND_DATA_RACES", "1"),
            ("RINGWOOD_ENTRY", entry),
        ];
        let Some(output) = support::again_with(test, &variables) else {
            let entry = std::env::var("RINGWOOD_ENTRY").unwrap();
            return launch(&entry).unwrap();
        };
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
        assert_eq!(text.to_lowercase().contains("data race"), races, "{entry}: {text}");
    }
}
