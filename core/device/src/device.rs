//! Devices, streams, buffers, contexts and routines.
//!
//! | type | noun |
//! |---|---|
//! | [`Runtime`] | the registered backends of a program, opened on first use |
//! | [`Device`] | one device: memory, compiled kernels, a default stream |
//! | [`Stream`] | an in-order timeline of a device |
//! | [`Buffer`] | device memory with one hazard record |
//! | [`Tensor`] | elements in a buffer: a shape and an element type |
//! | [`TensorView`] | elements of a tensor at a step along each dimension, for one launch |
//! | [`Completion`] | the end of submitted work; also a `Future` |
//! | [`LaunchProgram`] | kernel launches over named nodes |
//! | [`Context`] | which tensor each node is; immutable |
//! | [`Routine`] | a program, or a transfer, linked to a context and ready to submit |
//! | [`MergeTree`] | the merges of a node of many contexts, in one order |
//!
//! The run time orders work by itself: each buffer remembers its last write and the reads since,
//! and a submission waits, on the device, for whatever it must not overtake. Two streams that
//! touch one buffer therefore see submission order, and so does the host.
//!
//! ```no_run
//! use ringwood_device::device::Device;
//!
//! let device = Device::best()?;
//! let mut x = device.tensor(&[1.0_f32, 2.0, 3.0])?;
//! x.write(&[4.0_f32, 5.0, 6.0])?;
//! assert_eq!(x.to_vec::<f32>()?, [4.0, 5.0, 6.0]);
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod allocation;
mod buffer;
mod code;
mod completion;
mod context;
mod create;
mod donation;
mod handle;
mod hardware;
mod hazard;
mod host;
mod launch;
mod log;
mod memory;
mod merge;
mod program;
mod record;
mod report;
mod routine;
mod runtime;
mod stream;
mod stream_timeline;
mod strictness;
mod tensor;
mod timeline;
mod transfer;
mod view;

pub use crate::kernel::{Code, Kernel};
#[doc(hidden)]
pub use buffer::overlap;
pub use buffer::{Buffer, BufferId};
pub use completion::Completion;
pub use context::Context;
pub use handle::{Device, StreamStrategy};
pub use hazard::Wait;
pub use launch::{LaunchArg, launch};
pub use log::log;
pub use memory::MemoryReport;
pub use merge::{MergeTree, merge_pairs};
pub use program::{
    Bindings, Compiled, LaunchProgram, Node, NodeId, Role, Step, StepArg, StepArgs, StepKernel,
    Symbol,
};
pub use report::{DeviceReport, RouteReport, StreamReport};
pub use routine::Routine;
pub use runtime::{BackendState, Runtime};
pub use stream::Stream;
pub use strictness::Strictness;
pub use tensor::Tensor;
pub use timeline::StreamId;
pub use transfer::{Carried, Route, Sink, Target};
pub use view::{TensorView, TensorViewMut};

use launch::broadcast_strides;
use ringwood_base::sync::{Mutex, MutexGuard};
use std::sync::PoisonError;
use std::time::Duration;

/// How long the waits without an explicit timeout last: 10 minutes.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Locks; a panic elsewhere does not make the data wrong, since every change is a single step.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
