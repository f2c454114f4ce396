//! What a launch and a copy cost above the calls of the driver: the best of rounds that take turns, in
//! one run.
//!
//! `POCL_WORK_GROUP_METHOD=loops cargo bench -p ringwood-backend-opencl --bench overhead`

use opencl3::command_queue::{CommandQueue, enqueue_copy_buffer, enqueue_nd_range_kernel, finish};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::event::release_event;
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use ringwood_backend_opencl::OpenCl;
use ringwood_device::backend::{Backend, Region};
use ringwood_device::kernel::{Arg, Code, KernelDef};

use ringwood_base::{Error, Result, Shape};
use ringwood_device::kernel;
use std::ptr;
use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(60);
const ROUNDS: usize = 60;
const CALLS: usize = 1000;
/// One group of work-items.
const ITEMS: usize = 64;

#[kernel(device = opencl)]
fn one(y: &mut [f32]) {
    let i = gid(0);
    y[i] = 1.0;
}

const SOURCE: &str = "__kernel void one(__global float* y) { y[get_global_id(0)] = 1.0f; }";

/// The driver, without Ringwood.
struct Raw {
    context: Context,
    queue: CommandQueue,
    kernel: Kernel,
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::backend(error.to_string())
}

impl Raw {
    fn new() -> Result<Self> {
        let platform = get_platforms().map_err(failed)?.remove(0);
        let id = platform.get_devices(CL_DEVICE_TYPE_ALL).map_err(failed)?[0];
        let context = Context::from_device(&Device::new(id)).map_err(failed)?;
        #[allow(deprecated, reason = "the one way of OpenCL 1.2")]
        let queue = CommandQueue::create_default(&context, 0).map_err(failed)?;
        let program = Program::create_and_build_from_source(&context, SOURCE, "");
        let kernel = Kernel::create(&program.map_err(failed)?, "one").map_err(failed)?;
        Ok(Self { context, queue, kernel })
    }

    fn buffer(&self, bytes: usize) -> Result<Buffer<u8>> {
        // SAFETY: no host memory is involved.
        unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) }
            .map_err(failed)
    }

    fn launch(&self, buffer: &Buffer<u8>) -> Result<()> {
        let size = [ITEMS];
        // SAFETY: the buffer has an element for each work-item; the event is ours to release.
        unsafe {
            self.kernel.set_arg(0, buffer).map_err(failed)?;
            let (queue, kernel, size) = (self.queue.get(), self.kernel.get(), size.as_ptr());
            let event =
                enqueue_nd_range_kernel(queue, kernel, 1, ptr::null(), size, size, 0, ptr::null());
            release_event(event.map_err(failed)?).map_err(failed)
        }
    }

    fn copy(&self, from: &Buffer<u8>, to: &Buffer<u8>, bytes: usize) -> Result<()> {
        // SAFETY: both buffers have this size; the event is ours to release.
        unsafe {
            let queue = self.queue.get();
            let event =
                enqueue_copy_buffer(queue, from.get(), to.get(), 0, 0, bytes, 0, ptr::null());
            release_event(event.map_err(failed)?).map_err(failed)
        }
    }

    fn finish(&self) -> Result<()> {
        finish(self.queue.get()).map_err(failed)
    }
}

/// A call, and what follows a round of them without counting.
type Timed<'a> = (&'a mut dyn FnMut() -> Result<()>, &'a dyn Fn() -> Result<()>);

/// The best times of one of `calls` calls in seconds, of two that take turns, so that other programs
/// disturb both.
fn pair(calls: usize, mut timed: [Timed<'_>; 2]) -> Result<[f64; 2]> {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for ((call, after), best) in timed.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..calls {
                call()?;
            }
            *best = best.min(start.elapsed().as_secs_f64() / calls as f64);
            after()?;
        }
    }
    Ok(best)
}

fn main() -> Result<()> {
    let opencl = OpenCl::open()?;
    let device = &opencl.devices()?[0];
    let stream = opencl.stream(device, "queue")?;
    let finished = || opencl.block(&opencl.record(&stream)?, BOUND);
    let raw = Raw::new()?;

    let def = one::ENTRY.declared::<KernelDef>().unwrap();
    let code = Code::compile(&opencl, device, &def.spec(&def.instances[0]))?;
    let bytes = 4 * ITEMS;
    let (ours, theirs) = (opencl.allocate(device, bytes)?, raw.buffer(bytes)?);
    let y = Arg::Slice { region: Region { memory: &ours, offset: 0, bytes }, strides: None };
    let mut submit = || opencl.launch(&stream, &code.launch(Shape::vector(ITEMS), [y])?);
    let mut raw_launch = || raw.launch(&theirs);
    let finish = || raw.finish();
    let [ours, theirs] = pair(CALLS, [(&mut submit, &finished), (&mut raw_launch, &finish)])?;
    let above = (ours - theirs) * 1e9;
    println!("launch  {:6.0} ns, raw {:6.0} ns: {above:6.0} ns above", ours * 1e9, theirs * 1e9);
    let commands = opencl.prepare(&stream, &[code.launch(Shape::vector(ITEMS), [y])?])?;
    let mut submit = || commands.submit(&stream);
    let [ours, theirs] = pair(CALLS, [(&mut submit, &finished), (&mut raw_launch, &finish)])?;
    let above = (ours - theirs) * 1e9;
    println!("prepared {:5.0} ns, raw {:6.0} ns: {above:6.0} ns above", ours * 1e9, theirs * 1e9);

    for (bytes, count) in
        [64 << 10, 1 << 20, 64 << 20].into_iter().flat_map(|bytes| [(bytes, 1), (bytes, 8)])
    {
        let [a, b] = [opencl.allocate(device, bytes)?, opencl.allocate(device, bytes)?];
        let [c, d] = [raw.buffer(bytes)?, raw.buffer(bytes)?];
        let whole = |memory| Region { memory, offset: 0, bytes };
        let mut copy = || {
            (0..count).try_for_each(|_| opencl.copy(&stream, whole(&a), whole(&b)))?;
            finished()
        };
        let mut raw_copy = || {
            (0..count).try_for_each(|_| raw.copy(&c, &d, bytes))?;
            raw.finish()
        };
        let nothing = || Ok(());
        let [ours, theirs] = pair(1, [(&mut copy, &nothing), (&mut raw_copy, &nothing)])?;
        println!(
            "{count} copies of {bytes:9} bytes, one wait  {:9.1} µs, raw {:9.1} µs: {:5.2} of its speed",
            ours * 1e6,
            theirs * 1e6,
            theirs / ours
        );
    }
    Ok(())
}
