//! The CPU backend: one device, `cpu:0`, whose memory is host memory.
//!
//! | stream kind | how work runs |
//! |---|---|
//! | `threaded` | the default: one thread and one bounded channel for each stream |
//! | `sync` | in the call that submits it: the reference for every other device |
//! | `chaos:SEED` | `threaded` with seeded random delays, which bring missing waits to light |
//!
//! A kernel needs native code, which `#[kernel]` emits. Maps and grids of more than a few
//! microseconds are split over one pool of threads that all streams share, and so are the loops of
//! host kernels of 128 KiB and more (`pool::each`, as in matrix products). Results do not depend on the number of threads:
//! one for each core that affinity and control group allow, or `RINGWOOD_THREADS`.
//!
//! Two commands of different streams that touch the same bytes at the same time, one of them
//! writing, have no wait between them. That is never a data race here: every command borrows its
//! regions while it runs, and the second of the two fails with an error that names the bytes.

mod backend;
mod command;
mod device;
mod event;
mod float;
mod kernel;
mod memory;
mod pool;
mod stream;

pub use backend::Cpu;
pub use device::Device;
pub use event::Event;
pub use kernel::Code;
pub use memory::Memory;
pub use stream::Stream;
