//! The OpenCL backend: the devices `opencl:0`, `opencl:1`, … of all OpenCL 1.2 platforms.
//!
//! The OpenCL library is loaded when the backend opens; a build needs none. Without a library, or
//! without a platform, the backend is [`Unavailable`](ringwood_base::ErrorKind::Unavailable) and
//! says what to install.
//!
//! | noun | here |
//! |---|---|
//! | device | one context for each device; platforms in the order of their names |
//! | stream | kind `queue`: an in-order command queue, and a thread that follows its completions |
//! | memory | a buffer; one of no bytes has a few that are not used; kernels get parts of it by offset |
//! | event | a marker in the queue; final when the thread has passed it |
//! | code | OpenCL C printed from the kernel's IR, built once for each layout of a map; or the kernel's source |
//! | command buffer | kernel objects of their own, whose arguments are set once |
//!
//! The thread of a stream calls the sinks of reads, looks for accesses out of bounds after each
//! launch of a grid kernel, and wakes those who wait. A wait for an event of another device goes
//! through it too, as queues of different contexts know nothing of each other.
//!
//! A kernel that is written by hand gets a part of a buffer as a sub-buffer, which starts at multiples of the
//! device's alignment; printed kernels take an offset instead, and start anywhere.
//!
//! Kernels give the same bits as on `cpu`. A device that says that it cannot promise that (it flushes
//! subnormal numbers), or turns out not to keep the promise, refuses strict kernels
//! ([`Device::strictness`](ringwood_device::device::Device::strictness)). Of PoCL before 4.0 the default method for work-groups miscompiles some
//! kernels: set `POCL_WORK_GROUP_METHOD=loops` in the environment, before the program starts.
//!
//! Run on PoCL 3.1, on Intel's CPU runtime 2026.2, also in one process with PoCL, on an NVIDIA H200, and under Oclgrind,
//! which finds races. Calls of Oclgrind
//! take turns, as it does not bear two threads at once.

mod backend;
mod device;
mod error;
mod event;
mod kernel;
mod memory;
mod stream;
mod sys;

pub use backend::OpenCl;
pub use device::Device;
pub use event::{Command, Event};
pub use kernel::Code;
pub use memory::Memory;
pub use stream::Stream;
